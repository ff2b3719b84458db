"""`evidencegate evaluate --engine llm|hybrid`: the model is that of the options, or that of the server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from evidencegate_server.cli.own_server import own_server

from tests.cli.conftest import EXAMPLES, run
from tests.cli.test_evaluate import changed
from tests.models.endpoint import KEY, FakeEndpoint, running_endpoint
from tests.models.sessions import verifier_text

GOOD = EXAMPLES / "01-good-answer.json"
LABELS = {"c1": "overstated", "c2": "direct_observation", "c3": "direct_observation"}
ADDRESS = ("--base-url", "http://127.0.0.1:9/v1", "--model", "m")


@pytest.fixture
def fake() -> Iterator[FakeEndpoint]:
    """An endpoint whose model finds one of three claims overstated."""
    with running_endpoint() as running:
        running.say(verifier_text(LABELS, note="x", ref="inv:5101"))
        yield running


@pytest.mark.req("VO-11", "IO-07")
def test_the_model_of_the_options_labels(fake: FakeEndpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", KEY)
    options = ("--engine", "llm", "--base-url", fake.base_url, "--model", "small", "--key-env", "A_KEY")
    ran = run("evaluate", GOOD, *options, "--json")
    assert (ran.code, ran.err) == (0, "")
    (line,) = ran.lines
    assert {claim["claim_id"]: claim["verification"] for claim in line["claims"]} == LABELS
    assert line["verdict"] == "LOW_CONFID"
    (asked,) = fake.requests
    assert (asked.body["model"], asked.headers["authorization"]) == ("small", f"Bearer {KEY}")
    assert "<executor_structured_output>" in asked.prompt


@pytest.mark.req("VO-11")
def test_hybrid_asks_nobody_about_what_code_has_settled(fake: FakeEndpoint) -> None:
    ran = run("evaluate", GOOD, "--engine", "hybrid", "--base-url", fake.base_url, "--model", "m", "--json")
    assert [line["verdict"] for line in ran.lines] == ["PASS"]
    assert fake.requests == []


@pytest.mark.req("SE-04")
def test_a_model_that_cannot_be_reached_is_low_confidence() -> None:
    ran = run("evaluate", GOOD, "--engine", "llm", *ADDRESS, "--json")
    assert (ran.code, [line["verdict"] for line in ran.lines]) == (0, ["LOW_CONFID"])


def test_a_profile_of_a_models_file_is_asked(fake: FakeEndpoint, tmp_path: Path) -> None:
    profiles = [{"name": name, "base_url": fake.base_url, "model": f"model-{name}"} for name in ("a", "b")]
    models = tmp_path / "models.yaml"
    models.write_text(json.dumps({"default": "a", "profiles": profiles}), encoding="utf-8")
    for more in ((), ("--profile", "b")):
        assert run("evaluate", GOOD, "--engine", "llm", "--models", models, *more).code == 0
    assert [asked.body["model"] for asked in fake.requests] == ["model-a", "model-b"]
    ran = run("evaluate", GOOD, "--engine", "llm", "--models", models, "--profile", "c")
    assert (ran.code, "ENGINE_UNAVAILABLE" in ran.err) == (2, True)


@pytest.mark.req("IO-07")
def test_a_running_servers_own_model_counts(fake: FakeEndpoint) -> None:
    profiles = [{"name": name, "base_url": fake.base_url, "model": name} for name in ("a", "b")]
    with own_server(models=json.dumps({"default": "a", "profiles": profiles})) as target:
        given = ("evaluate", GOOD, "--server", target, "--engine", "llm")
        assert run(*given).code == 0
        assert run(*given, "--profile", "b").code == 0
        for option in (*ADDRESS[:2],), (*ADDRESS[2:],), ("--key-env", "A_KEY"), ("--models", GOOD):
            ran = run(*given, *option)
            assert (ran.code, ran.out) == (2, "")
            assert ran.err.startswith("Usage: ")
            assert f"{option[0]} is for the server that this command starts" in ran.err
    assert [asked.body["model"] for asked in fake.requests] == ["a", "b"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--engine", "llm"), "--engine llm needs --base-url and --model"),
        (("--engine", "hybrid", *ADDRESS[:2]), "--engine hybrid needs --base-url and --model"),
        (ADDRESS, "--base-url needs --engine llm or hybrid"),
        (("--engine", "supplied", *ADDRESS), "--base-url needs --engine llm or hybrid"),
    ],
)
def test_a_model_without_its_engine_or_the_other_way_is_a_usage_error(options: tuple[str, ...], message: str) -> None:
    ran = run("evaluate", GOOD, *options)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


def test_a_bad_address_is_told_by_the_server_that_does_not_start(tmp_path: Path) -> None:
    path = changed(tmp_path, "a.json")
    ran = run("evaluate", path, "--engine", "llm", "--base-url", "ftp://x", "--model", "m")
    assert (ran.code, "must be an address such as https://host/v1" in ran.err) == (2, True)
