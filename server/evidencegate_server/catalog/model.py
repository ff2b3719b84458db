"""Holds the catalog as the engine uses it: one frozen object, so that a request sees one catalog whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field

from evidencegate_server.contract.policy import ParsingPolicy
from evidencegate_server.rules.model import RuleSet
from evidencegate_server.trace.policy import ToolRegistry, TracePolicy
from evidencegate_server.verdict.tables import VerdictTables

if TYPE_CHECKING:
    from evidencegate_server.catalog.prompts import PromptCatalog
    from evidencegate_server.compose.templates import ComposerFile
    from evidencegate_server.excerpts.policy import ExcerptPolicy
    from evidencegate_server.lexicon.model import Lexicon
    from evidencegate_server.text.masking_policy import MaskingPolicy

KNOWN_CLAIM_TYPES: tuple[str, ...] = (
    "symptom",
    "root_cause",
    "impact",
    "risk",
    "observation",
    "negative_observation",
    "change",
    "knowledge",
)
"""The claim types that code gives a meaning to; every catalog knows them."""

_STRICT = ConfigDict(frozen=True, extra="forbid", strict=True)


class StoreLimits(BaseModel):
    """How much one write to the store may hold, in UTF-8 bytes; more is an error of the call.

    An input over its bound is no error: it is not kept, and the answer says so.
    """

    model_config = _STRICT

    max_rule_evaluation_bytes: int = Field(default=1_048_576, ge=1_024, le=8_388_608)
    max_evaluation_bytes: int = Field(default=8_388_608, ge=65_536, le=16_777_216)
    max_composer_output_bytes: int = Field(default=262_144, ge=1_024, le=1_048_576)
    max_input_bytes: int = Field(default=8_388_608, ge=1_024, le=12_582_912)


class Limits(BaseModel):
    """How much one request may hold; more is an error of the call.

    A byte is a UTF-8 byte; the evidence is all inputs, outputs, errors and ref texts together. The upper bounds keep
    one request from holding a worker for seconds.
    """

    model_config = _STRICT

    max_message_bytes: int = Field(default=33_554_432, ge=65_536, le=268_435_456)
    max_invocations: int = Field(default=2_000, ge=1, le=20_000)
    max_refs: int = Field(default=20_000, ge=1, le=200_000)
    max_evidence_bytes: int = Field(default=25_165_824, ge=1_024, le=134_217_728)
    store: StoreLimits = StoreLimits()


class ExecutorV1Switch(BaseModel):
    """The switch of the older executor contract: off, an output of it is `malformed`, `unsupported_version`."""

    model_config = _STRICT

    enabled: bool = False


class ContractSwitches(BaseModel):
    """Which contracts are read beside the current one."""

    model_config = _STRICT

    executor_v1: ExecutorV1Switch = ExecutorV1Switch()


@dataclass(frozen=True, slots=True)
class Catalog:
    """Everything that decides and is data.

    `digest` is the SHA-256 of all of it, in lower-case hex; the rule set carries the same value.
    """

    rule_set: RuleSet
    parsing: ParsingPolicy
    excerpts: ExcerptPolicy
    verdict: VerdictTables
    tools: ToolRegistry
    trace: TracePolicy
    limits: Limits
    contracts: ContractSwitches
    claim_types: tuple[str, ...]
    lexicon: Lexicon
    masking: MaskingPolicy
    prompts: PromptCatalog
    composer: ComposerFile
    digest: str
