"""Holds what is wrong with a catalog: every problem with its file, line and key."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

MAX_PROBLEMS: Final = 50  # in one file; one with more is no catalog file, and the rest would bury the first

_SHOWN_CHARS: Final = 60  # enough to recognise a value by
_PLAIN_KEY = re.compile(r"[A-Za-z0-9_-]{1,60}")


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing to mend. `file` is relative to the catalog's folder, `line` counts from 1, 0 where there is no line."""

    file: str
    line: int
    key: str
    message: str

    def __str__(self) -> str:
        """Returns `file:line: key: message`, leaving out what there is not."""
        file = self.file if self.file.isprintable() else show(self.file)
        place = f"{file}:{self.line}" if self.line else file
        return f"{place}: {self.key}: {self.message}" if self.key else f"{place}: {self.message}"


class CatalogError(Exception):
    """Occurs where a catalog cannot be used. Nothing of it is loaded; the text has one problem a line, sorted."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(problems)))
        super().__init__("\n".join(str(problem) for problem in self.problems))


class CatalogNotFoundError(CatalogError):
    """Occurs where no folder with a catalog is found."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Returns `; did you mean "x"?` for the nearest known word, or nothing where none is near."""
    near = difflib.get_close_matches(word, sorted(known), n=1, cutoff=0.6)
    return f'; did you mean "{near[0]}"?' if near else ""


def key_path(parts: Sequence[str | int]) -> str:
    """Returns a path such as `caps.severity` or `known[2].name`; an odd key is quoted, so that a path is one line."""
    text = ""
    for part in parts:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            name = part if _PLAIN_KEY.fullmatch(part) else show(part)
            text += f".{name}" if text else name
    return text


def show(value: Any) -> str:
    """Returns a value as a message shows it: short, on one line, and as the file would write it."""
    if value is None:
        return "nothing"
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, str) and len(value) > _SHOWN_CHARS:
        value = f"{value[:_SHOWN_CHARS]}..."
    return json.dumps(value, ensure_ascii=isinstance(value, str) and not value.isprintable())
