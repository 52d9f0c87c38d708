"""A maze: a player picks up keys and makes for the exit; after each step a ghost that sees the player pounces.

To see is to be joined by a straight way, which a path finds; keys are deleted and counted in an attribute.
"""

from __future__ import annotations

from pentad.game import Option
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import Graph
from pentad.grammar.models.model import ISO, Model, grammar, rule, step, table

# P the player, G a ghost, K a key, E the exit, # a wall
PLANS = {
    "corner": ("P.K", ".#.", "G.E"),
    "court": ("P.#K.", "...#.", ".#G..", "K..#E"),
    "haunted": ("P.#G", "...K", ".#.#", "G..E"),
}
WAYS = {"east": (0, 1), "south": (1, 0), "west": (0, -1), "north": (-1, 0)}
NEXT_TO = "path:" + "|".join(WAYS)
IN_SIGHT = "path:" + "|".join(f"{way}+" for way in WAYS)
CONTROL = """alap {
    (walk | take);
    try { escape; halt }
    else {
        try { pounce; } else { try { drift; } }
        try { caught; halt }
    }
}
"""


def make(*, plan: str, iso: bool) -> Grammar:
    """The model with these options."""
    rows = PLANS[plan]
    keys = sum(row.count("K") for row in rows)
    ghosts = [_ghost_moves("pounce", IN_SIGHT, to_player=True), _ghost_moves("drift", NEXT_TO, to_player=False)]
    return grammar("maze", _start(rows), [_walk(), _take(), _escape(keys), *ghosts, _caught()], CONTROL, iso=iso)


def _start(rows: tuple[str, ...]) -> Graph:
    graph = Graph("start")
    cells = {}
    for y, row in enumerate(rows):
        for x, what in enumerate(row):
            if what != "#":
                says = [f"let:x = {x}", f"let:y = {y}", *(["flag:exit"] if what == "E" else [])]
                cells[y, x] = graph.node("type:Cell", *says, at=(60 + 150 * x, 60 + 130 * y))
    for (y, x), cell in cells.items():
        for way, (down, right) in WAYS.items():
            if (y + down, x + right) in cells:
                graph.edge(cell, way, cells[y + down, x + right])
    kinds = {"P": ("type:Player", "let:keys = 0"), "G": ("type:Ghost",), "K": ("type:Key",)}
    for (y, x), cell in cells.items():
        if rows[y][x] in kinds:
            graph.edge(graph.node(*kinds[rows[y][x]], at=(110 + 150 * x, 120 + 130 * y)), "at", cell)
    return graph


def _walk() -> Graph:
    """The player goes to a cell where no ghost is."""
    graph = rule("walk")
    player = graph.node("type:Player", at=(60, 60))
    here, there = (graph.node("type:Cell", at=(60 + 200 * i, 180)) for i in range(2))
    ghost = graph.node("not:", "type:Ghost", at=(260, 60))
    graph.edge(here, NEXT_TO, there)
    graph.edge(player, "del:at", here)
    graph.edge(player, "new:at", there)
    graph.edge(ghost, "at", there)
    return graph


def _take() -> Graph:
    """The player picks up the key that lies there."""
    graph = rule("take")
    player = graph.node("type:Player", "let:keys = keys + 1", at=(60, 60))
    cell = graph.node("type:Cell", at=(60, 180))
    key = graph.node("del:", "type:Key", at=(220, 120))
    graph.edge(player, "at", cell)
    graph.edge(key, "at", cell)
    return graph


def _escape(keys: int) -> Graph:
    """The player is at the exit with all the keys."""
    graph = step("escape")
    player = graph.node("type:Player", f"test:keys == {keys}", at=(60, 60))
    cell = graph.node("type:Cell", "flag:exit", at=(60, 180))
    graph.edge(player, "at", cell)
    return graph


def _ghost_moves(name: str, way: str, *, to_player: bool) -> Graph:
    """A ghost goes to another cell along some way."""
    graph = rule(name)
    ghost = graph.node("type:Ghost", at=(60, 60))
    here, there = (graph.node("type:Cell", at=(60 + 200 * i, 180)) for i in range(2))
    graph.edge(here, way, there)
    graph.edge(ghost, "del:at", here)
    graph.edge(ghost, "new:at", there)
    if to_player:
        graph.edge(graph.node("type:Player", at=(260, 60)), "at", there)
    return graph


def _caught() -> Graph:
    """A ghost is where the player is, who is gone."""
    graph = rule("caught")
    player = graph.node("del:", "type:Player", at=(60, 60))
    ghost = graph.node("type:Ghost", at=(220, 60))
    cell = graph.node("type:Cell", at=(140, 180))
    graph.edge(player, "at", cell)
    graph.edge(ghost, "at", cell)
    return graph


MAZE = Model(
    "maze",
    "a player, keys and ghosts that see along straight ways: paths, attributes, deletion",
    table(Option("plan", "corner", "the maze", allowed=tuple(PLANS)), ISO),
    make,
)
