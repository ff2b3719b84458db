"""Labels claims from the evidence alone, offline, the same way every time.

A pipeline of small parts, each of which only looks: `layout` tells what each line of the evidence is, `context` whether
what is around it can change what it says, `records` cuts it into clauses, `statement` reads a clause or a claim into
comparable tokens, `align` finds plain conflicts, and `engine` makes the label of it. What is not understood stays
unsupported.
"""

from __future__ import annotations

from evidencegate_server.judge.deterministic.engine import DeterministicEngine

__all__ = ["DeterministicEngine"]
