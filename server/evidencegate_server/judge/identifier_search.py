"""Searches a session for the names that claims use, all of them in one pass over its texts.

A text is cut into atoms, runs of letters and digits, and a name is found where a row of atoms spells it: `node-1`,
`Node1` and `node 1` are one name, `pod-1` is not in `pod-10`, and a name ends where a part of it ends (`order-api` in
`order-api-7d9f`). What is looked up is known before the texts are read, so that the cost of a text does not depend on
how many names there are, and nothing of a text is kept.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.identifier_names import FOREIGN_LETTERS, Form, Identifier, plain_signs

# Steps from atom to atom while rows of them are followed: under a second. Real sessions take a hundredth of it.
_MAX_STEPS: Final = 1_000_000
# A text is read in pieces of about this many characters, so that one large text does not hold the interpreter for long.
_PIECE_CHARS: Final = 131_072
_LONGEST_NAME: Final = 1_000
_LONGEST_RUN: Final = 200
# Up to so many names it costs less to see first which of them a text can have.
_FEW: Final = 40
_MAX_GAP: Final = 3  # between two parts of a name that are joined otherwise than the claim joins them

_ALNUM: Final = f"0-9a-z{FOREIGN_LETTERS}"
# Atoms, and what stands between them: a slash, or anything wider or stranger than one common joiner or blank. That one
# sign is left out, since it says nothing more.
_ATOMS: Final = re.compile(rf"[{_ALNUM}]+|/|[^{_ALNUM}/]{{2,}}|[^{_ALNUM}/ \t\r\n_.:#=@\\+~-]")
_DOTTED: Final = re.compile(r"\d+(?:\.\d+)+")
_DASHED: Final = re.compile(r"(?<!\d)\d{1,3}(?:-\d{1,3}){3}(?!-?\d)")
_HEX: Final = re.compile(r"(?<![0-9a-z])[0-9a-f]{7,}")
_COLONS: Final = re.compile(r"(?<![0-9a-z:])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}")
_RUN: Final = re.compile(r"[A-Za-z0-9]+")
_HUMP: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_ESCAPE: Final = re.compile(r'(?<!\\)\\+(?:[nrtbf"/]|u[0-9A-Fa-f]{4})')
_NO_ATOM: Final = re.compile(rf"[^{_ALNUM}A-Z]")
_ENDS: Final = frozenset(("", *" \t\r\n\"'`,;()[]{}<>="))  # no number goes on behind these
_COLON_ENDS: Final = frozenset(":/@")
_FIRST_PLACES: Final = 8

# One thing to be found: how it is looked up, and what.
Sign = tuple[str, str]

NAME: Final = "name"  # a row of atoms
HUMPS: Final = "humps"  # the beginning of a name in camel case
NUMBER: Final = "number"  # a dotted number, or the beginning of one that ends at a point
WHOLE_NUMBER: Final = "whole_number"
HEX_BEGINNING: Final = "hex"
COLON_ADDRESS: Final = "colons"
PHRASE: Final = "phrase"

# Any one of these ways is enough; a way has several conditions, each with several signs of which one is enough.
Ways = tuple[tuple[tuple[Sign, ...], ...], ...]


@record
class Found:
    """What came of a search. `exhausted` says that it was broken off, so that what is missing may be there."""

    missing: frozenset[Identifier]
    exhausted: bool


class SearchPlan:
    """Everything that is looked up in one pass."""

    def __init__(self) -> None:
        self._bits: dict[Sign, tuple[str, ...]] = {}
        self._rows: dict[str, tuple[str, ...]] = {}
        self._found: set[Sign] = set()
        self._steps = 0
        self._asked: Mapping[Identifier, Ways] | None = None
        self._waiting: set[Sign] = set()

    def sign(self, kind: str, value: str) -> Sign:
        """Puts one thing on the plan."""
        sign = (kind, value)
        self._bits.setdefault(sign, (value,))
        return sign

    def name(self, parts: Sequence[str], opening: str = "") -> Sign:
        """Puts a row of atoms on the plan. An atom of the text may end only where a part of the name ends."""
        rows = tuple(accumulate([opening, *parts] if opening else parts, _join))
        sign = (NAME, rows[-1] if rows else "")
        self._rows[sign[1]] = self._rows.get(sign[1], ()) + rows[:-1]
        if len(parts) >= len(self._bits.get(sign, ())):
            self._bits[sign] = tuple(sorted(parts, key=len, reverse=True))
        return sign

    def humps(self, name: Sign) -> Sign:
        """Puts the beginning of a name in camel case on the plan."""
        sign = (HUMPS, name[1])
        self._bits[sign] = self._bits[name]
        return sign

    def run(self, ways: Mapping[Identifier, Ways], texts: Iterable[str]) -> Found:
        """Looks everything up; stops where all is found, or where it has cost too much."""
        missing = dict(ways)
        odd: list[str] = []
        for piece in _pieces_of(texts):
            if not missing or self._steps > _MAX_STEPS:
                break
            missing = self._read(piece, missing)
            if not piece.isascii() or "\\" in piece or "\x1b" in piece:
                odd.append(piece)
        # Nearly every name stands in the text as it is. Only for the others is it made plain, and then rid of its
        # escapes, whose letters touch the word after them.
        for piece in odd:
            if not missing or self._steps > _MAX_STEPS:
                break
            plain = plain_signs(piece)
            if plain != piece:
                missing = self._read(plain, missing)
            bare = _ESCAPE.sub(" ", plain) if "\\" in plain and self._possible(plain.lower(), missing) else plain
            if bare != plain:
                missing = self._read(bare, missing)
        return Found(frozenset(missing), bool(missing) and self._steps > _MAX_STEPS)

    def _read(self, cased: str, missing: dict[Identifier, Ways]) -> dict[Identifier, Ways]:
        """Returns what is missing still after this text."""
        text = cased.lower()
        if len(missing) <= _FEW:
            there = [one for one in missing if _stands_as_written(one, text)]
            if there:
                missing = {one: ways for one, ways in missing.items() if one not in there}
        wanted = self._possible(text, missing)
        for kind in _KINDS:
            values = wanted.get(kind)
            if not values:
                continue
            before = len(self._found)
            self._found.update((kind, value) for value in _LOOKS[kind](self, values, text, cased))
            if len(self._found) > before:
                missing = self._still(missing)
                wanted = self._possible(text, missing)
        return missing

    def _possible(self, text: str, missing: Mapping[Identifier, Ways]) -> dict[str, set[str]]:
        """Returns by kind what may be in the text, of all that somebody still waits for.

        For a few names it costs less to see first whether their parts are there at all.
        """
        if missing is not self._asked:
            self._asked = missing
            self._waiting = {sign for ways in missing.values() for way in ways for signs in way for sign in signs}
        waiting = self._waiting - self._found
        if len(waiting) <= _FEW:
            waiting = {sign for sign in waiting if all(bit in text for bit in self._bits[sign])}
        wanted: dict[str, set[str]] = {}
        for kind, value in waiting:
            wanted.setdefault(kind, set()).add(value)
        return wanted

    def _still(self, missing: Mapping[Identifier, Ways]) -> dict[Identifier, Ways]:
        found = self._found
        return {
            identifier: ways
            for identifier, ways in missing.items()
            if not any(all(not found.isdisjoint(signs) for signs in way) for way in ways)
        }

    def _names(self, wanted: set[str], text: str, _cased: str) -> Iterator[str]:
        atoms = _ATOMS.findall(text)
        yield from wanted.intersection(atoms)
        openings = {row for value in wanted for row in self._rows[value]}
        if not openings:
            return
        for at in [at for at, atom in enumerate(atoms) if atom in openings]:
            if self._steps > _MAX_STEPS:
                return
            yield from self._follow(atoms, at, openings, wanted)

    def _follow(self, atoms: list[str], at: int, openings: set[str], wanted: set[str]) -> Iterator[str]:
        """Returns which of the wanted names the atoms from this one on spell."""
        row = atoms[at]
        end = len(atoms)
        while row in openings:
            at += 1
            self._steps += 1
            gap = 0
            narrow = True
            while at < end and _is_gap(atoms[at]):
                narrow = narrow and not gap and atoms[at] == "/"
                gap += len(atoms[at])
                at += 1
            if at == end or gap > _MAX_GAP:
                return
            atom = atoms[at]
            if not narrow and (row == "/" or row[-1].isdigit() or atom[0].isdigit()):
                return
            row = _join(row, atom)
            if row in wanted:
                yield row

    def _humps(self, wanted: set[str], _text: str, cased: str) -> Iterator[str]:
        for run in set(_RUN.findall(cased)):
            if 4 < len(run) <= _LONGEST_RUN and not run.islower():
                yield from wanted.intersection(accumulate(hump.lower() for hump in _HUMP.findall(run)))

    def _dotted(self, wanted: set[str], text: str, _cased: str) -> Iterator[str]:
        most = max(value.count(".") for value in wanted) + 1
        for run in set(_DOTTED.findall(text)):
            parts = run.split(".", most)[:most]
            yield from wanted.intersection(accumulate(parts, lambda number, part: f"{number}.{part}"))

    def _whole_numbers(self, wanted: set[str], text: str, _cased: str) -> Iterator[str]:
        yield from wanted.intersection(_DOTTED.findall(text))
        yield from wanted.intersection(_DASHED.findall(text))

    def _hex(self, wanted: set[str], text: str, _cased: str) -> Iterator[str]:
        runs = sorted(set(_HEX.findall(text)))
        for value in wanted:
            at = bisect_left(runs, value)
            if at < len(runs) and runs[at].startswith(value):
                yield value

    def _colons(self, wanted: set[str], text: str, _cased: str) -> Iterator[str]:
        runs = set(_COLONS.findall(text))
        yield from wanted.intersection(runs)
        yield from wanted.intersection(run.rstrip(":") for run in runs)

    def _phrases(self, wanted: set[str], text: str, _cased: str) -> Iterator[str]:
        return (phrase for phrase in wanted if phrase in text)


_LOOKS: Final = {
    NAME: SearchPlan._names,
    HUMPS: SearchPlan._humps,
    NUMBER: SearchPlan._dotted,
    WHOLE_NUMBER: SearchPlan._whole_numbers,
    HEX_BEGINNING: SearchPlan._hex,
    COLON_ADDRESS: SearchPlan._colons,
    PHRASE: SearchPlan._phrases,
}

_KINDS: Final = tuple(_LOOKS)  # what names most things first


def _join(row: str, atom: str) -> str:
    # Two numbers beside each other are two numbers: pod-1 1 is not pod-11.
    return f"{row}|{atom}" if row[-1].isdigit() and atom[0].isdigit() else row + atom


def _is_gap(token: str) -> bool:
    first = token[0]
    return not first.isalnum() if first.isascii() else _NO_ATOM.match(first) is not None


def _stands_as_written(identifier: Identifier, text: str) -> bool:
    """Returns whether the text has the identifier letter by letter between two signs that are part of no name."""
    key = identifier.key
    ends = _ENDS if identifier.form in (Form.ADDRESS, Form.VERSION) else None
    if ends is not None and ":" not in key:
        ends |= _COLON_ENDS
    start = text.find(key)
    for _ in range(_FIRST_PLACES):
        if start < 0:
            return False
        end = start + len(key)
        beside = (text[start - 1 : start], text[end : end + 1])
        if all(_ends_name(char) and (ends is None or char in ends) for char in beside):
            return True
        start = text.find(key, end)
    return False


def _ends_name(char: str) -> bool:
    return not char or (char.isascii() and not char.isalnum())


def _pieces_of(texts: Iterable[str]) -> Iterator[str]:
    """Returns the texts, each once, in pieces that are cut between two words; no name is cut in two."""
    batch: list[str] = []
    size = 0
    for text in dict.fromkeys(texts):
        if size + len(text) > _PIECE_CHARS and batch:
            yield _BETWEEN_TEXTS.join(batch)
            batch, size = [], 0
        if len(text) <= _PIECE_CHARS:
            batch.append(text)
            size += len(text) + len(_BETWEEN_TEXTS)
        else:
            yield from _cut(text)
    if batch:
        yield _BETWEEN_TEXTS.join(batch)


# Farther apart than any two parts of one name, so that a name is never put together from two texts.
_BETWEEN_TEXTS: Final = "\n\n\n\n\n\n"


def _cut(text: str) -> Iterator[str]:
    start = 0
    while start < len(text):
        end = start + _PIECE_CHARS
        if end >= len(text):
            yield text[start:]
            return
        # The piece ends between two atoms, and the next one begins before that by more than the longest name.
        gap = _last_gap(text, end)
        yield text[start:gap]
        start = _last_gap(text, gap - _LONGEST_NAME)


def _last_gap(text: str, end: int) -> int:
    """Returns the last place up to `end` that is between two atoms; `end` where there is none near."""
    for at in range(end, end - _LONGEST_NAME, -1):
        if _NO_ATOM.match(text, at):
            return at
    return end
