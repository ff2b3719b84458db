"""Runs what the documents show, as it is written but for address and environment, and compares what it prints."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from tests.support import ROOT

DOCUMENTED_ADDRESS = "127.0.0.1:50051"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)

# A block of this language right behind a block of commands is what they print, standard error included.
PRINTED = "text"


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of a document; `printed` is what its commands print, None where that is not told."""

    place: str
    language: str
    text: str
    printed: str | None

    @property
    def commands(self) -> list[str]:
        """The lines that are not blank."""
        return [line for line in self.text.splitlines() if line.strip()]


def blocks(document: Path) -> list[Block]:
    """Returns the fenced blocks of a document in their order."""
    text = document.read_text(encoding="utf-8")
    found = list(BLOCK.finditer(text))
    result = []
    for match, after in zip_longest(found, found[1:]):
        printed = None
        if after is not None and after[1] == PRINTED and not text[match.end() : after.start()].strip():
            printed = after[2]
        line = text.count("\n", 0, match.start()) + 1
        result.append(Block(f"{document.relative_to(ROOT)}:{line}", match[1], match[2], printed))
    return result


def prints(printed: str, output: str) -> bool:
    """Says whether an output is the printed one.

    `...` on a line of its own stands for any lines, inside of a line for any characters of it. White space counts as
    one space, and not at all at the ends of a line and of the whole.
    """
    pattern = ""
    for line in printed.strip().splitlines():
        words = " ".join(line.split())
        if words == "...":
            pattern += r"(?:[^\n]*\n)*?"
        else:
            pattern += ".*?".join(re.escape(part) for part in words.split("...")) + "\n"
    told = "".join(f"{' '.join(line.split())}\n" for line in output.strip().splitlines())
    return re.fullmatch(pattern, told) is not None


def environment() -> dict[str, str]:
    """Returns the environment of a user who has run `make setup` and `make probe`."""
    bin_folders = [str(ROOT / ".tools" / "bin"), str(Path(sys.executable).parent)]
    return os.environ | {"PATH": os.pathsep.join([*bin_folders, os.environ["PATH"]]), "COLUMNS": "120"}


def shell(script: str, *, merged: bool = False) -> subprocess.CompletedProcess[str]:
    """Runs commands from the project's folder; with `merged`, standard error is part of the output as in a terminal."""
    # The documents speak of .venv; a test run may live in another environment.
    script = re.sub(r"(?:\.\./)*\.venv/bin/", f"{Path(sys.executable).parent}/", script)
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=ROOT,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if merged else subprocess.PIPE,
        text=True,
        check=False,
    )


@contextmanager
def started(*options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Runs `evidencegate serve` and yields the process and its address, a free one: several tests run at once."""
    program = Path(sys.executable).parent / "evidencegate"
    with subprocess.Popen(
        [program, "serve", "--no-metrics", "--port", "0", "--log-level", "warning", *options],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        address = re.search(r"127\.0\.0\.1:\d+", line)
        assert address is not None, f"the server said no address but {line!r}"
        try:
            yield process, address[0]
        finally:
            process.terminate()


@contextmanager
def serving(*options: str) -> Iterator[str]:
    """Runs `evidencegate serve`, yields its address and checks that it ends well."""
    with started(*options) as (process, address):
        yield address
    assert process.returncode == 0
