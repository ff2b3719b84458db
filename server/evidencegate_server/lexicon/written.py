"""Gives the annotations of words and lists of words, whose schemas stand ready.

The word lists have some three hundred fields of a few kinds. Pydantic would work out the schema of each field from its
annotation, one by one, which took a twentieth of the server's start.
"""

from __future__ import annotations

from typing import Any

from pydantic_core import CoreSchema, core_schema


class Ready:
    """An annotation (`Annotated[str, ...]`) that tells pydantic the whole schema and leaves it nothing to work out."""

    def __init__(self, schema: CoreSchema) -> None:
        self.schema = schema

    def __get_pydantic_core_schema__(self, _source: Any, _handler: Any) -> CoreSchema:
        """Returns the schema, whatever the annotated type is; pydantic asks for it."""
        return self.schema


def word(pattern: str, *, longest: int = 64, shortest: int = 1) -> Ready:
    """Returns the annotation of a text that has the pattern and no more than `longest` characters."""
    return Ready(core_schema.str_schema(pattern=pattern, min_length=shortest, max_length=longest))


def words(each: Ready, at_least: int | None = None) -> Ready:
    """Returns the annotation of a tuple of such texts, `at_least` so many."""
    return Ready(core_schema.tuple_variable_schema(each.schema, min_length=at_least))
