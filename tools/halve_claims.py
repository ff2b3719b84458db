"""Cuts labelled claims into a half that may be looked at and one that may not.

Rows that share a source or a text of evidence stay together, and so do twins; each such group goes to a half by a hash
of its first ID, so that the cut never changes. The judge is mended on the first half alone: what it scores on the
second is the figure that counts.

    python -m tools.halve_claims FOLDER OUT

writes OUT/look.jsonl and OUT/unseen.jsonl from every claims*.jsonl of FOLDER.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

Row = dict[str, Any]


def halves(rows: Iterable[Row]) -> tuple[list[Row], list[Row]]:
    """Returns the rows that may be looked at, and the others, each in their order."""
    all_rows = list(rows)
    leader: dict[str, str] = {}

    def find(key: str) -> str:
        leader.setdefault(key, key)
        while leader[key] != key:
            leader[key] = leader[leader[key]]
            key = leader[key]
        return key

    for row in all_rows:
        own = find(f"id:{row['id']}")
        for key in _shared(row):
            leader[find(key)] = own = find(own)
    first: dict[str, str] = {}
    for row in all_rows:
        group = find(f"id:{row['id']}")
        first[group] = min(first.get(group, row["id"]), row["id"])
    look: list[Row] = []
    unseen: list[Row] = []
    for row in all_rows:
        name = first[find(f"id:{row['id']}")]
        odd = hashlib.sha256(name.encode()).digest()[0] & 1
        (unseen if odd else look).append(row)
    return look, unseen


def _shared(row: Row) -> Iterable[str]:
    if "twin_of" in row:
        yield f"id:{row['twin_of']}"
    if row.get("source"):
        yield f"source:{row['source']}"
    evidence = row["evidence"]
    for item in evidence if isinstance(evidence, list) else [evidence]:
        yield f"text:{item['text'] if isinstance(item, dict) else item}"


def read_claims(folder: Path) -> list[Row]:
    """Returns the rows of all claim files, each with its `family`: the file's name without `claims` and its ending."""
    rows: list[Row] = []
    for path in sorted(folder.glob("claims*.jsonl")):
        family = path.stem.removeprefix("claims").lstrip("_") or "short"
        rows.extend({**json.loads(line), "family": family} for line in path.read_text("utf-8").splitlines())
    return rows


def main(folder: str, out: str) -> None:
    """Writes both halves as JSON Lines."""
    target = Path(out)
    target.mkdir(parents=True, exist_ok=True)
    for name, rows in zip(("look", "unseen"), halves(read_claims(Path(folder))), strict=True):
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (target / f"{name}.jsonl").write_text(text, "utf-8")
        click.echo(f"{name}: {len(rows)} claims")


if __name__ == "__main__":
    main(*sys.argv[1:])
