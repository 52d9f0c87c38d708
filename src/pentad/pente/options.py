"""Options of the requirement document: names, aliases, defaults and help."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

from pentad.game import GameError, OptionValue, shorten, shown
from pentad.pente.beam import Beam
from pentad.pente.configuration import LARGEST, SMALLEST_WITH_CENTRE

DIFFICULTIES = {
    1: Beam(depth=2, padding=1, width=(3, 3)),
    2: Beam(depth=4, padding=2, width=(4, 3, 2)),
    3: Beam(depth=5, padding=2, width=(4, 3, 2)),
    4: Beam(depth=6, padding=2, width=(4, 3, 2)),
    5: Beam(depth=7, padding=2, width=(5, 4, 3, 2)),
}
SIZE, DIFFICULTY = 19, 3
DEEPEST = 200  # practical only with a width of 1


# ── checks ───────────────────────────────────────────────────────────────────────────────────────


def _whole(low: int, high: float, expected: str) -> Callable[[str, object], int]:
    def check(name: str, value: object) -> int:
        if type(value) is not int or not low <= value <= high:
            raise GameError(f"{name} must be {expected}, not {shown(value)}.")
        return value

    return check


def _size(name: str, value: object) -> int:
    if type(value) is not int or not SMALLEST_WITH_CENTRE <= value <= LARGEST or value % 2 == 0:
        raise GameError(f"{name} must be an odd number from {SMALLEST_WITH_CENTRE} to {LARGEST}, not {shown(value)}.")
    return value


def _width(name: str, value: object) -> tuple[int, ...]:
    numbers = (value,) if type(value) is int else tuple(value) if isinstance(value, list | tuple) else ()
    if not numbers or not all(type(number) is int and number > 0 for number in numbers):
        raise GameError(f"{name} must be a positive number or a list of such numbers, not {shown(value)}.")
    return numbers


def _flag(name: str, value: object) -> bool:
    if type(value) is not bool:
        raise GameError(f"{name} must be true or false, not {shown(value)}.")
    return value


@dataclass(frozen=True, slots=True)
class OptionEntry:
    """The description of an option in the document: its forms, its help and its default."""

    check: Callable[[str, object], Any]
    letter: str
    values: str
    help: str
    default: str
    alias: str = ""
    other_form: str = ""

    def help_text(self, name: str) -> str:
        names = sorted(filter(None, (name, self.alias)), key=len, reverse=True)
        forms = " or ".join(f"{each}({self.letter})" for each in names)
        other = f"- {self.other_form}\n" if self.other_form else ""
        return f"- {forms}, {self.values}\n  {self.help}\n{other}  Default{self.default}"


_DEFAULT = DIFFICULTIES[DIFFICULTY]
_BY_DIFFICULTY = f" (difficulty {DIFFICULTY}): "
OPTIONS = {
    "size": OptionEntry(
        _size,
        "S",
        f"S in {{7,9,11,…,{LARGEST}}}",
        "The size of the board (SxS), must be odd.",
        f": {SIZE}",
        "board_size",
    ),
    "difficulty": OptionEntry(
        _whole(1, 5, f"a whole number from 1 to {len(DIFFICULTIES)}"),
        "D",
        "D in {1,2,3,4,5}",
        "The bot's difficulty, 5 the most difficult: it selects depth, padding and width.\n"
        "  Where these are given, they override what it selects.",
        f": {DIFFICULTY}",
    ),
    "depth": OptionEntry(
        _whole(0, DEEPEST, f"a whole number from 0 to {DEEPEST}"),
        "D",
        "D in {0,1,2,3,…}",
        "The depth of the bot's search tree: how many moves it looks ahead.\n"
        "  Suggestion: choose an even depth (2 or 4).",
        f"{_BY_DIFFICULTY}{_DEFAULT.depth}",
    ),
    "padding": OptionEntry(
        _whole(0, inf, "a whole number from 0"),
        "P",
        "P in {0,1,2,3,…}",
        "How far around the stones the search tree looks for moves.",
        f"{_BY_DIFFICULTY}{_DEFAULT.padding}",
    ),
    "width": OptionEntry(
        _width,
        "[W0,W1,…]",
        "Wi in {1,2,3,…}",
        "At each node of depth i (the top is depth 0) only the Wi best moves are searched.\n"
        "  The last width stands for all depths below.",
        f"{_BY_DIFFICULTY}[{','.join(map(str, _DEFAULT.width))}]",
        other_form="width(W), W in {1,2,3,…}\n  Use the width W for all depths.",
    ),
    "flip": OptionEntry(
        _flag,
        "B",
        "B is true or false",
        "Turn the printed board round while Black is to move.",
        ": false",
        "flip_board",
    ),
    "tournament_rule": OptionEntry(_flag, "B", "B is true or false", "Use the tournament rule.", ": true", "rule"),
}
ALIASES = {about.alias: name for name, about in OPTIONS.items() if about.alias}


def options_help() -> str:
    """The help of all options, in the form of the requirement document."""
    return "\n\n".join(about.help_text(name) for name, about in OPTIONS.items())


# ── the options of a game ────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Options:
    """The options of a game; depth, padding and width are None where the difficulty selects them.

    >>> Options.of(board_size=13, difficulty=1, rule=False).beam
    Beam(depth=2, padding=1, width=(3, 3))
    """

    size: int = SIZE
    difficulty: int = DIFFICULTY
    depth: int | None = None
    padding: int | None = None
    width: tuple[int, ...] | None = None
    flip: bool = False
    tournament_rule: bool = True

    def __post_init__(self) -> None:
        for name, about in OPTIONS.items():
            value = getattr(self, name)
            if value is not None or name not in BEAM:
                object.__setattr__(self, name, about.check(name, value))

    @classmethod
    def of(cls, /, **given: object) -> Options:
        """The options by name or alias; raises GameError for one that is unknown or given twice."""
        named: dict[str, Any] = {}
        for word, value in given.items():
            name = ALIASES.get(word, word)
            if name not in OPTIONS:
                known = ", ".join(f"{each} ({about.alias})" if about.alias else each for each, about in OPTIONS.items())
                raise GameError(f"Unknown option {shorten(word)}. The options are {known}.")
            if name in named:
                raise GameError(f"{name} and {OPTIONS[name].alias} are the same option; give only one of them.")
            named[name] = OPTIONS[name].check(word, value)
        return cls(**named)

    @property
    def beam(self) -> Beam:
        """The bot's search parameters: those of its difficulty, with the given ones in their place."""
        default = DIFFICULTIES[self.difficulty]
        return Beam(
            default.depth if self.depth is None else self.depth,
            default.padding if self.padding is None else self.padding,
            default.width if self.width is None else self.width,
        )

    @property
    def game(self) -> dict[str, OptionValue]:
        """The options of the game itself."""
        return {"size": self.size, "tournament_rule": self.tournament_rule}


BEAM = ("depth", "padding", "width")
