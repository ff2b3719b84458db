"""Makes the tables of the first version."""

import sqlalchemy as sa
from alembic import op

from evidencegate_server.store.schema import LONG_BYTES, LONG_TEXT, Identity

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Makes the tables. A diagnosis_session that is somebody else's stays as it is."""
    if not sa.inspect(op.get_bind()).has_table("diagnosis_session"):
        _own_table()
    _side_tables()


def downgrade() -> None:
    """Refuses: nobody would know any more whose table it drops."""
    raise NotImplementedError("this migration is not taken back; drop the tables by hand")


def _own_table() -> None:
    op.create_table(
        "diagnosis_session",
        sa.Column("session_id", Identity(1024), primary_key=True),
        sa.Column("self_evaluation", LONG_TEXT, nullable=True),
        sa.Column("revision", sa.BigInteger, nullable=False),
        sa.Column("verdict", sa.String(40), nullable=True),
        sa.Column("route", sa.String(40), nullable=True),
        sa.Column("groundedness_score", sa.Double, nullable=True),
        sa.Column("create_time", sa.BigInteger, nullable=False),
        sa.Column("update_time", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_diagnosis_session_update_time", "diagnosis_session", ["update_time"])


def _side_tables() -> None:
    op.create_table(
        "evidencegate_write_request",
        sa.Column("request_id", Identity(200), primary_key=True),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("revision", sa.BigInteger, nullable=False),
        sa.Column("masked_secrets", sa.Integer, nullable=False),
        sa.Column("input_kept", sa.Boolean(create_constraint=False), nullable=False),
        sa.Column("write_time", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_evidencegate_write_request_write_time", "evidencegate_write_request", ["write_time"])
    op.create_table(
        "evidencegate_judge_input",
        sa.Column("session_id", Identity(1024), primary_key=True),
        sa.Column("judge_request", LONG_BYTES, nullable=False),
    )
    op.create_table(
        "evidencegate_foreign_session",
        sa.Column("session_id", Identity(1024), primary_key=True),
        sa.Column("revision", sa.BigInteger, nullable=False),
        sa.Column("write_time", sa.BigInteger, nullable=False),
    )
