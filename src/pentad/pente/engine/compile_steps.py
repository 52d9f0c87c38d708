"""The steps in which the engine is compiled, so that whoever waits for it sees how far it is.

Kernels whose types are told compile as their module is read. So this one imports none of them before its turn comes,
and whoever wants the engine prepares it by `KERNELS` before importing anything else of it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial

KERNELS = __name__
FOLDER = KERNELS.rpartition(".")[0]
IN_TURN = ("shape_kernels", "position_kernels", "threat_kernels", "search_kernels")


def _search() -> None:
    """A search on an empty board, and what only other rule sets need: that is every kernel that is left.

    It is the board and the rule set that are asked for most, so that what they need is made but once.
    """
    from pentad.pente.engine.engine import Engine, Memory
    from pentad.pente.engine.position_kernels import any_line
    from pentad.pente.engine.state import state_of
    from pentad.pente.rules import GAME, PentePosition

    start = GAME.new()
    assert isinstance(start, PentePosition)
    Engine(start, memory=Memory(1 << 8), prepared=True).deepen(1)
    state = state_of(start)
    any_line(state.board, state.numbers, 0, True)


WARM_UP: list[Callable[[], object]] = [
    *(partial(importlib.import_module, f"{FOLDER}.{each}") for each in IN_TURN),
    _search,
]
