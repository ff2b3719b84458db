"""What the checks of a claim's marks share: one evidence, one claim, and what its clauses have shown so far."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from evidencegate_server.judge.alignment.bonds import BondChecker
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import HELD, ClauseAlignment, Fact, FactKind, Standing
from evidencegate_server.judge.alignment.places import Place, ValueCell
from evidencegate_server.judge.alignment.rows import RowReader
from evidencegate_server.judge.claims.model import ClaimReading, Clause
from evidencegate_server.judge.records.model import Cell
from evidencegate_server.judge.values.model import Mention, Quantity

# How a mark stands, and what shows it.
Finding = tuple[Standing, Place | None]
NOTHING: Final[Finding] = (Standing.SILENT, None)


class Scene:
    """One evidence and one claim, whose clauses are noted in their order.

    `bound` are the figures that the evidence bears out, each with its place in the claim. `ranged` says that a clause
    before said all, so that a row that is not as the others may be one that the claim does not speak of.
    """

    def __init__(self, index: EvidenceIndex, claim: ClaimReading) -> None:
        self.index = index
        self.traits = index.vocabulary.traits
        self.rows = RowReader(index)
        self.bonds = BondChecker(index)
        self.text = claim.text
        self.claimed = tuple(value for clause in claim.clauses for value in clause.values)
        self.bound: list[tuple[int, ValueCell]] = []
        self.ranged = self._all_before = False

    def note(self, alignment: ClauseAlignment) -> None:
        """Keeps what a clause shows for comparisons in it and behind it."""
        for fact in alignment.facts:
            if fact.kind is FactKind.VALUE and fact.standing in HELD and fact.place is not None:
                cell = self.index.at_place.get((fact.place.record, fact.place.start))
                if cell is not None:
                    self.bound.append((fact.start, cell))
        self.ranged = self.ranged or self._all_before
        self._all_before = self._all_before or alignment.clause.marked("@quantifiers.all") is not None

    def cell_of(self, fact: Fact) -> Cell | None:
        """Returns the cell that bears out a value, a state or a denial."""
        if fact.kind not in (FactKind.VALUE, FactKind.STATE, FactKind.DENIAL) or fact.standing not in HELD:
            return None
        if fact.place is None:
            return None
        start = fact.place.start
        around = (cell for cell in self.index.records[fact.place.record].cells if cell.start <= start < cell.end)
        return min(around, key=lambda cell: cell.end - cell.start, default=None)  # a pair in a message is in both

    def same_key(self, row: int, cell: Cell) -> Cell | None:
        """Returns what a row has under the key of another row's cell."""
        return next((one for one in self.index.records[row].cells if one.key == cell.key), None)


def place_of(cell: ValueCell) -> Place:
    """Returns where a figure stands."""
    return Place(cell.record, cell.mention.start, cell.mention.end)


def amount(mention: Mention) -> tuple[Decimal, str] | None:
    """Returns a single amount with its measure; None for a range, a bound and what is no quantity."""
    value = mention.value
    if isinstance(value, Quantity) and value.low is not None and value.low == value.high:
        return value.low, value.measure
    return None


def single(one: ValueCell) -> tuple[Decimal, str] | None:
    """Returns the single amount of a figure of the evidence."""
    return amount(one.mention)


def pair_of(clause: Clause) -> tuple[Mention, Mention] | None:
    """Returns the last two amounts of one measure, between which a change is told."""
    amounts = [value for value in clause.values if isinstance(value.value, Quantity)]
    if len(amounts) < 2:
        return None
    first, second = amounts[-2:]
    same = isinstance(first.value, Quantity) and isinstance(second.value, Quantity)
    return (first, second) if same and first.value.measure == second.value.measure else None  # type: ignore[union-attr]
