"""Aligns a whole claim: its clauses one after the other, and what reaches beyond one record."""

from __future__ import annotations

from collections.abc import Sequence

from evidencegate_server.judge.alignment.asserted import asserted
from evidencegate_server.judge.alignment.blocks import in_own_block
from evidencegate_server.judge.alignment.bonds import with_bonds
from evidencegate_server.judge.alignment.clauses import ClauseAligner
from evidencegate_server.judge.alignment.conflicts import settle
from evidencegate_server.judge.alignment.derive import derive
from evidencegate_server.judge.alignment.foretold import foretold
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import ClauseAlignment
from evidencegate_server.judge.alignment.names import Name
from evidencegate_server.judge.alignment.relations import relate
from evidencegate_server.judge.alignment.rest import tell_rest
from evidencegate_server.judge.alignment.rows import RowReader
from evidencegate_server.judge.alignment.scope.changes import in_series
from evidencegate_server.judge.alignment.scope.checker import ScopeChecker
from evidencegate_server.judge.alignment.sequence import in_sequence
from evidencegate_server.judge.alignment.spelling import as_spelled
from evidencegate_server.judge.claims.lists import spread
from evidencegate_server.judge.claims.model import ClaimReading


def align(
    claim: ClaimReading,
    index: EvidenceIndex,
    focus: frozenset[int] | None = None,
    asked: Sequence[frozenset[str]] = (),
) -> tuple[ClauseAlignment, ...]:
    """Returns how each clause of a claim stands beside the evidence, in the claim's order.

    `focus` are the records that the claim quotes; None where it quotes everything. A state elsewhere in the evidence
    speaks against no claim that quotes its own. `asked` are for each text the words of the call that returned it.
    """
    aligner = ClauseAligner(index, focus, claim.text, asked)
    scope = ScopeChecker(index, claim)
    subject: tuple[Name, ...] = ()
    before = -1
    found: list[ClauseAlignment] = []
    for clause in (one for whole in claim.clauses for one in spread(claim.text, whole)):
        alignment, subject = aligner.align(clause, subject, before)
        extra = scope.facts(alignment)
        alignment = in_series(alignment, extra)
        facts = tuple(with_bonds(alignment.facts, extra))
        found.append(scope.with_ways(ClauseAlignment(clause, alignment.anchor, facts)))
        if alignment.anchor >= 0:
            before = alignment.anchor
    rows_of = RowReader(index)
    derived = tell_rest(derive(found, rows_of, claim.text), rows_of, claim.text)
    settled = settle(relate(derived, index, claim.text), index, focus)
    told = in_own_block(asserted(settled, index, claim.text), index)
    return tuple(foretold(in_sequence(as_spelled(told, index, claim.text), index, claim.text), index, claim.text))
