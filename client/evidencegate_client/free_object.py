"""Carries free JSON objects: the same object gives the same text, and what JSON cannot carry is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from google.protobuf import json_format
from google.protobuf.struct_pb2 import Struct


class FreeObjectError(ValueError):
    """Raised for what a JSON object cannot carry; the caller knows the place and says it."""


def fill_object(target: Struct, value: Mapping[str, Any]) -> None:
    """Puts an object into a message.

    Raises FreeObjectError for what it cannot carry: NaN, a lone surrogate, a key that is no text, too many levels.
    """
    try:
        json_format.ParseDict(dict(value), target)
    except (json_format.Error, ValueError, TypeError, OverflowError) as error:
        raise FreeObjectError(str(error)) from error
    plain_object(target)  # which refuses the numbers that protobuf takes and JSON has not


def plain_object(struct: Struct) -> dict[str, Any]:
    """Returns the object with its keys in the order of their code points; that of protobuf changes with the process.

    Raises FreeObjectError for NaN and the infinities.
    """
    try:
        return _in_order(json_format.MessageToDict(struct))
    except (json_format.Error, ValueError) as error:
        raise FreeObjectError(str(error)) from error


def _in_order(value: dict[str, Any]) -> dict[str, Any]:
    return {key: _with_order_inside(value[key]) for key in sorted(value)}


def _with_order_inside(value: Any) -> Any:
    if isinstance(value, dict):
        return _in_order(value)
    return [_with_order_inside(item) for item in value] if isinstance(value, list) else value
