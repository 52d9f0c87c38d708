"""The brain: what it knows of the game, and what it answers to each line. It neither reads nor writes nor waits.

A line has an answer at once, or a `Thought`: a position at which somebody has to choose a move. Whoever has chosen
tells the brain, which then has the answer. A line that cannot be followed is answered by one `ERROR` and changes
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, cast

from pentad.bridges.gomocup import board_commands
from pentad.bridges.gomocup.protocol import (
    Command,
    ProtocolError,
    plain,
    read_command,
    read_number,
    read_point,
    read_rectangle,
    read_size,
    read_stone,
    write_point,
)
from pentad.bridges.gomocup.time_limits import Limits
from pentad.game import GameError, Move, Position, shown
from pentad.pente.board import Side, Stone
from pentad.pente.configuration import LARGEST
from pentad.pente.notation import MORE, WHITE
from pentad.pente.rules import PentePosition

EXAMPLE_SIZE, EXAMPLE = 15, ("H8", "G8", "M9")  # a third stone that every rule of the opening allows
NO_BOARD = "there is no board yet; START comes first"
THIS_BOARD = "board"  # what is refused where it is the board's size that does not suit, until another comes
SPARE_LINES = 64  # of BOARD, beyond a stone for each point: where stones are captured, points are filled again
SWAP_STONES = (0, 3, 5)  # that SWAP2BOARD may tell
SHARE_OF_CHOOSING = 0.5  # of a move's time, where a colour is chosen before the move


class Thinker(Protocol):
    """Whoever chooses the moves: any bot of Pente.

    One that also has `stop` can be asked to end early. One that has `ponders` thinks on the other's time if that is
    set, from its move until it is asked again or `stop_pondering` is called.
    """

    def choose(self, position: Position, *, seconds: float | None = None) -> Move:
        """A legal move."""


@dataclass(frozen=True, slots=True)
class Thought:
    """What is to be thought about, and for how many seconds."""

    position: PentePosition
    seconds: float


@dataclass(frozen=True, slots=True)
class Reply:
    """What a line is answered: lines to be written now, perhaps a thought, perhaps the end."""

    lines: tuple[str, ...] = ()
    thought: Thought | None = None
    leaves: bool = False


NOTHING = Reply()


@dataclass
class _Listed:
    """The lines between BOARD and DONE; none is taken any more once one was wrong."""

    word: str
    lines: list[board_commands.Line] = field(default_factory=list)
    spoilt: bool = False


class Brain:
    """One session with a manager."""

    def __init__(self, about: str, *, ponders: bool | None = None) -> None:
        """`about` is what ABOUT is answered; `ponders` whether the other's time is used, None leaves it to the bot."""
        self.about, self.ponders = about, ponders
        self.limits = Limits()
        self.max_memory: int | None = None  # bytes; None where there is no limit
        self._rule, self._variant = 0, ""
        self._refused: dict[str, str] = {}  # keys of INFO that asked for a game which is not played here
        self._path: list[PentePosition] = []  # the positions so far; empty before START
        self._taken: tuple[int, int] | None = None  # what the next BOARD's sides have captured
        self._listed: _Listed | None = None
        self._then: Callable[[Move], Reply] | None = None

    @property
    def has_started(self) -> bool:
        """Whether there is a board."""
        return bool(self._path)

    @property
    def position(self) -> PentePosition:
        """How the game stands."""
        if not self._path:
            raise ProtocolError(NO_BOARD)
        return self._path[-1]

    def example(self) -> PentePosition:
        """A position of this game on a usual board, with something to think about."""
        try:
            here = board_commands.start(EXAMPLE_SIZE, self._rule, self._variant)
            return here.play(EXAMPLE[0]).play(EXAMPLE[1]).play(EXAMPLE[2])
        except GameError:  # the first stones are placed by another rule
            return self.position

    @property
    def size(self) -> int:
        return self.position.board.size

    # ── lines ────────────────────────────────────────────────────────────────────────────────────

    def take(self, line: str) -> Reply:
        """What a line is answered."""
        try:
            return self._listing(line) if self._listed else self._do(read_command(line))
        except GameError as error:
            return _error(error)

    def _do(self, command: Command) -> Reply:
        if command.word not in COMMANDS:
            return Reply((plain(f"UNKNOWN {shown(command.word, 40)} is no command here"),) if command.word else ())
        return COMMANDS[command.word](self, command.rest)

    def _listing(self, line: str) -> Reply:
        """A line between BOARD and DONE; another command than INFO or STOP breaks the list off."""
        assert self._listed
        word = read_command(line[:40]).word
        if word == "DONE":
            return self._done()
        if word in WHILE_LISTING:
            return self._do(read_command(line))
        if word in COMMANDS:
            listed, self._listed = self._listed, None
            after = self.take(line)
            if listed.spoilt:
                return after
            broken = _error(ProtocolError(f"the {listed.word} before {word} had no DONE"))
            return Reply((*broken.lines, *after.lines), after.thought, after.leaves)
        if self._listed.spoilt:
            return NOTHING
        try:
            self._list(line)
        except GameError:
            self._listed.spoilt = True
            self._listed.lines.clear()
            raise
        return NOTHING

    def _list(self, line: str) -> None:
        """Note a stone of a list."""
        assert self._listed
        if len(self._listed.lines) >= self.size**2 + SPARE_LINES:
            raise ProtocolError(f"{self._listed.word} has more stones than the board has points, and no DONE")
        if self._listed.word == SWAP2BOARD and line.count(",") == 1:
            self._listed.lines.append((read_point(line, self.size), 0))
        else:
            self._listed.lines.append(read_stone(line, self.size))

    def _begin_list(self, word: str) -> Reply:
        self._listed = _Listed(word, spoilt=True)  # so that nothing is taken for a command if this is refused
        self._check_ready()
        self._listed = _Listed(word)
        return NOTHING

    def _done(self) -> Reply:
        listed, self._listed = self._listed, None
        if listed is None:
            raise ProtocolError("there is no BOARD that DONE could end")
        if listed.spoilt:
            return NOTHING
        return LISTS[listed.word](self, listed.lines)

    # ── beginning ────────────────────────────────────────────────────────────────────────────────

    def _start(self, size: int) -> Reply:
        self._path = [board_commands.start(size, self._rule, self._variant)]
        self._taken = None
        self._refused.pop(THIS_BOARD, None)
        return Reply(("OK",))

    def _restart(self) -> Reply:
        return self._start(self.size)

    def _check_ready(self) -> None:
        """Refuse what cannot be played: no board, or rules that are not known here."""
        for wrong in ["" if self._path else NO_BOARD, *self._refused.values()]:
            if wrong:
                raise ProtocolError(wrong)

    # ── stones ───────────────────────────────────────────────────────────────────────────────────

    def _begin(self) -> Reply:
        self._check_ready()
        if self.position.placed:
            raise ProtocolError("BEGIN is for an empty board; there are stones on this one")
        return self._think(self._path)

    def _turn(self, text: str) -> Reply:
        self._check_ready()
        return self._think([*self._path, board_commands.placed(self.position, read_point(text, self.size))])

    def _play(self, text: str) -> Reply:
        self._check_ready()
        stone = read_point(text, self.size)
        self._path.append(board_commands.placed(self.position, stone))
        return Reply((write_point(stone, self.size),))

    def _take_back(self, text: str) -> Reply:
        stone = read_point(text, self.size)
        self._path = board_commands.taken_back(self._path, stone)
        return Reply(("OK",))

    def _board(self, lines: list[board_commands.Line]) -> Reply:
        return self._think(self._set_up(lines))

    def _board_alone(self, lines: list[board_commands.Line]) -> Reply:
        self._path = self._set_up(lines)
        return NOTHING

    def _set_up(self, lines: list[board_commands.Line]) -> list[PentePosition]:
        """The positions that a list of stones stands for."""
        empty = board_commands.start(self.size, self._rule, self._variant)
        taken, self._taken = self._taken, None
        if empty.rules.captures and taken is None:
            return board_commands.in_order(empty, lines)
        return [board_commands.as_they_stand(empty, lines, taken or (0, 0))]

    # ── moves ────────────────────────────────────────────────────────────────────────────────────

    def _think(self, path: list[PentePosition], share: float = 1.0) -> Reply:
        """Ask for a move at the end of these positions; the board is theirs once it is there."""
        here = path[-1]
        if here.outcome:
            raise ProtocolError(f"the game is over: {here.outcome.reason}, {here.outcome.score}")

        def then(move: Move) -> Reply:
            stone = cast(Stone, move[0])
            self._path = [*path, board_commands.placed(here, stone)]
            return Reply((write_point(stone, here.board.size),))

        return self._ask(here, then, share)

    def _ask(self, here: PentePosition, then: Callable[[Move], Reply], share: float = 1.0) -> Reply:
        self._then = then
        return Reply(thought=Thought(here, share * self.limits.seconds(here.ply // 2)))

    def decided(self, move: Move) -> Reply:
        """What is answered now that the move of the last thought has been chosen."""
        then, self._then = self._then, None
        assert then
        try:
            return then(move)
        except GameError as error:
            return _error(error)

    def failed(self, why: str) -> Reply:
        """What is answered where no move was chosen."""
        self._then = None
        return _error(ProtocolError(why))

    # ── the opening swap2 ────────────────────────────────────────────────────────────────────────

    def _swap(self, lines: list[board_commands.Line]) -> Reply:
        """Place the first three stones, or say who goes on after three or five."""
        if len(lines) not in SWAP_STONES:
            raise ProtocolError(f"{SWAP2BOARD} tells no stones, 3 or 5, not {len(lines)}")
        stones = [stone for stone, _ in lines]
        here = board_commands.start(self.size, self._rule, self._variant, swap2=True)
        if stones:
            here = here.play(tuple(stones[:3]))
        if len(stones) > 3:
            here = here.play((MORE, *stones[3:]))
        return self._ask(here, lambda move: self._swapped(here, move), SHARE_OF_CHOOSING)

    def _swapped(self, here: PentePosition, move: Move) -> Reply:
        empty = board_commands.start(self.size, self._rule, self._variant)
        path = [board_commands.without_swap(here.play(move), empty)]
        chosen = [step for step in move if isinstance(step, Stone)]
        if chosen:
            self._path = path
            return Reply((" ".join(write_point(stone, self.size) for stone in chosen),))
        if cast(Side, move[0]) == WHITE:  # the first colour, so the other goes on
            self._path = path
            return Reply(("SWAP",))
        return self._think(path, SHARE_OF_CHOOSING)

    # ── what the manager tells ───────────────────────────────────────────────────────────────────

    def _info(self, text: str) -> Reply:
        """Note what is told; INFO has no answer, so what is wrong with it is a message."""
        key, _, value = text.partition(" ")
        try:
            if key.lower() in KEYS:
                KEYS[key.lower()](self, value.strip())
        except GameError as error:
            return Reply((plain(f"MESSAGE INFO {key.lower()}: {error}"),))
        return NOTHING

    def _limit(self, key: str, text: str) -> None:
        setattr(self.limits, key, read_number(key, text))

    def _limit_memory(self, text: str) -> None:
        self.max_memory = max(read_number("max_memory", text), 0) or None

    def _set_ponder(self, text: str) -> None:
        if text not in ("0", "1"):
            raise ProtocolError(f"ponder is 1 or 0, not {shown(text, 30)}")
        self.ponders = text == "1"

    def _set_rule(self, text: str) -> None:
        rule = read_number("rule", text)
        if why := board_commands.why_not(rule):
            self._refuse("rule", why)
        self._play_by("rule", rule, self._variant)

    def _set_variant(self, text: str) -> None:
        try:
            board_commands.start(LARGEST, 0, text)
        except GameError as error:
            self._refuse("variant", str(error))
        self._play_by("variant", self._rule, text)

    def _refuse(self, key: str, why: str) -> None:
        """Play nothing until the manager asks for something else."""
        self._refused[key] = why
        raise ProtocolError(why)

    def _play_by(self, key: str, rule: int, variant: str) -> None:
        """Go by these rules: at once on an empty board, else from the next BOARD or START on."""
        self._refused.pop(key, None)
        self._refused.pop(THIS_BOARD, None)
        self._rule, self._variant = rule, variant
        if self.has_started and not self.position.placed:
            try:
                self._path = [board_commands.start(self.size, rule, variant)]
            except GameError as error:
                self._refuse(THIS_BOARD, str(error))

    def _set_taken(self, text: str) -> None:
        self._taken = board_commands.read_taken(text, self.size**2)


def _error(error: GameError) -> Reply:
    return Reply((plain(f"ERROR {error}"),))


SWAP2BOARD = "SWAP2BOARD"

# What stands between one of these words and DONE, and what becomes of it.
LISTS: Mapping[str, Callable[[Brain, list[board_commands.Line]], Reply]] = {
    "BOARD": Brain._board,
    "YXBOARD": Brain._board_alone,
    SWAP2BOARD: Brain._swap,
}

COMMANDS: Mapping[str, Callable[[Brain, str], Reply]] = {
    "START": lambda brain, text: brain._start(read_size(text)),
    "RECTSTART": lambda brain, text: brain._start(read_rectangle(text)),
    "RESTART": lambda brain, text: brain._restart(),
    "BEGIN": lambda brain, text: brain._begin(),
    "TURN": Brain._turn,
    "PLAY": Brain._play,
    "TAKEBACK": Brain._take_back,
    **{word: lambda brain, text, word=word: brain._begin_list(word) for word in LISTS},  # type: ignore[misc]
    "DONE": lambda brain, text: brain._done(),
    "INFO": Brain._info,
    "ABOUT": lambda brain, text: Reply((brain.about,)),
    "STOP": lambda brain, text: NOTHING,  # whoever reads the lines has stopped the thought already
    "YXSTOP": lambda brain, text: NOTHING,
    "END": lambda brain, text: Reply(leaves=True),
}
WHILE_LISTING = ("INFO", "STOP", "YXSTOP", "END")
HURRYING = ("STOP", "YXSTOP", "END")  # commands that end a thought which goes on when they come

# What INFO may tell; any other key is passed over, as the protocol wants it.
KEYS: Mapping[str, Callable[[Brain, str], None]] = {
    **{
        key: lambda brain, text, key=key: brain._limit(key, text)  # type: ignore[misc]
        for key in ("timeout_turn", "timeout_match", "time_left")
    },
    "max_memory": Brain._limit_memory,
    "ponder": Brain._set_ponder,
    "rule": Brain._set_rule,
    "variant": Brain._set_variant,
    "taken": Brain._set_taken,
}
