"""Compares an excerpt with its evidence: the one way in.

An excerpt is supported where it is a quotation: its characters stand in the evidence but for differences that change
no fact, it is cut at whole words, names and numbers, and what stands beside it does not turn it round. Similarity plays
no part: a dropped "not" and a changed digit leave nearly everything similar.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import chain
from typing import Final

from evidencegate_server.evidence.model import Span
from evidencegate_server.excerpts.edges import edge_fault
from evidencegate_server.excerpts.ellipsis import has_ellipsis, search_parts
from evidencegate_server.excerpts.flags import flags_of
from evidencegate_server.excerpts.json_object import search_object
from evidencegate_server.excerpts.model import ExcerptMatch, ExcerptTier, MismatchReason
from evidencegate_server.excerpts.needle import Needle
from evidencegate_server.excerpts.peel import has_minus_mark, peel
from evidencegate_server.excerpts.policy import ExcerptPolicy
from evidencegate_server.excerpts.text import EvidenceText, TextView
from evidencegate_server.excerpts.tiers import Found, search_folded, search_unquoted, search_verbatim
from evidencegate_server.text.fold import fold_characters
from evidencegate_server.text.rewrite import unescape_html, unescape_json
from evidencegate_server.words import ExcerptStatus

_SUPPORTED: Final = ExcerptStatus.SUPPORTED
_VERBATIM: Final = ExcerptTier.VERBATIM


def match_excerpt(excerpt: str, evidence: EvidenceText, policy: ExcerptPolicy) -> ExcerptMatch:
    """Returns whether and where an excerpt is a quotation of its evidence.

    Never raises, whatever the texts hold. The tiers are tried from the strictest on; where a rule refuses what a tier
    found, no laxer one is tried. The cost is linear in both texts; one that stands there verbatim costs a plain search.
    """
    match = match_verbatim(excerpt, evidence.original, policy)
    if match is not None:
        return match
    text = excerpt.strip()
    if not text:
        return ExcerptMatch(ExcerptStatus.UNINFORMATIVE, contained=False, reason=MismatchReason.BLANK)
    view = evidence.view()
    found = search_verbatim(view, text, policy)
    if found is None or (found.fault is not None and not found.uninformative):
        forms = _Forms(text, policy)
        if not forms.plain:
            return ExcerptMatch(ExcerptStatus.UNINFORMATIVE, contained=False, reason=MismatchReason.BLANK)
        found = _as_it_is(found, forms, evidence) or next(_laxer(forms, evidence), None)
    if found is None:
        flags = flags_of(text, (), evidence.original, verbatim=False)
        return ExcerptMatch(ExcerptStatus.MISMATCH, contained=False, reason=MismatchReason.NOT_FOUND, flags=flags)
    spans = tuple(Span(*found.view.original_span(start, end)) for start, end in found.ranges if end > start)
    flags = flags_of(text, spans, evidence.original, verbatim=found.tier is ExcerptTier.VERBATIM)
    if found.fault is None:
        return ExcerptMatch(ExcerptStatus.SUPPORTED, contained=True, tier=found.tier, spans=spans, flags=flags)
    status = ExcerptStatus.UNINFORMATIVE if found.uninformative else ExcerptStatus.MISMATCH
    return ExcerptMatch(status, contained=True, reason=found.fault, tier=found.tier, spans=spans, flags=flags)


def match_verbatim(excerpt: str, evidence: str, policy: ExcerptPolicy) -> ExcerptMatch | None:
    """Returns the result for an excerpt that is sound at its first place, word for word, as nearly all are; else None.

    What it returns is what `match_excerpt` returns; None says nothing. The cost is that of a few plain searches.
    """
    text = excerpt.strip()
    start = evidence.find(text) if text else -1
    if start < 0:
        return None
    end = start + len(text)
    if policy.informative.fault(text) is not None:
        return None
    if not policy.quick.is_clean(evidence, start, end) and edge_fault(TextView(evidence), start, end, policy):
        return None
    flags = () if text.isascii() else flags_of(text, (), evidence, verbatim=True)
    return ExcerptMatch(_SUPPORTED, True, "", _VERBATIM, (Span(start, end),), flags)


class _Forms:
    """The forms of one excerpt, each made when a tier asks for it."""

    def __init__(self, text: str, policy: ExcerptPolicy) -> None:
        self.text = text
        self.policy = policy
        self.plain = Needle(text, policy.folder)

    @cached_property
    def peeled(self) -> Needle | None:
        """The excerpt without its wrapping, None where it has none."""
        return self._peeled(self.text)

    def _peeled(self, text: str) -> Needle | None:
        bare = peel(fold_characters(text))
        needle = Needle(bare, self.policy.folder) if bare != text else None
        return needle if needle and needle.lowered != self.plain.lowered else None

    @cached_property
    def minus_mark(self) -> bool:
        """Whether a minus sign was peeled off."""
        return has_minus_mark(self.text)

    @cached_property
    def json_unescaped(self) -> list[Needle]:
        """The forms of the excerpt with JSON escapes undone, none where it has no escapes."""
        return self._undone(unescape_json(self.text).text) if "\\" in self.text else []

    @cached_property
    def html_unescaped(self) -> list[Needle]:
        """The forms of the excerpt with HTML entities undone, none where it has no entities."""
        return self._undone(unescape_html(self.text).text) if "&" in self.text else []

    def _undone(self, text: str) -> list[Needle]:
        if text == self.text:
            return []
        peeled = self._peeled(text)
        return [Needle(text, self.policy.folder), *([peeled] if peeled else [])]

    def both(self) -> list[Needle]:
        """The excerpt as it is, and peeled."""
        return [self.plain, *([self.peeled] if self.peeled else [])]


def _as_it_is(verbatim: Found | None, forms: _Forms, evidence: EvidenceText) -> Found | None:
    """Searches the excerpt as it is, folded. Where only refused places stand verbatim, another spelling may pass."""
    folded = search_folded(ExcerptTier.FOLDED, evidence.view(), forms.plain, forms.policy)
    if verbatim is None or (folded is not None and folded.fault is None):
        return folded
    return verbatim


def _laxer(forms: _Forms, evidence: EvidenceText) -> Iterator[Found]:
    """Yields what the tiers behind the first one find, strictest first."""
    policy, view = forms.policy, evidence.view()
    searches = chain(
        _peeled(forms, view),
        (search_folded(tier, where, needle, policy) for tier, where, needle in _unescaped(forms, evidence)),
        (search_unquoted(view, needle, policy) for needle in forms.both()),
        (search_object(where, forms.text, policy) for where in (view,)),
        _parts(forms, evidence) if has_ellipsis(forms.text) else (),
    )
    return (found for found in searches if found is not None)


def _peeled(forms: _Forms, view: TextView) -> Iterator[Found | None]:
    if forms.peeled:
        yield search_folded(ExcerptTier.PEELED, view, forms.peeled, forms.policy, minus_mark=forms.minus_mark)


def _unescaped(forms: _Forms, evidence: EvidenceText) -> Iterator[tuple[ExcerptTier, TextView, Needle]]:
    """Yields what to search where with one level of escaping undone, on one side at a time."""
    view = evidence.view()
    for needle in forms.json_unescaped:
        yield ExcerptTier.EXCERPT_UNESCAPED, view, needle
    unescaped = evidence.json_unescaped()
    if unescaped is not None:
        for needle in forms.both():
            yield ExcerptTier.EVIDENCE_UNESCAPED, unescaped, needle
    for needle in forms.html_unescaped:
        yield ExcerptTier.HTML_ENTITIES, view, needle
    decoded = evidence.html_unescaped()
    if decoded is not None:
        for needle in forms.both():
            yield ExcerptTier.HTML_ENTITIES, decoded, needle


def _parts(forms: _Forms, evidence: EvidenceText) -> Iterator[Found | None]:
    """Yields what the parts of an ellipsis give. In a JSON text lines are told apart only with its escapes undone."""
    view, unescaped = evidence.view(), evidence.json_unescaped()
    excerpt = peel(forms.text) or forms.text
    for where in (unescaped, view) if view.is_json else (view, unescaped):
        if where is not None:
            yield search_parts(where, excerpt, forms.policy)
