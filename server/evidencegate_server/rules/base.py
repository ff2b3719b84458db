"""Says what a rule is: an ID, a model of its parameters, and checks that only look.

A check returns the faults that it found, none where all is well, or NOT_APPLICABLE where it does not concern its
case. Checks are pure and total: no state, no clock, the same answer for the same case. Whether a fault counts, and how
much, stands in the catalog alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, ClassVar, Final, Literal, TypeAlias

from evidencegate_server.contract.model import Binding, Claim
from evidencegate_server.evidence.model import EvidenceRef, Invocation
from evidencegate_server.excerpts.model import ExcerptMatch
from evidencegate_server.rules.model import Fault, RuleParameters

if TYPE_CHECKING:
    from evidencegate_server.rules.comparing import Comparer
    from evidencegate_server.rules.texts import SearchableEvidence

QUOTED_CODE_POINTS: Final = 200  # enough to recognise a quotation by; a finding must not carry a whole log


class _Inapplicable(Enum):
    NOT_APPLICABLE = "not applicable"


NOT_APPLICABLE: Final = _Inapplicable.NOT_APPLICABLE
Checked: TypeAlias = tuple[Fault, ...] | Literal[_Inapplicable.NOT_APPLICABLE]
PASSED: Final[tuple[Fault, ...]] = ()


class CheckNotRunError(Exception):
    """Occurs where a check cannot be made for a reason of its own; its text quotes no evidence and may be shown."""


class NoParameters(RuleParameters):
    """The parameters of a rule that has none."""


class Rule:
    """The base of every rule. Instances hold nothing; the checks are the methods that the chain names."""

    __slots__ = ()
    id: ClassVar[str]
    Parameters: ClassVar[type[RuleParameters]] = NoParameters
    warns: ClassVar[bool] = False  # its faults are warnings and lower nothing; its severity is none


@dataclass(slots=True)
class BindingCase:
    """What the chain knows of one binding so far.

    The fields are filled as the chain goes on: `invocation` once one was found, with the `ref` at the binding's path
    where there is one, and `match` by the comparison, which leaves it empty for a blank excerpt.
    """

    claim: Claim
    binding: Binding
    evidence: SearchableEvidence
    comparer: Comparer
    same_tool: tuple[Invocation, ...] = field(default=())
    invocation: Invocation | None = None
    ref: EvidenceRef | None = None
    match: ExcerptMatch | None = None


def quote(text: str) -> str:
    """Returns a text short enough for a finding: the beginning, with an ellipsis where something was left out."""
    return text if len(text) <= QUOTED_CODE_POINTS else text[: QUOTED_CODE_POINTS - 1] + "…"
