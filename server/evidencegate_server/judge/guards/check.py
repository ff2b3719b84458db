"""Asks every guard whether a claim that would be accepted may be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from evidencegate_server.judge.alignment.index import EvidenceIndex
from evidencegate_server.judge.alignment.model import ClauseAlignment
from evidencegate_server.judge.guards.asides import on_top
from evidencegate_server.judge.guards.binding import in_other_statements
from evidencegate_server.judge.guards.bounds import met, until
from evidencegate_server.judge.guards.causes import mistaken
from evidencegate_server.judge.guards.changes import unmoved
from evidencegate_server.judge.guards.denials import denied_otherwise
from evidencegate_server.judge.guards.directions import turned
from evidencegate_server.judge.guards.ends import at_other_end
from evidencegate_server.judge.guards.fields import of_another
from evidencegate_server.judge.guards.figures import miscounted, misnamed
from evidencegate_server.judge.guards.frames import framed
from evidencegate_server.judge.guards.happenings import done_nowhere
from evidencegate_server.judge.guards.joined import joined
from evidencegate_server.judge.guards.matching import DoubtMatcher
from evidencegate_server.judge.guards.modality import governed
from evidencegate_server.judge.guards.next_rows import of_the_next_row
from evidencegate_server.judge.guards.occasions import on_occasion
from evidencegate_server.judge.guards.orders import out_of_order
from evidencegate_server.judge.guards.owners import of_another_role, of_its_part, of_its_place, of_one_of_several
from evidencegate_server.judge.guards.plans import only_planned
from evidencegate_server.judge.guards.portions import of_no_portion
from evidencegate_server.judge.guards.requests import of_another_request
from evidencegate_server.judge.guards.resources import of_another_resource
from evidencegate_server.judge.guards.roles import turned_round
from evidencegate_server.judge.guards.samples import counted_none, empty
from evidencegate_server.judge.guards.scene import Doubt, Scene
from evidencegate_server.judge.guards.settings import beside_another
from evidencegate_server.judge.guards.subjects import of_what_is_beside
from evidencegate_server.judge.guards.wholes import of_some, wider

_GUARDS: Final[tuple[Callable[[Scene], Iterator[Doubt]], ...]] = (
    turned,
    mistaken,
    turned_round,
    in_other_statements,
    of_another,
    of_the_next_row,
    misnamed,
    counted_none,
    empty,
    of_another_resource,
    of_its_place,
    of_its_part,
    of_another_role,
    of_one_of_several,
    miscounted,
    denied_otherwise,
    framed,
    governed,
    beside_another,
    out_of_order,
    wider,
    of_some,
    met,
    until,
    on_top,
    on_occasion,
    joined,
    unmoved,
    of_another_request,
    of_what_is_beside,
    done_nowhere,
    only_planned,
    at_other_end,
    of_no_portion,
)


def first_doubt(
    text: str, clauses: Sequence[ClauseAlignment], index: EvidenceIndex, words: DoubtMatcher
) -> Doubt | None:
    """Returns the first doubt that a guard has of a claim, None where it may stand."""
    scene = Scene(text, clauses, index, words)
    return next((doubt for guard in _GUARDS for doubt in guard(scene)), None)
