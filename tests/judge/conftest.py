"""What holds for every test of the judge."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from evidencegate_server.judge.deterministic import engine


def _raise(_case: object, error: Exception) -> None:
    raise error


@pytest.fixture(autouse=True, scope="session")
def _faults_fail_tests() -> Iterator[None]:
    """A fault of the engine is no label here, where it would pass for a refusal."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "_fault", _raise)
        yield
