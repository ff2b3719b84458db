"""The calls from other languages stand in the document as their files have them, and work against a real server."""

from __future__ import annotations

import shutil

import pytest

from tests.docs.running import DOCUMENTED_ADDRESS, blocks, environment, prints, serving, shell
from tests.support import ROOT

DOCUMENT = ROOT / "docs" / "other-languages.md"
BLOCKS = blocks(DOCUMENT)

# The folder of each language, the program that it needs and where that comes from.
GO = ("examples/go", "go", "no Go: https://go.dev/dl")
NODE = ("examples/node", "npm", "no Node with npm: https://nodejs.org, or apt install nodejs npm")

pytestmark = pytest.mark.timeout(600)  # the first run fetches and builds what the calls stand on


@pytest.mark.parametrize(
    ("language", "file"), [("go", "examples/go/main.go"), ("js", "examples/node/judge.js")], ids=["go", "node"]
)
def test_the_document_shows_the_file_as_it_is(language: str, file: str) -> None:
    (shown,) = [block.text for block in BLOCKS if block.language == language]
    assert shown == (ROOT / file).read_text(encoding="utf-8")


def test_every_command_belongs_to_a_language() -> None:
    folders = [block.commands[0] for block in BLOCKS if block.language == "sh"]
    assert set(folders) == {f"cd {folder}" for folder, _, _ in (GO, NODE)}


def _runs_as_written(folder: str, program: str, missing: str) -> None:
    if shutil.which(program, path=environment()["PATH"]) is None:
        pytest.skip(missing)
    with serving() as address:
        for block in BLOCKS:
            if block.language == "sh" and block.commands[0] == f"cd {folder}":
                done = shell(block.text.replace(DOCUMENTED_ADDRESS, address))
                assert done.returncode == 0, f"{block.place}\n{done.stdout}\n{done.stderr}"
                if block.printed is not None:
                    assert prints(block.printed, done.stdout), f"{block.place} prints\n{done.stdout}"


@pytest.mark.go
def test_the_call_from_go_works_as_written() -> None:
    _runs_as_written(*GO)


@pytest.mark.node
def test_the_call_from_node_works_as_written() -> None:
    _runs_as_written(*NODE)
