"""The models `lines` (five in a row with early ties) and `pente` (with captures), as graph grammars.

Captured pairs are counted without numbers: each player has a token that moves along a chain, one node for each pair.
"""

from __future__ import annotations

from pentad.game import Option, OptionValue
from pentad.games.pente.board import AXES, Board
from pentad.games.pente.rulesets import FREE, Setup
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import Graph
from pentad.grammar.models import board_games
from pentad.grammar.models.board_games import DIRECTIONS, FLAGS, LEFT, SPACE_PIXELS, STYLES, SYM, TOP, BoardPlan
from pentad.grammar.models.model import finding, grammar, model, rule, step

MOST_PAIRS = 8  # pairs that one stone can capture, one in each direction
MOST_POINTS = 19
BRACKETS_PER_ROW = 20


# ── lines ────────────────────────────────────────────────────────────────────────────────────────


def make_lines(*, size: int, line: int, iso: bool) -> Grammar:
    """Returns the grammar of `lines`: a tie as soon as every line has stones of both players.

    Control tries the rule `tie` only if the turn cannot pass.
    """
    plan = BoardPlan.of_pente(Setup.of({"rules": "lines", "size": size, "line": line}).board)
    start, *_ = board_games.start_of(plan, 2, SYM)
    wins = board_games.wins(plan, SYM)
    names = board_games.names(wins)
    control = f"alap {{ place; try {{ {names}; halt }} else {{ try {{ nextTurn; }} else {{ tie; halt }} }} }}\n"
    rules = [board_games.place("place", plan), _next_if_open(), *wins, finding("tie", "type:Game")]
    return grammar("lines", start, rules, control, iso=iso, won=[rule.name for rule in wins])


def _next_if_open() -> Graph:
    """The turn passes if a line is open: one of the players has no stone on it, so the other can still complete it."""
    graph = board_games.next_turn()
    line = graph.node("type:Line", at=(380, 20))
    one = graph.node("type:Player", at=(380, 120))
    player = graph.node("type:Player", at=(520, 120))
    stone = graph.node("not:", "type:Point", at=(520, 20))
    graph.edge(one, "nextPlayer", player)
    graph.edge(line, "has", stone)
    graph.edge(player, "stone", stone)
    return graph


# ── captures ─────────────────────────────────────────────────────────────────────────────────────


def make_pente(*, size: int, line: int, capture_win: int, style: str, iso: bool) -> Grammar:
    """Returns the grammar of Pente: a pair of stones between two of the other colour is captured."""
    options: dict[str, OptionValue] = {"size": size, "line": line, "capture_win": capture_win}
    board = Setup.of({**options, "rules": "pente", "opening": FREE}).board
    plan = BoardPlan.of_pente(board)
    start, _, seats, points = board_games.start_of(plan, 2, style)
    has_capture_win = capture_win > 0
    if has_capture_win:
        _add_counts(start, seats, (capture_win + 1) // 2)
    if style == SYM:
        _add_brackets(start, board, points)
    captures = _captures(style, has_capture_win)
    wins = [*board_games.wins(plan, style), *([_enough_captures()] if has_capture_win else [])]
    capture_names, win_names = board_games.names(captures), board_games.names(wins)
    control = f"alap {{ place; #({capture_names}); try {{ {win_names}; halt }} else {{ nextTurn; }} }}\n"
    rules = [_place_and_mark(plan), *captures, _next_and_unmark(), *wins]
    return grammar("pente", start, rules, control, iso=iso, won=[rule.name for rule in wins])


def _add_counts(graph: Graph, seats: list[str], enough: int) -> None:
    """Adds the chain for the players' tokens; `enough` pairs win, but the last stone may capture more."""
    counts = [
        graph.node("type:Count", *(["flag:enough"] if pairs >= enough else []), at=(160, TOP + SPACE_PIXELS * pairs))
        for pairs in range(enough + MOST_PAIRS)
    ]
    graph.chain("then", counts)
    for seat in seats:
        graph.edge(seat, "taken", counts[0])


def _add_brackets(graph: Graph, board: Board, nodes: list[str]) -> None:
    """Adds a node for every four points in a row, in both directions: one end, the two between, the other end."""
    number = 0
    for column, row in board.stones:
        for right, up in (*AXES, *((-right, -up) for right, up in AXES)):
            four = [(column + i * right, row + i * up) for i in range(4)]
            if not board.on_board(*four[-1]):
                continue
            below, aside = divmod(number, BRACKETS_PER_ROW)
            bracket = graph.node(
                "type:Bracket", at=(LEFT + SPACE_PIXELS * aside, TOP + SPACE_PIXELS * (board.size + 8 + below))
            )
            number += 1
            for name, point in zip(("from", "first", "second", "to"), four, strict=True):
                graph.edge(bracket, name, nodes[board.point(*point)])


def _place_and_mark(plan: BoardPlan) -> Graph:
    """As in the other games; the game also marks the stone, because only the last stone captures."""
    graph = board_games.place("place", plan)
    game, _, point, _ = graph.nodes
    graph.edge(game, "new:last", point)
    return graph


def _next_and_unmark() -> Graph:
    graph = board_games.next_turn()
    last = graph.node("type:Point", at=(60, 180))
    graph.edge(next(iter(graph.nodes)), "del:last", last)
    return graph


def _captures(style: str, has_count: bool) -> list[Graph]:
    """Returns the rules that capture a pair bracketed by the last stone."""
    if style == SYM:
        graph, (here, one, two, there) = _capture("capture", has_count)
        bracket = graph.node("type:Bracket", at=(380, 300))
        for name, point in (("from", here), ("first", one), ("second", two), ("to", there)):
            graph.edge(bracket, name, point)
        return [graph]
    rules = []
    for name, backwards in (("captureAhead", False), ("captureBehind", True)):
        graph, row = _capture(name, has_count)
        first, *others = row[::-1] if backwards else row
        for label, point in zip((f"?way[{','.join(DIRECTIONS)}]", "?way", "?way"), others, strict=True):
            graph.edge(first, label, point)
            first = point
        rules.append(graph)
    return rules


def _capture(name: str, has_count: bool) -> tuple[Graph, list[str]]:
    """Returns the part of a capture that both styles share: the graph and its four points."""
    graph = rule(name)
    game = graph.node("type:Game", at=(60, 200))
    mover = graph.node("type:Player", at=(320, 60))
    other = graph.node("type:Player", at=(440, 60))
    row = [graph.node("type:Point", at=(200 + 120 * i, 200)) for i in range(4)]
    graph.edge(game, "currentPlayer", mover)
    graph.edge(mover, "nextPlayer", other)
    graph.edge(game, "last", row[0])
    graph.edge(mover, "stone", row[3])
    for point in row[1:3]:
        graph.edge(other, "del:stone", point)
    if has_count:
        before, after = (graph.node("type:Count", at=(60 + 120 * i, 60)) for i in range(2))
        graph.edge(before, "then", after)
        graph.move(mover, "taken", before, after)
    return graph, row


def _enough_captures() -> Graph:
    graph = step("winByCaptures")
    player = graph.node("type:Player", at=(60, 60))
    count = graph.node("type:Count", "flag:enough", at=(220, 60))
    graph.edge(player, "taken", count)
    return graph


_STYLE = Option("style", SYM, "; ".join(f"{name}: {text}" for name, text in STYLES.items()), allowed=(SYM, FLAGS))
_SIZE = Option("size", 3, "points along a side", 3, MOST_POINTS)
_LINE = Option("line", 3, "stones in a row that win", 2, MOST_POINTS)

LINES = model(
    "lines",
    "stones in a row; a tie as soon as no line can be completed",
    make_lines,
    _SIZE,
    _LINE,
    title="Five in a row: lines only",
    game="pente",
)

PENTE = model(
    "pente",
    "Pente: stones in a row or captured pairs win",
    make_pente,
    Option("size", 4, "points along a side", 3, MOST_POINTS),
    _LINE,
    Option("capture_win", 4, "captured stones that win, 0 for none", 0, 60),
    _STYLE,
    title="Pente",
    game="pente",
)
