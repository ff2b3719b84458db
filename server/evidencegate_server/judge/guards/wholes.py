"""Doubts that what is told of a part is told of the whole, of an order that it is told of a count."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from evidencegate_server.judge.alignment.denial import denied_in_evidence
from evidencegate_server.judge.alignment.model import BY_OPPOSITE, HELD, NUMBERED, FactKind
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.claims.model import mention_of
from evidencegate_server.judge.guards.matching import stands_at
from evidencegate_server.judge.guards.scene import Doubt, Scene, Told, content
from evidencegate_server.judge.guards.statements import is_actor, is_light, kinds
from evidencegate_server.judge.values.model import Quantity
from evidencegate_server.judge.vocabulary import Term, Vocabulary
from evidencegate_server.words import Verification

_PART: Final = re.compile(
    r"(\d[\d,]*)\s*(?:of|out of|/)\s*(?:the\s+|all\s+)?(\d[\d,]*)|"
    r"(\d[\d,]*)\s*[\u3400-\u9fff]{0,8}[中里内](?:[，,]?[只仅]?有|的)?\s*(\d[\d,]*)|"
    r"(\d[\d,]*) [a-z]+(?: [a-z]+)?, (?:only )?(\d[\d,]*) ",
    re.IGNORECASE,
)
_ORDINAL: Final = re.compile(r"(?:第|#|\b(?:attempt|try|retry|step|phase|stage|round|run)\s+)\s*$", re.IGNORECASE)
_ORDINAL_BEHIND: Final = re.compile(r"(?:st|nd|rd|th)\b")
_TIMES: Final = re.compile(r"\d\s*(?:次|轮|(?:[a-z]+ )?(?:attempts?|tries|retries|times|runs|rounds)\b)")
_KEYED: Final = re.compile(r"[\w)][:=] ?$")  # preset: enabled
_COUNT: Final = re.compile(r"(?:[^\d\n,，;；。]{0,4}?[ =:：])?(\d{1,9})(?!\d|[.:%])")
_TOTAL: Final = re.compile(r"(?:共计?|总计|总数|\btotal)[ =:：]{0,2}(\d{1,9})(?!\d|[.:%])", re.IGNORECASE)
_OF: Final = re.compile(r"\b(?:of|in|on|for|from|at|within|among)\b|[\u7684\u5728\u533a]", re.IGNORECASE)


def wider(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each figure of a whole, an order or a part that a claim gives to something wider."""
    for at, told in enumerate(scene.told):
        clause = scene.clauses[at].clause
        for one in told:
            if one.fact.why == NUMBERED and _is_whole(scene, one, told):
                yield Doubt(one.fact, "the whole, of which a part is told", Verification.OVERSTATED)
            mention = mention_of(clause, one.fact.start) if one.is_value else None
            if mention is None or not isinstance(mention.value, Quantity):
                continue
            if _is_whole(scene, one, told):
                yield Doubt(one.fact, "the whole, of which a part is told", Verification.OVERSTATED)
            elif _is_of_others(scene, at, one):
                yield Doubt(one.fact, "told of other things", Verification.UNSUPPORTED)
            elif _is_order(scene, one):
                yield Doubt(one.fact, "an order is no count", Verification.UNSUPPORTED)
            elif mention.value.measure == "share" and one.is_prose and _is_narrower(scene, one):
                yield Doubt(one.fact, "told of a part only", Verification.OVERSTATED)


def of_some(scene: Scene) -> Iterator[Doubt]:
    """Returns a doubt for each outcome of a few that is told of all, and each denial of what their line affirms."""
    for at, told in enumerate(scene.told):
        clause = scene.clauses[at].clause
        bare = not clause.values and clause.marked("@quantifiers") is None
        for one in told:
            if bare and one.fact.kind is FactKind.STATE and _is_of_some(scene, one):
                yield Doubt(one.fact, "so many of more", Verification.OVERSTATED)
            if one.is_prose and one.fact.why == BY_OPPOSITE and _is_affirmed(scene, one):
                yield Doubt(one.fact, "affirmed there")


def _is_of_some(scene: Scene, one: Told) -> bool:
    """Returns whether a state stands only as a count (失败 12 条) behind a greater count of all (共 320 条)."""
    text = scene.evidence_of(one.place)
    start, end = scene.index.line(one.place)
    count = _COUNT.match(text, one.place.end, end) or _COUNT.match(text, one.place.start, end)
    total = _TOTAL.search(text, start, end)
    return count is not None and total is not None and int(total[1]) > int(count[1])


def _is_affirmed(scene: Scene, one: Told) -> bool:
    """Returns whether the line by which something is denied has it, and does not deny it there."""
    if one.term is None:
        return False
    start, end = scene.index.line(one.place)
    names = frozenset(content(one.term))
    return any(
        start <= place.start < end and not place.in_name and not denied_in_evidence(scene.index, place)
        for name in names
        for place in scene.index.places.get(name, ())
        if place.record == one.place.record and not _is_keyed(scene, place)
    )


def _is_keyed(scene: Scene, place: Place) -> bool:
    return _KEYED.search(scene.evidence_of(place), max(0, place.start - 3), place.start) is not None


def _is_whole(scene: Scene, one: Told, told: tuple[Told, ...]) -> bool:
    """Returns whether a figure is what a part is of, and the claim tells of a state and not of the part."""
    if not any(other.is_verb for other in told) or not one.is_prose:
        return False
    line = scene.lines.line(one.place)
    for found in _PART.finditer(line.text, line.start, line.end):
        whole, part = (2, 1) if found[1] else (3, 4) if found[3] else (5, 6)
        if found.start(whole) <= one.place.start < found.end(whole):
            return stands_at(scene.text, found[part]) < 0
    return False


def _is_of_others(scene: Scene, at: int, one: Told) -> bool:
    """Returns whether a number counts other things in the text (12 clients) than in the claim (12 gateways)."""
    vocabulary = scene.index.vocabulary
    if not one.is_prose:
        return False
    line = scene.lines.line(one.place)
    claimed = _counted(scene.clauses[at].clause.terms, one.fact.end, vocabulary)
    shown = _counted(line.statements[line.at(one.place.start)].terms, one.place.end, vocabulary)
    if claimed is None or shown is None or not scene.said.isdisjoint(content(shown)):
        return False
    akin = {other for name in content(claimed) for other in vocabulary.akin.get(name, ())}
    return akin.isdisjoint(content(shown))


def _counted(terms: Sequence[Term], end: int, vocabulary: Vocabulary) -> Term | None:
    """Returns the thing that a number right before it counts, None where that is no known thing of its own kind."""
    behind = next((term for term in terms if 0 <= term.start - end <= 1), None)
    if behind is None or is_light(behind, vocabulary) or kinds(behind, vocabulary) != {"thing"}:
        return None
    return behind


def _is_order(scene: Scene, one: Told) -> bool:
    """Returns whether a figure is a place in an order at one side only (attempt 2, 2 attempts)."""
    text = scene.evidence_of(one.place)
    said = _is_ordinal(scene.text, one.fact.start, one.fact.end)
    digits = re.search(r"\d+", text[one.place.start : one.place.end])
    if digits is None or not re.search(r"\d", scene.text[one.fact.start : one.fact.end]):
        return False
    start = one.place.start + digits.start()
    shown = _is_ordinal(text, start, one.place.start + digits.end()) or _is_ordinal(
        text, one.place.start, one.place.end
    )
    if said == shown or not one.is_prose:
        return False
    times = scene.text[one.fact.start : one.fact.end + 12] if shown else text[start : one.place.end + 12]
    return _TIMES.search(times) is not None


def _is_ordinal(text: str, start: int, end: int) -> bool:
    return (
        _ORDINAL.search(text, max(0, start - 12), start) is not None
        or text[start : start + 1] in "第#"
        or _ORDINAL_BEHIND.match(text, end) is not None
    )


def _is_narrower(scene: Scene, one: Told) -> bool:
    """Returns whether the text says of what a share is in words that the claim leaves out."""
    line = scene.lines.line(one.place)
    statement = line.statements[line.at(one.place.start)]
    vocabulary = scene.index.vocabulary
    held = {
        fact.place.start
        for clause in scene.clauses
        for fact in clause.facts
        if fact.standing in HELD and fact.place is not None and fact.kind is not FactKind.VALUE
    }
    last = max((start for start in held if statement.holds(start)), default=-1)
    for term in statement.terms:
        if not is_actor(term, vocabulary) or (
            is_light(term, vocabulary) and not _OF.search(line.text, term.end, term.end + 1)
        ):
            continue
        if not scene.said.isdisjoint(content(term)) or term.start in held or term.start > last:
            continue
        if one.place.end <= term.start and _OF.search(line.text, one.place.end, term.start):
            return True
        if term.end <= one.place.start and not line.text[term.start].isascii() and one.place.start - term.end <= 2:
            return True
    return False
