"""Checks what a clause says beyond one record: all, only, the highest, since, steadily, from one value to another."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Final

from evidencegate_server.judge.alignment.agents import not_by
from evidencegate_server.judge.alignment.bonds import BondChecker
from evidencegate_server.judge.alignment.denial import denied_in_evidence
from evidencegate_server.judge.alignment.index import EvidenceIndex, Place, ValueCell
from evidencegate_server.judge.alignment.model import HELD, NAMED, NUMBERED, ClauseAlignment, Fact, FactKind, Standing
from evidencegate_server.judge.alignment.rows import RowReader
from evidencegate_server.judge.alignment.shares import most_of
from evidencegate_server.judge.claims.model import ClaimReading, Clause
from evidencegate_server.judge.records.model import Cell, CellKind, RecordKind
from evidencegate_server.judge.values.compare import Relation, compare
from evidencegate_server.judge.values.model import COUNT, Instant, Mention, Quantity
from evidencegate_server.judge.vocabulary import Term

_SAME: Final = frozenset({Relation.EQUAL, Relation.INSIDE, Relation.WEAKER})
_Verdict = tuple[Standing, Place | None]
_SILENT: Final[_Verdict] = (Standing.SILENT, None)


class ScopeChecker:
    """Checks the marks of clauses against one evidence."""

    def __init__(self, index: EvidenceIndex, claim: ClaimReading) -> None:
        self._index = index
        self._traits = index.vocabulary.traits
        self._bonds = BondChecker(index)
        self._relations = index.vocabulary.relations
        self._all_before = self._ranged = False
        self._rows_of = RowReader(index)
        self._text = claim.text
        self._bound: list[tuple[int, ValueCell]] = []
        self._claimed = tuple(value for clause in claim.clauses for value in clause.values)

    def facts(self, alignment: ClauseAlignment, text: str) -> list[Fact]:
        """Returns how what reaches beyond one record stands, a fact for each mark that matters."""
        self.note(alignment)
        found: list[Fact] = []
        self._ranged = self._ranged or self._all_before
        self._all_before = self._all_before or alignment.clause.marked("@quantifiers.all") is not None
        changes = {name for name, _ in alignment.clause.marks if name.startswith("@change.")}
        for name, term in alignment.clause.marks:
            found += self._fact(name, term, alignment, changes, text)
        found += self._roles(alignment, text)
        found += not_by(alignment.facts, self._index, text, alignment.clause.start)
        last = next(
            (term for term in alignment.clause.terms if "last" in term.names and _is_row(term, alignment.clause)), None
        )
        since = next(
            (
                value
                for value in alignment.clause.values
                if isinstance(value.value, Instant) and value.value.bound == "since"
            ),
            None,
        )
        if (last is not None or since is not None) and alignment.anchor >= 0:
            found += self._last(last or since, alignment.anchor)
        return found

    def _roles(self, alignment: ClauseAlignment, text: str) -> list[Fact]:
        """Returns how it stands with who does what to whom, where a clause says that of two that it names.

        The evidence has to name the two in the same order, unless exactly one of both is in the passive: an order of
        words is weak proof, and without it a direction is refused.
        """
        clause = alignment.clause
        relation = next(
            (
                term
                for term in clause.terms
                if term.names[0][0] not in "=+" and self._relations.intersection(term.names)
            ),
            None,
        )
        named = [
            fact
            for fact in alignment.facts
            if fact.place is not None and fact.standing in HELD and self._is_one(fact, clause)
        ]
        everywhere = [fact for fact in alignment.facts if fact.kind is FactKind.NAME and fact.place is not None]
        bound = self._bonds.facts(clause, alignment.anchor, sorted(everywhere, key=lambda fact: fact.start), text)
        if bound or len(named) < 2:
            return bound
        named.sort(key=lambda fact: fact.start)
        first, last = named[0], named[-1]
        if relation is None:
            return self._turned(first, last)
        assert first.place is not None
        assert last.place is not None
        kind, span = FactKind.ORDER, (relation.start, relation.end)
        if not self._same_roles(clause, named):
            return [Fact(kind, Standing.SILENT, *span, "who does it to whom", None)]
        if first.place.record == last.place.record and first.place.start != last.place.start:
            between = self._index.text_at(first.place.record, *sorted((first.place.start, last.place.start)))
            claimed = text[clause.start : clause.end].lower()
            turned = any(sign in between.lower() for sign in _PASSIVE) != any(sign in claimed for sign in _PASSIVE)
            if (first.place.start < last.place.start) != turned:
                return [Fact(kind, Standing.DERIVABLE, *span, "in the same order", last.place)]
        return [Fact(kind, Standing.SILENT, *span, "who does it to whom", None)]

    def _is_one(self, fact: Fact, clause: Clause) -> bool:
        """Returns whether a fact names one of two between which something can go either way."""
        if fact.kind is FactKind.NAME and (fact.why == NAMED or _is_long(fact)):
            return True
        is_number = fact.kind is FactKind.VALUE or fact.why == NUMBERED
        return is_number and _is_id(fact, clause, self._traits["identifying"])

    def _same_roles(self, clause: Clause, named: Sequence[Fact]) -> bool:
        """Returns whether what is closest to each word for a role is the same in the claim and in the evidence."""
        for term in clause.terms:
            if term.names[0][0] in "=+" or not self._traits["directed"].intersection(term.names):
                continue
            claimed = min(named, key=lambda fact: _distance(fact.start, fact.end, term.start, term.end))
            assert claimed.place is not None
            record = claimed.place.record
            for name in term.names:
                for place in self._index.places.get(name, ()):
                    if place.record != record or place.in_name:
                        continue
                    shown = min(
                        (fact for fact in named if fact.place is not None and fact.place.record == record),
                        key=lambda fact: _distance(fact.place.start, fact.place.end, place.start, place.end),  # type: ignore[union-attr]
                    )
                    if shown is not claimed:
                        return False
        return True

    def _turned(self, first: Fact, last: Fact) -> list[Fact]:
        """Returns a doubt where a claim names two things in another order than the evidence, or joins two records.

        A row begins with what it is of; a sentence with who acts.
        """
        if first.kind is not FactKind.NAME or last.kind is not FactKind.NAME:
            return []
        assert first.place is not None
        assert last.place is not None
        one, other = first.place.record, last.place.record
        if one == other and first.place.start <= last.place.start:
            return []
        if one != other and (self._index.in_scope(one, other) or self._index.in_scope(other, one)):
            return []
        return [Fact(FactKind.ORDER, Standing.SILENT, first.start, first.end, "which is told of which")]

    def _last(self, term: Term | Mention | None, anchor: int) -> list[Fact]:
        """Returns whether the anchor is the last of its list, where the list is one in time."""
        rows = self._rows_of.rows(anchor)
        if term is None or len(rows) < 2 or anchor == rows[-1] or not self._is_in_time(rows):
            return []
        one = self._index.records[rows[-1]]
        place = Place(rows[-1], one.start, one.end)
        return [Fact(FactKind.SCOPE, Standing.PART, term.start, term.end, "another is the last", place)]

    def _is_in_time(self, rows: Sequence[int]) -> bool:
        records = self._index.records
        return all(
            any(
                isinstance(value.value, Instant)
                for cell in (
                    records[row].cells if records[row].kind is RecordKind.LINE else records[row].cells[:_LEADING]
                )
                for value in cell.values
            )
            for row in rows[:3]
        )

    def _fact(self, name: str, term: Term, alignment: ClauseAlignment, changes: set[str], text: str) -> list[Fact]:
        family = name[1:].split(".")[0]
        kind, check = _CHECKS.get(name) or _CHECKS.get("@" + family) or (None, None)
        if kind is None or check is None:
            return []
        if name == "@quantifiers.only" and any(value.start >= term.end for value in alignment.clause.values):
            return []  # only 25 rows: the figure is what is said
        if name == "@trend.steady" and _lasts(term, alignment.clause):
            return []
        if family == "change":
            if name in _DIRECTIONS and _pair(alignment.clause) is None:
                return self._moved(name, term, alignment)
            if name != _change_mark(changes) or _pair(alignment.clause) is None:
                return []
        if name == "@quantifiers.most":
            whole = self._bound[-1][1] if self._bound else None
            word = text[term.start : term.end]
            standing, place = most_of(word, alignment, whole, self._index)
        else:
            standing, place = check(self, name, alignment)
        if family != "comparison" and standing is Standing.SILENT:
            place = self._literal(name, alignment)
            if name == "@quantifiers.all" and self._is_gainsaid(alignment):
                place = None  # whatever all of it is, it is not what the clause speaks of
            standing = Standing.STATED if place is not None else Standing.SILENT
        return [Fact(kind, standing, term.start, term.end, name[1:], place)]

    def _literal(self, name: str, alignment: ClauseAlignment) -> Place | None:
        """Returns where the evidence uses a word of the same kind of its own, next to what the clause speaks of."""
        if alignment.anchor < 0:
            return None
        if name == "@quantifiers.all" and any(
            place.record == alignment.anchor for place in self._index.places.get(_EXCEPT, ())
        ):
            return None  # all but one is not all
        # What a heading stands over is where its figures are.
        told = {alignment.anchor} | {
            fact.place.record
            for fact in alignment.facts
            if fact.kind is FactKind.VALUE and fact.standing in HELD and fact.place is not None
        }
        return next((place for place in self._index.places.get(name, ()) if place.record in told), None)

    def _is_gainsaid(self, alignment: ClauseAlignment) -> bool:
        """Returns whether what is said of the anchor also denies a state of the clause or has its opposite."""
        index, anchor = self._index, alignment.anchor
        opposites = index.vocabulary.opposites
        for term in self._rows_of.states(alignment.clause):
            for name in term.names:
                for other, gainsays in ((name, True), *((opposite, False) for opposite in opposites.get(name, ()))):
                    for place in index.places.get(other, ()):
                        if index.in_scope(anchor, place.record) and denied_in_evidence(index, place) == gainsays:
                            return True
        return False

    def nothing(self, _name: str, _alignment: ClauseAlignment) -> _Verdict:
        """Leaves a mark to a word of the same kind in the evidence."""
        return _SILENT

    def all_of(self, _name: str, alignment: ClauseAlignment) -> _Verdict:
        """Checks that every row of the anchor's list has the value or state that the clause states."""
        anchor = alignment.anchor
        mark = alignment.clause.marked(_name)
        if mark is not None and self._text[mark.end :].lstrip().lower().startswith(_OWN):
            return _SILENT  # all their containers: of each, and not of all rows
        rows = self._rows_of.rows(anchor)
        spoken = self._rows_of.spoken_of(rows, alignment.clause, self._text) if len(rows) > 1 else ()
        if len(spoken) > 1:
            verdict = self._rows_hold(spoken, alignment)
            if verdict is not None:
                return verdict
        counted = self._counted_all(alignment)
        if counted is not None:
            return Standing.DERIVABLE, counted
        told = any(
            fact.kind is FactKind.VALUE and (cell := self._cell_of(fact)) is not None and cell.kind is CellKind.FIELD
            for fact in alignment.facts
        )
        if len(spoken) < 2 or not told or alignment.clause.marked("@quantifiers.whole"):
            return _SILENT
        return self._rows_have(spoken, alignment)

    def _rows_hold(self, rows: Sequence[int], alignment: ClauseAlignment) -> _Verdict | None:
        """Returns whether rows of a list are all in the states that a clause tells; None where it tells none."""
        if not self._rows_of.told(alignment.clause, self._text):
            return None
        holding = self._rows_of.in_states(rows, alignment.clause, self._text)
        if holding is None:
            return _SILENT
        other = next((row for row in rows if row not in holding), None)
        if other is not None:
            one = self._index.records[other]
            return self._exception(Place(other, one.start, one.end))
        return self._rows_have(rows, alignment)

    def _rows_have(self, rows: Sequence[int], alignment: ClauseAlignment) -> _Verdict:
        """Returns whether rows of a list all have the values that a clause states of one of them."""
        for fact in alignment.facts:
            cell = self._cell_of(fact) if fact.kind is FactKind.VALUE else None
            value = next((one for one in alignment.clause.values if one.outer_start == fact.start), None)
            if cell is None or cell.kind is not CellKind.FIELD or value is None:
                continue
            for row in rows:
                other = self._same_key(row, cell)
                if other is None or not other.values:
                    return _SILENT
                if compare(value.value, other.values[0].value) not in _SAME:
                    return self._exception(Place(row, other.start, other.end))
        one = self._index.records[alignment.anchor]
        return Standing.DERIVABLE, Place(alignment.anchor, one.start, one.end)

    def _exception(self, place: Place) -> _Verdict:
        """Returns what a row that is not as the others comes to: nothing, where a clause before says of which all."""
        return (Standing.SILENT if self._ranged else Standing.IN_CONFLICT), place

    def _counted_all(self, alignment: ClauseAlignment) -> Place | None:
        """Returns the figure that shows that all there are have what the clause states.

        The count of those that have it is the count of all (active 50 of max 50, 2 calls and 2 successes), or nothing
        is counted beside it (0 active, 0 succeeded, 2 failed).
        """
        index = self._index
        vocabulary = index.vocabulary
        counts: list[tuple[ValueCell, Decimal]] = []
        for fact in alignment.facts:
            if fact.kind is FactKind.VALUE and fact.standing in HELD and fact.place is not None:
                one = index.at_place.get((fact.place.record, fact.place.start))
                own = None if one is None else _single(one)
                if one is not None and own is not None and own[1] == COUNT and own[0] > 1:
                    counts.append((one, own[0]))
        said = {
            name
            for term in alignment.clause.terms
            for name in term.names
            if vocabulary.kind(name) in ("state", "event", "statistic")
        }
        for one, number in counts:
            near = [
                (other, value[0])
                for other in index.by_record.get(one.record, ())
                if other.order != one.order and (value := _single(other)) is not None and value[1] == COUNT
            ]
            having = [(other, value) for other, value in near if said & other.names]
            if any(value == number for _, value in having) or (
                said & one.names and any(value == number and other.names & _ALL_THERE_IS for other, value in near)
            ):
                return Place(one.record, one.mention.start, one.mention.end)
            beside = [value for other, value in near if abs(other.mention.start - one.mention.start) <= _ONE_COUNT]
            if said & one.names and beside and not any(beside):
                return Place(one.record, one.mention.start, one.mention.end)
        return None

    def only_one(self, _name: str, alignment: ClauseAlignment) -> _Verdict:
        """Checks that no other row of the anchor's list has the state or value that the clause states."""
        cell = next((cell for fact in alignment.facts if (cell := self._cell_of(fact)) is not None), None)
        rows = self._rows_of.rows(alignment.anchor)
        if cell is None or len(rows) < 2:
            return _SILENT
        for row in rows:
            other = self._same_key(row, cell)
            if row != alignment.anchor and (other is None or other.text.strip().lower() == cell.text.strip().lower()):
                return _SILENT
        return Standing.DERIVABLE, Place(alignment.anchor, cell.start, cell.end)

    def denied_earlier(self, _name: str, alignment: ClauseAlignment) -> _Verdict:
        """Lets an earlier stand but for one that denies (never before), which no present state proves."""
        if alignment.clause.marked("@negation", "@zero", "@quantifiers.none", "@quantifiers.never"):
            return _SILENT
        one = self._index.records[alignment.anchor] if alignment.anchor >= 0 else None
        return _SILENT if one is None else (Standing.DERIVABLE, Place(alignment.anchor, one.start, one.end))

    def again(self, _name: str, alignment: ClauseAlignment) -> _Verdict:
        """Checks an again by another row of the anchor's list that has what the clause names and tells.

        Where the clause names its time, the other row has to be an earlier one.
        """
        index, kind = self._index, self._index.vocabulary.kind
        if any(_is_several_times(value) for value in self._claimed):
            one = index.records[max(alignment.anchor, 0)]
            return Standing.DERIVABLE, Place(one.index, one.start, one.end)  # the claim counts them itself
        told = [
            {name for name in term.names if name[0] == "=" or kind(name) in ("state", "event")}
            for term in alignment.clause.terms
        ]
        told = [names for names in told if names]
        timed = any(isinstance(value.value, Instant) for value in alignment.clause.values)
        for row in self._rows_of.rows(alignment.anchor):
            if row == alignment.anchor or (timed and row > alignment.anchor):
                continue
            if told and all(not names.isdisjoint(index.names[row]) for names in told):
                one = index.records[row]
                return Standing.DERIVABLE, Place(row, one.start, one.end)
        return _SILENT

    def since(self, name: str, alignment: ClauseAlignment) -> _Verdict:
        """Checks a since or from by the instant that it names: whether the time after it is covered, `_last` asks.

        A word for up to now (至今) on a denial says no more than not yet.
        """
        mark = alignment.clause.marked(name)
        if mark is not None and "@time_scope.until" in mark.names:
            yet = next((fact for fact in alignment.facts if fact.kind is FactKind.DENIAL), None)
            if yet is not None and yet.standing in HELD:
                return Standing.DERIVABLE, yet.place
        for fact in alignment.facts:
            if fact.kind is FactKind.VALUE and fact.standing in HELD and fact.place is not None:
                cell = self._index.at_place.get((fact.place.record, fact.place.start))
                if cell is not None and isinstance(cell.mention.value, Instant):
                    return Standing.DERIVABLE, fact.place
        return _SILENT

    def always(self, _name: str, alignment: ClauseAlignment) -> _Verdict:
        """Checks an always by a figure for how long it has been so."""
        for _, cell in self._bound:
            if cell.names & self._traits["lasting"]:
                return Standing.DERIVABLE, Place(cell.record, cell.mention.start, cell.mention.end)
        own = (
            [one for one in self._index.scope_values(alignment.anchor) if one.names & self._traits["lasting"]]
            if alignment.anchor >= 0
            else []
        )
        ages = {
            one.order
            for one in own
            for value in self._claimed
            if compare(value.value, one.mention.value) is Relation.EQUAL
        }
        found = next((one for one in own if one.order in ages), None)
        return (
            _SILENT
            if found is None
            else (Standing.DERIVABLE, Place(found.record, found.mention.start, found.mention.end))
        )

    def extreme(self, name: str, alignment: ClauseAlignment) -> _Verdict:
        """Checks that no row of the anchor's list has more (or less) in the column that the clause speaks of."""
        column = self._column(alignment)
        if column is None:
            return _SILENT
        highest = name.endswith("highest")
        limit = self._limit_of(column, "maximum" if highest else "minimum", alignment.anchor)
        if limit is not None and "limit" not in column.names:
            return Standing.STATED, _place(limit)
        if ("maximum" if highest else "minimum") in column.names:
            return Standing.STATED, Place(column.record, column.mention.start, column.mention.end)
        own = _single(column)
        rows = self._rows_of.rows(alignment.anchor)
        if own is None or len(rows) < 2:
            return _SILENT
        for row in rows:
            other = self._same_key(row, column.cell)
            if other is None or row == alignment.anchor:
                continue
            for mention in other.values[:1]:
                value = mention.value
                if not isinstance(value, Quantity) or value.low is None or value.measure != own[1]:
                    continue
                if (value.low > own[0]) if highest else (value.low < own[0]):
                    return Standing.IN_CONFLICT, Place(row, other.start, other.end)
        return Standing.DERIVABLE, Place(alignment.anchor, column.mention.start, column.mention.end)

    def _limit_of(self, column: ValueCell, bound: str, anchor: int) -> ValueCell | None:
        """Returns the field that names the same figure as the most (or least) there may be."""
        own = _single(column)
        cells = self._index.scope_values(anchor) if anchor >= 0 and own is not None else []
        return next((one for one in cells if bound in one.names and _single(one) == own), None)

    def compared(self, name: str, alignment: ClauseAlignment) -> _Verdict:
        """Checks a comparison between two figures of the claim: the last one before the word, the first behind it.

        Where no figure stands on either side (above the target), the evidence has to compare with the same word.
        """
        mark = next(term for one, term in alignment.clause.marks if one == name)
        behind = next((one for one in self._bound if one[0] >= mark.end), None)
        before = next((one for one in reversed(self._bound) if one[0] < mark.start), None)
        than = self._text.find("比", alignment.clause.start, mark.start)
        if than >= 0:  # A 比 B 高出 D
            behind = next((one for one in self._bound if than <= one[0] < mark.start), None)
            before = next((one for one in reversed(self._bound) if one[0] < than), None)
        if before is None and behind is not None:
            before = self._figure_of(alignment, behind)
        if behind is None and not any(value.start >= mark.end for value in alignment.clause.values):
            return self._compared_there(name, mark, alignment)
        if behind is None or before is None:
            return _SILENT
        left, right = self._amounts(before, behind)
        if left is None or right is None or left[1] != right[1] or left[0] == right[0]:
            return _SILENT
        greater = left[0] > right[0]
        denied = any(one.startswith("@negation") and term.end <= mark.start for one, term in alignment.clause.marks)
        agrees = greater == (name.endswith("greater") != denied)
        cell = before[1]
        return (Standing.DERIVABLE if agrees else Standing.IN_CONFLICT), _place(cell)

    def _figure_of(self, alignment: ClauseAlignment, behind: tuple[int, ValueCell]) -> tuple[int, ValueCell] | None:
        """Returns the figure that a clause compares without stating it (less free space than the threshold)."""
        right = _single(behind[1])
        if right is None or alignment.anchor < 0:
            return None
        vocabulary = self._index.vocabulary
        asked = {
            name
            for term in alignment.clause.terms
            for name in term.names
            if vocabulary.kind(name) in ("statistic", "attribute")
        } - behind[1].names
        found: list[ValueCell] = []
        for one in self._index.scope_values(alignment.anchor):
            own = _single(one)
            near = one.names | {name for named in one.names for name in vocabulary.akin.get(named, ())}
            if own is not None and one.order != behind[1].order and asked & near and own[1] in (right[1], "size"):
                found.append(one)
        return (-1, found[0]) if len(found) == 1 else None

    def _amounts(
        self, before: tuple[int, ValueCell], behind: tuple[int, ValueCell]
    ) -> tuple[tuple[Decimal, str] | None, tuple[Decimal, str] | None]:
        """Returns two figures to compare: as the evidence has them, or as the claim does where units differ there."""
        left, right = _single(before[1]), _single(behind[1])
        if left is not None and right is not None and left[1] == right[1]:
            return left, right
        claimed = {value.outer_start: value for value in self._claimed}
        return tuple(_amount(claimed[at]) if (at := one[0]) in claimed else None for one in (before, behind))  # type: ignore[return-value]

    def _compared_there(self, name: str, mark: Term, alignment: ClauseAlignment) -> _Verdict:
        """Returns whether the evidence compares by the same word with what the clause names behind it."""
        index = self._index
        noun = next(
            (
                term
                for term in alignment.clause.terms
                if term.start >= mark.end and any(index.vocabulary.kind(one) in _COMPARED for one in term.names)
            ),
            None,
        )
        if noun is None or alignment.clause.marked("@negation") is not None:
            return _SILENT
        words = (name, "exceed") if name.endswith("greater") else (name,)
        for word in words:
            for place in index.places.get(word, ()):
                if place.record != alignment.anchor or denied_in_evidence(index, place):
                    continue
                for one in noun.names:
                    for other in index.places.get(one, ()):
                        gap = max(other.start - place.end, place.start - other.end)
                        if other.record == place.record and gap <= _BESIDE_WORD:
                            return Standing.STATED, place
        return _SILENT

    def note(self, alignment: ClauseAlignment) -> None:
        """Keeps the figures of a clause that the evidence bears out, for comparisons in it and behind it."""
        for fact in alignment.facts:
            if fact.kind is FactKind.VALUE and fact.standing in HELD and fact.place is not None:
                cell = self._index.at_place.get((fact.place.record, fact.place.start))
                if cell is not None:
                    self._bound.append((fact.start, cell))

    def _moved(self, name: str, term: Term, alignment: ClauseAlignment) -> list[Fact]:
        """Returns how a rise or fall to one value stands beside the row before, where there is one."""
        cell = next(
            (
                found
                for fact in alignment.facts
                if fact.kind is FactKind.VALUE and fact.standing in HELD and fact.place is not None
                if (found := self._index.at_place.get((fact.place.record, fact.place.start))) is not None
            ),
            None,
        )
        if cell is not None and self._is_turned(name, cell):
            place = Place(cell.record, cell.mention.start, cell.mention.end)
            return [Fact(FactKind.ORDER, Standing.PART, term.start, term.end, "it moved the other way", place)]
        own = None if cell is None else _single(cell)
        rows = self._rows_of.rows(alignment.anchor)
        if cell is None or own is None or alignment.anchor not in rows or rows.index(alignment.anchor) == 0:
            return []
        before = self._same_key(rows[rows.index(alignment.anchor) - 1], cell.cell)
        if before is None or len(before.values) != 1:
            return []
        value = before.values[0].value
        if not isinstance(value, Quantity) or value.low is None or value.measure != own[1] or value.low == own[0]:
            return []
        rises = own[0] > value.low
        if rises == name.endswith("up"):
            return []
        place = Place(rows[rows.index(alignment.anchor) - 1], before.start, before.end)
        return [Fact(FactKind.ORDER, Standing.PART, term.start, term.end, "it moved the other way", place)]

    def _is_turned(self, name: str, cell: ValueCell) -> bool:
        """Returns whether the word right before a figure says that it moved the other way."""
        terms = self._index.terms[cell.record]
        at = bisect_left(terms, cell.mention.start, key=lambda term: term.start) - 1
        other = _DIRECTIONS[1] if name == _DIRECTIONS[0] else _DIRECTIONS[0]
        return at >= 0 and other in terms[at].names and cell.mention.start - terms[at].end <= 1

    def changed(self, name: str, alignment: ClauseAlignment) -> _Verdict:
        """Checks that the first value of a clause stands before the second, for one key, or with an arrow between."""
        index = self._index
        pair = _pair(alignment.clause)
        if pair is None:
            return _SILENT
        first, second = pair
        if name in _DIRECTIONS and not _goes(first, second, up=name.endswith("up")):
            return Standing.IN_CONFLICT, None
        olds = [one for one in index.values if compare(first.value, one.mention.value) is Relation.EQUAL]
        news = [one for one in index.values if compare(second.value, one.mention.value) is Relation.EQUAL]
        backward: Place | None = None
        for old in olds[:50]:
            for new in news[:50]:
                if not self._one_series(old, new):
                    continue
                place = Place(new.record, new.mention.start, new.mention.end)
                forward = old.arrow == "first" if old.record == new.record and old.arrow else old.order < new.order
                if forward:
                    return Standing.DERIVABLE, place
                backward = backward or place
        if backward is not None:
            return Standing.IN_CONFLICT, backward
        return _SILENT

    def _one_series(self, old: ValueCell, new: ValueCell) -> bool:
        index = self._index
        one, other = index.records[old.record], index.records[new.record]
        if old.record == new.record:
            if old.arrow and new.arrow:
                return old.arrow != new.arrow
            text = index.evidence.texts[one.source]
            first, last = sorted((old.mention, new.mention), key=lambda mention: mention.start)
            between = text[first.end : last.start].lower()
            return len(between) < 40 and any(sign in between for sign in _ARROWS)
        return old.cell.key == new.cell.key and one.source == other.source and one.group >= 0 and other.group >= 0

    def _cell_of(self, fact: Fact) -> Cell | None:
        if fact.kind not in (FactKind.VALUE, FactKind.STATE, FactKind.DENIAL) or fact.standing not in HELD:
            return None
        if fact.place is None:
            return None
        for cell in self._index.records[fact.place.record].cells:
            if cell.start <= fact.place.start < cell.end:
                return cell
        return None

    def _same_key(self, row: int, cell: Cell) -> Cell | None:
        return next((one for one in self._index.records[row].cells if one.key == cell.key), None)

    def _column(self, alignment: ClauseAlignment) -> ValueCell | None:
        """Returns the value of the anchor that the clause speaks of: the one it states, else the one whose key fits."""
        index = self._index
        own = [one for one in index.values if one.record == alignment.anchor]
        stated = {
            (fact.place.record, fact.place.start)
            for fact in alignment.facts
            if fact.kind is FactKind.VALUE and fact.standing in HELD and fact.place is not None
        }
        for one in own:
            if (one.record, one.mention.start) in stated:
                return one
        wanted = {
            name
            for term in alignment.clause.terms
            for name in term.names
            if index.vocabulary.kind(name) in ("attribute", "statistic", "side")
        }
        best: ValueCell | None = None
        most = 0
        for one in own:
            shared = len(wanted & one.names)
            if shared > most:
                best, most = one, shared
        return best


def _pair(clause: Clause) -> tuple[Mention, Mention] | None:
    """Returns the last two amounts of one measure, between which a change is told."""
    amounts = [value for value in clause.values if isinstance(value.value, Quantity)]
    if len(amounts) < 2:
        return None
    first, second = amounts[-2:]
    same = isinstance(first.value, Quantity) and isinstance(second.value, Quantity)
    return (first, second) if same and first.value.measure == second.value.measure else None  # type: ignore[union-attr]


def _distance(start: int, end: int, other_start: int, other_end: int) -> int:
    return max(start - other_end, other_start - end)


def _is_long(fact: Fact) -> bool:
    return fact.why == NUMBERED and fact.end - fact.start >= _LONG_NUMBER


def _is_id(fact: Fact, clause: Clause, identifying: frozenset[str]) -> bool:
    """Returns whether a number is what something goes by (process 47990)."""
    return any(0 <= fact.start - term.end <= 1 and identifying.intersection(term.names) for term in clause.terms)


def _is_row(term: Term, clause: Clause) -> bool:
    """Returns whether a last is the last of several, and no stretch of time (the last 5 minutes) or part of a name."""
    if term.names[0][0] in "=+":
        return False
    return not any(
        isinstance(value.value, Quantity) and value.value.measure == "time" and 0 <= value.outer_start - term.end <= 2
        for value in clause.values
    )


def _lasts(term: Term, clause: Clause) -> bool:
    """Returns whether a word says how long something went on, not that it rose or fell (持续约三分钟)."""
    return any(
        isinstance(value.value, Quantity) and value.value.measure == "time" and 0 <= value.outer_start - term.end <= 2
        for value in clause.values
    )


def _goes(first: Mention, second: Mention, *, up: bool) -> bool:
    """Returns whether the second of two amounts is the greater one, or the lesser."""
    one, other = first.value, second.value
    if not (isinstance(one, Quantity) and isinstance(other, Quantity)) or one.low is None or other.low is None:
        return True
    return one.low != other.low and (other.low > one.low) == up


def _place(cell: ValueCell) -> Place:
    return Place(cell.record, cell.mention.start, cell.mention.end)


def _amount(mention: Mention) -> tuple[Decimal, str] | None:
    value = mention.value
    if isinstance(value, Quantity) and value.low is not None and value.low == value.high:
        return value.low, value.measure
    return None


def _single(one: ValueCell) -> tuple[Decimal, str] | None:
    return _amount(one.mention)


def _is_several_times(mention: Mention) -> bool:
    value = mention.value
    return (
        isinstance(value, Quantity)
        and value.measure == COUNT
        and mention.counted.lower().startswith(_TIMES)
        and value.low is not None
        and value.low > 1
    )


def _change_mark(changes: set[str]) -> str:
    """Returns the mark of a clause that a change is checked at, so that it is checked once."""
    for name in ("@change.turn", "@change.up", "@change.down"):
        if name in changes:
            return name
    return "@change.target" if {"@change.source", "@change.target"} <= changes else ""


_LONG_NUMBER: Final = 4
_LEADING: Final = 2  # cells, one of which has the time in a list in time
_OWN: Final = ("their ", "its ", "of their ", "of its ")
_COMPARED: Final = frozenset({"statistic"})  # a limit, a target, a quota
_BESIDE_WORD: Final = 24  # code points between a word of comparison and what it compares with
_PASSIVE: Final = (" by ", "\u88ab", "\u7531")
_ALL_THERE_IS: Final = frozenset({"total", "maximum", "limit", "capacity", "desired", "quota"})
_ONE_COUNT: Final = 60  # code points within which figures are parts of one count (0 Active / 2 Failed)
_EXCEPT: Final = "@quantifiers.other"
_DIRECTIONS: Final = ("@change.up", "@change.down")
_ARROWS: Final = ("->", "→", "=>", "to", "到", "至", "变", "改")
_TIMES: Final = ("times", "次")
_Check = Callable[[ScopeChecker, str, ClauseAlignment], _Verdict]
_BLOCK: Final[tuple[FactKind, _Check]] = (FactKind.SCOPE, ScopeChecker.nothing)
_CHECKS: Final[Mapping[str, tuple[FactKind, _Check]]] = {
    "@quantifiers.all": (FactKind.SCOPE, ScopeChecker.all_of),
    "@quantifiers.each": (FactKind.SCOPE, ScopeChecker.all_of),
    "@quantifiers.both": (FactKind.SCOPE, ScopeChecker.all_of),
    "@quantifiers.most": _BLOCK,
    "@quantifiers.only": (FactKind.SCOPE, ScopeChecker.only_one),
    "@quantifiers.always": (FactKind.SCOPE, ScopeChecker.always),
    "@quantifiers.whole": _BLOCK,
    "@quantifiers.sometimes": _BLOCK,
    "@quantifiers.at_same_rank": _BLOCK,
    "@comparison.highest": (FactKind.SCOPE, ScopeChecker.extreme),
    "@comparison.lowest": (FactKind.SCOPE, ScopeChecker.extreme),
    "@comparison.greater": (FactKind.SCOPE, ScopeChecker.compared),
    "@comparison.less": (FactKind.SCOPE, ScopeChecker.compared),
    "@comparison.different": _BLOCK,
    "@trend": _BLOCK,
    "@time_scope.since": (FactKind.SCOPE, ScopeChecker.since),
    "@time_scope.whole": _BLOCK,
    "@time_scope.again": (FactKind.SCOPE, ScopeChecker.again),
    "@time_scope.earlier": (FactKind.SCOPE, ScopeChecker.denied_earlier),
    "@time_scope.other_day": (FactKind.SCOPE, ScopeChecker.since),
    "@conditions": _BLOCK,
    "@risk": _BLOCK,
    "@judgements": _BLOCK,
    "@near": _BLOCK,
    "@cause.forward": (FactKind.CAUSE, ScopeChecker.nothing),
    "@cause.backward": (FactKind.CAUSE, ScopeChecker.nothing),
    "@cause.heads": (FactKind.CAUSE, ScopeChecker.nothing),
    "@order.after": (FactKind.ORDER, ScopeChecker.nothing),
    "@order.before": (FactKind.ORDER, ScopeChecker.nothing),
    "@order.first": (FactKind.ORDER, ScopeChecker.nothing),
    "@order.then": (FactKind.ORDER, ScopeChecker.nothing),
    "@change": (FactKind.ORDER, ScopeChecker.changed),
}
