"""Reports of contests: standings, cross table and results as Markdown, JSON, or an HTML page with plots."""

from __future__ import annotations

import base64
import html
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pentad.game import GameError, game
from pentad.play.standings import Standing, Standings, reasons
from pentad.system.extras import needs
from pentad.system.words import count, phrase

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEADINGS = ("", "player", "points", "games", "won", "drawn", "lost", "Elo", "±")


@dataclass(frozen=True, repr=False)
class ContestReport:
    """The standings of a contest, and what else is to be said about it; `command` made them."""

    standings: Standings
    notes: Sequence[str] = ()
    command: str = ""
    data: Mapping[str, object] = field(default_factory=dict)

    @property
    def title(self) -> str:
        terms = self.standings.terms
        return f"{game(terms.game).title}: {' – '.join(terms.players) if terms.what == 'match' else terms.system}"

    def __repr__(self) -> str:
        return f"<ContestReport of {self.title}: {count(len(self.standings.results), 'game')}>"

    def _repr_html_(self) -> str:
        """The tables and plots, for notebooks."""
        return "\n".join([f"<h1>{html.escape(self.title)}</h1>", *_sections(self)])

    @property
    def conditions(self) -> list[str]:
        """How the games were played, in words."""
        terms = self.standings.terms
        options = {
            name: value for name, value in terms.options.items() if value != game(terms.game).options[name].default
        }
        words = [
            count(len(self.standings.results), "game"),
            f"openings of {count(terms.plies, 'random move')}"
            + (
                ""
                if terms.balance is None
                else phrase(" with a value at most {balance:g} from even", balance=terms.balance)
            ),
            f"seed {terms.seed}",
            "" if terms.seconds is None else f"{terms.seconds:g} s per move",
            "" if terms.nodes is None else f"{count(terms.nodes, 'node')} per move",
            "adjudicated by exact values" if terms.adjudicate else "",
            *(f"{name} {value}" for name, value in options.items()),
        ]
        return [word for word in words if word]


def rows(table: Sequence[Standing]) -> list[tuple[str, ...]]:
    """The cells of the standings."""
    return [
        (
            str(place),
            each.name,
            f"{each.points:g}",
            str(each.games),
            str(each.wins),
            str(each.draws),
            str(each.losses),
            f"{each.rating.elo:+.0f}" if each.rating else "",
            f"{each.rating.error:.0f}" if each.rating else "",
        )
        for place, each in enumerate(table, 1)
    ]


def cross_table(standings: Standings) -> list[tuple[str, ...]]:
    """The points of each player against each other, the best first: a heading and a row for each player."""
    names = [each.name for each in standings.table()]
    number = {name: each for each, name in enumerate(standings.terms.players)}
    against = standings.against()

    def cell(one: str, other: str) -> str:
        points, games = against.get((number[one], number[other]), (0.0, 0))
        return f"{points:g}/{games}" if games else ""

    places = tuple(str(place) for place in range(1, len(names) + 1))
    return [("", "player", *places)] + [
        (place, one, *(cell(one, other) for other in names)) for place, one in zip(places, names, strict=True)
    ]


# ── formats ──────────────────────────────────────────────────────────────────────────────────────


def as_markdown(report: ContestReport) -> str:
    """The report as Markdown."""
    standings = report.standings
    parts = [f"# {report.title}", f"{', '.join(report.conditions)}."]
    if report.command:
        parts.append(f"```console\n$ {report.command}\n```")
    parts += [f"{note}  " for note in report.notes]
    parts.append(markdown_table(HEADINGS, rows(standings.table())))
    heading, *crossed = cross_table(standings)
    parts += ["## Cross table", markdown_table(heading, crossed)]
    parts += ["## How the games ended", markdown_table(("", "games"), _endings(standings))]
    return "\n\n".join(parts) + "\n"


def markdown_table(heading: Sequence[str], cells: Iterable[Sequence[str]]) -> str:
    """A table; the columns of names are left-aligned."""
    rule = [":--" if name == "player" or (name == "" and len(heading) == 2) else "--:" for name in heading]
    return "\n".join(f"| {' | '.join(row)} |" for row in (heading, rule, *cells))


def _endings(standings: Standings) -> list[tuple[str, str]]:
    return [(reason, f"{number:,}") for reason, number in reasons(standings.results).most_common()]


def as_json(report: ContestReport) -> str:
    """The report as JSON."""
    return json.dumps(report.data or report.standings.as_json(), indent=2) + "\n"


STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; max-width: 60rem; padding: 1rem }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto }
th, td { padding: .2rem .6rem; text-align: right; border-bottom: 1px solid #ddd }
th.name, td.name { text-align: left }
img { max-width: 100%; height: auto }
"""


def as_html(report: ContestReport) -> str:
    """The report as a page of its own, with plots."""
    title, body = html.escape(report.title), "\n".join(_sections(report))
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{title}</title>\n'
        f"<style>{STYLE}</style>\n<h1>{title}</h1>\n{body}\n</html>\n"
    )


def _sections(report: ContestReport) -> list[str]:
    """The tables and plots of a report."""
    standings = report.standings
    heading, *crossed = cross_table(standings)
    parts = [
        f"<p>{html.escape(', '.join(report.conditions))}.</p>",
        f"<pre>$ {html.escape(report.command)}</pre>" if report.command else "",
        *(f"<p>{html.escape(note)}</p>" for note in report.notes),
        _html_table(HEADINGS, rows(standings.table())),
        *(_image(name, draw, standings) for name, draw in PLOTS.items()),
        "<h2>Cross table</h2>",
        _html_table(heading, crossed, shade=True),
    ]
    return [part for part in parts if part]


def _html_table(heading: Sequence[str], cells: Iterable[Sequence[str]], *, shade: bool = False) -> str:
    """A table; with `shade` the cells such as `3/4` get a colour by their share."""

    def attributes(name: str, cell: str) -> str:
        if name == "player":
            return ' class="name"'
        won, slash, games = cell.partition("/")
        if not (shade and slash):
            return ""
        return f' style="background: hsl({120 * float(won) / float(games):.0f} 70% 85%)"'

    head = "".join(f"<th{attributes(name, '')}>{html.escape(name)}</th>" for name in heading)
    body = "\n".join(
        "<tr>"
        + "".join(
            f"<td{attributes(name, cell)}>{html.escape(cell)}</td>" for name, cell in zip(heading, row, strict=True)
        )
        + "</tr>"
        for row in cells
    )
    return f"<table>\n<tr>{head}</tr>\n{body}\n</table>"


# ── plots ────────────────────────────────────────────────────────────────────────────────────────


def _plot_ratings(axes: Axes, standings: Standings) -> None:
    rated = [each for each in reversed(standings.table()) if each.rating]
    ratings = [each.rating for each in rated if each.rating]
    axes.errorbar([r.elo for r in ratings], range(len(rated)), xerr=[r.error for r in ratings], fmt="o", capsize=3)
    axes.set_yticks(range(len(rated)), [each.name for each in rated])
    axes.set_xlabel("Elo, with 95% intervals")
    axes.grid(axis="x", alpha=0.3)


def _plot_results(axes: Axes, standings: Standings) -> None:
    table = list(reversed(standings.table()))
    names, left = range(len(table)), [0] * len(table)
    for label, colour in (("won", "#4c9f70"), ("drawn", "#c9c9c9"), ("lost", "#c8553d")):
        counts = [{"won": each.wins, "drawn": each.draws, "lost": each.losses}[label] for each in table]
        axes.barh(names, counts, left=left, label=label, color=colour)
        left = [before + more for before, more in zip(left, counts, strict=True)]
    axes.set_yticks(names, [each.name for each in table])
    axes.set_xlabel("games")
    axes.legend(ncols=3, loc="lower right", bbox_to_anchor=(1, 1), frameon=False)


def _plot_lengths(axes: Axes, standings: Standings) -> None:
    lengths = [result.moves for result in standings.results]
    axes.hist(lengths, bins=min(30, max(lengths) - min(lengths) + 1) if lengths else 1)
    axes.set_xlabel("moves of a game")
    axes.set_ylabel("games")
    axes.locator_params(axis="y", integer=True)


def _plot_endings(axes: Axes, standings: Standings) -> None:
    found = list(reversed(reasons(standings.results).most_common()))
    axes.barh([reason for reason, _ in found], [number for _, number in found])
    axes.set_xlabel("games")


PLOTS: Mapping[str, Callable[[Axes, Standings], None]] = {
    "Ratings": _plot_ratings,
    "Results": _plot_results,
    "Length of the games": _plot_lengths,
    "How the games ended": _plot_endings,
}


def _image(name: str, draw: Callable[[Axes, Standings], None], standings: Standings) -> str:
    """A plot with its heading, as an image within the page; the same standings give the same bytes."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": name, "svg.fonttype": "none", "font.family": "sans-serif"}):
        high = 0.3 * len(standings.terms.players) + 1.5 if draw in (_plot_ratings, _plot_results) else 3.0
        figure = Figure(figsize=(7.5, high), layout="constrained")
        draw(figure.add_subplot(), standings)
        out = io.BytesIO()
        figure.savefig(out, format="svg", metadata={"Date": None})
    data = base64.b64encode(out.getvalue()).decode()
    return f'<h2>{name}</h2>\n<img alt="{name}" src="data:image/svg+xml;base64,{data}">'


FORMATS: Mapping[str, Callable[[ContestReport], str]] = {".md": as_markdown, ".json": as_json, ".html": as_html}


def format_for(path: Path) -> Callable[[ContestReport], str]:
    """The format of a report by the end of the file's name; what it needs is installed."""
    if path.suffix not in FORMATS:
        raise GameError("{path}: Expected a report that ends with {formats}.", path=path, formats=", ".join(FORMATS))
    if path.suffix == ".html":
        with needs("data"):
            import matplotlib as mpl  # noqa: F401
    return FORMATS[path.suffix]
