"""Every session that is stored with its input can be judged again: same catalog and engine version, same bytes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from evidencegate.v1 import evaluation_pb2, self_evaluation_pb2, self_evaluation_pb2_grpc, verifier_pb2
from evidencegate_client import validate_request, vocabulary
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.cli.sessions import read_session
from evidencegate_server.service.settings import ServerSettings
from evidencegate_server.store.model import StoreOptions
from evidencegate_server.store.store import Store

from tests.service.conftest import Running, serving
from tests.support import ROOT

ENGINES = ("deterministic", "supplied")


@pytest.fixture
async def kept(catalog: Catalog, tmp_path: Path) -> AsyncIterator[Running]:
    """A server with a store in a file, which remembers no answers: each judgement is a new one."""
    store = Store(StoreOptions(f"sqlite:///{tmp_path}/e.db", pool_size=2))
    async with serving(catalog, ServerSettings(store_connections=2, memo_bytes=0), store=store) as server:
        yield server
        server.assembly.store.close()


async def judged(server: Running, request: verifier_pb2.JudgeRequest) -> evaluation_pb2.Evaluation:
    """Returns the evaluation."""
    evaluation: evaluation_pb2.Evaluation = (await server.verifier.Judge(request)).evaluation
    return evaluation


async def stored(server: Running, name: str, request: verifier_pb2.JudgeRequest) -> evaluation_pb2.Evaluation:
    """Judges and stores a session under a name, with its input."""
    checked = await server.gatekeeper.Validate(validate_request(request))
    request.gatekeeper_result.CopyFrom(checked.gatekeeper_result)
    evaluation = await judged(server, request)
    store: Any = self_evaluation_pb2_grpc.SelfEvaluationsStub(server.channel)
    answer = await store.WriteChannel(
        self_evaluation_pb2.WriteChannelRequest(
            session_id=name,
            request_id=name,
            channel=self_evaluation_pb2.CHANNEL_VERIFIER_EVALUATION,
            evaluation=evaluation,
            judge_request=request,
        )
    )
    assert (answer.input_kept, answer.masked_secrets) == (True, 0)
    return evaluation


async def check(server: Running, path: Path) -> int:
    """Stores a session by each engine that it can be judged by and judges it again; returns how many those are."""
    count = 0
    store: Any = self_evaluation_pb2_grpc.SelfEvaluationsStub(server.channel)
    for engine in ENGINES:
        request = read_session(path, engine).request
        if engine == "supplied" and not request.HasField("verifier_output"):
            continue
        name = f"{path.stem}-{engine}"
        evaluation = await stored(server, name, request)
        asked = self_evaluation_pb2.GetSessionRequest(session_id=name, include_input=True)
        session = (await store.GetSession(asked)).session
        assert session.judge_request.SerializeToString(deterministic=True) == request.SerializeToString(
            deterministic=True
        )
        again = await judged(server, session.judge_request)
        assert again.SerializeToString(deterministic=True) == evaluation.SerializeToString(deterministic=True)
        assert session.self_evaluation_json == f'{{"verifier_evaluation":{vocabulary.to_json(again)}}}'
        count += 1
    return count


@pytest.mark.req("SE-02")
async def test_each_example_is_judged_again_to_the_byte(kept: Running) -> None:
    paths = sorted((ROOT / "examples" / "sessions").glob("*.json"))
    assert [await check(kept, path) for path in paths] == [1] * 8


@pytest.mark.req("SE-02")
async def test_each_recorded_session_is_judged_again_to_the_byte(kept: Running, shared: Path) -> None:
    paths = sorted((shared / "sessions").glob("*.json"))
    counts = [await check(kept, path) for path in paths]
    assert paths
    assert min(counts) >= 1
