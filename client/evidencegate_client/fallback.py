"""Makes up what a client goes on with when the service cannot be reached, marked as such and never a PASS."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

from evidencegate.v1.catalog_pb2 import SEVERITY_NONE
from evidencegate.v1.composer_pb2 import (
    COMPOSER_WRITER_TEMPLATE,
    FALLBACK_REASON_UNAVAILABLE,
    ComposerOutput,
    ComposerWriter,
)
from evidencegate.v1.evaluation_pb2 import (
    EVALUATION_SOURCE_CLIENT_FALLBACK,
    ROUTE_COMPOSE_WITH_UNCERTAINTY,
    VERDICT_LOW_CONFID,
    Evaluation,
)
from evidencegate.v1.gatekeeper_pb2 import GATEKEEPER_STATUS_PASS, GatekeeperResult
from evidencegate.v1.material_pb2 import LANGUAGE_EN, LANGUAGE_ZH
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

# The version of the texts below, where a result names one.
SAFE_TEXT_VERSION = "client_1"

# Shown instead of the executor's answer: nothing of it was checked, so nothing of it is repeated. The cause is
# `service` where nobody checked it, `diagnosis` where there was nothing to check.
_SAFE_TEXTS = MappingProxyType(
    {
        ("zh", "service"): (
            "本次诊断的结论暂时无法核验：证据校验服务没有响应。"
            "为避免误导，这里不展示未经核验的内容。请稍后重试，或直接查看原始日志和监控数据。"
        ),
        ("en", "service"): (
            "The findings of this diagnosis could not be checked: the service that compares them with the evidence did "
            "not answer. Nothing unchecked is shown here. Please try again later, or look at the logs and metrics "
            "themselves."
        ),
        ("zh", "diagnosis"): (
            "本次诊断没有完成：其中一个步骤出错或超时。"
            "为避免误导，这里不展示未经核验的内容。请稍后重试，或直接查看原始日志和监控数据。"
        ),
        ("en", "diagnosis"): (
            "This diagnosis did not come to an end: one of its steps failed or took too long. Nothing unchecked is "
            "shown here. Please try again later, or look at the logs and metrics themselves."
        ),
    }
)
LANGUAGES = ("zh", "en")
_CAUSES = ("service", "diagnosis")


def safe_text(language: str = "zh", cause: str = "service") -> str:
    """Returns what the user may read when nothing was judged, in Chinese (`zh`) or English (`en`).

    `cause` is `service` where the checking service did not answer, `diagnosis` where planner or executor failed, so
    that there was nothing to check.
    """
    if language not in LANGUAGES:
        raise ValueError(f"no text in {language!r}; there is {', '.join(sorted(LANGUAGES))}")
    if cause not in _CAUSES:
        raise ValueError(f"no text for the cause {cause!r}; there is {', '.join(_CAUSES)}")
    return _SAFE_TEXTS[language, cause]


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
    return Evaluation(
        verdict=VERDICT_LOW_CONFID,
        engine_verdict=VERDICT_LOW_CONFID,
        groundedness_score=0.0,
        route=ROUTE_COMPOSE_WITH_UNCERTAINTY,
        rationale="The Verifier could not be reached: nothing was judged, and no claim may be shown as confirmed.",
        warnings=[Notice(id="judge.fallback", message="The Verifier could not be reached, so no claim has a label.")],
        prompt_audit=_prompt_audit(prompts_used),
        traceability_version=TRACEABILITY_VERSION,
        source=EVALUATION_SOURCE_CLIENT_FALLBACK,
        round=round_number,
    )


def unjudged_evaluation(
    round_number: int, rationale: str, notices: Iterable[Notice], prompts_used: Iterable[PromptVersion] = ()
) -> Evaluation:
    """Returns the evaluation of a round that came to no output, so that there was nothing to judge.

    It has the form of `fallback_evaluation`, with another reason.
    """
    evaluation = fallback_evaluation(round_number, prompts_used)
    evaluation.rationale = rationale
    del evaluation.warnings[:]
    evaluation.warnings.extend(notices)
    return evaluation


def fallback_composer_output(
    *,
    language: str,
    cause: str,
    requested_writer: ComposerWriter,
    detail: str,
    prompts_used: Iterable[PromptVersion] = (),
) -> ComposerOutput:
    """Returns the output that stands in for the Composer's: the safe text, marked as a fallback."""
    return ComposerOutput(
        text=safe_text(language, cause),
        language=LANGUAGE_EN if language == "en" else LANGUAGE_ZH,
        requested_writer=requested_writer,
        writer=COMPOSER_WRITER_TEMPLATE,
        fallback_reason=FALLBACK_REASON_UNAVAILABLE,
        fallback_detail=detail,
        prompt_audit=_prompt_audit(prompts_used),
        template_version=SAFE_TEXT_VERSION,
    )


def _prompt_audit(prompts_used: Iterable[PromptVersion]) -> PromptAudit:
    used = list(prompts_used)
    return PromptAudit(
        version=DEFAULT_RULE_SET_VERSION, prompts=DEFAULT_PROMPTS, declared=bool(used), prompts_used=used
    )
