"""Reads a verifier model's output: exactly one JSON object of the schema, with nothing around it.

Stricter than the executor's contract: what a verifier says decides, so an item that lacks a field or has a value
outside its set makes the whole output malformed. Fields that the schema does not know are ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, TypeVar

from evidencegate_server.contract.ids import read_id, written
from evidencegate_server.contract.policy import ParsingPolicy
from evidencegate_server.contract.remarks import Remarks, child
from evidencegate_server.contract.strict_json import internal_error, read_json
from evidencegate_server.contract.verifier_model import (
    ModelClaimCheck,
    ModelEvidenceRef,
    ModelFactCheck,
    ParsedVerifierOutput,
    VerifierOutput,
)
from evidencegate_server.words import FactVerification, ParseReason, ParseStatus, Verdict, Verification

# `hypothesis_checks` belongs to the full answer, but is derived from the executor's output and not read from here.
_OUTPUT_FIELDS = frozenset(
    {
        "verdict",
        "groundedness_score",
        "critical_fact_count",
        "rationale",
        "claim_checks",
        "facts_checked",
        "hypothesis_checks",
    }
)
_CLAIM_CHECK_FIELDS = frozenset(
    {"claim_id", "claim_index", "claim_text", "claim_type", "verification", "detail", "evidence_refs"}
)
_FACT_FIELDS = frozenset({"fact", "is_critical", "verification", "detail", "evidence_refs"})
_REF_FIELDS = frozenset({"trace_ref", "tool_name", "source_invocation_ids", "note"})

_Word = TypeVar("_Word", bound=StrEnum)
_Item = TypeVar("_Item")


class _SchemaError(Exception):
    pass


def parse_verifier_output(content: str | bytes | None, policy: ParsingPolicy) -> ParsedVerifierOutput:
    """Reads a verifier model's output. Never raises, whatever the text holds.

    White space and invisible characters at the edges are noted; a fence, a reasoning block or any other text around the
    object is malformed, whatever the policy allows elsewhere.
    """
    reading = read_json(content, policy, attempt_names=("groundedness_score", "claim_checks"), bare_only=True)
    if reading.status is not ParseStatus.VALID or reading.value is None:
        return ParsedVerifierOutput(reading.report(), None)
    notes = Remarks()
    try:
        output = _Reader(notes).output(reading.value)
    except _SchemaError as error:
        return ParsedVerifierOutput(reading.refused(ParseReason.SCHEMA, str(error)), None)
    except Exception as error:  # noqa: BLE001 - what an LLM wrote must never crash the call
        failed = internal_error(reading.raw_sha256, reading.raw_length, error)
        return ParsedVerifierOutput(failed.report(), None)
    return ParsedVerifierOutput(reading.report(notes.all()), output)


class _Reader:
    """Builds the typed output; raises _SchemaError with the place of the first fault."""

    __slots__ = ("_notes",)

    def __init__(self, notes: Remarks) -> None:
        self._notes = notes

    def output(self, raw: dict[str, Any]) -> VerifierOutput:
        verdict = _word(raw, "verdict", Verdict, "")
        score = _score(raw)
        count = _required(raw, "critical_fact_count", "")
        if type(count) is not int or count < 0:
            raise _SchemaError(f"critical_fact_count is {written(count)}, not an integer from 0 up")
        rationale = _string(raw, "rationale", "")
        claim_checks = self._list(raw, "claim_checks", self._claim_check)
        facts_checked: tuple[ModelFactCheck, ...] | None = None
        if raw.get("facts_checked") is None and "facts_checked" in raw and claim_checks is not None:
            self._notes.add("parse.null_list", "null is read as a list that is not there", "facts_checked")
        else:
            facts_checked = self._list(raw, "facts_checked", self._fact)
        if claim_checks is None and facts_checked is None:
            raise _SchemaError("claim_checks and facts_checked are both missing")
        self._note_unknown(raw, _OUTPUT_FIELDS, "")
        return VerifierOutput(verdict, score, count, rationale, claim_checks, facts_checked, raw)

    def _list(
        self, raw: Mapping[str, Any], name: str, read: Callable[[dict[str, Any], str, int], _Item]
    ) -> tuple[_Item, ...] | None:
        if name not in raw:
            return None
        return self._items(raw[name], name, read)

    def _items(self, items: Any, place: str, read: Callable[[dict[str, Any], str, int], _Item]) -> tuple[_Item, ...]:
        if type(items) is not list:
            raise _SchemaError(f"{place} is not a list")
        result = []
        for index, item in enumerate(items):
            item_place = f"{place}[{index}]"
            if type(item) is not dict:
                raise _SchemaError(f"{item_place} is not an object")
            result.append(read(item, item_place, index))
        return tuple(result)

    def _claim_check(self, raw: dict[str, Any], place: str, index: int) -> ModelClaimCheck:
        claim_id, _ = read_id(_required(raw, "claim_id", place))
        if claim_id is None or claim_id.value is None:
            raise _SchemaError(f"{place}.claim_id is {written(raw['claim_id'])}, not an ID")
        claim_index = raw.get("claim_index")
        if claim_index is not None and (type(claim_index) is not int or claim_index < 0):
            raise _SchemaError(f"{place}.claim_index is {written(claim_index)}, not an integer from 0 up")
        verification = _word(raw, "verification", Verification, place)
        detail = _string(raw, "detail", place)
        refs = self._items(_required(raw, "evidence_refs", place), f"{place}.evidence_refs", self._ref)
        self._note_unknown(raw, _CLAIM_CHECK_FIELDS, place)
        return ModelClaimCheck(
            place,
            index,
            claim_id.value,
            claim_index,
            _optional_string(raw, "claim_text", place),
            _optional_string(raw, "claim_type", place),
            verification,
            detail,
            refs,
        )

    def _fact(self, raw: dict[str, Any], place: str, index: int) -> ModelFactCheck:
        fact = _string(raw, "fact", place)
        if not fact.strip():
            raise _SchemaError(f"{place}.fact is blank")
        is_critical = _required(raw, "is_critical", place)
        if type(is_critical) is not bool:
            raise _SchemaError(f"{place}.is_critical is {written(is_critical)}, not a boolean")
        verification = _word(raw, "verification", FactVerification, place)
        detail = _string(raw, "detail", place)
        refs = raw.get("evidence_refs")
        read_refs = () if refs is None else self._items(refs, f"{place}.evidence_refs", self._ref)
        self._note_unknown(raw, _FACT_FIELDS, place)
        return ModelFactCheck(place, index, fact, is_critical, verification, detail, read_refs)

    def _ref(self, raw: dict[str, Any], place: str, index: int) -> ModelEvidenceRef:  # noqa: ARG002 - one reader type
        ids = raw.get("source_invocation_ids")
        if ids is not None and type(ids) is not list:
            raise _SchemaError(f"{place}.source_invocation_ids is not a list")
        read_ids = []
        for position, value in enumerate(ids or ()):
            invocation_id, _ = read_id(value)
            if invocation_id is None or invocation_id.value is None:
                raise _SchemaError(f"{place}.source_invocation_ids[{position}] is {written(value)}, not an ID")
            read_ids.append(invocation_id.value)
        self._note_unknown(raw, _REF_FIELDS, place)
        return ModelEvidenceRef(
            place,
            _optional_string(raw, "trace_ref", place).strip(),
            _optional_string(raw, "tool_name", place),
            tuple(read_ids),
            _optional_string(raw, "note", place),
        )

    def _note_unknown(self, raw: Mapping[str, Any], known: frozenset[str], place: str) -> None:
        if raw.keys() <= known:
            return
        for key in raw:
            if key not in known:
                self._notes.add("schema.unknown_field", "the schema has no such field; ignored", child(place, key))


def _required(raw: Mapping[str, Any], name: str, place: str) -> Any:
    if name not in raw:
        raise _SchemaError(f"{child(place, name)} is missing")
    return raw[name]


def _string(raw: Mapping[str, Any], name: str, place: str) -> str:
    value = _required(raw, name, place)
    if type(value) is not str:
        raise _SchemaError(f"{child(place, name)} is {written(value)}, not a string")
    return value


def _optional_string(raw: Mapping[str, Any], name: str, place: str) -> str:
    value = raw.get(name)
    if value is None:
        return ""
    return _string(raw, name, place)


def _word(raw: Mapping[str, Any], name: str, words: type[_Word], place: str) -> _Word:
    value = _required(raw, name, place)
    if type(value) is str:
        try:
            return words(value)
        except ValueError:
            pass
    raise _SchemaError(f"{child(place, name)} is {written(value)}; known are {', '.join(words)}")


def _score(raw: Mapping[str, Any]) -> float:
    value = _required(raw, "groundedness_score", "")
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1:
        return float(value)
    raise _SchemaError(f"groundedness_score is {written(value)}, not a number in [0, 1]")
