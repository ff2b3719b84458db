"""Gives a bare number the unit that its surroundings fix: the command, the fields beside it, the metric."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Final

from evidencegate_server.contract.records import record, replace
from evidencegate_server.judge.values.keyed import spelled_unit
from evidencegate_server.judge.values.model import COUNT, Mention, Quantity
from evidencegate_server.judge.values.numerals import EXACT, ONE, Amount
from evidencegate_server.judge.values.quantities import in_unit
from evidencegate_server.judge.values.tables import Tables, UnitEntry

_TOKEN = re.compile(r"[\w./%+-]+")
_METRIC = re.compile(
    r"[a-zA-Z_:][a-zA-Z0-9_:]*_(seconds|milliseconds|bytes|ratio|percent)(?:_(?:total|sum|bucket|count))?\b"
)
_RATE = re.compile(r"\b(?:rate|irate|deriv)\s*\(")
_DIVISOR = re.compile(r"/\s*(1024|1000|1048576|1073741824|1e3|1e6|1e9)\b")
_PARTS = re.compile(r"/\s*(?:[a-zA-Z_]|\()")
_TITLE_UNIT = re.compile(
    r"\bin ([A-Za-z\u00b5%]{2,12})(?![\w/-])|[(\uff08]([A-Za-z\u00b5%\u4e00-\u9fff]{2,12})[)\uff09]"
)
_QUERY: Final = "query="
MAX_CONTEXT_CHARS: Final = 600
_METRIC_UNITS: Final = {"seconds": "s", "milliseconds": "ms", "bytes": "B", "ratio": "ratio", "percent": "%"}


@record
class Context:
    """What surroundings fix: units by lower-case key, and the unit of a sample (`value`) where they name a metric."""

    units: Mapping[str, str]
    sample: UnitEntry | None = None
    spelling: str = ""


def read_context(words: str, keys: Collection[str], unit: str, metric: str, tables: Tables) -> Context | None:
    """Returns what surroundings fix, None where they fix nothing."""
    known = {token.lower() for token in _TOKEN.findall(words[:MAX_CONTEXT_CHARS])}
    known.update(key.lower() for key in keys)
    units: dict[str, str] = {}
    for one in tables.words.key_contexts:
        if any(known.issuperset(choice.split(" ")) for choice in one.when):
            units.update(one.units)
    unit = unit or _told_unit(words[:MAX_CONTEXT_CHARS], tables)
    sample = (spelled_unit(unit, tables) or spelled_unit(unit.lower(), tables)) if unit else None
    spelling = unit
    if sample is None and metric:
        sample, spelling = _metric_unit(metric[:MAX_CONTEXT_CHARS], tables)
    return Context(units, sample, spelling) if units or sample is not None else None


def _told_unit(words: str, tables: Tables) -> str:
    """Returns the unit that a title names (`response times in ms`, `queue delay (seconds)`), empty for none."""
    for found in _TITLE_UNIT.finditer(words):
        unit = found[1] or found[2]
        if len(unit) > 1 and spelled_unit(unit, tables) is not None:
            return unit
    return ""


def in_context(key: str, mention: Mention, context: Context, tables: Tables) -> Mention:
    """Returns a mention with the unit of its context, where it is a bare number; else as it is."""
    value = mention.value
    if not isinstance(value, Quantity) or value.measure != COUNT or value.unit or mention.counted:
        return mention
    if value.low is None or value.low != value.high:
        return mention
    spelling = context.units.get(key.lower())
    unit = tables.by_spelling[spelling] if spelling is not None else None
    if unit is None and key.lower() in tables.words.sample_keys:
        unit, spelling = context.sample, context.spelling
    if unit is None:
        return mention
    number = Amount(value.low, value.step, value.digits)
    return replace(mention, value=replace(in_unit(number, unit, spelling or ""), assumed=True))


def _metric_unit(query: str, tables: Tables) -> tuple[UnitEntry | None, str]:
    """Returns the unit of what a PromQL expression or metric name gives.

    A quotient of two series is left out, for it may be a mean, a share or a rate; so is the rate of seconds.
    """
    query = query.rpartition(_QUERY)[2]  # what stands before it is the path of the call
    found = _METRIC.search(query)
    if found is None:
        return None, ""
    spelling = _METRIC_UNITS[found[1]]
    if spelling == "ratio":
        return UnitEntry("share", ONE), ""
    divisor = ONE
    for match in _DIVISOR.finditer(query):
        divisor = EXACT.multiply(divisor, Decimal(match[1]))
    if _PARTS.search(query) is not None:
        return None, ""
    entry = tables.by_spelling[spelling]
    rated = _RATE.search(query) is not None
    if found[0].endswith("_count") or (rated and spelling != "B" and "histogram_quantile" not in query):
        return None, ""
    measure = "size/time" if rated and spelling == "B" else entry.measure
    return UnitEntry(measure, EXACT.multiply(entry.factor, divisor), entry.loose), spelling if divisor == ONE else ""
