"""Proved hints: wins by threats, with the threats in words."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pentad.game import Move, Position
from pentad.games.pente.engine.search import RootSearch
from pentad.games.pente.rules import OVER, PentePosition
from pentad.search.exact import WIN, Proof
from pentad.system.words import listed, phrase

FEW_SECONDS = 2.0
MAX_CLAIM_LENGTH = 2 * 76  # only a claim whose first threat alone is longer exceeds it
THREATENS = "threatens"
MOST_POINTS = 3  # listed for a threat


def prove(position: Position, *, seconds: float | None = None) -> Proof | None:
    """A winning move with the threats of the win; None if no win by threats is found."""
    assert isinstance(position, PentePosition)
    if position.outcome or position.stage != OVER:
        return None
    most = FEW_SECONDS if seconds is None else min(FEW_SECONDS, seconds)
    engine, began = RootSearch(position), time.monotonic()
    engine.attack_first(most)
    if engine.wins_in is None:
        return None
    line = engine.winning_line(began + most - time.monotonic()) or [engine.best.move]
    steps = list(_steps(position, line))
    whole = THREATENS not in steps[-1]
    sooner = whole and len(line) < 2 * engine.wins_in - 1  # the longest defence is not always found
    found = Proof(line[0], WIN, engine.wins_in, sooner, steps[0])
    for step in steps[1:]:
        longer = replace(found, threats=f"{found.threats}; {step}")
        if len(longer.claim) > MAX_CLAIM_LENGTH:
            whole = False
            break
        found = longer
    return found if whole else replace(found, threats=f"{found.threats}; …")


def _steps(position: PentePosition, line: Sequence[Move]) -> Iterator[str]:
    """The effect of each own move of a win, such as `after J10, G12 threatens F11`."""
    here, after = position, ""
    for number, move in enumerate(line):
        here = here.play(move)
        if number % 2:
            after = f"after {move}, "
        else:
            yield f"{after}{move} {_effect(here, last=number + 2 >= len(line))}"


def _effect(after: PentePosition, *, last: bool) -> str:
    """The effect of the last move."""
    row = "five" if after.board.line == 5 else phrase("{line} in a row", line=after.board.line)
    if after.outcome:
        return "captures enough stones" if after.outcome.reason == "captures" else f"makes {row}"
    colour, rules = 1 - after.colour, after.rules
    if after.board.has_line(after.stones[colour], overline=rules.overline):
        if last:
            return phrase("makes {row}, which cannot be broken", row=row)
        return phrase("makes {row}, which must be broken", row=row)
    threats = after.threats()[after.seat_of(colour)]
    lacking = rules.capture_win - after.taken[colour]
    takes = [point for point, stones in threats.captures.items() if rules.capture_win and len(stones) >= lacking]
    parts = [_join(threats.fours)] if threats.fours else []
    if takes:
        parts.append(phrase("to capture at {points}", points=_join(takes)))
    quiet = "a win by fours and captures" if rules.capture_win else "a win by fours"
    return f"{THREATENS} {' and '.join(parts) or quiet}"


def _join(points: Sequence[str]) -> str:
    return listed(points) if len(points) <= MOST_POINTS else f"{', '.join(points[:MOST_POINTS])}, …"
