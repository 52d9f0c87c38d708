"""Server of a text protocol: it reads commands in one thread and searches for moves in another.

A `ProtocolSession` has the state of the protocol and the reply to each line, without input, output or waiting. A reply
is immediate, or contains a `MoveRequest`: a position for which the server's engine chooses a move. The server passes
the move to `move_chosen`, which returns the rest of the reply. No engine is imported before a reply needs one.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, cast

from pentad.bridges.text_lines import MAX_LINE_LENGTH, LineReader
from pentad.game import Move, Position, shorten
from pentad.kernels import cache
from pentad.search.bot import Bot, EngineBot, Listener
from pentad.search.move_limit import DEFAULT_SECONDS, Limit
from pentad.search.report import Report, Result
from pentad.system.memory import used_memory
from pentad.system.words import phrase

# ── the session ───────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """A request for a move: the position and the limit of the search, which has seconds.

    With `waits_for_stop` the move is held back until a command stops the search.
    """

    position: Position
    limit: Limit
    waits_for_stop: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply to a line: lines to write now, an optional request for a move, and whether the session ends."""

    lines: tuple[str, ...] = ()
    request: MoveRequest | None = None
    ends_session: bool = False


NOTHING = Reply()


class ProtocolSession(ABC):
    """A conversation with a manager."""

    urgent: ClassVar[frozenset[str]]  # the words of commands that stop a search in progress
    farewell: ClassVar[str]  # the word of the command that ends the session
    while_preparing: ClassVar[frozenset[str]]  # the words of commands that are executed while the engine is prepared
    while_searching: ClassVar[frozenset[str]] = frozenset()  # the words of commands that are executed while it searches
    longest_line: ClassVar[int] = MAX_LINE_LENGTH
    reports: ClassVar[bool] = False  # whether it writes lines about a search, while it runs and at its end

    def __init__(self, make: Callable[[], Bot]) -> None:
        self.make = make  # makes the bot that plays; another function stands for another bot
        self.max_memory_bytes: int | None = None  # None if there is no limit
        self.ponders: bool | None = None  # whether the bot ponders; None leaves it to the bot

    @abstractmethod
    def word_of(self, line: str) -> str:
        """The word of the command in a line."""

    @abstractmethod
    def take(self, line: str) -> Reply:
        """The reply to a line."""

    @abstractmethod
    def move_chosen(self, move: Move) -> Reply:
        """The reply after the move of the last request was chosen."""

    @abstractmethod
    def no_move(self, why: str) -> Reply:
        """The reply if no move could be chosen."""

    @property
    @abstractmethod
    def here(self) -> Position | None:
        """The current position, if there is one."""

    @abstractmethod
    def needs_engine(self, line: str, reply: Reply) -> bool:
        """Whether the reply to a line waits until the engine is prepared."""

    @abstractmethod
    def example(self) -> Position:
        """A position for which the engine is prepared."""

    @abstractmethod
    def remark(self, text: str) -> str:
        """A remark to the manager as a line."""

    def searched(self, found: Result, seconds: float) -> Sequence[str]:
        """The lines about a search, in progress or at its end, after so many seconds."""
        return ()


# ── the engine ────────────────────────────────────────────────────────────────────────────────────

WARM_UP_SECONDS = 0.01  # the first search only prepares the engine
MIN_TABLE_BYTES = 1 << 20  # the bot has so large a transposition table whatever the manager's limit


class BackgroundBot:
    """The bot, created and warmed up in the background.

    A bot with a method `stop` can end a search early. A bot with an attribute `ponders` searches during the opponent's
    turn if that is set, from its move until the next `play` or `stop_pondering`.
    """

    def __init__(self, make: Callable[[], Bot]) -> None:
        self.make = make
        self._bot: Bot | None = None
        self._table_bytes = self._other_bytes = 0
        self.ready = threading.Event()
        self._begun = False
        self.share: float | None = None  # progress of the compilation, if there is one

    def prepare(self, example: Callable[[], Position]) -> None:
        """Starts the preparation once, for games like the example."""
        if not self._begun:
            self._begun = True
            threading.Thread(target=self._warm_up, args=(example(),), daemon=True).start()

    def _warm_up(self, here: Position) -> None:
        """Lets another bot of the same kind search for a moment, so that everything is compiled and loaded."""
        # Errors show again, and are reported, when the bot has to move.
        with contextlib.suppress(Exception), cache.listening(self._on_progress):
            self.make().choose(here, seconds=WARM_UP_SECONDS)
        self.ready.set()

    def _on_progress(self, _: str, share: float | None) -> None:
        self.share = share

    def play(
        self,
        request: MoveRequest,
        session: ProtocolSession,
        threads: int,
        listener: Listener | None = None,
    ) -> Result | str:
        """The bot's result, or an error; sets its `threads`, `memory` (in bytes) and `ponders` if it has them.

        A `listener` gets a report whenever the search has become deeper.
        """
        try:
            if self._bot is None:
                self._bot = self.make()
                self._table_bytes, self._other_bytes = getattr(self._bot, "memory", 0), used_memory()
            bot = cast(Any, self._bot)
            if threads and hasattr(bot, "threads"):
                bot.threads = threads
            if hasattr(bot, "memory"):
                memory = self._table_bytes
                if session.max_memory_bytes is not None:  # the limit of the whole process
                    memory = min(memory, max(session.max_memory_bytes - self._other_bytes, MIN_TABLE_BYTES))
                bot.memory = memory
            if session.ponders is not None and hasattr(bot, "ponders"):
                bot.ponders = session.ponders
            return _play(self._bot, request, listener)
        except Exception as error:  # the manager needs an answer even if the bot fails
            return phrase("The bot failed ({kind}): {error}", kind=type(error).__name__, error=shorten(str(error), 200))

    def call(self, method: str) -> None:
        """Calls the bot's `stop` or `stop_pondering`, if it has that."""
        if found := getattr(self._bot, method, None):
            found()

    def abandon(self) -> None:
        """Leaves a search that does not stop to itself; the next move is another bot's."""
        self._bot = None


def _play(bot: Bot, request: MoveRequest, listener: Listener | None) -> Result:
    """A bot's result; one that observes no limit of depth or nodes that is given searches for a short time.

    A search with such a limit, or without an end, leaves the opening book aside.
    """
    limit = request.limit
    given = {name for name in ("depth", "nodes") if getattr(limit, name) is not None}
    if given and not given & bot.limited_by:
        limit = replace(limit.within(DEFAULT_SECONDS), depth=None, nodes=None)
    if not isinstance(bot, EngineBot):
        return bot.play(request.position, limit)
    is_search = request.waits_for_stop or bool(given & bot.limited_by)
    return bot.play(request.position, limit, listener=listener, book=not is_search)


# ── the server ────────────────────────────────────────────────────────────────────────────────────

POLL_SECONDS, STOP_POLL_SECONDS = 0.05, 0.005  # a search that must stop is checked more often
STOP_SECONDS = 5.0  # the first legal move is played for a bot that takes longer to stop
MAX_QUEUED_COMMANDS = 4096
URGENT_SECONDS = 0.05  # an urgent command leaves so long for a move
FAREWELL_SECONDS, EOF_SECONDS = 0.5, 10.0  # the last answer may take so long after the farewell or the end of input
MESSAGE_SECONDS = 5.0

Read = Callable[[], bytes]
Write = Callable[[str], None]


class ProtocolServer:
    """A session from its first line to its last."""

    def __init__(self, session: ProtocolSession, read: Read, write: Write, threads: int = 0) -> None:
        """`read` returns some bytes, none at the end; `threads` is for bots that support it, 0 leaves it to the bot."""
        self.session, self.engine = session, BackgroundBot(session.make)
        self._read, self._write, self._threads = read, write, threads
        self._lines: queue.Queue[str | None] = queue.Queue(MAX_QUEUED_COMMANDS)
        self._deferred: list[str | None] = []  # a line waits here for the engine
        self._line_number = 0
        self._urgent_until_line = 0
        # reports while a search runs, and its result; None only ends the waiting
        self._done: queue.SimpleQueue[Report | Result | str | None] = queue.SimpleQueue()
        self._reported: Result | None = None  # the last report on a running search had it
        self._pondered: Position | None = None  # the position after the last move
        self._end: tuple[float, float] | None = None  # the time of the farewell or of the end of input, and the timeout

    def run(self) -> None:
        """Answers lines until the farewell or the end of the input."""
        threading.Thread(target=self._listen, daemon=True).start()
        try:
            while (line := self._next_line()) is not None:
                self._line_number += 1
                reply = self.session.take(line)
                if reply.request is None:
                    # Pondering stops if the board has changed, or after a command that stops the search.
                    here = self.session.here
                    same = here is not None and here is self._pondered
                    if not same or self.session.ponders is False or self._word(line) in self.session.urgent:
                        self.engine.call("stop_pondering")
                if self.session.make is not self.engine.make:
                    self.engine.call("close")
                    self.engine = BackgroundBot(self.session.make)
                if self.session.needs_engine(line, reply) and not self._wait_for_engine():
                    return
                if not self._answer(reply):
                    return
                if reply.request is not None:
                    self._pondered = self.session.here
        finally:
            self.engine.call("stop_pondering")

    def _next_line(self) -> str | None:
        while not self._deferred:
            with contextlib.suppress(queue.Empty):
                return self._lines.get(timeout=1)  # with a timeout, Ctrl-C works on all platforms
        return self._deferred.pop()

    def _word(self, line: str) -> str:
        return self.session.word_of(line[:40])

    # ── the engine ───────────────────────────────────────────────────────────────────────────────

    def _wait_for_engine(self) -> bool:
        """Waits until the engine is ready, with progress messages; returns False if the session ends."""
        self.engine.prepare(self.session.example)
        began = last_message = time.monotonic()
        while not self.engine.ready.wait(POLL_SECONDS):
            if self._is_late(began):
                return False
            share, now = self.engine.share, time.monotonic()
            if share is None:  # there is nothing to compile
                continue
            if last_message == began or now - last_message >= MESSAGE_SECONDS:
                self._write(
                    self.session.remark(phrase("Compiling the engine, once on this machine: {share:.0%}", share=share))
                )
                last_message = now
            self._answer_meanwhile(self.session.while_preparing)
        return True

    def _answer_meanwhile(self, words: frozenset[str]) -> None:
        """Answers the commands with these words, up to the first with another."""
        while not self._deferred:
            try:
                line = self._lines.get_nowait()
            except queue.Empty:
                return
            if line is None or self._word(line) not in words:
                self._deferred.append(line)
                return
            self._line_number += 1
            for each in self.session.take(line).lines:
                self._write(each)

    def _answer(self, reply: Reply) -> bool:
        """Writes a reply, with the moves that it requests; returns whether the session continues."""
        while True:
            for line in reply.lines:
                self._write(line)
            if reply.ends_session:
                return False
            if reply.request is None:
                return True
            began = time.monotonic()
            result = self._search(reply.request)
            if result is None:
                return False
            if isinstance(result, str):
                reply = self.session.no_move(result)
                continue
            if self.session.reports:
                self._report(result, time.monotonic() - began)
            if result.note:
                self._write(self.session.remark(result.note))
            reply = self.session.move_chosen(result.move)

    def _report(self, result: Result, seconds: float) -> None:
        """Writes the lines about a search that has ended, unless the last ones say the same."""
        last = self._reported
        if last and (last.nodes, last.move) == (result.nodes, result.move):
            return
        for line in self.session.searched(result, seconds):
            self._write(line)

    # ── reading ──────────────────────────────────────────────────────────────────────────────────

    def _listen(self) -> None:
        """Reads lines ahead, and notes urgent ones."""
        reader, count = LineReader(self.session.longest_line), 0
        while True:
            try:
                data = self._read()
            except (OSError, ValueError):  # the input was closed
                data = b""
            for line in reader.feed(data) if data else reader.rest():
                count += 1
                word = self._word(line)
                if word == self.session.farewell:
                    self._end = time.monotonic(), FAREWELL_SECONDS
                if word in self.session.urgent:
                    self._urgent_until_line = count
                    self._done.put(None)
                self._lines.put(line)
            if not data:
                self._end = self._end or (time.monotonic(), EOF_SECONDS)
                self._urgent_until_line = count + 1
                self._done.put(None)
                self._lines.put(None)
                return

    @property
    def _is_urgent(self) -> bool:
        return self._line_number < self._urgent_until_line

    # ── searching ────────────────────────────────────────────────────────────────────────────────

    def _search(self, request: MoveRequest) -> Result | str | None:
        """The result of a request; None if the session ends first."""
        began = time.monotonic()
        limit = request.limit.within(URGENT_SECONDS) if self._is_urgent else request.limit
        asked = replace(request, limit=replace(limit, seconds=max(limit.time, URGENT_SECONDS)))
        done: queue.SimpleQueue[Report | Result | str | None] = queue.SimpleQueue()
        self._done, self._reported = done, None
        engine, stopped = self.engine, 0.0
        result: Result | str | None = None

        def search() -> None:
            listener = done.put if self.session.reports else None
            done.put(engine.play(asked, self.session, self._threads, listener))

        threading.Thread(target=search, daemon=True).start()
        try:
            while result is None or (request.waits_for_stop and not self._is_urgent):
                with contextlib.suppress(queue.Empty):
                    found = done.get(timeout=STOP_POLL_SECONDS if self._is_urgent else POLL_SECONDS)
                    if isinstance(found, Report):
                        self._reported = Result.of(found.lines[0].moves[0], found)
                        for line in self.session.searched(self._reported, time.monotonic() - began):
                            self._write(line)
                        continue
                    result = found or result
                if result is None and self._is_urgent:
                    engine.call("stop")
                    stopped = stopped or time.monotonic()
                    if time.monotonic() - stopped > STOP_SECONDS:
                        engine.abandon()
                        self._write(self.session.remark("The bot did not stop in time; this is the first legal move."))
                        return Result(request.position.legal_moves[0])
                if self._is_late(began):
                    return result
                self._answer_meanwhile(self.session.while_searching)
        except BaseException:
            engine.call("stop")
            raise
        return result

    def _is_late(self, began: float) -> bool:
        """Whether the session has ended and the timeout of the last answer is over."""
        if self._end is None:
            return False
        came, timeout = self._end
        return time.monotonic() - max(came, began) > timeout
