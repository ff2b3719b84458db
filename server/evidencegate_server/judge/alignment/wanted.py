"""Reads what a clause says of one of its values: what the figure is of, in names with weights."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.claims.model import Clause
from evidencegate_server.judge.values.model import COUNT, Mention, Quantity
from evidencegate_server.judge.vocabulary import Term
from evidencegate_server.judge.vocabulary import meant as meant_by

_WEIGHT: Final = {
    "statistic": 1.2,
    "side": 1.2,
    "attribute": 1.0,
    "state": 0.8,
    "event": 0.8,
    "": 0.7,
    "thing": 0.5,
    "name": 0.5,
}
_FAR: Final = 0.3  # what a word counts for a value that another value of the clause is closer to
# What a figure is of where its clause does not say.
_IMPLIED: Final = {"time": ("latency", "duration"), "share": ("ratio",), "size": ("size",)}
_IMPLIED_WEIGHT: Final = 0.5
_HINTED_WEIGHT: Final = 0.2
_TIME: Final = "time"
_STATUS: Final = ("status_code", "status")
_STATUSES: Final = (100, 599)
_BEFORE: Final = 0.7  # what a noun right before a number adds: port 8080, revision 3
_COUNTED: Final = 0.8  # from here on, a word for an event says what a count is of
_COUNTED_WEIGHT: Final = 0.6  # of the noun that a number counts
_COUNTED_TOTAL: Final = 0.3
_FIGURE: Final = 1.0  # from here on, a word says what a figure is of
_CLOSE: Final = 6  # code points between a value and the word that it is of

_WHOLES: Final = frozenset({"limit", "requested", "quota", "capacity", "maximum", "total", "allocatable", "target"})
_MOST_BETWEEN: Final = 4  # words between a share and the whole that it is told of
_SEVERAL: Final = 2
_NOTHING: Final[frozenset[str]] = frozenset()
_ATTEMPT: Final = "attempt"
_FIGURES: Final = frozenset({"attribute", "statistic", "side"})
_CLOSEST: Final = frozenset({"attribute", "statistic", "side", "event"})


@record
class Wanted:
    """What a clause says of one of its values: names with weights.

    `total` is what they come to of which the evidence speaks at all. `asked` are all names, `of_it` those but the
    statistics of other values; `figures` say what the figure is of, `closest` are those of the word right beside it.
    `is_window` says that the value only tells which stretch of time is meant, `names_one` that one of many goes by it
    (request 8841): another is no conflict. `named` is what the machines' names of the clause mean (FailedMount),
    `wholes` are what a share is told of (70 % of the limit).
    """

    names: tuple[tuple[tuple[str, ...], float], ...]
    statistics: tuple[tuple[str, ...], ...]
    attributes: tuple[tuple[str, ...], ...]
    resources: tuple[tuple[str, ...], ...]
    total: float
    arrow: str
    asked: frozenset[str]
    of_it: frozenset[str]
    figures: frozenset[str]
    closest: tuple[str, ...]
    is_window: bool
    names_one: bool
    named: frozenset[str]
    wholes: tuple[tuple[str, ...], ...] = ()


def _is_title(terms: Sequence[Term], at: int) -> bool:
    """Returns whether a word only says what a machine's name behind it is of (the target localhost:9091)."""
    if not 0 < at < len(terms) - 1:
        return False
    before, term, behind = terms[at - 1 : at + 2]
    return "article" in before.names and behind.is_name and 0 <= behind.start - term.end <= 1


@record
class _Word:
    """A word of the clause beside the value. `near` says that no other value is closer; `gap` is in code points."""

    term: Term
    meant: tuple[str, ...]
    kinds: Sequence[str]
    weight: float
    near: bool
    gap: int
    is_right_before: bool


class WantedReader:
    """Reads what a clause says of its values. Each value is read once."""

    def __init__(self, index: EvidenceIndex) -> None:
        self._index = index
        self._vocabulary = index.vocabulary
        self._generic = index.vocabulary.traits["generic"]
        self._neutral = index.vocabulary.traits["neutral"]
        self._light = index.vocabulary.traits["light"]
        self._resources = index.vocabulary.traits["resource"]
        self._wanted: dict[int, Wanted] = {}

    def read(self, clause: Clause, mention: Mention) -> Wanted:
        """Returns what a clause says of one of its values."""
        key = id(mention)
        if key not in self._wanted:
            self._wanted[key] = self._read(clause, mention)
        return self._wanted[key]

    def _read(self, clause: Clause, mention: Mention) -> Wanted:
        is_window = _is_window(clause, mention)
        words = [] if is_window else self._words(clause, mention)
        near = [word for word in words if word.near]
        wholes = [word for word in near if _is_whole_of(word, clause, mention)]
        near = [word for word in near if word not in wholes]
        names = [(word.meant, word.weight) for word in words]
        counted = self._counted(mention, names)
        names += ((meant, _COUNTED_WEIGHT) for meant in counted)
        asked = _asked(clause, names) | self._by_name(clause)
        figures = self._figures(mention, names)
        measure = mention.value.measure if isinstance(mention.value, Quantity) else ""
        if measure in _IMPLIED and figures <= self._generic:
            names.append((_IMPLIED[measure], _IMPLIED_WEIGHT))
            if measure == _TIME:
                names.append(((_TIME,), _HINTED_WEIGHT))
        if _may_be_status(mention) and asked.isdisjoint(_STATUS):
            names.append((_STATUS, _IMPLIED_WEIGHT))
        return Wanted(
            tuple(names),
            tuple(word.meant for word in near if all(kind == "statistic" for kind in word.kinds)),
            tuple(word.meant for word in near if self._is_attribute(word)),
            tuple(word.meant for word in near if not self._resources.isdisjoint(word.meant)),
            self._total(near, len(counted)),
            _arrow(clause),
            asked,
            asked - self._of_others(clause, words) - {name for word in wholes for name in word.meant},
            figures,
            self._closest(near),
            is_window,
            self._names_one(mention, near),
            frozenset(name for term in clause.terms if term.is_name for name in term.names[1:]),
            tuple(word.meant for word in wholes),
        )

    def _by_name(self, clause: Clause) -> frozenset[str]:
        """Returns what the machines' names of a clause mean (max_connections), which can be the figure itself."""
        return frozenset(
            name
            for term in clause.terms
            if term.is_name
            for name in term.names
            if name[0] not in "@=+" and self._kind(name) in _FIGURES
        )

    def _names_one(self, mention: Mention, near: Sequence[_Word]) -> bool:
        """Returns whether a bare number stands right behind a noun for one of many, which it names."""
        value = mention.value
        if not isinstance(value, Quantity) or value.measure != COUNT or value.unit or value.low != value.high:
            return False
        identifying = self._vocabulary.traits["identifying"]
        return any(
            word.is_right_before
            and (word.kinds[0] == "thing" or identifying.intersection(word.meant) or _ATTEMPT in word.meant)
            for word in near
        )

    def _words(self, clause: Clause, mention: Mention) -> list[_Word]:
        """Returns the words of a clause that may say what a value is of."""
        found: list[_Word] = []
        for at, term in enumerate(clause.terms):
            if term.is_name or (clause.is_chinese and term.is_unknown and term.names[0].isascii()):
                continue
            if _is_title(clause.terms, at):
                continue
            meant = tuple(
                name
                for name in meant_by(term)
                if name[0] != "@"
                and (kind := self._kind(name)) != "soft"
                and (kind != "name" or name in self._index.all_keys)
            )
            if not meant:
                continue
            kinds = [self._kind(name) for name in meant]
            near = _nearest(clause.values, term) is mention
            weight = max(_WEIGHT.get(kind, 0.7) for kind in kinds) * (1.0 if near else _FAR)
            before = mention.outer_start - term.end
            gap = max(before, term.start - mention.outer_end)
            found.append(_Word(term, meant, kinds, weight, near, gap, 0 <= before <= 1))
        return found

    def _kind(self, name: str) -> str:
        return self._vocabulary.kind(name.removeprefix("!"))

    def _counted(self, mention: Mention, names: Sequence[tuple[tuple[str, ...], float]]) -> list[tuple[str, ...]]:
        """Returns what the noun means that a number counts, where no word of the clause has said so."""
        known = {meant for meant, _ in names}
        found: list[tuple[str, ...]] = []
        for term in self._vocabulary.terms(mention.counted) if mention.counted else ():
            meant = tuple(name for name in meant_by(term) if name[0] != "@" and self._vocabulary.kind(name) != "soft")
            if meant and meant not in known:
                known.add(meant)
                found.append(meant)
        return found

    def _of_others(self, clause: Clause, words: Sequence[_Word]) -> frozenset[str]:
        """Returns the statistics that a clause tells of another of its amounts (498 of a maximum of 500)."""
        if sum(isinstance(value.value, Quantity) for value in clause.values) < _SEVERAL:
            return _NOTHING
        near = {name for word in words if word.near for name in word.meant}
        return frozenset(
            name
            for word in words
            if not word.near
            for name in word.meant
            if self._kind(name) in ("statistic", "side") and name not in near
        )

    def _total(self, near: Sequence[_Word], counted: int) -> float:
        """Returns what the words come to that the evidence knows; those of a figure in full, others by half."""
        total = 0.0
        for word in near:
            if any(self._index.knows(name) for name in word.meant):
                weight = word.weight
                if word.is_right_before and word.kinds[0] in ("thing", "attribute"):
                    weight += _BEFORE
                total += weight if word.kinds[0] in _FIGURES else weight * 0.5
        for _ in range(counted):
            total += _COUNTED_TOTAL
        return total

    def _is_attribute(self, word: _Word) -> bool:
        return all(kind == "attribute" for kind in word.kinds) and not self._generic.intersection(word.meant)

    def _closest(self, near: Sequence[_Word]) -> tuple[str, ...]:
        """Returns what the word closest to a value means, where it tells what the figure is of."""
        beside = [
            word
            for word in near
            if word.gap < _CLOSE
            and (word.term.is_unknown or word.kinds[0] in _CLOSEST)
            and not any(name.startswith("@comparison") for name in word.term.names)
        ]
        closest = min(beside, key=lambda word: word.gap, default=None)
        return closest.meant if closest is not None and self._tells(closest) else ()

    def _tells(self, word: _Word) -> bool:
        """Returns whether a word tells what a figure beside it is of."""
        if word.term.is_unknown:
            return not word.term.names[0].isascii() and len(word.term.names[0]) > 2
        if word.kinds[0] not in ("attribute", "side", "event"):
            return False
        return not (self._generic | self._light).intersection(word.meant)

    def _figures(self, mention: Mention, names: Sequence[tuple[tuple[str, ...], float]]) -> frozenset[str]:
        """Returns the names that say what a figure is of; of a count, also the event that is counted."""
        kind = self._vocabulary.kind
        is_count = isinstance(mention.value, Quantity) and mention.value.measure == COUNT
        return frozenset(
            name
            for meant, weight in names
            for name in meant
            if (weight >= _FIGURE and kind(name) in _FIGURES and name not in self._neutral)
            or (is_count and weight >= _COUNTED and kind(name) == "event")
        )


def _is_whole_of(word: _Word, clause: Clause, mention: Mention) -> bool:
    """Returns whether a word names the whole that a share is told of: `6 % of its request`, 上限的 70%."""
    value = mention.value
    if not isinstance(value, Quantity) or value.measure != "share" or _WHOLES.isdisjoint(word.meant):
        return False
    before = [one for one in clause.terms if word.term.end <= one.start < mention.outer_start]
    if word.term.end <= mention.outer_start:
        return clause.is_chinese and len(before) == 1 and before[0].names[0] == "article"
    between = [one for one in clause.terms if mention.outer_end <= one.start < word.term.start]
    return (
        bool(between)
        and between[0].start - mention.outer_end <= 1
        and len(between) <= _MOST_BETWEEN
        and (between[0].names[0] == "preposition" and between[0].end - between[0].start == len("of"))
    )


def _may_be_status(mention: Mention) -> bool:
    """Returns whether a bare number may be an HTTP status (returned 503)."""
    value = mention.value
    return (
        isinstance(value, Quantity)
        and value.measure == COUNT
        and not value.unit
        and value.low is not None
        and value.low == value.high
        and _STATUSES[0] <= value.low <= _STATUSES[1]
        and value.low == int(value.low)  # a range would be walked for a decimal
    )


def _asked(clause: Clause, names: Sequence[tuple[tuple[str, ...], float]]) -> frozenset[str]:
    asked = {name for meant, _ in names for name in meant}
    if clause.marked("@comparison.highest", "@quantifiers.once", "@time_scope.earlier"):
        asked.add("maximum")
    if clause.marked("@comparison.lowest", "@quantifiers.once", "@time_scope.earlier"):
        asked.add("minimum")
    return frozenset(asked)


def _arrow(clause: Clause) -> str:
    """Returns the side of a change (`8 -> 5`) that cannot be meant, empty for none."""
    if clause.marked("@order.after", "@time_scope.now", "@time_scope.still"):
        return "first"
    return "second" if clause.marked("@order.before", "@time_scope.earlier") else ""


def _is_window(clause: Clause, mention: Mention) -> bool:
    """Returns whether a length of time only says which stretch is meant (the last 5 minutes)."""
    return (
        isinstance(mention.value, Quantity)
        and mention.value.measure == "time"
        and any(
            0 <= mention.outer_start - term.end <= 1 and ("last" in term.names or term.brings("@time_scope.window"))
            for term in clause.terms
        )
    )


def _nearest(values: Iterable[Mention], term: Term) -> Mention | None:
    """Returns the value that a word stands closest to; an instant only where there is no amount."""
    values = [value for value in values if isinstance(value.value, Quantity)] or values
    best: Mention | None = None
    least = 1 << 30
    for value in values:
        gap = value.outer_start - term.end if value.outer_start >= term.end else term.start - value.outer_end + 1
        if gap < least:
            best, least = value, gap
    return best
