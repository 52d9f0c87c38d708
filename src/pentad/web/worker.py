"""A worker process: it reads positions, a line of JSON each, and writes the moves that a bot chooses there.

Run as `python -m pentad.web.worker` by `pentad.web.workers`. It ends when its input does, even in the middle
of a search: whoever asked is gone then.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from typing import TextIO

from pentad.game import GameError, game, load
from pentad.play.seats import sit
from pentad.search.bot import bot


def choose(position: str, who: str | None, seed: int, seconds: float | None) -> str:
    """The move of a bot, or of the game's best one, at a position."""
    here = load(position)
    player = bot(here.game, seed=seed) if who is None else sit(game(here.game), who, seed=seed).bot
    if player is None:
        raise GameError(f"{who} is no bot")
    return str(player.choose(here, seconds=seconds))


def answer(line: str) -> str:
    """The answer to one line."""
    try:
        return json.dumps({"move": choose(**json.loads(line))})
    except GameError as error:
        return json.dumps({"error": str(error)})


def _read(source: TextIO, jobs: queue.SimpleQueue[str]) -> None:
    for line in source:
        jobs.put(line)
    os._exit(0)


def main() -> None:
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a bot prints must not come between the answers
    jobs: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(sys.stdin, jobs), daemon=True).start()
    while True:
        print(answer(jobs.get()), file=out, flush=True)


if __name__ == "__main__":
    main()
