"""Services of the models page: graph grammars of games and puzzles, simulated step by step, and explored.

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
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from typing import Annotated, Any, Generic, Literal, TypeAlias

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
from pentad.web.api_types import ChoiceInfo, OptionInfo
from pentad.web.backend import MOST_SECONDS, MOST_STATES, Backend
from pentad.web.engines import WorkerFailed
from pentad.web.http import identity
from pentad.web.http.client_address import owner_at
from pentad.web.http.exchange import Caller, JsonText, Response, Socket
from pentad.web.http.socket_sessions import SocketSession
from pentad.web.messages import MAX_MESSAGE_LENGTH
from pentad.web.service.router import GET, POST, SOCKET, SVG, Body, Nothing, Route
from pentad.web.typed_json import Length, Range, Reader

MAX_FORMULA_LENGTH = 400
MAX_PATH_STEPS = 400
RANDOM_STEPS_SECONDS = 2.0
MAX_START_NODES, MAX_START_EDGES = 250, 1500
MAX_OPTIONS = 3000  # a state may have more, which are not sent
MAX_CACHED_WALKS = 12
SOLVING_SECONDS = 5.0  # a game whose moves get values is solved within it
MAX_NAMED_EDGES = 3  # the words of a recipe name so many

Options = Annotated[dict[Annotated[str, Length(40)], Annotated[str, Length(40)]], Length(20)]
Number = Annotated[int, Range(0, 99_999)]
Path = Annotated[list[Number], Length(MAX_PATH_STEPS)]


@dataclass(frozen=True, kw_only=True)
class ModelInfo:
    """A model and its options."""

    name: str
    title: str
    game: str | None
    summary: str
    options: list[OptionInfo]


@dataclass(frozen=True, kw_only=True)
class ModelList:
    """All models, and the limits for simulations and explorations."""

    models: list[ModelInfo]
    most_steps: int
    most_states: int
    most_seconds: float


@dataclass(frozen=True, kw_only=True)
class PartPicture:
    """A part of a grammar and its picture; `text` is the picture's heading, or a program's text."""

    name: str
    text: str
    svg: str


@dataclass(frozen=True, kw_only=True)
class ModelAnswer:
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


@dataclass(frozen=True, kw_only=True)
class Enabled:
    """An option: its number, its rule or recipe, and its nodes of the graph."""

    number: int
    action: str
    words: str
    nodes: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class StepQuery:
    """A path from the start, and the number of random steps to add."""

    options: Options = field(default_factory=dict)
    path: Path = field(default_factory=list)
    chance: Annotated[int, Range(0, MAX_PATH_STEPS)] = 0
    seed: Annotated[int, Range(0, 2**53 - 1)] | None = None


@dataclass(frozen=True, kw_only=True)
class StepAnswer:
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


@dataclass(frozen=True, kw_only=True)
class ValuesQuery:
    """A path from the start."""

    options: Options = field(default_factory=dict)
    path: Path = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class MoveValue:
    """An option's number and its value for the player to move: 1 for a win in so many steps, 0, -1, or unknown."""

    number: int
    value: int | None
    distance: int | None
    best: bool


@dataclass(frozen=True, kw_only=True)
class ValuesAnswer:
    """The value of a state of a game for the player to move, and of its moves, the best first.

    Of a game that is too large only those values are known that no unexplored state can change.
    """

    value: int | None
    distance: int | None
    moves: list[MoveValue]
    states: int
    complete: bool


@dataclass(frozen=True, kw_only=True)
class ExploreMessage:
    """Explore a model breadth-first from its start; `property` is a CTL formula to check at the end."""

    type: Literal["explore"]
    options: Options = field(default_factory=dict)
    states: Annotated[int, Range(1, MOST_STATES)] = 20_000
    seconds: Annotated[float, Range(0.1, MOST_SECONDS)] = 5.0
    depth: Annotated[int, Range(0, 10_000)] | None = None
    property: Annotated[str, Length(MAX_FORMULA_LENGTH)] = ""


@dataclass(frozen=True, kw_only=True)
class StopExplorationMessage:
    """End the exploration with its results so far."""

    type: Literal["stop"]


Texts: TypeAlias = tuple[tuple[str, str], ...]  # options and their values
AnyMessage: TypeAlias = ExploreMessage | StopExplorationMessage
Incoming = Reader[AnyMessage](AnyMessage)


@dataclass(frozen=True)
class ModelRequest:
    """A model with options."""

    name: str
    query: Options = field(default_factory=dict)


@dataclass(frozen=True)
class ModelNameRequest:
    """A model with its default options."""

    name: str


@dataclass(frozen=True)
class OfModel(Generic[Body]):
    """A request about a model."""

    name: str
    body: Body


async def models(backend: Backend, caller: Caller, request: Nothing) -> ModelList:
    """All models."""
    return ModelList(
        models=[_info(name) for name in MODELS],
        most_steps=MAX_PATH_STEPS,
        most_states=MOST_STATES,
        most_seconds=MOST_SECONDS,
    )


async def model(backend: Backend, caller: Caller, request: ModelRequest) -> JsonText[ModelAnswer]:
    """A model with the options in the query."""
    return await backend.workers.answer(caller, _described, request.name, tuple(request.query.items()))


async def picture(backend: Backend, caller: Caller, request: ModelNameRequest) -> Response:
    """The start graph of a model as a separate picture."""
    svg = await backend.workers(caller, _start_picture, request.name)
    return Response(svg, {"Cache-Control": "max-age=3600"})


async def files(backend: Backend, caller: Caller, request: ModelRequest) -> Response:
    """The grammar in GROOVE's format, as a zip."""
    grammar, data = await backend.workers(caller, _zipped, request.name, tuple(request.query.items()))
    return Response(data, {"Content-Disposition": f'attachment; filename="{grammar}.gps.zip"'})


async def step(backend: Backend, caller: Caller, request: OfModel[StepQuery]) -> JsonText[StepAnswer]:
    """The end of a path."""
    return await backend.workers.answer(caller, go, request.name, request.body)


async def values(backend: Backend, caller: Caller, request: OfModel[ValuesQuery]) -> ValuesAnswer:
    """The values of the moves at the end of a path, in a model of a game."""
    name, options = request.name, request.body.options
    # raises what is wrong with them
    await backend.workers(caller, _grammar_name, name, tuple(options.items()))
    job = {"model": name, "options": options, "path": request.body.path, "seconds": SOLVING_SECONDS}
    try:
        return ValuesAnswer(**await backend.explorations.values(job, owner=owner_at(object(), caller.address)))
    except WorkerFailed as error:
        raise GameError(str(error)) from None


async def explore(backend: Backend, caller: Caller, request: ModelNameRequest, socket: Socket) -> None:
    """Explorations for one client, one at a time."""
    owner = await identity.owner(backend.store, caller)
    await ExplorationSession(socket, request.name, backend, caller, owner).serve()


ROUTES = (
    Route(GET, "/api/models", models),
    Route(GET, "/api/models/{name}", model),
    Route(GET, "/api/models/{name}/start.svg", picture, media=SVG),
    Route(GET, "/api/models/{name}/grammar.zip", files, media="application/zip"),
    Route(POST, "/api/models/{name}/step", step),
    Route(POST, "/api/models/{name}/values", values),
    Route(SOCKET, "/api/models/{name}/explore", explore),
)


def go(name: str, query: StepQuery) -> StepAnswer:
    """The end of a path, after some more random steps."""
    walk = WALKS.take(_variant(name, tuple(query.options.items())), query.path)
    if query.chance:
        walk.add_random_steps(query.chance, random.getrandbits(32) if query.seed is None else query.seed)
    answer = _step_answer(walk)
    WALKS.give_back(walk)
    return answer


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
        for things, count, most in (
            ("nodes", len(graph.nodes), MAX_START_NODES),
            ("edges", len(graph.edges), MAX_START_EDGES),
        ):
            if count > most:
                raise GameError(
                    "Expected at most {most:,} {things} in the start graph, got {count:,} with these options.",
                    most=most,
                    things=things,
                    count=count,
                )

    @cached_property
    def view(self) -> ModelView:
        view = view_of(self.grammar)
        assert view is not None
        return view


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


def _grammar_name(name: str, options: Texts) -> str:
    """The name of a variant's grammar; `GameError` if there is no such variant."""
    return _variant(name, options).grammar.name


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
        self.came: list[str] = []  # the last step has added these edges, and removed those below
        self.went: list[str] = []
        self.changed: list[str] = []  # the ends of these edges

    def follow(self, numbers: Sequence[int]) -> None:
        for number in numbers:
            if not 0 <= number < len(self.simulation.options):
                count = len(self.simulation.options)
                allowed = f"Expected 0 to {count - 1}." if count else "There are no options."
                raise GameError(
                    "Step {count} cannot be option {number}. {allowed}",
                    count=len(self.path) + 1,
                    number=number,
                    allowed=allowed,
                )
            self._take(number)

    def add_random_steps(self, steps: int, seed: int) -> None:
        """Takes random steps, as far as options and time allow."""
        chance, until = random.Random(seed), time.monotonic() + RANDOM_STEPS_SECONDS
        for _ in range(min(steps, MAX_PATH_STEPS - len(self.path))):
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
            words = "; ".join(effect[:MAX_NAMED_EDGES]) + " …" * (len(effect) > MAX_NAMED_EDGES)
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
            del self._cached[:-MAX_CACHED_WALKS]


WALKS = WalkCache()


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
        enabled=walk.options[:MAX_OPTIONS],
        count=len(walk.options),
        choices=walk.touches,
        final=simulation.final,
        broken=list(simulation.broken),
    )


# ── explorations ─────────────────────────────────────────────────────────────────────────────────


class ExplorationSession(SocketSession[AnyMessage]):
    """The explorations of a model for one client, one at a time."""

    def __init__(self, socket: Socket, name: str, backend: Backend, caller: Caller, owner: Owner) -> None:
        super().__init__(socket, Incoming, MAX_MESSAGE_LENGTH)
        self._name, self._backend, self._caller, self._owner = name, backend, caller, owner
        self._stop: asyncio.Event | None = None  # the event ends the exploration that waits or runs
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
            grammar = await self._backend.workers(self._caller, _grammar_name, self._name, texts)
        except QueueError as error:
            raise GameError(str(error)) from None
        self._stop, self._has_begun = asyncio.Event(), False
        self.tasks["explore"] = asyncio.create_task(self._explore(grammar, message, self._stop))

    async def _explore(self, grammar: str, message: ExploreMessage, stop: asyncio.Event) -> None:
        """Explores, and sends the progress and at last the results."""
        job = {name: value for name, value in vars(message).items() if name != "type"} | {"model": self._name}
        last: dict[str, Any] = {"type": "error", "error": "The exploration ended unexpectedly."}
        try:
            async with self.sending_places() as send_place:

                def on_place(place: int) -> None:
                    self._has_begun = not place
                    send_place(place)

                explored = self._backend.explorations.explore(job, stop, owner=self._owner, on_place=on_place)
                async with aclosing(explored) as answers:
                    async for answer in answers:
                        if "done" in answer:
                            last = {"type": "done", **answer["done"], "grammar": grammar}
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
