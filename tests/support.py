"""Helps tests find the project and the recorded evidence."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("EVIDENCEGATE_SHARED", ROOT.parent / "shared"))
CASES = ROOT / "tests" / "cases"
