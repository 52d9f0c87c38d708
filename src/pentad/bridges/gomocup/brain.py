"""Gomocup brain: the state of the protocol, the engine, and the server loop.

`Brain` has the game and the reply to each line, without input, output or waiting. A reply is immediate, or contains a
`MoveRequest`: a position for which the caller chooses a move. The caller passes the move to `move_chosen`, which
returns the rest of the reply. A line that cannot be executed is answered by one `ERROR` and changes nothing.

`Server` reads commands in one thread and searches for moves in another. No engine is imported before the first board.
START is answered when the engine is ready, since the time of moves counts from then on.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, cast

from pentad.bridges.gomocup import protocol
from pentad.bridges.gomocup.protocol import ProtocolError, plain, read_command, write_point
from pentad.game import GameError, Move, Position, shorten, shown
from pentad.jit import cache
from pentad.pente.board import Side, Stone
from pentad.pente.notation import MORE, WHITE
from pentad.pente.rules import OVER, PentePosition
from pentad.pente.rulesets import LARGEST
from pentad.search.bot import Bot
from pentad.system_memory import used_memory

SHORTEST = 0.05  # seconds for a limit of 0, which means as fast as possible
SHARE_USED, SPARE = 0.95, 0.02  # the share of a limit that is used, and a margin in seconds for communication
OWN_MOVES, LEAST_LEFT = 25, 12  # own moves of a typical game, and the fewest assumed to be left


@dataclass
class Limits:
    """The limits of INFO, in milliseconds; None for one that was not sent."""

    timeout_turn: int | None = None
    timeout_match: int | None = None
    time_left: int | None = None

    def seconds(self, played: int) -> float:
        """The seconds for the next move, by the number of own moves played.

        A move takes its share of the time left, so that the last moves have as much as the first.
        """
        allowed = [protocol.DEFAULT_SECONDS] if self.timeout_turn is None and self._left is None else []
        if self.timeout_turn is not None:
            allowed.append(max(self.timeout_turn, 0) / 1000)
        if self._left is not None:
            allowed.append(self._left / 1000 / max(OWN_MOVES - played, LEAST_LEFT))
        limit = min(allowed)
        return max(SHARE_USED * limit - SPARE, min(SHORTEST, limit / 2) if limit else SHORTEST)

    @property
    def _left(self) -> int | None:
        """The time left of the game; None for no limit."""
        if self.timeout_match == 0:
            return None
        left = self.timeout_match if self.time_left is None else self.time_left
        return None if left is None or left >= protocol.ENDLESS else max(left, 0)


EXAMPLE_SIZE, EXAMPLE = 15, ("H8", "G8", "M9")  # a third stone that every rule of the opening allows
NO_BOARD = "There is no board yet; START comes first."
BOARD_SIZE = "board"  # the key of a refusal because of the board's size, until the next board
SPARE_LINES = 64  # of BOARD, beyond a stone for each point: after captures, points are filled again
SWAP2BOARD = "SWAP2BOARD"
WHILE_LISTING = ("INFO", "STOP", "YXSTOP", "END")
LISTS = ("BOARD", "YXBOARD", SWAP2BOARD)
MOVES = ("BEGIN", "TURN", "PLAY")  # commands that need a board and supported rules
COMMANDS = ("START", "RECTSTART", "RESTART", *MOVES, "TAKEBACK", *LISTS, "DONE", "ABOUT", *WHILE_LISTING)
URGENT = ("STOP", "YXSTOP", "END")  # commands that stop a search in progress
SWAP_STONES = (0, 3, 5)  # possible numbers of stones in SWAP2BOARD
SHARE_OF_CHOOSING = 0.5  # the share of a move's time for the choice of a colour before the move


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """A request for a move: the position, and the seconds for the search."""

    position: PentePosition
    seconds: float


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply to a line: lines to write now, an optional request for a move, and whether the session ends."""

    lines: tuple[str, ...] = ()
    request: MoveRequest | None = None
    ends_session: bool = False


NOTHING = Reply()


@dataclass
class _StoneList:
    """The lines between BOARD and DONE; None after a wrong line, when the rest is ignored."""

    word: str
    lines: list[protocol.Line] | None


class Brain:
    """One session with a manager."""

    def __init__(self, about: str, *, ponders: bool | None = None) -> None:
        """`about` is the reply to ABOUT; `ponders` says whether the bot ponders, None leaves it to the bot."""
        self.about, self.ponders = about, ponders
        self.limits = Limits()
        self.max_memory: int | None = None  # bytes; None for no limit
        self._rule, self._variant = 0, ""
        self._refused: dict[str, str] = {}  # keys of INFO with unsupported rules, and the errors
        self._path: list[PentePosition] = []  # the positions so far; empty before START
        self._taken: tuple[int, int] | None = None  # the captures of both sides, for the next BOARD
        self._list: _StoneList | None = None
        self._on_move: Callable[[Move], Reply] | None = None

    @property
    def has_started(self) -> bool:
        """Whether there is a board."""
        return bool(self._path)

    @property
    def position(self) -> PentePosition:
        """The current position."""
        if not self._path:
            raise ProtocolError(NO_BOARD)
        return self._path[-1]

    def example(self) -> PentePosition:
        """A position of this game after a few moves, on a board of the usual size."""
        try:
            here = protocol.start(EXAMPLE_SIZE, self._rule, self._variant)
            return here.play(EXAMPLE[0]).play(EXAMPLE[1]).play(EXAMPLE[2])
        except GameError:  # the rules do not allow these first stones
            return self.position

    @property
    def size(self) -> int:
        return self.position.board.size

    # ── lines ────────────────────────────────────────────────────────────────────────────────────

    def take(self, line: str) -> Reply:
        """The reply to a line."""
        try:
            return self._listing(line) if self._list else self._do(read_command(line))
        except GameError as error:
            return _error(error)

    def _do(self, command: protocol.Command) -> Reply:
        word, text = command
        if word in MOVES:
            self._check_ready()
        match word:
            case "START":
                return self._start(protocol.read_size(text))
            case "RECTSTART":
                return self._start(protocol.read_rectangle(text))
            case "RESTART":
                return self._start(self.size)
            case "BEGIN":
                if self.position.placed:
                    raise ProtocolError("BEGIN needs an empty board, but this one has stones.")
                return self._reply_with_move(self._path)
            case "TURN":
                after = protocol.place(self.position, protocol.read_point(text, self.size))
                return self._reply_with_move([*self._path, after])
            case "PLAY":
                stone = protocol.read_point(text, self.size)
                self._path.append(protocol.place(self.position, stone))
                return Reply((write_point(stone, self.size),))
            case "TAKEBACK":
                self._path = protocol.take_back(self._path, protocol.read_point(text, self.size))
                return Reply(("OK",))
            case _ if word in LISTS:
                return self._open_list(word)
            case "DONE":
                return self._close_list()
            case "INFO":
                return self._info(text)
            case "ABOUT":
                return Reply((self.about,))
            case "STOP" | "YXSTOP" | "":  # the server has already stopped the search
                return NOTHING
            case "END":
                return Reply(ends_session=True)
        return Reply((plain(f"UNKNOWN Unknown command {shown(word, 40)}."),))

    def _listing(self, line: str) -> Reply:
        """The reply to a line between BOARD and DONE; a command other than INFO, STOP or END aborts the list."""
        assert self._list
        word = read_command(line[:40]).word
        if word == "DONE":
            return self._close_list()
        if word in WHILE_LISTING:
            return self._do(read_command(line))
        if word in COMMANDS:
            listed, self._list = self._list, None
            after = self.take(line)
            if listed.lines is None:
                return after
            aborted = _error(ProtocolError(f"Expected DONE after {listed.word}, got {word}."))
            return Reply((*aborted.lines, *after.lines), after.request, after.ends_session)
        word, lines = self._list.word, self._list.lines
        if lines is None:
            return NOTHING
        try:
            if len(lines) >= self.size**2 + SPARE_LINES:
                raise ProtocolError(f"{word} has more stones than the board has points, without DONE.")
            has_owner = word != SWAP2BOARD or line.count(",") != 1
            lines.append(
                protocol.read_stone(line, self.size) if has_owner else (protocol.read_point(line, self.size), 0)
            )
        except GameError:
            self._list.lines = None
            raise
        return NOTHING

    def _open_list(self, word: str) -> Reply:
        self._list = _StoneList(word, None)  # so that the lines of a refused list are not read as commands
        self._check_ready()
        self._list = _StoneList(word, [])
        return NOTHING

    def _close_list(self) -> Reply:
        listed, self._list = self._list, None
        if listed is None:
            raise ProtocolError("DONE without BOARD.")
        if listed.lines is None:
            return NOTHING
        if listed.word == SWAP2BOARD:
            return self._swap(listed.lines)
        empty = protocol.start(self.size, self._rule, self._variant)
        taken, self._taken = self._taken, None
        if empty.rules.captures and taken is None:
            path = protocol.from_moves(empty, listed.lines)
        else:
            path = [protocol.from_stones(empty, listed.lines, taken or (0, 0))]
        if listed.word == "BOARD":
            return self._reply_with_move(path)
        self._path = path
        return NOTHING

    # ── start ────────────────────────────────────────────────────────────────────────────────────

    def _start(self, size: int) -> Reply:
        self._path = [protocol.start(size, self._rule, self._variant)]
        self._taken = None
        self._refused.pop(BOARD_SIZE, None)
        return Reply(("OK",))

    def _check_ready(self) -> None:
        """Raises ProtocolError without a board, or with unsupported rules."""
        for error in ["" if self._path else NO_BOARD, *self._refused.values()]:
            if error:
                raise ProtocolError(error)

    # ── moves ────────────────────────────────────────────────────────────────────────────────────

    def _reply_with_move(self, path: list[PentePosition], share: float = 1.0) -> Reply:
        """Requests a move at the end of these positions; they become the board when the move is chosen."""
        here = path[-1]
        if here.outcome:
            raise ProtocolError(f"The game is over: {here.outcome.reason}, {here.outcome.score}.")

        def on_move(move: Move) -> Reply:
            stone = cast(Stone, move[0])
            self._path = [*path, protocol.place(here, stone)]
            return Reply((write_point(stone, here.board.size),))

        return self._request_move(here, on_move, share)

    def _request_move(self, here: PentePosition, on_move: Callable[[Move], Reply], share: float = 1.0) -> Reply:
        self._on_move = on_move
        return Reply(request=MoveRequest(here, share * self.limits.seconds(here.ply // 2)))

    def move_chosen(self, move: Move) -> Reply:
        """The reply after the move of the last request was chosen."""
        on_move, self._on_move = self._on_move, None
        assert on_move
        try:
            return on_move(move)
        except GameError as error:
            return _error(error)

    def no_move(self, why: str) -> Reply:
        """The reply if no move could be chosen."""
        self._on_move = None
        return _error(ProtocolError(why))

    # ── the opening swap2 ────────────────────────────────────────────────────────────────────────

    def _swap(self, lines: list[protocol.Line]) -> Reply:
        """The first three stones, or the choice after three or five stones."""
        if len(lines) not in SWAP_STONES:
            raise ProtocolError(f"{SWAP2BOARD} must have no stones, 3 or 5, not {len(lines)}.")
        stones = [stone for stone, _ in lines]
        here = protocol.start(self.size, self._rule, self._variant, swap2=True)
        if stones:
            here = here.play(tuple(stones[:3]))
        if len(stones) > 3:
            here = here.play((MORE, *stones[3:]))
        return self._request_move(here, lambda move: self._swapped(here, move), SHARE_OF_CHOOSING)

    def _swapped(self, here: PentePosition, move: Move) -> Reply:
        after, setup = here.play(move), protocol.start(self.size, self._rule, self._variant).setup
        # the opening with the choices made
        path = [replace(after, setup=setup, stage=OVER, swapped=False, ply=after.placed, last=None)]
        if chosen := [step for step in move if isinstance(step, Stone)]:
            self._path = path
            return Reply((" ".join(write_point(stone, self.size) for stone in chosen),))
        if cast(Side, move[0]) == WHITE:  # the first colour, so the opponent moves next
            self._path = path
            return Reply(("SWAP",))
        return self._reply_with_move(path, SHARE_OF_CHOOSING)

    # ── INFO ─────────────────────────────────────────────────────────────────────────────────────

    def _info(self, text: str) -> Reply:
        """Stores a value of INFO; INFO has no reply, so an error is sent as a MESSAGE."""
        key, _, value = text.partition(" ")
        try:
            self._set(key.lower(), value.strip())
        except GameError as error:
            return Reply((plain(f"MESSAGE INFO {key.lower()}: {error}"),))
        return NOTHING

    def _set(self, key: str, text: str) -> None:
        """Sets what a key of INFO means; other keys are ignored, as the protocol requires."""
        match key:
            case "timeout_turn" | "timeout_match" | "time_left":
                setattr(self.limits, key, protocol.read_number(key, text))
            case "max_memory":
                self.max_memory = max(protocol.read_number(key, text), 0) or None
            case "ponder":
                if text not in ("0", "1"):
                    raise ProtocolError(f"ponder must be 1 or 0, not {shown(text, 30)}.")
                self.ponders = text == "1"
            case "rule":
                rule = protocol.read_number(key, text)
                if why := protocol.unsupported(rule):
                    self._refuse(key, why)
                self._play_by(key, rule, self._variant)
            case "variant":
                try:
                    protocol.start(LARGEST, 0, text)
                except GameError as error:
                    self._refuse(key, str(error))
                self._play_by(key, self._rule, text)
            case "taken":
                self._taken = protocol.read_taken(text, self.size**2)

    def _refuse(self, key: str, why: str) -> None:
        """Refuses all moves until the manager changes the rules."""
        self._refused[key] = why
        raise ProtocolError(why)

    def _play_by(self, key: str, rule: int, variant: str) -> None:
        """Sets the rules: at once on an empty board, otherwise from the next BOARD or START on."""
        self._refused.pop(key, None)
        self._refused.pop(BOARD_SIZE, None)
        self._rule, self._variant = rule, variant
        if self.has_started and not self.position.placed:
            try:
                self._path = [protocol.start(self.size, rule, variant)]
            except GameError as error:
                self._refuse(BOARD_SIZE, str(error))


def _error(error: GameError) -> Reply:
    return Reply((plain(f"ERROR {error}"),))


# ── the server ────────────────────────────────────────────────────────────────────────────────────

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
        self.ready = threading.Event()
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
        self.ready.set()

    def _on_progress(self, _: str, share: float | None) -> None:
        self.share = share

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
                memory = self._wanted_memory
                if brain.max_memory is not None:  # the limit of the whole process
                    memory = min(memory, max(brain.max_memory - self._base_memory, LEAST_MEMORY))
                bot.memory = memory
            if brain.ponders is not None and hasattr(bot, "ponders"):
                bot.ponders = brain.ponders
            return self._bot.choose(request.position, seconds=seconds)
        except Exception as error:  # the manager needs an answer even if the bot fails
            return f"The bot failed ({type(error).__name__}): {shorten(str(error), 200)}"

    def call(self, method: str) -> None:
        """Calls the bot's `stop` or `stop_pondering`, if it has that."""
        if found := getattr(self._bot, method, None):
            found()

    @property
    def note(self) -> str:
        """The bot's note on its last move."""
        return str(getattr(self._bot, "note", "") or "")


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
                    # Pondering stops if the board has changed, or after a command that stops the search.
                    same = self.brain.has_started and self.brain.position is self._pondered
                    if not same or self.brain.ponders is False or read_command(line[:40]).word in URGENT:
                        self.engine.call("stop_pondering")
                if not (self._wait_for_engine() and self._answer(reply)):
                    return
                if reply.request is not None:
                    self._pondered = self.brain.position
        finally:
            self.engine.call("stop_pondering")

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
        while not self.engine.ready.wait(POLL):
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
        reader, count = protocol.LineReader(), 0
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
                    self.engine.call("stop")
                if self._is_late(began):
                    return None
        except BaseException:
            self.engine.call("stop")
            raise

    def _is_late(self, began: float) -> bool:
        """Whether the session has ended and the timeout of the last answer is over."""
        if self._end is None:
            return False
        came, timeout = self._end
        return time.monotonic() - max(came, began) > timeout
