"""Writes the allowed material for a composer model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from evidencegate_server.compose.templates import Sentences
from evidencegate_server.verdict.material import AllowedMaterial
from evidencegate_server.words import Language


def render_material(material: AllowedMaterial, sentences: Sentences, language: Language) -> str:
    """Returns the material as lists under the headings that an uncertain answer has; inferences say that they are."""
    said, sections = sentences.low_confid, sentences.sections
    parts = (
        (sections.confirmed, [item.text for item in material.confirmed]),
        (
            sections.directions,
            [said.inferred.format(text=item.text) for item in material.inferred]
            + [said.direction.format(text=item.text) for item in material.directions],
        ),
        (sections.gaps, [text for gap in material.gaps for spoken, text in gap.sentences if spoken is language]),
        (sections.next_steps, [item.text for item in material.next_steps]),
    )
    return "\n".join(_lines(parts))


def _lines(parts: Iterable[tuple[str, list[str]]]) -> Iterator[str]:
    for heading, items in parts:
        if items:
            yield heading
            yield from (f"- {item}" for item in items)
