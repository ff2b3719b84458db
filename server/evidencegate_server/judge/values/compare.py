"""Compares a claimed value with a shown one."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import ROUND_FLOOR, Decimal
from enum import StrEnum
from typing import Final

from evidencegate_server.contract.records import replace
from evidencegate_server.judge.values.calendar import DAY_SECONDS, civil_from_days, days_from_civil
from evidencegate_server.judge.values.model import COUNT, Instant, Quantity
from evidencegate_server.judge.values.numerals import EXACT, ZERO


class Relation(StrEnum):
    """How a claimed value stands to a shown one."""

    EQUAL = "equal"  # the same value, in whatever unit or zone, as far as the claim writes it out
    INSIDE = "inside"  # the claim is a bound or range and the shown value lies in it
    OUTSIDE = "outside"  # comparable, and neither equal nor inside
    SCALE = "scale"  # the same digits in another unit or power of the same measure
    WEAKER = "weaker"  # what is shown is a bound itself, and implies the claimed one
    OPEN = "open"  # what is shown is a bound or coarser, and neither implies the claim nor excludes it
    INCOMPARABLE = "incomparable"  # different measures, or a zone that only one of them names


AGREEING: Final = frozenset({Relation.EQUAL, Relation.INSIDE})
"""How a claimed value stands to one that bears it out."""

ABOUT: Final = Decimal("0.05")  # `about` allows 5 %, as JUDGE.md says
_NEAR: Final = Decimal("0.005")  # what a number of one digit may be rounded by without a word that says so
_ROUNDED: Final = 2  # digits from which a claimed number is taken as rounded where the shown one has more
_HALF: Final = Decimal("0.5")
_BITS: Final = Decimal(8)
_IN_BITS: Final = {"size": "bits", "size/time": "bits/time"}
_CORES: Final = "cores"
_MILLICORES: Final = Decimal(60000)  # seconds of as many minutes as a core has millicores
_INSTANT_SLACK: Final = Decimal(300)  # seconds that `about` allows to a time given to the minute
_DAY: Final = Decimal(DAY_SECONDS)


def compare(claim: Quantity | Instant, evidence: Quantity | Instant) -> Relation:
    """Returns how the claimed value stands to the shown one; total and pure."""
    if isinstance(claim, Instant):
        return _instants(claim, evidence) if isinstance(evidence, Instant) else Relation.INCOMPARABLE
    return Relation.INCOMPARABLE if isinstance(evidence, Instant) else _quantities(claim, evidence)


# -- quantities


def _quantities(claim: Quantity, evidence: Quantity) -> Relation:
    if claim.other_than is not None or evidence.other_than is not None:
        return _other_than(claim, evidence)
    if claim.measure != evidence.measure:
        if _CORES in (claim.measure, evidence.measure):
            claim, evidence = _as_cores(claim), _as_cores(evidence)
            if claim.measure == evidence.measure:
                return _measured(claim, evidence)
        if _IN_BITS.get(claim.measure, claim.measure) == _IN_BITS.get(evidence.measure, evidence.measure):
            return _measured(_as_bits(claim), _as_bits(evidence))
        bare = claim.measure == COUNT and not claim.unit and _single(claim) and _single(evidence)
        if bare and evidence.measure == _CORES and claim.low == evidence.low:
            return Relation.EQUAL  # cores are mostly written without a unit
        same = bare and claim.digits == evidence.digits and _digits(claim.low) == written(evidence)
        return Relation.EQUAL if same else Relation.INCOMPARABLE
    return _measured(claim, evidence)


def _other_than(claim: Quantity, evidence: Quantity) -> Relation:
    """Returns how values stand of which one, or both, only say what they are not."""
    if claim.other_than is not None and evidence.other_than is not None:
        same = claim.measure == evidence.measure and claim.other_than == evidence.other_than
        return Relation.EQUAL if same else Relation.OPEN
    bound, value = (claim, evidence) if claim.other_than is not None else (evidence, claim)
    relation = _quantities(replace(bound, low=bound.other_than, high=bound.other_than, other_than=None), value)
    if relation is Relation.EQUAL:
        return Relation.OUTSIDE
    return Relation.INSIDE if bound is claim and relation is Relation.OUTSIDE and _single(value) else Relation.OPEN


def _as_cores(value: Quantity) -> Quantity:
    """Returns 12m, which is read as minutes where nothing near it speaks of CPU, as the millicores it can be too."""
    if value.measure != "time" or value.unit != "m":
        return value
    low, high = (None if bound is None else EXACT.divide(bound, _MILLICORES) for bound in (value.low, value.high))
    return replace(value, low=low, high=high, measure=_CORES, step=EXACT.divide(value.step, _MILLICORES))


def _as_bits(value: Quantity) -> Quantity:
    """Returns sizes and rates of sizes in bits."""
    measure = _IN_BITS.get(value.measure)
    if measure is None:
        return value
    low, high = (None if bound is None else EXACT.multiply(bound, _BITS) for bound in (value.low, value.high))
    return replace(value, low=low, high=high, step=EXACT.multiply(value.step, _BITS), measure=measure)


def _measured(claim: Quantity, evidence: Quantity) -> Relation:
    best = Relation.OUTSIDE
    for one, other in _readings(claim, evidence):
        relation = _bounds(one, other)
        if relation is Relation.EQUAL or relation is Relation.INSIDE:
            return relation
        if relation is not Relation.OUTSIDE:
            best = relation
    if best is Relation.OUTSIDE and _single(claim) and _single(evidence) and claim.low and evidence.low:
        same_digits = _significant(claim.low) == _significant(evidence.low) or _scaled_apart(claim, evidence)
        if same_digits and claim.low != evidence.low:
            return Relation.SCALE
    return best


def _readings(claim: Quantity, evidence: Quantity) -> list[tuple[Quantity, Quantity]]:
    """Returns the pairs to try: KB, MB and GB by 1000, and by 1024 each."""
    pairs = [(claim, evidence)]
    if claim.loose != evidence.loose:
        pairs.append((_loosened(claim), _loosened(evidence)))
    return pairs


def _loosened(value: Quantity) -> Quantity:
    if not value.loose:
        return value
    factor = value.loose + 1
    low, high = (None if bound is None else EXACT.multiply(bound, factor) for bound in (value.low, value.high))
    return replace(value, low=low, high=high, step=EXACT.multiply(value.step, factor))


def _single(value: Quantity) -> bool:
    return value.low is not None and value.low == value.high


def _digits(value: Decimal | None) -> str:
    """Returns the significant digits without the zeros at their end."""
    return "" if value is None else "".join(map(str, _significant(value)))


def _significant(value: Decimal) -> tuple[int, ...]:
    return value.normalize().as_tuple().digits


def written(value: Quantity) -> str:
    """Returns the significant digits as they are written, whatever the unit makes of them (204800 KiB)."""
    if value.low is None or not value.step:
        return _digits(value.low)
    return _digits(EXACT.divide(value.low, value.step))


def written_in_units(value: Quantity) -> set[str]:
    """Returns the significant digits of a value as they are written, and as larger and smaller units would have it."""
    found = {written(value)}
    if value.low is not None and value.measure in _BINARY:
        found |= {_digits(EXACT.divide(value.low, size)) for size in _BINARY_UNITS}
    return found


def _scaled_apart(claim: Quantity, evidence: Quantity) -> bool:
    """Returns whether the values are a power of 1000 or 1024, of 10 or of 60 apart, as far as the claim is written."""
    assert claim.low is not None
    assert evidence.low is not None
    if (claim.low < 0) != (evidence.low < 0):
        return False
    slack = max(claim.step * _HALF, abs(claim.low) * _NEAR)
    low, high = EXACT.subtract(claim.low, slack), EXACT.add(claim.low, slack)
    for factor in _FACTORS.get(claim.measure, _TEN_FACTORS):
        if low <= EXACT.multiply(evidence.low, factor) <= high:
            return True
    return False


_BINARY: Final = ("size", "bits")
_BINARY_UNITS: Final = tuple(Decimal(1024) ** power for power in range(5))
_TEN_POWERS: Final = (Decimal(10), Decimal(100), Decimal(1000), Decimal(10) ** 6, Decimal(10) ** 9)
_SCALES: Final = {
    "time": (
        Decimal(1000),
        Decimal(10) ** 6,
        Decimal(10) ** 9,
        Decimal(60),
        Decimal(3600),
        Decimal(24),
        Decimal(86400),
    ),
    "size": tuple(Decimal(1024) ** power for power in (1, 2, 3, 4)) + _TEN_POWERS[2:],
    "bits": (Decimal(8), *(Decimal(1024) ** power for power in (1, 2, 3)), *_TEN_POWERS[2:]),
    "bits/time": (Decimal(8), *_TEN_POWERS[2:]),
    "cores": (Decimal(1000),),
}


def _both_ways(bases: Iterable[Decimal]) -> tuple[Decimal, ...]:
    return tuple(factor for base in bases for factor in (base, 1 / base))


_TEN_FACTORS: Final = _both_ways(_TEN_POWERS)
_FACTORS: Final = {measure: _both_ways(bases) for measure, bases in _SCALES.items()}


def _bounds(claim: Quantity, evidence: Quantity) -> Relation:
    if _single(claim):
        return _against_single(claim, evidence)
    if _single(evidence):
        slack = evidence.step * _HALF if evidence.about else ZERO
        assert evidence.low is not None
        inside = _holds(claim, evidence.low)
        if not inside and claim.about:
            inside = (claim.low is None or evidence.low >= claim.low - abs(claim.low) * ABOUT) and (
                claim.high is None or evidence.low <= claim.high + abs(claim.high) * ABOUT
            )
        if (
            evidence.about
            and not inside
            and (_holds(claim, evidence.low + slack) or _holds(claim, evidence.low - slack))
        ):
            return Relation.OPEN
        return Relation.INSIDE if inside else Relation.OUTSIDE
    return _against_interval(claim, evidence)


def _against_single(claim: Quantity, evidence: Quantity) -> Relation:
    assert claim.low is not None
    if not _single(evidence):
        if _holds(evidence, claim.low) or (claim.low in (evidence.low, evidence.high) and _is_bound(evidence)):
            return Relation.OPEN
        if claim.about:
            slack = _tolerance(claim)
            if _holds(evidence, claim.low - slack) or _holds(evidence, claim.low + slack):
                return Relation.OPEN
        return Relation.OUTSIDE
    assert evidence.low is not None
    apart = abs(EXACT.subtract(claim.low, evidence.low))
    if apart == 0 or apart <= _rounding(claim, evidence):
        return Relation.EQUAL
    if (
        evidence.step > claim.step
        and apart <= evidence.step * _HALF
        and (evidence.about or evidence.unit != claim.unit)
    ):
        return Relation.OPEN  # more exact than what is shown
    if evidence.about and apart <= _tolerance(evidence):
        return Relation.OPEN
    return Relation.OUTSIDE


def _is_bound(value: Quantity) -> bool:
    return value.low is None or value.high is None


def _tolerance(value: Quantity) -> Decimal:
    """Returns what `about` allows: 5 %, or half of the last written place where that is wider."""
    assert value.low is not None
    return max(EXACT.multiply(abs(value.low), ABOUT), value.step * _HALF)


def _rounding(claim: Quantity, evidence: Quantity) -> Decimal:
    """Returns how far from the claim a value may lie that the claim has rounded."""
    if claim.about:
        return _tolerance(claim)
    if evidence.step < claim.step or evidence.step == 0:
        assert claim.low is not None
        half = claim.step * _HALF
        return half if claim.digits >= _ROUNDED else min(half, EXACT.multiply(abs(claim.low), _NEAR))
    if evidence.about:
        return evidence.step * _HALF if evidence.step <= claim.step else ZERO
    return ZERO


def _holds(interval: Quantity, value: Decimal) -> bool:
    if interval.low is not None and (value < interval.low or (interval.low_open and value == interval.low)):
        return False
    return not (
        interval.high is not None and (value > interval.high or (interval.high_open and value == interval.high))
    )


def _against_interval(claim: Quantity, evidence: Quantity) -> Relation:
    """Compares two bounds or ranges."""
    same = (claim.low, claim.high, claim.low_open, claim.high_open) == (
        evidence.low, evidence.high, evidence.low_open, evidence.high_open,
    )  # fmt: skip
    if same:
        return Relation.EQUAL
    above = claim.low is None or (
        evidence.low is not None
        and (evidence.low > claim.low or (evidence.low == claim.low and (evidence.low_open or not claim.low_open)))
    )
    below = claim.high is None or (
        evidence.high is not None
        and (
            evidence.high < claim.high or (evidence.high == claim.high and (evidence.high_open or not claim.high_open))
        )
    )
    if above and below:
        return Relation.WEAKER
    return Relation.OUTSIDE if _apart(claim, evidence) or _apart(evidence, claim) else Relation.OPEN


def _apart(lower: Quantity, upper: Quantity) -> bool:
    """Returns whether the first ends before the second begins."""
    if lower.high is None or upper.low is None:
        return False
    return lower.high < upper.low or (lower.high == upper.low and (lower.high_open or upper.low_open))


# -- instants


def to_utc(instant: Instant) -> Instant:
    """Returns the instant in UTC; as it is where its zone, its day or its time of day is not known."""
    if not instant.offset or instant.seconds is None:
        return instant
    seconds = instant.seconds - instant.offset * 60
    days = int(seconds.to_integral_value(ROUND_FLOOR)) // DAY_SECONDS  # decimals divide towards 0
    rest = seconds - days * DAY_SECONDS
    if instant.month is None or instant.day is None:
        return replace(instant, seconds=rest, offset=0)
    year = instant.year if instant.year is not None else _LEAP
    year_, month, day = civil_from_days(days_from_civil(year, instant.month, instant.day) + days)
    return replace(instant, year=None if instant.year is None else year_, month=month, day=day, seconds=rest, offset=0)


def _in_one_zone(claim: Instant, evidence: Instant) -> tuple[Instant, Instant] | None:
    """Returns both as one clock shows them; None where the claim names a zone and what is shown has none."""
    if claim.offset is None:
        return claim, evidence
    if claim.seconds is not None:
        if evidence.offset is None:
            return None
        return (claim, evidence) if evidence.offset == claim.offset else (to_utc(claim), to_utc(evidence))
    if evidence.offset is not None and evidence.seconds is not None:
        evidence = _in_zone(evidence, claim.offset)  # a day begins when its zone says so
    return claim, evidence


def _in_zone(instant: Instant, offset: int) -> Instant:
    """Returns an instant whose zone is known as the clocks of another zone show it."""
    assert instant.offset is not None
    return replace(to_utc(replace(instant, offset=instant.offset - offset)), offset=offset)


_LEAP: Final = 2024  # stands in for a year that is not written, so that 29 February is a day


def _instants(claim: Instant, evidence: Instant) -> Relation:
    pair = _in_one_zone(claim, evidence)
    if pair is None:
        return Relation.INCOMPARABLE
    claim, evidence = pair
    if claim.seconds is not None and evidence.seconds is None:
        if claim.month is None or evidence.month is None:
            return Relation.INCOMPARABLE
        return Relation.OPEN if _same_day(claim, evidence) else Relation.OUTSIDE
    if claim.seconds is None and claim.month is None:
        return Relation.INCOMPARABLE
    if claim.seconds is None and evidence.month is None:
        return Relation.INCOMPARABLE
    dated = claim.month is not None and evidence.month is not None
    if claim.bound or evidence.bound:
        return _bound_instants(claim, evidence, dated)
    if claim.seconds is None:
        return Relation.EQUAL if _same_day(claim, evidence) else Relation.OUTSIDE
    return _at(claim, evidence, dated)


def _same_day(claim: Instant, evidence: Instant) -> bool:
    if claim.year is not None and evidence.year is not None and claim.year != evidence.year:
        return False
    return claim.month == evidence.month and (claim.day is None or evidence.day is None or claim.day == evidence.day)


def _at(claim: Instant, evidence: Instant, dated: bool) -> Relation:
    assert claim.seconds is not None
    assert evidence.seconds is not None
    start = _place(evidence, claim, dated)
    from_ = _place(claim, evidence, dated)
    if claim.about:
        slack = _slack(claim)
        near = from_ - slack <= start < from_ + claim.width + slack
        if not near and not dated:
            near = any(from_ - slack <= start + turn < from_ + claim.width + slack for turn in (_DAY, -_DAY))
        return Relation.EQUAL if near else Relation.OUTSIDE
    if from_ <= start < from_ + claim.width or start == from_:
        return Relation.EQUAL
    if start <= from_ < start + evidence.width:
        return Relation.OPEN
    return Relation.OUTSIDE


def _slack(value: Instant) -> Decimal:
    """Returns how far `about` reaches: five minutes for a time to the minute, more for an hour, less for a second."""
    if value.width >= _DAY:
        return value.width
    return max(min(value.width * 5, value.width + _INSTANT_SLACK * 4), Decimal(5))


def _place(value: Instant, other: Instant, dated: bool) -> Decimal:
    """Returns the seconds of an instant on the scale that both can be put on."""
    seconds = value.seconds if value.seconds is not None else ZERO
    if not dated:
        return seconds
    assert value.month is not None
    year = value.year if value.year is not None and other.year is not None else _LEAP
    return Decimal(days_from_civil(year, value.month, value.day or 1)) * DAY_SECONDS + seconds


def _bound_instants(claim: Instant, evidence: Instant, dated: bool) -> Relation:
    """Compares where a word such as before or since stands with either."""
    if not dated and (claim.seconds is None or evidence.seconds is None):
        return Relation.INCOMPARABLE
    at, shown = _place(claim, evidence, dated), _place(evidence, claim, dated)
    if evidence.bound:
        if not claim.bound:
            late = evidence.bound in ("after", "since")
            possible = at >= shown if late else at <= shown
            return Relation.OPEN if possible else Relation.OUTSIDE
        late, claimed_late = evidence.bound in ("after", "since"), claim.bound in ("after", "since")
        if at == shown and late == claimed_late:
            return Relation.EQUAL
        if late != claimed_late:
            return Relation.OUTSIDE if (at < shown if late else at > shown) else Relation.OPEN
        return Relation.WEAKER if (shown >= at if late else shown <= at) else Relation.OPEN
    if claim.bound == "since":
        if at <= shown < at + claim.width:
            return Relation.EQUAL
        return Relation.OPEN if shown > at else Relation.OUTSIDE
    if claim.bound == "after":
        inside = shown > at
    else:
        inside = shown < at + claim.width if claim.bound == "until" else shown < at
    return Relation.INSIDE if inside else Relation.OUTSIDE


def difference(one: Quantity | Instant, other: Quantity | Instant) -> Quantity | None:
    """Returns `one` minus `other`: a quantity of the same measure, for two instants a time.

    None where they cannot be subtracted: bounds, other measures, instants of which one lacks a zone or a date.
    """
    if isinstance(one, Quantity):
        if not isinstance(other, Quantity) or one.measure != other.measure or not _single(one) or not _single(other):
            return None
        assert one.low is not None
        assert other.low is not None
        apart = EXACT.subtract(one.low, other.low)
        measure = "points" if one.measure == "share" else one.measure
        step = max(one.step, other.step)
        if measure == "points":
            apart, step = EXACT.multiply(apart, Decimal(100)), EXACT.multiply(step, Decimal(100))
        digits = max(1, len(_digits(apart)))
        return Quantity(apart, apart, measure, step, digits, one.unit, about=one.about or other.about, loose=one.loose)
    if not isinstance(other, Instant) or one.seconds is None or other.seconds is None:
        return None
    if (one.offset is None) != (other.offset is None) or (one.month is None) != (other.month is None):
        return None
    if one.month is not None and (one.day is None or other.day is None or (one.year is None) != (other.year is None)):
        return None
    first, second = to_utc(one), to_utc(other)
    dated = first.month is not None
    apart = _place(first, second, dated) - _place(second, first, dated)
    step = max(one.width, other.width)
    return Quantity(apart, apart, "time", step, max(1, len(_digits(apart))), about=one.about or other.about)
