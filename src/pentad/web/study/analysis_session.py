"""Analysis session: the engine requests of one client over its socket.

There is one request of each kind at a time: a new one replaces the one before. All end when the client leaves.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Hashable, Iterator, Mapping
from contextlib import aclosing
from functools import partial
from typing import Annotated, Any, Literal, Protocol, TypeAlias

from fastapi import WebSocket
from pydantic import Field, TypeAdapter

from pentad.game import GameError, Move, Position, Step
from pentad.jobs.fair_queue import PlaceCallback
from pentad.store.detached_threads import run_detached
from pentad.web import view
from pentad.web.api import LONGEST_POSITION, ChoiceInfo, Model
from pentad.web.engines import WorkerFailed
from pentad.web.http import request_parsing
from pentad.web.study.study_text import LONGEST_TEXT

LONGEST_MESSAGE = LONGEST_TEXT + 1000  # characters of one message
LONGEST_SECONDS = 60.0
LOG = logging.getLogger("pentad.web")

Answers: TypeAlias = AsyncGenerator[dict[str, Any], None]
Number = Annotated[int, Field(ge=0, le=2**53)]


class Engines(Protocol):
    """What a session needs of the engines."""

    def analysis(
        self, position: Position, *, seconds: float, lines: int, owner: object, on_place: PlaceCallback | None = None
    ) -> Answers: ...

    async def values(
        self, position: Position, *, owner: object, on_place: PlaceCallback | None = None
    ) -> dict[str, Any]: ...

    def solved(
        self, position: Position, *, lines: int, owner: object, on_place: PlaceCallback | None = None
    ) -> Answers: ...

    def solves_at_once(self, position: Position) -> bool: ...

    def review(
        self, record_text: str, *, seconds: float, owner: object, on_place: PlaceCallback | None = None
    ) -> Answers: ...


# ── from a client ────────────────────────────────────────────────────────────────────────────────

Seconds = Annotated[float, Field(gt=0, le=LONGEST_SECONDS, allow_inf_nan=False)]


class AnalyseMessage(Model):
    """Analyse a position; reports come with increasing depth.

    With `values` the exact value of every move comes too: before the analysis and with exact lines if that takes about
    a second, else after it; `unsolved` says why there is none.
    """

    type: Literal["analyse"]
    number: Number
    position: str = Field(max_length=LONGEST_POSITION)
    seconds: Seconds = 5.0
    lines: int = Field(3, ge=1, le=5)
    values: bool = False


class ValuesMessage(Model):
    """Ask for the exact value of every move."""

    type: Literal["values"]
    number: Number
    position: str = Field(max_length=LONGEST_POSITION)


class ReviewMessage(Model):
    """Review a game, with so many seconds for each move."""

    type: Literal["review"]
    number: Number
    record: str = Field(max_length=LONGEST_TEXT)
    seconds: Seconds = 1.0


class StopMessage(Model):
    """End all requests, or only the kind in `what`."""

    type: Literal["stop"]
    what: Literal["analyse", "values", "review"] | None = None


Question: TypeAlias = AnalyseMessage | ValuesMessage | ReviewMessage
Incoming: TypeAdapter[Question | StopMessage] = TypeAdapter(
    Annotated[Question | StopMessage, Field(discriminator="type")]
)


# ── to a client ──────────────────────────────────────────────────────────────────────────────────


class Valued(Model):
    """A move and its exact value for the seat to move, with the targets of its steps."""

    move: str
    steps: list[ChoiceInfo]
    value: int


def valued(position: Position, values: Mapping[str, int]) -> list[Valued]:
    """The values of moves, with targets for the board."""
    known: dict[tuple[Step, ...], dict[Step, ChoiceInfo]] = {}
    return [
        Valued(move=text, steps=list(_touched(position, position.parse(text), known)), value=value)
        for text, value in values.items()
    ]


async def _values(position: Position, answer: Mapping[str, Any]) -> dict[str, Any]:
    """The message with exact values."""
    moves = await asyncio.wrap_future(run_detached(partial(valued, position, answer["moves"]), "pentad-values"))
    return {
        "type": "values",
        "value": answer["value"],
        "values": [answer["value"] if seat == position.turn else -answer["value"] for seat in range(position.players)],
        "moves": [each.model_dump() for each in moves],
    }


def _touched(
    position: Position, move: Move, known: dict[tuple[Step, ...], dict[Step, ChoiceInfo]]
) -> Iterator[ChoiceInfo]:
    for i, step in enumerate(move):
        before = tuple(move[:i])
        if before not in known:
            known[before] = {each.step: view.choice_of(each) for each in position.choices(before)}
        yield known[before][step]


# ── the session ──────────────────────────────────────────────────────────────────────────────────


class AnalysisSession:
    """A client and its requests."""

    def __init__(self, socket: WebSocket, engines: Engines, owner: Hashable) -> None:
        """`owner` is the owner of these requests in the engines' queue."""
        self._owner = owner
        self._socket = socket
        self._engines = engines
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._lock = asyncio.Lock()  # sends one message at a time

    async def serve(self) -> None:
        """Answers requests until the client leaves."""
        try:
            async for text in request_parsing.texts(self._socket):
                try:
                    await self._take(request_parsing.read_message(Incoming, text, LONGEST_MESSAGE))
                except GameError as error:
                    await self._send({"type": "error", "number": None, "error": str(error)})
        finally:
            await self._end(*self._tasks)

    async def _take(self, message: Question | StopMessage) -> None:
        if isinstance(message, StopMessage):
            await self._end(*([message.what] if message.what else self._tasks))
            return
        await self._end(message.type)
        self._tasks[message.type] = asyncio.create_task(self._answer(message))

    async def _end(self, *kinds: str) -> None:
        """Cancels these searches, and waits for their end."""
        tasks = [self._tasks.pop(kind) for kind in tuple(kinds) if kind in self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _answer(self, message: Question) -> None:
        """Answers one request; an error is one line."""
        about = {"what": message.type, "number": message.number}
        queued: asyncio.Queue[int] = asyncio.Queue()
        reporting = asyncio.create_task(self._send_places(queued, about))
        try:
            async with aclosing(self._messages(message, queued.put_nowait)) as answers:
                async for answer in answers:
                    await self._send({**answer, **about})
            await self._send({"type": "done", **about})
        except (GameError, WorkerFailed) as error:
            await self._send({"type": "error", **about, "error": str(error)})
        except Exception as error:  # a bug: its traceback is in the server's log
            LOG.exception("Internal error in %s.", message.type)
            text = f"Internal error (a bug in pentad): {type(error).__name__}."
            await self._send({"type": "error", **about, "error": text})
        finally:
            reporting.cancel()

    async def _messages(self, message: Question, on_place: PlaceCallback) -> Answers:
        engines = self._engines
        if isinstance(message, ReviewMessage):
            plies = engines.review(message.record, seconds=message.seconds, owner=self._owner, on_place=on_place)
            async with aclosing(plies):
                async for ply in plies:
                    yield {**ply, "type": "ply"}
            return
        position = view.read_position(message.position)
        if isinstance(message, ValuesMessage):
            values = await engines.values(position, owner=self._owner, on_place=on_place)
            yield await _values(position, values)
            return
        at_once = message.values and engines.solves_at_once(position)
        if at_once:
            is_solved = False
            yield {"type": "solving"}
            async with aclosing(self._solved(message, position, on_place)) as answers:
                async for answer in answers:
                    is_solved = is_solved or answer["type"] == "report"
                    yield answer
            if is_solved:
                return
        reports = engines.analysis(
            position, seconds=message.seconds, lines=message.lines, owner=self._owner, on_place=on_place
        )
        async with aclosing(reports):
            async for report in reports:
                yield {**report, "type": "report"}
        if message.values and not at_once:
            yield {"type": "solving"}
            async with aclosing(self._solved(message, position, on_place)) as answers:
                async for answer in answers:
                    yield answer

    async def _solved(self, message: AnalyseMessage, position: Position, on_place: PlaceCallback) -> Answers:
        """The exact values and then the best lines, or why there are none."""
        answers = self._engines.solved(position, lines=message.lines, owner=self._owner, on_place=on_place)
        try:
            async with aclosing(answers):
                async for answer in answers:
                    yield {**answer, "type": "report"} if "lines" in answer else await _values(position, answer)
        except (GameError, WorkerFailed) as error:
            yield {"type": "unsolved", "error": str(error)}

    async def _send_places(self, places: asyncio.Queue[int], about: Mapping[str, Any]) -> None:
        while True:
            await self._send({"type": "waiting", **about, "place": await places.get()})

    async def _send(self, message: Mapping[str, Any]) -> None:
        with contextlib.suppress(Exception):  # `serve` notices a lost connection and ends everything
            async with self._lock:
                await self._socket.send_json(message)
