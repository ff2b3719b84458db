"""Makes catalogs to load: a copy of the real one, changed."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.support import ROOT

RULES = ROOT / "rules"
BAD_CATALOGS = ROOT / "tests" / "bad_catalogs"


def copy_rules(folder: Path) -> Path:
    """Returns a copy of the project's catalog that a test may change."""
    folder.mkdir(exist_ok=True)
    return Path(shutil.copytree(RULES, folder / "rules"))


def edit(rules: Path, file: str, old: str, new: str) -> None:
    """Replaces the one place of a file that has the old text."""
    path = rules / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{file} has {old!r} {text.count(old)} times"
    path.write_text(text.replace(old, new), encoding="utf-8")
