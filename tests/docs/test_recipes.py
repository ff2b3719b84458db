"""Every grpcurl command of the documents works as it is written and prints what stands below it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import grpc
import pytest
from evidencegate_server.service.settings import ServerSettings

from tests.contract.methods import METHODS, SERVICES, request_file
from tests.docs.running import DOCUMENTED_ADDRESS, Block, blocks, environment, prints, serving, shell
from tests.docs.test_commands import DOCUMENTS
from tests.support import ROOT

README, RECIPES = ROOT / "README.md", ROOT / "docs" / "grpcurl.md"


def _grpcurl_blocks(document: Path) -> list[Block]:
    return [
        block
        for block in blocks(document)
        if block.language == "sh" and any(line.lstrip().startswith("grpcurl ") for line in block.commands)
    ]


WITH_RECIPES = [document for document in DOCUMENTS if _grpcurl_blocks(document)]


@pytest.mark.req("IO-02")
def test_the_documented_address_is_the_default_one() -> None:
    settings = ServerSettings()
    assert f"{settings.address}:{settings.port}" == DOCUMENTED_ADDRESS


@pytest.mark.req("IO-02")
@pytest.mark.parametrize("document", [README, RECIPES], ids=lambda path: path.name)
def test_a_call_of_each_method_is_shown(document: Path) -> None:
    text = "".join(block.text for block in _grpcurl_blocks(document))
    for method in [*METHODS, "grpc.health.v1.Health/Check"]:
        assert re.search(rf"{re.escape(DOCUMENTED_ADDRESS)} {re.escape(method)}\b", text), f"no call of {method}"
    for method in METHODS:
        assert f" {method} < {request_file(method).relative_to(ROOT)}\n" in text


@pytest.mark.req("IO-02")
def test_each_service_is_described_and_each_call_shows_what_it_prints() -> None:
    found = _grpcurl_blocks(RECIPES)
    text = "".join(block.text for block in found)
    for service in [*SERVICES, "grpc.health.v1.Health"]:
        assert f" describe {service}\n" in text
    assert [block.place for block in found if block.printed is None] == []


@pytest.mark.req("IO-02")
def test_the_exit_statuses_are_64_and_the_code() -> None:
    rows = re.findall(r"^\| (\d+) \| `([A-Z_]+)` \|", RECIPES.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) >= 9
    assert [int(status) - 64 for status, _ in rows] == [grpc.StatusCode[name].value[0] for _, name in rows]


@pytest.mark.req("IO-02")
def test_the_folder_holds_one_request_a_method_and_nothing_else() -> None:
    assert set((ROOT / "examples" / "grpcurl").iterdir()) == {request_file(method) for method in METHODS}


@pytest.mark.go
@pytest.mark.req("IO-02")
@pytest.mark.parametrize("document", WITH_RECIPES, ids=lambda path: path.name)
def test_each_documented_grpcurl_line_works_as_written(document: Path, tmp_path: Path) -> None:
    """The blocks of a document run in their order against one server: what one writes, a later one may read."""
    if shutil.which("grpcurl", path=environment()["PATH"]) is None:
        pytest.skip("no grpcurl: run `make probe`")
    with serving("--store", f"sqlite:///{tmp_path}/evaluations.db") as address:
        for block in _grpcurl_blocks(document):
            done = shell(block.text.replace(DOCUMENTED_ADDRESS, address), merged=True)
            assert done.returncode == 0, f"{block.place}\n{done.stdout}"
            assert done.stdout.strip()
            if block.printed is not None:
                assert prints(block.printed, done.stdout), f"{block.place} prints\n{done.stdout}"


@pytest.mark.go
@pytest.mark.req("IO-02")
def test_grpcurl_lists_and_describes_every_method() -> None:
    if shutil.which("grpcurl", path=environment()["PATH"]) is None:
        pytest.skip("no grpcurl: run `make probe`")
    with serving() as address:
        services = shell(f"grpcurl -plaintext {address} list").stdout.split()
        own = [service for service in services if service.startswith("evidencegate.")]
        assert own == sorted(SERVICES)
        assert "grpc.health.v1.Health" in services
        listed = [
            name for service in own for name in shell(f"grpcurl -plaintext {address} list {service}").stdout.split()
        ]
        assert sorted(listed) == sorted(method.replace("/", ".") for method in METHODS)
        for method in listed:
            assert "rpc " in shell(f"grpcurl -plaintext {address} describe {method}").stdout


@pytest.mark.parametrize(
    ("printed", "output", "same"),
    [
        ("a\n", "a\n", True),
        ("a\n", "b\n", False),
        ("a\n", "a\nb\n", False),
        ("a\n...\nz\n", "a\nb\nc\nz\n", True),
        ("a\n...\nz\n", "a\nz\n", True),
        ("a\n...\n", "a\n", True),
        ("...\nz\n", "a\ny\n", False),
        ('"id": "..."\n', '"id": "1f"\n', True),
        ('"id": "..."\n', '"id": "1\nf"\n', False),
        ("1)\t{\n", "  1) {\n", True),
        ("a b\n", "ab\n", False),
        ("a.c\n", "abc\n", False),
    ],
)
def test_an_output_is_compared_by_its_words(printed: str, output: str, same: bool) -> None:
    assert prints(printed, output) == same
