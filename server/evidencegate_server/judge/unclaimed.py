"""Finds what an answer tells as a fact and no claim has, sentence by sentence.

The older contract carries an answer for the user beside its claims. Only claims have evidence, so nobody checks what
stands in the answer alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from evidencegate_server.contract.claim_types import is_claim_type
from evidencegate_server.contract.model import ExecutorOutput
from evidencegate_server.contract.records import record, replace
from evidencegate_server.evidence.model import Span
from evidencegate_server.judge.claims.model import Clause
from evidencegate_server.judge.cover import Covering, Said
from evidencegate_server.judge.deterministic.readers import readers_of
from evidencegate_server.judge.facts import Fact, FactReader
from evidencegate_server.judge.model import AuditFact
from evidencegate_server.judge.vocabulary import Term, meant
from evidencegate_server.lexicon.model import Lexicon
from evidencegate_server.text.sentences import sentence_spans
from evidencegate_server.words import FactVerification

# An answer in a chat has a few hundred characters. What is beyond these bounds is not read and says so.
MAX_ANSWER_CHARS: Final = 12_000
MAX_SENTENCES: Final = 200
MAX_KNOWN_CHARS: Final = 50_000

_MAX_SENTENCE_CHARS: Final = 600  # of a sentence as a fact
_MAX_QUOTE_CHARS: Final = 80
_ROOT_CAUSE: Final = "root_cause"
_NAME: Final = re.compile(r"[0-9_.:/@%-]")
_NO_NAME: Final = re.compile(r"[0-9.,:/%-]+")
_UNSURE: Final = ("@hedges", "@conditions", "@advice", "@purpose", "@risk")
_TELLING: Final = frozenset({"state", "event"})
_SUBJECTS: Final = frozenset({"thing", "attribute", "name", "side"})
_STANDS_ALONE: Final = "It stands in user_facing_answer and in no claim, so nothing was checked of it: "


@record
class Statement:
    """A text as it is compared: its words in order, and the concepts that carry its meaning in either language.

    `telling` has what each word for a state or an event may mean, `subjects` what each word for a thing or an attribute
    may, and `means` all of it together. `named` are the words with a digit or a joiner in them.
    """

    said: Said
    telling: tuple[frozenset[str], ...]
    subjects: tuple[frozenset[str], ...]
    means: frozenset[str]
    named: frozenset[str]
    is_cause: bool


@record
class _Sentence:
    text: str
    clauses: tuple[Clause, ...]
    asserts: bool


class UnclaimedReader:
    """Compares answers with claims by one lexicon; `cause` finds the words that make a sentence one of a cause."""

    def __init__(self, lexicon: Lexicon, cause: re.Pattern[str], min_cover: float) -> None:
        self._readers = readers_of(lexicon)
        self._covering = Covering(lexicon, min_cover)
        self._facts = FactReader(lexicon)
        self._cause = cause
        traits = self._readers.vocabulary.traits
        self._light = traits["light"] | traits["free"]

    def unclaimed(self, answer: str, output: ExecutorOutput, query: str) -> tuple[AuditFact, ...]:
        """Returns one audit fact for each sentence that tells what no claim does, in the answer's order.

        A number or identifier has to stand in a claim or in the question; beside a hedge or an advice it may stand in a
        hypothesis, action or gap instead. A cause or a state that is told as certain has to be told by a claim, in
        whichever language.
        """
        spans = [*_first(sentence_spans(answer[:MAX_ANSWER_CHARS]))]
        sentences = [self._sentence(answer[start:end]) for start, end in spans[:MAX_SENTENCES]]
        claimed, besides = _known(output, query)
        unknown = self._unknown(sentences, claimed, [*claimed, *besides])
        asked = self._statement(query[:MAX_ANSWER_CHARS])
        claims = [
            _of_what_was_asked(
                self._statement(claim.claim_text, root_cause=is_claim_type(claim.claim_type, _ROOT_CAUSE)), asked
            )
            for claim in output.claims
            if claim.claim_text in claimed
        ]
        found = [
            _audit_fact(sentence.text, why)
            for sentence, facts in zip(sentences, unknown, strict=True)
            if (why := self._why(sentence, facts, claims))
        ]
        if len(answer) > MAX_ANSWER_CHARS or len(spans) > MAX_SENTENCES:
            found.append(
                AuditFact(
                    "user_facing_answer",
                    False,
                    FactVerification.NO_EVIDENCE,
                    f"Its first {MAX_ANSWER_CHARS} characters and {MAX_SENTENCES} sentences were compared with the "
                    "claims, and it has more.",
                    unclaimed=True,
                )
            )
        return tuple(found)

    def _sentence(self, text: str) -> _Sentence:
        clauses = self._readers.claims.read(text).clauses
        return _Sentence(text, clauses, not any(clause.marked(*_UNSURE) for clause in clauses))

    def _unknown(
        self, sentences: Sequence[_Sentence], claimed: Sequence[str], everything: Sequence[str]
    ) -> list[list[Fact]]:
        """Returns for each sentence the numbers and identifiers that stand nowhere they may come from."""
        asserted = [sentence.text for sentence in sentences if sentence.asserts]
        others = [sentence.text for sentence in sentences if not sentence.asserts]
        of_asserted = iter(self._facts.unknown_each(asserted, claimed))
        of_others = iter(self._facts.unknown_each(others, everything))
        return [next(of_asserted if sentence.asserts else of_others) for sentence in sentences]

    def _why(self, sentence: _Sentence, unknown: Sequence[Fact], claims: Sequence[Statement]) -> str:
        names = [fact.span for fact in unknown if fact.kind == "identifier"]
        unknown = [fact for fact in unknown if fact.kind == "identifier" or not _inside(fact.span, names)]
        if unknown:
            listed = ", ".join(f"the {fact.kind} '{fact.quote[:_MAX_QUOTE_CHARS]}'" for fact in unknown[:5])
            return f"{listed}." if len(unknown) <= 5 else f"{listed} and {len(unknown) - 5} more."
        if not sentence.asserts:
            return ""
        if self._cause.search(sentence.text):
            told = self._statement(sentence.text)
            causes = [claim for claim in claims if claim.is_cause]
            names_none = not (told.telling or told.subjects or told.named)  # the cause is not known yet
            return "" if names_none or self._is_told(told, causes) else "the cause that it names."
        subject: frozenset[str] = frozenset()
        for clause in sentence.clauses:
            told = self._of_clause(sentence.text[clause.start : clause.end], clause.terms)
            # A clause without a name of its own is of the name before it (`order-db: the connection failed`).
            subject = _names(told) or subject
            told = replace(told, named=told.named | subject)
            if told.telling and (told.subjects or told.named) and not self._is_told(told, claims):
                return "what it says of a state or an event."
        return ""

    def _is_told(self, told: Statement, claims: Sequence[Statement]) -> bool:
        return any(self._tells(claim, told) for claim in claims)

    def _tells(self, claim: Statement, told: Statement) -> bool:
        """Returns whether a claim tells it: of the same names and figures no other state or event.

        Beside that the words have to be the same or, across languages, what they mean.
        """
        if not _all_in(told.telling, claim.means) or not told.named <= claim.named:
            return False
        if self._covering.bears_out(claim.said, told.said):
            return True
        denied_alike = bool(claim.said.denials) == bool(told.said.denials)
        return denied_alike and bool(told.means) and _all_in(told.subjects, claim.means)

    def _statement(self, text: str, *, root_cause: bool = False) -> Statement:
        terms = [term for clause in self._readers.claims.read(text).clauses for term in clause.terms]
        statement = self._of_clause(text, terms)
        return replace(statement, is_cause=True) if root_cause else statement

    def _of_clause(self, text: str, terms: Sequence[Term]) -> Statement:
        said = self._covering.said(text)
        return Statement(
            said=said,
            telling=self._of_kinds(terms, _TELLING, but=self._light),
            subjects=self._of_kinds(terms, _SUBJECTS),
            means=frozenset(name for term in terms for name in meant(term)),
            named=frozenset(token for token in said.tokens if _NAME.search(token)),
            is_cause=self._cause.search(text) is not None,
        )

    def _of_kinds(
        self, terms: Sequence[Term], kinds: frozenset[str], but: frozenset[str] = frozenset()
    ) -> tuple[frozenset[str], ...]:
        kind = self._readers.vocabulary.kind
        words = (frozenset(name for name in meant(term) if kind(name.removeprefix("!")) in kinds) for term in terms)
        return tuple(names - but for names in words if names - but)


def _names(statement: Statement) -> frozenset[str]:
    return frozenset(name for name in statement.named if not _NO_NAME.fullmatch(name))


def _of_what_was_asked(claim: Statement, asked: Statement) -> Statement:
    """Returns a claim that names nothing as one of the things that the question names."""
    if _names(claim):
        return claim
    subjects = frozenset(name for names in asked.subjects for name in names)
    return replace(claim, named=claim.named | asked.named, means=claim.means | subjects)


def _inside(span: Span, others: Sequence[Span]) -> bool:
    return any(other.start <= span.start and span.end <= other.end for other in others)


def _all_in(words: Sequence[frozenset[str]], means: frozenset[str]) -> bool:
    """Returns whether each word may mean one of them."""
    return all(not names.isdisjoint(means) for names in words)


def _first(spans: Iterator[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Returns as many as are read and one more, which tells that there are more."""
    for _, span in zip(range(MAX_SENTENCES + 1), spans, strict=False):
        yield span


def _known(output: ExecutorOutput, query: str) -> tuple[list[str], list[str]]:
    """Returns the texts whose facts any sentence may repeat, and those beside for a sentence that asserts nothing."""
    left = MAX_KNOWN_CHARS

    def within(texts: Iterator[str | None]) -> list[str]:
        nonlocal left
        kept = []
        for text in texts:
            if text and len(text) <= left:
                kept.append(text)
                left -= len(text)
        return kept

    claimed = within(iter((query, *(claim.claim_text for claim in output.claims))))
    items = (*output.hypotheses, *output.recommended_actions, *output.missing_info)
    return claimed, within(item.text for item in items)


def _audit_fact(sentence: str, why: str) -> AuditFact:
    fact = sentence if len(sentence) <= _MAX_SENTENCE_CHARS else f"{sentence[: _MAX_SENTENCE_CHARS - 1]}…"
    return AuditFact(fact, False, FactVerification.NO_EVIDENCE, _STANDS_ALONE + why, unclaimed=True)
