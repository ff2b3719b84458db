"""Knows callers by their bearer tokens.

A tokens file has one token a line: the caller's name, and the SHA-256 of the token. So who reads the file cannot call.
Several lines may have one name, so that a caller can move to a new token while the old one is still valid. A plain
digest is enough since the tokens are random (`evidencegate token` makes them): there is nothing to guess.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from pathlib import Path
from typing import Final

from evidencegate_server.contract.records import record
from evidencegate_server.service.watched import FilesError, content_of

MAX_TOKENS: Final = 256
_MAX_FILE_BYTES: Final = 65_536
MAX_TOKEN_CHARS: Final = 4_096

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}", re.ASCII)
_DIGEST = re.compile(r"sha256:([0-9a-f]{64})", re.ASCII)


@record
class Tokens:
    """The callers by the digests of their tokens."""

    by_digest: tuple[tuple[bytes, str], ...]

    def caller_of(self, token: str) -> str | None:
        """Returns the name of the caller whose token this is, None where it is nobody's.

        Each digest is compared, and each as a whole, so that the time tells nothing of how near a guess was.
        """
        if len(token) > MAX_TOKEN_CHARS:
            return None
        given = hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
        found = None
        for digest, name in self.by_digest:
            if hmac.compare_digest(digest, given):
                found = name
        return found


def line_of(name: str, token: str) -> str:
    """Returns the line of a tokens file for one token."""
    return f"{name} sha256:{hashlib.sha256(token.encode()).hexdigest()}"


def is_caller_name(name: str) -> bool:
    """Says whether a caller may be called so: letters, digits and _.-, at most 64."""
    return _NAME.fullmatch(name) is not None


def read_tokens(path: Path) -> Tokens:
    """Returns the callers of a tokens file; raises FilesError with the place of the first wrong line."""
    content = content_of(path, "tokens", _MAX_FILE_BYTES)
    try:
        lines = content.decode("utf-8").splitlines()
    except UnicodeDecodeError:
        raise FilesError(f"{path}: the tokens file is no UTF-8 text") from None
    callers: dict[bytes, str] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        digest, name = _read_line(line, f"{path}:{number}")
        if digest in callers:
            raise FilesError(f"{path}:{number}: this token stands on an earlier line already")
        callers[digest] = name
    if not callers:
        raise FilesError(f"{path}: the tokens file has no token; `evidencegate token NAME` makes one")
    if len(callers) > MAX_TOKENS:
        raise FilesError(f"{path}: the tokens file has {len(callers)} tokens; at most {MAX_TOKENS} are taken")
    return Tokens(tuple(callers.items()))


def _read_line(line: str, place: str) -> tuple[bytes, str]:
    """Returns digest and name. The words of the line are in no message: one of them may be a token."""
    words = line.split()
    if len(words) != 2:
        raise FilesError(f"{place}: NAME sha256:DIGEST is wanted, two words; there are {len(words)}")
    name, digest = words
    if not is_caller_name(name):
        raise FilesError(f"{place}: the first word must be a caller's name of letters, digits and _.-, at most 64")
    found = _DIGEST.fullmatch(digest)
    if found is None:
        raise FilesError(
            f"{place}: the second word must be sha256: and 64 hexadecimal digits, the digest of the token and not the"
            " token itself; `evidencegate token NAME` makes a token and its line"
        )
    return bytes.fromhex(found[1]), name
