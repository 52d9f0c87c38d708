"""pentad: play, search, solve and record Pentago, Pente and Pentagame.

>>> import pentad
>>> position = pentad.new("pentago")
>>> position = position.play("a2 1C")
>>> position.turn
1
"""

from pentad.game import GameError, IllegalMove, InvalidMove, games, load, new, perft
from pentad.search.analysis import analyse
from pentad.search.bot import bot

__version__ = "0.1.0"
__all__ = ["GameError", "IllegalMove", "InvalidMove", "analyse", "bot", "games", "load", "new", "perft"]
