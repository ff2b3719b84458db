"""What the index of evidence notes: where something stands, and what it says there."""

from __future__ import annotations

from evidencegate_server.contract.records import record
from evidencegate_server.judge.records.model import Cell
from evidencegate_server.judge.values.model import Mention


@record
class Place:
    """Where something stands in the evidence."""

    record: int
    start: int
    end: int
    in_name: bool = False  # a part of a machine's name, which says nothing


@record
class ValueCell:
    """A value of the evidence with all that names it.

    `names` are what its own key says, `label` what names its record, `around` both the label and, for a value in prose,
    the words of its text. `order` is its place among all values. `arrow` is `first` or `second` where the text tells of
    a change at this place (`8 -> 5`), else empty.
    """

    record: int
    cell: Cell
    mention: Mention
    names: frozenset[str]
    around: frozenset[str]
    order: int
    label: frozenset[str]
    arrow: str = ""


@record
class Link:
    """An idiom of a tool in the evidence. `usual` says that it mostly means a thing; `denied` that it denies it."""

    place: Place
    usual: bool
    denied: bool


@record
class Flag:
    """A yes, a no or a count beside a key: whether what the key names is there."""

    place: Place
    holds: bool
    names: frozenset[str] = frozenset()  # all that its key says
