"""A brain outside of pentad as a player: a program that speaks the Gomocup protocol, started when it has to move.

What it must not do loses it the game: not to start, to end, to answer nothing in time or nothing that can be read, to
place a stone where none may go. The message names the file that keeps what was said.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import cast

from pentad.bridges.gomocup import board_commands
from pentad.bridges.gomocup.engine_process import Program, ProgramFailed, keep_transcript, words_of
from pentad.bridges.gomocup.protocol import OTHER, OWN, ProtocolError, read_point, write_point
from pentad.bridges.gomocup.time_limits import ENDLESS
from pentad.game import GameError, IllegalMove, Move, Position, Step, shown
from pentad.pente.board import Stone, points_of
from pentad.pente.notation import BLACK, MORE, WHITE
from pentad.pente.opening import CHOOSE, CHOOSE_AGAIN, OVER, SIDES_OFFERED, THREE
from pentad.pente.rules import PentePosition
from pentad.search.bot import Bot, Forfeit

NAME = "gomocup"
USUAL = 5.0  # seconds a move where nobody says how many
GRACE = 1.0  # seconds beyond a move's time before it counts as too late
STARTING, AT_MOST = 30.0, 600.0  # seconds that START may take: after the last message, and altogether
ASIDE = ("MESSAGE", "DEBUG")  # lines that may come at any time and answer nothing
REFUSALS = ("ERROR", "UNKNOWN")
ANOTHER_BRAIN, NO_LIMIT = 1, 0  # what is told of the opponent, and of the match and the memory

Answer = tuple[Step, ...]


class ExternalBot(Bot):
    """Plays what a program says. The program is started for its first move and ended by `close`."""

    def __init__(self, command: str, seed: int | None = None) -> None:
        super().__init__(seed)
        words_of(command)  # refuses what is no command line
        self.command, self.name = command, f"{NAME}:{command}"
        self._program: Program | None = None
        self._seen: list[PentePosition] = []  # the positions of this game, as far as they are known
        self._told = 0  # how many of them the program knows; 0: it has to be told the whole board
        self._next: Move | None = None  # the first stone after a colour was chosen, which was said with the choice

    # ── a move ───────────────────────────────────────────────────────────────────────────────────

    def choose(self, position: Position, *, seconds: float | None = None) -> Move:
        here = cast(PentePosition, position)
        if here.outcome:
            raise IllegalMove("the game is over, there is no move to choose")
        if here.stage not in (OVER, THREE, *SIDES_OFFERED) or (here.stage == THREE and here.placed):
            raise GameError(f"{self.name} plays whole turns, and this one has begun")
        try:
            return self._chosen(here, USUAL if seconds is None else seconds)
        except ProgramFailed as failed:
            raise self._forfeit(str(failed)) from None
        except BaseException:  # whatever it was asked, nobody waits for the answer any more
            self._end()
            raise

    def _chosen(self, here: PentePosition, seconds: float) -> Move:
        follows, told = self._follow(here), 0
        if self._next is not None and follows:
            move, self._next = self._next, None
        else:
            self._next = None
            goes_on = bool(self._told) and self._told == len(self._seen) - 1
            program = self._ready(here, seconds, goes_on)
            answer = self._swap if here.stage != OVER else self._turn if goes_on else self._stone
            move = answer(program, here, seconds)
            told = len(self._seen) + 1 if here.stage == OVER else 0  # after an opening a board is told anew
        try:
            self._seen.append(self._seen[-1].play(move))
        except GameError as error:
            raise self._forfeit(f"it may not play {move}: {error}") from None
        self._told = told
        return move

    def _turn(self, program: Program, here: PentePosition, seconds: float) -> Move:
        """A stone after the other's."""
        program.tell([f"TURN {write_point(_last(self._seen[-1]), here.board.size)}"])
        return self._heard(program, here, seconds)

    def _stone(self, program: Program, here: PentePosition, seconds: float) -> Move:
        """A stone on a board that the program has not seen."""
        program.tell([*self._board(here), "DONE"] if here.placed else ["BEGIN"])
        return self._heard(program, here, seconds)

    def _heard(self, program: Program, here: PentePosition, seconds: float) -> Move:
        until = time.monotonic() + seconds + GRACE
        answer = self._answer(program, until)
        if answer.upper().startswith("SUGGEST"):  # it leaves the last word to whoever runs the game
            program.tell([f"PLAY {answer[len('SUGGEST') :].strip()}"])
            answer = self._answer(program, until)
        return Move(self._points(here, answer, 1))

    # ── what it has to know ──────────────────────────────────────────────────────────────────────

    def _follow(self, here: PentePosition) -> bool:
        """Note the position; whether it is one move on from what was known, or the same."""
        if self._seen and self._seen[-1] == here:
            return True
        before = self._seen[-1] if self._seen else None
        if before is not None and before.setup == here.setup and (after := _next(before, here)):
            self._seen.append(after)
            return True
        self._seen, self._told = _derived(here), 0
        return False

    def _ready(self, here: PentePosition, seconds: float, goes_on: bool) -> Program:
        """The program with its limits; on a new board of this kind where the game does not just go on."""
        if self._program is None:
            self._program = Program(self.command)
        program = self._program
        if not goes_on:
            variant = board_commands.variant_of(here)  # before START: the board may be one that only the variant has
            program.tell([*([f"INFO variant {variant}"] if variant else []), f"START {here.board.size}"])
            answer = self._started(program)
            if answer.upper() != "OK":
                raise ProgramFailed(f"it answered START by {shown(answer)}")
            program.tell(
                [
                    f"INFO timeout_match {NO_LIMIT}",
                    f"INFO max_memory {NO_LIMIT}",
                    f"INFO game_type {ANOTHER_BRAIN}",
                    f"INFO rule {board_commands.rule_of(here)}",
                ]
            )
        limit = max(round(seconds * 1000), 0)
        program.tell([f"INFO timeout_turn {limit}", f"INFO time_left {ENDLESS}"])
        return program

    def _board(self, here: PentePosition) -> list[str]:
        """BOARD with the stones in the order of play where that is known, else as they stand."""
        size = here.board.size
        order = _order(self._seen) if here.rules.captures else _any_order(here)
        if order is not None:
            return ["BOARD", *(_line(stone, OWN if colour == here.colour else OTHER, size) for stone, colour in order)]
        own = here.colour
        stones = [
            _line(here.board.stones[point], who, size)
            for colour, who in ((own, OWN), (1 - own, OTHER))
            for point in points_of(here.stones[colour])
        ]
        return [f"INFO taken {here.taken[own]},{here.taken[1 - own]}", "BOARD", *stones]

    # ── the opening swap2 ────────────────────────────────────────────────────────────────────────

    def _swap(self, program: Program, here: PentePosition, seconds: float) -> Move:
        """The first three stones, or the choice of a colour."""
        if any(here.taken):
            return Move((WHITE,))  # five stones that have captured some of each other cannot be told
        stones = _any_order(here) if here.stage != THREE else []
        lines = (write_point(stone, here.board.size) for stone, _ in stones)
        program.tell(["SWAP2BOARD", *lines, "DONE"])
        answer = self._answer(program, time.monotonic() + seconds + GRACE)
        return Move(SWAPS[here.stage](self, here, answer))

    def _three(self, here: PentePosition, answer: str) -> Answer:
        return self._points(here, answer, 3)

    def _colour(self, here: PentePosition, answer: str) -> Answer:
        """The colour that an answer takes: the first by SWAP, the second by placing its next stone."""
        if answer.upper() == "SWAP":
            return (WHITE,)
        if here.stage == CHOOSE and len(answer.split()) == 2:
            return (MORE, *self._points(here, answer, 2))
        self._next = Move(self._points(here, answer, 1))
        return (BLACK,)

    # ── answers ──────────────────────────────────────────────────────────────────────────────────

    def _started(self, program: Program) -> str:
        """The answer to START; a program that tells meanwhile what it does may take longer."""
        latest = time.monotonic() + AT_MOST
        while (line := self._line(program, min(time.monotonic() + STARTING, latest))) is None:
            pass
        return line

    def _answer(self, program: Program, until: float) -> str:
        """The next line that answers something."""
        while (line := self._line(program, until)) is None:
            pass
        return line

    def _line(self, program: Program, until: float) -> str | None:
        """The next line; None for one that answers nothing."""
        line = program.hear(until).strip()
        word = line.partition(" ")[0].upper()
        if word in REFUSALS:
            raise ProgramFailed(f"it answered {shown(line)}")
        return line if line and word not in ASIDE else None

    def _points(self, here: PentePosition, answer: str, count: int) -> tuple[Stone, ...]:
        """So many points in an answer."""
        words = answer.split() if count > 1 else [answer]
        try:
            if len(words) != count:
                raise ProtocolError(f"{count} points were expected")
            return tuple(read_point(word, here.board.size) for word in words)
        except ProtocolError as error:
            raise ProgramFailed(f"it answered {shown(answer)}: {error}") from None

    # ── ending ───────────────────────────────────────────────────────────────────────────────────

    def _forfeit(self, why: str) -> Forfeit:
        """The game is lost; the program is ended, and what was said is kept."""
        program = self._program
        self._end()
        said = program.said if program else []
        path = keep_transcript("\n".join([self.command, why, "", *said, ""])) if said else None
        return Forfeit(f"{why} (what was said is in {path})" if path else why)

    def _end(self) -> None:
        program, self._program, self._told, self._next = self._program, None, 0, None
        if program:
            program.kill()

    def close(self) -> None:
        """End the program, politely first."""
        program = self._program
        if program:
            try:
                program.close()
            finally:
                self._end()


SWAPS: dict[str, Callable[[ExternalBot, PentePosition, str], Answer]] = {
    THREE: ExternalBot._three,
    CHOOSE: ExternalBot._colour,
    CHOOSE_AGAIN: ExternalBot._colour,
}


# ── positions, and the order in which their stones came ──────────────────────────────────────────


def _line(stone: Stone, who: int, size: int) -> str:
    return f"{write_point(stone, size)},{who}"


def _last(here: PentePosition) -> Stone:
    assert here.last is not None
    return here.board.stones[here.last]


def _next(before: PentePosition, here: PentePosition) -> PentePosition | None:
    """A position that is one stone on from another, with the stone it came by; None if it is not."""
    if before.stage != OVER or here.placed != before.placed + 1:
        return None
    fresh = here.stones[before.colour] & ~before.stones[before.colour]
    stones = [fresh] if fresh else [1 << point for point in points_of(before.points)]  # one may take itself off
    for stone in stones:
        try:
            after = before.play((before.board.stones[stone.bit_length() - 1],))
        except GameError:
            continue
        if after == here:
            return after
    return None


def _derived(here: PentePosition) -> list[PentePosition]:
    """The positions that may have led to one that nobody saw come; itself alone where they cannot be told.

    Any order of the stones will do that follows the rules and takes nothing, if nothing has been taken.
    """
    if any(here.taken) or here.stage != OVER or here.swapped:
        return [here]
    path = [board_commands.start(here.board.size, board_commands.rule_of(here), board_commands.variant_of(here))]
    if path[0].setup != here.setup:
        return [here]
    for stone, _ in _any_order(here):
        try:
            path.append(path[-1].play((stone,)))
        except GameError:
            return [here]
    return path if path[-1] == here else [here]


def _any_order(here: PentePosition) -> list[tuple[Stone, int]]:
    """The stones with their colours, taking turns as long as both have some, the centre first, the last one last."""
    centre = here.board.centre
    by_colour = [
        sorted((point for point in points_of(stones) if point != here.last), key=lambda point: point != centre)
        for stones in here.stones
    ]
    if here.last is not None:
        mover = next((colour for colour in (0, 1) if here.stones[colour] >> here.last & 1), None)
        if mover is not None:
            by_colour[mover].append(here.last)
    ordered: list[tuple[Stone, int]] = []
    for i in range(max(map(len, by_colour))):
        ordered += [
            (here.board.stones[points[i]], colour) for colour, points in enumerate(by_colour) if i < len(points)
        ]
    return ordered


def _order(seen: Sequence[PentePosition]) -> list[tuple[Stone, int]] | None:
    """The stones in the order of play, with their colours; None where the beginning is not known."""
    if not seen or seen[0].placed:
        return None
    return [(_last(after), before.colour) for before, after in pairwise(seen)]
