"""Finds the folder of the catalog."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from evidencegate_server.catalog.problems import CatalogNotFoundError, Problem

CATALOG_FILE: Final = "catalog.yaml"

_PACKAGE = Path(__file__).resolve().parent.parent


def find_rules(explicit: Path | None = None) -> Path:
    """Returns the folder to load: the one that was asked for, else the packaged one, else the source tree's.

    Raises CatalogNotFoundError. A folder that was asked for is never replaced by another one.
    """
    if explicit is not None:
        if not (explicit / CATALOG_FILE).is_file():
            raise CatalogNotFoundError([Problem(str(explicit), 0, "", f"the folder has no {CATALOG_FILE}")])
        return explicit
    # parents[1] of the package is the source tree's root: <root>/server/evidencegate_server.
    candidates = [_PACKAGE / "packaged_rules", _PACKAGE.parents[1] / "rules"]
    for candidate in candidates:
        if (candidate / CATALOG_FILE).is_file():
            return candidate
    raise CatalogNotFoundError(
        Problem(str(candidate), 0, "", f"the folder has no {CATALOG_FILE}; name one with --rules")
        for candidate in candidates
    )
