"""Trials of Pentagame's engine: one seat of this checkout against all others of another one.

python -m benchmarks pentagame_seats --base DIR [--players 3] [--visits 250] [--base-visits 200] [--games 300]

A game begins after two random turns of each seat. This checkout's engine takes each seat in turn from the same opening.
Its part is its share of the points, times the number of players: 1 between equals. `--file` keeps the results, and a
second run continues there. `--keep TEXT` adds the trial to docs/lab/trials.jsonl, with what it is about.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pentad
from benchmarks.trial import ROOT, Player, Side, add_result, keep, milliseconds, read_results, record
from pentad.game import Position
from pentad.play.rating import SURE, elo
from pentad.terminal.arguments import whole

BOT = "tree"
VISITS, GAMES = 300, 300
TURNS = 2  # random ones of each seat before a game
SHOWN_EVERY = 10  # openings


@dataclass
class Opening:
    """The games from an opening: the points of the seat in question in each, turns, and each side's processor time."""

    number: int
    points: list[float] = field(default_factory=list)
    moves: list[int] = field(default_factory=lambda: [0, 0])
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])


def options(players: int) -> dict[str, int]:
    return {"players": players}


def random_turns(players: int, number: int) -> list[str]:
    """The turns of an opening; each of their steps is a random one."""
    chance, here, turns = random.Random(number), pentad.new("pentagame", **options(players)), list[str]()
    while len(turns) < TURNS * players:
        steps: list[Any] = []
        while choices := here.choices(steps):
            steps.append(chance.choice(choices).step)
        turns.append(str(pentad.game.Move(steps)))
        here = here.play(turns[-1])
    return turns


def shares(here: Position) -> list[float]:
    """Each seat's share of the points at the end of a game."""
    assert here.outcome is not None
    return [(each * (here.players - 1) + 1) / here.players for each in here.outcome.returns]


def play(players: int, seats: Sequence[Player], number: int) -> Opening:
    """Plays the games from an opening. The first of the players has each seat in turn, and the others have the rest."""
    found, opening = Opening(number), random_turns(players, number)
    for mine in range(players):
        at = {(mine + turn) % players: player for turn, player in enumerate(seats)}
        here, moves = pentad.new("pentagame", **options(players)), list(opening)
        seen = dict[object, int]()
        for move in moves:
            here = here.play(move)
        while here.outcome is None and seen.get(here.recurring, 0) < 3:
            side = int(here.turn != mine)
            game = {"game": "pentagame", "options": options(players), "seed": players * number + mine}
            answer = at[here.turn].move(game, moves)
            found.moves[side] += 1
            found.seconds[side] += answer["seconds"]
            here = here.play(answer["move"])
            moves.append(answer["move"])
            seen[here.recurring] = seen.get(here.recurring, 0) + 1
        found.points.append(shares(here)[mine] if here.outcome else 1 / players)
        for player in seats:
            player.end_game()
    return found


class Score:
    """The games of a trial so far."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.openings: dict[int, Opening] = {}

    def add(self, opening: Opening) -> None:
        self.openings[opening.number] = opening

    @property
    def games(self) -> int:
        return self.players * len(self.openings)

    @property
    def share(self) -> tuple[float, float]:
        """The share of the points, with half of its 95 % interval: the games of an opening are one sample."""
        means = [sum(each.points) / len(each.points) for each in self.openings.values()]
        share = sum(means) / len(means)
        if len(means) < 2:
            return share, 1.0
        return share, SURE * math.sqrt(sum((each - share) ** 2 for each in means) / (len(means) - 1) / len(means))

    @property
    def milliseconds(self) -> list[float]:
        """The processor time of a turn of each side."""
        return milliseconds([*self.openings.values()])

    def __str__(self) -> str:
        if not self.openings:
            return "no games"
        share, error = self.share
        times = " and ".join(f"{each:.1f}" for each in self.milliseconds)
        rated = f", Elo {elo(share):+.0f}" if self.players == 2 and 0 < share < 1 else ""
        part = f"{self.players * share:.2f} ± {self.players * error:.2f} times its part"
        return f"{share:.3f} ± {error:.3f} of the points of {self.games} games, {part}{rated}, {times} ms a turn"

    def as_json(self) -> dict[str, Any]:
        share, error = self.share
        return {
            "games": self.games,
            "share": [round(share, 3), round(error, 3)],
            "milliseconds": [round(each, 2) for each in self.milliseconds],
        }


def run(players: int, sides: Sequence[Side], games: int, file: Path | None = None) -> Score:
    """Plays a trial, or the rest of one; an interrupt ends it."""
    score = Score(players)
    for opening in read_results(file, Opening):
        score.add(opening)
    missing = [number for number in range(games // players) if number not in score.openings]
    seats = [Player(sides[min(seat, 1)]) for seat in range(players)] if missing else []
    try:
        for number in missing:
            found = play(players, seats, number)
            score.add(found)
            add_result(file, found)
            if len(score.openings) % SHOWN_EVERY == 0:
                print(score, flush=True)
    except KeyboardInterrupt:
        pass
    finally:
        for player in seats:
            player.close()
    return score


def limit(visits: int, seconds: float | None) -> Mapping[str, float]:
    return {"nodes": visits} if seconds is None else {"seconds": seconds}


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", type=Path, default=ROOT, help="the checkout to play against (default: this one)")
    parser.add_argument("--players", type=whole(2, 5), default=3, help="default: 3")
    parser.add_argument("--visits", type=whole(1, 10**6), default=VISITS, help=f"of a search (default: {VISITS})")
    parser.add_argument("--base-visits", type=whole(1, 10**6), help="of the others (default: the same)")
    parser.add_argument("--seconds", type=float, help="seconds of a turn instead")
    parser.add_argument("--games", type=whole(2, 10**6), default=GAMES, help=f"at most (default: {GAMES})")
    parser.add_argument("--file", type=Path, help="keeps the results of the games")
    parser.add_argument("--keep", metavar="TEXT", help="adds the trial to docs/lab/trials.jsonl")
    args = parser.parse_args(words)
    mine, others = (limit(visits, args.seconds) for visits in (args.visits, args.base_visits or args.visits))
    sides = [Side(BOT, ROOT, mine), Side(BOT, args.base.resolve(), others)]
    score = run(args.players, sides, args.games, args.file)
    print(f"{sides[0].name} among {sides[1].name}: {score}", flush=True)
    if args.keep:
        keep(record(args.keep, f"pentagame, {args.players} players", sides, score))


if __name__ == "__main__":
    main()
