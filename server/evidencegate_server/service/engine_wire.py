"""What a server and its engine process say to each other over a socket of their own.

Each message is a head and so many bytes: what the message is, and its length. The server begins with its order, as
JSON; the engine process answers with the digest of the catalog that it has loaded. After that each request, which
carries the place of its method in `METHODS`, gets its answer; answers come in the order of the requests.
"""

from __future__ import annotations

import marshal
import struct
from collections.abc import Callable
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.service.metrics import CallFacts
from evidencegate_server.service.servicers import Answer, Methods, Pending

HEAD: Final = struct.Struct("!BI")
_LENGTH: Final = struct.Struct("!I")

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
    """Returns an answer as it is sent: the length of its facts, these, and the response.

    Both ends are the same program, so that the facts can go in Python's own form for plain values, which takes a fifth
    of what a pickle takes.
    """
    facts = answer.facts
    plain = (
        facts.session_id,
        str(facts.parse_status),  # words of enums, which are no plain text
        str(facts.gatekeeper_status),
        facts.failed_rules,
        facts.findings,
        str(facts.verdict),
        str(facts.route),
        facts.claim_labels,
        facts.fact_labels,
        facts.counted,
    )
    told = marshal.dumps(plain)
    return b"".join((_LENGTH.pack(len(told)), told, answer.payload))


def read_answer(body: bytes) -> Answer:
    """Returns the answer that was sent."""
    payload_at = _LENGTH.size + _LENGTH.unpack_from(body)[0]
    told = marshal.loads(body[_LENGTH.size : payload_at])  # noqa: S302  # of a process that we started, over a socket of its own
    return Answer(body[payload_at:], CallFacts(*told))


def works_of(methods: Methods) -> tuple[Callable[[bytes], Answer | Pending], ...]:
    """Returns the methods in the order of METHODS."""
    return (methods.validate, methods.judge, methods.summarize_trace)
