"""Gathers the texts that count for a claim: what the calls returned that it is bound to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from evidencegate_server.contract.records import record, replace
from evidencegate_server.evidence.index import IMPLIED_INPUT, IMPLIED_OUTPUT
from evidencegate_server.evidence.model import EvidenceRef, Invocation, Span
from evidencegate_server.judge.model import VerifiedBinding
from evidencegate_server.words import EvidenceKind, InvocationStatus

_GLUE = "\n"
_WORD = re.compile(r"[a-z0-9][\w./:-]+")
_MOST_ASKED = 2_000  # code points of what a call was asked


@record
class Piece:
    """A stretch of a context that is the text of one ref; `at` is where it begins in the context."""

    raw_path: str
    at: int
    length: int


@record
class Context:
    """One text of a call: its output, or its refs one under the other. All that one call returned is one context.

    `truncated` says that some of it is known to be cut. `is_question` marks what was asked of a call without a hit: it
    gives the scope of the empty result and no fact. `asked` are the words of what a call was asked that returned this:
    the logs of a pod are of that pod, though no line names it.
    """

    invocation_id: str
    text: str
    pieces: tuple[Piece, ...]
    truncated: bool = False
    is_question: bool = False
    asked: frozenset[str] = frozenset()

    def place(self, start: int, end: int) -> tuple[str, Span]:
        """Returns the ref that has a stretch of the context, and where in its text."""
        for piece in self.pieces:
            if piece.at <= start < piece.at + piece.length:
                return piece.raw_path, Span(start - piece.at, min(end - piece.at, piece.length))
        return IMPLIED_OUTPUT, Span(start, end)

    def holds(self, raw_path: str, span: Span) -> tuple[int, int] | None:
        """Returns where the span of a ref stands in the context, None where the ref is not part of it."""
        for piece in self.pieces:
            if piece.raw_path == raw_path:
                return piece.at + span.start, piece.at + min(span.end, piece.length)
        return None


def contexts(bindings: Iterable[VerifiedBinding], may_guide: bool) -> tuple[Context, ...]:
    """Returns the contexts of the calls that a claim is bound to, in the order of their IDs.

    Guidance is left out unless it may testify (`may_guide`: to a claim of what a runbook says).
    """
    calls: dict[str, Invocation] = {}
    for binding in bindings:
        calls.setdefault(binding.invocation.id, binding.invocation)
    found: list[Context] = []
    for _, call in sorted(calls.items()):
        found.extend(_of_call(call, may_guide))
    return tuple(found)


def _of_call(call: Invocation, may_guide: bool) -> list[Context]:
    refs = [ref for ref in call.refs if may_guide or ref.kind is EvidenceKind.OBSERVATION]
    if call.status is InvocationStatus.NO_HIT:
        kind = call.implied_kind
        question = EvidenceRef(IMPLIED_INPUT, call.input, kind, implied=True)
        answer = [*refs] if refs else [EvidenceRef(IMPLIED_OUTPUT, call.output, kind, implied=True)]
        return [_joined(call, answer), *_questions(call, question)]
    if not refs:
        return []
    asked = frozenset(_WORD.findall(call.input[:_MOST_ASKED].lower()))
    return [replace(_joined(call, refs), asked=asked)]


def _questions(call: Invocation, question: EvidenceRef) -> list[Context]:
    if not question.text.strip():
        return []
    piece = Piece(question.raw_path, 0, len(question.text))
    return [Context(call.id, question.text, (piece,), is_question=True)]


def _joined(call: Invocation, refs: Sequence[EvidenceRef]) -> Context:
    """Returns the call's output where it holds all refs, else the refs one under the other."""
    truncated = any(ref.truncated for ref in refs)
    if all(ref.kind is EvidenceKind.OBSERVATION for ref in call.refs):
        pieces = _within(call.output, refs)
        if pieces is not None:
            return Context(call.id, call.output, pieces, truncated)
    parts: list[str] = []
    pieces_of: list[Piece] = []
    at = 0
    kept: list[EvidenceRef] = []
    for ref in refs:
        if any(ref.text in other.text for other in kept):
            continue
        kept.append(ref)
        pieces_of.append(Piece(ref.raw_path, at, len(ref.text)))
        parts.append(ref.text)
        at += len(ref.text) + len(_GLUE)
    return Context(call.id, _GLUE.join(parts), tuple(pieces_of), truncated)


def _within(output: str, refs: Sequence[EvidenceRef]) -> tuple[Piece, ...] | None:
    pieces: list[Piece] = []
    at = 0
    for ref in refs:
        # Refs mostly come in the output's order; one that does not is looked for from the beginning.
        found = output.find(ref.text, at)
        if found < 0:
            found = output.find(ref.text)
        if found < 0 or not ref.text:
            return None
        pieces.append(Piece(ref.raw_path, found, len(ref.text)))
        at = found
    return tuple(pieces)
