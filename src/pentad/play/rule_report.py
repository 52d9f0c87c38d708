"""Reports on rule sets: games of one bot against itself, measured and compared, as text, JSON, or an HTML page."""

from __future__ import annotations

import contextlib
import html
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from pentad.game import GameError, OptionValue, Position, game, names, shown
from pentad.play import plots
from pentad.play.contest import SELF_PLAY, Contest, ContestTerms
from pentad.play.pairings import Pairing
from pentad.play.rule_measures import MEASURES, Course, Estimate, Measure, branching_by_move, lead_by_part
from pentad.search.bot import measured_bot
from pentad.system.words import count, phrase

MAX_LENGTH_BINS = 30


def rule_sets(first: Position, others: Sequence[Sequence[str]]) -> list[Position]:
    """The starts of rule sets, each different: the first, and others by words.

    Words are options over those of the first, `size=15`; one without a value stands for each other value of the
    option. After the name of a game they are options of that game.
    """
    found = [first]
    for words in others:
        named = words[0] if words and words[0] in names() else ""
        base = game(named).new() if named else first
        found += _varied(base, words[1:] if named else words)
    starts = list(dict.fromkeys(found))
    if len(starts) < len(found):
        twice = next(start for number, start in enumerate(found) if start in found[:number])
        raise GameError("The rule set {rules} is listed twice.", rules=rules_of(twice))
    return starts


def _varied(base: Position, words: Sequence[str]) -> list[Position]:
    """The starts that the words name: one, or one for each other value of an option without a value."""
    kind = game(base.game)
    given = [_given(base)]
    for word in words:
        name, equals, value = word.partition("=")
        option = kind.options.get(name)
        if option is None:
            kind.check_options({name: value})  # says which options there are
            raise AssertionError
        if equals:
            values = [option.read(value)]
        elif option.kind == "integer" or option.several:
            raise GameError("Option {name} needs a value: it must be {expects}.", name=name, expects=option.expects)
        else:
            allowed = option.allowed if option.kind == "choice" else (False, True)
            values = [each for each in allowed if each != base.options.get(name)]
        given = [{**each, name: value} for each in given for value in values]
    return [kind.new(**each) for each in given]


def _given(start: Position) -> dict[str, OptionValue]:
    """The options that differ from their defaults."""
    table = game(start.game).options
    words = (word.partition("=") for word in start.options_text().split())
    return {name: table[name].read(value) for name, _, value in words}


def rules_of(start: Position) -> str:
    """A rule set in words: its game and the options that differ from their defaults."""
    return f"{start.game} {start.options_text()}".strip()


@dataclass
class Measured:
    """A rule set and the courses of its games."""

    terms: ContestTerms
    course_by_game: dict[int, Course] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return rules_of(self.terms.start())

    @cached_property
    def played(self) -> list[Course]:
        """The courses in the order of their numbers, so that sums do not depend on the processes."""
        return [self.course_by_game[number] for number in sorted(self.course_by_game)]

    @cached_property
    def estimates(self) -> dict[str, Estimate | None]:
        return {name: measure.of(self.played) for name, measure in MEASURES.items()}

    @property
    def endings(self) -> Counter[str]:
        """How the games ended."""
        return Counter(course.reason for course in self.played)

    @property
    def endings_text(self) -> str:
        return ", ".join(f"{reason} {number:,}" for reason, number in self.endings.most_common())

    @property
    def seats(self) -> list[float]:
        """Each seat's share of the points."""
        return [sum(shares) / len(self.played) for shares in zip(*(each.shares for each in self.played), strict=True)]

    def as_json(self) -> dict[str, object]:
        lengths = Counter(course.moves for course in self.played)
        return {
            "rules": self.name,
            **self.terms.settings,
            "games": len(self.played),
            "measures": {name: found and found.as_json() for name, found in self.estimates.items()},
            "points_by_seat": self.seats,
            "endings": dict(self.endings.most_common()),
            "lengths": {str(length): lengths[length] for length in sorted(lengths)},
            "branching_by_move": branching_by_move(self.played),
            "lead_by_part": lead_by_part(self.played),
        }


def play_rule_sets(
    all_terms: Sequence[ContestTerms],
    number: int,
    *,
    folder: Path | None = None,
    workers: int | None = None,
    progress: Callable[[int, bool], None] = lambda done, is_saved: None,
    programs: bool = False,
    cluster: str | None = None,
) -> list[Measured]:
    """Plays so many games of each rule set, or the rest of them; those of which at least one was played.

    `progress` is called after every game; `cluster` as for `Contest`. An interrupt stops; finished games are counted,
    and saved in a folder.
    """
    found = [Measured(terms) for terms in all_terms]
    done = 0
    with contextlib.suppress(KeyboardInterrupt):
        for each in found:
            players = each.terms.start().players
            pairings = (Pairing(game, game, (0,) * players) for game in range(number))
            own = folder / re.sub(r"[^A-Za-z0-9_]+", "-", each.name) if folder else None
            with (
                Contest(each.terms, own, workers, programs, cluster=cluster) as contest,
                contextlib.closing(contest.records(pairings)) as records,
            ):
                for pairing, record, is_saved in records:
                    each.course_by_game[pairing.number] = Course.of(record)
                    done += 1
                    progress(done, is_saved)
    return [each for each in found if each.course_by_game]


def terms_of(start: Position, player: str | None = None, **more: Any) -> ContestTerms:
    """The terms of a rule set's games, by the bot that measures its game or another."""
    return ContestTerms(start.game, (player or measured_bot(start.game),), SELF_PLAY, options=_given(start), **more)


# ── the report ───────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, repr=False)
class RuleReport:
    """Measured rule sets; the others are compared with the first."""

    measured: Sequence[Measured]
    command: str = ""

    @property
    def title(self) -> str:
        named = dict.fromkeys(game(each.terms.game).title for each in self.measured)
        return phrase(
            "{named}: {what} measured by games",
            named=" · ".join(named),
            what="rule sets" if len(self.measured) > 1 else "rules",
        )

    def __repr__(self) -> str:
        return f"<RuleReport of {count(len(self.measured), 'rule set')}>"

    @property
    def conditions(self) -> str:
        """How the games were played, in words."""
        terms = [each.terms for each in self.measured]
        first = terms[0]
        players = dict.fromkeys(f"{each.players[0]} of {game(each.game).title}" for each in terms)
        words = [
            phrase("{players} at all seats", players=", ".join(players)),
            f"openings of {count(first.plies, 'random move')}",
            f"seed {first.seed}",
            f"{count(first.nodes, 'node')} per move" if first.nodes is not None else "",
        ]
        return ", ".join(word for word in words if word)

    def differences(self, each: Measured) -> dict[str, Estimate | None]:
        """The differences of all measures from those of the first rule set."""
        return {name: self.difference(name, each) for name in MEASURES}

    def difference(self, name: str, each: Measured) -> Estimate | None:
        """A measure's difference from that of the first rule set."""
        one, other = each.estimates[name], self.measured[0].estimates[name]
        return one.minus(other) if one and other else None

    def as_json(self) -> dict[str, object]:
        first, *others = self.measured
        differences = [
            {
                "rules": each.name,
                "minus": first.name,
                "measures": {
                    name: found and found.as_json() | {"differs": found.differs}
                    for name, found in self.differences(each).items()
                },
            }
            for each in others
        ]
        return {"rule_sets": [each.as_json() for each in self.measured], "differences": differences}


def as_json(report: RuleReport) -> str:
    return json.dumps(report.as_json(), indent=1) + "\n"


def form_of(measure: Measure, *, signed: bool = False) -> Callable[[float], str]:
    """How the values of a measure are written.

    >>> form_of(MEASURES["edge"])(0.0312), form_of(MEASURES["branching"])(1234.5), form_of(MEASURES["length"])(31.25)
    ('+3.1%', '1,234', '31.2')
    """
    sign = "+" if signed or measure.is_edge else ""

    def form(value: float) -> str:
        if measure.is_percentage:
            return f"{100 * value:{sign}.1f}%"
        return f"{value:{sign},.{0 if abs(value) >= 1000 else 1 if abs(value) >= 10 else 2}f}"

    return form


percent = form_of(MEASURES["decided"])


def interval(found: Estimate | None, form: Callable[[float], str]) -> str:
    """A value with its bounds; without an interval the value alone."""
    if found is None:
        return "none"
    if found.low == float("-inf"):
        return form(found.value)
    return f"{form(found.value)} ({form(found.low)} to {form(found.high)})"


def as_text(report: RuleReport) -> str:
    """The report as lines for a terminal."""
    lines = [report.conditions]
    width = max(len(measure.title) for measure in MEASURES.values())
    first = report.measured[0]
    for each in report.measured:
        lines += ["", f"{each.name}: {count(len(each.played), 'game')}"]
        for name, measure in MEASURES.items():
            lines.append(f"  {measure.title:{width}}  {interval(each.estimates[name], form_of(measure))}")
        seats = ", ".join(percent(share) for share in each.seats)
        lines += [f"  {'Points by seat':{width}}  {seats}", f"  {'Endings':{width}}  {each.endings_text}"]
    for each in report.measured[1:]:
        lines += ["", f"{each.name} less {first.name}:"]
        for name, measure in MEASURES.items():
            found = report.difference(name, each)
            mark = "  differs" if found and found.differs else ""
            lines.append(f"  {measure.title:{width}}  {interval(found, form_of(measure, signed=True))}{mark}")
    return "\n".join(lines)


# ── the page ─────────────────────────────────────────────────────────────────────────────────────

STYLE = f"""
:root {{ color-scheme: light dark; {plots.LIGHT} }}
@media (prefers-color-scheme: dark) {{ :root {{ {plots.DARK} }} }}
body {{ font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); max-width: 74rem;
  margin: 0 auto; padding: 1rem }}
h1 {{ font-size: 1.6rem; line-height: 1.2 }} h2 {{ font-size: 1.2rem; margin-top: 2rem }}
h3 {{ font-size: 1rem; margin: 0 0 .5rem }}
pre, .wide {{ overflow-x: auto }}
table {{ border-collapse: collapse }}
th, td {{ padding: .25rem .75rem .25rem 0; text-align: right; white-space: nowrap }}
tr {{ border-bottom: 1px solid var(--line) }}
th:first-child {{ text-align: left; white-space: normal; min-width: 8rem }}
.plots {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); gap: 1.5rem 2rem }}
figure {{ margin: 0 }} dt {{ font-weight: 600 }} dd {{ margin: 0 0 .5rem }}
{plots.STYLE}"""


def as_html(report: RuleReport) -> str:
    """The report as one page that needs no other file."""
    title = html.escape(report.title)
    first, *others = report.measured
    names = [each.name for each in report.measured]
    rows = [["Games", *(f"{len(each.played):,}" for each in report.measured)]]
    rows += [
        [measure.title, *(interval(each.estimates[name], form_of(measure)) for each in report.measured)]
        for name, measure in MEASURES.items()
    ]
    seats = max(len(each.seats) for each in report.measured)
    rows += [
        [
            phrase("Points of player {seat}", seat=seat + 1),
            *(percent(each.seats[seat]) if seat < len(each.seats) else "" for each in report.measured),
        ]
        for seat in range(seats)
    ]
    reasons = dict.fromkeys(reason for each in report.measured for reason, _ in each.endings.most_common())
    endings = [
        [reason, *(percent(each.endings[reason] / len(each.played)) for each in report.measured)] for reason in reasons
    ]
    parts = [
        f"<h1>{title}</h1>",
        f"<p>{html.escape(report.conditions)}. The intervals are those of 95%.</p>",
        f'<pre tabindex="0">$ {html.escape(report.command)}</pre>' if report.command else "",
        "<h2>Measures</h2>",
        _table("Measures", ["", *names], rows),
        *(_compared(report, first, others) if others else ()),
        "<h2>Plots</h2>",
        '<div class="plots">',
        *(f"<figure><h3>{name}</h3>{plot}</figure>" for name, plot in plots_of(report).items()),
        "</div>",
        "<h2>How the games ended</h2>",
        _table("How the games ended", ["", *names], endings),
        "<h2>What is measured</h2>",
        "<dl>",
        *(
            f"<dt>{html.escape(each.title)}</dt><dd>{html.escape(each.about)}</dd>"
            for each in MEASURES.values()
        ),
        "</dl>",
    ]  # fmt: skip
    body = "\n".join(part for part in parts if part)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _compared(report: RuleReport, first: Measured, others: Sequence[Measured]) -> list[str]:
    """The differences from the first rule set; those whose interval excludes 0 are marked."""

    def cell(name: str, measure: Measure, each: Measured) -> str:
        found = report.difference(name, each)
        return interval(found, form_of(measure, signed=True)) + (" *" if found and found.differs else "")

    rows = [[measure.title, *(cell(name, measure, each) for each in others)] for name, measure in MEASURES.items()]
    heading = f"Differences from {first.name}"
    return [
        f"<h2>{html.escape(heading)}</h2>",
        "<p>A star marks a difference whose interval excludes 0. Shares are compared in percentage points.</p>",
        _table(heading, ["", *(each.name for each in others)], rows),
    ]


def _table(name: str, heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f'<th scope="col">{html.escape(cell)}</th>' if cell else "<td></td>" for cell in heading)
    body = "\n".join(
        f'<tr><th scope="row">{html.escape(row[0])}</th>'
        + "".join(f"<td>{html.escape(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    return (
        f'<div class="wide" role="region" aria-label="{html.escape(name)}" tabindex="0"><table>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>"
    )


def plots_of(report: RuleReport) -> Mapping[str, str]:
    """The plots by their names."""
    found = {}
    for name, measure in MEASURES.items():
        estimates = [(each.name, each.estimates[name]) for each in report.measured]
        rows = [(who, each.value, each.low, each.high) for who, each in estimates if each]
        if rows:
            found[measure.title] = plots.intervals(measure.title, rows, form_of(measure), zero=measure.is_edge)
    longest = max(course.moves for each in report.measured for course in each.played)
    wide = -(-longest // MAX_LENGTH_BINS) or 1
    binned = [(each.name, _binned(each.played, wide, longest)) for each in report.measured]
    branching = [(each.name, branching_by_move(each.played)) for each in report.measured]
    leads = [(each.name, lead) for each in report.measured if (lead := lead_by_part(each.played))]
    found["Length of the games"] = plots.columns(
        "Length of the games",
        binned,
        percent,
        phrase("moves, {width} a column", width=wide) if wide > 1 else "moves",
        (0, wide * len(binned[0][1])),
    )
    if any(numbers for _, numbers in branching):
        found["Legal moves by move"] = plots.columns(
            "Legal moves by move", branching, form_of(MEASURES["branching"]), "moves played"
        )
    if leads:
        found["Lead of the winner"] = plots.columns(
            "Lead of the winner", leads, lambda value: f"{value:+.2f}", "percent of the game", (0, 100)
        )
    return found


def _binned(courses: Sequence[Course], wide: int, longest: int) -> list[float]:
    """The share of the games by their length, in bins from 1 move on."""
    bins = Counter((course.moves - 1) // wide for course in courses)
    return [bins[number] / len(courses) for number in range(-(-longest // wide) or 1)]


FORMATS: Mapping[str, Callable[[RuleReport], str]] = {".html": as_html, ".json": as_json}


def format_for(path: Path) -> Callable[[RuleReport], str]:
    """The format of a report by the end of the file's name."""
    if path.suffix not in FORMATS:
        raise GameError(
            "{path}: Expected a report that ends with {formats}.", path=shown(str(path)), formats=" or ".join(FORMATS)
        )
    return FORMATS[path.suffix]
