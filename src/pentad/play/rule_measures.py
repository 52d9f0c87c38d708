"""Measures of rules by records of games: length, branching, balance, decisiveness and drama, with 95 % intervals.

The lead is by the values in the records. A seat takes it when its value is ahead of all others by `LEAD_MARGIN`, and
keeps it until another seat takes it. With two seats a move's value counts for both; with more, each seat's value is
that of its own last move.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

from pentad.play.rating import SURE
from pentad.record import Node, Record

LEAD_MARGIN = 0.2  # values are from -1 to 1
PARTS_OF_GAME = 10  # the winner's lead is given for each

# ── estimates ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number estimated from games, with its 95 % interval; the bounds of a single sample are infinite."""

    value: float
    low: float
    high: float
    games: int

    def minus(self, other: Estimate) -> Estimate:
        """The difference between independent estimates; the distances to the bounds add as squares (Newcombe)."""
        value = self.value - other.value
        below = math.hypot(self.value - self.low, other.high - other.value)
        above = math.hypot(self.high - self.value, other.value - other.low)
        return Estimate(value, value - below, value + above, min(self.games, other.games))

    def shifted(self, by: float) -> Estimate:
        return Estimate(self.value + by, self.low + by, self.high + by, self.games)

    @property
    def differs(self) -> bool:
        """Whether the interval excludes 0."""
        return not self.low <= 0 <= self.high

    def as_json(self) -> dict[str, float | int | None]:
        """The estimate as JSON data; unknown bounds are None."""
        low, high = (bound if math.isfinite(bound) else None for bound in (self.low, self.high))
        return {"value": self.value, "low": low, "high": high, "games": self.games}


def mean(samples: Sequence[float]) -> Estimate:
    """The mean of at least one sample, with the interval of the normal distribution.

    >>> mean([1.0, 2.0, 3.0])
    Estimate(value=2.0, low=0.868..., high=3.131..., games=3)
    """
    size = len(samples)
    value = math.fsum(samples) / size
    if size == 1:
        return Estimate(value, -math.inf, math.inf, size)
    error = SURE * math.sqrt(math.fsum((each - value) ** 2 for each in samples) / (size - 1) / size)
    return Estimate(value, value - error, value + error, size)


def share(samples: Sequence[float]) -> Estimate:
    """The mean of at least one sample from 0 to 1, with Wilson's interval, which is never empty.

    >>> share([1.0, 1.0, 1.0, 1.0])
    Estimate(value=1.0, low=0.510..., high=1.0, games=4)
    """
    size = len(samples)
    value, extra = math.fsum(samples) / size, SURE**2 / size
    centre = (value + extra / 2) / (1 + extra)
    half = math.sqrt(extra * value * (1 - value) + extra**2 / 4) / (1 + extra)
    return Estimate(value, min(centre - half, value), max(centre + half, value), size)


# ── the course of a game ─────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Course:
    """What is measured of a game: its legal moves before each move, shares of the win by seat, and the lead."""

    branching: tuple[int, ...]
    shares: tuple[float, ...]
    reason: str
    leaders: tuple[int | None, ...]  # the seat in the lead after each move; None before the first lead
    lead: tuple[float, ...]  # the winner's after each move with a value, from -1 to 1; empty for shared wins and draws

    @classmethod
    def of(cls, record: Record) -> Course:
        """The course of a finished game, by the values of its moves."""
        outcome = record.outcome
        assert outcome is not None
        players = record.start.players
        winners = outcome.winners if not outcome.is_draw else tuple(range(players))
        shares = tuple((seat in winners) / len(winners) for seat in range(players))
        nodes = record.main_line
        standings = _standings(nodes, players)
        lead = [_ahead(each, winners[0]) for each in standings if each] if len(winners) == 1 else []
        branching = tuple(len(node.played[0].legal_moves) for node in nodes)
        return cls(branching, shares, outcome.reason, tuple(_leaders(standings)), tuple(lead))

    @property
    def moves(self) -> int:
        return len(self.branching)

    @property
    def is_decided(self) -> bool:
        """Whether it is no draw of all seats."""
        return len(set(self.shares)) > 1

    @property
    def changes(self) -> tuple[int, ...]:
        """The numbers of the moves after which another seat leads."""
        known = [(number, leader) for number, leader in enumerate(self.leaders, 1) if leader is not None]
        return tuple(number for (_, before), (number, leader) in pairwise(known) if leader != before)

    @property
    def last_change(self) -> float | None:
        """When the lead changes last, as a share of the game; None if it never does."""
        return self.changes[-1] / self.moves if self.changes else None

    @property
    def behind(self) -> float | None:
        """The share of the game in which a seat leads that does not win; None for a draw."""
        if not self.is_decided:
            return None
        return sum(leader is not None and not self.shares[leader] for leader in self.leaders) / self.moves


def _standings(nodes: Sequence[Node], players: int) -> list[list[float] | None]:
    """The value for each seat after each move; None before the first value."""
    found: list[list[float] | None] = []
    for node in nodes:
        now = list(found[-1]) if found and found[-1] else None
        if node.value is not None:
            seat, value = node.played[0].turn, node.value.number
            now = now or [0.0] * players
            now[seat] = value
            if players == 2:
                now[1 - seat] = -value
        found.append(now)
    return found


def _leaders(standings: Sequence[Sequence[float] | None]) -> list[int | None]:
    found: list[int | None] = []
    for now in standings:
        leader = found[-1] if found else None
        if now and max(now) - sorted(now)[-2] >= LEAD_MARGIN:
            leader = now.index(max(now))
        found.append(leader)
    return found


def _ahead(now: Sequence[float], seat: int) -> float:
    """How far a seat is ahead of the best other one."""
    return (now[seat] - max(value for other, value in enumerate(now) if other != seat)) / 2


# ── measures ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Measure:
    """A number of each game, and how it is estimated and shown; None where a game does not have it."""

    title: str
    about: str
    sample: Callable[[Course], float | None]
    estimate: Callable[[Sequence[float]], Estimate] = mean
    is_percentage: bool = False
    is_edge: bool = False  # the equal share of a seat is subtracted

    def of(self, courses: Sequence[Course]) -> Estimate | None:
        """The estimate from games; None if no game has the number."""
        samples = [sample for course in courses if (sample := self.sample(course)) is not None]
        if not samples:
            return None
        found = self.estimate(samples)
        return found.shifted(-1 / len(courses[0].shares)) if self.is_edge else found


MEASURES: Mapping[str, Measure] = MappingProxyType({
    "length": Measure("Moves per game", "The moves of all players, those of the opening included.", lambda c: c.moves),
    "branching": Measure(
        "Legal moves per position",
        "The mean over the positions of a game.",
        lambda c: sum(c.branching) / c.moves if c.moves else None,
    ),
    "edge": Measure(
        "First-player advantage",
        "The first player's share of the points, less an equal share. A win is a point, a draw is shared.",
        lambda c: c.shares[0],
        share,
        is_percentage=True,
        is_edge=True,
    ),
    "decided": Measure(
        "Decisive games", "All others are draws.", lambda c: c.is_decided, share, is_percentage=True
    ),
    "changes": Measure(
        "Lead changes", "How often in a game another player takes the lead.", lambda c: len(c.changes)
    ),
    "late": Measure(
        "Last lead change",
        "When it happens, as a share of the game, in games with a change.",
        lambda c: c.last_change,
        is_percentage=True,
    ),
    "behind": Measure(
        "Time the winner trailed",
        "The share of a game in which a player leads who does not win, in games with a winner.",
        lambda c: c.behind,
        is_percentage=True,
    ),
})  # fmt: skip


def branching_by_move(courses: Sequence[Course]) -> list[float]:
    """The mean number of legal moves before each move, as long as half of the games go on."""
    found = []
    for number in range(max((course.moves for course in courses), default=0)):
        going = [course.branching[number] for course in courses if course.moves > number]
        if 2 * len(going) < len(courses):
            break
        found.append(sum(going) / len(going))
    return found


def lead_by_part(courses: Sequence[Course], parts: int = PARTS_OF_GAME) -> list[float]:
    """The mean lead of the winner in each part of the game; empty where no game has one."""
    found = []
    for part in range(parts):
        values = [
            course.lead[place]
            for course in courses
            for place in range(len(course.lead) * part // parts, len(course.lead) * (part + 1) // parts)
        ]
        found.append(sum(values) / len(values) if values else math.nan)
    return [] if any(map(math.isnan, found)) else found
