"""Reads an executor's final output as the contract `executor_evidence_v2`, and as the older ones that it is told of.

Only the envelope decides the status. A fault inside a claim (a missing field, a wrong type, a repeated ID) leaves the
status valid and the claim in place: the Gatekeeper finds it, and the sound claims are still judged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count, repeat
from typing import Any

from evidencegate_server.contract.ids import ID_NOTES, read_id, written
from evidencegate_server.contract.model import (
    Binding,
    Claim,
    ExecutorOutput,
    InvocationId,
    Notice,
    ParsedOutput,
    SideItem,
)
from evidencegate_server.contract.policy import ParsingPolicy
from evidencegate_server.contract.records import record
from evidencegate_server.contract.remarks import Remarks, Tally, child
from evidencegate_server.contract.strict_json import internal_error, read_json
from evidencegate_server.words import ParseReason, ParseStatus

ANSWER_VERSION = "executor_evidence_v2"
SIDE_LISTS = ("hypotheses", "recommended_actions", "missing_info")
REMOVED_FIELDS = frozenset({"diagnosis_summary", "user_facing_answer"})

# A removed field is a finding of its own, so it is no unknown one.
_OUTPUT_FIELDS = frozenset({"answer_version", "claims", *SIDE_LISTS, *REMOVED_FIELDS})
_CLAIM_FIELDS = frozenset({"claim_id", "claim_type", "claim_text", "support_level", "evidence_bindings"})
_BINDING_FIELDS = frozenset(
    {
        "tool_name",
        "source_invocation_id",
        "source_invocation_ids",
        "raw_path",
        "evidence_excerpt",
        "source_type",
        "source_id",
    }
)


@record
class ExecutorContract:
    """What tells the contracts of an executor's output apart; everything else is the same in all of them.

    `texts` are the fields beside the lists that have to be strings, `unsupported_level` the support level by which a
    claim says that nothing supports it, `note` what the report says of a text in this contract, empty for nothing.
    """

    answer_version: str
    texts: tuple[str, ...] = ()
    unsupported_level: str | None = None
    note: str = ""


EXECUTOR_V2 = ExecutorContract(ANSWER_VERSION)


class _EnvelopeError(Exception):
    def __init__(self, reason: ParseReason, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


def parse_executor_output(
    content: str | bytes | None, policy: ParsingPolicy, contracts: Sequence[ExecutorContract] = (EXECUTOR_V2,)
) -> ParsedOutput:
    """Reads an executor's final output as the one of the contracts that its `answer_version` names.

    `content` is the raw text, its bytes, or None where the caller has no output; an output that travelled as an object
    comes as its JSON text. Never raises, whatever the text holds.
    """
    reading = read_json(content, policy, attempt_names=("answer_version",))
    if reading.status is not ParseStatus.VALID or reading.value is None:
        return ParsedOutput(reading.report(), None, reading.final_answer)
    reader = _Reader(contracts)
    try:
        output = reader.output(reading.value)
    except _EnvelopeError as error:
        return ParsedOutput(reading.refused(error.reason, error.message), None, reading.final_answer)
    except Exception as error:  # noqa: BLE001 - what an LLM wrote must never crash the call
        failed = internal_error(reading.raw_sha256, reading.raw_length, error)
        return ParsedOutput(failed.report(), None, reading.final_answer)
    return ParsedOutput(reading.report(reader.notes(), reader.warnings()), output, reading.final_answer)


class _Reader:
    """Builds the typed output; what it reads over it remarks on."""

    __slots__ = ("_contract", "_contracts", "_ids", "_lists", "_unknown")

    def __init__(self, contracts: Sequence[ExecutorContract]) -> None:
        self._contracts = contracts
        self._contract = contracts[0]
        self._lists = Remarks()
        self._ids = Tally()
        self._unknown = Remarks()

    def notes(self) -> tuple[Notice, ...]:
        """Returns what was read over without a change of meaning."""
        note = self._contract.note
        older = (Notice("parse.older_contract", note, "answer_version"),) if note else ()
        return (*older, *self._lists.all(), *self._ids.notices(ID_NOTES))

    def warnings(self) -> tuple[Notice, ...]:
        """Returns what somebody should look at."""
        return self._unknown.all()

    def output(self, raw: dict[str, Any]) -> ExecutorOutput:
        self._contract = self._contract_of(raw)
        for name in self._contract.texts:
            if type(raw.get(name)) is not str:
                message = f"{name} is missing" if name not in raw else f"{name} is not a string"
                raise _EnvelopeError(ParseReason.SCHEMA, message)
        claims = raw.get("claims")
        if type(claims) is not list:
            message = "claims is missing" if "claims" not in raw else "claims is not a list"
            raise _EnvelopeError(ParseReason.SCHEMA, message)
        for index, claim in enumerate(claims):
            if type(claim) is not dict:
                raise _EnvelopeError(ParseReason.SCHEMA, f"claims[{index}] is not an object")
        side_lists = [self._side_list(raw, name) for name in SIDE_LISTS]
        self._warn_of_unknown(raw, _OUTPUT_FIELDS, "")
        return ExecutorOutput(
            self._contract.answer_version,
            tuple([self._claim(claim, index) for index, claim in enumerate(claims)]),
            side_lists[0],
            side_lists[1],
            side_lists[2],
            raw,
        )

    def _contract_of(self, raw: Mapping[str, Any]) -> ExecutorContract:
        version = raw.get("answer_version")
        if version is None:
            raise _EnvelopeError(ParseReason.SCHEMA, "answer_version is missing")
        for contract in self._contracts:
            if version == contract.answer_version:
                return contract
        known = " and ".join(contract.answer_version for contract in self._contracts)
        verb = "is" if len(self._contracts) == 1 else "are"
        message = f"answer_version is {written(version)}; known {verb} {known}"
        raise _EnvelopeError(ParseReason.UNSUPPORTED_VERSION, message)

    def _side_list(self, raw: Mapping[str, Any], name: str) -> tuple[SideItem, ...]:
        if name not in raw:
            raise _EnvelopeError(ParseReason.SCHEMA, f"{name} is missing")
        items = raw[name]
        if items is None:
            self._lists.add("parse.null_list", "null is read as an empty list", name)
            return ()
        if type(items) is not list:
            raise _EnvelopeError(ParseReason.SCHEMA, f"{name} is not a list")
        return tuple([_side_item(item, f"{name}[{index}]", index) for index, item in enumerate(items)])

    def _claim(self, raw: dict[str, Any], index: int) -> Claim:
        place = f"claims[{index}]"
        if not raw.keys() <= _CLAIM_FIELDS:
            self._warn_of_unknown(raw, _CLAIM_FIELDS, place)
        get = raw.get
        claim_type, text, level = get("claim_type"), get("claim_text"), get("support_level")
        bindings = get("evidence_bindings")
        return Claim(
            place,
            index,
            self._id_text(get("claim_id"), place, "claim_id") or "",
            claim_type if type(claim_type) is str and not claim_type.isspace() else "",
            text if type(text) is str and not text.isspace() else "",
            level if type(level) is str and not level.isspace() else "",
            tuple(map(self._binding, bindings, repeat(place), count())) if type(bindings) is list else (),
            raw,
            level == self._contract.unsupported_level and level is not None,
        )

    def _binding(self, raw: Any, claim_place: str, index: int) -> Binding:
        place = f"{claim_place}.evidence_bindings[{index}]"
        if type(raw) is not dict:
            # Kept, so that it counts as a binding that failed; the claim's raw value shows what stands here.
            return Binding(place, index, None, None, (), None, None, None, None, {})
        if not raw.keys() <= _BINDING_FIELDS:
            self._warn_of_unknown(raw, _BINDING_FIELDS, place)
        get = raw.get
        tool_name, raw_path, excerpt = get("tool_name"), get("raw_path"), get("evidence_excerpt")
        source_type, source_id, legacy = get("source_type"), get("source_id"), get("source_invocation_ids")
        return Binding(
            place,
            index,
            tool_name if type(tool_name) is str and tool_name and not tool_name.isspace() else None,
            self._id(get("source_invocation_id"), place, "source_invocation_id"),
            self._legacy_ids(legacy, place) if type(legacy) is list else (),
            raw_path if type(raw_path) is str and raw_path and not raw_path.isspace() else None,
            # A blank excerpt is a quotation that proves nothing, which is another finding than none at all.
            excerpt if type(excerpt) is str else None,
            source_type if type(source_type) is str and source_type and not source_type.isspace() else None,
            None if source_id is None else self._id_text(source_id, place, "source_id"),
            raw,
        )

    def _legacy_ids(self, values: list[Any], place: str) -> tuple[InvocationId, ...]:
        ids = []
        for index, value in enumerate(values):
            read = self._id(value, place, f"source_invocation_ids[{index}]")
            # In a list of IDs even a null or blank item claims to be one, and is none.
            ids.append(read if read is not None else InvocationId(None, written(value)))
        return tuple(ids)

    def _id_text(self, value: Any, place: str, name: str) -> str | None:
        if value is None:
            return None
        if type(value) is str and value and not value[0].isspace() and not value[-1].isspace():
            return value
        read = self._id(value, place, name)
        return read.value if read is not None else None

    def _id(self, value: Any, place: str, name: str) -> InvocationId | None:
        read, note = read_id(value)
        if note:
            self._ids.add(note, place, name)
        return read

    def _warn_of_unknown(self, raw: Mapping[str, Any], known: frozenset[str], place: str) -> None:
        for key in raw:
            if key not in known:
                self._unknown.add("schema.unknown_field", "the contract has no such field", child(place, key))


def _text(value: Any) -> str | None:
    """Returns a string that says something, untouched; None for anything else."""
    return value if type(value) is str and value and not value.isspace() else None


def _side_item(item: Any, place: str, index: int) -> SideItem:
    text = item.get("text") if type(item) is dict else item
    return SideItem(place, index, _text(text), item)
