"""Holds the models of the files that make up a catalog."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator

from evidencegate_server.catalog.model import KNOWN_CLAIM_TYPES, ContractSwitches, Limits
from evidencegate_server.catalog.prompts import VerifierChars
from evidencegate_server.catalog.validate import written_as
from evidencegate_server.contract.policy import ParsingPolicy
from evidencegate_server.trace.policy import ToolRegistry, TracePolicy
from evidencegate_server.verdict.tables import VerdictTables
from evidencegate_server.words import Severity

_STRICT = ConfigDict(frozen=True, extra="forbid", strict=True)


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be blank")
    return text.strip()


Sentence = Annotated[str, AfterValidator(_not_blank), Field(max_length=2_000)]
Version = Annotated[
    str,
    AfterValidator(
        written_as(
            r"[0-9A-Za-z][0-9A-Za-z._+-]{0,63}", "begin with a letter or digit and hold only letters, digits and ._+-"
        )
    ),
]


class PromptSettings(BaseModel):
    """The version of the prompts as a whole, and how much the server's own verifier model is given."""

    model_config = _STRICT

    version: Version
    verifier_chars: VerifierChars = VerifierChars()


class CatalogFile(BaseModel):
    """`catalog.yaml`: everything that is no rule, no word list and no prompt. Every section must be there."""

    model_config = _STRICT

    rule_set_version: Version
    parsing: ParsingPolicy
    limits: Limits
    contracts: ContractSwitches
    claim_types: tuple[str, ...]
    tools: ToolRegistry
    trace: TracePolicy
    verdict: VerdictTables
    prompts: PromptSettings

    @field_validator("claim_types")
    @classmethod
    def _keep_known_types(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        missing = [name for name in KNOWN_CLAIM_TYPES if name not in names]
        if missing:
            raise ValueError(f"lacks {', '.join(missing)}, which the engine gives a meaning to")
        repeated = sorted({name for name in names if names.count(name) > 1})
        if repeated:
            raise ValueError(f"names {', '.join(repeated)} more than once")
        return names


class RuleFile(BaseModel):
    """`<group>/<name>.yaml`: one rule. `parameters` are fitted to the rule's own model afterwards."""

    model_config = _STRICT

    id: str
    version: int = Field(ge=1, le=1_000_000)
    severity: Literal[Severity.LOW_CONFID, Severity.REJECT]
    status: Literal["experimental", "stable", "deprecated"]
    replaced_by: str | None = None
    enabled: bool
    description: Sentence
    why: Sentence
    fix: Sentence
    parameters: dict[str, Any]


class WarningRuleFile(RuleFile):
    """The same for a rule that only warns: its severity is none, which no other rule may have."""

    severity: Literal[Severity.NONE]  # type: ignore[assignment]

    @field_validator("severity", mode="before")
    @classmethod
    def _counts_for_nothing(cls, severity: object) -> object:
        if severity in (Severity.LOW_CONFID.value, Severity.REJECT.value):
            raise ValueError(f'must be none, as this rule only warns, not "{severity}"')
        return severity
