"""Names the verbs that say little: what happened stands in the words around them."""

from __future__ import annotations

from typing import Final

# Verbs that say little: what happened stands in the words around them.
ACTS: Final = frozenset(
    {"return_event", "occur", "reach", "process_event", "use_event", "occupy_event", "execute_event", "need", "mark", "running"}
    | {"held", "hold_event", "alerting", "increase_to", "invoke", "change_event", "put", "get", "keep", "stay", "carry", "come"}
    | {"exist", "motion", "spend", "handle", "answer", "take", "give", "leave", "list_thing", "record_word", "begin", "start"}
)
