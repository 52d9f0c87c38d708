"""Trials of Pente's engine: this checkout against another one or against a program, from balanced openings.

python -m benchmarks trial --rules freestyle|gomoku|pente --base DIR [--nodes 10000] [--base-nodes 9000] [--sprt 0 10]
python -m benchmarks trial --opponent gomocup:PROGRAM --seconds 0.06 --games 400

The openings are those of `python -m benchmarks openings`. Each is played from both sides; after the last opening the
first one comes again, turned. Between two of our engines a proved win ends a game. `--file` keeps the results, and a
second run continues there. `--keep TEXT` adds the trial to docs/lab/trials.jsonl, with what it is about.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import random
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Protocol, TypeVar

from benchmarks import openings
from benchmarks.figures import machine
from pentad.game import Position
from pentad.play.rating import Strength, strength
from pentad.play.sprt import SequentialTest, Sprt
from pentad.terminal.arguments import whole

ROOT = Path(__file__).resolve().parent.parent
RECORDS = ROOT / "docs" / "lab" / "trials.jsonl"
PLAYER = Path(__file__).with_name("trial_player.py")
ENGINE = "engine"
NODES, MOST_GAMES = 10_000, 10_000
SHOWN_EVERY = 100  # pairs


@dataclass(frozen=True)
class Side:
    """One side of a trial: a bot, the checkout whose sources it has, and the limit of its moves."""

    who: str
    checkout: Path
    limit: Mapping[str, float]

    @property
    def is_ours(self) -> bool:
        return ":" not in self.who

    @property
    def name(self) -> str:
        return f"{self.who} {commit(self.checkout)}" if self.is_ours else Path(self.who).name


def commit(folder: Path) -> str:
    """The commit of a checkout, with a plus if programs have changed since."""

    def said(*words: str) -> str:
        """What git says."""
        return subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=True).stdout.strip()

    return said("rev-parse", "--short", "HEAD") + "+" * bool(said("status", "--porcelain", "src"))


class Played(Protocol):
    """What was played from an opening: the moves, and the processor time, of each side."""

    moves: list[int]
    seconds: list[float]


class Sums(Protocol):
    """The games of a trial so far, as data."""

    def as_json(self) -> dict[str, Any]: ...


P = TypeVar("P")


def milliseconds(games: Sequence[Played]) -> list[float]:
    """The processor time of a move of each side."""
    return [
        1000 * sum(each.seconds[side] for each in games) / max(sum(each.moves[side] for each in games), 1)
        for side in range(2)
    ]


def read_results(file: Path | None, kind: type[P]) -> list[P]:
    """The results that a file keeps; none without a file."""
    lines = file.read_text(encoding="ascii").splitlines() if file and file.exists() else []
    return [kind(**json.loads(line)) for line in lines]


def add_result(file: Path | None, result: Any) -> None:
    """Adds a result to a file, if there is one."""
    if file:
        with file.open("a", encoding="ascii") as lines:
            lines.write(json.dumps(asdict(result)) + "\n")


class Player:
    """The process of a side."""

    def __init__(self, side: Side) -> None:
        self.side = side
        environment = os.environ | {"PYTHONPATH": str(side.checkout / "src")}
        pipe = subprocess.PIPE
        self._process = subprocess.Popen([sys.executable, PLAYER], stdin=pipe, stdout=pipe, env=environment, text=True)
        self._known = 0

    def move(self, game: Mapping[str, Any], moves: Sequence[str]) -> dict[str, Any]:
        """The answer after the moves of a game; the first one begins with the game."""
        new = {} if self._known else {**game, "who": self.side.who}
        chance = random.Random(f"{game['seed']}/{len(moves)}")
        request = {**new, "moves": moves[self._known :], "limit": varied(self.side.limit, chance)}
        self._known = len(moves)
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def end_game(self) -> None:
        self._known = 0

    def close(self) -> None:
        with self._process:  # closes the pipes and waits
            self._process.kill()


def varied(limit: Mapping[str, float], chance: random.Random) -> dict[str, float]:
    """A limit whose nodes are a tenth more or less, so that an opening leads to other games when it comes again."""
    return {
        name: round(value * chance.uniform(0.9, 1.1)) if name == "nodes" else value for name, value in limit.items()
    }


@dataclass
class Pair:
    """The games of an opening: the points of the first side in each, the moves, and each side's processor time."""

    number: int
    points: list[float] = field(default_factory=list)
    moves: list[int] = field(default_factory=lambda: [0, 0])
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])


def turned(start: Position, moves: Sequence[str], which: int) -> list[str]:
    """The moves of an opening, turned by a symmetry of the board."""
    symmetries = start.symmetries
    image = symmetries[which % len(symmetries)]
    return [str(image.move(start.parse(move))) for move in moves]


def play(rules: str, known: Sequence[openings.Opening], players: Sequence[Player], number: int) -> Pair:
    """Plays the pair of games with a number: each side plays both colours."""
    pair, start = Pair(number), openings.start(rules)
    opening = turned(start, known[number % len(known)].moves, number // len(known))
    for first in range(2):
        here, moves = start, list(opening)
        for move in moves:
            here = here.play(move)
        won: int | None = None
        while here.outcome is None and won is None:
            side = (len(moves) + first) % 2
            game = {"game": "pente", "options": dict(openings.RULES[rules]), "seed": 2 * number + first}
            answer = players[side].move(game, moves)
            pair.moves[side] += 1
            pair.seconds[side] += answer["seconds"]
            if answer["wins"] and all(each.side.is_ours for each in players):
                won = side
            here = here.play(answer["move"])
            moves.append(answer["move"])
        if here.outcome is not None:
            winners = here.outcome.winners
            won = (winners[0] + first) % 2 if len(winners) == 1 else None
        pair.points.append(0.5 if won is None else float(won == 0))
        for each in players:
            each.end_game()
    return pair


def pairs(rules: str, sides: Sequence[Side], numbers: Iterator[int], lanes: int) -> Generator[Pair]:
    """The pairs with some numbers as they end, so many at once."""
    known = openings.read(rules)
    free: SimpleQueue[list[Player]] = SimpleQueue()
    started = [[Player(side) for side in sides] for _ in range(lanes)]
    for each in started:
        free.put(each)
    stopped = threading.Event()

    def one(number: int) -> Pair | None:
        players = free.get()
        try:
            return None if stopped.is_set() else play(rules, known, players, number)
        finally:
            free.put(players)

    pool, running = ThreadPoolExecutor(lanes), set[Future[Pair | None]]()
    try:
        for number in numbers:
            running.add(pool.submit(one, number))
            if len(running) >= lanes:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (found for each in done if (found := each.result()))
        yield from (found for each in running if (found := each.result()))
    finally:
        stopped.set()
        for player in (player for each in started for player in each):
            player.close()
        pool.shutdown(cancel_futures=True)


class Score:
    """The pairs of a trial so far, from the view of its first side."""

    def __init__(self, sprt: Sprt | None) -> None:
        self.pairs: dict[int, Pair] = {}
        self.test = SequentialTest(sprt.checked(), 2) if sprt else None

    def add(self, pair: Pair) -> None:
        self.pairs[pair.number] = pair
        if self.test:
            for points in pair.points:
                self.test.count(pair.number, points)

    @property
    def counted(self) -> list[Pair]:
        """The pairs up to the decision of the test."""
        most = self.test.openings if self.test and self.test.decision else None
        return [self.pairs[number] for number in sorted(self.pairs) if most is None or number < most]

    @property
    def strength(self) -> Strength:
        return strength([pair.points for pair in self.counted])

    @property
    def milliseconds(self) -> list[float]:
        """The processor time of a move of each side."""
        return milliseconds(self.counted)

    def __str__(self) -> str:
        rated, games = self.strength, 2 * len(self.counted)
        points = sum(sum(pair.points) for pair in self.counted)
        bounds = "" if rated.low is None or rated.high is None else f" [{rated.low:+.1f}, {rated.high:+.1f}]"
        elo = "" if rated.elo is None else f", Elo {rated.elo:+.1f}{bounds}"
        test = f", LLR {self.test.ratio:+.2f} {self.test.decision}" if self.test else ""
        times = " and ".join(f"{each:.1f}" for each in self.milliseconds)
        return f"{points:g} of {games}{elo}{test}, {times} ms a move"

    def as_json(self) -> dict[str, Any]:
        """The trial as data: `pairs` counts the pairs with 0, 1/2, 1, 3/2 and 2 points."""
        rated, sums = self.strength, Counter(sum(pair.points) for pair in self.counted)
        return {
            "pairs": [sums[points / 2] for points in range(5)],
            "elo": [None if each is None else round(each, 1) for each in (rated.elo, rated.low, rated.high)],
            "sprt": self.test and [self.test.sprt.elo0, self.test.sprt.elo1, round(self.test.ratio, 2)],
            "decision": self.test.decision if self.test else "",
            "milliseconds": [round(each, 2) for each in self.milliseconds],
        }


def run(
    rules: str, sides: Sequence[Side], games: int, lanes: int, sprt: Sprt | None = None, file: Path | None = None
) -> Score:
    """Plays a trial, or the rest of one; an interrupt ends it."""
    score = Score(sprt)
    for pair in read_results(file, Pair):
        score.add(pair)
    missing = (number for number in range(games // 2) if number not in score.pairs)
    found = pairs(rules, sides, missing, lanes)
    try:
        while not (score.test and score.test.decision):
            new = next(found, None)
            if new is None:
                break
            score.add(new)
            add_result(file, new)
            if len(score.pairs) % SHOWN_EVERY == 0:
                print(score, flush=True)
    except KeyboardInterrupt:
        pass
    finally:
        found.close()
    return score


def record(about: str, rules: str, sides: Sequence[Side], score: Sums) -> dict[str, Any]:
    """A line of docs/lab/trials.jsonl."""
    date = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    named = [{"name": side.name, **side.limit} for side in sides]
    return {"about": about, "rules": rules, "date": date, "sides": named, **score.as_json(), "on": machine()}


def keep(line: Mapping[str, Any]) -> None:
    """Adds a line to docs/lab/trials.jsonl."""
    with RECORDS.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(line, ensure_ascii=False) + "\n")


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", choices=tuple(openings.RULES), default="freestyle", help="default: freestyle")
    parser.add_argument("--base", type=Path, default=ROOT, help="the checkout to play against (default: this one)")
    parser.add_argument("--bot", default=ENGINE, help=f"the bot of this checkout (default: {ENGINE})")
    parser.add_argument("--opponent", default=ENGINE, help=f"the bot to play against (default: {ENGINE})")
    parser.add_argument("--nodes", type=whole(1, 10**9), default=NODES, help=f"nodes of a move (default: {NODES})")
    parser.add_argument("--base-nodes", type=whole(1, 10**9), help="nodes of the other side (default: the same)")
    parser.add_argument("--seconds", type=float, nargs="+", help="seconds of a move instead, of one or both sides")
    parser.add_argument("--sprt", type=float, nargs=2, metavar=("ELO0", "ELO1"), help="ends by a sequential test")
    parser.add_argument("--games", type=whole(2, 10**6), default=MOST_GAMES, help=f"at most (default: {MOST_GAMES})")
    parser.add_argument("--lanes", type=whole(1, 256), default=2, help="games at once (default: 2)")
    parser.add_argument("--file", type=Path, help="keeps the results of the games")
    parser.add_argument("--keep", metavar="TEXT", help="adds the trial to docs/lab/trials.jsonl")
    args = parser.parse_args(words)
    if args.seconds:
        limits = [{"seconds": args.seconds[0]}, {"seconds": args.seconds[-1]}]
    else:
        limits = [{"nodes": args.nodes}, {"nodes": args.base_nodes or args.nodes}]
    sides = [Side(args.bot, ROOT, limits[0]), Side(args.opponent, args.base.resolve(), limits[1])]
    score = run(args.rules, sides, args.games, args.lanes, Sprt(*args.sprt) if args.sprt else None, args.file)
    print(f"{sides[0].name} – {sides[1].name}: {score}", flush=True)
    if args.keep:
        keep(record(args.keep, args.rules, sides, score))


if __name__ == "__main__":
    main()
