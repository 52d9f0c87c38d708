"""Reviews of games: what each move gave away of the chance to win, and the accuracy of each player.

A move is marked if another one is better by the same measure: the chance to win after it, by an assessment of the same
effort, is higher by at least the threshold of a mark. So where every move loses, none is marked. What is proved takes
the place of estimates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from pentad.game import GameError, Move, Position
from pentad.play.move_marks import Mark, accuracy, mark_of
from pentad.play.position_assessment import (
    Assessment,
    a_win,
    assess,
    assess_by_fixed_work,
    assess_by_search,
    assess_end,
)
from pentad.record import Record
from pentad.search.analysis import analyse, fixed_report
from pentad.search.exact import BOOK, DATABASE
from pentad.search.report import Report
from pentad.system.words import phrase

MAX_PLIES = 2000  # a longer game is not reviewed
STORED = (BOOK, DATABASE)  # sources of values that no search at the board can find
COMPARED_MOVES = 3  # a move that is proved to be bad is compared with so many

Line: TypeAlias = tuple[Move, ...]


class Effort(Protocol):
    """How positions are assessed, and how several moves of one are found."""

    def assess(self, position: Position) -> Assessment: ...

    def report(self, position: Position) -> Report: ...


@dataclass(frozen=True, slots=True)
class InTime:
    """Assessments within so many seconds each."""

    seconds: float

    def assess(self, position: Position) -> Assessment:
        return assess(position, self.seconds)

    def report(self, position: Position) -> Report:
        return analyse(position, seconds=self.seconds, lines=COMPARED_MOVES).report


class ByFixedWork:
    """Assessments that are the same on every machine."""

    def assess(self, position: Position) -> Assessment:
        return assess_by_fixed_work(position)

    def report(self, position: Position) -> Report:
        return fixed_report(position, COMPARED_MOVES)


@dataclass(frozen=True, slots=True)
class Judgement:
    """A move by the chances of the seat that made it: with the best known move, and after the move itself.

    `better` is another move with its expected continuation, for a move with a mark.
    """

    here: Assessment
    move: Move
    then: Assessment
    before: float
    after: float
    better: Line = ()

    @property
    def loss(self) -> float:
        """The chance to win that the move gave away."""
        return max(0.0, self.before - self.after)

    @property
    def mark(self) -> Mark | None:
        """The mark of the move, if it gave away enough."""
        return mark_of(self.loss)

    @property
    def words(self) -> str:
        """What a marked move gave away; empty for any other."""
        if not self.mark:
            return ""
        lead = f"{self.mark.name.capitalize()}."
        if self.then.loses(self.here.position.turn):
            after = phrase("After this move, {verdict}.", verdict=self.then.verdict())
        else:
            before, then = percent(self.before), percent(self.after)
            after = phrase("The chance to win falls from {before} to {after}.", before=before, after=then)
        if self.missed:
            lead = phrase("{mark} {player} missed {result}.", mark=lead, player=self._player, result=self.missed)
        return f"{lead} {after}"

    def sentence(self, number: int) -> str:
        """What a marked move gave away, as a sentence about the game; the moves are numbered from 1."""
        if not self.mark:
            return ""
        if self.missed:
            return phrase(
                "At move {number} {player} missed {result}.", number=number, player=self._player, result=self.missed
            )
        return phrase(
            "At move {number} the chance of {player} to win fell from {before} to {after}.",
            number=number,
            player=self._player,
            before=percent(self.before),
            after=percent(self.after),
        )

    @property
    def missed(self) -> str:
        """The result that was proved to be there before the move: a win or a draw; empty if nothing was proved."""
        if self.here.wins(self.here.position.turn):
            return a_win(self.here.turns)
        return "a draw" if self.here.exact else ""

    @property
    def _player(self) -> str:
        position = self.here.position
        return position.colour_of(position.turn).capitalize()


def percent(chance: float) -> str:
    """A chance in words, such as `53%`."""
    return f"{100 * chance:.0f}%"


def judge(here: Assessment, move: Move, then: Assessment, effort: Effort) -> Judgement:
    """Judges a move by what is known before it and after it; other moves are assessed if it seems to give away much."""
    seat = here.position.turn
    before, after = _compared(here, then, seat)
    if mark_of(before - after) is None:
        is_best = bool(here.line) and here.position.play(here.line[0]) == then.position
        return Judgement(here, move, then, after if is_best else max(before, after), after)
    if here.exact and here.line and (then.exact or here.how not in STORED):
        return Judgement(here, move, then, before, after, here.line)
    chance, after, line = next(_better(here, then, effort), (after, after, ()))
    return Judgement(here, move, then, before if here.exact and then.exact else chance, after, line)


def _compared(one: Assessment, other: Assessment, seat: int) -> tuple[float, float]:
    """A seat's chances in two positions. What books and databases know is compared with exact values alone."""
    if one.exact != other.exact:
        one, other = (assess_by_search(each.position) if each.how in STORED else each for each in (one, other))
    return one.chances[seat], other.chances[seat]


def _better(here: Assessment, then: Assessment, effort: Effort) -> Iterator[tuple[float, float, Line]]:
    """The moves that are so much better that this one deserves a mark: the chances after each and after this one, and
    the continuation."""
    seat, seen = here.position.turn, {then.position}
    for move in _promising(here, then, effort):
        position = here.position.play(move)
        if position not in seen:
            seen.add(position)
            found = effort.assess(position)
            chance, after = _compared(found, then, seat)
            if mark_of(chance - after):
                yield chance, after, (move, *found.line)


def _promising(here: Assessment, then: Assessment, effort: Effort) -> Iterator[Move]:
    """The best move; then others, which take a search of their own, if what the move gave away is proved."""
    yield from here.line[:1]
    if then.exact or not here.line:
        yield from (line.moves[0] for line in effort.report(here.position).lines if line.moves)


# ── a better move ────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class TriedMove:
    """The verdict on a move tried in place of a marked one; about a move that is not good enough it says why."""

    right: bool
    words: str


def attempt(here: Position, move: Move, best: Move, played: Move | None, effort: Effort) -> TriedMove:
    """Judges a move by the measure of a review, at a position where a review has found `best` better than `played`.

    A move is right if it would have no mark.
    """
    seat, wanted, reached = here.turn, here.play(best), here.play(move)
    if reached == wanted:
        return TriedMove(True, "Good move.")
    if played is not None and reached == here.play(played):
        return TriedMove(False, "This is the move of the game. You can do better, try again.")
    good, then = effort.assess(wanted), effort.assess(reached)
    before, after = _compared(good, then, seat)
    if mark_of(before - after) is None:
        return TriedMove(True, "Good move.")
    if then.loses(seat):
        return TriedMove(
            False, phrase("You can do better, try again. After this move, {verdict}.", verdict=then.verdict())
        )
    return TriedMove(
        False,
        phrase(
            "You can do better, try again. The chance to win is {after} after this move, and could be {before}.",
            after=percent(after),
            before=percent(before),
        ),
    )


# ── a game ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class ReviewedPly:
    """A position of a reviewed game and the move made there; the last one has the accuracies instead."""

    ply: int
    here: Assessment
    judgement: Judgement | None = None
    accuracies: tuple[float | None, ...] = ()


@dataclass(frozen=True, slots=True)
class KnownPly:
    """What a review that goes on needs of an earlier ply: the chances by seat, the seat that moved, and its loss."""

    chances: Sequence[float]
    seat: int
    loss: float


def review(record: Record, effort: Effort, known: Sequence[KnownPly] = ()) -> Iterator[ReviewedPly]:
    """The plies of a game one by one, after those that are `known`, and at the end the final position."""
    nodes = [record.root, *record.main_line]
    if len(nodes) > MAX_PLIES + 1:
        raise GameError(
            "Expected a game of at most {most_plies} moves, got {count}.", most_plies=MAX_PLIES, count=len(nodes) - 1
        )
    done, shown, last = list(known), record.shown, len(nodes) - 1

    def assessed(ply: int) -> Assessment:
        position = nodes[ply].position
        return assess_end(position, shown) if shown and ply == last else effort.assess(position)

    here = assessed(len(done))
    for ply, move in enumerate(record.moves[len(done) :], len(done)):
        then = assessed(ply + 1)
        judgement = judge(here, move, then, effort)
        yield ReviewedPly(ply, here, judgement)
        done.append(KnownPly(here.chances, here.position.turn, judgement.loss))
        here = then
    # The last move is not to blame for a result that the moves do not show, such as a resignation.
    end = assess_end(here.position, record.ended) if record.ended and not shown else here
    yield ReviewedPly(last, end, accuracies=accuracies(done, here.chances))


def accuracies(plies: Sequence[KnownPly], end: Sequence[float]) -> tuple[float | None, ...]:
    """The accuracy of each seat; None for one that has not moved."""
    chances = [*(each.chances for each in plies), end]
    losses: list[dict[int, float]] = [{} for _ in end]
    for ply, each in enumerate(plies):
        losses[each.seat][ply] = each.loss
    return tuple(accuracy([each[seat] for each in chances], losses[seat]) for seat in range(len(end)))
