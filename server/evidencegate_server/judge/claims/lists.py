"""Gives each member of a list of names its own clause: what is said of A and B is said of A, and of B."""

from __future__ import annotations

from collections.abc import Sequence

from evidencegate_server.judge.claims.model import Clause
from evidencegate_server.judge.values.model import Mention, Quantity
from evidencegate_server.judge.vocabulary import Term

_GLUE = frozenset({"、", ",", "，", "和", "与", "及", "以及", "and", "&", "/", "or", "、和", ", and"})
_PAIRWISE = "@quantifiers.at_same_rank"
_RESPECTIVELY = ("respectively", "分别")
_MOST_MEMBERS = 12
_LONG = 4  # digits
_OF_A_LIST = ("@quantifiers.all", "@quantifiers.each", "@quantifiers.both")  # of the members that are named

_Item = Term | Mention


def spread(text: str, clause: Clause) -> list[Clause]:
    """Returns the clauses that a clause with a list of names stands for; the clause itself where it has none.

    With `respectively` the members of two lists of one length go together pair by pair.
    """
    names = _runs(text, [term for term in clause.terms if term.names[0][0] in "=+"])
    values = _runs(text, list(clause.values))
    lists = [run for run in (*names, *values) if 2 <= len(run) <= _MOST_MEMBERS]
    if not lists:
        return [clause]
    if any(word in text[clause.start : clause.end] for word in _RESPECTIVELY):
        longest = max(len(run) for run in lists)
        paired = [run for run in lists if len(run) == longest]
        if len(paired) == 2:
            return [_with(clause, lists, [run[at] for run in paired]) for at in range(longest)]
        return [clause]
    if len(names) == 1 and len(names[0]) >= 2 and not any(len(run) > 1 for run in values):
        return [_with(clause, names, [member]) for member in names[0]]
    if not names and len(lists) == 1 and all(_is_number(value) for value in lists[0]):
        return [_with(clause, lists, [member]) for member in lists[0]]
    return [clause]


def _is_number(item: _Item) -> bool:
    """Returns whether an item is a long bare number, as ports and IDs are."""
    value = item.value if isinstance(item, Mention) else None
    return isinstance(value, Quantity) and not value.measure and not value.unit and value.digits >= _LONG


def _with(clause: Clause, lists: Sequence[Sequence[_Item]], kept: Sequence[_Item]) -> Clause:
    dropped = [item for run in lists for item in run if not any(item is one for one in kept)]
    glued = [(run[0].end, run[-1].start) for run in lists]
    return Clause(
        clause.start,
        clause.end,
        tuple(
            term
            for term in clause.terms
            if not any(term is one for one in dropped)
            and (
                any(term is one for one in kept)
                or not any(start <= term.start and term.end <= end for start, end in glued)
            )
        ),
        tuple(value for value in clause.values if not any(value is one for one in dropped)),
        tuple(mark for mark in clause.marks if not mark[0].startswith(_OF_A_LIST)),
        clause.is_chinese,
    )


def _runs(text: str, items: Sequence[_Item]) -> list[list[_Item]]:
    """Returns the items in runs that nothing but the glue of a list joins."""
    runs: list[list[_Item]] = []
    for item in items:
        if runs and text[runs[-1][-1].end : item.start].strip() in _GLUE:
            runs[-1].append(item)
        else:
            runs.append([item])
    return runs
