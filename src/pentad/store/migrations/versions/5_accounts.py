"""Accounts, and several browsers of one person; bans and reports name persons by their numbers."""

from __future__ import annotations

import time

import sqlalchemy as sa
from alembic import op

revision = "5"
down_revision = "4"


def upgrade() -> None:
    """Moves the hashes of persons' keys to sessions, one for each person, and creates the tables of accounts."""
    op.create_table(
        "sessions",
        sa.Column("key_hash", sa.LargeBinary(64), primary_key=True),
        sa.Column("person", sa.Integer, sa.ForeignKey("persons.id", ondelete="CASCADE"), nullable=False),
        sa.Column("label", sa.String(80), nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("seen", sa.Double, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("sessions_by_person", "sessions", ["person"])
    moved = "INSERT INTO sessions SELECT key_hash, id, '', :now, :now FROM persons"
    op.execute(sa.text(moved).bindparams(now=time.time()))
    # SQLite can add a column with a foreign key, but alembic cannot tell it to.
    op.execute("ALTER TABLE bans ADD COLUMN person INTEGER REFERENCES persons (id) ON DELETE CASCADE")
    op.execute("UPDATE bans SET person = (SELECT id FROM persons WHERE key_hash = bans.person_hash)")
    op.execute("DELETE FROM bans WHERE person IS NULL AND network IS NULL")
    op.drop_column("bans", "person_hash")
    op.create_index("bans_of_persons", "bans", ["person"])
    op.execute("ALTER TABLE reports RENAME COLUMN reporter TO reporter_hash")
    op.execute("ALTER TABLE reports ADD COLUMN reporter INTEGER REFERENCES persons (id) ON DELETE SET NULL")
    op.execute("UPDATE reports SET reporter = (SELECT id FROM persons WHERE key_hash = reports.reporter_hash)")
    op.drop_column("reports", "reporter_hash")
    _drop_keys()
    op.create_table(
        "accounts",
        sa.Column("person", sa.Integer, sa.ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("code_hash", sa.String(200)),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "account_names",
        sa.Column("look", sa.String(200), primary_key=True),
        sa.Column("person", sa.Integer, sa.ForeignKey("accounts.person", ondelete="CASCADE"), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("account_names_by_person", "account_names", ["person"])
    op.create_table(
        "passkeys",
        sa.Column("id", sa.LargeBinary(1023), primary_key=True),
        sa.Column("person", sa.Integer, sa.ForeignKey("accounts.person", ondelete="CASCADE"), nullable=False),
        sa.Column("public_key", sa.LargeBinary(2048), nullable=False),
        sa.Column("sign_count", sa.BigInteger, nullable=False),
        sa.Column("label", sa.String(80), nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("used", sa.Double, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("passkeys_by_person", "passkeys", ["person"])
    op.create_table(
        "relations",
        sa.Column("person", sa.Integer, sa.ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("other", sa.Integer, sa.ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("kind", sa.String(16), primary_key=True),
        sqlite_with_rowid=False,
    )
    op.create_index("relations_of_others", "relations", ["other"])
    op.create_table(
        "sign_in_links",
        sa.Column("link_hash", sa.LargeBinary(64), primary_key=True),
        sa.Column("person", sa.Integer, sa.ForeignKey("accounts.person", ondelete="CASCADE"), nullable=False),
        sa.Column("until", sa.Double, nullable=False),
        sqlite_with_rowid=False,
    )


def _drop_keys() -> None:
    """Removes the hashes from the table of persons; SQLite cannot drop a unique column, and makes the table anew."""
    if op.get_bind().dialect.name != "sqlite":
        op.drop_column("persons", "key_hash")
        return
    op.create_table(
        "new_persons",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(80), nullable=False),
        sqlite_autoincrement=True,
    )
    op.execute("INSERT INTO new_persons SELECT id, name FROM persons")
    op.drop_table("persons")
    op.rename_table("new_persons", "persons")
