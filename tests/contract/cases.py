"""Loads the project's own parsing cases and the two texts that they are made from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from tests.support import CASES

HERE = Path(__file__).resolve().parent

_ROWS = {row["id"]: row for row in map(json.loads, (CASES / "parsing.jsonl").read_text("utf-8").splitlines())}
OK: str = _ROWS["P001"]["raw"]
MIN: str = _ROWS["P002"]["raw"]


def load(name: str) -> list[dict[str, Any]]:
    """Returns the cases of a YAML file beside this one, each with its text under `raw`."""
    cases: list[dict[str, Any]] = yaml.safe_load((HERE / name).read_text("utf-8"))
    return [{**case, "raw": _raw(case)} for case in cases]


def given() -> list[dict[str, Any]]:
    """Returns the given parsing cases, each with its text under `raw`."""
    for row in _ROWS.values():
        if row["raw"] is None and "raw_expr" in row:
            row["raw"] = eval(row["raw_expr"], {"__builtins__": {}}, {"OK": OK, "MIN": MIN})
    return list(_ROWS.values())


def _raw(case: dict[str, Any]) -> str:
    if "raw" in case:
        return str(case["raw"])
    if "extra" in case:
        return f'{MIN[:-1]},"x":{case["extra"]}}}'
    base = {"OK": OK, "MIN": MIN}[case["base"]]
    for old, new in case.get("replace", ()):
        assert old in base, f"{case['name']}: {old} is not in the base text"
        base = base.replace(old, new, 1)
    return f"{case.get('before', '')}{base}{case.get('after', '')}"
