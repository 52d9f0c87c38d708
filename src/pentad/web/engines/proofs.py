"""Proved assessments of positions: values, whether they are proved, and how soon the game ends.

They give warnings before blunders, and comments in reviews. Neither says anything that is not proved.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pentad.game import GameError, Move, Position
from pentad.record import Record
from pentad.search.analysis import analyse
from pentad.search.exact import exact_value, in_moves

MOST_PLIES = 2000  # of a game that is reviewed
OTHERS = 3  # alternative moves that are tried before a move is called a blunder
PARTS = 1 + OTHERS  # searches that share the time of a review for that

MEMORY = 10**9  # bytes for a solver


@dataclass(frozen=True, slots=True)
class Assessment:
    """What is known of a position; `turns` is how many moves the winner needs, where that is proved."""

    position: Position
    best: Move | None
    values: tuple[float, ...]
    exact: bool
    turns: int | None = None
    claim: str = ""
    line: tuple[Move, ...] = ()  # that begins with the best move

    def wins(self, seat: int) -> bool:
        """Whether a win for the seat is proved."""
        return self.exact and self.values[seat] > 0 and self.values[seat] == max(self.values)

    def loses(self, seat: int) -> bool:
        """Whether a loss for the seat is proved."""
        return self.exact and self.values[seat] < 0

    @property
    def best_words(self) -> str:
        """The best move in words."""
        return "" if self.best is None else self.position.describe(self.best)

    def verdict(self) -> str:
        """Who wins and how soon, in a position with a proved winner: `White wins in 2`."""
        winner = max(range(len(self.values)), key=self.values.__getitem__)
        colour = self.position.colour_of(winner).capitalize()
        return f"{colour} has won" if self.position.outcome else f"{colour} wins{how_soon(self.turns)}"


def how_soon(turns: int | None) -> str:
    """How soon a win comes, to follow `wins`.

    >>> how_soon(3), how_soon(1), how_soon(None)
    (' in 3', ' at once', '')
    """
    return "" if turns is None else " at once" if turns == 1 else f" in {turns}"


def a_win(turns: int | None) -> str:
    """A win, with how soon it comes.

    >>> a_win(3), a_win(1), a_win(None)
    ('a win in 3', 'an immediate win', 'a win')
    """
    return "a win" if turns is None else "an immediate win" if turns == 1 else f"a win in {turns}"


def assess(position: Position, seconds: float) -> Assessment:
    """An assessment of a position within so many seconds: by proof if possible, else by analysis."""
    outcome = position.outcome
    if outcome:
        return Assessment(position, None, outcome.returns, exact=True)
    began = time.monotonic()
    known = exact_value(position, depth=True, seconds=seconds / 2, memory=MEMORY)
    if known and known.best:
        turns = None if known.turns is None else in_moves(known.turns)
        return Assessment(position, known.best[0], known.values, True, turns, known.claim, (known.best[0],))
    rest = max(seconds - (time.monotonic() - began), seconds / 2)
    report = analyse(position, seconds=rest, lines=1).report
    line = report.lines[0]
    best = line.moves[0] if line.moves else None
    match = re.match(r"wins in ([0-9]+)", line.claim)
    turns = int(match[1]) if match else None
    if report.exact and best and report.value > 0 and position.play(best).outcome:
        turns = 1
    return Assessment(position, best, line.values, report.exact, turns, line.claim, tuple(line.moves))


# ── before a move ────────────────────────────────────────────────────────────────────────────────


def check(position: Position, move: str, seconds: float) -> dict[str, Any]:
    """Whether a move is a proved blunder, and why."""
    after = position.play(move)
    both = 2 * seconds  # for a proof and for an analysis
    words = blunder(position, assess(after, both), both)
    return {"loses": bool(words), "words": words}


def blunder(position: Position, then: Assessment, seconds: float, before: Assessment | None = None) -> str:
    """What the move that led to `then` gave away; empty if nothing is proved.

    A losing move is not a blunder unless another move is known to do better.
    """
    seat = position.turn
    if then.loses(seat):
        before = before or assess(position, seconds)
        if before.loses(seat) or not (before.exact or _another_holds(position, then.position, seconds)):
            return ""
        return f"After this move, {then.verdict()}."
    if then.exact and not then.wins(seat):
        before = before or assess(position, seconds)
        if before.wins(seat):
            return f"This move gives up {a_win(before.turns)}."
    return ""


def _another_holds(position: Position, after: Position, seconds: float) -> bool:
    """Whether another of the best moves leads to a position that is not a proved loss."""
    lines = analyse(position, seconds=seconds, lines=OTHERS).lines
    others = [other for line in lines if (other := position.play(line.moves[0])) != after]
    return any(not assess(other, seconds).loses(position.turn) for other in others)


# ── after a game ─────────────────────────────────────────────────────────────────────────────────


def review(record: Record, seconds: float, first: int = 0) -> Iterator[dict[str, Any]]:
    """A game's moves one by one, from ply `first` on: the value of each position, the best move, and what was missed.

    The last entry is the final position. Later positions show what a move missed, so its entry comes two plies later.
    """
    nodes = [record.root, *record.main_line]
    if len(nodes) > MOST_PLIES + 1:
        raise GameError(f"Expected a game of at most {MOST_PLIES} moves, got {len(nodes) - 1}.")
    moves = record.moves
    assessed: list[Assessment] = []
    for ply, node in enumerate(nodes[first:], first):
        ended = record.outcome if ply == len(moves) else None
        last = Assessment(node.position, None, ended.returns, exact=True) if ended else assess(node.position, seconds)
        assessed.append(last)
        if ply >= first + 2:
            yield _entry(assessed[-3:], moves, ply - 2, seconds)
    for ply in range(max(len(nodes) - 2, first), len(nodes)):
        yield _entry(assessed[ply - first :], moves, ply, seconds)


def _entry(assessed: Sequence[Assessment], moves: Sequence[Move], ply: int, seconds: float) -> dict[str, Any]:
    here = assessed[0]
    move = moves[ply] if ply < len(moves) else None
    gone = missed(assessed[:3], move, seconds / PARTS) if move else ""
    return {
        "ply": ply,
        "seat": here.position.turn if move else None,
        "move": str(move) if move else None,
        "values": list(here.values),
        "value": here.values[here.position.turn] if move else None,
        "exact": here.exact,
        "best": str(here.best) if here.best else None,
        "best_words": here.best_words,
        "claim": here.claim,
        "missed": gone,
        "line": [str(each) for each in here.line] if gone else [],
    }


def missed(assessed: Sequence[Assessment], move: Move, seconds: float) -> str:
    """What a move missed or gave away, if proved; the assessments are before it, after it, and one ply later."""
    here, then = assessed[0], assessed[1]
    seat = here.position.turn
    if move == here.best or here.best is None:
        return ""
    immediate = here.wins(seat) and here.turns == 1 and not then.position.outcome
    if then.wins(seat):  # a later win is as good, except that an immediate one should be taken
        return "You had an immediate win." if immediate else ""
    if then.loses(seat):
        words = blunder(here.position, then, seconds, here)
        if not here.wins(seat):
            return words
        return f"You had {a_win(here.turns)}. {words}"
    # The win may still be there, which the seat's next turn shows.
    later = assessed[2] if len(assessed) > 2 else None
    is_gone = immediate or then.exact or (later is not None and later.position.turn == seat and not later.wins(seat))
    return f"You had {a_win(here.turns)}." if here.wins(seat) and is_gone else ""
