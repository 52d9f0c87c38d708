"""The kernels with which a page plays Pente before Python is there: rules, the engine's move, and its tables."""

from pentad.games.pente.batch.step_kernels import legal, play, result
from pentad.games.pente.engine.choice_kernels import choose
from pentad.games.pente.engine.net_kernels import fill_orders, fill_rows, fill_vectors, spread_values
from pentad.games.pente.engine.position_kernels import fill
from pentad.games.pente.look_kernels import look, offer
from pentad.games.pente.text_kernels import read, write

NATIVE = {
    each.__name__: each
    for each in (
        *(play, legal, result, look, offer, read, write, choose),
        *(fill, spread_values, fill_rows, fill_orders, fill_vectors),
    )
}
