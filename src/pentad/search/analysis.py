"""Analysis of a position by iterative deepening: values and principal variations.

Any game can be analysed by alpha-beta search with its bots' evaluation. A game whose `bot` module has an `analyse`
function (a solver, an engine) is analysed by that.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from pentad.game import GameError, Move, Position, game
from pentad.search import interrupts
from pentad.search.exact import BOOK, DATABASE, VERBS, exact_value, report_of
from pentad.search.report import Line as Line
from pentad.search.report import Report as Report
from pentad.search.simple_bots import MOST_MOVES, Evaluation, some_moves
from pentad.system.words import count, phrase

HALF = 300.0  # the evaluation that maps to a value of 0.5
PROVED = 1.0
SOURCES = {BOOK: "from the book of exact values", DATABASE: "from the stored exact values"}
SEEMS = 0.995  # would be rounded to 1.00, which looks like a proof
MIN_SECONDS_FOR_SPEED = 0.01


class Analysis:
    """An iterator of deepening reports; its properties run the analysis to its end."""

    def __init__(self, position: Position, reports: Iterator[Report]) -> None:
        self.position = position
        self._reports = reports
        self._last: Report | None = None

    def __iter__(self) -> Iterator[Report]:
        for report in self._reports:
            self._last = report
            yield report

    @property
    def report(self) -> Report:
        """The deepest report."""
        for _ in self:
            pass
        assert self._last is not None
        return self._last

    @property
    def value(self) -> float:
        """The position's value for the seat to move."""
        return self.report.value

    @property
    def exact(self) -> bool:
        """Whether the value is proved."""
        return self.report.exact

    @property
    def lines(self) -> tuple[Line, ...]:
        """The best lines."""
        return self.report.lines

    def __repr__(self) -> str:
        return f"<Analysis: value {self.value:+.3f}{' exact' if self.exact else ''}, {self.lines[0]}>"

    def __str__(self) -> str:
        return "\n".join(listing(self.position, self.report))

    def _repr_html_(self) -> str:
        """The deepest report as a table, for notebooks."""
        from html import escape

        rows = "".join(
            f'<tr><th style="text-align: right">{escape(worth(self.position, self.report, line))}</th>'
            f'<td style="text-align: left">{escape(", ".join(written(self.position, line.moves)))}</td></tr>'
            for line in self.lines
        )
        return f"<table><caption>{escape(heading(self.position, self.report))}</caption>{rows}</table>"


def analyse(
    position: Position,
    *,
    seconds: float = 1.0,
    lines: int = 3,
    depth: int | None = None,
    keep: Path | str | None = None,
    book: bool = True,
) -> Analysis:
    """Analyses a position for some seconds, or to a depth in whole moves; at once where the book has exact values.

    Without `book` an engine analyses these positions, too. What the analysis learns is kept in the file `keep`, and a
    later one goes on from it, in games whose module `bot` has `KEEPS_ANALYSES`.

    >>> from pentad.game import load
    >>> analysis = analyse(load("pentago bbbb../....../wwww../....../....../......"), depth=1)
    >>> analysis.value, analysis.exact, str(analysis.lines[0])
    (1.0, True, 'a4')
    """
    if seconds <= 0 or lines < 1 or (depth is not None and depth < 1):
        raise GameError("An analysis needs more than 0 seconds, at least 1 line and a depth of at least 1.")
    if position.outcome:
        ended = Line((), position.outcome.returns)
        return Analysis(position, iter([Report(position.turn, 0, 0, 0.0, (ended,), exact=True)]))
    module = game(position.game).module("bot")
    if keep is not None:
        if not getattr(module, "KEEPS_ANALYSES", False):
            raise GameError("An analysis of {title} cannot be kept in a file.", title=game(position.game).title)
        return module.analyse(  # type: ignore[no-any-return]
            position, seconds=seconds, lines=lines, depth=depth, keep=Path(keep)
        )
    found = exact_value(position, moves=True, book=book)
    if found and (found.how == BOOK or not found.moves):  # else an engine orders the moves of equal value
        return Analysis(position, iter([report_of(found, lines)]))
    if hasattr(module, "analyse"):
        return module.analyse(position, seconds=seconds, lines=lines, depth=depth)  # type: ignore[no-any-return]
    return plain_alphabeta(position, module.EVALUATE, seconds=seconds, lines=lines, depth=depth)


def fixed_value(position: Position) -> tuple[float, ...]:
    """The value of a position for each seat, from -1 to 1, by a search of fixed work: the same on every machine."""
    return position.outcome.returns if position.outcome else fixed_report(position).values


def fixed_report(position: Position, lines: int = 1) -> Report:
    """The best lines of a position that is not over, by a search of fixed work: the same on every machine.

    A game has it as `fixed_report` in its module `bot`; others are searched one move deep.
    """
    module = game(position.game).module("bot")
    if hasattr(module, "fixed_report"):
        return module.fixed_report(position, lines)  # type: ignore[no-any-return]
    return one_move_deep(position, module.EVALUATE, lines)


def one_move_deep(position: Position, evaluate: Evaluation, lines: int) -> Report:
    """The best lines of one move."""
    return plain_alphabeta(position, evaluate, seconds=1.0, lines=lines, depth=1).report


def plain_alphabeta(
    position: Position, evaluate: Evaluation, *, seconds: float, lines: int, depth: int | None
) -> Analysis:
    """Analyses by alpha-beta search with an evaluation."""
    return Analysis(position, _deepen(_Search(evaluate), position, seconds, lines, depth))


def _deepen(search: _Search, position: Position, seconds: float, lines: int, most: int | None) -> Iterator[Report]:
    """Yields a report for each depth: depth 1 always, the others until time is up or the value is exact."""
    began = time.monotonic()
    depth = 1
    while most is None or depth <= most:
        search.deadline = None if depth == 1 or most is not None else began + seconds
        search.at_horizon = False
        try:
            found = search.best_lines(position, depth, lines)
        except _OutOfTimeError:
            return
        best = found[0].values[position.turn]
        exact = not search.at_horizon or (position.players == 2 and abs(best) == 1) or (depth == 1 and best == 1)
        yield Report(position.turn, depth, search.nodes, time.monotonic() - began, found, exact)
        if exact or time.monotonic() - began > seconds / 2:
            return
        depth += 1


class _OutOfTimeError(Exception):
    pass


class _Search:
    """Alpha-beta search with two seats; with more, each seat maximises its own value, without cutoffs."""

    def __init__(self, evaluate: Evaluation) -> None:
        self.evaluate = evaluate
        self.deadline: float | None = None
        self.at_horizon = False  # whether a value came from the evaluation
        self.nodes = 0
        self.rng = random.Random(0)

    def best_lines(self, position: Position, depth: int, count: int) -> tuple[Line, ...]:
        """The best lines of `depth` whole moves, one for each of the best first moves."""
        seat = position.turn
        best: list[Line] = []
        for move, after in self._children(position):
            bound = best[-1].values[seat] if len(best) == count else -2.0
            line = self._line(after, depth - 1, seat, bound)
            if line.values[seat] > bound:
                best.append(Line((move, *line.moves), line.values))
                best.sort(key=lambda line: -line.values[seat])
                del best[count:]
        return tuple(best)

    def _line(self, position: Position, depth: int, opponent: int, bound: float) -> Line:
        """The best line for the seat to move; with two seats it ends early once `opponent` gets `bound` or less."""
        self.nodes += 1
        interrupts.check()
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise _OutOfTimeError
        if position.outcome:
            return Line((), position.outcome.returns)
        if depth == 0:
            self.at_horizon = True
            return Line((), self._evaluate(position))
        seat = position.turn
        best: Line | None = None
        for move, after in self._children(position):
            line = self._line(after, depth - 1, seat, -2.0 if best is None else best.values[seat])
            if best is None or line.values[seat] > best.values[seat]:
                best = Line((move, *line.moves), line.values)
                if best.values[seat] == 1 or (
                    position.players == 2 and seat != opponent and best.values[opponent] <= bound
                ):
                    break
        assert best is not None
        return best

    def _children(self, position: Position) -> Sequence[tuple[Move, Position]]:
        """The moves that lead to different positions, in order of their evaluation."""
        seat = position.turn
        results: dict[Position, Move] = {}
        if len(position.legal_moves) > MOST_MOVES:
            self.at_horizon = True  # not all moves are searched, so nothing is proved
        for move in some_moves(position, self.rng):
            results.setdefault(position.play(move), move)
        ranked = [(self._evaluate(after)[seat], move, after) for after, move in results.items()]
        ranked.sort(key=lambda item: -item[0])
        return [(move, after) for _, move, after in ranked]

    def _evaluate(self, position: Position) -> tuple[float, ...]:
        """The evaluation for each seat, mapped to values between -1 and 1."""
        if position.outcome:
            return position.outcome.returns
        worth = [self.evaluate(position, seat) for seat in range(position.players)]
        return tuple(each / (abs(each) + HALF) for each in worth)


# ── reports in words ─────────────────────────────────────────────────────────────────────────────


def listing(position: Position, report: Report) -> list[str]:
    """A report as lines of text: its heading, then the values and moves of its lines."""
    values = [worth(position, report, line) for line in report.lines]
    width = max(map(len, values), default=0)
    moves = [", ".join(written(position, line.moves)) for line in report.lines]
    lines = [f"  {value:>{width}}  {line}" for value, line in zip(values, moves, strict=True)]
    return [heading(position, report), *lines]


def written(position: Position, moves: Iterable[Move]) -> Iterator[str]:
    """The moves of a line from a position, as people write them."""
    before: Move | None = None
    for move in moves:
        position = position if before is None else position.play(before)
        yield position.notation(move)
        before = move


def heading(position: Position, report: Report) -> str:
    """The depth, the speed, and the kind of the values."""
    if report.how in SOURCES and not report.depth:
        return f"{SOURCES[report.how]}; {_proved(report)}"
    colour = position.colour_of(report.seat)
    kind = (
        _proved(report)
        if report.exact
        else phrase("estimates for {colour}, from -1 to 1", colour=colour)
        if position.players == 2
        else "estimates"
    )
    how = f"depth {report.depth}" if report.depth else "found immediately"  # threats are found before any search
    spent = f"{report.seconds:.1f} s"
    if report.seconds >= MIN_SECONDS_FOR_SPEED:
        spent += f", {speed(report.nodes / report.seconds)}"
    return f"{how}, {count(report.nodes, 'position')}, {spent}; {kind}"


def _proved(report: Report) -> str:
    """What is said of a proved value."""
    has_unknown_length = report.value and not report.lines[0].claim
    return "proved, in an unknown number of moves" if has_unknown_length else "proved"


def speed(rate: float) -> str:
    """A rate per second as a short text."""
    if rate >= 999_500:
        return f"{rate / 1e6:.1f} M/s"
    return f"{rate / 1e3:.0f} k/s" if rate >= 999.5 else f"{rate:.0f}/s"


def worth(position: Position, report: Report, line: Line) -> str:
    """The claim of a line, or its value for the seat to move; with more than two players the values of all seats."""
    if line.claim:
        return line.claim
    best = line is report.lines[0]
    if position.players > 2:
        return " ".join(f"{position.colour_of(seat)} {value:+.2f}" for seat, value in enumerate(line.values))
    value = line.values[report.seat]
    if report.exact and (abs(value) == PROVED or (value == 0 and (best or report.how))):
        return VERBS[int(value)]
    if abs(value) >= SEEMS:  # within the depth of the search, which leaves out moves
        return "seems won" if value > 0 else "seems lost"
    return f"{value:+.2f}"
