"""Reads what a key or column header says of the bare number under it."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.values.tables import Tables, UnitEntry

_BRACKETS = re.compile(r"[(\[（]\s*([^()\[\]（）]{1,24}?)\s*[)\]）]")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[\u4e00-\u9fff]+|%")
_PER_SECOND = re.compile(r"([A-Za-z_]*)/s(?:ec)?$")
_SIZE_END = re.compile(r"(?:^|[rw_]|(?<=[a-z]))([kKMG]i?B|B|bytes)(?:_[a-z]+|[a-z]+)?$")
MAX_KEY_CHARS: Final = 120
_ONE: Final = Decimal(1)


@record
class KeyReading:
    """What a key says: the unit of a bare number under it, and which forms mean something else there."""

    unit: UnitEntry | None = None
    spelling: str = ""
    ratio: bool = False
    fraction: bool = False
    instant: bool = False
    duration: bool = False
    cpu: bool = False
    memory: bool = False


def read_key(key: str, tables: Tables) -> KeyReading:
    """Returns what the key says; one that is too long says nothing."""
    if not key or len(key) > MAX_KEY_CHARS:
        return KeyReading()
    words = tables.words
    parts = [part.lower() for part in _WORDS.findall(key)]
    lower = key.lower()
    known = set(parts)
    unit, spelling = _unit(key, parts, tables)
    if parts and parts[-1] in words.key_counts:
        unit, spelling = None, ""
    ratio = any(
        part.endswith(word) if len(word) > 4 or not word.isascii() else part == word
        for part in parts
        for word in words.key_ratios
    )
    return KeyReading(
        unit,
        spelling,
        ratio and unit is None,
        any(word in known or (len(word) > 3 and word in lower) for word in words.key_fractions),
        any(word in known or (not word.isascii() and word in lower) for word in words.key_instants),
        any(word in known or ((" " in word or not word.isascii()) and word in lower) for word in words.key_durations),
        not known.isdisjoint(words.key_cpu),
        not known.isdisjoint(words.key_memory) or any(w in lower for w in words.key_memory if not w.isascii()),
    )


def _unit(key: str, parts: list[str], tables: Tables) -> tuple[UnitEntry | None, str]:
    words = tables.words
    for match in reversed(list(_BRACKETS.finditer(key))):
        written = match[1]
        entry = tables.by_spelling.get(written) or tables.unit_words.get(written.lower())
        if entry is None:
            entry = next((e for w, e in tables.chinese_units.get(written[0], ()) if w == written), None)
        if entry is not None:
            return entry, written
        rated = _rate(written, tables)
        if rated is not None:
            return rated, written
    if "%" in key or "％" in key:
        return tables.by_spelling["%"], "%"
    rated = _rate(key, tables)
    if rated is not None:
        return rated, key
    last = len(parts) - 1
    if last >= 2 and parts[-2] == "per" and parts[-1] in tables.rate_units:
        measure = next((words.key_units[part] for part in parts[:-2] if part in words.key_units), None)
        base = tables.by_spelling[measure] if measure else None
        seconds = tables.rate_units[parts[-1]]
        if base is not None and base.measure in ("size", "bits"):
            return UnitEntry(f"{base.measure}/time", base.factor / seconds, base.loose), key
        return UnitEntry("count/time", _ONE / seconds), key
    for at in range(last, -1, -1):
        spelling = words.key_units.get(parts[at])
        if spelling is None and at == last and at > 0:
            spelling = words.key_last.get(parts[at])
        if spelling is None and at == 0 and last > 0 and key[:3] in tables.symbols and len(parts[0]) > 1:
            spelling = key[:3]
        if spelling is not None:
            return tables.by_spelling[spelling], spelling
    first = key.split(" ", 1)[0] if " " in key else ""
    if len(first) > 1 and first in tables.symbols:  # `KiB Mem` of top
        return tables.symbols[first], first
    return None, ""


def _rate(key: str, tables: Tables) -> UnitEntry | None:
    match = _PER_SECOND.search(key)
    if match is None:
        return None
    size = _SIZE_END.search(match[1])
    if size is None:
        return UnitEntry("count/time", _ONE)
    unit = tables.by_spelling[size[1]]
    return UnitEntry("size/time", unit.factor, unit.loose)
