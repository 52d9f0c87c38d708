"""Routes of the models page: graph grammars of games and puzzles, simulated step by step, and explored.

A walk is a path of steps from the start of a simulation: a list of option numbers of `Simulation`. Equal paths always
lead to the same state. Recent walks are cached, so that the next step need not repeat the path.
"""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import Sequence
from contextlib import aclosing
from functools import cache, cached_property, lru_cache
from typing import Annotated, Any, Literal, TypeAlias

from fastapi import APIRouter, Request, Response, WebSocket
from pydantic import Field, TypeAdapter

from pentad.game import GameError
from pentad.grammar import draw
from pentad.grammar.files.exports import GRAMMAR_FORMATS
from pentad.grammar.grammar import GAME
from pentad.grammar.graph import Edge
from pentad.grammar.language.labels import kind_of, name_of
from pentad.grammar.models import MODELS, find
from pentad.grammar.models.views import ModelView, view_of
from pentad.grammar.simulation import PossibleStep, Simulation
from pentad.grammar.system import prepare
from pentad.jobs.fair_queue import Owner, QueueError
from pentad.web.api import ChoiceInfo, Model, OptionInfo
from pentad.web.engines import WorkerFailed
from pentad.web.http import identity, request_parsing
from pentad.web.messages import LONGEST_MESSAGE
from pentad.web.services import MOST_SECONDS, MOST_STATES, Client, Services

LONGEST_PROPERTY = 400  # characters of a formula
MOST_STEPS = 400  # of a path
RANDOM_STEPS_TIME = 2.0  # seconds for random steps in one request
MOST_NODES, MOST_EDGES = 250, 1500  # of a model's start graph
MOST_OPTIONS = 3000  # of a state in a response
MOST_CACHED = 12  # walks
SOLVING_SECONDS = 5.0  # for the states of a game whose moves get values
MOST_EDGES_NAMED = 3  # in the words of a recipe

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


class PartPicture(Model):
    """A part of a grammar and its picture; `text` is the picture's heading, or a program's text."""

    name: str
    text: str
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
    solvable: bool
    start: str
    rules: list[PartPicture]
    types: list[PartPicture]
    programs: list[PartPicture]
    control: str


class Enabled(Model):
    """An option: its number, its rule or recipe, and its nodes of the graph."""

    number: int
    action: str
    words: str
    nodes: tuple[str, ...]


class StepQuery(Model):
    """A path from the start, and the number of random steps to add."""

    options: Options = Field(default_factory=dict)
    path: Annotated[list[Number], Field(max_length=MOST_STEPS)] = Field(default_factory=list)
    chance: Annotated[int, Field(ge=0, le=MOST_STEPS)] = 0
    seed: Annotated[int, Field(ge=0, lt=2**53)] | None = None


class StepAnswer(Model):
    """The end of a path: the graph, the board if there is one, the last changes, and the options.

    `count` is the number of options, `enabled` the first of them. `note` says what the options and the board do not.
    """

    path: list[int]
    trace: list[str]
    came: list[str]
    went: list[str]
    changed: list[str]
    graph: str
    board: str | None
    position: str | None
    note: str
    enabled: list[Enabled]
    count: int
    choices: list[ChoiceInfo]
    final: bool
    broken: list[str]


class ValuesQuery(Model):
    """A path from the start."""

    options: Options = Field(default_factory=dict)
    path: Annotated[list[Number], Field(max_length=MOST_STEPS)] = Field(default_factory=list)


class MoveValue(Model):
    """An option's number and its value for the player to move: 1 for a win in so many steps, 0, -1, or unknown."""

    number: int
    value: int | None
    distance: int | None
    best: bool


class ValuesAnswer(Model):
    """The value of a state of a game for the player to move, and of its moves, the best first.

    Of a game that is too large only those values are known that no unexplored state can change.
    """

    value: int | None
    distance: int | None
    moves: list[MoveValue]
    states: int
    complete: bool


class ExploreMessage(Model):
    """Explore a model breadth-first from its start; `property` is a CTL formula to check at the end."""

    type: Literal["explore"]
    options: Options = Field(default_factory=dict)
    states: Annotated[int, Field(ge=1, le=MOST_STATES)] = 20_000
    seconds: Annotated[float, Field(ge=0.1, le=MOST_SECONDS)] = 5.0
    depth: Annotated[int, Field(ge=0, le=10_000)] | None = None
    property: str = Field("", max_length=LONGEST_PROPERTY)


class StopExplorationMessage(Model):
    """End the exploration with its results so far."""

    type: Literal["stop"]


Texts: TypeAlias = tuple[tuple[str, str], ...]  # options and their values
AnyMessage: TypeAlias = ExploreMessage | StopExplorationMessage
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

    @routes.get("/api/models/{name}", response_model=ModelAnswer)
    async def model(name: str, request: Request, client: Client) -> Response:
        """A model with the options in the query."""
        return await services.background.answer(client, _described, name, _options(request))

    @routes.get(
        "/api/models/{name}/start.svg", response_class=Response, responses={200: {"content": {"image/svg+xml": {}}}}
    )
    async def picture(name: str, client: Client) -> Response:
        """The start graph of a model as a separate picture."""
        svg = await services.background(client, _start_picture, name)
        return Response(svg, media_type="image/svg+xml", headers={"Cache-Control": "max-age=3600"})

    @routes.get("/api/models/{name}/grammar.zip", response_class=Response)
    async def files(name: str, request: Request, client: Client) -> Response:
        """The grammar in GROOVE's format, as a zip."""
        grammar, data = await services.background(client, _zipped, name, _options(request))
        disposition = f'attachment; filename="{grammar}.gps.zip"'
        return Response(data, media_type="application/zip", headers={"Content-Disposition": disposition})

    @routes.post("/api/models/{name}/step", response_model=StepAnswer)
    async def step(name: str, query: StepQuery, client: Client) -> Response:
        """The end of a path."""
        return await services.background.answer(client, go, name, query)

    def go(name: str, query: StepQuery) -> StepAnswer:
        walk = walks.take(_variant(name, tuple(query.options.items())), query.path)
        if query.chance:
            walk.add_random_steps(query.chance, random.getrandbits(32) if query.seed is None else query.seed)
        answer = _step_answer(walk)
        walks.give_back(walk)
        return answer

    @routes.post("/api/models/{name}/values")
    async def values(name: str, query: ValuesQuery, client: Client) -> ValuesAnswer:
        """The values of the moves at the end of a path, in a model of a game."""
        options = query.options
        await services.background(client, _variant, name, tuple(options.items()))  # raises what is wrong with them
        job = {"model": name, "options": options, "path": query.path, "seconds": SOLVING_SECONDS}
        try:
            return ValuesAnswer(**await services.explorations.values(job, owner=Owner(object(), client)))
        except WorkerFailed as error:
            raise GameError(str(error)) from None

    @routes.websocket("/api/models/{name}/explore")
    async def explore(socket: WebSocket, name: str) -> None:
        """Explorations for one client, one at a time."""
        await socket.accept()
        await ExplorationSession(socket, name, services, await identity.owner(services.store, socket)).serve()

    return routes


# ── grammars ─────────────────────────────────────────────────────────────────────────────────────


class Variant:
    """A model with its options, and a key for caches."""

    def __init__(self, name: str, options: Texts) -> None:
        self.model = find(name)
        texts = dict(options)
        self.options = self.model.values(texts)
        self.grammar = self.model(**self.options)
        self.key = (name, *(f"{key}={value}" for key, value in self.options.items()))
        graph = self.grammar.start
        for things, count, most in (("nodes", len(graph.nodes), MOST_NODES), ("edges", len(graph.edges), MOST_EDGES)):
            if count > most:
                raise GameError(
                    f"Expected at most {most:,} {things} in the start graph, got {count:,} with these options."
                )

    @cached_property
    def view(self) -> ModelView:
        view = view_of(self.grammar)
        assert view is not None
        return view


def _options(request: Request) -> Texts:
    """The options in a query."""
    given = tuple(request.query_params.items())
    if len(given) > 20 or any(len(text) > 40 for pair in given for text in pair):
        raise GameError("The options are too many or too long.")
    return given


_variant = lru_cache(maxsize=64)(Variant)


@cache
def _info(name: str) -> ModelInfo:
    model = MODELS[name]
    options = [OptionInfo.of(option) for option in model.options.values()]
    return ModelInfo(name=name, title=model.title, game=model.game, summary=model.summary, options=options)


@lru_cache(maxsize=24)
def _start_picture(name: str) -> str:
    return draw.draw_graph(_variant(name, ()).grammar.start)


@lru_cache(maxsize=24)
def _described(name: str, options: Texts) -> ModelAnswer:
    variant = _variant(name, options)
    model, grammar, start = variant.model, variant.grammar, variant.grammar.start
    system = prepare(grammar)
    return ModelAnswer(
        name=name,
        title=model.title,
        game=model.game,
        summary=model.summary,
        options={key: model.options[key].write(value) for key, value in variant.options.items()},
        grammar=grammar.name,
        nodes=len(start.nodes),
        edges=len(start.edges),
        isomorphism=system.isomorphism,
        solvable=bool(grammar.setting(GAME["players"]).strip()),
        start=draw.draw_graph(start, style=False),
        rules=[
            PartPicture(name=each, text=_role(system.rules[each]), svg=draw.draw_rule(graph, style=False))
            for each, graph in grammar.rules.items()
        ],
        types=[
            PartPicture(name=each, text="type graph", svg=draw.draw_type(graph, style=False))
            for each, graph in grammar.types.items()
        ],
        programs=[PartPicture(name=each, text=text, svg="") for each, text in grammar.controls.items()],
        control=draw.draw_control(system.control, f"{grammar.name}: control", style=False),
    )


def _role(rule: Any) -> str:
    return f"{rule.role}, priority {rule.priority}" if rule.priority else str(rule.role)


def _zipped(name: str, options: Texts) -> tuple[str, bytes]:
    """The name of a grammar, and its zip."""
    grammar = _variant(name, options).grammar
    return grammar.name, GRAMMAR_FORMATS["zip"](grammar)


# ── walks ────────────────────────────────────────────────────────────────────────────────────────


class ModelWalk:
    """A simulation, the path taken, and its steps in words."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.simulation = Simulation(variant.grammar)
        self.labels = variant.view.labels
        self.path: list[int] = []
        self.trace: list[str] = []
        self.came: list[str] = []  # edges that the last step added, and removed
        self.went: list[str] = []
        self.changed: list[str] = []  # their nodes

    def follow(self, numbers: Sequence[int]) -> None:
        for number in numbers:
            if not 0 <= number < len(self.simulation.options):
                count = len(self.simulation.options)
                allowed = f"Expected 0 to {count - 1}." if count else "There are no options."
                raise GameError(f"Step {len(self.path) + 1} cannot be option {number}. {allowed}")
            self._take(number)

    def add_random_steps(self, steps: int, seed: int) -> None:
        """Takes random steps, as far as options and time allow."""
        chance, until = random.Random(seed), time.monotonic() + RANDOM_STEPS_TIME
        for _ in range(min(steps, MOST_STEPS - len(self.path))):
            if not self.simulation.options or time.monotonic() > until:
                return
            self._take(chance.randrange(len(self.simulation.options)))

    def _take(self, number: int) -> None:
        simulation = self.simulation
        before, words = simulation.state, self.options[number].words
        simulation.take(number)
        known = self.kinds
        for name in ("options", "kinds"):
            self.__dict__.pop(name, None)
        self.kinds = {**known, **self.kinds}  # removed nodes keep their last description
        self.path.append(number)
        self.trace.append(words)
        came, went = simulation.difference(before, simulation.state)
        self.came, self.went = list(map(self.describe_edge, came)), list(map(self.describe_edge, went))
        nodes = (node for edge in (*came, *went) for node in (edge.source, edge.target))
        self.changed = list(dict.fromkeys(map(_drawn, nodes)))

    # ── words ────────────────────────────────────────────────────────────────────────────────────

    def describe_node(self, name: str) -> str:
        """A node for a person: its place on the board, or its type, flags and name."""
        drawn = _drawn(name)
        return self.labels.get(name) or " ".join([*self.kinds.get(drawn, ()), drawn])

    @cached_property
    def kinds(self) -> dict[str, list[str]]:
        """The types and flags of all nodes."""
        kinds: dict[str, list[str]] = {}
        for edge in self.simulation.graph.edges:
            if kind_of(edge.label) and edge.source == edge.target:
                kinds.setdefault(edge.source, []).append(name_of(edge.label))
        return {name: sorted(each, key=str.islower) for name, each in kinds.items()}

    def describe_edge(self, edge: Edge) -> str:
        if edge.source == edge.target:
            return f"{self.describe_node(edge.source)}: {edge.label}"
        return f"{self.describe_node(edge.source)} –{edge.label}→ {self.describe_node(edge.target)}"

    @cached_property
    def options(self) -> list[Enabled]:
        """The options of the current state."""
        return [self._describe(number, option) for number, option in enumerate(self.simulation.options)]

    def _describe(self, number: int, option: PossibleStep) -> Enabled:
        nodes = tuple(dict.fromkeys(_drawn(node) for _, node in option.nodes))
        words = self.variant.view.words(option)
        if not words:  # a recipe is described by its effect
            came, went = self.simulation.effect(number)
            effect = [f"+ {self.describe_edge(edge)}" for edge in came]
            effect += [f"− {self.describe_edge(edge)}" for edge in went]
            words = "; ".join(effect[:MOST_EDGES_NAMED]) + " …" * (len(effect) > MOST_EDGES_NAMED)
        return Enabled(number=number, action=option.action, words=words or str(option), nodes=nodes)

    @property
    def touches(self) -> list[ChoiceInfo]:
        """The options that can be chosen on the board."""
        return [
            ChoiceInfo(step=str(number), targets=targets, label=self.options[number].words)
            for targets, number in self.variant.view.targets(self.simulation).items()
        ]


def _drawn(node: str) -> str:
    """The name of a node in a drawing; a new node has only a number."""
    return f"new{node[1:]}" if node.startswith("#") else node


class WalkCache:
    """A cache of walks, each used by one request at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cached: list[ModelWalk] = []  # the last used one is last

    def take(self, variant: Variant, path: Sequence[int]) -> ModelWalk:
        """A walk at the end of a path; the caller owns it until it gives it back."""
        with self._lock:
            same = [walk for walk in self._cached if walk.variant.key == variant.key]
            fitting = [walk for walk in same if list(path[: len(walk.path)]) == walk.path]
            walk = max(fitting, key=lambda walk: len(walk.path), default=None)
            if walk:
                self._cached.remove(walk)
        walk = walk or ModelWalk(variant)
        walk.follow(path[len(walk.path) :])
        return walk

    def give_back(self, walk: ModelWalk) -> None:
        with self._lock:
            self._cached.append(walk)
            del self._cached[:-MOST_CACHED]


def _step_answer(walk: ModelWalk) -> StepAnswer:
    simulation, view = walk.simulation, walk.variant.view
    position = view.position(simulation)
    graph = simulation.graph
    graph.name = "start" if not walk.path else f"after {len(walk.path)} step{'s' * (len(walk.path) > 1)}"
    return StepAnswer(
        path=walk.path,
        trace=walk.trace,
        came=walk.came,
        went=walk.went,
        changed=walk.changed,
        graph=draw.draw_graph(graph, style=False),
        board=None if position is None else position.svg(style=False),
        position=None if position is None else position.text,
        note=" ".join(filter(None, (view.note(simulation), view.legend))),
        enabled=walk.options[:MOST_OPTIONS],
        count=len(walk.options),
        choices=walk.touches,
        final=simulation.final,
        broken=list(simulation.broken),
    )


# ── explorations ─────────────────────────────────────────────────────────────────────────────────


class ExplorationSession(request_parsing.SocketSession[AnyMessage]):
    """The explorations of a model for one client, one at a time."""

    def __init__(self, socket: WebSocket, name: str, services: Services, owner: Owner) -> None:
        super().__init__(socket, Incoming, LONGEST_MESSAGE)
        self._name, self._services, self._owner = name, services, owner
        self._stop: asyncio.Event | None = None  # of the exploration that waits or runs
        self._has_begun = False

    async def follow(self, message: AnyMessage) -> None:
        if isinstance(message, StopExplorationMessage):
            if self._stop and not self._has_begun:  # cancelled while it waits in the queue
                await self.end("explore")
                self._stop = None
                raise GameError("The exploration was cancelled before it started.")
            if self._stop:
                self._stop.set()
            return
        if self._stop:
            raise GameError("Another exploration is still running. Stop it first.")
        texts = tuple(message.options.items())
        try:
            variant = await self._services.background(self._owner.address, _variant, self._name, texts)
        except QueueError as error:
            raise GameError(str(error)) from None
        self._stop, self._has_begun = asyncio.Event(), False
        self.tasks["explore"] = asyncio.create_task(self._explore(variant, message, self._stop))

    async def _explore(self, variant: Variant, message: ExploreMessage, stop: asyncio.Event) -> None:
        """Explores, and sends the progress and at last the results."""
        job = {**message.model_dump(exclude={"type"}), "model": self._name}
        last: dict[str, Any] = {"type": "error", "error": "The exploration ended unexpectedly."}
        try:
            async with self.sending_places() as send_place:

                def on_place(place: int) -> None:
                    self._has_begun = not place
                    send_place(place)

                explored = self._services.explorations.explore(job, stop, owner=self._owner, on_place=on_place)
                async with aclosing(explored) as answers:
                    async for answer in answers:
                        if "done" in answer:
                            last = {"type": "done", **answer["done"], "grammar": variant.grammar.name}
                            break
                        if "states" in answer:
                            await self.send(type="progress", **answer)
                        else:
                            await self.send(type="preparing")
        except WorkerFailed as error:
            last = {"type": "error", "error": str(error)}
        finally:
            self._stop = None  # before its end is sent, as the client may then request another one
        await self.send(**last)
