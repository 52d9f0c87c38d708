"""The simple bots of Pente and their evaluation."""

import pytest

import pentad
from pentad.games.pente.bot import can_win, open_lines
from pentad.search.simple_bots import seat_to_move_can_win
from tests.cases import thinned
from tests.games.pente.random_games import GAMES, SMALL, new, played, random_game


@pytest.mark.parametrize("name", thinned(SMALL, 9))
def test_can_win_is_exact(name):
    seen = set()
    for seed in range(3, 6):
        for position, table in random_game(GAMES[name], seed):
            if table.stage == "three":  # no win is possible there, and there are too many moves to try
                assert not can_win(position)
            elif not table.over and (table.stage or table.ply % 4 == 0 or table.ply > 12):
                assert can_win(position) == seat_to_move_can_win(position), position.text
                seen.add(can_win(position))
    assert seen


def test_can_win_is_false_after_the_end():
    *_, (position, _) = random_game(GAMES["pente 7"], 2)
    assert position.outcome
    assert not can_win(position)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("name", ["random", "greedy"])
def test_a_seed_repeats_a_game(name):
    def play(seed):
        player, here = pentad.bot("pente", name, seed=seed), new(rules="pente", size=7)
        while not here.outcome:
            here = here.play(player.choose(here))
        return here

    assert play(1) == play(1)
    assert len({play(seed) for seed in range(4)}) > 1


@pytest.mark.parametrize(
    "name",
    thinned(["keryo on 6", "pente 7", "poof 5", "lines 6, five", "ninuki42 7", "gomoku on 6"], 3),
)
def test_greedy_takes_a_win_and_prevents_a_loss(name):
    """In positions of random games."""
    player, saved, won = pentad.bot("pente", "greedy", seed=2), 0, 0
    for seed in range(8):
        for position, table in random_game(GAMES[name], seed):
            if table.over or table.ply % 3 or table.ply < 6:
                continue
            after = position.play(player.choose(position))
            if can_win(position):
                assert after.outcome.winners == (position.turn,), position.text
                won += 1
                continue
            replies = [position.play(move) for move in position.legal_moves]
            safe = [reply for reply in replies if not reply.outcome and not can_win(reply)]
            if 0 < len(safe) < len(replies):
                assert after in safe, position.text
                saved += 1
    assert saved + won > 2


def test_open_lines_count_only_lines_that_can_be_filled():
    start = new(rules="lines")
    assert open_lines(start, 0) == 0
    centre, corner = start.play("E5"), start.play("A1")
    assert open_lines(centre, 0) > open_lines(corner, 0) > 0
    assert open_lines(centre, 1) == -open_lines(centre, 0)
    assert open_lines(played({"rules": "lines"}, "E5 A1 F5 K10"), 0) > 0


def test_greedy_beats_random():
    lost = 0
    for k in range(6):
        here = new(size=9)
        players = [pentad.bot("pente", "greedy", seed=k), pentad.bot("pente", "random", seed=k)]
        if k % 2:
            players.reverse()
        while not here.outcome:
            here = here.play(players[here.turn].choose(here))
        lost += here.outcome.winners != (k % 2,)
    assert lost == 0


@pytest.mark.slow
def test_greedy_samples_millions_of_turns():
    """The three stones of swap2 on 19 × 19 can be placed in 46 million ways."""
    here = new(opening="swap2")
    assert len(here.legal_moves) == 361 * 360 * 359
    player = pentad.bot("pente", "greedy", seed=1)
    for _ in range(3):
        move = player.choose(here)
        assert move in here.legal_moves
        here = here.play(move)
