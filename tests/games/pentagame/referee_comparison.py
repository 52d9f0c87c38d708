"""Comparison of the rules with the independent referee: positions, outcomes and legal turns."""

from __future__ import annotations

from typing import Any

import pentad
from pentad.game import Move
from pentad.games.pentagame.board import name_of
from pentad.games.pentagame.notation import BlockStep, LeaveStep
from pentad.games.pentagame.rules import PentagamePosition
from tests.games.pentagame import referee


def start_both(players: int, **options: Any) -> tuple[PentagamePosition, referee.Game]:
    """Returns the start position of the rules and of the referee."""
    position = pentad.new("pentagame", players=players, **options)
    assert isinstance(position, PentagamePosition)
    return position, referee.Game(players, **options)


def referee_snapshot(position: PentagamePosition) -> referee.Game:
    """Returns the referee's game at a position between turns. It does not distinguish blocks of one kind."""
    setup = position.setup
    game = referee.Game(setup.players, setup.first_to_three, setup.no_swap_back, setup.max_ply)
    game.pieces = {seat: dict(enumerate(map(referee_field, mine))) for seat, mine in enumerate(position.pieces)}
    game.black = dict(enumerate(map(referee_field, position.blacks)))
    game.gray = dict(zip(referee.GRAYS, map(referee_field, position.grays), strict=True))
    game.turn, game.ply = position.turn, position.ply
    for seat, last in enumerate(position.last):
        game.last_moves[seat] = last and (last.piece, tuple(last.start), tuple(last.to), last.partner)
    if position.swapped:
        (game.latest,) = {seat for seat, _ in position.swapped} - {position.turn}
    return game


def referee_field(number: int) -> referee.Field:
    """Returns the referee's name of a field."""
    start, counter, end = name_of(number)
    return start, counter, end


def first_step(step: Any) -> referee.Step:
    """Returns the first step of a turn in the referee's form."""
    if isinstance(step, LeaveStep):
        return ("leave", step.piece)
    to = tuple(step.to)
    return ("swap", step.piece, to, *step.partner) if step.partner else ("piece", step.piece, to)


def referee_turn(position: PentagamePosition, move: Move) -> referee.Turn:
    """Returns a turn in the referee's form, which names the field that a gray block leaves if the pool is empty."""
    steps: list[referee.Step] = []
    for step in move:
        if not isinstance(step, BlockStep):
            steps.append(first_step(step))
        elif step.is_black:
            steps.append(("black", tuple(step.to)))
        elif position.pool:
            steps.append(("gray", tuple(step.to)))
        else:
            steps.append(("regray", referee_field(position.grays[step.figure - 6]), tuple(step.to)))
        position = position.after_legal(step)
    return tuple(steps)


def snapshot(position: PentagamePosition) -> Any:
    """Returns the fields of all figures, in the referee's form."""
    return (
        [list(map(referee_field, mine)) for mine in position.pieces],
        sorted(map(referee_field, position.blacks)),
        sorted(map(referee_field, position.grays)),
    )


def snapshot_of(game: referee.Game) -> Any:
    """Returns the fields of all figures of the referee's game."""
    pieces = [[game.pieces[seat][colour] for colour in range(5)] for seat in range(game.players)]
    return pieces, sorted(game.black.values()), sorted(game.gray.values())


def assert_same(position: PentagamePosition, game: referee.Game) -> None:
    """Asserts that position and outcome are the same."""
    assert (position.turn, position.ply) == (game.turn, game.ply), position.text
    assert snapshot(position) == snapshot_of(game), position.text
    verdict, outcome = game.outcome(), position.outcome
    assert (verdict is None) == (outcome is None), position.text
    if outcome is not None and verdict is not None:
        assert (outcome.winners, outcome.reason) == (tuple(sorted(verdict[0])), verdict[1]), position.text


def assert_same_turns(position: PentagamePosition, game: referee.Game, most: int = 0) -> None:
    """Asserts that the first steps, the number of turns and, up to a limit, the turns are the same."""
    ours = [first_step(step) for step in position.piece_moves]
    assert len(ours) == len(set(ours)), position.text
    assert set(ours) == set(game.piece_moves()), position.text
    count = len(position.legal_moves)
    assert count == game.count(), position.text
    if count <= most:
        turns = [referee_turn(position, move) for move in position.legal_moves]
        assert len(turns) == len(set(turns)) == count, position.text
        assert set(turns) == set(game.turns()), position.text
