"""Says which lines stand for themselves, and which only with what is around them.

A line under a heading, inside an object, after a text that runs on or beside the mark of an expectation may say the
opposite of what it says alone. Where that cannot be excluded, the line is not free.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.literal.layout import Line, LineKind
from evidencegate_server.lexicon.judge_words import StatementWords

FINISHED: Final = (".", "!", "。", "！")
"""The marks that end a sentence and ask nothing."""

_SIBLINGS: Final = 40  # lines above and below that are looked at for the mark of an expectation
_KEY_VALUE: Final = re.compile(r"[\s\"]*([^\":：=]*?)[\s\"]*[:：=][\s\"]*(.*?)[\s\",]*$")
_MAX_DEPTH: Final = 100
_NO_LETTER: Final = re.compile(r"[\W\d_]+")
_HEADING_LEVELS: Final = 10  # more than there are, so that a marked heading stands left of all lines
_HEADING_EDGES: Final = " \t\"'`#*_-:：=[]{}("
_YES: Final = frozenset(("true", "yes", "on", "1", "是"))


@record
class Surroundings:
    """What the lines around a line leave of it.

    `free` says that no heading or parent changes it, `begins` that its first and `ends` that its last words do not
    belong to the neighbouring lines. `must_be_unique` is set below the name of one member of several.
    """

    free: bool
    begins: bool
    ends: bool
    must_be_unique: bool = False


_NOTHING: Final = Surroundings(free=False, begins=False, ends=False)


@record
class _Parent:
    indent: int
    name: str
    opener: bool
    brace: bool
    record: bool
    doubtful: bool
    free: bool
    member: bool


class ContextReader:
    """Reads the context of all lines of a text in one pass."""

    def __init__(self, words: StatementWords) -> None:
        latin = "|".join(re.escape(word) for word in sorted((*words.doubts, *words.expectations)) if word.isascii())
        han = "|".join(re.escape(word) for word in sorted((*words.doubts, *words.expectations)) if not word.isascii())
        self._doubt = re.compile(rf"(?<![A-Za-z])(?:{latin})(?![A-Za-z])|n['’]t(?![A-Za-z])|[?？]|{han}", re.IGNORECASE)
        self._expectations = frozenset(words.expectations)
        self._neutral = frozenset(words.neutral_headings)
        self._member_lists = frozenset(words.member_headings)

    def doubts(self, text: str, start: int, end: int) -> tuple[int, int] | None:
        """Returns where the first word of doubt in a part of a text begins and the last one ends, None without any."""
        first = self._doubt.search(text, start, end)
        if first is None:
            return None
        last = first
        for last in self._doubt.finditer(text, first.end(), end):  # noqa: B007 - the last one is wanted
            pass
        return first.start(), last.end()

    def is_doubtful_name(self, name: str) -> bool:
        """Returns whether the name of a component tells that it only plays or plans: `[dry-run]`."""
        # The domain that stands for none in particular names packages in plain logs.
        name = name.lower().replace(".example.", ".")
        return self._doubt.search(name) is not None or self._doubt.search(_NO_LETTER.sub(" ", name)) is not None

    def read(self, text: str, lines: Sequence[Line]) -> list[Surroundings]:
        """Returns the surroundings of each line."""
        following = _following(lines)
        parents: list[_Parent] = []
        found: list[Surroundings] = []
        before: Line | None = None
        in_record = loose = False  # a record goes on until the next; a text without an end runs on
        for line, after in zip(lines, following, strict=True):
            if line.kind is LineKind.BLANK:
                found.append(_NOTHING)
                continue
            if len(parents) < _MAX_DEPTH:  # what lies deeper, and after it, is not followed
                _leave(parents, line, _rank(text, line), before)
            if line.kind is LineKind.RECORD:
                in_record = loose = False
            top = parents[-1] if parents else None
            finished = before is None or text[before.start : before.end].rstrip().endswith(FINISHED)
            if line.kind is LineKind.TEXT:
                begins = not in_record and not loose and finished
            elif line.kind is LineKind.TABLE:
                begins = before is None
            else:
                begins = not in_record and not loose
            ends = _ends(line, after)
            free = len(parents) < _MAX_DEPTH and (top is None or top.free)
            found.append(Surroundings(free, begins, ends, top is not None and top.member))
            if len(parents) < _MAX_DEPTH and _is_parent(text, line):
                parents.append(self._parent(text, line, top))
            if line.kind is LineKind.RECORD:
                in_record = True
            elif line.kind in (LineKind.TEXT, LineKind.TABLE):
                loose = not text[line.start : line.end].rstrip().endswith(FINISHED)
            before = line
        return found

    def is_expectation(self, text: str, lines: Sequence[Line], at: int, known: dict[int, bool]) -> bool:
        """Returns whether a pair beside a line marks it as expected, planned or played: `mode: dry-run`.

        `known` keeps what was found out about each line.
        """
        for step in (-1, 1):
            place = at + step
            while 0 <= place < len(lines) and abs(place - at) <= _SIBLINGS:
                line = lines[place]
                if line.kind is not LineKind.PAIR or line.indent < lines[at].indent:
                    break
                if place not in known:
                    known[place] = self.marks_expectation(text[line.start : line.end])
                if known[place]:
                    return True
                place += step
        return False

    def marks_expectation(self, pair: str) -> bool:
        """Returns whether one pair says that what is beside it is no observation."""
        match = _KEY_VALUE.match(pair)
        if match is None:
            return False
        key, value = match[1].lower(), match[2].lower()
        return value in self._expectations or (
            value in _YES
            and any(part in self._expectations for part in (key, key.replace("_", "-"), *re.split(r"[_\W]+", key)))
        )

    def _parent(self, text: str, line: Line, top: _Parent | None) -> _Parent:
        raw = text[line.start : line.end]
        brace = raw.rstrip()[-1:] in ("{", "[")
        opener = line.kind is not LineKind.PAIR
        name = raw.strip(_HEADING_EDGES) if opener else (raw.partition(":")[0].strip(_HEADING_EDGES))
        name = name.lower()
        member = opener and top is not None and top.free and top.name in self._member_lists and " " not in name
        neutral = name in self._neutral or name in self._member_lists or name == "" or member
        free = (top is None or top.free) and neutral and (opener or self._doubt.search(raw) is None)
        free = free and not (member and self.is_doubtful_name(name))
        below_member = top is not None and top.member
        is_record = line.kind is LineKind.RECORD
        # What such a heading takes back is not given again by the next one: it may be a part of what is below it.
        doubtful = opener and not brace and self._doubt.search(name) is not None
        return _Parent(_rank(text, line), name, opener, brace, is_record, doubtful, free, member or below_member)


def _rank(text: str, line: Line) -> int:
    """Returns how far to the right a line stands. Marked headings stand before all else, a higher one first."""
    if line.kind is LineKind.OPENER and text.startswith("#", line.start + line.indent):
        bare = text[line.start : line.end].strip()
        return len(bare) - len(bare.lstrip("#")) - _HEADING_LEVELS
    return line.indent


def _leave(parents: list[_Parent], line: Line, rank: int, before: Line | None) -> None:
    """Takes the parents away that a line does not belong to any more."""
    if line.kind is LineKind.CLOSER:
        # A brace that nothing opened closes nothing.
        opened = next((at for at in range(len(parents) - 1, -1, -1) if parents[at].brace), len(parents))
        del parents[opened:]
        return
    if line.kind is LineKind.RECORD:
        while any(parent.record for parent in parents[-1:]):
            parents.pop()
    # Two headings in a row are one below the other.
    goes_on = line.kind is not LineKind.OPENER or (before is not None and before.kind is LineKind.OPENER)
    while parents:
        top = parents[-1]
        if top.brace or rank > top.indent or (rank == top.indent and top.opener and (goes_on or top.doubtful)):
            return
        parents.pop()


def _following(lines: Sequence[Line]) -> list[Line | None]:
    """Returns for each line the next one that is not blank."""
    found: list[Line | None] = []
    after: Line | None = None
    for line in reversed(lines):
        found.append(after)
        if line.kind is not LineKind.BLANK:
            after = line
    found.reverse()
    return found


def _ends(line: Line, after: Line | None) -> bool:
    """Returns whether a line without an end mark is over where it ends."""
    if after is None or after.kind is LineKind.RECORD:
        return True
    if line.is_prose:
        return after.kind is LineKind.FRAME
    if line.kind is LineKind.TABLE:
        return False
    return after.kind in (LineKind.PAIR, LineKind.OBJECT, LineKind.OPENER, LineKind.CLOSER)


def _is_parent(text: str, line: Line) -> bool:
    if line.kind is LineKind.RECORD:
        return text[line.start : line.end].rstrip()[-1:] in (":", "：")
    return line.kind in (LineKind.OPENER, LineKind.PAIR)
