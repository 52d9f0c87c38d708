"""What alembic runs to migrate: over the connection, and in the transaction, that the store has opened."""

from __future__ import annotations

from alembic import context

from pentad.store.schema import VERSION_TABLE, metadata


def migrate() -> None:
    """Bring the database of the given connection up to date."""
    connection = context.config.attributes["connection"]
    context.configure(connection=connection, target_metadata=metadata, version_table=VERSION_TABLE)
    with context.begin_transaction():
        context.run_migrations()


if hasattr(context, "config"):  # only alembic runs it; whoever merely imports it does not
    migrate()
