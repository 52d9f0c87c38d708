"""Tic-tac-toe of any size: place a mark; a line of your own wins."""

from __future__ import annotations

from pentad.game import Option
from pentad.grammar.grammar import Grammar
from pentad.grammar.models import board_games
from pentad.grammar.models.board_games import STYLES, SYM, Plan
from pentad.grammar.models.model import ISO, Model, grammar, table
from pentad.pentago.rules import Setup


def make(*, rows: int, cols: int, line: int, players: int, style: str, iso: bool) -> Grammar:
    """The model with these options."""
    asked = {"rows": rows, "cols": cols, "block": 1, "line": line, "players": players}
    setup = Setup.of({**asked, "win_on_placement": True})
    plan = Plan.of_pentago(setup.board, stone="mark")
    start, *_ = board_games.start_of(plan, players, style)
    won = board_games.wins(plan, style)
    control = f"alap {{ place; try {{ {board_games.names(won)}; halt }} else {{ nextTurn; }} }}\n"
    return grammar(
        "tictactoe", start, [board_games.place("place", plan), board_games.next_turn(), *won], control, iso=iso
    )


TICTACTOE = Model(
    "tictactoe",
    "place a mark: a line of your own wins",
    table(
        Option("rows", 3, "spaces from top to bottom", 1, 20),
        Option("cols", 3, "spaces from left to right", 1, 20),
        Option("line", 3, "marks in a row that win", 2, 20),
        Option("players", 2, "how many play", 2, 6),
        Option("style", SYM, "; ".join(f"{name}: {what}" for name, what in STYLES.items()), allowed=tuple(STYLES)),
        ISO,
    ),
    make,
)
