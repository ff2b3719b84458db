"""Overwrites credentials in a text before it goes to a model or is kept.

Each credential becomes as many signs as it has characters. So every place that was noted in the text before (a span, a
quotation) is right afterwards too, and the same credential is the same mask wherever it is quoted.

The time is linear in the text's length: each form begins with a fixed word, which is looked for as plain text, and what
follows is read once, without going back (possessive) or within a bound. A look back stands behind the word, not before
it, since only a pattern that begins with plain text is searched for quickly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from evidencegate_server.text.masking_policy import MaskingPolicy, TokenForm

_ALPHABETS: Final = {"upper": "A-Z0-9", "alnum": "A-Za-z0-9", "word": r"\w\-"}

# Longer values are no credential but a text; the bounds keep a crafted text from being read again and again.
_MOST_VALUE: Final = 4_096
_MOST_USER: Final = 256
# The characters of a key's body: base64, line ends (also as JSON escapes) and its headers' signs.
_MOST_BLOCK: Final = 65_536

# Stands for the _ of a key's name.
_JOINT: Final = r"[_.\-]?"
_LOWER_ASCII: Final = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


@dataclass(frozen=True, slots=True)
class Masked:
    """A text without its credentials, and how many there were."""

    text: str
    count: int


@dataclass(frozen=True, slots=True)
class _Form:
    """One form: the word that it begins with, and what finds it; the first group that took part is the credential."""

    word: str
    pattern: re.Pattern[str]


class Masker:
    """Finds credentials by the catalog's forms. Holds no state: safe to share."""

    def __init__(self, policy: MaskingPolicy) -> None:
        self._sign = policy.sign
        self._plain = frozenset(policy.keys.plain)
        self._key_name = re.compile(rf"(?i:{'|'.join(map(_joined, policy.keys.names))})$")
        self._as_written = (
            *(_token_form(form, prefix) for form in policy.tokens for prefix in form.prefixes),
            _url_form(),
            *(_block_form(label) for label in policy.blocks),
        )
        self._schemes = tuple(_scheme_form(word) for word in policy.schemes.words)
        self._scheme_value = _scheme_value(policy.schemes.least_chars)
        self._keys = _key_forms(policy)

    def mask(self, text: str) -> Masked:
        """Returns the text with each credential overwritten; its length stays what it was."""
        spans = sorted(self._spans(text))
        return self._overwrite(text, spans) if spans else Masked(text, 0)

    def is_secret_name(self, name: str) -> bool:
        """Returns whether the value under a key of this name is a credential."""
        return self._key_name.search(name) is not None

    def mask_whole(self, text: str) -> Masked:
        """Returns a value that is a credential as a whole; one that tells nothing stays."""
        return Masked(text, 0) if self._is_plain(text) else Masked(self._sign * len(text), 1)

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        for form in self._as_written:
            if form.word in text:
                for found in form.pattern.finditer(text):
                    yield found.span(1)
        lowered = _lower(text)
        yield from self._behind_schemes(text, lowered)
        yield from self._behind_keys(text, lowered)

    def _behind_schemes(self, text: str, lowered: str) -> Iterator[tuple[int, int]]:
        for form in self._schemes:
            if form.word in lowered:
                for found in form.pattern.finditer(lowered):
                    value = self._scheme_value.match(text, found.end())
                    if value is not None:
                        yield value.span(1)

    def _behind_keys(self, text: str, lowered: str) -> Iterator[tuple[int, int]]:
        for form in self._keys:
            if form.word in lowered:
                for found in form.pattern.finditer(lowered):
                    start, end = found.span(found.lastindex or 0)
                    if not self._is_plain(text[start:end]):
                        yield start, end

    def _is_plain(self, value: str) -> bool:
        """Returns whether a value tells nothing: a word of prose, a mask, or a place that a value goes to."""
        stripped = value.strip(".:;!?")
        return (
            not stripped.strip(self._sign + "*xX#\u2022.-_")
            or stripped.lower() in self._plain
            or stripped.startswith(("$", "{", "<", "%("))
        )

    def _overwrite(self, text: str, spans: list[tuple[int, int]]) -> Masked:
        parts: list[str] = []
        done = count = 0
        for start, end in spans:
            if end <= done:
                continue  # found by two forms
            begin = max(start, done)
            count += start >= done
            parts += (text[done:begin], self._sign * (end - begin))
            done = end
        parts.append(text[done:])
        return Masked("".join(parts), count)


def _lower(text: str) -> str:
    """Returns the text in lower case with every character at its place: a few letters would become two."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else text.translate(_LOWER_ASCII)


def _token_form(form: TokenForm, prefix: str) -> _Form:
    chars = _ALPHABETS[form.alphabet]
    word = re.escape(prefix)
    part = f"[{chars}]{{{form.least_chars},}}+"
    further = rf"(?:\.[{chars}]++){{{form.parts - 1}}}" if form.parts > 1 else ""
    return _Form(prefix, re.compile(rf"({word}(?<![A-Za-z0-9_]{word}){part}{further})", re.ASCII))


def _scheme_form(word: str) -> _Form:
    escaped = re.escape(word)
    return _Form(word, re.compile(rf"{escaped}(?<![a-z0-9_]{escaped})[ \t]{{1,8}}"))


def _scheme_value(least_chars: int) -> re.Pattern[str]:
    # A plain word has no digit, sign or capital inside; the bound keeps looking ahead linear.
    telling = r"(?=[A-Za-z]{0,200}?(?:[0-9._~+/=]|(?<=[a-z])[A-Z]))"
    return re.compile(rf"{telling}([A-Za-z0-9._~+/\-]{{{least_chars},}}+=*+)")


def _key_forms(policy: MaskingPolicy) -> tuple[_Form, ...]:
    """Returns one form for each first word of the names; they are matched against text in lower case."""
    least = f"{{{policy.keys.least_chars},{_MOST_VALUE}}}+"
    values = (
        rf'\\"([^"\\]{least})\\"'  # in JSON inside of JSON
        rf'|"((?:[^"\\\n]|\\.){least})"'
        rf"|'((?:[^'\\\n]|\\.){least})'"
        rf"|([^\s\"'\\,;&<>()\[\]{{}}|]{least})"
    )
    groups: dict[str, list[str]] = {}
    for name in policy.keys.names:
        first, *rest = name.split("_")
        groups.setdefault(first, []).append("".join(rf"{_JOINT}{re.escape(piece)}" for piece in rest))
    return tuple(
        _Form(
            first,
            re.compile(
                rf"{re.escape(first)}(?:{'|'.join(sorted(rests, key=len, reverse=True))})"
                rf"(?:\\?[\"'])?[ \t]{{0,8}}(?:=>|:=|[=:\uff1a])[ \t]{{0,8}}(?:{values})"
            ),
        )
        for first, rests in groups.items()
    )


def _joined(name: str) -> str:
    return _JOINT.join(map(re.escape, name.split("_")))


def _url_form() -> _Form:
    user = rf"[^\s/:@\"'<>]{{0,{_MOST_USER}}}+"
    return _Form("://", re.compile(rf"://{user}:([^\s/?#\"'<>]{{1,{_MOST_USER}}})@"))


def _block_form(label: str) -> _Form:
    begin = f"-----BEGIN {label}-----"
    body = rf"((?:[A-Za-z0-9+/=\s\\:,.]|-(?!----)){{1,{_MOST_BLOCK}}}+)"
    return _Form(begin, re.compile(re.escape(begin) + body))
