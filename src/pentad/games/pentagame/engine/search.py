"""Engine of Pentagame: its kernels, and the conversion of positions to states, of steps to integers and back."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pentad.games.pentagame.board import FIELDS, NUMBER
from pentad.games.pentagame.engine import constants as k
from pentad.games.pentagame.notation import BlockStep, LeaveStep, PieceStep, TurnStep
from pentad.games.pentagame.rules import PentagamePosition
from pentad.kernels.buffers import Buffer, array
from pentad.kernels.npz import read_npz
from pentad.kernels.types import Int16s
from pentad.search.engine import Engine

KERNELS = "pentad.games.pentagame.engine.search_kernels"

FILE = Path(__file__).with_name("weights.npz")


def read(file: Path = FILE) -> dict[int, Buffer]:
    """The nets of a file by the number of players."""
    stored = read_npz(file)
    return {players: stored[f"players{players}"].values for players in k.NETS}


def weights_of(nets: Mapping[int, Buffer]) -> Int16s:
    """The weights of the engine: all nets, one after the other."""
    return array([weight for players in k.NETS for weight in nets[players]], Int16s)


def state_of(here: PentagamePosition) -> Buffer:
    """The state of a position."""
    state = array([k.NOWHERE] * k.SIZE, "int64")
    setup = here.setup
    state[k.SEAT], state[k.PLY], state[k.PLAYERS] = here.turn, here.ply, here.players
    state[k.FIRST_TO_THREE], state[k.NO_SWAP_BACK] = setup.first_to_three, setup.no_swap_back
    state[k.MAX_PLY] = setup.max_ply
    state[k.BLACK_DUE], state[k.GRAYS_DUE] = here.due.count("black"), here.due.count("gray")
    if here.swapped:
        state[k.SWAPPED], state[k.PARTNER] = (seat * 5 + piece for seat, piece in here.swapped)
    state[k.LOW], state[k.HIGH] = here.taken & ((1 << k.SPLIT) - 1), here.taken >> k.SPLIT
    parts = {k.PIECES + 5 * seat: mine for seat, mine in enumerate(here.pieces)}
    parts |= {k.BLACKS: here.blacks, k.GRAYS: here.grays}
    for seat, last in enumerate(here.last):
        if last:
            partner = last.partner[0] * 5 + last.partner[1] if last.partner else k.NOWHERE
            parts[k.LASTS + 4 * seat] = last.piece, NUMBER[last.start], NUMBER[last.to], partner
    for begin, numbers in parts.items():
        for place, number in enumerate(numbers, begin):
            state[place] = number
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


ENGINE = Engine(
    KERNELS,
    state_of,
    step_of,
    PentagamePosition.after,
    size=k.SIZE,
    most_steps=k.MAX_STEPS,
    seats=k.SEATS,
    work=k.WORK,
    weights=weights_of(read()),
)
