"""Lays JSON out in lines, one for each object of a list, and writes such a line as `key=value`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Final

from evidencegate_server.trace.condensers.pick import ELLIPSIS, tidy_line

_ESCAPED = re.compile(r"(?:\\u[0-9a-fA-F]{4})+")
TEXT: Final = r'(?<!\\)"(?:[^"\\]|\\.)*"'  # none begins at an escaped quote, of which a text cut short may have many
_FLAT: Final = r"\[(?:[^\[\]{}]|\[[^\[\]{}]*\])*\]"  # a list, or a list of flat lists
_PAIR = re.compile(rf"({TEXT})\s*:\s*({TEXT}|-?[0-9][0-9.eE+-]*|true|false|null|{_FLAT}|\{{\}})")
_INNER = re.compile(r"\[[^\[\]{}]*\]")
_FEW_INNER: Final = 2
_LONG_CHARS: Final = 400


class JsonKeys:
    """Which keys of an object are shown first, and which not at all."""

    def __init__(self, first: Sequence[str] = (), dropped: Sequence[str] = ()) -> None:
        self._rank = {key: at for at, key in enumerate(first)}
        self.dropped = frozenset(dropped)

    def rank(self, key: str) -> int:
        """Returns the place of a key among the first ones, behind them for any other."""
        return self._rank.get(key, len(self._rank))


def is_json(text: str) -> bool:
    """Returns whether a text looks like one JSON value or several, one a line."""
    return text[:200].lstrip()[:1] in ("{", "[")


def lay_out(text: str) -> str:
    """Returns JSON with each object of a list on a line of its own; what it says is left as it is."""
    if "\\u" in text:
        text = _ESCAPED.sub(_unescape, text)
    if "\n" in text and not _is_one_per_line(text):
        text = " ".join(map(str.strip, text.split("\n")))
        if "  " in text or "\t" in text:  # blanks inside of a line, which are dear to look for and seldom there
            text = " ".join(text.split())
    text = text.replace("}, {", "},\n{").replace("},{", "},\n{")
    lines = text.split("\n")
    if max(map(len, lines)) <= _LONG_CHARS:
        return text
    # A long object is laid out further: each object inside of it begins a line.
    return "\n".join(line if len(line) <= _LONG_CHARS else line.replace("{", "\n{") for line in lines)


def writer(keys: JsonKeys, quotes: Sequence[str] = ()) -> Callable[[str], str]:
    """Returns what writes a line of JSON as `key=value`: what claims quote, then the first keys, then others."""

    def write(line: str) -> str:
        pairs = list(dict.fromkeys((_plain(key), _value(value)) for key, value in _PAIR.findall(line)))
        if not pairs:
            return ""  # brackets, or what ends in a later line
        kept = [pair for pair in pairs if pair[0] not in keys.dropped] or pairs
        kept.sort(key=lambda pair: (not any(quote in pair[1] for quote in quotes), keys.rank(pair[0])))
        return tidy_line(" ".join(f"{key}={value}" for key, value in kept))

    return write


def _is_one_per_line(text: str) -> bool:
    first = text.lstrip().split("\n", 1)[0].rstrip()
    return len(first) > 1 and first[-1] in "}]"


def _unescape(found: re.Match[str]) -> str:
    try:
        decoded: str = json.loads(f'"{found[0]}"')
        decoded.encode("utf-8")
    except ValueError:
        return found[0]
    return found[0] if any(char in decoded for char in '"\\') or not decoded.isprintable() else decoded


def _plain(token: str) -> str:
    """Returns the text of a JSON string; as it stands where it is none."""
    if "\\" not in token:
        return token[1:-1] if token[0] == token[-1] == '"' else token
    try:
        return str(json.loads(token, strict=False))
    except ValueError:
        return token.strip('"')


def _value(token: str) -> str:
    """Returns a value for a reader: of a list of samples the first and the last, numbers as they are written."""
    if token.startswith('"'):
        return _plain(token)
    inner = _INNER.findall(token[1:-1]) if token.startswith("[") else []
    if len(inner) > _FEW_INNER:
        return f"[{inner[0]} {ELLIPSIS} {inner[-1]}]"
    return token
