"""Services of the analysis page: games read and written, the position editor, and the analysis session."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Annotated, Any, Literal, TypeAlias

from pentad.game import GameError, Move, Position, Step
from pentad.jobs.fair_queue import Owner, QueueError
from pentad.jobs.pool import Answers
from pentad.search.exact import summary_of_moves
from pentad.search.move_limit import Limit
from pentad.system.words import phrase
from pentad.web import board_editor, move_tree, opening_explorer, view
from pentad.web.api_types import ChoiceInfo, PositionText, TurnText
from pentad.web.backend import Backend
from pentad.web.engines import Engines, WorkerFailed
from pentad.web.engines.pool import MAX_ANALYSIS_SECONDS
from pentad.web.http import identity
from pentad.web.http.exchange import Caller, JsonText, Socket
from pentad.web.http.socket_sessions import SocketSession
from pentad.web.page_workers import FairThreadPool
from pentad.web.service.router import GET, POST, SOCKET, Nothing, Posted, Route
from pentad.web.typed_json import Length, Range, Reader

MAX_MESSAGE_LENGTH = move_tree.MAX_TEXT_LENGTH + 1000
MAX_NAMES = 100  # the limit is for one request
LOG = logging.getLogger("pentad.web")

Number = Annotated[int, Range(0, 2**53)]
Seconds = Annotated[float, Range(above=0, most=MAX_ANALYSIS_SECONDS)]


@dataclass(frozen=True, kw_only=True)
class TextQuery:
    """A text with a position or a game; `game` is the game of bare moves, `number` the game to read.

    `lines_before` are the lines of the file before the text, for errors.
    """

    text: Annotated[str, Length(move_tree.MAX_TEXT_LENGTH)]
    game: Annotated[str, Length(40)] | None = None
    number: Annotated[int, Range(1)] = 1
    lines_before: Annotated[int, Range(0, 10**9)] = 0


@dataclass(frozen=True, kw_only=True)
class GamesQuery:
    """A part of a file with whole games; `lines_before` are the lines of the file before it, for errors."""

    text: Annotated[str, Length(move_tree.MAX_TEXT_LENGTH)]
    game: Annotated[str, Length(40)] | None = None
    lines_before: Annotated[int, Range(0, 10**9)] = 0


@dataclass(frozen=True, kw_only=True)
class NamesQuery:
    """A position, and names of its moves in an opening tree."""

    position: PositionText
    names: Annotated[list[TurnText], Length(MAX_NAMES)]


@dataclass(frozen=True, kw_only=True)
class LineQuery:
    """A start position, or a game's name with options, and moves; with `as_far` up to the first illegal move."""

    start: PositionText
    moves: Annotated[list[TurnText], Length(move_tree.MOST_NODES)] = field(default_factory=list)
    as_far: bool = False


@dataclass(frozen=True, kw_only=True)
class AnalyseMessage:
    """Analyse a position; reports come with increasing depth.

    With `values` the exact value of every move comes too: before the analysis and with exact lines if that takes about
    a second, else after it; `unsolved` says why there is none.
    """

    type: Literal["analyse"]
    number: Number
    position: PositionText
    seconds: Seconds = 5.0
    lines: Annotated[int, Range(1, 5)] = 3
    values: bool = False


@dataclass(frozen=True, kw_only=True)
class ValuesMessage:
    """Ask for the exact value of every move."""

    type: Literal["values"]
    number: Number
    position: PositionText


@dataclass(frozen=True, kw_only=True)
class ReviewMessage:
    """Review a game, with so many seconds for each move."""

    type: Literal["review"]
    number: Number
    record: Annotated[str, Length(move_tree.MAX_TEXT_LENGTH)]
    seconds: Seconds = 1.0


@dataclass(frozen=True, kw_only=True)
class StopAnalysisMessage:
    """End all requests, or only the kind in `what`."""

    type: Literal["stop"]
    what: Literal["analyse", "values", "review"] | None = None


Question: TypeAlias = AnalyseMessage | ValuesMessage | ReviewMessage
Incoming = Reader[Question | StopAnalysisMessage](Question | StopAnalysisMessage)


@dataclass(frozen=True)
class OpeningsRequest:
    """A position whose openings are looked up."""

    position: PositionText


@dataclass(frozen=True)
class PiecesRequest:
    """A board to edit, and the side from which it is drawn."""

    position: PositionText
    flip: bool = False


async def read(backend: Backend, caller: Caller, request: Posted[TextQuery]) -> JsonText[move_tree.Tree]:
    """The game in a text: pentad's own format, JSON, SGF, PSQ, PGN, a position, or typed moves."""
    query = request.body
    return await backend.workers.answer(
        caller, move_tree.read_text, query.text, query.game, query.number, query.lines_before
    )


async def games(backend: Backend, caller: Caller, request: Posted[GamesQuery]) -> JsonText[opening_explorer.GamePlies]:
    """The moves and results of the first games in a part of a file, for an opening tree."""
    query = request.body
    return await backend.workers.answer(caller, opening_explorer.read_games, query.text, query.game, query.lines_before)


async def openings(backend: Backend, caller: Caller, request: OpeningsRequest) -> opening_explorer.Openings:
    """The moves played from a position in the finished games that are stored here."""
    here = await backend.background(caller, view.read_position, request.position)
    known = await backend.archive.tree(here.game)
    return await backend.background(caller, opening_explorer.openings, here, *known)


async def moves(backend: Backend, caller: Caller, request: Posted[NamesQuery]) -> JsonText[opening_explorer.NamedMoves]:
    """The moves of a position by their names, as the page finds them in files."""
    query = request.body
    return await backend.workers.answer(caller, opening_explorer.named_moves, query.position, query.names)


async def line(backend: Backend, caller: Caller, request: Posted[LineQuery]) -> JsonText[move_tree.Tree]:
    """The game of a link: a start position and moves."""
    query = request.body
    return await backend.workers.answer(caller, move_tree.read_line, query.start, query.moves, as_far=query.as_far)


async def write(backend: Backend, caller: Caller, request: Posted[move_tree.TreeRequest]) -> move_tree.Written:
    """A game as text."""
    return await backend.workers(caller, move_tree.write_tree, request.body)


async def pieces(backend: Backend, caller: Caller, request: PiecesRequest) -> board_editor.Draft:
    """What can be edited on a board."""
    return await backend.background(caller, board_editor.draft, request.position, request.flip)


async def edit(backend: Backend, caller: Caller, request: Posted[board_editor.Edit]) -> board_editor.Draft:
    """A board after an edit."""
    return await backend.background(caller, board_editor.edit, request.body)


async def engine(backend: Backend, caller: Caller, request: Nothing, socket: Socket) -> None:
    """An analysis session."""
    owner = await identity.owner(backend.store, caller)
    await AnalysisSession(socket, backend.engines, backend.background, owner).serve()


ROUTES = (
    Route(POST, "/api/study/read", read),
    Route(POST, "/api/study/games", games),
    Route(GET, "/api/study/openings", openings),
    Route(POST, "/api/study/openings/moves", moves),
    Route(POST, "/api/study/line", line),
    Route(POST, "/api/study/write", write),
    Route(GET, "/api/study/pieces", pieces),
    Route(POST, "/api/study/edit", edit),
    Route(SOCKET, "/api/study/engine", engine),
)


# ── analysis sessions ────────────────────────────────────────────────────────────────────────────


class AnalysisSession(SocketSession[Question | StopAnalysisMessage]):
    """The engine requests of one client. There is one of each kind at a time: a new one replaces the one before."""

    def __init__(
        self, socket: Socket, engines: Engines, background: FairThreadPool, owner: Owner, who: str | None = None
    ) -> None:
        """`owner` is the owner of these requests in the queues; a bot `who` finds moves without values."""
        super().__init__(socket, Incoming, MAX_MESSAGE_LENGTH, number=None)
        self._engines, self._owner, self._who = engines, owner, who
        self._background = partial(background.run, owner)  # the choices of a position can take long

    async def follow(self, message: Question | StopAnalysisMessage) -> None:
        """Answers a request, or ends some."""
        if isinstance(message, StopAnalysisMessage):
            await self.end(*([message.what] if message.what else self.tasks))
        else:
            await self.end(message.type)
            self.tasks[message.type] = asyncio.create_task(self._answer(message))

    async def _answer(self, message: Question) -> None:
        """Answers one request; an error is one line."""
        about = {"what": message.type, "number": message.number}
        try:
            async with self.sending_places(**about) as on_place:
                asked: dict[str, Any] = {"owner": self._owner, "on_place": on_place}
                if self._who:
                    await self._choose(message, about, asked)
                elif isinstance(message, AnalyseMessage):
                    await self._analyse(message, about, asked)
                elif isinstance(message, ReviewMessage):
                    plies = self._engines.review(message.record, seconds=message.seconds, **asked)
                    await self._send_all(plies, {"type": "ply", **about})
                else:
                    position = await self._background(partial(view.read_position, message.position))
                    answer = await self._engines.values(position, **asked)
                    await self.send(**await self._values(position, answer), **about)
            await self.send(type="done", **about)
        except (GameError, QueueError, WorkerFailed) as error:
            await self.send(type="error", **about, error=str(error))
        except Exception as error:  # a bug: its traceback is in the server's log
            LOG.exception("Internal error in %s.", message.type)
            text = phrase("Internal error (a bug in pentad): {kind}.", kind=type(error).__name__)
            await self.send(type="error", **about, error=text)

    async def _analyse(self, message: AnalyseMessage, about: Mapping[str, Any], asked: Mapping[str, Any]) -> None:
        position = await self._background(partial(view.read_position, message.position))

        async def solve() -> bool:
            """Sends the exact values and then the best lines, or why there are none. Returns whether lines came."""
            has_lines = False
            await self.send(type="solving", **about)
            try:
                async with aclosing(self._engines.solved(position, lines=message.lines, **asked)) as answers:
                    async for answer in answers:
                        if "lines" in answer:
                            has_lines = True
                            await self.send(**{**answer, "type": "report"}, **about)
                        else:
                            await self.send(**await self._values(position, answer), **about)
            except (GameError, QueueError, WorkerFailed) as error:
                await self.send(type="unsolved", error=str(error), **about)
            return has_lines

        at_once = message.values and self._engines.solves_at_once(position)
        if at_once and await solve():
            return
        reports = self._engines.analysis(position, seconds=message.seconds, lines=message.lines, **asked)
        await self._send_all(reports, {"type": "report", **about})
        if message.values and not at_once:
            await solve()

    async def _choose(self, message: Question, about: Mapping[str, Any], asked: Mapping[str, Any]) -> None:
        """Sends the move of the bot as a line without a value."""
        if not isinstance(message, AnalyseMessage):
            raise GameError("{who} only suggests moves; it gives no evaluation.", who=self._who)
        position = await self._background(partial(view.read_position, message.position))
        began = time.monotonic()
        text = await self._engines.move(
            position, self._who, seed=0, limit=Limit(seconds=message.seconds), programs=True, **asked
        )
        move = position.parse(text)
        line: dict[str, Any] = {
            "moves": [text],
            "notation": [position.notation(move)],
            "words": position.describe(move),
        }
        line |= {"value": None, "values": None, "claim": ""}
        spent = round(time.monotonic() - began, 3)
        report = {"seat": position.turn, "depth": 0, "nodes": 0, "seconds": spent, "exact": False, "player": self._who}
        await self.send(type="report", **report, lines=[line], **about)

    async def _values(self, position: Position, answer: Mapping[str, Any]) -> dict[str, Any]:
        """The message with exact values."""
        value = answer["value"]
        return {
            "type": "values",
            "value": value,
            "values": [value if seat == position.turn else -value for seat in range(position.players)],
            "moves": await self._background(partial(valued, position, answer["moves"])),
            "unknown": answer["unknown"],
            "summary": summary_of_moves(answer["moves"].values(), answer["unknown"]),
        }

    async def _send_all(self, answers: Answers, more: Mapping[str, Any]) -> None:
        async with aclosing(answers):
            async for answer in answers:
                await self.send(**{**answer, **more})


def valued(position: Position, values: Mapping[str, int]) -> list[dict[str, Any]]:
    """The moves and their exact values for the seat to move, with the targets of their steps."""

    @cache
    def choices(before: tuple[Step, ...]) -> dict[Step, ChoiceInfo]:
        return {each.step: view.infos_of(each)[0] for each in position.choices(Move(before))}

    def steps(move: Move) -> list[ChoiceInfo]:
        return [choices(tuple(move[:i]))[step] for i, step in enumerate(move)]

    return [{"move": text, "steps": steps(position.parse(text)), "value": value} for text, value in values.items()]
