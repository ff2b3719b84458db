"""Proves what a tokens file is read as, and that no message quotes it."""

from __future__ import annotations

import hashlib
import hmac
from pathlib import Path

import pytest
from evidencegate_server.service.tokens import MAX_TOKENS, line_of, read_tokens
from evidencegate_server.service.watched import FilesError

OLD, NEW, OTHER = "eg_old", "eg_new", "eg_other"


def written(folder: Path, *lines: str) -> Path:
    """Writes a tokens file."""
    path = folder / "tokens"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_each_token_names_its_caller_and_several_may_name_one(tmp_path: Path) -> None:
    path = written(
        tmp_path, "# callers", "", line_of("chat", OLD), f"  {line_of('chat', NEW)}  ", line_of("batch.1", OTHER)
    )
    tokens = read_tokens(path)
    assert [tokens.caller_of(token) for token in (OLD, NEW, OTHER)] == ["chat", "chat", "batch.1"]
    assert [tokens.caller_of(token) for token in ("", "eg_ol", "eg_old ", OLD.upper(), "\ud800", "x" * 5_000)] == [
        None
    ] * 6


def test_a_digest_is_no_token(tmp_path: Path) -> None:
    line = line_of("chat", OLD)
    tokens = read_tokens(written(tmp_path, line))
    assert tokens.caller_of(line.split()[1]) is None
    assert tokens.caller_of(line.split(":")[1]) is None


def test_every_digest_is_compared_as_a_whole_whichever_is_the_right_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = read_tokens(written(tmp_path, *(line_of("chat", token) for token in (OLD, NEW, OTHER))))
    compared: list[tuple[bytes, bytes]] = []
    compare = hmac.compare_digest

    def counting(one: bytes, other: bytes) -> bool:
        compared.append((one, other))
        return compare(one, other)

    monkeypatch.setattr(hmac, "compare_digest", counting)
    digests = [hashlib.sha256(token.encode()).digest() for token in (OLD, NEW, OTHER)]
    for token in (OLD, OTHER, "eg_wrong"):
        compared.clear()
        tokens.caller_of(token)
        assert compared == [(digest, hashlib.sha256(token.encode()).digest()) for digest in digests]


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ([], "has no token"),
        (["# nothing"], "has no token"),
        (["chat"], ":1: NAME sha256:DIGEST is wanted"),
        (["", "chat SECRET and more"], ":2: NAME sha256:DIGEST is wanted"),
        (["chat SECRET"], ":1: the second word must be sha256: and 64"),
        (["chat sha256:SECRET"], ":1: the second word must be sha256: and 64"),
        (["chat sha256:" + "A" * 64], ":1: the second word must be sha256: and 64"),
        (["SECRET/x sha256:" + "a" * 64], ":1: the first word must be a caller's name"),
        (["x" * 65 + " sha256:" + "a" * 64], ":1: the first word must be a caller's name"),
        (["a sha256:" + "a" * 64, "b sha256:" + "a" * 64], ":2: this token stands on an earlier line"),
        ([f"a sha256:{number:064x}" for number in range(MAX_TOKENS + 1)], f"at most {MAX_TOKENS}"),
        (["#" + "x" * 70_000], "more than 65536 bytes"),
    ],
)
def test_what_is_wrong_is_told_by_its_line_without_a_word_of_it(tmp_path: Path, lines: list[str], text: str) -> None:
    path = written(tmp_path, *lines)
    with pytest.raises(FilesError) as refused:
        read_tokens(path)
    message = str(refused.value)
    assert message.startswith(str(path))
    assert text in message
    assert "SECRET" not in message


def test_as_many_tokens_as_the_limit_are_taken(tmp_path: Path) -> None:
    path = written(tmp_path, *(f"a sha256:{number:064x}" for number in range(MAX_TOKENS)))
    assert len(read_tokens(path).by_digest) == MAX_TOKENS


def test_no_file_and_no_text_are_told(tmp_path: Path) -> None:
    with pytest.raises(FilesError, match="cannot be read"):
        read_tokens(tmp_path / "none")
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(FilesError, match="no UTF-8"):
        read_tokens(tmp_path / "binary")
