"""Ratings of the rungs: a tournament of neighbours in each game, for docs/reference/strength.md and for the screens.

python -m benchmarks ratings [--only GAME] [--sets N] [--workers N] [--folder DIR]

Every set is two games of each pair. With a folder the games are kept, and more sets only add games. The results are
written to `ratings.json` in the folder of each game, from which the page and the screens take them. A set takes from
one to four minutes a game, mostly for the highest rung, which uses a second for each move.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.figures import machine
from pentad import game as registry
from pentad.game import game
from pentad.play.contest import ContestTerms
from pentad.play.contest_report import ContestReport, markdown_table
from pentad.play.standings import Standings
from pentad.play.tournament import play_tournament
from pentad.search.bot import RATINGS, best
from pentad.search.levels import RUNGS
from pentad.system.files import write_safely
from pentad.terminal.arguments import whole

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reference" / "strength.md"
BASIS = ("random", "greedy")  # bots that every game has
FIRST = 800.0  # the rating of the lowest rung
SETS, PLIES, BALANCE = 10, 3, 0.4
SYSTEM = "neighbours"
PACKAGES = {name: ROOT / "src" / "pentad" / "games" / name for name in registry.PACKAGES}

BEGIN, END = "<!-- written by benchmarks/ratings.py -->", "<!-- the end of what it writes -->"


def pool(name: str) -> tuple[str, ...]:
    """The players of a game: its simplest bots, and the rungs of the best one."""
    return *BASIS, *(f"{best(name)}@{rung}" for rung in RUNGS)


def anchor(name: str) -> tuple[str, float]:
    """The player with a given rating."""
    return f"{best(name)}@{next(iter(RUNGS))}", FIRST


def terms(name: str) -> ContestTerms:
    return ContestTerms(name, pool(name), SYSTEM, plies=PLIES, balance=BALANCE).checked()


def command(name: str, sets: int) -> str:
    """The same tournament as a command."""
    who, elo = anchor(name)
    words = f"--system {SYSTEM} --plies {PLIES} --balance {BALANCE} --sets {sets} --anchor {who}={elo:g}"
    return f"pentad tournament {name} {' '.join(pool(name))} {words}"


def measured(standings: Standings, sets: int) -> dict[str, Any]:
    """The data of a game's ratings."""
    return {
        "command": command(standings.terms.game, sets),
        "conditions": ContestReport(standings).conditions,
        "machine": f"{machine()}, load {os.getloadavg()[2]:.0f}",
        "players": {
            each.name: {
                "points": each.points,
                "games": each.games,
                "won": each.wins,
                "drawn": each.draws,
                "lost": each.losses,
                "elo": round(each.rating.elo, 1) if each.rating else None,
                "error": round(each.rating.error, 1) if each.rating else None,
            }
            for each in standings.table()
        },
    }


def page(text: str, data: Mapping[str, Mapping[str, Any]]) -> str:
    """The text of docs/reference/strength.md with these ratings."""
    before, _, rest = text.partition(BEGIN)
    rows = []
    for rung in (*reversed(RUNGS), *reversed(BASIS)):
        rated = [each["players"].get(rung) or each["players"][f"{best(name)}@{rung}"] for name, each in data.items()]
        rows.append((rung, *(f"{each['elo']:.0f} ± {each['error']:.0f}" for each in rated)))
    table = markdown_table(("", *(game(name).title for name in data)), rows)
    terms = [
        f"- {game(name).title}: {', '.join(each['conditions'])}. {each['machine']}." for name, each in data.items()
    ]
    return "\n\n".join([before + BEGIN, table, "\n".join(terms), END + rest.partition(END)[2]])


def read() -> dict[str, Any]:
    """The data of all games that have been measured."""
    files = {name: folder / RATINGS for name, folder in PACKAGES.items()}
    return {name: json.loads(path.read_text(encoding="utf-8")) for name, path in files.items() if path.exists()}


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--only", choices=tuple(PACKAGES), help="one of the games (default: all)")
    parser.add_argument("--sets", type=whole(1, 10_000), default=SETS, help=f"two games of each pair (default: {SETS})")
    parser.add_argument("--workers", type=whole(1, 256), default=1, help="processes (default: 1)")
    parser.add_argument("--folder", type=Path, help="keeps the games of each game in a folder there")
    args = parser.parse_args(words)
    for name in [args.only] if args.only else PACKAGES:
        with tempfile.TemporaryDirectory() as temporary:
            folder = (args.folder or Path(temporary)) / name
            standings = play_tournament(
                terms(name), args.sets, folder=folder, workers=args.workers, anchor=anchor(name)
            )
        text = json.dumps(measured(standings, args.sets), indent=2, ensure_ascii=False) + "\n"
        write_safely(PACKAGES[name] / RATINGS, text)
        print(f"{name}: {len(standings.results)} games", flush=True)
    write_safely(PAGE, page(PAGE.read_text(encoding="utf-8"), read()))


if __name__ == "__main__":
    main()
