"""Doubts what a claim tells in another order than a text does: who did it to whom, what caused what, what came first.

A text tells by the order of its words. Fields may stand in any order, so that only what stands in prose is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.lines import kind_of
from evidencegate_server.judge.alignment.model import BY_OUTCOME, HELD, ClauseAlignment, Fact, FactKind, Standing
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.records.model import CellKind, RecordKind
from evidencegate_server.judge.vocabulary import Term

_PASSIVE: Final = (" by ", "\u88ab", "\u7531")
_ACTORS: Final = frozenset({"thing", "name", "", "side"})
_TOLD: Final = frozenset({FactKind.NAME, FactKind.WORD, FactKind.STATE, FactKind.DENIAL})
_BESIDE: Final = 3  # code points between a verb and who does it, or whom it is done to
_NEAR: Final = 14  # code points between a verb of the claim and the two beside it
_NOUN_OF: Final = re.compile(r"\s*(?:of\b|\u7684)", re.IGNORECASE)
_SOURCE: Final = re.compile(r"(?:[\u4ece\u81ea]|\bfrom) ?\Z", re.IGNORECASE)
_FROM: Final = 6  # code points of such a word
_GLOSS: Final = re.compile(r"\s*[(\uff08\[\u3010]")
_PERSON: Final = re.compile(r"[A-Z][a-z]*|[\u4e00-\u9fff]{2,3}|\d+")
_SAID: Final = frozenset({FactKind.VALUE, FactKind.STATE})
_BREAK: Final = re.compile(r"[,;\uff0c\uff1b\u3002]|\.\s")
_NOUN: Final = 1  # the same between a noun and the name that it goes with (pod web-1)


@record
class _Told:
    """A fact in prose, with the word of the claim that it is of."""

    fact: Fact
    term: Term
    place: Place
    is_actor: bool
    is_verb: bool
    part: tuple[int, int] = (-1, -1)  # the record and, in one with keys, the text that the place is in


def in_sequence(clauses: Sequence[ClauseAlignment], index: EvidenceIndex, text: str) -> list[ClauseAlignment]:
    """Returns the clauses with a doubt for each that the evidence tells in another order."""
    told = [list(_told(clause, index)) for clause in clauses]
    said = {name for clause in clauses for term in clause.clause.terms for name in term.names if name[0] != "@"}
    found: list[ClauseAlignment] = []
    for at, clause in enumerate(clauses):
        doubts = [
            *_turned(told[at], index, text),
            *_of_another(told[at], index, said, text),
            *_from_to(clause, told[at], index),
            *_behind_a_break(clause, told[at], index),
        ]
        around = [one for near in told[max(0, at - 1) : at + 2] for one in near]
        doubts += _other_way_round(clause, around, index)
        found.append(ClauseAlignment(clause.clause, clause.anchor, (*clause.facts, *doubts)) if doubts else clause)
    return found


def _told(clause: ClauseAlignment, index: EvidenceIndex) -> Iterator[_Told]:
    """Returns the facts of a clause that stand in prose, in the clause's order."""
    terms = {term.start: term for term in clause.clause.terms}
    seen: set[int] = set()
    for fact in sorted(clause.facts, key=lambda one: one.start):
        term = terms.get(fact.start)
        if term is None or fact.place is None or fact.kind not in _TOLD or fact.standing not in HELD:
            continue
        if fact.start in seen or index.field_at(fact.place) is not None:
            continue
        seen.add(fact.start)
        kinds = _kinds(term, index)
        # A state that tells how an event came out does not tell who did it.
        is_verb = fact.kind in (FactKind.STATE, FactKind.DENIAL) or ("event" in kinds and fact.why != BY_OUTCOME)
        is_actor = fact.kind is FactKind.NAME or (not is_verb and kinds <= _ACTORS)
        yield _Told(fact, term, fact.place, is_actor, is_verb, _part(fact.place, index))


def _kinds(term: Term, index: EvidenceIndex) -> set[str]:
    return {index.vocabulary.kind(name) for name in term.names if name[0] not in "@~=+"} or {""}


def _part(place: Place, index: EvidenceIndex) -> tuple[int, int]:
    """Returns in which text a place is: the keys of an object or a row may stand in any order, and say none."""
    one = index.records[place.record]
    if one.kind not in (RecordKind.OBJECT, RecordKind.ROW):
        return place.record, -1
    texts = (cell.start for cell in one.cells if cell.kind is CellKind.TEXT and cell.start <= place.start < cell.end)
    return place.record, next(texts, -1)


def _beside(told: Sequence[_Told], verb: _Told) -> tuple[_Told | None, _Told | None]:
    """Returns who stands before and behind a verb of the claim, in the verb's record."""
    actors = [one for one in told if one.is_actor and one.part == verb.part]
    before = [one for one in actors if one.fact.end <= verb.fact.start]
    behind = [one for one in actors if one.fact.start >= verb.fact.end]
    return (before[-1] if before else None), (behind[0] if behind else None)


def _doubt(one: _Told, why: str) -> Fact:
    return Fact(FactKind.ORDER, Standing.SILENT, one.fact.start, one.fact.end, why, one.place)


def _turned(told: Sequence[_Told], index: EvidenceIndex, text: str) -> Iterator[Fact]:
    """Returns a doubt where a claim names the two beside a verb the other way round, and one of both is no passive."""
    for verb in (one for one in told if one.is_verb):
        who, whom = _beside(told, verb)
        if who is not None and _SOURCE.search(text, max(0, who.fact.start - _FROM), who.fact.start):
            # 从 redis 读取会话: where from, and not who. That is told by the same word there.
            if whom is not None and not _is_source(who.place, index):
                yield _doubt(verb, "who does it to whom")
            continue
        if who is None or whom is None or who.place.start == whom.place.start:
            continue
        behind = text[verb.fact.end : whom.fact.start]
        if max(verb.fact.start - who.fact.end, len(behind)) > _NEAR or _NOUN_OF.match(behind):
            continue  # the reset of nvme1: no verb, and none of the two does it
        if _GLOSS.match(behind):
            continue  # 已过期 (certificate expired): the same in other words
        first, last = sorted((who.place, whom.place), key=lambda place: place.start)
        shown = index.text_at(verb.place.record, min(first.start, verb.place.start), last.start).lower()
        claimed = text[who.fact.start : whom.fact.start].lower()
        passive = any(sign in shown for sign in _PASSIVE) != any(sign in claimed for sign in _PASSIVE)
        if (who.place.start > whom.place.start) != passive:
            yield _doubt(verb, "who does it to whom")


def _is_source(place: Place, index: EvidenceIndex) -> bool:
    """Returns whether a text says right before a place that something comes from there."""
    before = next((term for term in reversed(index.terms[place.record]) if term.end <= place.start), None)
    return before is not None and "@change.source" in before.names


def _of_another(told: Sequence[_Told], index: EvidenceIndex, said: set[str], text: str) -> Iterator[Fact]:
    """Returns a doubt where the text names somebody else right beside the verb than the claim does."""
    for verb in (one for one in told if one.is_verb):
        who, whom = _beside(told, verb)
        terms = index.terms[verb.place.record]
        before = next((term for term in reversed(terms) if term.end <= verb.place.start), None)
        behind = next((term for term in terms if term.start >= verb.place.end), None)
        sides = [(who, before), (whom, behind)] if whom is not None else [(who, before), (who, behind)]
        for one, other in sides:
            if one is None or other is None or not _is_specific(one, text):
                continue
            gap = verb.place.start - other.end if other is before else other.start - verb.place.end
            if gap > _BESIDE or not said.isdisjoint(other.names):
                continue
            shown = index.text_at(verb.place.record, other.start, other.end)
            if not _are_peers(text[one.fact.start : one.fact.end], shown) or (other.is_name != one.term.is_name):
                continue
            if not 0 <= other.start - one.place.end <= _NOUN:
                yield _doubt(verb, "told of somebody else")


def _from_to(clause: ClauseAlignment, told: Sequence[_Told], index: EvidenceIndex) -> Iterator[Fact]:
    """Returns a doubt where a claim goes from one thing to another and the text names them the other way round."""
    source, target = clause.clause.marked("@change.source"), clause.clause.marked("@change.target")
    if source is None or target is None:
        return
    old = next((one for one in told if one.fact.start >= source.end), None)
    new = next((one for one in told if one.fact.start >= target.end), None)
    if old is None or new is None or old.part != new.part or old.place.start <= new.place.start:
        return
    before = next((term for term in reversed(index.terms[old.place.record]) if term.end <= old.place.start), None)
    if before is None or "@change.source" not in before.names:
        yield _doubt(old, "the other way round")


def _behind_a_break(clause: ClauseAlignment, told: Sequence[_Told], index: EvidenceIndex) -> Iterator[Fact]:
    """Returns a doubt where a text names what a clause is of only in a part behind what it tells.

    In `A took 8.5 s, B took 0.6 s` the first figure is not of B.
    """
    who = next((one for one in told if one.is_actor), None)
    if who is None:
        return
    for fact in clause.facts:
        if fact.kind not in _SAID or fact.standing not in HELD or fact.place is None or fact.start < who.fact.end:
            continue
        if (
            _part(fact.place, index) != who.part
            or fact.place.end > who.place.start
            or index.field_at(fact.place) is not None
        ):
            continue
        between = index.text_at(fact.place.record, fact.place.end, who.place.start)
        if "\n" not in between and _BREAK.search(between) is not None and not _stands_before(who, fact.place, index):
            yield Fact(
                FactKind.ORDER, Standing.SILENT, fact.start, fact.end, "told before that is spoken of", fact.place
            )


def _stands_before(who: _Told, place: Place, index: EvidenceIndex) -> bool:
    """Returns whether what a clause is of stands before a place as well."""
    return any(
        other.record == place.record and other.end <= place.start
        for name in who.term.names
        for other in index.places.get(name, ())
    )


def _is_specific(one: _Told, text: str) -> bool:
    """Returns whether a word names one of its kind (web-1, Bob, \u5f20\u4f1f), and is no noun for it."""
    return one.fact.kind is FactKind.NAME or one.term.is_unknown or text[one.fact.start].isupper()


def _are_peers(one: str, other: str) -> bool:
    """Returns whether two names are of one kind: two people, two numbers, two machines of one service."""
    if kind_of(one.lower()) & kind_of(other.lower()):
        return True
    return bool(_PERSON.fullmatch(one) and _PERSON.fullmatch(other)) and one[0].isdigit() == other[0].isdigit()


def _other_way_round(clause: ClauseAlignment, told: Sequence[_Told], index: EvidenceIndex) -> Iterator[Fact]:
    """Returns a doubt where the evidence has the same mark of cause or order and its two sides the other way round."""
    for name, mark in clause.clause.marks:
        claimed = _side_of_first(name, is_chinese=clause.clause.is_chinese)
        if not claimed:
            continue
        before = [one for one in told if one.fact.end <= mark.start]
        behind = [one for one in told if one.fact.start >= mark.end]
        if not before or not behind:
            continue
        left, right = before[-1], behind[0]
        if left.part != right.part:
            continue
        shown = _mark_between(left.place, right.place, name.split(".")[0], index)
        if shown is None:
            continue
        is_chinese = not index.text_at(left.place.record, shown[1].start, shown[1].end).isascii()
        evident = _side_of_first(shown[0], is_chinese=is_chinese)
        turned = left.place.start > right.place.start
        if evident and (claimed == evident) == turned:
            yield Fact(FactKind.ORDER, Standing.SILENT, mark.start, mark.end, "the other way round", left.place)


def _side_of_first(name: str, *, is_chinese: bool) -> str:
    """Returns on which side of a mark the cause, or the earlier event, stands; empty for a mark that tells neither."""
    if name in ("@cause.forward", "@order.then", "@order.precedes"):
        return "before"
    if name in ("@cause.backward", "@order.follows"):
        return "behind"
    if name == "@order.before":
        return "behind" if is_chinese else "before"
    if name == "@order.after":
        return "before" if is_chinese else "behind"
    return ""


def _mark_between(one: Place, other: Place, family: str, index: EvidenceIndex) -> tuple[str, Term] | None:
    """Returns the mark of a family that stands between two places."""
    first, last = sorted((one, other), key=lambda place: place.start)
    for term in index.terms[one.record]:
        if first.end <= term.start and term.end <= last.start and term.names[0][0] not in "=+":
            for name in term.names:
                if name.startswith(family + ".") and _side_of_first(name, is_chinese=False):
                    return name, term
    return None
