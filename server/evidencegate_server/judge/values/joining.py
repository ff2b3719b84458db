"""Joins values that stand beside each other: ranges, a date with its time, a zone that holds for both."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from evidencegate_server.contract.records import replace
from evidencegate_server.judge.values.model import COUNT, Instant, Mention, Quantity
from evidencegate_server.judge.values.numerals import EXACT
from evidencegate_server.judge.values.tables import Tables

_LISTED: Final = re.compile("[ ]?[^\\s0-9，。；,;:：]{0,3}[ ]?[、和及与][^\\s0-9，。；,;:：]{0,6}[ ]?")
_SHARE_BACK: Final = 16  # characters before a number in which a word for a share may stand
_MAX_SLASHED: Final = 6  # values of one unit
_OF_ONE_UNIT: Final = ("/", "of", "out of")  # what joins them
_MAX_GAP: Final = 14  # characters between two values that are one


def join(text: str, found: list[Mention], tables: Tables) -> list[Mention]:
    """Returns the mentions with those made one that belong together."""
    if len(found) < 2:
        return found
    joined: list[Mention] = [found[0]]
    for mention in found[1:]:
        last = joined[-1]
        if mention.start - last.end > _MAX_GAP and mention.outer_start - last.outer_end > _MAX_GAP:
            joined.append(mention)
            continue
        one: Mention | None = None
        if isinstance(mention.value, Instant):
            one = _dated(text, last, mention, tables)
            if one is None:
                joined[-1], mention = _link(text, last, mention, tables)
        elif isinstance(last.value, Quantity):
            one, mention = _amounts(text, joined, mention, tables)
        if one is None:
            joined.append(mention)
        else:
            joined[-1] = one
    return _windows(joined)


def _amounts(text: str, joined: list[Mention], mention: Mention, tables: Tables) -> tuple[Mention | None, Mention]:
    """Returns two amounts as one where they are a range or a share, and else the second as the first makes it."""
    last = joined[-1]
    assert isinstance(last.value, Quantity)
    if mention.start == last.end + 1 and text[last.end] in " ,":
        return None, mention
    gap = text[last.end : mention.start].strip()
    if not gap:
        return None, mention
    if gap.lower() in tables.range_words:
        return _range(text, last, mention, tables), mention
    if gap in _OF_ONE_UNIT:
        one = _share(text, last, mention, tables) if gap == "/" else None
        if one is None:
            _unit_of_all(text, joined, mention, tables)
        return one, mention
    if last.value.measure.endswith("/time"):
        mention = _same_rate(text, last, mention, tables)
    return None, mention


def _windows(found: list[Mention]) -> list[Mention]:
    """Gives both ends of a window the date and zone that stands with only one of them."""
    for at in range(len(found) - 1):
        first, second = found[at].value, found[at + 1].value
        if not isinstance(first, Instant) or not isinstance(second, Instant):
            continue
        if first.bound != "since" or second.bound != "until" or (first.month is None) == (second.month is None):
            continue
        dated = second if first.month is None else first
        year, month, day = dated.year, dated.month, dated.day
        offset = first.offset if first.offset is not None else second.offset
        found[at] = replace(found[at], value=replace(first, year=year, month=month, day=day, offset=offset))
        found[at + 1] = replace(found[at + 1], value=replace(second, year=year, month=month, day=day, offset=offset))
    return found


def _dated(text: str, last: Mention, mention: Mention, tables: Tables) -> Mention | None:
    """Returns a date and a time that stand beside each other as one instant."""
    first, second = last.value, mention.value
    if not isinstance(first, Instant) or not isinstance(second, Instant):
        return None
    gap = text[last.outer_end : mention.outer_start] if mention.outer_start >= last.outer_end else ""
    if (first.seconds is None) != (second.seconds is None) and (first.month is None) != (second.month is None):
        whole = tables.joiner.fullmatch(gap)
        if whole is not None and not (second.bound and first.bound):
            date, time = (first, second) if first.seconds is None else (second, first)
            offset = time.offset if time.offset is not None else date.offset
            bound = first.bound or second.bound
            value = Instant(
                date.year, date.month, date.day, time.seconds, time.width, offset, first.about or second.about, bound
            )
            return Mention(value, last.start, mention.end, last.outer_start, mention.outer_end)
    return None


def _link(text: str, last: Mention, mention: Mention, tables: Tables) -> tuple[Mention, Mention]:
    """Returns two times with the zone of either and, where they are the ends of a window, with its bounds."""
    first, second = last.value, mention.value
    if not isinstance(first, Instant) or not isinstance(second, Instant):
        return last, mention
    if first.seconds is None or second.seconds is None:
        return last, mention
    word = text[last.end : mention.start].strip().lower()
    to = word in tables.range_to
    if not to and word not in tables.range_and:
        return last, mention
    if first.offset is None and second.offset is not None:
        first = replace(first, offset=second.offset)
    elif second.offset is None and first.offset is not None:
        second = replace(second, offset=first.offset)
    lead = text[max(0, last.outer_start - _MAX_GAP) : last.outer_start].rstrip(" ").lower()
    if to or lead.endswith(tables.between):
        first, second = replace(first, bound="since"), replace(second, bound="until")
    return replace(last, value=first), replace(mention, value=second)


def _same_rate(text: str, last: Mention, mention: Mention, tables: Tables) -> Mention:
    """Returns a count as a rate where 每秒 stands before the one that it is listed with (每秒发布 9 条、确认 11 条)."""
    value = mention.value
    if not isinstance(value, Quantity) or not isinstance(last.value, Quantity):
        return mention
    word = next((word for word in tables.chinese_rates if text.startswith(word, last.outer_start)), None)
    if word is None or _LISTED.fullmatch(text, last.end, mention.outer_start) is None:
        return mention
    if f"{value.measure or 'count'}/time" != last.value.measure:
        return mention
    seconds = tables.chinese_rates[word]
    low, high = (None if bound is None else EXACT.divide(bound, seconds) for bound in (value.low, value.high))
    step = EXACT.divide(value.step, seconds)
    rate = replace(value, low=low, high=high, step=step, measure=last.value.measure, unit=value.unit or word)
    return replace(mention, value=rate)


def _share(text: str, last: Mention, mention: Mention, tables: Tables) -> Mention | None:
    """Returns the share that `hit rate 998 / 1000` is."""
    part, whole = last.value, mention.value
    if not isinstance(part, Quantity) or not isinstance(whole, Quantity) or part.measure or whole.measure:
        return None
    if part.low is None or whole.low is None or not 0 <= part.low <= whole.low or not whole.low:
        return None
    lead = text[max(0, last.start - _SHARE_BACK) : last.start].rstrip(" :：=").lower()
    if not lead.endswith(tables.share_before):
        return None
    share = EXACT.divide(part.low, whole.low)
    step = EXACT.divide(part.step, whole.low)
    value = Quantity(share, share, "share", step, max(part.digits, 2))
    return Mention(value, last.start, mention.end, last.outer_start, mention.outer_end)


def _unit_of_all(text: str, joined: list[Mention], mention: Mention, tables: Tables) -> None:
    """Gives bare numbers the unit behind the last of them: 0.3/0.4/0.5 ms, 1.5 of 6 GiB."""
    value = mention.value
    if not isinstance(value, Quantity) or not value.unit or value.measure == COUNT or value.low != value.high:
        return
    factor = _factor(value, tables)
    at, end = len(joined) - 1, mention.start
    while factor is not None and at >= 0 and len(joined) - at <= _MAX_SLASHED:
        one = joined[at]
        bare = one.value
        if not isinstance(bare, Quantity) or bare.measure or bare.unit or one.counted or bare.low is None:
            return
        if text[one.end : end].strip() not in _OF_ONE_UNIT or bare.low != bare.high:
            return
        low = EXACT.multiply(bare.low, factor)
        step = EXACT.multiply(bare.step, factor)
        same = replace(bare, low=low, high=low, step=step, measure=value.measure, unit=value.unit, loose=value.loose)
        joined[at] = replace(one, value=same)
        at, end = at - 1, one.start


def _range(text: str, last: Mention, mention: Mention, tables: Tables) -> Mention | None:
    """Returns a to b as one interval, where a range word joins two values of one unit."""
    low, high = last.value, mention.value
    assert isinstance(low, Quantity)
    assert isinstance(high, Quantity)
    if mention.start < last.end:
        return None
    return _interval(text, last, mention, low, high, tables)


def _interval(
    text: str, last: Mention, mention: Mention, low: Quantity, high: Quantity, tables: Tables
) -> Mention | None:
    if low.low is None or low.low != low.high or high.high is None or high.low != high.high:
        return None
    word = text[last.end : mention.start].strip().lower()
    if not word or len(word) > _MAX_GAP:
        return None
    before = text[max(0, last.outer_start - 12) : last.outer_start].rstrip(" ").lower()
    between = before.endswith(tables.between)
    closed = text.startswith(tables.closers, mention.end) or text.startswith(tables.closers, mention.end + 1)
    if word in tables.range_and:
        if not between:
            return None
    elif word not in tables.range_to or (before.endswith(tables.from_words) and not closed):
        return None
    if low.measure == COUNT and high.measure != COUNT and high.low and not low.unit and not last.counted:
        factor = _factor(high, tables)
        if factor is None:
            return None
        low = replace(
            low, low=EXACT.multiply(low.low, factor), high=EXACT.multiply(low.low, factor), measure=high.measure
        )
    elif low.measure != high.measure or (low.measure == COUNT and not between and not closed and not mention.counted):
        return None
    assert low.low is not None
    if low.low > high.high:
        return None
    value = replace(
        high, low=low.low, step=max(low.step, high.step) if low.unit else high.step, about=low.about,
        digits=max(low.digits, high.digits),
    )  # fmt: skip
    return Mention(value, last.start, mention.end, last.outer_start, mention.outer_end, mention.counted)


def _factor(value: Quantity, tables: Tables) -> Decimal | None:
    unit = tables.by_spelling.get(value.unit) or tables.by_spelling.get(value.unit.lower())
    if unit is not None and unit.measure == value.measure:
        return unit.factor
    entry = next((e for w, e in tables.chinese_units.get(value.unit[:1], ()) if w == value.unit), None)
    return entry.factor if entry is not None and entry.measure == value.measure else None
