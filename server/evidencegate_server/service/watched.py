"""Holds what files say, and reads them again when they change, without ever giving up what works."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Generic, Protocol, TypeAlias, TypeVar

from evidencegate_server.service.logs import Logger

ValueT = TypeVar("ValueT")

# Asking costs some microseconds a file; a change is in use after two such periods.
LOOK_EVERY_SECONDS: Final = 1.0

# For each file what tells two states of it apart; None where there is none. A link is followed, so that a Secret of
# Kubernetes, which changes by another link, is seen.
_State: TypeAlias = tuple[tuple[int, int, int] | None, ...]


class FilesError(Exception):
    """Occurs where files cannot be used; the text is for the operator and holds nothing secret."""


def content_of(path: Path, what: str, most_bytes: int) -> bytes:
    """Returns what a file holds; raises FilesError where it cannot be read or has more bytes than that."""
    try:
        with path.open("rb") as stream:
            content = stream.read(most_bytes + 1)
    except OSError as error:
        raise FilesError(f"{path}: the {what} file cannot be read ({error.strerror})") from error
    if len(content) > most_bytes:
        raise FilesError(f"{path}: the {what} file has more than {most_bytes} bytes")
    return content


class Looker(Protocol):
    """What is looked at again and again."""

    def look(self, logger: Logger, *, at_once: bool = False) -> None:
        """Reads again what has changed."""
        ...


class Watched(Generic[ValueT]):
    """What some files say together. Reads them when it is made, and raises FilesError where they cannot be used."""

    def __init__(self, what: str, paths: Sequence[Path], read: Callable[[], ValueT]) -> None:
        self._what = what
        self._paths = tuple(paths)
        self._read = read
        self._tried = self._seen = self._state()
        self.value = read()
        self.generation = 0  # how often another value came into use

    def look(self, logger: Logger, *, at_once: bool = False) -> None:
        """Reads the files again where they have changed, and stay as they are from one look to the next.

        So files that belong together can be written one after the other; `at_once` does not wait for the next look.
        What cannot be used is logged as an error, and what was read before stays in use.
        """
        state = self._state()
        settled = state == self._seen or at_once
        self._seen = state
        if state == self._tried or not settled:
            return
        try:
            value = self._read()
        except FilesError as error:
            self._tried = state
            logger.error("files_refused", what=self._what, problem=str(error), in_use="what was read before")
            return
        if self._state() != state:  # written to meanwhile: the next look reads it
            return
        self._tried = state
        self.value = value
        self.generation += 1
        logger.info("files_read_again", what=self._what)

    def _state(self) -> _State:
        return tuple(map(_state_of, self._paths))


def _state_of(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


async def keep_looking(lookers: Sequence[Looker], logger: Logger, period_seconds: float = LOOK_EVERY_SECONDS) -> None:
    """Looks at all of them, again and again, until it is cancelled."""
    while True:
        await asyncio.sleep(period_seconds)
        for looker in lookers:
            looker.look(logger)
