# Everything a person or CI runs. `make demo` and `make test` need Python and make alone.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RELEASED = $(wildcard protos/released/*.binpb)
STAMP := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help setup demo chat test lint requirements requirements-rest proto proto-check release-image probe probe-test node-test java-test java-install java-sample bench wheel-test small-model-test clean

help: ## Show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)$$/  \1\t\2/' | expand -t 18

setup: $(STAMP) ## Make .venv with everything in it (quick the second time)

$(STAMP): pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing into $(VENV) (one to two minutes on a small machine) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[server,llm,store,postgres,mysql,dev]'
	@$(BIN)/python -m compileall -q protos server client
	@touch $@

demo: setup ## Start the server, send the example sessions through it, print what was decided and why
	@$(BIN)/python examples/demo.py

chat: setup ## Run a small agent through both rounds and print its answer
	@$(BIN)/python examples/chat_flow.py

test: setup ## Run the tests that need nothing but Python
	@$(BIN)/python -m pytest -m 'not (go or node or java or db or slow)' --requirements-report=.requirements-test.json

lint: setup ## ruff, mypy, import contracts, buf lint and breaking; runs all of them and fails at the end
	@failed=; \
	for tool in "ruff check ." "ruff format --check ." mypy lint-imports "buf lint" "buf breaking --against $(RELEASED)"; do \
		echo "-- $$tool"; $(BIN)/$$tool || failed="$$failed [$$tool]"; \
	done; \
	test -z "$$failed" || { echo "failed:$$failed"; exit 1; }

requirements: setup ## Run every test and print one line for each requirement ID
	@$(BIN)/python -m tests.requirements

requirements-rest: setup ## The same after `make test` and `make java-test`: run only what those leave out
	@$(BIN)/python -m tests.requirements --with .requirements-test.json --with .requirements-java.json -- -m 'go or node or db or slow'

proto: setup ## Generate the Python beside the protos, and docs/reference from their comments
	@$(BIN)/python tools/generate_protos.py
	@$(BIN)/python tools/generate_reference.py

release-image: setup ## At a release: keep its contract, which later protos must not break
	@$(BIN)/python tools/release_image.py

proto-check: setup ## Fail where the generated Python or docs/reference is not current
	@$(BIN)/python tools/generate_protos.py --check
	@$(BIN)/python tools/generate_reference.py --check

probe: ## Install grpcurl into .tools where it is missing
	@sh tools/install_grpcurl.sh

probe-test: setup probe ## Run each grpcurl line of the documents, and the call from Go, as written
	@$(BIN)/python -m pytest -m go

node-test: setup ## Run the call from Node as written
	@$(BIN)/python -m pytest -m node

java-test: setup ## Build and test java/ against the server, and compare it with Python (needs a JDK 17 and Maven)
	@$(BIN)/python -m pytest -m java -n 0 --capture=no --requirements-report=.requirements-java.json tests/java

java-install: ## Put the Java client into the local Maven repository
	@mvn -B -ntp -q -f java/pom.xml install -DskipTests -pl evidencegate-client,evidencegate-test-server -am

java-sample: ## Run the sample ChatService on port 8080 (needs a running server)
	@mvn -B -ntp -q -f java/pom.xml package -DskipTests
	@java -jar java/chat-service-sample/target/chat-service-sample-0.1.0.jar

bench: setup ## Measure against an echo call on the same server
	@$(BIN)/python -m bench.run

wheel-test: setup ## Install the built wheel into empty environments and call it
	@$(BIN)/python -m pytest -m slow tests/packaging

small-model-test: setup ## Build a real small model (up to an hour) and ask it through the engines
	@PYTHON=$(PYTHON) sh tools/install_small_model.sh
	@$(BIN)/python -m pytest -m slow tests/models/test_small_model.py

clean: ## Remove what make made
	rm -rf $(VENV) .tools java/*/target examples/go/gen examples/node/node_modules .requirements*.json .bench-server.log dist build .hypothesis .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
