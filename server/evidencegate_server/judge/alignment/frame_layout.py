"""Finds how far a word, a question mark or a hiding sign takes the force from what stands beside or below it.

A word frames its sentence, the rest of its line or the value under its key; in a heading, the block below.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.alignment.frames import (
    ASKED,
    DENIED,
    HEDGED,
    HIDDEN,
    NEGATED,
    NONE,
    NOT_SEEN,
    SUPPOSED,
    TOLD,
    WANTED,
    Frame,
    Mark,
)
from evidencegate_server.judge.records.prose import sentences
from evidencegate_server.lexicon.concept_words import NOT
from evidencegate_server.text.fold_tables import BIDI_CONTROLS

_REPORTED: Final = "@reported"
_BELOW: Final = frozenset((WANTED, TOLD, DENIED, HEDGED, SUPPOSED, NEGATED, NOT_SEEN, NONE, NOT))
_BACKWARD: Final = frozenset((WANTED, TOLD, DENIED, HEDGED, NEGATED, "@risk"))
_IN_SENTENCE: Final = frozenset((DENIED, SUPPOSED))
MARKS: Final = _BELOW | _BACKWARD | {_REPORTED}
"""What can open a frame."""

_HEADING: Final = re.compile(
    r"(?:#{1,6}\s+\S|\[[^\[\]]+\]$)|.*(?:[:：{(\[]|=>|\b(?:that|whether|then|if)|表明|显示|是否|如下[。：]?)[\s*_]*$"
)
_TITLE: Final = re.compile(r"[A-Z][A-Za-z]*(?: [A-Za-z]+){0,4}|[\u4e00-\u9fff]{2,12}")
_BEGINS_RECORD: Final = re.compile(r"[\[(]?\d")
_GOES_BACK: Final = re.compile(r"(?:is|are|was|were|in|during|as|per)\s[^:=]*$")
_SECTION: Final = re.compile(r"\[[^\[\]]+\]$")
_MARKDOWN: Final = re.compile(r"(#{1,6})\s")
_ASKS: Final = re.compile(r"(?<![=&/|])(?<!  ) ?[?？][\"'”」)）]*$|[吗呢][?？。]?$")
_TO_FOLLOW: Final = re.compile(r"(?:如下|as follows|the following)\s*[.。:：]$")
_HIDES: Final = re.compile(
    rf"[{''.join(sorted(BIDI_CONTROLS))}\u0335-\u0338]|\x1b\[(?:\d+;)*8m"
    # Scripts of which no word is known: there a denial would be passed over.
    r"|[\u0400-\u052f\u0590-\u0e7f\u3040-\u30fa\uac00-\ud7af]"
)
_TAKEN_OUT: Final = re.compile(
    r"<!--.*?(?:-->|\Z)|~~[^~\n]+~~"
    r"|^[ \t]*(?:#|//|;)[ \t]*[a-z_][\w.-]*[ \t]*[:=][ \t]*\S[^\n]*$",
    re.DOTALL | re.MULTILINE,
)
_SPOKEN: Final = re.compile(r"\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”")
_ASIDE: Final = re.compile(r"(?<=[\w\u4e00-\u9fff] )\([^()\n]{1,400}\)")
_TWO_SENTENCES: Final = re.compile(r"[.!?]\s+\S.*|[。！？].")
_SIGNS: Final = re.compile(r"[?？~]|<!--|\x1b\[|[吗呢]|[#;/]")


@record
class _Heading:
    """A heading whose block is open: `depth` of brackets (-1 for none) and `level` of a title (0 for none) end it."""

    start: int
    indent: int
    depth: int
    level: int
    kinds: frozenset[str]
    said: frozenset[str]
    in_log: bool


@record
class _Line:
    start: int
    end: int
    indent: int
    bare: str
    marks: Sequence[Mark]


def frames_of_lines(text: str, marks: Sequence[Mark]) -> list[Frame]:
    """Returns the frames that the layout of a text makes: blocks below headings, lines told of later, hidden signs.

    `marks` come in the text's order. Linear in both.
    """
    found: list[Frame] = []
    if not text.isascii() or "\x1b" in text:
        found += _hidden(text)
    if _SIGNS.search(text) is not None:
        found += (Frame(one.start(), one.end(), frozenset((HIDDEN,))) for one in _TAKEN_OUT.finditer(text))
    if marks:
        found += _Blocks(text, marks).frames()
    found += _spoken(text, marks)
    return found


def frames_of_cell(view: str, start: int, end: int, marks: Sequence[Mark], *, is_prose: bool) -> Iterator[Frame]:
    """Returns the frames that the sentences of one cell make. `marks` are those within it.

    An example that prose tells goes on to the end of its line, beyond the sentence that announces it.
    """
    asks = "?" in view[start:end] or "？" in view[start:end] or "吗" in view[start:end]
    if not marks and not asks:
        return
    at = 0
    for low, high in sentences(view, start, end):
        own: list[Mark] = []
        while at < len(marks) and marks[at].start < high:
            own.append(marks[at])
            at += 1
        sentence = view[low:high].rstrip()
        if asks and not view[high : high + 1].strip() and _ASKS.search(sentence) is not None:
            yield Frame(low + _last_part(sentence), high, frozenset((ASKED,)))
        kinds = {name for mark in own for name in mark.names}
        if TOLD in kinds or (kinds & _BELOW and _TO_FOLLOW.search(sentence) is not None):
            yield Frame(low, _line_end(view, len(view) if is_prose else end, high), frozenset(kinds & {*_BELOW}))
        elif kinds & _IN_SENTENCE:
            yield Frame(low, high, frozenset(kinds & _IN_SENTENCE))


def is_value(view: str, mark: Mark, start: int, end: int) -> bool:
    """Returns whether a mark is the whole of a cell: `mode: dry-run`."""
    return view[start:end].strip(" \"'[](),") == view[mark.start : mark.end]


def _last_part(sentence: str) -> int:
    """Returns where the question of a sentence begins: behind its last colon, which ends what it is asked of."""
    return max(sentence.rfind(sign) + len(sign) if sign in sentence else 0 for sign in (": ", "：", "\n"))


def _line_end(view: str, end: int, at: int) -> int:
    line = view.find("\n", at, end)
    return line if line >= 0 else end


def _hidden(text: str) -> Iterator[Frame]:
    """Returns the lines with signs that hide, turn round or strike out text, or in a script without known words."""
    last = -1
    for sign in _HIDES.finditer(text):
        if sign.start() < last:
            continue
        start = text.rfind("\n", 0, sign.start()) + 1
        last = _line_end(text, len(text), sign.start())
        yield Frame(start, last, frozenset((HIDDEN,)))


def _spoken(text: str, marks: Sequence[Mark]) -> Iterator[Frame]:
    """Returns what another said or wrote in several sentences, and several sentences in brackets."""
    reported = [mark.start for mark in marks if _REPORTED in mark.names]
    for kind in (_SPOKEN, _ASIDE):
        for one in kind.finditer(text):
            if _TWO_SENTENCES.search(text, one.start() + 1, one.end() - 1) is None:
                continue
            at = bisect_left(reported, one.start()) - 1
            said = at >= 0 and "\n" not in text[reported[at] : one.start()]
            if kind is _ASIDE or said:
                yield Frame(one.start(), one.end(), frozenset((_REPORTED,)))


class _Blocks:
    """One walk over the lines, with the marked headings that are open."""

    def __init__(self, text: str, marks: Sequence[Mark]) -> None:
        self._text = text
        self._marks = marks
        self._open: list[_Heading] = []
        self._found: list[Frame] = []
        self._depth = 0  # of brackets

    def frames(self) -> list[Frame]:
        """Returns the frames of the text."""
        before: _Line | None = None
        fresh = blank = False  # whether the line before is a heading; whether a blank one lies between
        for line in self._lines():
            if not line.bare:
                blank = True
                continue
            self._close(line, fresh=fresh, blank=blank)
            kinds = {name for mark in line.marks for name in mark.names}
            if before is not None and not blank and kinds & _BACKWARD and _GOES_BACK.match(line.bare) is not None:
                self._found.append(Frame(before.start, before.end, frozenset(kinds & _BACKWARD)))
            fresh = (_HEADING.match(line.bare) is not None) or self._is_title(line, kinds)
            if fresh and kinds & _BELOW:
                self._begin(line, kinds)
            if "{" in line.bare or "}" in line.bare or "[" in line.bare or "]" in line.bare:
                self._depth += _balance(line.bare)
            before, blank = line, False
        end = len(self._text)
        self._found += (Frame(one.start, end, one.kinds, one.said) for one in self._open)
        return self._found

    def _lines(self) -> Iterator[_Line]:
        start = at = 0
        marks = self._marks
        for raw in self._text.split("\n"):
            end = start + len(raw)
            first = at
            while at < len(marks) and marks[at].start < end:
                at += 1
            bare = raw.strip()
            yield _Line(start, end, len(raw) - len(raw.lstrip()), bare, marks[first:at])
            start = end + 1

    def _is_title(self, line: _Line, kinds: set[str]) -> bool:
        return bool(kinds & {WANTED, TOLD, DENIED}) and _TITLE.fullmatch(line.bare) is not None

    def _begin(self, line: _Line, kinds: set[str]) -> None:
        marked = _MARKDOWN.match(line.bare)
        level = len(marked[1]) if marked is not None else 1 if _SECTION.match(line.bare) is not None else 0
        depth = self._depth if line.bare[-1] in "{[" and not level else -1
        in_log = _BEGINS_RECORD.match(line.bare) is not None
        said = frozenset(name for mark in line.marks if NOT in mark.names for name in mark.names if name != NOT)
        self._open.append(_Heading(line.end, line.indent, depth, level, frozenset(kinds & _BELOW), said, in_log))

    def _close(self, line: _Line, *, fresh: bool, blank: bool) -> None:
        """Ends the blocks that a line does not belong to any more. Headings in a row are one below the other."""
        while self._open and self._is_over(self._open[-1], line, fresh=fresh, blank=blank):
            one = self._open.pop()
            self._found.append(Frame(one.start, line.start, one.kinds, one.said))

    def _is_over(self, one: _Heading, line: _Line, *, fresh: bool, blank: bool) -> bool:
        if one.depth >= 0:
            return self._depth <= one.depth
        if one.level:
            marked = _MARKDOWN.match(line.bare)
            return (marked is not None and len(marked[1]) <= one.level) or _SECTION.match(line.bare) is not None
        if one.in_log:
            return _BEGINS_RECORD.match(line.bare) is not None
        if fresh or line.indent > one.indent:
            return False
        # Below a heading with nothing deeper, a blank line ends the block.
        return blank or self._text[one.start + 1 : one.start + 2] in (" ", "\t")


def _balance(bare: str) -> int:
    return bare.count("{") + bare.count("[") - bare.count("}") - bare.count("]")
