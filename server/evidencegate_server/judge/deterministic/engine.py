"""Labels each claim from the records of what its calls returned."""

from __future__ import annotations

import re
import traceback
from collections.abc import Sequence
from pathlib import PurePath
from typing import Final

from evidencegate_server.contract.claim_types import KNOWLEDGE, is_claim_type
from evidencegate_server.contract.model import Notice
from evidencegate_server.contract.records import record
from evidencegate_server.evidence.model import Invocation
from evidencegate_server.judge.alignment.claims import align
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import ClauseAlignment, Fact, FactKind
from evidencegate_server.judge.claims.model import ClaimReading
from evidencegate_server.judge.deterministic.context import Context, contexts
from evidencegate_server.judge.deterministic.decide import Decision, decide, elsewhere
from evidencegate_server.judge.deterministic.explain import explanation
from evidencegate_server.judge.deterministic.readers import Readers, readers_of
from evidencegate_server.judge.deterministic.tell import detail, foreign_values, witnesses
from evidencegate_server.judge.deterministic.written import as_written, in_plain_layout
from evidencegate_server.judge.guards.check import first_doubt
from evidencegate_server.judge.guards.matching import DoubtMatcher
from evidencegate_server.judge.literal.engine import LiteralEngine, LiteralRun
from evidencegate_server.judge.model import ClaimCase, ClaimLabel, EngineResult, JudgeView
from evidencegate_server.lexicon.model import Lexicon
from evidencegate_server.words import Engine, Verification

CLAIM_NOT_JUDGED: Final = "judge.claim_not_judged"

_MAX_CLAIM_CODE_POINTS: Final = 2_000  # a longer claim is no single statement
_MAX_CLAIMS_CODE_POINTS: Final = 100_000  # of all claims that are read in full
_MAX_EVIDENCE_CODE_POINTS: Final = 4_000_000  # of all contexts that are read in one judgement
_MAX_SEARCHED_CODE_POINTS: Final = 20_000_000  # for words of claims, in all that the calls of a session returned
_SMALL: Final = 5  # cells of evidence that is one short statement

_TOKEN: Final = re.compile(r"[A-Za-z0-9](?:[\w./:-]*\w)?", re.ASCII)

_SUPPORTED: Final = frozenset({Verification.DIRECT_OBSERVATION, Verification.REASONABLE_INFERENCE})
_SETTLED: Final = frozenset({Verification.DIRECT_OBSERVATION, Verification.CONTRADICTED})
_WIDE: Final = (
    "@negation",
    "@zero",
    "@quantifiers.none",
    "@quantifiers.never",
    "@quantifiers.all",
    "@quantifiers.only",
)


@record
class Reading:
    """A claim held against its evidence."""

    contexts: tuple[Context, ...]
    index: EvidenceIndex
    claim: ClaimReading
    clauses: tuple[ClauseAlignment, ...]
    decision: Decision


class DeterministicEngine:
    """The engine in the box: no model, no network, no clock."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._readers = readers_of(lexicon)
        self._literal = LiteralEngine(lexicon.statements)

    def judge(self, view: JudgeView) -> EngineResult:
        """Returns a label for each claim."""
        view, layouts = in_plain_layout(view, _MAX_CLAIM_CODE_POINTS)
        literal = self._literal.run(view)
        run = _Run(self._readers, view.invocations)
        labels: list[ClaimLabel] = []
        faults: list[Notice] = []
        for case in view.cases:
            try:
                labels.append(_judged(case, literal, run))
            except Exception as error:  # noqa: BLE001  # a fault of ours: whatever was written, the call has a result
                labels.append(_not_judged(case))
                faults.append(_fault(case, error))
        return EngineResult(Engine.DETERMINISTIC, as_written(labels, layouts), warnings=tuple(faults))

    def explain(self, view: JudgeView) -> str:
        """Returns for people how each claim was read: records, atoms, alignment and decision."""
        view, _ = in_plain_layout(view, _MAX_CLAIM_CODE_POINTS)
        run = _Run(self._readers, view.invocations)
        told: list[str] = []
        for case in view.cases:
            reading = run.read(case)
            if reading is None:
                told.append("The claim was not read: it has no quotation that may testify, or is too long.")
            else:
                told.append(explanation(reading.index, reading.claim, reading.clauses, reading.decision))
        return "\n\n".join(told)


class _Run:
    """One judgement: each context is read once, within the bounds."""

    def __init__(self, readers: Readers, invocations: Sequence[Invocation]) -> None:
        self._readers = readers
        self._invocations = invocations
        self._indexes: dict[tuple[str, ...], tuple[tuple[Context, ...], EvidenceIndex]] = {}
        self._claims_left = _MAX_CLAIMS_CODE_POINTS
        self._evidence_left = _MAX_EVIDENCE_CODE_POINTS
        self._search_left = _MAX_SEARCHED_CODE_POINTS

    def read(self, case: ClaimCase) -> Reading | None:
        """Returns how a claim stands, None where nothing may testify to it or a bound is reached."""
        text = case.claim.claim_text
        self._claims_left -= len(text)
        if not case.usable or len(text) > _MAX_CLAIM_CODE_POINTS or self._claims_left < 0:
            return None
        known = self._index(case)
        if known is None:
            return None
        found, index = known
        claim = self._readers.claims.read(text)
        touched = _touched(_quoted_places(case, found), index)
        focus = frozenset(touched)
        # A filter for errors is no error that was seen: what was asked speaks against no claim.
        returned = frozenset(one for one in focus if not _is_question(one, found, index))
        clauses = align(claim, index, returned, [context.asked for context in found])
        decision = decide(clauses, small=min(index.cells, len(touched)) <= _SMALL)
        if (
            decision.verification is Verification.EXTERNAL_UNKNOWN
            and case.failed_bindings
            and decision.fact is not None
        ):
            fact = decision.fact
            if self._in_session(text[fact.start : fact.end]):
                decision = elsewhere(clauses, fact)
        return Reading(
            found, index, claim, clauses, _checked(found, index, focus, clauses, decision, text, self._readers.doubts)
        )

    def _in_session(self, written: str) -> bool:
        """Returns whether a call returned all numbers and names of some words of a claim: they are not from outside."""
        words = [re.compile(rf"(?<![\w.]){re.escape(word)}(?![\w.])") for word in _TOKEN.findall(written)]
        for call in self._invocations if words else ():
            self._search_left -= len(words) * len(call.output)
            if self._search_left < 0:
                return False  # not known to be there
            if all(word.search(call.output) for word in words):
                return True
        return False

    def _index(self, case: ClaimCase) -> tuple[tuple[Context, ...], EvidenceIndex] | None:
        may_guide = is_claim_type(case.claim.claim_type, KNOWLEDGE)
        key = (str(may_guide), *sorted({binding.invocation.id for binding in case.usable}))
        if key not in self._indexes:
            found = contexts(case.usable, may_guide)
            self._evidence_left -= sum(len(context.text) for context in found)
            if self._evidence_left < 0:
                return None
            self._indexes[key] = found, self._readers.evidence(tuple(context.text for context in found))
        return self._indexes[key]


def _judged(case: ClaimCase, literal: LiteralRun, run: _Run) -> ClaimLabel:
    known = literal.label(case)
    if known.verification in _SETTLED:
        return known
    reading = run.read(case)
    return known if reading is None else _label(case, reading)


def _not_judged(case: ClaimCase) -> ClaimLabel:
    """Returns the label of a claim on which the engine failed: nothing is known to bear it out."""
    detail = "The judge failed on this claim or its evidence, so nothing is known to bear it out; see the warnings."
    return ClaimLabel(case.claim.index, Verification.UNSUPPORTED, detail, Engine.DETERMINISTIC)


def _fault(case: ClaimCase, error: Exception) -> Notice:
    """Returns where the engine failed, in words that quote neither claim nor evidence."""
    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    where = f"{type(error).__name__} at {PurePath(frame.f_code.co_filename).name}:{line}"
    return Notice(
        CLAIM_NOT_JUDGED, f"The judge failed on this claim ({where}) and took it as unsupported.", case.claim.place
    )


def _is_question(record: int, found: Sequence[Context], index: EvidenceIndex) -> bool:
    """Returns whether a record is of what a call was asked."""
    return found[index.records[record].source].is_question


def _checked(
    found: Sequence[Context],
    index: EvidenceIndex,
    focus: frozenset[int],
    clauses: Sequence[ClauseAlignment],
    decision: Decision,
    text: str,
    doubts: DoubtMatcher,
) -> Decision:
    """Returns the decision, lowered where the evidence cannot carry it. `focus` are the records that are quoted."""
    if decision.verification not in _SUPPORTED:
        return decision
    cut = any(context.truncated for context in found) or index.evidence.cut_short
    if cut and any(clause.clause.marked(*_WIDE) for clause in clauses):
        return Decision(
            Verification.UNSUPPORTED, decision.fact, "the evidence is cut, so nothing is known to be absent"
        )
    asked = _asked(found, index, clauses)
    if asked is not None:
        return Decision(Verification.UNSUPPORTED, asked, "this was asked of the tool, not returned by it")
    if focus.isdisjoint(_spoken_of(clauses)):
        return Decision(Verification.UNSUPPORTED, decision.fact, "none of its quotations is of what it speaks of")
    doubt = first_doubt(text, clauses, index, doubts)
    return decision if doubt is None else Decision(doubt.verification, doubt.fact, doubt.why)


def _asked(found: Sequence[Context], index: EvidenceIndex, clauses: Sequence[ClauseAlignment]) -> Fact | None:
    """Returns the first value or state that stands only in what the tool was asked, None where there is none."""
    return next(
        (
            fact
            for clause in clauses
            for fact in clause.facts
            if fact.kind in (FactKind.VALUE, FactKind.STATE)
            and fact.place is not None
            and _is_question(fact.place.record, found, index)
        ),
        None,
    )


def _quoted_places(case: ClaimCase, found: Sequence[Context]) -> list[tuple[int, int, int]]:
    """Returns where the quotations of a claim stand: the context's number, start and end."""
    places: list[tuple[int, int, int]] = []
    for binding in case.usable:
        for source, context in enumerate(found):
            if context.invocation_id != binding.invocation.id:
                continue
            for span in binding.spans:
                place = context.holds(binding.ref.raw_path, span)
                if place is not None:
                    places.append((source, *place))
    return places


def _touched(places: Sequence[tuple[int, int, int]], index: EvidenceIndex) -> list[int]:
    """Returns the record of each cell that a quotation touches: what only holds such a record is not touched."""
    spans: dict[int, list[tuple[int, int]]] = {}
    for source, start, end in places:
        spans.setdefault(source, []).append((start, end))
    touched: list[int] = []
    for one in index.records:
        around = spans.get(one.source)
        for cell in one.cells if around is not None else ():
            for start, end in around or ():
                if cell.start < end and start < cell.end:
                    touched.append(one.index)
                    break
    return touched


def _spoken_of(clauses: Sequence[ClauseAlignment]) -> set[int]:
    """Returns the records that a claim is aligned with."""
    anchors = {clause.anchor for clause in clauses if clause.anchor >= 0}
    return anchors | {fact.place.record for clause in clauses for fact in clause.facts if fact.place is not None}


def _label(case: ClaimCase, reading: Reading) -> ClaimLabel:
    return ClaimLabel(
        case.claim.index,
        reading.decision.verification,
        detail(reading.claim.text, reading.decision, reading.index),
        Engine.DETERMINISTIC,
        witnesses(reading.claim.text, reading.clauses, reading.contexts, reading.index),
        foreign_values=foreign_values(reading.claim.text, reading.decision, reading.clauses),
    )
