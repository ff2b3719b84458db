"""`evidencegate judge-pairs --engine llm|hybrid`: labels, figures, order and failures, against a local endpoint."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from evidencegate_server.cli.pair_asking import Answer, PairAsker, asking_figures, in_order
from evidencegate_server.cli.pairs import read_pairs
from evidencegate_server.models.client import Question
from evidencegate_server.models.profiles import ModelProfile
from evidencegate_server.use_cases.label_pair import PairLabel
from evidencegate_server.use_cases.written import Written
from evidencegate_server.verdict.material import ModelUse
from evidencegate_server.words import Engine, Verification

from tests.cli.conftest import Ran, run
from tests.cli.test_judge_pairs import TEXT, written
from tests.models.endpoint import FakeEndpoint, Script, running_endpoint
from tests.models.sessions import verifier_text
from tests.support import ROOT
from tests.trace.helpers import shipped

POOL = "payment-api: connection pool exhausted after 30 s (active=50, max=50)"
STATED = {"id": "stated", "claim": TEXT, "evidence": TEXT, "expect": "direct_observation"}
DENIED = {"id": "denied", "twin_of": "stated", "claim": "Threads_connected is 978.", "evidence": TEXT}
DENIED |= {"expect": "contradicted"}
SILENT = {"id": "silent", "claim": "payment-api lost its customers' trust", "evidence": POOL, "expect": "unsupported"}
GUIDED = {"id": "guided", "claim": TEXT, "evidence": {"text": TEXT, "kind": "guidance"}, "label": "unsupported"}
ROWS = (STATED, DENIED, SILENT, GUIDED)
ENGINES = pytest.mark.parametrize("engine", ["llm", "hybrid"])
ACCEPTED = {"direct_observation", "reasonable_inference"}


@pytest.fixture
def fake() -> Iterator[FakeEndpoint]:
    """An endpoint whose model accepts every claim and quotes its evidence."""
    with running_endpoint() as running:
        running.model = accepting
        yield running


def claim_in(prompt: str) -> dict[str, Any]:
    """Returns the claim that a prompt is about."""
    data = prompt.partition("<executor_structured_output>")[2].partition("</executor_structured_output>")[0]
    (claim,) = json.loads(data)["claims"]
    return dict(claim)


def accepting(prompt: str) -> str:
    """Answers as a model that believes everything."""
    excerpt = claim_in(prompt)["evidence_bindings"][0]["evidence_excerpt"]
    return verifier_text({"claim": "direct_observation"}, note=excerpt)


def judged(fake: FakeEndpoint, path: Path, engine: str, *more: str | Path) -> Ran:
    """Runs the command against the endpoint."""
    return run("judge-pairs", path, "--engine", engine, "--base-url", fake.base_url, "--model", "m", *more)


@pytest.mark.req("VO-11", "VO-09")
@ENGINES
def test_a_model_that_accepts_everything_lifts_only_what_code_is_silent_on(
    tmp_path: Path, fake: FakeEndpoint, engine: str
) -> None:
    ran = judged(fake, written(tmp_path, *ROWS), engine, "--json")
    assert (ran.code, ran.err) == (0, "")
    *lines, last = ran.lines
    assert [line["id"] for line in lines] == [row["id"] for row in ROWS]
    found = {line["id"]: (line["verification"], line["engine"]) for line in lines}
    code = "llm" if engine == "llm" else "deterministic"
    assert found == {
        "stated": ("direct_observation", code),
        "denied": ("contradicted", code),
        "silent": ("direct_observation", "llm"),
        "guided": ("unsupported", code),
    }
    summary = last["summary"]
    assert (summary["accuracy"], summary["false_acceptance"], summary["twins_right"]) == (0.75, 0.3333, 1.0)
    assert summary["confusion"]["unsupported"]["direct_observation"] == 1
    model = summary["model"]
    asked = 4 if engine == "llm" else 1
    assert len(fake.requests) == asked
    assert (model["engine"], model["model"], model["asked"], model["requests"]) == (engine, "m", asked, asked)
    assert (model["prompt_tokens"], model["completion_tokens"], model["failures"]) == (11 * asked, 7 * asked, {})
    assert "cost" not in model
    assert model["p95_seconds"] >= model["median_seconds"] >= 0


@pytest.mark.req("VO-11")
def test_the_whole_evidence_reaches_the_model_with_what_it_can_testify_to(tmp_path: Path, fake: FakeEndpoint) -> None:
    long = f"{POOL}\n" * 40
    row = {**SILENT, "evidence": [long, {"text": TEXT, "kind": "guidance"}]}
    assert judged(fake, written(tmp_path, row), "hybrid").code == 0
    (asked,) = fake.requests
    assert [binding["evidence_excerpt"] for binding in claim_in(asked.prompt)["evidence_bindings"]] == [long, TEXT]
    trace = json.loads(asked.prompt.partition("<tool_trace_summary>")[2].partition("</tool_trace_summary>")[0])
    assert [(item["trace_ref"], item["evidence_level"]) for item in trace] == [
        ("inv:1", "observation"),
        ("inv:2", "guidance"),
    ]


@pytest.mark.req("VO-11")
def test_a_quotation_that_the_evidence_does_not_have_never_counts(tmp_path: Path, fake: FakeEndpoint) -> None:
    fake.model = lambda _prompt: verifier_text({"claim": "direct_observation"}, note="nobody trusts payment-api")
    line, _ = judged(fake, written(tmp_path, SILENT), "hybrid", "--json").lines
    assert line["verification"] == "unsupported"


@pytest.mark.req("VO-11", "SE-04")
@ENGINES
@pytest.mark.parametrize(
    ("script", "failure"),
    [(Script("no JSON"), "unreadable"), (Script(status=401, body=b"{}"), "status_401"), (Script(""), "empty")],
)
def test_a_failed_call_is_no_acceptance_and_is_counted(
    tmp_path: Path, fake: FakeEndpoint, engine: str, script: Script, failure: str
) -> None:
    fake.model = lambda _prompt: script
    path = written(tmp_path, SILENT, {**SILENT, "id": "again", "expect": "reasonable_inference"})
    ran = judged(fake, path, engine, "--json")
    assert ran.code == 1
    *lines, last = ran.lines
    assert [(line["verification"] in ACCEPTED, line["failure"]) for line in lines] == [(False, failure)] * 2
    assert last["summary"]["model"]["failures"] == {failure: 2}
    assert last["summary"]["false_rejection"] == 1.0
    shown = judged(fake, path, engine).out.splitlines()
    assert f"without an answer   2 ({failure} 2)" in shown


def test_a_run_without_any_answer_stops_and_says_where_it_asked(tmp_path: Path, fake: FakeEndpoint) -> None:
    fake.model = lambda _prompt: Script(status=403, body=b"{}")
    path = written(tmp_path, *({**SILENT, "id": number} for number in range(90)))
    ran = judged(fake, path, "llm", "--json", "--concurrency", "2")
    assert ran.code == 2
    assert f"{fake.base_url} gave no answer to the first 5 claims (status_403)" in ran.err
    assert ran.lines[-1]["summary"]["n"] == 5
    assert len(fake.requests) < 90


def test_one_answer_is_enough_to_go_on(tmp_path: Path, fake: FakeEndpoint) -> None:
    fake.model = lambda prompt: accepting(prompt) if "number 0 " in prompt else Script(status=403, body=b"{}")
    rows = ({**SILENT, "id": number, "claim": f"customer number {number} is sad"} for number in range(9))
    ran = judged(fake, written(tmp_path, *rows), "llm", "--json")
    assert (ran.code, ran.lines[-1]["summary"]["model"]["failures"]) == (1, {"status_403": 8})


def test_lines_and_figures_are_the_same_each_time(tmp_path: Path, fake: FakeEndpoint) -> None:
    path = written(tmp_path, *ROWS)
    first, second = (judged(fake, path, "llm", "--json", "--concurrency", number).lines for number in ("1", "3"))
    assert first[:-1] == second[:-1]


PROFILES = """\
default: plain
profiles:
  - {name: plain, base_url: URL, model: a}
  - {name: priced, base_url: URL, model: b, prompt_price: 2, completion_price: 10}
"""


@pytest.mark.parametrize(
    ("options", "model", "cost"),
    [
        ((), "a", None),
        (("--profile", "priced"), "b", (11 * 2 + 7 * 10) / 1e6),
        (("--profile", "priced", "--prompt-price", "0", "--completion-price", "1"), "b", 7 / 1e6),
        (("--prompt-price", "1", "--completion-price", "1"), "a", 18 / 1e6),
    ],
)
def test_a_profile_of_a_models_file_with_its_prices_or_others(
    tmp_path: Path, fake: FakeEndpoint, options: tuple[str, ...], model: str, cost: float | None
) -> None:
    models = tmp_path / "models.yaml"
    models.write_text(PROFILES.replace("URL", fake.base_url), encoding="utf-8")
    arguments = ("judge-pairs", written(tmp_path, SILENT), "--engine", "hybrid", "--models", models, *options)
    figures = run(*arguments, "--json").lines[-1]["summary"]["model"]
    assert (figures["model"], figures.get("cost")) == (model, cost)
    assert ("cost " in run(*arguments).out) == (cost is not None)


def test_a_cost_is_not_told_where_the_endpoint_counts_no_tokens(tmp_path: Path, fake: FakeEndpoint) -> None:
    fake.model = lambda prompt: Script(accepting(prompt), usage=False)
    prices = ("--prompt-price", "1", "--completion-price", "1")
    ran = judged(fake, written(tmp_path, SILENT), "llm", "--json", *prices)
    assert "cost" not in ran.lines[-1]["summary"]["model"]


ADDRESS = ("--base-url", "http://127.0.0.1:9/v1", "--model", "m")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--engine", "llm"), "--engine llm needs --base-url and --model"),
        (("--engine", "hybrid", "--model", "m"), "needs --base-url and --model"),
        (ADDRESS, "--base-url needs --engine llm or hybrid"),
        (("--profile", "p"), "--profile needs --engine llm or hybrid"),
        (("--concurrency", "2"), "are for --engine llm or hybrid"),
        (("--engine", "llm", *ADDRESS, "--models", "FILE"), "both say which model to ask"),
        (("--engine", "llm", *ADDRESS, "--profile", "p"), "add --models FILE"),
        (("--engine", "llm", "--models", "FILE", "--profile", "p"), "has no profile 'p'; there is plain, priced"),
        (("--engine", "llm", *ADDRESS, "--explain", "P1"), "leave out --engine"),
        (("--engine", "llm", *ADDRESS, "--prompt-price", "1"), "give both"),
        (("--engine", "llm", *ADDRESS, "--key-env", "NOT_THERE"), "the environment has no variable NOT_THERE"),
        (("--engine", "llm", "--base-url", "ftp://x", "--model", "m"), "must be an address such as https://host/v1"),
    ],
)
def test_options_that_do_not_go_together_are_usage_errors(
    tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    models = tmp_path / "models.yaml"
    models.write_text(PROFILES.replace("URL", "http://127.0.0.1:9/v1"), encoding="utf-8")
    ran = run("judge-pairs", ROOT / "examples" / "pairs.jsonl", *(models if one == "FILE" else one for one in options))
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


def test_a_file_of_another_form_costs_nothing(tmp_path: Path, fake: FakeEndpoint) -> None:
    path = written(tmp_path, SILENT, *["no JSON"] * 9)
    ran = judged(fake, path, "llm")
    assert (ran.code, ran.out, fake.requests) == (2, "", [])


class Counting:
    """Stands for a model client: answers after some turns of the loop, and remembers how many asked at once."""

    profile = ModelProfile(name="p", base_url="http://127.0.0.1:9/v1", model="m")

    def __init__(self) -> None:
        self.at_once = self.most = 0

    async def ask(self, question: Question) -> Written:
        """Answers after some turns."""
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        for _ in range(5):
            await asyncio.sleep(0)
        self.at_once -= 1
        return Written(accepting(question.prompt), "", ModelUse("p", "m", 1, 1, 1))


@pytest.mark.parametrize("most", [1, 3])
async def test_no_more_requests_are_in_flight_than_allowed(tmp_path: Path, most: int) -> None:
    client: Any = Counting()
    pairs: Any = list(read_pairs(written(tmp_path, *({**SILENT, "id": number} for number in range(12)))))
    asker = PairAsker(shipped(), Engine.LLM, client, most)
    answers = [answer async for answer in asker.answers(pairs)]
    assert (len(answers), client.most) == (12, most)


async def test_results_come_in_order_however_late_the_first_is_and_what_is_left_is_cancelled() -> None:
    last_began, cancelled = asyncio.Event(), []

    async def work(item: int) -> int:
        if item == 0:
            await last_began.wait()
        if item == 3:
            last_began.set()
        if item > 3:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                cancelled.append(item)
                raise
        return item

    coming = in_order(range(100), work, 6)
    assert [await anext(coming) for _ in range(4)] == [0, 1, 2, 3]
    await coming.aclose()
    assert cancelled
    assert set(cancelled) <= set(range(4, 12))


def test_times_are_quantiles_of_what_was_asked() -> None:
    use = ModelUse("p", "m", 2, 10, 5)
    label = PairLabel(Verification.UNSUPPORTED, "")
    answers = [Answer(label, use, float(second), 0.0) for second in range(1, 21)]
    answers.append(Answer(label, None, 0.0, 0.0))
    figures: Mapping[str, Any] = asking_figures(answers, Engine.LLM, Counting.profile, (1.0, 2.0), 60.0).as_dict()
    assert {name: figures[name] for name in ("asked", "requests", "median_seconds", "p95_seconds", "cost")} == {
        "asked": 20,
        "requests": 40,
        "median_seconds": 10.0,
        "p95_seconds": 19.0,
        "cost": (200 + 200) / 1e6,
    }
