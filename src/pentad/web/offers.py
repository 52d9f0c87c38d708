"""What players ask each other for: a draw, or to take back a move; and what comes of it when all have agreed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pentad.game import GameError
from pentad.web import history as events
from pentad.web import player_view
from pentad.web.messages import AnswerMessage

if TYPE_CHECKING:
    from pentad.web.room import Room


async def draw(room: Room, mine: frozenset[int]) -> None:
    """Offer a draw, or agree to the one that is offered; alone at the table one agrees with oneself."""
    game = room.game
    if game.outcome:
        raise GameError("the game is over")
    if not player_view.can_draw(game):
        raise GameError("there is nobody who could agree to a draw")
    if player_view.asked_by_others(game, "draw", mine):
        await answer(room, mine, AnswerMessage(type="answer", at=game.at, yes=True))
    elif player_view.others(game, mine):
        await ask(room, "draw", mine)
    else:
        await room.commit_event(events.DRAWN)


async def ask(room: Room, what: str, mine: frozenset[int]) -> None:
    """Ask the others; the same thing once a move."""
    game = room.game
    if game.offer:
        raise GameError("something is being asked for already")
    seat = game.seat if game.seat is not None and game.seat in mine else min(mine)
    if (what, game.seats[seat].person) in game.requested:
        raise GameError("you have asked for that already; you can ask again after the next move")
    await room.commit_event(events.OFFER, seat, what)


async def answer(room: Room, mine: frozenset[int], message: AnswerMessage) -> None:
    """Say yes or no to what is asked for; whoever asked says no to withdraw it."""
    game = room.game
    if game.offer is None or message.what not in (None, game.offer[0]):
        raise GameError(f"nothing is being asked for{'' if game.offer is None else ' but something else'}")
    what, asker = game.offer
    if not message.yes:
        await room.commit_event(events.DECLINE, min(mine))
        return
    if asker in mine:
        raise GameError("you have asked for it yourself; the others are to answer")
    missing, agrees = player_view.missing(game), {game.seats[seat].person for seat in mine}
    if not agrees & missing:
        raise GameError("you have agreed already; the others are to answer")
    if missing - agrees:
        await room.commit_event(events.AGREE, min(mine))
    elif what == "draw":
        await room.commit_event(events.DRAWN)
    else:
        await room.take_back(game.seats_of(game.seats[asker].person))
