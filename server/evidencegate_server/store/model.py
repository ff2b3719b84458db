"""Holds what is written to and read from a store."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

COMPOSER_OUTPUT = "composer_output"
"""The member of the verifier's channel that is written later than the rest."""


class Channel(StrEnum):
    """A part of what is stored of a session."""

    RULE_EVALUATION = "rule_evaluation"
    VERIFIER_EVALUATION = "verifier_evaluation"


@dataclass(frozen=True, slots=True)
class Summary:
    """What a list shows of an evaluation: words and the score."""

    verdict: str
    route: str
    score: float


@dataclass(frozen=True, slots=True)
class Write:
    """One write of one channel.

    `text` is the JSON text of the channel, or of its member COMPOSER_OUTPUT where `is_part` is true. `digest` says what
    is written, over everything that the caller sent. `judge_input` is a serialized JudgeRequest, None where none came
    or it is not to be kept.
    """

    session_id: str
    request_id: str
    channel: Channel
    text: str = field(repr=False)
    digest: str
    is_part: bool = False
    expected_revision: int | None = None
    summary: Summary | None = None
    judge_input: bytes | None = field(default=None, repr=False)
    masked_secrets: int = 0


@dataclass(frozen=True, slots=True)
class Written:
    """What a write did."""

    revision: int
    replayed: bool = False
    masked_secrets: int = 0
    input_kept: bool = False


@dataclass(frozen=True, slots=True)
class Stored:
    """What is stored of one session. Times are microseconds since 1970 (UTC), None in a foreign table."""

    session_id: str
    revision: int
    text: str = field(repr=False)
    create_time: int | None = None
    update_time: int | None = None
    judge_input: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Listed:
    """One session of a list; `summary` is None where no verifier evaluation is stored."""

    session_id: str
    revision: int
    summary: Summary | None
    update_time: int | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a list and where the next one begins, empty on the last page."""

    sessions: tuple[Listed, ...]
    next_page_token: str


DEFAULT_COLUMN = "self_evaluation"
DEFAULT_KEY = "session_id"
"""What the column and the key of a foreign table are called where nobody says otherwise."""


@dataclass(frozen=True, slots=True)
class ForeignColumn:
    """A table of somebody else's: its name (`schema.table` where it has one), the column and the key's column."""

    table: str
    column: str
    key: str


@dataclass(frozen=True, slots=True)
class StoreOptions:
    """How a store is reached. Threads and connections are as many as `pool_size`."""

    url: str = field(repr=False)  # may hold a password
    foreign: ForeignColumn | None = None
    pool_size: int = 8
    timeout_seconds: float = 5.0
