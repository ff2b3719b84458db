"""Reads what an LLM wrote as exactly one JSON object: the one parser for every model's output.

Only what cannot change the meaning is forgiven, and told: white space, a byte-order mark and invisible characters at
the edges, one closed reasoning block at the front, one fence around the whole, raw line breaks and tabs inside
strings. Nothing is ever repaired. The untouched text is decoded first, so braces, backticks and tags inside strings are
ordinary text.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from evidencegate_server.contract.decoder import RAW_CONTROL, Decoded
from evidencegate_server.contract.diagnosis import Attempt, Diagnosis, diagnose, stands_in_string, try_decode
from evidencegate_server.contract.model import Notice, ParseReport
from evidencegate_server.contract.policy import ParsingPolicy
from evidencegate_server.contract.records import record
from evidencegate_server.words import ParseReason, ParseStatus

BYTE_ORDER_MARK = "\ufeff"
_UNICODE_SPACES = (
    "\x0b\x0c\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000"
    + "".join(map(chr, range(0x2000, 0x200B)))  # U+2000 to U+200A
)
# Characters without a picture: zero-width ones, joiners, bidi marks, fillers, variation selectors.
_INVISIBLE = (
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u3164\uffa0"
    "\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    + "".join(map(chr, range(0x2060, 0x2070)))
    + "".join(map(chr, range(0xFE00, 0xFE10)))
)
_SPACE_SET = frozenset(" \t\n\r" + _UNICODE_SPACES)
_INVISIBLE_SET = frozenset(_INVISIBLE)
_EDGE = " \t\n\r" + _UNICODE_SPACES + _INVISIBLE + BYTE_ORDER_MARK

_REASONING_OPEN = re.compile(r"<think>", re.IGNORECASE)
_REASONING_CLOSE = re.compile(r"</think>", re.IGNORECASE)
_FENCE_OPEN = re.compile(r"(`{3,}|~{3,})[ \t]*([\w+.#-]*)")


@record
class JsonReading:
    """How a text was read; `value` is the object exactly when the status is valid.

    Places are those of the raw text, as in ParseReport. `final_answer` is the raw text without its reasoning block and
    with lone surrogates replaced, so that it can be sent on; it is empty for a text over the size limit.
    """

    status: ParseStatus
    raw_sha256: str
    raw_length: int
    value: dict[str, Any] | None = None
    reason: ParseReason | None = None
    message: str = ""
    line: int | None = None
    column: int | None = None
    offset: int | None = None
    notes: tuple[Notice, ...] = ()
    warnings: tuple[Notice, ...] = ()
    final_answer: str = field(default="", repr=False)

    def report(self, notes: Iterable[Notice] = (), warnings: Iterable[Notice] = ()) -> ParseReport:
        """Returns the report of this reading, with what a contract's reader has to add."""
        return ParseReport(
            self.status,
            self.raw_sha256,
            self.raw_length,
            self.reason,
            self.message,
            self.line,
            self.column,
            self.offset,
            (*self.notes, *notes),
            (*self.warnings, *warnings),
        )

    def refused(self, reason: ParseReason, message: str) -> ParseReport:
        """Returns the report of a text that is sound JSON and breaks its contract."""
        return ParseReport(
            ParseStatus.MALFORMED,
            self.raw_sha256,
            self.raw_length,
            reason,
            message,
            notes=self.notes,
            warnings=self.warnings,
        )


def read_json(
    text: str | bytes | None,
    policy: ParsingPolicy,
    *,
    attempt_names: tuple[str, ...] = (),
    bare_only: bool = False,
) -> JsonReading:
    """Reads a model's text as exactly one JSON object.

    `attempt_names` are field names that show an attempt at the contract even in a text without a brace. `bare_only`
    refuses a fence, a reasoning block and text around the object, whatever the policy allows. Never raises: what no
    rule foresaw is `malformed` with reason `internal_error`, whose message names the exception's type.
    """
    raw = _Raw.of(text)
    try:
        return _read(raw, policy, attempt_names, bare_only=bare_only)
    except Exception as error:  # noqa: BLE001 - what an LLM wrote must never crash the call, whatever the library does
        return internal_error(raw.sha256, raw.length, error)


def internal_error(raw_sha256: str, raw_length: int, error: Exception) -> JsonReading:
    """Returns the reading for a text on which the parser itself failed."""
    return JsonReading(
        ParseStatus.MALFORMED,
        raw_sha256,
        raw_length,
        reason=ParseReason.INTERNAL_ERROR,
        message=f"the parser failed ({type(error).__name__})",
    )


@record
class _Raw:
    """The raw text in both forms. `bad_offset` is where UTF-8 cannot carry it, None where it can."""

    text: str
    size: int
    sha256: str
    length: int
    bad_offset: int | None

    @classmethod
    def of(cls, text: str | bytes | None) -> _Raw:
        if text is None:
            text = ""
        if isinstance(text, str):
            try:
                data = text.encode()
            except UnicodeEncodeError as error:
                data = text.encode("utf-8", "surrogatepass")
                return cls(_carriable(text), len(data), _sha256(data), len(text), error.start)
            return cls(text, len(data), _sha256(data), len(text), None)
        try:
            decoded = text.decode()
        except UnicodeDecodeError as error:
            offset = len(text[: error.start].decode())
            try:
                decoded = text.decode("utf-8", "surrogatepass")
            except UnicodeDecodeError:
                decoded = text.decode("utf-8", "replace")
            return cls(_carriable(decoded), len(text), _sha256(text), len(decoded), offset)
        return cls(decoded, len(text), _sha256(text), len(decoded), None)


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _carriable(text: str) -> str:
    """Returns the text with each lone surrogate replaced by U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


@dataclass(slots=True)
class _Subject:
    """What is left to read: the trimmed text, where it begins in the raw text, and what was said of the rest."""

    body: str
    start: int
    final_answer: str
    notes: list[Notice] = field(default_factory=list)
    warnings: list[Notice] = field(default_factory=list)
    foreign_tag: str | None = None

    def note(self, notice_id: str, message: str) -> None:
        self.notes.append(Notice(notice_id, message))

    def warn(self, notice_id: str, message: str) -> None:
        self.warnings.append(Notice(notice_id, message))

    def narrow(self, begin: int, end: int) -> None:
        """Keeps what stands between two places of the body, trimmed."""
        inner = self.body[begin:end].rstrip(_EDGE)
        body = inner.lstrip(_EDGE)
        self.start += begin + len(inner) - len(body)
        self.body = body


def _read(raw: _Raw, policy: ParsingPolicy, attempt_names: tuple[str, ...], *, bare_only: bool) -> JsonReading:
    text = raw.text
    if raw.size > policy.max_output_bytes:
        message = f"{raw.size} bytes; at most {policy.max_output_bytes} are read"
        return _unread(raw, Diagnosis(ParseStatus.MALFORMED, ParseReason.TOO_LARGE, message), _Subject("", 0, ""))
    if raw.bad_offset is not None:
        message = "the text is not UTF-8, or holds a lone surrogate"
        diagnosis = Diagnosis(ParseStatus.MALFORMED, ParseReason.INVALID_UNICODE, message, raw.bad_offset)
        return _unread(raw, diagnosis, _Subject("", 0, _answer_of(text)))
    subject = _trim(text)
    if not subject.body:
        return _unread(raw, Diagnosis(ParseStatus.MISSING, ParseReason.EMPTY, "there is no text"), subject)
    decoded = try_decode(subject.body, 0, policy)
    if isinstance(decoded, Decoded) and decoded.end == len(subject.body):
        return _finish(raw, decoded, subject)
    return _read_wrapped(raw, subject, decoded, policy, attempt_names, bare_only=bare_only)


def _read_wrapped(
    raw: _Raw,
    subject: _Subject,
    decoded: Attempt,
    policy: ParsingPolicy,
    attempt_names: tuple[str, ...],
    *,
    bare_only: bool,
) -> JsonReading:
    """Reads a text that is not one JSON value as it stands: without its reasoning block, without its fence."""
    untouched = subject.body
    if not RAW_CONTROL.sub("", untouched).strip(_EDGE):
        nothing = Diagnosis(ParseStatus.MISSING, ParseReason.EMPTY, "there is nothing but control characters")
        return _unread(raw, nothing, subject)
    diagnosis = _cut_reasoning(subject) or _unwrap_fence(subject)
    if diagnosis is not None:
        return _unread(raw, diagnosis, subject)
    if len(subject.body) < len(untouched):
        decoded = try_decode(subject.body, 0, policy)
    if not isinstance(decoded, Decoded) or decoded.end < len(subject.body):
        diagnosis = diagnose(subject.body, policy, attempt_names, subject.foreign_tag, decoded)
        if diagnosis.found is None:
            return _unread(raw, diagnosis, subject)
        decoded = diagnosis.found
        subject.warn("parse.text_outside_stripped", "text around the only object was left out")
    if bare_only and isinstance(decoded.value, dict):
        message = "nothing may stand around this object, neither a fence nor reasoning nor any other text"
        diagnosis = Diagnosis(ParseStatus.MALFORMED, ParseReason.TEXT_OUTSIDE_JSON, message, 0)
        subject.warnings.clear()
        subject.start = len(raw.text) - len(raw.text.lstrip(_EDGE))
        return _unread(raw, diagnosis, subject)
    return _finish(raw, decoded, subject)


def _cut_reasoning(subject: _Subject) -> Diagnosis | None:
    """Cuts one closed reasoning block off the front; says so where no answer stands behind it."""
    end = _reasoning_end(subject.body)
    if end is None:
        return None
    if end < 0:
        subject.final_answer = ""
        message = "the reasoning block never ends, so the answer never began"
        return Diagnosis(ParseStatus.MISSING, ParseReason.REASONING_UNCLOSED, message)
    subject.final_answer = subject.final_answer[subject.start + end :]
    subject.narrow(end, len(subject.body))
    subject.warn("parse.reasoning_stripped", "a reasoning block in front of the answer was cut off")
    if subject.body:
        return None
    message = "there is a reasoning block and no answer behind it"
    return Diagnosis(ParseStatus.MISSING, ParseReason.REASONING_ONLY, message)


def _unwrap_fence(subject: _Subject) -> Diagnosis | None:
    """Takes off one fence around the whole; says so where it is empty, and remembers the tag of a foreign one."""
    fence = _fence(subject.body)
    if fence is None:
        return None
    if fence.tag not in ("", "json"):
        # With a second fence inside, this one is not around the whole.
        if f"\n{subject.body[: fence.width]}" not in subject.body[fence.start : fence.end]:
            subject.foreign_tag = fence.tag
        return None
    subject.narrow(fence.start, fence.end)
    subject.warn("parse.fence_stripped", "a code fence around the answer was taken off")
    return None if subject.body else Diagnosis(ParseStatus.MISSING, ParseReason.EMPTY, "the fence is empty")


def _finish(raw: _Raw, found: Decoded, subject: _Subject) -> JsonReading:
    if found.value is None:
        return _unread(raw, Diagnosis(ParseStatus.MISSING, ParseReason.EMPTY, "the answer is null"), subject)
    if not isinstance(found.value, dict):
        message = f"one JSON object is expected, not {_json_type(found.value)}"
        return _unread(raw, Diagnosis(ParseStatus.MALFORMED, ParseReason.NOT_OBJECT, message, 0), subject)
    if found.raw_line_breaks:
        subject.note("parse.raw_newline_in_string", "a string holds a raw line break or tab")
    return JsonReading(
        ParseStatus.VALID,
        raw.sha256,
        raw.length,
        found.value,
        notes=tuple(subject.notes),
        warnings=tuple(subject.warnings),
        final_answer=subject.final_answer,
    )


def _unread(raw: _Raw, diagnosis: Diagnosis, subject: _Subject) -> JsonReading:
    """Returns the reading of a text that is missing or malformed."""
    line = column = offset = None
    if diagnosis.offset is not None:
        offset = subject.start + diagnosis.offset
        line = raw.text.count("\n", 0, offset) + 1
        column = offset - raw.text.rfind("\n", 0, offset)
    return JsonReading(
        diagnosis.status,
        raw.sha256,
        raw.length,
        reason=diagnosis.reason,
        message=diagnosis.message,
        line=line,
        column=column,
        offset=offset,
        notes=tuple(subject.notes),
        warnings=tuple(subject.warnings),
        final_answer=subject.final_answer,
    )


def _trim(text: str) -> _Subject:
    """Returns the text without its edges, with notes on what they held."""
    if text[:1] == "{" and text[-1:] == "}":
        return _Subject(text, 0, text)
    right = text.rstrip(_EDGE)
    body = right.lstrip(_EDGE)
    start = len(right) - len(body)
    subject = _Subject(body, start, text)
    held = set(text[:start] + text[len(right) :])
    if BYTE_ORDER_MARK in held:
        subject.note("parse.bom_stripped", "a byte-order mark at the edge was left out")
    if not held.isdisjoint(_INVISIBLE_SET):
        subject.note("parse.edge_invisible_stripped", "invisible characters at the edges were left out")
    if not held.isdisjoint(_SPACE_SET):
        subject.note("parse.edge_whitespace_stripped", "white space at the edges was left out")
    return subject


def _reasoning_end(text: str) -> int | None:
    """Returns where a reasoning block at the front ends, -1 where it never does, None where there is none."""
    opening = _REASONING_OPEN.match(text)
    closing = _REASONING_CLOSE.search(text, opening.end() if opening else 0)
    if opening is not None:
        return closing.end() if closing is not None else -1
    # Some servers send the opening tag as part of the prompt, so that only the closing one comes back.
    if closing is None or _REASONING_OPEN.search(text, 0, closing.start()) or stands_in_string(text, closing.start()):
        return None
    return closing.end()


def _answer_of(text: str) -> str:
    """Returns the text without a reasoning block at the front, empty where that never ends."""
    body = text.lstrip(_EDGE)
    end = _reasoning_end(body)
    if end is None:
        return text
    return "" if end < 0 else body[end:]


@record
class _Fence:
    tag: str
    width: int
    start: int
    end: int


def _fence(text: str) -> _Fence | None:
    """Returns the one fence around the whole text, None where there is none or it is not closed at the end."""
    opening = _FENCE_OPEN.match(text)
    if opening is None:
        return None
    marks = opening.group(1)
    end = len(text.rstrip(marks[0]))
    if end < opening.end() or len(text) - end < len(marks):
        return None
    return _Fence(opening.group(2).lower(), len(marks), opening.end(), end)


def _json_type(value: Any) -> str:
    if isinstance(value, list):
        return "a list"
    if isinstance(value, str):
        return "a string"
    return "a boolean" if isinstance(value, bool) else "a number"
