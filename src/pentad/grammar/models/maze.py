"""A maze with a player, keys and ghosts, as a graph grammar.

The player collects the keys and goes to the exit. After each step, a ghost in line of sight jumps to the player; a
path expression finds lines of sight. Taking a key deletes it and increments an attribute.
"""

from __future__ import annotations

from pentad.game import Option
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import Graph
from pentad.grammar.models.model import grammar, model, rule, step

# P: player, G: ghost, K: key, E: exit, #: wall
PLANS = {
    "corner": ("P.K", ".#.", "G.E"),
    "court": ("P.#K.", "...#.", ".#G..", "K..#E"),
    "haunted": ("P.#G", "...K", ".#.#", "G..E"),
}
DIRECTIONS = {"east": (0, 1), "south": (1, 0), "west": (0, -1), "north": (-1, 0)}
NEXT_TO = "path:" + "|".join(DIRECTIONS)
IN_SIGHT = "path:" + "|".join(f"{direction}+" for direction in DIRECTIONS)
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
    """Returns the grammar with these options."""
    rows = PLANS[plan]
    keys = sum(row.count("K") for row in rows)
    ghosts = [_ghost_moves("pounce", IN_SIGHT, to_player=True), _ghost_moves("drift", NEXT_TO, to_player=False)]
    return grammar("maze", _start(rows), [_walk(), _take(), _escape(keys), *ghosts, _caught()], CONTROL, iso=iso)


def _start(rows: tuple[str, ...]) -> Graph:
    graph = Graph("start")
    cells = {}
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            if sign != "#":
                labels = [f"let:x = {x}", f"let:y = {y}", *(["flag:exit"] if sign == "E" else [])]
                cells[y, x] = graph.node("type:Cell", *labels, at=(60 + 150 * x, 60 + 130 * y))
    for (y, x), cell in cells.items():
        for direction, (down, right) in DIRECTIONS.items():
            if (y + down, x + right) in cells:
                graph.edge(cell, direction, cells[y + down, x + right])
    kinds = {"P": ("type:Player", "let:keys = 0"), "G": ("type:Ghost",), "K": ("type:Key",)}
    for (y, x), cell in cells.items():
        if rows[y][x] in kinds:
            graph.edge(graph.node(*kinds[rows[y][x]], at=(110 + 150 * x, 120 + 130 * y)), "at", cell)
    return graph


def _walk() -> Graph:
    """The player walks to a cell without a ghost."""
    graph = rule("walk")
    player = graph.node("type:Player", at=(60, 60))
    here, there = (graph.node("type:Cell", at=(60 + 200 * i, 180)) for i in range(2))
    ghost = graph.node("not:", "type:Ghost", at=(260, 60))
    graph.edge(here, NEXT_TO, there)
    graph.move(player, "at", here, there)
    graph.edge(ghost, "at", there)
    return graph


def _take() -> Graph:
    """The player takes the key on the cell."""
    graph = rule("take")
    player = graph.node("type:Player", "let:keys = keys + 1", at=(60, 60))
    cell = graph.node("type:Cell", at=(60, 180))
    key = graph.node("del:", "type:Key", at=(220, 120))
    graph.edge(player, "at", cell)
    graph.edge(key, "at", cell)
    return graph


def _escape(keys: int) -> Graph:
    """The player is at the exit and has all keys."""
    graph = step("escape")
    player = graph.node("type:Player", f"test:keys == {keys}", at=(60, 60))
    cell = graph.node("type:Cell", "flag:exit", at=(60, 180))
    graph.edge(player, "at", cell)
    return graph


def _ghost_moves(name: str, path: str, *, to_player: bool) -> Graph:
    """A ghost moves along a path to another cell."""
    graph = rule(name)
    ghost = graph.node("type:Ghost", at=(60, 60))
    here, there = (graph.node("type:Cell", at=(60 + 200 * i, 180)) for i in range(2))
    graph.edge(here, path, there)
    graph.move(ghost, "at", here, there)
    if to_player:
        graph.edge(graph.node("type:Player", at=(260, 60)), "at", there)
    return graph


def _caught() -> Graph:
    """A ghost on the player's cell removes the player."""
    graph = rule("caught")
    player = graph.node("del:", "type:Player", at=(60, 60))
    ghost = graph.node("type:Ghost", at=(220, 60))
    cell = graph.node("type:Cell", at=(140, 180))
    graph.edge(player, "at", cell)
    graph.edge(ghost, "at", cell)
    return graph


MAZE = model(
    "maze",
    "a maze with keys and ghosts: path expressions, attributes, node deletion",
    make,
    Option("plan", "corner", "layout of the maze", allowed=tuple(PLANS)),
    title="The maze",
)
