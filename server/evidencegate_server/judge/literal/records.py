"""Cuts the evidence into the clauses that can be compared with a claim, each as far as its context leaves it alone."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise
from typing import Final

from evidencegate_server.evidence.model import EvidenceRef, Span
from evidencegate_server.judge.literal.context import FINISHED, ContextReader, Surroundings
from evidencegate_server.judge.literal.layout import JSON_PAIR, LayoutReader, Line, LineKind
from evidencegate_server.lexicon.judge_words import StatementWords

_SENTENCE_END: Final = re.compile(r"[.!?](?=\s)|[。！？]")
_LAST_WORD: Final = re.compile(r"[A-Za-z.]*\.$")
_BEGINS_A_SENTENCE: Final = re.compile(r"\s*[\"“(]?[A-Z\u3400-\u9fff]")

# One line of a log can be a whole document; a clause of that length is no statement to compare a claim with.
_MAX_CLAUSE_CHARS: Final = 2_000
_MAX_LINE_CHARS: Final = 20_000
_BRACKETS: Final = ("()", "[]", "{}", "（）", "“”", "「」", "《》")
_MAX_UNIQUE_SCAN: Final = 1_000

_SAYS_NOTHING: Final = (LineKind.BLANK, LineKind.OPENER, LineKind.CLOSER, LineKind.FRAME)


@dataclass(frozen=True, slots=True, eq=False)
class Clause:
    """One clause of the evidence with its place.

    `line` is the number of its line. It `begins` with its line, whose first words can belong to what is above, and
    `ends` with it, where the last ones can belong to what is below. `message` counts the components of a record that
    stand before it and are left out.
    Two clauses are equal where they are the same object: their texts are long.
    """

    text: str
    invocation_id: str
    raw_path: str
    span: Span
    line: int
    begins: bool
    ends: bool
    message: int = 0


class Passage:
    """The clauses of one piece of evidence, worked out line by line when asked for, and kept."""

    def __init__(
        self,
        invocation_id: str,
        ref: EvidenceRef,
        layout: LayoutReader,
        context: ContextReader,
        abbreviations: frozenset[str],
    ) -> None:
        self._invocation_id = invocation_id
        self._ref = ref
        self._context = context
        self._abbreviations = abbreviations
        self.lines = layout.lines(ref.text)
        self._starts = [line.start for line in self.lines]
        self._clauses: dict[int, tuple[Clause, ...]] = {}
        self._stretches: dict[int, tuple[int, tuple[int, int] | None]] = {}
        self._marks: dict[int, frozenset[int]] = {}
        self._expectations: dict[int, bool] = {}
        self._stands: dict[Clause, bool] = {}

    @cached_property
    def _around(self) -> list[Surroundings]:
        return self._context.read(self._ref.text, self.lines)

    def clauses(self, span: Span) -> Iterator[tuple[Clause, ...]]:
        """Yields the clauses of each line that a span touches, line after line; those beside the span may be there."""
        at = max(0, bisect_right(self._starts, span.start) - 1)
        while at < len(self.lines) and self.lines[at].start < span.end:
            yield self.line(at)
            at += 1

    def line(self, at: int) -> tuple[Clause, ...]:
        """Returns the clauses of one line."""
        found = self._clauses.get(at)
        if found is None:
            found = self._clauses[at] = tuple(self._cut(at, self.lines[at]))
        return found

    def stands(self, clause: Clause) -> bool:
        """Returns whether nothing around a clause can change what it says."""
        known = self._stands.get(clause)
        if known is None:
            known = self._stands[clause] = self._is_free(clause)
        return known

    def _is_free(self, clause: Clause) -> bool:
        around, line = self._around[clause.line], self.lines[clause.line]
        if (clause.begins and not around.begins) or (clause.ends and not around.ends):
            return False
        if not around.free or (around.must_be_unique and not self._is_unique(line)):
            return False
        text, span = self._ref.text, clause.span
        if self._ref.truncated and span.end == len(text) and not clause.text.rstrip().endswith(FINISHED):
            return False  # what was cut off can have gone on
        if line.kind is LineKind.PAIR:
            return not self._context.is_expectation(text, self.lines, clause.line, self._expectations)
        if line.kind is LineKind.OBJECT:
            return not self._marks_in(clause.line) - {span.start}
        if not line.is_prose:
            return True
        start, doubts = self._stretch(clause.line)
        if _is_open(text[max(start, span.start - _MAX_CLAUSE_CHARS) : span.start]):
            return False
        is_sure = doubts is None or (doubts[0] >= span.start and doubts[1] <= span.end)
        return is_sure and not (clause.message and self._context.is_doubtful_name(line.component))

    def _cut(self, at: int, line: Line) -> Iterator[Clause]:
        if line.kind in _SAYS_NOTHING or line.end - line.start > _MAX_LINE_CHARS:
            return
        if line.is_prose:
            yield from self._sentences(at, line)
            return
        start, end = self._trimmed(line.start, line.end)
        if line.kind is LineKind.OBJECT:
            for pair in JSON_PAIR.finditer(self._ref.text, start, end):
                yield from self._clause(at, pair.start(), pair.end())
        else:
            yield from self._clause(at, start, end)

    def _clause(
        self, at: int, start: int, end: int, *, begins: bool = True, ends: bool = True, message: int = 0
    ) -> Iterator[Clause]:
        """Yields one clause, or none where it is empty or too long."""
        text = self._ref.text[start:end]
        if len(text) <= _MAX_CLAUSE_CHARS and text and not text.isspace():
            yield Clause(text, self._invocation_id, self._ref.raw_path, Span(start, end), at, begins, ends, message)

    def _trimmed(self, start: int, end: int) -> tuple[int, int]:
        """Returns a line without the blanks, bars and the comma around it."""
        text = self._ref.text
        while end > start and text[end - 1] in " \t\r,|":
            end -= 1
        while start < end and text[start] in " \t|":
            start += 1
        return start, end

    def _sentences(self, at: int, line: Line) -> Iterator[Clause]:
        """Yields the sentences of a line, and all of them together."""
        begins = line.messages or (line.start + line.indent,)
        cuts = self._cuts(begins[-1], line.end)
        is_open = not self._ref.text[line.start : line.end].rstrip().endswith(FINISHED)
        for message, start in enumerate(begins):
            if len(cuts) > 1:
                yield from self._clause(at, start, line.end, message=message)
            yield from self._clause(at, start, cuts[0], ends=is_open and len(cuts) == 1, message=message)
        for number, (start, end) in enumerate(pairwise(cuts), 2):
            yield from self._clause(at, start, end, begins=False, ends=is_open and number == len(cuts))

    def _cuts(self, start: int, end: int) -> list[int]:
        """Returns where the sentences of a line end; a point after an abbreviation ends none."""
        text = self._ref.text
        cuts: list[int] = []
        for match in _SENTENCE_END.finditer(text, start, end):
            if match[0] == "." and not self._ends_a_sentence(text, match.end(), start, end):
                continue
            if text[match.end() : end].strip():
                cuts.append(match.end())
        cuts.append(end)
        return cuts

    def _ends_a_sentence(self, text: str, at: int, start: int, end: int) -> bool:
        if _BEGINS_A_SENTENCE.match(text, at, end) is None:
            return False
        word = _LAST_WORD.search(text, max(start, at - 20), at)
        name = "" if word is None else word[0][:-1].lower()
        return not (len(name) == 1 or "." in name or name in self._abbreviations or text[at - 2 : at - 1] == ".")

    def _stretch(self, at: int) -> tuple[int, tuple[int, int] | None]:
        """Returns where the record, or the run of prose, of a line begins, and the first and last doubt in it."""
        known = self._stretches.get(at)
        if known is not None:
            return known
        first = last = at
        while self.lines[first].kind is not LineKind.RECORD and first > 0 and self._is_prose(first - 1):
            first -= 1
        while last + 1 < len(self.lines) and self._is_prose(last + 1):
            if self.lines[last + 1].kind is LineKind.RECORD:
                break
            last += 1
        line = self.lines[first]
        start = line.messages[-1] if line.messages else line.start
        found = start, self._context.doubts(self._ref.text, start, self.lines[last].end)
        for place in range(first, last + 1):
            self._stretches[place] = found
        return found

    def _marks_in(self, at: int) -> frozenset[int]:
        """Returns where those pairs of a flat object begin that mark the others as expected, planned or played."""
        if at not in self._marks:
            pairs = JSON_PAIR.finditer(self._ref.text, self.lines[at].start, self.lines[at].end)
            marks = (pair.start() for pair in pairs if self._context.marks_expectation(pair[0]))
            self._marks[at] = frozenset(islice(marks, 2))
        return self._marks[at]

    def _is_prose(self, at: int) -> bool:
        return self.lines[at].kind in (LineKind.TEXT, LineKind.BLANK, LineKind.RECORD)

    def _is_unique(self, line: Line) -> bool:
        """Returns whether no other line has the key of a pair, so that it needs no name of what it belongs to."""
        text = self._ref.text
        key = re.split("[:：=]", text[line.start : line.end].strip(), maxsplit=1)[0]
        if len(self.lines) > _MAX_UNIQUE_SCAN or not key:
            return False
        return sum(text.startswith(key, other.start + other.indent) for other in self.lines) == 1


def _is_open(before: str) -> bool:
    """Returns whether a bracket or a quotation begins in a text and does not end in it."""
    return before.count('"') % 2 == 1 or any(before.count(left) != before.count(right) for left, right in _BRACKETS)


class PassageReader:
    """Makes passages with one set of words."""

    def __init__(self, words: StatementWords) -> None:
        self._layout = LayoutReader(words)
        self._context = ContextReader(words)
        self._abbreviations = frozenset(words.abbreviations)

    def passage(self, invocation_id: str, ref: EvidenceRef) -> Passage:
        """Returns the passage of a piece of evidence. Linear in its text."""
        return Passage(invocation_id, ref, self._layout, self._context, self._abbreviations)
