"""Time from `stop` to `bestmove` of `pentad engine`, for the bots of every game.

python -m benchmarks engine_stop [--games GAME,…] [--bots BOT,…] [--stops N]

Each bot searches without a limit in a game's start position and in random positions with more and more moves, and is
stopped after a random time. The output is the median and the longest time in milliseconds.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence

from benchmarks.figures import Figure
from pentad.bridges.ugi.protocol import write_move
from pentad.game import PACKAGES, Position, new
from pentad.search.bot import own_bots

MAX_GAME_MOVES = 30
CASES: dict[str, list[dict[str, object]]] = {
    "pentago": [{}, {"players": 4, "rows": 3}],
    "pente": [{}, {"rules": "gomoku", "opening": "swap2"}],
    "pentagame": [{}, {"players": 4}],
}


def positions(start: Position, count: int, chance: random.Random) -> Iterator[tuple[Position, list[str]]]:
    """Positions of a random game, with the moves that lead to them."""
    here, moves = start, list[str]()
    for _ in range(count):
        yield here, moves
        for _ in range(max(MAX_GAME_MOVES // count, 1)):
            legal = here.legal_moves
            move = legal[chance.randrange(len(legal))]
            after = here.play(move)
            if after.outcome:
                return
            here, moves = after, [*moves, write_move(move)]


class Engine:
    def __init__(self, words: list[str]) -> None:
        command = [sys.executable, "-m", "pentad", "engine", *words]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def send(self, line: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(f"{line}\n")

    def wait_for(self, word: str) -> str:
        assert self.process.stdout
        for line in self.process.stdout:
            if "did not stop" in line:
                print(line, end="")
            if line.startswith(word):
                return line
        raise SystemExit("The engine has ended.")


def times(name: str, who: str, options: dict[str, object], stops: int) -> list[float]:
    """Seconds from `stop` to `bestmove` at each position."""
    chance = random.Random(1)
    start = new(name, **options)
    engine = Engine([name, "--bot", who, *(f"--{key}={value}" for key, value in options.items())])
    engine.send("isready")
    engine.wait_for("readyok")
    found = []
    for _, moves in positions(start, stops, chance):
        engine.send(f"position startpos moves {' '.join(moves)}")
        engine.send("go infinite")
        time.sleep(chance.uniform(0.2, 0.8))
        began = time.perf_counter()
        engine.send("stop")
        engine.wait_for("bestmove")
        found.append(time.perf_counter() - began)
    engine.send("quit")
    engine.process.wait()
    return found


def main(words: Sequence[str] | None = None) -> list[Figure]:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", default=",".join(PACKAGES))
    parser.add_argument("--bots", default="", help="default: all")
    parser.add_argument("--stops", type=int, default=10)
    args = parser.parse_args(words)
    print(f"{'':44}{'median':>8}{'longest':>9}  ms")
    figures = []
    for name in args.games.split(","):
        bots = args.bots.split(",") if args.bots else list(own_bots(name))
        for options in CASES.get(name, [{}]):
            for who in bots:
                found = [1000 * each for each in times(name, who, options, args.stops)]
                label = " ".join([name, who, *(f"{key}={value}" for key, value in options.items())])
                print(f"{label:44}{statistics.median(found):8.1f}{max(found):9.1f}", flush=True)
                longest = f"{max(found):.1f} ms at most"
                figures.append(Figure(f"{label}, median", statistics.median(found), "ms", longest))
    return figures


if __name__ == "__main__":
    main()
