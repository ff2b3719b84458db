"""The output keeps the contract `executor_evidence_v2`: every field there, of its type, with a known value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from pydantic import Field

from evidencegate_server.contract.executor_v2 import ANSWER_VERSION
from evidencegate_server.contract.ids import written
from evidencegate_server.contract.model import Claim, ExecutorOutput, ParsedOutput, ParseReport
from evidencegate_server.rules.base import PASSED, BindingCase, Checked, Rule, quote
from evidencegate_server.rules.model import Fault, RuleParameters
from evidencegate_server.words import ParseStatus

SUPPORT_LEVELS: Final = ("direct", "indirect")
REMOVED_FIELDS: Final = ("diagnosis_summary", "user_facing_answer")


class SchemaExecutorV2Parameters(RuleParameters):
    """How much of one output is looked at. What lies beyond a limit is not checked and stays unverified."""

    max_claims: int = Field(default=200, ge=1, le=2_000)
    max_bindings_per_claim: int = Field(default=50, ge=1, le=500)
    max_bindings: int = Field(default=500, ge=1, le=5_000)
    max_legacy_ids_per_binding: int = Field(default=50, ge=1, le=500)


class SchemaExecutorV2(Rule):
    """Fails on each departure from the contract, and names its exact place."""

    __slots__ = ()
    id = "schema.executor_v2"
    Parameters = SchemaExecutorV2Parameters

    def check_output(self, parsed: ParsedOutput, parameters: SchemaExecutorV2Parameters) -> Checked:
        """Checks what concerns the output as a whole or several claims at once."""
        output = parsed.output
        if output is None:
            return (_unreadable(parsed.report),)
        faults = [
            *_removed_fields(output),
            *_repeated_ids(output.claims[: parameters.max_claims]),
            *_limits(output.claims, parameters),
        ]
        return tuple(faults) if faults else PASSED

    def check_claim(self, claim: Claim, _parameters: SchemaExecutorV2Parameters) -> Checked:
        """Checks the fields of one claim, its bindings apart."""
        raw = claim.raw
        faults: list[Fault] = []
        if not claim.claim_id:
            faults.append(_not_text(claim.place, "claim_id", raw))
        if not claim.claim_type:
            faults.append(_not_text(claim.place, "claim_type", raw))
        if not claim.claim_text:
            faults.append(_not_text(claim.place, "claim_text", raw))
        if claim.support_level not in SUPPORT_LEVELS and not claim.declared_unsupported:
            faults.append(_support_level(claim))
        unbound = claim.declared_unsupported and raw.get("evidence_bindings") in (None, [])
        if not unbound and (not claim.bindings or type(raw.get("evidence_bindings")) is not list):
            faults.append(_bindings(claim))
        return tuple(faults) if faults else PASSED

    def check_binding(self, case: BindingCase, parameters: SchemaExecutorV2Parameters) -> Checked:
        """Checks the fields of one binding. A blank excerpt keeps the contract; a missing one does not."""
        binding = case.binding
        raw = binding.raw
        named = raw.get("source_invocation_id")
        plural = raw.get("source_invocation_ids")
        if (
            binding.tool_name
            and type(raw.get("tool_name")) is str
            and type(raw.get("evidence_excerpt")) is str
            and named is not True
            and named is not False
            and plural is None
            and type(raw.get("raw_path", "")) is str
            and type(raw.get("source_type", "")) is str
            and type(raw.get("source_id", "")) is str
        ):
            return PASSED  # the usual binding, settled without building a list
        return self._binding_faults(case, parameters)

    def _binding_faults(self, case: BindingCase, parameters: SchemaExecutorV2Parameters) -> Checked:
        binding = case.binding
        place, raw = binding.place, binding.raw
        item = _written_item(case)
        if not isinstance(item, Mapping):
            return (_wrong_type(place, item, "an object"),)
        faults: list[Fault] = []
        if not binding.tool_name or type(raw.get("tool_name")) is not str:
            faults.append(_not_text(place, "tool_name", raw))
        if type(raw.get("evidence_excerpt")) is not str:
            faults.append(_not_text(place, "evidence_excerpt", raw))
        if isinstance(raw.get("source_invocation_id"), bool):
            faults.append(_boolean_id(f"{place}.source_invocation_id", raw["source_invocation_id"]))
        faults.extend(_legacy_ids(place, raw.get("source_invocation_ids"), parameters.max_legacy_ids_per_binding))
        faults.extend(
            _wrong_type(f"{place}.{name}", raw[name], "a string")
            for name in ("raw_path", "source_type")
            if raw.get(name) is not None and type(raw[name]) is not str
        )
        source_id = raw.get("source_id")
        if isinstance(source_id, bool | list | Mapping):
            faults.append(_wrong_type(f"{place}.source_id", source_id, "a string or an integer"))
        return tuple(faults) if faults else PASSED


def _unreadable(report: ParseReport) -> Fault:
    reason = "" if report.reason is None else report.reason.value
    position = ""
    if report.line is not None and report.column is not None:
        position = f" at line {report.line}, column {report.column}"
    detail = f": {report.message}" if report.message else "."
    if report.status is ParseStatus.MISSING:
        return Fault("missing", f"There is no executor output ({reason}){position}{detail}")
    return Fault("malformed", f"The executor output is not readable as its contract ({reason}){position}{detail}")


def _removed_fields(output: ExecutorOutput) -> list[Fault]:
    if output.answer_version != ANSWER_VERSION:
        return []  # the older contract has them
    return [
        Fault("removed_field", f"The field {name} is no part of executor_evidence_v2.", name, written(output.raw[name]))
        for name in REMOVED_FIELDS
        if name in output.raw
    ]


def _repeated_ids(claims: Sequence[Claim]) -> list[Fault]:
    """Returns a fault for each claim whose ID another one has too: none of them can be told apart by it."""
    ids = {claim.claim_id for claim in claims}
    if len(ids) == len(claims) and "" not in ids:
        return []
    counts = Counter(claim.claim_id for claim in claims if claim.claim_id)
    return [
        Fault(
            "repeated_claim_id",
            f"{counts[claim.claim_id]} claims have the ID {quote(claim.claim_id)!r}.",
            f"{claim.place}.claim_id",
            quote(claim.claim_id),
            claim_index=claim.index,
        )
        for claim in claims
        if counts[claim.claim_id] > 1
    ]


def _limits(claims: Sequence[Claim], parameters: SchemaExecutorV2Parameters) -> list[Fault]:
    faults: list[Fault] = []
    if len(claims) > parameters.max_claims:
        message = f"The output has {len(claims)} claims; the first {parameters.max_claims} are checked."
        faults.append(Fault("too_many_claims", message, "claims"))
    total = 0
    for claim in claims[: parameters.max_claims]:
        count = len(claim.bindings)
        if count > parameters.max_bindings_per_claim:
            message = f"The claim has {count} bindings; the first {parameters.max_bindings_per_claim} are checked."
            place = f"{claim.place}.evidence_bindings"
            faults.append(Fault("too_many_bindings", message, place, claim_index=claim.index))
            count = parameters.max_bindings_per_claim
        total += count
    if total > parameters.max_bindings:
        message = (
            f"The output has {total} bindings within the other limits; the first {parameters.max_bindings} are checked."
        )
        faults.append(Fault("too_many_bindings", message, "claims"))
    return faults


def _support_level(claim: Claim) -> Fault:
    value = claim.support_level
    if not value:
        return _not_text(claim.place, "support_level", claim.raw)
    message = f"The support level {quote(value)!r} is neither direct nor indirect."
    return Fault("unknown_support_level", message, f"{claim.place}.support_level", quote(value))


def _bindings(claim: Claim) -> Fault:
    place = f"{claim.place}.evidence_bindings"
    value = claim.raw.get("evidence_bindings")
    if value is None or value == []:
        return Fault("no_bindings", "The claim has no evidence binding.", place)
    return _wrong_type(place, value, "a list of objects")


def _written_item(case: BindingCase) -> Any:
    """Returns the binding as the model wrote it, whatever its type."""
    items = case.claim.raw.get("evidence_bindings")
    if isinstance(items, list) and case.binding.index < len(items):
        return items[case.binding.index]
    return case.binding.raw


def _legacy_ids(place: str, ids: Any, limit: int) -> list[Fault]:
    place = f"{place}.source_invocation_ids"
    if ids is None:
        return []
    if not isinstance(ids, list):
        return [_wrong_type(place, ids, "a list")]
    if len(ids) > limit:
        return [Fault("too_many_ids", f"The binding names {len(ids)} invocations; at most {limit} are read.", place)]
    return [_boolean_id(f"{place}[{at}]", value) for at, value in enumerate(ids) if isinstance(value, bool)]


def _boolean_id(place: str, value: bool) -> Fault:
    return Fault("boolean_id", "An invocation ID is a string or an integer, not a boolean.", place, written(value))


def _not_text(place: str, name: str, raw: Mapping[str, Any]) -> Fault:
    """Returns what is wrong with a field that has to be a text: missing, blank or of another type."""
    place = f"{place}.{name}"
    if name not in raw:
        return Fault("missing_field", f"The field {name} is missing.", place)
    value = raw[name]
    if isinstance(value, str):
        return Fault("blank_field", f"The field {name} is blank.", place, quote(value))
    return _wrong_type(place, value, "a string")


def _wrong_type(place: str, value: Any, wanted: str) -> Fault:
    return Fault("wrong_type", f"Here stands {_kind(value)}, where {wanted} is expected.", place, written(value))


def _kind(value: Any) -> str:
    """Returns the JSON name of a value's type, with its article."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, str):
        return "a string"
    if isinstance(value, Mapping):
        return "an object"
    return "a list" if isinstance(value, list) else "a number"
