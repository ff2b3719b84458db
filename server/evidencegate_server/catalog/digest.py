"""Gives a catalog's content one value that its writing does not change."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

_TAG: Final = "evidencegate.catalog.v1"


def catalog_digest(content: Mapping[str, Any]) -> str:
    """Returns the SHA-256, in lower-case hex, of plain data.

    The order of keys, comments and the writing of a value (`1` or `1.0`, quotes, folds) change nothing; any value, any
    key and the order inside a list do.
    """
    text = json.dumps([_TAG, _canonical(content)], sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _canonical(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _canonical(item) for key, item in value.items()}
    if isinstance(value, list):
        # Most of a catalog is lists of words.
        return value if set(map(type, value)) == {str} else [_canonical(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value
