"""Proves by the table of calls that the client has every method and tells a refusal with all that the server said."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import grpc
import pytest
from evidencegate_client import ClientConfig, Deadlines, EvidenceGateClient, RetryPolicy
from evidencegate_client.errors import DeadlineError, ServiceError, UnavailableError

from tests.contract.calls.table import Row, at, load, request, told
from tests.contract.methods import METHODS
from tests.docs.running import serving

TABLE = load()
PACKAGE = "evidencegate.v1."
ONCE = ClientConfig(retry=RetryPolicy(max_attempts=1))

# How the client makes each call of the contract, by a request of the table.
CALLS: dict[str, Callable[[EvidenceGateClient, Any], Any]] = {
    "Gatekeeper/Validate": lambda client, given: client.validate(given),
    "Gatekeeper/GetRuleCatalog": lambda client, _: client.get_rule_catalog(),
    "Verifier/Judge": lambda client, given: client.judge(given),
    "Verifier/SummarizeTrace": lambda client, given: client.summarize_trace(given),
    "Composer/Compose": lambda client, given: client.compose(given),
    "Prompts/ListPrompts": lambda client, _: client.list_prompts(),
    "Prompts/RenderPrompt": lambda client, given: client.render_prompt(given),
    "SelfEvaluations/WriteChannel": lambda client, given: client.write_channel(given),
    "SelfEvaluations/GetSession": lambda client, given: client.get_session(given.session_id),
    "SelfEvaluations/ListSessions": lambda client, given: client.list_sessions(
        page_size=given.page_size, page_token=given.page_token
    ),
    "SelfEvaluations/DeleteSession": lambda client, given: client.delete_session(given.session_id),
}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with a store."""
    folder: Path = tmp_path_factory.mktemp("store")
    with serving("--store", f"sqlite:///{folder}/evaluations.db") as target:
        yield target


def make(client: EvidenceGateClient, method: str, changes: Any = None) -> Any:
    """Makes a call of the table."""
    return CALLS[method.removeprefix(PACKAGE)](client, request(method, changes))


def test_the_client_has_every_method() -> None:
    assert sorted(f"{PACKAGE}{name}" for name in CALLS) == sorted(METHODS)


@pytest.mark.req("IO-05")
@pytest.mark.parametrize("row", [row for row in TABLE.values() if row.refused], ids=lambda row: row.method)
def test_a_refusal_raises_with_code_reason_and_every_violation(address: str, row: Row) -> None:
    with EvidenceGateClient(address) as client:
        for one in row.refused:
            for method, changes in one.before:
                make(client, method, changes)
            with pytest.raises(ServiceError) as caught:
                make(client, row.method, one.changes)
            error = caught.value
            violations = tuple((violation.field, violation.description) for violation in error.field_violations)
            assert (error.code.name, error.reason, violations) == (one.code, one.reason, one.violations), one.name
            for field, _ in one.violations:
                assert field in str(error)


@pytest.mark.req("IO-07")
@pytest.mark.parametrize("method", METHODS)
def test_a_server_that_is_gone_raises_from_every_plain_call(method: str) -> None:
    with EvidenceGateClient("127.0.0.1:1", ONCE) as client, pytest.raises(UnavailableError) as caught:
        make(client, method)
    assert caught.value.code is grpc.StatusCode.UNAVAILABLE


@pytest.mark.parametrize("method", METHODS)
def test_a_deadline_that_passes_raises_from_every_plain_call(method: str) -> None:
    short = Deadlines(**{deadline.name: 0.05 for deadline in fields(Deadlines)})
    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes connections and never says a word
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        with (
            EvidenceGateClient(address, ClientConfig(deadlines=short)) as client,
            pytest.raises(DeadlineError) as caught,
        ):
            make(client, method)
    assert caught.value.code is grpc.StatusCode.DEADLINE_EXCEEDED


@pytest.mark.req("IO-01")
def test_good_calls_are_answered_as_the_table_says(address: str) -> None:
    with EvidenceGateClient(address) as client:
        for row in TABLE.values():
            for method, changes in row.before:
                make(client, method, changes)
            answer = make(client, row.method)
            if hasattr(answer, "DESCRIPTOR") and answer.DESCRIPTOR is METHODS[row.method].output_type:
                tree = told(answer)
                assert {pointer: at(tree, pointer) for pointer in row.good} == dict(row.good)
            else:
                # The client takes the one field out of the response.
                assert answer
