"""The modules of pentagraph: board, figures, dimensions, picture, bot."""

from pentad.bridges.pentagraph.lib.figures import BlackStopper, Figure, GrayStopper, Player
from pentad.bridges.pentagraph.lib.graph import Board, RawBoard
from pentad.bridges.pentagraph.lib.graphic import render
from pentad.bridges.pentagraph.lib.math import Math, Point

__all__ = ["BlackStopper", "Board", "Figure", "GrayStopper", "Math", "Player", "Point", "RawBoard", "render"]
