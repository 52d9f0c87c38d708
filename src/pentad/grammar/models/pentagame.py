"""Pentagame as a graph grammar: pieces move along free paths, swap, and place blocks.

A field's contents are loops: `free`, which path expressions use, or a flag `black` or `gray`. Pieces are nodes with an
edge to their field. Matching is injective (`matchInjective`). Three rules of the real game are missing: a player may
not repeat their own previous move; a round is played to its end; if a swap brings both pieces to their goals, the
other player's piece leaves immediately. Here it waits for its owner's turn.
"""

from __future__ import annotations

from collections.abc import Sequence

from pentad.game import Option
from pentad.games.pentagame.board import (
    CORNERS,
    EDGES,
    FIELDS,
    LINKS,
    MAINS,
    OFF_BOARD,
    PLAN,
    goal,
)
from pentad.games.pentagame.rules import GAME, HOME_WINS, PentagamePosition
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import Graph
from pentad.grammar.models.board_games import next_turn
from pentad.grammar.models.model import choice, grammar, model, rule, step

WHOLE, JUNCTIONS_AND_CORNERS, RING = "whole", "mains", "ring"
PARTS = {
    WHOLE: "the board of 100 fields",
    JUNCTIONS_AND_CORNERS: "corners and junctions only, without the stops between them",
    RING: "corners and arcs only, without goals",
}
STOP_PIXELS, CENTRE_PIXELS = 75.0, 980.0  # the board's centre is so far from the left and the top
WON = "won"  # the rule for who has won
FREE_PATH, PATH_TO_OCCUPIED = "path:(way.free)+", "path:(way.free)*.way"


def make(*, players: int, pieces: int, part: str, blocks: bool, iso: bool) -> Grammar:
    """Returns the grammar with these options; it starts at the first position of the game."""
    start = GAME.new(players=players)
    assert isinstance(start, PentagamePosition)
    return of_position(start, pieces=pieces, part=part, blocks=blocks, iso=iso)


def of_position(
    position: PentagamePosition, *, pieces: int = 5, part: str = WHOLE, blocks: bool = True, iso: bool = True
) -> Grammar:
    """Returns the grammar that starts at this position, which must be at the start of a turn."""
    with_goals = part != RING
    with_blocks = blocks and with_goals
    rules = [
        *_moves("move", ["del:free"], FREE_PATH),
        *(_moves("takeBlack", ["del:flag:black"], PATH_TO_OCCUPIED) if with_blocks else []),
        *(_moves("takeGray", ["del:flag:gray"], PATH_TO_OCCUPIED, to_pool=True) if with_blocks else []),
        _swap("swapOwn", own=True),
        *([_swap("swapOther", own=False)] if position.players > 1 else []),
        *([*_leaves(), _won(min(pieces, HOME_WINS))] if with_goals else []),
        *([_put("putBlack", "black"), _put_gray(), _shift_gray()] if with_blocks else []),
        next_turn(),
    ]
    start = _start(position, pieces, part, with_blocks)
    control = _control([each.name for each in rules], with_goals, with_blocks)
    won = [WON] if with_goals else []
    return grammar("pentagame", start, rules, control, iso=iso, injective=True, won=won)


# ── the board ────────────────────────────────────────────────────────────────────────────────────


def _start(position: PentagamePosition, pieces: int, part: str, blocks: bool) -> Graph:
    graph = Graph("start")
    game = graph.node("type:Game", at=(60, 60))
    seats = [graph.node("type:Player", at=(60, 160 + 100 * seat)) for seat in range(position.players)]
    graph.chain("nextPlayer", [*seats, seats[0]])
    graph.edge(game, "currentPlayer", seats[position.turn])
    fields = _add_fields(graph, position, pieces, part, blocks)
    for seat, player in enumerate(seats):
        _add_pieces(graph, position.pieces[seat][:pieces], seat, player, fields)
    if blocks:
        pool = [graph.node("type:Pool", at=(180 + 90 * count, 60)) for count in range(len(position.grays) + 1)]
        graph.chain("more", pool)
        graph.edge(game, "pool", pool[position.pool])
    return graph


def _links(part: str) -> list[tuple[int, int]]:
    """Returns the pairs of adjacent fields, each once."""
    if part == JUNCTIONS_AND_CORNERS:
        return [(edge.low, edge.high) for edge in EDGES]
    kept = set(range(len(FIELDS)))
    if part == RING:
        kept = set(CORNERS).union(*(edge.stops for edge in EDGES if edge.kind == "arc"))
    return [(one, other) for one in sorted(kept) for other in LINKS[one] if one < other and other in kept]


def fields_of(part: str) -> list[int]:
    """Returns the numbers of the fields of a part of the board."""
    return sorted({field for link in _links(part) for field in link})


def _add_fields(graph: Graph, position: PentagamePosition, pieces: int, part: str, blocks: bool) -> dict[int, str]:
    """Adds the fields of a part of the board, laid out as on the real one; empty fields are free."""
    links, numbers = _links(part), fields_of(part)
    blacks, grays = (position.blacks, position.grays) if blocks else ((), ())
    blocks_on = dict.fromkeys(blacks, "flag:black") | dict.fromkeys(grays, "flag:gray")
    occupied = {field: () for own in position.pieces for field in own[:pieces]}
    fields = {}
    for number in numbers:
        x, y, _ = PLAN.spots[number]
        contents = occupied.get(number, (blocks_on.get(number, "free"),))
        kind = [f"flag:{'corner' if number in CORNERS else 'junction'}"] if number in MAINS else []
        fields[number] = graph.node(
            "type:Field",
            *kind,
            *contents,
            at=(round(CENTRE_PIXELS + STOP_PIXELS * x), round(CENTRE_PIXELS - STOP_PIXELS * y)),
        )
    for one, other in links:
        graph.edge(fields[one], "way", fields[other])
        graph.edge(fields[other], "way", fields[one])
    return fields


def _add_pieces(graph: Graph, where: Sequence[int], seat: int, player: str, fields: dict[int, str]) -> None:
    """Adds a player's pieces, on their fields or home; `before` orders them, so that a swap of two matches once."""
    nodes: list[str] = []
    for colour, field in enumerate(where):
        home = ["flag:home"] if field == OFF_BOARD else []
        x, y = 2060 + 110 * seat, 60 + 110 * colour
        piece = graph.node("type:Piece", *home, at=(x, y))
        graph.edge(player, "has", piece)
        if not home:
            graph.edge(piece, "on", fields[field])
        if goal(colour) in fields:
            graph.edge(piece, "goal", fields[goal(colour)])
        for other in nodes:
            graph.edge(other, "before", piece)
        nodes.append(piece)


# ── rules ────────────────────────────────────────────────────────────────────────────────────────


def _piece_of_mover(graph: Graph) -> tuple[str, str, str]:
    """Adds the game, the player to move, and a piece of that player."""
    game = graph.node("type:Game", at=(60, 60))
    mover = graph.node("type:Player", at=(200, 60))
    piece = graph.node("type:Piece", at=(340, 60))
    graph.edge(game, "currentPlayer", mover)
    graph.edge(mover, "has", piece)
    return game, mover, piece


def _leave_field(graph: Graph, field: str, stack: bool) -> None:
    """Adds the effect on the field that a piece leaves: other pieces stay on it, or it becomes free."""
    if stack:
        other = graph.node("type:Piece", at=(180, 300))
        graph.edge(other, "on", field)
    else:
        graph.edge(field, "new:free", field)
        other = graph.node("not:", "type:Piece", at=(180, 300))
        graph.edge(other, "on", field)


def _moves(name: str, target_labels: Sequence[str], path: str, to_pool: bool = False) -> list[Graph]:
    """A piece moves along a path, from a field that it has alone or from a stack; a gray block returns to the pool."""
    rules = [_move(name + ("FromStack" if stack else ""), target_labels, path, stack) for stack in (False, True)]
    for graph in rules if to_pool else ():
        _move_pool(graph, 1)
    return rules


def _move(name: str, target_labels: Sequence[str], path: str, stack: bool) -> Graph:
    graph = rule(name)
    _, _, piece = _piece_of_mover(graph)
    here = graph.node("type:Field", at=(340, 180))
    target = graph.node("type:Field", *target_labels, at=(520, 180))
    graph.move(piece, "on", here, target)
    graph.edge(here, path, target)
    _leave_field(graph, here, stack)
    return graph


def _move_pool(graph: Graph, by: int) -> None:
    """Adds a change of the number of gray blocks in the pool: +1 or -1."""
    game = next(iter(graph.nodes))
    fewer, more = (graph.node("type:Pool", at=(60 + 120 * i, 420)) for i in range(2))
    graph.edge(fewer, "more", more)
    before, after = (fewer, more) if by > 0 else (more, fewer)
    graph.move(game, "pool", before, after)


def _swap(name: str, own: bool) -> Graph:
    """Two pieces swap."""
    graph = rule(name)
    _, mover, piece = _piece_of_mover(graph)
    partner = graph.node("type:Piece", at=(520, 60))
    if own:
        graph.edge(mover, "has", partner)
        graph.edge(piece, "before", partner)
    else:
        owner = graph.node("type:Player", at=(660, 60))
        graph.edge(owner, "has", partner)
    here, there = (graph.node("type:Field", at=(340 + 180 * i, 180)) for i in range(2))
    for one, before, after in ((piece, here, there), (partner, there, here)):
        graph.move(one, "on", before, after)
    graph.edge(here, PATH_TO_OCCUPIED, there)
    return graph


def _leaves() -> list[Graph]:
    """A piece on its goal leaves the board."""
    rules = []
    for stack in (False, True):
        graph = rule("leave" + ("Stack" if stack else ""))
        _, _, piece = _piece_of_mover(graph)
        field = graph.node("type:Field", at=(340, 180))
        graph.edge(piece, "goal", field)
        graph.edge(piece, "del:on", field)
        graph.edge(piece, "new:flag:home", piece)
        _leave_field(graph, field, stack)
        rules.append(graph)
    return rules


def _put(name: str, colour: str) -> Graph:
    """A block is placed on a free field."""
    graph = rule(name)
    graph.node("type:Game", at=(60, 60))
    graph.node("type:Field", "del:free", f"new:flag:{colour}", at=(220, 60))
    return graph


def _put_gray() -> Graph:
    graph = _put("putGray", "gray")
    _move_pool(graph, -1)
    return graph


def _shift_gray() -> Graph:
    """A gray block moves to another field; control uses this rule if the pool is empty."""
    graph = _put("shiftGray", "gray")
    graph.node("type:Field", "del:flag:gray", "new:free", at=(380, 60))
    return graph


def _won(pieces: int) -> Graph:
    """The player to move has that many pieces home."""
    graph = step(WON)
    game = graph.node("type:Game", at=(60, 60))
    mover = graph.node("type:Player", at=(200, 60))
    graph.edge(game, "currentPlayer", mover)
    home = [graph.node("type:Piece", "flag:home", at=(140 + 120 * i, 180)) for i in range(pieces)]
    for piece in home:
        graph.edge(mover, "has", piece)
    graph.chain("before", home)
    return graph


# ── control ──────────────────────────────────────────────────────────────────────────────────────

LEAVES, TAKES_BLACK = "leave | leaveStack", "takeBlack | takeBlackFromStack"
GRAY = "try { putGray; } else { shiftGray; }"
TURN_WITH_BLOCKS = f"""
    try {{ {LEAVES}; {GRAY} }}
    else {{
        choice {{
            %(moves)s;
            try {{ {LEAVES}; try {{ {LEAVES}; {GRAY} }} {GRAY} }}
        }} or {{
            {TAKES_BLACK};
            try {{ {LEAVES}; putBlack; {GRAY} }} else {{ putBlack; }}
        }}
    }}
    try {{ won; halt }} else {{ nextTurn; }}
"""
TURN_WITHOUT_BLOCKS = f"""
    try {{ {LEAVES}; }} else {{ %(moves)s; try {{ {LEAVES}; try {{ {LEAVES}; }} }} }}
    try {{ won; halt }} else {{ nextTurn; }}
"""
TURN_WITHOUT_GOALS = """
    %(moves)s;
    nextTurn;
"""


def _control(rules: Sequence[str], goals: bool, blocks: bool) -> str:
    """Returns the control program of a turn: a piece on its goal leaves, or a piece moves; then blocks are placed."""
    turn = TURN_WITH_BLOCKS if blocks else TURN_WITHOUT_BLOCKS if goals else TURN_WITHOUT_GOALS
    moves = " | ".join(name for name in rules if name.startswith(("move", "swap", "takeGray")))
    return f"alap {{{turn % {'moves': moves}}}}\n"


PENTAGAME = model(
    "pentagame",
    "Pentagame: pieces move along free paths, swap, and place blocks",
    make,
    Option("players", 2, "number of players", 2, 5),
    Option("pieces", 5, "pieces of each player", 1, 5),
    choice("part", WHOLE, PARTS),
    Option("blocks", True, "play with black and gray blocks, if the part has goals"),
    title="Pentagame",
    game="pentagame",
)
