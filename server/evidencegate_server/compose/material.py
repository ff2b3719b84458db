"""Says what of an evaluation an answer may say. Computed from labels alone: nothing that a model wrote about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from evidencegate_server.compose.templates import Bounds, ComposerFile
from evidencegate_server.compose.text import one_line
from evidencegate_server.contract.claim_types import is_claim_type
from evidencegate_server.contract.model import ExecutorOutput, SideItem
from evidencegate_server.contract.records import record
from evidencegate_server.evidence.model import Invocation
from evidencegate_server.judge.facts import Fact, FactReader
from evidencegate_server.trace.level import evidence_level
from evidencegate_server.verdict.labels import SUPPORTED
from evidencegate_server.verdict.material import AllowedMaterial, MaterialGap, MaterialItem, WithheldItem
from evidencegate_server.verdict.model import ClaimCheck
from evidencegate_server.words import EvidenceKind, EvidenceLevel, Language, Verdict, Verification

_ROOT_CAUSE: Final = "root_cause"
_DIRECTION: Final = "direction"
_NEXT_STEP: Final = "next_step"
_MOST_QUOTE_CHARS: Final = 200
_MOST_ITEMS_READ: Final = 100  # of hypotheses and of actions: more of them no answer can hold


@record
class Seen:
    """What items may name: the query, and what observations returned."""

    texts: tuple[str, ...]

    @classmethod
    def of(cls, query: str, invocations: Iterable[Invocation]) -> Seen:
        """Returns the texts of a session; the kinds of its refs are resolved."""
        return cls((query, *(text for call in invocations for text in _observed(call))))


def allowed_material(
    verdict: Verdict,
    checks: Sequence[ClaimCheck],
    output: ExecutorOutput | None,
    seen: Seen,
    composer: ComposerFile,
    reader: FactReader,
) -> AllowedMaterial:
    """Returns the material of an evaluation."""
    bounds = composer.bounds
    may_direct, may_advise = verdict is Verdict.LOW_CONFID, verdict is not Verdict.REJECT
    claims = claim_material(verdict, checks, composer)
    if output is None:
        return claims
    hypotheses, actions = _lines(output.hypotheses, bounds), _lines(output.recommended_actions, bounds)
    asked = list(dict.fromkeys(text for _, text in (*hypotheses, *actions)))
    unseen = dict(zip(asked, reader.unseen(asked, seen.texts), strict=True))
    directions = _SideItems(_DIRECTION, may_direct, unseen, bounds.max_items)
    next_steps = _SideItems(_NEXT_STEP, may_advise, unseen, bounds.max_items)
    return AllowedMaterial(
        confirmed=claims.confirmed,
        inferred=claims.inferred,
        gaps=claims.gaps,
        directions=directions.shown(hypotheses),
        next_steps=next_steps.shown(actions),
        withheld=(*directions.withheld, *next_steps.withheld),
    )


def claim_material(verdict: Verdict, checks: Sequence[ClaimCheck], composer: ComposerFile) -> AllowedMaterial:
    """Returns what the claims give. Beside REJECT no inference, no root cause and no text of a gap is left.

    The text of a gap is left out as well where it names what occurs nowhere in the session: an answer that repeats a
    made-up name spreads it.
    """
    rejected = verdict is Verdict.REJECT
    bound = composer.bounds.max_item_chars
    return AllowedMaterial(
        confirmed=tuple(
            _item(check, bound)
            for check in checks
            if check.verification is Verification.DIRECT_OBSERVATION
            and not (rejected and is_claim_type(check.claim_type, _ROOT_CAUSE))
        ),
        inferred=tuple(
            _item(check, bound)
            for check in checks
            if check.verification is Verification.REASONABLE_INFERENCE and not rejected
        ),
        gaps=tuple(
            _gap(check, composer, with_text=not rejected and not check.fabricated_identifiers)
            for check in checks
            if check.verification not in SUPPORTED
        ),
    )


def _item(check: ClaimCheck, max_chars: int) -> MaterialItem:
    return MaterialItem(check.index, one_line(check.claim_text, max_chars), check.claim_id, check.claim_type)


def _gap(check: ClaimCheck, composer: ComposerFile, *, with_text: bool) -> MaterialGap:
    text = one_line(check.claim_text, composer.bounds.max_item_chars) if with_text else ""

    def sentence(language: Language) -> str:
        sentences = composer.languages.of(language)
        if text:
            return sentences.gap(check.verification, text)
        return sentences.gap_without_text(check.verification, check.index, check.claim_type)

    return MaterialGap(
        index=check.index,
        claim_id=check.claim_id,
        is_critical=check.is_critical,
        verification=check.verification,
        claim_text=text,
        sentences=tuple((language, sentence(language)) for language in Language),
    )


def _lines(items: Sequence[SideItem], bounds: Bounds) -> tuple[tuple[int, str], ...]:
    """Returns the first items that say something, each as one line, with their places."""
    lines = ((item.index, one_line(item.text or "", bounds.max_item_chars)) for item in items[:_MOST_ITEMS_READ])
    return tuple((index, text) for index, text in lines if text)


class _SideItems:
    """Chooses among hypotheses or actions those that name nothing from outside the session."""

    def __init__(self, kind: str, may_show: bool, unseen: Mapping[str, Sequence[Fact]], max_items: int) -> None:
        self._kind = kind
        self._may_show = may_show
        self._unseen = unseen
        self._max_items = max_items
        self.withheld: list[WithheldItem] = []

    def shown(self, lines: Sequence[tuple[int, str]]) -> tuple[MaterialItem, ...]:
        """Returns the items that may be said, as many as the bound allows, and notes why others may not."""
        found: list[MaterialItem] = []
        for index, text in lines:
            why = self._why_withheld(text, len(found))
            if why is None:
                found.append(MaterialItem(index, text))
            else:
                self.withheld.append(WithheldItem(self._kind, index, *why))
        return tuple(found)

    def _why_withheld(self, text: str, found: int) -> tuple[str, str] | None:
        if not self._may_show:
            return "verdict", ""
        if found == self._max_items:
            return "bound", ""
        unknown = self._unseen[text]
        return (f"unknown_{unknown[0].kind}", unknown[0].quote[:_MOST_QUOTE_CHARS]) if unknown else None


def _observed(call: Invocation) -> Iterable[str]:
    if evidence_level(call) is not EvidenceLevel.OBSERVATION:
        return
    yield call.output
    for ref in call.refs:
        if ref.kind is EvidenceKind.OBSERVATION:
            yield ref.text
