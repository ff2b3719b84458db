"""Reads a request's bytes, and blames the caller where they are no message."""

from __future__ import annotations

from typing import TypeVar

from google.protobuf.message import DecodeError, Message

from evidencegate_server.use_cases.errors import CallerError

_Request = TypeVar("_Request", bound=Message)


class UndecodableRequestError(CallerError):
    """Occurs where a request's bytes are no message of the method's type, or a string in it is no UTF-8."""

    reason = "UNDECODABLE_REQUEST"


def decode(kind: type[_Request], request: bytes) -> _Request:
    """Returns the message; raises UndecodableRequestError where the bytes are none."""
    try:
        return kind.FromString(request)
    except DecodeError as error:
        message = (
            f"the request is no {kind.DESCRIPTOR.name}, or a string in it is no UTF-8; "
            "text with lone surrogates travels in `raw`"
        )
        raise UndecodableRequestError(message, {"message": kind.DESCRIPTOR.full_name}) from error
