"""Proves that the page on the contract names every method and every reason of an error, with its code."""

from __future__ import annotations

import re
from collections.abc import Iterator

import grpc
import pytest
from evidencegate_server.service import decode, self_evaluations
from evidencegate_server.service.errors import internal, overloaded, refusal_of, shutting_down
from evidencegate_server.store import errors as store_errors
from evidencegate_server.use_cases.errors import CallerError, FieldViolation, InvalidRequestError, LimitExceededError

from tests.contract.methods import METHODS
from tests.support import ROOT

PAGE = (ROOT / "docs" / "contract.md").read_text(encoding="utf-8")
LOADED = (decode, self_evaluations, store_errors)  # the modules that have errors of their own


def _kinds(kind: type[CallerError]) -> Iterator[type[CallerError]]:
    for below in kind.__subclasses__():
        yield below
        yield from _kinds(below)


def _made(kind: type[CallerError]) -> CallerError:
    if issubclass(kind, InvalidRequestError):
        return kind((FieldViolation("field", "is wrong"),))
    return LimitExceededError("field", 1, 2) if issubclass(kind, LimitExceededError) else kind("is wrong")


def _reasons() -> dict[str, str]:
    """The code of each reason, of all that the server can answer with."""
    refusals = [
        refusal_of(_made(kind)) for kind in _kinds(CallerError) if not kind.__subclasses__() or _is_raised(kind)
    ]
    refusals += [overloaded(1), shutting_down(), internal("0")]
    return {refusal.reason: refusal.code.name for refusal in refusals}


def _is_raised(kind: type[CallerError]) -> bool:
    """Says whether a kind with kinds below it is an answer itself."""
    return kind is InvalidRequestError


@pytest.mark.req("IO-05")
def test_each_reason_is_listed_with_its_code() -> None:
    rows = re.findall(r"^\| `([A-Z_]+)` \| `([A-Z_]+)` \|", PAGE, re.MULTILINE)
    assert dict(rows) == _reasons()
    assert len(rows) == len(dict(rows))


def test_each_code_of_the_table_is_one_of_grpc() -> None:
    codes = re.findall(r"^\| `([A-Z_]+)` \| [A-Z][^|]* \|", PAGE, re.MULTILINE)
    assert len(codes) >= 7
    assert set(codes) <= {code.name for code in grpc.StatusCode}
    assert set(codes) >= set(_reasons().values())


def test_each_method_is_named() -> None:
    start = PAGE.index("## Methods")
    table = PAGE[start : PAGE.index("## ", start + 1)]
    for method in METHODS:
        service, _, name = method.removeprefix("evidencegate.v1.").partition("/")
        assert re.search(rf"`{service}\.", table)
        assert re.search(rf"[`.]{name}`", table)
