"""Judges one executor output: the checks, the labels, the verdict and what to do next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from evidencegate_server.catalog.model import Catalog
from evidencegate_server.compose.material import Seen, allowed_material
from evidencegate_server.contract.claim_types import known_claim_type
from evidencegate_server.contract.executor_v1 import user_facing_answer
from evidencegate_server.contract.model import Claim, ExecutorOutput, Notice
from evidencegate_server.contract.records import record
from evidencegate_server.contract.verifier_output import parse_verifier_output
from evidencegate_server.evidence.model import Invocation
from evidencegate_server.judge.cases import claim_cases
from evidencegate_server.judge.deterministic import DeterministicEngine
from evidencegate_server.judge.facts import FactReader
from evidencegate_server.judge.identifiers import find_fabricated
from evidencegate_server.judge.model import AuditFact, JudgeEngine, JudgeView, RetryContext
from evidencegate_server.judge.supplied import SuppliedEngine
from evidencegate_server.judge.unclaimed import UnclaimedReader
from evidencegate_server.use_cases.errors import EngineUnavailableError, InvalidRequestError
from evidencegate_server.use_cases.handed_in import HandedInResult, compare
from evidencegate_server.use_cases.model_judge import MODEL_ENGINES, AsksModel, ModelJudge
from evidencegate_server.use_cases.summarize import summarize_for
from evidencegate_server.use_cases.validate import Validated, ValidationInput, validate
from evidencegate_server.use_cases.written import Written
from evidencegate_server.verdict.evaluate import evaluate
from evidencegate_server.verdict.model import Evaluation, PromptAudit, PromptVersion
from evidencegate_server.words import Engine, OutputVariant

REPLACEMENT_CHARACTER: Final = "input.replacement_character"
RETRY_CONTEXT_MISSING: Final = "judge.retry_context_missing"
UNKNOWN_CLAIM_TYPE: Final = "judge.unknown_claim_type"
VERIFIER_OUTPUT_IGNORED: Final = "judge.verifier_output_ignored"
MODEL_PROFILE_IGNORED: Final = "judge.model_profile_ignored"
ROUNDS: Final = (1, 2)

_MAX_UNKNOWN_TYPES: Final = 20  # more of them tell a reader nothing new


@record
class VerifierText:
    """What a caller's verifier model wrote. `content` is None where the caller named the field and gave no text."""

    content: str | bytes | None


@record
class JudgeInput:
    """What is judged. It has no place for a planner's or executor's reasoning or for conversation history.

    `gatekeeper_result` may be left out: the checks always run here too. `prompts_used` is None where the caller
    declared nothing. `model_profile` names the model of the engines that ask one, the default where it is empty.
    """

    round: int
    original_query: str
    output_variant: OutputVariant
    output: str | bytes | None
    invocations: tuple[Invocation, ...]
    gatekeeper_result: HandedInResult | None = None
    retry_context: RetryContext | None = None
    engine: Engine = Engine.DETERMINISTIC
    verifier_output: VerifierText | None = None
    narrow_question: bool = False
    prompts_used: tuple[PromptVersion, ...] | None = None
    model_profile: str = ""


class Judgement(AsksModel):
    """A judgement in the making. Where `needs_model`, a model is asked between `prompt` and `finish`."""

    def __init__(self, request: JudgeInput, catalog: Catalog, validated: Validated) -> None:
        self._request = request
        self._catalog = catalog
        warnings = _warnings(request)
        gatekeeper = validated.result
        if request.gatekeeper_result is not None:
            warnings += compare(request.gatekeeper_result, gatekeeper)
            if request.gatekeeper_result.fallback:
                gatekeeper = replace(gatekeeper, fallback=True)
        output = validated.parsed.output
        cases = () if output is None else claim_cases(output, gatekeeper, validated.index)
        claims = [case.claim for case in cases]
        self._warnings = warnings + _unknown_claim_types(claims, catalog.claim_types)
        # As the checks saw them: with the kinds decided that the caller left open.
        invocations = validated.index.invocations
        self.view = JudgeView(
            original_query=request.original_query,
            final_answer=validated.parsed.final_answer,
            output=output,
            parse_report=validated.parsed.report,
            trace=summarize_for(invocations, cases, request.original_query, catalog),
            gatekeeper=gatekeeper,
            retry_context=request.retry_context,
            cases=cases,
            invocations=invocations,
        )
        self._code = _ENGINES[Engine.DETERMINISTIC](request, catalog).judge(self.view)
        if request.engine is not Engine.DETERMINISTIC:  # whose warnings come with its labels
            self._warnings += self._code.warnings
        self._found = find_fabricated(claims, invocations, request.original_query, catalog.lexicon.identifiers)
        super().__init__(ModelJudge(request.engine, self.view, self._code, self._found, catalog))

    def finish(self, written: Written | None = None) -> Evaluation:
        """Returns the evaluation; `written` is what the server's model gave, None where it was not asked."""
        view, catalog, request = self.view, self._catalog, self._request
        if request.engine is Engine.DETERMINISTIC:
            result, code = self._code, None
        elif request.engine is Engine.SUPPLIED:
            result, code = _ENGINES[Engine.SUPPLIED](request, catalog).judge(view), self._code
        else:
            result, code = self._model.result(written), self._code
        output = view.output
        answer = "" if output is None else user_facing_answer(output)
        evaluation = evaluate(
            view,
            result,
            catalog.verdict,
            fabricated=self._found.names,
            not_examined=self._found.not_examined,
            prompt_audit=PromptAudit(catalog.prompts.version, catalog.prompts.versions(), request.prompts_used),
            round_number=request.round,
            warnings=self._warnings,
            unclaimed=_unclaimed(answer, output, request.original_query, catalog),
            code=code,
            model_use=None if written is None else written.use,
        )
        material = allowed_material(
            evaluation.verdict,
            evaluation.claim_checks,
            view.output,
            Seen.of(request.original_query, view.invocations),
            catalog.composer,
            FactReader(catalog.lexicon),
        )
        return replace(evaluation, allowed_material=material)


def prepare(request: JudgeInput, catalog: Catalog, validated: Validated | None = None) -> Judgement:
    """Returns the judgement in the making.

    `validated` spares the checks where the caller has just run them on the same request. Raises InvalidRequestError
    for a round that is not 1 or 2, a retry context in round 1 and an engine without what it needs, and
    GatekeeperResultMismatchError for a handed-in result that does not belong here. What a model wrote never raises.
    """
    _check_request(request)
    if validated is None:
        validated = validate(
            ValidationInput(request.output_variant, request.output, request.invocations, request.narrow_question),
            catalog,
        )
    return Judgement(request, catalog, validated)


def judge(request: JudgeInput, catalog: Catalog, validated: Validated | None = None) -> Evaluation:
    """Returns the evaluation of one executor output, by an engine that asks nobody.

    Raises as `prepare` does, and EngineUnavailableError for an engine that asks a model.
    """
    _check_request(request)
    if request.engine in MODEL_ENGINES:
        raise EngineUnavailableError(
            f"the engine {request.engine.value} asks a model, and none is at hand; use deterministic or supplied",
            {"engine": request.engine.value},
        )
    return prepare(request, catalog, validated).finish()


def _unclaimed(answer: str, output: ExecutorOutput | None, query: str, catalog: Catalog) -> tuple[AuditFact, ...]:
    """Returns what an answer of the older contract tells beside its claims."""
    if not answer or output is None:
        return ()
    composer = catalog.composer
    reader = UnclaimedReader(catalog.lexicon, composer.cause_marks.pattern(), composer.bounds.min_cover)
    return reader.unclaimed(answer, output, query)


def _check_request(request: JudgeInput) -> None:
    if request.round not in ROUNDS:
        raise InvalidRequestError.of("round", f"must be 1 or 2, not {request.round}")
    if request.round == 1 and request.retry_context is not None:
        raise InvalidRequestError.of("retry_context", "belongs to round 2; leave it out in round 1")
    if request.engine is Engine.SUPPLIED and request.verifier_output is None:
        raise InvalidRequestError.of("verifier_output", "the engine supplied needs what the verifier model wrote")


def _warnings(request: JudgeInput) -> tuple[Notice, ...]:
    warnings: list[Notice] = []
    if "\ufffd" in request.original_query:
        warnings.append(
            Notice(REPLACEMENT_CHARACTER, "The query holds U+FFFD: a character of it was lost before it came here.")
        )
    if request.round > 1 and request.retry_context is None:
        warnings.append(Notice(RETRY_CONTEXT_MISSING, "Round 2 came without the retry context that round 1 gave."))
    if request.engine is not Engine.SUPPLIED and request.verifier_output is not None:
        warnings.append(
            Notice(
                VERIFIER_OUTPUT_IGNORED,
                f"The verifier output was not read: the engine is {request.engine.value}, not supplied.",
            )
        )
    if request.model_profile and request.engine not in MODEL_ENGINES:
        warnings.append(Notice(MODEL_PROFILE_IGNORED, f"No model was asked: the engine is {request.engine.value}."))
    return tuple(warnings)


def _unknown_claim_types(claims: Sequence[Claim], known: tuple[str, ...]) -> tuple[Notice, ...]:
    """Returns a warning for each type that the catalog does not know, at the first claim of it.

    Types are open, so nothing is wrong with one; but a misspelled `root_cause` counts for less than its author meant.
    """
    first: dict[str, Claim] = {}
    for claim in claims:
        if claim.claim_type.strip() and known_claim_type(claim.claim_type, known) is None:
            first.setdefault(claim.claim_type, claim)
    return tuple(
        Notice(
            UNKNOWN_CLAIM_TYPE,
            f"The catalog does not know the claim type '{name if len(name) <= 80 else name[:79] + '…'}', so a claim of "
            "it is not critical beside one that is.",
            f"{claim.place}.claim_type",
        )
        for name, claim in list(first.items())[:_MAX_UNKNOWN_TYPES]
    )


def _deterministic(_request: JudgeInput, catalog: Catalog) -> JudgeEngine:
    return DeterministicEngine(catalog.lexicon)


def _supplied(request: JudgeInput, catalog: Catalog) -> JudgeEngine:
    assert request.verifier_output is not None
    return SuppliedEngine(parse_verifier_output(request.verifier_output.content, catalog.parsing))


_ENGINES: Final[Mapping[Engine, Callable[[JudgeInput, Catalog], JudgeEngine]]] = {
    Engine.DETERMINISTIC: _deterministic,
    Engine.SUPPLIED: _supplied,
}
