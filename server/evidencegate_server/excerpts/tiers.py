"""Searches one form of an excerpt in one view of its evidence, and checks every place until one passes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.excerpts.edges import edge_fault
from evidencegate_server.excerpts.model import ExcerptTier, MismatchReason
from evidencegate_server.excerpts.needle import Needle, glued_letters
from evidencegate_server.excerpts.policy import ExcerptPolicy
from evidencegate_server.excerpts.text import TextView
from evidencegate_server.text.fold import fold_characters
from evidencegate_server.text.rewrite import drop_quotes

_QUOTES: Final = "\"'"
_LITERAL: Final = re.compile(r":([\"']?)(true|false|null|none|-?\d[\w.+-]*)(?![\w.])")
_PARTED_NUMBER: Final = re.compile(r"(?<=\d)(?:[\"'][.,:]|[.,:][\"'])[\"']?(?=\d)")
_MAX_PADDING: Final = 1_024  # so much white space around a short text is still looked through
_MIN_PLACES: Final = 8
_MAX_COMPARED: Final = 2_000_000  # characters, over all places of one excerpt
_OUTER_MARKS: Final = "\"'`“”‘’.。!！?？,，;；:： \t\r\n"


@record
class Found:
    """What came of one tier: the range in the view, and why it was refused, None where it passed.

    `uninformative` says that the text was found and says too little, whatever its edges.
    """

    tier: ExcerptTier
    view: TextView
    ranges: tuple[tuple[int, int], ...]
    fault: MismatchReason | None = None
    uninformative: bool = False


@record
class Place:
    """One occurrence in a view. `fault` is set where it is no occurrence at a closer look."""

    start: int
    end: int
    fault: MismatchReason | None = None


def occurrences(text: str, needle: str, start: int = 0, end: int | None = None) -> Iterator[int]:
    """Yields where a needle begins in a text, overlapping ones included."""
    limit = len(text) if end is None else end
    position = text.find(needle, start, limit)
    while position >= 0:
        yield position
        position = text.find(needle, position + 1, limit)


def first_sound(
    tier: ExcerptTier,
    view: TextView,
    places: Iterable[Place],
    said: str,
    policy: ExcerptPolicy,
    *,
    minus_mark: bool = False,
) -> Found | None:
    """Returns the first place that passes, else the first refusal, else None. `said` is judged for what it says."""
    refused: Found | None = None
    says_enough = False
    bound = min(policy.parameters.max_occurrences, max(_MIN_PLACES, _MAX_COMPARED // max(1, len(said))))
    for place in islice(places, bound):
        if place.fault is None and not says_enough:
            reason = policy.informative.fault(said)
            if reason is not None and not is_whole(view.text, said):
                return Found(tier, view, ((place.start, place.end),), reason, uninformative=True)
            says_enough = True
        fault = place.fault or edge_fault(view, place.start, place.end, policy, minus_mark=minus_mark)
        if fault is None:
            return Found(tier, view, ((place.start, place.end),))
        if refused is None:
            refused = Found(tier, view, ((place.start, place.end),), fault)
    return refused


def is_whole(text: str, said: str) -> bool:
    """Returns whether an excerpt is all that a text says, but for quotes, stops and white space around it."""
    return len(text) <= 4 * len(said) + _MAX_PADDING and _bare(text) == _bare(said)


def _bare(text: str) -> str:
    return "".join(fold_characters(text).split()).strip(_OUTER_MARKS).lower()


def search_verbatim(view: TextView, excerpt: str, policy: ExcerptPolicy) -> Found | None:
    """Searches an excerpt exactly as it is."""
    length = len(excerpt)
    places = (Place(start, start + length) for start in occurrences(view.text, excerpt))
    return first_sound(ExcerptTier.VERBATIM, view, places, excerpt, policy)


def search_folded(
    tier: ExcerptTier, view: TextView, needle: Needle, policy: ExcerptPolicy, *, minus_mark: bool = False
) -> Found | None:
    """Searches the folded needle in the folded view."""
    if not needle:
        return None
    return first_sound(tier, view, folded_places(view, needle, policy), needle.folded, policy, minus_mark=minus_mark)


def folded_places(view: TextView, needle: Needle, policy: ExcerptPolicy) -> Iterator[Place]:
    """Yields the places of a folded needle as ranges of the view's text."""
    folded = view.folded(policy.folder)
    for start in occurrences(folded.lowered, needle.lowered):
        yield folded_place(view, needle, start, policy)


def folded_place(view: TextView, needle: Needle, start: int, policy: ExcerptPolicy) -> Place:
    """Returns the place of a needle that begins at `start` of the folded view."""
    folded = view.folded(policy.folder)
    end = start + len(needle.lowered)
    span = folded.original_span(start, end)
    if span is None:
        return Place(0, 0, MismatchReason.MID_TOKEN)
    same_case = needle.same_case(folded.folded[start:end])
    if not same_case:
        return Place(*span, MismatchReason.UNIT_CASE_CHANGED)
    return Place(*span, MismatchReason.NOT_FOUND if view.hides_control(*span, needle.text) else None)


def search_unquoted(view: TextView, needle: Needle, policy: ExcerptPolicy) -> Found | None:
    """Searches without regard to quote marks. A quoted and a bare literal still differ: "true" is no true."""
    if ":" not in needle.lowered and not any(mark in needle.lowered for mark in _QUOTES):
        return None
    lowered = view.folded(policy.folder).lowered
    if not needle.unquoted or not any(mark in text for mark in _QUOTES for text in (needle.lowered, lowered)):
        return None
    places = _unquoted_places(view, needle, policy)
    return first_sound(ExcerptTier.JSON_QUOTES, view, places, needle.unquoted, policy)


def _unquoted_places(view: TextView, needle: Needle, policy: ExcerptPolicy) -> Iterator[Place]:
    folded = view.folded(policy.folder)
    unquoted = view.unquoted(policy.folder)
    quoted_excerpt = any(mark in needle.lowered for mark in _QUOTES)
    literals = _LITERAL.findall(needle.lowered)
    parted = len(_PARTED_NUMBER.findall(needle.lowered))
    for position in occurrences(unquoted.text, needle.unquoted):
        start, end = unquoted.original_span(position, position + len(needle.unquoted))
        span = folded.original_span(start, end)
        if span is None:
            yield Place(0, 0, MismatchReason.MID_TOKEN)
            continue
        fault = None
        if not _same_case_unquoted(folded.folded[start:end], needle):
            fault = MismatchReason.UNIT_CASE_CHANGED
        elif len(_PARTED_NUMBER.findall(folded.lowered, start, end)) != parted:
            fault = MismatchReason.MID_NUMBER
        elif literals and _other_literals(folded.lowered, start, end, literals, quoted_excerpt=quoted_excerpt):
            fault = MismatchReason.VALUE_TYPE_CHANGED
        yield Place(*span, fault)


def _same_case_unquoted(found: str, needle: Needle) -> bool:
    return not needle.glued or glued_letters(drop_quotes(found).text) == glued_letters(drop_quotes(needle.folded).text)


def _other_literals(
    lowered: str, start: int, end: int, literals: list[tuple[str, str]], *, quoted_excerpt: bool
) -> bool:
    found = _LITERAL.findall(lowered[start : end + 1])
    if quoted_excerpt:
        return [(quote != "", value) for quote, value in found] != [(quote != "", value) for quote, value in literals]
    return [value for _, value in found] != [value for _, value in literals]
