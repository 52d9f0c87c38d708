"""Pairings: who plays whom in a match, round robin, Swiss tournament or another system, and at which seats.

Players are numbers in order of entry. A system is a generator: it yields meetings that can be played at the same time
and receives their points, until the contest is over. A meeting is one opening, played once with each of its seatings.
"""

from __future__ import annotations

import string
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from pentad.game import GameError

PLAYER_LETTERS = string.ascii_lowercase + string.ascii_uppercase  # records name the players by them
MOST_PLAYERS = len(PLAYER_LETTERS)
MOST_SETS = 5  # sets of a pair in a knock-out; then the player who entered earlier goes on
GAMES_OF_SET = 2  # the two players take each seat once
TRIES = 20_000  # pairings that a Swiss round tries before it repeats one

Seating: TypeAlias = tuple[int, ...]  # the player at each seat


@dataclass(frozen=True, slots=True)
class Meeting:
    """Players who meet in one opening, and the round in which they do."""

    players: tuple[int, ...]
    round: int = 1


Points: TypeAlias = Sequence[Sequence[float]]  # for each meeting, the shares of the wins of its players
System: TypeAlias = Generator[list[Meeting], Points, int | None]  # returns the winner of a knock-out


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game of a contest: its number, its opening and the player at each seat."""

    number: int
    opening: int
    seating: Seating

    @property
    def letters(self) -> str:
        """The players as letters, such as `ab`."""
        return "".join(PLAYER_LETTERS[player] for player in self.seating)


# ── seats ────────────────────────────────────────────────────────────────────────────────────────


def seatings(players: int) -> tuple[Seating, ...]:
    """All seatings of two bots: each of them alone at each seat, with the other at all other seats.

    >>> seatings(2), seatings(3)[:3]
    (((0, 1), (1, 0)), ((0, 1, 1), (1, 0, 1), (1, 1, 0)))
    """
    alone = [tuple(int(seat != one) for seat in range(players)) for one in range(players)]
    swapped = [tuple(1 - player for player in seating) for seating in alone]
    return tuple(dict.fromkeys(alone + swapped))


def rotations(players: Seating) -> tuple[Seating, ...]:
    """The seatings of a meeting: every player once at every seat.

    >>> rotations((4, 7))
    ((4, 7), (7, 4))
    """
    return tuple(players[-turn:] + players[:-turn] for turn in range(len(players)))


def pairings(players: int, games: int) -> Iterator[Pairing]:
    """The games of a match between two bots, in order."""
    each = seatings(players)
    return (Pairing(number, number // len(each), each[number % len(each)]) for number in range(games))


# ── systems ──────────────────────────────────────────────────────────────────────────────────────


def round_robin(players: int, seats: int, sets: int) -> System:
    """Everyone meets everyone, in so many sets; with more than two seats, every group of players meets."""
    yield [Meeting(group, number + 1) for number in range(sets) for group in _in_rounds(players, seats)]
    return None


def gauntlet(players: int, seats: int, sets: int) -> System:
    """The first player meets all others."""
    groups = [(0, *others) for others in combinations(range(1, players), seats - 1)]
    yield [Meeting(group, number + 1) for number in range(sets) for group in groups]
    return None


def neighbours(players: int, seats: int, sets: int) -> System:
    """Everyone meets the next ones in the order of entry: pairs have at most one player between them."""
    groups = [group for group in combinations(range(players), seats) if group[-1] - group[0] <= seats]
    yield [Meeting(group, number + 1) for number in range(sets) for group in groups]
    return None


def _in_rounds(players: int, seats: int) -> list[tuple[int, ...]]:
    """All groups of players; pairs in the order of the circle method, in which nobody plays twice in a round."""
    if seats > 2:
        return list(combinations(range(players), seats))
    circle = list(range(players + players % 2))
    pairs: list[tuple[int, ...]] = []
    for _ in range(len(circle) - 1):
        half = len(circle) // 2
        for one, other in zip(circle[:half], reversed(circle[half:]), strict=True):
            if max(one, other) < players:
                pairs.append((min(one, other), max(one, other)))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return pairs


def swiss(players: int, sets: int, rounds: int) -> System:
    """Players with nearly equal points meet, and none twice while that is possible.

    With an odd number of players, the last who has not had one gets a bye, which counts as a won meeting.
    """
    points, met, byes = [0.0] * players, set[frozenset[int]](), set[int]()
    for number in range(1, rounds + 1):
        order = sorted(range(players), key=lambda player: (-points[player], player))
        if players % 2:
            free = next((each for each in reversed(order) if each not in byes), order[-1])
            order.remove(free)
            byes.add(free)
            points[free] += GAMES_OF_SET * sets
        pairs = swiss_pairs(order, points, met)
        results = yield [Meeting(pair, number) for pair in pairs for _ in range(sets)]
        for meeting, won in zip((pair for pair in pairs for _ in range(sets)), results, strict=True):
            met.add(frozenset(meeting))
            for player, gained in zip(meeting, won, strict=True):
                points[player] += gained
    return None


def swiss_pairs(order: Sequence[int], points: Sequence[float], met: set[frozenset[int]]) -> list[tuple[int, int]]:
    """The pairs of a round, from the order of the standings: of players with equal points, one half meets the other."""
    tries = 0

    def partners(first: int, rest: Sequence[int]) -> list[int]:
        equal = [each for each in rest if points[each] == points[first]]
        half = (len(equal) + 1) // 2 - 1 if len(equal) % 2 else len(equal) // 2
        return [*equal[half:], *reversed(equal[:half]), *(each for each in rest if points[each] != points[first])]

    def complete(rest: list[int]) -> list[tuple[int, int]] | None:
        nonlocal tries
        if not rest:
            return []
        first, *others = rest
        for second in partners(first, others):
            tries += 1
            if tries > TRIES:
                return None
            if frozenset((first, second)) not in met:
                pairs = complete([each for each in others if each != second])
                if pairs is not None:
                    return [(first, second), *pairs]
        return None

    found = complete(list(order))
    return found if found is not None else list(zip(order[::2], order[1::2], strict=True))


def knockout(players: int, sets: int) -> System:
    """A winner of a pair goes on, a loser is out; the best of the order of entry meet last and have the byes.

    A pair plays sets of an opening from both seats, and another set as long as they are equal, up to `MOST_SETS`.
    """
    here = bracket(players)
    number = 1
    while len(here) > 1:
        pairs = list(zip(here[::2], here[1::2], strict=True))
        scores = {pair: [0.0, 0.0] for pair in pairs if None not in pair}
        open_pairs, played = list(scores), 0
        while open_pairs and played < max(MOST_SETS, sets):
            now = sets if played == 0 else 1
            meetings = [pair for pair in open_pairs for _ in range(now)]
            results = yield [Meeting(tuple(pair), number) for pair in meetings]  # type: ignore[arg-type]
            for pair, won in zip(meetings, results, strict=True):
                scores[pair] = [before + gained for before, gained in zip(scores[pair], won, strict=True)]
            played += now
            open_pairs = [pair for pair in open_pairs if scores[pair][0] == scores[pair][1]]
        here = [_winner(pair, scores.get(pair)) for pair in pairs]
        number += 1
    return here[0]


def _winner(pair: tuple[int | None, int | None], score: Sequence[float] | None) -> int | None:
    present = [player for player in pair if player is not None]
    if score is None or score[0] == score[1]:
        return min(present)
    return pair[score[1] > score[0]]


def bracket(players: int) -> list[int | None]:
    """The first round of a knock-out: neighbours meet, None is a bye, and the first two can meet only in the final.

    >>> bracket(6)
    [0, None, 3, 4, 1, None, 2, 5]
    """
    slots: list[int] = [0]
    while len(slots) < players:
        size = 2 * len(slots)
        slots = [each for slot in slots for each in (slot, size - 1 - slot)]
    return [slot if slot < players else None for slot in slots]


SYSTEMS: Mapping[str, str] = {
    "round-robin": "everyone plays everyone",
    "gauntlet": "the first player plays all others",
    "neighbours": "everyone plays their neighbours in the list",
    "swiss": "players with nearly equal points play each other",
    "knockout": "losers are eliminated",
}
FOR_TWO = ("swiss", "knockout")  # their pairings depend on the results


def meetings(system: str, players: int, seats: int, sets: int, rounds: int) -> System:
    """The system of that name."""
    if system in FOR_TWO and seats > 2:
        raise GameError("The system {system} is for games with two seats, not {seats}.", system=system, seats=seats)
    return {
        "round-robin": lambda: round_robin(players, seats, sets),
        "gauntlet": lambda: gauntlet(players, seats, sets),
        "neighbours": lambda: neighbours(players, seats, sets),
        "swiss": lambda: swiss(players, sets, rounds),
        "knockout": lambda: knockout(players, sets),
    }[system]()
