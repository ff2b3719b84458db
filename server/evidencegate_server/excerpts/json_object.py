"""Finds one JSON object of the evidence that has all keys and values of an excerpt."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from evidencegate_server.excerpts.model import ExcerptTier, MismatchReason
from evidencegate_server.excerpts.policy import ExcerptPolicy
from evidencegate_server.excerpts.text import TextView
from evidencegate_server.excerpts.tiers import Found

MAX_EXCERPT_CHARACTERS: Final = 16_384
MAX_DEPTH: Final = 32
MAX_TOKENS: Final = 60_000

_MOST_MATCHES: Final = 16

_BLANK: Final = re.compile(r"[ \t\r\n]*")
_STRING: Final = re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"')
_SCALAR: Final = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")
_WORDS: Final = {"true": True, "false": False, "null": None}

Member = tuple[str, Any, int, int]
"""A key, its value, where the key begins and where the value ends."""

Parents = list[tuple[str, list[Member]]]
"""The keys under which an object stands, outermost first, each with the members read before it."""


class _NoJsonError(Exception):
    """The text at a place is no JSON, or more of it than is read."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


def search_object(view: TextView, excerpt: str, policy: ExcerptPolicy) -> Found | None:
    """Returns where the members of an excerpt stand in one object of the view, None where no object has them all.

    Numbers are compared as they are written, strings as they are meant, objects in any order of their keys; an empty
    object equals an empty object alone.
    """
    if len(excerpt) > MAX_EXCERPT_CHARACTERS or len(view.text) > policy.parameters.max_json_characters:
        return None
    wanted = _read_excerpt(excerpt)
    if not wanted or "{" not in view.text:
        return None
    if "\\" not in view.text and not all(key in view.text for key in wanted):
        return None
    refused: Found | None = None
    for members, parents in _Scanner(view.text, wanted).matches(_MOST_MATCHES):
        ranges = tuple(sorted((start, end) for key, _, start, end in members if key in wanted))
        reason = policy.informative.fault(excerpt)
        if reason is not None:
            return Found(ExcerptTier.JSON_OBJECT, view, ranges, reason, uninformative=True)
        fault = _context_fault(members, parents, wanted, policy)
        if fault is None:
            return Found(ExcerptTier.JSON_OBJECT, view, ranges)
        refused = refused or Found(ExcerptTier.JSON_OBJECT, view, ranges, fault)
    return refused


def _context_fault(
    members: list[Member], parents: Parents, wanted: dict[str, Any], policy: ExcerptPolicy
) -> MismatchReason | None:
    """Returns what the keys above and beside the quoted members do to them, or None."""
    polarity = policy.polarity
    for key, earlier in parents:
        if polarity.key_denies(key):
            return MismatchReason.NEGATION_CROPPED
        if earlier and earlier[-1][1] is False and polarity.flag_denies(earlier[-1][0]):
            return MismatchReason.NEGATION_CROPPED
    for key, value, _, _ in members:
        if value is True and key not in wanted and polarity.key_denies(key):
            return MismatchReason.NEGATION_CROPPED
    return None


def _read_excerpt(excerpt: str) -> dict[str, Any] | None:
    text = excerpt.strip().rstrip(",").strip()
    if text.startswith('"') and '":' in text.replace(" ", ""):
        text = "{" + text + "}"
    if not (text.startswith("{") and text.endswith("}")):
        return None
    try:
        members, end = _Scanner(text, {}).read_object(0, 0)
    except _NoJsonError:
        return None
    keys = [key for key, _, _, _ in members]
    if end != len(text) or len(set(keys)) != len(keys):
        return None
    return {key: value for key, value, _, _ in members}


class _Scanner:
    """Reads JSON values wherever they stand in a text, with the place of each member. Bounded in depth and length."""

    def __init__(self, text: str, wanted: dict[str, Any]) -> None:
        self._text = text
        self._wanted = wanted
        self._tokens = 0
        self._parents: Parents = []
        self._matches: list[tuple[list[Member], Parents]] = []

    def matches(self, most: int) -> list[tuple[list[Member], Parents]]:
        """Returns the members of the first objects that have all that is wanted, with the keys above them."""
        position = self._text.find("{")
        while position >= 0 and len(self._matches) < most and self._tokens < MAX_TOKENS:
            self._parents.clear()
            try:
                _, position = self.read_object(position, 0)
            except _NoJsonError as error:
                position = max(error.position, position + 1)
            position = self._text.find("{", position)
        return self._matches[:most]

    def read_object(self, position: int, depth: int) -> tuple[list[Member], int]:
        """Reads the object that begins at a brace; returns its members and where it ends."""
        members: list[Member] = []
        position = self._blank(position + 1)
        if self._text[position : position + 1] == "}":
            return members, position + 1
        while True:
            start = position
            key, position = self._string(position)
            position = self._expect(":", position)
            self._parents.append((key, members))
            value, position = self._value(position, depth + 1)
            self._parents.pop()
            members.append((key, value, start, position))
            position = self._blank(position)
            if self._text[position : position + 1] == "}":
                break
            position = self._expect(",", position)
        if self._wanted and _has_members(self._wanted, _as_dict(members)):
            self._matches.append((members, [(key, list(earlier)) for key, earlier in self._parents]))
        return members, position + 1

    def _value(self, position: int, depth: int) -> tuple[Any, int]:
        self._tokens += 1
        if depth > MAX_DEPTH or self._tokens > MAX_TOKENS:
            raise _NoJsonError(position)
        first = self._text[position : position + 1]
        if first == "{":
            members, position = self.read_object(position, depth)
            return _as_dict(members), position
        if first == "[":
            return self._array(position, depth)
        if first == '"':
            return self._string(position)
        match = _SCALAR.match(self._text, position)
        if match is None:
            raise _NoJsonError(position)
        written = match[0]
        return _WORDS.get(written, ("number", written)), match.end()

    def _array(self, position: int, depth: int) -> tuple[list[Any], int]:
        values: list[Any] = []
        position = self._blank(position + 1)
        if self._text[position : position + 1] == "]":
            return values, position + 1
        while True:
            value, position = self._value(position, depth + 1)
            values.append(value)
            position = self._blank(position)
            if self._text[position : position + 1] == "]":
                return values, position + 1
            position = self._expect(",", position)

    def _string(self, position: int) -> tuple[str, int]:
        match = _STRING.match(self._text, position)
        if match is None:
            raise _NoJsonError(position)
        written = match[0]
        if "\\" in written:
            try:
                return str(json.loads(written, strict=False)), match.end()
            except ValueError:
                raise _NoJsonError(match.end()) from None
        return written[1:-1], match.end()

    def _blank(self, position: int) -> int:
        match = _BLANK.match(self._text, position)
        return position if match is None else match.end()

    def _expect(self, mark: str, position: int) -> int:
        position = self._blank(position)
        if self._text[position : position + 1] != mark:
            raise _NoJsonError(position)
        return self._blank(position + 1)


def _as_dict(members: list[Member]) -> dict[str, Any]:
    """Returns the members as a mapping; a repeated key has no value that anything equals."""
    result: dict[str, Any] = {}
    for key, value, _, _ in members:
        result[key] = object() if key in result else value
    return result


def _has_members(wanted: dict[str, Any], found: dict[str, Any]) -> bool:
    return all(key in found and _fits(value, found[key]) for key, value in wanted.items())


def _fits(wanted: Any, found: Any) -> bool:
    if isinstance(wanted, dict):
        return isinstance(found, dict) and (_has_members(wanted, found) if wanted else not found)
    if isinstance(wanted, list):
        return isinstance(found, list) and len(wanted) == len(found) and all(map(_equal, wanted, found))
    return type(wanted) is type(found) and bool(wanted == found)


def _equal(wanted: Any, found: Any) -> bool:
    if isinstance(wanted, dict):
        return isinstance(found, dict) and wanted.keys() == found.keys() and _has_members(wanted, found)
    return _fits(wanted, found)
