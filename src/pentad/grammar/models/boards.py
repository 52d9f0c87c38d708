"""Former name of `pentad.grammar.models.board_games`."""

from pentad.grammar.models.board_games import *  # noqa: F403
