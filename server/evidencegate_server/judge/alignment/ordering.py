"""Checks in which order a claim tells two events, by their times, their ages and their lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from evidencegate_server.contract.records import record, replace
from evidencegate_server.judge.alignment.event_times import AFTER, is_later, tells_how_much_later
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import HELD, ClauseAlignment, Fact, FactKind, Standing
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.records.model import RecordKind
from evidencegate_server.judge.values.model import Mention, Quantity

_TELLING: Final = frozenset({FactKind.STATE, FactKind.WORD, FactKind.DENIAL, FactKind.VALUE})
_SAYING: Final = frozenset({FactKind.STATE, FactKind.WORD, FactKind.DENIAL})
_MOST_TIMES: Final = 12  # records that an event is looked for in
_FEWEST: Final = 2  # words of an event that its record has, for another order to speak against a claim
_AT: Final = ("\u5728", "\u4e8e")  # in Chinese: "A was after B" is two clauses, of which the one behind says when
_TURNED: Final = "told the other way round there"
_UNTOLD: Final = "nothing there tells which came first"


@record
class _Event:
    """What a claim says happened: its facts, the record for it (-1 for none), and whether that has a word of it."""

    facts: tuple[Fact, ...]
    names: Mapping[int, tuple[str, ...]]  # what the words of its clause mean, by where they begin
    record: int
    is_told: bool


def in_order(clauses: Sequence[ClauseAlignment], index: EvidenceIndex, text: str) -> list[ClauseAlignment]:
    """Returns the clauses with what they say of the order of two events checked."""
    return [_checked(at, clauses, index, text) for at in range(len(clauses))]


def _checked(at: int, clauses: Sequence[ClauseAlignment], index: EvidenceIndex, text: str) -> ClauseAlignment:
    clause = clauses[at]
    facts = list(clause.facts)
    for number, fact in enumerate(facts):
        if fact.kind is FactKind.ORDER and fact.standing is Standing.SILENT and fact.why.startswith("order."):
            facts[number] = _order(fact, _told(fact, at, clauses, text), index)
    for mention in clause.clause.values:
        if isinstance(mention.value, Quantity) and tells_how_much_later(mention, text):
            doubt = _apart(mention, at, clauses, index, text)
            facts += [doubt] if doubt is not None else []
    return replace(clause, facts=tuple(_settled(facts, at, clauses)))


def _order(fact: Fact, told: tuple[_Event, _Event] | None, index: EvidenceIndex) -> Fact:
    """Returns an order of two events as derivable or in conflict where the evidence says which came first."""
    if told is None:
        return fact
    first, second = told
    later = is_later(first.record, second.record, _said(told), index)
    if later is None:
        return replace(fact, why=_UNTOLD) if _are_rows(first, second, index) else fact
    one = index.records[second.record]
    place = Place(one.index, one.start, one.end)
    if later:
        is_told = first.is_told and second.is_told
        return replace(fact, standing=Standing.DERIVABLE, place=place) if is_told else fact
    if _at_some_time(first, second, index):
        return fact
    if _is_sure(first, second, index):
        return replace(fact, standing=Standing.IN_CONFLICT, place=place)
    return replace(fact, why=_TURNED, place=place)


def _apart(
    mention: Mention, at: int, clauses: Sequence[ClauseAlignment], index: EvidenceIndex, text: str
) -> Fact | None:
    """Returns a doubt where the event that a length of time stands behind came first: 3 s after it."""
    told = _around(mention, at, clauses, text)
    if told is None or is_later(told[0].record, told[1].record, _said(told), index) is not False:
        return None
    if _at_some_time(*told, index):
        return None
    standing = Standing.IN_CONFLICT if _is_sure(*told, index) else Standing.SILENT
    return Fact(FactKind.ORDER, standing, mention.start, mention.end, _TURNED)


def _settled(facts: Sequence[Fact], at: int, clauses: Sequence[ClauseAlignment]) -> Iterable[Fact]:
    """Returns the facts with what else a word of order says borne out where its order is (later than, \u518d)."""
    held = {fact.start for fact in facts if fact.kind is FactKind.ORDER and fact.standing is Standing.DERIVABLE}
    opened = at > 0 and clauses[at - 1].clause.marked("@order.first", "@order.initially") is not None
    for fact in facts:
        is_same = fact.kind is FactKind.SCOPE and fact.standing is Standing.SILENT and fact.start in held
        if is_same and (fact.why.startswith("comparison.") or (opened and fact.why == "time_scope.again")):
            yield replace(fact, standing=Standing.DERIVABLE)
        else:
            yield fact


def _told(fact: Fact, at: int, clauses: Sequence[ClauseAlignment], text: str) -> tuple[_Event, _Event] | None:
    """Returns the event that a claim tells as the earlier one, and the one that it tells as the later."""
    kind = fact.why.split(".")[1]
    chinese = not text[fact.start].isascii()
    if kind in ("after", "before"):
        # A Chinese word stands behind the event that it refers to, an English one before it.
        ahead = at == 0 or (chinese and not text[: clauses[at].clause.start].rstrip().endswith(_AT))
        if chinese and not text[clauses[at].clause.start : fact.start].strip():
            ahead, kind = False, "then"  # \u5148 A\uff0c\u540e B
        pair = (at, _next(clauses, at, 1 if ahead else -1))
        if kind != "after":
            pair = (pair[1], pair[0])
    elif kind == "then":
        pair = (_next(clauses, at, -1), at)
    elif kind in ("first", "initially"):
        pair = (at, _next(clauses, at, 1))
    elif kind in ("precedes", "follows"):
        # A Chinese one ends the clause of the first event, an English one begins that of the second.
        pair = (at, _next(clauses, at, 1)) if chinese else (_next(clauses, at, -1), at)
        if kind == "follows":
            pair = (pair[1], pair[0])
    else:
        return None
    if min(pair) < 0:
        return None
    return _events([clauses[one].facts for one in pair], [clauses[one] for one in pair])


def _around(mention: Mention, at: int, clauses: Sequence[ClauseAlignment], text: str) -> tuple[_Event, _Event] | None:
    """Returns the earlier and the later event of two that a length of time parts."""
    clause = clauses[at]
    left = tuple(fact for fact in clause.facts if fact.end <= mention.outer_start)
    right = tuple(fact for fact in clause.facts if fact.start >= mention.outer_end)
    behind = text[mention.outer_end :].lstrip().lower()
    if behind.startswith(AFTER):
        earlier = at if _says(right) else _next(clauses, at, 1)
        later = at if _says(left) else _next(clauses, earlier, 1)
    else:
        earlier = at if _says(left) and _says(right) else _next(clauses, at, -1)
        later = at
    if min(earlier, later) < 0:
        return None
    if earlier == later:
        sides = (right, left) if behind.startswith(AFTER) else (left, right)
    else:
        sides = (clauses[earlier].facts, clauses[later].facts)
    return _events(sides, [clauses[earlier], clauses[later]])


def _next(clauses: Sequence[ClauseAlignment], at: int, step: int) -> int:
    """Returns the nearest clause before or behind that says that something happened, -1 where none does."""
    at += step
    while 0 <= at < len(clauses) and not _says(clauses[at].facts):
        at += step
    return at if 0 <= at < len(clauses) else -1


def _says(facts: Iterable[Fact]) -> bool:
    return any(fact.kind in _SAYING for fact in facts)


def _events(sides: Sequence[Sequence[Fact]], clauses: Sequence[ClauseAlignment]) -> tuple[_Event, _Event] | None:
    first, second = (_event(facts, clause) for facts, clause in zip(sides, clauses, strict=True))
    if min(first.record, second.record) < 0 or first.record == second.record:
        return None
    return first, second


def _event(facts: Sequence[Fact], clause: ClauseAlignment) -> _Event:
    """Returns an event with the record that has most of it: its clause's own where that has any."""
    places = (fact.place for fact in facts if fact.kind in _TELLING and fact.standing in HELD)
    found = Counter(place.record for place in places if place is not None)
    names = {term.start: term.names for term in clause.clause.terms}
    if found[clause.anchor] or not found:
        return _Event(tuple(facts), names, clause.anchor, is_told=bool(found))
    return _Event(tuple(facts), names, max(found, key=lambda one: (found[one], -one)), is_told=True)


def _is_sure(first: _Event, second: _Event, index: EvidenceIndex) -> bool:
    """Returns whether two records of one list tell two events wholly, so that another order speaks against a claim."""
    if index.records[first.record].group != index.records[second.record].group:
        return False
    return all(
        event.is_told
        and sum(fact.place is not None and fact.place.record == event.record for fact in event.facts) >= _FEWEST
        and all(
            fact.standing in HELD and fact.place is not None and fact.place.record == event.record
            for fact in event.facts
            if fact.kind in _SAYING and fact.weight >= 1
        )
        for event in (first, second)
    )


def _at_some_time(first: _Event, second: _Event, index: EvidenceIndex) -> bool:
    """Returns whether two events came in their order elsewhere: what happens again and again has both orders."""
    others, said = _times(second, index), _said((first, second))
    return any(is_later(one, other, said, index) for one in _times(first, index) for other in others if one != other)


def _said(events: Iterable[_Event]) -> frozenset[str]:
    return frozenset(name for event in events for names in event.names.values() for name in names)


def _times(event: _Event, index: EvidenceIndex) -> Sequence[int]:
    """Returns the records that tell of an event in the same words as its own."""
    shared: set[int] = set()
    for fact in event.facts:
        if fact.standing in HELD and fact.place is not None and fact.place.record == event.record:
            word = index.text_at(event.record, fact.place.start, fact.place.end).lower()
            own = {place.record for place in index.find(word)}
            for name in event.names.get(fact.start, ()):
                own.update(place.record for place in index.places.get(name, ()))
            shared = shared & own if shared else own
    return sorted(shared)[:_MOST_TIMES] or [event.record]


def _are_rows(first: _Event, second: _Event, index: EvidenceIndex) -> bool:
    """Returns whether two events are told in a list that tells no times."""
    one, other = index.records[first.record], index.records[second.record]
    return one.group == other.group >= 0 and one.kind in (RecordKind.ROW, RecordKind.OBJECT)
