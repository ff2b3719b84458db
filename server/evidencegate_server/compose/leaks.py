"""Checks what a composer model wrote against the material, before anybody reads it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from evidencegate_server.compose.model import Leak
from evidencegate_server.compose.sections import CONFIRMED, DIRECTIONS, GAPS, NEXT_STEPS, Sentence, sentences
from evidencegate_server.compose.templates import ComposerFile, Sentences
from evidencegate_server.contract.claim_types import is_claim_type
from evidencegate_server.contract.records import record
from evidencegate_server.evidence.model import Span
from evidencegate_server.judge.cover import Covering, Said
from evidencegate_server.judge.facts import FactReader
from evidencegate_server.lexicon.model import Lexicon
from evidencegate_server.verdict.material import AllowedMaterial, MaterialItem
from evidencegate_server.words import Language, Verdict

MAX_LEAKS: Final = 20
_QUOTE_CHARS: Final = 200
_ROOT_CAUSE: Final = "root_cause"


@record
class Draft:
    """A model's text with what it was to be written from.

    `refused` are texts that no answer may tell as facts: claims without support, hypotheses.
    """

    text: str
    verdict: Verdict
    material: AllowedMaterial
    refused: tuple[str, ...]
    query: str
    language: Language


class LeakChecker:
    """Finds what a text says and the material does not."""

    def __init__(self, composer: ComposerFile, lexicon: Lexicon) -> None:
        self._composer = composer
        self._facts = FactReader(lexicon)
        self._covering = Covering(lexicon, composer.bounds.min_cover)
        self._cause = composer.cause_marks.pattern()

    def leaks(self, draft: Draft) -> tuple[Leak, ...]:
        """Returns what must not go out, in the order of the text, at most MAX_LEAKS."""
        said = self._composer.languages.of(draft.language)
        known = [draft.query, *_texts(draft.material), *_fixed(said)]
        found = [
            Leak(fact.kind, fact.quote[:_QUOTE_CHARS], fact.span) for fact in self._facts.unknown(draft.text, known)
        ]
        found += self._sentence_leaks(draft, said)
        return tuple(sorted(found, key=lambda leak: (leak.span.start, leak.kind))[:MAX_LEAKS])

    def _sentence_leaks(self, draft: Draft, said: Sentences) -> Iterator[Leak]:
        material = draft.material
        confirmed = self._said(item.text for item in material.confirmed)
        supported = [*confirmed, *self._said(item.text for item in material.inferred)]
        causes = self._causes(draft)
        refused = self._said(draft.refused)
        fixed = self._said(_fixed(said))
        # An answer that is no uncertain one has no parts: a heading in it excuses nothing.
        parts = said.sections if draft.verdict is Verdict.LOW_CONFID else None
        for sentence in sentences(draft.text, parts):
            read = self._covering.said(sentence.text)
            if not read.tokens or self._within(read, fixed):
                continue
            if self._cause.search(sentence.text) and not self._within(read, causes.get(sentence.section, [])):
                yield _leak("root_cause", sentence)
                continue
            made_up = sentence.section == CONFIRMED and not self._within(read, confirmed)
            if made_up or (sentence.section not in (GAPS, DIRECTIONS) and self._tells(read, refused, supported)):
                yield _leak("claim", sentence)

    def _causes(self, draft: Draft) -> dict[str, list[Said]]:
        """Returns by part which items a sentence of a cause may repeat."""
        material = draft.material
        confirmed = self._said(item.text for item in material.confirmed if self._is_cause(item))
        inferred = self._said(item.text for item in material.inferred if self._is_cause(item))
        directions = self._said(item.text for item in material.directions)
        gaps = self._said(text for gap in material.gaps for _, text in gap.sentences)
        steps = self._said(item.text for item in material.next_steps)
        return {
            "": [*confirmed, *inferred],
            CONFIRMED: confirmed,
            DIRECTIONS: [*inferred, *directions],
            GAPS: gaps,
            NEXT_STEPS: steps,
        }

    def _is_cause(self, item: MaterialItem) -> bool:
        return is_claim_type(item.claim_type, _ROOT_CAUSE) or self._cause.search(item.text) is not None

    def _said(self, texts: Sequence[str] | Iterator[str]) -> list[Said]:
        return [self._covering.said(text) for text in texts]

    def _within(self, read: Said, items: Sequence[Said]) -> bool:
        return any(self._covering.bears_out(item, read) for item in items)

    def _tells(self, read: Said, refused: Sequence[Said], supported: Sequence[Said]) -> bool:
        """Returns whether a sentence tells what is refused and is no more like something supported."""
        if not any(self._covering.covers(read, item) for item in refused):
            return False
        return not self._within(read, supported)


def _texts(material: AllowedMaterial) -> Iterator[str]:
    for item in (*material.confirmed, *material.inferred, *material.directions, *material.next_steps):
        yield item.text
    for gap in material.gaps:
        for _, text in gap.sentences:
            yield text


def _fixed(said: Sentences) -> Iterator[str]:
    """Returns the sentences of the catalog that need no witness."""
    for part in (said.sections, said.nothing):
        yield from (part.confirmed, part.directions, part.gaps, part.next_steps)
    yield from (said.grounded.opening, said.grounded.inferred, said.grounded.next_steps)
    yield from (said.unreadable, said.not_checked)


def _leak(kind: str, sentence: Sentence) -> Leak:
    span = Span(sentence.start, sentence.start + len(sentence.text))
    return Leak(kind, sentence.text[:_QUOTE_CHARS], span)
