"""HTTP API: the models of requests and responses, and limits shared with the WebSockets."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeAlias

from pentad.game import Option, OptionValue
from pentad.store.rows import OPEN as OPEN  # the player of an open seat
from pentad.web.typed_json import Length

MOST_SEATS = 16
MAX_NAME_LENGTH = 30
ADAPTIVE = "adaptive"  # requests a bot about as strong as the person
ADAPTIVE_TITLE = "Computer of your strength"

MAX_POSITION_LENGTH = 4000
PositionText = Annotated[str, Length(MAX_POSITION_LENGTH)]
TurnText = Annotated[str, Length(400)]
Name = Annotated[str, Length(MAX_NAME_LENGTH)]
Seats = Annotated[list[Annotated[str, Length(40)]], Length(MOST_SEATS)]


# ── over HTTP ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, kw_only=True)
class OptionInfo:
    """An option of a game or a model and its allowed values; `default` is null where it depends on the other options.

    `several` is how many different words of `allowed`, joined by commas, a value has.
    """

    name: str
    kind: Literal["boolean", "integer", "choice"]
    default: bool | int | str | None
    help: str
    minimum: int | None = None
    maximum: int | None = None
    allowed: tuple[str, ...] = ()
    several: int = 0

    @classmethod
    def of(cls, option: Option) -> OptionInfo:
        """The description of an option of a game or a model."""
        return cls(
            name=option.name,
            kind=option.kind,
            default=None if option.default_text else option.default,
            help=option.help,
            minimum=option.minimum,
            maximum=option.maximum,
            allowed=option.allowed,
            several=option.several,
        )


@dataclass(frozen=True, kw_only=True)
class OptionAbout:
    """A sentence about an option, and the text of a position that shows it; each is empty if there is none."""

    about: str
    example: str


@dataclass(frozen=True, kw_only=True)
class BotInfo:
    """A bot that can take a seat; a bot with levels is written `name@3`, one with strengths `name@medium`, too.

    `title` is its name for people.
    """

    name: str
    title: str
    summary: str
    levels: tuple[int, int] | None = None
    rungs: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class GameInfo:
    """A game that can be played here. With default options it has `players` seats, each with a colour.

    `strengths` are the bots that play at a strength, such as `easy`; `presets` are options under a name of their own.
    `ratings` are the measured Elo ratings of bots and levels. `setup` is whether its positions can be set up.
    """

    name: str
    title: str
    summary: str
    players: int
    colours: list[str]
    options: list[OptionInfo]
    bots: list[BotInfo]
    default_opponent: str
    strengths: dict[str, str]
    ratings: dict[str, int]
    presets: dict[str, dict[str, OptionValue]]
    setup: bool


@dataclass(frozen=True, kw_only=True)
class Catalogue:
    """All games that can be played here; a seat takes `person` or one of the game's bots.

    `friends` is whether seats can be kept open for other people; where not, `friends_server` is the address of a
    server for games with them, empty if there is none.
    """

    person: str
    games: list[GameInfo]
    friends: bool = True
    friends_server: str = ""


@dataclass(frozen=True, kw_only=True)
class TimeInfo:
    """Time control: seconds for the game and for each move, or days for each move."""

    main: float = 0.0
    increment: float = 0.0
    days: float = 0.0


@dataclass(frozen=True, kw_only=True)
class NewRoom:
    """A request for a new game: its options by name, and the player of each seat.

    A seat takes `human` (the client), `open` (the first person who comes), `adaptive` (a bot as strong as the client)
    or a bot by name. By default a person plays the best bot. `position` is the start position, in place of options.
    A `listed` game with an open seat is shown to everyone.
    """

    game: Annotated[str, Length(40)]
    options: dict[str, OptionValue] = field(default_factory=dict)
    seats: Seats | None = None
    time: TimeInfo | None = None
    position: PositionText | None = None
    listed: bool = False
    name: Name = ""


@dataclass(frozen=True, kw_only=True)
class CreatedRoom:
    """A new room; a cookie identifies its creator from now on."""

    room: str
    page: str


@dataclass(frozen=True, kw_only=True)
class NextGame:
    """The next game of the same players; null until all have agreed to it."""

    room: str | None
    page: str | None


@dataclass(frozen=True, kw_only=True)
class EarlierPosition:
    """A position of a game's main line, after some of its moves, with the last of them highlighted."""

    svg: str
    status: str


@dataclass(frozen=True, kw_only=True)
class SeatRequest:
    """A request to take an open seat under a name; the default is the first open seat."""

    seat: int | None = None
    name: Name = ""


@dataclass(frozen=True, kw_only=True)
class Me:
    """The client's name."""

    name: Name


EndKind: TypeAlias = Literal["resigned", "time", "agreed", "board"]


@dataclass(frozen=True, kw_only=True)
class EndInfo:
    """How a game ended: the seats that resigned, ran out of time or won on the board, none in a draw.

    `words` says what decided on the board, after the winners or after "Draw:"; `with five in a row`.
    """

    kind: EndKind
    seats: list[int]
    words: str = ""


@dataclass(frozen=True, kw_only=True)
class GameListing:
    """A game in a list: its rules, its progress and its players (an empty name at an open seat, a bot by its title).

    `bots` are the seats of bots. `waits` is whether it is the client's turn, only in games with other persons. `turn`
    is the seat to move, and `left` its remaining seconds; null if the game is over or no clock runs. `standing` is how
    it ended for the client; null if it goes on, or if the client has no seat or all seats. `end` is null if it goes on,
    and in a game of an earlier release that ended on its board. `cursor` is set on the last game of a page if there are
    more: the next page comes `after` it. `attended` is whether somebody is at an open game.
    """

    room: str
    page: str
    game: str
    title: str
    options: str
    time: TimeInfo | None
    seats: list[str]
    colours: list[str]
    bots: list[int]
    yours: list[int]
    moves: int
    result: str | None
    touched: float
    waits: bool
    turn: int | None = None
    left: float | None = None
    standing: Literal["won", "lost", "draw"] | None = None
    end: EndInfo | None = None
    cursor: str | None = None
    attended: bool = False


@dataclass(frozen=True, kw_only=True)
class FoundGames:
    """A page of the client's games, and how many there are on all pages."""

    count: int
    games: list[GameListing]


@dataclass(frozen=True, kw_only=True)
class Health:
    """State of the server: whether the engines are ready, which one is compiled, and how many requests wait.

    `others` is the address for other devices in the network; empty if the server listens to this machine only. The
    person at this machine can change that if `can_share`.
    """

    ready: bool
    compiling: str | None
    share: float | None
    waiting: int
    running: int
    version: str
    others: str
    can_share: bool


@dataclass(frozen=True, kw_only=True)
class Sharing:
    """Whether devices in the local network can join."""

    open: bool


@dataclass(frozen=True, kw_only=True)
class ChoiceInfo:
    """A legal next step, and the targets of the drawing to touch for it, in order.

    `label` is for a button beside the last of them.
    """

    step: str
    targets: tuple[str, ...]
    label: str


@dataclass(frozen=True, kw_only=True)
class OutcomeInfo:
    """How the game ended."""

    winners: tuple[int, ...]
    score: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """An error, in one line."""

    error: str
