"""Cuts the line that a place of prose is in into statements: what is told of one subject by one verb."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.vocabulary import Term, Vocabulary

_SIGN: Final = re.compile(
    r"[,;](?=\s|[\u3400-\u9fff])|[，；。！？!?：]|:(?=\s|[\u3400-\u9fff])|(?<=[\u3400-\u9fff]):|\.(?=\s|$)|\s[-\u2013\u2014]+\s"
)
_JOINT: Final = re.compile(
    r"\s(?:and|but|while|whereas|although|yet|then|whilst|because|since|so|before|after|until)\s|(?:而且|并且|但是?|而是?|然而|且|之后|随后|然后)",
    re.IGNORECASE,
)
_FIGURE: Final = re.compile(r"[\d.,:/%+-]+[a-z%]{0,3}")
_SUBJECT: Final = re.compile(r"\s(?=[\w./:-]*[\d/][\w./:-]*\s+(?:is|are|was|were|has|had|[a-z]+ed|[a-z]+ [a-z]+ed)\b)")
_CLOCK: Final = re.compile(r"\d\d:\d\d(?::\d\d)?$")
_NEAR: Final = 40  # code points at each side of an `and`
_DIGIT: Final = re.compile(r"\d")
_ALONE: Final = re.compile(r"(?<![\w-])\d")  # a figure, and no part of a name
_WIDEST: Final = 2_000  # code points of a line that are looked at around a place
_VERBS: Final = frozenset({"event", "state"})
_ACTORS: Final = frozenset({"thing", "name", "side"})


@record
class Statement:
    """A part of a line, with its words. `start` and `end` are places of the text."""

    start: int
    end: int
    terms: tuple[Term, ...]

    def holds(self, place: int) -> bool:
        """Returns whether a place is in the statement."""
        return self.start <= place < self.end


@record
class Line:
    """The line of a place: its statements, left to right."""

    start: int
    end: int
    text: str  # the whole text that it is a part of
    statements: tuple[Statement, ...]

    def at(self, place: int) -> int:
        """Returns the number of the statement that a place is in."""
        return next((at for at, one in enumerate(self.statements) if place < one.end), len(self.statements) - 1)


class LineReader:
    """Reads the lines of one evidence, each once."""

    def __init__(self, index: EvidenceIndex) -> None:
        self.index = index
        self._known: dict[tuple[int, int, int], Line] = {}

    def line(self, place: Place) -> Line:
        """Returns the line of a place."""
        source = self.index.records[place.record].source
        text = self.index.evidence.texts[source]
        start, end = self.index.line(place)
        start, end = max(start, place.start - _WIDEST), min(end, place.end + _WIDEST)
        key = (source, start, end)
        if key not in self._known:
            terms = tuple(self.index.vocabulary.terms(text[start:end], start))
            self._known[key] = Line(start, end, text, statements(text, start, end, terms, self.index.vocabulary))
        return self._known[key]


def statements(text: str, start: int, end: int, terms: Sequence[Term], vocabulary: Vocabulary) -> tuple[Statement, ...]:
    """Returns the statements between two places of a text. What has no verb belongs to what comes behind it."""
    text_ends = {term.end for term in terms if is_verb(term, vocabulary)}
    cuts = sorted(
        {found.end() for found in _SIGN.finditer(text, start, end)}
        | {found.start() for found in _SUBJECT.finditer(text, start, end) if _ends(text, found.start(), text_ends)}
        | {found.start() for found in _JOINT.finditer(text, start, end) if _parts(text, found, terms, vocabulary)}
    )
    bounds = [start, *(cut for cut in cuts if start < cut < end), end]
    parts: list[Statement] = []
    at = 0
    pending = start
    for low, high in pairwise(bounds):
        while at < len(terms) and terms[at].start < pending:
            at += 1
        own = tuple(term for term in terms[at:] if term.start < high)
        is_label = text[low:high].rstrip().endswith((":", "："))
        whole = text[high - 1 : high] == "\uff0c" and len(own) > 1
        if is_label or whole or any(is_verb(term, vocabulary) for term in own) or _ALONE.search(text, pending, high):
            parts.append(Statement(pending, high, own))
            pending = high
    if pending < end:
        own = tuple(term for term in terms if term.start >= pending)
        if parts and not any(is_verb(term, vocabulary) or is_actor(term, vocabulary) for term in own):
            last = parts.pop()
            parts.append(Statement(last.start, end, (*last.terms, *own)))
        else:
            parts.append(Statement(pending, end, own))
    return tuple(parts)


def _ends(text: str, place: int, verbs: set[int]) -> bool:
    """Returns whether a verb, or a time of day, ends at a place: what is told is told, and the next thing comes."""
    return place in verbs or _CLOCK.search(text, max(0, place - _NEAR), place) is not None


def _parts(text: str, joint: re.Match[str], terms: Sequence[Term], vocabulary: Vocabulary) -> bool:
    """Returns whether a joint has a verb, or a figure, at both sides, and so is none of a list."""
    left, right = text[max(0, joint.start() - _NEAR) : joint.start()], text[joint.end() : joint.end() + _NEAR]
    if _DIGIT.search(left) and _DIGIT.search(right):
        return True
    before = [term for term in terms if term.end <= joint.start() + 1]
    behind = [term for term in terms if term.start >= joint.end() - 1]
    return any(is_verb(term, vocabulary) for term in before[-6:]) and any(
        is_verb(term, vocabulary) for term in behind[:6]
    )


def kinds(term: Term, vocabulary: Vocabulary) -> frozenset[str]:
    """Returns what kinds of things a word may mean."""
    return frozenset(vocabulary.kind(name) for name in term.names if name[0] not in "@~=+" and name != "not")


def is_verb(term: Term, vocabulary: Vocabulary) -> bool:
    """Returns whether a word tells what happens, or in which state something is."""
    return term.names[0][0] not in "=+" and not vocabulary.verbs.isdisjoint(term.names)


def is_actor(term: Term, vocabulary: Vocabulary) -> bool:
    """Returns whether a word names what does something, or what it is done to."""
    if term.is_name:
        return _FIGURE.fullmatch(term.names[0], 1) is None
    if term.is_unknown or term.names[0][0] == "+":
        return True
    found = kinds(term, vocabulary)
    return not _ACTORS.isdisjoint(found) and _VERBS.isdisjoint(found)


def is_bare_name(term: Term, text: str, start: int, vocabulary: Vocabulary) -> bool:
    """Returns whether a word for an event or a figure stands like a name (checkout is down): first, and bare."""
    if is_actor(term, vocabulary) or text[start : term.start].strip() or not text[term.start].isascii():
        return False
    found = kinds(term, vocabulary)
    return bool(found) and found <= _BARE and _GOES_ON.match(text, term.end) is not None


_BARE: Final = frozenset({"event", "attribute", "statistic"})
_GOES_ON: Final = re.compile(
    r"\s*(?:is|are|was|were|has|had|got|could|did|does|p\d\d\b|[a-z]{2,}ed|[\u3400-\u9fff\d]|[a-z]{3,} \d)",
    re.IGNORECASE,
)


def is_light(term: Term, vocabulary: Vocabulary) -> bool:
    """Returns whether a word only says of which kind something is (pod, connection)."""
    if term.names[0][0] in "=+":
        return False
    return not vocabulary.traits["light"].isdisjoint(term.names) or not vocabulary.traits["free"].isdisjoint(term.names)
