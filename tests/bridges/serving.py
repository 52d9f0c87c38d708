"""A protocol's server in its own threads, with a bot that waits to be stopped."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

from pentad.bridges.protocol_server import ProtocolServer, ProtocolSession
from pentad.kernels import cache
from pentad.search.bot import Bot
from pentad.search.move_limit import DEFAULT_LIMIT
from pentad.search.report import Result
from tests.waiting import TIMEOUT


class WaitingBot(Bot):
    """Searches until it is stopped or its time is over."""

    threads, memory = 1, 1 << 30

    def __init__(self) -> None:
        super().__init__(1)
        self.stopped = threading.Event()
        self.requested: list[float] = []

    def play(self, position, limit=DEFAULT_LIMIT):
        self.stopped.clear()
        self.requested.append(limit.seconds)
        self.last = position
        self.stopped.wait(limit.seconds)
        return Result(position.legal_moves[0], note="a win" if self.stopped.is_set() else "time is up")

    def stop(self):
        self.stopped.set()


class Serving:
    """A server in its own threads; `session` makes its session from a function that makes the bot."""

    def __init__(
        self,
        session: Callable[[Callable[[], Bot]], ProtocolSession],
        bot: Bot,
        prepare: Callable[[], None] = lambda: None,
    ) -> None:
        self.warmed_up = WaitingBot()
        self.bot, self.input = bot, queue.SimpleQueue[bytes]()
        self.output: queue.SimpleQueue[str] = queue.SimpleQueue()
        made = iter(range(99))

        def make() -> Bot:
            if next(made) == 0:
                prepare()
                return self.warmed_up
            return bot

        self.server = ProtocolServer(session(make), self.input.get, self.output.put, threads=3)
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()

    def send(self, text: str) -> None:
        self.input.put(text.encode())

    def receive(self) -> str:
        return self.output.get(timeout=TIMEOUT)


class Compiling:
    """An engine that compiles until `done` is set."""

    def __init__(self) -> None:
        self.done, self.begun = threading.Event(), threading.Event()

    def __call__(self) -> None:
        cache._notify("pente", 0.25)
        self.begun.set()
        self.done.wait(TIMEOUT)
