"""Writes every message as JSON that leaves the product, and reads it back.

Keys are the proto field names in the order of the fields. Enum values are words without their prefix: upper case for
verdicts, routes, invocation states and evaluation sources (`REJECT`), lower case for the rest (`direct_observation`).
Defaults are written out (`0.0`, `""`, `[]`), an `optional` or message field that is absent is left out, and whole
numbers stay numbers. protobuf's own JSON writer has other words and is used for free objects alone, which have none.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct

from evidencegate_client.errors import VocabularyError
from evidencegate_client.free_object import FreeObjectError, fill_object, plain_object
from evidencegate_client.keys import unknown_key

MessageT = TypeVar("MessageT", bound=Message)

_UPPER_CASE = frozenset({"Verdict", "Route", "InvocationStatus", "EvaluationSource"})
_UNSET = "_UNSPECIFIED"
_INTEGER_BITS = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
}
_FLOATS = frozenset({FieldDescriptor.CPPTYPE_DOUBLE, FieldDescriptor.CPPTYPE_FLOAT})


def word(enum: EnumTypeWrapper, number: int) -> str:
    """Returns the word for an enum value; a number that this version does not know gives its digits."""
    found = _words(enum.DESCRIPTOR).get(number)
    return str(number) if found is None else found


def number(enum: EnumTypeWrapper, text: str) -> int:
    """Returns the enum value for a word; raises VocabularyError, with the known words, for any other."""
    try:
        return _numbers(enum.DESCRIPTOR)[text]
    except KeyError:
        raise VocabularyError(f"{text!r} is none of {', '.join(words(enum))}") from None


def words(enum: EnumTypeWrapper) -> tuple[str, ...]:
    """Returns the words of an enum in its order, without the one for a value that is not set."""
    return tuple(found for value, found in _words(enum.DESCRIPTOR).items() if value != 0)


def to_dict(message: Message) -> dict[str, Any]:
    """Returns the message as plain Python values, ready for any JSON writer."""
    if isinstance(message, Struct):
        return _plain(message)
    result: dict[str, Any] = {}
    for field in _fields(message.DESCRIPTOR):
        if field.is_repeated:
            result[field.name] = [_outward(field, item) for item in getattr(message, field.name)]
        elif not field.has_presence or message.HasField(field.name):
            result[field.name] = _outward(field, getattr(message, field.name))
    return result


def to_json(message: Message) -> str:
    """Returns the message as JSON text on one line: the same message gives the same text."""
    return json.dumps(to_dict(message), ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def from_dict(kind: type[MessageT], value: Mapping[str, Any]) -> MessageT:
    """Reads back what `to_dict` wrote. A missing key is the default.

    Raises VocabularyError, with the place, for an unknown key, an unknown word or a value of the wrong type.
    """
    message = kind()
    _fill(message, value, "")
    return message


def from_json(kind: type[MessageT], text: str | bytes) -> MessageT:
    """Reads back what `to_json` wrote; raises VocabularyError where it does not fit."""
    try:
        value = json.loads(text)
    except ValueError as error:
        raise VocabularyError(f"no JSON: {error}") from error
    return from_dict(kind, value)


@cache
def _fields(descriptor: Descriptor) -> tuple[FieldDescriptor, ...]:
    for field in descriptor.fields:
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            raise VocabularyError(f"{field.full_name} is a map, whose order nothing fixes")
    return tuple(descriptor.fields)


@cache
def _words(descriptor: EnumDescriptor) -> dict[int, str]:
    prefix = descriptor.values_by_number[0].name.removesuffix(_UNSET) + "_"
    change = str.upper if descriptor.name in _UPPER_CASE else str.lower
    return {value.number: change(value.name.removeprefix(prefix)) for value in descriptor.values}


@cache
def _numbers(descriptor: EnumDescriptor) -> dict[str, int]:
    return {found: value for value, found in _words(descriptor).items()}


def _plain(struct: Struct) -> dict[str, Any]:
    try:
        return plain_object(struct)
    except FreeObjectError as error:
        raise VocabularyError(f"an object that JSON cannot carry: {error}") from error


def _outward(field: FieldDescriptor, value: Any) -> Any:
    if field.message_type is not None:
        return to_dict(value)
    if field.enum_type is not None:
        # A value that a newer service added has no word here; its number survives the way out and back.
        return _words(field.enum_type).get(value, value)
    if field.type == FieldDescriptor.TYPE_BYTES:
        return base64.b64encode(value).decode("ascii")
    if field.cpp_type in _FLOATS and not math.isfinite(value):
        raise VocabularyError(f"{field.full_name} is {value}, which JSON cannot carry")
    return value


def _fill(message: Message, value: Any, place: str) -> None:
    if not isinstance(value, Mapping):
        raise VocabularyError(f"{place or message.DESCRIPTOR.name}: an object is wanted, not {kind_of(value)}")
    if isinstance(message, Struct):
        try:
            fill_object(message, value)
        except FreeObjectError as error:
            raise VocabularyError(f"{place}: {error}") from error
        return
    fields = {field.name: field for field in _fields(message.DESCRIPTOR)}
    for key, item in value.items():
        where = f"{place}.{key}" if place else str(key)
        if key not in fields:
            raise VocabularyError(f"{where}: {unknown_key(str(key), fields)}")
        _fill_field(message, fields[key], item, where)


def _fill_field(message: Message, field: FieldDescriptor, value: Any, place: str) -> None:
    if field.is_repeated:
        if not isinstance(value, list | tuple):
            raise VocabularyError(f"{place}: a list is wanted, not {kind_of(value)}")
        target = getattr(message, field.name)
        for index, item in enumerate(value):
            where = f"{place}[{index}]"
            if field.message_type is not None:
                _fill(target.add(), item, where)
            else:
                target.append(_inward(field, item, where))
    elif value is None and field.has_presence:
        return
    elif field.message_type is not None:
        target = getattr(message, field.name)
        target.SetInParent()  # an empty message that is present differs from an absent one
        _fill(target, value, place)
    else:
        setattr(message, field.name, _inward(field, value, place))


def _inward(field: FieldDescriptor, value: Any, place: str) -> Any:
    if field.enum_type is not None:
        return _enum_number(field.enum_type, value, place)
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        if isinstance(value, bool):
            return value
    elif field.cpp_type in _INTEGER_BITS:
        low, high = _INTEGER_BITS[field.cpp_type]
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
    elif field.cpp_type in _FLOATS:
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            return float(value)
    elif isinstance(value, str):
        return _text_or_bytes(field, value, place)
    raise VocabularyError(f"{place}: {kind_of(value)} does not fit the field {field.full_name}")


def _enum_number(descriptor: EnumDescriptor, value: Any, place: str) -> int:
    if isinstance(value, str) and value in _numbers(descriptor):
        return _numbers(descriptor)[value]
    # Only a number without a word was written as a number, so that no value has two forms.
    if isinstance(value, int) and not isinstance(value, bool) and value not in _words(descriptor):
        return value
    raise VocabularyError(f"{place}: {value!r} is none of {', '.join(_numbers(descriptor))}")


def _text_or_bytes(field: FieldDescriptor, value: str, place: str) -> str | bytes:
    try:
        if field.type == FieldDescriptor.TYPE_BYTES:
            return base64.b64decode(value, validate=True)
        value.encode()
    except (UnicodeEncodeError, binascii.Error) as error:
        raise VocabularyError(f"{place}: {error}") from error
    return value


def kind_of(value: Any) -> str:
    """Returns what a JSON value is, for a message to a person."""
    names = {dict: "an object", list: "a list", str: "a text", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number" if isinstance(value, int | float) else type(value).__name__)
