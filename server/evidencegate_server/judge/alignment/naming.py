"""Says what the figures of a record are by the fields beside them: a variable's name, an alert's, a quantile."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.records.model import TIMES, Cell, CellKind, Record
from evidencegate_server.judge.vocabulary import Vocabulary

_EMPTY: Final[frozenset[str]] = frozenset()
_LONGEST: Final = 64  # of a name
_NAME: Final = "name"
_READING: Final = "reading"  # what a field like Value means
_REASON: Final = frozenset({"reason"})
_PERCENTILE: Final = "percentile"


@record
class Naming:
    """What names the figures of one record.

    `title` is around all of them, `readings` what a field names whose key says no more than value, `statistics` which
    statistic every figure is, `event` what was seen so often.
    """

    title: frozenset[str] = _EMPTY
    readings: frozenset[str] = _EMPTY
    statistics: frozenset[str] = _EMPTY
    event: frozenset[str] = _EMPTY
    variable: str = ""  # the name as it is written

    def of(self, cell: Cell, names: frozenset[str]) -> frozenset[str]:
        """Returns the names of a cell with what the fields beside it say, given those that its key has."""
        if cell.kind is CellKind.IN_TEXT and cell.key == TIMES:
            return names | self.event
        if cell.kind is not CellKind.FIELD or not cell.values or _PERCENTILE in names:
            return names
        return names | self.statistics | (self.readings if _READING in names else _EMPTY)


NOTHING_NAMED: Final = Naming()


def naming_of(one: Record, vocabulary: Vocabulary) -> Naming:
    """Returns what the fields of a record say of the figures beside them."""
    titling, naming = vocabulary.traits["titling"], vocabulary.traits["naming"]
    title: set[str] = set()
    readings: set[str] = set()
    statistics: set[str] = set()
    event: frozenset[str] = _EMPTY
    has_reading = False
    variable = ""
    for cell in one.cells:
        if not cell.key or cell.kind is CellKind.IN_TEXT:
            continue
        keys = vocabulary.key_names(cell.key)
        is_field = cell.kind is CellKind.FIELD
        names = not naming.isdisjoint(keys)
        if is_field and keys == _REASON:
            event = vocabulary.key_names(cell.text[:_LONGEST])
        if _READING in keys and cell.values:
            has_reading = True
        if (names and is_field) or not titling.isdisjoint(keys):
            title |= vocabulary.key_names(cell.text[:_LONGEST])
        if is_field and (names or (_NAME in keys and len(keys) == 1)) and len(cell.text) <= _LONGEST:
            readings |= vocabulary.key_names(cell.text)
            variable = variable or cell.text
        if _PERCENTILE in keys:
            statistics |= vocabulary.key_names(_percentile(cell.text))
    if not has_reading:
        readings.clear()
        variable = ""
    if not (title or readings or statistics or event):
        return NOTHING_NAMED
    return Naming(frozenset(title), frozenset(readings), frozenset(statistics), event, variable)


def _percentile(text: str) -> str:
    """Returns how a quantile is called: p99 for 0.99; empty where it is none."""
    try:
        share = Decimal(text.strip().strip('"'))
    except InvalidOperation:
        return ""
    if not 0 < share < 1:
        return ""
    return "p" + format((share * 100).normalize(), "f").replace(".", "")
