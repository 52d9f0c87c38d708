"""Relations in the store: whom a person has blocked or muted."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sqlalchemy import Connection, delete, func, insert, select

from pentad.store.rows import LimitReached
from pentad.store.schema import persons, relations

if TYPE_CHECKING:
    from pentad.store.store import Store, WriteAttempt

BLOCK, MUTE = "block", "mute"
MOST_RELATIONS = 1000  # that a person may have

Kinds: TypeAlias = Collection[str]


class RelationRow(NamedTuple):
    """What a person has decided about another one: to block or to mute them."""

    person: int
    other: int
    kind: str


class Relations:
    """The relations of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def all(self) -> list[RelationRow]:
        """All relations."""
        return await self._store.read(lambda connection: [RelationRow(*row) for row in connection.execute(_ALL)])

    async def names(self, others: Collection[int]) -> dict[int, str]:
        """The names of persons."""
        query = select(persons.c.id, persons.c.name).where(persons.c.id.in_(others))
        return await self._store.read(lambda connection: {row.id: row.name for row in connection.execute(query)})

    async def set(self, person: int, other: int, kinds: Kinds) -> None:
        """Replaces what a person has decided about another one."""

        def change(attempt: WriteAttempt) -> None:
            connection = attempt.connection
            theirs = (relations.c.person == person, relations.c.other == other)
            connection.execute(delete(relations).where(*theirs))
            count = select(func.count()).select_from(relations).where(relations.c.person == person)
            if connection.execute(count).scalar_one() + len(kinds) > MOST_RELATIONS:
                raise LimitReached("You have blocked or muted too many people. Take some off the list first.")
            if kinds:
                connection.execute(
                    insert(relations), [{"person": person, "other": other, "kind": kind} for kind in kinds]
                )

        await self._store.write("whom a person blocks", change)


def own_relations(connection: Connection, person: int) -> list[dict[str, str]]:
    """Whom a person has blocked or muted, by name, for an export."""
    query = select(persons.c.name, relations.c.kind).join(relations, relations.c.other == persons.c.id)
    found = connection.execute(query.where(relations.c.person == person).order_by(persons.c.name))
    return [{"name": row.name, "kind": row.kind} for row in found]


_ALL = select(relations.c.person, relations.c.other, relations.c.kind)
