"""What the page and the server say to each other: over HTTP, and on a room's WebSocket.

Whoever sends something to the server sends one of the models of `Incoming`, as JSON; whatever else comes is
answered with one line and changes nothing. `at` is the number of the state of the game that the sender saw:
a message about another state comes too late, and neither a resent nor a doubled one is ever done twice.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from pentad.game import GameError, OptionValue, shorten

LONGEST_MESSAGE = 4096  # characters that come in at once
MOST_SEATS = 16


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


class NewRoom(Model):
    """A game that is wished for: its options by name, and who sits at each seat."""

    game: str = Field(max_length=40)
    options: dict[str, bool | int | str] = {}
    seats: list[Annotated[str, Field(max_length=40)]] | None = Field(
        None, max_length=MOST_SEATS, description="`human` or a bot's name for each seat; else a person and the best bot"
    )


class RoomMade(Model):
    """A room that was made; the secrets of its seats come as cookies."""

    room: str
    page: str


class Refusal(Model):
    """Why something could not be, in one line."""

    error: str


# ── from a page ──────────────────────────────────────────────────────────────────────────────────


class StepMessage(Model):
    """The steps of a turn so far, in the game's notation. The turn is played once nothing can follow them.

    `end` plays it where more steps might follow but need not.
    """

    type: Literal["step"]
    at: int
    steps: str = Field(max_length=400)
    end: bool = False


class UndoMessage(Model):
    """Take back to where a person was last to move."""

    type: Literal["undo"]
    at: int


class RedoMessage(Model):
    """Play again what was last taken back."""

    type: Literal["redo"]
    at: int


class HintMessage(Model):
    """Ask what the best bot would play."""

    type: Literal["hint"]
    at: int


class ResignMessage(Model):
    """Give up, for the seat to move or another of one's own."""

    type: Literal["resign"]
    at: int
    seat: int | None = None


class LookMessage(Model):
    """From which side the board is to be drawn from now on."""

    type: Literal["look"]
    flip: bool


AnyMessage: TypeAlias = StepMessage | UndoMessage | RedoMessage | HintMessage | ResignMessage | LookMessage
Incoming: TypeAdapter[AnyMessage] = TypeAdapter(Annotated[AnyMessage, Field(discriminator="type")])


def read_message(text: str) -> AnyMessage:
    """The message that a text holds, or one line about what is wrong with it."""
    if len(text) > LONGEST_MESSAGE:
        raise GameError(f"a message has at most {LONGEST_MESSAGE} characters, not {len(text)}")
    try:
        return Incoming.validate_json(text)
    except ValidationError as error:
        raise GameError(f"this is no message: {explain(error)}") from None


def explain(error: ValidationError) -> str:
    """The first thing that is wrong, in one line."""
    first = error.errors(include_url=False, include_context=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return shorten(f"{where}: {first['msg']}" if where else first["msg"], 200)


# ── to a page ────────────────────────────────────────────────────────────────────────────────────


class ChoiceInfo(Model):
    """One legal next step, and the places of the drawing that are touched for it, in order."""

    step: str
    targets: tuple[str, ...]
    label: str


class SeatInfo(Model):
    """One seat: `yours` is whether whoever reads this may play for it."""

    colour: str
    who: str
    yours: bool


class MoveInfo(Model):
    """A move that was played: in notation and in words."""

    text: str
    seat: int
    words: str


class OutcomeInfo(Model):
    """How the game ended."""

    winners: tuple[int, ...]
    score: str
    reason: str


class Abilities(Model):
    """What whoever reads this may do now."""

    play: bool
    undo: bool
    redo: bool
    hint: bool
    resign: bool


class StateMessage(Model):
    """The whole of a game, as one of those who look at it may see it.

    `event` is what has just happened, `options` are those that were wished for.
    """

    type: Literal["state"] = "state"
    at: int
    event: Literal["now", "played", "undone", "redone", "resigned"]
    game: str
    title: str
    guide: str
    options: dict[str, OptionValue]
    svg: str
    flip: bool
    seats: list[SeatInfo]
    turn: int | None
    prompt: str
    may_end: bool
    choices: list[ChoiceInfo]
    status: str
    announce: str
    moves: list[MoveInfo]
    outcome: OutcomeInfo | None
    can: Abilities
    trouble: str | None


class TurnMessage(Model):
    """The board in the middle of one's own turn, and how it can go on."""

    type: Literal["turn"] = "turn"
    at: int
    steps: str
    svg: str
    prompt: str
    may_end: bool
    choices: list[ChoiceInfo]


class HintAnswer(Model):
    """A move that is worth considering: its steps with their targets, and in words."""

    type: Literal["hint"] = "hint"
    at: int
    move: str
    words: str
    steps: list[ChoiceInfo]


class ErrorMessage(Model):
    """Why what was asked could not be done, in one line."""

    type: Literal["error"] = "error"
    error: str


Outgoing: TypeAlias = StateMessage | TurnMessage | HintAnswer | ErrorMessage
