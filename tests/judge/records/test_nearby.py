"""The words beside a value are looked for near it: a long row of values costs no more than its length."""

from __future__ import annotations

from typing import Any, SupportsIndex

import pytest
from evidencegate_server.judge.deterministic.readers import readers_of
from evidencegate_server.judge.records.nearby import Surroundings
from evidencegate_server.judge.values.model import Mention

from tests.use_cases.sessions import catalog

MOST_LOOKS = 256  # at other values, for each one: some looks at each of the 32 words before it, twice


class Counted(list[Mention]):
    """Values that count how often one is looked at."""

    looks = 0

    def __getitem__(self, index: SupportsIndex | slice) -> Any:
        self.looks += 1
        return super().__getitem__(index)


@pytest.mark.parametrize(
    "piece", ["10:00 ", "1h ", "3 GB ", "12ms 15ms ", "10:01=1 10:02=2 ", "7 ", "x 1 ", "错误 3 次 "]
)
@pytest.mark.parametrize("times", [200, 800])
def test_a_long_row_of_values_is_read_in_linear_time(piece: str, times: int) -> None:
    text = "Reason: OOMKilled " + piece * times
    mentions = Counted(readers_of(catalog().lexicon).values.mentions(text))
    assert len(mentions) >= times / 2
    around = Surroundings(text, mentions, frozenset({"is"}))
    for at in range(len(mentions)):
        around.key(at, 0)
    assert mentions.looks <= MOST_LOOKS * len(mentions)
