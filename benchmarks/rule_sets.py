"""Rule sets measured and compared: the example of docs/how-to/rule-sets.md, and the figures of docs/lab/rule-sets.md.

python -m benchmarks rule_sets [--only REPORT] [--games N] [--workers N] [--folder DIR]

Runs the command of the page's first example (`--only example`), in half a minute on one core, and plays the games of
two reports, in half an hour. With a folder, one for each report, the games are kept, and more games only add to them.
What was printed and the figures are written to the pages, the plots beside their pictures.

The values behind the figures are those of the engines: run this after a change of theirs.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.figures import machine
from pentad import new
from pentad.play.contest_report import markdown_table
from pentad.play.plots import alone
from pentad.play.rule_measures import MEASURES
from pentad.play.rule_report import RuleReport, form_of, interval, play_rule_sets, plots_of, rule_sets, terms_of
from pentad.system.files import write_safely
from pentad.system.progress import Bar
from pentad.system.words import count
from pentad.terminal.arguments import whole
from pentad.terminal.report import OPENING_PLIES

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGE, LAB, PICTURES = DOCS / "how-to" / "rule-sets.md", DOCS / "lab" / "rule-sets.md", DOCS / "pictures" / "rule-sets"
FIRST, SEED = "pente", 1
EXAMPLE, CONSOLE = "example", "```{ .console .slow }\n$ "


class Wanted(NamedTuple):
    """A report: the rule sets beside the first, the games of each, and the plots to show."""

    others: tuple[str, ...]
    games: int
    plots: tuple[str, ...]
    plies: int = OPENING_PLIES
    bot: str | None = None


REPORTS: Mapping[str, Wanted] = {
    # The rule restricts the third move, so that is the bot's; noise makes games with the same opening differ.
    "tournament": Wanted(
        ("tournament_rule=false",), 400, ("First-player advantage", "Length of the games"), plies=2, bot="engine@3"
    ),
    "five": Wanted(
        ("rules=keryo", "rules=freestyle", "pentago", "pentagame"),
        70,
        ("First-player advantage", "Decisive games", "Length of the games", "Lead of the winner"),
    ),
}


def report(name: str, wanted: Wanted, games: int, workers: int | None, folder: Path | None) -> RuleReport:
    """Plays the games of a report, or the rest of them."""
    starts = rule_sets(new(FIRST), [other.split() for other in wanted.others])
    terms = [terms_of(start, wanted.bot, seed=SEED, plies=wanted.plies).checked() for start in starts]
    total = games * len(terms)
    with Bar("measuring") as bar:
        measured = play_rule_sets(
            terms,
            games,
            folder=folder and folder / name,
            workers=workers,
            progress=lambda done, _: bar.update(done, total, f"  {done:,} of {count(total, 'game')}"),
        )
    words = [f"--compare {other}" for other in wanted.others]
    words += [f"--bot {wanted.bot}"] * (wanted.bot is not None) + [f"--plies {wanted.plies}"] * (
        wanted.plies != OPENING_PLIES
    )
    return RuleReport(measured, f"pentad report {FIRST} {' '.join(words)} --games {games}")


def figures(name: str, made: RuleReport) -> str:
    """The table of a report, and its pictures. Values that differ from those of the first rule set are bold."""
    first, *others = made.measured
    rows = []
    for key, measure in MEASURES.items():
        cells = [interval(each.estimates[key], form_of(measure)) for each in made.measured]
        found = [None, *(made.difference(key, each) for each in others)]
        bold = [f"**{cell}**" if each and each.differs else cell for cell, each in zip(cells, found, strict=True)]
        rows.append((measure.title, *bold))
    rows.append(("Endings", *(each.endings_text for each in made.measured)))
    return "\n\n".join([
        f"```{{ .console .no-run }}\n$ {made.command} --report rules.html\n```",
        f"{made.conditions[0].capitalize()}{made.conditions[1:]}. {machine()}.",
        f"Bold values differ from `{first.name}`: the interval of the difference excludes 0.",
        markdown_table(("", *(each.name for each in made.measured)), rows),
        *(f"**{plot}**\n\n![{plot}](../pictures/rule-sets/{file_of(name, plot)})" for plot in REPORTS[name].plots),
    ])  # fmt: skip


def with_example(page: str) -> str:
    """The page with what the command of its first example prints."""
    before, _, rest = page.partition(CONSOLE)
    command, _, rest = rest.partition("\n")
    done = subprocess.run([sys.executable, "-m", *command.split()], stdout=subprocess.PIPE, text=True, check=True)
    return f"{before}{CONSOLE}{command}\n{done.stdout}```{rest.partition('```')[2]}"


def file_of(name: str, plot: str) -> str:
    return f"{name}-{plot.lower().replace(' ', '-')}.svg"


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=(EXAMPLE, *REPORTS))
    parser.add_argument("--games", type=whole(1, 100_000))
    parser.add_argument("--workers", type=whole(1, 256))
    parser.add_argument("--folder", type=Path)
    args = parser.parse_args(words)
    PICTURES.mkdir(parents=True, exist_ok=True)
    if args.only in (None, EXAMPLE):
        write_safely(PAGE, with_example(PAGE.read_text(encoding="utf-8")))
    for name, wanted in REPORTS.items():
        if args.only not in (None, name):
            continue
        made = report(name, wanted, args.games or wanted.games, args.workers, args.folder)
        for plot, drawing in plots_of(made).items():
            if plot in wanted.plots:
                write_safely(PICTURES / file_of(name, plot), alone(drawing))
        begin, end = f"<!-- {name}: figures of benchmarks/rule_sets.py -->", f"<!-- end of {name} -->"
        before, _, rest = LAB.read_text(encoding="utf-8").partition(begin)
        write_safely(LAB, f"{before}{begin}\n\n{figures(name, made)}\n\n{end}{rest.partition(end)[2]}")


if __name__ == "__main__":
    main()
