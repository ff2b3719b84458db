"""Proves that the reference is current, complete, and that its links lead somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.protos.comments import enum_comments, field_comments, sources
from tests.support import ROOT
from tools import generate_reference
from tools.generate_reference import FOLDER, pages, stale


@pytest.fixture(scope="module")
def reference() -> dict[str, str]:
    """The pages, freshly made."""
    return pages()


def test_the_reference_is_what_the_protos_say(reference: dict[str, str]) -> None:
    assert stale(reference) == [], "run make proto"


def test_the_check_fails_where_a_page_is_not_current(
    reference: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in reference.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "text.md").write_text("old", encoding="utf-8")
    (tmp_path / "trace.md").unlink()
    (tmp_path / "gone.md").write_text("of a proto that is gone", encoding="utf-8")
    monkeypatch.setattr(generate_reference, "FOLDER", tmp_path)
    assert stale(reference) == ["gone.md", "text.md", "trace.md"]


def test_the_command_says_that_all_is_current() -> None:
    command = [sys.executable, "tools/generate_reference.py", "--check"]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def test_every_comment_stands_in_the_reference(reference: dict[str, str]) -> None:
    text = "".join(reference.values())
    for comment in [*field_comments().values(), *enum_comments().values()]:
        assert comment
        assert comment.replace("|", "\\|") in text


def test_every_element_has_its_heading_or_row(reference: dict[str, str]) -> None:
    for source in sources():
        page = reference[source.page]
        for element in (*source.file.service, *source.file.message_type, *source.file.enum_type):
            assert f"\n## {element.name}\n" in page
        for message in source.file.message_type:
            for field in message.field:
                assert f"\n| `{field.name}` | {field.number} |" in page
        for service in source.file.service:
            for method in service.method:
                assert f"\n### {service.name}.{method.name}\n" in page


def test_each_link_leads_to_a_heading(reference: dict[str, str]) -> None:
    anchors = {
        name: {re.sub(r"[^\w-]", "", heading.lower()) for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}
        for name, text in reference.items()
    }
    for name, text in reference.items():
        links = re.findall(r"\]\(([^)#]*)(?:#([^)]*))?\)", text)
        assert links
        for page, anchor in links:
            if page in anchors or not page:
                assert not anchor or anchor in anchors[page or name], f"{name}: {page}#{anchor}"
            else:
                assert (FOLDER / page).exists(), f"{name}: {page}"
