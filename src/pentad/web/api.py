"""What the pages and the server say to each other over HTTP, and what both HTTP and sockets are made of."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from pentad.store.rows import OPEN as OPEN  # who sits at a seat that waits for somebody

MOST_SEATS = 16
LONGEST_NAME = 30  # characters of what somebody calls themselves
LONGEST_TURN = 400  # of a turn in notation
LONGEST_POSITION = 4000  # of a position's text
ADAPTIVE = "adaptive"  # who asks for a bot about as strong as whoever asks


class Model(BaseModel):
    """Taken as it is written: nothing converted, nothing unknown accepted."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


# ── over HTTP ────────────────────────────────────────────────────────────────────────────────────


class OptionInfo(Model):
    """One option of a game: what it is, and what it may be; `default` is null where it depends on the others.

    `several` asks for so many different words of `allowed`, joined by commas.
    """

    name: str
    kind: Literal["boolean", "integer", "choice"]
    default: bool | int | str | None
    help: str
    minimum: int | None = None
    maximum: int | None = None
    allowed: list[str] = []
    several: int = 0


class BotInfo(Model):
    """A bot that can take a seat; one with levels is written `name@3`."""

    name: str
    summary: str
    levels: tuple[int, int] | None = None


class GameInfo(Model):
    """A game that can be played here. Without options `players` sit at it, each with a colour."""

    name: str
    title: str
    summary: str
    players: int
    colours: list[str]
    options: list[OptionInfo]
    bots: list[BotInfo]
    rival: str  # the bot that a newcomer meets


class Catalogue(Model):
    """All that can be played here; a seat is taken by `person` or by one of the game's bots."""

    person: str
    games: list[GameInfo]


Name = Annotated[str, Field(max_length=LONGEST_NAME)]
Seats = Annotated[list[Annotated[str, Field(max_length=40)]], Field(max_length=MOST_SEATS)]


class TimeInfo(Model):
    """How long the players have: seconds for the game and for each move, or days for each move."""

    main: float = 0.0
    increment: float = 0.0
    days: float = 0.0


class NewRoom(Model):
    """A game that is wished for: its options by name, and who sits at each seat.

    A seat is for `human` (whoever asks), `open` (whoever comes first), `adaptive` (a bot as strong as whoever asks)
    or a bot by name; else a person meets the best bot. `position` is where the game begins, in place of options.
    A `listed` game with an open seat is shown to everybody.
    """

    game: str = Field(max_length=40)
    options: dict[str, bool | int | str] = {}
    seats: Seats | None = None
    time: TimeInfo | None = None
    position: str | None = Field(None, max_length=LONGEST_POSITION)
    listed: bool = False
    name: Name = ""


class RoomMade(Model):
    """A room that was made; whoever asked for it is known by a cookie from now on."""

    room: str
    page: str


class Sitting(Model):
    """Somebody takes an open seat, under a name; without a seat the first that is open."""

    seat: int | None = None
    name: Name = ""


class Me(Model):
    """Whoever asks: what they call themselves."""

    name: Name


class Listed(Model):
    """A game in a list: what is played, how far it is, who sits there (nobody at an open seat).

    `waits` is whether it waits for whoever asks; it is told of one's own games with others alone. `turn` is the seat
    to move, and `left` how many seconds it has; null where the game is over or has no clock that runs. `cursor` is told
    with the last game of a page that is not the last one: the next page is what comes `after` it.
    """

    room: str
    page: str
    game: str
    title: str
    options: str
    time: str
    seats: list[str]
    yours: list[int]
    moves: int
    result: str | None
    touched: float
    waits: bool
    turn: int | None = None
    left: float | None = None
    cursor: str | None = None


class Health(Model):
    """How the server is: whether bots can think, what they are being prepared for, and how many wait.

    `others` is where others in this network find it; nothing where it listens to this machine alone.
    """

    ready: bool
    compiling: str | None
    share: float | None
    waiting: int
    running: int
    version: str
    others: str


class ChoiceInfo(Model):
    """One legal next step, and the places of the drawing that are touched for it, in order."""

    step: str
    targets: tuple[str, ...]
    label: str


class OutcomeInfo(Model):
    """How the game ended."""

    winners: tuple[int, ...]
    score: str
    reason: str


class Refusal(Model):
    """Why something could not be, in one line."""

    error: str
