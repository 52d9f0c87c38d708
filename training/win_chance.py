"""The chance to win from an evaluation: plays games of the engine against itself and fits the sharpness of each game.

    python training/win_chance.py [--only GAME] [--games N] [--seed N] [--workers N]

Each game begins with some random moves and goes on with bots of levels 2 to 4, all seats alike. Of its positions some
are evaluated by a search of fixed work, as `pentad grade` does; proved values are left out, since a review takes them
as they are. The result of the game is the target: the share of the win that each seat got, half of it for a draw of
two. The sharpness is the exponent of `pentad.search.win_chance`, by maximum likelihood. Every fourth game is held out,
and the figures are of those alone. They are printed, written with the constants to `win_chance.json` in the folder of
the game, and shown on the page docs/lab/win-chance.md. The same seed gives the same games on every machine.
"""

from __future__ import annotations

import argparse
import json
import os
import random
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pentad.game import game, load, new
from pentad.play.openings import opening
from pentad.record import Record
from pentad.search.analysis import fixed_value
from pentad.search.bot import bot
from pentad.search.win_chance import FILE, LEAST, share
from pentad.system.files import write_safely
from pentad.system.progress import Bar

HERE = Path(__file__).resolve().parent.parent
ROOT, PAGE = HERE / "src" / "pentad" / "games", HERE / "docs" / "lab" / "win-chance.md"
BEGIN, END = "<!-- fits -->\n", "<!-- end of fits -->\n"
BETWEEN = (
    "Of the positions that were held out, those with a chance in these bounds ended like this; the number of positions "
    "follows.\nThe chances of all seats are counted."
)
LEVELS = (2, 3, 4)
SAMPLED = 8  # positions of a game
MAX_MOVES = 300  # longer games are left out
HELD_OUT = 4  # every fourth game is held out
RESAMPLED = 400  # samples of the games, for the error of the sharpness
SHARPEST = 10.0
BINS = 10

Rows: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Group:
    """Positions that share a sharpness: the options by which they are known, and the games that are played."""

    game: str
    words: str
    options: Mapping[str, Sequence[Any]]  # the allowed values of each option
    games: Sequence[Mapping[str, Any]]  # the options of single games
    bot: str
    opening: int = 4  # random moves at most
    count: int = 100  # games that are played

    @property
    def title(self) -> str:
        return game(self.game).title


CLASSIC = {"rows": [2], "cols": [2], "block": [3], "line": [5], "players": [2]}
GROUPS = (
    Group("pentago", "classic board", CLASSIC, [{}], "engine", count=400),
    Group("pentago", "other boards", {}, [{"rows": 1, "cols": 3}, {"rows": 3, "cols": 3}], "tree", count=60),
    Group(
        "pente",
        "without captures",
        {"rules": ["gomoku", "freestyle", "lines"]},
        [{"rules": "gomoku"}, {"rules": "freestyle"}],
        "engine",
    ),
    Group(
        "pente",
        "with captures",
        {},
        [{"rules": rules} for rules in ("pente", "keryo", "boat", "poof", "g-pente")],
        "engine",
    ),
    *(
        Group("pentagame", f"{n} players", {"players": [n]}, [{"players": n}], "tree", opening=2 * n, count=count)
        for n, count in ((2, 80), (3, 80), (4, 160), (5, 80))
    ),
)


@dataclass(slots=True)
class Sample:
    """Evaluated positions of a game: the shares by seat, the seat to move, and the result as shares."""

    shares: list[list[float]] = field(default_factory=list)
    movers: list[int] = field(default_factory=list)
    result: list[float] = field(default_factory=list)


def played(number: int, group: Group, seed: int) -> Sample | None:
    """A game with evaluations; None for one that is too long."""
    rng = random.Random(f"{seed}/{number}")
    start = new(group.game, **group.games[number % len(group.games)])
    record = Record(start)
    for move in opening(start, rng.randint(0, group.opening), seed, number):
        record.end.play(move)
    who = f"{group.bot}@{rng.choice(LEVELS)}"
    seats = [bot(group.game, who, seed=rng.randrange(1 << 30)) for _ in range(start.players)]
    while record.outcome is None:
        here = record.end.position
        if here.ply >= MAX_MOVES:
            return None
        record.end.play(seats[here.turn].choose(here))
    found = Sample(result=[share(each, start.players) for each in record.outcome.returns])
    positions = [node.position for node in (record.root, *record.main_line[:-1])]
    for here in rng.sample(positions, min(SAMPLED, len(positions))):
        values = fixed_value(load(here.text))
        if max(values) < 1:
            found.shares.append([share(value, start.players) for value in values])
            found.movers.append(here.turn)
    return found


# ── the fit ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class Data:
    """Rows of positions: log shares, results, movers, and the games that they are of."""

    logs: Rows
    results: Rows
    movers: NDArray[np.int64]
    games: NDArray[np.int64]

    @classmethod
    def of(cls, samples: Mapping[int, Sample]) -> Data:
        rows = [(number, each, i) for number, each in samples.items() for i in range(len(each.shares))]
        return cls(
            np.log(np.maximum([each.shares[i] for _, each, i in rows], LEAST)),
            np.array([each.result for _, each, _ in rows]),
            np.array([each.movers[i] for _, each, i in rows]),
            np.array([number for number, _, _ in rows]),
        )

    def part(self, rows: NDArray[Any]) -> Data:
        return Data(self.logs[rows], self.results[rows], self.movers[rows], self.games[rows])

    def chances(self, sharpness: float) -> Rows:
        raised = np.exp(sharpness * self.logs)
        chances: Rows = raised / raised.sum(axis=1, keepdims=True)
        return chances

    def loss(self, sharpness: float) -> float:
        """The mean of the negative log likelihood."""
        return float(-(self.results * np.log(self.chances(sharpness))).sum(axis=1).mean())

    def fitted(self, weights: Rows | None = None) -> float:
        """The sharpness of the greatest likelihood, which is concave: Newton's method with short steps."""
        k = 1.0
        each = np.ones(len(self.logs)) if weights is None else weights
        for _ in range(50):
            chances = self.chances(k)
            mean = (chances * self.logs).sum(axis=1)
            slope = ((self.results * self.logs).sum(axis=1) - mean) @ each
            bend = ((chances * self.logs**2).sum(axis=1) - mean**2) @ each
            step = min(max(slope / max(bend, 1e-12), -0.5), 0.5)
            k = min(max(k + step, 0.0), SHARPEST)
            if abs(step) < 1e-9:
                break
        return float(k)

    def error(self, rng: np.random.Generator) -> float:
        """The standard error of the sharpness, by resampling whole games: positions of a game share its result."""
        games, index = np.unique(self.games, return_inverse=True)
        counts = (rng.multinomial(len(games), np.full(len(games), 1 / len(games))) for _ in range(RESAMPLED))
        return float(np.std([self.fitted(count[index].astype(float)) for count in counts]))

    def calibration(self, sharpness: float) -> list[tuple[float, float, int]]:
        """For each tenth of chances that occurs: the mean chance, the mean result, and how many there are, by seat."""
        chances, results = self.chances(sharpness).ravel(), self.results.ravel()
        bins = np.minimum((chances * BINS).astype(int), BINS - 1)
        return [
            (round(float(chances[of].mean()), 3), round(float(results[of].mean()), 3), int(of.sum()))
            for number in range(BINS)
            if (of := bins == number).any()
        ]


def fit(group: Group, samples: Mapping[int, Sample], seed: int) -> dict[str, Any]:
    """The constants of a group, with the figures of the games that are held out."""
    data = Data.of(samples)
    held = data.games % HELD_OUT == HELD_OUT - 1
    train, test = data.part(~held), data.part(held)
    sharpness = round(train.fitted(), 3)
    chances = test.chances(sharpness)
    rows = np.arange(len(test.movers))
    return {
        "options": group.options,
        "sharpness": sharpness,
        "error": round(train.error(np.random.default_rng(seed)), 3),
        "games": len(samples),
        "positions": len(data.games),
        "held_out_positions": len(test.games),
        "log_loss": round(test.loss(sharpness), 4),
        "log_loss_unfitted": round(test.loss(1.0), 4),
        "log_loss_even": round(test.loss(0.0), 4),
        "mover_bias": round(float((test.results - chances)[rows, test.movers].mean()), 4),
        "calibration": test.calibration(sharpness),
    }


def shown(group: Group, found: Mapping[str, Any]) -> str:
    """A fit as lines of text."""
    sizes = f"{found['games']} games, {found['positions']} positions"
    losses = f"{found['log_loss_unfitted']} with sharpness 1, {found['log_loss_even']} without evaluation"
    lines = [
        f"{group.title}, {group.words}: sharpness {found['sharpness']} ± {found['error']} ({sizes})",
        f"  held out: log loss {found['log_loss']} ({losses}); the mover scores {found['mover_bias']:+.3f} more",
        "  chance  result  positions",
        *(f"  {chance:6.3f}  {result:6.3f}  {number:9}" for chance, result, number in found["calibration"]),
    ]
    return "\n".join(lines)


# ── the page ─────────────────────────────────────────────────────────────────────────────────────


def tables() -> str:
    """The fits of all games as tables: their figures, and how the positions that were held out ended."""
    found = {f"{group.title}, {group.words}": each for group, each in zip(GROUPS, _written(), strict=True)}
    heads = ("game", "sharpness", "games", "log loss", "with sharpness 1", "without evaluation")
    figures = [_line(*heads), "|" + "---|" * len(heads)]
    for name, each in found.items():
        losses = (f"{each[key]:.3f}" for key in ("log_loss", "log_loss_unfitted", "log_loss_even"))
        figures.append(_line(name, f"{each['sharpness']:.2f} ± {each['error']:.2f}", each["games"], *losses))
    bins = [f"{100 * n // BINS} to {100 * (n + 1) // BINS} %" for n in range(BINS)]
    results = [_line("chance", *bins), "|" + "---|" * (BINS + 1)]
    results += [_line(name, *_results(each["calibration"])) for name, each in found.items()]
    return "\n".join([*figures, "", BETWEEN, "", *results, ""])


def _written() -> list[dict[str, Any]]:
    """The fits in the files of the games, in the order of the groups."""
    names = dict.fromkeys(group.game for group in GROUPS)
    texts = ((ROOT / name / FILE).read_text(encoding="utf-8") for name in names)
    return [each for text in texts for each in json.loads(text)["fits"]]


def _results(calibration: Sequence[tuple[float, float, int]]) -> list[str]:
    cells = [""] * BINS
    for chance, result, number in calibration:
        cells[min(int(chance * BINS), BINS - 1)] = f"{100 * result:.0f} % ({number})"
    return cells


def _line(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def write_page() -> None:
    """Writes the tables into the page."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    write_safely(PAGE, f"{before}{BEGIN}{tables()}{END}{rest.split(END)[1]}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Fits the chance to win to games of the engine against itself.")
    parser.add_argument("--only", metavar="GAME", choices=dict.fromkeys(each.game for each in GROUPS))
    parser.add_argument("--games", metavar="N", type=int, help="games for each fit (default: those of the table)")
    parser.add_argument("--seed", metavar="N", type=int, default=1)
    parser.add_argument("--workers", metavar="N", type=int, default=os.cpu_count())
    args = parser.parse_args()
    number = f" --games {args.games}" if args.games else ""
    command = f"python training/win_chance.py --seed {args.seed}{number}"
    with ProcessPoolExecutor(args.workers) as pool:
        for name in dict.fromkeys(each.game for each in GROUPS if args.only in (None, each.game)):
            fits = []
            for group in (each for each in GROUPS if each.game == name):
                samples, count = dict[int, Sample](), args.games or group.count
                with Bar() as bar:
                    bar.begin(f"{group.title}, {group.words}")
                    tasks = {number: pool.submit(played, number, group, args.seed) for number in range(count)}
                    for index, task in tasks.items():
                        if sample := task.result():
                            samples[index] = sample
                        bar.update(index + 1, count)
                fits.append(fit(group, samples, args.seed))
                print(shown(group, fits[-1]), flush=True)
            text = json.dumps({"made_by": command, "levels": LEVELS, "fits": fits}, indent=1)
            write_safely(ROOT / name / FILE, text + "\n")
    write_page()


if __name__ == "__main__":
    main()
