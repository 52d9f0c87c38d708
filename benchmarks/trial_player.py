"""A player of a trial: a process that reads a request a line, and answers with the move of a bot.

A trial runs it with the sources of another checkout, so it uses only what every version of the package has.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pentad
from pentad.game import Position, game
from pentad.play.seats import sit
from pentad.search.bot import Bot
from pentad.search.move_limit import Limit


def started_by(process: int) -> Iterator[int]:
    """The processes that the main thread of a process has started, and so on."""
    for child in map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split()):
        yield child
        yield from started_by(child)


def processor_seconds() -> float:
    """The processor time of this process and of all that it has started."""
    programs = [Path(f"/proc/{process}/stat").read_text() for process in started_by(os.getpid())]
    times = [each.rpartition(")")[2].split()[11:13] for each in programs]
    return time.process_time() + sum(map(int, chain.from_iterable(times))) / os.sysconf("SC_CLK_TCK")


def begin(request: dict[str, Any]) -> tuple[Position, Bot]:
    """The first position of a game, and the bot that plays it."""
    bot = sit(game(request["game"]), request["who"], seed=request["seed"], programs=True).bot
    assert bot is not None
    return pentad.new(request["game"], **request["options"]), bot


def main() -> None:
    here: Position | None = None
    bot: Bot | None = None
    for line in sys.stdin:
        request = json.loads(line)
        if "who" in request:
            if bot is not None:
                bot.close()
            here, bot = begin(request)
        assert here is not None
        assert bot is not None
        for move in request["moves"]:
            here = here.play(move)
        began = processor_seconds()
        found = bot.play(here, Limit(**request["limit"]))
        answer = {"move": str(found.move), "seconds": processor_seconds() - began}
        answer["wins"] = bool(found.exact and found.value == 1)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
