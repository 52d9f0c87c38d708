"""Offers between players: a draw or a takeback, and what happens when all agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pentad.game import GameError
from pentad.web.messages import AnswerMessage
from pentad.web.rooms import history as events
from pentad.web.rooms import player_view

if TYPE_CHECKING:
    from pentad.web.rooms.room import Room


async def draw(room: Room, own_seats: frozenset[int]) -> None:
    """Offers a draw, or accepts the one that is offered; a single person draws at once."""
    game = room.game
    if game.outcome:
        raise GameError("The game is over.")
    if not player_view.can_draw(game):
        raise GameError("There is no opponent who could agree to a draw.")
    if player_view.offered_by_others(game, "draw", own_seats):
        await answer(room, own_seats, AnswerMessage(type="answer", at=game.at, yes=True))
    elif player_view.others(game, own_seats):
        await make(room, "draw", own_seats)
    else:
        await room.commit_event(events.DRAWN)


async def make(room: Room, what: str, own_seats: frozenset[int]) -> None:
    """Makes an offer to the others; the same offer only once a move."""
    game = room.game
    if game.offer:
        raise GameError("Another offer is still open.")
    seat = game.seat if game.seat is not None and game.seat in own_seats else min(own_seats)
    if (what, game.seats[seat].person) in game.requested:
        raise GameError("You have already made this offer. You can repeat it after the next move.")
    await room.commit_event(events.OFFER, seat, what)


async def answer(room: Room, own_seats: frozenset[int], message: AnswerMessage) -> None:
    """Accepts or declines an offer; the seat that made it declines to withdraw it."""
    game = room.game
    if game.offer is None or message.what not in (None, game.offer[0]):
        raise GameError("There is no offer." if game.offer is None else "There is another offer.")
    what, asker = game.offer
    if not message.yes:
        await room.commit_event(events.DECLINE, min(own_seats))
        return
    if asker in own_seats:
        raise GameError("This is your own offer. The other players have to answer it.")
    missing, agrees = player_view.missing(game), {game.seats[seat].person for seat in own_seats}
    if not agrees & missing:
        raise GameError("You have already agreed. The other players have to answer.")
    if missing - agrees:
        await room.commit_event(events.AGREE, min(own_seats))
    elif what == "draw":
        await room.commit_event(events.DRAWN)
    else:
        await room.take_back(game.seats_of(game.seats[asker].person))
