"""Pentagame behind the interface of the package `pentagraph`, with the rules of this package.

    from pentad.bridges.pentagraph.lib.graph import Board

    board = Board(generate=True)
    board.gen_start_field((1, 2), full=True)
    board.move([1, 0, 0, 3, 5])

It fixes the defects of pentagraph: `move` validates and moves, a figure on a stop blocks it, a label may name its
ends in either order, and JSON of all versions can be read. It needs networkx, as pentagraph does.
"""

from pentad.bridges.pentagraph import lib

__version__ = "0.0.1b5"  # the version of pentagraph with this interface
__all__ = ["lib"]
