"""Cuts the evidence into the clauses around the verified spans."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from evidencegate_server.evidence.model import EvidenceRef, Invocation, Span
from evidencegate_server.judge.model import VerifiedBinding
from evidencegate_server.words import EvidenceKind, InvocationStatus

# A clause ends with its sentence or its line. Commas do not end one: what follows or precedes them can be a condition.
_END: Final = re.compile(r"[.!?](?=\s|$)|[。！？；;]|\n")

# One line of a log can be a whole document; a clause of that length is no statement to compare a claim with.
_MAX_CLAUSE_CHARS: Final = 2_000
_MAX_SPAN_CLAUSES: Final = 500  # a quotation of more is a whole document

# The session is searched for a conflict only where it is small enough to be read for each claim.
_MAX_SESSION_CLAUSES: Final = 2_000


@dataclass(frozen=True, slots=True, eq=False)
class Clause:
    """One clause of the evidence with its place.

    `folded` is what is searched: the text without letter case, then as it is.
    Two clauses are equal where they are the same object: they are looked up often, and their texts are long.
    """

    text: str
    folded: str
    invocation_id: str
    raw_path: str
    span: Span


def verified_clauses(bindings: Iterable[VerifiedBinding]) -> tuple[Clause, ...]:
    """Returns the clauses that the verified spans touch, each once, in order; bounded for each span."""
    found: dict[tuple[str, str, int], Clause] = {}
    for binding in bindings:
        for span in binding.spans:
            for clause in islice(_clauses(binding.invocation.id, binding.ref, span), _MAX_SPAN_CLAUSES):
                found.setdefault((clause.invocation_id, clause.raw_path, clause.span.start), clause)
    return tuple(found.values())


def session_clauses(invocations: Iterable[Invocation]) -> tuple[Clause, ...]:
    """Returns the clauses of every observation that a successful call returned, by invocation ID; bounded."""
    return tuple(islice(_session(invocations), _MAX_SESSION_CLAUSES))


def _session(invocations: Iterable[Invocation]) -> Iterator[Clause]:
    for invocation in sorted(invocations, key=lambda invocation: invocation.id):
        if invocation.status is InvocationStatus.SUCCESS:
            for ref in invocation.refs:
                if ref.kind is EvidenceKind.OBSERVATION:
                    yield from _clauses(invocation.id, ref, Span(0, len(ref.text)))


def _clauses(invocation_id: str, ref: EvidenceRef, around: Span) -> Iterator[Clause]:
    """Yields the clauses that touch a span. Only what is near it is read: a longer clause is no statement anyway."""
    text = ref.text
    start = max(0, around.start - _MAX_CLAUSE_CHARS - 1)
    begun = start == 0  # else the first piece is the end of a clause that began before
    for end, following in _ends(text, start, min(len(text), around.end + _MAX_CLAUSE_CHARS + 1)):
        if start >= around.end:
            return
        piece = text[start:end]
        # A question states nothing.
        states = begun and piece and not piece.isspace() and text[end : end + 1] not in ("?", "？")
        if states and end > around.start and len(piece) <= _MAX_CLAUSE_CHARS:
            yield Clause(piece, f"{piece.casefold()}{piece}", invocation_id, ref.raw_path, Span(start, end))
        start, begun = following, True


def _ends(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for match in _END.finditer(text, start, end):
        yield match.start(), match.end()
    if end == len(text):
        yield end, end
