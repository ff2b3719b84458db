"""Reads the cases that lie beside the rules, and turns their short form into what the engine takes.

A case file has `base` (the invocations, and the binding and claim that its cases vary) and `cases`. In `given`,
`binding` and `claim` change single fields of the base, `claims` lists claims (each a change of the base claim, with
`evidence_bindings` as changes of the base binding), `output` is a raw text instead, `top` adds fields to the object and
`parameters` changes those of the rule; `narrow_question` stands in base or `given`. The word OMIT leaves a field out.
`expect` names every finding; what it does not mention is not compared, but for findings, warnings and rule errors,
which are none where they are not named. A key that is none of these is an error (`case_files.py`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from evidencegate_server.catalog.excerpt_policy import build_excerpt_policy
from evidencegate_server.catalog.load import load_catalog
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.evidence.model import EvidenceRef, Invocation
from evidencegate_server.rules.model import RuleEntry
from evidencegate_server.use_cases.validate import Validated, ValidationInput, validate
from evidencegate_server.words import EvidenceKind, InvocationStatus, OutputVariant

from tests.rules.case_files import read_case_file
from tests.support import ROOT

RULES_FOLDER = ROOT / "rules"
OMIT = "OMIT"


@dataclass(frozen=True)
class RuleCase:
    """One case of one rule."""

    rule: str
    name: str
    base: Mapping[str, Any]
    given: Mapping[str, Any]
    expect: Mapping[str, Any]


@cache
def catalog() -> Catalog:
    """Returns the catalog of the source tree."""
    return load_catalog(RULES_FOLDER)


def rule_cases() -> Iterator[RuleCase]:
    """Yields every case of every rule, file by file."""
    for path in sorted(RULES_FOLDER.glob("*/*.cases.yaml")):
        data = read_case_file(path)
        for case in data["cases"]:
            yield RuleCase(data["rule"], case["name"], data["base"], case["given"], case["expect"])


def with_rule(whole: Catalog, rule_id: str, **changes: Any) -> Catalog:
    """Returns the catalog with one rule's entry changed; `parameters` changes single parameters."""

    def changed(entry: RuleEntry) -> RuleEntry:
        if entry.id != rule_id:
            return entry
        fields = dict(changes)
        if "parameters" in fields:
            fields["parameters"] = entry.parameters.model_copy(update=fields["parameters"])
        return replace(entry, **fields)

    entries = tuple(changed(entry) for entry in whole.rule_set.entries)
    excerpts = build_excerpt_policy(whole.lexicon, {entry.id: entry.parameters for entry in entries})
    return replace(whole, rule_set=replace(whole.rule_set, entries=entries), excerpts=excerpts)


def run_case(case: RuleCase) -> Validated:
    """Validates what the case gives, under the catalog with the case's parameters."""
    used = with_rule(catalog(), case.rule, parameters=case.given.get("parameters", {}))
    return validate(case_input(case), used)


def case_input(case: RuleCase) -> ValidationInput:
    """Returns the input that the case describes."""
    output = case.given.get("output")
    text = json.dumps(_output(case), ensure_ascii=False) if output is None else output
    listed = case.given.get("invocations", case.base["invocations"])
    narrow = case.given.get("narrow_question", case.base.get("narrow_question", False))
    return ValidationInput(OutputVariant.TEXT, text, tuple(invocation(each) for each in listed), narrow)


def _output(case: RuleCase) -> dict[str, Any]:
    claim = {**case.base["claim"], **case.given.get("claim", {})}
    binding = {**case.base["binding"], **case.given.get("binding", {})}
    claims = [_claim(claim, binding, change) for change in case.given.get("claims", [{}])]
    lists: dict[str, Any] = {"hypotheses": [], "recommended_actions": [], "missing_info": []}
    return {"answer_version": "executor_evidence_v2", "claims": claims, **lists, **case.given.get("top", {})}


def _claim(claim: dict[str, Any], binding: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    changed = {**claim, "evidence_bindings": [{}], **change}
    bindings = changed["evidence_bindings"]
    if isinstance(bindings, list):
        changed["evidence_bindings"] = [
            _present({**binding, **each}) if isinstance(each, dict) else each for each in bindings
        ]
    return _present(changed)


def _present(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value != OMIT}


def invocation(short: Mapping[str, Any]) -> Invocation:
    """Returns an invocation from its short form, in which refs are a map from path to text or fields."""
    refs = []
    for path, ref in short.get("refs", {}).items():
        fields = {"text": ref} if isinstance(ref, str) else dict(ref)
        kind = EvidenceKind(fields.pop("kind", "observation"))
        refs.append(EvidenceRef(raw_path=path, kind=kind, **fields))
    return Invocation(
        id=short["id"],
        tool_name=short["tool"],
        status=InvocationStatus(short.get("status", "SUCCESS")),
        input=short.get("input", ""),
        output=short.get("output", ""),
        error=short.get("error", ""),
        refs=tuple(refs),
    )
