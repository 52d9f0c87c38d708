"""Helpers of the engine's tests: random positions, a random net."""

import random

import numpy as np

import pentad
from pentad.games.pentago.engine import constants as k
from pentad.games.pentago.engine import net_kernels
from pentad.games.pentago.engine.state import key_of
from training.pentago.learn import net_of


def random_position(seed, most=30, **options):
    """A position of classic Pentago before its end, by random play."""
    rng = random.Random(seed)
    position = pentad.new("pentago", **options)
    for _ in range(rng.randrange(most)):
        after = position.play(position.legal_moves[rng.randrange(len(position.legal_moves))])
        if after.outcome:
            break
        position = after
    return position


def any_net(seed=1):
    """A random net."""
    rng = np.random.default_rng(seed)
    parts = rng.normal(0, 0.3, (4, k.PATTERNS, k.WIDTH)).astype(np.float32)
    layer = rng.normal(0, 0.3, (k.WIDTH, k.DEEP)).astype(np.float32)
    return net_of(parts, layer, rng.normal(0, 0.3, (k.BUCKETS, k.HEAD)).astype(np.float32))


def as_arrays(net):
    """The arrays of a net, with their rows."""
    rows, layer, heads, direct = map(np.asarray, net)
    return (
        rows.reshape(4, k.PATTERNS, k.ROW),
        layer.reshape(-1, 2 * k.DEEP),
        heads.reshape(-1, k.WHOLE_HEAD),
        direct.reshape(-1, k.WIDTH),
    )


def score(net, position):
    """The evaluation of a position by the kernels."""
    parts, units = np.zeros((2, k.ROW), np.int16), np.zeros(k.WIDTH, np.int16)
    board = np.array(patterns_of(key_of(position)))
    return net_kernels.evaluate(board, position.ply, net, parts, units)


def patterns_of(key):
    """The four sub-boards of a key, as ints."""
    return [int(key) >> 15 * q & (1 << 15) - 1 for q in range(4)]
