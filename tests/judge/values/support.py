"""Reads values with the project's own words and writes them shortly, so that a table of cases stays readable."""

from __future__ import annotations

from decimal import Decimal
from functools import cache

from evidencegate_server.judge.values.model import Instant, Mention, Quantity
from evidencegate_server.judge.values.reader import ValueReader

from tests.excerpts.support import lexicon


@cache
def reader() -> ValueReader:
    return ValueReader(lexicon().measures)


def number(value: Decimal | None) -> str:
    return "" if value is None else format(value.normalize(), "f")


def short(value: Quantity | Instant) -> str:
    """Writes a value: `0.05 time`, `~[5,10) size`, `2024-5-1 36300/60 +480 since`."""
    if isinstance(value, Quantity):
        written = number(value.low)
        if value.low != value.high:
            left, right = "(" if value.low_open else "[", ")" if value.high_open else "]"
            written = f"{left}{written},{number(value.high)}{right}"
        return f"{'~' if value.about else ''}{written} {value.measure}".rstrip()
    date = "-".join("" if part is None else str(part) for part in (value.year, value.month, value.day))
    time = "" if value.seconds is None else f"{number(value.seconds)}/{number(value.width)}"
    zone = "" if value.offset is None else f"{value.offset:+d}"
    return " ".join(part for part in ("~" if value.about else "", date.strip("-"), time, zone, value.bound) if part)


def shorts(mentions: tuple[Mention, ...]) -> list[str]:
    return [short(mention.value) for mention in mentions]


def one(text: str) -> Quantity | Instant:
    """Returns the only value of a text."""
    (mention,) = reader().mentions(text)
    return mention.value
