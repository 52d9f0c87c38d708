"""Pentagame by the names, labels and shapes of the package `pentagraph`, over the rules of this one.

    from pentad.bridges.pentagraph.lib.graph import Board

    board = Board(generate=True)
    board.gen_start_field((1, 2), full=True)
    board.move([1, 0, 0, 3, 5])

What does not work there works here: `move` validates and moves, a figure on a stop blocks it, a label may name its
ends in either order, and JSON of any of its versions is read. It needs networkx, as pentagraph does.
"""

from pentad.bridges.pentagraph import lib

__version__ = "0.0.1b5"  # the version of pentagraph whose interface this is
__all__ = ["lib"]
