"""Storage of studies: the shares that one counts to, the list of a person's own, and the removal of unvisited ones."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import NoReturn

from pentad.game import GameError
from pentad.store.quotas import MOST_BYTES, MOST_STUDIES, Share
from pentad.store.rows import Person
from pentad.store.studies import KEPT_UNVISITED_SECONDS, Studies
from pentad.web.backend import Backend
from pentad.web.http import identity
from pentad.web.http.client_address import networks
from pentad.web.http.exchange import Caller
from pentad.web.service.router import GET, Nothing, Route

log = logging.getLogger(__name__)

PERSONS_OF_ADDRESS = 4  # an address has the quota of so many persons, and its networks several times as much
SWEEP_SECONDS = 3600.0


@dataclass(frozen=True, kw_only=True)
class OwnStudy:
    """A study in the list of whoever made it; `size` is in bytes, and it is deleted at `deleted` without a visit."""

    name: str
    title: str
    chapters: int
    size: int
    visited: float
    deleted: float


@dataclass(frozen=True, kw_only=True)
class OwnStudies:
    """The studies that the client has made, and how many studies and bytes there is room for; 0 is no limit."""

    studies: list[OwnStudy]
    most_studies: int
    most_size: int


def shares_of(caller: Caller, person: Person | None) -> list[Share]:
    """The shares of a person at an address; none for a program on this machine, which has no limits."""
    wide = networks(caller.address)
    own = [Share.of_person(person.id)] if wide and person else []
    of_networks = [Share.of_network(name, int(times * PERSONS_OF_ADDRESS)) for name, times in wide.items()]
    return [*own, *of_networks, *([Share.of_all()] if wide else [])]


async def mine(backend: Backend, caller: Caller, request: Nothing) -> OwnStudies:
    """The studies that the client has made, the last visited first."""
    person = await identity.known(backend.store, caller)
    found = await Studies(backend.store).of_person(person.id) if person else []
    own = [
        OwnStudy(
            name=row.name,
            title=row.title,
            chapters=chapters,
            size=row.size,
            visited=row.visited,
            deleted=row.visited + KEPT_UNVISITED_SECONDS,
        )
        for row, chapters in found
    ]
    has_limits = bool(networks(caller.address))
    return OwnStudies(
        studies=own, most_studies=MOST_STUDIES if has_limits else 0, most_size=MOST_BYTES if has_limits else 0
    )


async def keep_swept(backend: Backend, every: float = SWEEP_SECONDS) -> NoReturn:
    """Removes the studies that nobody visits, at intervals of so many seconds."""
    while True:
        await sweep(backend)
        await asyncio.sleep(every)


async def sweep(backend: Backend) -> None:
    """Removes the studies that nobody has visited for a year."""
    try:
        count = await Studies(backend.store).sweep(backend.rooms.world.wall() - KEPT_UNVISITED_SECONDS)
    except GameError as failed:
        log.warning("Cannot delete old studies: %s", failed)
        return
    if count:
        log.info("Deleted %d studies without a visit for a year.", count)


ROUTES = (Route(GET, "/api/mine/studies", mine),)
