"""Proves that the page on the contract names every method and every reason of an error, with its code."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator

import grpc
import pytest
from evidencegate_server.service import decode, errors, self_evaluations
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
    kinds = [kind for kind in _kinds(CallerError) if not kind.__subclasses__() or _is_raised(kind)]
    refusals = [errors.refusal_of(_made(kind)) for kind in kinds]
    refusals += [make(*_arguments(make)) for make in _own_refusals()]
    return {refusal.reason: refusal.code.name for refusal in refusals}


def _own_refusals() -> list[Callable[..., errors.Refusal]]:
    """The functions that make a refusal of something else than a caller's mistake."""
    functions = [function for name, function in inspect.getmembers(errors, inspect.isfunction) if name[0] != "_"]
    makers = [one for one in functions if inspect.signature(one).return_annotation == "Refusal"]
    return [one for one in makers if one is not errors.refusal_of]


def _arguments(make: Callable[..., errors.Refusal]) -> list[int | str]:
    return [1 if one.annotation == "int" else "1" for one in inspect.signature(make).parameters.values()]


def _is_raised(kind: type[CallerError]) -> bool:
    """Says whether a kind with kinds below it is an answer itself."""
    return kind is InvalidRequestError


@pytest.mark.req("IO-05")
def test_each_reason_is_listed_with_its_code() -> None:
    rows = re.findall(r"^\| `([A-Z_]+)` \| `([A-Z_]+)` \|", PAGE, re.MULTILINE)
    assert len(_own_refusals()) >= 3
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
