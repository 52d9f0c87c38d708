"""Handover: a new server takes the place of a running one, with its listener, its database and its games.

The new server starts up completely. Then both talk over a socket in a folder of this user:

    new server       running server
    hello         →
                  ←  here: the listener, and which rooms are loaded
    again         →                                             (the new server reads these rooms)
                  ←  here, until few rooms have changed since
    ready         →
                     accepts no connections, and begins no commit
                  ←  offer: the claim of the database, and the clocks
    joined        →
                  ←  yours                                      (from here on the running server writes nothing)
    serving       →
                     closes its clients' sockets, and ends

The claim is never free: both servers have it from `offer` on. Before `yours` the new server writes nothing, and the
running one goes on if anything fails. After it the running one goes on only if the connection ends without `serving`:
the new server keeps it open until then, so it has died before it did anything.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import logging
import os
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

from pentad.game import GameError
from pentad.store import Claim, Store
from pentad.store.detached_threads import run_detached
from pentad.system.version import __version__
from pentad.web import systemd
from pentad.web.engines import Engines
from pentad.web.rooms.registry import Rooms

log = logging.getLogger(__name__)

T = TypeVar("T")

IS_POSSIBLE = hasattr(socket, "send_fds") and hasattr(socket, "AF_UNIX")
ANSWER_SECONDS = 10.0  # the new server takes less for its step while games stand still
PATIENCE_SECONDS = 60.0  # the running server takes less, however many games it has
PREPARING_SECONDS = 600.0  # reading all rooms takes less
WARM_SECONDS = 20.0  # then the engines need not be ready
REQUEST_SECONDS = 1.0  # open requests have so long to end
COMMIT_SECONDS = 3.0  # and the commit that is going on so long
FEW, ROUNDS = 10, 4  # so many changed rooms are read later
MOST_FILES = 16
CHUNK_BYTES = 1 << 16
MAX_LINE_BYTES = 64 << 20
MAX_SOCKET_PATH_BYTES = 100
LEFT = "The server is restarting. Try again."


class HandoverFailed(GameError):
    """The handover has failed, and the running server goes on."""


class HandoverRefused(HandoverFailed):
    """The other server says why it takes no part."""


class ServerEnded(HandoverFailed):
    """The other server has ended."""


# ── the connection of two servers ────────────────────────────────────────────────────────────────


class Channel:
    """Messages with open files between two servers; sending and receiving block."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._text = b""
        self._files: list[int] = []

    def send(self, kind: str, files: Sequence[int] = (), **content: Any) -> None:
        """Sends a message; `ServerEnded` if the other server has ended, or `HandoverRefused` if it has said why."""
        text = json.dumps({"kind": kind, **content}).encode() + b"\n"
        try:
            self._connection.settimeout(ANSWER_SECONDS)
            sent = socket.send_fds(self._connection, [text[:CHUNK_BYTES]], files) if files else 0
            self._connection.sendall(text[sent:])
        except OSError as error:
            try:
                self.receive(seconds=0.0)  # what it said before it closed the connection
            except HandoverRefused:
                raise
            except HandoverFailed:
                pass
            raise ServerEnded("The other server has ended: {reason}.", reason=error.strerror or error) from None

    def receive(self, *kinds: str, seconds: float = ANSWER_SECONDS) -> dict[str, Any]:
        """The next message, which is of one of these kinds; `HandoverRefused` if it says why the handover fails."""
        until = time.monotonic() + seconds
        while b"\n" not in self._text:
            self._connection.settimeout(max(0.01, until - time.monotonic()))
            try:
                text, files, _, _ = socket.recv_fds(self._connection, CHUNK_BYTES, MOST_FILES)
            except TimeoutError:
                raise HandoverFailed("The other server does not answer.") from None
            except OSError as error:
                raise ServerEnded("The other server has ended: {reason}.", reason=error.strerror or error) from None
            for each in files:
                os.set_inheritable(each, False)
            self._files += files
            self._text += text
            if not text or len(self._text) > MAX_LINE_BYTES:
                raise ServerEnded("The other server has ended.")
        line, _, self._text = self._text.partition(b"\n")
        try:
            message: dict[str, Any] = json.loads(line)
            kind, why = message["kind"], str(message.get("why"))
        except (ValueError, TypeError, KeyError, AttributeError):
            kind, why = None, ""
        if kind == "failed":
            raise HandoverRefused("{why}", why=why)
        if kind not in kinds:
            raise HandoverFailed("The other server does not know this handover.")
        return message

    def files(self) -> list[int]:
        """The open files that have come with the messages; the caller closes them."""
        files, self._files = self._files, []
        return files

    def peer(self) -> int:
        """The process at the other end; `HandoverFailed` if it is another user's. 0 where the system does not say."""
        if not hasattr(socket, "SO_PEERCRED"):
            return 0
        form = struct.Struct("3i")
        pid, user, _ = form.unpack(self._connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, form.size))
        if user != os.geteuid():
            raise HandoverFailed("Only the user of the running server can replace it.")
        return int(pid)

    def close(self) -> None:
        """Ends the connection; a thread that waits for a message goes on."""
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
        self._connection.close()
        for each in self.files():
            os.close(each)


async def _beside(work: Callable[[], T]) -> T:
    """Runs a blocking function beside the event loop."""
    return await asyncio.wrap_future(run_detached(work, "pentad-handover"))


def _socket_path(where: str) -> Path:
    """The socket of the server at this address, in a folder that only this user can open."""
    folder = Path(tempfile.gettempdir()) / f"pentad-{os.geteuid()}"
    try:
        folder.mkdir(0o700, exist_ok=True)
        about = folder.lstat()
    except OSError as error:
        raise HandoverFailed(
            "Cannot use the folder {folder}: {reason}.", folder=folder, reason=error.strerror or error
        ) from None
    if not stat.S_ISDIR(about.st_mode) or about.st_uid != os.geteuid() or about.st_mode & 0o077:
        raise HandoverFailed("Other users can open the folder {folder}.", folder=folder)
    path = folder / f"{hashlib.sha256(where.encode()).hexdigest()[:16]}.socket"
    if len(os.fsencode(path)) > MAX_SOCKET_PATH_BYTES:
        raise HandoverFailed("The name of the folder {folder} is too long.", folder=folder)
    return path


# ── the running server ───────────────────────────────────────────────────────────────────────────


class RunningServer(Protocol):
    """A server that can be replaced."""

    def listener(self) -> int:
        """The open file of the socket that it listens on."""

    async def stop_accepting(self, seconds: float) -> None:
        """Accepts no connections, and waits so many seconds for open requests."""

    async def accept_again(self) -> None:
        """Accepts connections again."""

    def end_as_replaced(self, process: int) -> None:
        """Closes the sockets of all clients, and stops."""


class Replacement:
    """Waits for a server that replaces this one."""

    def __init__(self, store: Store, claim: Claim, rooms: Rooms) -> None:
        self._store, self._claim, self._rooms = store, claim, rooms
        self._path: Path | None = None
        self._file = 0  # the inode of the socket: the server that replaces this one makes another with the same path
        self._waiting: asyncio.Task[None] | None = None
        self._successor: subprocess.Popen[bytes] | None = None
        self._is_busy = False

    def start(self, server: RunningServer, where: str) -> None:
        """Waits from now on; the running server has this address."""
        if not IS_POSSIBLE:
            return
        try:
            self._path = _socket_path(where)
            self._path.unlink(missing_ok=True)  # of a killed server at this address
            listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            listener.bind(str(self._path))
            self._file = self._path.stat().st_ino
            listener.listen(4)
            listener.setblocking(False)
        except (GameError, OSError) as failed:
            log.warning("This server cannot be replaced while it runs: %s", failed)
            return
        self._waiting = asyncio.create_task(self._accept(server, listener))

    async def _accept(self, server: RunningServer, listener: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        with listener:
            tasks: set[asyncio.Task[None]] = set()
            while True:
                connection, _ = await loop.sock_accept(listener)
                task = asyncio.create_task(self._answer(server, Channel(connection)))
                tasks.add(task)
                task.add_done_callback(tasks.discard)

    async def _answer(self, server: RunningServer, channel: Channel) -> None:
        try:
            process = channel.peer()
            if self._is_busy:
                raise HandoverFailed("Another server is already replacing this one.")
            self._is_busy = True
            try:
                await self._hand_over(server, channel, process)
            finally:
                self._is_busy = False
        except GameError as failed:
            log.warning("This server is not replaced: %s", failed)
            with contextlib.suppress(GameError):
                channel.send("failed", why=str(failed))
        except Exception:
            log.exception("This server is not replaced: Internal error (a bug in pentad).")
        finally:
            channel.close()

    async def _hand_over(self, server: RunningServer, channel: Channel, process: int) -> None:
        await _beside(lambda: channel.receive("hello"))
        files, kind = [server.listener()], "again"
        while kind == "again":
            await _beside(partial(channel.send, "here", files, rooms=self._rooms.versions()))
            kind = (await _beside(lambda: channel.receive("again", "ready", seconds=PREPARING_SECONDS)))["kind"]
            files = []
        is_given = False
        try:
            await server.stop_accepting(REQUEST_SECONDS)
            if not await _beside(lambda: self._store.hold(COMMIT_SECONDS)):
                raise HandoverFailed("The database does not answer.")
            await self._offer(channel)
            is_given = True
            await _beside(lambda: channel.send("yours"))
            await self._wait_until_serving(channel)
        except BaseException as error:
            if isinstance(error, GameError) or not is_given:  # nothing was written meanwhile, here or there
                await _beside(self._claim.keep)
                self._store.resume()
                await server.accept_again()
                raise
            self._give(server, process)  # this server stops, too
            raise
        self._give(server, process)

    def _give(self, server: RunningServer, process: int) -> None:
        """Leaves everything to the other server; clients connect again before their last messages are refused."""
        self.close()
        systemd.notify(f"MAINPID={process}")
        server.end_as_replaced(process)
        self._store.leave(LEFT)
        self._claim.leave()

    async def _offer(self, channel: Channel) -> None:
        clocks, files = self._rooms.clocks(), await _beside(self._claim.share)
        await _beside(lambda: channel.send("offer", list(files.values()), paths=list(files), clocks=clocks))
        await _beside(lambda: channel.receive("joined"))

    async def _wait_until_serving(self, channel: Channel) -> None:
        """Waits for the other server's word; `ServerEnded` if it has died before it."""
        while True:
            try:
                await _beside(lambda: channel.receive("serving"))
            except ServerEnded:
                raise
            except HandoverFailed:  # it may be slow, but it owns the games now
                continue
            return

    def start_successor(self) -> None:
        """Starts this program anew, to replace this server."""
        if not IS_POSSIBLE or (self._successor and self._successor.poll() is None):
            return
        words = [each for each in sys.orig_argv[1:] if each != "--replace"]
        try:
            self._successor = subprocess.Popen([sys.executable, *words, "--replace"])
        except OSError as error:
            log.warning("Cannot start another server: %s", error.strerror or error)

    def close(self) -> None:
        """Does not wait any more."""
        if self._waiting:
            self._waiting.cancel()
            self._waiting = None
        if self._path:
            with contextlib.suppress(OSError):
                if self._path.stat().st_ino == self._file:
                    self._path.unlink()
            self._path = None


# ── the new server ───────────────────────────────────────────────────────────────────────────────


@dataclass
class Predecessor:
    """The running server that this one replaces; its listener, and the versions of its rooms."""

    channel: Channel
    listener: socket.socket
    rooms: Mapping[str, Any]
    is_replaced: bool = False  # whether its games are here now

    @classmethod
    def at(cls, where: str) -> Predecessor:
        """The server at this address; `HandoverFailed` if it cannot be replaced."""
        if not IS_POSSIBLE:
            raise HandoverFailed("A running server cannot be replaced on this system. Stop it, and start the new one.")
        if not where:
            raise HandoverFailed("The running server is on another machine, or does not say its address.")
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        channel = Channel(connection)
        try:
            connection.connect(str(_socket_path(where)))
            channel.peer()
            channel.send("hello", version=__version__)
            here = channel.receive("here", seconds=PATIENCE_SECONDS)
            (listener,) = channel.files()
        except OSError as error:
            channel.close()
            raise HandoverFailed(
                "Cannot replace the server at {where}: {reason}. Run the command as the user of that server.",
                where=where,
                reason=error.strerror or error,
            ) from None
        except GameError:
            channel.close()
            raise
        return cls(channel, socket.socket(fileno=listener), here["rooms"])

    async def take_over(
        self, rooms: Rooms, store: Store, claim: Claim, engines: Engines, prepared: Callable[[], None]
    ) -> socket.socket:
        """Takes over the games, the claim and the listener; `GameError` if the running server goes on.

        `prepared` is called before anything stands still.
        """
        try:
            await self._warm(engines)
            await self._prepare(rooms)
            prepared()
            await _beside(lambda: self.channel.send("ready"))
            offer = await self._receive("offer")
            files = dict(zip(offer["paths"], self.channel.files(), strict=True))
            await _beside(lambda: claim.inherit(files))
            await _beside(lambda: self.channel.send("joined"))
            await self._receive("yours")
            self.is_replaced = True
        except BaseException:
            claim.leave()
            raise
        # Nothing may fail here: the running server goes on only if this process ends before the next message.
        with contextlib.suppress(ServerEnded):
            await _beside(lambda: self.channel.send("serving"))
        store.resume()
        await rooms.take_over(offer["clocks"])
        self.channel.close()
        return self.listener

    async def _warm(self, engines: Engines) -> None:
        """Waits a while for the engines."""
        until = time.monotonic() + WARM_SECONDS
        while not engines.state()["ready"] and time.monotonic() < until:
            await asyncio.sleep(0.05)

    async def _prepare(self, rooms: Rooms) -> None:
        """Reads the rooms of the running server, until few have changed since."""
        for _ in range(ROUNDS):
            if await rooms.prepare(self.rooms) <= FEW:
                return
            await _beside(lambda: self.channel.send("again"))
            self.rooms = (await self._receive("here"))["rooms"]

    async def _receive(self, kind: str) -> dict[str, Any]:
        return await _beside(lambda: self.channel.receive(kind, seconds=PATIENCE_SECONDS))

    def close(self) -> None:
        """Leaves the running server as it is."""
        self.channel.close()
        self.listener.close()
