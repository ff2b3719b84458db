"""Writes an answer from the material in the catalog's fixed sentences."""

from __future__ import annotations

from collections.abc import Iterable

from evidencegate_server.compose.templates import Sentences
from evidencegate_server.contract.records import record
from evidencegate_server.verdict.material import AllowedMaterial, MaterialItem
from evidencegate_server.words import Language, ParseStatus, Verdict


@record
class Told:
    """What is told: a verdict and its material.

    `parse_status` is None where nothing was checked, because the service could not be reached.
    """

    verdict: Verdict
    material: AllowedMaterial
    parse_status: ParseStatus | None = ParseStatus.VALID


def write(told: Told, sentences: Sentences, language: Language) -> str:
    """Returns the answer: prose for PASS, the four parts for LOW_CONFID, the degraded answer for REJECT."""
    match told.verdict:
        case Verdict.PASS:
            return _grounded(told.material, sentences)
        case Verdict.LOW_CONFID:
            return _uncertain(told, sentences, language)
        case Verdict.REJECT:
            return _degraded(told.material, sentences, language)


def _grounded(material: AllowedMaterial, sentences: Sentences) -> str:
    said = sentences.grounded
    parts = [_part(said.opening, _texts(material.confirmed))]
    if material.inferred:
        parts.append(_part(said.inferred, _texts(material.inferred)))
    if material.next_steps:
        parts.append(_part(said.next_steps, _texts(material.next_steps)))
    return "\n\n".join(parts)


def _uncertain(told: Told, sentences: Sentences, language: Language) -> str:
    material, said, nothing = told.material, sentences.low_confid, sentences.nothing
    directions = [said.inferred.format(text=item.text) for item in material.inferred]
    directions += [said.direction.format(text=item.text) for item in material.directions]
    gaps = [*_not_read(told, sentences), *_gaps(material, language)]
    return "\n\n".join(
        (
            _part(sentences.sections.confirmed, _texts(material.confirmed) or [nothing.confirmed]),
            _part(sentences.sections.directions, directions or [nothing.directions]),
            _part(sentences.sections.gaps, gaps or [nothing.gaps]),
            _part(sentences.sections.next_steps, _texts(material.next_steps) or [nothing.next_steps]),
        )
    )


def _degraded(material: AllowedMaterial, sentences: Sentences, language: Language) -> str:
    said, nothing = sentences.reject, sentences.nothing
    return "\n\n".join(
        (
            said.opening,
            _part(sentences.sections.confirmed, _texts(material.confirmed) or [nothing.confirmed]),
            _part(sentences.sections.gaps, _gaps(material, language) or [nothing.gaps]),
            _part(sentences.sections.next_steps, said.next_steps),
        )
    )


def _not_read(told: Told, sentences: Sentences) -> list[str]:
    if told.parse_status is None:
        return [sentences.not_checked]
    return [] if told.parse_status is ParseStatus.VALID else [sentences.unreadable]


def _texts(items: Iterable[MaterialItem]) -> list[str]:
    return [item.text for item in items]


def _gaps(material: AllowedMaterial, language: Language) -> list[str]:
    return [text for gap in material.gaps for written_in, text in gap.sentences if written_in is language]


def _part(heading: str, lines: Iterable[str]) -> str:
    return "\n".join((heading, *(f"- {line}" for line in lines)))
