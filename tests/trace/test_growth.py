"""The work for a summary grows with the output and no faster: calls and characters are counted, no clock is read."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Self

import pytest
from evidencegate_server.trace.condensers.lines import Lines
from evidencegate_server.trace.condensers.model import Focus, OutputKind

from bench.condensing import KINDS, output
from tests.support import count_calls
from tests.trace.helpers import POLICY

SMALL, LARGE = 50_000, 1_000_000
MORE = LARGE // SMALL
SLACK = 1.2  # of what is exactly linear
FOCUS = Focus(("checkout-77 took",), ("checkout-4711", "slow", "latency", "pool"))
KIND_OF = {"query_logs": OutputKind.LOGS, "query_metrics": OutputKind.METRICS, "kubectl_get": OutputKind.KUBECTL}
ODD: dict[str, str] = {
    "every line tells": "ERROR timeout: connection refused, failed with exception\n",
    "no line end": "error ",
    "no mark at all": "x",
    "nothing but line ends": "\n",
    "open brackets": "[{",
    "quotes": '\\"',
    "escapes": "\\u4e2d",
    "endless object": '"error": "timeout", ',
    "letters that change their length": "İ error\n",
}
# How often one character of an output may be looked at: once for each word that is searched, and a few times more.
MOST_PASSES = 60


class Counted(str):
    """A text that counts how many of its characters each search and each change goes through."""

    __slots__ = ("seen",)
    seen: list[int]

    @classmethod
    def of(cls, text: str, seen: list[int]) -> Self:
        """Returns the text; what is made of it counts in the same place."""
        counted = cls(text)
        counted.seen = seen
        return counted

    def _count(self, name: str, *given: Any) -> Any:
        found = getattr(str, name)(self, *given)
        self.seen[0] += len(self)
        return Counted.of(found, self.seen) if isinstance(found, str) else found

    def find(self, word: str, start: Any = 0, end: Any = None) -> int:
        """Counts up to what is found."""
        found = str.find(self, word, start, end)
        last = len(self) if end is None else min(end, len(self))
        self.seen[0] += (found + len(word) if found >= 0 else last) - min(max(start, 0), last)
        return found

    def rfind(self, word: str, start: Any = 0, end: Any = None) -> int:
        """Counts back to what is found."""
        found = str.rfind(self, word, start, end)
        last = len(self) if end is None else min(end, len(self))
        self.seen[0] += last - (found if found >= 0 else min(max(start, 0), last))
        return found

    def lower(self) -> str:
        """Counts once."""
        lowered: str = self._count("lower")
        return lowered

    def rstrip(self, chars: str | None = None) -> str:
        """Counts once."""
        stripped: str = self._count("rstrip", chars)
        return stripped

    def __getitem__(self, key: Any) -> str:
        part = str.__getitem__(self, key)
        self.seen[0] += len(part)
        return Counted.of(part, self.seen)


def _repeated(piece: str, size: int) -> str:
    return piece * (size // len(piece))


def texts() -> dict[str, tuple[OutputKind, Callable[[int], str]]]:
    """Returns kinds of output with what makes one of a size."""
    found: dict[str, tuple[OutputKind, Callable[[int], str]]] = {
        name: (KIND_OF[tool], partial(output, name)) for name, (tool, *_) in KINDS.items()
    }
    for name, piece in ODD.items():
        for kind in OutputKind:
            found[f"{name}, {kind.value}"] = (kind, partial(_repeated, piece))
    return found


TEXTS = texts()


@pytest.mark.req("TS-07")
@pytest.mark.parametrize("name", TEXTS)
def test_twenty_times_the_output_takes_no_more_than_twenty_times_the_calls(name: str) -> None:
    kind, make = TEXTS[name]
    small, large = make(SMALL), make(LARGE)
    condense = POLICY.condenser(kind).condense
    condense(small, FOCUS, 400)  # what is made once is made
    first = count_calls(lambda: condense(small, FOCUS, 400))
    assert count_calls(lambda: condense(large, FOCUS, 400)) <= SLACK * MORE * first


@pytest.mark.req("TS-07")
@pytest.mark.parametrize("name", [name for name, (kind, _) in TEXTS.items() if kind is OutputKind.LOGS])
def test_each_character_of_a_text_is_looked_at_a_few_times_however_many_there_are(name: str) -> None:
    """JSON is laid out first, by what a text of its own cannot count; what is searched is counted all the same."""
    kind, make = TEXTS[name]
    assert kind is OutputKind.LOGS
    passes = []
    for size in (SMALL, LARGE):
        seen = [0]
        text = make(size)
        lines = Lines(Counted.of(text, seen))
        lines.add_focus(FOCUS)
        lines.add_words(POLICY.condense.logs.telling, 2.0)
        lines.add_tail(0.5)
        lines.add_head()
        lines.keep_first()
        passes.append(seen[0] / len(text))
    assert passes[1] <= SLACK * passes[0] + 1
    assert passes[1] <= MOST_PASSES
