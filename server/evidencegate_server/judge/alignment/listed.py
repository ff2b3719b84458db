"""Counts the names that a sentence lists (`mirror-a, mirror-b and mirror-d are out of sync`)."""

from __future__ import annotations

import re
from typing import Final

from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import HELD, ClauseAlignment, Fact, FactKind
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.records.model import CellKind
from evidencegate_server.judge.values.model import COUNT, Mention, Quantity

# A name has a digit, a joiner or capitals inside; plain words are none.
_NAME: Final = r"(?=[A-Za-z0-9./-]*[0-9./-])[A-Za-z/][A-Za-z0-9_./-]*[A-Za-z0-9](?![A-Za-z0-9_./-])"
_AND: Final = r"(?:, ?and |, ?& ?|, ?| and | & |\u3001|\uff0c| ?\u548c ?| ?\u4e0e ?| ?\u53ca ?)"
_LIST: Final = re.compile(rf"(?<![A-Za-z0-9_./-]){_NAME}(?:{_AND}{_NAME})+")
_NAMES: Final = re.compile(_NAME)
_LONGEST: Final = 2_000
_BESIDE: Final = 40  # code points between a list and what is told of it
_CLAUSE: Final = re.compile(r"[;.\uff1b\u3002]|\b(?:which|who|that|but|while)\b")
_SAYING: Final = frozenset({FactKind.STATE, FactKind.DENIAL})


def listed(mention: Mention, alignment: ClauseAlignment, index: EvidenceIndex) -> Place | None:
    """Returns the list of names, as many as a value counts, of which a sentence says what the clause does.

    The sentence has one list alone, and says the state that the clause tells and the noun that it counts, where the
    evidence has that noun at all.
    """
    value = mention.value
    if not isinstance(value, Quantity) or value.measure != COUNT or value.low is None or value.low != value.high:
        return None
    if not mention.counted or alignment.anchor < 0:
        return None
    states = [fact for fact in alignment.facts if fact.kind in _SAYING]
    if not states or any(fact.standing not in HELD for fact in states):
        return None
    one = index.records[alignment.anchor]
    if any(cell.kind is CellKind.FIELD and cell.key != "time" for cell in one.cells) and len(one.cells) > 1:
        return None
    text = index.evidence.texts[one.source][one.start : min(one.end, one.start + _LONGEST)]
    lists = list(_LIST.finditer(text))
    if len(lists) != 1:
        return None
    names = {name.lower() for name in _NAMES.findall(lists[0][0])}
    if len(names) != value.low:
        return None
    start, end = (one.start + at for at in lists[0].span())
    whole = index.evidence.texts[one.source]
    if not all(_is_told_of(fact, start, end, whole) for fact in states):
        return None
    return Place(alignment.anchor, start, end)


def _is_told_of(state: Fact, start: int, end: int, text: str) -> bool:
    """Returns whether a state stands right beside a list, with no other name and no other clause between them."""
    place = state.place
    if place is None:
        return False
    between = text[end : place.start] if place.start >= end else text[place.end : start]
    return len(between) <= _BESIDE and _NAMES.search(between) is None and _CLAUSE.search(between) is None
