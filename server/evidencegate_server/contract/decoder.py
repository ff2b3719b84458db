"""Decodes strict JSON at C speed and refuses what the standard library lets through.

The library's scanner does the work; hooks and a few cheap passes add what it lacks: duplicate keys at any level, NaN
and Infinity, floats that overflow, numbers of absurd length, lone surrogate escapes, raw control characters and a
nesting limit that does not depend on how deep the caller's own stack is.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from functools import lru_cache
from itertools import accumulate
from typing import Any

import orjson

from evidencegate_server.contract.policy import ParsingPolicy
from evidencegate_server.contract.records import record
from evidencegate_server.words import ParseReason

JSON_WHITE_SPACE = " \t\n\r"
# Everything below the space but tab, line feed and carriage return, which models write raw inside strings.
RAW_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")

_OPEN_AND_CLOSE = bytes.maketrans(b"[]", b"{}")
_ALL_BUT_BRACKETS_AND_QUOTES = bytes(set(range(256)) - set(b'[]{}"'))
# A paired surrogate escape first, so that what the second group finds stands alone; any other escape is stepped over.
_SURROGATE_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL
)


class UnsoundJsonError(ValueError):
    """Raised for a text that the library would accept and this product does not.

    `offset` counts code points from the start of the decoded text; None where the decoder met the fault in a hook that
    is told no place. `key` is the repeated key of a duplicate.
    """

    def __init__(self, reason: ParseReason, message: str, offset: int | None = None, key: str | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.offset = offset
        self.key = key


class WrittenFloat(float):
    """A float that remembers how it was written, so that an ID can be told exactly from one that was rounded."""

    __slots__ = ("text",)

    text: str

    def __new__(cls, text: str) -> WrittenFloat:
        """Makes the float from its JSON text."""
        value = super().__new__(cls, text)
        value.text = text
        return value


@record
class Decoded:
    """A decoded value, where it ended, and whether a string held a raw line break or tab."""

    value: Any
    end: int
    raw_line_breaks: bool


@record
class _Decoders:
    blind_to_keys: json.JSONDecoder
    strict: json.JSONDecoder
    with_raw_line_breaks: json.JSONDecoder


def decode(text: str, start: int, policy: ParsingPolicy) -> Decoded:
    """Decodes the JSON value that starts at `start`; what follows its end is not looked at.

    Raises UnsoundJsonError for what this product refuses and json.JSONDecodeError for what is not JSON.
    """
    data = b""
    if text.startswith(("{", "["), start):
        # Ahead of decoding, so that the answer never depends on the interpreter's recursion limit.
        data = (text[start:] if start else text).encode()
        if is_nested_deeper(data, policy.max_depth):
            raise UnsoundJsonError(ParseReason.TOO_DEEP, f"nesting is deeper than {policy.max_depth} levels")
    decoders = _decoders(policy.max_number_digits)
    raw_line_breaks = False
    try:
        value, end = _decode_strictly(text, start, data, decoders)
    except json.JSONDecodeError as error:
        if not error.msg.startswith("Invalid control character"):
            raise
        value, end = decoders.with_raw_line_breaks.raw_decode(text, start)
        raw_line_breaks = True
        control = RAW_CONTROL.search(text, start, end)
        if control is not None:
            raise control_fault(text, control.start()) from None
    if "\\u" in text:  # much faster than asking the pattern, and most texts have none
        _refuse_lone_surrogates(text, start, end)
    return Decoded(value, end, raw_line_breaks)


def _decode_strictly(text: str, start: int, data: bytes, decoders: _Decoders) -> tuple[Any, int]:
    """Returns the value and its end; `data` are the bytes from `start` on.

    To look at the keys of each object takes twice as long as to decode it, so that is done only where there may be a
    fault: where decoding fails without it, or not as many strings come out as went in.
    """
    try:
        value, end = decoders.blind_to_keys.raw_decode(text, start)
    except ValueError:
        return decoders.strict.raw_decode(text, start)
    if end < len(text) or may_repeat_key(data, value):
        return decoders.strict.raw_decode(text, start)
    return value, end


def may_repeat_key(data: bytes, value: Any) -> bool:
    """Tells whether a key may stand twice in one object of a sound JSON text in UTF-8 that gave this value.

    False is certain: of a key that stands twice only one comes out, so there would be fewer strings in the value.
    """
    try:
        written = orjson.dumps(value, default=_null)
    except TypeError:  # orjson writes no integer of more than 64 bits
        return True
    return _without_escapes(written).count(b'"') != _without_escapes(data).count(b'"')


def _null(_value: Any) -> None:
    """Stands for a WrittenFloat, which is no string."""


def _without_escapes(data: bytes) -> bytes:
    """Returns a JSON text without the escapes that hide where its strings end."""
    return data.replace(b"\\\\", b"").replace(b'\\"', b"") if b"\\" in data else data


def _refuse_lone_surrogates(text: str, start: int, end: int) -> None:
    for escape in _SURROGATE_ESCAPE.finditer(text, start, end):
        if escape.group(1) is not None:
            raise UnsoundJsonError(
                ParseReason.INVALID_UNICODE, f"lone surrogate escape \\{escape.group(1)}", escape.start()
            )


def control_fault(text: str, offset: int) -> UnsoundJsonError:
    """Returns the fault for the raw control character at this place."""
    return UnsoundJsonError(ParseReason.RAW_CONTROL_CHAR, f"raw control character U+{ord(text[offset]):04X}", offset)


def count_digits(number: str) -> int:
    """Returns how many digits a number was written with, those of fraction and exponent included."""
    return sum(map(str.isdigit, number))


def is_nested_deeper(data: bytes, limit: int) -> bool:
    """Tells whether lists and objects nest deeper than `limit`, brackets inside strings apart.

    Takes UTF-8 bytes, sound JSON or not. Strikes out escapes, then all but brackets and quotes, then strings; each
    pass that removes the innermost pairs is one level. All passes are C loops, and the first leaves little.
    """
    brackets = _without_escapes(data).translate(_OPEN_AND_CLOSE, _ALL_BUT_BRACKETS_AND_QUOTES).replace(b'""', b"")
    if brackets.count(b"{") <= limit:
        return False
    if b'"' in brackets:
        brackets = b"".join(brackets.split(b'"')[::2])
    rest = brackets
    for _ in range(limit):
        shorter = rest.replace(b"{}", b"")
        if len(shorter) == len(rest):
            break
        rest = shorter
    if not rest:
        return False
    if b"{}" in rest or len(rest.lstrip(b"}")) > limit:
        return True
    # Unbalanced, so it is no JSON either way; the exact depth decides between this fault and the next.
    return max(accumulate(1 if bracket == 0x7B else -1 for bracket in brackets)) > limit


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise UnsoundJsonError(
                    ParseReason.DUPLICATE_KEY, f"key {key[:60]!r} stands twice in one object", key=key
                )
            seen.add(key)
    return value


def _constant(name: str) -> Any:
    raise UnsoundJsonError(ParseReason.NON_FINITE, f"{name} is no JSON number")


def _integer_reader(max_digits: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if len(text) > max_digits and len(text) - text.startswith("-") > max_digits:
            raise UnsoundJsonError(ParseReason.NUMBER_TOO_LONG, f"a number has more than {max_digits} digits")
        return int(text)

    return read


def _float_reader(max_digits: int) -> Callable[[str], WrittenFloat]:
    def read(text: str) -> WrittenFloat:
        if len(text) > max_digits and count_digits(text) > max_digits:
            raise UnsoundJsonError(ParseReason.NUMBER_TOO_LONG, f"a number has more than {max_digits} digits")
        value = WrittenFloat(text)
        if math.isinf(value):
            raise UnsoundJsonError(ParseReason.NUMBER_OUT_OF_RANGE, f"{text} is beyond the range of a double")
        return value

    return read


@lru_cache(maxsize=8)
def _decoders(max_digits: int) -> _Decoders:
    def build(*, strict: bool, hook: Callable[[list[tuple[str, Any]]], Any] | None = _object) -> json.JSONDecoder:
        return json.JSONDecoder(
            object_pairs_hook=hook,
            parse_int=_integer_reader(max_digits),
            parse_float=_float_reader(max_digits),
            parse_constant=_constant,
            strict=strict,
        )

    return _Decoders(build(strict=True, hook=None), build(strict=True), with_raw_line_breaks=build(strict=False))
