"""Reads a claim into clauses of words and values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from evidencegate_server.judge.claims.model import ClaimReading, Clause
from evidencegate_server.judge.values.model import COUNT, Mention, Quantity
from evidencegate_server.judge.values.reader import ValueReader
from evidencegate_server.judge.vocabulary import Term, Vocabulary

_BREAK: Final = re.compile(r"[,，;；:：。！?？]|!(?!=)|\.(?=\s|$)|\s[-\u2013\u2014]+\s|[\u2014]+")
_CHINESE: Final = re.compile("[\u3400-\u9fff]")
_OPENS: Final = ("@joins", "@contrasts", "@relatives", "@cause.backward", "@cause.openers")
_HEDGES: Final = "@hedges"
_JOINS: Final = "@joins"
_ORDER: Final = ("@order.after", "@order.before", "@order.during", "@order.precedes", "@order.follows")
_CHANGED: Final = ("@change.target", "@change.up", "@change.down", "@change.turn")
_MARK: Final = "@"
_CHINESE_ALONE: Final = ("@hedges", "@advice")  # a Latin word in Chinese (suggest, hint) is a name and no hedge
_ENDS: Final = ("@order.initially", "@time_scope.latest")  # of a series: 12 at first and 40 in the last sample
_SAYS: Final = frozenset({"state", "event", "attribute", "statistic", "side"})
_TELLS: Final = frozenset({"state", "event", "side"})  # nouns behind an `and` belong to what is before it


class ClaimReader:
    """Reads claims. Holds no state."""

    def __init__(self, values: ValueReader, vocabulary: Vocabulary) -> None:
        self._values = values
        self._vocabulary = vocabulary

    def read(self, text: str) -> ClaimReading:
        """Returns the claim's clauses. Linear in the text."""
        words = self._vocabulary.terms(text)
        read = (
            value
            for value in self._values.mentions(text)
            if not _is_article(text, value) and not _is_part_of_name(value, words)
        )
        values = tuple(sorted((*read, *_times(text, words)), key=lambda value: value.start))
        outside = [term for term in words if not _inside(term, values)]
        lengths = {term.start for term in outside if term.brings(*_ORDER) and _behind_duration(text, term, values)}
        terms = [term for term in outside if term.start not in lengths]
        clauses: list[Clause] = []
        first_term = first_value = 0
        # The event that a length counts from is told in a clause of its own.
        places = _breaks(
            text, [term for term in outside if term.start not in lengths or _has_event(text, term)], values
        )
        for start, end in zip([0, *places], [*places, len(text)], strict=True):
            last_term, last_value = first_term, first_value
            while last_term < len(terms) and terms[last_term].start < end:
                last_term += 1
            while last_value < len(values) and values[last_value].start < end:
                last_value += 1
            if last_term > first_term or last_value > first_value:
                clauses.append(_clause(text, start, end, terms[first_term:last_term], values[first_value:last_value]))
            first_term, first_value = last_term, last_value
        return ClaimReading(text, tuple(self._joined(text, clauses)))

    def _joined(self, text: str, clauses: Sequence[Clause]) -> list[Clause]:
        """Returns the clauses with those put together that a word parts and that say nothing by themselves.

        `A and B are down` is one clause with a list of names, `A is up and B is down` are two.
        """
        joined: list[Clause] = []
        for clause in clauses:
            before = joined[-1] if joined else None
            if (
                before is not None
                and not (clause.marked(*_ENDS) and clause.values and before.values)
                and not _BREAK.match(text[before.end - 1 : before.end + 1].strip() or ".")
                and (
                    self._says_nothing(before, _SAYS)
                    or self._says_nothing(clause, _SAYS if _gives_cause(clause) else _TELLS)
                )
            ):
                joined[-1] = _clause(
                    text, before.start, clause.end, (*before.terms, *clause.terms), (*before.values, *clause.values)
                )
            else:
                joined.append(clause)
        return joined

    def _says_nothing(self, clause: Clause, kinds_that_say: frozenset[str]) -> bool:
        if clause.marked("@change.source") and clause.marked(*_CHANGED):
            ends = len(clause.values) + sum(term.is_name for term in clause.terms)
            if ends > 1:
                return False  # from 2 to 5: what changed is said by the two ends
        kinds = {
            self._vocabulary.kind(name) for term in clause.terms for name in term.names if term.names[0][0] not in "=+"
        }
        return not kinds & kinds_that_say and not any(
            isinstance(value.value, Quantity) and value.value.measure for value in clause.values
        )


def _gives_cause(clause: Clause) -> bool:
    """Returns whether a clause begins with a word of cause: what it then says is a side of its own."""
    return bool(clause.terms) and any(name.startswith("@cause.") for name in clause.terms[0].names)


def _clause(text: str, start: int, end: int, terms: Sequence[Term], values: Sequence[Mention]) -> Clause:
    chinese = _CHINESE.search(text, start, end) is not None
    marks = tuple(
        (name, term)
        for term in terms
        if term.names[0][0] not in "=+"
        for name in term.names
        if name[0] == _MARK and (not (chinese and name.startswith(_CHINESE_ALONE) and text[term.start].isascii()))
    )
    return Clause(start, end, tuple(terms), tuple(values), marks, chinese)


def _breaks(text: str, terms: Sequence[Term], values: Sequence[Mention]) -> list[int]:
    """Returns where clauses begin, but for the first.

    Behind a sign that ends one, before a word that opens one, and beside a word that puts one in time: a Chinese one
    (之后) ends its clause, an English one (after) begins it.
    """
    found = {match.end() for match in _BREAK.finditer(text)}
    marks = [term for term in terms if term.brings(_MARK)]
    hedges = {term.end for term in marks if term.brings(_HEDGES)}
    for term in marks:
        if hedges and term.brings(_JOINS) and hedges & {term.start, term.start - 1}:
            continue  # will probably also fail: what is guessed at stands behind
        if term.brings(*_OPENS):
            found.add(term.start)
        elif term.brings(*_ORDER):
            found.add(term.start if text[term.start].isascii() else term.end)
    spans = sorted(
        [(value.outer_start, value.outer_end) for value in values] + [(term.start, term.end) for term in terms]
    )
    breaks: list[int] = []
    at = 0
    for place in sorted(found):
        while at < len(spans) and spans[at][1] < place:
            at += 1
        if 0 < place < len(text) and not (at < len(spans) and spans[at][0] < place < spans[at][1]):
            breaks.append(place)
    return breaks


_ONES: Final = frozenset({"\u4e00", "\u4e00\u4e2a", "one", "a", "an"})


def _is_article(text: str, value: Mention) -> bool:
    """Returns whether a one counts nothing (one request, \u4e00\u4e2a\u8282\u70b9): there is such a thing, it says."""
    return text[value.start : value.end].lower() in _ONES and value.outer_start == value.start


def _is_part_of_name(value: Mention, terms: Sequence[Term]) -> bool:
    """Returns whether a number stands inside of a name (the port of `prod-db:3333`)."""
    if not isinstance(value.value, Quantity) or value.value.measure:
        return False
    return any(term.is_name and term.start < value.start and value.end <= term.end for term in terms)


def _behind_duration(text: str, term: Term, values: Sequence[Mention]) -> bool:
    """Returns whether a word of order only says how much later (200 ms 后, 8 minutes after it, after 8 minutes).

    Where an event follows, how long lies between it and the other is what has to be shown, and that tells their order.
    How long something came before an event (three seconds before the restart) is worked out nowhere: an order it stays.
    """
    if "@order.after" not in term.names and _has_event(text, term):
        return False
    return any(
        isinstance(value.value, Quantity)
        and value.value.measure == "time"
        and (
            (0 <= term.start - value.outer_end <= 2 and not text[value.outer_end : term.start].strip())
            or (text[term.start].isascii() and 0 <= value.outer_start - term.end <= 1)
        )
        for value in values
    )


def _has_event(text: str, term: Term) -> bool:
    """Returns whether words follow an English word of order."""
    return text[term.start].isascii() and text[term.end : term.end + 2].lstrip(" ")[:1].isalpha()


def _times(text: str, terms: Sequence[Term]) -> list[Mention]:
    """Returns how often a once or twice at the end of a clause says that something happened."""
    found: list[Mention] = []
    for term in terms:
        number = _TIMES.get(text[term.start : term.end].lower())
        if number is not None and (term.end == len(text) or _BREAK.match(text, term.end)):
            value = Quantity(number, number, COUNT, Decimal(1), 1)
            found.append(Mention(value, term.start, term.end, term.start, term.end, text[term.start : term.end]))
    return found


_TIMES: Final = {"once": Decimal(1), "twice": Decimal(2), "thrice": Decimal(3)}


def _inside(term: Term, values: Sequence[Mention]) -> bool:
    """Returns whether a value, its unit or its words of comparison take a word up."""
    # Few values stand in one claim: a search by halves would cost more than it saves.
    return any(value.outer_start < term.end and term.start < value.outer_end for value in values)
