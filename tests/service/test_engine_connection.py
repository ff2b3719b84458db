"""Proves that what the engine process says is taken for what it is, however the socket cuts it up."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.service.engine_connection import Connection
from evidencegate_server.service.engine_wire import ANSWER, NOT_HERE, answer_bytes, message, read_answer
from evidencegate_server.service.metrics import CallFacts
from evidencegate_server.service.servicers import Answer, Methods

from tests.service.builders import binding, judge_request, output_text, validate_request


class _Wire(asyncio.Transport):
    """Takes what is sent and keeps it."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[bytes] = []

    def write(self, data: Any) -> None:
        self.sent.append(bytes(data))


@pytest.mark.parametrize("piece_bytes", [1, 2, 7, 64, 10_000])
async def test_answers_are_told_apart_wherever_they_are_cut(piece_bytes: int) -> None:
    connection, wire = Connection(asyncio.get_running_loop()), _Wire()
    connection.connection_made(wire)
    asked = [connection.ask(0, b"request", 1, light=True) for _ in range(3)]
    assert wire.sent == [message(0, b"request")] * 3
    first, third = Answer(b"first", CallFacts("s")), Answer(b"", CallFacts(parse_status="valid"))
    said = message(ANSWER, answer_bytes(first)) + message(NOT_HERE, b"") + message(ANSWER, answer_bytes(third))
    for begin in range(0, len(said), piece_bytes):
        connection.data_received(said[begin : begin + piece_bytes])
    assert [await one for one in asked] == [first, None, third]
    assert (connection.taken, connection.light_calls) == (0, 0)


def test_an_answer_arrives_as_it_was_sent(catalog: Catalog) -> None:
    """Its facts too, which are enums in part: a judged one, and one with findings."""
    methods = Methods(catalog)
    failing = validate_request(output_text(binding(evidence_excerpt="nobody said this")))
    answers = [methods.judge(judge_request().SerializeToString()), methods.validate(failing.SerializeToString())]
    for answer in answers:
        assert isinstance(answer, Answer)
        assert read_answer(answer_bytes(answer)) == answer
    assert isinstance(answers[1], Answer)
    assert answers[1].facts.findings
