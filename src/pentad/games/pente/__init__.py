"""Pente and its variants: five in a row, with and without captures."""

from pentad.games.pente.beam import options_help
from pentad.games.pente.line_strategies import PenteGame
from pentad.games.pente.predicates import (
    choose_move,
    display_game,
    evaluate_board,
    from_position,
    game,
    game_over,
    move,
    reevaluate_board,
    start,
    to_position,
    valid_moves,
    value,
)

__all__ = [
    "PenteGame",
    "choose_move",
    "display_game",
    "evaluate_board",
    "from_position",
    "game",
    "game_over",
    "move",
    "options_help",
    "reevaluate_board",
    "start",
    "to_position",
    "valid_moves",
    "value",
]
