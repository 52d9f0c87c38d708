"""Parts that the board games' models share: start graphs, and the rules to place, to win and to pass the turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pentad.game import Option
from pentad.games.pentago.board import Board as PentagoBoard
from pentad.games.pentago.board import spaces_of
from pentad.games.pentago.rules import MOST_SPACES
from pentad.games.pente.board import Board as PenteBoard
from pentad.games.pente.board import points_of
from pentad.grammar.graph import Graph
from pentad.grammar.models.model import rule, step

SPACE_PIXELS, GAP_PIXELS = 80, 30  # sub-boards have a gap between them
LEFT, TOP = 260, 60  # position of the first space
DIRECTIONS = {"h": (0, 1), "v": (1, 0), "d": (1, 1), "a": (1, -1)}  # rows down and columns right
WINS = {"h": "winH", "v": "winV", "d": "winD", "a": "winA"}
FLAGS, SYM = "flags", "sym"
# A graph has no colours to run out of; on the largest board this many players place one marble each.
PLAYERS = Option("players", 2, "number of players", 2, MOST_SPACES)
STYLES = {
    FLAGS: "edges h, v, d and a join the spaces, and every sub-board has its own flag",
    SYM: "lines and sub-boards are nodes, so that symmetric positions are isomorphic",
}


@dataclass(frozen=True)
class BoardPlan:
    """Spaces of a board, numbered row by row, and its lines."""

    height: int
    width: int
    line: int
    lines: tuple[tuple[int, ...], ...]
    block: int = 0  # spaces along the side of a sub-board
    upward: bool = False  # whether the first row is drawn at the bottom
    space: str = "Space"
    stone: str = "marble"

    @classmethod
    def of_pentago(cls, board: PentagoBoard, stone: str = "marble") -> BoardPlan:
        lines = tuple(tuple(spaces_of(line)) for line in board.lines)
        return cls(board.height, board.width, board.line, lines, board.block if board.block > 1 else 0, stone=stone)

    @classmethod
    def of_pente(cls, board: PenteBoard) -> BoardPlan:
        lines = tuple(tuple(points_of(line.points)) for line in board.lines)
        return cls(board.size, board.size, board.line, lines, upward=True, space="Point", stone="stone")

    @property
    def size(self) -> int:
        return self.height * self.width

    def neighbours(self, space: int) -> Iterator[tuple[str, int]]:
        """Yields the neighbours of a space, each after the name of its direction."""
        row, column = divmod(space, self.width)
        for name, (down, right) in DIRECTIONS.items():
            if row + down < self.height and 0 <= column + right < self.width:
                yield name, (row + down) * self.width + column + right

    def place(self, space: int) -> tuple[float, float]:
        """Returns the position of a space in the drawing."""
        row, column = divmod(space, self.width)
        if self.upward:
            row = self.height - 1 - row
        gaps = (column // self.block, row // self.block) if self.block else (0, 0)
        return LEFT + column * SPACE_PIXELS + gaps[0] * GAP_PIXELS, TOP + row * SPACE_PIXELS + gaps[1] * GAP_PIXELS

    @property
    def right(self) -> float:
        """The right edge of the board in the drawing."""
        return self.place(self.width - 1)[0]


# ── the start graph ──────────────────────────────────────────────────────────────────────────────


def add_players(graph: Graph, players: int) -> tuple[str, list[str]]:
    """Adds the game and a ring of players; the first is to move."""
    game = graph.node("type:Game", at=(60, TOP))
    seats = [graph.node("type:Player", at=(60, TOP + SPACE_PIXELS * (i + 1))) for i in range(players)]
    graph.chain("nextPlayer", [*seats, seats[0]])
    graph.edge(game, "currentPlayer", seats[0])
    return game, seats


def add_directions(graph: Graph, plan: BoardPlan, spaces: Sequence[str]) -> None:
    """Adds edges from every space to its neighbours, labelled with the direction."""
    for space in range(plan.size):
        for name, neighbour in plan.neighbours(space):
            graph.edge(spaces[space], name, spaces[neighbour])


def add_lines(graph: Graph, plan: BoardPlan, spaces: Sequence[str]) -> None:
    """Adds a node for every line, with edges to its spaces, to the right of the board."""
    for number, line in enumerate(plan.lines):
        column, row = divmod(number, max(plan.height, 8))
        node = graph.node("type:Line", at=(plan.right + SPACE_PIXELS * (2 + column), TOP + SPACE_PIXELS * row))
        for space in line:
            graph.edge(node, "has", spaces[space])


def start_of(plan: BoardPlan, players: int, style: str) -> tuple[Graph, str, list[str], list[str]]:
    """Returns a start graph without sub-boards, and its nodes: the game, the players and the spaces."""
    graph = Graph("start")
    game, seats = add_players(graph, players)
    spaces = [graph.node(f"type:{plan.space}", at=plan.place(space)) for space in range(plan.size)]
    (add_directions if style == FLAGS else add_lines)(graph, plan, spaces)
    return graph, game, seats, spaces


# ── rules ────────────────────────────────────────────────────────────────────────────────────────


def place(name: str, plan: BoardPlan) -> Graph:
    """The player to move places a stone on an empty space."""
    graph = rule(name)
    game = graph.node("type:Game", at=(60, 60))
    mover = graph.node("type:Player", at=(200, 60))
    space = graph.node(f"type:{plan.space}", at=(340, 60))
    other = graph.node("not:", "type:Player", at=(480, 60))
    graph.edge(game, "currentPlayer", mover)
    graph.edge(mover, f"new:{plan.stone}", space)
    graph.edge(other, plan.stone, space)
    return graph


def next_turn() -> Graph:
    """The turn passes to the next player."""
    graph = rule("nextTurn")
    game = graph.node("type:Game", at=(60, 60))
    mover = graph.node("type:Player", at=(220, 20))
    following = graph.node("type:Player", at=(220, 120))
    graph.edge(game, "del:currentPlayer", mover)
    graph.edge(mover, "nextPlayer", following)
    graph.edge(game, "new:currentPlayer", following)
    return graph


def wins(plan: BoardPlan, style: str, *labels: str) -> list[Graph]:
    """Returns the rules that find a complete line of one player and give the player these labels."""
    if style == FLAGS:
        return [_win_along(direction, plan, labels) for direction in DIRECTIONS]
    return [_win_of_a_line(plan, labels)]


def _win_along(direction: str, plan: BoardPlan, labels: tuple[str, ...]) -> Graph:
    """A player has stones on enough spaces in a row in one direction."""
    graph = step(WINS[direction])
    down, right = DIRECTIONS[direction]
    player = graph.node("type:Player", *labels, at=(60, 60 + SPACE_PIXELS * plan.line / 2))
    before = ""
    for i in range(plan.line):
        column = i * right + (plan.line - 1 if right < 0 else 0)
        space = graph.node(f"type:{plan.space}", at=(240 + SPACE_PIXELS * column, 60 + SPACE_PIXELS * i * down))
        graph.edge(player, plan.stone, space)
        if before:
            graph.edge(before, direction, space)
        before = space
    return graph


def _win_of_a_line(plan: BoardPlan, labels: tuple[str, ...]) -> Graph:
    """A player has stones on all spaces of a line."""
    graph = step("win")
    player = graph.node("type:Player", *labels, at=(60, 60))
    line = graph.node("type:Line", at=(60, 180))
    forall = graph.node("forall:", at=(360, 180))
    exists = graph.node("exists=e:", at=(360, 60))
    space = graph.node(f"type:{plan.space}", at=(220, 120))
    graph.edge(exists, "in", forall)
    graph.edge(space, "@", forall)
    graph.edge(line, "has", space)
    graph.edge(player, f"use=e:{plan.stone}", space)
    return graph


def names(rules: Sequence[Graph]) -> str:
    """Returns a choice among these rules, in the syntax of control programs."""
    return " | ".join(graph.name for graph in rules)
