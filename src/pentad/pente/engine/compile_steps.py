"""Compilation steps of the Pente engine, for a progress bar.

Kernels with explicit types compile when their module is imported. This module therefore imports each of them only at
its step, and callers prepare `KERNELS` of the package before they import any other module of the engine.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial

FOLDER = __name__.rpartition(".")[0]
IN_TURN = ("shape_kernels", "position_kernels", "threat_kernels", "search_kernels")


def _search() -> None:
    """Compiles all other kernels, by a search on an empty board and a call for those that only some rule sets need.

    The board and the rule set are the most common ones, so their tables are built only once.
    """
    from pentad.pente.engine.position_kernels import any_line
    from pentad.pente.engine.search import Engine, TranspositionTable
    from pentad.pente.engine.state import state_of
    from pentad.pente.rules import GAME, PentePosition

    start = GAME.new()
    assert isinstance(start, PentePosition)
    Engine(start, table=TranspositionTable(1 << 8), prepared=True).deepen(1)
    state = state_of(start)
    any_line(state.board, state.numbers, 0, True)


WARM_UP: list[Callable[[], object]] = [
    *(partial(importlib.import_module, f"{FOLDER}.{each}") for each in IN_TURN),
    _search,
]
