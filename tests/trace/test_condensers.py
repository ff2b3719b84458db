"""Condensers: concrete facts first, in the output's own words, within the bound, nothing added."""

from __future__ import annotations

import json
import re

import pytest
from evidencegate_server.trace.condensers.json_text import TEXT, lay_out
from evidencegate_server.trace.condensers.model import NO_FOCUS, Focus, OutputKind
from evidencegate_server.trace.condensers.pick import ELLIPSIS
from hypothesis import given
from hypothesis import strategies as st

from tests.trace.helpers import POLICY


def condensed(kind: OutputKind, text: str, focus: Focus = NO_FOCUS, max_chars: int = 400) -> str:
    """Returns the short form of an output."""
    return POLICY.condenser(kind).condense(text, focus, max_chars).text


PLAIN_LOG = "\n".join(
    [f"2026-03-01T10:00:{at % 60:02} INFO request {at} served" for at in range(500)]
    + ["2026-03-01T10:09:00 ERROR order-service: connection to db-3 refused"]
    + [f"2026-03-01T10:10:{at % 60:02} INFO request {at} served" for at in range(500)]
)


@pytest.mark.req("TS-08")
def test_a_log_shows_the_message_of_the_fault_wherever_it_stands() -> None:
    assert "ERROR order-service: connection to db-3 refused" in condensed(OutputKind.LOGS, PLAIN_LOG)


@pytest.mark.req("TS-08")
def test_lines_that_differ_in_digits_alone_are_shown_once() -> None:
    assert condensed(OutputKind.LOGS, "INFO took 12 ms\nINFO took 15 ms\nINFO done") == "INFO took 12 ms\n…\nINFO done"


@pytest.mark.req("TS-09")
@pytest.mark.parametrize("kind", list(OutputKind))
def test_a_message_that_a_claim_quotes_is_there_whatever_the_kind(kind: OutputKind) -> None:
    quote = "INFO request 733 met a full queue"
    text = PLAIN_LOG + "\nINFO start " + quote + " and went on\n" + PLAIN_LOG
    assert quote in condensed(kind, text, Focus((quote,)))


@pytest.mark.req("TS-09")
def test_a_message_that_claims_speak_of_in_rare_words_is_there() -> None:
    text = PLAIN_LOG + "\nINFO cart-7 took the slow path\n" + PLAIN_LOG
    assert "cart-7 took the slow path" in condensed(OutputKind.LOGS, text, Focus(words=("request", "cart-7")))


@pytest.mark.req("TS-09")
def test_a_quoted_message_of_a_json_log_is_there() -> None:
    entries = [{"ts": at, "level": "info", "fields": {"n": at}, "message": f"step {at}"} for at in range(400)]
    text = json.dumps(entries, indent=2)
    assert "message=step 317" in condensed(OutputKind.LOGS, text, Focus(("step 317",)))


@pytest.mark.req("TS-09")
def test_what_is_quoted_from_the_middle_of_one_endless_line_is_there() -> None:
    text = "word, " * 20_000 + "the disk is full, " + "word, " * 20_000
    assert "the disk is full" in condensed(OutputKind.TEXT, text, Focus(("the disk is full",)))


@pytest.mark.req("TS-08")
def test_alerts_show_name_service_and_value_before_the_rest() -> None:
    alert = {
        "labels": {"team": "core", "service": "order", "alertname": "HighErrorRate"},
        "value": "0.12",
        "state": "firing",
    }
    lines = condensed(OutputKind.METRICS, json.dumps({"data": {"alerts": [alert]}})).split("\n")
    assert "alertname=HighErrorRate state=firing service=order value=0.12 team=core" in lines


@pytest.mark.req("TS-08")
@pytest.mark.parametrize(
    "text", ['{"status":"success","data":{"alerts":[]}}', '{"data": {"result": [], "rule": "HighErrorRate > 5"}}']
)
def test_no_alert_is_told_where_the_output_has_none(text: str) -> None:
    shown = condensed(OutputKind.METRICS, text)
    assert "[]" in shown
    assert "alertname" not in shown
    assert "firing" not in shown


@pytest.mark.req("TS-08")
def test_of_a_long_series_the_first_and_the_last_sample_are_shown() -> None:
    series = {"metric": {"__name__": "up", "pod": "a"}, "values": [[at, f"0.{at}"] for at in range(10, 60)]}
    shown = condensed(OutputKind.METRICS, json.dumps({"status": "success", "data": {"result": [series]}}))
    assert 'values=[[10, "0.10"] … [59, "0.59"]]' in shown


def test_numbers_are_shown_as_they_are_written() -> None:
    assert condensed(OutputKind.METRICS, '{"a": 0.10, "b": 1e3, "c": 12345678901234567890123}') == (
        "a=0.10 b=1e3 c=12345678901234567890123"
    )


def test_no_text_of_a_cut_object_begins_at_an_escaped_quote() -> None:
    """A text that began at each escaped quote of a log in JSON was read to its end each time."""
    assert not list(re.finditer(TEXT, r"\"" * 3))
    assert [found[0] for found in re.finditer(TEXT, r'{"a": "x \"y\" z", "cut \"here\" and')] == ['"a"', r'"x \"y\" z"']


def test_escaped_chinese_is_shown_as_chinese() -> None:
    assert condensed(OutputKind.LOGS, json.dumps({"message": "连接超时"})) == "message=连接超时"


def test_a_table_keeps_its_header_and_loses_its_frame() -> None:
    text = "+----+-------+\n| id | state |\n+----+-------+\n" + "".join(f"| {at:2} | ok    |\n" for at in range(90))
    lines = condensed(OutputKind.SQL, text, max_chars=80).split("\n")
    assert lines[:3] == ["id | state", "0 | ok", "1 | ok"]


def test_pods_out_of_order_come_before_those_that_run() -> None:
    text = "NAME READY STATUS RESTARTS AGE\n" + "".join(f"web-{at} 1/1 Running 0 1d\n" for at in range(300))
    text += "cart-1 0/1 CrashLoopBackOff 12 1d\n"
    lines = condensed(OutputKind.KUBECTL, text).split("\n")
    assert lines[0] == "NAME READY STATUS RESTARTS AGE"
    assert "cart-1 0/1 CrashLoopBackOff 12 1d" in lines


def test_a_document_keeps_its_beginning_and_shows_what_claims_speak_of() -> None:
    text = "# Queue full\n" + "General advice.\n" * 400 + "Raise prefetch to 20.\n"
    lines = condensed(OutputKind.KNOWLEDGE, text, Focus(words=("prefetch",))).split("\n")
    assert (lines[0], "Raise prefetch to 20." in lines) == ("# Queue full", True)


_PIECES = st.sampled_from(
    [
        "pod-7f",
        "ERROR",
        "firing",
        "12.50",
        "db.orders",
        " ",
        "\n",
        ", ",
        "{",
        "}",
        '"',
        ":",
        "[",
        "]",
        "错误",
        "no ",
        "…",
        "\x1b[31m",
    ]
)
_FACTS = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:/-]*|[\u4e00-\u9fff]+")


@pytest.mark.req("TS-07")
@given(st.lists(_PIECES, max_size=400), st.sampled_from(list(OutputKind)), st.integers(80, 400))
def test_nothing_is_said_that_the_output_does_not_have(pieces: list[str], kind: OutputKind, bound: int) -> None:
    text = "".join(pieces)
    shown = condensed(kind, text, Focus(("12.50",), ("pod-7f", "错误")), bound)
    assert len(shown) <= bound
    told = re.sub(r"\x1b\[[0-9;]*m", "", text)
    for fact in _FACTS.findall(shown.replace(ELLIPSIS, " ").replace("=", " ")):
        assert fact in told


@pytest.mark.req("TS-07")
@given(st.text(max_size=3_000), st.sampled_from(list(OutputKind)), st.integers(80, 400))
def test_no_text_is_too_odd(text: str, kind: OutputKind, bound: int) -> None:
    assert len(condensed(kind, text, Focus((text[3:9],), ("a", "0")), bound)) <= bound


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    ),
    st.sampled_from(list(OutputKind)),
)
def test_any_json_is_condensed(value: object, kind: OutputKind) -> None:
    for text in (json.dumps(value), json.dumps(value, indent=1, ensure_ascii=False)):
        assert len(condensed(kind, text)) <= 400


@pytest.mark.req("TS-08")
@pytest.mark.parametrize("between", [",\n    ", ",   ", ",\t", ",\r\n"])
def test_each_object_of_a_list_has_its_line_however_it_is_laid_out(between: str) -> None:
    text = '{"items": [\n  {"pod": "a"},\n  {"pod": "b"}' + between + '{"pod": "c"}\n]}'
    lines = lay_out(text).split("\n")
    assert [[pod for pod in "abc" if f'"{pod}"' in line] for line in lines] == [["a"], ["b"], ["c"]]
