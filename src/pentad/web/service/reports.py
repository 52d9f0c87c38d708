"""Services of what operators and players tell each other: announcements on all pages, and reports by players."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Annotated, Literal

from pentad.game import GameError
from pentad.play.seats import HUMAN
from pentad.store.moderation import PlayerReport
from pentad.store.studies import Studies
from pentad.web.backend import Backend
from pentad.web.http import identity
from pentad.web.http.client_address import networks
from pentad.web.http.exchange import Caller, StatusError
from pentad.web.http.ratelimit import Rate, RateLimiter, too_many
from pentad.web.http.visible_text import visible
from pentad.web.messages import MAX_REPORT_LENGTH, Announcements
from pentad.web.operators import Operators
from pentad.web.rooms.room import Room
from pentad.web.service.play import MISSING, room_for
from pentad.web.service.router import GET, POST, Nothing, Posted, Route
from pentad.web.service.studies import MAX_NAME_LENGTH, UNKNOWN
from pentad.web.typed_json import Length, Range

RATE = Rate(5, 600.0)  # reports of one address; of one person the same
NOBODY_READS = "Nobody reads reports on this server."

Reason = Literal["abuse", "name", "spam", "cheating", "content", "other"]
Number = Annotated[int, Range(0, 10**9)]


@dataclass(frozen=True, kw_only=True)
class NewReport:
    """A report: its place, which is a game or a study by name, the ply or the chapter, a chat message, and why."""

    place: Literal["game", "study"]
    name: Annotated[str, Length(MAX_NAME_LENGTH, 1)]
    part: Number | None = None
    chat: Number | None = None
    reason: Reason
    text: Annotated[str, Length(MAX_REPORT_LENGTH)] = ""


class _Limits:
    """How often reports may be sent: by an address and its networks, and by a person."""

    def __init__(self) -> None:
        self._networks, self._persons = RateLimiter(RATE, time.monotonic), RateLimiter(RATE, time.monotonic)

    def check(self, caller: Caller, person: int) -> None:
        wait = self._networks.take(networks(caller.address)) or self._persons.take({str(person): 1})
        if wait:
            raise StatusError(429, too_many("reports", wait))


_LIMITS = _Limits()


def operators_of(backend: Backend) -> Operators:
    """The operators of a server, which has them."""
    assert backend.operators is not None
    return backend.operators


async def announcements(backend: Backend, caller: Caller, request: Nothing) -> Announcements:
    """What all pages show: a notice by an operator, and when the server closes for maintenance."""
    return operators_of(backend).announcements()


async def report(backend: Backend, caller: Caller, request: Posted[NewReport]) -> None:
    """Reports a game, a chat message or a study to the operators of the server."""
    operators, body = operators_of(backend), request.body
    if not operators.exist:
        raise StatusError(403, NOBODY_READS)
    quote, about = await _subject(backend, caller, body)
    person = await identity.known_or_new(backend.store, caller)
    _LIMITS.check(caller, person.id)
    text = visible(body.text)
    row = PlayerReport(body.place, body.name, body.part, body.chat, quote, about, body.reason, text)
    await operators.moderation.add_report(row, person.id, backend.rooms.world.wall())


async def _subject(backend: Backend, caller: Caller, body: NewReport) -> tuple[str, int | None]:
    """The text of the chat message, and the person whom the report is about."""
    if body.place == "study":
        if await Studies(backend.store).row(body.name) is None:
            raise StatusError(404, UNKNOWN)
        return "", None
    room = await room_for(backend, caller, body.name)
    if room is None:
        raise StatusError(404, MISSING)
    if body.chat is None:
        return "", await _opponent(backend, caller, room)
    message = next((each for each in room.subscribers.chat if each.number == body.chat and each.text), None)
    if message is None:
        raise GameError("There is no such chat message. It may have been removed.")
    return message.text, room.subscribers.author(message)


async def _opponent(backend: Backend, caller: Caller, room: Room) -> int | None:
    """The other person who plays; None if there are several or none."""
    person = await identity.known(backend.store, caller)
    players = {seat.person for seat in room.game.seats if seat.who == HUMAN} - {person.id if person else None}
    return players.pop() if len(players) == 1 else None


ROUTES = (
    Route(GET, "/api/announcements", announcements),
    Route(
        POST,
        "/api/reports",
        report,
        status=204,
        refusals={403: NOBODY_READS, 404: "The game or the study does not exist on this server."},
    ),
)
