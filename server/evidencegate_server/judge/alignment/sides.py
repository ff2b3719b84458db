"""Tells apart the fields of one record that say the same of two sides (the IO thread runs, the SQL thread does not)."""

from __future__ import annotations

from evidencegate_server.judge.alignment.cell_forms import holds
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.alignment.view import View
from evidencegate_server.judge.records.model import Cell, CellKind
from evidencegate_server.judge.vocabulary import Term


def is_of_another_side(view: View, state: Term, place: Place) -> bool:
    """Returns whether the field at a place says a state of another side than the clause speaks of.

    It does where a sibling says yes or no of the same state and names a word of the clause which this field lacks.
    """
    cells = view.index.records[place.record].cells
    cell = next((one for one in cells if one.kind is CellKind.FIELD and one.start < place.end <= one.end), None)
    if cell is None or not cell.key:
        return False
    vocabulary = view.index.vocabulary
    own = vocabulary.key_names(cell.key)
    states = {name for name in own if vocabulary.kind(name) == "state"}
    if not states:
        return False
    said = {name for term in view.telling.clause.terms if term.start != state.start for name in term.names}
    return any(
        _is_rival(vocabulary.key_names(other.key), own, states, said) for other in cells if _is_other(other, cell)
    )


def _is_other(other: Cell, cell: Cell) -> bool:
    return other is not cell and other.kind is CellKind.FIELD and bool(other.key) and holds(other) is not None


def _is_rival(other: frozenset[str], own: frozenset[str], states: set[str], said: set[str]) -> bool:
    return not states.isdisjoint(other) and not said.isdisjoint(other - own) and said.isdisjoint(own - other)
