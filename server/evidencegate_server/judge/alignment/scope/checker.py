"""Sends each mark of a clause to its check, and falls back on a word of the same kind in the evidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from evidencegate_server.judge.alignment.agents import not_by
from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import HELD, ClauseAlignment, Fact, FactKind, Standing
from evidencegate_server.judge.alignment.places import Place
from evidencegate_server.judge.alignment.scope import changes, comparing, series, times, totals
from evidencegate_server.judge.alignment.scope.idle import is_idle
from evidencegate_server.judge.alignment.scope.roles import role_facts
from evidencegate_server.judge.alignment.scope.scene import NOTHING, Finding, Scene, pair_of
from evidencegate_server.judge.alignment.scope.ways import with_ways
from evidencegate_server.judge.alignment.shares import most_of
from evidencegate_server.judge.claims.model import ClaimReading
from evidencegate_server.judge.vocabulary import Term

_EVERY: Final = ("@quantifiers.all", "@quantifiers.each", "@quantifiers.both")
_RELATED: Final = "@cause.related"
_CAUSES: Final = (_RELATED, "@cause.forward", "@cause.backward")
_EXCEPT: Final = "@quantifiers.other"


class ScopeChecker:
    """Checks the marks of one claim's clauses, in the clauses' order, against one evidence."""

    def __init__(self, index: EvidenceIndex, claim: ClaimReading) -> None:
        self._scene = Scene(index, claim)

    def facts(self, alignment: ClauseAlignment) -> list[Fact]:
        """Returns how what reaches beyond one record stands, a fact for each mark that matters."""
        scene, clause = self._scene, alignment.clause
        scene.note(alignment)
        found: list[Fact] = []
        for name, term in clause.marks:
            found += self._fact(name, term, alignment)
        found += role_facts(scene, alignment)
        found += not_by(alignment.facts, scene.index, scene.text, clause)
        return found + times.last_facts(scene, alignment) + series.sample_facts(scene, alignment)

    def with_ways(self, alignment: ClauseAlignment) -> ClauseAlignment:
        """Returns a clause with its bare rise or fall told by how the figures went."""
        return with_ways(alignment, self._scene)

    def _fact(self, name: str, term: Term, alignment: ClauseAlignment) -> list[Fact]:
        family = name[1:].split(".")[0]
        kind, check = _CHECKS.get(name) or _CHECKS.get("@" + family) or (None, None)
        if kind is None or check is None:
            return []
        if is_idle(name, term, alignment.clause, self._scene.text, self._scene.index.vocabulary):
            return []
        if name == "@trend.steady" and times.lasts(term, alignment.clause):
            return []
        if family == "change" and (pair_of(alignment.clause) is None or name != changes.change_mark(alignment.clause)):
            one_way = name in changes.DIRECTIONS and pair_of(alignment.clause) is None
            return changes.moved(self._scene, name, term, alignment) if one_way else []
        standing, place = check(self._scene, name, alignment)
        if family != "comparison" and standing is Standing.SILENT:
            place = _literal(self._scene, name, alignment)
            standing = Standing.STATED if place is not None else Standing.SILENT
        return [Fact(kind, standing, term.start, term.end, name[1:], place)]


def _literal(scene: Scene, name: str, alignment: ClauseAlignment) -> Place | None:
    """Returns where the evidence uses a word of the same kind of its own, next to what the clause speaks of."""
    if alignment.anchor < 0:
        return None
    places = scene.index.places
    if name == "@quantifiers.all" and (
        any(place.record == alignment.anchor for place in places.get(_EXCEPT, ()))
        or totals.is_gainsaid(scene, alignment)
    ):
        return None  # all but one is not all, nor what is denied of what the clause speaks of
    # What a heading stands over is where its figures are.
    told = {alignment.anchor} | {
        fact.place.record
        for fact in alignment.facts
        if fact.kind is FactKind.VALUE and fact.standing in HELD and fact.place is not None
    }
    alike = _EVERY if name in _EVERY else _CAUSES if name == _RELATED else (name,)
    found = (place for one in alike for place in places.get(one, ()) if place.record in told)
    return next((place for place in found if not (name in _EVERY and _is_beside(scene, place, alignment))), None)


def _is_beside(scene: Scene, place: Place, alignment: ClauseAlignment) -> bool:
    """Returns whether a place is in a field of its own, of which nothing else of the clause is: of something else."""
    cell = scene.index.cell_at(place)
    return cell is not None and not any(
        fact.place is not None and fact.place.record == place.record and cell.start <= fact.place.start < cell.end
        for fact in alignment.facts
    )


def _nothing(_scene: Scene, _name: str, _alignment: ClauseAlignment) -> Finding:
    """Leaves a mark to a word of the same kind in the evidence."""
    return NOTHING


def _most(scene: Scene, name: str, alignment: ClauseAlignment) -> Finding:
    """Checks a most by the figure that the claim stated last, or by what the clause names."""
    mark = alignment.clause.marked(name)
    word = "" if mark is None else scene.text[mark.start : mark.end]
    return most_of(word, alignment, scene.bound[-1][1] if scene.bound else None, scene.index)


_Check = Callable[[Scene, str, ClauseAlignment], Finding]
_BLOCK: Final[tuple[FactKind, _Check]] = (FactKind.SCOPE, _nothing)
_CHECKS: Final[Mapping[str, tuple[FactKind, _Check]]] = {
    "@quantifiers.all": (FactKind.SCOPE, totals.all_of),
    "@quantifiers.each": (FactKind.SCOPE, totals.all_of),
    "@quantifiers.both": (FactKind.SCOPE, totals.all_of),
    "@quantifiers.most": (FactKind.SCOPE, _most),
    "@quantifiers.only": (FactKind.SCOPE, totals.only_one),
    "@quantifiers.always": (FactKind.SCOPE, times.always),
    "@quantifiers.whole": _BLOCK,
    "@quantifiers.sometimes": _BLOCK,
    "@quantifiers.at_same_rank": _BLOCK,
    "@comparison.highest": (FactKind.SCOPE, comparing.extreme),
    "@comparison.lowest": (FactKind.SCOPE, comparing.extreme),
    "@comparison.greater": (FactKind.SCOPE, comparing.compared),
    "@comparison.less": (FactKind.SCOPE, comparing.compared),
    "@comparison.different": _BLOCK,
    "@comparison.than": _BLOCK,
    "@trend": _BLOCK,
    "@time_scope.latest": (FactKind.SCOPE, series.at_an_end),
    "@time_scope.since": (FactKind.SCOPE, times.since),
    "@time_scope.whole": _BLOCK,
    "@time_scope.again": (FactKind.SCOPE, times.again),
    "@time_scope.earlier": (FactKind.SCOPE, times.denied_earlier),
    "@time_scope.other_day": (FactKind.SCOPE, times.since),
    "@conditions": _BLOCK,
    "@risk": _BLOCK,
    "@judgements": _BLOCK,
    "@near": _BLOCK,
    "@cause.forward": (FactKind.CAUSE, _nothing),
    "@cause.backward": (FactKind.CAUSE, _nothing),
    "@cause.related": (FactKind.CAUSE, _nothing),
    "@cause.heads": (FactKind.CAUSE, _nothing),
    "@order.after": (FactKind.ORDER, _nothing),
    "@order.before": (FactKind.ORDER, _nothing),
    "@order.first": (FactKind.ORDER, _nothing),
    "@order.initially": (FactKind.ORDER, series.at_an_end),
    "@order.then": (FactKind.ORDER, _nothing),
    "@order.precedes": (FactKind.ORDER, _nothing),
    "@order.follows": (FactKind.ORDER, _nothing),
    "@change": (FactKind.ORDER, changes.changed),
}
