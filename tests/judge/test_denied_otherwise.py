"""A denial that the evidence narrows is none of the whole, nor the other way round."""

from __future__ import annotations

import pytest

from tests.judge.rows import accepts


@pytest.mark.req("VO-10")
@pytest.mark.parametrize(
    ("claim", "evidence", "accepted"),
    [
        ("The gizmo of node-3 is not humming.", "node-3: gizmo is not humming", True),
        ("The gizmo of node-3 is not humming.", "node-3: gizmo is not humming through its left speaker", False),
        ("The gizmo of node-3 is not humming a waltz.", "node-3: gizmo is not humming", False),
        ("The gizmo of node-3 is humming.", "node-3: gizmo is not humming", False),
    ],
)
def test_a_denial_reaches_as_far_as_it_is_told(claim: str, evidence: str, accepted: bool) -> None:
    assert accepts(claim, evidence) == accepted
