"""Helps tests find the project and the recorded evidence."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("EVIDENCEGATE_SHARED", ROOT.parent / "shared"))
CASES = ROOT / "tests" / "cases"


def known_requirements(*groups: str) -> frozenset[str]:
    """Returns the IDs of the requirement rows of the named groups (`done`, `later`), of all where none is named."""
    table = tomllib.loads((ROOT / "tests" / "requirements.toml").read_text(encoding="utf-8"))
    return frozenset(row for group in groups or tuple(table) for row in table[group])


def digest_of_sources() -> str:
    """Returns what tells two states of the files that git tracks apart, empty where git cannot say."""
    digest = hashlib.sha256()
    for arguments in (["rev-parse", "HEAD"], ["diff", "HEAD"]):
        try:
            run = subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            return ""
        digest.update(run.stdout)
    return digest.hexdigest()


def count_calls(work: Callable[[], Any]) -> int:
    """Returns how many calls, of Python and C functions, some work takes: a measure of it that no load changes."""
    calls = 0

    def profile(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


def words_of(data: object) -> set[str]:
    """Returns all texts in data that YAML or JSON gave, keys included."""
    if isinstance(data, str):
        return {data}
    parts = [*data, *data.values()] if isinstance(data, dict) else data if isinstance(data, list) else ()
    return {word for part in parts for word in words_of(part)}
