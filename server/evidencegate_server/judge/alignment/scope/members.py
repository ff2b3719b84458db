"""Finds the members that a clause speaks of, and says which of them have what it tells.

Members are the rows of a list, the objects of an array, or the lines and sentences beside each other that the subject
of the clause names. What a clause tells stands behind its word for all (都是 0, all of them are down); what stands
before it says which are meant. A clause of which a part is not understood says nothing of its members.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from evidencegate_server.contract.records import record
from evidencegate_server.judge.alignment.denial import denied_in_claim
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import HELD, NAMED, ClauseAlignment, Fact, FactKind
from evidencegate_server.judge.alignment.places import ValueCell
from evidencegate_server.judge.alignment.rows import RowReader
from evidencegate_server.judge.alignment.values import SAME
from evidencegate_server.judge.claims.model import mention_of
from evidencegate_server.judge.records.model import CellKind, RecordKind
from evidencegate_server.judge.values.compare import compare
from evidencegate_server.judge.values.model import COUNT, Quantity
from evidencegate_server.judge.vocabulary import Term, narrow

_MOST_ROWS: Final = 400
_MOST_WORDS: Final = 4  # of a subject behind its quantifier (all three worker nodes)
_FEWEST_FIGURES: Final = 3  # of sentences that are rows of one list
_FIRM: Final = (FactKind.STATE, FactKind.VALUE, FactKind.DENIAL, FactKind.NAME)
_HAPPENS: Final = frozenset({"state", "event"})
_MARK: Final = "@"


class Ground(Protocol):
    """What members are looked for in: one evidence, its lists, and the claim's text."""

    @property
    def index(self) -> EvidenceIndex:
        """The evidence."""

    @property
    def rows(self) -> RowReader:
        """Its lists."""

    @property
    def text(self) -> str:
        """The claim's text."""


@record
class Parts:
    """The facts of a clause that say which members are meant, and those that tell something of them."""

    subject: tuple[Fact, ...]
    told: tuple[Fact, ...]


def parts_of(scene: Ground, alignment: ClauseAlignment, mark: Term) -> Parts:
    """Parts the facts of a clause at the end of its subject: at its quantifier, or behind the noun that follows it."""
    end = _end_of_subject(scene, alignment, mark)
    own = [fact for fact in alignment.facts if fact.start != mark.start]
    return Parts(
        tuple(fact for fact in own if fact.start < end),
        tuple(fact for fact in own if fact.start >= end),
    )


def _end_of_subject(scene: Ground, alignment: ClauseAlignment, mark: Term) -> int:
    """Returns where the subject ends: before what happens, or before the first amount that does not count it."""
    clause, kind = alignment.clause, scene.index.vocabulary.kind
    before = [term for term in clause.terms if term.end <= mark.start and term.names[0][0] not in "=+@"]
    behind = [term for term in clause.terms if term.start >= mark.end]
    if clause.is_chinese and scene.text[mark.start : mark.end] not in _BEFORE_NOUN:
        return mark.end
    if any(kind(name) in ("thing", *_HAPPENS) for term in before for name in term.names):
        return mark.end  # the nodes are all ready
    nouns = [term for term in behind[:_MOST_WORDS] if any(kind(name) == "thing" for name in term.names)]
    return nouns[0].end if nouns else mark.end


_BEFORE_NOUN: Final = frozenset({"所有", "全部", "全体", "每", "每个", "每一个", "每台", "每条", "各", "各个", "一切"})


def tells(fact: Fact) -> bool:
    """Returns whether members can be asked for a fact. A word of which nothing is known stands for itself."""
    return fact.standing in HELD and (fact.kind in _FIRM or (fact.kind is FactKind.WORD and fact.weight >= 1))


def is_understood(told: Sequence[Fact]) -> bool:
    """Returns whether something is told that one member has, and nothing firm that it has not."""
    firm = [fact for fact in told if fact.kind in _FIRM and not (fact.kind is FactKind.STATE and fact.weight < 1)]
    return any(tells(fact) for fact in told) and all(fact.standing in HELD for fact in firm)


def base_of(alignment: ClauseAlignment, parts: Parts) -> int:
    """Returns the member of which the clause was found to hold."""
    found = (
        fact.place.record
        for kind in (FactKind.VALUE, FactKind.STATE, FactKind.DENIAL, FactKind.NAME, FactKind.WORD)
        for fact in parts.told
        if fact.kind is kind and fact.standing in HELD and fact.place is not None
    )
    return next(found, alignment.anchor)


def siblings(scene: Ground, base: int) -> Sequence[int]:
    """Returns the list that a record, or what it stands in, is of."""
    index = scene.index
    one = index.records[base]
    rows = scene.rows.rows(base)
    if len(rows) > 1:
        return rows[:_MOST_ROWS]
    if one.kind is RecordKind.SENTENCE:
        return _alike(scene, base)
    above = one.parent
    while above >= 0:
        rows = scene.rows.rows(above)
        if len(rows) > 1:
            return rows[:_MOST_ROWS]
        above = index.records[above].parent
    return ()


def _alike(scene: Ground, base: int) -> list[int]:
    """Returns the sentences beside one that have as many figures: the rows of a list without a header."""
    records = scene.index.records
    one = records[base]
    figures = sum(cell.kind is CellKind.IN_TEXT for cell in one.cells)
    if figures < _FEWEST_FIGURES:
        return []
    found = [base]
    for step in (-1, 1):
        at = base + step
        while 0 <= at < len(records) and len(found) < _MOST_ROWS:
            other = records[at]
            if other.source != one.source or other.parent != one.parent or other.kind is not one.kind:
                break
            if sum(cell.kind is CellKind.IN_TEXT for cell in other.cells) != figures:
                break
            found.append(at)
            at += step
    return sorted(found)


def of_subject(scene: Ground, rows: Sequence[int], subject: Sequence[Fact]) -> list[int]:
    """Returns the members that have what the subject names and says; what none of them says leaves them all."""
    kept = list(rows)
    index = scene.index
    for fact in subject:
        if fact.kind not in (FactKind.NAME, FactKind.STATE, FactKind.WORD) or fact.standing not in HELD:
            continue
        names = _names(scene, fact)
        lines = any(index.records[row].kind is RecordKind.LINE for row in kept)
        if fact.kind is FactKind.WORD and not lines:
            continue  # a column, or what the rows are of
        saying = [row for row in kept if any(names & _says(scene, one) for one in unit(scene, row))]
        kept = saying or kept
    return kept


def counted_by(scene: Ground, alignment: ClauseAlignment, mark: Term) -> int:
    """Returns how many members the clause counts: 三个节点都, all three nodes; 0 where it does not."""
    for value in alignment.clause.values:
        amount = value.value
        if not isinstance(amount, Quantity) or amount.measure != COUNT or amount.low is None:
            continue
        if not value.counted or amount.low != amount.high or amount.low != int(amount.low):
            continue
        beside = scene.text[mark.end : value.outer_start].strip() in ("", "of the", "the")
        if (alignment.clause.is_chinese and value.end <= mark.start) or (beside and value.start >= mark.end):
            return int(amount.low)
    return 0


def having(
    scene: Ground, rows: Sequence[int], fact: Fact, alignment: ClauseAlignment, *, counted: bool = False
) -> set[int] | None:
    """Returns the members that have what a fact tells of one of them; None where one does not say.

    With `counted` a member that does not say it is none of those that are counted: another event, or another kind.
    """
    if fact.kind is FactKind.VALUE:
        return _holding_value(scene, rows, fact, alignment, counted=counted)
    if fact.kind in (FactKind.STATE, FactKind.DENIAL):
        return _holding(scene, rows, fact, alignment, counted=counted)
    if fact.kind is FactKind.NAME and fact.why == NAMED:
        return named_rows(scene, rows, fact)
    names = _names(scene, fact)
    return {row for row in rows if any(names & _says(scene, one) for one in unit(scene, row))}


def parallel(scene: Ground, row: int, held: ValueCell) -> ValueCell | None:
    """Returns the figure of a member that stands where another figure stands in its own."""
    by_record = scene.index.by_record
    own = by_record.get(held.record, ())
    nth = [one.order for one in own if one.cell.key == held.cell.key].index(held.order) if held in own else -1
    for one in unit(scene, row):
        alike = [other for other in by_record.get(one, ()) if other.cell.key == held.cell.key]
        if 0 <= nth < len(alike):
            return alike[nth]
    return None


def _inner(scene: Ground, row: int, fact: Fact) -> int:
    """Returns the record of a member that is in it what the record of a fact is in its own (its status)."""
    if fact.place is None:
        return row
    label = scene.index.records[fact.place.record].label
    if not label or fact.place.record == row:
        return row
    return next((one for one in unit(scene, row)[1:] if scene.index.records[one].label == label), row)


def _names(scene: Ground, fact: Fact) -> frozenset[str]:
    """Returns what the word of a fact means."""
    kind = scene.index.vocabulary.kind
    return frozenset(
        name
        for term in scene.index.vocabulary.terms(scene.text[fact.start : fact.end])
        for name in term.names
        if name[0] != _MARK and kind(name) != "soft"
    )


def _says(scene: Ground, one: int) -> frozenset[str]:
    index = scene.index
    return index.names[one] | {name for term in index.terms[one] for name in term.names}


def unit(scene: Ground, row: int) -> list[int]:
    """Returns a member with all that stands in it."""
    records = scene.index.records
    found = [row]
    inside = {row}
    for at in range(row + 1, min(len(records), row + _MOST_ROWS)):
        if records[at].parent not in inside:
            break
        inside.add(at)
        found.append(at)
    return found


def named_rows(scene: Ground, rows: Sequence[int], fact: Fact) -> set[int]:
    """Returns the members that have a name that the clause gives."""
    records = {place.record for place in scene.index.find(narrow(scene.text[fact.start : fact.end]).lower())}
    return {row for row in rows if not records.isdisjoint(unit(scene, row))}


def _holding(
    scene: Ground, rows: Sequence[int], fact: Fact, alignment: ClauseAlignment, *, counted: bool = False
) -> set[int] | None:
    """Returns the members that are in a state that a clause tells, or not in one that it denies."""
    term = next((one for one in alignment.clause.terms if one.start == fact.start), None)
    if term is None:
        return None
    denied = denied_in_claim(alignment.clause, scene.index.vocabulary)
    wanted = (term.start in denied) == ("not" in term.names)
    inner = {row: _inner(scene, row, fact) for row in rows}
    said = scene.rows.of_term(term, list(inner.values()), events=counted)
    if said is not None:
        return {row for row in rows if said[inner[row]] == wanted}
    alike = _with_same_word(scene, rows, fact)
    return None if alike is None or not wanted else alike


def _with_same_word(scene: Ground, rows: Sequence[int], fact: Fact) -> set[int] | None:
    """Returns the rows without columns with the same word in the place of a state; None where one has none there."""
    place = fact.place
    if place is None or place.record not in rows:
        return None
    if any(scene.index.records[row].kind is not RecordKind.SENTENCE for row in rows):
        return None
    start = scene.index.records[place.record].start
    at = len(scene.index.text_at(place.record, start, place.start).split())
    words = {row: scene.index.text_of(row).split()[at : at + 1] for row in rows}
    if any(not word or not word[0].isalpha() for word in words.values()):
        return None
    return {row for row in rows if words[row] == words[place.record]}


def _holding_value(
    scene: Ground, rows: Sequence[int], fact: Fact, alignment: ClauseAlignment, *, counted: bool = False
) -> set[int] | None:
    """Returns the members that have a value where the one has it of which it is borne out."""
    mention = mention_of(alignment.clause, fact.start)
    held = None if fact.place is None else scene.index.at_place.get((fact.place.record, fact.place.start))
    if mention is None or held is None:
        return None
    figures = {row: parallel(scene, row, held) for row in rows}
    if not counted and any(one is None for one in figures.values()):
        return None
    return {
        row for row, one in figures.items() if one is not None and compare(mention.value, one.mention.value) in SAME
    }
