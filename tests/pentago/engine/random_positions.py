"""Helpers of the engine's tests: random positions, a random net."""

import random

import numpy as np

import pentad
from pentad.pentago.engine import net_kernels as n
from pentad.pentago.engine.net_kernels import net_of


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
    parts = rng.normal(0, 0.3, (4, 3**9, n.WIDTH)).astype(np.float32)
    layer = rng.normal(0, 0.3, (n.WIDTH, n.DEEP)).astype(np.float32)
    return net_of(parts, layer, rng.normal(0, 0.3, (n.BUCKETS, n.HEAD)).astype(np.float32))


def patterns_of(key):
    """The four sub-boards of a key, as ints."""
    return [int(key) >> 15 * q & (1 << 15) - 1 for q in range(4)]
