"""What a page and the server say to each other on a room's WebSocket.

Whoever sends something to the server sends one of the models of `Incoming`, as JSON; whatever else comes is
answered with one line and changes nothing. `at` is the number of the state of the game that the sender saw:
a message about another state comes too late, and neither a resent nor a doubled one is ever done twice.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, TypeAdapter

from pentad.game import OptionValue
from pentad.web import request_parsing
from pentad.web.api import LONGEST_TURN, ChoiceInfo, Model, OutcomeInfo

LONGEST_MESSAGE = 4096  # characters that come in at once
LONGEST_CHAT = 300

# ── from a page ──────────────────────────────────────────────────────────────────────────────────


class StepMessage(Model):
    """The steps of a turn so far, in the game's notation. The turn is played once nothing can follow them.

    `end` plays it where more steps might follow but need not. `warn` asks for a word before a move that loses.
    """

    type: Literal["step"]
    at: int
    steps: str = Field(max_length=LONGEST_TURN)
    end: bool = False
    warn: bool = False


class UndoMessage(Model):
    """Take back to where one was last to move; where others play too, they are asked."""

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


class DrawMessage(Model):
    """Offer a draw, or agree to the one that is offered."""

    type: Literal["draw"]
    at: int


class AnswerMessage(Model):
    """Say yes or no to what the others ask for; `what` keeps it from answering something else."""

    type: Literal["answer"]
    at: int
    yes: bool
    what: Literal["draw", "undo"] | None = None


class SayMessage(Model):
    """Say something to everybody in the room."""

    type: Literal["say"]
    text: str = Field(min_length=1, max_length=LONGEST_CHAT)


class LookMessage(Model):
    """From which side the board is to be drawn from now on; the whole state comes back."""

    type: Literal["look"]
    flip: bool


class HereMessage(Model):
    """Ask whether the line still carries anything: who is here comes back."""

    type: Literal["here"]


AnyMessage: TypeAlias = (
    StepMessage
    | UndoMessage
    | RedoMessage
    | HintMessage
    | ResignMessage
    | DrawMessage
    | AnswerMessage
    | SayMessage
    | LookMessage
    | HereMessage
)
Incoming: TypeAdapter[AnyMessage] = TypeAdapter(Annotated[AnyMessage, Field(discriminator="type")])


def read_message(text: str) -> AnyMessage:
    """The message that a text holds, or one line about what is wrong with it."""
    return request_parsing.read_message(Incoming, text, LONGEST_MESSAGE)


# ── to a page ────────────────────────────────────────────────────────────────────────────────────

Event = Literal["now", "played", "undone", "redone", "resigned", "drawn", "flagged", "sat"]


class SeatInfo(Model):
    """One seat: `yours` is whether whoever reads this may play for it, `here` whether somebody looks on who may."""

    colour: str
    who: str
    name: str
    yours: bool
    here: bool


class MoveInfo(Model):
    """A move that was played: in notation and in words; `note` is what there is to say of it."""

    text: str
    seat: int
    words: str
    note: str


class ClockInfo(Model):
    """What each seat has left, in seconds, and whose time runs."""

    words: str
    left: tuple[float, ...]
    running: int | None
    days: bool


class Abilities(Model):
    """What whoever reads this may do now; `sit` is take an open seat."""

    play: bool
    undo: bool
    redo: bool
    hint: bool
    resign: bool
    draw: bool
    sit: bool
    say: bool


class Offer(Model):
    """What a seat asks the others for; `yours` is whether whoever reads this asked, `asked` whether they may answer.

    `moves` is how many would be taken back.
    """

    what: Literal["draw", "undo"]
    seat: int
    yours: bool
    asked: bool
    moves: int


class Declined(Model):
    """What a seat asked for and did not get: `by` is the seat that declined, or `seat` itself, which withdrew it."""

    what: Literal["draw", "undo"]
    seat: int
    by: int


class ServerMessage(Model):
    """What is sent."""

    @property
    def written(self) -> str:
        """It as it is sent."""
        return self.model_dump_json()


class WithChoices(ServerMessage):
    """What is sent with the choices of somebody who is to move.

    These are hundreds and most of what is written, so that they come as the text of a JSON list already.
    """

    choices: str = Field(exclude=True)

    @property
    def written(self) -> str:
        return f'{self.model_dump_json()[:-1]},"choices":{self.choices}}}'


class PlayerView(WithChoices):
    """How a game stands, as one of those who look at it may see it. `event` is what has just happened.

    `line` is the place in the line of the bot that is to move, where others are before it; else 0.
    """

    at: int
    event: Event
    seats: list[SeatInfo]
    turn: int | None
    prompt: str
    may_end: bool
    status: str
    announce: str
    outcome: OutcomeInfo | None
    can: Abilities
    offer: Offer | None
    declined: Declined | None
    clock: ClockInfo | None
    watching: int
    again: str | None
    line: int
    trouble: str | None


class StateMessage(PlayerView):
    """The whole of a game; `options` are those that were wished for, `terms` tells all that is unusual in words."""

    type: Literal["state"] = "state"
    game: str
    title: str
    guide: str
    terms: str
    options: dict[str, OptionValue]
    time: dict[str, float]
    start: str
    position: str
    svg: str
    flip: bool
    moves: list[MoveInfo]


class PlayedMessage(PlayerView):
    """One more move than in the state before: it, and the lines of the drawing that it changed."""

    type: Literal["played"] = "played"
    changes: list[tuple[int, str]]
    move: MoveInfo


class TurnMessage(WithChoices):
    """The board in the middle of one's own turn, and how it can go on.

    `changes` are the lines in which its drawing is another than before the turn; where these are too many, the whole
    drawing is in `svg`.
    """

    type: Literal["turn"] = "turn"
    at: int
    steps: str
    changes: list[tuple[int, str]] | None
    svg: str | None
    prompt: str
    may_end: bool


class HintAnswer(ServerMessage):
    """A move that is worth considering: its steps with their targets, in words, and what is proved of it."""

    type: Literal["hint"] = "hint"
    at: int
    move: str
    words: str
    claim: str
    steps: list[ChoiceInfo]


class WaitingMessage(ServerMessage):
    """Where in the line the hint stands that was asked for, or the look at a move; 0 when its turn has come."""

    type: Literal["waiting"] = "waiting"
    at: int
    place: int


class WarningMessage(ServerMessage):
    """A move that was not played yet, because it loses: what is wrong with it."""

    type: Literal["warning"] = "warning"
    at: int
    steps: str
    words: str


class AroundMessage(ServerMessage):
    """Who is here has changed, or what the players ask each other for."""

    type: Literal["around"] = "around"
    seats: list[SeatInfo]
    offer: Offer | None
    declined: Declined | None
    can: Abilities
    watching: int
    again: str | None
    line: int


class ChatPosted(ServerMessage):
    """What somebody said; `seat` is null for who only watches."""

    type: Literal["said"] = "said"
    number: int
    seat: int | None
    name: str
    text: str
    mine: bool


class ErrorMessage(ServerMessage):
    """Why what was asked could not be done, in one line."""

    type: Literal["error"] = "error"
    error: str


Outgoing: TypeAlias = (
    StateMessage
    | PlayedMessage
    | TurnMessage
    | HintAnswer
    | WaitingMessage
    | WarningMessage
    | AroundMessage
    | ChatPosted
    | ErrorMessage
)
