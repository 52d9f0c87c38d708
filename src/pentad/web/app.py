"""The web application: the services of a server behind its guard, from start to end."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from functools import partial

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from pentad.game import names
from pentad.store import Store
from pentad.store.moderation import Moderation
from pentad.web import move_tree
from pentad.web.asgi import ServiceApplication
from pentad.web.authentication import Authentication
from pentad.web.backend import Backend
from pentad.web.engines import Engines, WorkerFailed
from pentad.web.http.assets import MIN_COMPRESSED_BYTES
from pentad.web.http.exchange import Caller
from pentad.web.http.identity import Clients
from pentad.web.http.lan import LocalNetwork
from pentad.web.http.security import SecurityMiddleware
from pentad.web.operators import Operators
from pentad.web.page_workers import CallRunner, PageWorkers
from pentad.web.rooms.registry import Rooms
from pentad.web.rooms.room import RoomEnvironment
from pentad.web.service import (
    account_data,
    accounts,
    admin,
    openapi,
    pages,
    relations,
    reports,
    routes,
    studies,
    study_storage,
)
from pentad.web.service.router import Router

log = logging.getLogger(__name__)

COMPRESSION_LEVEL = 4  # it shrinks a page to a fifth in 0.15 ms; the levels above it, up to 9, gain little
SWEEP_SECONDS = 30.0
SERVED = (  # those without the description of all
    *routes.ROUTES,
    *studies.ROUTES,
    *study_storage.ROUTES,
    *reports.ROUTES,
    *accounts.ROUTES,
    *account_data.ROUTES,
    *relations.ROUTES,
    *admin.ROUTES,
    *pages.ROUTES,
)


def create_app(
    store: Store,
    *,
    hosts: Iterable[str] = (),
    network: LocalNetwork | None = None,
    proxies: Iterable[str] = (),
    engines: Engines | None = None,
    workers: CallRunner | None = None,
    rooms: Rooms | None = None,
    watch: Callable[[Backend], None] | None = None,
) -> SecurityMiddleware:
    """The application; `hosts` are further names of this machine.

    `engines`, `workers` and `rooms` replace the default ones. `proxies` are trusted in addition to those on this
    machine. `watch` gets the parts of the server, to measure them.
    """
    pool = engines or Engines()
    rooms = Rooms(RoomEnvironment(store, pool)) if rooms is None else rooms
    admission = rooms.world.admission
    operators = Operators(Moderation(store), rooms, admission)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await operators.start()
        await rooms.load_relations()
        # A first compilation takes a minute. Games between persons need not wait for it.
        prepared = (
            _prepare("workers", backend.workers(Caller(), move_tree.read_text, names()[0], None)),
            _prepare("engines", pool.warm()),
        )
        kept = rooms.keep_swept(SWEEP_SECONDS), study_storage.keep_swept(backend), operators.keep_following()
        tasks = [asyncio.create_task(each) for each in (*prepared, *kept)]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            rooms.close()
            parts = (pool, backend.background, backend.bodies, backend.workers, backend.explorations)
            await asyncio.gather(*(part.close() for part in parts))

    authentication = Authentication(store)
    backend = Backend(
        store,
        pool,
        rooms,
        network or LocalNetwork(),
        workers=workers or PageWorkers(),
        operators=operators,
        authentication=authentication,
    )
    if watch:
        watch(backend)
    router = Router((*SERVED, openapi.route_of(SERVED)), backend, partial(pages.missing, backend))
    # The size of a compressed response leaks something to another site's page only if its requests carry the cookie
    # (BREACH), and the cookie is `SameSite=Strict`. WebSockets are not compressed.
    compression = Middleware(GZipMiddleware, minimum_size=MIN_COMPRESSED_BYTES, compresslevel=COMPRESSION_LEVEL)
    app = Starlette(middleware=[compression], lifespan=lifespan)
    app.router.default = ServiceApplication(router)  # a route of Starlette's does not match a line break
    guard = SecurityMiddleware(app, hosts, proxies, clients=Clients(store), admission=admission)
    operators.turn_away, authentication.end_sockets = guard.turn_away, guard.end_sockets
    return guard


async def _prepare(what: str, work: Awaitable[object]) -> None:
    try:
        await work
    except WorkerFailed as failed:
        log.warning("Cannot prepare the %s: %s", what, failed)
