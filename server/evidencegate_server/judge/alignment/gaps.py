"""Finds the two moments of which a claim says how far they lie apart: `A came two seconds after B`, `B，两秒后 A`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from evidencegate_server.judge.alignment.event_times import AFTER, LATER
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import HELD, ClauseAlignment, FactKind
from evidencegate_server.judge.alignment.places import Place, ValueCell
from evidencegate_server.judge.values.compare import AGREEING, compare, difference
from evidencegate_server.judge.values.model import Instant, Mention, Quantity
from evidencegate_server.judge.vocabulary import Term

_MOST_MOMENTS: Final = 24
_TELLING: Final = frozenset({"state", "event"})
_FIRST: Final = "first"
_RUNS: Final = frozenset({"ended", "running", "terminated"})
# What an event comes to, where evidence keeps the moment of that alone.
_OUTCOMES: Final = {
    "restart": "started",
    "start": "started",
    "recover_event": "recovered",
    "kill_event": "killed",
    "start_time": "started",
    "end_time": "ended",
}


def told_gap(
    mention: Mention, at: int, clauses: Sequence[ClauseAlignment], index: EvidenceIndex, text: str
) -> Place | None:
    """Returns the later of two moments that lie as far apart as a value says, one for each of the two events told."""
    if not isinstance(mention.value, Quantity):
        return None
    moments = list(_moments(clauses[max(0, at - 1) : at + 2], index))
    events = _events(mention, at, clauses, index, text)
    if events is None:
        return _run(mention.value, clauses[max(0, at - 1) : at + 1], moments, index)
    earlier, later = events
    if not earlier:
        # What came first is told by its moment alone: the one that the clause before states, or all there is of it.
        only = _only_moment(clauses[at - 1], index) if at else None
        if only is None:
            return None
        earlier = frozenset({_FIRST})
    told = _told({one.record for one in moments}, index)
    named = [(one, _meanings(_names(one, told, index), index)) for one in moments]
    for first, names in named:
        if not names & earlier and not (_FIRST in earlier and only is not None and first.order == only.order):
            continue
        for second, others in named:
            if second.order == first.order or not others & later:
                continue
            gap = difference(second.mention.value, first.mention.value)
            if (
                isinstance(gap, Quantity)
                and gap.low is not None
                and gap.low > 0
                and compare(mention.value, gap) in AGREEING
            ):
                return Place(second.record, second.mention.start, second.mention.end)
    return None


def _events(
    mention: Mention, at: int, clauses: Sequence[ClauseAlignment], index: EvidenceIndex, text: str
) -> tuple[frozenset[str], frozenset[str]] | None:
    """Returns what the earlier and the later event mean, None where the claim does not tell of two."""
    behind = text[mention.outer_end :].lstrip().lower()
    terms = clauses[at].clause.terms
    left = [term for term in terms if term.end <= mention.outer_start]
    right = [term for term in terms if term.start >= mention.outer_end]
    if behind.startswith(AFTER):
        later, earlier = left, right or _terms(clauses, at + 1)
    elif behind.startswith(LATER):
        if not right and _meant(left, index):
            earlier, later = _terms(clauses, at - 1), left  # A happened, and B came two seconds later
        else:
            earlier, later = _telling(left, index) or _terms(clauses, at - 1), right or _terms(clauses, at + 1)
    else:
        return None
    meant = _meant(earlier, index), _meant(later, index)
    return meant if meant[1] else None


def _only_moment(clause: ClauseAlignment, index: EvidenceIndex) -> ValueCell | None:
    """Returns the moment that a clause states, else the only one of what it tells of."""
    for fact in clause.facts:
        if fact.kind is FactKind.VALUE and fact.standing in HELD and fact.place is not None:
            one = index.at_place.get((fact.place.record, fact.place.start))
            if one is not None and isinstance(one.mention.value, Instant):
                return one
    own = list(_moments([clause], index))
    return own[0] if len(own) == 1 else None


def _run(
    value: Quantity, clauses: Sequence[ClauseAlignment], moments: Sequence[ValueCell], index: EvidenceIndex
) -> Place | None:
    """Returns the end of a run that took as long as a value says, where a clause tells of its end or its length."""
    told = _meant([term for clause in clauses for term in clause.clause.terms], index)
    if value.measure != "time" or not told & _RUNS:
        return None
    for first in moments:
        for second in moments:
            if (
                first.record != second.record
                or not {"start_time", "started"} & first.names
                or "end_time" not in second.names
            ):
                continue
            gap = difference(second.mention.value, first.mention.value)
            if isinstance(gap, Quantity) and compare(value, gap) in AGREEING:
                return Place(second.record, second.mention.start, second.mention.end)
    return None


def _terms(clauses: Sequence[ClauseAlignment], at: int) -> list[Term]:
    return list(clauses[at].clause.terms) if 0 <= at < len(clauses) else []


def _telling(terms: list[Term], index: EvidenceIndex) -> list[Term]:
    """Returns the words, where one of them is for something that happened."""
    kinds = {index.vocabulary.kind(name) for term in terms for name in term.names} - {"soft", ""}
    return terms if kinds & _TELLING or (kinds and not kinds - {"thing"}) else []


def _meant(terms: Sequence[Term], index: EvidenceIndex) -> frozenset[str]:
    names = {name for term in terms if term.names[0][0] not in "=+" for name in term.names if name[0] not in "@~"}
    kind = index.vocabulary.kind
    told = {name for name in names if kind(name) in _TELLING} or {name for name in names if kind(name) == "thing"}
    return _meanings(told, index)


def _meanings(names: Iterable[str], index: EvidenceIndex) -> frozenset[str]:
    """Returns concepts with what they imply and come to."""
    found = set(names)
    waiting = list(found)
    while waiting:
        name = waiting.pop()
        for other in (*index.vocabulary.implies.get(name, ()), *filter(None, (_OUTCOMES.get(name),))):
            if other not in found:
                found.add(other)
                waiting.append(other)
    return frozenset(found)


def _moments(clauses: Sequence[ClauseAlignment], index: EvidenceIndex) -> Iterable[ValueCell]:
    """Returns the moments of what the clauses tell of, with those of its parts."""
    seen: dict[int, ValueCell] = {}
    for clause in clauses:
        for one in index.scope_values(clause.anchor) if clause.anchor >= 0 else ():
            if isinstance(one.mention.value, Instant) and len(seen) < _MOST_MOMENTS:
                seen.setdefault(one.order, one)
    return seen.values()


def _names(one: ValueCell, told: dict[int, set[str]], index: EvidenceIndex) -> Iterable[str]:
    """Returns what a moment is of: its key, and where its record has no other moment all that the record tells."""
    own = [other for other in index.by_record.get(one.record, ()) if isinstance(other.mention.value, Instant)]
    if len(own) > 1:
        return one.names
    return one.names | index.names[one.record] | told.get(one.record, set())


def _told(records: set[int], index: EvidenceIndex) -> dict[int, set[str]]:
    """Returns what the idioms in some records say."""
    found: dict[int, set[str]] = {}
    for name, links in index.links.items():
        for link in links:
            if link.place.record in records and not link.denied:
                found.setdefault(link.place.record, set()).add(name)
    return found
