"""Labels claims from the evidence alone, offline, the same way every time.

`context` gathers what counts for a claim, `judge/records` and `judge/values` read it, `judge/claims` reads the claim,
`judge/alignment` holds one against the other, `decide` makes the label of what stands and what does not, and `engine`
joins them. A claim that a clause states word by word is settled before that by `judge/literal`. What is not understood
stays unsupported.
"""

from __future__ import annotations

from evidencegate_server.judge.deterministic.engine import DeterministicEngine

__all__ = ["DeterministicEngine"]
