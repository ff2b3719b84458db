"""The client writes, reads, lists and deletes what a served store keeps."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from evidencegate.v1.composer_pb2 import ComposerOutput
from evidencegate.v1.self_evaluation_pb2 import (
    CHANNEL_RULE_EVALUATION,
    CHANNEL_VERIFIER_EVALUATION,
    WriteChannelRequest,
)
from evidencegate_client import (
    ConflictError,
    InvalidRequestError,
    NotFoundError,
    PreconditionError,
    RequestTypeError,
    request_from_session,
)

from tests.client.fake_service import Caller
from tests.support import ROOT

EXAMPLE = ROOT / "examples" / "sessions" / "01-good-answer.json"


@pytest.fixture
def target(tmp_path: Path) -> Iterator[str]:
    """HOST:PORT of `evidencegate serve --store` over an empty file."""
    command = [sys.executable, "-m", "evidencegate_server", "serve", "--port", "0", "--no-metrics"]
    command += ["--store", f"sqlite:///{tmp_path}/e.db", "--log-level", "error", "--drain-pause-seconds", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = re.search(r"127\.0\.0\.1:\d+", process.stdout.readline())
        assert address is not None
        yield address[0]
        process.terminate()
        assert process.wait(30) == 0


def rules(request_id: str, **fields: object) -> WriteChannelRequest:
    """A write of the rules' channel."""
    values = {"rule_evaluation_json": '{"n":1.00}', "channel": CHANNEL_RULE_EVALUATION} | fields
    return WriteChannelRequest(session_id="s1", request_id=request_id, **values)  # type: ignore[arg-type]


@pytest.mark.req("SE-01")
def test_a_session_is_written_read_listed_and_deleted(call: Caller, target: str) -> None:
    request = request_from_session(json.loads(EXAMPLE.read_text(encoding="utf-8")))
    evaluation = call(target, "judge", request).evaluation
    verifier = {"channel": CHANNEL_VERIFIER_EVALUATION, "rule_evaluation_json": None}
    assert call(target, "write_channel", rules("r1")).revision == 1
    written = call(target, "write_channel", rules("r2", **verifier, evaluation=evaluation, judge_request=request))
    assert (written.revision, written.input_kept) == (2, True)
    call(target, "write_channel", rules("r3", **verifier, composer_output=ComposerOutput(text="\u7b54\u590d")))
    stored = call(target, "get_session", "s1", include_input=True)
    assert stored.self_evaluation_json.startswith('{"rule_evaluation":{"n":1.00},')
    assert json.loads(stored.self_evaluation_json)["verifier_evaluation"]["composer_output"]["text"] == "\u7b54\u590d"
    assert stored.judge_request == request
    listed = call(target, "list_sessions", page_size=5)
    assert [(each.session_id, each.revision) for each in listed.sessions] == [("s1", 3)]
    assert call(target, "delete_session", "s1") is True
    assert call(target, "delete_session", "s1") is False
    with pytest.raises(NotFoundError):
        call(target, "get_session", "s1")
    with pytest.raises(PreconditionError, match="use a new request ID") as deleted:
        call(target, "write_channel", rules("r1"))
    assert deleted.value.reason == "SESSION_DELETED"


@pytest.mark.req("SE-01")
def test_conflicts_and_bad_writes_raise_their_own_errors(call: Caller, target: str) -> None:
    call(target, "write_channel", rules("r1"))
    with pytest.raises(ConflictError) as conflict:
        call(target, "write_channel", rules("r2", expected_revision=7))
    assert conflict.value.metadata["revision"] == "1"
    with pytest.raises(InvalidRequestError):
        call(target, "write_channel", rules("r2", rule_evaluation_json="[]"))
    with pytest.raises(RequestTypeError):
        call(target, "write_channel", {"session_id": "s1"})
