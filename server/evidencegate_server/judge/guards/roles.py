"""Doubts that who does something in a claim is who does it in the text: the side of the verb and its voice say so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final

from evidencegate_server.judge.guards.scene import Doubt, Scene, Told, Word
from evidencegate_server.judge.guards.statements import Line, Statement, is_actor, is_light, is_verb, statements
from evidencegate_server.judge.vocabulary import Term

_WHY: Final = "who does it to whom"
_BY: Final = re.compile(r"\bby(?:\s+(?:a|an|the|its))?(?:\s+[\w/-]+)?\s*[\"'(]?$", re.IGNORECASE)
_BE: Final = re.compile(
    r"\b(?:is|are|was|were|been|being|be|got|get|gets)\s+(?:not\s+|\w+ly\s+|also\s+|then\s+|already\s+)?$",
    re.IGNORECASE,
)
_PARTICIPLE: Final = re.compile(
    r"\w*(?:ed|en|own|awn|orn|done|gone|shut|sent|lost|kept|held|left|built|cut|put|set|hit|made|told|shot|caught|bought"
    r"|brought|found|read|run|led|fed|paid|split)\b",
    re.IGNORECASE,
)
_BEI: Final = re.compile("[被遭]")
_BY_ZH: Final = re.compile(r"[被由遭受]\s*$")
_BA: Final = re.compile(r"[把将](?![于在会要被来])")
_BA_HERE: Final = re.compile(r"[把将]\s*$")
_NOUN: Final = re.compile(r"(?:\b(?:the|a|an|its|of|no|any|'s|\u2019s)|[的])\s*$", re.IGNORECASE)
_PHRASE: Final = re.compile(
    r"\b(?:the|a|an|its|no|any)\s+(?:(?!is\b|are\b|was\b|were\b)[\w-]+\s+){1,3}$", re.IGNORECASE
)
_OF: Final = re.compile(r"\s*(?:of\b|'s|\u2019s|[的])")
_BY_HAN: Final = re.compile(r"由(?!于)")
_DIGIT: Final = re.compile(r"\d")
_BY_WORD: Final = re.compile(r"\bby\b")
_ENDS_IN: Final = re.compile(r"(?: (?:to|from|at|for|on|in|with|into|of)|[到至为成自于])$")
_FAR: Final = 60  # code points between a verb and who stands beside it
_HAN: Final = re.compile("[\u3400-\u9fff]")


class Role(StrEnum):
    """What somebody is to a verb."""

    AGENT = "agent"
    PATIENT = "patient"
    SUBJECT = "subject"  # either of them: the verb has one side only
    ASIDE = "aside"  # from, to, on, of: neither


def turned_round(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each word that does something in a claim and suffers it in the text, or the other way."""
    vocabulary = scene.index.vocabulary
    for at, told in enumerate(scene.told):
        clause = scene.clauses[at].clause
        own = statements(scene.text, clause.start, clause.end, clause.terms, vocabulary)
        words = [word for word in scene.words_of(at) if word.is_actor and not is_light(word.term, vocabulary)]
        for verb in told:
            part = next((one for one in own if one.holds(verb.fact.start)), None)
            if part is None or not verb.is_verb or not verb.is_prose or verb.term is None:
                continue
            line = scene.lines.line(verb.place)
            if _is_noun(scene.text, verb.fact.start, verb.fact.end):
                continue
            if not _is_noun(line.text, verb.place.start, verb.place.end):
                yield from _of_verb(scene, [word for word in words if part.holds(word.start)], part, verb, line)


def _of_verb(scene: Scene, words: Sequence[Word], part: Statement, verb: Told, line: Line) -> Iterator[Doubt]:
    """Returns the doubts of the words of one statement of a claim about one verb."""
    statement = line.statements[line.at(verb.place.start)]
    for word in words:
        told = word.told
        if told is None or not told.is_prose or not statement.holds(told.place.start):
            continue
        if told.place.start == verb.place.start or word.start == verb.fact.start:
            continue
        if _is_as_written(scene, line, told, verb):
            continue
        claimed = role(scene, scene.text, part, word.term, verb.fact.start, verb.fact.end)
        shown_term = Term(word.term.names, told.place.start, told.place.end)
        shown = role(scene, line.text, statement, shown_term, verb.place.start, verb.place.end)
        if claimed is Role.AGENT and _is_by_another(scene, line, shown_term, verb):
            yield Doubt(word.fact("done by another there", told.place), _WHY)
        if claimed is Role.PATIENT and _is_in_compound(line.text, verb):
            yield Doubt(word.fact("a name for it tells of nobody", told.place), _WHY)
        if _clash(scene, claimed, shown, statement, shown_term, verb):
            yield Doubt(word.fact(_WHY, told.place), _WHY)


def _is_as_written(scene: Scene, line: Line, one: Told, verb: Told) -> bool:
    """Returns whether a claim and the text have a word and its verb side by side in the same letters."""
    claimed = scene.text[min(one.fact.start, verb.fact.start) : max(one.fact.end, verb.fact.end)]
    shown = line.text[min(one.place.start, verb.place.start) : max(one.place.end, verb.place.end)]
    return claimed.lower() == shown.lower()


def _is_by_another(scene: Scene, line: Line, word: Term, verb: Told) -> bool:
    """Returns whether a text says by whom something was done, and it is not who a claim says."""
    verbs = [
        term.start
        for statement in line.statements
        for term in statement.terms
        if term.start >= verb.place.end and is_verb(term, scene.index.vocabulary)
    ]
    limit = min([*verbs, line.end, verb.place.end + _FARTHEST])
    found = _WHOM.search(line.text, verb.place.end, limit)
    if found is not None:
        whom = line.text[found.start(1) : found.end(1) + _NEAR].lower()
        return scene.index.text_at(verb.place.record, word.start, word.end).lower() not in whom
    return word.start > verb.place.end and any(at < word.start for at in verbs)


def _is_in_compound(text: str, verb: Told) -> bool:
    """Returns whether a verb is only the part of a compound noun (oom-killer)."""
    start = max(0, verb.place.start - _LONGEST)
    left = _PART_BEFORE.search(text, start, verb.place.start)
    right = _PART_BEHIND.match(text, verb.place.start)
    token = (left[0] if left else "") + (right[0] if right else "")
    return _COMPOUND.fullmatch(token) is not None


_NEAR: Final = 24  # code points behind the first word of whom something was done by
_LONGEST: Final = 40
_PART_BEFORE: Final = re.compile(r"[\w-]+$")
_PART_BEHIND: Final = re.compile(r"[\w-]+")
_COMPOUND: Final = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)+")
_WHOM: Final = re.compile(r"\bby (?:the |an? )?([\w./@:-]+)", re.IGNORECASE)
_FARTHEST: Final = 90  # code points between a verb and by whom it is done


def _clash(
    scene: Scene, claimed: Role | None, shown: Role | None, statement: Statement, word: Term, verb: Told
) -> bool:
    """Returns whether nobody can be both to one verb."""
    if claimed is None or shown is None or claimed is shown:
        return False
    if {claimed, shown} == {Role.AGENT, Role.PATIENT}:
        return True
    if shown is Role.ASIDE and claimed in (Role.AGENT, Role.SUBJECT):
        return _has_other(scene, statement, word, verb)
    return claimed is Role.ASIDE and shown is Role.AGENT and _has_other(scene, statement, word, verb)


def _has_other(scene: Scene, statement: Statement, word: Term, verb: Told) -> bool:
    """Returns whether a statement has another one that does what its verb tells, or to whom it is done."""
    text = scene.evidence_of(verb.place)
    vocabulary = scene.index.vocabulary
    for term in statement.terms:
        if not is_actor(term, vocabulary) or is_light(term, vocabulary) or term.start == word.start:
            continue
        if term.start in range(verb.place.start, verb.place.end):
            continue
        found = role(scene, text, statement, term, verb.place.start, verb.place.end)
        if found in (Role.AGENT, Role.SUBJECT):
            return True
    return False


def role(scene: Scene, text: str, statement: Statement, word: Term, start: int, end: int) -> Role | None:
    """Returns what a word of a statement is to the verb from `start` to `end`, None where the two are far apart."""
    if max(start - word.end, word.start - end) > _FAR:
        return None
    if text[start:end].lower().endswith(" by"):
        return Role.PATIENT if word.end <= start else Role.AGENT
    if word.end <= start:
        return _before(scene, text, statement, word, start, end)
    between = text[end : word.start]
    if not between.strip() and _ENDS_IN.search(text, start, end):
        return Role.ASIDE
    if _BY.search(between) is not None:
        return Role.AGENT
    is_aside = scene.words.preposition.search(between) is not None or _OF.match(text, word.end)
    return Role.ASIDE if is_aside else Role.PATIENT


def _before(scene: Scene, text: str, statement: Statement, word: Term, start: int, end: int) -> Role | None:
    """Returns what a word before a verb is to it."""
    before, between = text[statement.start : word.start], text[word.end : start]
    if _HAN.search(text, statement.start, statement.end):
        found = _chinese_before(before, between)
        if found is not None:
            return found
    if _OF.match(between):
        return None
    if scene.words.preposition.search(before) is not None:
        return Role.ASIDE
    if _BY_WORD.search(text, end, statement.end) or (_BE.search(between) and _PARTICIPLE.match(text, start, end)):
        return Role.PATIENT
    return Role.AGENT if _has_object(scene, text, statement, end) else Role.SUBJECT


def _chinese_before(before: str, between: str) -> Role | None:
    if _BY_ZH.search(before) is not None:
        return Role.AGENT
    if _BA_HERE.search(before) is not None or _BEI.search(between) is not None:
        return Role.PATIENT
    if _BA.search(between) is not None:
        return Role.AGENT
    return Role.PATIENT if _BY_HAN.search(between) and not _DIGIT.search(between) else None


def _has_object(scene: Scene, text: str, statement: Statement, end: int) -> bool:
    """Returns whether a thing stands right behind a verb."""
    vocabulary = scene.index.vocabulary
    for term in statement.terms:
        if term.start < end:
            continue
        if is_actor(term, vocabulary):
            return scene.words.preposition.search(text[end : term.start]) is None
    return False


def _is_noun(text: str, start: int, end: int) -> bool:
    """Returns whether a word for an event is a noun there: the restart of, its reset."""
    before = text[max(0, start - 8) : start]
    if not text[start:end].lower().endswith(("ed", "s")) and _PHRASE.search(text, max(0, start - _FAR), start):
        return True
    return _NOUN.search(before) is not None or re.match(r"\s*of\b", text[end : end + 4]) is not None
