"""Puts other numbers, units and bounds into a claim."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise
from typing import Final

from tools.twin_mutators.model import TrueClaim, first_few
from tools.twin_mutators.names import LIST
from tools.twin_mutators.rows import rows, rows_with, same_slot, told_apart
from tools.twin_mutators.times import NO_AMOUNT

_NUMBER: Final = re.compile(
    r"(?<![A-Za-z0-9_@#+/-])(?<!\d[.,:])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\d_]|[.,:/-]\d|-[A-Za-z])"
    r"(?![A-Za-z]{1,3}[\d_.-][A-Za-z0-9]|[A-Za-z]{4})"
)
_MOST_DIGITS: Final = 20  # longer ones are no amounts that somebody tells
_BOUND_BEFORE: Final = re.compile(
    r"(?:at (?:least|most)|(?:more|less|fewer|greater|higher|lower|longer|later|earlier) than"
    r"|over|under|above|below|beyond|up to"
    r"|exceed(?:s|ed|ing)?|almost|nearly|close to|within|reached|least"
    r"|至少|至多|最多|最少|超过|超出|不到|不足|不低于|不少于|不高于"
    r"|高于|低于|大于|小于|多于|少于|将近|接近|近|达到|达|[<>≥≤]=?)\s*(?:the\s+|its\s+|a\s+|约\s*|了\s*|some\s+|about\s+)?$",
    re.IGNORECASE,
)
_BOUND_AFTER: Final = re.compile(
    r"[^,，。;；.\d]{0,8}?(?:or (?:more|less)|以上|以下|以内|之内|左右以上)|\s*(?:\+|多(?!个)|余)", re.IGNORECASE
)
# Behind a bound such a noun makes the number a stated value: above the 80 % target.
_STATED_BOUND: Final = re.compile(
    r"[\s%A-Za-z°]{0,12}?(?:的\s*[\u4e00-\u9fff]{0,3}(?:阈值|目标|上限|下限|要求|告警线|配额|限制)"
    r"|(?:eviction |alarm |warning )?(?:threshold|target|limit|quota))"
)
_LIST_AFTER: Final = re.compile(r"\s*(?:、|和|与|及|/|,(?!\d)|\band\b|\bor\b)\s*\d")
_LIST_BEFORE: Final = re.compile(r"\d\s*(?:、|和|与|及|/|,|\band\b|\bor\b)\s*$")
_ABOUT: Final = re.compile(r"(?:about|around|some|roughly|approximately|only some|约|大约)\s*$", re.IGNORECASE)

# What one unit of a measure can be to another of it; a value in another unit of the same amount is no other value.
_SCALES: Final = tuple(
    Decimal(1) * factor * power
    for factor in (1, 1000, 1024, 60, 3600, 86400, 100)
    for power in (1, 1000, 1024, 1000**2, 1024**2, 1000**3, 1024**3)
)
_ROUNDING: Final = Decimal("0.06")

_ENGLISH_COUNTS: Final = {
    "two": "five", "three": "seven", "four": "nine", "five": "two", "six": "three", "seven": "four", "eight": "three",
    "nine": "four", "ten": "six",
}  # fmt: skip
_CHINESE_COUNTS: Final = dict(zip("两二三四五六七八九", "五五七九二三四三四", strict=True))
_CHINESE_COUNT: Final = re.compile(
    r"(?<![一二三四五六七八九十百千万几第])([两二三四五六七八九])(?=(?:个|台|次|条|块|节点|封|笔|项|张|根|组|套))"
)
_ENGLISH_COUNT: Final = re.compile(rf"\b({'|'.join(_ENGLISH_COUNTS)})\b(?! times)", re.IGNORECASE)
_LOOSE_COUNT: Final = re.compile(
    r"(?:at least|at most|about|over|up to|only|of the|至少|最多|约|近|第|这|其)\s*$", re.IGNORECASE
)


def other_number(case: TrueClaim) -> Iterator[str]:
    """Puts another number of the evidence in the place of one of the claim's, the nearest ones first.

    Left out where the other one can be true as well: the same amount in another unit, a member of a list, a further
    value of the same attribute that nothing in the claim sets apart.
    """

    def twins() -> Iterator[str]:
        for start, end in _amounts(case.claim):
            if _is_bound(case.claim, start, end) or _is_listed(case.claim, start, end):
                continue
            old = case.claim[start:end].replace(",", "")
            for new in _rivals(case, old):
                yield case.replaced(start, end, new)
                break

    return first_few(twins(), case.claim)


def swapped_numbers(case: TrueClaim) -> Iterator[str]:
    """Swaps two neighbouring numbers around: from 2 to 3, 80 % over the threshold of 75 %.

    Left out in lists, at bounds, and where the two differ by no more than rounding.
    """
    text = case.claim

    def twins() -> Iterator[str]:
        for (start, end), (start2, end2) in pairwise(_amounts(text)):
            one, other, between = text[start:end], text[start2:end2], text[end:start2]
            if (
                _unit_after(text, end) == _unit_after(text, end2)
                and not LIST.fullmatch(between[len(_unit_after(text, end)) :])
                and not any(_is_bound(text, *place) for place in ((start, end), (start2, end2)))
                and _is_another_amount(one.replace(",", ""), other.replace(",", ""))
            ):
                yield f"{text[:start]}{other}{between}{one}{text[end2:]}"

    return first_few(twins(), text)


def changed_digit(case: TrueClaim) -> Iterator[str]:
    """Changes the first digit of a number, which no rounding hides; numbers in words get another word."""

    def twins() -> Iterator[str]:
        for start, end in _amounts(case.claim):
            old = case.claim[start:end]
            at = next((at for at, char in enumerate(old) if char in "123456789"), None)
            if at is not None and not _is_bound(case.claim, start, end):
                new = f"{old[:at]}{int(old[at]) % 9 + 1}{old[at + 1 :]}"
                if not _stands_as_amount(new, case):
                    yield case.replaced(start, end, new)
        for pattern, words in ((_ENGLISH_COUNT, _ENGLISH_COUNTS), (_CHINESE_COUNT, _CHINESE_COUNTS)):
            for match in pattern.finditer(case.claim):
                if not _LOOSE_COUNT.search(case.claim[: match.start()]):
                    new = words[match[1].lower()]
                    yield case.replaced(match.start(), match.end(), new.capitalize() if match[1][0].isupper() else new)

    return first_few(twins(), case.claim)


def ten_times(case: TrueClaim) -> Iterator[str]:
    """Makes a number ten times as large."""

    def twins() -> Iterator[str]:
        for start, end in _amounts(case.claim):
            old = case.claim[start:end]
            if Decimal(old.replace(",", "")) == 0 or _is_bound(case.claim, start, end):
                continue
            new = _grouped(Decimal(old.replace(",", "")) * 10, grouped="," in old)
            if not _stands_as_amount(new, case):
                yield case.replaced(start, end, new)

    return first_few(twins(), case.claim)


_UNITS: Final = {
    "ms": "s", "s": "ms", "us": "ms", "µs": "ms", "MB": "GB", "GB": "MB", "KB": "MB", "MiB": "GiB", "GiB": "MiB",
    "KiB": "MiB", "TB": "GB", "Mi": "Gi", "Gi": "Mi", "seconds": "minutes", "second": "minute", "minutes": "hours",
    "minute": "hour", "hours": "minutes", "days": "hours", "milliseconds": "seconds", "millicores": "cores",
    "W": "kW", "mW": "W", "Mbps": "Gbps",
}  # fmt: skip
_CHINESE_UNITS: Final = {
    "毫秒": "秒", "微秒": "毫秒", "秒钟": "分钟", "秒": "毫秒", "分钟": "小时", "小时": "分钟", "天": "小时",
    "万": "亿", "毫核": "核",
}  # fmt: skip
_UNIT: Final = re.compile(
    rf"(?P<number>\d+(?:\.\d+)?) ?(?P<unit>(?:{'|'.join(sorted(_UNITS, key=len, reverse=True))})(?![A-Za-z0-9_/])"
    rf"|(?:{'|'.join(sorted(_CHINESE_UNITS, key=len, reverse=True))}))"
)


def other_unit(case: TrueClaim) -> Iterator[str]:
    """Puts another unit behind a number. Left out for 0, and at a bound, where the weaker one stays true."""

    def twins() -> Iterator[str]:
        for match in _UNIT.finditer(case.claim):
            if Decimal(match["number"]) == 0 or _is_bound(case.claim, match.start(), match.end("number")):
                continue
            new = (_UNITS | _CHINESE_UNITS)[match["unit"]]
            # 3 minutes 7 seconds: the smaller part alone would make no other amount worth the name.
            if re.search(r"\d ?(?:分钟?|minutes?|m|小时|h) ?$", case.claim[: match.start()]):
                continue
            yield case.replaced(match.start("unit"), match.end("unit"), new)

    return first_few(twins(), case.claim)


_UNIT_BEHIND: Final = re.compile(
    rf" ?(?:%|(?:{'|'.join(_UNITS)})(?![A-Za-z0-9])|个?百分点|[个台次条行页块分秒毫]{{1,2}})"
)


def _unit_after(text: str, end: int) -> str:
    found = _UNIT_BEHIND.match(text, end)
    return found[0] if found else ""


# Each bound beside its complement: what the one allows, the other does not.
_COMPLEMENTS: Final = {
    "at least": "less than", "at most": "more than", "no more than": "more than", "no less than": "less than",
    "more than": "less than", "less than": "more than", "fewer than": "more than", "greater than": "less than",
    "higher than": "lower than", "lower than": "higher than", "above": "below", "below": "above", "over": "under",
    "under": "over", "up to": "more than", "exceeded": "stayed below", "exceeds": "stays below",
}  # fmt: skip
_CHINESE_COMPLEMENTS: Final = {
    "不超过": "超过", "不低于": "低于", "不高于": "高于", "不少于": "少于", "超过": "不到", "高于": "低于",
    "低于": "高于", "大于": "小于", "小于": "大于", "多于": "少于", "少于": "多于", "至少": "不到", "至少有": "不到",
    "至多": "超过", "最多": "超过", "不到": "超过", "不足": "超过", "高过": "低于", "高出": "低出",
    "以上": "以下", "以下": "以上",
}  # fmt: skip
_COMPARATOR: Final = re.compile(
    # An English one has its number behind it: "over port 443" and "under load" compare nothing.
    rf"\b(?P<english>{'|'.join(sorted(_COMPLEMENTS, key=len, reverse=True))})(?= (?:(?:the|its|an?|about) )?[\d$])"
    rf"|(?P<chinese>{'|'.join(sorted(_CHINESE_COMPLEMENTS, key=len, reverse=True))})",
    re.IGNORECASE,
)
_DENIED_BEFORE: Final = re.compile(r"(?:not|never|n't|no|不|未|没有|没|并非)\s*$", re.IGNORECASE)


def other_comparator(case: TrueClaim) -> Iterator[str]:
    """Turns a bound into its complement: at least into less than, 超过 into 不到."""

    def twins() -> Iterator[str]:
        for match in _COMPARATOR.finditer(case.claim):
            if _DENIED_BEFORE.search(case.claim[: match.start()]):
                continue  # "not more than" is a bound of its own
            if match["english"]:
                new = _COMPLEMENTS[match["english"].lower()]
                yield case.replaced(match.start(), match.end(), new)
            elif _bounds(case.claim, match):
                yield case.replaced(match.start(), match.end(), _CHINESE_COMPLEMENTS[match["chinese"]])

    return first_few(twins(), case.claim)


def _bounds(text: str, match: re.Match[str]) -> bool:
    """Returns whether a Chinese word of comparison has its number: 内存不足 compares nothing."""
    if match[0] in ("以上", "以下"):
        return re.search(r"[\d一二三四五六七八九十百千万][^,，。;；\d]{0,5}$", text[: match.start()]) is not None
    return re.match(r"[^,，。;；\d]{0,6}?[\d一两二三四五六七八九十百千]", text[match.end() :]) is not None


def _amounts(text: str) -> list[tuple[int, int]]:
    """Returns the places of the numbers in a text that are amounts, counts or short IDs."""
    masked = NO_AMOUNT.sub(lambda match: "\0" * len(match[0]), text)
    return [match.span() for match in _NUMBER.finditer(masked) if len(match[0]) <= _MOST_DIGITS]


def _is_bound(text: str, start: int, end: int) -> bool:
    """Returns whether a number only bounds an amount: a weaker bound stays true, so any other number can."""
    if _STATED_BOUND.match(text, end):
        return False
    return _BOUND_BEFORE.search(text[:start]) is not None or _BOUND_AFTER.match(text, end) is not None


def _is_listed(text: str, start: int, end: int) -> bool:
    return _LIST_AFTER.match(text, end) is not None or _LIST_BEFORE.search(text[:start]) is not None


def _stands_as_amount(number: str, case: TrueClaim) -> bool:
    return any(
        case.evidence[start:end].replace(",", "") == number.replace(",", "") for start, end in _amounts(case.evidence)
    )


def _rivals(case: TrueClaim, old: str) -> Iterator[str]:
    """Returns the evidence's numbers that are surely no value of what `old` is the value of, nearest first."""
    old_rows = rows_with(old, case.texts)
    if not old_rows:
        return  # rounded, converted or counted: what it is the value of is not known
    all_rows = rows(case.texts)
    places = [at for at, row in enumerate(all_rows) if row in old_rows]
    said = {case.claim[start:end].replace(",", "") for start, end in _amounts(case.claim)}
    ranked: dict[str, tuple[int, int, int]] = {}
    for at, row in enumerate(all_rows):
        for order, (start, end) in enumerate(_amounts(row)):
            new = row[start:end].replace(",", "")
            # Of a row's numbers those that look alike: a code of three digits for a code of three digits.
            rank = (min(abs(at - place) for place in places), abs(len(new) - len(old)), order)
            if new not in said and len(new) <= len(old) + 4 and not re.match(r"0\d", new):
                ranked[new] = min(ranked.get(new, rank), rank)
    for new in sorted(ranked, key=lambda number: (ranked[number], number)):
        if _is_another_amount(old, new) and _is_of_another(case, old, old_rows, new):
            yield new


def _is_of_another(case: TrueClaim, old: str, old_rows: list[str], new: str) -> bool:
    if told_apart(NO_AMOUNT.sub(" ", case.claim), old, new, case.texts):
        return True
    return not any(same_slot(old, row, new, other) for row in old_rows for other in rows_with(new, case.texts))


def _is_another_amount(old: str, new: str) -> bool:
    """Returns whether two numbers cannot be one amount in two units, or rounded."""
    one, other = Decimal(old), Decimal(new)
    if one == 0 or other == 0:
        return one != other
    larger, smaller = max(one, other), min(one, other)
    return all(abs(larger / (smaller * scale) - 1) > _ROUNDING for scale in _SCALES)


def _grouped(number: Decimal, *, grouped: bool) -> str:
    number = number.quantize(Decimal(1)) if number == number.to_integral_value() else number
    return f"{number:,f}" if grouped else f"{number:f}"
