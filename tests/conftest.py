"""Gives every test the recorded evidence, or a clear reason why it is skipped."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import SHARED

pytest_plugins = ["tests.requirement_marks"]


@pytest.fixture(scope="session")
def shared() -> Path:
    """Returns the folder of recorded sessions and cases that lies beside the project; skips where it does not."""
    if not (SHARED / "sessions").is_dir():
        pytest.skip(f"recorded evidence is not here: {SHARED} (set EVIDENCEGATE_SHARED to its place)")
    return SHARED
