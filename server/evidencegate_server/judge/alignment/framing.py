"""Finds the stretches of evidence that tell no observation."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final

from evidencegate_server.judge.alignment.cell_forms import YES
from evidencegate_server.judge.alignment.frame_layout import frames_of_cell, frames_of_lines, is_value
from evidencegate_server.judge.alignment.frames import TOLD, WANTED, Frame, Frames, Mark
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.alignment.record_tree import RecordTree
from evidencegate_server.judge.records.model import Cell, CellKind, Record, RecordKind
from evidencegate_server.judge.vocabulary import Term

_KEYED: Final = frozenset((WANTED, TOLD))
_NOTHING: Final[frozenset[str]] = frozenset()
_DOTTED: Final = re.compile("[./:@]")


class FrameReader:
    """Collects over one evidence what tells no observation: what is wanted, asked, planned, told or simulated."""

    def __init__(self, tree: RecordTree) -> None:
        self._tree = tree
        self._marks: list[list[Mark]] = [[] for _ in tree.evidence.texts]
        self._framed: list[list[Frame]] = [[] for _ in tree.evidence.texts]
        self._above: dict[int, frozenset[str]] = {}  # by record, what the labels over it say of what stands there

    def word(self, source: int, term: Term, place: Place) -> None:
        """Notes a word of a text that is one of those that may begin a frame."""
        if not place.in_name or _is_framing_name(term, self._tree.evidence.texts[source]):
            self._marks[source].append(Mark(term.names, term.start, term.end))

    def record(self, one: Record, above: frozenset[str]) -> None:
        """Notes a record whose label says that it is no observation; `above` is what all labels over it name."""
        if _KEYED.isdisjoint(above):
            return
        kinds = self._kinds_of(one.label) if one.label else _NOTHING
        if one.parent >= 0:
            kinds = kinds | self._above.get(one.parent, _NOTHING)
        if kinds:
            self._above[one.index] = kinds
            self._framed[one.source].append(Frame(one.start, one.end, kinds))

    def cell(self, one: Record, cell: Cell, names: frozenset[str]) -> None:
        """Notes a value under a key that says that it is no observation: `expected: 3`, `simulated: true`."""
        if _KEYED.isdisjoint(names) or cell.kind is CellKind.IN_TEXT:
            return
        kinds = self._kinds_of(cell.key)
        if not kinds:
            return
        whole = TOLD in kinds and cell.text.strip().strip('"').lower() in YES
        start, end = (one.start, one.end) if whole else (cell.start, cell.end)
        self._framed[one.source].append(Frame(start, end, kinds))

    def _kinds_of(self, key: str) -> frozenset[str]:
        """Returns what a key says in a word of its own; a package or host (com.example.pay) is only called so."""
        return frozenset(
            name
            for term in self._tree.vocabulary.terms(key)
            if not _KEYED.isdisjoint(term.names) and not _DOTTED.search(key, term.start, term.end)
            for name in term.names
            if name in _KEYED
        )

    def frames(self) -> tuple[Frames, ...]:
        """Returns for each text the stretches that tell no observation."""
        self._specifications()
        return tuple(self._of_text(source) for source in range(len(self._marks)))

    def _specifications(self) -> None:
        """Notes what a specification wants where the status beside it says what there is: `spec`, `status`."""
        status = {(one.source, one.parent): one for one in self._tree.records if one.label == "status"}
        for one in self._tree.records:
            beside = status.get((one.source, one.parent)) if one.label == "spec" else None
            known = frozenset(cell.key for cell in beside.cells) if beside is not None else frozenset()
            self._framed[one.source] += (
                Frame(cell.start, cell.end, frozenset((WANTED,))) for cell in one.cells if cell.key in known
            )

    def _of_text(self, source: int) -> Frames:
        """Returns the stretches of a text that tell no observation."""
        text, marks, found = self._tree.evidence.texts[source], self._marks[source], self._framed[source]
        found += frames_of_lines(text, marks)
        if marks or "?" in text or "？" in text or "吗" in text:
            starts = [mark.start for mark in marks]
            for index in self._tree.by_source[source][1]:
                one = self._tree.records[index]
                for cell in one.cells:
                    if cell.kind is CellKind.IN_TEXT:
                        continue
                    own = marks[bisect_left(starts, cell.start) : bisect_left(starts, cell.end)]
                    is_prose = cell.kind is CellKind.TEXT and one.kind in (RecordKind.SENTENCE, RecordKind.LINE)
                    found += frames_of_cell(text, cell.start, cell.end, own, is_prose=is_prose)
                    if any(TOLD in mark.names and is_value(text, mark, cell.start, cell.end) for mark in own):
                        found.append(Frame(one.start, one.end, frozenset((TOLD,))))
        return Frames(found)


def _is_framing_name(term: Term, text: str) -> bool:
    """Returns whether a name tells a frame (`dry_run`, `desiredState`); a host's name does not (`pay.example`)."""
    return not _KEYED.isdisjoint(term.names) and not _DOTTED.search(text, term.start, term.end)
