"""Proves what a call's trace context is read as, and that it reaches the log."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.service.origin import read_traceparent
from evidencegate_server.service.session_ids import session_id_of

from tests.service.builders import judge_request, validate_request
from tests.service.conftest import Running, probe_handler, serving

TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
TRACEPARENT = f"00-{TRACE}-{SPAN}-01"


@pytest.mark.parametrize(
    "value",
    [TRACEPARENT, f"00-{TRACE}-{SPAN}-00", f"cc-{TRACE}-{SPAN}-01", f"01-{TRACE}-{SPAN}-09-what-comes-later"],
)
def test_a_traceparent_gives_trace_and_span(value: str) -> None:
    assert read_traceparent(value) == (TRACE, SPAN)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "00",
        TRACE,
        TRACEPARENT.upper(),
        f" {TRACEPARENT}",
        f"{TRACEPARENT}\n",
        f"{TRACEPARENT}-more",
        f"cc-{TRACE}-{SPAN}-01more",
        f"ff-{TRACE}-{SPAN}-01",
        f"00-{'0' * 32}-{SPAN}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE[:-1]}-{SPAN}-01",
        f"00-{TRACE[:-1]}g-{SPAN}-01",
        f"00-{TRACE[:-1]}\N{FULLWIDTH DIGIT ONE}-{SPAN}-01",
        f"01-{TRACE}-{SPAN}-01-{'x' * 300}",
    ],
)
def test_what_is_no_traceparent_gives_nothing(value: str) -> None:
    assert read_traceparent(value) == ("", "")


async def test_the_line_of_a_call_has_its_session_and_its_trace(running: Running) -> None:
    await running.gatekeeper.Validate(validate_request(), metadata=(("traceparent", TRACEPARENT),))
    line = running.log_lines()[-1]
    assert (line["session_id"], line["trace_id"], line["span_id"]) == ("session-1", TRACE, SPAN)


async def test_a_call_that_is_refused_is_logged_with_its_session(running: Running) -> None:
    long = "s" * 300
    refused = judge_request(round=7)
    with pytest.raises(grpc.aio.AioRpcError):
        await running.verifier.Judge(refused)
    refused.session_id = long
    with pytest.raises(grpc.aio.AioRpcError):
        await running.verifier.Judge(refused)
    with pytest.raises(grpc.aio.AioRpcError):
        await running.channel.unary_unary("/evidencegate.v1.Verifier/Judge")(b"\x0a\x03abc and no message")
    assert [line["session_id"] for line in running.log_lines()] == ["session-1", "s" * 128, "abc"]


async def test_a_malformed_trace_leaves_no_mark_and_the_call_goes_on(running: Running) -> None:
    await running.gatekeeper.Validate(validate_request(), metadata=(("traceparent", "00-secret-text-01"),))
    assert "secret" not in running.log.getvalue().decode()
    assert "trace_id" not in running.log_lines()[-1]


async def test_the_trace_of_one_call_is_not_that_of_the_next_on_the_same_connection(running: Running) -> None:
    await running.gatekeeper.Validate(validate_request(), metadata=(("traceparent", TRACEPARENT),))
    await running.gatekeeper.Validate(validate_request())
    assert ["trace_id" in line for line in running.log_lines()] == [True, False]


async def test_a_fault_is_logged_with_the_trace_of_its_call(catalog: Catalog) -> None:
    async def fails(_request: bytes, _context: Any) -> bytes:
        raise RuntimeError

    async with serving(catalog, handlers=[probe_handler(Fail=fails)]) as server:
        with pytest.raises(grpc.aio.AioRpcError):
            await server.probe("Fail", metadata=(("traceparent", TRACEPARENT),))
        fault = next(line for line in server.log_lines() if line["event"] == "fault")
    assert (fault["trace_id"], fault["span_id"]) == (TRACE, SPAN)


@pytest.mark.parametrize(
    ("method", "request_bytes", "session"),
    [
        ("Gatekeeper/Validate", b"\x0a\x02ab", "ab"),
        ("Gatekeeper/Validate", b"\x0a\xac\x02" + b"s" * 300, "s" * 300),
        ("Gatekeeper/Validate", b"\x0a\xff\xff\x03" + b"s" * 60_000, "s" * 512),
        ("SelfEvaluations/GetSession", b"\x0a\x04" + "\N{BUG}".encode(), "\N{BUG}"),
        ("Gatekeeper/Validate", b"\x0a\x02\xff\xfe", "\ufffd\ufffd"),
        ("Gatekeeper/Validate", b"\x0a\x7fcut", "cut"),
        ("Gatekeeper/Validate", b"\x0a", ""),
        ("Gatekeeper/Validate", b"\x0a\xff\xff\xff\xff\xff\xff", ""),
        ("Gatekeeper/Validate", b"\x12\x02ab", ""),
        ("Gatekeeper/Validate", b"", ""),
        ("Gatekeeper/Validate", None, ""),
        ("Prompts/RenderPrompt", b"\x0a\x02ab", ""),  # its first field is another
        ("Probe/Wait", b"\x0a\x02ab", ""),
    ],
)
def test_a_session_is_found_at_the_beginning_of_its_request(method: str, request_bytes: Any, session: str) -> None:
    assert session_id_of(method, request_bytes) == session
