"""Pente in a page before Python is there: rules, and the engine at the levels with few nodes and no book."""

from __future__ import annotations

from pentad.game import new
from pentad.games.instant import AtCall, BotLevel, Call, DataFile, InstantPage, arrays_of, for_hints
from pentad.games.pente.engine import constants as k
from pentad.games.pente.engine import state as s
from pentad.games.pente.engine.bots import LEVELS, bound_of
from pentad.games.pente.engine.search import FEW_ENTRIES
from pentad.games.pente.engine.search import arrays_of as search_arrays
from pentad.games.pente.rules import PentePosition
from pentad.kernels.buffers import typed, zeros
from pentad.kernels.npz import read_npz
from pentad.kernels.types import Float64s, Int16s, Rows
from pentad.search.levels import Level

COVERED = {number: level for number, level in LEVELS.items() if level.nodes and level.noise and not level.book}


def page() -> InstantPage:
    """The game with its default options."""
    here = new("pente")
    assert isinstance(here, PentePosition)
    arrays, rules = arrays_of(here), here.rules
    file = s.file_of(s.learned_from(rules))
    stored = {name: each.values for name, each in read_npz(file).items()}
    reach = s.reach_of(rules)
    codes, swapped = 1 << 4 * reach, zeros(1 << 4 * reach, k.Codes)
    known = swapped[: len(s.row_numbers(reach)[1])]
    position = k.PositionArrays(
        zeros(k.BOARD, k.Codes),
        zeros(k.STATE, k.Words),
        zeros(codes, k.Codes),
        zeros(codes, k.Bytes),
        zeros(k.CLASSES, k.Words),
        zeros(codes + k.NAMES, k.Codes),
        zeros(k.KEPT, k.Words),
    )
    rows, orders = zeros(codes, k.Shorts), zeros(k.ROW_ORDERS + 2 * len(known), k.Shorts)
    vectors = zeros(len(stored["vectors"]) // k.WIDTH * k.ROW, Rows[Int16s])
    network = (typed(stored["others"], k.Codes), rows, vectors, typed(stored["head"], k.Codes), orders)
    choice = k.ChoiceArrays(
        search_arrays(position, network, zeros(2 * FEW_ENTRIES, k.Words)),
        s.numbers_without_stones(rules, here.board),
        zeros(1, k.Words),
        zeros(len(k.CLEARER) + k.COMPARED_MOVES, Float64s),
        zeros(k.COMPARED_MOVES, Float64s),
    )
    own = zeros(1 << 4 * (s.LONGEST_IN_CODES - 1), k.Codes)
    forms = position.entries, position.classes, position.sums, swapped
    setup = (
        ("fill", (*forms, reach, rules.line, rules.overline, rules.captures)),
        ("fill_rows", (own, rows, swapped, reach, s.LONGEST_IN_CODES - 1)),
        ("spread_values", (rows, stored["rows"], stored["shapes"], position.values)),
        ("fill_vectors", (stored["vectors"], known, vectors)),
        ("fill_orders", (stored["order"], known, orders)),
    )
    given = map(AtCall, ("nodes", "noise", "effort", "bound"))
    choose: Call = (arrays.rules, arrays.state, arrays.chosen, choice, *given)
    return InstantPage(
        here,
        "pentad.games.pente.instant_kernels",
        arrays.named(chance=choice.normal, remembered=choice.generation),
        arrays.calls | {"choose": choose},
        (DataFile(file, stored, setup),),
        "engine",
        {number: level_of(level) for number, level in COVERED.items()},
        level_of(for_hints(COVERED)),
    )


def level_of(level: Level) -> BotLevel:
    """A level in a page."""
    numbers = {"nodes": level.nodes or 0, "noise": level.noise, "effort": level.effort, "bound": bound_of(level)}
    return BotLevel(numbers)
