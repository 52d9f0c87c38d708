"""Gomocup brain: the state of the protocol, and the reply to each line.

A line that cannot be executed is answered by one `ERROR` and changes nothing. START is answered when the engine is
ready, since the time of moves counts from then on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import cast

from pentad.bridges.gomocup import GAME, protocol
from pentad.bridges.gomocup.protocol import ProtocolError, read_command, write_point
from pentad.bridges.protocol_server import NOTHING, MoveRequest, ProtocolSession, Reply
from pentad.bridges.text_lines import plain
from pentad.game import GameError, Move, shown
from pentad.games.pente.board import Side, Stone
from pentad.games.pente.notation import MORE, WHITE
from pentad.games.pente.rules import OVER, PentePosition
from pentad.games.pente.rulesets import LARGEST
from pentad.search.bot import Bot, bot_maker
from pentad.search.clock_share import managed
from pentad.search.move_limit import Limit


@dataclass
class BrainLimits:
    """The limits of INFO, in milliseconds; None for one that was not sent."""

    timeout_turn: int | None = None
    timeout_match: int | None = None
    time_left: int | None = None

    def limit(self, played: int) -> Limit:
        """The limit of the next move, by the number of own moves played."""
        turn, left = (None if each is None else max(each, 0) / 1000 for each in (self.timeout_turn, self._left))
        return managed(turn=turn, left=left, played=played)

    @property
    def _left(self) -> int | None:
        """The time left of the game; None for no limit."""
        if self.timeout_match == 0:
            return None
        left = self.timeout_match if self.time_left is None else self.time_left
        return None if left is None or left >= protocol.ENDLESS_MILLISECONDS else max(left, 0)


EXAMPLE_SIZE, EXAMPLE = 15, ("H8", "G8", "M9")  # a third stone that every rule of the opening allows
NO_BOARD = "There is no board yet; START comes first."
BOARD_SIZE = "board"  # the key of a refusal because of the board's size, until the next board
SPARE_BOARD_LINES = 64  # a BOARD may have more stones than points: after captures, points are filled again
SWAP2BOARD = "SWAP2BOARD"
WHILE_LISTING = ("INFO", "STOP", "YXSTOP", "END")
LISTS = ("BOARD", "YXBOARD", SWAP2BOARD)
MOVES = ("BEGIN", "TURN", "PLAY")  # commands that need a board and supported rules
COMMANDS = ("START", "RECTSTART", "RESTART", *MOVES, "TAKEBACK", *LISTS, "DONE", "ABOUT", *WHILE_LISTING)
SWAP_STONES = (0, 3, 5)  # possible numbers of stones in SWAP2BOARD
SHARE_OF_CHOOSING = 0.5  # the share of a move's time for the choice of a colour before the move


@dataclass
class _StoneList:
    """The lines between BOARD and DONE; None after a wrong line, when the rest is ignored."""

    word: str
    lines: list[protocol.Line] | None


class Brain(ProtocolSession):
    """One session with a manager."""

    urgent, farewell = frozenset({"STOP", "YXSTOP", "END"}), "END"
    while_preparing = frozenset({"ABOUT", "INFO"})

    def __init__(self, about: str, make: Callable[[], Bot] | None = None, *, ponders: bool | None = None) -> None:
        """`about` is the reply to ABOUT; `ponders` says whether the bot ponders, None leaves it to the bot."""
        super().__init__(make or bot_maker(GAME))
        self.about, self.ponders = about, ponders
        self.limits = BrainLimits()
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

    @property
    def here(self) -> PentePosition | None:
        return self._path[-1] if self._path else None

    def needs_engine(self, line: str, reply: Reply) -> bool:
        return self.has_started

    def remark(self, text: str) -> str:
        return plain(f"MESSAGE {text}")

    # ── lines ────────────────────────────────────────────────────────────────────────────────────

    def word_of(self, line: str) -> str:
        return line.strip().partition(" ")[0].upper()

    def take(self, line: str) -> Reply:
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
            aborted = _error(ProtocolError("Expected DONE after {word}, got {got}.", word=listed.word, got=word))
            return Reply((*aborted.lines, *after.lines), after.request, after.ends_session)
        word, lines = self._list.word, self._list.lines
        if lines is None:
            return NOTHING
        try:
            if len(lines) >= self.size**2 + SPARE_BOARD_LINES:
                raise ProtocolError("{word} has more stones than the board has points, without DONE.", word=word)
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
            raise ProtocolError(
                "The game is over: {reason}, {score}.", reason=here.outcome.reason, score=here.outcome.score
            )

        def on_move(move: Move) -> Reply:
            stone = cast(Stone, move[0])
            self._path = [*path, protocol.place(here, stone)]
            return Reply((write_point(stone, here.board.size),))

        return self._request_move(here, on_move, share)

    def _request_move(self, here: PentePosition, on_move: Callable[[Move], Reply], share: float = 1.0) -> Reply:
        self._on_move = on_move
        return Reply(request=MoveRequest(here, self.limits.limit(here.ply // 2).part(share)))

    def move_chosen(self, move: Move) -> Reply:
        on_move, self._on_move = self._on_move, None
        assert on_move
        try:
            return on_move(move)
        except GameError as error:
            return _error(error)

    def no_move(self, why: str) -> Reply:
        self._on_move = None
        return _error(ProtocolError(why))

    # ── the opening swap2 ────────────────────────────────────────────────────────────────────────

    def _swap(self, lines: list[protocol.Line]) -> Reply:
        """The first three stones, or the choice after three or five stones."""
        if len(lines) not in SWAP_STONES:
            raise ProtocolError(
                "{command} must have no stones, 3 or 5, not {count}.", command=SWAP2BOARD, count=len(lines)
            )
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
                self.max_memory_bytes = max(protocol.read_number(key, text), 0) or None
            case "ponder":
                if text not in ("0", "1"):
                    raise ProtocolError("ponder must be 1 or 0, not {text}.", text=shown(text, 30))
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
