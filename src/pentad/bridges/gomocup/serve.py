"""Server loop of the Gomocup brain: one thread reads commands, another searches for moves.

No engine is imported before the first board. START is answered when the engine is ready, since the time of moves counts
from then on.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable
from typing import Any, cast

from pentad.bridges.gomocup.brain import URGENT, Brain, MoveRequest, Reply
from pentad.bridges.gomocup.protocol import LineReader, plain, read_command
from pentad.game import Move, Position, shorten
from pentad.jit import cache
from pentad.pente.rules import PentePosition
from pentad.search.bot import Bot
from pentad.system_memory import used_memory

POLL = 0.05  # seconds between two checks of whether a search must stop
QUEUE_SIZE = 4096  # commands read ahead
URGENT_SECONDS = 0.05  # for a move after an urgent command
END_TIMEOUT, EOF_TIMEOUT = 0.5, 10.0  # seconds to wait for the last answer, after END and at the end of the input
WARM_UP = 0.01  # seconds of the first search, which only prepares the engine
MESSAGE_INTERVAL = 5.0  # seconds between two progress messages
WITHOUT_ENGINE = ("ABOUT", "INFO")  # commands that are executed while the engine is being prepared
LEAST_MEMORY = 1 << 20  # bytes of the bot's transposition table, whatever the manager's limit

Read = Callable[[], bytes]
Write = Callable[[str], None]


class Engine:
    """The bot, created and warmed up in the background.

    A bot with a method `stop` can end a search early. A bot with an attribute `ponders` searches during the opponent's
    turn if that is set, from its move until the next `choose` or `stop_pondering`.
    """

    def __init__(self, make: Callable[[], Bot]) -> None:
        self._make = make
        self._bot: Bot | None = None
        self._wanted_memory = self._base_memory = 0  # bytes: of the bot's table, and of the rest of the process
        self._ready = threading.Event()
        self._begun = False
        self.share: float | None = None  # progress of the compilation, if there is one

    def prepare(self, example: Callable[[], PentePosition]) -> None:
        """Starts the preparation once, for games like the example."""
        if not self._begun:
            self._begun = True
            threading.Thread(target=self._warm_up, args=(example(),), daemon=True).start()

    def _warm_up(self, here: PentePosition) -> None:
        """Lets another bot of the same kind search for a moment, so that everything is compiled and loaded."""
        # Errors show again, and are reported, when the bot has to move.
        with contextlib.suppress(Exception), cache.listening(self._on_progress):
            self._make().choose(here, seconds=WARM_UP)
        self._ready.set()

    def _on_progress(self, _: str, share: float | None) -> None:
        self.share = share

    def is_ready(self, seconds: float) -> bool:
        """Waits until the bot is ready, for a time; returns whether it is."""
        return self._ready.wait(seconds)

    def choose(self, request: MoveRequest, seconds: float, brain: Brain, threads: int) -> Move | str:
        """The bot's move, or an error; sets its `threads`, `memory` (in bytes) and `ponders` if it has them."""
        try:
            if self._bot is None:
                self._bot = self._make()
                self._wanted_memory, self._base_memory = getattr(self._bot, "memory", 0), used_memory()
            bot = cast(Any, self._bot)
            if threads and hasattr(bot, "threads"):
                bot.threads = threads
            if hasattr(bot, "memory"):
                bot.memory = self._memory_within(brain.max_memory)
            if brain.ponders is not None and hasattr(bot, "ponders"):
                bot.ponders = brain.ponders
            return self._bot.choose(request.position, seconds=seconds)
        except Exception as error:  # the manager needs an answer even if the bot fails
            return f"The bot failed ({type(error).__name__}): {shorten(str(error), 200)}"

    def _memory_within(self, most: int | None) -> int:
        """The bytes for the bot's table, by the limit of the whole process."""
        if most is None:
            return self._wanted_memory
        return min(self._wanted_memory, max(most - self._base_memory, LEAST_MEMORY))

    def stop_pondering(self) -> None:
        """Stops the bot's pondering, if it ponders."""
        getattr(self._bot, "stop_pondering", _nothing)()

    def stop(self) -> None:
        """Stops the search in progress, if the bot can."""
        getattr(self._bot, "stop", _nothing)()

    @property
    def note(self) -> str:
        """The bot's note on its last move."""
        return str(getattr(self._bot, "note", "") or "")


def _nothing() -> None:
    """Stands for a method that a bot lacks."""


class Server:
    """A session from its first line to its last."""

    def __init__(self, brain: Brain, make: Callable[[], Bot], read: Read, write: Write, threads: int = 0) -> None:
        """`read` returns some bytes, none at the end; `threads` is for bots that support it, 0 leaves it to the bot."""
        self.brain, self.engine = brain, Engine(make)
        self._read, self._write, self._threads = read, write, threads
        self._lines: queue.Queue[str | None] = queue.Queue(QUEUE_SIZE)
        self._deferred: list[str | None] = []  # a line that must wait for the engine
        self._number = 0  # of the current line
        self._urgent_until = 0  # lines before this number are urgent
        self._pondered: Position | None = None  # the position after the last move
        self._end: tuple[float, float] | None = None  # the time of END or of the end of the input, and the timeout

    def run(self) -> None:
        """Answers lines until END or the end of the input."""
        threading.Thread(target=self._listen, daemon=True).start()
        try:
            while (line := self._next_line()) is not None:
                self._number += 1
                reply = self.brain.take(line)
                if reply.request is None:
                    self._update_pondering(line)
                if not (self._wait_for_engine() and self._answer(reply)):
                    return
                if reply.request is not None:
                    self._pondered = self.brain.position
        finally:
            self.engine.stop_pondering()

    def _update_pondering(self, line: str) -> None:
        """Stops pondering if the board has changed, or after a command that stops the search."""
        same = self.brain.has_started and self.brain.position is self._pondered
        if not same or self.brain.ponders is False or read_command(line[:40]).word in URGENT:
            self.engine.stop_pondering()

    def _next_line(self) -> str | None:
        while not self._deferred:
            with contextlib.suppress(queue.Empty):
                return self._lines.get(timeout=1)  # with a timeout, Ctrl-C works on all platforms
        return self._deferred.pop()

    # ── the engine ───────────────────────────────────────────────────────────────────────────────

    def _wait_for_engine(self) -> bool:
        """With a board, waits until the engine is ready, with progress messages; returns False if the session ends."""
        if not self.brain.has_started:
            return True
        self.engine.prepare(self.brain.example)
        began = last_message = time.monotonic()
        while not self.engine.is_ready(POLL):
            if self._is_late(began):
                return False
            share, now = self.engine.share, time.monotonic()
            if share is None:  # nothing to compile
                continue
            if last_message == began or now - last_message >= MESSAGE_INTERVAL:
                self._write(f"MESSAGE Compiling the engine, once on this machine: {share:.0%}")
                last_message = now
            self._answer_meanwhile()
        return True

    def _answer_meanwhile(self) -> None:
        """Answers the commands that need no engine, up to the first that does."""
        while not self._deferred:
            try:
                line = self._lines.get_nowait()
            except queue.Empty:
                return
            if line is None or read_command(line[:40]).word not in WITHOUT_ENGINE:
                self._deferred.append(line)
                return
            self._number += 1
            for each in self.brain.take(line).lines:
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
            result = self._search(reply.request)
            if result is None:
                return False
            if isinstance(result, str):
                reply = self.brain.no_move(result)
                continue
            if self.engine.note:
                self._write(plain(f"MESSAGE {self.engine.note}"))
            reply = self.brain.move_chosen(result)

    # ── reading ──────────────────────────────────────────────────────────────────────────────────

    def _listen(self) -> None:
        """Reads lines ahead, and notes urgent ones."""
        reader, count = LineReader(), 0
        while True:
            try:
                data = self._read()
            except (OSError, ValueError):  # the input was closed
                data = b""
            for line in reader.feed(data) if data else reader.rest():
                count += 1
                word = line[:40].strip().partition(" ")[0].upper()
                if word in URGENT:
                    self._urgent_until = count
                if word == "END":
                    self._end = time.monotonic(), END_TIMEOUT
                self._lines.put(line)
            if not data:
                self._end = self._end or (time.monotonic(), EOF_TIMEOUT)
                self._urgent_until = count + 1
                self._lines.put(None)
                return

    @property
    def _is_urgent(self) -> bool:
        return self._number < self._urgent_until

    # ── searching ────────────────────────────────────────────────────────────────────────────────

    def _search(self, request: MoveRequest) -> Move | str | None:
        """The result of a request; None if the session ends first."""
        began = time.monotonic()
        seconds = max(request.seconds, URGENT_SECONDS)
        done: queue.SimpleQueue[Move | str] = queue.SimpleQueue()
        limit = min(seconds, URGENT_SECONDS) if self._is_urgent else seconds

        def search() -> None:
            done.put(self.engine.choose(request, limit, self.brain, self._threads))

        threading.Thread(target=search, daemon=True).start()
        try:
            while True:
                with contextlib.suppress(queue.Empty):
                    return done.get(timeout=POLL)
                if self._is_urgent:
                    self.engine.stop()
                if self._is_late(began):
                    return None
        except BaseException:
            self.engine.stop()
            raise

    def _is_late(self, began: float) -> bool:
        """Whether the session has ended and the timeout of the last answer is over."""
        if self._end is None:
            return False
        came, timeout = self._end
        return time.monotonic() - max(came, began) > timeout
