"""Walks over a text once and finds the values in it."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from typing import Final

from evidencegate_server.judge.values.clock import ClockReader, shifted
from evidencegate_server.judge.values.model import COUNT, Instant, Mention, Quantity
from evidencegate_server.judge.values.numerals import EXACT, MAX_NUMBER_CHARS, ONE, ZERO, Amount, amount, scaled, whole
from evidencegate_server.judge.values.quantities import Tail, UnitReader, in_unit, single
from evidencegate_server.judge.values.tables import Tables

_LOOK_BACK: Final = 40  # characters before a number in which words about it may stand
_NAME_TAIL = re.compile(r"[0-9A-Za-z_]*(?:[-.@][0-9A-Za-z_]+)*")
_PLAIN = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_MANY_DASHES = re.compile(r"(?:-[0-9]+){2,}")
_CPU_BEFORE: Final = 24
_BARE_END: Final = ",;)]}|\"'\n"  # what may stand behind a number that nothing else belongs to; so may nothing
_BARE_START: Final = ":|=\"'([{\n"
_BARE_NEXT: Final = frozenset(" 0123456789|,;)]}\n")  # behind a blank
_BARE_LAST: Final = frozenset("0123456789|:;,=)\n")  # before a blank
_SHORT: Final = 20
_HALF: Final = Decimal("0.5")


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Returns whether neither side of a number has a word or sign: most cells of tables and fields do not."""
    char = text[end : end + 1]
    if char == " ":
        char = text[end + 1 : end + 2]
        if char and char not in _BARE_NEXT:
            return False
    elif char not in _BARE_END:
        return False
    if not start:
        return True
    char = text[start - 1]
    if char == " ":
        if start > 2 and text[start - 2] == " ":  # `Sep  6` is a date
            return end - start > 2 or text[start - 3] in _BARE_LAST or text[start - 3] == " "
        return start > 1 and text[start - 2] in _BARE_LAST
    return char in _BARE_START


class Scanner:
    """Finds values from left to right. `m` behind a number is a minute, or with a word for CPU before it a millicore."""

    __slots__ = ("clock", "tables", "units", "_cpu")

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.units = UnitReader(tables)
        self.clock = ClockReader(tables)
        self._cpu = re.compile(
            rf"(?<![a-z])(?:{'|'.join(map(re.escape, tables.words.key_cpu))})(?![a-z])", re.IGNORECASE
        )

    def scan(self, text: str) -> list[Mention]:
        """Returns the mentions in their order, without overlaps."""
        found = self._digits(text)
        words = self._words(text, found)
        if words:
            found += words
            found.sort(key=lambda mention: mention.start)
        return found

    # -- digits and Chinese numerals

    def _digits(self, text: str) -> list[Mention]:
        found: list[Mention] = []
        search = (self.tables.ascii_start if text.isascii() else self.tables.start).search
        at = last = 0
        while (match := search(text, at)) is not None:
            start, end = match.span()
            kind = match.lastgroup
            mention: Mention | None = None
            if kind in ("part", "name") and found and found[-1].end == last and start == last + (kind == "name"):
                plain = _PLAIN.match(text, start)  # right behind a value: 5s-10s, 3m/7s
                if plain is not None:
                    kind, end = "number", plain.end()
            if kind == "number":
                if end - start < _SHORT and _stands_alone(text, start, end):
                    if start and text[start - 1] in "[," and "," in text[start:end]:
                        end = text.index(",", start)
                    found.append(Mention(single(amount(text[start:end])), start, end, start, end))
                    last = at = end
                    continue
                mention, at = self._number(text, start, end, last)
            elif kind in ("part", "name", "hex", "dotted"):
                at = end
            elif kind == "numeral":
                mention, at = self._numeral(text, start, end, last)
            else:
                mention, at = self._instant(text, start, end, last, kind or "")
            if mention is not None:
                found.append(mention)
                last = at = mention.outer_end
            at = max(at, start + 1)
        return found

    def _number(self, text: str, start: int, end: int, last: int) -> tuple[Mention | None, int]:
        written = text[start:end]
        if "," in written and text[start - 1 : start] in ("[", ","):
            end = start + written.index(",")
            written = text[start:end]
        if end - start > MAX_NUMBER_CHARS:
            return None, _name_end(text, end)
        following = text[end : end + 1]
        if following == "-" and _MANY_DASHES.match(text, end):
            return None, _name_end(text, end)
        if following == "." and text[end + 1 : end + 2].isalpha() and text[end + 1].isascii():
            return None, _name_end(text, end)
        if end - start <= 2 and self._may_be_instant(text, start, end):
            instant = self._by_words(text, start, end, last)
            if instant is not None:
                return instant
        number = amount(written)
        begin = start
        sign = text[start - 1 : start]
        if sign in ("-", "+", "−") and start > last:
            if not text[start - 2 : start - 1].isalnum() or start == 1:
                begin = start - 1
                if sign != "+":
                    number = Amount(-number.value, number.step, number.digits)
        elif (
            sign == "."
            and start - 1 >= last
            and not text[start - 2 : start - 1].isalnum()
            and text[start - 2 : start - 1] != "."
        ):
            number, begin = amount(f"0.{written}"), start - 1
        tail = self.units.read(text, start, end, number)
        if tail is None:
            return None, _name_end(text, end)
        value = tail.quantity
        if value.unit == "m" and value.measure == "time" and self._cpu.search(text, max(0, start - _CPU_BEFORE), start):
            value = in_unit(number, self.tables.unit_words["millicores"], "m")
        money = self.tables.money.get(text[begin - 1 : begin]) if begin > last else None
        if money is not None and value.measure == COUNT:
            value = single(Amount(number.value, number.step, number.digits), money.measure, text[begin - 1 : begin])
            begin -= 1
        if value is not tail.quantity:
            tail = Tail(value, tail.end, tail.counted, tail.over)
        return self.framed(text, begin, tail.end, tail, last), tail.end

    def framed(self, text: str, start: int, end: int, tail: Tail, last: int) -> Mention:
        """Adds to a value what the words beside it say: bounds, roughness, a rate."""
        value = tail.quantity
        tables = self.tables
        outer_start, outer_end = start, end
        if tail.over:
            value = _slightly_over(value)
        before = text[start - 1 : start]
        if before == " ":
            before = text[start - 2 : start - 1]
        if before in tables.comparator_ends and start > last:
            floor = max(last, start - _LOOK_BACK)
            lead = text[floor:start].rstrip(" ").lower()
            if lead:
                value, said = self._compared(text, lead, end, value)
                outer_start = floor + len(lead) - said if said else start
        if before > "\u2e7f" and start > last:
            value, outer_start = self._rate_before(text, max(last, start - _LOOK_BACK), start, value, outer_start)
        at = end + 1 if text[end : end + 1] == " " else end
        if text[at : at + 1] in tables.comparator_starts:
            after = tables.comparators.after(text, at)
            if after is not None and not self.units.excepted(text, at):
                value = bounded(value, after[0])
                outer_end = at + after[1]
        return Mention(value, start, end, outer_start, outer_end, tail.counted)

    def _compared(self, text: str, lead: str, end: int, value: Quantity) -> tuple[Quantity, int]:
        """Returns the value as the words that end `lead` bound it, and how many characters say so."""
        tables = self.tables
        rest = lead
        said = 0
        for _ in range(2):  # more than about 5
            side = tables.comparators.before(rest)
            if side is None and rest[-1:] in tables.filler_ends:
                rest = self._without_filler(rest)
                side = tables.comparators.before(rest)
            if side is None or rest.endswith(tables.comparator_exceptions):
                break
            kind, size = side
            if size == 1 and rest[-1] == ">" and rest[-2:-1] in ("-", "="):
                break
            if kind != "about" and tables.reference.match(text, end):
                break
            rest = rest[: len(rest) - size]
            stripped = rest.rstrip(" ")
            if kind != "about" and stripped[-1:].isdigit():  # 5 > 3 compares those two, `x14 over 31m` nothing
                break
            if kind in _TURNED and stripped.endswith(tables.negators):
                negator = max((word for word in tables.negators if stripped.endswith(word)), key=len)
                kind, rest = _TURNED[kind], stripped[: len(stripped) - len(negator)]
            value = bounded(value, kind)
            said = len(lead) - len(rest)
            if kind != "about":
                break
            rest = stripped
        return value, said

    def _without_filler(self, lead: str) -> str:
        for filler in self.tables.fillers:
            if lead.endswith(filler) and (not filler.isascii() or lead[-len(filler) - 1 : -len(filler)] == " "):
                return lead[: -len(filler)].rstrip(" ")
        return lead

    def _rate_before(self, text: str, floor: int, start: int, value: Quantity, outer: int) -> tuple[Quantity, int]:
        if value.measure not in (COUNT, "size", "bits") or value.low is None:
            return value, outer
        match = self.tables.chinese_rate.search(text, max(floor, start - 14), start)
        if match is None:
            return value, outer
        seconds = self.tables.chinese_rates[match[1]]
        name = f"{value.measure or 'count'}/time"
        low, high = (None if bound is None else EXACT.divide(bound, seconds) for bound in (value.low, value.high))
        step = EXACT.divide(value.step, seconds)
        return replace(value, low=low, high=high, step=step, measure=name, unit=value.unit or match[1]), min(
            outer, match.start()
        )

    # -- instants

    def _may_be_instant(self, text: str, start: int, end: int) -> bool:
        """Returns whether a look at the words is worth while."""
        if start > 3 and text[start - 1] == " " and text[start - 2] in self.tables.month_ends:
            return True
        ahead = text[end : end + 1]
        if ahead == " ":
            ahead = text[end + 1 : end + 2]
        return ahead in self.tables.hour_starts

    def _by_words(self, text: str, start: int, end: int, last: int) -> tuple[Mention, int] | None:
        """Reads `Feb 22`, `3 pm` and `10 点`, whose words alone make the number an instant."""
        following = text[end : end + 1]
        read: tuple[Instant, int] | None = None
        if text[start:end].isdigit():
            if start > 3 and text[start - 1] == " " and text[start - 2] in self.tables.month_ends:
                lead = text[max(0, start - 12) : start].split()
                name = lead[-1].strip("[(\"'.") if lead else ""
                month = self.tables.months.get(name)
                if month is not None:
                    read = self.clock.month_first(text, start, end, month)
                    if read is not None:
                        begin = text.rindex(name, 0, start)
                        return self._framed_instant(text, begin, read[1], read[0], last), read[1]
            ahead = text[end + 1 : end + 2] if following == " " else following
            if ahead and ahead in "apAP":
                half = self.tables.half_day_after.match(text, end)
                if half is not None and int(text[start:end]) <= 12:
                    seconds = shifted(Decimal(int(text[start:end]) * 3600), half[1] in self.tables.afternoon)
                    instant = Instant(None, None, None, seconds, Decimal(3600), None)
                    read = self.clock.with_zone(text, instant, half.end())
            elif ahead and ahead in self.tables.hours[0] + self.tables.hours[-1]:
                dated = self.tables.half_days.before(text[max(0, start - 8) : start].rstrip()) is not None
                dated = dated or text[max(0, start - 2) : start].rstrip(" ")[-1:] in ("日", "号")
                read = self.clock.chinese_hour(text, int(text[start:end]), end, dated)
        if read is None:
            return None
        return self._framed_instant(text, start, read[1], read[0], last), read[1]

    def _instant(self, text: str, start: int, end: int, last: int, kind: str) -> tuple[Mention | None, int]:
        clock = self.clock
        if kind == "date":
            read = clock.numeric_date(text, start, end)
        elif kind == "cdate":
            read = clock.chinese_date(text, start, end)
        elif kind == "dmy":
            read = clock.day_first(text, start, end)
        else:
            tail = text[max(0, start - 16) : start].rstrip(" :=\"'为").lower()
            if tail.endswith(self.tables.durations):
                value = clock_duration(text[start:end])
                if value is not None:
                    return Mention(value, start, end, start, end), end
            read = clock.clock(text, start, end)
        if read is None:
            return None, end
        return self._framed_instant(text, start, read[1], read[0], last), read[1]

    def _framed_instant(self, text: str, start: int, end: int, instant: Instant, last: int) -> Mention:
        """Adds the zone and the words of relation beside an instant."""
        tables = self.tables
        outer_start, outer_end = start, end
        floor = max(last, start - _LOOK_BACK)
        lead = text[floor:start].rstrip(" (（").lower()
        if instant.seconds is not None:
            half = tables.half_days.before(lead)
            if half is not None:
                instant = replace(instant, seconds=shifted(instant.seconds, half[0] == "pm"))
                lead = lead[: -half[1]].rstrip(" ")
        spaces = 0
        zone = tables.zones_before.before(lead) if lead and instant.offset is None else None
        if zone is not None:
            instant = replace(instant, offset=tables.zones.get(zone[0]))
            whole = lead[: -zone[1]]
            lead = whole.rstrip(" ")
            spaces = len(whole) - len(lead)
            outer_start = floor + len(lead) + spaces
        if lead:
            side = tables.instant_bounds.before(lead)
            if side is None and lead[-1] in tables.filler_ends:
                lead = self._without_filler(lead)
                side = tables.instant_bounds.before(lead)
            if side is not None:
                instant = replace(instant, bound=side[0])
                outer_start = floor + len(lead) - side[1]
            else:
                rough = tables.comparators.before(lead)
                if rough is not None and rough[0] == "about":
                    instant = replace(instant, about=True)
                    outer_start = floor + len(lead) - rough[1]
        at = end + 1 if text[end : end + 1] == " " else end
        rough = tables.comparators.after(text, at)
        if rough is not None and rough[0] == "about":
            instant = replace(instant, about=True)
            return Mention(instant, start, end, outer_start, at + rough[1])
        after = tables.instant_bounds.after(text, at)
        if after is not None:
            instant = replace(instant, bound=after[0])
            outer_end = at + after[1]
        return Mention(instant, start, end, outer_start, outer_end)

    # -- numerals in words

    def _numeral(self, text: str, start: int, end: int, last: int) -> tuple[Mention | None, int]:
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
        number: Amount | None
        quantity: Quantity | None = None
        vague = next((word for word in tables.words.chinese_vague if written.startswith(word)), "")
        if vague:
            size = tables.chinese.read(written[len(vague) :]) if len(written) > len(vague) else None
            if size is None or size.value < 10:
                return None, end
            number = size
            quantity = Quantity(size.value * 2, size.value * 10, COUNT, size.step, 1, high_open=True, about=True)
        elif written[0] in tables.halves:
            number = Amount(_HALF, _HALF, 1)
        else:
            number = tables.chinese.read(written)
        if number is None:
            return None, end
        tail = self.units.read(text, start, end, number, spelled=True)
        if tail is None:
            return None, end
        bare = tail.end == end
        if bare and written == tables.one and text[start - 1 : start] not in tables.one_before:
            return None, end
        if bare and tail.counted[:1] not in tables.classifiers and not (len(written) > 1 and tail.counted):
            return None, end
        if quantity is not None:
            if tail.quantity.low != number.value or tail.quantity.low is None:
                factor = EXACT.divide(tail.quantity.low or ONE, number.value)
                quantity = Quantity(
                    EXACT.multiply(number.value * 2, factor), EXACT.multiply(number.value * 10, factor),
                    tail.quantity.measure, tail.quantity.step, 1, tail.quantity.unit, high_open=True, about=True,
                )  # fmt: skip
            tail = replace(tail, quantity=quantity)
        return self.framed(text, start, tail.end, tail, last), tail.end

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
        return self.framed(text, start, end, tail, last), end

    def _in_exception(self, text: str, start: int, end: int) -> bool:
        """Returns whether a numeral of one or two characters is a piece of a word."""
        if end - start > 2:
            return False
        around = text[max(0, start - 3) : end + 4]
        inner = start - max(0, start - 3)
        for word in self.tables.numeral_words.get(text[start], ()):
            at = around.find(word)
            if at >= 0 and at <= inner < at + len(word):
                return True
        return False

    def _words(self, text: str, found: list[Mention]) -> list[Mention]:
        """Returns the numbers in English words that are in none of the mentions found."""
        tables = self.tables
        if tables.number_words.isdisjoint(text.lower().replace("-", " ").split()):
            return []
        padded = f" {text}"
        mentions: list[Mention] = []
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
        return mentions

    def _word(self, text: str, start: int, end: int, last: int) -> Mention | None:
        tables = self.tables
        word = text[start:end].lower()
        low_high = tables.vague.get(word)
        if low_high is not None:
            value = Quantity(low_high[0], low_high[1], COUNT, ONE, 1, about=True)
            return self.framed(text, start, end, Tail(value, end, ""), last)
        if word in tables.words.halves:
            article = tables.after_half.match(text, end)
            if article is None:
                return None
            tail = self.units.read(text, start, article.end(), Amount(_HALF, _HALF, 1), spelled=True)
            if tail is None or tail.quantity.measure == COUNT:
                return None
            return self.framed(text, start, tail.end, tail, last)
        words = [] if word in tables.words.articles else [word]
        while (more := tables.english_more.match(text, end)) is not None and len(words) < 12:
            words.append(more[1].lower())
            end = more.end()
        number = tables.english.read(words) if words else whole(ONE)
        if number is None:
            return None
        if len(words) == 1 and number.value <= 10 and self._pronoun(text, start, end, number.value == ONE):
            return None
        half = tables.and_half.match(text, end)
        if half is not None:
            number, end = Amount(number.value + _HALF, _HALF, number.digits + 1), half.end()
        tail = self.units.read(text, start, end, number, spelled=True)
        if tail is None:
            return None
        return self.framed(text, start, tail.end, tail, last)

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


_TURNED: Final = {"more": "most", "less": "least", "least": "less", "most": "more"}


def bounded(value: Quantity, kind: str) -> Quantity:
    """Returns the quantity as the bound that a word of comparison makes of it."""
    low, high, low_open, high_open = value.low, value.high, value.low_open, value.high_open
    if kind in ("least", "more"):
        high, low_open, high_open = None, kind == "more", False
    elif kind in ("most", "less"):
        low, low_open, high_open = None, False, kind == "less"
    about = value.about or kind == "about"
    return Quantity(
        low, high, value.measure, value.step, value.digits, value.unit, low_open, high_open, about, loose=value.loose
    )


def _slightly_over(value: Quantity) -> Quantity:
    """Returns [30, 40) for 30 多, [8, 9) for 8 多: up to the next of the last place that is not 0."""
    assert value.low is not None
    step = value.step
    while step > ZERO and value.low and value.low % (step * 10) == 0 and step * 10 <= value.low:
        step *= 10
    return replace(value, high=value.low + step, high_open=True)


def clock_duration(written: str) -> Quantity | None:
    """Returns the length of time of h:m:s, d-h:m:s or m:s."""
    days, _, rest = written.rpartition("-")
    parts = [Decimal(part) for part in rest.replace(",", ".").split(":")]
    total = ZERO
    for part in parts:
        total = total * 60 + part
    if days:
        total += Decimal(days) * 86400
    return single(Amount(total, ONE, 3), "time", "")


def _name_end(text: str, at: int) -> int:
    match = _NAME_TAIL.match(text, at)
    return at if match is None else match.end()
