"""Monitoring: the metrics of a server as text for Prometheus, on a port of their own."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import accumulate
from typing import Any, NamedTuple

import uvicorn
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from pentad.game import GameError
from pentad.jobs.fair_queue import LONG_KIND, QUICK_KIND, FairQueue
from pentad.jobs.pool import Pool
from pentad.store.detached_threads import run_detached
from pentad.system import metrics
from pentad.system.memory import memory_of
from pentad.system.metrics import CounterMetric, Gauge, Histogram, Labels
from pentad.system.version import __version__
from pentad.web.backend import Backend
from pentad.web.http.client_address import is_address, name_in, root_of
from pentad.web.rooms.registry import RoomCounts

log = logging.getLogger(__name__)

PATH = "/metrics"
STORED_EVERY = 60.0  # seconds between counts of what is stored, as they read whole tables
STORED_WAIT = 1.0  # what is not counted by then is left out
DELAY_EVERY = 0.5
DELAYS = Histogram("pentad_event_loop_delay_seconds", "Seconds that the event loop was late, measured twice a second.")


class ServerState(NamedTuple):
    """The state of a server at a moment, as far as it must be read in the event loop."""

    backend: Backend
    rooms: RoomCounts
    stored: Mapping[str, int]

    @property
    def queues(self) -> dict[str, FairQueue]:
        """The queues by name."""
        queues = [*(pool.queue for pool in self.pools), self.backend.background.queue, self.backend.bodies.queue]
        return {queue.name: queue for queue in queues}

    @property
    def pools(self) -> list[Pool]:
        """The pools of worker processes."""
        backend = self.backend
        return [each for each in (backend.engines, backend.explorations, backend.workers) if isinstance(each, Pool)]

    def of_queues(self, number: Callable[[Any], float]) -> dict[Labels, float]:
        """A number of each kind of requests in each queue."""
        return {
            (name, kind): number(requests)
            for name, queue in self.queues.items()
            for kind, requests in ((QUICK_KIND, queue.quick), (LONG_KIND, queue.long))
        }

    def processes(self) -> dict[Labels, float]:
        """How many worker processes there are."""
        counts = [((pool.queue.name, "busy"), len(pool.busy)) for pool in self.pools]
        return dict([*counts, *(((pool.queue.name, "idle"), len(pool.idle)) for pool in self.pools)])

    def worker_memory(self) -> dict[Labels, float]:
        """The memory of all processes of each pool."""
        pids = {pool.queue.name: [each.process.pid for each in (*pool.busy, *pool.idle)] for pool in self.pools}
        return {(name,): sum(memory_of(pid) or 0 for pid in each) for name, each in pids.items()}


class StateGauge(NamedTuple):
    """A number of the state, or several by the values of their labels."""

    name: str
    about: str
    labels: Labels
    read: Callable[[ServerState], Mapping[Labels, float]]


def _single(read: Callable[[ServerState], float]) -> Callable[[ServerState], dict[Labels, float]]:
    return lambda state: {(): read(state)}


def _named(numbers: Mapping[str, int]) -> dict[Labels, float]:
    return {(name,): number for name, number in numbers.items()}


GAUGES = (
    StateGauge("pentad_info", "The version of pentad, with the number 1.", ("version",), lambda _: {(__version__,): 1}),
    StateGauge("pentad_rooms", "Rooms in memory.", (), _single(lambda state: state.rooms.rooms)),
    StateGauge(
        "pentad_games_open",
        "Games that go on: with clients or a running clock, and in memory.",
        ("game",),
        lambda state: _named(state.rooms.open_games),
    ),
    StateGauge(
        "pentad_clocks_unloaded",
        "Games that are not in memory, and whose clocks run.",
        (),
        _single(lambda state: state.rooms.timers),
    ),
    StateGauge(
        "pentad_room_sockets",
        "Open sockets in rooms: players and watchers.",
        ("kind",),
        lambda state: _named(state.rooms.sockets),
    ),
    StateGauge(
        "pentad_persons", "Persons with an open socket in a room.", (), _single(lambda state: state.rooms.persons)
    ),
    StateGauge(
        "pentad_queue_waiting",
        "Requests that wait for their turn.",
        ("queue", "kind"),
        lambda state: state.of_queues(lambda requests: requests.waiting),
    ),
    StateGauge(
        "pentad_queue_running",
        "Requests that have their turn.",
        ("queue", "kind"),
        lambda state: state.of_queues(lambda requests: len(requests.running)),
    ),
    StateGauge(
        "pentad_queue_oldest_seconds",
        "Seconds that the oldest request in the queue has waited.",
        ("queue", "kind"),
        lambda state: state.of_queues(lambda requests: requests.oldest_seconds),
    ),
    StateGauge("pentad_worker_processes", "Worker processes, busy and idle.", ("pool", "state"), ServerState.processes),
    StateGauge(
        "pentad_worker_resident_memory_bytes",
        "Memory of the worker processes of a pool.",
        ("pool",),
        ServerState.worker_memory,
    ),
    StateGauge(
        "pentad_database_waiting_writes",
        "Writes that wait for a commit.",
        (),
        _single(lambda state: state.backend.store.waiting_writes),
    ),
    StateGauge(
        "pentad_stored_rows",
        "Games, persons, studies and chapters in the database, counted once a minute.",
        ("table",),
        lambda state: _named(state.stored),
    ),
)


class StateCollector(Collector):
    """The metrics of this process and of a state, as Prometheus' client wants them."""

    def __init__(self, numbers: Iterable[tuple[StateGauge, Mapping[Labels, float]]]) -> None:
        self._numbers = list(numbers)

    def collect(self) -> Iterator[Metric]:
        for gauge, numbers in self._numbers:
            yield _gauge(gauge.name, gauge.about, gauge.labels, numbers)
        for each in list(metrics.ALL.values()):
            match each:
                case CounterMetric():
                    counter = CounterMetricFamily(each.name, each.about, labels=each.labels)
                    for values, count in each.counts().items():
                        counter.add_metric(values, count)
                    yield counter
                case Gauge():
                    yield _gauge(each.name, each.about, each.labels, each.numbers())
                case Histogram():
                    yield _histogram(each)


def _gauge(name: str, about: str, labels: Labels, numbers: Mapping[Labels, float]) -> Metric:
    gauge = GaugeMetricFamily(name, about, labels=labels)
    for values, number in numbers.items():
        gauge.add_metric(values, number)
    return gauge


def _histogram(each: Histogram) -> Metric:
    histogram = HistogramMetricFamily(each.name, each.about, labels=each.labels)
    bounds = [*map(str, each.bounds), "+Inf"]
    for values, found in each.distributions().items():
        histogram.add_metric(values, list(zip(bounds, accumulate(found.counts), strict=True)), found.sum)
    return histogram


class Monitoring:
    """The metrics of a server: measured while it runs, and sent to whoever asks on their port."""

    def __init__(self, listener: Callable[[], socket.socket]) -> None:
        """`listener` makes the socket that listens on their port."""
        self._make_listener = listener
        self._listener: socket.socket | None = None
        self._server: asyncio.Server | None = None
        self._backend: Backend | None = None
        self._stored: Mapping[str, int] = {}
        self._counted = -STORED_EVERY
        self._counting: asyncio.Task[None] | None = None
        self._measuring: asyncio.Task[None] | None = None
        self._is_local = True
        self.app = Starlette(routes=[Route(PATH, self._answer)])

    @property
    def address(self) -> str:
        """The URL of the metrics; empty if they have no port."""
        if self._listener is None:
            return ""
        host, port = self._listener.getsockname()[:2]
        return f"{root_of(host, port)}{PATH}"

    def listen(self) -> None:
        """Takes the port; `GameError` if it is taken."""
        self._listener = self._make_listener()
        self._is_local = ipaddress.ip_address(self._listener.getsockname()[0]).is_loopback

    def close(self) -> None:
        """Gives up the port, until the next `start`."""
        if self._server:
            self._server.close()
        if self._listener:
            self._listener.close()
        self._server = self._listener = None

    def watch(self, backend: Backend) -> None:
        """Measures these parts of the server."""
        self._backend = backend

    async def start(self, server: uvicorn.Server) -> None:
        """Answers on the port until `close`."""
        if self._listener is None:
            self.listen()
        assert self._listener is not None
        config = uvicorn.Config(
            self.app,
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            ws="none",
            lifespan="off",
        )
        config.load()
        protocol: Any = config.http_protocol_class
        state = {"config": config, "server_state": server.server_state, "app_state": {}}
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(partial(protocol, **state), sock=self._listener)
        self._measuring = self._measuring or asyncio.create_task(_measure_delays())
        log.info("Metrics are at %s.", self.address)

    async def text(self) -> bytes:
        """The metrics as Prometheus reads them."""
        assert self._backend is not None
        await self._count_stored()
        state = ServerState(self._backend, await self._backend.rooms.counts(), self._stored)
        numbers = [(each, each.read(state)) for each in GAUGES]
        # Writing some thousand lines takes milliseconds, which moves must not wait for.
        return await asyncio.wrap_future(run_detached(partial(_written, numbers), "pentad-metrics"))

    async def _count_stored(self) -> None:
        """Counts what is stored, if that was long ago; a database that does not answer holds up no other metric."""
        if self._counting is None and time.monotonic() - self._counted >= STORED_EVERY:
            self._counting = asyncio.create_task(self._count())
        if self._counting:
            await asyncio.wait([self._counting], timeout=STORED_WAIT)

    async def _count(self) -> None:
        assert self._backend is not None
        try:
            self._stored = await self._backend.store.counts()
        except GameError:  # it is counted among the failed reads
            self._stored = {}
        finally:
            self._counted, self._counting = time.monotonic(), None

    async def _answer(self, request: Request) -> Response:
        # A page of another site could name this machine by a host of its own, and read the metrics in a browser here.
        if self._is_local and not _names_an_address(request.headers.get("host", "")):
            return PlainTextResponse("The metrics are at an address of this machine, such as 127.0.0.1.\n", 421)
        return Response(await self.text(), media_type=CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"})


def _names_an_address(host: str) -> bool:
    """Whether a `Host` header is an IP address or `localhost`."""
    name = name_in(host)
    return name == "localhost" or is_address(name)


def _written(numbers: Iterable[tuple[StateGauge, Mapping[Labels, float]]]) -> bytes:
    registry = CollectorRegistry()
    registry.register(StateCollector(numbers))
    ProcessCollector(registry=registry)
    return generate_latest(registry)


async def _measure_delays() -> None:
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + DELAY_EVERY
        await asyncio.sleep(DELAY_EVERY)
        DELAYS.observe(max(0.0, loop.time() - due))
