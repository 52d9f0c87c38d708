"""The oracle's answers: a match that is still there in the next state keeps the values that it was given.

So two matches that do not touch each other lead to the same graph in either order. A match is asked for anew where
control is at another place, where a quantifier has a part in it or in the match before, and where it was itself the
match before.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import NamedTuple

from pentad.grammar.matching.matcher import Match
from pentad.grammar.matching.rule_effects import Effects


class Key(NamedTuple):
    """A match wherever it is found: the place in control, the rule, and the event."""

    place: Hashable
    rule: str
    event: Hashable


class Entry(NamedTuple):
    """How a state was entered first: from which state, and by which match."""

    source: int
    rule: str
    event: Hashable
    is_simple: bool


class Answers:
    """The answers that were given in each state."""

    def __init__(self, effects: Effects) -> None:
        self._effects = effects
        self._given: dict[int, dict[Key, Mapping[int, int]]] = {}
        self._entries: dict[int, Entry] = {}

    def known(self, state: int, place: Hashable, match: Match) -> Mapping[int, int]:
        """The answers that a match keeps from the state before, by the variables of its rule."""
        entry = self._entries.get(state)
        if entry is None or not entry.is_simple or len(match.parts) > 1:
            return {}
        if (entry.rule, entry.event) == (match.rule.name, match.event):
            return {}
        return self._given.get(entry.source, {}).get(Key(place, match.rule.name, match.event), {})

    def keep(self, state: int, place: Hashable, match: Match, target: int) -> None:
        """Note the answers to the match that was applied last, and where it led."""
        name = match.rule.name
        self._entries.setdefault(target, Entry(state, name, match.event, len(match.parts) == 1))
        if self._effects.last_answers:
            given = self._given.setdefault(state, {})
            given[Key(place, name, match.event)] = self._effects.last_answers
