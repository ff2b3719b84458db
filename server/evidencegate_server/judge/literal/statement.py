"""Reads a claim or a clause into a statement that can be compared token by token.

Every character that is no space has to belong to a token of a known kind. A text with any other character is no
statement at all: what it changes is not known, so nothing may be said of the rest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.lexicon.judge_words import StatementWords
from evidencegate_server.text.fold import fold_drawing
from evidencegate_server.text.fold_tables import BIDI_CONTROLS

_LETTER: Final = "A-Za-z\u00b5\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f"
_NUMBER: Final = r"[+-]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?"
_COLOUR: Final = re.compile(r"\x1b\[(?:0|1|22|3[0-79]|9[0-7])?(?:;(?:0|1|22|3[0-79]|9[0-7]))*m")
_HIDING: Final = re.compile(f"[{''.join(sorted(BIDI_CONTROLS))}\x1b]")

# A wide colon parts what it stands between; made plain between Latin letters, it would join them to one name.
_PARTING: Final = str.maketrans({"：": " : ", "μ": "µ"})
_SAME_SIGN: Final = {"≥": ">=", "≤": "<=", "≠": "!="}
_NUMERIC: Final = "\0"  # begins the key of a number, and no other
_VALUE: Final = re.compile(rf"{_NUMERIC}[+-]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
_ARTICLE: Final = "the"
_OPENING_ARTICLES: Final = frozenset(("a", "an"))
_ENDS: Final = frozenset(".。!,;")
_COMPARATORS: Final = frozenset(("!=", "==", ">=", "<=", "~=", "=~", "!~", "<>", "<", ">", "~", "±", "≈", "!"))


@record
class Statement:
    """The tokens of a text.

    `keys` are the comparable tokens without what only joins an attribute with its value, `joins` the places in `keys`
    before which such a joint stands. `values` are the places of numbers that another number can contradict.
    """

    keys: tuple[str, ...]
    joins: tuple[int, ...]
    values: tuple[int, ...]
    compares: bool

    def words(self) -> tuple[str, ...]:
        """Returns the names and words in small letters, the longest first: each stands in any text that says this."""
        return tuple(sorted({key.lower() for key in self.keys if key[0] != _NUMERIC}, key=lambda key: (-len(key), key)))

    def shape(self, at: int) -> tuple[str, ...]:
        """Returns the keys with the number at a place left open; its unit stays."""
        unit = self.keys[at].partition(" ")[2]
        return (*self.keys[:at], f"{_NUMERIC}? {unit}", *self.keys[at + 1 :])

    def value(self, at: int) -> str:
        """Returns the number at a place, without its unit."""
        return self.keys[at].partition(" ")[0]


def joined_alike(one: Statement, other: Statement) -> bool:
    """Returns whether two statements with the same keys are put together alike.

    One may lack one joint that the other has: `state down` and `state: down`. A statement that begins with a joint is a
    question.
    """
    if one.joins == other.joins:
        return True
    fewer, more = sorted((one.joins, other.joins), key=len)
    if len(more) != len(fewer) + 1:
        return False
    rest = list(more)
    for place in fewer:
        if place not in rest:
            return False
        rest.remove(place)
    return 0 < rest[0] < len(one.keys)


@dataclass(slots=True)
class _Tokens:
    """What has been read of a text so far."""

    keys: list[str] = field(default_factory=list)
    joins: list[int] = field(default_factory=list)
    values: list[int] = field(default_factory=list)
    has_word: bool = False
    quotes: int = 0


class StatementReader:
    """Reads with one set of words. Linear in the text."""

    def __init__(self, words: StatementWords) -> None:
        self._framing = tuple(sorted(words.framing, key=lambda phrase: (-len(phrase), phrase)))
        self._copulas = frozenset(words.copulas)
        self._ordinal_nouns = frozenset(words.ordinal_nouns)
        units = sorted(words.units, key=lambda unit: (-len(unit), unit))
        latin = "|".join(re.escape(unit) for unit in units if not _is_han(unit[0]))
        han = "|".join(re.escape(unit) for unit in units if _is_han(unit[0]))
        # An ideograph that joins is also a part of words: it joins an attribute only with digits and Latin letters.
        copulas = "|".join(re.escape(word) for word in sorted(words.copulas) if _is_han(word))
        name_goes_on = rf"[{_LETTER}0-9_]|[-./@\\:,'+]+[{_LETTER}0-9_]"
        self._token = re.compile(
            rf"(?:(?P<word>[{_LETTER}]+(?:'[{_LETTER}]+)*)(?!{name_goes_on})"
            rf"|(?P<value>{_NUMBER}) ?(?P<unit>(?:{latin})(?![{_LETTER}0-9_/%^-])|{han})"
            rf"|(?P<number>{_NUMBER})(?!{name_goes_on})"
            rf"|(?P<chunk>[+-]?[{_LETTER}0-9_]+(?:[-./@\\:,'+]+[{_LETTER}0-9_]+)*)"
            rf"|(?P<copula>[:：=|](?![=~>])|(?:{copulas})(?= ?[A-Za-z0-9\"“]))"
            rf"|(?P<han>[\u3400-\u4dbf\u4e00-\u9fff])"
            rf"|(?P<sign>[!=<>~]=|[=!]~|<>|->|=>|[-,;()\[\]{{}}<>./+@\\!#$&*~±≈≥≤≠%^、。])"
            rf"|(?P<quote>[\"'`“”‘’「」])) ?"
        )

    def claim(self, text: str) -> Statement | None:
        """Returns the statement of a claim without what only frames it, None where it is none."""
        text = text.strip()
        lowered = text.lower()
        for phrase in self._framing if lowered.startswith(self._framing) else ():
            if lowered.startswith(phrase):
                text = text[len(phrase) :].lstrip(" ,:，：")
                break
        return self.read(text)

    def read(self, text: str) -> Statement | None:
        """Returns the statement of a text, None where a character or the whole is not understood."""
        if not text.isascii() or "\x1b" in text:
            text = _COLOUR.sub("", text)
            if _HIDING.search(text):
                return None
            text = fold_drawing(text.translate(_PARTING)).translate(_PARTING)
        text = " ".join(text.split())
        tokens = _Tokens()
        at = 0
        for match in self._token.finditer(text):
            if match.start() != at:
                return None  # a sign that is not known stands in between
            at = match.end()
            kind = match.lastgroup
            if kind == "word":
                self._take_word(match["word"], tokens, is_last=at == len(text))
            elif kind == "quote":
                tokens.quotes += 1
            else:
                _take(match, tokens)
        # A quote mark alone is a part of a quotation, or a unit.
        return self._statement(tokens) if at == len(text) and tokens.quotes % 2 == 0 else None

    def _take_word(self, word: str, tokens: _Tokens, *, is_last: bool) -> None:
        """Adds a plain word. Articles go; what joins an attribute with its value is a joint."""
        keys = tokens.keys
        folded = word.casefold()
        if folded in self._copulas:
            tokens.joins.append(len(keys))
        elif folded != _ARTICLE and (folded not in _OPENING_ARTICLES or keys or is_last):
            tokens.has_word = True
            # Letter case after a number can tell units apart.
            keys.append(word if keys and keys[-1][0] == _NUMERIC else folded)

    def _statement(self, tokens: _Tokens) -> Statement | None:
        keys, joins = tokens.keys, tokens.joins
        if keys and keys[-1] in _ENDS and joins[-1:] != [len(keys)]:
            keys.pop()
        if len(keys) < 2 or not tokens.has_word:
            return None
        if self._ends_in_a_value(keys, joins):
            tokens.values.append(len(keys) - 1)
        return Statement(tuple(keys), tuple(joins), tuple(tokens.values), not _COMPARATORS.isdisjoint(keys))

    def _ends_in_a_value(self, keys: list[str], joins: list[int]) -> bool:
        """Returns whether the last token is a number put on the attribute before it. No list, and no name in digits."""
        last = len(keys) - 1
        return (
            last in joins
            and _VALUE.fullmatch(keys[last]) is not None
            and keys[last - 1].casefold() not in self._ordinal_nouns
        )


def _take(match: re.Match[str], tokens: _Tokens) -> None:
    """Adds a token that is no plain word."""
    kind, keys = match.lastgroup, tokens.keys
    if kind == "copula":
        tokens.joins.append(len(keys))
    elif kind == "unit":
        tokens.values.append(len(keys))
        keys.append(f"{_NUMERIC}{_plain_number(match['value'])} {match['unit']}")
    elif kind == "number":
        keys.append(f"{_NUMERIC}{match['number']}")
    elif kind == "sign":
        keys.append(_SAME_SIGN.get(match["sign"], match["sign"]))
    else:
        # Letter case in a name can tell names apart.
        tokens.has_word = True
        keys.append(match[kind or 0])


def _is_han(text: str) -> bool:
    return "\u3400" <= text <= "\u9fff"


def _plain_number(written: str) -> str:
    """Returns a decimal as one of its many spellings; exact, however long."""
    sign = "-" if written.startswith("-") else ""
    whole, _, part = written.lstrip("+-").replace(",", "").partition(".")
    whole, part = whole.lstrip("0") or "0", part.rstrip("0")
    return f"{sign}{whole}.{part}" if part else f"{sign}{whole}"
