"""The word lists of the project are complete, strict and without repeats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from evidencegate_server.lexicon.model import Lexicon
from pydantic import ValidationError

from tests.excerpts.support import lexicon, lexicon_files


def _lists(value: Any, path: str = "") -> Iterator[tuple[str, list[str]]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _lists(item, f"{path}.{key}")
    elif isinstance(value, list) and all(isinstance(item, str) for item in value):
        yield path, value


@pytest.mark.req("RC-01")
def test_each_file_is_one_attribute() -> None:
    assert sorted(Lexicon.model_fields) == [path.stem for path in lexicon_files()]


def test_no_list_repeats_a_word() -> None:
    repeats = [
        (path.name, place, word)
        for path in lexicon_files()
        for place, words in _lists(yaml.load(path.read_text("utf-8"), yaml.CSafeLoader))
        for word in set(words)
        if words.count(word) > 1
    ]
    assert repeats == []


def test_english_words_are_in_lower_case() -> None:
    english = lexicon().polarity.english
    words = [word for name in type(english).model_fields for word in getattr(english, name)]
    words += [*lexicon().comparators.before, *lexicon().comparators.after, *lexicon().function_words.english]
    assert [word for word in words if word != word.lower()] == []


@pytest.mark.req("RC-02")
@pytest.mark.parametrize(
    "change", [{"extra": ()}, {"version": 0}, {"version": "1"}, {"english": ()}, {"english": (" a",)}]
)
def test_a_list_with_a_fault_is_refused(change: dict[str, Any]) -> None:
    words = lexicon().function_words
    with pytest.raises(ValidationError):
        type(words).model_validate({**words.model_dump(), **change})
