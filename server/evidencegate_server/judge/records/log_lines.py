"""Takes the head of a log line apart: time, level, host, component, and where the message begins."""

from __future__ import annotations

import re
from typing import Final

from evidencegate_server.lexicon.format_words import FormatWords

_CLOCK: Final = r"\d\d:\d\d:\d\d(?:[.,]\d{1,9})?"
_ZONE: Final = r"(?: ?(?:Z|UTC|GMT|CST|EST|EDT|PST|PDT|MSK|CET|CEST|IST|JST)\b| ?[+-]\d\d:?\d\d(?!\d|:))?"
TIME: Final = (
    rf"(?:\d{{4}}[-/.]\d\d[-/.]\d\d(?:[T ]| {{2}}){_CLOCK}{_ZONE}"
    rf"|\d{{4}}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d(?![:\d]){_ZONE}"
    rf"|\d{{1,2}}/(?:[A-Z][a-z]{{2}}|\d\d)/\d{{4}}[: ]{_CLOCK}(?: [+-]\d{{4}})?"
    rf"|(?:[A-Z][a-z]{{2}},? )?[A-Z][a-z]{{2}} [ \d]\d(?: \d{{4}})? {_CLOCK}(?: \d{{4}})?"
    rf"|\d\d-\d\d {_CLOCK}|\d{{6}} +\d{{1,2}}:\d\d:\d\d|{_CLOCK}(?![-\d])"
    r"|\d{1,2}:\d\d(?=[ \]]+[^\d\s.:-])(?! ?[AaPp][Mm])"
    r"|\d{4}年\d{1,2}月\d{1,2}日 ?\d\d:\d\d(?::\d\d)?)"
)
_SYSLOG: Final = re.compile(
    rf"(?:<\d{{1,3}}>1? ?)?(?P<time>[A-Za-z][a-z]{{2}} [ \d]\d {_CLOCK}|\d{{4}}-\d\d-\d\dT{_CLOCK}{_ZONE})"
    r" (?P<host>[\w.-]+) (?P<component>[\w./@()-]+)(?:\[(?P<pid>\d+)\])?: "
)
_KLOG: Final = re.compile(
    r"(?P<level>[IWEF])(?P<time>\d{4}(?:\d{4})? \d\d:\d\d:\d\d\.\d{1,9}) +(?P<pid>\d+) (?P<component>[\w./-]+:\d+)\] "
)
_UNIFIED: Final = re.compile(r"\[(?P<time>\d+\.\d{3}s)\](?=\[)")
_KERNEL: Final = re.compile(r"(?:<\d>)?\[ *(?P<time>\d+\.\d{6})\](?:\[ *(?P<component>[TC]\d+)\])? ")

_PART: Final = (
    r"\[(?P<pid>\d{1,10}(?:-\d{1,6})?)\][: ]*"
    r"|\[(?P<name>[A-Za-z][\w=]*)=(?P<named>[^\]\s]*)\][: ]*"
    r"|\[(?P<bracket>[^\[\]]{1,80})\](?![,(])[: ]*"
    r"|\((?P<paren>[\w.:/#-]{1,60})\)[: ]*"
    r"|(?P<logger>[A-Za-z_$][\w$]*(?:\.[\w$]+)+(?::\d+)?)(?: +- |: | +: )"
    r"|(?P<camel>[A-Z][a-zA-Z]+[a-z]\w*)(?: +-(?:\s|$)| +: )"
    r"|(?P<short>[A-Z]{3,12}) {2,}(?=\S)"
    r"|(?P<proc>[a-z][\w.-]*)\[(?P<procid>\d+)\]: "
    r"|(?P<number>\d{1,10}|[0-9a-f]{8,16}) +(?=\[|\d |--|[A-Za-z][\w.-]*[(:])(?:--- )?"
    r"|(?P<who>[\w.-]+@[\w.-]+) (?=[A-Z]{3,})"
    r"|[-|:]+ +"
)
_MOST_PARTS: Final = 7
_LONGEST_PART: Final = 60

# What the parts of a head are called as cells.
_KEYS: Final = {"pid": "pid", "number": "thread"} | dict.fromkeys(
    ("bracket", "paren", "logger", "camel", "short", "who"), "component"
)


class Head:
    """What stands before the message: (key, start, end) of each part, and where the message begins."""

    __slots__ = ("message", "parts")

    def __init__(self, parts: list[tuple[str, int, int]], message: int) -> None:
        self.parts = parts
        self.message = message


class LogHeads:
    """Knows the levels of the lexicon."""

    def __init__(self, words: FormatWords) -> None:
        ordered = sorted(words.levels, key=lambda word: (-len(word), word))
        either = "|".join(re.escape(word) for word in ordered)
        capitals = either.upper()
        titles = "|".join(re.escape(word.capitalize()) for word in ordered)
        level = (
            rf"\[ *(?P<level1>(?i:{either})) *\][: ]*|<(?P<level2>(?i:{either}))>[: ]*"
            rf"|(?P<level3>{capitals})(?:(?=\[)|[: ]+(?!=)|$)"
            rf"|(?P<level4>{titles}|(?:{either})):? +(?=[\[(])|(?P<level4b>{either}): +"
            r"|(?P<level5>[DIWEF]) (?=[A-Z]{3}|\|)|\|? ?(?P<level6>[DIWEF]) +\| "
        )
        self._time = re.compile(rf"[\[(<]?(?P<time>{TIME})[\])>]?(?P<after>[ :|,]+|(?=\[)|$)")
        self._part = re.compile(rf"{level}|{_PART}")
        self._untimed = re.compile(
            rf"\[ *(?P<level1>(?i:{either})) *\]:? +|<(?P<level2>(?i:{either}))>:? +"
            rf"|(?P<level3>{capitals}):? +(?=\[|[\w.$]+[: ]|\S)"
        )
        self._levels = frozenset(words.levels)

    def head(self, view: str, start: int, end: int) -> Head | None:
        """Returns the head of the line, None where it is no log line."""
        first = view[start]
        found = _known_head(view, start, end)
        if found is not None:
            parts = [
                (key, *found.span(key))
                for key in ("time", "level", "host", "component", "pid")
                if key in found.re.groupindex and found.start(key) >= 0
            ]
            parts.sort(key=lambda part: part[1])
            return Head(parts, found.end()) if found.re is _KERNEL else self._rest(view, parts, found.end(), end)
        if first.isdigit() or first in "[(<" or first.isupper():
            timed = self._time.match(view, start, end)
            if timed is not None:
                after = timed.end()
                if after >= end and first not in "[(" and timed.end("time") - start < 8:
                    return None
                return self._rest(view, [("time", *timed.span("time"))], after, end)
        if "::" in view[start:end] and (head := self._colons(view, start, end)) is not None:
            return head
        untimed = self._untimed.match(view, start, end)
        if untimed is not None:
            which = untimed.lastgroup or ""
            return self._rest(view, [("level", *untimed.span(which))], untimed.end(), end)
        return None

    def _rest(self, view: str, parts: list[tuple[str, int, int]], at: int, end: int) -> Head:
        """Reads what stands between time and message."""
        leveled = any(part[0] == "level" for part in parts)
        for _ in range(_MOST_PARTS):
            found = self._part.match(view, at, end)
            if found is None:
                break
            which = found.lastgroup or ""
            if which.startswith("level"):
                if leveled:
                    break
                leveled = True
                parts.append(("level", *found.span(which)))
            elif which == "procid":
                parts.append(("component", *found.span("proc")))
                parts.append(("pid", *found.span("procid")))
            elif which == "named":
                parts.append((found["name"], *found.span("named")))
            elif which in _KEYS:
                parts.append((_KEYS[which], *found.span(which)))
            at = found.end()
        return Head(parts, at)

    def _colons(self, view: str, start: int, end: int) -> Head | None:
        """Reads a head whose parts `::` separates; one of them is a time, or this is a C++ name."""
        parts: list[tuple[str, int, int]] = []
        timed = False
        at = start
        while len(parts) < _MOST_PARTS:
            cut = view.find("::", at, end)
            if cut < 0 or cut - at > _LONGEST_PART:
                break
            if self._time.fullmatch(view, at, cut):
                timed = True
                parts.append(("time", at, cut))
            else:
                parts.append(("level" if view[at:cut].lower() in self._levels else "component", at, cut))
            at = cut + 2
        return self._rest(view, parts, at, end) if timed else None


def _known_head(view: str, start: int, end: int) -> re.Match[str] | None:
    """Matches the heads that are fixed to the letter: kernel, JVM, klog, syslog."""
    first = view[start]
    found = None
    if first in "[<":
        found = _KERNEL.match(view, start, end) or _UNIFIED.match(view, start, end)
    elif first in "IWEF":
        found = _KLOG.match(view, start, end)
    if found is None and (first.isalnum() or first == "<"):
        found = _SYSLOG.match(view, start, end)
    return found
