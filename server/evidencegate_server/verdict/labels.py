"""Orders the labels and the verdicts, and maps labels to the older facts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from evidencegate_server.words import FactVerification, Verdict, Verification

# From the strongest to the weakest. A cap moves a label down this list and never up.
_LABELS: Final = (
    Verification.DIRECT_OBSERVATION,
    Verification.REASONABLE_INFERENCE,
    Verification.OVERSTATED,
    Verification.UNSUPPORTED,
    Verification.EXTERNAL_UNKNOWN,
    Verification.CONTRADICTED,
)
_LABEL_RANK: Final = {label: rank for rank, label in enumerate(_LABELS)}

_VERDICTS: Final = (Verdict.PASS, Verdict.LOW_CONFID, Verdict.REJECT)
_VERDICT_RANK: Final = {verdict: rank for rank, verdict in enumerate(_VERDICTS)}

SUPPORTED: Final = frozenset({Verification.DIRECT_OBSERVATION, Verification.REASONABLE_INFERENCE})

FACT_OF: Final = {
    Verification.DIRECT_OBSERVATION: FactVerification.DIRECT_EVIDENCE,
    Verification.REASONABLE_INFERENCE: FactVerification.INDIRECT_SUPPORT,
    Verification.OVERSTATED: FactVerification.INDIRECT_SUPPORT,
    Verification.UNSUPPORTED: FactVerification.NO_EVIDENCE,
    Verification.EXTERNAL_UNKNOWN: FactVerification.NO_EVIDENCE,
    Verification.CONTRADICTED: FactVerification.CONTRADICTED,
}


def at_best(label: Verification, cap: Verification) -> Verification:
    """Returns the label, or the cap where the label is stronger."""
    return cap if _LABEL_RANK[label] < _LABEL_RANK[cap] else label


def stronger(label: Verification, other: Verification) -> Verification:
    """Returns the stronger of the two labels."""
    return label if _LABEL_RANK[label] < _LABEL_RANK[other] else other


def lowest(verdicts: Iterable[Verdict]) -> Verdict:
    """Returns the lowest of the verdicts; raises ValueError for none."""
    return max(verdicts, key=_VERDICT_RANK.__getitem__)


def lower(verdict: Verdict, cap: Verdict) -> Verdict:
    """Returns the lower of the two."""
    return cap if _VERDICT_RANK[cap] > _VERDICT_RANK[verdict] else verdict
