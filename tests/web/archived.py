"""Finished games in a store."""

from __future__ import annotations

from collections.abc import Sequence

import pentad
from pentad.store import Store
from pentad.store.rows import EventRow, GameRow, PendingTurn, SeatRow

NOBODY = SeatRow("human", name="Ann"), SeatRow("human", name="Ben")  # from before persons were known


async def add_finished(
    store: Store,
    name: str,
    game: str,
    moves: Sequence[str],
    *,
    loser: int = 1,
    seats: tuple[SeatRow, ...] = NOBODY,
    listed: bool = False,
) -> None:
    """Adds a game between two people that ends by resignation."""
    start = pentad.new(game)
    await store.add_game(GameRow(name, game, start.text, {}, seats, {}, listed, 1000.0, None, None, 1000.0, 0))
    here = start
    for number, move in enumerate(moves):
        event = EventRow(number, "play", here.turn, move, 1001.0 + number, ())
        here = here.play(move)
        await store.add_event(name, event, moves=number + 1, turn=PendingTurn(here.turn))
    end = EventRow(len(moves), "resign", loser, "", 2000.0, ())
    await store.add_event(name, end, moves=len(moves), result="01"[loser] + "-" + "10"[loser], turn=PendingTurn())
