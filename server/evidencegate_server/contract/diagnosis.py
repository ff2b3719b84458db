"""Says why a text is not exactly one sound JSON object, after decoding it has failed.

Runs only then, so that sound outputs never pay for it. Every step is linear in the text and none raises.

Which reason is given where several would fit, from the first to the last that is asked:

1. no brace at all: a full-width brace is `fullwidth_syntax`; a text that names a field of the contract is an attempt in
   another format (`syntax`); an empty fence is `empty`; anything else is prose (`no_json`);
2. one closed fence around the whole with a tag that is not JSON: `foreign_fence`;
3. a list at the start: its own first fault, else `not_object`;
4. the first fault inside the first object, in reading order; what ends before it is complete is `truncated`;
5. around a complete object: a piece of a broken outer value is `syntax`, another brace behind is `several_objects`, a
   raw control character is `raw_control_char`, any other text is `text_outside_json`.
"""

from __future__ import annotations

import json
import re
from typing import Any

from evidencegate_server.contract.decoder import (
    JSON_WHITE_SPACE,
    RAW_CONTROL,
    Decoded,
    UnsoundJsonError,
    control_fault,
    count_digits,
    decode,
)
from evidencegate_server.contract.policy import ParsingPolicy
from evidencegate_server.contract.records import record
from evidencegate_server.words import ParseReason, ParseStatus

# Walking a text token by token costs about a microsecond each; a fault farther in gets its reason without a place.
_MAX_LOCATED_LENGTH = 262_144

_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?'
_TOKEN = re.compile(rf"({_STRING})|([\[\]{{}}:])|(-?[0-9][0-9.eE+-]*)|(NaN|-?Infinity)", re.DOTALL)
_STRING_OR_BRACKET = re.compile(rf"({_STRING})|([\[{{])|[\]}}]", re.DOTALL)
# `{pod}` in prose is a placeholder and no attempt at an object.
_PLACEHOLDER = re.compile(r"""\{[^{}"':\s][^{}"':]{0,60}\}""")
_BRACE = re.compile(r"[{}]")
_LIST_START = re.compile(r"""\[\s*(?:["{\[\]\d-]|$)""")
_ONLY_FENCE = re.compile(r"(?:`{3,}|~{3,})[ \t]*[\w+.#-]*\s*[`~]*")
_CUT_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{0,4})?")
_CUT_LITERAL = re.compile(r"t|tr|tru|f|fa|fal|fals|n|nu|nul|-")
_CUT_NUMBER = re.compile(r"\.|[eE][+-]?")
# Full-width forms, CJK brackets and stops, ideographic space and the curly quotes that Chinese input methods write.
_FULLWIDTH = re.compile("[\uff01-\uff5e\u3000-\u3003\u3008-\u3011\u3014\u3015\u2018\u2019\u201c-\u201f]")
# Lines of a server-sent-event stream: what stands in them may be a part of what was sent.
_STREAM_FRAMING = re.compile(r"^\s*(?:data|event|id|retry):", re.MULTILINE)
# What stands before an object that is a member of something: an opening bracket, a key, the end of another member.
_PIECE_OF_A_VALUE = re.compile(r"""(?:\[|"\s*:|["\]}\d]\s*,)$""")
_PIECE_LENGTH = 80
_QUOTES = ('"', "'", "`", "\u201c", "\u2018")


# What comes of decoding a value: the value, or why there is none.
Attempt = Decoded | UnsoundJsonError | json.JSONDecodeError


@record
class Diagnosis:
    """Why a text is not valid, or, with text around the object allowed, the object that was found after all.

    `offset` counts code points of the text that was diagnosed.
    """

    status: ParseStatus
    reason: ParseReason | None
    message: str
    offset: int | None = None
    found: Decoded | None = None


def diagnose(
    text: str,
    policy: ParsingPolicy,
    attempt_names: tuple[str, ...],
    foreign_tag: str | None,
    decoded: Attempt,
) -> Diagnosis:
    """Says why `text` is not exactly one JSON object.

    `text` has been trimmed, and its reasoning block and outer fence are gone. `attempt_names` are field names that show
    an attempt at the contract even without a brace. `foreign_tag` is the tag of a fence around the whole that was left
    in place because it promises something else than JSON. `decoded` is what came of decoding the text from its start.
    """
    first_brace = _BRACE.search(text)
    if first_brace is None:
        return _diagnose_without_brace(text, attempt_names)
    if foreign_tag is not None:
        return _malformed(ParseReason.FOREIGN_FENCE, f"a fence of type {foreign_tag[:40]!r} is no JSON fence", 0)
    if _LIST_START.match(text):
        fault = _first_fault(text, 0, policy, decoded)
        if isinstance(fault, Diagnosis):
            return fault
        return _malformed(ParseReason.NOT_OBJECT, "a list stands where one object should", 0)
    start = _object_start(text)
    if start is None:
        return _malformed(ParseReason.SYNTAX, "a closing brace without an opening one", first_brace.start())
    found = _first_fault(text, start, policy, decoded if start == 0 else try_decode(text, start, policy))
    if isinstance(found, Diagnosis):
        return found
    return _diagnose_surroundings(text, start, found, policy)


def locate(text: str, start: int, fault: UnsoundJsonError, policy: ParsingPolicy) -> int | None:
    """Returns where a fault that the decoder met in a hook stands; None where looking would cost too much."""
    if fault.offset is not None:
        return fault.offset
    end = start + _MAX_LOCATED_LENGTH
    if fault.reason is ParseReason.TOO_DEEP:
        return _locate_depth(text, start, end, policy.max_depth)
    if fault.reason is ParseReason.DUPLICATE_KEY:
        return _locate_duplicate(text, start, end, fault.key or "")
    for token in _TOKEN.finditer(text, start, end):
        number = token.group(3)
        if fault.reason is ParseReason.NON_FINITE:
            is_fault = token.group(4) is not None
        elif fault.reason is ParseReason.NUMBER_TOO_LONG:
            is_fault = number is not None and count_digits(number) > policy.max_number_digits
        else:
            is_fault = number is not None and _overflows(number)
        if is_fault:
            return token.start()
    return None


def stands_in_string(text: str, offset: int) -> bool:
    """Tells whether a place lies inside a string of the first object that begins before it."""
    start = text.find("{", 0, offset)
    if start < 0:
        return False
    depth = 0
    for token in _STRING_OR_BRACKET.finditer(text, start):
        if token.group(1) is not None:
            if token.end() > offset:
                return token.start() < offset
            continue
        if token.start() >= offset:
            return False
        depth += 1 if token.group(2) is not None else -1
        if depth == 0:
            return False
    return False


def _malformed(reason: ParseReason, message: str, offset: int | None) -> Diagnosis:
    return Diagnosis(ParseStatus.MALFORMED, reason, message, offset)


def _diagnose_without_brace(text: str, attempt_names: tuple[str, ...]) -> Diagnosis:
    brace = text.find("\uff5b")
    if brace >= 0:
        return _malformed(ParseReason.FULLWIDTH_SYNTAX, "a full-width brace is no JSON", brace)
    for name in attempt_names:
        place = text.find(name)
        if place >= 0:
            return _malformed(ParseReason.SYNTAX, f"{name} is named, but in another format than JSON", place)
    if _ONLY_FENCE.fullmatch(text):
        return Diagnosis(ParseStatus.MISSING, ParseReason.EMPTY, "the fence is empty")
    return Diagnosis(ParseStatus.MISSING, ParseReason.NO_JSON, "there is text, but no JSON object in it")


def _object_start(text: str) -> int | None:
    """Returns where the first attempt at an object begins; placeholders in prose count only where nothing else does."""
    start = first = text.find("{")
    while start >= 0:
        placeholder = _PLACEHOLDER.match(text, start)
        if placeholder is None:
            return start
        start = text.find("{", placeholder.end())
    return first if first >= 0 else None


def try_decode(text: str, start: int, policy: ParsingPolicy) -> Attempt:
    """Decodes the value at `start`; returns the exception where there is none or it must not be read."""
    try:
        return decode(text, start, policy)
    except (UnsoundJsonError, json.JSONDecodeError) as error:
        return error


def _first_fault(text: str, start: int, policy: ParsingPolicy, decoded: Attempt) -> Decoded | Diagnosis:
    """Returns the value decoded at `start`, or what the first fault in reading order is."""
    if isinstance(decoded, json.JSONDecodeError):
        return _diagnose_error(text, start, decoded)
    if isinstance(decoded, UnsoundJsonError):
        offset = locate(text, start, decoded, policy)
        control = RAW_CONTROL.search(text, start, offset) if offset is not None else None
        if control is not None:
            decoded = control_fault(text, control.start())
            offset = decoded.offset
        return _malformed(decoded.reason, decoded.message, offset)
    return decoded


def _diagnose_error(text: str, start: int, error: json.JSONDecodeError) -> Diagnosis:
    place = error.pos
    unterminated = error.msg.startswith("Unterminated string")
    control = RAW_CONTROL.search(text, start, len(text) if unterminated else place + 1)
    if control is not None:
        fault = control_fault(text, control.start())
        return _malformed(fault.reason, fault.message, fault.offset)
    rest = text[place:].strip(JSON_WHITE_SPACE)
    if unterminated or not rest or _is_cut(text, place, rest):
        return _malformed(ParseReason.TRUNCATED, "the text ends before the object does", len(text))
    if error.msg.startswith("Invalid \\"):
        backslash = place - 1 if error.msg.startswith("Invalid \\u") else place
        if _CUT_ESCAPE.fullmatch(text, backslash):
            return _malformed(ParseReason.TRUNCATED, "the text ends inside an escape", len(text))
        return _malformed(ParseReason.INVALID_ESCAPE, f"invalid escape {text[backslash : backslash + 2]}", backslash)
    if _FULLWIDTH.match(text, place):
        return _malformed(ParseReason.FULLWIDTH_SYNTAX, f"{text[place]} (U+{ord(text[place]):04X}) is no JSON", place)
    return _malformed(ParseReason.SYNTAX, f"not JSON here: {error.msg[0].lower()}{error.msg[1:]}", place)


def _is_cut(text: str, place: int, rest: str) -> bool:
    """Tells whether what could not be read is only the beginning of a literal or number at the end of the text."""
    if len(rest) > 4:
        return False
    if _CUT_LITERAL.fullmatch(rest):
        # Where a comma was expected (`1 -`) the letter is no beginning of anything.
        return text[:place].rstrip(JSON_WHITE_SPACE).endswith((":", ",", "["))
    return text[place - 1].isdigit() and _CUT_NUMBER.fullmatch(rest) is not None


def _diagnose_surroundings(text: str, start: int, found: Decoded, policy: ParsingPolicy) -> Diagnosis:
    before, after = text[:start].rstrip(), text[found.end :]
    if _PIECE_OF_A_VALUE.search(before, max(0, len(before) - _PIECE_LENGTH)):
        return _malformed(ParseReason.SYNTAX, "the object is a piece of a value whose beginning is missing", 0)
    brace = _BRACE.search(_PLACEHOLDER.sub(lambda match: " " * len(match.group()), after))
    if brace is not None:
        return _malformed(
            ParseReason.SEVERAL_OBJECTS, "more than one object, or a stray brace behind it", found.end + brace.start()
        )
    control = RAW_CONTROL.search(text, 0, start) or RAW_CONTROL.search(text, found.end)
    if control is not None:
        fault = control_fault(text, control.start())
        return _malformed(fault.reason, fault.message, fault.offset)
    if policy.allow_text_outside_json and _is_plain_prose(before, after):
        return Diagnosis(ParseStatus.VALID, None, "", start, found)
    place = 0 if before else found.end + len(after) - len(after.lstrip())
    return _malformed(ParseReason.TEXT_OUTSIDE_JSON, "there is text outside the JSON object", place)


def _is_plain_prose(before: str, after: str) -> bool:
    """Tells whether the text around an object is neither a piece of a value nor the framing of a stream."""
    if (
        before.endswith(_QUOTES)
        or after.lstrip().startswith((",", "]"))
        or _BRACE.search(before)
        or _BRACE.search(after)
    ):
        return False
    return not _STREAM_FRAMING.search(before) and not _STREAM_FRAMING.search(after)


def _locate_depth(text: str, start: int, end: int, limit: int) -> int | None:
    depth = 0
    for token in _STRING_OR_BRACKET.finditer(text, start, end):
        if token.group(1) is None:
            depth += 1 if token.group(2) is not None else -1
            if depth > limit:
                return token.start()
    return None


def _locate_duplicate(text: str, start: int, end: int, key: str) -> int | None:
    """Returns where `key` stands a second time in one object."""
    seen: list[bool] = []
    last: re.Match[str] | None = None
    for token in _TOKEN.finditer(text, start, end):
        mark = token.group(2)
        if token.group(1) is not None:
            last = token
        elif mark == ":" and last is not None and seen and _string_value(last.group(1)) == key:
            if seen[-1]:
                return last.start()
            seen[-1] = True
        elif mark in ("{", "["):
            seen.append(False)
        elif mark in ("}", "]") and seen:
            seen.pop()
    return None


def _string_value(token: str) -> Any:
    if "\\" not in token:
        return token[1:-1]
    try:
        return json.loads(token, strict=False)
    except ValueError:
        return None


def _overflows(number: str) -> bool:
    try:
        return float(number) in (float("inf"), float("-inf"))
    except ValueError:
        return False
