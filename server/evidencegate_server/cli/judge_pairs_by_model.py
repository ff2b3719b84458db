"""Runs `evidencegate judge-pairs` with an engine that asks a model."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from evidencegate_server.catalog.model import Catalog
from evidencegate_server.cli.pair_asking import Answer, AskingFigures, NoAnswerError, PairAsker, asking_figures
from evidencegate_server.cli.pair_report import print_line
from evidencegate_server.cli.pairs import Pair
from evidencegate_server.cli.progress import progress
from evidencegate_server.text.masking import Masker
from evidencegate_server.words import Engine, Verification

if TYPE_CHECKING:
    from evidencegate_server.models.profiles import KeyedProfile


@dataclass(frozen=True, slots=True)
class Asking:
    """How a model is asked; `prices` are for a million tokens of prompt and of completion, None for the profile's."""

    engine: Engine
    keyed: KeyedProfile
    concurrency: int
    prices: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of the rows that ran. `problem` says why the run stopped before its end, empty where it did not."""

    labelled: list[tuple[Pair, Verification]]
    cpu_seconds: float
    figures: AskingFigures
    problem: str


def prices_of(prompt: float | None, completion: float | None) -> tuple[float, float] | None:
    """Returns both prices, None where none is given; raises UsageError for one alone."""
    if prompt is None and completion is None:
        return None
    if prompt is None or completion is None:
        raise click.UsageError("--prompt-price and --completion-price make a cost together; give both.")
    return prompt, completion


def run_by_model(pairs: Sequence[Pair], catalog: Catalog, asking: Asking) -> Outcome:
    """Labels the rows and prints a line for each, in their order."""
    profile = asking.keyed.profile
    started = time.monotonic()
    answers: list[Answer] = []
    problem = ""
    try:
        asyncio.run(_label(pairs, catalog, asking, answers))
    except NoAnswerError as error:
        problem = str(error)
    return Outcome(
        [(pair, answer.label.verification) for pair, answer in zip(pairs, answers, strict=False)],
        sum(answer.cpu_seconds for answer in answers),
        asking_figures(
            answers,
            asking.engine,
            profile,
            asking.prices or prices_of(profile.prompt_price, profile.completion_price),
            time.monotonic() - started,
        ),
        problem,
    )


async def _label(pairs: Sequence[Pair], catalog: Catalog, asking: Asking, answers: list[Answer]) -> None:
    from evidencegate_server.models.chat import ChatEndpoint
    from evidencegate_server.models.client import ModelClient

    client = ModelClient(asking.keyed.profile, ChatEndpoint(asking.keyed), Masker(catalog.masking))
    asker = PairAsker(catalog, asking.engine, client, asking.concurrency)
    try:
        with progress("claims", len(pairs)) as advance:
            async with aclosing(asker.answers(pairs)) as coming:
                async for answer in coming:
                    print_line(_line(pairs[len(answers)], answer))
                    answers.append(answer)
                    advance()
    finally:
        await client.close()


def _line(pair: Pair, answer: Answer) -> dict[str, Any]:
    label = answer.label
    line: dict[str, Any] = {
        "id": pair.id,
        "verification": label.verification.value,
        "detail": label.detail,
        "engine": None if label.engine is None else label.engine.value,
    }
    if answer.failure:
        line["failure"] = answer.failure
    return line
