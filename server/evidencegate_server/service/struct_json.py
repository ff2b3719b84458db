"""Writes a google.protobuf.Struct as the one JSON text that its digest and the parser see.

Keys are sorted by code point, there is no white space, and a double that is an integer below 2^53 is written as that
integer, since JSON `394` becomes 394.0 inside a Struct.
"""

from __future__ import annotations

import json

from google.protobuf import struct_pb2


class UnsetValueError(ValueError):
    """Occurs where a value of a Struct has nothing set, not even null. `path` leads to it from the root."""

    def __init__(self) -> None:
        super().__init__("a value has nothing set")
        self.path = ""

    def inside(self, step: str) -> UnsetValueError:
        """Returns the error as seen from one level further out."""
        self.path = step + self.path
        return self


# Beyond it neighbouring integers share a double: what the caller wrote is lost, and exact digits would be made up.
_EXACT_BELOW = 2.0**53


def canonical_json(struct: struct_pb2.Struct) -> str:
    """Returns the Struct's JSON text. A NaN or an infinity stays one, so that the parser refuses it by name.

    Raises UnsetValueError for a value with nothing set, which no JSON text gives: the caller lost something.
    """
    parts: list[str] = []
    _write_object(struct, parts)
    return "".join(parts)


def _write_object(struct: struct_pb2.Struct, parts: list[str]) -> None:
    fields = struct.fields
    parts.append("{")
    for position, key in enumerate(sorted(fields)):
        parts.append(f"{',' if position else ''}{json.dumps(key, ensure_ascii=False)}:")
        try:
            _write_value(fields[key], parts)
        except UnsetValueError as error:
            raise error.inside(f".{key}") from None
    parts.append("}")


def _write_value(value: struct_pb2.Value, parts: list[str]) -> None:
    kind = value.WhichOneof("kind")
    if kind == "string_value":
        parts.append(json.dumps(value.string_value, ensure_ascii=False))
    elif kind == "number_value":
        parts.append(_number(value.number_value))
    elif kind == "bool_value":
        parts.append("true" if value.bool_value else "false")
    elif kind == "struct_value":
        _write_object(value.struct_value, parts)
    elif kind == "list_value":
        parts.append("[")
        for position, item in enumerate(value.list_value.values):
            if position:
                parts.append(",")
            try:
                _write_value(item, parts)
            except UnsetValueError as error:
                raise error.inside(f"[{position}]") from None
        parts.append("]")
    elif kind == "null_value":
        parts.append("null")
    else:
        raise UnsetValueError


def _number(number: float) -> str:
    if number.is_integer() and abs(number) < _EXACT_BELOW:
        return str(int(number))
    return json.dumps(number)
