"""Finds typed values in text and in cells: amounts with unit and bound, and instants, in English and Chinese."""

from __future__ import annotations

import re
from collections.abc import Collection
from decimal import Decimal
from functools import lru_cache
from typing import Final

from evidencegate_server.contract.records import replace
from evidencegate_server.judge.values.clock import from_epoch
from evidencegate_server.judge.values.contexts import Context, in_context, read_context
from evidencegate_server.judge.values.joining import join
from evidencegate_server.judge.values.keyed import KeyReading, read_key
from evidencegate_server.judge.values.model import COUNT, Instant, Mention, Quantity
from evidencegate_server.judge.values.numerals import EXACT, MAX_NUMBER_CHARS, ONE, Amount, amount, scaled
from evidencegate_server.judge.values.quantities import in_unit, single
from evidencegate_server.judge.values.scan import Scanner, clock_duration
from evidencegate_server.judge.values.tables import Tables
from evidencegate_server.lexicon.measure_words import MeasureWords

_FULL_WIDTH = re.compile("[０-９Ａ-Ｚａ-ｚ]")
_NARROW: Final = {code: code - 0xFEE0 for code in (*range(0xFF10, 0xFF1B), 0xFF0E, 0xFF05, 0xFF0F, 0xFF0D,
                                                   *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B))}  # fmt: skip
_BARE = re.compile(r"\s*[\"']?([-+]?(?:[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)[\"']?\s*")
_MILLI = re.compile(r"\s*[\"']?([0-9]+)([mnu])[\"']?\s*")
_MEGA = re.compile(r"\s*[\"']?([0-9]+(?:\.[0-9]+)?)([kmg])[\"']?\s*")
_FRACTION = re.compile(r"\s*([0-9]+)\s*/\s*([0-9]+)\s*")
_PERCENT = re.compile(r"\s*[\"']?([0-9]+(?:\.[0-9]+)?)[ ]?%[\"']?\s*")
_WITH_SHARE = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)[ ]?\([0-9]+(?:\.[0-9]+)?%\)\s*")
_CLOCK = re.compile(r"\s*((?:[0-9]{1,4}-)?(?:[0-9]{1,4}:)?[0-9]{1,4}:[0-9]{2}(?:\.[0-9]+)?)\s*")
_MAX_CELL: Final = 200  # a longer cell is prose
_SHORT_CELL: Final = 40
_SMALL_MONTH = re.compile(r"[a-z]{3} [ 0-9][0-9] ")
_STAMP = re.compile(r"[0-9]+\.[0-9]{6}")  # seconds since the system came up, as the kernel writes them
_EPOCHS: Final = (
    (Decimal(10) ** 17, Decimal("0.000000001")),
    (Decimal(10) ** 14, Decimal("0.000001")),
    (Decimal(10) ** 11, Decimal("0.001")),
    (Decimal(10) ** 8, Decimal(1)),
)
_LEAST_EPOCH: Final = Decimal(10) ** 9  # seconds that are sooner a time since 1970 than a length
_LAST_EPOCH: Final = Decimal(10) ** 19
_CPU_SCALES: Final = {"m": Decimal("0.001"), "u": Decimal("0.000001"), "n": Decimal("0.000000001")}
_KEYS: Final = 4096  # that are kept read
_TEXTS: Final = 2048  # the same: a line is read again for each claim over it
_CELLS: Final = 8192  # the same: columns repeat their values


class ValueReader:
    """Reads values with the words of one catalog. Has no state that a reading changes, but for caches."""

    __slots__ = ("_cell", "_context_keys", "_key", "_scanner", "_tables", "_text")

    def __init__(self, words: MeasureWords) -> None:
        self._tables = Tables(words)
        self._scanner = Scanner(self._tables)
        self._key = lru_cache(maxsize=_KEYS)(self._read_key)
        self._text = lru_cache(maxsize=_TEXTS)(self._read_text)
        self._context_keys = frozenset(key for one in words.key_contexts for key in one.units) | frozenset(
            words.sample_keys
        )
        self._cell = lru_cache(maxsize=_CELLS)(self._read_cell)

    def mentions(self, text: str, offset: int = 0) -> tuple[Mention, ...]:
        """Returns every value of a text from left to right; none overlap. `offset` is added to all places."""
        found = self._text(text) if len(text) <= _MAX_CELL else self._read_text(text)
        return found if not offset else tuple([_moved(mention, offset) for mention in found])

    def _read_text(self, text: str) -> tuple[Mention, ...]:
        plain = _narrow(text)
        return tuple(join(plain, self._scanner.scan(plain), self._tables))

    def cell(self, key: str, text: str, offset: int = 0) -> tuple[Mention, ...]:
        """Returns the values of a keyed cell; a bare number has the unit and scale that the key or header names.

        What can be meant in two ways is there as both, at one place: 212 % of a core is 2.12 cores, 3/4 ready pods
        are 3, 4 and 75 %.
        """
        if len(text) > _MAX_CELL:
            return self.mentions(text, offset)
        found = self._cell(key, text)
        return found if not offset else tuple([_moved(mention, offset) for mention in found])

    @property
    def context_keys(self) -> frozenset[str]:
        """Returns the lower-case keys whose unit surroundings can fix."""
        return self._context_keys

    def context(self, words: str, keys: Collection[str] = (), unit: str = "", metric: str = "") -> Context | None:
        """Returns what the surroundings of a record fix for its bare numbers, None for nothing.

        `words` are the command, heading and labels that it stands under, `keys` those of its fields, `unit` is what a
        field that names the unit says (CloudWatch's Unit), `metric` the metric name or query of its samples.
        """
        return read_context(words, keys, unit, metric, self._tables)

    def in_context(self, key: str, mention: Mention, context: Context) -> Mention:
        """Returns a mention of a field with the unit that its context fixes, as it is where that fixes none."""
        return in_context(key, mention, context, self._tables)

    def _read_cell(self, key: str, text: str) -> tuple[Mention, ...]:
        plain = _narrow(text)
        reading = self._key(key)
        if reading.instant and _SMALL_MONTH.match(plain) is not None:
            plain = plain[:1].upper() + plain[1:]
        found = self._keyed(reading, plain) or self.mentions(plain)
        return found if reading.zone is None else tuple([_in_zone(one, reading.zone) for one in found])

    def _read_key(self, key: str) -> KeyReading:
        return read_key(key, self._tables)

    def _keyed(self, key: KeyReading, text: str) -> tuple[Mention, ...]:
        """Returns what a whole cell is under its key; nothing where it is to be read as any text is."""
        bare = _BARE.fullmatch(text)
        if bare is not None:
            return self._bare(key, bare)
        if key.cpu and (match := _MILLI.fullmatch(text)) is not None:
            number = scaled(amount(match[1]), _CPU_SCALES[match[2]])
            return (_mention(single(number, "cores", match[2]), match.start(1), match.end(2)),)
        if key.memory and not key.cpu and (match := _MEGA.fullmatch(text)) is not None:
            unit = self._tables.symbols[match[2].upper()]
            return (_mention(in_unit(amount(match[1]), unit, match[2]), match.start(1), match.end(2)),)
        if key.parallel and (match := _PERCENT.fullmatch(text)) is not None:
            return self._bare(key, match)
        if key.fraction and (match := _FRACTION.fullmatch(text)) is not None and len(text) < _SHORT_CELL:
            return _fraction(match)
        if key.unit is not None and (match := _WITH_SHARE.fullmatch(text)) is not None:
            rest = self.mentions(text[match.end(1) :])
            return (*self._bare(key, match), *(_moved(mention, match.end(1)) for mention in rest))
        if key.duration and (match := _CLOCK.fullmatch(text)) is not None:
            duration = clock_duration(match[1])
            if duration is not None:
                return (_mention(replace(duration, assumed=True), match.start(1), match.end(1)),)
        return ()

    def _bare(self, key: KeyReading, match: re.Match[str]) -> tuple[Mention, ...]:
        if len(match[1]) > MAX_NUMBER_CHARS:
            return ()
        number = amount(match[1])
        start, end = match.span(1)
        unit, spelling = key.unit, key.spelling
        if unit is None and key.decimal is not None and "." in match[1]:
            unit, spelling = key.decimal, key.decimal_spelling
        if unit is not None and not (key.instant and unit.factor == ONE and number.value >= _LEAST_EPOCH):
            value = replace(in_unit(number, unit, spelling), assumed=True)
            if not key.parallel:
                return (_mention(value, start, end),)
            cores = replace(single(scaled(number, unit.factor), "cores", spelling), assumed=True)
            return (_mention(value, start, end), _mention(cores, start, end))
        if key.instant:
            moment = _moment(number, match[1])
            if moment is not None:
                return (_mention(moment, start, end),)
        if key.ratio and number.value >= 0:
            if number.value <= 1:
                return (_mention(replace(single(number, "share"), assumed=True), start, end),)
            if number.value <= 100:
                share = single(scaled(number, Decimal("0.01")), "share")
                return (_mention(replace(share, assumed=True), start, end),)
        return (_mention(single(number, COUNT), start, end),)


def _fraction(match: re.Match[str]) -> tuple[Mention, ...]:
    """Returns 3/4 as its two numbers and as their share."""
    part, whole = amount(match[1]), amount(match[2])
    both = (_mention(single(part), *match.span(1)), _mention(single(whole), *match.span(2)))
    if not whole.value or part.value > whole.value:
        return both
    share = EXACT.divide(part.value, whole.value)
    value = Quantity(share, share, "share", Decimal(0), 3, assumed=True)
    return (_mention(value, match.start(1), match.end(2)), *both)


def _moment(number: Amount, written: str) -> Instant | Quantity | None:
    """Returns the time since 1970 or since the kernel came up that a number under a key for times is."""
    instant = _epoch(number)
    if instant is None and _STAMP.fullmatch(written) is not None:
        return replace(single(number, "time", "s"), assumed=True)
    return instant


def _epoch(number: Amount) -> Instant | None:
    if number.value >= _LAST_EPOCH:
        return None
    for least, unit in _EPOCHS:
        if number.value >= least:
            return from_epoch(number.value, unit)
    return None


def _in_zone(mention: Mention, offset: int) -> Mention:
    """Returns a time of day that names no zone in the one that its key names."""
    value = mention.value
    if not isinstance(value, Instant) or value.offset is not None or value.seconds is None:
        return mention
    return replace(mention, value=replace(value, offset=offset))


def _mention(value: Quantity | Instant, start: int, end: int) -> Mention:
    return Mention(value, start, end, start, end)


def _moved(mention: Mention, offset: int) -> Mention:
    return Mention(
        mention.value,
        mention.start + offset,
        mention.end + offset,
        mention.outer_start + offset,
        mention.outer_end + offset,
        mention.counted,
    )


def _narrow(text: str) -> str:
    """Returns the text with full-width digits and letters made plain; every character keeps its place."""
    return text if text.isascii() or _FULL_WIDTH.search(text) is None else text.translate(_NARROW)
