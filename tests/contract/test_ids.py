"""Reads IDs as models write them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from evidencegate_server.contract.executor_v2 import parse_executor_output
from evidencegate_server.contract.model import Binding, InvocationId
from evidencegate_server.contract.policy import ParsingPolicy

from tests.contract.cases import OK

_POLICY = ParsingPolicy()


def _read(written: str, field: str = "source_invocation_id") -> tuple[Binding, list[str]]:
    text = OK.replace('"source_invocation_id":"394"', f'"{field}":{written}')
    parsed = parse_executor_output(text, _POLICY)
    assert parsed.output is not None, parsed.report
    return parsed.output.claims[0].bindings[0], [note.id for note in parsed.report.notes]


@pytest.mark.req("EX-06")
@pytest.mark.parametrize(
    ("written", "value", "notes"),
    [
        ('"394"', "394", []),
        ("394", "394", ["parse.id_number"]),
        ('"0394"', "0394", []),
        ("9007199254740993", "9007199254740993", ["parse.id_number"]),
        ("123456789012345678901234567890", "123456789012345678901234567890", ["parse.id_number"]),
        ("-7", "-7", ["parse.id_number"]),
        ("0", "0", ["parse.id_number"]),
        ('" 394\\n"', "394", ["parse.id_trimmed"]),
        ('"394\\u3000"', "394", ["parse.id_trimmed"]),
        ('"394.0"', "394.0", []),
        ('"３９４"', "３９４", []),
        ('"394\\u200b"', "394\u200b", []),
        ('"Inv-394"', "Inv-394", []),
        ("394.0", "394", ["parse.id_float"]),
        ("3.94e2", "394", ["parse.id_float"]),
        ("394E0", "394", ["parse.id_float"]),
        ("3940e-1", "394", ["parse.id_float"]),
        ("9007199254740991.0", "9007199254740991", ["parse.id_float"]),
        ("9007199254740992.0", None, []),
        ("9007199254740991.4", None, []),
        ("394.5", None, []),
        ("394.00000000000000000001", None, []),
        ("1e300", None, []),
        ("1e-300", None, []),
        ("true", None, []),
        ("false", None, []),
        ("[394]", None, []),
        ('{"id":394}', None, []),
    ],
)
def test_an_id_is_compared_as_the_text_that_was_meant(written: str, value: str | None, notes: list[str]) -> None:
    binding, found = _read(written)
    assert binding.invocation_id is not None
    assert (value, notes) == (binding.invocation_id.value, found)


@pytest.mark.req("EX-06", "GK-13")
@pytest.mark.parametrize("written", ["null", '""', '"  "', '"\\u3000"'])
def test_null_and_blank_name_no_invocation(written: str) -> None:
    binding, notes = _read(written)
    assert binding.invocation_id is None
    assert notes == []


@pytest.mark.req("EX-06", "GK-12")
def test_plural_ids_keep_their_order_and_what_is_no_id() -> None:
    binding, _ = _read('[394, "395", " 396 ", null, "", true, 7.5]', "source_invocation_ids")
    assert binding.invocation_id is None
    assert binding.legacy_ids == (
        InvocationId("394", "394"),
        InvocationId("395", '"395"'),
        InvocationId("396", '" 396 "'),
        InvocationId(None, "null"),
        InvocationId(None, '""'),
        InvocationId(None, "true"),
        InvocationId(None, "7.5"),
    )


@pytest.mark.req("EX-03", "GK-12")
@pytest.mark.parametrize("written", ["null", "394", '"394"', "{}", "[]"])
def test_a_plural_field_that_is_no_list_gives_no_ids_and_stays_in_raw(written: str) -> None:
    binding, _ = _read(written, "source_invocation_ids")
    assert binding.legacy_ids == ()
    assert binding.raw["source_invocation_ids"] == json.loads(written)


@pytest.mark.parametrize("written", ["[" + "1," * 5000 + "1]", '"' + "x" * 5000 + '"', '{"a":"' + "x" * 5000 + '"}'])
def test_what_is_quoted_of_an_id_is_bounded(written: str) -> None:
    binding, _ = _read(written)
    assert binding.invocation_id is not None
    assert len(binding.invocation_id.written) <= 202


@pytest.mark.req("EX-06")
def test_many_ids_written_as_numbers_give_one_note_with_the_count() -> None:
    value: dict[str, Any] = json.loads(OK)
    binding = value["claims"][0]["evidence_bindings"][0]
    binding["source_invocation_id"] = 394
    value["claims"][0]["evidence_bindings"] = [binding] * 30
    report = parse_executor_output(json.dumps(value), _POLICY).report
    assert [(note.id, note.place) for note in report.notes] == [
        ("parse.id_number", "claims[0].evidence_bindings[0].source_invocation_id")
    ]
    assert "30 times" in report.notes[0].message
