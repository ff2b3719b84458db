"""The command that makes a caller's token."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from click.testing import CliRunner
from evidencegate_server.cli.main import cli
from evidencegate_server.service.tokens import line_of, read_tokens


def test_it_prints_the_token_alone_and_adds_its_line_to_the_file(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    made = [CliRunner().invoke(cli, ["token", name, "--add-to", str(file)]) for name in ("chat", "chat", "batch")]
    tokens = [result.stdout.strip() for result in made]
    assert [(result.exit_code, result.stderr) for result in made] == [(0, "")] * 3
    assert len(set(tokens)) == 3
    known = read_tokens(file)
    assert [known.caller_of(token) for token in tokens] == ["chat", "chat", "batch"]
    assert not any(token in file.read_text(encoding="ascii") for token in tokens)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_file_whose_last_line_has_no_end_keeps_its_last_token(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    file.write_text(line_of("old", "eg_old"), encoding="ascii")
    made = CliRunner().invoke(cli, ["token", "new", "--add-to", str(file)]).stdout.strip()
    known = read_tokens(file)
    assert [known.caller_of(token) for token in ("eg_old", made)] == ["old", "new"]


def test_without_a_file_the_line_goes_to_stderr() -> None:
    result = CliRunner().invoke(cli, ["token", "chat"])
    assert result.stderr == f"line for the tokens file: {line_of('chat', result.stdout.strip())}\n"


@pytest.mark.parametrize("name", ["", "two words", "a/b", "-x", "x" * 65, "ü"])
def test_what_is_no_name_is_refused(name: str) -> None:
    result = CliRunner().invoke(cli, ["token", "--", name])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "is no name of a caller" in result.stderr


def test_a_file_that_cannot_be_written_leaves_no_token_on_the_screen(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["token", "chat", "--add-to", str(tmp_path / "none" / "tokens")])
    assert (result.exit_code, result.stdout) == (1, "")
    assert "cannot be written" in result.stderr
