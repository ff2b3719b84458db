"""The folder of the catalog is the one that was asked for, or the one that belongs to the engine."""

from __future__ import annotations

from pathlib import Path

import pytest
from evidencegate_server.catalog import locate
from evidencegate_server.catalog.locate import find_rules
from evidencegate_server.catalog.problems import CatalogNotFoundError

from tests.catalog.support import RULES


def test_the_source_tree_has_its_own() -> None:
    assert find_rules() == RULES


def test_the_one_that_was_asked_for_wins(tmp_path: Path) -> None:
    (tmp_path / "catalog.yaml").write_text("", encoding="utf-8")

    assert find_rules(tmp_path) == tmp_path


def test_one_that_was_asked_for_is_never_replaced(tmp_path: Path) -> None:
    with pytest.raises(CatalogNotFoundError) as caught:
        find_rules(tmp_path / "rules")

    assert str(caught.value) == f"{tmp_path / 'rules'}: the folder has no catalog.yaml"


def test_the_packaged_one_comes_before_the_source_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "server" / "evidencegate_server"
    for folder in (package / "packaged_rules", tmp_path / "rules"):
        folder.mkdir(parents=True)
        (folder / "catalog.yaml").write_text("", encoding="utf-8")
    monkeypatch.setattr(locate, "_PACKAGE", package)

    assert find_rules() == package / "packaged_rules"
    (package / "packaged_rules" / "catalog.yaml").unlink()
    assert find_rules() == tmp_path / "rules"
    (tmp_path / "rules" / "catalog.yaml").unlink()
    with pytest.raises(CatalogNotFoundError, match="name one with --rules"):
        find_rules()
