"""Tells what each line of a text is, so that a line is read as what its neighbours make of it."""

from __future__ import annotations

import re
from enum import Enum
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.lexicon.judge_words import StatementWords


class LineKind(Enum):
    """What a line is to the lines around it."""

    BLANK = "blank"
    RECORD = "record"  # begins with a time or a level, as log lines do
    PAIR = "pair"  # a key and its value
    OBJECT = "object"  # one flat JSON object
    OPENER = "opener"  # a heading or the start of a JSON object: what follows belongs to it
    CLOSER = "closer"
    FRAME = "frame"  # of a stack trace: says where, not what
    TABLE = "table"
    TEXT = "text"


@record
class Line:
    """One line with its place in the text, without its end. `messages` are where the message of a record can begin."""

    kind: LineKind
    start: int
    end: int
    indent: int
    messages: tuple[int, ...] = ()
    component: str = ""

    @property
    def is_prose(self) -> bool:
        """Returns whether the line can be cut into sentences."""
        return self.kind in (LineKind.RECORD, LineKind.TEXT)


_COLOUR: Final = r"(?:\x1b\[[0-9;]{0,12}m)?"
_TIME: Final = (
    r"(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?[ ]?(?:Z|UTC|[+-]\d\d:?\d\d)?"
    r"|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d\d:\d\d:\d\d(?:[.,]\d{1,9})?)"
)
_KLOG: Final = r"[IWEF]\d{4} \d\d:\d\d:\d\d\.\d{1,9}[ ]+\d+ [\w./-]{1,80}:\d+\]"
_BRACKETED: Final = r"\[[\w./:$#-]{1,60}\]"
_LOGGER: Final = r"(?:[A-Za-z]\w*(?:\.\w+)+[ ]-|[A-Za-z]\w*(?:\.\w+)+:|[a-z][\w-]*\[\d+\]:)"

_SCALAR: Final = r"(?:\"(?:[^\"\\]|\\.)*\"|-?\d[\d.eE+-]*|true|false|null)"
_JSON_PAIR: Final = rf"\"(?:[^\"\\]|\\.)*\"\s*:\s*{_SCALAR}"
JSON_PAIR: Final = re.compile(_JSON_PAIR)
_JSON_LINE: Final = re.compile(rf"\s*{_JSON_PAIR}\s*,?\s*")
_JSON_OBJECT: Final = re.compile(rf"\s*\{{\s*{_JSON_PAIR}(?:\s*,\s*{_JSON_PAIR})*\s*\}}\s*,?\s*")
_WORDS_KEY: Final = r"[A-Z][\w./()-]*(?: [A-Z][\w./()-]*){1,3}"
_KEY: Final = rf"(?:{_WORDS_KEY}|[A-Za-z_][\w./-]*|[\u4e00-\u9fff]{{1,12}})"
_PAIR: Final = re.compile(
    rf"\s*(?:{_KEY}\s*(?::|：)\s+\S.*|{_KEY}：\S.*|[\u4e00-\u9fff]{{1,12}}:\S.*|[\w./-]+=[^\s=]\S*)"
)
_CLOSER: Final = re.compile(r"\s*[\]}]+\s*[,;]?\s*")
_OPENER: Final = re.compile(r"\s*(?:#{1,6}\s.*|\[[^\[\]]*\]|.*[:：]|(?:\"[^\"]*\"\s*:\s*)?[\[{]|.*[\[{(])[\s*_]*")
_FRAME: Final = re.compile(
    r"\s+(?:at [\w.$<>/]+\([^)]*\)|\.\.\. \d+ (?:more|common frames omitted)|File \"[^\"]*\", line \d+.*)\s*"
)
_GAP: Final = re.compile(r"[^\s.!?:：。]\s*(?:\t|[ ]{2,})\S|\|")


class LayoutReader:
    """Tells lines apart with the names of levels from the lexicon."""

    def __init__(self, words: StatementWords) -> None:
        ordered = sorted(words.levels, key=lambda word: (-len(word), word))
        either = "|".join(re.escape(level) for level in ordered)
        capitals = either.upper()
        framed = rf"(?:\[(?i:{either})\]:?|<(?i:{either})>:?|\((?i:{either})\):?)"
        level = rf"{_COLOUR}(?:{framed}|(?:{capitals})(?![\w-])[ ]?:?){_COLOUR}"
        timed = rf"[\[(]?{_TIME}[\])]?(?=[\s:|])[ :|]*(?:{level}[ ]*)?"
        untimed = (
            rf"{_COLOUR}(?:{framed}|(?:{capitals}){_COLOUR}[ ]?:(?=[\s\x1b])"
            rf"|(?:{capitals}){_COLOUR}(?=\s+(?:{_BRACKETED}|{_LOGGER})\s))[ ]*"
        )
        self._record = re.compile(rf"\s*{_COLOUR}(?:{_KLOG}|{timed}|{untimed})[ ]*{_COLOUR}")
        self._part = re.compile(rf"(?P<component>{_BRACKETED}|{_LOGGER})[ :]*(?:{level}[ ]*)?(?:-[ ])?{_COLOUR}")

    def lines(self, text: str) -> list[Line]:
        """Returns the lines of a text, in order."""
        found: list[Line] = []
        start = 0
        for raw in text.split("\n"):
            found.append(self._line(raw, start))
            start += len(raw) + 1
        return found

    def _line(self, raw: str, start: int) -> Line:
        bare = raw.strip()
        end = start + len(raw)
        if not bare:
            return Line(LineKind.BLANK, start, end, 0)
        indent = len(raw) - len(raw.lstrip())
        record = self._record.match(raw)
        if record is not None and record.end() < len(raw):
            return self._record_line(raw, start, record.end(), indent)
        return Line(_kind(raw, bare), start, end, indent)

    def _record_line(self, raw: str, start: int, at: int, indent: int) -> Line:
        """Finds where the message begins: after the time and level, or after the component that follows them."""
        messages, components = [start + at], []
        for _ in range(3):
            part = self._part.match(raw, at)
            if part is None or part.end() >= len(raw):
                break
            components.append(part["component"])
            at = part.end()
            messages.append(start + at)
        return Line(LineKind.RECORD, start, start + len(raw), indent, tuple(messages), " ".join(components))


def _kind(raw: str, bare: str) -> LineKind:
    if bare[0] in "}]" and _CLOSER.fullmatch(raw):
        return LineKind.CLOSER
    if bare[0] == '"' and _JSON_LINE.fullmatch(raw):
        return LineKind.PAIR
    if bare[0] == "{" and _JSON_OBJECT.fullmatch(raw):
        return LineKind.OBJECT
    if (bare[0] in "#[" or bare[-1] in ":：[{(*_") and _OPENER.fullmatch(raw):
        return LineKind.OPENER
    if raw[0].isspace() and _FRAME.fullmatch(raw):
        return LineKind.FRAME
    if _PAIR.fullmatch(raw):
        return LineKind.PAIR
    return LineKind.TABLE if _GAP.search(bare) else LineKind.TEXT
