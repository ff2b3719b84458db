"""Works out values that the evidence does not write: exact arithmetic over few values that are bound already.

Arithmetic invites coincidence, so nothing is searched at large: a duration between the moments of two clauses that
follow each other or of one record, a figure of two values that the claim itself states, a count of the rows of which
a clause is true.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Final

from evidencegate_server.contract.records import replace
from evidencegate_server.judge.alignment.counted import counted_members, goes_on
from evidencegate_server.judge.alignment.differences import as_difference, left_over
from evidencegate_server.judge.alignment.gaps import told_gap
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.listed import listed
from evidencegate_server.judge.alignment.model import HELD, ClauseAlignment, Fact, FactKind, Standing
from evidencegate_server.judge.alignment.multiples import is_multiple, multiple
from evidencegate_server.judge.alignment.passages import passage
from evidencegate_server.judge.alignment.places import Place, ValueCell
from evidencegate_server.judge.alignment.portions import share_of_whole, stated_whole, sum_of_column
from evidencegate_server.judge.alignment.rows import RowReader
from evidencegate_server.judge.alignment.spans import named, shown_by_span, span
from evidencegate_server.judge.claims.model import mention_of
from evidencegate_server.judge.values.compare import AGREEING, compare, difference
from evidencegate_server.judge.values.model import COUNT, Instant, Mention, Quantity

_OPEN: Final = frozenset({Standing.FOREIGN, Standing.SILENT, Standing.PART})
_MAY_BE_VALUE: Final = (FactKind.VALUE, FactKind.WORD)
_MULTIPLE: Final = "told as a multiple"
_BEHIND_TIMES: Final = len(" times ")
_TURNED: Final = "the other one is behind"
_ALL_THERE_IS: Final = frozenset({"total", "desired", "limit", "capacity"})
_OF_THE: Final = re.compile(r"\b(?:[Oo]f|[Aa]mong) (?:the |these |those )?$")
_AMONG: Final = re.compile("[\u4e00-\u9fff]?[ A-Za-z\u4e00-\u9fff-]{0,12}?(?:之中|当中|中|里|内)(?!断|止|等)")
_ALL_OF: Final = ("@quantifiers.all", "@quantifiers.both", "@quantifiers.each")
_WORKED_OUT: Final = 1.5  # what a figure is worth that comes of others which their keys say are meant
_MOST_INSTANTS: Final = 12


def derive(clauses: Sequence[ClauseAlignment], rows_of: RowReader, text: str) -> list[ClauseAlignment]:
    """Returns the clauses with those values derivable that follow exactly from what is bound."""
    found: list[ClauseAlignment] = []
    for at in range(len(clauses)):
        done = _worked_out(at, clauses, rows_of, text)
        if done.anchor < 0 and (place := _first_derived(done)) is not None:
            # What one of its values comes from is what a clause tells of: its other values may be counted there.
            told = replace(done, anchor=place.record)
            done = _worked_out(at, [*clauses[:at], told, *clauses[at + 1 :]], rows_of, text)
        found.append(done)
    return found


def _worked_out(at: int, clauses: Sequence[ClauseAlignment], rows_of: RowReader, text: str) -> ClauseAlignment:
    clause = clauses[at]
    facts = list(clause.facts)
    for number, fact in enumerate(clause.facts):
        mention = mention_of(clause.clause, fact.start) if fact.kind in _MAY_BE_VALUE else None
        if mention is not None:
            facts = _with_value(facts, number, mention, at, clauses, rows_of, text)
    return clause if facts == list(clause.facts) else replace(clause, facts=tuple(facts))


def _first_derived(clause: ClauseAlignment) -> Place | None:
    return next(
        (one.place for one in clause.facts if one.kind is FactKind.VALUE and one.standing is Standing.DERIVABLE), None
    )


def _counted_states(
    facts: Sequence[Fact], clause: ClauseAlignment, place: Place, rows_of: RowReader, text: str
) -> list[Fact]:
    """Returns the facts of a clause with those states borne out by which as many rows were counted as it says."""
    told = {term.start for term in rows_of.told(clause.clause, text)} if rows_of.rows(place.record) else set()
    return [
        replace(fact, standing=Standing.DERIVABLE, why="counted there", place=place)
        if fact.kind is FactKind.STATE and fact.start in told and fact.standing in _OPEN
        else fact
        for fact in facts
    ]


def _with_whole(
    facts: Sequence[Fact], mention: Mention, clause: ClauseAlignment, place: Place, text: str
) -> list[Fact]:
    """Returns the facts of a clause with the amount borne out that a share is told of and worked out from."""
    whole = stated_whole(mention, clause, text)
    return [
        replace(one, standing=Standing.DERIVABLE, why="what the share is of", place=place)
        if whole is not None
        and one.kind is FactKind.VALUE
        and one.start == whole.outer_start
        and one.standing not in HELD
        else one
        for one in facts
    ]


def _counted_there(facts: Sequence[Fact], clause: ClauseAlignment, place: Place, index: EvidenceIndex) -> list[Fact]:
    """Returns the facts of a clause with those words borne out that the key of a figure it is worked out from says.

    A figure under `rejected` tells how many were: the state needs no other witness.
    """
    cell = index.at_place.get((place.record, place.start))
    if cell is None:
        return list(facts)
    told = {term.start for term in clause.clause.terms if not cell.names.isdisjoint(term.names)}
    return [
        replace(fact, standing=Standing.DERIVABLE, why="its key says so", place=place)
        if fact.start in told and fact.kind in (FactKind.WORD, FactKind.STATE) and fact.standing in _OPEN
        else fact
        for fact in facts
    ]


def _with_value(
    facts: list[Fact],
    number: int,
    mention: Mention,
    at: int,
    clauses: Sequence[ClauseAlignment],
    rows_of: RowReader,
    text: str,
) -> list[Fact]:
    """Returns the facts of a clause with one value of it worked out, where that is not shown as it is."""
    clause = clauses[at]
    if facts[number].kind is FactKind.VALUE and isinstance(mention.value, Quantity):
        facts = as_difference(facts, number, mention, clauses, at, rows_of)
    fact = facts[number] = _unopposed(facts[number], mention, text)
    if fact.standing not in _OPEN:
        return facts
    place = (
        left_over(mention, clauses, at, rows_of)
        or share_of_whole(mention, clauses, at, rows_of, text)
        or sum_of_column(mention, clauses, at, rows_of, text)
    )
    weight = fact.weight
    if place is not None:
        weight = max(weight, _WORKED_OUT)
        facts = _with_whole(_counted_there(facts, clause, place, rows_of.index), mention, clause, place, text)
    else:
        place = _derived(mention, at, clauses, rows_of, text)
        if place is not None and isinstance(mention.value, Quantity) and mention.value.measure == COUNT:
            facts = _counted_states(facts, clause, place, rows_of, text)
    if place is None and isinstance(mention.value, Quantity) and mention.value.measure == "time":
        found = span(mention.value, clause, _names(clauses[: at + 1]), rows_of.index, text)
        if found is not None and found.turned:
            facts[number] = replace(
                fact, kind=FactKind.ORDER, standing=Standing.IN_CONFLICT, why=_TURNED, place=found.place
            )
            return facts
        if found is not None:
            place = found.place
            facts = shown_by_span(facts, clause, found)
    if place is None:
        place = (
            told_gap(mention, at, clauses, rows_of.index, text)
            or multiple(mention, clauses, at, rows_of.index, text)
            or passage(mention, clauses, at, rows_of.index)
        )
    if place is not None:
        facts = [_lacked(_measured(one, mention, text), place) for one in facts]
        facts[number] = replace(
            fact, kind=FactKind.VALUE, standing=Standing.DERIVABLE, why="follows exactly", place=place, weight=weight
        )
    return facts


def _names(clauses: Sequence[ClauseAlignment]) -> list[Fact]:
    """Returns the names that the last of some clauses goes by: its own, else those of the one that it goes on from."""
    last = clauses[-1]
    for clause in reversed(clauses):
        names = named(clause)
        if names or clause.anchor != last.anchor:
            return names if clause.anchor == last.anchor else []
    return []


def _unopposed(fact: Fact, mention: Mention, text: str) -> Fact:
    """Returns a multiple with no figure against it, as none is one."""
    if fact.standing is not Standing.IN_CONFLICT or not is_multiple(mention, text):
        return fact
    return replace(fact, standing=Standing.SILENT, why=_MULTIPLE, place=None)


def _measured(fact: Fact, mention: Mention, text: str) -> Fact:
    """Returns `as long as` behind a multiple as what it says there: how long, and no condition."""
    is_beside = 0 <= fact.start - mention.end <= _BEHIND_TIMES and is_multiple(mention, text)
    if fact.kind is not FactKind.SCOPE or not fact.why.startswith("conditions") or not is_beside:
        return fact
    return replace(fact, standing=Standing.DERIVABLE, why="how many times as much")


def _lacked(fact: Fact, place: Place) -> Fact:
    """Returns a denial that a figure of another kind spoke against, once that figure is what its count comes from."""
    against = (
        fact.kind in (FactKind.DENIAL, FactKind.STATE)
        and fact.standing is Standing.IN_CONFLICT
        and fact.place is not None
    )
    if not against or fact.place is None or (fact.place.record, fact.place.start) != (place.record, place.start):
        return fact
    return replace(fact, standing=Standing.DERIVABLE, why="fewer than all")


def _derived(
    mention: Mention, at: int, clauses: Sequence[ClauseAlignment], rows_of: RowReader, text: str
) -> Place | None:
    value, index, clause = mention.value, rows_of.index, clauses[at]
    if not isinstance(value, Quantity):
        return None
    if value.measure == "time":
        return _duration(value, clauses[max(0, at - 2) : at + 2], index)
    if value.measure in ("share", "points"):
        return _of_stated(value, clauses, index)
    if value.measure == COUNT and goes_on(mention, clauses, at):
        return counted_members(mention, clauses, at, rows_of, text)
    if value.measure == COUNT:
        return (
            _count(value, mention, clause, rows_of, text)
            or listed(mention, clause, index)
            or _lacking(value, clause, index)
            or counted_members(mention, clauses, at, rows_of, text)
        )
    return None


def _duration(value: Quantity, near: Sequence[ClauseAlignment], index: EvidenceIndex) -> Place | None:
    """Returns the later of two moments that lie as far apart as the value says."""
    records = list(dict.fromkeys(one.anchor for one in near if one.anchor >= 0))
    moments = [
        one
        for one in index.instants
        if one.record in records and isinstance(one.mention.value, Instant) and one.mention.value.seconds is not None
    ][:_MOST_INSTANTS]
    for first in moments:
        for second in moments:
            if second.order <= first.order:
                continue
            gap = difference(second.mention.value, first.mention.value)
            if isinstance(gap, Quantity) and gap.low is not None:
                if gap.low < 0:
                    gap = replace(gap, low=-gap.low, high=-gap.low)
                if compare(value, gap) in AGREEING:
                    return Place(second.record, second.mention.start, second.mention.end)
    return None


def _of_stated(value: Quantity, clauses: Sequence[ClauseAlignment], index: EvidenceIndex) -> Place | None:
    """Returns where a share or a difference comes from: two values that the claim states."""
    bound = list(_bound(clauses, index))
    for first in bound:
        for second in bound:
            one, other = first.mention.value, second.mention.value
            if first is second or not (isinstance(one, Quantity) and isinstance(other, Quantity)):
                continue
            if one.measure != other.measure or one.low is None or other.low is None or not other.low:
                continue
            if value.measure == "points" and one.measure == "share":
                results = [(one.low - other.low) * 100]
            else:
                results = [one.low / other.low, one.low / other.low - 1]
            for result in results:
                if result > 0 and _equals(value, result):
                    return Place(first.record, first.mention.start, first.mention.end)
    return None


def _equals(value: Quantity, result: Decimal) -> bool:
    exact = Quantity(result, result, value.measure, Decimal(0), 28, value.unit)
    return compare(value, exact) in AGREEING


def _bound(clauses: Iterable[ClauseAlignment], index: EvidenceIndex) -> Iterable[ValueCell]:
    for clause in clauses:
        for fact in clause.facts:
            if fact.kind is FactKind.VALUE and fact.standing is Standing.STATED and fact.place is not None:
                cell = index.at_place.get((fact.place.record, fact.place.start))
                if cell is not None:
                    yield cell


def _count(value: Quantity, mention: Mention, clause: ClauseAlignment, rows_of: RowReader, text: str) -> Place | None:
    """Returns a row of the list whose rows of which the clause is true are as many as the value says.

    Of two counts in one clause (two of three nodes are ready) the greater one is how many rows it speaks of.
    """
    if clause.anchor < 0 or not (mention.counted or _is_of(text, mention)):
        return None
    rows = rows_of.rows(clause.anchor)
    if not rows or value.low is None or value.low != value.high:
        return None
    spoken = rows_of.spoken_of(rows, clause.clause, text)
    # A small count that a cell happens to hold says nothing: only one whose key names it is shown there.
    shown = {fact.start for fact in clause.facts if _has_place(fact) and fact.weight > 1}
    counts = [
        low for one in clause.clause.values if one.outer_start not in shown and (low := _counted(one)) is not None
    ]
    several = len(counts) > 1
    told = rows_of.told(clause.clause, text)
    is_among = _is_among(text, mention)
    in_all = any("total" in term.names for term in clause.clause.terms)
    is_whole = (
        is_among
        or in_all
        or (several and value.low == max(counts))
        or clause.clause.marked(*_ALL_OF) is not None
        or _is_definite(text, mention, len(rows))
    )
    if is_whole or not told:
        # All that there is: as many rows, where the clause says more of them or each row is one of a kind.
        known = len(spoken) < len(rows) or bool(told) or any(_has_place(fact) for fact in clause.facts)
        found = len(spoken) if known or len(rows) == value.low else -1
        if is_among and found != value.low:
            found = len(rows)  # of three nodes this one is the busiest
    else:
        holding = rows_of.in_states(spoken, clause.clause, text, events=True)
        found = -1 if holding is None else sum(_has_values(row, clause, rows_of) for row in holding)
    if found != value.low:
        return None
    one = rows_of.record(clause.anchor)
    return Place(clause.anchor, one.start, one.end)


def _lacking(value: Quantity, clause: ClauseAlignment, index: EvidenceIndex) -> Place | None:
    """Returns the figure of those that are in a state, where as many as the value says are missing to all (5 of 8)."""
    denied = next((fact for fact in clause.facts if fact.kind is FactKind.DENIAL or _is_negative(fact, clause)), None)
    if denied is None or clause.anchor < 0 or value.low is None or value.low != value.high:
        return None
    names = {
        name
        for term in clause.clause.terms
        if term.start == denied.start
        for name in term.names
        if name[0] != "@" and name != "not"
    }
    cells = [(one, low) for one in index.by_record.get(clause.anchor, ()) if (low := _counted(one.mention)) is not None]
    for one, having in cells:
        if not names & one.names or any(names & other.names for other, _ in cells if other.order != one.order):
            continue
        if any(low - having == value.low for other, low in cells if other.names & _ALL_THERE_IS):
            return Place(one.record, one.mention.start, one.mention.end)
    return None


def _is_negative(fact: Fact, clause: ClauseAlignment) -> bool:
    """Returns whether a state is one that denies another (unready)."""
    return fact.kind is FactKind.STATE and any(
        term.start == fact.start and "not" in term.names for term in clause.clause.terms
    )


def _counted(mention: Mention) -> Decimal | None:
    value = mention.value
    is_count = isinstance(value, Quantity) and value.measure == COUNT and value.low == value.high
    return value.low if is_count else None  # type: ignore[union-attr]


def _is_of(text: str, mention: Mention) -> bool:
    """Returns whether a number is so many of others (two of the three nodes)."""
    return text[mention.outer_end : mention.outer_end + 4].lower().startswith(" of ")


def _is_among(text: str, mention: Mention) -> bool:
    """Returns whether a number says of how many things one or some are told (of the five pods, 三个节点中)."""
    if _OF_THE.search(text, 0, mention.outer_start) is not None:
        return True
    return _AMONG.match(text, mention.outer_end) is not None


def _is_definite(text: str, mention: Mention, rows: int) -> bool:
    """Returns whether a number says how many there are of which the clause tells: `the two claims` of a list of two."""
    value = _counted(mention)
    return value == rows and text[: mention.outer_start].lower().endswith("the ")


def _has_place(fact: Fact) -> bool:
    return fact.kind is FactKind.VALUE and fact.standing is Standing.STATED and fact.place is not None


def _has_values(row: int, clause: ClauseAlignment, rows_of: RowReader) -> bool:
    """Returns whether a row has the values that a clause states of one of them."""
    return all(rows_of.has_same(row, fact.place) for fact in clause.facts if _has_place(fact) and fact.place)
