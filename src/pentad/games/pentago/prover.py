"""Proofs for puzzles, by its exact solver, which also gives the result of every wrong move."""

from __future__ import annotations

from pentad.game import Move
from pentad.games import parts
from pentad.games.parts import Right
from pentad.games.pentago.rules import PentagoPosition
from pentad.games.pentago.solver.retrograde import PassLimits
from pentad.games.pentago.solver.search import SolverSearch, solve
from pentad.search.exact import DRAW, LOSS, WIN, exact_value, in_moves

MEMORY_BYTES = 1 << 30
ALL_KNOWN_FROM = 20  # the number of marbles from which every move's value is found quickly
MAX_SECONDS = 1.0  # a position whose value takes longer is no puzzle
MAX_OWN_MOVES = 4
FEW = 6  # replies that are compared if several are equally long
LETTERS = {WIN: "w", DRAW: "d", LOSS: "l"}


def found(position: PentagoPosition) -> tuple[str, int] | None:
    """The kind and the length of a position's puzzle."""
    if position.winning_spaces:  # an immediate five is too easy
        return None
    end = exact_value(position, depth=True, seconds=MAX_SECONDS, memory=MEMORY_BYTES)
    if end is None:
        return None
    if end.value == WIN and end.turns is not None and in_moves(end.turns) <= MAX_OWN_MOVES:
        return parts.WIN, in_moves(end.turns)
    return (parts.DRAW, 1) if end.value == DRAW and position.ply >= ALL_KNOWN_FROM else None


def right(position: PentagoPosition, kind: str, left: int) -> Right:
    """The correct moves."""
    known = solve(position, memory=MEMORY_BYTES).moves if position.ply >= ALL_KNOWN_FROM else {}
    if kind == parts.DRAW:
        wanted = {move for move, value in known.items() if value == DRAW}
    else:
        wanted = {move for move, turns in _wins(position).items() if in_moves(turns) <= left}
    letters = "".join("r" if move in wanted else LETTERS[value] for move, value in known.items())
    return Right(tuple(sorted(map(str, wanted))), letters)


def reply(position: PentagoPosition, kind: str, left: int) -> Move:
    """The longest defence after a correct move; among equals the hardest to answer."""
    best = solve(position, depth=True, memory=MEMORY_BYTES).best
    here = {position.play(move).text: move for move in sorted(best, key=str)}  # one for each resulting board
    return min(list(here.values())[:FEW], key=lambda move: (_answers(position.play(move)), str(move)))


def _answers(here: PentagoPosition) -> int:
    wins = _wins(here)
    return list(wins.values()).count(min(wins.values()))


def _wins(position: PentagoPosition) -> dict[Move, int]:
    """The shortest wins, and perhaps other winning moves, each with its distance in turns."""
    found = SolverSearch(position, all_moves=False, depth=True, limits=PassLimits(MEMORY_BYTES)).found()
    return {move: turns for move, turns in found.distances.items() if found.moves[move] == WIN}
