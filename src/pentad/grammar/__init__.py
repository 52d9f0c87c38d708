"""Graph transformation systems: graphs, rules, control, exploration, simulation, and GROOVE's files.

>>> from pentad.grammar import Grammar, explore
>>> from pentad.grammar.models import new
>>> explore(new("tictactoe", rows=2, cols=2, line=2))
<Exploration 7 states, 12 transitions>
"""

from __future__ import annotations

from pentad.grammar import draw
from pentad.grammar.exploration import Exploration, explore
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import GrammarError, Graph
from pentad.grammar.simulation import Simulation

__all__ = ["Exploration", "Grammar", "GrammarError", "Graph", "Simulation", "draw", "explore"]
