"""A process that plays many games at once into a store, and prints each event when it is saved.

`python -m tests.store.player_process URL GAMES EVENTS` prints `GAME NUMBER` for each; tests kill it.
"""

import asyncio
import sys

from pentad.store import Store
from tests.store.rows import event, game


async def play(store: Store, name: str, events: int) -> None:
    await store.add_game(game(name))
    for number in range(events):
        await store.add_event(name, event(number, body=f"{name} {number}"), moves=number + 1)
        print(name, number, flush=True)


async def play_all(url: str, games: int, events: int) -> None:
    store = Store.open(url)
    await asyncio.gather(*(play(store, f"g{each}", events) for each in range(games)))
    store.close()


if __name__ == "__main__":
    asyncio.run(play_all(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
