"""Conversion of a model's graphs to positions of the game, and of its transitions to targets on the board.

Graphs between the steps of a turn have a position too: after a placement, before the turn passes, it is the position
that the next player sees. Models that are not games have no board here, and neither have options that no board of the
game has.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

from pentad.game import Position
from pentad.games.pentagame.board import FIELDS, OFF_BOARD
from pentad.games.pentagame.rules import GAME as PENTAGAME
from pentad.games.pentagame.rules import PentagamePosition, piece_target
from pentad.games.pentago.board import ANTICLOCKWISE, CLOCKWISE, Twist
from pentad.games.pentago.notation import COLOURS
from pentad.games.pentago.rules import PentagoPosition
from pentad.games.pentago.rules import Setup as PentagoSetup
from pentad.games.pente.rules import PentePosition
from pentad.games.pente.rulesets import FREE
from pentad.games.pente.rulesets import Setup as PenteSetup
from pentad.grammar.graph import Graph
from pentad.grammar.models.board_games import FLAGS
from pentad.grammar.models.pentagame import WHOLE
from pentad.grammar.models.pentago import CLASSIC

Options = Mapping[str, Any]
Matched = Sequence[str]  # the images of a rule's nodes in the graph, in the rule's order
ROTATIONS = {"rotateCW": CLOCKWISE, "rotateCCW": ANTICLOCKWISE}
PIECES = 5


@dataclass(frozen=True, slots=True)
class ModelBoard:
    """A model's board: converts graphs to positions, and matches to targets in the drawing of the board.

    `names` are the board's names of the nodes that are places on it. `position` gets a graph and the actions that are
    possible there. `targets` gets an action and its match and returns the names of what to touch on the board.
    `sub_boards` has the numbers of the sub-boards for their nodes and spaces.
    """

    names: Mapping[str, str]
    position: Callable[[Graph, Collection[str]], Position]
    targets: Callable[[str, Matched], tuple[str, ...]]
    sub_boards: Mapping[str, int] = dataclasses.field(default_factory=dict)


def board_of(model: str, options: Options, start: Graph) -> ModelBoard | None:
    """Returns the board of a model with these options (all of them) and this start graph; None if it has none."""
    make = BOARDS.get(model)
    return None if make is None else make(options, start)


def numbered(graph: Graph, *kinds: str) -> Iterator[dict[str, int]]:
    """Yields the nodes of each of these types, numbered from 0 in the graph's order."""
    for kind in kinds:
        found = {edge.source for edge in graph.edges if edge.label == f"type:{kind}"}
        yield {node: number for number, node in enumerate(node for node in graph.nodes if node in found)}


def pairs(graph: Graph, label: str) -> list[tuple[str, str]]:
    """Returns the ends of all edges with a label."""
    return [(edge.source, edge.target) for edge in graph.edges if edge.label == label]


def stones(graph: Graph, label: str, seats: Mapping[str, int], places: Mapping[str, int]) -> tuple[int, ...]:
    """Returns each seat's stones on the board, as a bit set."""
    found = [0] * len(seats)
    for player, place in pairs(graph, label):
        found[seats[player]] |= 1 << places[place]
    return tuple(found)


def placement_targets(action: str, names: Mapping[str, str]) -> Callable[[str, Matched], tuple[str, ...]]:
    """Returns a `targets` function: the place of a placement, and nothing for other actions."""

    def targets(name: str, nodes: Matched) -> tuple[str, ...]:
        return tuple(names[node] for node in nodes if node in names) if name == action else ()

    return targets


# ── Pentago ──────────────────────────────────────────────────────────────────────────────────────


def _pentago(options: Options, start: Graph) -> ModelBoard | None:
    """Returns the board, which has colours for six players."""
    if options["players"] > len(COLOURS):
        return None
    wins_at_once = options["rules"] == CLASSIC and options["win_on_placement"]
    setup = PentagoSetup.of({**options, "win_on_placement": wins_at_once})
    seats, spaces, subs = numbered(start, "Player", "Space", "Sub")
    names = {node: str(setup.board.places[space]) for node, space in spaces.items()}
    if options["style"] == FLAGS:
        sub_boards = {node: setup.board.sub_board_of(*setup.board.places[space]) for node, space in spaces.items()}
    else:
        sub_boards = {node: number + 1 for node, number in subs.items()}
    placements = placement_targets("placeMarble", names)

    def position(graph: Graph, actions: Collection[str]) -> Position:
        return PentagoPosition(
            setup, stones(graph, "marble", seats, spaces), placed=not ROTATIONS.keys().isdisjoint(actions)
        )

    def targets(action: str, nodes: Matched) -> tuple[str, ...]:
        if action not in ROTATIONS:
            return placements(action, nodes)
        return tuple(str(Twist(sub_boards[node], ROTATIONS[action])) for node in nodes if node in sub_boards)

    named = {**{node: f"sub-board {number}" for node, number in sub_boards.items()}, **names}
    return ModelBoard(named, position, targets, sub_boards)


# ── Pente, lines and tic-tac-toe ─────────────────────────────────────────────────────────────────


def _on_points(
    rules: str, names: Sequence[str], options: Options, start: Graph, space: str = "Point", stone: str = "stone"
) -> ModelBoard:
    """Returns the board of a game on points, with these rules of Pente and the options with these names."""
    setup = PenteSetup.of({"opening": FREE, "rules": rules, **{name: options[name] for name in names}})
    seats, points, counts = numbered(start, "Player", space, "Count")
    places = {node: str(setup.board.stones[point]) for node, point in points.items()}

    def position(graph: Graph, _: Collection[str]) -> Position:
        on_board = cast(tuple[int, int], stones(graph, stone, seats, points))
        tokens = dict(pairs(graph, "taken"))
        taken = [2 * counts[tokens[player]] if player in tokens else 0 for player in seats]
        last = [points[point] for _, point in pairs(graph, "last")]
        return PentePosition(
            setup,
            on_board,
            (taken[0], taken[1]),
            ply=sum(map(int.bit_count, on_board)) + sum(taken),
            last=last[0] if last else None,
        )

    return ModelBoard(places, position, placement_targets("place", places))


def _tictactoe(options: Options, start: Graph) -> ModelBoard | None:
    """Returns the board as one of Pente's if it is square and has two players."""
    size = options["rows"]
    if options["cols"] != size or size < 3 or options["players"] != 2:
        return None
    return _on_points("lines", ("size", "line"), {**options, "size": size}, start, "Space", "mark")


# ── Pentagame ────────────────────────────────────────────────────────────────────────────────────

DUE = {"putBlack": "black", "putGray": "gray", "shiftGray": "gray"}


def _pentagame(options: Options, start: Graph) -> ModelBoard | None:
    if options["part"] != WHOLE or options["pieces"] != PIECES or not options["blocks"]:
        return None
    first = PENTAGAME.new(players=options["players"])
    assert isinstance(first, PentagamePosition)
    seats, fields, pool, numbers = numbered(start, "Player", "Field", "Pool", "Piece")
    pieces = {node: divmod(number, PIECES) for node, number in numbers.items()}
    field_names = {node: str(FIELDS[field]) for node, field in fields.items()}
    piece_names = {node: piece_target(*which) for node, which in pieces.items()}

    def position(graph: Graph, actions: Collection[str]) -> Position:
        where = [[OFF_BOARD] * PIECES for _ in seats]
        for piece, field in pairs(graph, "on"):
            seat, colour = pieces[piece]
            where[seat][colour] = fields[field]
        ((_, mover),) = pairs(graph, "currentPlayer")
        due = dict.fromkeys(colour for action, colour in DUE.items() if action in actions)
        return replace(
            first,
            pieces=tuple(map(tuple, where)),
            blacks=_filled([fields[node] for node, _ in pairs(graph, "flag:black")], len(first.blacks)),
            grays=_filled([fields[node] for node, _ in pairs(graph, "flag:gray")], len(pool) - 1),
            seat=seats[mover],
            due=tuple(due),
        )

    def targets(action: str, nodes: Matched) -> tuple[str, ...]:
        named = [piece_names[node] for node in nodes if node in piece_names]
        places = [field_names[node] for node in nodes if node in field_names]
        if action in DUE:
            return tuple(reversed(places))  # the block's field, if it is on the board, then its destination
        if action.startswith("swap"):
            return tuple(named[:2])
        if action.startswith("leave"):
            return tuple(named[:1])
        return (named[0], places[-1]) if action.startswith(("move", "take")) else ()

    return ModelBoard({**field_names, **piece_names}, position, targets)


def _filled(fields: list[int], size: int) -> tuple[int, ...]:
    """Returns the fields of that many blocks; the rest are off the board."""
    return (*sorted(fields), *[OFF_BOARD] * (size - len(fields)))


BOARDS: Mapping[str, Callable[[Options, Graph], ModelBoard | None]] = {
    "pentago": _pentago,
    "tictactoe": _tictactoe,
    "lines": partial(_on_points, "lines", ("size", "line")),
    "pente": partial(_on_points, "pente", ("size", "line", "capture_win")),
    "pentagame": _pentagame,
}
