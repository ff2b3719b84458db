"""Asks a model about claims beside their evidence, several at once, and counts what that takes."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from evidencegate_server.catalog.model import Catalog
from evidencegate_server.cli.pairs import Pair
from evidencegate_server.use_cases.label_pair import PairLabel
from evidencegate_server.use_cases.label_pair_by_model import PairQuestion
from evidencegate_server.use_cases.written import Written
from evidencegate_server.verdict.material import ModelUse
from evidencegate_server.words import Engine

if TYPE_CHECKING:
    from evidencegate_server.models.client import ModelClient
    from evidencegate_server.models.profiles import ModelProfile

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

# Rows that are begun at once, as a multiple of the requests in flight: one slow answer keeps nobody else waiting.
_ROWS_A_REQUEST: Final = 8
# An endpoint that never answered so often will not, and each row would cost its whole budget of time.
_MOST_FAILURES: Final = 5
# The endpoint did answer, though not with what was wanted: that is what the run measures.
_ANSWERED: Final = frozenset({"", "unreadable", "cut_off", "empty", "filtered", "too_long", "prompt_too_long"})
_TOKENS_A_PRICE: Final = 1_000_000


class NoAnswerError(Exception):
    """Occurs where the endpoint gives no answer at all; the text says why in one sentence."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one row. `use` is None where the model was not asked; `seconds` is how long asking took."""

    label: PairLabel
    use: ModelUse | None
    seconds: float
    cpu_seconds: float

    @property
    def failure(self) -> str:
        """The word for why the model gave nothing that can be used, empty where it did or was not asked."""
        return "" if self.use is None else self.use.failure


class PairAsker:
    """Labels rows by an engine that asks a model, at most `concurrency` requests at once."""

    def __init__(self, catalog: Catalog, engine: Engine, client: ModelClient, concurrency: int) -> None:
        self._catalog = catalog
        self._engine = engine
        self._client = client
        self._concurrency = concurrency
        self._turn = asyncio.Semaphore(concurrency)

    async def answers(self, pairs: Iterable[Pair]) -> AsyncGenerator[Answer, None]:
        """Gives the answer of each row, in their order; raises NoAnswerError where there are none to be had."""
        failures: int | None = 0  # None once it answered
        async with aclosing(in_order(pairs, self._answer, self._concurrency * _ROWS_A_REQUEST)) as answers:
            async for answer in answers:
                yield answer
                if answer.use is None or failures is None:
                    continue
                failures = None if answer.failure in _ANSWERED else failures + 1
                if failures == _MOST_FAILURES:
                    url = self._client.profile.base_url
                    raise NoAnswerError(
                        f"{url} gave no answer to the first {failures} claims ({answer.failure}): see that address, "
                        "model and key are right. Stopped."
                    )

    async def _answer(self, pair: Pair) -> Answer:
        # Code's part holds the loop, so that its CPU time is its own.
        before = time.process_time()
        question = PairQuestion(pair.claim, pair.claim_type, pair.evidence, self._engine, self._catalog)
        cpu_seconds = time.process_time() - before
        written, seconds = None, 0.0
        if question.needs_model:
            async with self._turn:
                started = time.monotonic()
                written = await self._ask(question)
                seconds = time.monotonic() - started
        before = time.process_time()
        label = question.finish(written)
        cpu_seconds += time.process_time() - before
        return Answer(label, None if written is None else written.use, seconds, cpu_seconds)

    async def _ask(self, question: PairQuestion) -> Written:
        from evidencegate_server.models.client import Question

        prompt = question.prompt(self._client.profile.max_prompt_bytes)
        return await self._client.ask(Question(prompt.text, question.is_readable, prompt.left_out_chars))


async def in_order(
    items: Iterable[_Item], work: Callable[[_Item], Awaitable[_Result]], most: int
) -> AsyncGenerator[_Result, None]:
    """Gives what comes of each item in the items' order, with at most so many of them begun; cancels what is left."""

    async def one(item: _Item) -> _Result:
        return await work(item)

    begun: deque[asyncio.Task[_Result]] = deque()
    try:
        for item in items:
            begun.append(asyncio.create_task(one(item)))
            if len(begun) == most:
                yield await begun.popleft()
        while begun:
            yield await begun.popleft()
    finally:
        for task in begun:
            task.cancel()
        await asyncio.gather(*begun, return_exceptions=True)


@dataclass(frozen=True, slots=True)
class AskingFigures:
    """What asking came to. Seconds are of one asked claim with its repetition; a figure of nothing is None.

    `cost` is None where no price is known, or where an answer came without a count of its tokens. What a request took
    that failed on the way is not known to anybody here.
    """

    engine: str
    profile: str
    model: str
    asked: int
    requests: int
    failures: Mapping[str, int]
    shortened: int
    masked_secrets: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    seconds: float
    median_seconds: float | None
    p95_seconds: float | None

    def as_dict(self) -> dict[str, Any]:
        """Returns the object that `--json` prints, without a cost that is not known."""
        figures = {name: getattr(self, name) for name in self.__slots__}
        if self.cost is None:
            del figures["cost"]
        return {**figures, "failures": dict(self.failures)}

    def rows(self) -> list[tuple[str, str]]:
        """Returns names and figures for people."""
        failed = sum(self.failures.values())
        words = f" ({', '.join(f'{word} {count}' for word, count in self.failures.items())})" if failed else ""
        rows = [
            ("model", self.model),
            ("claims asked", str(self.asked)),
            ("requests", str(self.requests)),
            ("without an answer", f"{failed}{words}"),
            ("prompts shortened", str(self.shortened)),
            ("prompt tokens", str(self.prompt_tokens)),
            ("completion tokens", str(self.completion_tokens)),
            ("median time", _seconds(self.median_seconds)),
            ("95th percentile", _seconds(self.p95_seconds)),
            ("time in all", _seconds(self.seconds)),
        ]
        if self.cost is not None:
            rows.append(("cost", f"{self.cost:.6g}"))
        return rows


def asking_figures(
    answers: Sequence[Answer],
    engine: Engine,
    profile: ModelProfile,
    prices: tuple[float, float] | None,
    seconds: float,
) -> AskingFigures:
    """Returns the figures; `prices` are for a million tokens of prompt and of completion, `seconds` the whole run's."""
    asked = [(answer, answer.use) for answer in answers if answer.use is not None]
    uses = [use for _, use in asked]
    prompt, completion = (sum(use.prompt_tokens for use in uses), sum(use.completion_tokens for use in uses))
    counted = all(use.prompt_tokens > 0 for use in uses if not use.failure)
    cost = None
    if prices is not None and counted:
        cost = (prompt * prices[0] + completion * prices[1]) / _TOKENS_A_PRICE
    times = sorted(answer.seconds for answer, _ in asked)
    return AskingFigures(
        engine=engine.value,
        profile=profile.name,
        model=profile.model,
        asked=len(asked),
        requests=sum(use.requests for use in uses),
        failures=dict(sorted(Counter(use.failure for use in uses if use.failure).items())),
        shortened=sum(use.left_out_chars > 0 for use in uses),
        masked_secrets=sum(use.masked_secrets for use in uses),
        prompt_tokens=prompt,
        completion_tokens=completion,
        cost=cost,
        seconds=round(seconds, 3),
        median_seconds=_quantile(times, 50),
        p95_seconds=_quantile(times, 95),
    )


def _quantile(times: Sequence[float], percent: int) -> float | None:
    """Returns the smallest of the sorted times that so many percent do not exceed."""
    if not times:
        return None
    return round(times[-(-len(times) * percent // 100) - 1], 3)


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f} s"
