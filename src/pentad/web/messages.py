"""Messages between a page and the server on a room's WebSocket.

A client sends the models of `Incoming` as JSON; anything else is answered with an error and changes nothing. `at` is
the number of the state of the game that the client saw: a message about another state is refused, so that a repeated
message never takes effect twice.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeAlias

from pentad.game import OptionValue
from pentad.web.api_types import ChoiceInfo, OutcomeInfo, TurnText
from pentad.web.typed_json import Length, Reader, written

MAX_MESSAGE_LENGTH = 4096
MAX_TOUCHES, MAX_TARGET_LENGTH = 40, 40  # a turn that is entered in advance may have so many touches
MAX_CHAT_LENGTH, MAX_REPORT_LENGTH = 300, 400  # the pages get them from here

# ── from a client ────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, kw_only=True)
class StepMessage:
    """The steps of a turn so far, in the game's notation. The turn is played once no step can follow.

    `end` plays it where steps could follow but need not. `warn` asks for a warning before a losing move. `hold` only
    shows the turn that would be played, so that the player can confirm it.
    """

    type: Literal["step"]
    at: int
    steps: TurnText
    end: bool = False
    warn: bool = False
    hold: bool = False


@dataclass(frozen=True, kw_only=True)
class PremoveMessage:
    """Ask what a turn entered before it comes can be: the targets touched so far. Nothing is played."""

    type: Literal["premove"]
    at: int
    targets: Annotated[tuple[Annotated[str, Length(MAX_TARGET_LENGTH)], ...], Length(MAX_TOUCHES)]


@dataclass(frozen=True, kw_only=True)
class UndoMessage:
    """Take back to where the client was last to move; other players are asked first."""

    type: Literal["undo"]
    at: int


@dataclass(frozen=True, kw_only=True)
class RedoMessage:
    """Replay the move that was last taken back."""

    type: Literal["redo"]
    at: int


@dataclass(frozen=True, kw_only=True)
class HintMessage:
    """Ask for the best bot's move."""

    type: Literal["hint"]
    at: int


@dataclass(frozen=True, kw_only=True)
class ResignMessage:
    """Resign, for the seat to move or another one of the client's."""

    type: Literal["resign"]
    at: int
    seat: int | None = None


@dataclass(frozen=True, kw_only=True)
class DrawMessage:
    """Offer a draw, or accept an offered one."""

    type: Literal["draw"]
    at: int


@dataclass(frozen=True, kw_only=True)
class AnswerMessage:
    """Accept or decline an offer; `what` makes sure that it is the intended one.

    A rematch is accepted by the request for one, over HTTP.
    """

    type: Literal["answer"]
    at: int
    yes: bool
    what: Literal["draw", "undo", "rematch"] | None = None


@dataclass(frozen=True, kw_only=True)
class SayMessage:
    """Post a chat message."""

    type: Literal["say"]
    text: Annotated[str, Length(MAX_CHAT_LENGTH, 1)]


@dataclass(frozen=True, kw_only=True)
class UnsayMessage:
    """Remove a watcher's chat message; only players can."""

    type: Literal["unsay"]
    number: int


@dataclass(frozen=True, kw_only=True)
class WatchersMessage:
    """Turn the chat for watchers on or off; only players can."""

    type: Literal["watchers"]
    say: bool


@dataclass(frozen=True, kw_only=True)
class LookMessage:
    """Set the side from which the board is drawn; the answer is the whole state."""

    type: Literal["look"]
    flip: bool


@dataclass(frozen=True, kw_only=True)
class HereMessage:
    """Check the connection; the answer is who is here."""

    type: Literal["here"]


AnyMessage: TypeAlias = (
    StepMessage
    | PremoveMessage
    | UndoMessage
    | RedoMessage
    | HintMessage
    | ResignMessage
    | DrawMessage
    | AnswerMessage
    | SayMessage
    | UnsayMessage
    | WatchersMessage
    | LookMessage
    | HereMessage
)
Incoming = Reader[AnyMessage](AnyMessage)


# ── to a client ──────────────────────────────────────────────────────────────────────────────────

EventName = Literal["now", "played", "undone", "redone", "resigned", "drawn", "flagged", "sat"]


@dataclass(frozen=True, kw_only=True)
class SeatInfo:
    """A seat: `yours` is whether the client may play it, `here` whether its player is connected.

    `title` is the name of a bot for people, empty at the seat of a person.
    """

    colour: str
    who: str
    name: str
    title: str
    yours: bool
    here: bool


@dataclass(frozen=True, kw_only=True)
class MoveInfo:
    """A played move as text and in words; `note` is its comment.

    `notation` is what people read where it is not the text.
    """

    text: str
    notation: str
    seat: int
    words: str
    note: str


@dataclass(frozen=True, kw_only=True)
class ClockInfo:
    """The seconds left for each seat, and the seat whose time runs."""

    words: str
    left: tuple[float, ...]
    running: int | None
    days: bool


@dataclass(frozen=True, kw_only=True)
class Abilities:
    """What the client may do now; `sit` is to take an open seat, `rematch` to ask for the next game."""

    play: bool
    undo: bool
    redo: bool
    hint: bool
    resign: bool
    draw: bool
    sit: bool
    rematch: bool
    say: bool


@dataclass(frozen=True, kw_only=True)
class Offer:
    """An offer of a seat; `yours` is whether the client made it, `asked` whether the client may answer it.

    `moves` is the number of moves that a takeback would undo.
    """

    what: Literal["draw", "undo", "rematch"]
    seat: int
    yours: bool
    asked: bool
    moves: int


@dataclass(frozen=True, kw_only=True)
class Declined:
    """A declined offer of a seat: `by` is the seat that declined it, or `seat` itself, which withdrew it."""

    what: Literal["draw", "undo", "rematch"]
    seat: int
    by: int


@dataclass(frozen=True, kw_only=True)
class ServerMessage:
    """A message to a client."""

    @property
    def written(self) -> str:
        """The message as JSON."""
        return written(self)


@dataclass(frozen=True, kw_only=True)
class WithChoices(ServerMessage):
    """A message with the choices of the player to move.

    They are the largest part of the message, up to hundreds, and come as the text of a JSON list.
    """

    choices: str = field(metadata={"written": False})

    @property
    def written(self) -> str:
        return f'{written(self)[:-1]},"choices":{self.choices}}}'


@dataclass(frozen=True, kw_only=True)
class Around(ServerMessage):
    """Presence and offers. `line` is the queue place of the bot to move, 0 if it does not wait.

    `watchers_say` is whether the players let watchers write in the chat.
    """

    seats: list[SeatInfo]
    offer: Offer | None
    declined: Declined | None
    can: Abilities
    watching: int
    watchers_say: bool
    again: str | None
    line: int


@dataclass(frozen=True, kw_only=True)
class PlayerView(Around, WithChoices):
    """The state of a game, as one client may see it. `event` is what has just happened.

    `reason` is the sentence of the status that says why the winners have won, or empty.
    """

    at: int
    event: EventName
    turn: int | None
    prompt: str
    may_end: bool
    status: str
    reason: str
    announce: str
    outcome: OutcomeInfo | None
    clock: ClockInfo | None
    trouble: str | None


@dataclass(frozen=True, kw_only=True)
class StateMessage(PlayerView):
    """The whole state of a game; `options` are the requested ones, `terms` lists all that differ from the defaults.

    A `listed` game is among the open games while it waits for players.
    """

    type: Literal["state"] = "state"
    game: str
    title: str
    guide: str
    terms: str
    options: dict[str, OptionValue]
    time: dict[str, float]
    listed: bool
    start: str
    position: str
    svg: str
    flip: bool
    moves: list[MoveInfo]


@dataclass(frozen=True, kw_only=True)
class PlayedMessage(PlayerView):
    """The state after one more move: the move, and the lines of the drawing that it changed."""

    type: Literal["played"] = "played"
    changes: list[tuple[int, str]]
    move: MoveInfo


@dataclass(frozen=True, kw_only=True)
class TurnMessage(WithChoices):
    """The board in the middle of the client's turn, and the next choices.

    `changes` are the lines of the drawing that differ from before the turn; if they are too many, `svg` is the whole
    drawing. `whole` is whether the turn is complete and waits to be confirmed; the prompt is then the turn in words.
    """

    type: Literal["turn"] = "turn"
    at: int
    steps: str
    changes: list[tuple[int, str]] | None
    svg: str | None
    prompt: str
    may_end: bool
    whole: bool


@dataclass(frozen=True, kw_only=True)
class PremoveAnswer(ServerMessage):
    """A turn entered in advance: the steps that the touches select, and what comes next.

    `used` touches of `targets` select something. `lines` are those of the drawing that get targets for the next
    choices. `whole` is whether the turn is complete; the prompt is then the turn in words.
    """

    type: Literal["premove"] = "premove"
    at: int
    targets: tuple[str, ...]
    used: int
    steps: str
    lines: list[tuple[int, str]]
    prompt: str
    whole: bool


@dataclass(frozen=True, kw_only=True)
class HintAnswer(ServerMessage):
    """A hint: the steps of a move with their targets, the move in words with what is proved, and its claim alone.

    `svg` is the drawing after the first step if it alone has all targets of the next ones, else empty.
    """

    type: Literal["hint"] = "hint"
    at: int
    move: str
    words: str
    claim: str
    steps: list[ChoiceInfo]
    svg: str


@dataclass(frozen=True, kw_only=True)
class WaitingMessage(ServerMessage):
    """The queue place of a requested hint or check; 0 when its turn has come."""

    type: Literal["waiting"] = "waiting"
    at: int
    place: int


@dataclass(frozen=True, kw_only=True)
class WarningMessage(ServerMessage):
    """A warning: the move was not played, as it loses; `words` say why."""

    type: Literal["warning"] = "warning"
    at: int
    steps: str
    words: str


@dataclass(frozen=True, kw_only=True)
class AroundMessage(Around):
    """Presence or the offers have changed."""

    type: Literal["around"] = "around"


@dataclass(frozen=True, kw_only=True)
class ChatPosted(ServerMessage):
    """A chat message; `seat` is null if its author only watches."""

    type: Literal["said"] = "said"
    number: int
    seat: int | None
    name: str
    text: str
    mine: bool


@dataclass(frozen=True, kw_only=True)
class ChatRemoved(ServerMessage):
    """A chat message was removed."""

    type: Literal["unsaid"] = "unsaid"
    number: int


@dataclass(frozen=True, kw_only=True)
class ShownNotice:
    """A notice by an operator. `at` is the time of the Unix clock at which it was made, and tells it from others."""

    text: str
    at: float


@dataclass(frozen=True, kw_only=True)
class ShownClosing:
    """That the server closes for maintenance in so many seconds, or is closed if that is 0; `text` may say more."""

    text: str
    at: float
    left: float


@dataclass(frozen=True, kw_only=True)
class Announcements(ServerMessage):
    """What all pages show: a notice, and maintenance. `reports` is whether somebody reads reports by players."""

    type: Literal["announcements"] = "announcements"
    notice: ShownNotice | None
    closing: ShownClosing | None
    reports: bool


@dataclass(frozen=True, kw_only=True)
class ErrorMessage(ServerMessage):
    """Why a request failed, in one line."""

    type: Literal["error"] = "error"
    error: str


Outgoing: TypeAlias = (
    StateMessage
    | PlayedMessage
    | TurnMessage
    | PremoveAnswer
    | HintAnswer
    | WaitingMessage
    | WarningMessage
    | AroundMessage
    | ChatPosted
    | ChatRemoved
    | Announcements
    | ErrorMessage
)
