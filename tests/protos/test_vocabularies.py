"""Proves that the comment of each field with a closed set of words lists exactly the words that are written."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import evidencegate_client
import evidencegate_server
import pytest
from evidencegate_server.catalog.files import RuleFile
from evidencegate_server.compose import material
from evidencegate_server.excerpts.model import ExcerptFlag, ExcerptTier, MismatchReason
from evidencegate_server.judge.alignment.model import Standing
from evidencegate_server.rules import chain, gatekeeper
from evidencegate_server.rules.ledger import DISABLED
from evidencegate_server.service.translate_result import TRACEABILITY_VERSION
from evidencegate_server.verdict.labels import SUPPORTED
from evidencegate_server.words import InvocationStatus, ParseReason, Verification

from tests.protos.comments import enum_comments, field_comments

SERVER = Path(evidencegate_server.__file__).parent
CLIENT = Path(evidencegate_client.__file__).parent
WORD = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
NOTICE = re.compile(r"(?:parse|binding|input|judge|gatekeeper)\.[a-z_]+")


def _strings(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _first_arguments(folder: str, call: str, position: int = 0) -> set[str]:
    """The literal words that calls of one name are given at one position, in a folder of the server."""
    found = set()
    for path in (SERVER / folder).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == call:
                argument = node.args[position]
                if isinstance(argument, ast.Constant):
                    found.add(argument.value)
    return found


def _constants(*names: str) -> set[str]:
    """The texts that modules of the server name at their top."""
    found = set()
    for name in names:
        for node in ast.parse((SERVER / name).read_text(encoding="utf-8")).body:
            value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                found.add(value.value)
    return found


def _matrix_words() -> set[str]:
    """The lines of the table that turns labels into a verdict: whether it applies, verdict, word, sentence."""
    tree = ast.parse((SERVER / "verdict" / "matrix.py").read_text(encoding="utf-8"))
    lines = [node.elts for node in ast.walk(tree) if isinstance(node, ast.Tuple) and len(node.elts) == 4]
    return {line[2].value for line in lines if isinstance(line[2], ast.Constant)}


def _notices() -> set[str]:
    return {
        text
        for folder in (SERVER, CLIENT)
        for path in folder.rglob("*.py")
        for text in _strings(path)
        if NOTICE.fullmatch(text)
    }


_RULE_STATUSES = RuleFile.model_fields["status"].annotation.__args__  # type: ignore[union-attr]
_CHAIN_STEPS = {step.name for step in (*chain.CHAIN.resolve, *chain.CHAIN.locate, chain.CHAIN.invocation_status)}
_CALL_FAULTS = {status.lower() for status in InvocationStatus if status is not InvocationStatus.SUCCESS}

# The words of each field, from the code that writes them.
WRITTEN: dict[str, Iterable[str]] = {
    "BindingCheck.flags": {*ExcerptFlag, gatekeeper.REPLACEMENT_FLAG},
    "BindingCheck.mismatch_reason": MismatchReason,
    "BindingCheck.tier": ExcerptTier,
    "BindingStep.step": {*_CHAIN_STEPS, chain.CLAIM_CONTRACT_KEPT},
    "Evaluation.traceability_version": {TRACEABILITY_VERSION},
    "Finding.reason": (_first_arguments("rules", "Fault") | _CALL_FAULTS) - {*MismatchReason},
    "Finding.uncounted_reason": {DISABLED},
    "LabelStep.reason": _constants("verdict/guards.py"),
    "Leak.kind": _first_arguments("compose", "_leak") | _first_arguments("judge", "Fact"),
    "MaterialGap.verification": {*Verification} - {*SUPPORTED},
    "ModelUse.failure": _constants("models/reply.py", "models/client.py"),
    "Notice.id": _notices(),
    "ParseReport.reason": ParseReason,
    "RuleMetadata.status": _RULE_STATUSES,
    "VerdictStep.reason": _matrix_words() | _first_arguments("verdict", "Cap", 1),
    "WithheldItem.kind": {material._DIRECTION, material._NEXT_STEP},
    "WithheldItem.reason": {f"unknown_{kind}" for kind in _first_arguments("judge", "Fact")} | {"verdict", "bound"},
    "Witness.relation": Standing,
}


@pytest.mark.parametrize("field", WRITTEN)
def test_the_comment_of_a_closed_set_lists_its_words(field: str) -> None:
    quoted = re.findall(r"`([^`]+)`", field_comments()[field])
    pattern = NOTICE if field == "Notice.id" else WORD
    listed = [word for word in quoted if pattern.fullmatch(word) and not word.startswith("status_")]
    assert sorted(listed) == sorted(map(str, WRITTEN[field]))


@pytest.mark.parametrize("enum", enum_comments())
def test_the_comment_of_an_enum_says_what_an_unknown_value_is(enum: str) -> None:
    assert re.search(r"\bunknown (?:values?|numbers?|one)\b", enum_comments()[enum])


@pytest.mark.parametrize("enum", enum_comments())
def test_the_comment_of_an_enum_says_how_its_words_are_stored(enum: str) -> None:
    assert re.search(r"Words in stored JSON: (?:upper|lower) case, without the prefix\.", enum_comments()[enum])
