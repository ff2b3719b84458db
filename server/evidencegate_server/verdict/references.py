"""Ties claims to the trace items that bear on them, so that every evidence reference points at one that exists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from evidencegate_server.contract.claim_types import KNOWLEDGE, NEGATIVE_OBSERVATION, is_claim_type
from evidencegate_server.contract.model import Notice
from evidencegate_server.contract.records import record
from evidencegate_server.evidence.model import Invocation
from evidencegate_server.judge.model import ClaimCase, RefPointer
from evidencegate_server.trace.level import evidence_level
from evidencegate_server.trace.model import TraceItem, TraceSummary
from evidencegate_server.verdict.model import EvidenceReference
from evidencegate_server.words import EvidenceLevel, InvocationStatus

REF_DROPPED = "judge.evidence_ref_dropped"
REF_RESOLVED = "judge.evidence_ref_resolved"
REF_CORRECTED = "judge.evidence_ref_corrected"
REFS_UNUSABLE = "judge.evidence_refs_unusable"


@record
class References:
    """The references of one claim.

    `dropped` says that one pointed nowhere, `unusable` that none of those that a model gave points at a call that can
    bear the claim. Either way the claim is not direct.
    """

    refs: tuple[EvidenceReference, ...]
    dropped: bool
    warnings: tuple[Notice, ...]
    unusable: bool = False


class TraceIndex:
    """Finds the items of a trace summary by address and by invocation."""

    def __init__(self, trace: TraceSummary) -> None:
        self._by_ref: dict[str, TraceItem] = {}
        self._by_invocation: dict[str, TraceItem] = {}
        for item in trace.items:
            for ref in (item.trace_ref, *item.merged_trace_refs):
                self._by_ref.setdefault(ref, item)
            for invocation_id in item.source_invocation_ids:
                self._by_invocation.setdefault(invocation_id, item)

    def by_ref(self, trace_ref: str) -> TraceItem | None:
        """Returns the item at an address, also at one that was merged into it."""
        return self._by_ref.get(trace_ref)

    def by_invocation(self, invocation_id: str) -> TraceItem | None:
        """Returns the item that an invocation stands behind; None for helpers and for what did not fit."""
        return self._by_invocation.get(invocation_id)


def from_bindings(case: ClaimCase, index: TraceIndex, warn: bool) -> References:
    """Returns the references that a claim's own verified bindings give.

    A binding to a helper tool (a clock, a formatter) has no trace item, so its reference points nowhere: it is dropped,
    and the claim can be an inference at best, since nothing in the trace would show a reader why it is more.
    """
    refs: dict[str, EvidenceReference] = {}
    warnings: list[Notice] = []
    dropped = False
    for binding in (*case.usable, *case.guidance):
        item = index.by_invocation(binding.invocation.id)
        if item is not None:
            refs.setdefault(item.trace_ref, _reference(item))
            continue
        dropped = True
        if warn:
            warnings.append(
                Notice(
                    REF_DROPPED,
                    f"Invocation '{_short(binding.invocation.id)}' ({_short(binding.invocation.tool_name)}) is no "
                    "evidence-bearing call of the trace summary, so no reference points at it.",
                    f"{case.claim.place}.evidence_bindings[{binding.binding_index}]",
                )
            )
    return References(tuple(refs.values()), dropped, tuple(warnings))


def from_pointers(
    case: ClaimCase, pointers: Iterable[RefPointer], index: TraceIndex, known_invocations: Mapping[str, Invocation]
) -> References:
    """Resolves what a model pointed at.

    An address that exists counts. One that does not is resolved by its invocation IDs, with a warning. What points
    nowhere, or names an invocation that the session does not have, is dropped with a warning. A tool or invocation that
    is another than the item's is replaced by the real one, with a warning.
    """
    refs: dict[tuple[str, str], EvidenceReference] = {}
    warnings: list[Notice] = []
    dropped = usable = False
    for pointer in pointers:
        unknown = [name for name in pointer.source_invocation_ids if name not in known_invocations]
        item = index.by_ref(pointer.trace_ref)
        named = item is not None
        if item is None:
            found = (index.by_invocation(name) for name in pointer.source_invocation_ids)
            item = next((candidate for candidate in found if candidate is not None), None)
        if item is None or unknown:
            dropped = True
            why = f"invocation '{_short(unknown[0])}' does not exist" if unknown else "nothing stands there"
            warnings.append(
                Notice(
                    REF_DROPPED,
                    f"The evidence reference '{_short(pointer.trace_ref)}' was dropped: {why}.",
                    case.claim.place,
                )
            )
            continue
        if not named:
            warnings.append(
                Notice(
                    REF_RESOLVED,
                    f"The evidence reference '{_short(pointer.trace_ref)}' does not exist; its invocation IDs lead to "
                    f"'{item.trace_ref}'.",
                    case.claim.place,
                )
            )
        if not _agrees(pointer, item):
            warnings.append(
                Notice(
                    REF_CORRECTED,
                    f"The evidence reference '{_short(item.trace_ref)}' names another tool or invocation than stands "
                    "there; it was given the real ones.",
                    case.claim.place,
                )
            )
        usable = usable or any(_can_bear(call, case) for call in _pointed_at(pointer, item, named, known_invocations))
        refs.setdefault((item.trace_ref, pointer.note), _reference(item, pointer.note))
    unusable = bool(refs) and not usable
    if unusable:
        warnings.append(
            Notice(
                REFS_UNUSABLE,
                "No evidence reference of the claim points at a call that can bear it: each one failed, found nothing, "
                "was deduplicated, returned no text or is guidance.",
                case.claim.place,
            )
        )
    return References(tuple(refs.values()), dropped, tuple(warnings), unusable)


def _agrees(pointer: RefPointer, item: TraceItem) -> bool:
    """Returns whether what a model wrote beside an address is what stands there. What it left out is filled in."""
    if pointer.tool_name and pointer.tool_name != item.tool_name:
        return False
    return set(pointer.source_invocation_ids) <= set(item.source_invocation_ids)


def _pointed_at(
    pointer: RefPointer, item: TraceItem, named: bool, known: Mapping[str, Invocation]
) -> Iterator[Invocation]:
    """Returns the calls that a pointer means: of a merged item the ones it names, else the one whose address it has.

    What one call of an item shows, another of it need not show.
    """
    names = [name for name in pointer.source_invocation_ids if name in item.source_invocation_ids]
    if not names:
        addresses = zip((item.trace_ref, *item.merged_trace_refs), item.source_invocation_ids, strict=True)
        names = [name for address, name in addresses if not named or address == pointer.trace_ref]
    return (known[name] for name in names if name in known)


def _can_bear(call: Invocation, case: ClaimCase) -> bool:
    """Returns whether a call can be evidence for the claim at all; whether it is, its bindings say."""
    claim_type = case.claim.claim_type
    if call.status is InvocationStatus.NO_HIT:
        return is_claim_type(claim_type, NEGATIVE_OBSERVATION)
    level = evidence_level(call)
    if level is EvidenceLevel.GUIDANCE:
        return is_claim_type(claim_type, KNOWLEDGE)
    return level is EvidenceLevel.OBSERVATION


def _reference(item: TraceItem, note: str = "") -> EvidenceReference:
    return EvidenceReference(item.trace_ref, item.tool_name, item.source_invocation_ids, note)


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:79] + "…"
