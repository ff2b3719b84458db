"""Finds the statements that are the same as a claim's, and those that put one other number on the same quantity."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from evidencegate_server.judge.literal.records import Clause
from evidencegate_server.judge.literal.statement import Statement, joined_alike

_MAX_QUANTITIES: Final = 8


class StatementIndex:
    """The statements of a session, made to be asked for a claim without a look at each of them."""

    def __init__(self, clauses: Iterable[tuple[Clause, Statement]]) -> None:
        self._said: set[tuple[str, ...]] = set()
        self._shapes: dict[tuple[str, ...], tuple[Clause, Statement] | None] = {}
        for clause, statement in clauses:
            self._said.add(statement.keys)
            for at in statement.values[:_MAX_QUANTITIES]:
                shape = statement.shape(at)
                known = self._shapes.setdefault(shape, (clause, statement))
                if known is not None and known[1].keys != statement.keys:
                    # Several values are a series, or belong to several things: no conflict with any of them.
                    self._shapes[shape] = None

    def in_conflict(self, claim: Statement) -> Clause | None:
        """Returns the clause that has another number where the claim has one, and is the same otherwise.

        None where some clause says what the claim says, and where the numbers are not of one quantity. What is around
        the clauses is not looked at.
        """
        if claim.compares or claim.keys in self._said or len(claim.values) > _MAX_QUANTITIES:
            return None
        for at in claim.values:
            other = self._shapes.get(claim.shape(at))
            if other is None or at not in other[1].values or not joined_alike(claim, other[1]):
                continue
            if claim.value(at) != other[1].value(at):
                return other[0]
        return None
