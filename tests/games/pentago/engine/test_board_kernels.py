"""The engine's kernels, compared with the rules."""

import random

import numpy as np
import pytest

from pentad.games.pentago import bot
from pentad.games.pentago.engine import board_kernels as k
from pentad.games.pentago.engine.constants import ROOM
from pentad.games.pentago.engine.state import canonical_key, key_of, move_of, tables
from tests.cases import together
from tests.games.pentago.engine.random_positions import patterns_of, random_position
from tests.programs import run

BUFFERS = (np.zeros(ROOM, np.int64), np.zeros(ROOM, np.int64), np.zeros(ROOM, np.int64))


def boards_after(position):
    """The boards after each whole turn, by the rules."""
    return {key_of(position.play(move)): move for move in position.legal_moves}


@pytest.mark.slow
@together("seed", range(40))
def test_turns_agree_with_the_rules(seed):
    position = random_position(seed, win_on_placement=False)
    keys, turns, room = BUFFERS
    count = k.results(np.array(patterns_of(key_of(position))), tables().rules, keys, turns, room)
    assert set(keys[:count].tolist()) == set(boards_after(position)), position.text
    assert len(set(keys[:count].tolist())) == count
    for key, turn in zip(keys[:count].tolist(), turns[:count].tolist(), strict=True):
        assert key_of(position.play(move_of(turn))) == key


@together("seed", range(20))
def test_fives_agree_with_the_rules(seed):
    position = random_position(seed, most=36)
    ended = 0
    for move in position.legal_moves:
        if len(move) == 1:
            continue
        after = position.play(move)
        found = k.fives(np.array(patterns_of(key_of(after))), tables().rules)
        lines = [after.board.has_line(after.marbles[seat]) for seat in (after.turn, 1 - after.turn)]
        assert found == lines[0] + 2 * lines[1], after.text
        ended += found > 0
    assert ended < len(position.legal_moves)


@pytest.mark.slow
@pytest.mark.parametrize("placement", [True, False])
def test_can_win_agrees_with_the_rules(placement):
    wins = 0
    for seed in range(300):
        position = random_position(seed, most=36, win_on_placement=placement)
        found = k.can_win(*patterns_of(key_of(position)), int(placement), tables().rules)
        assert bool(found) == bot.can_win(position), position.text
        wins += bool(found)
    assert 20 < wins < 280


def test_symmetric_boards_have_one_canonical_key():
    for seed in range(30):
        position = random_position(seed)
        images = {canonical_key(key_of(way.position(position))) for way in position.symmetries}
        assert len(images) == 1


def test_keys_unpack():
    rng, board = random.Random(1), np.zeros(4, np.int64)
    for _ in range(50):
        patterns = [rng.randrange(3**9) for _ in range(4)]
        key = sum(p << 15 * q for q, p in enumerate(patterns))
        k.unpack(key, board)
        assert board.tolist() == patterns_of(key) == patterns


@pytest.mark.slow
@pytest.mark.parametrize("depth", [1, 2])
def test_kernels_run_without_the_jit(depth):
    code = (
        "import numpy as np; np.seterr(all='ignore')\n"
        "from pentad.games.pentago.engine.search import RootSearch\n"
        "from tests.games.pentago.engine.test_search import any_net, late\n"
        "search = RootSearch(late(1), any_net(), 16)\n"
        f"search.deepen({depth})\n"
        "print('done')"
    )
    assert run(code, NUMBA_DISABLE_JIT="1")[0] == "done"
