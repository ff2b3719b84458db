"""Reads stack traces and thread dumps: Java exceptions with their causes, Python tracebacks, Go panics."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from evidencegate_server.judge.records.builder import Builder, Draft
from evidencegate_server.judge.records.model import RecordKind
from evidencegate_server.judge.records.source import Line

_CLASS: Final = r"(?:[a-z_][\w$]*\.)+[A-Z][\w$.]*|[A-Z][A-Za-z0-9]*(?:Error|Exception|Failure|Interrupt|Exit|Warning)"
_EXCEPTION: Final = re.compile(
    rf"(?P<lead>(?:Exception in thread \"(?P<thread>[^\"]*)\" )?|(?:Caused by|Suppressed|Wrapped by): )"
    rf"(?P<type>{_CLASS})(?::\s*(?P<message>\S.*)|:?$)"
)
_SURE_TYPE: Final = re.compile(r"(?:Error|Exception|Failure|Throwable|Interrupt|Warning|Timeout|Refused|Denied)\w*$")
_FRAME: Final = re.compile(
    r"at [\w.$<>/ \[\]`,&*]+\(.*\)?|at [\w.$<>/]+:\d+.*|\.\.\. .*|\.\.\.|File \"[^\"]*\", line \d+.*"
)
_JAVA_THREAD: Final = re.compile(r"\"(?P<name>[^\"]{1,200})\"(?P<rest> .*(?:\b(?:nid|tid|prio|Id)=).*)")
_STATE: Final = re.compile(r"java\.lang\.Thread\.State: (\S+(?: \([^)]*\))?)")
_THREAD_STATE: Final = re.compile(r"\b(NEW|RUNNABLE|BLOCKED|WAITING|TIMED_WAITING|TERMINATED)\b")
_TOKEN: Final = re.compile(r"([\w#]+)=(\S+)")
_PLACE: Final = re.compile(r"(?:nid|Id|tid)=\S+ (?P<state>[a-z][a-z .()]*?)? *(?:\[[^\]]*\])?$")
_LOCK: Final = re.compile(
    r"-+ +(?P<what>locked|waiting to lock|waiting on|parking to wait for|blocked on|eliminated)\s+(?P<lock>\S.*)"
)
_GOROUTINE: Final = re.compile(r"goroutine (\d+) \[([^\],]*)(?:, (?P<wait>\d+ minutes?))?[^\]]*\]:")
_GO_FRAME: Final = re.compile(r"(?:created by )?[\w./*()%-]+[\w)]\(?.*|\S+\.(?:go|s):\d+(?: \+0x[0-9a-f]+)?")
_PANIC: Final = "panic: "
_TRACEBACK: Final = "Traceback (most recent call last)"

# Frames beyond these say no more about what happened.
_MOST_FRAMES: Final = 100


class TraceReader:
    """Reads one trace at a time."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._groups: dict[int, int] = {}  # of the threads under each record

    def _group(self, parent: int) -> int:
        """Returns the group of the threads of one dump, which can be counted and must not be mixed up."""
        if parent not in self._groups:
            self._groups[parent] = self._builder.group()
        return self._groups[parent]

    def read(self, lines: Sequence[Line], at: int, parent: int, chain: Draft | None) -> tuple[int, Draft | None]:
        """Reads the trace at `at`. Returns the index of the line behind it and the last exception, or `at` and None.

        `chain` is the exception that a `Caused by` here belongs to, where the lines before were read already.
        """
        line = lines[at]
        bare = line.bare
        first = bare[0]
        if first == '"' and (found := _JAVA_THREAD.fullmatch(bare)) is not None:
            return self._thread(lines, at, parent, found), None
        if first == "g" and (found := _GOROUTINE.match(bare)) is not None:
            return self._goroutine(lines, at, parent if chain is None else chain.index, found), chain
        if first == "p" and bare.startswith(_PANIC):
            return self._panic(lines, at, parent)
        if first == "T" and bare.startswith(_TRACEBACK):
            return self._python(lines, at, parent)
        found = _EXCEPTION.fullmatch(bare)
        if found is None:
            return at, None
        follows = at + 1 < len(lines) and self._is_frame(lines[at + 1])
        if not (follows or found["lead"] or _SURE_TYPE.search(found["type"])):
            return at, None
        return self._exception(lines, at, parent, chain, found)

    def _is_frame(self, line: Line) -> bool:
        return line.indent >= 0 and line.bare[0] in "a.F" and _FRAME.fullmatch(line.bare) is not None

    def _exception(
        self, lines: Sequence[Line], at: int, parent: int, chain: Draft | None, found: re.Match[str] | None
    ) -> tuple[int, Draft | None]:
        builder = self._builder
        draft = chain
        while found is not None:
            line = lines[at]
            lead = found["lead"].rstrip(": ")
            is_cause = lead in ("Caused by", "Suppressed", "Wrapped by")
            holder = draft.index if is_cause and draft is not None else parent
            draft = builder.open(RecordKind.OBJECT, holder, lead if is_cause else "", line.left)
            offset = line.left
            if found["thread"]:
                builder.plain(draft, "thread", offset + found.start("thread"), offset + found.end("thread"))
            builder.plain(draft, "exception", offset + found.start("type"), offset + found.end("type"))
            if found["message"]:
                builder.prose(draft, "message", offset + found.start("message"), offset + found.end("message"))
            draft.end = line.end
            at = self._frames(lines, at + 1, draft)
            found = None
            if at < len(lines) and lines[at].indent >= 0:
                following = _EXCEPTION.fullmatch(lines[at].bare)
                if following is not None and following["lead"].startswith(("Caused", "Suppressed", "Wrapped")):
                    found = following
        return at, draft

    def _frames(self, lines: Sequence[Line], at: int, draft: Draft) -> int:
        """Reads frames, and messages that go on for several lines above them."""
        builder = self._builder
        count = 0
        while at < len(lines):
            line = lines[at]
            if line.indent < 0:
                break
            if self._is_frame(line):
                if count < _MOST_FRAMES and line.bare[0] != ".":
                    lead = 3 if line.bare.startswith("at ") else 0
                    builder.plain(draft, "at", line.left + lead, line.end)
                count += 1
            elif (lock := _LOCK.fullmatch(line.bare)) is not None:
                builder.plain(draft, lock["what"], line.left + lock.start("lock"), line.left + lock.end("lock"))
            elif not count and (line.indent > 0 or self._nested(lines, at)):
                builder.prose(draft, "message", line.left, line.end)
            else:
                break
            draft.end = line.end
            at += 1
        return at

    def _nested(self, lines: Sequence[Line], at: int) -> bool:
        """Tells whether the line is the exception that `nested exception is:` announces."""
        return lines[at - 1].bare.endswith("nested exception is:")

    def _thread(self, lines: Sequence[Line], at: int, parent: int, found: re.Match[str]) -> int:
        builder = self._builder
        line = lines[at]
        draft = builder.open(RecordKind.OBJECT, parent, found["name"], line.left, self._group(parent))
        offset = line.left
        builder.plain(draft, "thread", offset + found.start("name"), offset + found.end("name"))
        for token in _TOKEN.finditer(line.bare, found.start("rest")):
            builder.plain(draft, token[1], offset + token.start(2), offset + token.end(2))
        state = _THREAD_STATE.search(line.bare, found.start("rest"))
        if state is not None:
            builder.plain(draft, "state", offset + state.start(1), offset + state.end(1))
        elif (place := _PLACE.search(line.bare, found.start("rest"))) is not None and place["state"]:
            builder.plain(draft, "status", offset + place.start("state"), offset + place.end("state"))
        draft.end = line.end
        at += 1
        while at < len(lines) and lines[at].indent > 0:
            line = lines[at]
            bare = line.bare
            if (state := _STATE.match(bare)) is not None:
                builder.plain(draft, "state", line.left + state.start(1), line.left + state.end(1))
            elif (lock := _LOCK.fullmatch(bare)) is not None:
                builder.prose(draft, lock["what"], line.left + lock.start("lock"), line.left + lock.end("lock"))
            elif bare.startswith("at "):
                builder.plain(draft, "at", line.left + 3, line.end)
            else:
                builder.field(draft, "", line.left, line.end)
            draft.end = line.end
            at += 1
        return at

    def _panic(self, lines: Sequence[Line], at: int, parent: int) -> tuple[int, Draft]:
        builder = self._builder
        draft = builder.open(RecordKind.OBJECT, parent, "panic", lines[at].left)
        builder.prose(draft, "panic", lines[at].left + len(_PANIC), lines[at].end)
        at += 1
        while at < len(lines) and lines[at].bare.startswith("[signal "):
            builder.prose(draft, "signal", lines[at].left, lines[at].end)
            at += 1
        return at, draft

    def _goroutine(self, lines: Sequence[Line], at: int, parent: int, found: re.Match[str]) -> int:
        builder = self._builder
        line = lines[at]
        draft = builder.open(RecordKind.OBJECT, parent, "goroutine", line.left, self._group(parent))
        builder.plain(draft, "goroutine", line.left + found.start(1), line.left + found.end(1))
        builder.plain(draft, "state", line.left + found.start(2), line.left + found.end(2))
        if found["wait"]:
            builder.field(draft, "waiting", line.left + found.start("wait"), line.left + found.end("wait"))
        draft.end = line.end
        at += 1
        while at < len(lines) and lines[at].indent >= 0 and _GO_FRAME.fullmatch(lines[at].bare) is not None:
            builder.plain(draft, "at", lines[at].left, lines[at].end)
            draft.end = lines[at].end
            at += 1
        return at

    def _python(self, lines: Sequence[Line], at: int, parent: int) -> tuple[int, Draft]:
        builder = self._builder
        draft = builder.open(RecordKind.OBJECT, parent, "Traceback", lines[at].left)
        draft.end = lines[at].end
        return self.python_frames(lines, at + 1, draft), draft

    def python_frames(self, lines: Sequence[Line], at: int, draft: Draft) -> int:
        """Reads the frames of a traceback and the exception below them; returns the index of the line behind."""
        builder = self._builder
        while at < len(lines) and lines[at].indent >= 0:
            line = lines[at]
            if line.bare.startswith('File "'):
                builder.plain(draft, "at", line.left, line.end)
            elif line.indent > 0:
                builder.plain(draft, "code", line.left, line.end)
            else:
                found = _EXCEPTION.fullmatch(line.bare)
                if found is not None:
                    builder.plain(draft, "exception", line.left + found.start("type"), line.left + found.end("type"))
                    if found["message"]:
                        start = line.left + found.start("message")
                        builder.prose(draft, "message", start, line.end)
                    draft.end = line.end
                    at += 1
                break
            draft.end = line.end
            at += 1
        return at
