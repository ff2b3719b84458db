"""The session that a server judges for itself, so that the first Judge of a caller need not wait."""

from __future__ import annotations

import io

import orjson
import pytest
from evidencegate.v1 import evaluation_pb2, verifier_pb2
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.judge.deterministic.readers import readers_of
from evidencegate_server.service import rehearsal
from evidencegate_server.service.logs import make_logger
from evidencegate_server.service.servicers import Answer, Methods


def test_its_claims_are_read_with_all_of_the_judge(catalog: Catalog) -> None:
    answer = Methods(catalog).judge(rehearsal.request())
    evaluation = verifier_pb2.JudgeResponse.FromString(answer.payload).evaluation
    assert [binding.verified for binding in evaluation.gatekeeper_result.bindings] == [True, True]
    assert [check.engine for check in evaluation.claim_checks] == [evaluation_pb2.JUDGE_ENGINE_DETERMINISTIC] * 2
    # What takes long to make is made and kept.
    assert {"vocabulary", "values", "records", "claims"} <= vars(readers_of(catalog.lexicon)).keys()


def test_a_rehearsal_says_nothing_and_changes_no_answer(catalog: Catalog) -> None:
    log = io.BytesIO()
    methods = Methods(catalog, validations_bytes=1_000_000)
    before = methods.judge(rehearsal.request())
    rehearsal.rehearse(methods, make_logger("info", log))
    assert log.getvalue() == b""
    assert methods.judge(rehearsal.request()) == before


def test_a_fault_is_logged_and_stops_nothing(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_self: Methods, _request: bytes) -> Answer:
        raise ValueError("what it says may quote")

    monkeypatch.setattr(Methods, "judge", broken)
    log = io.BytesIO()
    rehearsal.rehearse(Methods(catalog), make_logger("info", log))
    line = orjson.loads(log.getvalue())
    assert (line["event"], line["method"], line["fault"]) == ("fault", "rehearsal", "ValueError")
    assert "quote" not in log.getvalue().decode()
