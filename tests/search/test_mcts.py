"""The tree search for any game: it takes wins, proves what it can, heeds its limits and its stop."""

import random
import threading
from functools import cache

import pytest

import pentad
from pentad.game import Move, Outcome
from pentad.search import mcts
from pentad.search.mcts import Look, Search, by_choices, stage, turn_of
from tests.waiting import Ticking, wait_until


class Games:
    """Random games by the rules alone, which notes what it was asked."""

    def __init__(self, most=400):
        self.asked, self.most = [], most

    def __call__(self, positions, count, seed):
        chance = random.Random(seed)
        self.asked += [(here, count) for here in positions]
        return [self.mean(here, count, chance) for here in positions]

    def mean(self, here, count, chance):
        totals = [0.0] * here.players
        for _ in range(count):
            end = here
            for _ in range(self.most):
                if end.outcome:
                    totals = [total + each for total, each in zip(totals, end.outcome.returns, strict=True)]
                    break
                end = end.play(end.legal_moves[chance.randrange(len(end.legal_moves))])
        return tuple(total / count for total in totals)


def even(positions, count, seed):
    """Games that tell nothing."""
    return [(0.0,) * here.players for here in positions]


def chosen(here, playouts=2000, seconds=None, games=None, seed=1):
    search = Search(by_choices(games or Games()), stage(here), seed=seed)
    search.run(playouts, seconds)
    return turn_of(here, search.steps()), search


def small(seed, plies, **options):
    """A position of a small game that goes on, after random turns."""
    chance = random.Random(seed)
    while True:
        here = pentad.new("pentago", **options)
        while here.ply < plies and here.outcome is None:
            here = here.play(chance.choice(here.legal_moves))
        if here.outcome is None:
            return here


@cache
def worth(here):
    """What a position is worth to two seats, from the whole game tree."""
    if here.outcome:
        return here.outcome.returns
    return max((worth(here.play(move)) for move in here.legal_moves), key=lambda each: each[here.turn])


# ── what it finds ────────────────────────────────────────────────────────────────────────────────


def test_a_win_is_taken_and_proved():
    here = pentad.load("pentago bbbb../....../wwww../....../....../......")
    move, search = chosen(here, 200)
    assert here.play(move).outcome.winners == (0,)
    assert search.root.known == (1.0, -1.0)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("options", [{"rows": 1, "block": 2, "line": 3}, {"rows": 1, "block": 2, "line": 4}])
def test_small_games_are_solved(options, seed):
    here = small(seed, plies=seed % 3 + 2 * options["line"] - 4, **options)
    search = Search(by_choices(even), stage(here), seed=seed)
    search.run(seconds=600)
    assert search.root.known == worth(here)
    assert worth(here.play(turn_of(here, search.steps()))) == worth(here)


def best_for_each(here):
    """The returns that three seats can come to where each takes what is best for itself, all ways of choosing."""
    if here.outcome:
        return {here.outcome.returns}
    after = [best_for_each(here.play(move)) for move in here.legal_moves]
    sure = max(min(each[here.turn] for each in ways) for ways in after)
    return {each for ways in after for each in ways if each[here.turn] >= sure}


@pytest.mark.parametrize("seed", range(4))
def test_each_of_three_goes_where_it_fares_best(seed):
    here = small(seed, plies=5, rows=1, block=2, line=3, players=3)
    search = Search(by_choices(even), stage(here), seed=seed)
    search.run(seconds=600)
    assert search.root.known in best_for_each(here)


def test_a_position_within_a_turn_is_searched():
    here = pentad.load("pentago ....../..bb../....../bbw.../ww..w./......").partial("a0")
    move, _ = chosen(here, 100)
    assert len(move) == 1
    assert move in here.legal_moves


@pytest.mark.parametrize(("name", "options"), [("pente", {"size": 9}), ("pentagame", {"players": 3})])
def test_any_game_is_played_in_whole_turns(name, options):
    here = pentad.new(name, **options)
    for _ in range(3):
        move, _ = chosen(here, 60, games=even)
        assert move in here.legal_moves
        here = here.play(move)


def test_more_games_play_better_than_chance():
    won = 0
    for game in range(12):
        here, chance = pentad.new("pentago", block=2, line=3), random.Random(game)
        while here.outcome is None:
            move = chosen(here, 150, seed=game)[0] if here.turn == game % 2 else chance.choice(here.legal_moves)
            here = here.play(move)
        won += here.outcome.returns[game % 2]
    assert won >= 8


# ── how it goes about it ─────────────────────────────────────────────────────────────────────────


def test_what_is_over_is_never_played_from_and_steps_are_looked_at_together():
    games = Games()
    chosen(small(3, plies=4, block=2, line=4), 600, games=games)
    assert len(games.asked) > 300
    assert all(here.outcome is None for here, _ in games.asked)
    assert len(games.asked) < 600 + 36


def test_all_steps_of_a_position_are_looked_at_together():
    calls = []

    def counted(positions, count, seed):
        calls.append((len(positions), count))
        return even(positions, count, seed)

    by_choices(counted, games=3)(stage(pentad.new("pentago")), None, 1)
    assert calls == [(36, 3)]


def test_steps_to_the_same_position_are_one():
    here = pentad.new("pentago").partial("a0")
    look = by_choices(even)(stage(here), None, 1)
    assert len(look.steps) == 3  # the marble's sub-board either way, or an empty one
    assert sum(look.trust) == pytest.approx(1)


def test_with_a_seed_it_finds_the_same():
    here = pentad.new("pentago", block=2, line=3)
    assert {str(chosen(here, 500, seed=3)[0]) for _ in range(3)} == {str(chosen(here, 500, seed=3)[0])}
    assert len({tuple(chosen(here, 60, seed=seed)[1].root.totals) for seed in range(5)}) > 1


def test_games_are_a_limit():
    here = pentad.new("pentago", line=6)
    _, search = chosen(here, 500, games=even)
    assert 500 <= search.playouts < 500 + 36


def endless(seats=2, wide=3):
    """A looker at a game without an end."""
    return lambda state, step, seed: Look(
        state + 1, state % seats, (0.0,) * seats, False, range(wide), (1 / wide,) * wide, 1
    )


def test_seconds_are_a_limit(monkeypatch):
    clock = Ticking(0.001)
    monkeypatch.setattr(mcts, "time", clock)
    search = Search(endless(), 0)
    search.run(seconds=0.1)
    assert 0.1 <= clock.now <= 0.103
    assert search.nodes > 10


def test_nodes_are_a_limit():
    search = Search(endless(), 0, most_nodes=50)
    search.run()
    assert search.nodes == 50


def test_another_thread_stops_it():
    search = Search(endless(), 0)
    stopping = threading.Thread(target=lambda: (wait_until(lambda: search.nodes > 10), search.stop()))
    stopping.start()
    search.run()
    stopping.join()
    nodes = search.nodes
    search.run(playouts=search.playouts + 10)
    assert search.nodes > nodes  # it can go on


def test_an_interrupt_leaves_a_tree_that_can_be_read():
    asked = []

    def look(state, step, seed):
        asked.append(step)
        if len(asked) == 20:
            raise KeyboardInterrupt
        return endless()(state, step, seed)

    search = Search(look, 0)
    with pytest.raises(KeyboardInterrupt):
        search.run()
    assert len(search.steps()) > 0
    assert search.root.visits == search.nodes == 19


# ── choosing ─────────────────────────────────────────────────────────────────────────────────────


def table(ends):
    """A looker at one seat's choice between ends: worths that are exact, or not."""

    def look(state, step, seed):
        if step is None:
            return Look((), 0, (0.0, 0.0), False, range(len(ends)), [1 / len(ends)] * len(ends), 1)
        worth, exact = ends[state[0] if state else step]  # what is open goes on for ever
        return Look(state or (step,), 1, (worth, -worth), exact, () if exact else (0,), () if exact else (1.0,), 1)

    return look


@pytest.mark.parametrize(
    ("ends", "best"),
    [
        ([(-1.0, True), (1.0, True), (0.0, True)], 1),
        ([(-1.0, True), (0.0, True), (-1.0, True)], 1),
        ([(-1.0, True), (-1.0, True)], 0),
        ([(0.0, True), (-0.5, False), (-1.0, True)], 0),  # a draw that is sure, rather than what looks bad
        ([(0.0, True), (0.5, False), (-1.0, True)], 1),
        ([(-1.0, True), (-0.9, False)], 1),  # anything rather than a sure loss
    ],
)
def test_what_is_proved_counts(ends, best):
    search = Search(table(ends), ())
    while search.root.known is None and not search.root.complete:
        search.run(playouts=search.playouts + 1)
    assert search.best() == best


def test_what_is_trusted_most_is_taken_where_there_was_no_time():
    search = Search(endless(), 0)
    search.stop()
    search.run()
    assert search.nodes == 1
    assert search.best() is None
    assert search.steps() == [0]


def test_a_turn_ends_where_it_ends():
    here = pentad.new("pentago")
    search_steps = [here.board.places[3], here.board.twists[2], here.board.places[9]]
    assert str(turn_of(here, search_steps)) == "a3 2C"
    assert str(turn_of(here, search_steps[:1])) == "a3 1C"
    assert turn_of(here.partial("a3"), []) == Move([here.board.twists[0]])
    assert Outcome.of((0,), 2, "").returns == (1.0, -1.0)
