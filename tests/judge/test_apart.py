"""Of the claims that nobody who works on the judge has read, hardly a false one is accepted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judge.rows import SUPPORTED, is_accepted, rows

APART = sorted((Path(__file__).parent / "apart").glob("*.jsonl"))
MOST_FALSE_ACCEPTANCE = 0.03


@pytest.mark.req("VO-10")
@pytest.mark.parametrize("path", APART, ids=lambda path: path.stem)
def test_false_claims_are_refused_unread(path: Path) -> None:
    false = [row for row in rows([path]) if row.expect not in SUPPORTED]
    assert len(false) >= 50
    # Counted, not named: a row that a failure prints has been read.
    accepted, most = sum(map(is_accepted, false)), MOST_FALSE_ACCEPTANCE * len(false)
    assert accepted <= most


def test_there_are_such_claims() -> None:
    assert APART
