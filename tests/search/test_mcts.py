"""The tree search for any game: wins, proofs, limits and stopping."""

import random
import threading
from functools import cache

import pytest

import pentad
from pentad.game import Move, Outcome
from pentad.search import mcts
from pentad.search.mcts import Expansion, TreeSearch, turn_of
from tests.cases import thinned, together
from tests.search.choices import choice_state, expand_by_choices
from tests.waiting import FakeClock, wait_until


class Games:
    """Random games by the rules, with a log of the requests."""

    def __init__(self, most=400):
        self.requests, self.most = [], most

    def __call__(self, positions, count, seed):
        rng = random.Random(seed)
        self.requests += [(here, count) for here in positions]
        return [self.mean(here, count, rng) for here in positions]

    def mean(self, here, count, rng):
        totals = [0.0] * here.players
        for _ in range(count):
            end = here
            for _ in range(self.most):
                if end.outcome:
                    totals = [total + each for total, each in zip(totals, end.outcome.returns, strict=True)]
                    break
                end = end.play(end.legal_moves[rng.randrange(len(end.legal_moves))])
        return tuple(total / count for total in totals)


def even(positions, count, seed):
    """Random games that all end in a draw."""
    return [(0.0,) * here.players for here in positions]


def chosen(here, playouts=2000, seconds=None, games=None, seed=1):
    search = TreeSearch(expand_by_choices(games or Games()), choice_state(here), seed=seed)
    search.run(playouts, seconds)
    return turn_of(here, search.steps()), search


def small(seed, plies, **options):
    """An unfinished position of a small game, after random turns."""
    rng = random.Random(seed)
    while True:
        here = pentad.new("pentago", **options)
        while here.ply < plies and here.outcome is None:
            here = here.play(rng.choice(here.legal_moves))
        if here.outcome is None:
            return here


@cache
def worth(here):
    """The values of a position for two seats, from the whole game tree."""
    if here.outcome:
        return here.outcome.returns
    return max((worth(here.play(move)) for move in here.legal_moves), key=lambda each: each[here.turn])


# ── results ────────────────────────────────────────────────────────────────────────────────


def test_a_win_is_taken_and_proved():
    here = pentad.load("pentago bbbb../....../wwww../....../....../......")
    move, search = chosen(here, 200)
    assert here.play(move).outcome.winners == (0,)
    assert search.root.known == (1.0, -1.0)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("seed", thinned(range(6), 2))
@together("options", [{"rows": 1, "block": 2, "line": 3}, {"rows": 1, "block": 2, "line": 4}])
def test_small_games_are_solved(options, seed):
    here = small(seed, plies=seed % 3 + 2 * options["line"] - 4, **options)
    search = TreeSearch(expand_by_choices(even), choice_state(here), seed=seed)
    search.run(seconds=600)
    assert search.root.known == worth(here)
    assert worth(here.play(turn_of(here, search.steps()))) == worth(here)


def best_for_each(here):
    """All returns that three seats can get if each maximises its own, for every choice between equals."""
    if here.outcome:
        return {here.outcome.returns}
    after = [best_for_each(here.play(move)) for move in here.legal_moves]
    sure = max(min(each[here.turn] for each in returns) for returns in after)
    return {each for returns in after for each in returns if each[here.turn] >= sure}


@pytest.mark.parametrize("seed", range(4))
def test_each_of_three_seats_maximises_its_return(seed):
    here = small(seed, plies=5, rows=1, block=2, line=3, players=3)
    search = TreeSearch(expand_by_choices(even), choice_state(here), seed=seed)
    search.run(seconds=600)
    assert search.root.known in best_for_each(here)


def test_a_position_within_a_turn_is_searched():
    here = pentad.load("pentago ....../..bb../....../bbw.../ww..w./......").partial("a0")
    move, _ = chosen(here, 100)
    assert len(move) == 1
    assert move in here.legal_moves


@pytest.mark.parametrize(("name", "options"), [("pente", {"size": 9}), ("pentagame", {"players": 3})])
def test_moves_are_whole_turns_in_any_game(name, options):
    here = pentad.new(name, **options)
    for _ in range(3):
        move, _ = chosen(here, 60, games=even)
        assert move in here.legal_moves
        here = here.play(move)


@pytest.mark.slow
def test_the_search_beats_random_play():
    won = 0
    for game in range(12):
        here, rng = pentad.new("pentago", block=2, line=3), random.Random(game)
        while here.outcome is None:
            move = chosen(here, 150, seed=game)[0] if here.turn == game % 2 else rng.choice(here.legal_moves)
            here = here.play(move)
        won += here.outcome.returns[game % 2]
    assert won >= 8


# ── the search itself ─────────────────────────────────────────────────────────────────────────


def test_finished_positions_get_no_random_games():
    games = Games()
    chosen(small(3, plies=4, block=2, line=4), 600, games=games)
    assert len(games.requests) > 300
    assert all(here.outcome is None for here, _ in games.requests)
    assert len(games.requests) < 600 + 36


def test_all_steps_of_a_position_are_expanded_together():
    calls = []

    def counted(positions, count, seed):
        calls.append((len(positions), count))
        return even(positions, count, seed)

    expand_by_choices(counted, games=3)(choice_state(pentad.new("pentago")), None, 1)
    assert calls == [(36, 3)]


def test_steps_to_the_same_position_are_merged():
    here = pentad.new("pentago").partial("a0")
    expand = expand_by_choices(even)(choice_state(here), None, 1)
    assert len(expand.steps) == 3  # the marble's sub-board either way, or an empty one
    assert sum(expand.priors) == pytest.approx(1)


@pytest.mark.slow
def test_a_seed_repeats_the_search():
    here = pentad.new("pentago", block=2, line=3)
    assert {str(chosen(here, 500, seed=3)[0]) for _ in range(3)} == {str(chosen(here, 500, seed=3)[0])}
    assert len({tuple(chosen(here, 60, seed=seed)[1].root.totals) for seed in range(5)}) > 1


def test_the_limit_of_games():
    here = pentad.new("pentago", line=6)
    _, search = chosen(here, 500, games=even)
    assert 500 <= search.playouts < 500 + 36


def endless(seats=2, wide=3):
    """A expander at a game without an end."""
    return lambda state, step, seed: Expansion(
        state + 1, state % seats, (0.0,) * seats, False, range(wide), (1 / wide,) * wide, 1
    )


def test_the_limit_of_seconds(monkeypatch):
    clock = FakeClock(0.001)
    monkeypatch.setattr(mcts, "time", clock)
    search = TreeSearch(endless(), 0)
    search.run(seconds=0.1)
    assert 0.1 <= clock.now <= 0.103
    assert search.nodes > 10


def test_the_limit_of_nodes(monkeypatch):
    monkeypatch.setattr(mcts, "MAX_NODES", 50)
    search = TreeSearch(endless(), 0)
    search.run()
    assert search.nodes == 50


def test_another_thread_stops_the_search():
    search = TreeSearch(endless(), 0)
    stopping = threading.Thread(target=lambda: (wait_until(lambda: search.nodes > 10), search.stop()))
    stopping.start()
    search.run()
    stopping.join()
    nodes = search.nodes
    search.run(playouts=search.playouts + 10)
    assert search.nodes > nodes  # the search can resume


def test_an_interrupt_leaves_a_usable_tree():
    requests = []

    def expand(state, step, seed):
        requests.append(step)
        if len(requests) == 20:
            raise KeyboardInterrupt
        return endless()(state, step, seed)

    search = TreeSearch(expand, 0)
    with pytest.raises(KeyboardInterrupt):
        search.run()
    assert len(search.steps()) > 0
    assert search.root.visits == search.nodes == 19


# ── choosing ─────────────────────────────────────────────────────────────────────────────────────


def table(ends):
    """A expander at one seat's choice between ends: worths that are exact, or not."""

    def expand(state, step, seed):
        if step is None:
            return Expansion((), 0, (0.0, 0.0), False, range(len(ends)), [1 / len(ends)] * len(ends), 1)
        worth, exact = ends[state[0] if state else step]  # an unproved end goes on for ever
        return Expansion(state or (step,), 1, (worth, -worth), exact, () if exact else (0,), () if exact else (1.0,), 1)

    return expand


@pytest.mark.parametrize(
    ("ends", "best"),
    [
        ([(-1.0, True), (1.0, True), (0.0, True)], 1),
        ([(-1.0, True), (0.0, True), (-1.0, True)], 1),
        ([(-1.0, True), (-1.0, True)], 0),
        ([(0.0, True), (-0.5, False), (-1.0, True)], 0),  # a certain draw rather than a bad estimate
        ([(0.0, True), (0.5, False), (-1.0, True)], 1),
        ([(-1.0, True), (-0.9, False)], 1),  # anything rather than a certain loss
    ],
)
def test_proved_values_decide(ends, best):
    search = TreeSearch(table(ends), ())
    while search.root.known is None and not search.root.complete:
        search.run(playouts=search.playouts + 1)
    assert search.best() == best


def test_without_time_the_highest_prior_is_played():
    search = TreeSearch(endless(), 0)
    search.stop()
    search.run()
    assert search.nodes == 1
    assert search.best() is None
    assert search.steps() == [0]


def test_turns_are_completed_and_cut_at_their_end():
    here = pentad.new("pentago")
    search_steps = [here.board.places[3], here.board.twists[2], here.board.places[9]]
    assert str(turn_of(here, search_steps)) == "a3 2C"
    assert str(turn_of(here, search_steps[:1])) == "a3 1C"
    assert turn_of(here.partial("a3"), []) == Move([here.board.twists[0]])
    assert Outcome.of((0,), 2, "").returns == (1.0, -1.0)
