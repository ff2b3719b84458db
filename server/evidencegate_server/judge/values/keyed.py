"""Reads what a key or column header says of the bare number under it."""

from __future__ import annotations

import re
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.values.numerals import EXACT, ONE
from evidencegate_server.judge.values.tables import Tables, UnitEntry

_BRACKETS = re.compile(r"[(\[（]\s*([^()\[\]（）]{1,24}?)\s*[)\]）]")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[\u4e00-\u9fff]+|%")
_PER_SECOND = re.compile(r"([A-Za-z_]*)/s(?:ec)?$")
_SIZE_END = re.compile(r"(?:^|[rw_]|(?<=[a-z]))([kKMG]i?B|B|bytes)(?:_[a-z]+|[a-z]+)?$")
_UTC = re.compile(r"(?:(?<![A-Za-z])(?i:utc|gmt)|(?<=[a-z])(?:Utc|UTC|Gmt|GMT))\Z")
_SIZE: Final = "size"
MAX_KEY_CHARS: Final = 120
_PER_PARTS: Final = 3  # requests per second


@record
class KeyReading:
    """What a key says: the unit of a bare number under it, and which forms mean something else there.

    `decimal` is the unit of a number with a fraction alone. `parallel` says that a percentage is one of a core, `zone`
    in which zone its times are, in minutes east of UTC.
    """

    unit: UnitEntry | None = None
    spelling: str = ""
    decimal: UnitEntry | None = None
    decimal_spelling: str = ""
    parallel: bool = False
    ratio: bool = False
    fraction: bool = False
    instant: bool = False
    duration: bool = False
    cpu: bool = False
    memory: bool = False
    zone: int | None = None


def read_key(key: str, tables: Tables) -> KeyReading:
    """Returns what the key says; one that is too long says nothing."""
    if not key or len(key) > MAX_KEY_CHARS:
        return KeyReading()
    words = tables.words
    parts = [part.lower() for part in _WORDS.findall(key)]
    lower = key.lower()
    known = set(parts)
    unit, spelling = _whole(key, tables)
    if unit is None and not (parts and parts[-1] in words.key_counts):
        unit, spelling = _unit(key, parts, tables)
    ratio = known.isdisjoint(words.key_plain) and any(
        part.endswith(word) if len(word) > 4 or not word.isascii() else part == word
        for part in parts
        for word in words.key_ratios
    )
    decimal = words.key_decimal.get(lower, "")
    return KeyReading(
        unit,
        spelling,
        tables.by_spelling[decimal] if decimal else None,
        decimal,
        lower in words.key_parallel,
        ratio and unit is None,
        any(word in known or (len(word) > 3 and word in lower) for word in words.key_fractions),
        any(word in known or (not word.isascii() and word in lower) for word in words.key_instants),
        any(word in known or ((" " in word or not word.isascii()) and word in lower) for word in words.key_durations),
        not known.isdisjoint(words.key_cpu),
        not known.isdisjoint(words.key_memory)
        or lower.endswith(_SIZE)
        or any(w in lower for w in words.key_memory if not w.isascii()),
        _zone(key, tables),
    )


def _zone(key: str, tables: Tables) -> int | None:
    """Returns the zone that a key names in brackets (`Ref time (UTC)`) or as its last part (`start_utc`)."""
    for match in _BRACKETS.finditer(key):
        if match[1] in tables.zones:
            return tables.zones[match[1]]
    return 0 if _UTC.search(key) is not None else None


def _whole(key: str, tables: Tables) -> tuple[UnitEntry | None, str]:
    whole = tables.words.key_whole.get(key) or tables.words.key_whole.get(key.lower())
    return (None, "") if whole is None else (tables.by_spelling[whole], whole)


def _unit(key: str, parts: list[str], tables: Tables) -> tuple[UnitEntry | None, str]:
    for match in reversed(list(_BRACKETS.finditer(key))):
        entry = spelled_unit(match[1], tables)
        if entry is not None:
            return entry, match[1]
    if "%" in key or "％" in key:
        return tables.by_spelling["%"], "%"
    rated = _rate(key, tables) or _per(parts, tables)
    return (rated, key) if rated is not None else _by_part(key, parts, tables)


def spelled_unit(written: str, tables: Tables) -> UnitEntry | None:
    """Returns the unit that brackets behind a key hold."""
    entry = tables.by_spelling.get(written) or tables.unit_words.get(written.lower())
    if entry is None:
        chinese, size = tables.chinese_unit(written, 0)
        entry = chinese if size == len(written) else _rate(written, tables)
    return entry


def _per(parts: list[str], tables: Tables) -> UnitEntry | None:
    """Returns the rate of `bytes_per_second` and its like."""
    if len(parts) < _PER_PARTS or parts[-2] not in tables.words.rates.per or parts[-1] not in tables.rate_units:
        return None
    seconds = tables.rate_units[parts[-1]]
    units = tables.words.key_units
    base = next((tables.by_spelling[units[part]] for part in parts[:-2] if part in units), None)
    if base is not None and base.measure in ("size", "bits"):
        return UnitEntry(f"{base.measure}/time", EXACT.divide(base.factor, seconds), base.loose)
    return UnitEntry("count/time", EXACT.divide(ONE, seconds))


def _by_part(key: str, parts: list[str], tables: Tables) -> tuple[UnitEntry | None, str]:
    """Returns the unit that a part of the name is, the last one first."""
    words = tables.words
    first = key.split(" ", 1)[0] if " " in key else ""
    if len(first) > 1 and first in tables.symbols:  # `KiB Mem` of top
        return tables.symbols[first], first
    last = len(parts) - 1
    for at in range(last, -1, -1):
        spelling = words.key_units.get(parts[at])
        if spelling is None and at == last and at > 0:
            spelling = words.key_last.get(parts[at])
        if spelling is not None:
            return tables.by_spelling[spelling], spelling
    return None, ""


def _rate(key: str, tables: Tables) -> UnitEntry | None:
    match = _PER_SECOND.search(key)
    if match is None:
        return None
    size = _SIZE_END.search(match[1])
    if size is None:
        return UnitEntry("count/time", ONE)
    unit = tables.by_spelling[size[1]]
    return UnitEntry("size/time", unit.factor, unit.loose)
