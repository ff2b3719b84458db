"""Makes up what a client goes on with when the service cannot be reached, marked as such and never a PASS."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

from evidencegate.v1.catalog_pb2 import SEVERITY_NONE
from evidencegate.v1.evaluation_pb2 import (
    EVALUATION_SOURCE_CLIENT_FALLBACK,
    ROUTE_COMPOSE_WITH_UNCERTAINTY,
    VERDICT_LOW_CONFID,
    Evaluation,
)
from evidencegate.v1.gatekeeper_pb2 import GATEKEEPER_STATUS_PASS, GatekeeperResult
from evidencegate.v1.prompt_pb2 import (
    PROMPT_ROLE_COMPOSER,
    PROMPT_ROLE_EXECUTOR,
    PROMPT_ROLE_PLANNER,
    PROMPT_ROLE_VERIFIER,
    PromptAudit,
    PromptRole,
    PromptVersion,
)
from evidencegate.v1.text_pb2 import Notice

# The form of an evaluation that this client knows, which the service writes as well.
TRACEABILITY_VERSION = "evaluation_v1"

# The catalog that this client was released with. No server says which one is in use when none can be reached.
DEFAULT_RULE_SET_VERSION = "1.0.0"
DEFAULT_PROMPTS = tuple(
    PromptVersion(role=role, name=PromptRole.Name(role).removeprefix("PROMPT_ROLE_").lower(), version="1.0.0")
    for role in (PROMPT_ROLE_PLANNER, PROMPT_ROLE_EXECUTOR, PROMPT_ROLE_VERIFIER, PROMPT_ROLE_COMPOSER)
)

# Shown instead of the executor's answer: nothing of it was checked, so nothing of it is repeated.
_SAFE_TEXTS = MappingProxyType(
    {
        "zh": (
            "本次诊断的结论暂时无法核验：证据校验服务没有响应。"
            "为避免误导，这里不展示未经核验的内容。请稍后重试，或直接查看原始日志和监控数据。"
        ),
        "en": (
            "The findings of this diagnosis could not be checked: the service that compares them with the evidence did "
            "not answer. Nothing unchecked is shown here. Please try again later, or look at the logs and metrics "
            "themselves."
        ),
    }
)


def safe_text(language: str = "zh") -> str:
    """Returns what the user may read when nothing was judged, in Chinese (`zh`) or English (`en`)."""
    try:
        return _SAFE_TEXTS[language]
    except KeyError:
        raise ValueError(f"no text in {language!r}; there is {', '.join(sorted(_SAFE_TEXTS))}") from None


def fallback_gatekeeper_result(rule_set_version: str = DEFAULT_RULE_SET_VERSION) -> GatekeeperResult:
    """Returns the result that stands in for the Gatekeeper's: a pass that is marked as fallback, with no rules."""
    return GatekeeperResult(
        status=GATEKEEPER_STATUS_PASS,
        severity=SEVERITY_NONE,
        warnings=[
            Notice(
                id="gatekeeper.fallback",
                message="The Gatekeeper could not be reached, so no rule has looked at this output.",
            )
        ],
        rule_set_version=rule_set_version,
        fallback=True,
    )


def fallback_evaluation(round_number: int, prompts_used: Iterable[PromptVersion] = ()) -> Evaluation:
    """Returns the evaluation that stands in for the Verifier's: LOW_CONFID, score 0, no label, in either round.

    The user is shown `safe_text` and no claim of the executor's.
    """
    used = list(prompts_used)
    return Evaluation(
        verdict=VERDICT_LOW_CONFID,
        engine_verdict=VERDICT_LOW_CONFID,
        groundedness_score=0.0,
        route=ROUTE_COMPOSE_WITH_UNCERTAINTY,
        rationale="The Verifier could not be reached: nothing was judged, and no claim may be shown as confirmed.",
        warnings=[Notice(id="judge.fallback", message="The Verifier could not be reached, so no claim has a label.")],
        prompt_audit=PromptAudit(
            version=DEFAULT_RULE_SET_VERSION, prompts=DEFAULT_PROMPTS, declared=bool(used), prompts_used=used
        ),
        traceability_version=TRACEABILITY_VERSION,
        source=EVALUATION_SOURCE_CLIENT_FALLBACK,
        round=round_number,
    )
