"""The example of the class's requirement document, then a game: against a bot in a terminal, else between two bots.

python3 pentago.py
"""

import sys

from pentad.games.pentago import Pentago
from pentad.terminal import main


def show_the_class() -> None:
    game = Pentago()
    print(game.make_move("black", "a2", 1, "C"))
    print(game.make_move("white", "a2", 1, "C"))
    print(game.is_board_full())
    game.print_board()
    print(game.get_game_state())


def play() -> int:
    if sys.stdin.isatty() and sys.stdout.isatty():
        try:
            input("Press Enter to play against a bot. ")
        except (EOFError, KeyboardInterrupt):
            return 0
        return main(["play", "pentago"])
    return main(["play", "pentago", "--black", "random", "--white", "greedy", "--seed", "1"])


if __name__ == "__main__":
    show_the_class()
    sys.exit(play())
