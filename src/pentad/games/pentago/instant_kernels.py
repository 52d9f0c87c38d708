"""The kernels with which a page plays Pentago before Python is there: rules, the engine's turn, and its tables."""

from pentad.games.pentago.batch.step_kernels import legal, play, result
from pentad.games.pentago.engine.board_kernels import fill_tables
from pentad.games.pentago.engine.choice_kernels import choose
from pentad.games.pentago.engine.net_kernels import fill_heads, fill_rows
from pentad.games.pentago.look_kernels import look, offer
from pentad.games.pentago.text_kernels import read, write

NATIVE = {
    each.__name__: each
    for each in (play, legal, result, look, offer, read, write, choose, fill_tables, fill_rows, fill_heads)
}
