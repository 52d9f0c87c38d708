"""Alembic's environment: runs migrations over the store's connection, in its transaction."""

from __future__ import annotations

from alembic import context

from pentad.store.schema import VERSION_TABLE, metadata


def migrate() -> None:
    """Migrates the database of the given connection."""
    connection = context.config.attributes["connection"]
    context.configure(connection=connection, target_metadata=metadata, version_table=VERSION_TABLE)
    with context.begin_transaction():
        context.run_migrations()


if hasattr(context, "config"):  # set when alembic runs this module, not when it is imported
    migrate()
