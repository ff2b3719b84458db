"""Reads the comments of the protos."""

from __future__ import annotations

from functools import cache

from google.protobuf import descriptor_pb2 as pb

from tools.generate_reference import Source, read_protos

FIELD = pb.DescriptorProto.FIELD_FIELD_NUMBER
MESSAGE = pb.FileDescriptorProto.MESSAGE_TYPE_FIELD_NUMBER
ENUM = pb.FileDescriptorProto.ENUM_TYPE_FIELD_NUMBER


@cache
def sources() -> tuple[Source, ...]:
    """The proto files with their comments."""
    return tuple(read_protos())


@cache
def field_comments() -> dict[str, str]:
    """The comment of each field by `Message.field`."""
    return {
        f"{message.name}.{field.name}": source.comment(MESSAGE, index, FIELD, at)
        for source in sources()
        for index, message in enumerate(source.file.message_type)
        for at, field in enumerate(message.field)
    }


@cache
def enum_comments() -> dict[str, str]:
    """The comment of each enum by its name."""
    return {
        enum.name: source.comment(ENUM, index)
        for source in sources()
        for index, enum in enumerate(source.file.enum_type)
    }
