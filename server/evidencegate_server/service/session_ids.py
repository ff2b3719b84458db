"""Finds, for the log, the session of a call that got no answer: its request may be large or broken."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from evidencegate.v1 import composer_pb2, gatekeeper_pb2, self_evaluation_pb2, verifier_pb2

from evidencegate_server.service.wire import text_tag

# The first field of every request that has it, and what writes messages writes the first field first.
_TAG: Final = text_tag(1)
_MAX_BYTES: Final = 512  # more than the log shows


def _with_session(files: Iterable[Any]) -> frozenset[str]:
    """Returns the names of the methods whose request begins with a session ID."""
    methods = [
        (service, method)
        for file in files
        for service in file.DESCRIPTOR.services_by_name.values()
        for method in service.methods
    ]
    return frozenset(
        f"{service.name}/{method.name}"
        for service, method in methods
        if (field := method.input_type.fields_by_number.get(1)) is not None and field.name == "session_id"
    )


_METHODS: Final = _with_session((gatekeeper_pb2, verifier_pb2, composer_pb2, self_evaluation_pb2))


def session_id_of(method: str, request: Any) -> str:
    """Returns the session ID, cut where it is long, at the beginning of a request; empty where none stands there.

    `method` is the name as the log has it, `Gatekeeper/Validate`.
    """
    if method not in _METHODS or not isinstance(request, bytes) or not request.startswith(_TAG):
        return ""
    length, shift = 0, 0
    for at, byte in enumerate(request[1:6], start=2):
        length |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return request[at : at + min(length, _MAX_BYTES)].decode("utf-8", "replace")
    return ""
