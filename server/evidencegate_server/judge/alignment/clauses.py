"""Finds the record that a clause tells of, and how each fact of the clause stands beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from evidencegate_server.contract.records import record, replace
from evidencegate_server.judge.alignment.cell_forms import whole_of
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.letters import letter_facts, letters_of
from evidencegate_server.judge.alignment.lines import beside_its_state, of_their_subject, on_one_line
from evidencegate_server.judge.alignment.model import (
    ELSEWHERE,
    HELD,
    NAMED,
    NUMBERED,
    ClauseAlignment,
    Fact,
    FactKind,
    Standing,
)
from evidencegate_server.judge.alignment.moments import Moment, moment_of
from evidencegate_server.judge.alignment.names import Name, NameFinder
from evidencegate_server.judge.alignment.numbered import NumberedFinder
from evidencegate_server.judge.alignment.said import OPENING, Word, said_of
from evidencegate_server.judge.alignment.states import state_fact
from evidencegate_server.judge.alignment.values import ValueAligner
from evidencegate_server.judge.alignment.view import Telling, View
from evidencegate_server.judge.alignment.words import word_fact
from evidencegate_server.judge.claims.model import Clause
from evidencegate_server.judge.records.model import RecordKind
from evidencegate_server.judge.values.compare import Relation, compare
from evidencegate_server.judge.values.model import Instant, Mention, Quantity
from evidencegate_server.judge.vocabulary import Term

_BE: Final = "be"
_THERE_IS: Final = re.compile(r"\u6709|ha(?:s|ve|d)\b(?! been)", re.IGNORECASE)
_SMALL: Final = re.compile(r"[a-z]{3,}")
_MOST_ANCHORS: Final = 48
_WIDE_MARKS: Final = (
    "@negation",
    "@zero",
    "@quantifiers.none",
    "@quantifiers.all",
    "@quantifiers.any",
    "@quantifiers.never",
)
_QUOTED: Final = 2.5  # what it is worth that a claim quotes a record
_FRAMED: Final = 2.0  # what it takes from a record that it is asked, expected or supposed
_LAST: Final = 2.0  # what being the last of its list is worth where a clause speaks of the last
_GOES_ON: Final = 1.5  # what staying with the record of the clause before is worth to a clause without a name
_REACHED: Final = 0.4  # what each name that reaches a record is worth, twice that where it is said of the record
# What each hint at a record counts in the choice of those to try.
_GUIDE_HINT: Final = 4
_VALUE_HINT: Final = 3
_WORD_HINT: Final = 1
_QUOTED_HINT: Final = 4
_BEFORE_HINT: Final = 1
_SCORES: Final = {
    Standing.STATED: 1.0,
    Standing.DERIVABLE: 0.8,
    Standing.PART: 0.3,
    Standing.SILENT: 0.0,
    Standing.FOREIGN: 0.0,
    Standing.IN_CONFLICT: -0.2,
}
_WEIGHTS: Final = {
    FactKind.NAME: 3.0,
    FactKind.VALUE: 3.0,
    FactKind.STATE: 2.0,
    FactKind.DENIAL: 2.0,
    FactKind.WORD: 0.5,
    FactKind.SCOPE: 0.0,
    FactKind.CAUSE: 0.0,
    FactKind.ORDER: 0.0,
}
_RELATIVES: Final = frozenset({"@relatives"})
_NOUNS: Final = frozenset({"thing", "side"})
_VERBS: Final = frozenset({"state", "event"})
_SEQUENCE: Final = (
    "@order.after",
    "@order.before",
    "@order.then",
    "@order.first",
    "@order.initially",
    "@order.precedes",
    "@order.follows",
)


@record
class Attempt:
    """A clause read against one anchor."""

    anchor: int
    named: bool
    score: float
    facts: tuple[Fact, ...]


def _rank(attempt: Attempt, before: int) -> tuple[bool, float, bool, int]:
    """Ranks attempts: every name of the clause first, then what stands there, then the record of the clause before."""
    return attempt.named, attempt.score, attempt.anchor == before, -attempt.anchor


class ClauseAligner:
    """Aligns clauses with the records of one evidence."""

    def __init__(
        self,
        index: EvidenceIndex,
        focus: frozenset[int] | None = None,
        text: str = "",
        asked: Sequence[frozenset[str]] = (),
    ) -> None:
        self._asked = asked
        self._index = index
        self._focus = focus
        self._text = text
        self._values = ValueAligner(index, focus, text)
        self._names = NameFinder(index, text)
        self._numbered = NumberedFinder(index)
        self._last: Name | None = None  # of those that the clauses so far name
        self._told: set[str] = set()  # the keys of the figures that the clause before tells
        self._is_next_event = self._is_in_order = False

    def align(self, clause: Clause, subject: Sequence[Name], before: int) -> tuple[ClauseAlignment, tuple[Name, ...]]:
        """Returns how a clause stands, and the names that it goes by.

        `subject` are the names of the clause before, which hold on where this one has none; `before` is the record
        that the clause before was found in, -1 for none: where records fit equally well, it goes on.
        """
        if self._last is not None and _is_relative(clause):
            subject = (self._last,)
        # What comes behind another event is told where it happened, and not where that one was told.
        was_in_order, self._is_in_order = self._is_in_order, clause.marked(*_SEQUENCE) is not None
        self._is_next_event = was_in_order or self._is_in_order
        whole = clause
        clause, names = self._named(clause)
        own = tuple(name for name in names if name.places)
        if self._is_next_event and not names and self._has_own_subject(clause):
            subject = ()
        self._last = own[-1] if own else self._last
        leads = bool(own) and self._names.leads(clause, own[0].term)
        telling = Telling(
            clause,
            names,
            # Only a name that begins its clause is what the clause is of; another one is said of the subject so far.
            guides=own if own and (not subject or leads) else (*subject, *own),
            is_hedged=clause.marked("@hedges") is not None,
            is_wide=clause.marked(*_WIDE_MARKS) is not None,
            latin=frozenset(
                term.start for term in clause.terms if _SMALL.fullmatch(self._text, term.start, term.end) is not None
            ),
            existing=frozenset(
                term.start
                for term in clause.terms
                if _BE in term.names and _THERE_IS.match(self._text, term.start) is not None
            ),
            said=said_of(clause, {name.term.start for name in names}, self._index.vocabulary, self._text),
            letters=letters_of(clause, self._index.vocabulary),
            wants_last=clause.marked("@time_scope.latest") is not None
            or any("last" in term.names and term.names[0][0] not in "=+" for term in clause.terms),
        )
        anchors = self._anchors(telling, before) or [-1]
        attempts = (self._attempt(view, reached, before) for view, reached in self._most_named(telling, anchors))
        best = max(attempts, key=lambda attempt: _rank(attempt, before))
        self._told = {key for fact in best.facts for key in self._keys(fact)} or self._told
        return ClauseAlignment(whole, best.anchor, best.facts), tuple(own[:1] if leads else subject or own[:1])

    def _has_own_subject(self, clause: Clause) -> bool:
        """Returns whether a clause begins with a noun that something is then said of (the leader crashed)."""
        kind = self._index.vocabulary.kind
        kinds = [{kind(name) for name in term.names if name[0] != "@"} - {"soft", ""} for term in clause.terms]
        told = [at for at, one in enumerate(kinds) if one]
        if len(told) < 2 or not kinds[told[-1]] & _VERBS:
            return False
        has_article = told[0] > 0 and "article" in clause.terms[told[0] - 1].names
        return has_article or bool(kinds[told[0]] & _NOUNS)

    def _named(self, clause: Clause) -> tuple[Clause, tuple[Name, ...]]:
        """Returns a clause without the numbers that are names, and all its names."""
        clause = self._names.with_rows(clause)
        numbered = self._numbered.names(clause)
        names = self._names.names(clause)
        if not numbered:
            return clause, names
        taken = {mention.start for mention, _ in numbered}
        values = tuple(value for value in clause.values if value.start not in taken)
        both = sorted((*names, *(name for _, name in numbered)), key=lambda name: name.term.start)
        return replace(clause, values=values), tuple(both)

    def _anchors(self, telling: Telling, before: int) -> list[int]:
        """Returns the records that a clause may tell of, the likelier first."""
        counts: dict[int, int] = {}
        for records, worth in self._hints(telling):
            for one in records:
                counts[one] = counts.get(one, 0) + worth
        for one in self._focus or ():
            if one in counts:
                counts[one] += _QUOTED_HINT
        if before >= 0:
            counts[before] = counts.get(before, 0) + _BEFORE_HINT
        ranked = sorted(counts, key=lambda one: (-counts[one], one))
        return ranked[:_MOST_ANCHORS]

    def _hints(self, telling: Telling) -> Iterator[tuple[Iterable[int], int]]:
        """Returns the records that have a name, a value or a word of a clause, with what that counts for them."""
        for guide in telling.guides:
            yield {place.record for place in guide.places}, _GUIDE_HINT
        if self._index.sampled:
            yield self._samples(telling), _VALUE_HINT
        for value in telling.clause.values:
            yield self._values.holders(value), _VALUE_HINT
        for term in telling.clause.terms:
            for name in term.names:
                links = self._index.links.get(name, ())
                if self._index.vocabulary.kind(name) == "thing" and len(links) <= _MOST_ANCHORS:
                    yield {link.place.record for link in links}, _WORD_HINT
                if name[0] not in "@=":
                    yield from self._by_words(name)
                    for state in self._index.vocabulary.implied_by.get(name, ()):
                        yield from self._by_words(state)

    def _by_words(self, name: str) -> Iterator[tuple[Iterable[int], int]]:
        """Returns the records that have a word, unless it is everywhere."""
        places = self._index.places.get(name, ())
        if places and len(places) <= _MOST_ANCHORS:
            yield {place.record for place in places}, _WORD_HINT

    def _samples(self, telling: Telling) -> set[int]:
        """Returns the metrics and samples that a clause may tell of: those at its end of a series, or in its states."""
        index = self._index
        sampled = index.sampled
        moment = moment_of(telling.clause, self._text, index.vocabulary)
        at = 0 if moment is not None and moment[0] is Moment.FIRST else -1
        metrics = {place.record for guide in telling.guides for place in guide.places} or sampled.metrics
        found = {rows[at] for one in metrics if (rows := sampled.rows_of(one))}
        names = (name for term in telling.clause.terms for name in term.names)
        for one in (flag.place.record for name in names for flag in index.flags.get(name, ())):
            if one in sampled.metrics or (moment is None and sampled.rows_of(index.records[one].parent)):
                found.add(one)
        return found if len(found) <= _MOST_ANCHORS else set()

    def _most_named(self, telling: Telling, anchors: Sequence[int]) -> list[tuple[View, list[int]]]:
        """Returns the records to try, with how well each guide reaches them: only those that all reach, if any is."""
        views = [View(self._index, self._focus, telling, anchor, asked=self._asked_for(anchor)) for anchor in anchors]
        tried = [(view, [view.reach(guide) for guide in telling.guides]) for view in views]
        return [one for one in tried if all(one[1])] or tried

    def _asked_for(self, anchor: int) -> frozenset[str]:
        """Returns the words of the call that returned the text of a record."""
        source = self._index.records[anchor].source if anchor >= 0 else len(self._asked)
        return self._asked[source] if source < len(self._asked) else frozenset()

    def _attempt(self, view: View, reached: Sequence[int], before: int) -> Attempt:
        telling, anchor = view.telling, view.anchor
        clause = telling.clause
        facts = [*_name_facts(view), *self._values.facts(clause, anchor)]
        if not telling.guides and self._is_other_row(telling, anchor, before) and not self._goes_on(telling, facts):
            facts.append(Fact(FactKind.NAME, Standing.SILENT, telling.start, clause.end, "told of another row"))
        view = replace(view, figures=self._figures(facts), counts=self._counts(clause, anchor))
        facts = on_one_line(facts, _by_name(telling), self._index)
        facts = beside_its_state([*facts, *_as_quoted(_word_facts(view), clause, self._text)], clause, self._index)
        if (
            telling.names
            and telling.guides[:1] == telling.names[:1]
            and self._names.leads(clause, telling.names[0].term)
        ):
            facts = of_their_subject(facts, telling.names, self._index)
        facts += letter_facts(view)
        own = {name.term.start for name in telling.names}
        facts += (
            Fact(FactKind.NAME, Standing.SILENT, telling.start, clause.end, "told of something else", guide.places[0])
            for guide, links in zip(telling.guides, reached, strict=True)
            if not links and guide.term.start not in own
        )
        score = sum(_SCORES[fact.standing] * _WEIGHTS[fact.kind] for fact in facts) + _REACHED * sum(reached)
        return Attempt(anchor, all(reached), self._with_place(score, telling, anchor, before), tuple(facts))

    def _with_place(self, score: float, telling: Telling, anchor: int, before: int) -> float:
        """Returns the score of an attempt with what its record is worth, whatever it says."""
        if self._focus is not None and anchor in self._focus:
            score += _QUOTED
        if anchor >= 0 and self._index.is_framed(anchor):
            score -= _FRAMED
        if telling.wants_last and self._is_last(anchor):
            score += _LAST
        if anchor == before >= 0 and not telling.names and not self._is_next_event:
            score += _GOES_ON
        return score

    def _figures(self, facts: Sequence[Fact]) -> frozenset[str]:
        """Returns what the keys of the values name that a clause is found to state."""
        return frozenset(
            name
            for fact in facts
            if (fact.kind is FactKind.VALUE or fact.why == NUMBERED) and fact.place is not None
            if (cell := self._index.at_place.get((fact.place.record, fact.place.start))) is not None
            for name in cell.names
        )

    def _counts(self, clause: Clause, anchor: int) -> frozenset[str]:
        """Returns what the keys of the anchor's fractions name of which a clause states the first number."""
        claimed = [value.value for value in clause.values]
        if not claimed:
            return frozenset()
        return frozenset(
            name
            for one in self._index.by_record.get(anchor, ())
            if one.cell.values[0].start == one.mention.start and whole_of(one.cell) is not None
            if any(compare(value, one.mention.value) is Relation.EQUAL for value in claimed)
            for name in one.names
        )

    def _is_last(self, anchor: int) -> bool:
        group = self._index.records[anchor].group if anchor >= 0 else -1
        return group >= 0 and self._index.groups[group][-1] == anchor

    def _is_bare(self, clause: Clause) -> bool:
        """Returns whether a clause has values and no word that says what they are of."""
        kind = self._index.vocabulary.kind
        return bool(clause.values) and all(
            name[0] == "@" or kind(name) == "soft" for term in clause.terms for name in term.names
        )

    def _goes_on(self, telling: Telling, facts: Sequence[Fact]) -> bool:
        """Returns whether a clause tells of the last sample what the clause before tells of another one."""
        return telling.wants_last and any(not self._keys(fact).isdisjoint(self._told) for fact in facts)

    def _keys(self, fact: Fact) -> set[str]:
        """Returns the key of the figure that a fact was found in."""
        if fact.kind is not FactKind.VALUE or fact.place is None or fact.standing not in HELD:
            return set()
        cell = self._index.at_place.get((fact.place.record, fact.place.start))
        return set() if cell is None else {cell.cell.key}

    def _is_other_row(self, telling: Telling, anchor: int, before: int) -> bool:
        """Returns whether a clause without a name is told of another row than the one before, and of no other time."""
        clause = telling.clause
        if min(anchor, before) < 0 or anchor == before:
            return False
        records = self._index.records
        if self._is_bare(clause) and not (self._index.in_scope(anchor, before) or self._index.in_scope(before, anchor)):
            return True  # a figure alone (为 4 秒) is told of what the words before it are told of
        if records[anchor].group < 0 or records[anchor].group != records[before].group:
            return False
        is_line = records[anchor].kind is RecordKind.LINE
        return clause.marked("@order", "@time_scope", "@change") is None and not any(
            isinstance(value.value, Instant) or (is_line and _is_time(value)) for value in clause.values
        )


def _is_relative(clause: Clause) -> bool:
    """Returns whether a clause tells of the noun right before it (which is down): English ones begin with a word."""
    first = clause.terms[0] if clause.terms else None
    return first is not None and not clause.is_chinese and bool(_RELATIVES.intersection(first.names))


def _is_time(value: Mention) -> bool:
    """Returns whether a value is a length of time, after which the next line of a log tells."""
    return isinstance(value.value, Quantity) and value.value.measure == "time"


def _by_name(telling: Telling) -> list[Name]:
    """Returns the names of a clause and those that it goes by."""
    # A name in the clause itself that is none of its own is another member of its list.
    inside = range(telling.clause.start, telling.clause.end)
    return [*telling.names, *(guide for guide in telling.guides if guide.term.start not in inside)]


def _name_facts(view: View) -> Iterator[Fact]:
    for name in view.telling.names:
        start, end = name.term.start, name.term.end
        place = view.nearest(name)
        if place is not None:
            yield Fact(FactKind.NAME, Standing.STATED, start, end, NUMBERED if name.is_number else NAMED, place)
        elif name.places:
            yield Fact(FactKind.NAME, Standing.SILENT, start, end, ELSEWHERE, name.places[0])
        else:
            yield Fact(FactKind.NAME, Standing.FOREIGN, start, end, "named nowhere")


def _when(fact: Fact, word: Word) -> Fact:
    """Returns a state that only says when something was so (触发时) as one that has to be shown."""
    if word.is_when and fact.standing not in HELD and fact.standing is not Standing.IN_CONFLICT:
        return replace(fact, kind=FactKind.DENIAL, why="not at that time")
    return fact


def _as_quoted(facts: Sequence[Fact], clause: Clause, text: str) -> Sequence[Fact]:
    """Returns an unknown Latin word that opens brackets in Chinese as a name: it gives the evidence's own words."""
    if not clause.is_chinese:
        return facts
    quoted = {
        term.start
        for term in clause.terms
        if term.is_unknown and text[term.start].isascii()
        if text[term.start - 1 : term.start] in OPENING
    }
    if not quoted:
        return facts
    return [
        replace(fact, kind=FactKind.NAME, why="named nowhere")
        if fact.start in quoted and fact.standing is Standing.FOREIGN
        else fact
        for fact in facts
    ]


def _outcome(fact: Fact, before: Sequence[Fact]) -> Fact:
    """Returns how an outcome (拉取成功) stands: what it is the outcome of may not stand elsewhere alone."""
    of = before[-1] if before else None
    if (
        of is None
        or fact.kind is not FactKind.STATE
        or fact.standing not in HELD
        or of.end != fact.start
        or of.kind is not FactKind.WORD
        or of.standing is not Standing.SILENT
        or of.weight < 1
    ):
        return fact
    return replace(fact, kind=FactKind.DENIAL, standing=Standing.SILENT, why="the outcome of something else")


def _word_facts(view: View) -> list[Fact]:
    """Returns how the words of a clause stand that are no names: what it denies in vain first of all."""
    found: list[Fact] = []
    for one in view.telling.said.words:
        if isinstance(one, Fact):
            found.append(one)
        elif one.is_state:
            found.append(_outcome(_when(state_fact(view, one.term, one.denier, one.denial), one), found))
        else:
            found.append(word_fact(view, one.term, one.kinds))
    return _together(found, view.telling.said.denied)


def _together(facts: list[Fact], denied: Mapping[int, Term]) -> list[Fact]:
    """Returns the facts with what is denied of one kind only (no password login) in conflict with no other kind."""
    return [
        replace(fact, standing=Standing.SILENT)
        if fact.standing is Standing.IN_CONFLICT
        and fact.start in denied
        and any(
            denied[fact.start].end <= other.start < fact.start and other.standing not in HELD and other.weight >= 1
            for other in facts
            if other.standing is not Standing.IN_CONFLICT
        )
        else fact
        for fact in facts
    ]
