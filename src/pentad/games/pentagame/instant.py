"""Pentagame in a page before Python is there: rules, and the tree bot at the levels with few visits."""

from __future__ import annotations

from typing import cast

from pentad.game import new
from pentad.games.instant import AtCall, BotLevel, InstantPage, arrays_of, for_hints
from pentad.games.pentagame import looks
from pentad.games.pentagame.engine import constants as k
from pentad.games.pentagame.engine.search import ENGINE, read
from pentad.kernels.buffers import typed, zeros
from pentad.kernels.types import Int16s, Int64s
from pentad.search import constants as s
from pentad.search.engine import tree_arrays
from pentad.search.levels import Level

COVERED = {number: level for number, level in ENGINE.levels.items() if level.nodes and not level.book}
HINT_NODES = 300  # more than any of these searches


def page() -> InstantPage:
    """The game with its default options."""
    here = new("pentagame")
    arrays = arrays_of(here)
    noise, contempt = cast("tuple[float, float]", (AtCall("noise"), AtCall("contempt")))
    settings = ENGINE.settings._replace(noise=noise, contempt=contempt)
    nodes = HINT_NODES * s.MAX_CHILDREN
    seen = zeros(cast(int, here.options["max_ply"]) + 2, Int64s)
    tree = tree_arrays(ENGINE, zeros(k.SIZE, Int64s), nodes, settings, seen, s.SearchControl())
    choice = k.ChoiceArrays(
        tree._replace(weights=typed(read()[here.players], Int16s)),
        s.SeenCounts(),
        zeros(looks.STEPS, Int64s),
        zeros(looks.STEPS, Int64s),
        zeros(k.SIZE, Int64s),
    )
    return InstantPage(
        here,
        "pentad.games.pentagame.instant_kernels",
        arrays.named(chance=choice.seeds, remembered=choice.counts.memory),
        arrays.calls | {"choose": (arrays.state, arrays.chosen, choice, AtCall("visits"))},
        (),
        "tree",
        {number: level_of(level) for number, level in COVERED.items()},
        level_of(for_hints(COVERED, HINT_NODES)),
    )


def level_of(level: Level) -> BotLevel:
    """A level in a page."""
    return BotLevel({"visits": level.nodes or 0, "noise": level.noise, "contempt": level.contempt})
