"""The kernels with which a page plays Pentagame before Python is there: rules, and the bot's turn."""

from pentad.games.pentagame.batch.step_kernels import legal, play, result
from pentad.games.pentagame.engine.choice_kernels import choose
from pentad.games.pentagame.look_kernels import look, offer
from pentad.games.pentagame.text_kernels import read, write

NATIVE = {each.__name__: each for each in (play, legal, result, look, offer, read, write, choose)}
