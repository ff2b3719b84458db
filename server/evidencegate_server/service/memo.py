"""Remembers recent work, so that a retry, a repeated call or a Judge after its Validate costs no more than a look-up.

What is remembered is a function of its key and the catalog alone, so it is exactly what a second run would give. A memo
belongs to one catalog; another catalog comes with memos of its own.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")

# One value may take this part of the room: a few large requests must not drive out all the others.
_LARGEST_SHARE = 16


class Memo(Generic[_Key, _Value]):
    """Holds the values that were used last, up to a number of bytes. Safe to use from several threads."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._values: OrderedDict[_Key, tuple[_Value, int]] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def size_bytes(self) -> int:
        """What it holds at present."""
        return self._bytes

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: _Key) -> _Value | None:
        """Returns the remembered value and makes it the most recently used one."""
        if not self._values:
            return None  # a key may be a whole request, and its hash a hundredth of the work on it
        with self._lock:
            held = self._values.get(key)
            if held is None:
                return None
            self._values.move_to_end(key)
            return held[0]

    def put(self, key: _Key, value: _Value, cost_bytes: int) -> None:
        """Remembers a value that holds so many bytes, unless it is too large; drops the least recently used."""
        if cost_bytes > self._max_bytes // _LARGEST_SHARE:
            return
        with self._lock:
            if key in self._values:
                return
            self._values[key] = value, cost_bytes
            self._bytes += cost_bytes
            while self._bytes > self._max_bytes:
                _, (_, freed_bytes) = self._values.popitem(last=False)
                self._bytes -= freed_bytes
