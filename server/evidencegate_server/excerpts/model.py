"""Holds what came of comparing an excerpt with its evidence."""

from __future__ import annotations

from dataclasses import dataclass

from evidencegate_server.evidence.model import Span
from evidencegate_server.words import ExcerptStatus


@dataclass(frozen=True, slots=True)
class ExcerptMatch:
    """The result of one comparison.

    `contained` says whether any tier found the excerpt at all; `reason` (a MismatchReason word) is empty exactly where
    the status is supported; `tier` is the tier that found it, empty where none did; `spans` are half-open code-point
    ranges of the original evidence text, in order, several for an ellipsis; `flags` are remarks in alphabetical order.
    """

    status: ExcerptStatus
    contained: bool
    reason: str = ""
    tier: str = ""
    spans: tuple[Span, ...] = ()
    flags: tuple[str, ...] = ()
