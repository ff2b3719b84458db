"""Labels claims from the evidence alone, offline, the same way every time.

A pipeline of small parts, each of which only looks: `records` cuts the evidence into the clauses around the verified
spans, `atoms` reads a clause or a claim into comparable tokens, `align` says how a claim stands to a clause, and
`engine` makes the label of it. What is not understood stays unsupported.
"""

from __future__ import annotations

from evidencegate_server.judge.deterministic.engine import DeterministicEngine

__all__ = ["DeterministicEngine"]
