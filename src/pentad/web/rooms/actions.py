"""Actions: what each player may do now, and `decide`, which makes an event of a request or refuses it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from pentad.game import GameError, Move
from pentad.play.seats import HUMAN
from pentad.store.rows import SeatRow
from pentad.web import view
from pentad.web.api_types import OPEN
from pentad.web.http.look_alikes import look_alike
from pentad.web.messages import AnswerMessage, DrawMessage, RedoMessage, ResignMessage, UndoMessage, WatchersMessage
from pentad.web.rooms.events import (
    Agreed,
    Drawn,
    Event,
    Flagged,
    Followed,
    Offered,
    Played,
    PlayedSimpler,
    Redone,
    Rejected,
    Resigned,
    Sat,
    Undone,
    WatchersChat,
    Wish,
)
from pentad.web.rooms.state import RoomState

MOST_SWITCHES = 21  # of the chat for watchers, each of which is an event; after an odd number it is off
MOST_EVENTS = 4000  # then only moves to the end are accepted, as restoring a game replays all its events


@dataclass(frozen=True, slots=True)
class Play:
    """A whole turn, as `parse` returned it; `simpler` is whether a warm-up bot plays it."""

    move: Move
    simpler: bool = False


@dataclass(frozen=True, slots=True)
class Sit:
    """A person for an open seat, by default the first one."""

    person: int
    name: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Rename:
    """Another name of the person at a seat."""

    seat: int
    person: int
    name: str


@dataclass(frozen=True, slots=True)
class CallFlag:
    """The end of the game, if the running time is over."""


@dataclass(frozen=True, slots=True)
class Rematch:
    """A player's wish for the next game, or the consent to it."""


@dataclass(frozen=True, slots=True)
class Follow:
    """The announcement of the next game of the same players."""

    name: str


ONLY_PLAYERS = "You are watching. Only players can do that."
NOBODY: frozenset[int] = frozenset()  # the seats of the server itself

Request: TypeAlias = (
    Play
    | UndoMessage
    | RedoMessage
    | ResignMessage
    | DrawMessage
    | AnswerMessage
    | WatchersMessage
    | Sit
    | Rename
    | CallFlag
    | Rematch
    | Follow
)

# ── what players may do ──────────────────────────────────────────────────────────────────────────


def people(game: RoomState) -> set[int | None]:
    """The persons who play."""
    return {seat.person for seat in game.seats if seat.who == HUMAN}


def others(game: RoomState, own_seats: Collection[int]) -> set[int | None]:
    """The other persons who play, besides the holder of these seats."""
    return people(game) - {game.seats[seat].person for seat in own_seats}


def may_ask_engine(game: RoomState, own_seats: Collection[int]) -> bool:
    """Whether these seats may use an engine: no other person plays or is expected."""
    return not others(game, own_seats) and not game.waits_for_people


def missing(game: RoomState) -> set[int | None]:
    """The persons who have not answered the offer yet."""
    return people(game) - {game.seats[seat].person for seat in game.agreed}


def moves_to_undo(game: RoomState, seats: Collection[int]) -> int:
    """How many moves a takeback by these seats undoes; 0 if it undoes only a resignation."""
    return 0 if game.ended else game.moves_back(seats)


def can_undo(game: RoomState, seats: Collection[int]) -> bool:
    """Whether these seats can take something back; a loss on time stays."""
    if not seats or game.is_lost_on_time:
        return False
    return bool(game.ended) or game.moves_back(seats) > 0


def can_ask(game: RoomState, what: str, person: int | None) -> bool:
    """Whether a person can make this offer: none is open, and it was not made since the last move."""
    return game.offer is None and (what, person) not in game.requested


def offered_by_others(game: RoomState, what: str, own_seats: Collection[int]) -> bool:
    """Whether this offer by others is open."""
    return game.offer is not None and game.offer.what == what and game.offer.seat not in own_seats


def can_draw(game: RoomState) -> bool:
    """Whether a draw can be agreed: the game is not over, and no bot plays."""
    return game.outcome is None and all(seat.who == HUMAN for seat in game.seats)


def can_rematch(game: RoomState, person: int | None) -> bool:
    """Whether a person may begin the next game, or ask the other players for it."""
    own_seats = game.seats_of(person)
    if not own_seats or game.outcome is None or game.again:
        return False
    return not others(game, own_seats) or can_ask(game, "rematch", person)


def check_turn(game: RoomState, own_seats: Collection[int]) -> None:
    """Raises `GameError` unless one of these seats is to move."""
    if game.outcome:
        raise GameError("The game is over. {status}", status=view.status(game.position, game.outcome))
    if game.seat not in own_seats:
        raise GameError(
            "It is not your turn. {colour} is to move.",
            colour=game.position.colour_of(game.position.turn).capitalize(),
        )


def check_hint(game: RoomState, own_seats: Collection[int]) -> None:
    """Raises `GameError` unless these seats may get a hint now."""
    check_turn(game, own_seats)
    if not may_ask_engine(game, own_seats):
        raise GameError("Hints are off in games against people.")


# ── requests ─────────────────────────────────────────────────────────────────────────────────────


def decide(game: RoomState, own_seats: frozenset[int], request: Request, now: float) -> Event:
    """The event that a request of the player of these seats leads to; `GameError` is a refusal.

    The server itself, which has no seats, asks for flags and the next game.
    """
    event = _decided(game, own_seats, request, now)
    if event.kind.is_optional and game.number >= MOST_EVENTS:
        raise GameError("This game has too many events. It can only be played to its end now.")
    return event


def _decided(game: RoomState, own_seats: frozenset[int], request: Request, now: float) -> Event:
    match request:
        case Play():
            check_turn(game, own_seats)
            kind, move = PlayedSimpler if request.simpler else Played, request.move
            return kind(game.position.turn, str(move), (move, game.position.play(move)))
        case UndoMessage():
            return _undo(game, own_seats)
        case RedoMessage():
            if others(game, own_seats):
                raise GameError("You cannot redo moves in a game against people.")
            if not game.can_redo:
                raise GameError("There is no move to redo.")
            return Redone()
        case ResignMessage():
            return _resign(game, own_seats, request.seat)
        case DrawMessage():
            return _draw(game, own_seats)
        case AnswerMessage():
            return _answer(game, own_seats, request.yes, request.what)
        case Sit():
            seat = free_seat(game, request.seat)
            if game.seats_of(request.person):
                raise GameError("You already have a seat in this game.")
            check_name(game, request.person, request.name)
            return Sat(seat, request.name, SeatRow(HUMAN, request.person, request.name))
        case Rename():
            check_name(game, request.person, request.name)
            return Sat(request.seat, request.name, SeatRow(HUMAN, request.person, request.name))
        case WatchersMessage():
            if not own_seats:
                raise GameError(ONLY_PLAYERS)
            if request.say == game.watchers_may_write:
                raise GameError(
                    "The chat for watchers is already on." if request.say else "The chat for watchers is already off."
                )
            if game.switches >= MOST_SWITCHES:
                raise GameError("The chat for watchers has been turned on and off too often in this game.")
            return WatchersChat(min(own_seats), request.say)
        case CallFlag():
            over = game.clock.over(now) if game.clock else None
            if over is None or game.is_bot(over):  # a slow bot is the server's fault, and gives no win
                raise GameError("No player's time is over.")
            return Flagged(over)
        case Rematch():
            return _rematch(game, own_seats)
        case Follow():
            return Followed(request.name)
        case _:
            assert_never(request)


def _undo(game: RoomState, own_seats: frozenset[int]) -> Event:
    if not can_undo(game, own_seats):
        raise GameError("You have no move to take back.")
    if not others(game, own_seats):
        return Undone(moves_to_undo(game, own_seats))
    if game.outcome:
        raise GameError("The game is over.")
    return _offer(game, "undo", own_seats)


def _resign(game: RoomState, own_seats: frozenset[int], seat: int | None) -> Event:
    if game.outcome:
        raise GameError("The game is over.")
    if seat is None:
        seat = game.seat if game.seat in own_seats else min(own_seats)
    if seat not in own_seats:
        raise GameError("Seat {seat} is not yours.", seat=seat)
    return Resigned(seat)


def _draw(game: RoomState, own_seats: frozenset[int]) -> Event:
    """Offers a draw, or accepts the one that is offered; a single person draws at once."""
    if game.outcome:
        raise GameError("The game is over.")
    if not can_draw(game):
        raise GameError("There is no opponent who could agree to a draw.")
    if offered_by_others(game, "draw", own_seats):
        return _answer(game, own_seats, True, None)
    if others(game, own_seats):
        return _offer(game, "draw", own_seats)
    return Drawn()


def _rematch(game: RoomState, own_seats: frozenset[int]) -> Event:
    """Asks the others for the next game, or agrees to it."""
    if game.outcome is None:
        raise GameError("This game is not over yet.")
    if game.offer is None:
        return _offer(game, "rematch", own_seats)
    if min(own_seats) in game.agreed:
        raise GameError("The other players have to answer.")
    return Agreed(min(own_seats))


def _offer(game: RoomState, what: Wish, own_seats: frozenset[int]) -> Event:
    """An offer to the others; the same offer only once a move."""
    if game.offer:
        raise GameError("Another offer is still open.")
    seat = game.seat if game.seat is not None and game.seat in own_seats else min(own_seats)
    if (what, game.seats[seat].person) in game.requested:
        if what == "rematch":
            raise GameError("You have already asked for a rematch.")
        raise GameError("You have already made this offer. You can repeat it after the next move.")
    return Offered(seat, what)


def _answer(game: RoomState, own_seats: frozenset[int], yes: bool, expected: str | None) -> Event:
    """Accepts or declines an offer; the seat that made it declines to withdraw it."""
    if game.offer is None or expected not in (None, game.offer.what):
        raise GameError("There is no offer." if game.offer is None else "There is another offer.")
    asker = game.offer.seat
    if not yes:
        return Rejected(min(own_seats))
    if asker in own_seats:
        raise GameError("This is your own offer. The other players have to answer it.")
    if game.offer.what == "rematch":
        raise GameError("To accept a rematch, ask for it, too.")
    unanswered, agrees = missing(game), {game.seats[seat].person for seat in own_seats}
    if not agrees & unanswered:
        raise GameError("You have already agreed. The other players have to answer.")
    if unanswered - agrees:
        return Agreed(min(own_seats))
    if game.offer.what == "draw":
        return Drawn()
    return Undone(moves_to_undo(game, game.seats_of(game.seats[asker].person)))


def check_name(game: RoomState, person: int | None, name: str) -> None:
    """Raises if a person's name looks like that of another person who plays."""
    for seat in game.seats if name else ():
        if seat.who == HUMAN and seat.name and seat.person != person and look_alike(seat.name, name):
            raise GameError("{other} plays here. Choose a name that looks different.", other=seat.name)


def free_seat(game: RoomState, seat: int | None) -> int:
    """The open seat for a request for this seat, or for any; `GameError` if there is none."""
    free = [i for i, each in enumerate(game.seats) if each.who == OPEN]
    if game.outcome:
        raise GameError("The game is over.")
    if not free or seat not in (None, *free):
        raise GameError("All seats are taken." if seat is None else "This seat is taken.")
    return free[0] if seat is None else seat
