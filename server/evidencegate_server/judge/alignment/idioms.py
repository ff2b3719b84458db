"""Notes what the idioms of tools say."""

from __future__ import annotations

import re
from typing import Final

from evidencegate_server.judge.alignment.cell_forms import has_form, holds
from evidencegate_server.judge.alignment.edges import edges
from evidencegate_server.judge.alignment.places import Link, Place
from evidencegate_server.judge.alignment.record_tree import RecordTree
from evidencegate_server.judge.records.model import Cell, CellKind
from evidencegate_server.lexicon.concept_words import NOT
from evidencegate_server.lexicon.concept_words import Link as LinkWords

_WORD: Final = re.compile(r"[A-Za-z0-9]+")
_BEFORE_OBJECT: Final = 8  # characters between the key of an object and what it holds
_ASSIGNS: Final = re.compile(r"[\"']?[ \t]*[:=][ \t]*[\"']?")


class IdiomReader:
    """Reads the idioms of tools: texts in a record, and forms of a column's value."""

    def __init__(self, tree: RecordTree) -> None:
        self._tree = tree
        self._links: dict[str, list[Link]] = {}

    def links(self) -> dict[str, list[Link]]:
        """Returns by concept where an idiom says or denies it."""
        for source, text in enumerate(self._tree.evidence.texts):
            self._read_text(source, text)
        by_column = self._tree.vocabulary.links_by_column
        for one in self._tree.records:
            for cell in one.cells:
                if cell.kind is CellKind.FIELD:
                    for link in by_column.get(cell.key.lower(), ()):
                        self._read_column(one.index, cell, link)
        return self._links

    def _read_text(self, source: int, text: str) -> None:
        vocabulary = self._tree.vocabulary
        openers = vocabulary.links_by_opener
        # Most texts have the first word of some idiom, and few the rest of it.
        there = {
            opener: links
            for opener in openers.keys() & set(_WORD.findall(text))
            if (links := [one for one in openers[opener] if one[0] in text])
        }
        for word in _WORD.finditer(text) if there else ():
            start = word.start()
            for wanted, link in there.get(word[0], ()):
                if text.startswith(wanted, start):
                    self._found_at(source, start, start + len(wanted), link)
        for wanted, link in vocabulary.links_by_text:
            if wanted in text:
                at = text.find(wanted)
                while at >= 0:
                    self._found_at(source, at, at + len(wanted), link)
                    at = text.find(wanted, at + len(wanted))

    def _read_column(self, index: int, cell: Cell, link: LinkWords) -> None:
        if cell.text.strip() in link.cells if link.cells else has_form(cell, link.form):
            self._add(link, Place(index, cell.start, cell.end))

    def _found_at(self, source: int, start: int, end: int, link: LinkWords) -> None:
        if not edges(self._tree.evidence.texts[source], start, end):
            return
        index = self._tree.record_at(source, start)
        if index >= 0 and self._is_key(index, start, end):
            return
        if index >= 0 and (not link.near or any(near in self._tree.text_of(index) for near in link.near)):
            self._add(link, Place(index, start, end))

    def _is_key(self, index: int, start: int, end: int) -> bool:
        """Returns whether a stretch is a key with a no (Leader: none) or the end of one with a yes: its field tells."""
        is_end = start > 0 and self._tree.text_at(index, start - 1, start) == "_"
        return any(
            cell.kind is CellKind.FIELD
            and 0 <= cell.start - end <= _BEFORE_OBJECT
            and (says := holds(cell)) is not None
            and (is_end or not says)
            and _ASSIGNS.fullmatch(self._tree.text_at(index, end, cell.start)) is not None
            for cell in self._tree.records[index].cells
        )

    def _add(self, link: LinkWords, place: Place) -> None:
        if self._tree.is_unsaid(place.record, place.start):
            return
        denied = NOT in link.claim
        for name in link.claim:
            if name != NOT:
                self._links.setdefault(name, []).append(Link(place, link.label == "usual", denied))
