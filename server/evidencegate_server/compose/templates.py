"""Holds the fixed sentences of answers and the bounds of what a model may write, as the catalog sets them."""

from __future__ import annotations

import re
import string
from collections.abc import Callable
from typing import Annotated, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from evidencegate_server.contract.claim_types import known_claim_type
from evidencegate_server.words import Language, Verification

_STRICT = ConfigDict(frozen=True, extra="forbid", strict=True)
_OTHER: Final = "other"


def _with_places(*names: str) -> Callable[[str], str]:
    """Returns a check that a sentence has just these places, each once."""

    def check(sentence: str) -> str:
        try:
            found = [name for _, name, form, turn in string.Formatter().parse(sentence) if name is not None]
            plain = all(not form and not turn for _, _, form, turn in string.Formatter().parse(sentence))
        except ValueError:
            found, plain = [], False
        if sorted(found) != sorted(names) or not plain:
            if not names:
                raise ValueError("must have no braces: nothing is put into it")
            wanted = " and ".join(f"{{{name}}}" for name in names)
            raise ValueError(f"must have {wanted} once and no other braces")
        if not sentence.strip() or "\n" in sentence:
            raise ValueError("must be one line that is not blank")
        return sentence

    return check


def _version(text: str) -> str:
    if re.fullmatch(r"[0-9]{1,6}\.[0-9]{1,6}\.[0-9]{1,6}", text) is None:
        raise ValueError(f'must be three numbers with points between, like 1.0.0, not "{text[:80]}"')
    return text


Fixed = Annotated[str, AfterValidator(_with_places()), Field(max_length=300)]
OfText = Annotated[str, AfterValidator(_with_places("text")), Field(max_length=300)]
OfClaim = Annotated[str, AfterValidator(_with_places("claim")), Field(max_length=300)]
OfNumber = Annotated[str, AfterValidator(_with_places("number", "type")), Field(max_length=300)]
Mark = Annotated[str, Field(min_length=2, max_length=60)]
Marks = Annotated[tuple[Mark, ...], Field(min_length=1, max_length=100)]


class Bounds(BaseModel):
    """How much of the material and of a model's text is used, in code points; `min_cover` is a share."""

    model_config = _STRICT

    max_item_chars: int = Field(ge=100, le=2_000)
    max_items: int = Field(ge=1, le=100)
    max_model_chars: int = Field(ge=500, le=50_000)
    min_cover: float = Field(ge=0.5, le=1.0)


class Sections(BaseModel):
    """The headings of the four parts."""

    model_config = _STRICT

    confirmed: Fixed
    directions: Fixed
    gaps: Fixed
    next_steps: Fixed


class PassSentences(BaseModel):
    """What opens the parts of a grounded answer."""

    model_config = _STRICT

    opening: Fixed
    inferred: Fixed
    next_steps: Fixed


class LowConfidSentences(BaseModel):
    """How an uncertain answer words what is not observed."""

    model_config = _STRICT

    inferred: OfText
    direction: OfText


class RejectSentences(BaseModel):
    """How a degraded answer opens, and what it advises."""

    model_config = _STRICT

    opening: Fixed
    next_steps: Annotated[tuple[Fixed, ...], Field(min_length=1, max_length=10)]


class GapSentences(BaseModel):
    """A gap for each label, with the claim."""

    model_config = _STRICT

    overstated: OfClaim
    unsupported: OfClaim
    external_unknown: OfClaim
    contradicted: OfClaim


class GapSentencesWithoutText(BaseModel):
    """A gap for each label, where the claim may not be repeated: its place among the claims and its type."""

    model_config = _STRICT

    overstated: OfNumber
    unsupported: OfNumber
    external_unknown: OfNumber
    contradicted: OfNumber


class ClaimTypeNames(BaseModel):
    """What the types of claims are called."""

    model_config = _STRICT

    symptom: Fixed
    root_cause: Fixed
    impact: Fixed
    risk: Fixed
    observation: Fixed
    negative_observation: Fixed
    change: Fixed
    knowledge: Fixed
    other: Fixed


class Sentences(BaseModel):
    """Everything that is said in one language."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, populate_by_name=True)

    sections: Sections
    grounded: PassSentences = Field(alias="pass")
    low_confid: LowConfidSentences
    reject: RejectSentences
    nothing: Sections
    unreadable: Fixed
    not_checked: Fixed
    gaps: GapSentences
    gaps_without_text: GapSentencesWithoutText
    claim_types: ClaimTypeNames

    def gap(self, label: Verification, claim_text: str) -> str:
        """Returns the gap that a claim leaves; the label is one that is no support."""
        sentence: str = getattr(self.gaps, label.value)
        return sentence.format(claim=claim_text)

    def gap_without_text(self, label: Verification, index: int, claim_type: str) -> str:
        """Returns the gap that a claim leaves, without a word that a model wrote; `index` is from 0."""
        sentence: str = getattr(self.gaps_without_text, label.value)
        known = known_claim_type(claim_type, tuple(ClaimTypeNames.model_fields)) or _OTHER
        name: str = getattr(self.claim_types, known)
        return sentence.format(number=index + 1, type=name)


class Languages(BaseModel):
    """The sentences of each language."""

    model_config = _STRICT

    zh: Sentences
    en: Sentences

    def of(self, language: Language) -> Sentences:
        """Returns the sentences of a language."""
        return self.zh if language is Language.ZH else self.en


class CauseMarks(BaseModel):
    """Words that make a sentence one of a cause."""

    model_config = _STRICT

    zh: Marks
    en: Marks

    def pattern(self) -> re.Pattern[str]:
        """Returns what finds one of them; English ones as whole words, in whatever letter case."""
        english, chinese = (
            "|".join(map(re.escape, sorted(marks, key=len, reverse=True))) for marks in (self.en, self.zh)
        )
        return re.compile(rf"\b(?:{english})\b|{chinese}", re.IGNORECASE)


class ComposerFile(BaseModel):
    """`composer.yaml`."""

    model_config = _STRICT

    version: Annotated[str, AfterValidator(_version)]
    bounds: Bounds
    cause_marks: CauseMarks
    contract_words: Marks
    languages: Languages
