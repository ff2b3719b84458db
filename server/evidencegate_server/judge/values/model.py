"""Holds what a written value means, in units that can be compared."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from evidencegate_server.contract.records import record

# What a plain number counts or is: it has no unit.
COUNT: Final = ""


@record
class Quantity:
    """An amount in the base unit of its measure, as an interval.

    `low` and `high` are equal for a single value; None is no bound on that side. `low_open` and `high_open` say that
    the bound itself is left out (more than 5). `measure` is `time` (seconds), `size` (bytes), `bits`, `share` (1 is
    100 %), `points` (1 is one percentage point), `cores`, `rate` measures such as `size/time`, another unit's own name
    (`celsius`, `watt`, `money:usd`), or COUNT. `step` is what the last written place is worth, in the base unit: 1.49 s
    has 0.01. `about` says that the text itself calls the value rough. `digits` are the significant digits as written.
    `unit` is the unit as written, empty where none stands there; `assumed` says that it was taken from a key or header.
    `other_than` is the one value that it is not (`!= 5`): then both bounds are None.
    `loose` is by what share the value is larger where KB, MB or GB are meant by 1024 (0.048576 for MB), else 0.
    """

    low: Decimal | None
    high: Decimal | None
    measure: str
    step: Decimal
    digits: int
    unit: str = ""
    low_open: bool = False
    high_open: bool = False
    about: bool = False
    assumed: bool = False
    loose: Decimal = Decimal(0)
    other_than: Decimal | None = None


@record
class Instant:
    """A point in time as far as it is written.

    `year`, `month`, `day` are None where the text leaves them out; `seconds` are seconds of that day, None for a date
    alone. `width` is the length of what is named, in seconds: 60 for 10:05, 1 for 10:05:30, 86400 for a date.
    `offset` are minutes east of UTC, None where no zone is known. `about` as for quantities. A relation word before it
    (before, after, since, until) stands in `bound`: `before`, `after`, `since`, `until`, or empty.
    """

    year: int | None
    month: int | None
    day: int | None
    seconds: Decimal | None
    width: Decimal
    offset: int | None
    about: bool = False
    bound: str = ""


@record
class Mention:
    """A value where it stands.

    `start` and `end` span number and unit; `outer_start` and `outer_end` the words of comparison, roughness or zone
    beside it as well (at least, about, 以上, UTC). `counted` is the text right behind a plain number that says what it
    counts (`pods`, `次`), empty where there is none.
    """

    value: Quantity | Instant
    start: int
    end: int
    outer_start: int
    outer_end: int
    counted: str = ""
