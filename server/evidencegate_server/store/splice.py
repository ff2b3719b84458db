"""Changes one member of a JSON object and leaves every other character of the text as it is.

Parsing and writing a JSON text again loses digits of numbers, repeated keys, their order and the way strings are
escaped. So the text is only measured: what is not replaced is copied.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NoReturn

_SPACE: Final = " \t\n\r"


class JsonTextError(ValueError):
    """Occurs where a text is not exactly one JSON object; `offset` is where that shows, in characters."""

    def __init__(self, problem: str, offset: int) -> None:
        super().__init__(f"{problem} at character {offset}")
        self.offset = offset


@dataclass(frozen=True, slots=True)
class Member:
    """One member of an object: its key as read, and where its value stands in the text (half-open)."""

    key: str
    start: int
    end: int


def members(text: str) -> list[Member]:
    """Returns the members of the text's only value, an object; raises JsonTextError where it is none."""
    found: list[Member] = []
    at = _expect(text, _skip(text, 0), "{")
    at = _skip(text, at)
    if text[at : at + 1] == "}":
        at += 1
    else:
        while True:
            key, at = _string(text, at)
            start = _skip(text, _expect(text, _skip(text, at), ":"))
            at = _value_end(text, start)
            found.append(Member(key, start, at))
            at = _skip(text, at)
            if text[at : at + 1] != ",":
                break
            at = _skip(text, at + 1)
        at = _expect(text, at, "}")
    if _skip(text, at) != len(text):
        raise JsonTextError("text behind the object", at)
    return found


def member(text: str, key: str) -> str | None:
    """Returns the text of a member's value, of the last one where the key is repeated; None where there is none."""
    return next((text[each.start : each.end] for each in reversed(members(text)) if each.key == key), None)


def with_member(text: str, key: str, value: str) -> str:
    """Returns the object with this member's value replaced, or with the member behind the others where it is new."""
    found = members(text)
    last = next((each for each in reversed(found) if each.key == key), None)
    if last is not None:
        return text[: last.start] + value + text[last.end :]
    end = text.rindex("}")
    head = text[: found[-1].end] if found else text[:end]
    return f"{head}{',' if found else ''}{json.dumps(key)}:{value}{text[len(head) :]}"


def of_members(values: Mapping[str, str]) -> str:
    """Returns an object of these members, whose values are JSON texts."""
    return "{" + ",".join(f"{json.dumps(key)}:{value}" for key, value in values.items()) + "}"


def checked_object(text: str) -> str:
    """Returns a JSON object's text without the white space around it; raises JsonTextError where it is none."""
    members(text)
    return text.strip(_SPACE)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no value of JSON")


def _nothing(_text: str) -> None:
    return None


# Numbers are measured and never read: one of ten thousand digits is no fault of its text.
_DECODER: Final = json.JSONDecoder(parse_int=_nothing, parse_float=_nothing, parse_constant=_refuse)


def _value_end(text: str, start: int) -> int:
    try:
        return _DECODER.raw_decode(text, start)[1]
    except json.JSONDecodeError as error:
        raise JsonTextError(error.msg.lower(), error.pos) from error
    except RecursionError as error:
        raise JsonTextError("the value is nested too deeply", start) from error
    except ValueError as error:
        raise JsonTextError(str(error), start) from error


def _string(text: str, start: int) -> tuple[str, int]:
    if text[start : start + 1] != '"':
        raise JsonTextError("a key in double quotes is expected", start)
    try:
        value: Any
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise JsonTextError(error.msg.lower(), error.pos) from error
    return value, end


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _SPACE:
        at += 1
    return at


def _expect(text: str, at: int, sign: str) -> int:
    if text[at : at + 1] != sign:
        raise JsonTextError(f"{sign} is expected", at)
    return at + 1
