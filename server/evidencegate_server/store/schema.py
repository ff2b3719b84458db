"""Holds the product's own tables. The migrations make them; a test holds both together."""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects import mysql

# The migration that makes this schema.
HEAD: Final = "0001"
VERSION_TABLE: Final = "evidencegate_schema_version"
TABLE: Final = "diagnosis_session"
COLUMN: Final = "self_evaluation"
KEY: Final = "session_id"

SESSION_ID_BYTES: Final = 1_024
REQUEST_ID_BYTES: Final = 200

LONG_TEXT: Final = sa.Text().with_variant(
    mysql.LONGTEXT(charset="utf8mb4", collation="utf8mb4_bin"), "mysql", "mariadb"
)
LONG_BYTES: Final = sa.LargeBinary().with_variant(mysql.LONGBLOB(), "mysql", "mariadb")


class Identity(sa.types.TypeDecorator[str]):
    """A text that is equal to itself alone.

    MySQL takes `a`, `A` and `a ` for one another in a text column, so there it is kept as its UTF-8 bytes.
    """

    impl = sa.String
    cache_ok = True

    def __init__(self, most_bytes: int) -> None:
        super().__init__(most_bytes)
        self.most_bytes = most_bytes

    def load_dialect_impl(self, dialect: sa.Dialect) -> Any:
        """Returns the column's type in this database."""
        if dialect.name in ("mysql", "mariadb"):
            return dialect.type_descriptor(mysql.VARBINARY(self.most_bytes))
        return dialect.type_descriptor(sa.String(self.most_bytes))

    def process_bind_param(self, value: str | None, dialect: sa.Dialect) -> Any:
        """Returns what is sent."""
        return value.encode() if value is not None and dialect.name in ("mysql", "mariadb") else value

    def process_result_value(self, value: Any, dialect: sa.Dialect) -> str | None:  # noqa: ARG002  # SQLAlchemy's signature
        """Returns what came back as text."""
        return bytes(value).decode() if isinstance(value, bytes | bytearray | memoryview) else value


metadata = sa.MetaData()

sessions = sa.Table(
    TABLE,
    metadata,
    sa.Column(KEY, Identity(SESSION_ID_BYTES), primary_key=True),
    sa.Column(COLUMN, LONG_TEXT, nullable=True),
    sa.Column("revision", sa.BigInteger, nullable=False),
    sa.Column("verdict", sa.String(40), nullable=True),
    sa.Column("route", sa.String(40), nullable=True),
    sa.Column("groundedness_score", sa.Double, nullable=True),
    sa.Column("create_time", sa.BigInteger, nullable=False),
    sa.Column("update_time", sa.BigInteger, nullable=False),
    sa.Index("ix_diagnosis_session_update_time", "update_time"),
)

# Every write that was done, so that the same one is not done again.
requests = sa.Table(
    "evidencegate_write_request",
    metadata,
    sa.Column("request_id", Identity(REQUEST_ID_BYTES), primary_key=True),
    sa.Column("digest", sa.String(64), nullable=False),
    sa.Column("revision", sa.BigInteger, nullable=False),
    sa.Column("masked_secrets", sa.Integer, nullable=False),
    sa.Column("input_kept", sa.Boolean(create_constraint=False), nullable=False),
    sa.Column("write_time", sa.BigInteger, nullable=False),
    sa.Index("ix_evidencegate_write_request_write_time", "write_time"),
)

# What was judged: a serialized JudgeRequest, compressed.
inputs = sa.Table(
    "evidencegate_judge_input",
    metadata,
    sa.Column("session_id", Identity(SESSION_ID_BYTES), primary_key=True),
    sa.Column("judge_request", LONG_BYTES, nullable=False),
)

# How often the row of a foreign table was written.
foreign_sessions = sa.Table(
    "evidencegate_foreign_session",
    metadata,
    sa.Column("session_id", Identity(SESSION_ID_BYTES), primary_key=True),
    sa.Column("revision", sa.BigInteger, nullable=False),
    sa.Column("write_time", sa.BigInteger, nullable=False),
)
