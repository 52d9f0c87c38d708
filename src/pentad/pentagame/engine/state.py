"""Conversion between Pentagame's rules and its kernels: positions to states, steps to integers and back."""

from __future__ import annotations

import numpy as np

from pentad.pentagame.board import FIELDS
from pentad.pentagame.engine import kernels as k
from pentad.pentagame.engine.path_kernels import SPLIT
from pentad.pentagame.notation import BlockStep, LeaveStep, PieceStep, TurnStep
from pentad.pentagame.rules import PentagamePosition


def state_of(here: PentagamePosition) -> k.State:
    """The state of a position."""
    state = np.full(k.SIZE, k.NOWHERE, dtype=np.int64)
    setup = here.setup
    state[k.SEAT], state[k.PLY], state[k.PLAYERS] = here.turn, here.ply, here.players
    state[k.FIRST_TO_THREE], state[k.NO_SWAP_BACK] = setup.first_to_three, setup.no_swap_back
    state[k.MAX_PLY] = setup.max_ply
    state[k.BLACK_DUE], state[k.GRAYS_DUE] = here.due.count("black"), here.due.count("gray")
    if here.swapped:
        state[k.SWAPPED], state[k.PARTNER] = (seat * 5 + piece for seat, piece in here.swapped)
    state[k.LOW], state[k.HIGH] = here.taken & ((1 << SPLIT) - 1), here.taken >> SPLIT
    for seat, mine in enumerate(here.pieces):
        state[k.PIECES + 5 * seat : k.PIECES + 5 * seat + 5] = mine
    state[k.BLACKS : k.BLACKS + 5], state[k.GRAYS : k.GRAYS + 5] = here.blacks, here.grays
    for seat, last in enumerate(here.last):
        if last:
            partner = last.partner[0] * 5 + last.partner[1] if last.partner else k.NOWHERE
            state[k.LASTS + 4 * seat : k.LASTS + 4 * seat + 4] = last.piece, last.start, last.to, partner
    return state


def step_of(code: int, here: PentagamePosition) -> TurnStep:
    """The step of an integer, at a position."""
    seat = here.turn
    if code >= k.BLACK_STEP:
        kind, first = (k.GRAY_STEP, 6) if code >= k.GRAY_STEP else (k.BLACK_STEP, 11)
        return BlockStep(seat, first + (code - kind) // 100, FIELDS[code % 100])
    if code >= k.LEAVE_STEP:
        return LeaveStep(seat, code - k.LEAVE_STEP)
    piece, to, partner = code // 2600, code // 26 % 100, code % 26 - 1
    return PieceStep(
        seat, piece, FIELDS[here.pieces[seat][piece]], FIELDS[to], divmod(partner, 5) if partner >= 0 else None
    )
