"""What a page needs to play a game at once, before Python is there: kernels, their arrays and their calls.

The function `page` of a game's part `instant` gives it. Arrays are shared by identity: two calls with the same array
share its memory in the page, too. What an array holds here, it holds there; zeros take no room in any file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple, TypeAlias, cast

from pentad.game import Position, game_of
from pentad.games.encoding import encoding
from pentad.games.parts import Batch, Looks
from pentad.kernels.buffers import Buffer, typed, zeros
from pentad.kernels.packing import Argument
from pentad.kernels.types import Float64s, Int8s, Int64s
from pentad.search.levels import Ladder, Level


class AtCall(NamedTuple):
    """A number that the page passes with each call."""

    name: str


LONGEST_TEXT = 512  # characters of a position after the name of its game

Call: TypeAlias = "tuple[Argument | AtCall, ...]"  # the arguments of a kernel
RULES = ("play", "legal", "result", "look", "offer", "read", "write")  # the kernels of the rules, the looks and texts


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file of the package in numpy's format, the arrays to take from it, and then the kernels to call."""

    path: Path
    arrays: Mapping[str, Buffer]
    calls: tuple[tuple[str, Call], ...] = ()


@dataclass(frozen=True, slots=True)
class BotLevel:
    """A level of the bot: the numbers of its call, those of a lapse and how often there is one.

    The first file is enough up to the ply `until`; None where it always is.
    """

    numbers: Mapping[str, float]
    lapse: Mapping[str, float] = field(default_factory=dict)
    rate: float = 0.0
    until: int | None = None


def for_hints(levels: Ladder, nodes: int | None = None) -> Level:
    """The level for hints: the highest of these without errors, on request with other nodes."""
    highest = levels[max(levels)]
    return replace(highest, nodes=nodes or highest.nodes, noise=0.0, blunder_rate=0.0, oversight=0.0)


@dataclass(frozen=True, slots=True)
class InstantPage:
    """A game in a page.

    The page reads and writes the arrays with these names: `state`, `mask` for the legal actions, `text` for the
    text of a position, whose second half stays empty, those of the looks, `chosen` for the actions of the bot's turn,
    and `chance`: random numbers of the standard normal distribution, or words of random bits. `hint` is the level of
    hints. `remembered` is what a bot keeps for a whole game, zeros at first.
    """

    start: Position
    kernels: str  # the module with the table of entry points
    arrays: Mapping[str, Buffer]
    calls: Mapping[str, Call]
    files: tuple[DataFile, ...]
    bot: str
    levels: Mapping[float, BotLevel]
    hint: BotLevel | None = None


class LooksArrays(NamedTuple):
    """The arrays of a game's looks: the last actions, the numbers of a position, and those of a step."""

    last: Int64s
    numbers: Int64s
    offered: Int64s


class RulesArrays(NamedTuple):
    """The arrays of a game's rules and looks."""

    rules: Int64s
    state: Int64s
    mask: Int8s
    work: Int64s
    chosen: Int64s
    text: Int64s
    looks: LooksArrays

    @property
    def calls(self) -> dict[str, Call]:
        """The calls of the rules, which are those of `batch`, of the looks and of texts."""
        rules, state, mask, work, _, text, (last, numbers, offered) = self
        return {
            "play": (rules, state, AtCall("action"), work),
            "legal": (rules, state, mask, work),
            "result": (rules, state),
            "look": (rules, state, last, AtCall("count"), numbers),
            "offer": (rules, state, AtCall("action"), offered, work),
            "read": (rules, state, text, work),
            "write": (rules, state, text),
        }

    def named(self, **more: Float64s | Int64s | memoryview) -> dict[str, Buffer]:
        """The arrays that the page knows by their names."""
        own = {"state": self.state, "mask": self.mask, "chosen": self.chosen, "text": self.text}
        return cast("dict[str, Buffer]", own | self.looks._asdict() | more)


def arrays_of(here: Position) -> RulesArrays:
    """The arrays for games from a position."""
    kind = game_of(here)
    batch, looks = cast(Batch, kind.module("batch")).kernels(here), cast(Looks, kind.module("looks"))
    assert batch
    numbers, offered = looks.numbers(here, None), looks.offer(here, next(iter(here.choices())).step)
    return RulesArrays(
        typed(batch.rules, Int64s),
        typed(batch.start, Int64s),
        zeros(encoding(here).actions(here), Int8s),
        zeros(batch.work, Int64s),
        zeros(looks.STEPS, Int64s),
        zeros(2 * LONGEST_TEXT, Int64s),
        LooksArrays(zeros(looks.STEPS, Int64s), zeros(len(numbers), Int64s), zeros(len(offered), Int64s)),
    )


def rules_page(here: Position) -> InstantPage:
    """The rules and the looks of a game, without its bot."""
    arrays, kernels = arrays_of(here), f"{game_of(here).package.__name__}.instant_kernels"
    return InstantPage(here, kernels, arrays.named(), arrays.calls, (), "", {})
