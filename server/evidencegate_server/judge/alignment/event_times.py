"""Tells which of two records came first: by their times, by how long ago they were, by their lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.records.model import RecordKind
from evidencegate_server.judge.values.compare import difference
from evidencegate_server.judge.values.model import Instant, Mention, Quantity

AFTER: Final = ("after",)
"""Words behind a length of time that stand before the earlier event."""
LATER: Final = ("later", "\u540e", "\u4e4b\u540e", "\u4ee5\u540e")
"""Words behind a length of time that stand before the later event."""
_AGES: Final = frozenset({"age", "last seen", "first seen"})
_SAYS_WHAT: Final = frozenset({"message", "reason", "note", "event"})  # a list of events has one of these columns
# Keys of these tell when a thing came to be, or will end, and not when what else is told of it happened.
_OF_THINGS: Final = frozenset({"creation_time", "create", "expiry", "deadline_thing", "@order.then"})
_MOST_PARENTS: Final = 3


def tells_how_much_later(mention: Mention, text: str) -> bool:
    """Returns whether a length of time parts two events (3 s after it, 3 s later, 3 \u79d2\u540e)."""
    return (
        isinstance(mention.value, Quantity)
        and mention.value.measure == "time"
        and text[mention.outer_end : mention.outer_end + 8].lstrip().lower().startswith((*AFTER, *LATER))
    )


def is_later(first: int, second: int, said: frozenset[str], index: EvidenceIndex) -> bool | None:
    """Returns whether what the second record tells came later than what the first one tells; None where nothing says.

    `said` is what the claim's words for the two mean.

    What has a time is placed by it, what has an age by that; of lines at one time the lower one is the later, and so
    it is in prose. Rows and objects without a time stand in no order of it.
    """
    signs = _signs(_moments(first, said, index), _moments(second, said, index))
    signs = signs or _signs(_ages(second, index), _ages(first, index))
    if len(signs) > 1:
        return None
    if signs and signs != {0}:
        return signs == {1}
    one, other = index.records[first], index.records[second]
    if one.source != other.source or {one.kind, other.kind} & {RecordKind.ROW, RecordKind.OBJECT}:
        return None
    if signs and not (one.kind is other.kind is RecordKind.LINE and one.group == other.group >= 0):
        return None
    return other.start > one.start


def _signs(first: Mapping[str, Sequence[Mention]], second: Mapping[str, Sequence[Mention]]) -> set[int]:
    """Returns the signs of the second moments less the first: of those under the same keys, else of the only ones."""
    keys = first.keys() & second.keys()
    pairs = [(first[key], second[key]) for key in keys]
    if not pairs and len(first) == len(second) == 1:
        pairs = [(next(iter(first.values())), next(iter(second.values())))]
    gaps = [difference(two.value, one.value) for ones, twos in pairs for one in ones for two in twos]
    return {(gap.low > 0) - (gap.low < 0) for gap in gaps if gap is not None and gap.low is not None}


def _moments(record: int, said: frozenset[str], index: EvidenceIndex) -> dict[str, list[Mention]]:
    """Returns the times of a record by their keys: the one that begins a line, else its own or those it stands in."""
    for _ in range(_MOST_PARENTS):
        found: dict[str, list[Mention]] = {}
        for one in index.by_record.get(record, ()):
            if isinstance(one.mention.value, Instant) and one.mention.value.seconds is not None:
                found.setdefault(one.cell.key, []).append(one.mention)
        own = index.records[record]
        if found and own.kind is RecordKind.LINE:
            key = next(iter(found))
            return {key: found[key][:1]}
        found = {
            key: times for key, times in found.items() if not (_OF_THINGS & index.vocabulary.key_names(key) - said)
        }
        if found or own.kind is not RecordKind.OBJECT or own.parent < 0:
            return found
        record = own.parent
    return {}


def _ages(record: int, index: EvidenceIndex) -> dict[str, list[Mention]]:
    """Returns how long ago the event of a row was, last and (3m (x4 over 12m)) first."""
    found: dict[str, list[Mention]] = {}
    if _SAYS_WHAT.isdisjoint(cell.key.strip().lower() for cell in index.records[record].cells):
        return found  # how old a thing is says nothing of what happened to it
    for one in index.by_record.get(record, ()):
        key = one.cell.key.strip().lower()
        if key in _AGES and isinstance(one.mention.value, Quantity) and one.mention.value.measure == "time":
            found.setdefault(key, []).append(one.mention)
    return found
