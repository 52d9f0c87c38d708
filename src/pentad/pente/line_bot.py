"""Line strategy bots, which know only lines, whatever the rule set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from pentad.game import IllegalMove, Move, Position, Step
from pentad.pente.line_weights import AFTER, COUNTS, PLACED, STRATEGIES, document_table, side_weights, weigh
from pentad.pente.notation import COLOURS, SIDES
from pentad.pente.opening import SIDES_OFFERED
from pentad.pente.rules import PentePosition
from pentad.search.bot import Bot, Entry


class LinesBot(Bot):
    """Plays the legal point of the highest weight; in swap2 it chooses the colour with the heavier lines."""

    def __init__(self, strategy: str, count: str = PLACED, seed: int | None = None) -> None:
        super().__init__(seed)
        self.name = name_of(strategy, count)
        self.strategy, self.count = strategy, count

    def choose(self, position: Position, *, seconds: float | None = None) -> Move:
        here = cast(PentePosition, position)
        if here.outcome:
            raise IllegalMove("The game is over; there is no move to choose.")
        steps = [self._step(here)]
        while not here.choices(steps).may_end:
            steps.append(self._step(here.partial(steps)))
        return Move(steps)

    def _step(self, here: PentePosition) -> Step:
        if here.stage in SIDES_OFFERED:
            return self._side(here)
        weighing = weigh(
            here.board, here.stones, here.colour, strategy=self.strategy, count=self.count, allowed=here.points
        )
        return here.board.stones[weighing.choose(self.random)]

    def _side(self, here: PentePosition) -> Step:
        table = document_table(here.board.line)

        def weight(colour: int) -> tuple[int, float]:
            return sum(side_weights(here.board, here.stones, colour, table, self.count)), self.random.random()

        return SIDES[max(range(len(COLOURS)), key=weight)]


def name_of(strategy: str, count: str) -> str:
    """The name of the bot for a strategy and a count."""
    return f"lines-{strategy}" + ("" if count == PLACED else f"-{count}")


def _entry(strategy: str, count: str) -> Entry:
    counting = ", counting the piece about to be placed" if count == AFTER else ""
    return Entry(STRATEGIES[strategy] + counting, lambda seed: LinesBot(strategy, count, seed))


LINES_BOTS: Mapping[str, Entry] = {
    name_of(strategy, count): _entry(strategy, count) for count in COUNTS for strategy in STRATEGIES
}
