"""Pairings of every system, as properties: who meets whom, how often, and at which seats."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad.game import GameError
from pentad.play.pairings import (
    MOST_SETS,
    Meeting,
    System,
    bracket,
    gauntlet,
    knockout,
    meetings,
    neighbours,
    pairings,
    rotations,
    round_robin,
    seatings,
    swiss,
)
from tests.properties import properties


def rounds_of(system: System, points) -> list[list[Meeting]]:
    """All batches of a system, in which a meeting's points are those that a function gives."""
    played, batch = [], next(system)
    try:
        while True:
            played.append(batch)
            batch = system.send([points(meeting) for meeting in batch])
    except StopIteration as end:
        return played, end.value


def by_strength(meeting: Meeting) -> list[float]:
    """The player with the lower number wins both games."""
    return [2.0 if player == min(meeting.players) else 0.0 for player in meeting.players]


def test_every_opening_is_played_with_every_seating():
    for players in (2, 3, 4):
        ways = seatings(players)
        assert len(set(ways)) == len(ways)
        assert all(sum(way[seat] == 0 for way in ways) == len(ways) / 2 for seat in range(players))
        played = list(pairings(players, 2 * len(ways)))
        assert [pairing.seating for pairing in played if pairing.opening == 1] == list(ways)


@given(st.lists(st.integers(0, 40), min_size=2, max_size=5, unique=True))
@properties(50)
def test_everyone_has_every_seat_once(players):
    turns = rotations(tuple(players))
    assert all(Counter(seats) == Counter(players) for seats in zip(*turns, strict=True))


@given(st.integers(2, 20), st.integers(1, 3))
@properties(60)
def test_in_a_round_robin_every_pair_meets_once_in_a_set(players, sets):
    (batch,), _ = rounds_of(round_robin(players, 2, sets), by_strength)
    assert Counter(meeting.players for meeting in batch) == dict.fromkeys(combinations(range(players), 2), sets)
    each = players // 2  # meetings at the same time
    for first in range(0, len(batch), each):
        busy = [player for meeting in batch[first : first + each] for player in meeting.players]
        assert len(set(busy)) == len(busy)


@given(st.integers(3, 5), st.integers(0, 3))
@properties(20)
def test_with_more_seats_every_group_meets(seats, more):
    (batch,), _ = rounds_of(round_robin(seats + more, seats, 1), by_strength)
    assert {meeting.players for meeting in batch} == set(combinations(range(seats + more), seats))


@given(st.integers(2, 12), st.integers(1, 3))
@properties(20)
def test_more_sets_only_add_meetings(players, sets):
    for system in (round_robin, gauntlet, neighbours):
        (fewer,), _ = rounds_of(system(players, 2, sets), by_strength)
        (more,), _ = rounds_of(system(players, 2, sets + 1), by_strength)
        assert more[: len(fewer)] == fewer


@given(st.integers(3, 12))
@properties(20)
def test_in_a_gauntlet_the_first_meets_all_others(players):
    (batch,), _ = rounds_of(gauntlet(players, 2, 1), by_strength)
    assert [meeting.players for meeting in batch] == [(0, other) for other in range(1, players)]
    (three,), _ = rounds_of(gauntlet(players, 3, 1), by_strength)
    assert {meeting.players[1:] for meeting in three} == set(combinations(range(1, players), 2))


@given(st.integers(3, 12))
@properties(20)
def test_neighbours_have_at_most_one_player_between_them(players):
    (batch,), _ = rounds_of(neighbours(players, 2, 1), by_strength)
    assert {meeting.players for meeting in batch} == {
        (one, other) for one, other in combinations(range(players), 2) if other - one <= 2
    }
    (three,), _ = rounds_of(neighbours(players, 3, 1), by_strength)
    assert {player for meeting in three for player in meeting.players} == set(range(players))


@given(st.data(), st.integers(2, 24))
@properties(100)
def test_in_a_swiss_tournament_nobody_plays_twice_in_a_round_nor_meets_an_opponent_again(data, players):
    rounds = data.draw(st.integers(1, max(1, players // 2)))
    results = st.sampled_from([[2.0, 0.0], [1.0, 1.0], [0.0, 2.0], [1.5, 0.5]])
    played, _ = rounds_of(swiss(players, 1, rounds), lambda meeting: data.draw(results))
    assert [meeting.round for batch in played for meeting in batch[:1]] == list(range(1, rounds + 1))
    absent = Counter()
    for batch in played:
        busy = Counter(player for meeting in batch for player in meeting.players)
        assert set(busy.values()) == {1}
        assert len(busy) == players - players % 2
        absent.update(set(range(players)) - busy.keys())
    assert max(absent.values(), default=1) == 1
    met = Counter(frozenset(meeting.players) for batch in played for meeting in batch)
    assert max(met.values()) == 1


def test_a_swiss_round_after_all_pairs_have_met_repeats_some():
    played, _ = rounds_of(swiss(4, 1, 5), by_strength)
    assert len(played) == 5
    assert len({frozenset(meeting.players) for batch in played for meeting in batch}) == 6


@given(st.integers(8, 32))
@properties(20)
def test_in_a_swiss_tournament_the_best_player_leads(players):
    rounds = (players - 1).bit_length()
    won = Counter()

    def play(meeting):
        points = by_strength(meeting)
        won.update(dict(zip(meeting.players, points, strict=True)))
        return points

    rounds_of(swiss(players, 1, rounds), play)
    assert won[0] == 2 * rounds
    assert sum(points == 2 * rounds for points in won.values()) <= 1 + players % 2


@given(st.integers(2, 40))
@properties(60)
def test_in_a_knockout_all_but_one_lose_once(players):
    played, winner = rounds_of(knockout(players, 1), by_strength)
    lost = Counter(max(meeting.players) for batch in played for meeting in batch)
    assert winner == 0
    assert lost == dict.fromkeys(range(1, players), 1)
    assert [set(meeting.players) for meeting in played[-1]] == [{0, 1}]
    assert played[-1][0].round == (players - 1).bit_length()


@given(st.integers(2, 40))
@properties(40)
def test_byes_go_to_those_who_entered_first(players):
    first = bracket(players)
    pairs = list(zip(first[::2], first[1::2], strict=True))
    free = sorted(one if other is None else other for one, other in pairs if None in (one, other))
    assert free == list(range(len(free)))
    assert sorted(player for player in first if player is not None) == list(range(players))


def test_a_drawn_pair_plays_on_until_the_earlier_entry_goes_on():
    played, winner = rounds_of(knockout(2, 1), lambda meeting: [1.0, 1.0])
    assert [len(batch) for batch in played] == [1] * MOST_SETS
    assert winner == 0
    seen = []

    def second_wins_the_third_set(meeting):
        seen.append(meeting)
        return [0.5, 1.5] if len(seen) == 3 else [1.0, 1.0]

    played, winner = rounds_of(knockout(2, 1), second_wins_the_third_set)
    assert (len(played), winner) == (3, 1)


@pytest.mark.parametrize("system", ["swiss", "knockout"])
def test_systems_of_pairs_are_refused_for_more_seats(system):
    with pytest.raises(GameError, match=f"The system {system} .* two seats, not 3"):
        meetings(system, 4, 3, 1, 1)
