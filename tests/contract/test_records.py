"""Tests the small values of each call: how one is made from another."""

from __future__ import annotations

import pytest
from evidencegate_server.contract.records import record, replace


@record
class _Pair:
    name: str
    number: int = 7


@record
class _One:
    name: str


def test_replace_changes_the_fields_that_it_names_and_leaves_the_first_as_it_was() -> None:
    """The other fields stay, and the record that it is made from too."""
    first = _Pair("a", 1)
    assert replace(first, name="b") == _Pair("b", 1)
    assert replace(first, name="b", number=2) == _Pair("b", 2)
    assert first == _Pair("a", 1)


def test_replace_works_for_a_record_with_one_field() -> None:
    """A single field is no special case to whoever changes it."""
    assert replace(_One("a"), name="b") == _One("b")


def test_replace_refuses_a_field_that_is_not_there() -> None:
    """A misspelt name must not be lost."""
    with pytest.raises(KeyError, match="nmae"):
        replace(_Pair("a"), nmae="b")  # type: ignore[call-arg]
