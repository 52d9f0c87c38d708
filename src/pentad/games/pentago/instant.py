"""Pentago in a page before Python is there: rules, and the engine at the levels with a depth alone."""

from __future__ import annotations

from pentad.game import new
from pentad.games.instant import AtCall, BotLevel, Call, DataFile, InstantPage, arrays_of, for_hints
from pentad.games.pentago.engine import constants as k
from pentad.games.pentago.engine import state
from pentad.games.pentago.engine.bots import LEVELS
from pentad.games.pentago.engine.search import arrays_of as search_arrays
from pentad.games.pentago.engine.search import table_of
from pentad.kernels.buffers import zeros
from pentad.kernels.npz import read_npz
from pentad.kernels.types import Float64s, Int16s
from pentad.search.levels import Level

COVERED = {number: level for number, level in LEVELS.items() if level.depth and not level.book}


def page() -> InstantPage:
    """The game with its default options."""
    here = new("pentago")
    arrays = arrays_of(here)
    tables, net = state.empty_tables(), state.empty_net()
    table = table_of(max(level.slots for level in COVERED.values()))
    choice = k.ChoiceArrays(
        search_arrays(tables.rules, net, table),
        tables.symmetries,
        zeros(max(level.among for level in COVERED.values()), Float64s),
    )
    parts = [{name: each.values for name, each in read_npz(file).items()} for file in state.files_of()]
    levels, patterns = zeros(k.WIDTH * k.LEVELS_OF_UNIT, Int16s), zeros(k.PATTERNS, Int16s)
    step, layer, heads = (parts[0][name] for name in ("step", "layer", "heads"))
    fill_rows = [
        ("fill_rows", (part["tables"], step, tables.symmetries, levels, patterns, net.rows, *marbles))
        for part, marbles in zip(parts, state.PARTS, strict=True)
    ]
    first = (
        ("fill_tables", state.filling(tables)),
        ("fill_heads", (layer, heads, net.layer, net.heads, net.direct)),
        fill_rows[0],
    )
    most = state.PARTS[0][1]  # a sub-board has no more marbles than the board
    choose: Call = (arrays.rules, arrays.state, arrays.chosen, choice, *map(AtCall, ("depth", "among", "noise")))
    return InstantPage(
        here,
        "pentad.games.pentago.instant_kernels",
        arrays.named(chance=choice.normal),
        arrays.calls | {"choose": choose},
        tuple(map(DataFile, state.files_of(), parts, (first, tuple(fill_rows[1:])))),
        "engine",
        {number: level_of(level, most) for number, level in COVERED.items()},
        level_of(for_hints(COVERED), most),
    )


def level_of(level: Level, most: int) -> BotLevel:
    """A level in a page, whose first file is for boards of so many marbles at most."""
    depth = level.depth or 0
    return BotLevel({"depth": depth, "among": level.among, "noise": level.noise}, until=most - depth)
