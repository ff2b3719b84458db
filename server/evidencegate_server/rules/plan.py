"""Makes the chain ready for one rule set, once for many requests."""

from __future__ import annotations

from functools import cache
from typing import Final, cast

from evidencegate_server.rules.chain import CHAIN, CLAIM_CONTRACT_KEPT, Chain, Step
from evidencegate_server.rules.evidence_excerpt_mismatch import ExcerptMismatch, ExcerptMismatchParameters
from evidencegate_server.rules.model import BindingStep, RuleEntry, RuleSet
from evidencegate_server.rules.schema_executor_v2 import SchemaExecutorV2, SchemaExecutorV2Parameters
from evidencegate_server.rules.scope_narrow_claims import NarrowClaims
from evidencegate_server.words import Outcome


@cache
def binding_step(step: str, rule_id: str, outcome: Outcome) -> BindingStep:
    """Returns the one record of a step's outcome: there are few of them, and each binding needs eleven."""
    return BindingStep(step, rule_id, outcome)


class Stage:
    """A step with what the catalog says of its rules, and the records of its usual outcomes."""

    __slots__ = ("checks", "index", "name", "passed", "skipped")

    def __init__(self, index: int, step: Step, entries: dict[str, RuleEntry]) -> None:
        self.index = index
        self.name = step.name
        self.checks = tuple(
            (check.run, entries[check.rule.id].parameters, entries[check.rule.id]) for check in step.checks
        )
        own = step.checks[-1].rule.id
        self.passed = binding_step(step.name, own, Outcome.PASS)
        self.skipped = binding_step(step.name, own, Outcome.NOT_APPLICABLE)


class Plan:
    """A chain and a rule set, put together. Immutable once made, so threads may share it.

    Raises KeyError for a rule set that lacks one of the chain's rules; the catalog's loader lets none through.
    """

    __slots__ = (
        "all_passed",
        "can_settle_at_once",
        "chain",
        "contract_entry",
        "contract_kept",
        "limits",
        "locate",
        "max_compared_characters",
        "narrow_scope_entry",
        "resolve",
        "rule_set",
        "stages",
        "status",
    )

    def __init__(self, rule_set: RuleSet, chain: Chain) -> None:
        entries = {entry.id: entry for entry in rule_set.entries}
        steps = (*chain.resolve, *chain.locate, chain.invocation_status)
        self.rule_set = rule_set
        self.chain = chain
        self.stages = tuple(Stage(index, step, entries) for index, step in enumerate(steps))
        self.resolve = self.stages[: len(chain.resolve)]
        self.locate = self.stages[len(chain.resolve) : -1]
        self.status = self.stages[-1:]
        self.contract_entry = entries[SchemaExecutorV2.id]
        self.narrow_scope_entry = entries[NarrowClaims.id]
        self.limits = cast(SchemaExecutorV2Parameters, self.contract_entry.parameters)
        mismatch = cast(ExcerptMismatchParameters, entries[ExcerptMismatch.id].parameters)
        self.max_compared_characters = mismatch.max_compared_characters
        self.contract_kept = binding_step(CLAIM_CONTRACT_KEPT, SchemaExecutorV2.id, Outcome.PASS)
        self.all_passed = (*(stage.passed for stage in self.stages), self.contract_kept)
        self.can_settle_at_once = chain is CHAIN  # `usual` knows what that one's checks want


class _Latest:
    plan: Plan | None = None


_LATEST: Final = _Latest()


def plan_of(rule_set: RuleSet, chain: Chain) -> Plan:
    """Returns the plan of a rule set. The latest one is kept, since a server asks for the same again and again."""
    plan = _LATEST.plan
    if plan is None or plan.rule_set is not rule_set or plan.chain is not chain:
        plan = _LATEST.plan = Plan(rule_set, chain)
    return plan
