"""Keeps the texts of a session's refs ready for comparison, each prepared once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evidencegate_server.evidence.index import EvidenceIndex
from evidencegate_server.evidence.model import EvidenceRef, Invocation
from evidencegate_server.excerpts.text import EvidenceText

REPLACEMENT_CHARACTER: Final = "\ufffd"


class SearchableEvidence(EvidenceIndex):
    """An index that also hands out each ref's text in the form that excerpts are compared with."""

    __slots__ = ("_damaged", "_texts")

    def __init__(self, invocations: Sequence[Invocation]) -> None:
        super().__init__(invocations)
        self._texts: dict[tuple[str, str], EvidenceText] = {}
        self._damaged: dict[tuple[str, str], bool] = {}

    def text(self, invocation_id: str, ref: EvidenceRef) -> EvidenceText:
        """Returns the text of a ref of this invocation; what was folded for one excerpt serves the next."""
        key = (invocation_id, ref.raw_path)
        text = self._texts.get(key)
        if text is None:
            text = self._texts[key] = EvidenceText(ref.text)
        return text

    def is_damaged(self, invocation_id: str, ref: EvidenceRef) -> bool:
        """Returns whether the text of a ref has a character that stands for one that was lost on the way."""
        if ref.text.isascii():
            return False
        key = (invocation_id, ref.raw_path)
        damaged = self._damaged.get(key)
        if damaged is None:
            damaged = self._damaged[key] = REPLACEMENT_CHARACTER in ref.text
        return damaged
