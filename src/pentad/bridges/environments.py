"""Parts of all environments: the first position, and observations as arrays with their spaces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from pentad.game import GameError, Position, load, shown
from pentad.games.encoding import encoding
from pentad.system.extras import needs

with needs("gym"):
    import numpy as np
    from gymnasium import spaces
    from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.int8]
Observation: TypeAlias = dict[str, Array]

START = "position"  # the option of `reset` with another first position
RENDER_MODES = ("ansi", "human")
ILLEGAL = -1.0  # the reward of an illegal action, where it loses the game


def start(first: Position, options: Mapping[str, Any] | None) -> Position:
    """The position with which a game begins, by the options of `reset`; the libraries pass unknown ones too."""
    if not options or START not in options:
        return first
    here = load(options[START])
    if (here.game, here.options) != (first.game, first.options):
        raise GameError(
            "The first position must have the game and the options of {text}, unlike {other}.",
            text=first.text,
            other=here.text,
        )
    if here.outcome:
        raise GameError("The game is over in the first position {text}.", text=here.text)
    return here


def check_seat(seat: int | None, players: int) -> int | None:
    """Returns the learner's seat, or None if it is drawn for each game."""
    if seat is not None and (type(seat) is not int or not 0 <= seat < players):
        raise GameError(
            "The seat must be a number from 0 to {players}, or None, not {seat}.", players=players - 1, seat=shown(seat)
        )
    return seat


def check_render_mode(mode: str | None) -> str | None:
    """Returns the render mode if there is one of that name."""
    if mode is not None and mode not in RENDER_MODES:
        raise GameError(
            "Unknown render mode {mode}. The render modes are {render_modes}.",
            mode=shown(mode),
            render_modes=", ".join(RENDER_MODES),
        )
    return mode


def render(here: Position, mode: str | None) -> str | None:
    """The board as text, which the mode `human` prints."""
    if mode == "human":
        print(here)
    return str(here) if mode == "ansi" else None


def observation(here: Position, seat: int, legal: Iterable[int]) -> Observation:
    """What a seat sees, with the mask of its legal actions."""
    return {"observation": planes(here, seat), "action_mask": mask(here, legal)}


def planes(here: Position, seat: int) -> Array:
    """The planes of a position as an array of zeros and ones: plane, row, column."""
    kind = encoding(here)
    height, width = kind.shape(here)
    found, size = kind.planes(here, seat).values(), height * width
    packed = b"".join(plane.to_bytes((size + 7) // 8, "little") for plane in found)
    rows = np.frombuffer(packed, np.uint8).reshape(len(found), -1)
    bits = np.unpackbits(rows, axis=1, count=size, bitorder="little")
    return bits.reshape(len(found), height, width).view(np.int8)


def mask(here: Position, legal: Iterable[int]) -> Array:
    """An array with a one for each legal action."""
    found = np.zeros(encoding(here).actions(here), np.int8)
    found[[*legal]] = 1
    return found


def action_space(here: Position) -> spaces.Discrete:
    """The space of all actions."""
    return spaces.Discrete(encoding(here).actions(here))


def planes_space(here: Position) -> spaces.Box:
    """The space of the planes."""
    return spaces.Box(0, 1, planes(here, 0).shape, np.int8)


def observation_space(here: Position) -> spaces.Dict:
    """The space of observations with a mask."""
    actions = (encoding(here).actions(here),)
    return spaces.Dict({"observation": planes_space(here), "action_mask": spaces.Box(0, 1, actions, np.int8)})
