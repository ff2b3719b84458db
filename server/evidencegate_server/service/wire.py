"""Puts a serialized message into another one without decoding it.

A field that holds a message is, in the encoding, its tag, the length of the message's bytes and those bytes; the
fields of a message may come in any order and in pieces. So a part that is at hand as bytes is appended as it is:
building a result with ten bindings this way takes less than half of what a tree of messages takes.
"""

from __future__ import annotations

from typing import Final

_VARINT_TYPE: Final = 0
_LENGTH_DELIMITED: Final = 2


class _Varints(dict[int, bytes]):
    """Writes a number that is not negative; those that most lengths and indexes are stand ready."""

    def __missing__(self, number: int) -> bytes:
        return _varint(number)


def _varint(number: int) -> bytes:
    """Returns seven bits a byte, the lowest first, the high bit set on all but the last."""
    parts = bytearray()
    while number >= 0x80:
        parts.append(number & 0x7F | 0x80)
        number >>= 7
    parts.append(number)
    return bytes(parts)


VARINT: Final = _Varints((number, _varint(number)) for number in range(4_096))
"""Numbers by value as they are written: VARINT[300] is two bytes."""


def number_tag(field_number: int) -> bytes:
    """Returns what stands before the value of a number, boolean or enum field."""
    return VARINT[field_number << 3 | _VARINT_TYPE]


def text_tag(field_number: int) -> bytes:
    """Returns what stands before the length and the bytes of a text or message field."""
    return VARINT[field_number << 3 | _LENGTH_DELIMITED]


def embed(field_number: int, message: bytes) -> bytes:
    """Returns the bytes of a field that holds this serialized message."""
    return b"".join((text_tag(field_number), VARINT[len(message)], message))
