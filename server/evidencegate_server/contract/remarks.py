"""Collects remarks about a model's text, bounded, in the order of the text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from evidencegate_server.contract.model import Notice

# A model that makes one mistake makes it everywhere: the first few places tell everything.
MAX_NOTICES_EACH = 20

_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,79}")


class Remarks:
    """Keeps the first twenty remarks of one kind with their places and counts the rest."""

    __slots__ = ("_counts", "_notices")

    def __init__(self) -> None:
        self._notices: list[Notice] = []
        self._counts: dict[str, int] = {}

    def add(self, notice_id: str, message: str, place: str) -> None:
        """Adds a remark, or only counts it where there are many of its kind."""
        count = self._counts.get(notice_id, 0) + 1
        self._counts[notice_id] = count
        if count <= MAX_NOTICES_EACH:
            self._notices.append(Notice(notice_id, message, place))

    def all(self) -> tuple[Notice, ...]:
        """Returns the remarks, each kind that was cut short with one more that says how many are left out."""
        return (
            *self._notices,
            *(
                Notice(notice_id, f"and {count - MAX_NOTICES_EACH} more of this kind")
                for notice_id, count in self._counts.items()
                if count > MAX_NOTICES_EACH
            ),
        )


class Tally:
    """Counts how often each kind of harmless thing occurs and keeps the first place of each.

    For what a model does everywhere or nowhere, such as writing IDs as numbers.
    """

    __slots__ = ("_seen",)

    def __init__(self) -> None:
        self._seen: dict[str, list[Any]] = {}

    def add(self, notice_id: str, place: str, name: str) -> None:
        """Counts one more of its kind, the field `name` of what stands at `place`."""
        seen = self._seen.get(notice_id)
        if seen is None:
            self._seen[notice_id] = [1, f"{place}.{name}"]
        else:
            seen[0] += 1

    def notices(self, messages: Mapping[str, str]) -> tuple[Notice, ...]:
        """Returns one remark for each kind, at its first place, with the count where there are more."""
        return tuple(
            [
                Notice(notice_id, messages[notice_id] + (f" ({count} times)" if count > 1 else ""), place)
                for notice_id, (count, place) in self._seen.items()
            ]
        )


def child(place: str, key: str) -> str:
    """Returns the path of a field; a key that is no plain name is quoted and shortened."""
    if _PLAIN_KEY.fullmatch(key):
        return f"{place}.{key}" if place else key
    quoted = key[:80].replace("\\", "\\\\").replace('"', '\\"')
    return f'{place}["{quoted}"]'
