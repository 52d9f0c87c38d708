"""pentad: play, search, solve and record Pentago, Pente and Pentagame.

>>> import pentad
>>> position = pentad.new("pentago")
>>> position = position.play("a2 1C")
>>> position.turn
1
"""

from pentad import bridges as bridges
from pentad import games as games
from pentad.game import GameError, IllegalMove, InvalidMove, load, names, new, perft
from pentad.search.analysis import analyse
from pentad.search.bot import bot
from pentad.system.version import __version__ as __version__

__all__ = ["GameError", "IllegalMove", "InvalidMove", "analyse", "bot", "load", "names", "new", "perft"]
