"""Labelled claims fall into two halves that share nothing, and always into the same ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tools.halve_claims import halves, main, read_claims

Row = dict[str, Any]


def row(name: str, evidence: object = None, **more: Any) -> Row:
    return {"id": name, "claim": "x", "evidence": evidence if evidence is not None else f"text of {name}", **more}


def many(count: int = 400) -> list[Row]:
    return [row(f"C-{at:03d}") for at in range(count)]


def side(found: tuple[list[Row], list[Row]], name: str) -> int:
    return next(at for at, half in enumerate(found) if any(one["id"] == name for one in half))


def test_every_row_is_in_one_half_and_both_keep_their_order() -> None:
    rows = many()
    look, unseen = halves(rows)
    assert sorted(one["id"] for one in (*look, *unseen)) == [one["id"] for one in rows]
    for half in (look, unseen):
        assert [one["id"] for one in half] == sorted(one["id"] for one in half)
        assert 0.4 < len(half) / len(rows) < 0.6


def test_the_cut_does_not_change_with_order_or_with_more_rows() -> None:
    rows = many()
    first, second = halves(rows), halves([*reversed(rows), row("Z-1")])
    assert all(side(first, one["id"]) == side(second, one["id"]) for one in rows)


@pytest.mark.parametrize(
    "joined",
    [
        lambda at: [row(f"T-{at}"), row(f"T-{at}t", twin_of=f"T-{at}")],
        lambda at: [row(f"S-{at}", source=f"doc {at}"), row(f"S-{at}b", source=f"doc {at}")],
        lambda at: [row(f"E-{at}", f"shared {at}"), row(f"E-{at}b", [f"shared {at}", f"own {at}"])],
        lambda at: [row(f"D-{at}", [{"text": f"given {at}"}]), row(f"D-{at}b", f"given {at}")],
        lambda at: [
            row(f"L-{at}", [f"a {at}"]),
            row(f"L-{at}b", [f"a {at}", f"b {at}"]),
            row(f"L-{at}c", [f"b {at}"], source=f"doc {at}"),
            row(f"L-{at}d", source=f"doc {at}"),
        ],
    ],
    ids=["twins", "one source", "one text", "one text in another form", "a chain"],
)
def test_what_belongs_together_stays_together(joined: Any) -> None:
    groups = [joined(at) for at in range(60)]
    found = halves([one for group in groups for one in group])
    sides = [{side(found, one["id"]) for one in group} for group in groups]
    assert all(len(one) == 1 for one in sides)
    assert set.union(*sides) == {0, 1}


def test_rows_without_a_source_are_not_of_one() -> None:
    assert all(halves([{**one, "source": ""} for one in many()]))


def test_the_files_of_a_folder_are_read_with_their_family(tmp_path: Path) -> None:
    for name in ("claims", "claims_logs", "other"):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(row(name)) + "\n", encoding="utf-8")
    assert [(one["id"], one["family"]) for one in read_claims(tmp_path)] == [
        ("claims", "short"),
        ("claims_logs", "logs"),
    ]


def test_both_halves_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [row(f"中-{at}") for at in range(20)]
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows)
    (tmp_path / "claims_x.jsonl").write_text(text, encoding="utf-8")
    main(str(tmp_path), str(tmp_path / "out" / "deep"))
    written = {
        name: [
            json.loads(line)
            for line in (tmp_path / "out" / "deep" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        ]
        for name in ("look", "unseen")
    }
    assert sorted(one["id"] for half in written.values() for one in half) == sorted(one["id"] for one in rows)
    assert {one["family"] for half in written.values() for one in half} == {"x"}
    said = capsys.readouterr().out
    assert said == f"look: {len(written['look'])} claims\nunseen: {len(written['unseen'])} claims\n"
