"""Routes of the models page: graph grammars of games and puzzles, simulated step by step, and explored."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Annotated, Any, Literal, TypeAlias

from fastapi import APIRouter, HTTPException, Request, Response, WebSocket, WebSocketDisconnect
from pydantic import Field, TypeAdapter

from pentad.game import GameError
from pentad.grammar import draw
from pentad.grammar.files.exports import GRAMMAR_FORMATS
from pentad.grammar.models import MODELS
from pentad.grammar.system import prepare
from pentad.jobs.fair_queue import Owner, PlaceCallback
from pentad.web.api import Model, OptionInfo, Refusal
from pentad.web.http import identity, request_parsing
from pentad.web.models.exploration_pool import MOST_SECONDS, MOST_STATES, ExplorationFailed
from pentad.web.models.model_walks import MOST_OPTIONS, MOST_STEPS, Variant, Walk, WalkCache
from pentad.web.services import Busy, Client, Services

WRONG: dict[int | str, dict[str, Any]] = {
    422: {"model": Refusal, "description": "The request is invalid; the error says why."}
}
LONGEST_MESSAGE = 4096
LONGEST_PROPERTY = 400  # characters of a formula

Options = Annotated[
    dict[Annotated[str, Field(max_length=40)], Annotated[str, Field(max_length=40)]], Field(max_length=20)
]
Number = Annotated[int, Field(ge=0, lt=100_000)]


class ModelInfo(Model):
    """A model and its options."""

    name: str
    title: str
    game: str | None
    summary: str
    options: list[OptionInfo]


class ModelList(Model):
    """All models, and the limits for simulations and explorations."""

    models: list[ModelInfo]
    most_steps: int
    most_states: int
    most_seconds: float


class Part(Model):
    """A part of a grammar and its picture; `text`, `told` in JSON, is the picture's heading, or a program's text."""

    name: str
    text: str = Field(serialization_alias="told")
    svg: str


class ModelAnswer(Model):
    """A model with its options as a grammar: its parts with their pictures, and its size."""

    name: str
    title: str
    game: str | None
    summary: str
    options: dict[str, str]
    grammar: str
    nodes: int
    edges: int
    isomorphism: bool
    start: str
    rules: list[Part]
    types: list[Part]
    programs: list[Part]
    control: str


class Enabled(Model):
    """An option: its number, its rule or recipe, and its nodes of the graph."""

    number: int
    action: str
    words: str
    nodes: tuple[str, ...]


class Touch(Model):
    """An option on the board, chosen by touching these targets in order."""

    step: str
    targets: tuple[str, ...]
    label: str


class StepQuery(Model):
    """A path from the start, and the number of random steps to add."""

    options: Options = Field(default_factory=dict)
    path: Annotated[list[Number], Field(max_length=MOST_STEPS)] = Field(default_factory=list)
    chance: Annotated[int, Field(ge=0, le=MOST_STEPS)] = 0
    seed: Annotated[int, Field(ge=0, lt=2**53)] | None = None


class StepAnswer(Model):
    """The end of a path: the graph, the board if there is one, the last changes, and the options.

    `count` is the number of options, `enabled` the first of them.
    """

    path: list[int]
    trace: list[str]
    came: list[str]
    went: list[str]
    changed: list[str]
    graph: str
    board: str | None
    position: str | None
    enabled: list[Enabled]
    count: int
    choices: list[Touch]
    final: bool
    broken: list[str]


class ExploreMessage(Model):
    """Explore a model breadth-first from its start; `property` is a CTL formula to check at the end."""

    type: Literal["explore"]
    options: Options = Field(default_factory=dict)
    states: Annotated[int, Field(ge=1, le=MOST_STATES)] = 20_000
    seconds: Annotated[float, Field(ge=0.1, le=MOST_SECONDS)] = 5.0
    depth: Annotated[int, Field(ge=0, le=10_000)] | None = None
    property: str = Field("", max_length=LONGEST_PROPERTY)


class StopMessage(Model):
    """End the exploration with its results so far."""

    type: Literal["stop"]


AnyMessage: TypeAlias = ExploreMessage | StopMessage
Incoming: TypeAdapter[AnyMessage] = TypeAdapter(Annotated[AnyMessage, Field(discriminator="type")])


def router(services: Services) -> APIRouter:
    """The routes of the page."""
    routes, walks = APIRouter(), WalkCache()

    @routes.get("/api/models")
    async def models() -> ModelList:
        """All models."""
        return ModelList(
            models=[_info(name) for name in MODELS],
            most_steps=MOST_STEPS,
            most_states=MOST_STATES,
            most_seconds=MOST_SECONDS,
        )

    @routes.get("/api/models/{name}", response_model=ModelAnswer, responses=WRONG)
    async def model(name: str, request: Request, client: Client) -> Response:
        """A model with the options in the query."""
        with _refusing():
            return await services.background.answer(client, _described, name, tuple(_query(request).items()))

    @routes.get("/api/models/{name}/grammar.zip", response_class=Response, responses=WRONG)
    async def files(name: str, request: Request, client: Client) -> Response:
        """The grammar in GROOVE's format, as a zip."""
        with _refusing():
            grammar, data = await services.background(client, _zipped, name, tuple(_query(request).items()))
        disposition = f'attachment; filename="{grammar}.gps.zip"'
        return Response(data, media_type="application/zip", headers={"Content-Disposition": disposition})

    @routes.post("/api/models/{name}/step", response_model=StepAnswer, responses=WRONG)
    async def step(name: str, query: StepQuery, client: Client) -> Response:
        """The end of a path."""
        return await services.background.answer(client, go, name, query)

    def go(name: str, query: StepQuery) -> StepAnswer:
        with _refusing():
            walk = walks.take(_variant(name, tuple(query.options.items())), query.path)
            if query.chance:
                walk.add_random_steps(query.chance, random.getrandbits(32) if query.seed is None else query.seed)
            answer = _step_answer(walk)
        walks.give_back(walk)
        return answer

    @routes.websocket("/api/models/{name}/explore")
    async def explore(socket: WebSocket, name: str) -> None:
        """Explorations for one client, one at a time."""
        await socket.accept()
        await _Session(socket, name, services, await identity.owner(services.store, socket)).serve()

    return routes


# ── grammars ─────────────────────────────────────────────────────────────────────────────────────


@contextlib.contextmanager
def _refusing() -> Any:
    """Turns a `GameError` into a response."""
    try:
        yield
    except GameError as error:
        raise HTTPException(422, str(error)) from None


def _query(request: Request) -> dict[str, str]:
    given = dict(request.query_params)
    if len(given) > 20 or any(len(text) > 40 for pair in given.items() for text in pair):
        raise GameError("The options are too many or too long.")
    return given


@lru_cache(maxsize=64)
def _variant(name: str, options: tuple[tuple[str, str], ...]) -> Variant:
    return Variant(name, dict(options))


@cache
def _info(name: str) -> ModelInfo:
    model = MODELS[name]
    options = [OptionInfo.of(option) for option in model.options.values()]
    return ModelInfo(name=name, title=model.title, game=model.game, summary=model.summary, options=options)


@lru_cache(maxsize=24)
def _described(name: str, options: tuple[tuple[str, str], ...]) -> ModelAnswer:
    variant = _variant(name, options)
    grammar, info = variant.grammar, _info(name)
    system = prepare(grammar)
    start = grammar.start
    return ModelAnswer(
        name=name,
        title=info.title,
        game=info.game,
        summary=info.summary,
        options={key: variant.model.options[key].write(value) for key, value in variant.options.items()},
        grammar=grammar.name,
        nodes=len(start.nodes),
        edges=len(start.edges),
        isomorphism=system.isomorphism,
        start=draw.draw_graph(start, style=False),
        rules=[
            Part(name=each, text=_role(system.rules[each]), svg=draw.draw_rule(graph, style=False))
            for each, graph in grammar.rules.items()
        ],
        types=[
            Part(name=each, text="type graph", svg=draw.draw_type(graph, style=False))
            for each, graph in grammar.types.items()
        ],
        programs=[Part(name=each, text=text, svg="") for each, text in grammar.controls.items()],
        control=draw.draw_control(system.control, f"{grammar.name}: control", style=False),
    )


def _role(rule: Any) -> str:
    return f"{rule.role}, priority {rule.priority}" if rule.priority else str(rule.role)


def _zipped(name: str, options: tuple[tuple[str, str], ...]) -> tuple[str, bytes]:
    """The name of a grammar, and its zip."""
    grammar = _variant(name, options).grammar
    return grammar.name, GRAMMAR_FORMATS["zip"](grammar)


# ── ends of paths ────────────────────────────────────────────────────────────────────────────────


def _step_answer(walk: Walk) -> StepAnswer:
    simulation, position = walk.simulation, walk.position
    graph = simulation.graph
    graph.name = "start" if not walk.path else f"after {len(walk.path)} step{'s' * (len(walk.path) > 1)}"
    by_targets = {option.targets: number for number, option in reversed(list(enumerate(walk.options)))}
    return StepAnswer(
        path=walk.path,
        trace=walk.trace,
        came=walk.came,
        went=walk.went,
        changed=walk.changed,
        graph=draw.draw_graph(graph, style=False),
        board=None if position is None else position.svg(style=False),
        position=None if position is None else position.text,
        enabled=[
            Enabled(number=number, action=option.action, words=option.words, nodes=option.nodes)
            for number, option in enumerate(walk.options[:MOST_OPTIONS])
        ],
        count=len(walk.options),
        choices=[
            Touch(step=str(number), targets=targets, label=walk.options[number].words)
            for targets, number in sorted(by_targets.items(), key=lambda pair: pair[1])
            if targets
        ],
        final=simulation.final,
        broken=list(simulation.broken),
    )


# ── explorations ─────────────────────────────────────────────────────────────────────────────────


class _Session:
    """A socket and its exploration, which ends when the client leaves."""

    def __init__(self, socket: WebSocket, name: str, services: Services, owner: Owner) -> None:
        self.socket, self.name, self.services, self.owner = socket, name, services, owner
        self.stop = asyncio.Event()
        self.task: asyncio.Task[None] | None = None
        self.busy = self.has_begun = False
        self._lock = asyncio.Lock()  # sends one message at a time

    async def serve(self) -> None:
        try:
            async for text in request_parsing.texts(self.socket):
                try:
                    await self._follow(request_parsing.read_message(Incoming, text, LONGEST_MESSAGE))
                except GameError as error:
                    await self._send(type="error", error=str(error))
        finally:
            await self._end()

    async def _end(self) -> None:
        if self.task is not None:
            self.task.cancel()
            await asyncio.wait([self.task])

    async def _follow(self, message: AnyMessage) -> None:
        if isinstance(message, StopMessage):
            if self.busy and not self.has_begun:  # cancelled while it waits in the queue
                await self._end()
                self.busy = False
                raise GameError("The exploration was cancelled before it started.")
            self.stop.set()
            return
        if self.busy:
            raise GameError("Another exploration is still running. Stop it first.")
        try:
            variant = await self.services.background(
                self.owner.address, _variant, self.name, tuple(message.options.items())
            )
        except Busy as error:
            raise GameError(str(error)) from None
        self.busy, self.stop, self.has_begun = True, asyncio.Event(), False
        self.task = asyncio.create_task(self._explore(variant, message))

    async def _explore(self, variant: Variant, message: ExploreMessage) -> None:
        job = {**message.model_dump(exclude={"type"}), "model": self.name}
        places: asyncio.Queue[int] = asyncio.Queue()

        def on_place(place: int) -> None:
            self.has_begun = not place
            places.put_nowait(place)

        reporting = asyncio.create_task(self._send_places(places))
        try:
            last = await self._found(job, on_place)
        except ExplorationFailed as error:
            last = {"type": "error", "error": str(error)}
        finally:
            reporting.cancel()
            self.busy = False  # before its end is sent, as the client may then request another one
        if last["type"] == "done":
            last["grammar"] = variant.grammar.name
        await self._send(**last)

    async def _found(self, job: Mapping[str, Any], on_place: PlaceCallback) -> dict[str, Any]:
        """Explores and sends the progress. Returns the last message."""
        explored = self.services.explorations.explore(job, self.stop, owner=self.owner, on_place=on_place)
        async with contextlib.aclosing(explored) as found:
            async for message in found:
                if "preparing" in message:
                    await self._send(type="preparing")
                elif "states" in message:
                    await self._send(type="progress", **message)
                else:
                    return {"type": "done", **message["done"]}
        raise ExplorationFailed("The exploration ended unexpectedly.")

    async def _send_places(self, places: asyncio.Queue[int]) -> None:
        while True:
            await self._send(type="waiting", place=await places.get())

    async def _send(self, **message: Any) -> None:
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):  # the socket may be closed
            async with self._lock:
                await self.socket.send_json(message)
