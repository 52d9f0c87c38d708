"""Tic-tac-toe on a board of any size, as a graph grammar."""

from __future__ import annotations

from pentad.game import Option
from pentad.games.pentago.rules import Setup
from pentad.grammar.grammar import Grammar
from pentad.grammar.models import board_games
from pentad.grammar.models.board_games import STYLES, SYM, BoardPlan
from pentad.grammar.models.model import choice, grammar, model


def make(*, rows: int, cols: int, line: int, players: int, style: str, iso: bool) -> Grammar:
    """Returns the grammar with these options."""
    options = {"rows": rows, "cols": cols, "block": 1, "line": line, "players": players}
    setup = Setup.of({**options, "win_on_placement": True})
    plan = BoardPlan.of_pentago(setup.board, stone="mark")
    start, *_ = board_games.start_of(plan, players, style)
    wins = board_games.wins(plan, style)
    control = f"alap {{ place; try {{ {board_games.names(wins)}; halt }} else {{ nextTurn; }} }}\n"
    rules = [board_games.place("place", plan), board_games.next_turn(), *wins]
    return grammar("tictactoe", start, rules, control, iso=iso, won=[rule.name for rule in wins])


TICTACTOE = model(
    "tictactoe",
    "tic-tac-toe on a board of any size",
    make,
    Option("rows", 3, "spaces from top to bottom", 1, 20),
    Option("cols", 3, "spaces from left to right", 1, 20),
    Option("line", 3, "marks in a row that win", 2, 20),
    board_games.PLAYERS,
    choice("style", SYM, STYLES),
    title="Tic-tac-toe",
)
