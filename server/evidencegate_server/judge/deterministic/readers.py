"""Makes the readers of a lexicon once: they hold no state, and take long to make beside one judgement."""

from __future__ import annotations

from functools import cached_property, lru_cache

from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.claims.reader import ClaimReader
from evidencegate_server.judge.guards.matching import DoubtMatcher, matcher_of
from evidencegate_server.judge.kept import kept
from evidencegate_server.judge.records.reader import RecordReader
from evidencegate_server.judge.values.reader import ValueReader
from evidencegate_server.judge.vocabulary import Vocabulary
from evidencegate_server.lexicon.model import Lexicon

_KEPT_EVIDENCE = 16
_KEPT_CODE_POINTS = 65_536  # longer evidence is not kept


class Readers:
    """What reads evidence and claims with the words of one lexicon."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._kept = lru_cache(maxsize=_KEPT_EVIDENCE)(self._read)

    def evidence(self, texts: tuple[str, ...]) -> EvidenceIndex:
        """Returns evidence made ready to be asked. What was read last is kept: several claims lean on one text."""
        return self._kept(texts) if sum(map(len, texts)) <= _KEPT_CODE_POINTS else self._read(texts)

    def _read(self, texts: tuple[str, ...]) -> EvidenceIndex:
        return EvidenceIndex(self.records.evidence(texts), self.vocabulary)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words of both languages as concepts."""
        return Vocabulary(self.lexicon.concepts, self.lexicon.wording)

    @cached_property
    def values(self) -> ValueReader:
        """The reader of typed values."""
        return ValueReader(self.lexicon.measures)

    @cached_property
    def records(self) -> RecordReader:
        """The reader of evidence."""
        return RecordReader(self.values, self.lexicon.formats)

    @property
    def doubts(self) -> DoubtMatcher:
        """The words that take the ground from a claim."""
        return matcher_of(self.lexicon.doubts)

    @cached_property
    def claims(self) -> ClaimReader:
        """The reader of claims."""
        return ClaimReader(self.values, self.vocabulary)


@kept
def readers_of(lexicon: Lexicon) -> Readers:
    """Returns the readers of a lexicon; those of the last few are kept."""
    return Readers(lexicon)
