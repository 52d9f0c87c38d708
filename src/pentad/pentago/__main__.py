"""`python -m pentad.pentago`: the example of the class's requirement document, then a game.

In a terminal the user plays against a bot; otherwise two bots play a short game. This is the only module of a game that
imports the terminal, and nothing imports it.
"""

from __future__ import annotations

import sys

from pentad.pentago import Pentago
from pentad.terminal import main, streams
from pentad.terminal.command_line import guarded


def example() -> int:
    """Prints the document's example, then runs a game; returns its exit code."""
    game = Pentago()
    print(game.make_move("black", "a2", 1, "C"))
    print(game.make_move("white", "a2", 1, "C"))
    print(game.is_board_full())
    game.print_board()
    print(game.get_game_state())
    if not streams.is_terminal():
        return main(["play", "pentago", "--black", "random", "--white", "greedy", "--seed", "1"])
    try:
        input("\nPress Enter to play against a bot. ")
    except EOFError:
        return 0
    return main(["play", "pentago"])


if __name__ == "__main__":
    sys.exit(guarded(example))
