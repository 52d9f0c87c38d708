"""Pentago as a graph grammar: the requirement document's first design, and the full rules.

`design1` checks for a line of any player at the start of each turn only. In `classic`, a placement that completes a
line ends the game before the twist; after the twist, all players with a line share the win. The winners get the flag
`won`.
"""

from __future__ import annotations

from pentad.game import Option
from pentad.games.pentago import rules as pentago_rules
from pentad.games.pentago.board import CLOCKWISE, Board, Twist
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import Graph
from pentad.grammar.models import board_games
from pentad.grammar.models.board_games import FLAGS, STYLES, BoardPlan
from pentad.grammar.models.model import choice, finding, grammar, model, rule

DESIGN1, CLASSIC = "design1", "classic"
PLAIN, RECIPE = "plain", "recipe"
TURNS = "rotateCW | rotateCCW"


def make(
    *,
    rules: str,
    style: str,
    control: str,
    rows: int,
    cols: int,
    block: int,
    line: int,
    players: int,
    rotate: bool,
    win_on_placement: bool,
    iso: bool,
) -> Grammar:
    """Returns the grammar with these options."""
    options = {"rows": rows, "cols": cols, "block": block, "line": line, "players": players}
    board = pentago_rules.Setup.of({**options, "win_on_placement": win_on_placement}).board
    plan = BoardPlan.of_pentago(board)
    wins = board_games.wins(plan, style, *(["cnew:flag:won"] if rules == CLASSIC else []))
    parts = [board_games.place("placeMarble", plan)]
    if rotate:
        parts += [_rotation(name, board, style, clockwise) for name, clockwise in (("rotateCW", 1), ("rotateCCW", 0))]
    parts += [board_games.next_turn(), *wins]
    if rules == CLASSIC:
        parts += [_both_win(), *([finding("won", "type:Player", "flag:won")] if control == RECIPE else [])]
        program = _classic_control(board_games.names(wins), control, rotate, win_on_placement)
    else:
        program = _design1_control(board_games.names(wins), control, rotate)
    name = f"{style}-{control}-{rows}x{cols}of{block}-win{line}-p{players}"
    name += "-norotate" * (not rotate) + "-noiso" * (not iso)
    if rules == CLASSIC:
        name = "classic-" + name + "-twist" * (not win_on_placement)
    won = ["flag:won"] if rules == CLASSIC else [rule.name for rule in wins]
    return grammar(name, _start(board, plan, players, style, rotate), parts, program, iso=iso, won=won)


# ── the board ────────────────────────────────────────────────────────────────────────────────────


def _start(board: Board, plan: BoardPlan, players: int, style: str, rotate: bool) -> Graph:
    graph = Graph("start")
    board_games.add_players(graph, players)
    spaces = (_flagged if style == FLAGS else _grouped)(graph, board, plan)
    (board_games.add_directions if style == FLAGS else board_games.add_lines)(graph, plan, spaces)
    if rotate:
        for here, there in _clockwise(board):
            graph.edge(spaces[here], "cw", spaces[there])
    return graph


def _flagged(graph: Graph, board: Board, plan: BoardPlan) -> list[str]:
    """Adds spaces with a flag that names their sub-board."""
    return [
        graph.node("type:Space", f"flag:sb{board.sub_board_of(*place) - 1}", at=plan.place(space))
        for space, place in enumerate(board.places)
    ]


def _grouped(graph: Graph, board: Board, plan: BoardPlan) -> list[str]:
    """Adds sub-boards, and spaces with an edge to their sub-board."""
    subs = [graph.node("type:Sub", at=_middle(board, plan, number)) for number in board.sub_boards]
    spaces = []
    for space, place in enumerate(board.places):
        node = graph.node("type:Space", at=plan.place(space))
        graph.edge(node, "in", subs[board.sub_board_of(*place) - 1])
        spaces.append(node)
    return spaces


def _middle(board: Board, plan: BoardPlan, number: int) -> tuple[float, float]:
    """The position of a sub-board's node: near its middle, beside the spaces."""
    top, left = board.corner(number)
    (x1, y1), (x2, y2) = (plan.place(board.space(top + away, left + away)) for away in (0, board.block - 1))
    aside = board_games.SPACE_PIXELS / 2 if board.block % 2 else 0
    return (x1 + x2) / 2 + aside, (y1 + y2) / 2 + aside


def _clockwise(board: Board) -> list[tuple[int, int]]:
    """Returns all pairs of spaces from which and to which a clockwise turn moves a marble."""
    pairs = (pair for number in board.sub_boards for pair in board.quarter_turns[Twist(number, CLOCKWISE)][1])
    return sorted((here.bit_length() - 1, there.bit_length() - 1) for here, there in pairs)


# ── rules ────────────────────────────────────────────────────────────────────────────────────────


def _rotation(name: str, board: Board, style: str, clockwise: int) -> Graph:
    """A quarter turn of one sub-board moves all its marbles."""
    graph = rule(name)
    if style == FLAGS:
        flags = ",".join(f"sb{number - 1}" for number in board.sub_boards)
        sub = graph.node("type:Space", f"flag:?x[{flags}]", at=(60, 60))
    else:
        sub = graph.node("type:Sub", "par:0", at=(60, 60))
    forall = graph.node("forall:", at=(300, 60))
    player = graph.node("type:Player", at=(300, 180))
    here = graph.node("type:Space", *(["flag:?x"] if style == FLAGS else []), at=(180, 280))
    there = graph.node("type:Space", at=(420, 280))
    if style != FLAGS:
        graph.edge(here, "in", sub)
    for node in (player, here, there):
        graph.edge(node, "@", forall)
    graph.move(player, "marble", here, there)
    graph.edge(*((here, "cw", there) if clockwise else (there, "cw", here)))
    return graph


def _both_win() -> Graph:
    """Two players have won: a shared win."""
    graph = rule("bothWin")
    one, other = (graph.node("type:Player", "flag:won", at=(60 + 160 * i, 60)) for i in range(2))
    graph.edge(one, "!=", other)
    return graph


# ── control ──────────────────────────────────────────────────────────────────────────────────────


def _design1_control(won: str, control: str, rotate: bool) -> str:
    turn = f"placeMarble; {f'({TURNS}); ' if rotate else ''}nextTurn; "
    if control == PLAIN:
        return f"alap {{ try {{ {won}; halt }} else {{ {turn}}} }}\n"
    return f"recipe move() {{ {turn}}}\nalap {{ try {{ {won}; halt }} else move(); }}\n"


def _classic_control(won: str, control: str, rotate: bool, win_on_placement: bool) -> str:
    """Returns the control program: place, check for lines, rotate, check again; all players with a line are marked."""
    shared = f"{won}; alap {{ {won}; }}"  # a rule finds each player once
    halt = " halt" if control == PLAIN else ""
    after = f"try {{ {shared if rotate else f'{won};'}{halt} }} else {{ nextTurn; }}"
    if rotate:
        after = f"({TURNS}); {after}"
        if win_on_placement:
            after = f"try {{ {won};{halt} }} else {{ {after} }}"
    turn = f"placeMarble; {after}"
    if control == PLAIN:
        return f"alap {{ {turn} }}\n"
    return f"recipe move() {{ {turn} }}\nalap {{ try {{ won; halt }} else {{ move(); }} }}\n"


_GAME = pentago_rules.GAME.options

PENTAGO = model(
    "pentago",
    "Pentago: a simplified design that checks for lines between turns, or the full rules",
    make,
    choice("rules", DESIGN1, {DESIGN1: "lines count at the start of a turn", CLASSIC: "as in the game"}),
    choice("style", FLAGS, STYLES),
    choice("control", PLAIN, {PLAIN: "every step is a transition", RECIPE: "every turn is one"}),
    *(_GAME[name] for name in ("rows", "cols", "block", "line")),
    board_games.PLAYERS,
    Option("rotate", True, "a turn includes a rotation of a sub-board"),
    _GAME["win_on_placement"],
    title="Pentago",
    game="pentago",
)
