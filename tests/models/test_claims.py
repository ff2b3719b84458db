"""Labelled claims through the whole model path, with models that know, believe, make up and babble.

The recorded claims lie beside the project; those of the project itself run wherever it does.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from evidencegate.v1 import evaluation_pb2, executor_output_pb2, invocation_pb2, text_pb2, verifier_pb2
from evidencegate.v1.gatekeeper_pb2 import GATEKEEPER_STATUS_PASS
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.cli.pairs import Pair, read_pairs
from evidencegate_server.contract.claim_types import KNOWLEDGE
from evidencegate_server.words import EvidenceKind, Verification

from tests.models.endpoint import FakeEndpoint, Script, endpoint, models_of
from tests.models.sessions import HYBRID, LLM, labels_of, verifier_text
from tests.service.conftest import Running, serving
from tests.support import CASES
from tests.trace.helpers import shipped

ACCEPTED = frozenset({"direct_observation", "reasonable_inference"})
CODE = evaluation_pb2.JUDGE_ENGINE_DETERMINISTIC
PASS = evaluation_pb2.VERDICT_PASS
SETTLED = ACCEPTED | {"contradicted"}
SAMPLED = 24  # of the recorded claims, in `make test`
AT_ONCE = 4

Model = Callable[[Pair], Script]
NONSENSE = itertools.cycle(
    [
        Script("I am a teapot."),
        Script("[]"),
        Script('{"verdict": "PASS"}'),
        Script(verifier_text({"c1": "direct_observation"})[:-5]),
        Script(verifier_text({"c1": "absolutely_true"})),
        Script(verifier_text({"somebody_else": "direct_observation"})),
        Script(status=500, body=b"{}"),
    ]
)


def truthful(pair: Pair) -> Script:
    """Gives the label that the row expects, with the whole evidence as quotation."""
    return Script(verifier_text({"c1": pair.expected[0]}, note=pair.evidence[0].text))


def believing(pair: Pair) -> Script:
    """Calls every claim observed, with the whole evidence as quotation."""
    return Script(verifier_text({"c1": "direct_observation"}, note=pair.evidence[0].text))


def inventing(pair: Pair) -> Script:
    """Calls every claim observed and quotes what nobody wrote."""
    return Script(verifier_text({"c1": "direct_observation"}, note=f"it is proved that {pair.claim} (seen by me)"))


def babbling(_pair: Pair) -> Script:
    """Gives what no contract has, or a check of a claim that nobody made."""
    return next(NONSENSE)


@dataclass(frozen=True)
class Judged:
    """A row with the evaluation of one engine, and that of code alone."""

    pair: Pair
    evaluation: evaluation_pb2.Evaluation
    by_code: evaluation_pb2.Evaluation

    @property
    def label(self) -> str:
        """The claim's label."""
        return labels_of(self.evaluation)["c1"]

    @property
    def code_label(self) -> str:
        """What code calls it."""
        return labels_of(self.by_code)["c1"]

    @property
    def is_refused(self) -> bool:
        """Whether code refuses the claim whatever an engine says."""
        (check,) = self.by_code.claim_checks
        guided = all(text.kind is EvidenceKind.GUIDANCE for text in self.pair.evidence)
        bindings = self.by_code.gatekeeper_result.bindings
        return (
            bool(check.fabricated_identifiers)
            or (guided and self.pair.claim_type != KNOWLEDGE)
            or not any(binding.verified for binding in bindings)
        )


def request_of(pair: Pair, engine: Any) -> verifier_pb2.JudgeRequest:
    """Returns a session whose calls returned the row's texts, and whose one claim quotes each of them whole."""
    kinds = {EvidenceKind.OBSERVATION: "OBSERVATION", EvidenceKind.GUIDANCE: "GUIDANCE"}
    calls, bindings = [], []
    for number, text in enumerate(pair.evidence, start=1):
        message = invocation_pb2.ToolInvocation(
            id=str(number), tool_name="look", status="INVOCATION_STATUS_SUCCESS", round=1, output=text.text
        )
        kind = f"EVIDENCE_KIND_{kinds[text.kind]}"
        message.retrieval_details.evidence_refs.add(raw_path="output", text=text.text, kind=kind)
        calls.append(message)
        bindings.append(
            {
                "tool_name": "look",
                "source_invocation_id": number,
                "raw_path": "output",
                "evidence_excerpt": text.text,
            }
        )
    claim = {"claim_id": "c1", "claim_type": pair.claim_type, "claim_text": pair.claim, "support_level": "direct"}
    output = {"answer_version": "executor_evidence_v2", "claims": [{**claim, "evidence_bindings": bindings}]}
    output |= {"hypotheses": [], "recommended_actions": [], "missing_info": []}
    return verifier_pb2.JudgeRequest(
        session_id=pair.id,
        round=1,
        executor_output=executor_output_pb2.ExecutorOutput(text=json.dumps(output, ensure_ascii=False)),
        tool_invocations=calls,
        engine=engine,
    )


async def judged(pairs: Sequence[Pair], model: Model, engine: Any, catalog: Catalog | None = None) -> list[Judged]:
    """Judges each row over the wire, by code and by an engine that asks the model over HTTP."""
    turn = asyncio.Semaphore(AT_ONCE)
    async with AsyncExitStack() as stack:
        fake: FakeEndpoint = await stack.enter_async_context(endpoint())
        by_claim = {json.dumps(pair.claim, ensure_ascii=False): pair for pair in pairs}

        def answer(prompt: str) -> Script:
            data = prompt.partition("<executor_structured_output>")[2].partition("</executor_structured_output>")[0]
            (claim,) = json.loads(data)["claims"]
            return model(by_claim[json.dumps(claim["claim_text"], ensure_ascii=False)])

        fake.model = answer
        models = await stack.enter_async_context(models_of(fake))
        server: Running = await stack.enter_async_context(serving(catalog or shipped(), models=models))

        async def one(pair: Pair) -> Judged:
            async with turn:
                found = [(await server.verifier.Judge(request_of(pair, each))).evaluation for each in (engine, CODE)]
            return Judged(pair, *found)

        return list(await asyncio.gather(*map(one, pairs)))


def own_pairs() -> list[Pair]:
    """Returns the project's own labelled claims that have a full label."""
    return [pair for pair in read_pairs(CASES / "claims.jsonl") if isinstance(pair, Pair) and pair.right]


def recorded_pairs(shared: Path) -> list[Pair]:
    """Returns the recorded claims, each text of a claim once: by it the scripted models know their row."""
    found: dict[str, Pair] = {}
    for path in sorted((shared / "cases").glob("claims*.jsonl")):
        for pair in read_pairs(path):
            assert isinstance(pair, Pair)
            found.setdefault(pair.claim, pair)
    return list(found.values())


def spread(pairs: Sequence[Pair], count: int) -> list[Pair]:
    """Returns so many rows from all over the list."""
    step = max(1, len(pairs) // count)
    return list(pairs[::step])[:count]


def check_always(found: Iterable[Judged]) -> None:
    """Holds for every model: nothing that code refuses or contradicts is lifted, and PASS is what the tables say."""
    for one in found:
        where = f"{one.pair.id}: {one.label}, by code {one.code_label}"
        if one.code_label == "contradicted":
            assert one.label == "contradicted", where
        if one.is_refused:
            assert one.label not in ACCEPTED, where
        if one.evaluation.verdict == PASS:
            assert one.label == "direct_observation", where
            assert one.evaluation.gatekeeper_result.status == GATEKEEPER_STATUS_PASS, where
            assert one.evaluation.groundedness_score == 1.0, where
            assert not one.evaluation.model_use.failure, where
        if one.evaluation.engine == HYBRID and one.code_label in SETTLED:
            assert one.label == one.code_label, where
            assert one.evaluation.claim_checks[0].engine == CODE, where


async def check_models(pairs: Sequence[Pair], engine: Any) -> Counter[str]:
    """Runs every model and returns how often something happened that the checks are about."""
    seen: Counter[str] = Counter()
    strict = replace(
        shipped(),
        verdict=shipped().verdict.model_copy(update={"max_label_without_code": Verification.REASONABLE_INFERENCE}),
    )
    for one in await judged(pairs, truthful, engine):
        check_always([one])
        if one.pair.expected[0] not in ACCEPTED:
            # A right word of a model is never turned into an acceptance.
            assert one.label not in ACCEPTED or (engine == HYBRID and one.code_label in ACCEPTED), one.pair.id
        seen["right"] += one.label in (one.pair.expected[0], *one.pair.expected)
    for one in await judged(pairs, believing, engine):
        check_always([one])
        seen["lifted"] += one.label == "direct_observation" and one.code_label not in ACCEPTED
        seen["held"] += one.label not in ACCEPTED
        seen["passed"] += one.evaluation.verdict == PASS
    for one in await judged(pairs, believing, engine, strict):
        check_always([one])
        assert one.label != "direct_observation" or one.code_label == "direct_observation", one.pair.id
        assert one.evaluation.verdict != PASS or one.by_code.verdict == PASS, one.pair.id
    for one in await judged(pairs, babbling, engine):
        check_always([one])
        assert one.label not in ACCEPTED or (engine == HYBRID and one.code_label in ACCEPTED), one.pair.id
        if one.evaluation.HasField("model_use") and one.label in ACCEPTED:
            raise AssertionError(f"{one.pair.id}: babble was taken for a label")
        seen["babble"] += one.evaluation.verifier_output_parse_status.status != text_pb2.PARSE_STATUS_VALID
    if engine == HYBRID:
        for one in await judged(pairs, inventing, engine):
            check_always([one])
            assert one.label not in ACCEPTED or one.code_label in ACCEPTED, one.pair.id
            seen["invented"] += one.evaluation.HasField("model_use")
    return seen


BOTH = pytest.mark.parametrize("engine", [LLM, HYBRID], ids=["llm", "hybrid"])
REQUIREMENTS = pytest.mark.req("VO-09", "VO-11", "VO-07")


@REQUIREMENTS
@BOTH
async def test_own_claims_hold_against_every_model(engine: Any) -> None:
    seen = await check_models(spread(own_pairs(), SAMPLED), engine)
    assert min(seen[what] for what in ("right", "held", "babble")) > 0


@REQUIREMENTS
@BOTH
async def test_recorded_claims_hold_against_every_model(shared: Path, engine: Any) -> None:
    seen = await check_models(spread(recorded_pairs(shared), SAMPLED), engine)
    assert min(seen[what] for what in ("right", "lifted", "held", "passed", "babble")) > 0


@pytest.mark.slow
@pytest.mark.timeout(1_800)
@REQUIREMENTS
@BOTH
async def test_all_recorded_claims_hold_against_every_model(shared: Path, engine: Any) -> None:
    await check_models(recorded_pairs(shared), engine)
