"""Finds the telling lines of a text by what stands in them, without walking all of its lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.trace.condensers.model import Focus
from evidencegate_server.trace.condensers.sieve import Sieve

MAX_LINE_CHARS: Final = 2_000  # of a longer line only what is around a hit is looked at
_HITS: Final = 48  # occurrences of a word that are looked at: what is in more lines than that tells little
_HEAD: Final = 40  # lines from the start that may be shown
_TAIL: Final = 12  # and from the end
_EDGES: Final = "\n,;{}。；，"
_EDGE_REACH: Final = 80

QUOTED: Final = 1_000.0
_FIRST: Final = 500.0
RARE: Final = 8.0
SEVERAL: Final = 3.0
OFTEN: Final = 1.0
_RARE_HITS: Final = 3
_SEVERAL_HITS: Final = 16


@record
class Line:
    """A stretch of a text, start and end in code points; `cut` says that it is a part of a longer line."""

    start: int
    end: int
    cut: bool = False


class Lines:
    """The lines of one text with what each is worth."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._sieve = Sieve(text)
        self.worth: dict[Line, float] = {}
        self.hits: dict[Line, int] = {}  # the first place in a line that made it worth something
        self.focused: set[Line] = set()

    def add_head(self) -> None:
        """Takes in the first lines."""
        at = 0
        for _ in range(_HEAD):
            if at >= len(self.text):
                return
            line = self._line_at(at)
            self._count(line, 0.0)
            at = line.end + 1 if not line.cut else len(self.text)

    def add_tail(self, worth: float) -> None:
        """Takes in the last lines, each worth as much as is said."""
        end = len(self.text.rstrip())
        for _ in range(_TAIL):
            if end <= 0:
                return
            line = self._line_at(end - 1)
            self._count(line, worth)
            end = line.start - 1 if not line.cut else 0

    def add_words(self, words: Iterable[str], worth: float) -> None:
        """Takes in lines that have one of some words, which are in lower case; a line counts once."""
        seen: set[Line] = set()
        for word in words:
            for at in self._places(word):
                line = self._line_at(at)
                if line not in seen:
                    seen.add(line)
                    self._count(line, worth, at)

    def add_focus(self, focus: Focus) -> None:
        """Takes in lines that claims quote, and those that have words of claims: rare words are worth most."""
        for quote in focus.quotes:
            for at in self._quoted(quote):
                line = self._line_at(at)
                self._count(line, QUOTED, at)
                self.focused.add(line)
        for word in focus.words:
            found: dict[Line, int] = {}
            for at in self._places(word):
                found.setdefault(self._line_at(at), at)
            worth = RARE if len(found) <= _RARE_HITS else SEVERAL if len(found) <= _SEVERAL_HITS else OFTEN
            for line, at in found.items():
                self._count(line, worth, at)
                if worth > OFTEN:
                    self.focused.add(line)

    def keep_first(self, besides: Callable[[str], bool] = lambda _line: False) -> None:
        """Makes the first line that is not blank, and none of those besides, worth more than any but quoted ones."""
        at = 0
        for _ in range(_HEAD):
            if at >= len(self.text):
                return
            line = self._line_at(at)
            text = self.text[line.start : line.end].strip()
            if text and not besides(text):
                self._count(line, _FIRST)
                return
            at = line.end + 1

    def best(self) -> list[Line]:
        """Returns the lines by worth, the earlier one first among equals."""
        return sorted(self.worth, key=lambda line: (-self.worth[line], line.start))

    def _quoted(self, quote: str) -> Iterator[int]:
        """Returns where each line of a quotation stands, the first time."""
        at = self.text.find(quote)
        if at < 0:
            return
        for part in quote.splitlines(keepends=True):
            if not part.isspace():
                yield at + len(part) - len(part.lstrip())
            at += len(part)

    @cached_property
    def _folded(self) -> str:
        lowered = self.text.lower()
        # A few letters change their length in lower case: then places would shift, and case decides.
        return lowered if len(lowered) == len(self.text) else self.text

    def _places(self, word: str) -> Iterator[int]:
        if not self._sieve.may_hold(word):
            return
        at = -1
        for _ in range(_HITS):
            at = self._folded.find(word, at + 1)
            if at < 0:
                return
            yield at

    def _count(self, line: Line, worth: float, at: int | None = None) -> None:
        if line.end > line.start:
            self.worth[line] = self.worth.get(line, 0.0) + worth
            if at is not None:
                self.hits.setdefault(line, at)

    def _line_at(self, at: int) -> Line:
        """Returns the line around a place; of a very long one a stretch that ends at marks of a sentence or list."""
        text = self.text
        start = text.rfind("\n", max(0, at - MAX_LINE_CHARS), at) + 1
        if start == 0 and at > MAX_LINE_CHARS:
            # Stretches lie on a grid, so that places close to each other share one.
            cell = at - at % MAX_LINE_CHARS
            return Line(self._edge_before(cell), self._edge_after(cell + MAX_LINE_CHARS), cut=True)
        end = text.find("\n", at, start + MAX_LINE_CHARS)
        if end >= 0 or len(text) <= start + MAX_LINE_CHARS:
            return Line(start, end if end >= 0 else len(text))
        return Line(start, self._edge_after(start + MAX_LINE_CHARS), cut=True)

    def _edge_before(self, at: int) -> int:
        return max(at - _EDGE_REACH, *(self.text.rfind(edge, at - _EDGE_REACH, at) + 1 for edge in _EDGES), 0)

    def _edge_after(self, at: int) -> int:
        """Returns an end that cuts no word where the next mark is near."""
        found = (self.text.find(edge, at, at + _EDGE_REACH) for edge in _EDGES)
        return min((place for place in found if place >= 0), default=min(at, len(self.text)))
