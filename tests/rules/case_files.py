"""Reads a case file strictly: a misspelt key would leave a case that tests nothing and still passes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from evidencegate_server.catalog.problems import did_you_mean, key_path
from evidencegate_server.catalog.strict_yaml import KeyPath, Lines, YamlError, read_yaml
from evidencegate_server.evidence.model import EvidenceRef
from evidencegate_server.rules.model import BindingCheck

FILE_KEYS = {"rule", "base", "cases"}
BASE_KEYS = {"invocations", "binding", "claim"}
CASE_KEYS = {"name", "given", "expect"}
GIVEN_KEYS = {"binding", "claim", "claims", "invocations", "narrow_question", "output", "top", "parameters"}
# `verified` is of every binding; what a binding check has besides is compared with the first one.
EXPECT_KEYS = {"findings", "warnings", "rule_errors", "severity", "verified"} | {
    field.name for field in fields(BindingCheck)
}
FINDING_KEYS = {"rule", "place", "reason"}
INVOCATION_KEYS = {"id", "tool", "status", "input", "output", "error", "refs"}
REF_KEYS = {field.name for field in fields(EvidenceRef)} - {"raw_path"}


class CaseFileError(Exception):
    """Raised where a case file has keys that nobody reads, lacks some, or is no YAML; one line for each."""


def read_case_file(path: Path) -> dict[str, Any]:
    """Returns the file's content; raises CaseFileError with file, line and key of each problem."""
    lines = Lines()
    try:
        content = read_yaml(path.read_text(encoding="utf-8"), str(path), lines=lines)
    except YamlError as error:
        raise CaseFileError(str(error)) from error
    problems = [f"{path}:{lines.of(where)}: {key_path(where)}: {what}" for where, what in _problems(content)]
    if problems:
        raise CaseFileError("\n".join(problems))
    return content


Problems = Iterator[tuple[KeyPath, str]]


def _problems(content: dict[str, Any]) -> Problems:
    yield from _keys(content, (), FILE_KEYS, FILE_KEYS)
    base = content.get("base", {})
    yield from _keys(base, ("base",), {*BASE_KEYS, "narrow_question"}, BASE_KEYS)
    yield from _invocations(_part(base, "invocations"), ("base", "invocations"))
    for number, case in enumerate(_items(content.get("cases"))):
        here: KeyPath = ("cases", number)
        yield from _keys(case, here, CASE_KEYS, CASE_KEYS)
        given, expect = _part(case, "given"), _part(case, "expect")
        yield from _keys(given or {}, (*here, "given"), GIVEN_KEYS)
        yield from _invocations(_part(given, "invocations"), (*here, "given", "invocations"))
        yield from _keys(expect or {}, (*here, "expect"), EXPECT_KEYS)
        for place, finding in enumerate(_items(_part(expect, "findings"))):
            yield from _keys(finding, (*here, "expect", "findings", place), FINDING_KEYS, FINDING_KEYS)


def _invocations(listed: Any, here: KeyPath) -> Problems:
    for number, invocation in enumerate(_items(listed)):
        where = (*here, number)
        yield from _keys(invocation, where, INVOCATION_KEYS, {"id", "tool"})
        refs = _part(invocation, "refs")
        for path, ref in (refs if isinstance(refs, dict) else {}).items():
            if not isinstance(ref, str):
                yield from _keys(ref, (*where, "refs", path), REF_KEYS, {"text"})


def _keys(value: Any, here: KeyPath, known: Iterable[str], needed: Iterable[str] = ()) -> Problems:
    if not isinstance(value, dict):
        yield here, "a mapping is wanted"
        return
    for key in value:
        if key not in known:
            yield (*here, key), f"unknown key{did_you_mean(key, known)}"
    for key in sorted(needed):
        if key not in value:
            yield (*here, key), "the key is missing"


def _part(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, dict) else None


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
