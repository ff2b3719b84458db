"""Cuts the evidence into the clauses around the verified spans."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from evidencegate_server.evidence.model import EvidenceRef, Invocation, Span
from evidencegate_server.judge.model import VerifiedBinding
from evidencegate_server.words import EvidenceKind, InvocationStatus

# A clause ends with its sentence or its line. Commas do not end one: what follows or precedes them can be a condition.
_END: Final = re.compile(r"[.!?](?=\s|$)|[。！？；;]|\n")

# One line of a log can be a whole document; a clause of that length is no statement to compare a claim with.
_MAX_CLAUSE_CHARS: Final = 2_000
# The session is searched for a conflict only where it is small enough to be read for each claim.
_MAX_SESSION_CLAUSES: Final = 2_000


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of the evidence with its place."""

    text: str
    invocation_id: str
    raw_path: str
    span: Span


def verified_clauses(bindings: Iterable[VerifiedBinding]) -> tuple[Clause, ...]:
    """Returns the clauses that the verified spans touch, each once, in order."""
    found: dict[tuple[str, str, int], Clause] = {}
    for binding in bindings:
        for clause in _clauses(binding.invocation.id, binding.ref):
            if any(span.start < clause.span.end and clause.span.start < span.end for span in binding.spans):
                found.setdefault((clause.invocation_id, clause.raw_path, clause.span.start), clause)
    return tuple(found.values())


def session_clauses(invocations: Iterable[Invocation]) -> tuple[Clause, ...]:
    """Returns the clauses of every observation that a successful call returned; bounded."""
    clauses: list[Clause] = []
    for invocation in sorted(invocations, key=lambda invocation: invocation.id):
        if invocation.status is not InvocationStatus.SUCCESS:
            continue
        for ref in invocation.refs:
            if ref.kind is EvidenceKind.OBSERVATION:
                clauses.extend(_clauses(invocation.id, ref))
            if len(clauses) >= _MAX_SESSION_CLAUSES:
                return tuple(clauses[:_MAX_SESSION_CLAUSES])
    return tuple(clauses)


def _clauses(invocation_id: str, ref: EvidenceRef) -> Iterator[Clause]:
    start = 0
    for end, following in _ends(ref.text):
        text = ref.text[start:end]
        # A question states nothing.
        if text.strip() and len(text) <= _MAX_CLAUSE_CHARS and ref.text[end : end + 1] not in ("?", "？"):
            yield Clause(text, invocation_id, ref.raw_path, Span(start, end))
        start = following


def _ends(text: str) -> Iterator[tuple[int, int]]:
    for match in _END.finditer(text):
        yield match.start(), match.end()
    yield len(text), len(text)
