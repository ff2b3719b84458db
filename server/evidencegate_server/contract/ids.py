"""Reads IDs as models write them: JSON integers, strings, and now and then a float that stands for an integer.

IDs are compared as strings. No ID ever passes through a double, which would turn 394 into 394.0 and round 2^53 + 1.
"""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from evidencegate_server.contract.decoder import WrittenFloat
from evidencegate_server.contract.model import InvocationId

_NUMBER = "parse.id_number"
_FLOAT = "parse.id_float"
_TRIMMED = "parse.id_trimmed"
# The note IDs that `read_id` gives, with their messages.
ID_NOTES = {
    _NUMBER: "an ID written as a number is read as its digits",
    _FLOAT: "an ID written as a float is read as the integer that it is",
    _TRIMMED: "white space around an ID was left out",
}

# From here on a double skips integers, so a float may stand for another integer than the one that was meant.
_FIRST_INEXACT_INTEGER = 2**53
_MAX_WRITTEN_LENGTH = 200


def read_id(value: Any) -> tuple[InvocationId | None, str]:
    """Returns the ID that a JSON value stands for, and the ID of the note to make, empty where none is due.

    Null and a blank string name nothing: None. A boolean, a list, an object and a number that is no exact integer below
    2^53 give an ID whose `value` is None.
    """
    if type(value) is str:
        trimmed = value.strip()
        if not trimmed:
            return None, ""
        if trimmed == value:
            return InvocationId(value, f'"{value[:_MAX_WRITTEN_LENGTH]}"'), ""
        return InvocationId(trimmed, written(value)), _TRIMMED
    if value is None:
        return None, ""
    if type(value) is int:
        digits = str(value)
        return InvocationId(digits, digits), _NUMBER
    if isinstance(value, WrittenFloat):
        exact = _exact_integer(value.text)
        return InvocationId(exact, value.text[:_MAX_WRITTEN_LENGTH]), _FLOAT if exact is not None else ""
    return InvocationId(None, written(value)), ""


def written(value: Any) -> str:
    """Returns a JSON value as text for a message, shortened."""
    if isinstance(value, WrittenFloat):
        return value.text[:_MAX_WRITTEN_LENGTH]
    if isinstance(value, (list, dict)) and len(value) > _MAX_WRITTEN_LENGTH:
        # Writing a whole large value out for a message that shows its beginning would be waste.
        return "[...]" if isinstance(value, list) else "{...}"
    if isinstance(value, str):
        value = value[:_MAX_WRITTEN_LENGTH]
    return json.dumps(value, ensure_ascii=False)[:_MAX_WRITTEN_LENGTH]


def _exact_integer(text: str) -> str | None:
    number = Decimal(text)
    # The magnitude first: 1e308 written out has 309 digits.
    if abs(number) >= _FIRST_INEXACT_INTEGER or number != number.to_integral_value():
        return None
    return str(int(number))
