"""The rules and the naive referee side by side."""

from __future__ import annotations

import random
from typing import Any

import pentad
from pentad.game import Move
from pentad.pentagame.board import NUMBER, name_of
from pentad.pentagame.rules import PentagamePosition
from pentad.pentagame.steps import BlockStep, LeaveStep, PieceStep
from tests.pentagame import referee

OPTIONS: tuple[dict[str, bool], ...] = tuple(
    {"first_to_three": first, "no_swap_back": back} for first in (False, True) for back in (False, True)
)


def both(players: int, **options: Any) -> tuple[PentagamePosition, referee.Game]:
    """The first position, told by both."""
    position = pentad.new("pentagame", players=players, **options)
    assert isinstance(position, PentagamePosition)
    return position, referee.Game(players, **options)


def theirs(position: PentagamePosition, move: Move) -> referee.Turn:
    """A move as the referee writes it; in an empty pool he names the field of the gray block."""
    steps: list[referee.Step] = []
    for step in move:
        if isinstance(step, LeaveStep):
            steps.append(("leave", step.piece))
        elif isinstance(step, PieceStep):
            to = tuple(step.to)
            steps.append(("swap", step.piece, to, *step.partner) if step.partner else ("piece", step.piece, to))
        else:
            assert isinstance(step, BlockStep)
            where = name_of(position.grays[step.figure - 6]) if step.figure < 11 else None
            kind: tuple[Any, ...] = ("black",) if step.is_black else ("gray",) if position.pool else ("regray", where)
            steps.append((*(tuple(each) if isinstance(each, tuple) else each for each in kind), tuple(step.to)))
        position = position.after(step)
    return tuple(steps)


def standing(position: PentagamePosition) -> Any:
    """Where everything stands, as the referee tells it."""
    return (
        [[tuple(name_of(field)) for field in mine] for mine in position.pieces],
        sorted(tuple(name_of(field)) for field in position.blacks),
        sorted(tuple(name_of(field)) for field in position.grays),
    )


def told(game: referee.Game) -> Any:
    pieces = [[tuple(game.pieces[seat][colour]) for colour in range(5)] for seat in range(game.players)]
    return pieces, sorted(_values(game.black)), sorted(_values(game.gray))


def _values(fields: Any) -> list[Any]:
    return list(fields.values() if isinstance(fields, dict) else fields)


def staged(position: PentagamePosition, chance: random.Random) -> Move:
    """A random turn, the piece first and then each block, so that turns with many endings are not favoured."""
    head = chance.choice(position.piece_moves)
    steps: list[Any] = [head]
    here = position.after(head)
    while here.due and here.ply == position.ply:
        steps.append(chance.choice(list(here.block_steps())))
        here = here.after(steps[-1])
    return Move(steps)


def compare(position: PentagamePosition, game: referee.Game, chance: random.Random) -> None:
    """What both say of a position is the same."""
    where = position.text
    assert (position.turn, position.ply) == (game.turn, game.ply), where
    assert standing(position) == told(game), where
    verdict, outcome = game.outcome(), position.outcome
    assert (verdict is None) == (outcome is None), where
    if outcome is not None and verdict is not None:
        assert (outcome.winners, outcome.reason) == (tuple(sorted(verdict[0])), verdict[1]), where
        return
    ours = {theirs(position, Move((step,)))[0] for step in position.piece_moves}
    assert ours == set(game.piece_moves()), where
    assert len(position.piece_moves) == len(ours), where
    assert len(position.legal_moves) == game.count(), where
    if len(position.legal_moves) < 1500 and chance.random() < 0.1:
        mine = [theirs(position, move) for move in position.legal_moves]
        assert len(mine) == len(set(mine)), where
        assert set(mine) == set(game.turns()), where


def play_together(players: int, chance: random.Random, goal_seeking: float = 0.0, **options: Any) -> int:
    """A random game told by both; how many turns it had."""
    position, game = both(players, **options)
    while True:
        compare(position, game, chance)
        if position.outcome:
            return position.ply
        move = seeking(position, chance) if chance.random() < goal_seeking else staged(position, chance)
        game.play(theirs(position, move))
        position = position.play(move)


def seeking(position: PentagamePosition, chance: random.Random) -> Move:
    """A random turn among those that bring a piece home or swap, so that rare things happen more often."""
    rare = [step for step in position.piece_moves if isinstance(step, PieceStep) and (step.leaving or step.partner)]
    rare += [step for step in rare if step.leaving] * 20
    if not rare:
        return staged(position, chance)
    head = chance.choice(rare)
    rest = position.after(head)
    if rest.ply > position.ply:
        return Move((head,))
    tail = rest.legal_moves[chance.randrange(len(rest.legal_moves))]
    return Move((head, *tail))


__all__ = ["NUMBER", "OPTIONS", "both", "compare", "play_together", "staged", "standing", "theirs"]
