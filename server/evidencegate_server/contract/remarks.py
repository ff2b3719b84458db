"""Collects remarks about a model's text, bounded, in the order of the text."""

from __future__ import annotations

import re

from evidencegate_server.contract.model import Notice

# A model that makes one mistake makes it everywhere: the first few places tell everything.
MAX_NOTICES_EACH = 20

_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,79}")


class Remarks:
    """Keeps the first twenty remarks of one kind and counts the rest."""

    __slots__ = ("_more", "_notices", "_seen")

    def __init__(self) -> None:
        self._notices: list[Notice] = []
        self._seen: dict[str, int] = {}
        self._more: dict[str, int] = {}

    def add(self, notice_id: str, message: str, place: str) -> None:
        """Adds a remark, or only counts it where there are many of its kind."""
        seen = self._seen.get(notice_id, 0)
        if seen >= MAX_NOTICES_EACH:
            self._more[notice_id] = self._more.get(notice_id, 0) + 1
            return
        self._seen[notice_id] = seen + 1
        self._notices.append(Notice(notice_id, message, place))

    def all(self) -> tuple[Notice, ...]:
        """Returns the remarks, each kind that was cut short with one more that says how many are left out."""
        if not self._more:
            return tuple(self._notices)
        rest = (Notice(notice_id, f"and {count} more of this kind") for notice_id, count in self._more.items())
        return (*self._notices, *rest)


def child(place: str, key: str) -> str:
    """Returns the path of a field; a key that is no plain name is quoted and shortened."""
    if _PLAIN_KEY.fullmatch(key):
        return f"{place}.{key}" if place else key
    quoted = key[:80].replace("\\", "\\\\").replace('"', '\\"')
    return f'{place}["{quoted}"]'
