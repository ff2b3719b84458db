"""What a server and its engine process say to each other over a socket of their own.

Each message is a head and so many bytes: what the message is, and its length. The server begins with its order, as
JSON; the engine process answers with the digest of the catalog that it has loaded. After that each request, which
carries the place of its method in `METHODS`, gets its answer before the next one is sent.
"""

from __future__ import annotations

import pickle
import struct
from collections.abc import Callable
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.service.servicers import Answer, Methods, Pending

HEAD: Final = struct.Struct("!BI")

METHODS: Final = ("Gatekeeper/Validate", "Verifier/Judge", "Verifier/SummarizeTrace")
"""Those that can be heavy and need nothing of the server but its catalog."""

ORDER: Final = 100
LOADED: Final = 101
ANSWER: Final = 102
NOT_HERE: Final = 103
"""For a call that the server has to work on: it asks for a model, or fails, which the server sees for itself then."""


@record
class EngineOrder:
    """Which catalog an engine process loads, by folder and digest, and what its memo of validations may hold."""

    rules: str
    digest: str
    validations_bytes: int


def message(kind: int, body: bytes) -> bytes:
    """Returns a message as it is sent."""
    return HEAD.pack(kind, len(body)) + body


def answer_bytes(answer: Answer) -> bytes:
    """Returns an answer as it is sent. Both ends are the same program, so that a pickle of its own types will do."""
    return pickle.dumps(answer, pickle.HIGHEST_PROTOCOL)


def read_answer(body: bytes) -> Answer:
    """Returns the answer that was sent."""
    answer: Answer = pickle.loads(body)  # noqa: S301  # of a process that we started, over a socket of its own
    return answer


def works_of(methods: Methods) -> tuple[Callable[[bytes], Answer | Pending], ...]:
    """Returns the methods in the order of METHODS."""
    return (methods.validate, methods.judge, methods.summarize_trace)
