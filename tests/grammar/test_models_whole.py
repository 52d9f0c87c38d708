"""Whole boards, and thousands of games: the models, by the compiled engine, against the games' own rules."""

import random

import numpy as np
import pytest

from pentad.game import new as new_game
from pentad.grammar.compiled.constants import BATCH, SliceStats
from pentad.grammar.compiled.engine import FIRST_CAPACITY, CompiledRun, buffers_for, compile_system
from pentad.grammar.compiled.kernels import gather
from pentad.grammar.limits import Acceptor, Limits
from pentad.grammar.models import new
from pentad.grammar.system import prepare
from tests.grammar.whole_state_spaces import (
    CONDITIONS,
    LinesColumns,
    PentagoColumns,
    PenteColumns,
    Reading,
    Rules,
    Whole,
    arrays,
    same_turns,
    words_of,
)

# ── whole boards ─────────────────────────────────────────────────────────────────────────────────

SMALL = [
    ("lines", {"size": 3, "line": 2}, {}),
    ("lines", {"size": 3, "line": 3}, {}),
    ("pente", {"size": 3, "line": 2, "capture_win": 2}, {"style": "flags"}),
    ("pente", {"size": 3, "line": 3, "capture_win": 2}, {}),
    ("pentago", {"rows": 1, "cols": 1, "block": 2, "line": 2, "win_on_placement": False}, {"control": "recipe"}),
    ("pentago", {"rows": 1, "cols": 2, "block": 2, "line": 3}, {"control": "recipe", "style": "sym"}),
    ("pentago", {"rows": 1, "cols": 2, "block": 2, "line": 3, "players": 3}, {"style": "flags"}),
]
LARGER = [
    ("lines", {"size": 4, "line": 2}, {}),
    ("pente", {"size": 4, "line": 2, "capture_win": 2}, {}),
    ("pente", {"size": 4, "line": 2, "capture_win": 4}, {"style": "flags"}),
    ("pentago", {"rows": 1, "cols": 1, "block": 3, "line": 3}, {"style": "sym"}),
    ("pentago", {"rows": 2, "cols": 2, "block": 2, "line": 2}, {"style": "sym"}),
    ("pentago", {"rows": 2, "cols": 2, "block": 2, "line": 2, "win_on_placement": False}, {"control": "recipe"}),
]


def both(name, options, manner, plies=0):
    """A model and the rules, which begin alike: with no stones, or after some plies of a random game."""
    full = {"rules": "classic"} if name == "pentago" else {}
    named = {"rules": "lines"} if name == "lines" else {"opening": "free"} if name == "pente" else {}
    rules = Rules("pentago" if name == "pentago" else "pente", **options, **named)
    grammar = new(name, iso=False, **options, **manner, **full)
    if plies:
        rules.start = about_to_take(rules.start, plies)
        add_stones(grammar.start, rules.start.stones)
    whole = Whole(grammar)
    assert whole.keys(np.zeros(1, np.int64)) == [rules.key(rules.start)]
    return whole, rules


def about_to_take(start, plies):
    """A position of Pente in which stones can be taken, and none have been."""
    chance, here = random.Random(plies), start
    while here.ply < plies or not any(any(here.play(move).taken) for move in here.legal_moves):
        here = here.play(chance.choice(here.legal_moves))
        if here.outcome or here.ply > plies or any(here.taken):
            here = start
    return here


def add_stones(graph, stones):
    """Put stones on the board of a start graph."""
    kinds = ("Player", "Point")
    seats, points = ([node for node in graph.nodes if f"type:{kind}" in graph.labels(node)] for kind in kinds)
    for seat, mine in zip(seats, stones, strict=True):
        for number, point in enumerate(points):
            if mine >> number & 1:
                graph.edge(seat, "stone", point)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options", "manner"), [*SMALL, *(pytest.param(*case, marks=pytest.mark.slow) for case in LARGER)]
)
def test_all_positions_agree_with_the_rules(name, options, manner):
    whole, rules = both(name, options, manner)
    assert same_turns(whole, whole.beginnings(), rules) > 10


CAPTURES = [(3, 2, "flags"), (3, 4, "sym"), (4, 2, "sym"), (4, 6, "flags")]


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("line", "capture_win", "style", "plies"),
    [
        (3, 4, "sym", 10),
        (4, 2, "sym", 10),
        *(pytest.param(*case, plies, marks=pytest.mark.slow) for case in CAPTURES for plies in (6, 8)),
    ],
)
def test_all_positions_agree_after_some_plies(line, capture_win, style, plies):
    """Where lines of two win nothing is ever taken; and from the start longer lines lead to too many positions."""
    options = {"size": 4, "line": line, "capture_win": capture_win}
    whole, rules = both("pente", options, {"style": style}, plies)
    assert same_turns(whole, whole.beginnings(), rules) > 10


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options", "columns", "most"),
    [
        ("lines", {"size": 4, "line": 2}, LinesColumns, 1000),
        pytest.param("lines", {"size": 4, "line": 3}, LinesColumns, 50_000, marks=pytest.mark.slow),
        pytest.param("lines", {"size": 4, "line": 4}, LinesColumns, 50_000, marks=pytest.mark.slow),
        pytest.param("pente", {"size": 4, "line": 3, "capture_win": 2}, PenteColumns, 50_000, marks=pytest.mark.slow),
        pytest.param("pentago", {"line": 3}, PentagoColumns, 20_000, marks=pytest.mark.slow),
    ],
)
def test_every_position_of_several_boards(name, options, columns, most):
    """Too many for the rules: these are asked of some; of all, what they say written down once more for columns."""
    sizes = {"rows": 2, "cols": 2, "block": 2} if name == "pentago" else {}
    whole, rules = both(name, {**sizes, **options}, {})
    begins = whole.beginnings()
    assert same_turns(whole, np.random.default_rng(most).choice(begins, most, replace=False), rules) > most
    assert same_turns(whole, begins, columns(**options)) > len(begins)


# ── random games ─────────────────────────────────────────────────────────────────────────────────


class Steps:
    """A model of Pentago, step by step: what follows from states, a batch at a time."""

    def __init__(self, **options):
        self.compiled = compile_system(prepare(new("pentago", rules="classic", iso=False, **options)), False)
        self.reading = Reading(self.compiled)
        self.actions = [name for name, _ in self.compiled.labels]
        self.tables, self.stats = arrays(self.compiled.grammar), SliceStats()
        self.buffers = arrays(buffers_for(FIRST_CAPACITY, self.compiled.layout.width, self.compiled.grammar.rules))
        run = CompiledRun(self.compiled, Limits(), Acceptor(None, ()), None)
        self.start = words_of(run.table.states, self.compiled)[:1].copy()

    def follow(self, states):
        """For each state what leaves it: actions, and the states there."""
        assert len(states) <= BATCH
        room, width = self.buffers, self.compiled.layout.width
        size = gather(width, states.reshape(-1), 0, len(states), self.tables, room, self.stats)
        assert size == len(states)
        out, labels, found, first = room.out.states.reshape(-1, width), room.out.labels, [], 0
        for end in room.ends[:size].tolist():
            steps = [i for i in range(first, end) if self.actions[labels[i]] not in CONDITIONS]
            found.append(([self.actions[labels[i]] for i in steps], out[steps]))
            first = end
        return found

    def marbles(self, states):
        """Each seat's marbles in each state."""
        fields = (self.reading.of(states, field).tolist() for field in self.reading.stones)
        return list(zip(*fields, strict=True))

    def after(self, state):
        """The end of a turn whose steps are all done: who has won, or whose turn it is, and that state."""
        ((actions, states),) = self.follow(state)
        while actions and actions[0] != "nextTurn":
            assert all(action.startswith("win") for action in actions)
            state = states[:1]
            ((actions, states),) = self.follow(state)
        (marks,) = self.reading.of(state, self.reading.marks).tolist()
        if not actions:
            return ("over", marks), state
        assert (marks, len(actions)) == (0, 1)
        (turn,) = self.reading.of(states, self.reading.turn).tolist()
        return (("turn", turn) if self.follow(states)[0][0] else ("over", 0)), states


def summary(here):
    end = here.outcome
    return ("turn", 1 << here.turn) if end is None else ("over", sum(1 << seat for seat in end.winners))


def placements(steps, state, here):
    """Compare where marbles may go, and which of these placements win; for each the state and what leaves it."""
    ((actions, states),) = steps.follow(state)
    assert set(actions) == {"placeMarble"}
    placed = {after.marbles: after for after in (here.partial(choice.step) for choice in here.choices())}
    found = dict(zip(steps.marbles(states), zip(states, steps.follow(states), strict=True), strict=True))
    assert len(found) == len(states)
    assert found.keys() == placed.keys()
    for marbles, (row, (following, _)) in found.items():
        if placed[marbles].outcome is None:
            assert set(following) == {"rotateCW", "rotateCCW"}
        else:
            assert steps.after(row[None])[0] == summary(placed[marbles])
    return placed, found


def rotations(steps, rotated, placed):
    """Compare all rotations after a placement; for each position after one of them its state."""
    by_rules = {after.marbles: after for after in map(placed.play, placed.legal_moves)}
    ends = {marbles: steps.after(row[None]) for marbles, row in zip(steps.marbles(rotated), rotated, strict=True)}
    assert {marbles: end for marbles, (end, _) in ends.items()} == {m: summary(after) for m, after in by_rules.items()}
    return {after: ends[marbles][1] for marbles, after in by_rules.items()}


def play(steps, start, chance):
    """A random game; at each turn all placements are compared, and all rotations after one of them."""
    here, state = start, steps.start
    while here.outcome is None:
        placed, found = placements(steps, state, here)
        marbles = chance.choice(sorted(placed))
        rotated = found[marbles][1][1]
        if placed[marbles].outcome:
            return placed[marbles].outcome
        after = rotations(steps, rotated, placed[marbles])
        here, state = chance.choice(sorted(after.items(), key=lambda each: each[0].marbles))
    return here.outcome


PARTS = [(part, 1000) for part in range(11)]


@pytest.mark.slow
@pytest.mark.parametrize(("part", "games"), [(11, 1), *PARTS])
def test_random_games_on_the_classic_board_agree(part, games):
    """As the model has it that the part chooses: every other one with nodes for lines and sub-boards."""
    steps, start, chance = Steps(style=("flags", "sym")[part % 2]), new_game("pentago"), random.Random(part)
    reasons = {play(steps, start, chance).reason for _ in range(games)}
    assert "five" in reasons
