"""Finds an excerpt that leaves something out: its parts in order, close together, with nothing that matters between."""

from __future__ import annotations

import re
from typing import Final

from evidencegate_server.excerpts.edges import edge_fault
from evidencegate_server.excerpts.model import ExcerptTier, MismatchReason
from evidencegate_server.excerpts.needle import Needle
from evidencegate_server.excerpts.peel import peel
from evidencegate_server.excerpts.policy import ExcerptPolicy
from evidencegate_server.excerpts.text import TextView
from evidencegate_server.excerpts.tiers import Found, Place, folded_place, occurrences, search_folded
from evidencegate_server.text.chars import CJK_RANGES
from evidencegate_server.text.fold import fold_drawing
from evidencegate_server.text.words_regex import LazyPattern

_DOTS: Final = r"(?:\.{3,}|[…⋯]+|。{3,})"
_ELLIPSIS: Final = re.compile(rf"(?:\[\s?{_DOTS}\s?\]|\(\s?{_DOTS}\s?\)|（{_DOTS}）|【{_DOTS}】|<{_DOTS}>|{_DOTS})\s*")
_RECORD_ENDS: Final = re.compile(r"[}\]]|\n[ \t]*\r?\n|^-{3,}[ \t]*$|^={3,}[ \t]*$", re.MULTILINE)
_LINE_BREAK: Final = re.compile("[\n\r\u2028\u2029]")
_LINE_LEAD: Final = " \t-*•"
_LEAD_WORD: Final = LazyPattern(rf"[^\W\d_{CJK_RANGES}]{{3,}}|[{CJK_RANGES}]{{2}}")
_MAX_CHECKS: Final = 400
_MAX_TEXTS: Final = 32  # more parts than that are not even searched for


def has_ellipsis(excerpt: str) -> bool:
    """Returns whether an excerpt says that it leaves something out."""
    return _ELLIPSIS.search(excerpt) is not None


def search_parts(view: TextView, excerpt: str, policy: ExcerptPolicy) -> Found | None:
    """Returns where the parts of an excerpt stand in the view, or the first thing that is wrong with them.

    None where a part is nowhere, or the parts are not in this order.
    """
    texts = [part for part in _ELLIPSIS.split(excerpt) if part.strip()]
    if not texts or len(texts) > _MAX_TEXTS:
        return None
    needles = [_needle(view, text, policy) for text in texts]
    parts = [needle for needle in needles if needle is not None]
    if len(parts) < len(texts):
        return None
    if len(parts) == 1:
        return search_folded(ExcerptTier.ELLIPSIS, view, parts[0], policy)
    return _Joiner(view, parts, policy).find()


def _needle(view: TextView, text: str, policy: ExcerptPolicy) -> Needle | None:
    lowered = view.folded(policy.folder).lowered
    for form in (text, peel(text)):
        needle = Needle(form, policy.folder)
        if needle and needle.lowered in lowered:
            return needle
    return None


class _Joiner:
    """Puts the parts of one excerpt together, trying the places of each part in order, with a bound on the work."""

    def __init__(self, view: TextView, parts: list[Needle], policy: ExcerptPolicy) -> None:
        self._view = view
        self._parts = parts
        self._policy = policy
        self._lowered = view.folded(policy.folder).lowered
        self._checks = 0
        self._fault: MismatchReason | None = None
        self._refused: tuple[tuple[int, int], ...] = ()

    def find(self) -> Found | None:
        first = self._parts[0]
        if len(self._parts) > self._policy.parameters.max_parts:
            return self._found((), MismatchReason.TOO_MANY_PARTS)
        if any(self._policy.informative.fault(part.folded) is not None for part in self._parts):
            return self._found((), MismatchReason.TOO_SHORT)
        for start in occurrences(self._lowered, first.lowered):
            if self._checks >= _MAX_CHECKS:
                break
            place = self._sound(first, start, ())
            if place is not None:
                ranges = self._rest(1, start + len(first.lowered), ((place.start, place.end),))
                if ranges is not None:
                    return self._found(ranges, None)
        return None if self._fault is None else self._found(self._refused, self._fault)

    def _found(self, ranges: tuple[tuple[int, int], ...], fault: MismatchReason | None) -> Found:
        return Found(ExcerptTier.ELLIPSIS, self._view, ranges, fault)

    def _rest(
        self, index: int, folded_end: int, ranges: tuple[tuple[int, int], ...]
    ) -> tuple[tuple[int, int], ...] | None:
        if index == len(self._parts):
            return ranges
        part = self._parts[index]
        length = len(part.lowered)
        limit = folded_end + self._policy.parameters.max_gap + length
        near = False
        for start in occurrences(self._lowered, part.lowered, folded_end, min(limit, len(self._lowered))):
            near = True
            if self._checks >= _MAX_CHECKS:
                return None
            place = self._sound(part, start, ranges)
            if place is None:
                continue
            fault = self._gap_fault(ranges[-1], place, is_last=index == len(self._parts) - 1)
            if fault is not None:
                self._refuse(fault, (*ranges, (place.start, place.end)))
                if fault is not MismatchReason.GAP_CROSSES_RECORD:
                    return None  # a longer gap hides the same words
                continue
            result = self._rest(index + 1, start + length, (*ranges, (place.start, place.end)))
            if result is not None:
                return result
        if not near and self._lowered.find(part.lowered, folded_end) >= 0:
            self._refuse(MismatchReason.GAP_TOO_LONG, ranges)
        return None

    def _sound(self, part: Needle, start: int, ranges: tuple[tuple[int, int], ...]) -> Place | None:
        """Returns the place of a part if its edges are clean."""
        self._checks += 1
        place = folded_place(self._view, part, start, self._policy)
        fault = place.fault or edge_fault(self._view, place.start, place.end, self._policy)
        if fault is None:
            return place
        self._refuse(fault, (*ranges, (place.start, place.end)) if place.end else ranges)
        return None

    def _refuse(self, fault: MismatchReason, ranges: tuple[tuple[int, int], ...]) -> None:
        if self._fault is None:
            self._fault, self._refused = fault, ranges

    def _gap_fault(self, left: tuple[int, int], right: Place, *, is_last: bool) -> MismatchReason | None:
        text = self._view.text
        gap = text[left[1] : right.start]
        plain = gap if gap.isascii() and "\x1b" not in gap else fold_drawing(gap)
        if _RECORD_ENDS.search(plain) is not None:
            return MismatchReason.GAP_CROSSES_RECORD
        breaks = _LINE_BREAK.search(gap) is not None or (self._view.is_json and "\\n" in gap)
        if breaks and not (
            _is_whole_lines(text, *left) and _is_whole_lines(text, right.start, right.end, open_end=not is_last)
        ):
            return MismatchReason.GAP_CROSSES_RECORD
        if _begins_again(text[left[0] : left[1]], plain):
            return MismatchReason.GAP_CROSSES_RECORD
        if self._policy.polarity.hides_polarity(" ".join(plain.split())):
            return MismatchReason.GAP_HIDES_POLARITY
        if not breaks and self._policy.polarity.changes_subject(
            text[left[0] : left[1]][-16:], plain, text[right.start : right.end][:80]
        ):
            return MismatchReason.GAP_CROSSES_RECORD
        return None


def _is_whole_lines(text: str, start: int, end: int, *, open_end: bool = False) -> bool:
    """Returns whether a range begins and ends where lines do. With `open_end` its end is looked at by the next gap."""
    line_start = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    if fold_drawing(text[line_start:start]).strip(_LINE_LEAD):
        return False
    if open_end:
        return True
    breaks = _LINE_BREAK.search(text, end)
    return not fold_drawing(text[end : breaks.start() if breaks else len(text)][:200]).strip()


def _begins_again(part: str, gap: str) -> bool:
    """Returns whether a gap names again what the part before it begins with: it is another record of the same kind."""
    lead = _LEAD_WORD.search(fold_drawing(part))
    if lead is None:
        return False
    word = lead[0].lower()
    if word.isascii():
        return re.search(rf"\b{re.escape(word)}\b", gap.lower()) is not None
    return word in gap.lower()
