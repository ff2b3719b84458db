"""Finds where the place that would show a thing shows that it is not there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.alignment.view import View
from evidencegate_server.judge.records.model import Cell, CellKind, RecordKind

_MOST_ROWS: Final = 400
_FEWEST_ROWS: Final = 2
# What a field holds that gives nothing.
_NOT_GIVEN: Final = frozenset(
    {"", "-", "--", "<none>", "(none)", "none", "null", "nil", "<nil>", "n/a", "unknown", "<unknown>", "<unset>"}
    | {"[]", "{}", "()", "not set", "not available", "(not set)", "<not set>", "\u65e0", "\u672a\u77e5"}
)


def unfilled(view: View, names: Sequence[str]) -> Place | None:
    """Returns the field of the anchor that would give what some names mean, where it is empty."""
    if view.anchor < 0:
        return None
    named = view.index.vocabulary.key_names
    for cell in view.index.records[view.anchor].cells:
        if cell.kind is CellKind.FIELD and _is_empty(cell) and not named(cell.key).isdisjoint(names):
            return Place(view.anchor, cell.start, cell.end)
    return None


def rows_without(view: View, names: Sequence[str]) -> Place | None:
    """Returns the first row of a list each row of which says that it has none of what some names mean."""
    index, records = view.index, view.index.records
    for name in names:
        denied = set(_denying(view, name))
        group = _group(view, denied)
        if group < 0:
            continue
        rows = index.groups[group]
        named = {place.record for guide in view.telling.guides for place in guide.places}
        rows = [row for row in rows if row in named] or rows
        if not _FEWEST_ROWS <= len(rows) <= _MOST_ROWS or not denied.issuperset(rows):
            continue
        first = records[rows[0]]
        return Place(first.index, first.start, first.end)
    return None


def lacking(view: View, names: Sequence[str]) -> Place | None:
    """Returns the anchor where it is named and one of several, and only others have a field for what names mean."""
    index, anchor = view.index, view.anchor
    if anchor < 0 or index.records[anchor].kind not in (RecordKind.OBJECT, RecordKind.ROW):
        return None
    if not any(place.record == anchor for guide in view.telling.guides for place in guide.places):
        return None
    if _has_key(view, anchor, names) or any(
        place.record == anchor for name in names for place in index.places.get(name, ())
    ):
        return None
    if any(_has_key(view, other, names) for other in _beside(view)):
        one = index.records[anchor]
        return Place(anchor, one.start, one.end)
    return None


def _denying(view: View, name: str) -> Iterable[int]:
    """Returns the records that say that they have none of something, and nowhere that they have."""
    index = view.index
    yes = {flag.place.record for flag in index.flags.get(name, ()) if flag.holds}
    yes.update(link.place.record for link in index.links.get(name, ()) if not link.denied)
    no = {flag.place.record for flag in index.flags.get(name, ()) if not flag.holds}
    no.update(link.place.record for link in index.links.get(name, ()) if link.denied)
    return no - yes


def _group(view: View, denied: set[int]) -> int:
    """Returns the list of the anchor, else the only one that has rows which deny."""
    records = view.index.records
    if view.anchor >= 0 and records[view.anchor].group >= 0:
        return records[view.anchor].group
    groups = {records[row].group for row in denied if records[row].group >= 0}
    return groups.pop() if len(groups) == 1 else -1


def _beside(view: View) -> Sequence[int]:
    """Returns the others of the list that the anchor is in."""
    index, one = view.index, view.index.records[view.anchor]
    if one.group >= 0:
        return index.groups[one.group][:_MOST_ROWS]
    if one.parent < 0 or not index.barrier[one.index]:
        return ()
    return [other for other in index.children[one.parent][:_MOST_ROWS] if index.barrier[other]]


def _has_key(view: View, record: int, names: Sequence[str]) -> bool:
    named = view.index.vocabulary.key_names
    return any(
        cell.kind is CellKind.FIELD and cell.key and not named(cell.key).isdisjoint(names)
        for cell in view.index.records[record].cells
    )


def _is_empty(cell: Cell) -> bool:
    return cell.text.strip().strip('"').lower() in _NOT_GIVEN
