"""Turns the word lists into what the scanner looks things up in, once for a catalog."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Final, TypeVar

from evidencegate_server.contract.records import record
from evidencegate_server.judge.values.numerals import ChineseNumerals, EnglishNumerals
from evidencegate_server.lexicon.measure_words import MeasureWords

KindT = TypeVar("KindT")

_TAIL: Final = r"[0-9A-Za-z_]*(?:[-.@/][0-9A-Za-z_]+)*"


@record
class UnitEntry:
    """A unit in numbers; `loose` as in Quantity."""

    measure: str
    factor: Decimal
    loose: Decimal = Decimal(0)
    rough: bool = False


_SHORTEST_WORD: Final = 3  # letters of a unit that is spelled out


class Sides:
    """Finds a phrase that stands right before or right behind a place, the longest first."""

    __slots__ = ("_after", "_before", "_longest")

    def __init__(self, before: Mapping[str, str], after: Mapping[str, str]) -> None:
        self._before = _by_char(before, -1)
        self._after = _by_char({phrase.lower(): kind for phrase, kind in after.items()}, 0)
        self._longest = 1 + max(map(len, after), default=0)  # with what follows the phrase

    def before(self, tail: str) -> tuple[str, int] | None:
        """Returns what the end of a lower-case text stands for, and how many characters say it."""
        group = self._before.get(tail[-1:])
        if group is None or not tail.endswith(group[0]):
            return None
        for phrase, kind in group[1]:
            if tail.endswith(phrase):
                size = len(phrase)
                if not phrase[0].isascii() or not phrase[0].isalnum():
                    return kind, size
                before = tail[-size - 1 : -size]
                if not (before.isascii() and before.isalnum()) and before not in ("_", "-"):
                    return kind, size
        return None

    def after(self, text: str, at: int) -> tuple[str, int] | None:
        """Returns what the text stands for at a place, in whatever case, and how many characters say it."""
        group = self._after.get(text[at : at + 1].lower())
        if group is None:
            return None
        behind = text[at : at + self._longest].lower()
        if not behind.startswith(group[0]):
            return None
        for phrase, kind in group[1]:
            if behind.startswith(phrase):
                end = behind[len(phrase) : len(phrase) + 1]
                if not phrase[-1].isascii() or not (end.isascii() and end.isalnum()):
                    return kind, len(phrase)
        return None


def _by_char(phrases: Mapping[str, KindT], at: int) -> dict[str, tuple[tuple[str, ...], tuple[tuple[str, KindT], ...]]]:
    groups: dict[str, list[tuple[str, KindT]]] = {}
    for phrase, kind in phrases.items():
        groups.setdefault(phrase[at], []).append((phrase, kind))
    longest = {char: sorted(group, key=lambda item: (-len(item[0]), item[0])) for char, group in groups.items()}
    return {char: (tuple(phrase for phrase, _ in group), tuple(group)) for char, group in longest.items()}


def any_of(words: Iterable[str]) -> str:
    """Returns a regex of the words, the longest first."""
    return "|".join(re.escape(word) for word in sorted(set(words), key=lambda word: (-len(word), word)))


class Tables:
    """Everything that the scanner knows of words."""

    # Patterns: each is compiled when it is first used, for most texts need few of them.
    after_half: re.Pattern[str]
    and_half: re.Pattern[str]
    ascii_start: re.Pattern[str]
    chinese_clock: re.Pattern[str]
    chinese_rate: re.Pattern[str]
    day_part_after: re.Pattern[str]
    day_part_of: re.Pattern[str]
    chinese_part: re.Pattern[str]
    english_more: re.Pattern[str]
    english_part: re.Pattern[str]
    english_start: re.Pattern[str]
    half_day_after: re.Pattern[str]
    joiner: re.Pattern[str]
    named_zone: re.Pattern[str]
    per: re.Pattern[str]
    reference: re.Pattern[str]
    slash: re.Pattern[str]
    start: re.Pattern[str]
    time_tail: re.Pattern[str]
    year_tail: re.Pattern[str]
    zone: re.Pattern[str]

    def __init__(self, words: MeasureWords) -> None:
        self.words = words
        self._sources: dict[str, tuple[str, int]] = {}
        self._units(words)
        self._numerals(words)
        self._bounds(words)
        self._dates(words)
        self._later("start", self._start(words, numerals=True))
        self._later("ascii_start", self._start(words, numerals=False))

    def _later(self, name: str, pattern: str, flags: int = 0) -> None:
        self._sources[name] = pattern, flags

    def __getattr__(self, name: str) -> re.Pattern[str]:
        source = self.__dict__.get("_sources", {}).get(name)
        if source is None:
            raise AttributeError(name)
        pattern = re.compile(*source)
        setattr(self, name, pattern)
        return pattern

    def _units(self, words: MeasureWords) -> None:
        self.symbols: dict[str, UnitEntry] = {}
        self.unit_words: dict[str, UnitEntry] = {}
        chinese: dict[str, UnitEntry | None] = dict.fromkeys(words.unit_exceptions)
        self.money: dict[str, UnitEntry] = {}
        for unit in words.units:
            loose = Decimal(1024) ** unit.loose / Decimal(1000) ** unit.loose - 1
            entry = UnitEntry(unit.measure, Decimal(unit.factor), loose, unit.rough)
            self.symbols.update(dict.fromkeys(unit.symbols, entry))
            self.unit_words.update(dict.fromkeys(unit.words, entry))
            chinese.update(dict.fromkeys(unit.chinese, entry))
            self.money.update(dict.fromkeys(unit.before, entry))
        self.chinese_units = {char: group[1] for char, group in _by_char(chinese, 0).items()}
        self.two_words = frozenset(word.split(" ")[0] for word in self.unit_words if " " in word)
        self.plain_units = {
            spelling: unit
            for spelling, unit in {**self.unit_words, **self.symbols}.items()
            if " " not in spelling
            and (len(spelling) > 1 or unit.measure == "share")
            and spelling not in self.two_words
            and spelling not in words.letter_magnitudes
        }
        self.by_spelling = {**self.unit_words, **self.symbols}
        self.classifiers = frozenset(words.classifiers)
        self.countables = frozenset(words.countables)
        self.letters = {letter: Decimal(size) for letter, size in words.letter_magnitudes.items()}
        # The letter case of a symbol tells units apart, that of a word tells nothing.
        rated = [(unit, form) for unit in words.rates.units for form in _forms(unit)]
        self.rate_units = {form: self.by_spelling[unit].factor for unit, form in rated}
        self.chinese_rates = {word: Decimal(seconds) for word, seconds in words.rates.chinese.items()}
        self.barriers = frozenset(words.rates.barriers)
        links = any_of(word for word in words.fillers if word.isascii())
        self._later(
            "per",
            rf"(?:[ \t](?i:{links}))?(?:[ \t]([A-Za-z-]+))??(?:[ \t]([A-Za-z-]+))??"
            rf"[ \t](?i:{any_of(words.rates.per)})[ \t]"
            rf"({any_of(self.rate_units)})(?![A-Za-z])",
        )
        spelled = any_of(spelling for spelling in chinese if (unit_ := chinese[spelling]) and unit_.measure == "time")
        self._later("slash", rf"[ \t]?(?:/[ \t]?({any_of(self.rate_units)})(?![A-Za-z])|(?:/|每)[ \t]?({spelled}))")
        self._later("chinese_rate", rf"({any_of(words.rates.chinese)})[^\s0-9，。；,;.:：]{{0,8}}[ \t]?$")

    def chinese_unit(self, text: str, at: int) -> tuple[UnitEntry | None, int]:
        """Returns the unit at a place and its length."""
        for word, unit in self.chinese_units.get(text[at : at + 1], ()):
            if text.startswith(word, at):
                return unit, len(word)
        return None, 0

    def _numerals(self, words: MeasureWords) -> None:
        self.chinese = ChineseNumerals(words.chinese_digits, words.chinese_magnitudes)
        self.english = EnglishNumerals(words.english_digits, words.english_magnitudes)
        self.percent_starts = frozenset(word[:2] for word in words.percent_before)
        self.part_joints = frozenset(
            [" ", "\t", *(char for char, value in words.chinese_digits.items() if value == "0")]
        )
        self.halves = frozenset(words.chinese_halves)
        self.vague = {word: (Decimal(low), Decimal(high)) for word, (low, high) in words.english_vague.items()}
        self.numeral_words: dict[str, tuple[str, ...]] = {
            char: tuple(word for word in words.numeral_exceptions if char in word)
            for char in {char for word in words.numeral_exceptions for char in word}
        }
        self.percent_before = {word: Decimal(factor) for word, factor in words.percent_before.items()}
        plain = [*words.english_digits, *words.english_magnitudes]
        first = [*words.english_digits, *words.english_vague, *words.halves]
        spelled = [*plain, *first, *words.articles]
        marks = ["", ",", ".", ";", ":", ")", "，", "。"]
        self.number_words = frozenset(
            f"{lead}{word}{mark}" for word in spelled for lead in ("", "(", '"', "“") for mark in marks
        )
        starts = "|".join(
            f"[{char}{char.upper()}](?:{any_of(word[1:] for word in first if word[0] == char)})"
            for char in sorted({word[0] for word in first})
        )
        articles = (
            f"(?:{any_of([*words.articles, *(word.capitalize() for word in words.articles)])})"
            rf"(?=[ ](?i:{any_of(words.article_units)})(?![A-Za-z]))"
        )
        self._later("english_start", rf"[^A-Za-z0-9_.\-/](?:{starts}|{articles})(?![A-Za-z_])")
        self._later(
            "english_more", rf"[ -](?:(?:{any_of(words.and_words)})[ ])?({any_of(plain)})(?![A-Za-z_])", re.IGNORECASE
        )
        self.pronoun_barriers = frozenset(words.pronoun_barriers)
        self.pronoun_ends = frozenset(words.pronoun_ends) | self.barriers
        self.one_before = frozenset(words.one_before)
        self.one = next(char for char, value in words.chinese_digits.items() if value == "1")
        self.counted_ends = frozenset(words.counted_ends)
        numerators = any_of([*words.articles, *words.english_digits])
        self._later(
            "english_part",
            rf"(?<![A-Za-z0-9_.\-/])(?:({numerators})[ -])?({any_of(words.english_parts)})"
            rf"(?=[ ]of(?![a-z])|[ ](?:the|its|their|all)[ ])",
            re.IGNORECASE,
        )
        digits = "".join(words.chinese_digits)
        self._later(
            "chinese_part",
            rf"([{digits}十百]{{1,3}}){re.escape(words.fraction_word)}([{digits}十百]{{1,3}})|({any_of(words.half_share)})",
        )
        self._later("after_half", rf"[ ](?:{any_of(words.articles)})(?=[ ])")
        self._later(
            "and_half",
            rf"[ ](?:{any_of(words.and_words)})[ ](?:{any_of(words.articles)})[ ](?:{any_of(words.halves)})(?![a-z])",
        )

    def _bounds(self, words: MeasureWords) -> None:
        self.filler_ends = frozenset(word[-1] for word in words.fillers)
        self.comparators = Sides(
            {phrase: group.kind for group in words.comparators for phrase in group.before},
            {phrase: group.kind for group in words.comparators for phrase in group.after if group.kind != "over"},
        )
        ends = {phrase[-1] for group in words.comparators for phrase in group.before} | self.filler_ends
        self.comparator_ends = frozenset(ends | {end.upper() for end in ends})
        self.comparator_starts = frozenset(p[0] for group in words.comparators for p in group.after)
        self.over = frozenset(p for group in words.comparators if group.kind == "over" for p in group.after)
        self.negators = tuple(words.negators)
        self.fillers = tuple(sorted(words.fillers, key=lambda word: (-len(word), word)))
        ranges = words.ranges
        self.range_to = frozenset(ranges.to)
        self.range_and = frozenset(ranges.conjunctions)
        self.comparator_exceptions = tuple(words.comparator_exceptions)
        names = any_of(words.references)
        self._later(
            "reference",
            rf"(?:[ -][a-z-]+){{0,3}}[ -](?:{names})(?![a-z])|[ ]?的?[^\s0-9,，。；;、]{{0,5}}(?:{names})",
            re.IGNORECASE,
        )
        self.range_words = self.range_to | self.range_and
        self.between = tuple(ranges.between)
        self.share_before = tuple(words.share_before)
        self.from_words = tuple(ranges.origins)
        self.closers = tuple(ranges.closers)

    def _dates(self, words: MeasureWords) -> None:
        self.months = {}
        for name, number in words.months.items():
            for form in (name.capitalize(), name.upper()):  # `may` is a verb
                self.months[form] = number
        self.month_ends = frozenset(name[-1] for name in self.months) | {".", " "}
        names = any_of(self.months)
        self.month_name = names
        self.zones = dict(words.zones)
        zone_names = any_of([*words.zones, *words.shared_zones])
        self._later(
            "zone",
            rf"[ \t]?(?:([+-])([0-9]{{2}}):?([0-9]{{2}})?(?![0-9:])|[(]?({zone_names})(?![A-Za-z0-9/])"
            r"(?:([+-])([0-9]{1,2})(?::?([0-9]{2}))?(?![0-9:]))?[)]?)",
        )
        self.zones_before = Sides({name.lower(): name for name in [*words.zones, *words.shared_zones]}, {})
        halves = words.day_halves
        self._later(
            "half_day_after",
            rf"[ ]?({any_of(w for w in (*halves.morning, *halves.afternoon) if w.isascii())})(?![A-Za-z])",
        )
        self.half_days = Sides(
            {w: ("am" if w in halves.morning else "pm") for w in (*halves.morning, *halves.afternoon)}, {}
        )
        self.afternoon = frozenset(halves.afternoon)
        self.day_parts = {
            part: (Decimal(first * 3600), Decimal(last * 3600)) for part, (first, last) in words.day_parts.items()
        }
        self._later("day_part_after", rf"[ ]?({any_of(words.day_parts)})(?![A-Za-z]|[ ]?[0-9])")
        self._later(
            "time_tail",
            r"(?:[T ]|,? |:|[ ]?的?)([0-9]{1,2}):([0-5][0-9])(?::([0-9]{2})(?:[.,:]([0-9]{1,9}))?)?(?![0-9:])",
        )
        self._later("named_zone", rf"[ \t]?[(]?({zone_names})(?![A-Za-z0-9/])[)]?")
        self._later("year_tail", r",?[ ]((?:19|20)[0-9]{2})(?![0-9:.,])")
        date = words.chinese_date
        hour, minute, second = any_of(date.hour), any_of(date.minute), any_of(date.second)
        self._later(
            "chinese_clock",
            rf"[ ]?(?:{hour})(?:[ ]?([0-9]{{1,2}})[ ]?(?:{minute})(?:[ ]?([0-9]{{1,2}})[ ]?(?:{second}))?"
            rf"|({any_of(date.half)})|({any_of(date.sharp)}))?",
        )
        self.days = tuple(date.day)
        self.joints = " :=\"'" + "".join(word for word in words.fillers if not word.isascii())
        starts = [*halves.morning, *halves.afternoon, *date.hour]
        self.hour_starts = frozenset(word[0] for word in starts if word.isascii() or word in date.hour)
        year, month, day = any_of(date.year), any_of(date.month), any_of(date.day)
        self.chinese_date = (
            rf"(?:[0-9]{{3}}[ ]?(?:{year})[ ]?[0-9]{{1,2}}[ ]?(?:{month})(?:[ ]?[0-9]{{1,2}}[ ]?(?:{day}))?"
            rf"|[0-9]?[ ]?(?:{month})[ ]?[0-9]{{1,2}}[ ]?(?:{day}))"
        )
        self.instant_bounds = Sides(
            {phrase: group.kind for group in words.instant_bounds for phrase in group.before},
            {phrase: group.kind for group in words.instant_bounds for phrase in group.after},
        )
        joiners = any_of(words.date_joiners)
        self._later("day_part_of", rf"({any_of(words.day_parts)}) of(?: the)?$")
        self._later("joiner", rf"[ \t]*(?:{joiners})?[ \t]*")
        self.durations = tuple(words.key_durations)

    def _start(self, words: MeasureWords, numerals: bool) -> str:
        """Returns the pattern whose last group says what begins at a digit or, where asked, a Chinese numeral."""
        digits = "".join([*words.chinese_digits, *words.chinese_magnitudes])
        starts = digits + "".join(word[0] for word in (*words.chinese_vague, *words.chinese_halves))
        vague = any_of(word[1:] for word in words.chinese_vague)
        chinese = rf"(?<=[^0-9])(?P<numeral>(?:(?<=[{digits}])[{digits}]*|(?:{vague})[{digits}]*))|"
        months = self.month_name
        return (
            rf"[0-9{starts if numerals else ''}](?:{chinese if numerals else ''}"
            rf"(?<=[A-Za-z_].)(?<!\\[nrt].)(?P<part>{_TAIL})"
            rf"|(?<=[A-Za-z][-.@+/].)(?P<name>{_TAIL})"
            r"|(?P<hex>(?<=0)[xX][0-9A-Fa-f]+(?![A-Za-z0-9_]))"
            r"|(?P<date>[0-9]{3}(?P<sign>[-/.])[0-9]{1,2}(?P=sign)[0-9]{1,2}(?![0-9]))"
            rf"{f'|(?P<cdate>{self.chinese_date})' if numerals else ''}"
            rf"|(?P<clock>[0-9]?:[0-5][0-9](?::[0-9]{{2}}(?:[.,:][0-9]{{1,9}})?)?(?![0-9:]|[A-Fa-f][0-9A-Fa-f]*:))"
            rf"|(?P<dmy>[0-9]?(?:st|nd|rd|th)?[ /-](?:of )?(?=[A-Z])(?:{months})"
            rf"(?:\.?,?[ /-](?:19|20)[0-9]{{2}})?(?![A-Za-z0-9]))"
            r"|(?P<dotted>[0-9]*\.[0-9]+\.[0-9]+[0-9A-Za-z_]*(?:[-.:/+][0-9A-Za-z_]+)*)"
            r"|(?P<number>(?:[0-9]{0,2}(?:,[0-9]{3})+(?![0-9]|,[0-9])|[0-9]*)(?:\.[0-9]+(?:[eE][0-9]+(?![0-9A-Za-z_]))?)?"
            r"(?:[eE][+-][0-9]+(?![0-9A-Za-z_]))?))"
        )


def _forms(unit: str) -> tuple[str, ...]:
    """Returns the spellings of a unit that mean the same: a word in any letter case, a symbol in its own."""
    return (unit, unit.capitalize(), unit.upper()) if len(unit) >= _SHORTEST_WORD else (unit,)
