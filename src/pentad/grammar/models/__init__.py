"""Models: grammars of the games, generated from their own boards, and of a few puzzles and protocols.

>>> from pentad.grammar.models import MODELS, new
>>> sorted(new("tictactoe", rows=2, cols=3).rules)
['nextTurn', 'place', 'win']
>>> ", ".join(MODELS)
'pentago, tictactoe, lines, pente, pentagame, ferry, append, election, maze'
"""

from __future__ import annotations

from pentad.game import shown
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import GrammarError
from pentad.grammar.models.append import APPEND
from pentad.grammar.models.election import ELECTION
from pentad.grammar.models.ferry import FERRY
from pentad.grammar.models.maze import MAZE
from pentad.grammar.models.model import Model
from pentad.grammar.models.pentagame import PENTAGAME
from pentad.grammar.models.pentago import PENTAGO
from pentad.grammar.models.pente import LINES, PENTE
from pentad.grammar.models.tictactoe import TICTACTOE
from pentad.system.words import phrase

MODELS: dict[str, Model] = {
    model.name: model for model in (PENTAGO, TICTACTOE, LINES, PENTE, PENTAGAME, FERRY, APPEND, ELECTION, MAZE)
}


def find(name: str) -> Model:
    """Returns the model with this name."""
    if not isinstance(name, str) or name not in MODELS:
        raise GrammarError(
            phrase("Unknown model {name}. Models: {models}.", name=shown(name), models=", ".join(MODELS))
        )
    return MODELS[name]


def new(name: str, /, **options: object) -> Grammar:
    """Returns a model's grammar with these options."""
    return find(name)(**options)
