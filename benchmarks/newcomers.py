"""Results of newcomers against the default opponent, and against others for comparison.

python -m benchmarks newcomers [--only GAME] [--games N]

A simulated newcomer takes the hint for a share of the moves (the game's best bot, a tenth of a second), plays a random
move in one of ten, and otherwise plays like `greedy`: takes a win, prevents one, else follows the evaluation. Each line
has the share of the points that such newcomers win, and the duration of the first answer.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence

import pentad
from benchmarks.figures import Figure, machine
from pentad.game import Position, game, names
from pentad.play.seats import sit
from pentad.search.bot import Bot, default_opponent
from pentad.search.move_limit import DEFAULT_LIMIT, Limit
from pentad.search.report import Result
from pentad.terminal.arguments import whole

SLIPS, HINTS = 0.1, (0.0, 0.3, 0.6)
HINT_SECONDS = 0.1
LONGEST, REPEATED = 300, 3  # plies, and occurrences of a position, that end a game as a draw
OTHERS = {"pentago": ("greedy", "engine@3"), "pente": ("greedy", "engine@3"), "pentagame": ("greedy", "tree@2")}


class Newcomer(Bot):
    """A simulated newcomer, who sometimes takes hints."""

    def __init__(self, name: str, hints: float, seed: int) -> None:
        super().__init__(seed)
        self.hints = hints
        self.best, self.greedy, self.random_bot = (
            pentad.bot(name, who, seed=seed) for who in (None, "greedy", "random")
        )

    def play(self, position: Position, limit: Limit = DEFAULT_LIMIT) -> Result:
        number = self.random.random()
        if number < self.hints:
            return self.best.play(position, Limit(seconds=HINT_SECONDS))
        return (self.random_bot if number < self.hints + SLIPS else self.greedy).play(position)


def play(name: str, who: str, hints: float, seed: int) -> tuple[float, float]:
    """A newcomer's points, and the seconds of the bot's first move."""
    person, bot = Newcomer(name, hints, seed), sit(game(name), who, seed=seed).bot
    assert bot is not None
    here, seat, first, seen = pentad.new(name), seed % 2, 0.0, Counter[object]()
    while here.outcome is None and here.ply < LONGEST:
        seen[here.recurring] += here.recurring is not None
        if seen[here.recurring] == REPEATED:
            break
        if here.turn == seat:
            here = here.play(person.choose(here))
            continue
        began = time.monotonic()
        here = here.play(bot.choose(here))
        first = first or time.monotonic() - began
    if here.outcome is None:
        return 0.5, first
    return (here.outcome.returns[seat] + 1) / 2, first


def main(words: Sequence[str] | None = None) -> list[Figure]:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=names(), metavar="GAME")
    parser.add_argument(
        "--games", type=whole(1, 10_000), default=16, metavar="N", help="games of each kind (default: 16)"
    )
    args = parser.parse_args(words)
    print(machine())
    figures = []
    for name in [args.only] if args.only else names():
        for who in (default_opponent(name), *OTHERS[name]):
            for hints in HINTS:
                results = [play(name, who, hints, seed) for seed in range(args.games)]
                share = sum(points for points, _ in results) / args.games
                slowest = max(seconds for _, seconds in results)
                print(
                    f"{name}, hints {hints:.0%}: {share:.0%} of {args.games} games against {who}; "
                    f"its first move took {slowest:.2f} s at most",
                    flush=True,
                )
                figures.append(Figure(f"{name}, hints {hints:.0%}, points against {who}", 100 * share, "%"))
    return figures


if __name__ == "__main__":
    main()
