"""Reads the machine identifiers out of a claim, by their form.

A token counts as an identifier where its form gives it away: joined by underscores or points, letters mixed with
digits, hexadecimal, an address, a version, a path. What only looks so is left alone: numbers with units, dates and
times, percentiles, English compounds, names of products.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from evidencegate_server.lexicon.judge_words import IdentifierWords


class Form(Enum):
    """What gave an identifier away, which decides how it is searched."""

    WORD = "word"
    NAME = "name"
    CAMEL = "camel"
    HEX = "hex"
    ADDRESS = "address"
    VERSION = "version"
    PATH = "path"


@dataclass(frozen=True, slots=True)
class Identifier:
    """One identifier of a claim.

    `key` is what is searched, in lower case; `parts` are the pieces of a name that may be joined otherwise elsewhere,
    empty where it has to stand as it is. Two spellings in letter case are the same identifier.
    """

    text: str = field(compare=False)
    key: str
    form: Form
    parts: tuple[str, ...] = ()


_SIGNS: Final = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_SIGNS.update(dict.fromkeys((*range(0x2010, 0x2016), 0x2212), "-"))
_SIGNS.update(dict.fromkeys((0x3000, 0x00A0), " "))
# Letters, digits and the signs that join names; the full-width comma and its like part words as they are.
_ODD_SIGNS: Final = re.compile(
    "[\uff05\uff0b\uff0d-\uff19\uff20-\uff3a\uff3c\uff3f\uff41-\uff5a\u2010-\u2015\u2212\u3000\u00a0]+"
)
_INVISIBLE: Final = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff\u202a-\u202e\u2066-\u2069]+")
_TERMINAL: Final = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")


def plain_signs(text: str) -> str:
    """Returns a text with full-width letters and odd dashes made plain, invisible signs and terminal codes removed."""
    if "\x1b" in text:
        text = _TERMINAL.sub("", text)
    if not text.isascii():
        text = _INVISIBLE.sub("", text)
        text = _ODD_SIGNS.sub(lambda run: run[0].translate(_SIGNS), text)
    return text


_ZONE = r"(?:Z|UTC|[+-]\d\d:?\d\d)?"
_CLOCK = r"\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?"
# Instants, dates and clock times: values that another part of the judge compares.
_TIMES: Final = re.compile(
    rf"(?<![\w.:])(?:\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}(?:[T_ ]?{_CLOCK}\s?{_ZONE})?|{_CLOCK}{_ZONE})(?![\w:])"
)
_COLON_ADDRESS: Final = re.compile(r"(?<![\w:.])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?:%\w+)?(?![\w:])")
_TOKEN: Final = re.compile(r"[A-Za-z0-9_/~][A-Za-z0-9_.:/@+~\\-]*")
_PATH: Final = re.compile(r"^~?(?:/[A-Za-z0-9_.+-]+)+/?$")
_MAX_CLAIM_CHARS: Final = 10_000  # a claim is a sentence; what is longer is read this far
_MAX_TOKEN_CHARS: Final = 200  # longer than any name; keeps what is made of a token small
_SPLIT: Final = re.compile(r"[/@:\\+~]+")

_IPV4: Final = re.compile(r"^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)$")
_HOST_PORT: Final = re.compile(r"^(?P<host>[^:@/]+):(?P<port>\d{2,5})$")
_VERSION: Final = re.compile(r"^(?:v\d+(?:\.\d+)+|\d+(?:\.\d+){2,})(?:[-+.][A-Za-z0-9.+-]*)?$", re.IGNORECASE)
_UUID: Final = re.compile(r"^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
_HEX: Final = re.compile(r"^(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,}$")
_HEX_NUMBER: Final = re.compile(r"^0x[0-9a-f]{2,}$")

_UNITS = r"(?:ns|us|µs|ms|s|sec|secs|min|mins|m|h|hr|hrs|d|w|y)"
# Quantities, ranges, ordinals, percentiles, status classes: 100Mi, 6m33s, 10-20ms, 1st, p99, 5xx, 2x16GB, 24-hour.
_VALUE: Final = re.compile(
    rf"^(?:[\d.,]+[a-z%]*(?:-[\d.,]+[a-z%]*)*|(?:\d+(?:\.\d+)?{_UNITS})+|\d+x\d+\w*|p\d{{1,4}}(?:\.\d+)?|\d[\d.,]*[a-z%]*(?:-[a-z]+)+)$"
)
_HUMPS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_CAMEL: Final = re.compile(r"^[A-Za-z]*(?:[a-z][A-Z]|[A-Z]{2}[a-z])[A-Za-z0-9]*$")
_MIXED: Final = re.compile(r"^(?=.*[a-z])(?=.*\d)[a-z0-9]+$")
_WORD_NUMBER: Final = re.compile(r"^([a-z]+)(\d+)$")


class IdentifierReader:
    """Reads identifiers with one set of words. Linear in the text."""

    def __init__(self, words: IdentifierWords) -> None:
        self._common = frozenset(words.common_terms)
        self._errno = frozenset(words.errno_names)
        self._counted = frozenset(words.counted_nouns)
        self._endings = frozenset(words.name_endings)
        self._openers = frozenset(words.ordinary_openers)
        self._types = frozenset(words.type_endings)
        self._files = frozenset(words.file_endings)
        cues = "|".join(re.escape(cue) for cue in sorted(words.code_cues, key=lambda cue: (-len(cue), cue)))
        self._code = re.compile(
            rf"(?:{cues})[\s:=#为是（(\[\"'“]{{0,3}}(?P<code>(?=[A-Za-z0-9-]*\d)[A-Za-z0-9-]{{2,16}})(?![A-Za-z0-9])",
            re.IGNORECASE,
        )

    def read(self, claim_text: str) -> tuple[Identifier, ...]:
        """Returns the identifiers of a text in order, each once."""
        text = _TIMES.sub(" ", plain_signs(claim_text[:_MAX_CLAIM_CHARS]))
        found: dict[Identifier, None] = {}
        for match in self._code.finditer(text):
            found.setdefault(_word(match["code"], match["code"].lower()))
        for match in _COLON_ADDRESS.finditer(text):
            if _is_colon_address(match[0]):
                found.setdefault(Identifier(match[0], match[0].lower(), Form.ADDRESS))
        text = _COLON_ADDRESS.sub(lambda match: " " if _is_colon_address(match[0]) else match[0], text)
        for match in _TOKEN.finditer(text):
            for identifier in self._token(match[0].rstrip(".:/@+~\\-")):
                found.setdefault(identifier)
        return tuple(found)

    def _token(self, token: str) -> Iterator[Identifier]:
        lowered = token.lower()
        if not token or len(token) > _MAX_TOKEN_CHARS or lowered in self._common:
            return
        if token[0] in "/~":
            if _PATH.match(token) and len(token) > 3 and any(map(str.isalpha, token)):
                yield Identifier(token, lowered.lstrip("~").rstrip("/"), Form.PATH)
            return
        port = _HOST_PORT.match(token)
        if port is not None:
            hosts = list(self._part(port["host"]))
            yield from hosts
            if hosts:
                yield Identifier(token, port["port"], Form.WORD)
            return
        for part in _SPLIT.split(token):
            yield from self._part(part.strip(".-"))

    def _part(self, part: str) -> Iterator[Identifier]:
        lowered = part.lower()
        if len(part) < 3 or lowered in self._common:
            return
        fixed = self._fixed_form(part, lowered)
        if fixed is not None:
            yield Identifier(part, lowered, fixed)
        elif _VALUE.match(lowered):
            return
        elif _HEX.match(lowered):
            yield Identifier(part, lowered, Form.HEX)
        elif "_" in part:
            yield from self._joined(part, lowered, "_")
        elif "." in part:
            yield from self._dotted(part, lowered)
        elif "-" in part:
            yield from self._hyphenated(part, lowered)
        elif _CAMEL.match(part):
            yield from self._camel(part, lowered)
        elif self._is_mixed_name(lowered):
            yield _word(part, lowered)

    def _fixed_form(self, part: str, lowered: str) -> Form | None:
        """Returns the form of what is recognised whole, before its pieces are looked at."""
        if _IPV4.match(part):
            return Form.ADDRESS
        if _VERSION.match(part):
            return Form.VERSION
        if _HEX_NUMBER.match(lowered) or _UUID.match(lowered) or part in self._errno:
            return Form.WORD
        return None

    def _joined(self, part: str, lowered: str, joiner: str) -> Iterator[Identifier]:
        parts = tuple(piece for piece in re.split(r"[^a-z0-9]+", lowered) if piece)
        if len(parts) >= 2 and joiner in lowered.strip(joiner) and any(map(str.isalpha, lowered)):
            yield Identifier(part, lowered, Form.NAME, parts)

    def _dotted(self, part: str, lowered: str) -> Iterator[Identifier]:
        pieces = [piece for piece in lowered.split(".") if piece]
        if len(pieces) < 2 or all(len(piece) == 1 for piece in pieces) or pieces[-1].isdigit():
            # Abbreviations (`e.g`), and a word with a number after it (`no.4`), unless it is a name by itself.
            if len(pieces) >= 2 and pieces[-1].isdigit() and not all(len(piece) == 1 for piece in pieces):
                yield from self._part(".".join(part.split(".")[:-1]))
            return
        written = [piece for piece in part.split(".") if piece]
        plain = len(pieces) == 2 and pieces[-1] not in self._files and all(map(str.isalpha, pieces))
        # `failed.The`: a space was forgotten after the end of a sentence.
        if not (plain and written[1][0].isupper() and not _CAMEL.match(written[1])):
            yield from self._joined(part, lowered, ".")

    def _hyphenated(self, part: str, lowered: str) -> Iterator[Identifier]:
        pieces = [piece for piece in lowered.split("-") if piece]
        if len(pieces) < 2:
            yield from self._part("".join(pieces))
            return
        if any(self._is_mixed_name(piece) for piece in pieces if piece not in self._common):
            yield _word(part, lowered)
            return
        if any(piece.isdigit() for piece in pieces):
            before = next(at for at, piece in enumerate(pieces) if piece.isdigit())
            if before > 0 and pieces[before - 1].isalpha() and not self._counts(pieces[:before]):
                yield _word(part, lowered)
            return
        is_name = part == lowered and pieces[-1] in self._endings and all(len(piece) > 1 for piece in pieces)
        if is_name and not all(piece in self._openers or piece in self._endings for piece in pieces[:-1]):
            yield Identifier(part, lowered, Form.NAME, tuple(pieces))

    def _counts(self, words: list[str]) -> bool:
        """Returns whether a number after these words counts or dates something and names nothing."""
        return words[-1] in self._counted or "-".join(words) in self._counted

    def _camel(self, part: str, lowered: str) -> Iterator[Identifier]:
        humps = tuple(hump.lower() for hump in _HUMPS.findall(part))
        if len(humps) < 2:
            return
        if humps[-1] in self._types or "".join(humps[-2:]) in self._types or len(humps) >= 3:
            long_enough = len(part) > 5
        else:
            # A function or field: `primeFactors`. Units and brands have one letter in front: `vCPU`, `dBm`.
            long_enough = part[0].islower() and len(humps[0]) > 1 and len(humps[1]) > 1
        if long_enough:
            yield Identifier(part, lowered, Form.CAMEL, humps)

    def _is_mixed_name(self, lowered: str) -> bool:
        """Returns whether letters mixed with digits name something: `db01`, `l595s`; not `p99`, `100mi`, `q3`."""
        if len(lowered) < 3 or not _MIXED.match(lowered) or _VALUE.match(lowered):
            return False
        word_number = _WORD_NUMBER.match(lowered)
        if word_number is None:
            return True
        word, number = word_number.groups()
        if word in self._counted:
            return False
        return len(word) > 1 or len(number) > 2


def _word(text: str, key: str) -> Identifier:
    return Identifier(text, key, Form.WORD)


def _is_colon_address(text: str) -> bool:
    """Returns whether a run of hexadecimal groups is an IPv6 or hardware address and no time of day."""
    groups = text.split("%")[0].split(":")
    if not any(groups) or (text.startswith(":") and not text.startswith("::")):
        return False
    if "::" in text:
        return text.count("::") == 1 and ":::" not in text
    if len(groups) == 6:
        return all(len(group) == 2 for group in groups)
    return len(groups) == 8 and all(groups)
