"""Bots of Connect Four that search: its kernels for the engine of every game."""

from functools import partial

from pentad.game import Position
from pentad.kernels.buffers import Buffer, array
from pentad.search.bot import BotEntry, Level
from pentad.search.engine import AlphaBetaBot, Engine, TreeBot

LETTERS = "abcdefg"


def state_of(position: Position) -> Buffer:
    """The state of a position for the kernels."""
    columns = position.text.split()[1].split("/")
    discs = [
        sum(1 << 7 * i + row for i, column in enumerate(columns) for row, each in enumerate(column) if each == disc)
        for disc in "ry"
    ]
    return array([position.turn, position.ply, position.players, *discs], "int64")


ENGINE = Engine(
    "connect_four_kernels",
    state_of,
    step_of=lambda column, _: LETTERS[column],
    after=lambda position, step: position.play(step),
    size=5,
    most_steps=len(LETTERS),
    seats=2,
    deepest=42,
    levels={
        1: Level(depth=1, nodes=20, noise=0.05),
        2: Level(depth=3, nodes=100, noise=0.02),
        3: Level(depth=5, nodes=500),
        4: Level(depth=8, nodes=5000),
        5: Level(),
    },
)
BOTS = {
    name: BotEntry(summary, make_level=partial(bot, ENGINE), levels=range(1, 6), kernels=lambda _: (ENGINE.module,))
    for name, summary, bot in (("tree", "tree search", TreeBot), ("alphabeta", "alpha-beta search", AlphaBetaBot))
}
