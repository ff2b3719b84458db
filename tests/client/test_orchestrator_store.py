"""A run keeps its evaluation in the service's own store, through the same channel."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from evidencegate.v1.self_evaluation_pb2 import StoredSession
from evidencegate_client import EvidenceGateClient, ServerStore, vocabulary
from evidencegate_server.cli.own_server import own_server

from tests.client.chat_support import GOOD, ONCE, WEAK, Chat, Script, output, step
from tests.client.fake_service import FakeService

STORE = {"store": ServerStore()}


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """HOST:PORT of the real service with a store in a file."""
    path: Path = tmp_path_factory.mktemp("store") / "e.db"
    with own_server(store=f"sqlite:///{path}") as address:
        yield address


def stored(target: str, session_id: str) -> tuple[StoredSession, dict[str, Any]]:
    with EvidenceGateClient(target, ONCE) as client:
        session = client.get_session(session_id, include_input=True)
    return session, json.loads(session.self_evaluation_json)["verifier_evaluation"]


@pytest.mark.req("SE-02", "SE-03", "CP-05")
def test_a_run_through_both_rounds_is_stored_with_its_answer_and_its_input(chat: Chat, target: str) -> None:
    session_id = f"both-{chat.__name__}"
    script = Script(outputs=[output(WEAK), output(GOOD)])
    answer = chat(target, script, made=STORE, session_id=session_id)
    session, kept = stored(target, session_id)
    assert (answer.stored, session.revision) == (True, 3)
    assert (kept["verdict"], kept["engine_verdict"], kept["route"], kept["round"]) == ("PASS", "PASS", "COMPOSE", 2)
    told = kept["composer_output"]
    assert told["text"] == answer.text
    assert (told["writer"], told["fallback_reason"]) == (
        "template",
        "unspecified",
    )
    audited = [(prompt["role"], prompt["name"]) for prompt in kept["prompt_audit"]["prompts"]]
    assert audited == [(role, role) for role in ("planner", "executor", "verifier", "composer")]
    assert kept["prompt_audit"] == vocabulary.to_dict(answer.evaluation)["prompt_audit"]
    assert session.judge_request.round == 2
    assert session.judge_request.retry_context.weak_claims[0].claim_id == "c1"


@pytest.mark.req("SE-03", "SE-04")
def test_a_run_whose_executor_failed_is_stored_with_its_fault(chat: Chat, target: str) -> None:
    session_id = f"failed-{chat.__name__}"
    answer = chat(target, Script(outputs=[ValueError("secret")]), made=STORE, session_id=session_id)
    _, kept = stored(target, session_id)
    assert answer.stored
    assert (kept["verdict"], kept["source"]) == ("LOW_CONFID", "CLIENT_FALLBACK")
    assert [warning["message"] for warning in kept["warnings"]] == ["Round 1: executor failed with ValueError."]
    assert kept["composer_output"]["fallback_reason"] == "unavailable"
    assert len(kept["prompt_audit"]["prompts"]) == 4
    assert "secret" not in json.dumps(kept)


@pytest.mark.req("SE-04")
def test_parse_failures_of_all_three_models_are_stored(chat: Chat, target: str) -> None:
    session_id = f"unread-{chat.__name__}"
    script = Script(outputs=["{"] * 2, verified="no JSON", composed='{"text": "fine"}')
    chat(target, script, made=STORE, session_id=session_id)
    _, kept = stored(target, session_id)
    assert kept["executor_output_parse_status"]["status"] == "malformed"
    assert kept["verifier_output_parse_status"]["status"] in ("missing", "malformed")
    assert kept["composer_output"]["fallback_reason"] == "unreadable"


def test_the_same_request_again_writes_nothing(chat: Chat, target: str) -> None:
    session_id = f"again-{chat.__name__}"
    for _ in range(2):
        assert chat(target, Script(), made=STORE, session_id=session_id, request_id=session_id).stored
    session, _ = stored(target, session_id)
    assert session.revision == 2


def test_a_service_without_a_store_answers_and_says_that_nothing_is_kept(chat: Chat) -> None:
    with own_server() as address:
        answer = chat(address, Script(), made=STORE, session_id="s")
    assert (answer.verdict, answer.stored) == ("PASS", False)
    failed = step(answer, "store_evaluation", 1)
    assert (failed.outcome, failed.detail) == ("failed", "FAILED_PRECONDITION STORE_UNAVAILABLE")


def test_a_store_that_cannot_be_reached_is_in_the_trace(chat: Chat, fake: FakeService) -> None:
    """The stand-in has no store at all."""
    answer = chat(fake.target, Script(outputs=["{}"]), made=STORE, session_id="s")
    failed = step(answer, "store_evaluation", 1)
    assert (failed.detail, failed.fault) == (grpc.StatusCode.UNIMPLEMENTED.name, "ServiceError")
    assert not answer.stored
