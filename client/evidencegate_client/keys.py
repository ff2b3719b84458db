"""Refuses keys that nobody reads: a misspelt one would otherwise leave its value out in silence."""

from __future__ import annotations

import difflib
from collections.abc import Collection


def unknown_key(key: str, known: Collection[str]) -> str:
    """Returns what to say of a key that is not known, with the nearest one that is."""
    near = difflib.get_close_matches(key, known, n=1)
    return f'unknown key; did you mean "{near[0]}"?' if near else f"unknown key; known are {', '.join(known)}"
