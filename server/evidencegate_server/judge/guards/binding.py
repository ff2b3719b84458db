"""Doubts that what a claim tells of a thing is what the text tells of it: another statement names another thing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evidencegate_server.judge.alignment.lines import kind_of
from evidencegate_server.judge.claims.model import mention_of
from evidencegate_server.judge.guards.frames import is_undone_at
from evidencegate_server.judge.guards.matching import stands_at
from evidencegate_server.judge.guards.scene import Doubt, Scene, Told, Word, content
from evidencegate_server.judge.guards.statements import Line, Statement, is_actor, is_bare_name, is_light, kinds
from evidencegate_server.judge.records.model import RecordKind
from evidencegate_server.judge.values.model import COUNT, Instant, Quantity
from evidencegate_server.judge.vocabulary import Term

_TEXTS: Final = frozenset({RecordKind.SENTENCE, RecordKind.LINE})
_WITH: Final = re.compile(r"[\s,，]*(?:and|as well as|along with|together with|with|以及|和|及|与|连同)", re.IGNORECASE)
_BY: Final = re.compile(r"(?:\bby\b(?:\s+\w+)?\s*|[\u88ab\u7531])$", re.IGNORECASE)
_UNKNOWN: Final = frozenset({""})
_ARTICLE: Final = re.compile(r"\b(?:the|a|an|its|no|any)\s+$", re.IGNORECASE)
_NUMBERED: Final = re.compile(r"([A-Za-z]+|[\u3400-\u9fff]+) ?#?(\d+)")
_SHORT_LABEL: Final = 2  # words
_THE: Final = re.compile(r"\s*(?:the|a|an|its)?\s*", re.IGNORECASE)
_AND: Final = re.compile(r"\s*(?:and|和|与|及|、|以及)\s*", re.IGNORECASE)
_PEERS: Final = frozenset({"thing", "name", "side", ""})
_TELLING: Final = frozenset({"event", "state", "attribute"})
_WHY: Final = "told of something else there"


def in_other_statements(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each word whose verb or figure stands where the text names another of its kind instead."""
    before: tuple[Told, ...] = ()
    for at, told in enumerate(scene.told):
        verbs = [one for one in told if _tells(scene, one)]
        words = scene.words_of(at)
        for verb in verbs:
            line = scene.lines.line(verb.place)
            told_in = _tellings(scene, verb, line)
            if any(_is_short_label(one, line.text) for one in told_in):
                continue
            for word in words:
                if word.term is not verb.term and all(
                    _is_parted(scene, at, word, verb, line, statement) for statement in told_in
                ):
                    yield Doubt(word.fact(_WHY, verb.place), _WHY)
        clause = scene.clauses[at].clause
        if not any(one.is_verb or one.is_value for one in told) and _WITH.match(scene.text, clause.start):
            yield from _goes_with(scene, words, before)
        before = told if verbs else before


def _is_short_label(statement: Statement, text: str) -> bool:
    """Returns whether a statement is a word with a colon: what stands behind it is told of it."""
    is_label = text[statement.start : statement.end].rstrip().endswith((":", "\uff1a"))
    return is_label and len(statement.terms) <= _SHORT_LABEL


def _tellings(scene: Scene, verb: Told, line: Line) -> list[Statement]:
    """Returns the statements of a line that tell what a verb tells, and do not deny it; its own one first."""
    own = line.statements[line.at(verb.place.start)]
    said = scene.text[verb.fact.start : verb.fact.end].strip()
    same = [one for one in line.statements if stands_at(line.text, said, one.start, one.end) >= 0]
    if verb.term is not None and same and own not in same:
        return same  # a text that has the very word tells it there
    names = frozenset(content(verb.term)) if verb.term is not None else frozenset()
    others = [
        one
        for one in line.statements
        if one is not own
        and any(
            not names.isdisjoint(term.names) and not is_undone_at(scene, term.start, line, one) for term in one.terms
        )
    ]
    return [own, *others]


def _tells(scene: Scene, one: Told) -> bool:
    """Returns whether a fact is a verb or a figure that a line or sentence tells."""
    if not one.is_prose:
        return False
    vocabulary = scene.index.vocabulary
    says_little = one.term is not None and is_light(one.term, vocabulary) and "state" not in kinds(one.term, vocabulary)
    return one.is_value or (one.is_verb and not says_little)


def _goes_with(scene: Scene, words: tuple[Word, ...], before: tuple[Told, ...]) -> Iterator[Doubt]:
    """Returns a doubt for a name in a clause that says nothing (and B with it) where the verb before is not of it."""
    verb = next((one for one in reversed(before) if one.is_verb and one.is_prose), None)
    if verb is None:
        return
    line = scene.lines.line(verb.place)
    statement = line.statements[line.at(verb.place.start)]
    for word in words:
        if word.is_actor and not _stands_in(scene, word, line, statement) and not _is_topic(scene, word, line):
            yield Doubt(word.fact(_WHY, verb.place), _WHY)


def _is_parted(scene: Scene, at: int, word: Word, verb: Told, line: Line, statement: Statement) -> bool:
    """Returns whether the statement of a verb lacks a word of its clause and has another one of that kind."""
    if _stands_in(scene, word, line, statement):
        return False
    if not word.is_actor and _is_other_time(scene, at, word, verb, line, statement):
        return True
    if not word.is_actor:
        return _is_turned_side(scene, word, verb, statement)
    if word.is_numbered:
        return _is_other_number(scene, at, word, line, statement)
    if not _is_somewhere(scene, word) or _is_topic(scene, word, line):
        return False
    on_line = any(_has(scene, word, one, line) for one in line.statements)
    if word.start > verb.fact.start and not verb.is_value:
        return on_line and _has_peer(scene, word, verb, statement)
    if word.start != _subject(scene, at):
        return False
    if not on_line and scene.index.records[verb.place.record].kind not in _TEXTS:
        return False
    if _is_joined_with_one_in(scene, at, word, line, statement):
        return True
    rivals = _rivals(scene, at, verb, line, statement)
    light = is_light(word.term, scene.index.vocabulary)
    return any(
        (not light or (scene.text[word.start].isascii() and word.start == scene.clauses[at].clause.terms[0].start))
        and ((is_doer and not on_line) or _are_peers(scene, word.term, rival))
        for rival, is_doer in rivals
    )


def _is_joined_with_one_in(scene: Scene, at: int, word: Word, line: Line, statement: Statement) -> bool:
    """Returns whether a claim tells the same of two (A and B are down), of which a statement has only the other."""
    return any(
        other.is_actor
        and _AND.fullmatch(scene.text[min(word.end, other.end) : max(word.start, other.start)]) is not None
        and _stands_in(scene, other, line, statement)
        for other in scene.words_of(at)
        if other.start != word.start
    )


def _subject(scene: Scene, at: int) -> int:
    """Returns where the first thing that a clause names begins, one that says more than its kind where there is one."""
    words = [word for word in scene.words_of(at) if word.is_actor and _is_whole(scene, word)]
    heavy = [word for word in words if not is_light(word.term, scene.index.vocabulary)]
    return next((word.start for word in heavy or words), -1)


def _is_whole(scene: Scene, word: Word) -> bool:
    """Returns whether a word is no single sign left over between two known ones; a name's second sign is none."""
    if not word.term.is_unknown or word.end - word.start > 1:
        return True
    return any(
        term.end == word.start and term.end - term.start == 1
        for clause in scene.clauses
        for term in clause.clause.terms[:2]
    )


def _is_somewhere(scene: Scene, word: Word) -> bool:
    """Returns whether the evidence has a word at all, outside of what was asked of a tool."""
    index = scene.index
    return word.told is not None or any(
        not index.is_asked(place.record) for name in content(word.term) for place in index.places.get(name, ())
    )


def _is_other_number(scene: Scene, at: int, word: Word, line: Line, statement: Statement) -> bool:
    """Returns whether a statement has another number behind the noun that a claim has before its own."""
    noun = re.search(r"([A-Za-z]+|[\u3400-\u9fff]+) ?#?$", scene.text[: word.start])
    if noun is None:
        return False
    clause = scene.clauses[at].clause
    return any(
        one[1].lower() == noun[1].lower() and stands_at(scene.text, one[2], clause.start, clause.end) < 0
        for one in _NUMBERED.finditer(line.text, statement.start, statement.end)
    )


def _has_peer(scene: Scene, word: Word, verb: Told, statement: Statement) -> bool:
    """Returns whether a statement names another thing of a word's kind behind its verb, and the claim does not."""
    vocabulary = scene.index.vocabulary
    if is_light(word.term, vocabulary) or not _is_whole(scene, word):
        return False
    bare = scene.text[word.start].isascii() and _ARTICLE.search(scene.text, 0, word.start) is None
    if not (_is_named(word.term) or word.term.is_unknown or bare):
        return _is_another_object(scene, word, verb, statement)
    return any(
        term.start >= verb.place.end
        and not is_light(term, vocabulary)
        and _is_more(term)
        and _are_peers(scene, word.term, term)
        and scene.said.isdisjoint(content(term))
        for term in statement.terms
        if is_actor(term, vocabulary)
    )


def _is_another_object(scene: Scene, word: Word, verb: Told, statement: Statement) -> bool:
    """Returns whether a verb has another thing right behind it in the text than in the claim."""
    text = scene.evidence_of(verb.place)
    if _THE.fullmatch(scene.text, verb.fact.end, word.start) is None:
        return False
    return any(
        _THE.fullmatch(text, verb.place.end, term.start) is not None
        and _are_peers(scene, word.term, term)
        and scene.said.isdisjoint(content(term))
        for term in statement.terms
        if term.start >= verb.place.end and is_actor(term, scene.index.vocabulary)
    )


def _is_other_time(scene: Scene, at: int, word: Word, verb: Told, line: Line, statement: Statement) -> bool:
    """Returns whether a time stands beside another verb than the one that a claim gives it to, on one line."""
    clause = scene.clauses[at].clause
    mention = mention_of(clause, verb.fact.start) if verb.is_value else None
    if mention is None:
        return False
    first = scene.text[word.start : word.end].split()[0]
    if stands_at(line.text, first, statement.start, statement.end) >= 0:
        return False
    if word.told is None:
        vocabulary = scene.index.vocabulary
        return (
            isinstance(mention.value, Instant)
            and any(
                not _TELLING.isdisjoint(kinds(term, vocabulary)) and scene.said.isdisjoint(content(term))
                for term in statement.terms
                if term.end <= verb.place.start
            )
            and word.end <= verb.fact.start
        )
    if word.told.place.record != verb.place.record or not word.told.is_prose:
        return False
    vocabulary = scene.index.vocabulary
    if isinstance(mention.value, Quantity):
        other = line.statements[line.at(word.told.place.start)]
        figures = re.findall(r"(?<![\w/.:-])\d+(?![\w.:-])", line.text[other.start : other.end])
        return (
            mention.value.measure == COUNT
            and "state" in kinds(word.term, vocabulary)
            and any(stands_at(scene.text, figure) < 0 for figure in figures)
        )
    return line.start < verb.place.start and any(
        not _TELLING.isdisjoint(kinds(term, vocabulary)) and scene.said.isdisjoint(content(term))
        for term in statement.terms
        if term.end <= verb.place.start
    )


def _is_turned_side(scene: Scene, word: Word, verb: Told, statement: Statement) -> bool:
    """Returns whether a statement has another event or side (write) where a claim says one (read latency)."""
    vocabulary = scene.index.vocabulary
    if word.told is None or word.told.place.record != verb.place.record or not word.told.is_prose:
        return False
    own = kinds(word.term, vocabulary) & {"event", "side"}
    others = {name for one in content(word.term) for name in vocabulary.opposites.get(one, ())}
    return bool(own) and any(
        (not own.isdisjoint(kinds(term, vocabulary)) or not others.isdisjoint(term.names))
        and scene.said.isdisjoint(content(term))
        and term.end <= verb.place.start
        for term in statement.terms
    )


def _is_topic(scene: Scene, word: Word, line: Line) -> bool:
    """Returns whether a word stands in a field of the line, or in the label that begins it (`queue a: ...`)."""
    if word.told is not None and (not word.told.is_prose or scene.index.is_asked(word.told.place.record)):
        return True
    return any(
        line.text[one.start : one.end].rstrip().endswith((":", "\uff1a")) and _has(scene, word, one, line)
        for one in line.statements
    )


def _stands_in(scene: Scene, word: Word, line: Line, statement: Statement) -> bool:
    told = word.told
    if told is not None and statement.holds(told.place.start) and scene.evidence_of(told.place) is line.text:
        return True
    return _has(scene, word, statement, line)


def _has(scene: Scene, word: Word, statement: Statement, line: Line) -> bool:
    if word.is_numbered:
        said = scene.text[word.start : word.end].strip()
        return stands_at(line.text, said, statement.start, statement.end) >= 0
    if _is_named(word.term):
        said = scene.text[word.start : word.end]
        return stands_at(line.text, said, statement.start, statement.end) >= 0
    names = frozenset(content(word.term))
    implied = {other for name in names for other in scene.index.vocabulary.implied_by.get(name, ())}
    if any(not names.isdisjoint(term.names) or not implied.isdisjoint(term.names) for term in statement.terms):
        return True
    return scene.text[word.start : word.end].lower() in line.text[statement.start : statement.end].lower()


def _rivals(scene: Scene, at: int, verb: Told, line: Line, statement: Statement) -> Iterator[tuple[Term, bool]]:
    """Returns what a statement tells its verb of and the claim does not: right before it, and by whom or to whom."""
    vocabulary = scene.index.vocabulary
    actors = [
        term
        for term in statement.terms
        if (is_actor(term, vocabulary) and _is_more(term)) or is_bare_name(term, line.text, statement.start, vocabulary)
    ]
    actors = [term for term in actors if not is_light(term, vocabulary)] or actors
    before = [term for term in actors if term.end <= verb.place.start]
    behind = [term for term in actors if term.start >= verb.place.end]
    alone = sum(word.is_actor and not is_light(word.term, vocabulary) for word in scene.words_of(at)) == 1
    agents = [term for term in behind if _BY.search(line.text, verb.place.end, term.start)]
    beside = [*agents, *(behind[:1] if alone and not before else [])]
    said = scene.said_in(at)
    for term in [*before[-1:], *beside]:
        if said.isdisjoint(content(term)):
            yield term, term in beside


def _is_more(term: Term) -> bool:
    """Returns whether a word of the evidence is more than a sign that was left over between two known ones."""
    return not term.is_unknown or len(term.names[0]) > 2


def _are_peers(scene: Scene, one: Term, other: Term) -> bool:
    """Returns whether two words name things of one kind."""
    if _is_named(one) and _is_named(other):
        first, second = kind_of(one.names[0][1:]), kind_of(other.names[0][1:])
        return not first.isdisjoint(second) or (not first and not second)
    if _is_named(one) != _is_named(other):
        return False
    vocabulary = scene.index.vocabulary
    if not is_actor(one, vocabulary) or not is_actor(other, vocabulary):
        return True  # a bare word for an event, used as a name
    own, others = kinds(one, vocabulary) or _UNKNOWN, kinds(other, vocabulary) or _UNKNOWN
    return not own.isdisjoint(_PEERS) and not others.isdisjoint(_PEERS)


def _is_named(term: Term) -> bool:
    return term.names[0][0] in "=+"
