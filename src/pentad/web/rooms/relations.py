"""Whom people have blocked or muted, in memory, as each chat message asks for it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pentad.store.relations import RelationRow

BLOCK = "block"  # its word in the store; any other relation is a mute

NOT_WITH_YOU = "A player of this game does not want to play with you."


class KnownRelations:
    """The relations of all people: who is blocked sits down at none of a person's games, and is not read either."""

    def __init__(self) -> None:
        self._kinds: dict[int, dict[int, set[str]]] = {}

    def replace(self, found: Iterable[RelationRow]) -> None:
        """Takes over the relations of now."""
        kinds: dict[int, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        for row in found:
            kinds[row.person][row.other].add(row.kind)
        self._kinds = {person: dict(others) for person, others in kinds.items()}

    def of(self, person: int | None) -> dict[int, frozenset[str]]:
        """Whom a person has blocked or muted."""
        others = self._kinds.get(person, {}) if person is not None else {}
        return {other: frozenset(kinds) for other, kinds in others.items()}

    def set(self, person: int, other: int, kinds: Iterable[str]) -> None:
        """Notes what a person has decided about another one."""
        others = self._kinds.setdefault(person, {})
        others[other] = set(kinds)
        if not others[other]:
            del others[other]

    def hidden(self, person: int | None) -> frozenset[int]:
        """Whose chat messages a person does not see."""
        return frozenset(self.of(person))

    def blocks(self, person: int | None, other: int | None) -> bool:
        """Whether a person has blocked another one."""
        if person is None or other is None:
            return False
        return BLOCK in self._kinds.get(person, {}).get(other, ())
