"""What every game is: positions, moves, choices, outcomes, options, errors, and the registry of games.

A game's rules subclass `Position`; everything else (terminal, browser, records, bots, learning
environments) works from what stands here and never asks which game it has before it.
"""

from __future__ import annotations

import importlib
import itertools
import reprlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import ClassVar, TypeAlias, TypeVar, cast, overload

__all__ = [
    "Choice",
    "Choices",
    "Game",
    "GameError",
    "IllegalMove",
    "InvalidMove",
    "LegalMoves",
    "Move",
    "Option",
    "OptionValue",
    "Outcome",
    "Position",
    "Span",
    "Step",
    "Steps",
    "Symmetry",
    "game",
    "game_of",
    "games",
    "load",
    "new",
    "perft",
]


class GameError(ValueError):
    """Something a person, a file or a program asked for cannot be; the message is one plain line."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The message; of several errors at once, one line each."""
        return (str(self),)


class InvalidMove(GameError):
    """A move that cannot be read on this board."""


class IllegalMove(GameError):
    """A move that can be read but is not allowed now; the message says why."""


# ── Moves ────────────────────────────────────────────────────────────────────────────────────────

# A step is any small immutable value whose `str` is its notation: a marble placed, a sub-board turned.
Step: TypeAlias = Hashable


class Move(tuple[Step, ...]):
    """A whole turn: the tuple of its steps. `str(move)` is its notation."""

    __slots__ = ()

    def __str__(self) -> str:
        return " ".join(map(str, self))

    def __repr__(self) -> str:
        return f"<Move {self}>"


@dataclass(frozen=True, slots=True)
class Choice:
    """One legal next step, with the places of the drawing that a person touches for it, in order."""

    step: Step
    targets: tuple[str, ...]
    label: str  # in words, for a screen reader or a tooltip
    also: tuple[tuple[str, ...], ...] = ()  # other places that mean the same

    def __str__(self) -> str:
        return str(self.step)


class Choices(tuple[Choice, ...]):
    """The legal next steps of a turn; `prompt` says what is asked, `may_end` whether the turn may end here."""

    prompt: str
    may_end: bool

    def __new__(cls, choices: Iterable[Choice], prompt: str, may_end: bool = False) -> Choices:
        self = super().__new__(cls, tuple(choices))
        self.prompt = prompt
        self.may_end = may_end
        return self

    def __getnewargs__(self) -> tuple[tuple[Choice, ...], str, bool]:  # so that it can be copied and pickled
        return tuple(self), self.prompt, self.may_end


# What a turn, whole or begun, may be given as: its text, a Choice, or its steps.
Steps: TypeAlias = str | Choice | Iterable[Step]


class LegalMoves(Sequence[Move], ABC):
    """The legal moves of a position, lazily: `len`, `in` and indexing need not build them all."""

    __slots__ = ()

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def __iter__(self) -> Iterator[Move]: ...

    @abstractmethod
    def __contains__(self, move: object) -> bool: ...

    def _at(self, index: int) -> Move:
        """The move at an index that is known to be in range; a game that can jump there does."""
        return next(itertools.islice(iter(self), index, None))

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> list[Move]: ...
    def __getitem__(self, index: int | slice) -> Move | list[Move]:
        size = len(self)
        if isinstance(index, slice):
            wanted = range(*index.indices(size))
            first, last = (min(wanted), max(wanted)) if wanted else (0, -1)
            walked = list(itertools.islice(iter(self), first, last + 1))
            return [walked[i - first] for i in wanted]
        if not -size <= index < size:
            raise IndexError(f"there are {size} legal moves, no number {index}")
        return self._at(index % size)

    def __repr__(self) -> str:
        shown = ", ".join(str(move) for move in itertools.islice(self, 4))
        return f"<{len(self)} legal moves: {shown}{', …' if len(self) > 4 else ''}>"


# ── Outcomes ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: who won (all who share it; nobody in a plain draw), why, and what each seat gets.

    >>> Outcome.of((0,), players=2, reason="five")
    Outcome(winners=(0,), reason='five', returns=(1.0, -1.0))
    """

    winners: tuple[int, ...]
    reason: str
    returns: tuple[float, ...]

    @classmethod
    def of(cls, winners: Iterable[int], players: int, reason: str) -> Outcome:
        """With k winners of n seats each winner gets (n-k)/(k(n-1)), each loser -1/(n-1); a draw is 0 for all."""
        won = tuple(sorted(set(winners)))
        if not won or len(won) == players:
            return cls(won, reason, (0.0,) * players)
        win = (players - len(won)) / (len(won) * (players - 1))
        loss = -1 / (players - 1)
        return cls(won, reason, tuple(win if seat in won else loss for seat in range(players)))

    @property
    def is_draw(self) -> bool:
        """Whether every seat gets the same."""
        return not any(self.returns)

    @property
    def score(self) -> str:
        """The result as a record writes it, a part for each seat: `1-0`, `1/2-1/2`, `0-1/2-1/2`.

        >>> Outcome.of((), players=3, reason="full board").score
        '1/3-1/3-1/3'
        """
        players = len(self.returns)
        sharing = self.winners or tuple(range(players))
        part = "1" if len(sharing) == 1 else f"1/{len(sharing)}"
        return "-".join(part if seat in sharing else "0" for seat in range(players))


# ── Options ──────────────────────────────────────────────────────────────────────────────────────

OptionValue: TypeAlias = bool | int | str


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a game: a yes or no, a number in a range, or a word of a list.

    Its kind is its default's. Where the default depends on other options, `default_text` says in words what it is.
    `several` asks for so many different words of the list, joined by commas.
    """

    name: str
    default: OptionValue
    help: str
    minimum: int | None = None
    maximum: int | None = None
    allowed: tuple[str, ...] = ()
    several: int = 0
    default_text: str = ""  # if there is one, `default` only tells the kind

    @property
    def expects(self) -> str:
        """What the option may be, in words."""
        if isinstance(self.default, bool):
            return "true or false"
        if isinstance(self.default, int):
            return f"a whole number from {self.minimum} to {self.maximum}"
        if self.several:
            return f"{self.several} different of {', '.join(self.allowed)}, joined by commas"
        return "one of " + ", ".join(self.allowed)

    def check(self, value: object) -> OptionValue:
        """The value, if it is one that this option may have."""
        kind = type(self.default)
        fits = type(value) is kind
        if fits and isinstance(value, str):
            words = value.split(",") if self.several else [value]
            fits = set(words) <= set(self.allowed) and len(set(words)) == len(words) == max(self.several, 1)
        elif fits and not isinstance(value, bool):
            number = cast(int, value)
            fits = (self.minimum is None or number >= self.minimum) and (self.maximum is None or number <= self.maximum)
        if not fits:
            raise GameError(f"option {self.name} must be {self.expects}, not {shown(value)}")
        return cast(OptionValue, value)

    def read(self, text: str) -> OptionValue:
        """The value that a text stands for, as on a command line or in a position's text."""
        value: object = text
        if isinstance(self.default, bool):
            value = {"true": True, "yes": True, "false": False, "no": False}.get(text.lower(), text)
        elif isinstance(self.default, int) and text.isascii() and text.removeprefix("-").isdigit() and len(text) < 10:
            value = int(text)
        return self.check(value)

    def write(self, value: OptionValue) -> str:
        """The text of a value: what `read` reads."""
        return str(value).lower() if isinstance(value, bool) else str(value)


def shown(value: object, width: int = 60) -> str:
    """A value as a message quotes it, whatever it is."""
    if isinstance(value, str):
        return shorten(repr(value[:width]) if len(value) > width else repr(value), width)
    try:
        return shorten(_BRIEF.repr(value), width)
    except Exception:  # a number too long to print, or a thing that cannot tell what it is
        return f"this {type(value).__name__}"


_BRIEF = reprlib.Repr()  # which does not write out a list of millions to show its beginning
for _limit in ("tuple", "list", "array", "dict", "set", "frozenset", "deque", "string", "long", "other"):
    setattr(_BRIEF, f"max{_limit}", 200)


def shorten(text: str, width: int = 60) -> str:
    """A text that fits into a one-line message, however long or strange it was."""
    plain = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    return plain if len(plain) <= width else plain[: width - 1] + "…"


# ── Positions ────────────────────────────────────────────────────────────────────────────────────

# A piece of a line of text, and what it shows: a colour's name, or one of frame, label, empty, last, line, status.
Span: TypeAlias = tuple[str, str]

AnyPosition = TypeVar("AnyPosition", bound="Position")


@dataclass(frozen=True, slots=True)
class Symmetry:
    """A way to look at the same game: positions and moves go to equivalent ones."""

    name: str
    position: Callable[[Position], Position]
    move: Callable[[Move], Move]


class Position(ABC):
    """A moment of a game, immutable and hashable. Playing gives a new one.

    In the middle of a turn (`partial`) it is a position like any other: the same seat is to move, its
    choices are the steps that remain, and its legal moves are the ways to finish the turn.
    """

    game: ClassVar[str]

    @property
    @abstractmethod
    def players(self) -> int:
        """How many seats there are."""

    @property
    @abstractmethod
    def turn(self) -> int:
        """The seat to move, from 0; after the end, the seat that would have moved next."""

    @property
    @abstractmethod
    def ply(self) -> int:
        """How many whole moves have been played."""

    @property
    @abstractmethod
    def options(self) -> Mapping[str, OptionValue]:
        """Every option of this game, as it stands here."""

    @property
    @abstractmethod
    def legal_moves(self) -> LegalMoves:
        """The whole turns that may be played now; none after the end."""

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    @property
    @abstractmethod
    def text(self) -> str:
        """The position in one line, which `pentad.load` reads back."""

    @abstractmethod
    def parse(self, text: str) -> Move:
        """Read a whole move; `InvalidMove` says what is wrong with a text that is none on this board."""

    @abstractmethod
    def choices(self, steps: Steps = "") -> Choices:
        """The legal next steps after `steps` of a turn; whether the turn may end there."""

    @abstractmethod
    def partial(self: AnyPosition, steps: Steps) -> AnyPosition:
        """The position in the middle of a turn, after its first `steps`."""

    @abstractmethod
    def play(self: AnyPosition, move: Steps) -> AnyPosition:
        """The position after a whole move, given as text or Move; `IllegalMove` says why it cannot be."""

    @abstractmethod
    def colour_of(self, seat: int) -> str:
        """The colour that a seat plays."""

    @abstractmethod
    def describe(self, move: Move) -> str:
        """A move in words, for a screen reader."""

    @property
    def recurring(self) -> Hashable | None:
        """What is the same where a position has come again, for games in which one can; None where none can."""
        return None

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The symmetries of this game's board, the identity first; none where a game declares none."""
        return ()

    # ── for people: how a position looks is told by the game's own module `draw` ──

    def svg(self, *, last: Move | str | None = None, flip: bool = False, style: bool = True) -> str:
        """The position as a picture; `last` is the move that led here, to be marked; `flip` turns it upside down.

        Without `style` the picture leaves its look to the page's own style sheet.
        """
        return cast(str, game(self.game).module("draw").svg(self, last=last, flip=flip, style=style))

    def spans(self, *, last: Move | str | None = None, flip: bool = False, small: bool = False) -> list[list[Span]]:
        """The position as lines of text, in pieces that say what they show, so that a screen may colour them.

        `small` is the drawing that leaves room for words on a screen of 80 × 24, where a game has one.
        """
        draw = game(self.game).module("draw")
        drawn = getattr(draw, "small_spans", draw.spans) if small else draw.spans
        return cast(list[list[Span]], drawn(self, last=last, flip=flip))

    @property
    def legend(self) -> str:
        """What the signs of the text stand for, in a line for screens without colours: `● black  ○ white`."""
        legend = getattr(game(self.game).module("draw"), "legend", None)
        return cast(str, legend(self)) if legend else ""

    @property
    def status(self) -> str:
        """Who is to do what, or how the game ended, in a line of words."""
        return cast(str, game(self.game).module("draw").status(self))

    def listing(self) -> list[str]:
        """The position as lines of words, for whoever has no use for a board; the last says who is to do what."""
        return cast(list[str], game(self.game).module("draw").listing(self))

    def __str__(self) -> str:
        return "\n".join("".join(text for text, _ in line).rstrip() for line in self.spans())

    def __repr__(self) -> str:
        return f"pentad.load({self.text!r})"

    def _repr_svg_(self) -> str:
        return self.svg()

    def _default_options(self) -> Mapping[str, OptionValue]:
        """What the options would be if nobody had asked for any other."""
        return {name: option.default for name, option in game(self.game).options.items()}

    def options_text(self) -> str:
        """The options that are not the usual ones, as `key=value` words."""
        table, usual = game(self.game).options, self._default_options()
        return " ".join(
            f"{name}={table[name].write(value)}" for name, value in self.options.items() if value != usual[name]
        )


# ── The registry ─────────────────────────────────────────────────────────────────────────────────

# A game is a package; its parts are imported when they are asked for. A new game is one line here.
PACKAGES = {
    "pentago": "pentad.pentago",
    "pente": "pentad.pente",
    "pentagame": "pentad.pentagame",
}


@dataclass(frozen=True, slots=True)
class Game:
    """A game as the registry knows it: what it is called, its options, and how its positions are made.

    `colours` are the names of the seats' colours, as words a person uses for a seat. `guide` tells a newcomer
    in two sentences how to play; options stand in it by their names, as in `{line} in a row`.
    """

    name: str
    title: str
    summary: str
    options: Mapping[str, Option]
    colours: tuple[str, ...]
    start: Callable[[Mapping[str, OptionValue]], Position]
    read: Callable[[Mapping[str, OptionValue], list[str]], Position]
    guide: str = ""

    def check_options(self, given: Mapping[str, object]) -> dict[str, OptionValue]:
        """The options with their values, checked one by one; an unknown one is refused by name.

        An option whose usual value depends on others is there only if it was given.
        """
        for name in given:
            if name not in self.options:
                known = ", ".join(self.options) or "none"
                raise GameError(f"{self.name} has no option {shorten(str(name))}; its options are: {known}")
        return {
            name: option.check(given[name]) if name in given else option.default
            for name, option in self.options.items()
            if name in given or not option.default_text
        }

    def new(self, /, **options: object) -> Position:
        """The first position of a game with these options."""
        return self.start(self.check_options(options))

    def read_options(self, words: Iterable[str]) -> dict[str, OptionValue]:
        """Every option, as `key=value` words give it or by default."""
        given: dict[str, object] = {}
        for word in words:
            key, equals, value = word.partition("=")
            if not equals:
                raise GameError(f"an option is written name=value, not {shown(word)}")
            if key in given:
                raise GameError(f"option {shorten(key)} is given twice")
            given[key] = self.options[key].read(value) if key in self.options else value
        return self.check_options(given)

    def load(self, words: list[str]) -> Position:
        """The position that the words of its text describe: options as `key=value`, then the game's own words."""
        own = next((i for i, word in enumerate(words) if "=" not in word), len(words))
        return self.read(self.read_options(words[:own]), words[own:])

    def module(self, part: str) -> ModuleType:
        """One of the game's modules by its part: `draw`, `bot`."""
        return importlib.import_module(f"{PACKAGES[self.name]}.{part}")


def game(name: str) -> Game:
    """The game of that name."""
    if not isinstance(name, str) or name not in PACKAGES:
        raise GameError(f"there is no game {shown(name)}; the games are: {', '.join(PACKAGES)}")
    return cast(Game, importlib.import_module(f"{PACKAGES[name]}.rules").GAME)


def games() -> tuple[str, ...]:
    """The names of the games there are.

    >>> "pentago" in games()
    True
    """
    return tuple(PACKAGES)


def game_of(position: Position) -> Game:
    """The game that a position belongs to."""
    return game(position.game)


def new(name: str, /, **options: object) -> Position:
    """The first position of a game, its options by keyword.

    >>> new("pentago", players=3).players
    3
    """
    return game(name).new(**options)


def load(text: str) -> Position:
    """The position that a text describes; the inverse of `position.text`."""
    words = text.split() if isinstance(text, str) else []
    if not words:
        raise GameError("a position's text is empty or none; it begins with the name of its game")
    return game(words[0]).load(words[1:])


def whole(text: str, digits: int = 9) -> int | None:
    """The number that a text of so many digits at most writes; None for any other text.

    `int` alone reads more than is ever written here: other scripts' digits, blanks and underscores around them, and
    of thousands of digits it makes an error of its own.

    >>> whole("12"), whole("1_2"), whole("-1")
    (12, None, None)
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


def perft(position: Position, depth: int) -> int:
    """How many sequences of `depth` whole moves there are from here: the number that proves a move generator.

    >>> perft(new("pentago"), 2)
    80640
    """
    if type(depth) is not int or depth < 0:
        raise GameError(f"perft needs a depth of 0 or more, not {shown(depth)}")
    if depth == 0:
        return 1
    if depth == 1:
        return len(position.legal_moves)
    return sum(perft(position.play(move), depth - 1) for move in position.legal_moves)
