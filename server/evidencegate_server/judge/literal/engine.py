"""Labels each claim by the clauses that its verified quotations stand in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.evidence.index import IMPLIED_INPUT
from evidencegate_server.evidence.model import EvidenceRef, Invocation, Span
from evidencegate_server.judge.kept import kept
from evidencegate_server.judge.literal.align import StatementIndex
from evidencegate_server.judge.literal.records import Clause, Passage, PassageReader
from evidencegate_server.judge.literal.statement import Statement, StatementReader, joined_alike
from evidencegate_server.judge.model import ClaimCase, ClaimLabel, EngineResult, JudgeView, VerifiedBinding, Witness
from evidencegate_server.lexicon.judge_words import StatementWords
from evidencegate_server.words import Engine, EvidenceKind, InvocationStatus, Verification

_QUOTE_CODE_POINTS: Final = 200
_MAX_CLAIM_CODE_POINTS: Final = 2_000  # a longer claim is no single statement

# What one judgement reads. What lies beyond is not looked at, and the claim's detail says so.
_MAX_CLAIMS_CODE_POINTS: Final = 400_000
_MAX_EVIDENCE_COST: Final = 4_000_000  # in code points
_LINE_COST: Final = 50  # what a line costs beyond its code points
_MAX_VISITED_LINES: Final = 100_000
_MAX_SPAN_LINES: Final = 1_000  # a quotation of more is a whole document
_MAX_SEARCHED_CODE_POINTS: Final = 10_000_000  # for the words of claims, before any line is read

# The session is searched for a conflict only where all of it can be read: elsewhere a claim could be right.
_MAX_SESSION_COST: Final = 1_000_000

# What is only a sign however it is drawn, or stands for itself: the letters of such a text are those that are read.
_PLAIN: Final = re.compile("[\x00-\x1a\x1c-\x7f\u4e00-\u9fff，。、；：（）！？《》【】“”]*")

_NO_QUOTATION: Final = "No verified quotation can bear the claim, and nothing in the session plainly conflicts with it."
_ONLY_ASKED: Final = "It is quoted from what was asked of a tool. A question can give a scope, never a fact."
_NOT_STATED: Final = "No clause around its verified quotations states the claim word by word; more was not understood."
_NOT_READABLE: Final = "The claim holds signs or is built in a way that cannot be compared word by word."
_NOT_READ: Final = (
    "The claim was not compared with all of its quotations: the output and its evidence are larger than is read."
)


@kept
def _readers(words: StatementWords) -> tuple[StatementReader, PassageReader]:
    """Returns the readers of one set of words. They hold no state, and take long to make beside one judgement."""
    return StatementReader(words), PassageReader(words)


class LiteralEngine:
    """The engine in the box: no model, no network, no clock.

    A claim is a direct observation where a verified clause states it word by word and nothing around the clause can
    change it, and contradicted where the session puts one other number on the same quantity and nowhere states the
    claim. Everything else is unsupported, and its detail says so: an engine that guesses would confirm what nobody saw.
    """

    def __init__(self, words: StatementWords) -> None:
        self._statements, self._passages = _readers(words)
        self._qualifiers = tuple(words.qualifiers)

    def judge(self, view: JudgeView) -> EngineResult:
        """Returns a label for each claim."""
        run = self.run(view)
        return EngineResult(Engine.DETERMINISTIC, tuple(map(run.label, view.cases)))

    def run(self, view: JudgeView) -> LiteralRun:
        """Returns what labels the claims of one output, in their order."""
        reading = _Reading(view, self._statements, self._passages)
        return LiteralRun(lambda case: self._label(case, reading))

    def _label(self, case: ClaimCase, reading: _Reading) -> ClaimLabel:
        text = case.claim.claim_text
        if len(text) > _MAX_CLAIM_CODE_POINTS:
            return _unsupported(case, _NOT_READABLE)
        if not reading.takes_claim(text):
            return _unsupported(case, _NOT_READ)
        claim = self._statements.claim(text)
        if claim is None:
            return _unsupported(case, _NOT_READABLE)
        stated = reading.stated(claim, case)
        if stated is not None:
            return _stated(case, stated)
        # A plain conflict needs no quotation of the claim's own, but it has to hold in the whole session: another line
        # can be the one that the claim means.
        other = reading.in_conflict(claim) if claim.values and not self._is_qualified(text) else None
        if other is not None:
            return _in_conflict(case, other)
        if reading.left_out:
            return _unsupported(case, _NOT_READ)
        if any(_is_question(binding) for binding in case.usable):
            return _unsupported(case, _ONLY_ASKED)
        return _unsupported(case, _NOT_STATED if case.usable else _NO_QUOTATION)

    def _is_qualified(self, text: str) -> bool:
        """Returns whether a claim says more or less than a bare value: about, over, not, may, all."""
        lowered = f" {' '.join(text.lower().split())} "
        return any(
            (f" {phrase} " in lowered) if phrase.isascii() else (phrase in lowered) for phrase in self._qualifiers
        )


@record
class LiteralRun:
    """Labels the claims of one output, one by one."""

    label: Callable[[ClaimCase], ClaimLabel]


class _Reading:
    """What has been read of one output's evidence, within its bounds. Claims come in the output's order."""

    def __init__(self, view: JudgeView, statements: StatementReader, passages: PassageReader) -> None:
        self._view = view
        self._reader = statements
        self._passage_reader = passages
        self._passages: dict[tuple[str, str], Passage | None] = {}
        self._statements: dict[Clause, Statement | None] = {}
        self._claims_left = _MAX_CLAIMS_CODE_POINTS
        self._evidence_left = _MAX_EVIDENCE_COST
        self._lines_left = _MAX_VISITED_LINES
        self._search_left = _MAX_SEARCHED_CODE_POINTS
        self._lowered: dict[str, str | None] = {}
        self._index: StatementIndex | None = None
        self._has_index = False
        self.left_out = False

    def takes_claim(self, text: str) -> bool:
        """Counts a claim and returns whether it is still read."""
        self._claims_left -= len(text)
        return self._claims_left >= 0

    def stated(self, claim: Statement, case: ClaimCase) -> Clause | None:
        """Returns the first clause around the verified quotations that states the claim and stands for itself."""
        self.left_out = False
        words = claim.words()
        for binding in case.usable:
            if _is_question(binding) or not self._may_say(binding.ref.text, words):
                continue
            for clause in self._quoted(binding, len(case.claim.claim_text)):
                statement = self._statement(clause) if _may_say(clause.text, words) else None
                if statement is None or statement.keys != claim.keys or not joined_alike(statement, claim):
                    continue
                if self._stands(clause):
                    return clause
        return None

    def in_conflict(self, claim: Statement) -> Clause | None:
        """Returns the clause that has another number where the claim has one, in the whole session."""
        words = claim.words()
        if not any(self._may_say(ref.text, words) for _, ref in self._observations):
            return None
        if not self._has_index:
            self._index, self._has_index = self._session_index(), True
        other = None if self._index is None else self._index.in_conflict(claim)
        return other if other is not None and self._stands(other) else None

    def _may_say(self, text: str, words: Sequence[str]) -> bool:
        """Returns whether a text may have all words of a claim, in which case its lines are worth reading."""
        self._search_left -= len(text)
        if self._search_left < 0:
            return True
        if text not in self._lowered:
            self._lowered[text] = _lowered(text)
        lowered = self._lowered[text]
        return lowered is None or all(word in lowered or not word[0].isalnum() for word in words)

    def _stands(self, clause: Clause) -> bool:
        passage = self._passages[clause.invocation_id, clause.raw_path]
        return passage is not None and passage.stands(clause)

    def _quoted(self, binding: VerifiedBinding, claim_length: int) -> Iterator[Clause]:
        """Yields the clauses that a binding's spans touch, those of about the claim's length."""
        passage = self._passage(binding.invocation, binding.ref)
        if passage is None:
            self.left_out = True
            return
        for span in binding.spans:
            for number, clauses in enumerate(passage.clauses(span)):
                if number >= _MAX_SPAN_LINES or self._lines_left <= 0:
                    self.left_out = True
                    break
                self._lines_left -= 1
                for clause in clauses:
                    # Spaces, quote marks and articles are all that one can have and the other lack.
                    length = len(clause.text)
                    if length <= 4 * claim_length + 80 and claim_length <= 4 * length + 80 and _touches(clause, span):
                        yield clause

    def _passage(self, invocation: Invocation, ref: EvidenceRef) -> Passage | None:
        key = (invocation.id, ref.raw_path)
        if key not in self._passages:
            self._evidence_left -= _cost(ref)
            fits = self._evidence_left >= 0
            self._passages[key] = self._passage_reader.passage(invocation.id, ref) if fits else None
        return self._passages[key]

    def _statement(self, clause: Clause) -> Statement | None:
        if clause not in self._statements:
            self._statements[clause] = self._reader.read(clause.text)
        return self._statements[clause]

    @cached_property
    def _observations(self) -> list[tuple[Invocation, EvidenceRef]]:
        return [
            (invocation, ref)
            for invocation in sorted(self._view.invocations, key=lambda invocation: invocation.id)
            if invocation.status is InvocationStatus.SUCCESS
            for ref in invocation.refs
            if ref.kind is EvidenceKind.OBSERVATION
        ]

    def _session_index(self) -> StatementIndex | None:
        observations = self._observations
        if sum(_cost(ref) for _, ref in observations) > _MAX_SESSION_COST:
            return None
        passages = [self._passage(invocation, ref) for invocation, ref in observations]
        read = [passage for passage in passages if passage is not None]
        # What could not be read could be what the claim means.
        return StatementIndex(self._session(read)) if len(read) == len(passages) else None

    def _session(self, passages: Iterable[Passage]) -> Iterator[tuple[Clause, Statement]]:
        for passage in passages:
            for at in range(len(passage.lines)):
                for clause in passage.line(at):
                    statement = self._statement(clause)
                    if statement is not None:
                        yield clause, statement


def _may_say(text: str, words: Sequence[str]) -> bool:
    """Returns whether a text may have all words of a claim, in which case it is worth reading."""
    if not text.isascii() or "\x1b" in text:
        return True  # its signs are made plain before they are compared
    lowered = text.lower()
    return all(word in lowered for word in words)


def _lowered(text: str) -> str | None:
    """Returns a text in small letters, None where some of its signs are made plain before they are compared."""
    return text.lower() if _PLAIN.fullmatch(text) is not None else None


def _cost(ref: EvidenceRef) -> int:
    return len(ref.text) + _LINE_COST * (ref.text.count("\n") + 1)


def _touches(clause: Clause, span: Span) -> bool:
    return clause.span.start < span.end and clause.span.end > span.start


def _is_question(binding: VerifiedBinding) -> bool:
    """Returns whether a binding quotes what was asked, which a call without a hit keeps as its scope."""
    return binding.ref.raw_path == IMPLIED_INPUT and (
        binding.ref.implied or binding.invocation.status is InvocationStatus.NO_HIT
    )


def _stated(case: ClaimCase, clause: Clause) -> ClaimLabel:
    return ClaimLabel(
        case.claim.index,
        Verification.DIRECT_OBSERVATION,
        f"The evidence states it: “{_quote(clause.text.strip())}”.",
        Engine.DETERMINISTIC,
        (_witness(case, clause, "stated"),),
    )


def _in_conflict(case: ClaimCase, clause: Clause) -> ClaimLabel:
    return ClaimLabel(
        case.claim.index,
        Verification.CONTRADICTED,
        f"The claim says “{_quote(case.claim.claim_text)}”; the evidence has another value: "
        f"“{_quote(clause.text.strip())}”.",
        Engine.DETERMINISTIC,
        (_witness(case, clause, "in_conflict"),),
    )


def _unsupported(case: ClaimCase, detail: str) -> ClaimLabel:
    return ClaimLabel(case.claim.index, Verification.UNSUPPORTED, detail, Engine.DETERMINISTIC)


def _witness(case: ClaimCase, clause: Clause, relation: str) -> Witness:
    text = case.claim.claim_text
    return Witness(
        relation,
        Span(0, len(text)),
        _quote(text),
        clause.invocation_id,
        clause.raw_path,
        clause.span,
        _quote(clause.text),
    )


def _quote(text: str) -> str:
    return text if len(text) <= _QUOTE_CODE_POINTS else text[: _QUOTE_CODE_POINTS - 1] + "…"
