"""Reads session files, and says which file and which place is wrong where one is none."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evidencegate.v1.verifier_pb2 import JudgeRequest
from evidencegate_client.build import request_from_session
from evidencegate_client.errors import SessionError


class FileProblemError(Exception):
    """Raised when a file cannot be used. `place` is a line and column or a path of keys, empty for the whole file."""

    def __init__(self, path: Path, place: str, problem: str) -> None:
        super().__init__(f"{path}: {place}: {problem}" if place else f"{path}: {problem}")
        self.path = path
        self.place = place
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Session:
    """One session ready to be sent. `expect` is what must come out, None where the file does not say."""

    path: Path
    session_id: str
    title: str
    request: JudgeRequest
    expect: Mapping[str, Any] | None


def session_files(paths: Iterable[Path]) -> Iterator[Path | FileProblemError]:
    """Returns each file once, in the order asked for; a folder stands for its `*.json` files by name."""
    seen: set[Path] = set()
    for path in paths:
        found = sorted(path.glob("*.json")) if path.is_dir() else [path]
        if not found:
            yield FileProblemError(path, "", "no *.json file in this folder")
        for file in found:
            if file.resolve() not in seen:
                seen.add(file.resolve())
                yield file


def read_session(path: Path, engine: str | None = None, model_profile: str | None = None) -> Session:
    """Returns the session that a file holds; raises FileProblemError where it holds none."""
    value = read_json(path, read_text(path))
    try:
        request = request_from_session(value, engine=engine)
    except SessionError as error:
        raise FileProblemError(path, error.place, error.problem) from error
    if model_profile is not None:
        request.model_profile = model_profile
    title, expect = value.get("title"), value.get("expect")
    if title is not None and not isinstance(title, str):
        raise FileProblemError(path, "title", "a text is wanted")
    if expect is not None and not isinstance(expect, Mapping):
        raise FileProblemError(path, "expect", "an object is wanted")
    return Session(path, request.session_id, title or "", request, expect)


def read_text(path: Path) -> str:
    """Returns the file's text without a byte-order mark; raises FileProblemError where there is none to read."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise FileProblemError(path, "", f"cannot be read: {error.strerror}") from error
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FileProblemError(path, f"line {line}", f"not UTF-8 at byte {error.start}: {error.reason}") from error


def read_json(path: Path, text: str, first_line: int = 1) -> Any:
    """Returns the JSON value of a text; raises FileProblemError with line and column where it is none.

    A repeated key, which most readers take the last of without a word, and NaN are faults too. `first_line` is the
    line of the file at which the text begins.
    """
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno + first_line - 1} column {error.colno}"
        raise FileProblemError(path, place, f"no JSON: {error.msg}") from error
    except (ValueError, RecursionError) as error:
        place = "" if first_line == 1 else f"line {first_line}"
        raise FileProblemError(path, place, f"no JSON: {error}") from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ValueError(f"the key {key!r} stands twice in one object")
            seen.add(key)
    return result


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")
