"""Compares a figure with the bound that a clause names without its amount (below its limit, 没到目标).

Both are told by their keys: the bound is the field that the noun names, the figure the one beside it of the same
measure that the rest of the clause fits, or the only one there is. Where several would fit they have to come out alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from evidencegate_server.judge.alignment.model import ClauseAlignment
from evidencegate_server.judge.alignment.places import ValueCell
from evidencegate_server.judge.alignment.scope.members import Ground, siblings, unit
from evidencegate_server.judge.alignment.scope.scene import single
from evidencegate_server.judge.records.model import RecordKind
from evidencegate_server.judge.vocabulary import Term

_MOST: Final = frozenset({"limit", "hard_limit", "maximum", "quota", "capacity"})
_BOUNDS: Final = _MOST | {"target", "threshold", "minimum", "lower_limit"}
_MOST_CELLS: Final = 60
_MOST_LINES: Final = 200  # at each side of a line, in which the figure beside its bound is looked for
_SEVERAL: Final = 2

Pair = tuple[ValueCell, ValueCell]


def pairs_beside(ground: Ground, alignment: ClauseAlignment, mark: Term, member: int) -> list[Pair]:
    """Returns the figures of a member that a clause compares, each with the bound that it names behind its word."""
    named = [term for term in alignment.clause.terms if term.start >= mark.end]
    bound = {name for term in named for name in term.names} & _BOUNDS
    if not bound or member < 0:
        return []
    asked = {name for term in named for name in term.names}
    wanted = bound | (_MOST if bound & _MOST else frozenset())
    subject = _subject(ground, alignment, mark)
    cells = list(_cells(ground, member, subject))
    bounds = [one for one in cells if wanted & one.names]
    best = max((len(asked & one.names) for one in bounds), default=0)
    bounds = [one for one in bounds if len(asked & one.names) == best]
    found: list[Pair] = []
    for one in bounds:
        own = single(one)
        others = [
            other
            for other in cells
            if own is not None and not other.names & _BOUNDS and (value := single(other)) and value[1] == own[1]
        ]
        fitting = [other for other in others if subject & (other.names - one.names)] or others
        if len(fitting) > 1:
            fitting = [other for other in fitting if other.record == one.record]
        if len(fitting) != 1:
            return []
        found.append((fitting[0], one))
    return found


def _subject(ground: Ground, alignment: ClauseAlignment, mark: Term) -> frozenset[str]:
    """Returns what the words before a comparison mean that may say which figure is compared."""
    kind = ground.index.vocabulary.kind
    return frozenset(
        name
        for term in alignment.clause.terms
        if term.end <= mark.start
        for name in term.names
        if name[0] not in "@=+~" and kind(name) not in ("soft", "")
    )


def _cells(ground: Ground, member: int, subject: frozenset[str]) -> Iterator[ValueCell]:
    """Returns the figures of a member: its own, and of a list of `key value` lines those that the subject names."""
    index = ground.index
    count = 0
    for record in unit(ground, member):
        for one in index.by_record.get(record, ()):
            count += 1
            if count <= _MOST_CELLS:
                yield one
    if index.records[member].kind is RecordKind.SENTENCE:
        named = (one for one in _of_lines(ground, member) if subject & one.names)
        yield from islice(named, _MOST_CELLS)


def _of_lines(ground: Ground, member: int) -> Iterator[ValueCell]:
    """Returns the figures of the lines beside a line that have one each."""
    index, own = ground.index, ground.index.records[member]
    for line in index.records[max(0, member - _MOST_LINES) : member + _MOST_LINES]:
        if line.index != member and line.parent == own.parent and line.source == own.source:
            values = index.by_record.get(line.index, ())
            if len(values) == 1:
                yield values[0]


def goes(pairs: Sequence[Pair]) -> int | None:
    """Returns 1 where all figures are above their bounds, -1 where all are below, 0 where they are level, else None."""
    ways = set()
    for figure, bound in pairs:
        one, other = single(figure), single(bound)
        if one is None or other is None:
            return None
        ways.add((one[0] > other[0]) - (one[0] < other[0]))
    return ways.pop() if len(ways) == 1 else None


def members_of(ground: Ground, alignment: ClauseAlignment) -> Sequence[int]:
    """Returns the members that a clause speaks of which compares each of them with its own bound."""
    if alignment.clause.marked("@quantifiers.all", "@quantifiers.each", "@quantifiers.both") is None:
        return (alignment.anchor,)
    rows = siblings(ground, alignment.anchor) if alignment.anchor >= 0 else ()
    return rows if len(rows) >= _SEVERAL else ()
