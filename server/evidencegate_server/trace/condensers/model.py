"""Holds what condensers take and give."""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol

from evidencegate_server.contract.records import record


class OutputKind(StrEnum):
    """What the output of a tool is, which decides how it is condensed."""

    LOGS = "logs"
    METRICS = "metrics"
    KNOWLEDGE = "knowledge"
    SQL = "sql"
    KUBECTL = "kubectl"
    TEXT = "text"


@record
class Focus:
    """What the claims and the question speak of.

    `quotes` are quotations from the output as it stands there, `words` are single words in lower case. A line that has
    one of them is worth more than a line that has none.
    """

    quotes: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


NO_FOCUS = Focus()


@record
class Condensed:
    """A short text, and whether it leaves something out."""

    text: str
    shortened: bool


class Condenser(Protocol):
    """Condenses the outputs of one kind."""

    def condense(self, text: str, focus: Focus, max_chars: int) -> Condensed:
        """Returns the most telling lines of a text in its own words and order, within the bound."""
