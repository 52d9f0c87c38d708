"""Actions of players: what each may do now, and the change of the game that a request leads to."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeAlias

from pentad.game import GameError
from pentad.play.seats import HUMAN
from pentad.play.table import FLAGGED
from pentad.store.rows import ChatMessage, SeatRow
from pentad.web import view
from pentad.web.api import OPEN
from pentad.web.http.visible_text import visible
from pentad.web.messages import AnswerMessage, DrawMessage, RedoMessage, ResignMessage, UndoMessage
from pentad.web.rooms import history as events
from pentad.web.rooms.history import Change, History

IN_A_ROW, WITHIN = 5, 10.0  # chat messages of one person within so many seconds
MOST_MESSAGES, MOST_BY_WATCHERS = 500, 100  # chat messages in a game, and those of persons without a seat

Request: TypeAlias = UndoMessage | RedoMessage | ResignMessage | DrawMessage | AnswerMessage

# ── what players may do ──────────────────────────────────────────────────────────────────────────


def people(game: History) -> set[int | None]:
    """The persons who play."""
    return {seat.person for seat in game.seats if seat.who == HUMAN}


def others(game: History, own_seats: Collection[int]) -> set[int | None]:
    """The other persons who play, besides the holder of these seats."""
    return people(game) - {game.seats[seat].person for seat in own_seats}


def may_ask_engine(game: History, own_seats: Collection[int]) -> bool:
    """Whether these seats may use an engine: no other person plays or is expected."""
    return not others(game, own_seats) and not game.waits_for_people


def missing(game: History) -> set[int | None]:
    """The persons who have not answered the offer yet."""
    return people(game) - {game.seats[seat].person for seat in game.agreed}


def moves_to_undo(game: History, seats: Collection[int]) -> int:
    """How many moves a takeback by these seats undoes; 0 if it undoes only a resignation."""
    if game.table.record.ended:
        return 0
    return game.table.moves_back(seats)


def can_undo(game: History, seats: Collection[int]) -> bool:
    """Whether these seats can take something back; a loss on time stays."""
    ended = game.table.record.ended
    if not seats or (ended and ended.reason == FLAGGED):
        return False
    return bool(ended) or game.table.moves_back(seats) > 0


def can_ask(game: History, what: str, person: int | None) -> bool:
    """Whether a person can make this offer: none is open, and it was not made since the last move."""
    return game.offer is None and (what, person) not in game.requested


def offered_by_others(game: History, what: str, own_seats: Collection[int]) -> bool:
    """Whether this offer by others is open."""
    return game.offer is not None and game.offer[0] == what and game.offer[1] not in own_seats


def can_draw(game: History) -> bool:
    """Whether a draw can be agreed: the game is not over, and no bot plays."""
    return game.outcome is None and all(seat.who == HUMAN for seat in game.seats)


def check_turn(game: History, own_seats: Collection[int]) -> None:
    """Raises `GameError` unless one of these seats is to move."""
    if game.outcome:
        raise GameError(f"The game is over. {view.status(game.position, game.outcome)}")
    if game.seat not in own_seats:
        raise GameError(f"It is not your turn. {game.position.colour_of(game.position.turn).capitalize()} is to move.")


def check_hint(game: History, own_seats: Collection[int]) -> None:
    """Raises `GameError` unless these seats may get a hint now."""
    check_turn(game, own_seats)
    if not may_ask_engine(game, own_seats):
        raise GameError("There are no hints in a game with others.")


# ── requests ─────────────────────────────────────────────────────────────────────────────────────


def requested_change(game: History, own_seats: frozenset[int], request: Request) -> Change:
    """The change that a request of the player of these seats leads to; `GameError` if it is not possible."""
    match request:
        case UndoMessage():
            return _undo(game, own_seats)
        case RedoMessage():
            if others(game, own_seats):
                raise GameError("You cannot replay moves alone in a game with others.")
            if not game.table.can_redo:
                raise GameError("There is no move to replay.")
            return Change(events.REDO)
        case ResignMessage():
            return _resign(game, own_seats, request.seat)
        case DrawMessage():
            return _draw(game, own_seats)
        case AnswerMessage():
            return _answer(game, own_seats, request.yes, request.what)


def _undo(game: History, own_seats: frozenset[int]) -> Change:
    if not can_undo(game, own_seats):
        raise GameError("You have no move to take back.")
    if not others(game, own_seats):
        return _take_back(game, own_seats)
    if game.outcome:
        raise GameError("The game is over.")
    return _offer(game, "undo", own_seats)


def _take_back(game: History, seats: frozenset[int]) -> Change:
    """Takes back to where one of these seats was last to move."""
    return Change(events.UNDO, body=str(moves_to_undo(game, seats)))


def _resign(game: History, own_seats: frozenset[int], seat: int | None) -> Change:
    if game.outcome:
        raise GameError("The game is over.")
    if seat is None:
        seat = game.seat if game.seat in own_seats else min(own_seats)
    if seat not in own_seats:
        raise GameError(f"Seat {seat} is not yours.")
    return Change(events.RESIGN, seat)


def _draw(game: History, own_seats: frozenset[int]) -> Change:
    """Offers a draw, or accepts the one that is offered; a single person draws at once."""
    if game.outcome:
        raise GameError("The game is over.")
    if not can_draw(game):
        raise GameError("There is no opponent who could agree to a draw.")
    if offered_by_others(game, "draw", own_seats):
        return _answer(game, own_seats, True, None)
    if others(game, own_seats):
        return _offer(game, "draw", own_seats)
    return Change(events.DRAWN)


def _offer(game: History, what: str, own_seats: frozenset[int]) -> Change:
    """An offer to the others; the same offer only once a move."""
    if game.offer:
        raise GameError("Another offer is still open.")
    seat = game.seat if game.seat is not None and game.seat in own_seats else min(own_seats)
    if (what, game.seats[seat].person) in game.requested:
        raise GameError("You have already made this offer. You can repeat it after the next move.")
    return Change(events.OFFER, seat, what)


def _answer(game: History, own_seats: frozenset[int], yes: bool, expected: str | None) -> Change:
    """Accepts or declines an offer; the seat that made it declines to withdraw it."""
    if game.offer is None or expected not in (None, game.offer[0]):
        raise GameError("There is no offer." if game.offer is None else "There is another offer.")
    what, asker = game.offer
    if not yes:
        return Change(events.DECLINE, min(own_seats))
    if asker in own_seats:
        raise GameError("This is your own offer. The other players have to answer it.")
    unanswered, agrees = missing(game), {game.seats[seat].person for seat in own_seats}
    if not agrees & unanswered:
        raise GameError("You have already agreed. The other players have to answer.")
    if unanswered - agrees:
        return Change(events.AGREE, min(own_seats))
    if what == "draw":
        return Change(events.DRAWN)
    return _take_back(game, game.seats_of(game.seats[asker].person))


# ── seats ────────────────────────────────────────────────────────────────────────────────────────


def free_seat(game: History, seat: int | None) -> int:
    """The open seat for a request for this seat, or for any; `GameError` if there is none."""
    free = [i for i, each in enumerate(game.seats) if each.who == OPEN]
    if game.outcome:
        raise GameError("The game is over.")
    if not free or seat not in (None, *free):
        raise GameError("All seats are taken." if seat is None else "This seat is taken.")
    return free[0] if seat is None else seat


def sit(game: History, person: int, name: str, seat: int | None) -> Change:
    """Seats a person at an open seat, by default the first one."""
    seat = free_seat(game, seat)
    if game.seats_of(person):
        raise GameError("You already have a seat in this game.")
    taken = SeatRow(HUMAN, person, name)
    return Change(events.SIT, seat, name, seats=(*game.seats[:seat], taken, *game.seats[seat + 1 :]))


# ── chat ─────────────────────────────────────────────────────────────────────────────────────────


def name_of(game: History, person: int | None, name: str) -> str:
    """The name of a person here; `name` is the person's own."""
    own_seats = game.seats_of(person)
    return (game.seats[min(own_seats)].name if own_seats else "") or name or "Guest"


def chat_message(
    game: History, chat: Sequence[ChatMessage], person: int | None, name: str, text: str, now: float
) -> ChatMessage:
    """The next message of a chat, by a person; `GameError` if the person cannot post it now."""
    if person is None:
        raise GameError("Enter your name before you write a message.")
    text = visible(text)
    if not text:
        raise GameError("The message has no visible characters.")
    own_seats, name = game.seats_of(person), name_of(game, person, name)
    seat = min(own_seats) if own_seats else None
    lately = sum((each.seat, each.name) == (seat, name) and abs(now - each.at) < WITHIN for each in chat[-50:])
    if lately >= IN_A_ROW:
        raise GameError("Too many messages. Wait a few seconds before the next one.")
    by_watchers = sum(each.seat is None for each in chat)
    if len(chat) >= MOST_MESSAGES or (not own_seats and by_watchers >= MOST_BY_WATCHERS):
        raise GameError("This chat is full.")
    return ChatMessage(chat[-1].number + 1 if chat else 0, seat, name, text, now)
