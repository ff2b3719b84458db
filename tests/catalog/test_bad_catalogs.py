"""Each kept bad catalog is refused with exactly the text beside it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from evidencegate_server.catalog.load import load_catalog
from evidencegate_server.catalog.problems import CatalogError

from tests.catalog.support import BAD_CATALOGS, copy_rules

CASES = sorted(path.name for path in BAD_CATALOGS.iterdir() if path.is_dir())
TABLE_CASES = [name for name in CASES if name.startswith("table_")]


def _refusal(case: str, folder: Path) -> str:
    """Returns the text with which the catalog of a case is refused."""
    rules = copy_rules(folder)
    for path in sorted((BAD_CATALOGS / case).rglob("*")):
        name = path.relative_to(BAD_CATALOGS / case)
        if path.is_file() and name.name not in ("message.txt", "removed.txt"):
            (rules / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, rules / name)
    removed = BAD_CATALOGS / case / "removed.txt"
    if removed.exists():
        for name_of_file in removed.read_text(encoding="utf-8").split():
            (rules / name_of_file).unlink()
    with pytest.raises(CatalogError) as caught:
        load_catalog(rules)
    return str(caught.value)


@pytest.mark.req("RC-02")
@pytest.mark.parametrize("case", CASES)
def test_a_bad_catalog_is_refused_with_file_line_and_key(case: str, tmp_path: Path) -> None:
    expected = (BAD_CATALOGS / case / "message.txt").read_text(encoding="utf-8").rstrip("\n")

    assert _refusal(case, tmp_path) == expected


@pytest.mark.req("RC-03")
@pytest.mark.parametrize("case", TABLE_CASES)
def test_a_table_that_is_laxer_than_the_standard_is_refused(case: str, tmp_path: Path) -> None:
    assert "catalog.yaml:8: verdict." in _refusal(case, tmp_path)
