"""Gives every test the recorded evidence, or a clear reason why it is skipped."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support import SHARED

pytest_plugins = ["tests.requirement_marks"]

# No test is timed, and the same run gives the same result. To look for what nobody thought of, set
# EVIDENCEGATE_HYPOTHESIS=explore: then each run draws other examples, and more of them.
settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=2_000)
settings.load_profile(os.environ.get("EVIDENCEGATE_HYPOTHESIS", "repeatable"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """Returns the folder of recorded sessions and cases that lies beside the project; skips where it does not."""
    if not (SHARED / "sessions").is_dir():
        pytest.skip(f"recorded evidence is not here: {SHARED} (set EVIDENCEGATE_SHARED to its place)")
    return SHARED
