"""Holds the stretches of evidence that tell no observation: what is asked, wanted, played, supposed or denied."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import Final

from evidencegate_server.contract.records import record

WANTED: Final = "@frames.wanted"
TOLD: Final = "@frames.told"
DENIED: Final = "@frames.denied"
HEDGED: Final = "@hedges"
NEGATED: Final = "@negation.before"
NOT_SEEN: Final = "@negation.after"
NONE: Final = "@quantifiers.none"
SUPPOSED: Final = "@conditions"
ASKED: Final = "asked"
HIDDEN: Final = "hidden"
_MOST_AROUND: Final = 32  # frames that one place is looked up in


@record
class Mark:
    """A word that can open a frame: what it means, and where it stands."""

    names: tuple[str, ...]
    start: int
    end: int


@record
class Frame:
    """A stretch that tells no observation.

    `kinds` are the marks that say so; `said` is what their own words deny (`not ready`), which a claim may deny too.
    """

    start: int
    end: int
    kinds: frozenset[str]
    said: frozenset[str] = frozenset()


class Frames:
    """The frames of one text, quick to ask."""

    def __init__(self, found: Iterable[Frame]) -> None:
        self._found = sorted(found, key=lambda frame: (frame.start, -frame.end))
        self._starts = [frame.start for frame in self._found]
        self._reach = list(accumulate((frame.end for frame in self._found), max))

    def around(self, place: int) -> Iterator[Frame]:
        """Returns the frames that a place stands in, the innermost first."""
        at = bisect_right(self._starts, place) - 1
        for _ in range(_MOST_AROUND):
            if at < 0 or self._reach[at] <= place:
                return
            if self._found[at].end > place:
                yield self._found[at]
            at -= 1
