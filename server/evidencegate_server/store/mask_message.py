"""Overwrites credentials in every text of a message before it is kept."""

from __future__ import annotations

from typing import Any

from google.protobuf import struct_pb2
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from evidencegate_server.text.masking import Masker

_STRUCT = struct_pb2.Struct.DESCRIPTOR.full_name


def mask_message(message: Message, masker: Masker) -> int:
    """Changes the message in place; returns how many credentials there were.

    Bytes are read as Latin-1, which every byte has a character in: the forms of credentials are ASCII.
    """
    if message.DESCRIPTOR.full_name == _STRUCT:
        assert isinstance(message, struct_pb2.Struct)
        return _mask_struct(message, masker)
    count = 0
    for field, value in message.ListFields():
        if field.message_type is not None:
            count += sum(mask_message(item, masker) for item in (value if field.is_repeated else (value,)))
        elif field.type in (FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES):
            count += _mask_field(message, field, value, masker)
    return count


def _mask_field(message: Message, field: FieldDescriptor, value: Any, masker: Masker) -> int:
    if not field.is_repeated:
        masked, count = _mask(value, masker)
        if count:
            setattr(message, field.name, masked)
        return count
    count = 0
    for index, item in enumerate(value):
        masked, found = _mask(item, masker)
        if found:
            value[index] = masked
            count += found
    return count


def _mask(value: str | bytes, masker: Masker) -> tuple[str | bytes, int]:
    if isinstance(value, str):
        masked = masker.mask(value)
        return masked.text, masked.count
    masked = masker.mask(value.decode("latin-1"))
    return masked.text.encode("latin-1"), masked.count


def _mask_struct(struct: struct_pb2.Struct, masker: Masker) -> int:
    return sum(_mask_value(value, masker, masker.is_secret_name(key)) for key, value in struct.fields.items())


def _mask_value(value: struct_pb2.Value, masker: Masker, is_secret: bool) -> int:
    kind = value.WhichOneof("kind")
    if kind == "string_value":
        masked = (masker.mask_whole if is_secret else masker.mask)(value.string_value)
        value.string_value = masked.text
        return masked.count
    if kind == "struct_value":
        return _mask_struct(value.struct_value, masker)
    if kind == "list_value":
        return sum(_mask_value(item, masker, is_secret) for item in value.list_value.values)
    return 0
