"""What is known of a position after a look: its value for every seat, whether that is proved, and how soon it ends.

Two things are made of it: a warning before a blunder, and the words that go with a game after its end. Neither says
anything that is not proved.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pentad.game import GameError, Move, Position, game
from pentad.record import Record
from pentad.search.analysis import analyse

WIN, LOSS = 1.0, -1.0
MOST_PLIES = 2000  # of a game that is reviewed
OTHERS = 3  # other moves that are tried before a move is called a blunder

# A claim begins with what it proves for the seat to move: `wins in 3: …`, `keeps the draw`, `loses in 2 at the latest`.
_CLAIM = re.compile(r"(wins|keeps the draw|loses)(?: in ([0-9]+))?")
_WORTH = {"wins": WIN, "keeps the draw": 0.0, "loses": LOSS}


@dataclass(frozen=True, slots=True)
class Look:
    """What was seen at a position; `turns` is how many of his own moves the winner needs, where that is proved."""

    position: Position
    best: Move | None
    values: tuple[float, ...]
    exact: bool
    turns: int | None = None
    claim: str = ""

    def wins(self, seat: int) -> bool:
        """Whether a win of the seat is proved."""
        return self.exact and self.values[seat] > 0 and self.values[seat] == max(self.values)

    def loses(self, seat: int) -> bool:
        """Whether it is proved that the seat loses."""
        return self.exact and self.values[seat] < 0

    @property
    def best_words(self) -> str:
        """The best move in words."""
        return "" if self.best is None else self.position.describe(self.best)

    def verdict(self) -> str:
        """Who wins and how soon, of a proved position that somebody wins: `White wins in 2`."""
        winner = max(range(len(self.values)), key=self.values.__getitem__)
        colour = self.position.colour_of(winner).capitalize()
        return f"{colour} has won" if self.position.outcome else f"{colour} wins{soon(self.turns)}"


def soon(turns: int | None) -> str:
    """How soon, behind `wins` or `a win`.

    >>> soon(3), soon(1), soon(None)
    (' in 3', ' at once', '')
    """
    return "" if turns is None else " at once" if turns == 1 else f" in {turns}"


def look(position: Position, seconds: float) -> Look:
    """Look at a position: what can be proved first, else what an analysis of so many seconds says."""
    outcome = position.outcome
    if outcome:
        return Look(position, None, outcome.returns, exact=True)
    prove = getattr(game(position.game).module("bot"), "prove", None)
    proved = prove(position, seconds=seconds) if prove else None
    said = _CLAIM.match(proved[1]) if proved and position.players == 2 else None
    if proved and said:
        worth = _WORTH[said[1]]
        return Look(
            position, proved[0], _for_both(position.turn, worth), True, int(said[2]) if said[2] else None, proved[1]
        )
    report = analyse(position, seconds=seconds, lines=1).report
    line = report.lines[0]
    best = line.moves[0] if line.moves else None
    said = _CLAIM.match(line.claim)
    turns = int(said[2]) if said and said[2] else None
    if report.exact and best and report.value > 0 and position.play(best).outcome:
        turns = 1
    return Look(position, best, line.values, report.exact, turns, line.claim)


def _for_both(seat: int, worth: float) -> tuple[float, ...]:
    return (worth, 0.0 - worth) if seat == 0 else (0.0 - worth, worth)


# ── before a move ────────────────────────────────────────────────────────────────────────────────


def check(position: Position, move: str, seconds: float) -> dict[str, Any]:
    """Whether a move gives away what the position holds, and what is proved of it then."""
    after = position.play(move)
    words = blunder(position, look(after, seconds), seconds)
    return {"loses": bool(words), "words": words}


def blunder(position: Position, then: Look, seconds: float, before: Look | None = None) -> str:
    """What a move gave away that led to what was looked at then; nothing where that is not proved.

    A move that loses is no blunder where no other is known to do better.
    """
    seat = position.turn
    if then.loses(seat):
        before = before or look(position, seconds)
        if before.loses(seat) or not (before.exact or _another_holds(position, then.position, seconds)):
            return ""
        return f"after that {then.verdict()}"
    if then.exact and not then.wins(seat):
        before = before or look(position, seconds)
        if before.wins(seat):
            return f"that gives up a win{soon(before.turns)}"
    return ""


def _another_holds(position: Position, after: Position, seconds: float) -> bool:
    """Whether one of the best moves leads elsewhere, and not to a proved loss."""
    lines = analyse(position, seconds=seconds, lines=OTHERS).lines
    others = [other for line in lines if (other := position.play(line.moves[0])) != after]
    return any(not look(other, seconds).loses(position.turn) for other in others)


# ── after a game ─────────────────────────────────────────────────────────────────────────────────


def review(record: Record, seconds: float, first: int = 0) -> Iterator[dict[str, Any]]:
    """A game's moves one by one, from the first or a later one on: what each position was worth, the best move there,
    and what was missed.

    The last says what the end is worth. What a move missed shows by what followed, so it is told two moves later.
    """
    nodes = [record.root, *record.main_line]
    if len(nodes) > MOST_PLIES + 1:
        raise GameError(f"a game of {len(nodes) - 1} moves is too long to be looked through; {MOST_PLIES} are allowed")
    moves = record.moves
    looks: list[Look] = []
    for ply, node in enumerate(nodes[first:], first):
        ended = record.outcome if ply == len(moves) else None
        looks.append(Look(node.position, None, ended.returns, exact=True) if ended else look(node.position, seconds))
        if ply >= first + 2:
            yield _told(looks[-3:], moves, ply - 2, seconds)
    for ply in range(max(len(nodes) - 2, first), len(nodes)):
        yield _told(looks[ply - first :], moves, ply, seconds)


def _told(looks: Sequence[Look], moves: Sequence[Move], ply: int, seconds: float) -> dict[str, Any]:
    here = looks[0]
    move = moves[ply] if ply < len(moves) else None
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
        "missed": missed(looks[:3], move, seconds) if move else "",
    }


def missed(looks: Sequence[Look], move: Move, seconds: float) -> str:
    """What a move missed or gave away, as far as it is proved; the looks are before it, after it, and one later."""
    here, then = looks[0], looks[1]
    seat = here.position.turn
    if move == here.best or here.best is None:
        return ""
    at_once = here.wins(seat) and here.turns == 1 and not then.position.outcome
    if then.wins(seat):  # a win that comes later is as good, but nobody puts off one that is there
        return "here you had a win at once" if at_once else ""
    if then.loses(seat):
        words = blunder(here.position, then, seconds, here)
        if not here.wins(seat):
            return words
        return f"here you had a win{soon(here.turns)}; {words}"
    # A win may still be there by another way, which the next own turn shows.
    later = looks[2] if len(looks) > 2 else None
    gone = at_once or then.exact or (later is not None and later.position.turn == seat and not later.wins(seat))
    return f"here you had a win{soon(here.turns)}" if here.wins(seat) and gone else ""
