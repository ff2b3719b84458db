"""Reads numbers in words: 九十二笔, 百分之五, 几十个; `two pods`, `half an hour`, `ten thousand rows`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from evidencegate_server.contract.records import replace
from evidencegate_server.judge.values.framing import Framing
from evidencegate_server.judge.values.model import COUNT, Mention, Quantity
from evidencegate_server.judge.values.numerals import EXACT, MAX_NUMBER_CHARS, ONE, Amount, amount, scaled, whole
from evidencegate_server.judge.values.quantities import Tail, UnitReader, single
from evidencegate_server.judge.values.tables import Tables

_PLAIN = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_OF_A = re.compile(r" (?:of )?an? ", re.IGNORECASE)
_HALF: Final = Decimal("0.5")
_HUNDREDTH: Final = Decimal("0.01")  # how exactly a part is meant that a word names
_TEN_THOUSANDTH: Final = Decimal("0.0001")
_LEAST_VAGUE: Final = 10  # 几个 says next to nothing
_PIECE: Final = 4_096  # code points
_MAX_WORDS: Final = 12  # of one number
_MAX_PRONOUN: Final = 10  # the two, the three: greater numbers seldom stand for a noun


def _pieces(text: str) -> Iterator[str]:
    """Yields a text cut at blanks: the words of a long one would not fit in the processor's cache at once."""
    at = 0
    while at < len(text):
        end = text.find(" ", at + _PIECE)
        end = len(text) if end < 0 else end
        yield text[at:end]
        at = end


def _several(one: Quantity) -> Quantity:
    """Returns 几十 as 20 to 100, from what ten is."""
    assert one.low is not None
    low, high = EXACT.multiply(one.low, Decimal(2)), EXACT.multiply(one.low, Decimal(10))
    return Quantity(low, high, one.measure, one.step, 1, one.unit, high_open=True, about=True, loose=one.loose)


class SpelledReader:
    """Finds numbers in words."""

    __slots__ = ("framing", "tables", "units")

    def __init__(self, tables: Tables, units: UnitReader, framing: Framing) -> None:
        self.tables = tables
        self.units = units
        self.framing = framing

    def numeral(self, text: str, start: int, end: int, last: int) -> tuple[Mention | None, int]:
        """Reads 九十二笔, 百分之五, 几十个: a numeral counts only before a unit or a measure word."""
        tables = self.tables
        written = text[start:end]
        for word, factor in tables.percent_before.items():
            if text.startswith(word, start):
                return self._percent(text, start, start + len(word), factor, last)
        if self._in_exception(text, start, end):
            return None, end
        while end > start + 1 and text[end - 1] in tables.halves:
            end -= 1
        vague = next((word for word in tables.words.chinese_vague if written.startswith(word)), "")
        number = self._value(written, vague)
        if number is None:
            return None, end
        tail = self.units.read(text, end, number, spelled=True)
        if tail is None or (tail.end == end and not self._counts(text, start, written, tail.counted)):
            return None, end
        if vague:
            tail = replace(tail, quantity=_several(tail.quantity))
        return self.framing.quantity(text, start, tail.end, tail, last), tail.end

    def _value(self, written: str, vague: str) -> Amount | None:
        """Returns the number of a numeral; behind 几 and its like what one of them is worth, at least ten."""
        if vague:
            size = self.tables.chinese.read(written[len(vague) :]) if len(written) > len(vague) else None
            return size if size is not None and size.value >= _LEAST_VAGUE else None
        if written[0] in self.tables.halves:
            return Amount(_HALF, _HALF, 1)
        return self.tables.chinese.read(written)

    def _counts(self, text: str, start: int, written: str, counted: str) -> bool:
        """Returns whether a numeral without a unit counts something: 一 before a measure word is mostly an article."""
        if written == self.tables.one and text[start - 1 : start] not in self.tables.one_before:
            return False
        return counted[:1] in self.tables.classifiers or (len(written) > 1 and bool(counted))

    def _percent(self, text: str, start: int, at: int, factor: Decimal, last: int) -> tuple[Mention | None, int]:
        begin = at + 1 if text[at : at + 1] == " " else at
        match = _PLAIN.match(text, begin)
        if match is not None and len(match[0]) <= MAX_NUMBER_CHARS:
            number: Amount | None = amount(match[0])
            end = match.end()
        else:
            end = begin
            known = self.tables.chinese
            while end < len(text) and end - begin < 12 and (text[end] in known.digits or text[end] in known.magnitudes):
                end += 1
            number = known.read(text[begin:end]) if end > begin else None
        if number is None:
            return None, at
        tail = Tail(single(scaled(number, factor), "share", text[start:at]), end, "")
        return self.framing.quantity(text, start, end, tail, last), end

    def _in_exception(self, text: str, start: int, end: int) -> bool:
        """Returns whether a numeral of one or two characters is a piece of a word."""
        if end - start > 2:
            return False
        around = text[max(0, start - 3) : end + 4]
        inner = start - max(0, start - 3)
        for word in self.tables.numeral_words.get(text[start], ()):
            at = around.find(word)
            if at >= 0 and at <= inner < at + len(word):
                return not self._goes_on(text, start, end, start - inner + at + len(word))
        return False

    def _goes_on(self, text: str, start: int, end: int, last: int) -> bool:
        """Returns whether a unit goes on behind the last place of a word that reaches into it (十分钟 is no 十分)."""
        number = self._value(text[start:end], "") if last > end else None
        tail = self.units.read(text, end, number, spelled=True) if number is not None else None
        return tail is not None and tail.end > last

    def words(self, text: str, found: list[Mention]) -> list[Mention]:
        """Returns the numbers in English words that are in none of the mentions found."""
        tables = self.tables
        mentions = self._parts(text, found)
        if mentions:
            found = sorted([*found, *mentions], key=lambda one: one.start)
        if all(tables.number_words.isdisjoint(piece.lower().replace("-", " ").split()) for piece in _pieces(text)):
            return mentions
        padded = f" {text}"
        last = index = 0
        for match in tables.english_start.finditer(padded):
            start, end = match.start(), match.end() - 1
            while index < len(found) and found[index].outer_end <= start:
                last = max(last, found[index].outer_end)
                index += 1
            if start < last or (index < len(found) and found[index].start < end):
                continue
            mention = self._word(text, start, end, last)
            if mention is not None and not (index < len(found) and found[index].start < mention.outer_end):
                mentions.append(mention)
                last = mention.outer_end
        return sorted(mentions, key=lambda one: one.start)

    def _parts(self, text: str, found: list[Mention]) -> list[Mention]:
        """Returns the shares that words for parts make: half of, two thirds of, 三分之一, 一半."""
        tables = self.tables
        lowered = text.lower()
        matches: list[re.Match[str]] = []
        if any(word in lowered for word in tables.words.english_parts):
            matches += tables.english_part.finditer(text)
        if tables.words.fraction_word in text or any(word in text for word in tables.words.half_share):
            matches += tables.chinese_part.finditer(text)
        mentions = []
        for match in matches:
            share = self._part(match)
            start, end = match.span()
            if share is None or any(one.start < end and start < one.end for one in found):
                continue
            last = max((one.outer_end for one in found if one.outer_end <= start), default=0)
            tail = self._part_of_time(text, end, share) or Tail(Quantity(share, share, "share", _HUNDREDTH, 2), end, "")
            mentions.append(self.framing.quantity(text, start, tail.end, tail, last))
        return mentions

    def _part_of_time(self, text: str, end: int, share: Decimal) -> Tail | None:
        """Returns the length of time that a part is told of (three quarters of an hour), None for another whole."""
        article = _OF_A.match(text, end)
        tail = (
            None
            if article is None
            else self.units.read(text, article.end(), Amount(share, _HUNDREDTH, 2), spelled=True)
        )
        return tail if tail is not None and tail.quantity.measure == "time" else None

    def _part(self, match: re.Match[str]) -> Decimal | None:
        """Returns the share that a word for a part makes with the number before it."""
        tables = self.tables
        if match.re is tables.english_part:
            word = (match[1] or "").lower()
            noun = match[2].lower()
            if not word and noun not in tables.words.halves:
                return None  # the third of five
            number = ONE if not word or word in tables.words.articles else Decimal(tables.words.english_digits[word])
            parts = Decimal(tables.words.english_parts[noun])
        elif match[3]:
            number, parts = ONE, Decimal(2)
        else:
            lower, upper = tables.chinese.read(match[1]), tables.chinese.read(match[2])
            if lower is None or upper is None:
                return None
            number, parts = upper.value, lower.value
        return EXACT.divide(number, parts).quantize(_TEN_THOUSANDTH) if 0 < number < parts else None

    def _word(self, text: str, start: int, end: int, last: int) -> Mention | None:
        tables = self.tables
        word = text[start:end].lower()
        low_high = tables.vague.get(word)
        if low_high is not None:
            value = Quantity(low_high[0], low_high[1], COUNT, ONE, 1, about=True)
            return self.framing.quantity(text, start, end, Tail(value, end, ""), last)
        if word in tables.words.halves:
            article = tables.after_half.match(text, end)
            if article is None:
                return None
            tail = self.units.read(text, article.end(), Amount(_HALF, _HALF, 1), spelled=True)
            if tail is None or tail.quantity.measure == COUNT:
                return None
            return self.framing.quantity(text, start, tail.end, tail, last)
        words = [] if word in tables.words.articles else [word]
        while (more := tables.english_more.match(text, end)) is not None and len(words) < _MAX_WORDS:
            words.append(more[1].lower())
            end = more.end()
        number = tables.english.read(words) if words else whole(ONE)
        if number is None:
            return None
        if len(words) == 1 and number.value <= _MAX_PRONOUN and self._pronoun(text, start, end, number.value == ONE):
            return None
        half = tables.and_half.match(text, end)
        if half is not None:
            number, end = Amount(number.value + _HALF, _HALF, number.digits + 1), half.end()
        tail = self.units.read(text, end, number, spelled=True)
        if tail is None:
            return None
        return self.framing.quantity(text, start, tail.end, tail, last)

    def _pronoun(self, text: str, start: int, end: int, one: bool) -> bool:
        """Returns whether a number word stands for a noun: the one that, which of the two is."""
        before = text[max(0, start - 12) : start].split()
        marked = bool(before) and before[-1].lower() in self.tables.pronoun_barriers
        if one and marked:
            return True
        after = text[end : end + 24].lstrip("-").split(None, 1)
        bare = (
            not after
            or not after[0][0].isalpha()
            or text[end : end + 1] in ",.;"
            or after[0] in self.tables.pronoun_ends
        )
        return bare and (one or marked)
