"""Services of whom a person has blocked or muted.

Other people are named by keys that mean something to the person who asks alone.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from pentad.play.seats import HUMAN
from pentad.store.relations import BLOCK, MUTE, Relations
from pentad.store.rows import Person
from pentad.web.backend import Backend
from pentad.web.http import identity
from pentad.web.http.exchange import Caller, StatusError
from pentad.web.service.accounts import name_of_key
from pentad.web.service.play import MISSING, NameRequest, room_for
from pentad.web.service.router import GET, PUT, Nothing, Posted, Route

NOBODY = "There is no such person here."


@dataclass(frozen=True, kw_only=True)
class OtherPerson:
    """Another person, and what the client has decided about them; `key` identifies them for this client."""

    key: str
    name: str
    blocked: bool
    muted: bool


@dataclass(frozen=True, kw_only=True)
class Decision:
    """What the client decides about a person."""

    key: str
    blocked: bool = False
    muted: bool = False


@dataclass(frozen=True)
class DecisionInRoom:
    """What the client decides about a person of a game."""

    name: str
    body: Decision


async def people_here(backend: Backend, caller: Caller, request: NameRequest) -> list[OtherPerson]:
    """The other people who play or write in a game."""
    person = await identity.known(backend.store, caller)
    return _listed(backend, person, await _people_of(backend, caller, request.name, person)) if person else []


async def decide_here(backend: Backend, caller: Caller, request: DecisionInRoom) -> None:
    """Block or mute a person who plays or writes in a game."""
    person = await identity.known_or_new(backend.store, caller)
    await _decide(backend, person, await _people_of(backend, caller, request.name, person), request.body)


async def own(backend: Backend, caller: Caller, request: Nothing) -> list[OtherPerson]:
    """The people whom the client has blocked or muted."""
    person = await identity.known(backend.store, caller)
    if person is None:
        return []
    others = backend.rooms.world.relations.of(person.id)
    return _listed(backend, person, await Relations(backend.store).names(list(others)))


async def decide(backend: Backend, caller: Caller, request: Posted[Decision]) -> None:
    """Change what was decided about a person who is blocked or muted."""
    person = await identity.known(backend.store, caller)
    others = backend.rooms.world.relations.of(person.id) if person else {}
    if person is None or not others:
        raise StatusError(404, NOBODY)
    await _decide(backend, person, dict.fromkeys(others, ""), request.body)


async def _people_of(backend: Backend, caller: Caller, name: str, person: Person | None) -> dict[int, str]:
    """The other people of a game with their names there."""
    room = await room_for(backend, caller, name)
    if room is None:
        raise StatusError(404, MISSING)
    players = {seat.person: seat.name for seat in room.game.seats if seat.who == HUMAN}
    authors = {room.subscribers.author(each): each.name for each in room.subscribers.chat if each.text}
    found = {**authors, **players}
    return {each: found[each] for each in found if each is not None and not (person and each == person.id)}


async def _decide(backend: Backend, person: Person, others: Collection[int], decision: Decision) -> None:
    other = next((each for each in others if _key(person, each) == decision.key), None)
    if other is None:
        raise StatusError(404, NOBODY)
    kinds = [kind for kind, wanted in ((BLOCK, decision.blocked), (MUTE, decision.muted)) if wanted]
    await Relations(backend.store).set(person.id, other, kinds)
    backend.rooms.relate(person.id, other, kinds)


def _listed(backend: Backend, person: Person, others: dict[int, str]) -> list[OtherPerson]:
    known = backend.rooms.world.relations.of(person.id)
    listed = [
        OtherPerson(
            key=_key(person, other),
            name=name,
            blocked=BLOCK in known.get(other, ()),
            muted=MUTE in known.get(other, ()),
        )
        for other, name in others.items()
    ]
    return sorted(listed, key=lambda each: each.name.casefold())


def _key(person: Person, other: int) -> str:
    return name_of_key(f"{person.id} {other}".encode())


OF_A_PERSON = {404: NOBODY}
ROUTES = (
    Route(GET, "/api/rooms/{name}/people", people_here, refusals={404: MISSING}),
    Route(PUT, "/api/rooms/{name}/people", decide_here, status=204, refusals=OF_A_PERSON),
    Route(GET, "/api/mine/people", own),
    Route(PUT, "/api/mine/people", decide, status=204, refusals=OF_A_PERSON),
)
