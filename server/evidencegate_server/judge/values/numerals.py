"""Reads numbers, in digits and in words, into exact decimals."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Context, Decimal
from functools import lru_cache
from typing import Final

from evidencegate_server.contract.records import record

EXACT: Final = Context(prec=40)
"""Own context, so that nobody else's rounding changes a result; 40 digits hold every product of two written numbers."""

MAX_NUMBER_CHARS: Final = 40  # longer ones are no amounts
ZERO: Final = Decimal(0)
ONE: Final = Decimal(1)


@record
class Amount:
    """A number as written: its value, what its last place is worth, and its significant digits."""

    value: Decimal
    step: Decimal
    digits: int


@lru_cache(maxsize=8192)
def amount(written: str) -> Amount:
    """Returns the amount of ASCII digits with thousands commas, a decimal point or an exponent."""
    value = Decimal(written.replace(",", ""))
    _, places, exponent = value.as_tuple()
    assert isinstance(exponent, int)
    step = Decimal((0, (1,), exponent))
    return Amount(value, step, len(places))


def scaled(number: Amount, factor: Decimal) -> Amount:
    """Returns the amount in units that are `factor` times as small."""
    return Amount(EXACT.multiply(number.value, factor), EXACT.multiply(number.step, factor), number.digits)


def whole(value: Decimal, step: Decimal = ONE) -> Amount:
    """Returns an amount that was not written in digits."""
    return Amount(value, step, max(1, len(str(int(value / step))) if step else 1))


class ChineseNumerals:
    """Reads numerals such as 九十二, 两千零五, 二百五, 三点五 and 三万."""

    __slots__ = ("digits", "magnitudes")

    def __init__(self, digits: Mapping[str, str], magnitudes: Mapping[str, str]) -> None:
        self.digits = {char: Decimal(value) for char, value in digits.items()}
        self.magnitudes = {char: Decimal(value) for char, value in magnitudes.items()}

    def read(self, written: str) -> Amount | None:
        """Returns the value of a run of numeral characters, None where they form no number."""
        if len(written) > MAX_NUMBER_CHARS:
            return None
        if not any(char in self.magnitudes for char in written):
            digit_alone = self.digits.get(written)  # 二〇一八 is a row of digits; 三三 is none
            return None if digit_alone is None else whole(digit_alone)
        total = section = ZERO
        digit: Decimal | None = None
        last = ONE
        for char in written:
            if char in self.digits:
                if digit:
                    return None
                digit = self.digits[char]
                continue
            size = self.magnitudes.get(char, ZERO)
            if not size:
                return None
            if size >= 10000:
                section += digit or ZERO
                total = (total + (section or ONE)) * size if total and size > last else total + (section or ONE) * size
                section = ZERO
            else:
                section += (ONE if digit is None else digit) * size
            digit = None
            last = size
        step = last
        if digit is not None:
            short = last > 10 and len(written) >= 2 and written[-2] in self.magnitudes  # 二百五 is 250
            step = last / 10 if short else ONE
            section += digit * step
        return whole(total + section, step)


class EnglishNumerals:
    """Reads numerals such as `twenty-five`, `ten thousand` and `two hundred and five`."""

    __slots__ = ("digits", "magnitudes")

    def __init__(self, digits: Mapping[str, str], magnitudes: Mapping[str, str]) -> None:
        self.digits = {word: Decimal(value) for word, value in digits.items()}
        self.magnitudes = {word: Decimal(value) for word, value in magnitudes.items()}

    def read(self, words: list[str]) -> Amount | None:
        """Returns the value of number words in lower case without `and`, None where they form no number."""
        total = section = ZERO
        step = ONE
        filled = False
        for word in words:
            value = self.digits.get(word)
            if value is not None:
                if filled and not (section % 100 >= 20 and section % 10 == 0 and 0 < value < 10) and section % 100:
                    return None
                section += value
                filled, step = True, ONE
                continue
            size = self.magnitudes[word]
            if size <= 100:
                section = (section or ONE) * size
                step = size
            else:
                total += (section or ONE) * size
                section, step = ZERO, size
            filled = bool(section)
        return whole(total + section, step)
