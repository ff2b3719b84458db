"""Checks that each thing that a clause lists has what stands behind its word for all (A 和 B 都是 0)."""

from __future__ import annotations

from typing import Final

from evidencegate_server.judge.alignment.model import HELD, ClauseAlignment
from evidencegate_server.judge.alignment.places import Place, ValueCell
from evidencegate_server.judge.alignment.scope.members import Ground, parallel, siblings
from evidencegate_server.judge.alignment.values import SAME
from evidencegate_server.judge.values.compare import compare
from evidencegate_server.judge.values.model import Mention
from evidencegate_server.judge.vocabulary import Term

_MARK: Final = "@"
_IDLE: Final = frozenset({"article", "preposition", "number_word", "be"})
_AND: Final = ("和", "与", "及", "以及", "and")


def listed_have(scene: Ground, alignment: ClauseAlignment, mark: Term) -> Place | None:
    """Returns what shows that each thing that a clause lists before its quantifier has the value behind it.

    A 和 B 都是 0, A and B are both 0: of A and of B the evidence has that value where it has it of one of them.
    """
    mention = next((one for one in alignment.clause.values if one.start >= mark.end), None)
    fact = next(
        (one for one in alignment.facts if mention is not None and one.start == mention.outer_start and one.place), None
    )
    if mention is None or fact is None or fact.place is None or fact.standing not in HELD:
        return None
    held = scene.index.at_place.get((fact.place.record, fact.place.start))
    pieces = _pieces(scene, alignment, mark)
    if held is None or len(pieces) < 2:
        return None
    if not all(_has(scene, piece, held, mention) for piece in pieces):
        return None
    return fact.place


def _pieces(scene: Ground, alignment: ClauseAlignment, mark: Term) -> list[frozenset[str]]:
    """Returns what the members of the list before a quantifier mean, one after the other."""
    kind = scene.index.vocabulary.kind
    pieces: list[set[str]] = [set()]
    end = alignment.clause.start
    for term in alignment.clause.terms:
        if term.start >= mark.start:
            break
        between = scene.text[end : term.start].strip()
        if scene.text[term.start : term.end].lower() in _AND or between in ("、", ","):
            pieces.append(set())
        if term.names[0][0] != _MARK:
            pieces[-1] |= {name for name in term.names if kind(name) not in ("soft", "") or name[0] in "=+~"}
        end = term.end
    return [frozenset(piece - _IDLE) for piece in pieces]


def _has(scene: Ground, piece: frozenset[str], held: ValueCell, mention: Mention) -> bool:
    """Returns whether what fits a member of a list best, of the figures beside the one that is held, has the value."""
    index = scene.index
    scored = [(len(piece & other.names), other) for other in index.by_record.get(held.record, ())]
    for row in siblings(scene, held.record):
        figure = parallel(scene, row, held) or _last(scene, row, held)
        if figure is not None and (figure.record != held.record or figure.order == held.order):
            scored.append((len(piece & index.names[row]), figure))
    best = max((score for score, _ in scored), default=0)
    return best > 0 and all(compare(mention.value, one.mention.value) in SAME for score, one in scored if score == best)


def _last(scene: Ground, row: int, held: ValueCell) -> ValueCell | None:
    """Returns the last figure of a row without columns, where the held one is the last of its own."""
    by_record = scene.index.by_record
    own, other = by_record.get(held.record, ()), by_record.get(row, ())
    return other[-1] if own and other and own[-1].order == held.order else None
