"""Helps tests find the project and the recorded evidence."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("EVIDENCEGATE_SHARED", ROOT.parent / "shared"))
CASES = ROOT / "tests" / "cases"


def known_requirements(*groups: str) -> frozenset[str]:
    """Returns the IDs of the requirement rows of the named groups (`done`, `later`), of all where none is named."""
    table = tomllib.loads((ROOT / "tests" / "requirements.toml").read_text(encoding="utf-8"))
    return frozenset(row for group in groups or tuple(table) for row in table[group])
