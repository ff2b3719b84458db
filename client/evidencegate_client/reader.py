"""Reads values out of one object and names the place of each that does not fit."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper

from evidencegate_client import vocabulary
from evidencegate_client.errors import SessionError
from evidencegate_client.keys import unknown_key
from evidencegate_client.vocabulary import kind_of

SURROGATES = re.compile("[\ud800-\udfff]")
_REPLACEMENT = "\ufffd"


def clean(text: str) -> str:
    """Returns evidence or a query with each lone surrogate replaced by U+FFFD; offsets stay as they are."""
    return SURROGATES.sub(_REPLACEMENT, text)


def enum_value(enum: EnumTypeWrapper, text: Any, place: str) -> int:
    """Returns the value for a word; raises SessionError, with the known words, for anything else."""
    if isinstance(text, str) and text in vocabulary.words(enum):
        return vocabulary.number(enum, text)
    raise SessionError(place, f"{text!r} is none of {', '.join(vocabulary.words(enum))}")


class Reader:
    """Reads the keys of one object and names the place of what does not fit. An absent or null key is the default.

    A key that is not among the known ones is refused: it is mostly a misspelt one.
    """

    def __init__(self, row: Any, place: str, known: Collection[str]) -> None:
        if not isinstance(row, Mapping):
            raise SessionError(place, f"an object is wanted, not {kind_of(row)}")
        self._row = row
        self._place = place
        for key in row:
            if key not in known:
                raise SessionError(self.at(str(key)), unknown_key(str(key), known))

    def at(self, key: str) -> str:
        """Returns the path to a key."""
        return f"{self._place}.{key}" if self._place else key

    def text(self, key: str, *, required: bool = False) -> str:
        """Returns a text."""
        value = self._get(key, required)
        if value is None and not required:
            return ""
        if not isinstance(value, str):
            raise SessionError(self.at(key), f"a text is wanted, not {kind_of(value)}")
        return value

    def optional_text(self, key: str, *, required: bool = False) -> str | None:
        """Returns what a model wrote, None where it wrote nothing."""
        value = self._get(key, required)
        if value is not None and not isinstance(value, str):
            raise SessionError(self.at(key), f"the raw text of a model is wanted, not {kind_of(value)}")
        return value

    def identifier(self, key: str) -> str:
        """Returns an ID as text; a whole number is one as well."""
        value = self._get(key, required=True)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if not isinstance(value, str):
            raise SessionError(self.at(key), f"an ID is a text or a whole number, not {kind_of(value)}")
        return clean(value)

    def whole(self, key: str, default: int) -> int:
        """Returns a whole number that the contract can carry."""
        value = self._get(key)
        if value is None:
            return default
        if not isinstance(value, int) or isinstance(value, bool) or not -(2**31) <= value < 2**31:
            raise SessionError(self.at(key), f"a whole number is wanted, not {kind_of(value)}")
        return value

    def flag(self, key: str) -> bool:
        """Returns true or false."""
        value = self._get(key)
        if value is not None and not isinstance(value, bool):
            raise SessionError(self.at(key), f"true or false is wanted, not {kind_of(value)}")
        return bool(value)

    def word(self, key: str, enum: EnumTypeWrapper, *, default: int | None = None) -> int:
        """Returns the enum value for a word; without a default the key is required."""
        value = self._get(key, required=default is None)
        if value is None and default is not None:
            return default
        if not isinstance(value, str):
            raise SessionError(self.at(key), f"a text is wanted, not {kind_of(value)}")
        return enum_value(enum, value, self.at(key))

    def texts(self, key: str) -> list[str]:
        """Returns a list of texts."""
        items = self._list(key)
        for index, item in enumerate(items):
            if not isinstance(item, str):
                raise SessionError(f"{self.at(key)}[{index}]", f"a text is wanted, not {kind_of(item)}")
        return [clean(item) for item in items]

    def objects(self, key: str, *, required: bool = False) -> list[Any]:
        """Returns a list, whose items the caller reads."""
        return self._list(key, required)

    def optional_object(self, key: str) -> Mapping[str, Any] | None:
        """Returns an object, None where it is absent."""
        value = self._get(key)
        if value is not None and not isinstance(value, Mapping):
            raise SessionError(self.at(key), f"an object is wanted, not {kind_of(value)}")
        return value

    def _list(self, key: str, required: bool = False) -> list[Any]:
        value = self._get(key, required)
        if value is None and not required:
            return []
        if not isinstance(value, list | tuple):
            raise SessionError(self.at(key), f"a list is wanted, not {kind_of(value)}")
        return list(value)

    def _get(self, key: str, required: bool = False) -> Any:
        if required and key not in self._row:
            raise SessionError(self.at(key), "this key is missing")
        return self._row.get(key)
