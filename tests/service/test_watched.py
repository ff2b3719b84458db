"""Proves when files are read again, and that what works is never given up for what does not."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path

import orjson
import pytest
from evidencegate_server.service.logs import make_logger
from evidencegate_server.service.watched import FilesError, Watched, keep_looking


class Pair:
    """Two files that hold the same number, and what is logged about them."""

    def __init__(self, folder: Path) -> None:
        self.one, self.other = folder / "one", folder / "other"
        self.write("1", "1")
        self.reads = 0
        self.stream = io.BytesIO()
        self.logger = make_logger("info", self.stream)
        self.watched = Watched("pair", (self.one, self.other), self.read)
        self.reads = 0

    def write(self, one: str, other: str) -> None:
        """Writes both."""
        self.one.write_text(one, encoding="ascii")
        self.other.write_text(other, encoding="ascii")

    def read(self) -> str:
        """Returns the number of both."""
        self.reads += 1
        try:
            one, other = self.one.read_text(encoding="ascii"), self.other.read_text(encoding="ascii")
        except OSError as error:
            raise FilesError(f"gone: {error.strerror}") from error
        if one != other:
            raise FilesError("they do not fit")
        return one

    def look(self, *, at_once: bool = False) -> str:
        """Looks, and returns what is in use then."""
        self.watched.look(self.logger, at_once=at_once)
        return self.watched.value

    @property
    def events(self) -> list[tuple[str, str]]:
        """Level and event of each line of the log."""
        lines = [orjson.loads(line) for line in self.stream.getvalue().splitlines()]
        return [(line["level"], line["event"]) for line in lines]


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    """Two files that fit."""
    return Pair(tmp_path)


def test_files_that_stay_are_not_read_again(pair: Pair) -> None:
    assert [pair.look() for _ in range(3)] == ["1"] * 3
    assert pair.look(at_once=True) == "1"
    assert (pair.reads, pair.events) == (0, [])


def test_a_change_is_read_once_it_stands_still(pair: Pair) -> None:
    pair.write("22", "22")
    assert [pair.look(), pair.look(), pair.look()] == ["1", "22", "22"]
    assert (pair.reads, pair.events) == (1, [("info", "files_read_again")])
    assert pair.watched.generation == 1


def test_files_that_are_written_one_after_the_other_are_no_error(pair: Pair) -> None:
    pair.one.write_text("22", encoding="ascii")
    assert pair.look() == "1"
    pair.other.write_text("22", encoding="ascii")
    assert [pair.look(), pair.look()] == ["1", "22"]
    assert pair.events == [("info", "files_read_again")]


def test_told_to_look_at_once_it_does_not_wait(pair: Pair) -> None:
    pair.write("22", "22")
    assert pair.look(at_once=True) == "22"


def test_what_is_broken_is_told_once_and_what_was_read_before_stays(pair: Pair) -> None:
    pair.write("22", "333")
    assert [pair.look() for _ in range(4)] == ["1"] * 4
    assert (pair.reads, pair.events) == (1, [("error", "files_refused")])
    pair.other.unlink()
    assert [pair.look() for _ in range(3)] == ["1"] * 3
    pair.write("22", "22")
    assert [pair.look(), pair.look()] == ["1", "22"]
    assert pair.events == [("error", "files_refused")] * 2 + [("info", "files_read_again")]


def test_a_link_that_leads_elsewhere_is_a_change(pair: Pair, tmp_path: Path) -> None:
    """So Kubernetes replaces what a Secret holds."""
    for name in ("..1", "..2"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(name, encoding="ascii")
    link = tmp_path / "data"
    link.symlink_to("..1")
    watched = Watched("link", (link / "file",), lambda: (link / "file").read_text(encoding="ascii"))
    (tmp_path / "new").symlink_to("..2")
    (tmp_path / "new").replace(link)
    watched.look(pair.logger)
    watched.look(pair.logger)
    assert watched.value == "..2"


def test_what_changes_while_it_is_read_is_read_by_the_next_look(pair: Pair) -> None:
    read = pair.read

    def read_and_change() -> str:
        value = read()
        pair.write("333", "333")
        return value

    pair.watched._read = read_and_change
    pair.write("22", "22")
    assert pair.look(at_once=True) == "1"
    pair.watched._read = read
    assert [pair.look(), pair.look()] == ["1", "333"]


def test_files_that_are_broken_at_the_start_are_refused(tmp_path: Path) -> None:
    pair = Pair(tmp_path)
    pair.write("1", "2")
    with pytest.raises(FilesError, match="they do not fit"):
        Watched("pair", (pair.one, pair.other), pair.read)


async def test_it_keeps_looking_until_it_is_cancelled(pair: Pair) -> None:
    looking = asyncio.ensure_future(keep_looking((pair.watched,), pair.logger, period_seconds=0.001))
    pair.write("22", "22")
    while pair.watched.value != "22":  # noqa: ASYNC110  # it ends when the task has looked; the timeout bounds it
        await asyncio.sleep(0)
    looking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await looking
