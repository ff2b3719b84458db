"""Reads the machine identifiers out of a claim, by their form.

A token counts as an identifier where its form gives it away: joined by underscores or points, letters mixed with
digits, hexadecimal, an address, a version, a path. What only looks so is left alone: numbers with units, dates and
times, percentiles, English compounds, names of products.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.identifier_names import FOREIGN_LETTERS, Form, Identifier, plain_signs
from evidencegate_server.lexicon.judge_words import IdentifierWords


@record
class Reading:
    """The identifiers of a text in order, each once. `complete` is false where a part of it was too long to be read."""

    identifiers: tuple[Identifier, ...]
    complete: bool


_ZONE = r"(?:Z|UTC|[+-]\d\d:?\d\d)?"
_CLOCK = r"\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?"
# Instants, dates and clock times: values that another part of the judge compares.
_TIMES: Final = re.compile(
    rf"(?<![\w.:])(?:\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}(?:[T_ ]?{_CLOCK}\s?{_ZONE})?|{_CLOCK}{_ZONE})(?![\w:])"
)
_DIGIT: Final = re.compile(r"\d")
_LEAST_COLONS: Final = 2  # of an address
_COLON_ADDRESS: Final = re.compile(r"(?<![\w:.])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?:%\w+)?(?![\w:])")
_TOKEN: Final = re.compile(rf"[A-Za-z0-9_/~{FOREIGN_LETTERS}][A-Za-z0-9_.:/@+~\\{FOREIGN_LETTERS}-]*")
_FOREIGN: Final = re.compile(f"[{FOREIGN_LETTERS}]")
_FOREIGN_EDGES: Final = re.compile(f"^(?:[{FOREIGN_LETTERS}]+-)+|(?:-[{FOREIGN_LETTERS}]+)+$")
_PATH: Final = re.compile(r"^~?(?:/[A-Za-z0-9_.+-]+)+/?$")
# A claim is a sentence and a name is short: what is longer is not read, and the reading says so.
_MAX_CLAIM_CHARS: Final = 10_000
_MAX_TOKEN_CHARS: Final = 1_000
_MAX_PART_CHARS: Final = 200
_SPLIT: Final = re.compile(r"[/@:\\+~]+")

_IPV4: Final = re.compile(r"^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)$")
_HOST_PORT: Final = re.compile(r"^(?P<host>[^:@/]+):(?P<port>\d{2,5})$")
_VERSION: Final = re.compile(r"^(?:v\d+(?:\.\d+)+|\d+(?:\.\d+){2,})(?:[-+.][A-Za-z0-9.+-]*)?$", re.IGNORECASE)
_UUID: Final = re.compile(r"^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
_HEX: Final = re.compile(r"^(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,}$")
# Quantities and dates whose letters happen to be hexadecimal: 1048576b, 12e6, 27feb2025.
_NO_HEX: Final = re.compile(r"^(?:\d+[a-f]|\d{1,6}e\d{1,2}|\d{1,2}(?:dec|feb)(?:\d{2}|\d{4})?)$")
# Too long for a count that somebody reads. With a unit after it, or as a date or instant, it is a value all the same.
_LONG_NUMBER: Final = re.compile(r"(?<![A-Za-z0-9_.,])\d{12,}(?![A-Za-z0-9_%])(?![.,]\d)")
_STAMP: Final = re.compile(
    r"^(?:(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d(?:\d{3})?)?|1[5-9]\d{11}(?:\d{3})?)$"
)
_HEX_NUMBER: Final = re.compile(r"^0x[0-9a-f]{2,}$")

_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec"
_UNITS = r"(?:ns|us|µs|ms|s|sec|secs|min|mins|m|h|hr|hrs|d|w|y)"
# Quantities, ranges, ordinals, percentiles, status classes: 100Mi, 6m33s, 10-20ms, 1st, p99, 5xx, 2x16GB, 24-hour.
_VALUE: Final = re.compile(
    rf"^(?:\d+(?:\.\d+)?e[+-]?\d{{1,3}}|\d+(?:\.\d+)?x\d+\w*|[\d.,]+[a-z%]*(?:-[\d.,]+[a-z%]*)*|(?:\d+(?:\.\d+)?{_UNITS})+|\d{{1,2}}(?:{_MONTHS})(?:\d{{2}}|\d{{4}})?|p\d{{1,4}}(?:\.\d+)?|\d[\d.,]*[a-z%]*(?:-[a-z]+)+)$"
)
_HUMPS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_CAMEL: Final = re.compile(r"^[A-Za-z]*(?:[a-z][A-Z]|[A-Z]{2}[a-z])[A-Za-z0-9]*$")
_MIXED: Final = re.compile(r"^(?=.*[a-z])(?=.*\d)[a-z0-9]+$")
_WORD_NUMBER: Final = re.compile(r"^([a-z]+)(\d+)$")
_COUNTED_VALUE: Final = re.compile(r"^([a-z]+)\d+(?:\.\d+)?[a-z%]{0,3}$")
_PRODUCT: Final = re.compile(r"^([a-z]{2,})(\d+)(?:\.\d+)+$")
_ANY_PART: Final = re.compile(r"\.[xX*]$")  # 8.0.x
_NUMBERED_VERSION: Final = re.compile(r"^v\d+$")


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
        self._environments = frozenset(words.environments)
        self._compound_endings = frozenset(words.compound_endings)
        self._resources = frozenset(words.resource_kinds)
        cues = _either(words.code_cues)
        self._code = re.compile(
            rf"(?:{cues})[\s:=#为是（(\[\"'“]{{0,3}}(?P<code>(?=[A-Za-z0-9-]*\d)[A-Za-z0-9-]{{2,16}})(?![A-Za-z0-9])",
            re.IGNORECASE,
        )
        self._measured = re.compile(rf"\s?(?:{_either(words.measured_nouns)})(?![a-z])", re.IGNORECASE)

    def read(self, claim_text: str) -> Reading:
        """Returns the identifiers of a text, and whether all of it was read."""
        text = plain_signs(claim_text[:_MAX_CLAIM_CHARS])
        complete = len(claim_text) <= _MAX_CLAIM_CHARS
        found: dict[Identifier, None] = {}
        if _DIGIT.search(text) is not None:
            text = _TIMES.sub(" ", text)
            found.update(dict.fromkeys(self._numbered(text)))
        if text.count(":") >= _LEAST_COLONS:
            found.update(dict.fromkeys(_colon_addresses(text)))
            text = _COLON_ADDRESS.sub(lambda match: " " if _is_colon_address(match[0]) else match[0], text)
        for match in _TOKEN.finditer(text):
            token = match[0].rstrip(".:/@+~\\-")
            if len(token) > _MAX_TOKEN_CHARS or (
                len(token) > _MAX_PART_CHARS and max(map(len, _SPLIT.split(token))) > _MAX_PART_CHARS
            ):
                complete = False
                continue
            for identifier in self._token(token) if token.isascii() else self._foreign(token):
                found.setdefault(identifier)
        return Reading(tuple(found), complete)

    def _numbered(self, text: str) -> Iterator[Identifier]:
        """Reads the codes behind words that announce one, and the numbers that are too long for a count."""
        for match in self._code.finditer(text):
            yield Identifier.of(match["code"], Form.WORD)
        for match in _LONG_NUMBER.finditer(text):
            if not _STAMP.match(match[0]) and not self._measured.match(text, match.end()):
                yield Identifier.of(match[0], Form.WORD)

    def _token(self, token: str) -> Iterator[Identifier]:
        lowered = token.lower()
        if not token or lowered in self._common or (_is_plain_word(token) and token not in self._errno):
            return
        if token[0] in "/~":
            if _PATH.match(token) and len(token) > 3 and any(map(str.isalpha, token)):
                yield Identifier.of(token, Form.PATH)
            return
        port = _HOST_PORT.match(token)
        if port is not None:
            hosts = list(self._part(port["host"]))
            yield from hosts
            if hosts:
                yield Identifier.of(token, Form.WORD, port["port"])
            return
        before = ""
        for written in _SPLIT.split(token):
            part = written.strip(".-")
            found = list(self._part(part))
            if not found and before in self._resources and "-" in part and not _VALUE.match(part.lower()):
                found = [Identifier.of(part, Form.NAME)]  # ns/prod-mail
            yield from found
            before = part.lower()

    def _foreign(self, token: str) -> Iterator[Identifier]:
        """Reads a token with letters of another script: where it has the form of a name, that is one name, whole."""
        for written in _SPLIT.split(token):
            part = _FOREIGN_EDGES.sub("", written.strip(".-"))
            if part.isascii():
                yield from self._part(part)
            elif any(char.isascii() and char.isalpha() for char in part) and any(
                True for _ in self._part(_FOREIGN.sub("x", part))
            ):
                yield Identifier.of(part, Form.NAME)

    def _part(self, part: str) -> Iterator[Identifier]:
        part = _ANY_PART.sub("", part)
        lowered = part.lower()
        if len(part) < 3 or lowered in self._common:
            return
        fixed = self._fixed_form(part, lowered)
        if fixed is not None:
            yield Identifier.of(part, fixed)
        elif _HEX.match(lowered) and not _NO_HEX.match(lowered):
            yield Identifier.of(part, Form.HEX)
        elif not _VALUE.match(lowered) and not self._is_counted_value(lowered):
            yield from self._by_joiner(part, lowered)

    def _by_joiner(self, part: str, lowered: str) -> Iterator[Identifier]:
        if "_" in part:
            yield from self._joined(part, "_", Form.NAME)
        elif "." in part:
            yield from self._dotted(part, lowered)
        elif "-" in part:
            yield from self._hyphenated(part, lowered)
        elif self._is_product(lowered):
            yield Identifier.of(part, Form.PRODUCT)
        elif _CAMEL.match(part):
            yield from self._camel(part)
        elif self._is_mixed_name(lowered):
            yield Identifier.of(part, Form.WORD)

    def _fixed_form(self, part: str, lowered: str) -> Form | None:
        """Returns the form of what is recognised whole, before its pieces are looked at."""
        if _IPV4.match(part):
            return Form.ADDRESS
        if _VERSION.match(part):
            return Form.VERSION
        if _HEX_NUMBER.match(lowered) or _UUID.match(lowered) or part in self._errno:
            return Form.WORD
        return None

    def _is_counted_value(self, lowered: str) -> bool:
        """Returns whether a number stands right after what it measures: `sla99.9`, `iops4k`, `code137`."""
        match = _COUNTED_VALUE.match(lowered)
        return match is not None and match[1] in self._counted

    def _is_product(self, lowered: str) -> bool:
        """Returns whether a product stands right before its version: `mysql8`."""
        match = _WORD_NUMBER.match(lowered)
        return match is not None and match[1] in self._common

    def _joined(self, part: str, joiner: str, form: Form) -> Iterator[Identifier]:
        parts = [piece for piece in re.split(r"[^a-z0-9]+", part.lower()) if piece]
        if len(parts) >= 2 and joiner in part.strip(joiner) and any(map(str.isalpha, part)):
            yield Identifier.of(part, form)

    def _dotted(self, part: str, lowered: str) -> Iterator[Identifier]:
        product = _PRODUCT.match(lowered)
        if product is not None:
            if product[1] + product[2] not in self._common and product[1] not in self._counted:
                yield Identifier.of(part, Form.PRODUCT)
            return
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
            yield from self._joined(part, ".", Form.DOTTED)

    def _hyphenated(self, part: str, lowered: str) -> Iterator[Identifier]:
        pieces = [piece for piece in lowered.split("-") if piece]
        if len(pieces) < 2:
            yield from self._part("".join(pieces))
            return
        if any(self._is_mixed_name(piece) for piece in pieces if piece not in self._common):
            yield Identifier.of(part, Form.WORD)
        elif any(piece.isdigit() for piece in pieces):
            before = next(at for at, piece in enumerate(pieces) if piece.isdigit())
            if before > 0 and pieces[before - 1].isalpha() and not self._counts(pieces[:before]):
                yield Identifier.of(part, Form.WORD)
        elif _NUMBERED_VERSION.match(pieces[-1]):
            if not all(piece in self._common or piece in self._counted for piece in pieces[:-1]):
                yield Identifier.of(part, Form.NAME)
        elif part == lowered and self._names_component(pieces):
            yield Identifier.of(part, Form.NAME)

    def _names_component(self, pieces: list[str]) -> bool:
        """Returns whether hyphenated words name one thing: `ledger-db`, `prod-mail`; not `self-service`."""
        ending = pieces[-1]
        if ending in self._endings and all(len(piece) > 1 for piece in pieces):
            return not all(piece in self._openers or piece in self._endings for piece in pieces[:-1])
        if pieces[0] not in self._environments or ending.endswith(("ed", "ing")):
            return False
        if not self._compound_endings.isdisjoint(pieces[1:]):
            return False
        return not all(piece in self._openers or piece in self._common for piece in pieces[1:])

    def _counts(self, words: list[str]) -> bool:
        """Returns whether a number after these words counts or dates something and names nothing."""
        return words[-1] in self._counted or "-".join(words) in self._counted

    def _camel(self, part: str) -> Iterator[Identifier]:
        humps = tuple(hump.lower() for hump in _HUMPS.findall(part))
        if len(humps) < 2:
            return
        if humps[-1] in self._types or "".join(humps[-2:]) in self._types or len(humps) >= 3:
            long_enough = len(part) > 5
        else:
            # A function or field: `primeFactors`. Units and brands have one letter in front: `vCPU`, `dBm`.
            long_enough = part[0].islower() and len(humps[0]) > 1 and len(humps[1]) > 1
        if long_enough:
            yield Identifier.of(part, Form.CAMEL)

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


def _is_plain_word(token: str) -> bool:
    """Returns whether a token is all letters, small but for the first: but for a few fixed ones these are no names."""
    return token.isalpha() and token[1:].islower()


def _either(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))


def _colon_addresses(text: str) -> Iterator[Identifier]:
    for match in _COLON_ADDRESS.finditer(text):
        if _is_colon_address(match[0]):
            yield Identifier.of(match[0], Form.ADDRESS)


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
