"""Cache of the oracle's answers: a match that persists in the next state keeps its values.

So two independent matches lead to the same graph in either order. The oracle is asked again if control is at another
place, if the match or the previous one involves a quantifier, or if the match is the previous one itself.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import NamedTuple

from pentad.grammar.matching.matcher import Match
from pentad.grammar.matching.rule_effects import Effects


class Key(NamedTuple):
    """The identity of a match across states: the place in control, the rule, and the event."""

    place: Hashable
    rule: str
    event: Hashable


class Entry(NamedTuple):
    """How a state was first reached: from which state, and by which match."""

    source: int
    rule: str
    event: Hashable
    is_simple: bool


class Answers:
    """The oracle's answers by state."""

    def __init__(self, effects: Effects) -> None:
        self._effects = effects
        self._given: dict[int, dict[Key, Mapping[int, int]]] = {}
        self._entries: dict[int, Entry] = {}

    def known(self, state: int, place: Hashable, match: Match) -> Mapping[int, int]:
        """The answers that a match keeps from the previous state, by the variables of its rule."""
        entry = self._entries.get(state)
        if entry is None or not entry.is_simple or len(match.parts) > 1:
            return {}
        if (entry.rule, entry.event) == (match.rule.name, match.event):
            return {}
        return self._given.get(entry.source, {}).get(Key(place, match.rule.name, match.event), {})

    def keep(self, state: int, place: Hashable, match: Match, target: int) -> None:
        """Stores the answers for the match that was applied last, and its target."""
        name = match.rule.name
        self._entries.setdefault(target, Entry(state, name, match.event, len(match.parts) == 1))
        if self._effects.last_answers:
            given = self._given.setdefault(state, {})
            given[Key(place, name, match.event)] = self._effects.last_answers
