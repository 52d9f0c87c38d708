"""The engine's kernels against the rules, board by board."""

import os
import random
import subprocess
import sys

import numpy as np
import pytest

from pentad.pentago import bot
from pentad.pentago.engine import kernels as k
from pentad.pentago.engine.state import key_of, least, move_of
from tests.pentago.engine.together import patterns_of, random_position

ROOM = (np.zeros(k.ROOM, np.int64), np.zeros(k.ROOM, np.int64), np.zeros(k.ROOM, np.int64))


def boards_after(position):
    """What each whole turn leads to, by the rules alone; turns that end with the placement are left out."""
    return {key_of(position.play(move)): move for move in position.legal_moves}


@pytest.mark.parametrize("seed", range(40))
def test_turns_are_those_of_the_rules(seed):
    position = random_position(seed, win_on_placement=False)
    keys, turns, room = ROOM
    count = k.results(np.array(patterns_of(key_of(position))), k.RULES, keys, turns, room)
    assert set(keys[:count].tolist()) == set(boards_after(position)), position.text
    assert len(set(keys[:count].tolist())) == count
    for key, turn in zip(keys[:count].tolist(), turns[:count].tolist(), strict=True):
        assert key_of(position.play(move_of(turn))) == key


@pytest.mark.parametrize("seed", range(20))
def test_fives_are_those_of_the_rules(seed):
    position = random_position(seed, most=36)
    ended = 0
    for move in position.legal_moves:
        if len(move) == 1:
            continue
        after = position.play(move)
        told = k.fives(np.array(patterns_of(key_of(after))), k.RULES)
        lines = [after.board.has_line(after.marbles[seat]) for seat in (after.turn, 1 - after.turn)]
        assert told == lines[0] + 2 * lines[1], after.text
        ended += told > 0
    assert ended < len(position.legal_moves)


@pytest.mark.parametrize("placement", [True, False])
def test_can_win_is_that_of_the_rules(placement):
    wins = 0
    for seed in range(300):
        position = random_position(seed, most=36, win_on_placement=placement)
        told = k.can_win(*patterns_of(key_of(position)), int(placement), k.RULES)
        assert bool(told) == bot.can_win(position), position.text
        wins += bool(told)
    assert 20 < wins < 280


def test_least_is_the_same_for_all_views():
    for seed in range(30):
        position = random_position(seed)
        images = {least(key_of(way.position(position))) for way in position.symmetries}
        assert len(images) == 1


def test_keys_unpack():
    chance, board = random.Random(1), np.zeros(4, np.int64)
    for _ in range(50):
        patterns = [chance.randrange(3**9) for _ in range(4)]
        k.unpack(sum(p << 15 * q for q, p in enumerate(patterns)), board)
        assert board.tolist() == patterns
        assert patterns_of(k.pack(board)) == patterns


def test_kernels_run_uncompiled():
    code = (
        "import numpy as np\n"
        "from pentad.pentago.engine import search_kernels as s\n"
        "for call in s.WARM_UP: call()\n"
        "print('done')"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True
    )
    assert ran.stdout == "done\n", ran.stderr[-2000:]
