"""Serving the brain: commands are read in a thread of their own, moves are thought about in another.

Nothing here imports an engine before the first board is there. Then the manager waits for it: START is answered when
moves can be made, since their time counts from then on.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from pentad import kernel
from pentad.bridges.gomocup.brain import HURRYING, Brain, Reply, Thinker, Thought
from pentad.bridges.gomocup.protocol import LineReader, plain, read_command
from pentad.game import Move, Position, shorten
from pentad.pente.rules import PentePosition
from pentad.system_memory import used_memory

POLL = 0.05  # seconds between two looks at whether a thought is to end
MOST_WAITING = 4096  # commands that are read ahead
HURRIED = 0.05  # seconds for a move that is asked for in a hurry
PARTING_END, PARTING_EOF = 0.5, 10.0  # seconds that a last answer is waited for, after END and where the input ends
WARM_UP = 0.01  # seconds of the first thought, which only prepares the engine
SAID_EVERY = 5.0  # seconds between two messages about how far that is
MEANWHILE = ("ABOUT", "INFO")  # commands that are followed while the engine is being prepared
LEAST_MEMORY = 1 << 20  # bytes that a bot may remember positions in, however little the manager leaves

Read = Callable[[], bytes]
Write = Callable[[str], None]


@dataclass
class _Decided:
    """What came of a thought: a move, or why there is none."""

    move: Move | None = None
    failed: str = ""


class Engine:
    """The bot that thinks, made and warmed up in the background once somebody will want it."""

    def __init__(self, make: Callable[[], Thinker]) -> None:
        self._make = make
        self._bot: Thinker | None = None
        self._wish = self._without = 0  # bytes: what the bot would remember positions in, and what all the rest takes
        self._ready = threading.Event()
        self._begun = False
        self.share: float | None = None  # of the engine that is compiled, where it must be

    def prepare(self, example: Callable[[], PentePosition]) -> None:
        """Begin to make it, if nobody has yet, for games such as that of an example."""
        if not self._begun:
            self._begun = True
            threading.Thread(target=self._warm_up, args=(example(),), daemon=True).start()

    def _warm_up(self, here: PentePosition) -> None:
        """Let another of its kind think for a moment: what has to be compiled or read is compiled and read then."""
        # What is wrong with it is told when it is asked for a move.
        with contextlib.suppress(Exception), kernel.listening(self._hear):
            self._make().choose(here, seconds=WARM_UP)
        self._ready.set()

    def _hear(self, _: str, share: float | None) -> None:
        self.share = share

    def is_ready(self, seconds: float) -> bool:
        """Whether it is ready within some time."""
        return self._ready.wait(seconds)

    def choose(self, thought: Thought, seconds: float, brain: Brain, threads: int) -> _Decided:
        """A move; a bot that has `threads`, `memory` or `ponders` is told how many, how many bytes, and whether."""
        try:
            if self._bot is None:
                self._bot = self._make()
                self._wish, self._without = getattr(self._bot, "memory", 0), used_memory()
            bot = cast(Any, self._bot)
            if threads and hasattr(bot, "threads"):
                bot.threads = threads
            if hasattr(bot, "memory"):
                bot.memory = self._memory_within(brain.max_memory)
            if brain.ponders is not None and hasattr(bot, "ponders"):
                bot.ponders = brain.ponders
            return _Decided(self._bot.choose(thought.position, seconds=seconds))
        except Exception as error:  # a manager wants an answer, whatever ails the bot
            return _Decided(failed=f"no move was found: {type(error).__name__}: {shorten(str(error), 200)}")

    def _memory_within(self, most: int | None) -> int:
        """How many bytes the bot may remember positions in, where the whole process may take so many."""
        return self._wish if most is None else min(self._wish, max(most - self._without, LEAST_MEMORY))

    def stop_pondering(self) -> None:
        """End what the bot thinks on the other's time, if it does."""
        stop = getattr(self._bot, "stop_pondering", None)
        if stop is not None:
            stop()

    def stop(self) -> None:
        """End the thought that goes on, if the bot can."""
        stop = getattr(self._bot, "stop", None)
        if stop is not None:
            stop()

    @property
    def note(self) -> str:
        """What the bot says of its last move."""
        return str(getattr(self._bot, "note", "") or "")


class Server:
    """A session from its first line to its last."""

    def __init__(self, brain: Brain, make: Callable[[], Thinker], read: Read, write: Write, threads: int = 0) -> None:
        """`read` gives some bytes, none at the end; `threads` is for bots that can use several, 0 leaves it to them."""
        self.brain, self.engine = brain, Engine(make)
        self._read, self._write, self._threads = read, write, threads
        self._lines: queue.Queue[str | None] = queue.Queue(MOST_WAITING)
        self._put_off: list[str | None] = []  # a line that was read, but must wait for the engine
        self._number = 0  # of the line that is being followed
        self._hurry_until = 0  # lines before this number are wanted soon
        self._pondered: Position | None = None  # how the board was after the last move
        self._end: tuple[float, float] | None = None  # when it came, and how many seconds an answer may take then

    def run(self) -> None:
        """Answer until END or until nothing more comes."""
        threading.Thread(target=self._listen, daemon=True).start()
        try:
            while (line := self._next_line()) is not None:
                self._number += 1
                reply = self.brain.take(line)
                if reply.thought is None:
                    self._see_to_pondering(line)
                if not (self._wait_for_engine() and self._answer(reply)):
                    return
                if reply.thought is not None:
                    self._pondered = self.brain.position
        finally:
            self.engine.stop_pondering()

    def _see_to_pondering(self, line: str) -> None:
        """What is thought on the other's time goes on while the board is as it was, and nobody says stop."""
        same = self.brain.has_started and self.brain.position is self._pondered
        if not same or self.brain.ponders is False or read_command(line[:40]).word in HURRYING:
            self.engine.stop_pondering()

    def _next_line(self) -> str | None:
        while not self._put_off:
            with contextlib.suppress(queue.Empty):
                return self._lines.get(timeout=1)  # where a wait without an end cannot be interrupted, this can
        return self._put_off.pop()

    # ── the engine ───────────────────────────────────────────────────────────────────────────────

    def _wait_for_engine(self) -> bool:
        """Once there is a board, wait until moves can be made, saying how far that is; False where the session ends."""
        if not self.brain.has_started:
            return True
        self.engine.prepare(self.brain.example)
        began = said = time.monotonic()
        while not self.engine.is_ready(POLL):
            if self._is_late(began):
                return False
            share, now = self.engine.share, time.monotonic()
            if share is None:  # it is only loaded
                continue
            if said == began or now - said >= SAID_EVERY:
                self._write(f"MESSAGE preparing the engine, once on this machine: {share:.0%}")
                said = now
            self._follow_meanwhile()
        return True

    def _follow_meanwhile(self) -> None:
        """Follow the commands that need no engine, up to the first that does."""
        while not self._put_off:
            try:
                line = self._lines.get_nowait()
            except queue.Empty:
                return
            if line is None or read_command(line[:40]).word not in MEANWHILE:
                self._put_off.append(line)
                return
            self._number += 1
            for each in self.brain.take(line).lines:
                self._write(each)

    def _answer(self, reply: Reply) -> bool:
        """Write an answer, thinking as long as one is wanted; whether the session goes on."""
        while True:
            for line in reply.lines:
                self._write(line)
            if reply.leaves:
                return False
            if reply.thought is None:
                return True
            decided = self._think(reply.thought)
            if decided is None:
                return False
            if decided.move is None:
                reply = self.brain.failed(decided.failed)
                continue
            if self.engine.note:
                self._write(plain(f"MESSAGE {self.engine.note}"))
            reply = self.brain.decided(decided.move)

    # ── reading ──────────────────────────────────────────────────────────────────────────────────

    def _listen(self) -> None:
        """Read lines, ahead of what is being answered, and note which of them are in a hurry."""
        reader, count = LineReader(), 0
        while True:
            try:
                data = self._read()
            except (OSError, ValueError):  # the input is gone, which is the end too
                data = b""
            for line in reader.feed(data) if data else reader.rest():
                count += 1
                word = line[:40].strip().partition(" ")[0].upper()
                if word in HURRYING:
                    self._hurry_until = count
                if word == "END":
                    self._end = time.monotonic(), PARTING_END
                self._lines.put(line)
            if not data:
                self._end = self._end or (time.monotonic(), PARTING_EOF)
                self._hurry_until = count + 1
                self._lines.put(None)
                return

    @property
    def _hurries(self) -> bool:
        return self._number < self._hurry_until

    # ── thinking ─────────────────────────────────────────────────────────────────────────────────

    def _think(self, thought: Thought) -> _Decided | None:
        """What comes of a thought; None where the session ends before anything does."""
        began = time.monotonic()
        seconds = max(thought.seconds, HURRIED)
        done: queue.SimpleQueue[_Decided] = queue.SimpleQueue()
        wanted = min(seconds, HURRIED) if self._hurries else seconds

        def think() -> None:
            done.put(self.engine.choose(thought, wanted, self.brain, self._threads))

        threading.Thread(target=think, daemon=True).start()
        try:
            while True:
                with contextlib.suppress(queue.Empty):
                    return done.get(timeout=POLL)
                if self._hurries:
                    self.engine.stop()
                if self._is_late(began):
                    return None
        except BaseException:
            self.engine.stop()
            raise

    def _is_late(self, began: float) -> bool:
        """Whether the session has ended and nobody will wait for this thought any more."""
        if self._end is None:
            return False
        came, patience = self._end
        return time.monotonic() - max(came, began) > patience


def serve(brain: Brain, make: Callable[[], object], read: Read, write: Write, *, threads: int = 0) -> None:
    """Answer a manager until it leaves."""
    Server(brain, cast("Callable[[], Thinker]", make), read, write, threads).run()
