"""Base classes of all games: positions, moves, choices, outcomes, options, and the registry of games.

A game's rules subclass `Position`. Everything else (terminal, browser, records, bots, learning environments) works
with this interface and does not depend on the game.
"""

from __future__ import annotations

import importlib
import itertools
import logging
import pkgutil
import reprlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.machinery import PathFinder
from inspect import signature
from types import ModuleType
from typing import Any, ClassVar, Literal, TypeAlias, TypeVar, cast, overload

from pentad.system.errors import GameError as GameError
from pentad.system.errors import IllegalMove as IllegalMove
from pentad.system.errors import InvalidMove as InvalidMove
from pentad.system.errors import Unavailable as Unavailable
from pentad.system.words import phrase as phrase
from pentad.system.words import uncapitalized

# ── Moves ────────────────────────────────────────────────────────────────────────────────────────

# A step is a small immutable value whose `str` is its notation: a placed marble, a twisted sub-board.
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
    """One legal next step, and the targets of the drawing that select it, in order."""

    step: Step
    targets: tuple[str, ...]
    label: str  # an instruction for a button, without a full stop, such as "Place at a2"
    also: tuple[tuple[str, ...], ...] = ()  # other targets that select the same step
    near: str = ""  # the label beside the last target, where a long name of that target can be left out

    def __str__(self) -> str:
        return str(self.step)


class Choices(tuple[Choice, ...]):
    """The legal next steps; `prompt` is a sentence that asks for one, `may_end` says whether the turn may end here.

    The prompt may have a second sentence about rules that exclude other steps, which is the `restriction`.
    """

    prompt: str
    may_end: bool
    restriction: str

    def __new__(cls, choices: Iterable[Choice], prompt: str, may_end: bool = False, restriction: str = "") -> Choices:
        self = super().__new__(cls, tuple(choices))
        self.prompt = prompt
        self.may_end = may_end
        self.restriction = restriction
        return self

    def __getnewargs__(self) -> tuple[tuple[Choice, ...], str, bool, str]:  # for copying and pickling
        return tuple(self), self.prompt, self.may_end, self.restriction


GAME_OVER = "The game is over."  # the prompt where there are no steps

# A whole or partial turn: its text, a Choice, or its steps.
Steps: TypeAlias = str | Choice | Iterable[Step]


class LegalMoves(Sequence[Move], ABC):
    """The legal moves of a `position`, computed lazily: `len`, `in` and indexing need not build all of them."""

    __slots__ = ()

    position: Position

    def __init__(self, position: Position) -> None:
        self.position = position

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def __iter__(self) -> Iterator[Move]: ...

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, tuple) or hasattr(move, "_fields"):  # a step by itself is not a move
            return False
        try:
            self.position.play(move)
        except GameError:
            return False
        return self._is_plain(Move(move))

    def _is_plain(self, move: Move) -> bool:
        """Whether a move that can be played is in its one form; a game in which steps may be ignored overrides this."""
        return True

    def _at(self, index: int) -> Move:
        """The move at a valid index; a game with random access overrides this."""
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
            moves = list(itertools.islice(iter(self), first, last + 1))
            return [moves[i - first] for i in wanted]
        if not -size <= index < size:
            raise IndexError(phrase("Index {index} is out of range for {size} legal moves.", index=index, size=size))
        return self._at(index % size)

    def __repr__(self) -> str:
        shown = ", ".join(str(move) for move in itertools.islice(self, 4))
        return f"<{len(self)} legal moves: {shown}{', …' if len(self) > 4 else ''}>"


# ── Outcomes ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a game: the winners (none in a plain draw), the reason, and the return of each seat.

    >>> Outcome.of((0,), players=2, reason="five")
    Outcome(winners=(0,), reason='five', returns=(1.0, -1.0))
    """

    winners: tuple[int, ...]
    reason: str
    returns: tuple[float, ...]

    @classmethod
    def of(cls, winners: Iterable[int], players: int, reason: str) -> Outcome:
        """With k winners of n seats, a winner gets (n-k)/(k(n-1)) and a loser -1/(n-1); a draw gives 0 to all."""
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
        """The result as written in records, one part for each seat: `1-0`, `1/2-1/2`, `0-1/2-1/2`.

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
    """One option of a game: a flag, a number in a range, or a word of a list.

    Its type is that of its default. Where the default depends on other options, `default_text` describes it.
    `several` is the number of different words of the list that the value has, separated by commas. `about` is a
    sentence for people who do not know the option, and `example` the text of a position that shows it. Forms do not
    offer an option that is `replaced_by` another one.
    """

    name: str
    default: OptionValue
    help: str
    minimum: int | None = None
    maximum: int | None = None
    allowed: tuple[str, ...] = ()
    several: int = 0
    default_text: str = ""  # the default then depends on other options, and `default` only has its type
    about: str = ""
    example: str = ""
    replaced_by: str = ""

    @property
    def kind(self) -> Literal["boolean", "integer", "choice"]:
        """The kind of its values, as pages and other programs name it."""
        if isinstance(self.default, bool):
            return "boolean"
        return "integer" if isinstance(self.default, int) else "choice"

    @property
    def expects(self) -> str:
        """The allowed values, in words."""
        if isinstance(self.default, bool):
            return "true or false"
        if isinstance(self.default, int):
            return phrase("a whole number from {minimum} to {maximum}", minimum=self.minimum, maximum=self.maximum)
        if self.several:
            return phrase(
                "{count} different values of {allowed}, separated by commas",
                count=self.several,
                allowed=", ".join(self.allowed),
            )
        return "one of " + ", ".join(self.allowed)

    def check(self, value: object) -> OptionValue:
        """Returns the value if this option allows it."""
        kind = type(self.default)
        fits = type(value) is kind
        if fits and isinstance(value, str):
            words = value.split(",") if self.several else [value]
            fits = set(words) <= set(self.allowed) and len(set(words)) == len(words) == max(self.several, 1)
        elif fits and not isinstance(value, bool):
            number = cast(int, value)
            fits = (self.minimum is None or number >= self.minimum) and (self.maximum is None or number <= self.maximum)
        if not fits:
            raise GameError(
                "Option {name} must be {expects}, not {value}.",
                name=self.name,
                expects=self.expects,
                value=shown(value),
            )
        return cast(OptionValue, value)

    def read(self, text: str) -> OptionValue:
        """Parses a value from a command line or a position's text."""
        value: object = text
        if isinstance(self.default, bool):
            value = {"true": True, "yes": True, "false": False, "no": False}.get(text.lower(), text)
        elif isinstance(self.default, int) and text.isascii() and text.removeprefix("-").isdigit() and len(text) < 10:
            value = int(text)
        return self.check(value)

    def write(self, value: OptionValue) -> str:
        """The text of a value, in the form that `read` parses."""
        return str(value).lower() if isinstance(value, bool) else str(value)


def shown(value: object, width: int = 60) -> str:
    """A short printable form of any value, for messages."""
    if isinstance(value, str):
        return shorten(repr(value[:width]) if len(value) > width else repr(value), width)
    try:
        return shorten(_BRIEF.repr(value), width)
    except Exception:  # a number too long to print, or an object with a broken repr
        return f"this {type(value).__name__}"


_BRIEF = reprlib.Repr()  # does not format a list of millions to show its beginning
for _limit in ("tuple", "list", "array", "dict", "set", "frozenset", "deque", "string", "long", "other"):
    setattr(_BRIEF, f"max{_limit}", 200)


def shorten(text: str, width: int = 60) -> str:
    """Makes any text short and printable for a one-line message."""
    plain = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    return plain if len(plain) <= width else plain[: width - 1] + "…"


def did_you_mean(word: object, known: Iterable[str], likeness: float = 0.7) -> str:
    """A question about the known word that a word resembles, with a space after it; empty if it resembles none.

    >>> did_you_mean("pentgo", ("pentago", "pente"))
    'Did you mean pentago? '
    """
    import difflib  # it is slow to import

    near = difflib.get_close_matches(word.lower()[:100], known, 1, likeness) if isinstance(word, str) else []
    return phrase("Did you mean {near}? ", near=near[0]) if near else ""


# ── Positions ────────────────────────────────────────────────────────────────────────────────────

# A piece of text and its style: a colour's name, or one of frame, label, empty, last, line, status. After ` @` follows
# the name of the target that the piece of text belongs to, as in choices: `black last @a2`.
Span: TypeAlias = tuple[str, str]

AnyPosition = TypeVar("AnyPosition", bound="Position")


@dataclass(frozen=True, slots=True)
class Symmetry:
    """A symmetry of a game: it maps positions and moves to equivalent ones."""

    name: str
    position: Callable[[Position], Position]
    move: Callable[[Move], Move]


class Position(ABC):
    """A position of a game, immutable and hashable. Playing a move returns a new position.

    In the middle of a turn (`partial`) it is an ordinary position: the same seat is to move, its
    choices are the remaining steps, and its legal moves are the ways to finish the turn.
    """

    game: ClassVar[str]

    @property
    @abstractmethod
    def players(self) -> int:
        """The number of seats."""

    @property
    @abstractmethod
    def turn(self) -> int:
        """The seat to move, from 0; after the end, the seat that would move next."""

    @property
    @abstractmethod
    def ply(self) -> int:
        """The number of whole moves played."""

    @property
    @abstractmethod
    def options(self) -> Mapping[str, OptionValue]:
        """All options of this game with their values."""

    @property
    @abstractmethod
    def legal_moves(self) -> LegalMoves:
        """The legal whole turns; none after the end."""

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """The result of the game, or None before its end."""

    @property
    @abstractmethod
    def text(self) -> str:
        """The position as one line of text, which `pentad.load` parses."""

    @abstractmethod
    def parse(self, text: str) -> Move:
        """Parses a move, or the first steps of one; raises `InvalidMove` if the text is not a move on this board."""

    @abstractmethod
    def choices(self, steps: Steps = "") -> Choices:
        """The legal next steps after `steps` of a turn, and whether the turn may end there."""

    def choices_of(self, move: Move) -> list[Choice]:
        """The choices that make up a whole legal move, one after another."""
        steps = [(step, self.choices(str(Move(move[:count])))) for count, step in enumerate(move)]
        return [next(each for each in choices if each.step == step) for step, choices in steps]

    @abstractmethod
    def partial(self: AnyPosition, steps: Steps) -> AnyPosition:
        """The position in the middle of a turn, after its first `steps`."""

    @abstractmethod
    def play(self: AnyPosition, move: Steps) -> AnyPosition:
        """The position after a whole move, given as text or Move; raises `IllegalMove` with the reason."""

    @abstractmethod
    def colour_of(self, seat: int) -> str:
        """The colour of a seat."""

    @abstractmethod
    def describe(self, move: Move) -> str:
        """A move as a sentence or several, in names that can be said."""

    def instruction(self, move: Move) -> str:
        """A legal move as an instruction to the player, without a full stop: what the labels of its choices say."""
        first, *others = (choice.label for choice in self.choices_of(move))
        return ", then ".join([first, *map(uncapitalized, others)])

    def notation(self, move: Move) -> str:
        """A legal move as people write it here, which `parse` reads: its text, unless the game has a shorter form."""
        return str(move)

    @property
    def recurring(self) -> Hashable | None:
        """A key that is equal when a position recurs; None for games without recurrence."""
        return None

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The symmetries of this game's board, the identity first; empty if the game declares none."""
        return ()

    # ── for people: the game's module `draw` implements these ──

    def svg(
        self, *, last: Move | str | None = None, flip: bool = False, style: bool = True, labels: bool = True
    ) -> str:
        """The position as a picture; `last` is the move that led here, highlighted; `flip` turns it upside down.

        Without `style` the picture uses the page's style sheet. Without `labels` it is the board alone, for lists and
        cards, if the game can draw it so.
        """
        draw = game(self.game).module("draw").svg
        alone = {} if labels or "labels" not in signature(draw).parameters else {"labels": False}
        return cast(str, draw(self, last=last, flip=flip, style=style, **alone))

    def spans(self, *, last: Move | str | None = None, flip: bool = False, size: int = 0) -> list[list[Span]]:
        """The position as lines of styled pieces of text, for a terminal with colours.

        `size` is one of `sizes`.
        """
        sized = {"size": size} if size else {}
        return cast(list[list[Span]], game(self.game).module("draw").spans(self, last=last, flip=flip, **sized))

    @property
    def sizes(self) -> range:
        """The sizes of `spans`: 0 is the usual one, −1 leaves four rows free of 24, 1 and more are larger."""
        return cast(range, getattr(game(self.game).module("draw"), "SIZES", range(1)))

    @property
    def legend(self) -> str:
        """A legend of the symbols, in one line, for screens without colours: `● black  ○ white`."""
        legend = getattr(game(self.game).module("draw"), "legend", None)
        return cast(str, legend(self)) if legend else ""

    @property
    def status(self) -> str:
        """The player to move and the next action, or the result, as a sentence: `Black to place a marble.`"""
        return cast(str, game(self.game).module("draw").status(self))

    @property
    def guide(self) -> str:
        """The game explained to a newcomer in a few sentences, with this position's options."""
        return game(self.game).guide.format(**self.options)

    def listing(self) -> list[str]:
        """The position as sentences, one a line, for screen readers; the last line is the status."""
        return cast(list[str], game(self.game).module("draw").listing(self))

    def __str__(self) -> str:
        return "\n".join("".join(text for text, _ in line).rstrip() for line in self.spans())

    def __repr__(self) -> str:
        return f"pentad.load({self.text!r})"

    def _repr_svg_(self) -> str:
        return self.svg()

    def _default_options(self) -> Mapping[str, OptionValue]:
        """The options' default values."""
        return {name: option.default for name, option in game(self.game).options.items()}

    def options_text(self) -> str:
        """The options that differ from their defaults, as `key=value` words."""
        table, defaults = game(self.game).options, self._default_options()
        return " ".join(
            f"{name}={table[name].write(value)}" for name, value in self.options.items() if value != defaults[name]
        )


# ── The registry ─────────────────────────────────────────────────────────────────────────────────

# A game is a package with a module for each part, imported on first use; or one module that has `GAME` and the names
# of its drawing and bots itself, and each further part as an attribute. `pentad.games` fills this table; trials may add
# to it.
PACKAGES: dict[str, str] = {}
ENTRY_POINTS = "pentad.games"  # the group of entry points by which other distributions add games
LOG = logging.getLogger("pentad.game")


@cache
def plug_ins() -> Mapping[str, str]:
    """Names and packages of the games of other distributions. One that cannot be imported gives a warning."""
    from importlib.metadata import entry_points  # it is slow to import

    found: dict[str, str] = {}
    for entry in entry_points(group=ENTRY_POINTS):
        try:
            named = _game_in(entry.value).name
            if named != entry.name:
                raise GameError("its game is called {named}", named=shown(named))
        except Exception as error:  # whatever a plug-in does wrong, the other games go on
            reason = shorten(" ".join(str(error).split()) or type(error).__name__, 200)
            LOG.warning("The game %s of %s cannot be loaded: %s", entry.name, entry.value, reason)
        else:
            found[entry.name] = entry.value
    return found


@cache
def _game_in(package: str) -> Game:
    """The game of a package or a single module."""
    home = importlib.import_module(package)
    rules = importlib.import_module(f"{package}.rules") if hasattr(home, "__path__") else home
    return cast(Game, rules.GAME)


@dataclass(frozen=True, slots=True)
class Game:
    """A game in the registry: its name, its options, and functions that create its positions.

    `colours` are the names of the seats' colours; they also name seats in input. `guide` explains the game to a
    newcomer in a few sentences, with options as placeholders such as `{line} in a row`; see `Position.guide`.
    `read_short` reads positions in a short form, such as a number, described by `short_form`; None for other texts.
    `presets` are options with a name of their own, such as a rule set of tournaments, that screens offer.
    """

    name: str
    title: str
    summary: str
    options: Mapping[str, Option]
    colours: tuple[str, ...]
    start: Callable[[Mapping[str, OptionValue]], Position]
    read: Callable[[Mapping[str, OptionValue], list[str]], Position]
    guide: str = ""
    short_form: str = ""
    read_short: Callable[[str], Position | None] = lambda text: None
    presets: Mapping[str, Mapping[str, OptionValue]] = field(default_factory=dict)

    def check_options(self, given: Mapping[str, object]) -> dict[str, OptionValue]:
        """The options with their values, each checked; raises `GameError` for an unknown option.

        An option whose default depends on others is included only if given.
        """
        for name in given:
            if name not in self.options:
                known = ", ".join(self.options) or "none"
                tip = did_you_mean(name, self.options)
                raise GameError(
                    "{title} has no option {name}. {tip}Its options are: {known}.",
                    title=self.title,
                    name=shorten(str(name)),
                    tip=tip,
                    known=known,
                )
        return {
            name: option.check(given[name]) if name in given else option.default
            for name, option in self.options.items()
            if name in given or not option.default_text
        }

    def new(self, /, **options: object) -> Position:
        """The initial position of a game with these options."""
        return self.start(self.check_options(options))

    def read_options(self, words: Iterable[str]) -> dict[str, OptionValue]:
        """All options, from `key=value` words or by default."""
        given: dict[str, object] = {}
        for word in words:
            key, equals, value = word.partition("=")
            if not equals:
                raise GameError("Expected an option as name=value, got {word}.", word=shown(word))
            if key in given:
                raise GameError("Option {key} is given twice.", key=shorten(key))
            given[key] = self.options[key].read(value) if key in self.options else value
        return self.check_options(given)

    def load(self, words: list[str]) -> Position:
        """Parses a position from the words of its text: options as `key=value`, then the game's own words."""
        own = next((i for i, word in enumerate(words) if "=" not in word), len(words))
        return self.read(self.read_options(words[:own]), words[own:])

    def ending(self, reason: str, *, is_draw: bool) -> str:
        """How a game ended on its board, to follow `Black wins` or `Draw:`, from the reason of its outcome.

        >>> game("pente").ending("five", is_draw=False)
        'with five in a row'
        """
        words = getattr(self.module("draw"), "ending", None)
        return cast(str, words(reason, is_draw)) if words else reason if is_draw else f"by {reason}"

    @property
    def package(self) -> ModuleType:
        """The package of the game, or its only module."""
        return importlib.import_module(_package(self.name))

    def has(self, part: str) -> bool:
        """Whether the game offers an optional part, such as `formats`. Nothing is imported."""
        path = getattr(self.package, "__path__", None)
        if path is None:
            return hasattr(self.package, part)
        return PathFinder.find_spec(f"{self.package.__name__}.{part}", path) is not None

    def module(self, part: str) -> Any:
        """One of the game's parts, a module or what a game of one module has in its place: `draw`, `bot`."""
        home = self.package
        return (
            importlib.import_module(f"{home.__name__}.{part}")
            if hasattr(home, "__path__")
            else getattr(home, part, home)
        )

    def data(self, file: str) -> str | None:
        """The text of a file in the game's folder, such as `perft.json`; None if there is no such file."""
        if not hasattr(self.package, "__path__"):
            return None
        try:
            found = pkgutil.get_data(self.package.__name__, file)
        except OSError:
            return None
        return None if found is None else found.decode().replace("\r\n", "\n")


def _package(name: str) -> str:
    """The package of a game; the entry points are read only for a name that is not in the table."""
    found = (PACKAGES.get(name) or plug_ins().get(name)) if isinstance(name, str) else None
    if found is None:
        tip = did_you_mean(name, names())
        raise GameError(
            "Unknown game {name}. {tip}The games are: {names}.", name=shown(name), tip=tip, names=", ".join(names())
        )
    return found


def game(name: str) -> Game:
    """Returns the game with this name."""
    return _game_in(_package(name))


def names() -> tuple[str, ...]:
    """The names of all games.

    >>> "pentago" in names()
    True
    """
    return tuple(each_name())


def each_name() -> Iterator[str]:
    """The same names in turn; the entry points are read only after those of the table, since that is slow."""
    yield from PACKAGES
    yield from (name for name in plug_ins() if name not in PACKAGES)


def game_of(position: Position) -> Game:
    """The game that a position belongs to."""
    return game(position.game)


def new(name: str, /, **options: object) -> Position:
    """The initial position of a game, with options as keyword arguments.

    >>> new("pentago", players=3).players
    3
    """
    return game(name).new(**options)


def load(text: str) -> Position:
    """Parses a position; the inverse of `position.text`."""
    words = text.split() if isinstance(text, str) else []
    if not words:
        raise GameError("The position is empty or not text. It must begin with the name of a game.")
    return game(words[0]).load(words[1:])


def read_start(text: str) -> Position:
    """A position's text, or a game's name with its options for its initial position."""
    name, *words = text.split() or [""]
    if name in names() and all("=" in word for word in words):
        kind = game(name)
        return kind.new(**kind.read_options(words))
    return load(text)


def read_short(text: str) -> Position | None:
    """A position in the short form of a game, such as the number of a Pentago board; None if no game reads the text."""
    return next((found for name in each_name() if (found := game(name).read_short(text))), None)


def whole(text: str, digits: int = 9) -> int | None:
    """Parses a number of at most so many digits; returns None for any other text.

    `int` alone accepts too much: digits of other scripts, spaces and underscores. For thousands of digits it raises
    its own error.

    >>> whole("12"), whole("1_2"), whole("-1")
    (12, None, None)
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


def bit_numbers(bits: int) -> Iterator[int]:
    """The numbers of the set bits, in ascending order: the members of a set of spaces.

    >>> list(bit_numbers(0b1101))
    [0, 2, 3]
    """
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def nth_bit(bits: int, n: int) -> int:
    """The number of the n-th set bit, from 0."""
    low, high = 0, bits.bit_length()
    while high - low > 1:
        middle = (low + high) // 2
        if (bits & ((1 << middle) - 1)).bit_count() <= n:
            low = middle
        else:
            high = middle
    return low


def perft(position: Position, depth: int) -> int:
    """The number of sequences of `depth` whole moves from here, to verify a move generator.

    >>> perft(new("pentago"), 2)
    80640
    """
    if type(depth) is not int or depth < 0:
        raise GameError("Perft needs a depth of 0 or more, not {depth}.", depth=shown(depth))
    if depth == 0:
        return 1
    if depth == 1:
        return len(position.legal_moves)
    return sum(perft(position.play(move), depth - 1) for move in position.legal_moves)
