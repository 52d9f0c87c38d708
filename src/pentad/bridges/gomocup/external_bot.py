"""External bot of the Gomocup protocol: the commands that it sends for a position, and the answers."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import pairwise, zip_longest
from math import inf
from typing import cast

from pentad.bridges import external_bot
from pentad.bridges.external_program import ExternalProgram, ProgramFailed
from pentad.bridges.gomocup import protocol
from pentad.bridges.gomocup.protocol import OTHER, OWN, ProtocolError, write_point
from pentad.game import GameError, Move, Position, shown
from pentad.games.pente.board import Stone, points_of
from pentad.games.pente.notation import BLACK, MORE, WHITE
from pentad.games.pente.rules import CHOOSE, OVER, SIDES_OFFERED, THREE, PentePosition
from pentad.search.move_limit import Limit
from pentad.system.words import phrase

INFORMATIVE = ("MESSAGE", "DEBUG")  # they may come at any time and are no answers
REFUSALS = ("ERROR", "UNKNOWN")
ANOTHER_BRAIN, NO_LIMIT = 1, 0  # values of INFO: the opponent's type; no limit of the match and of the memory


class GomocupBot(external_bot.ExternalBot):
    """Plays the moves of a brain."""

    protocol, farewell, end_of_line = "gomocup", "END", "\r\n"

    def __init__(self, command: str, seed: int | None = None) -> None:
        super().__init__(command, seed)
        self._seen: list[PentePosition] = []  # the known positions of this game
        self._sent = 0  # the number of them that the program knows; 0 if it needs the whole board
        self._next: Move | None = None  # the first stone after the choice of a colour, sent with the choice

    # ── a move ───────────────────────────────────────────────────────────────────────────────────

    def _check(self, position: Position) -> None:
        here = cast(PentePosition, position)
        if here.stage not in (OVER, THREE, *SIDES_OFFERED) or (here.stage == THREE and here.placed):
            raise GameError("{name} plays only whole turns, but this turn has begun.", name=self.name)

    def _chosen(self, position: Position, limit: Limit) -> Move:
        here, seconds = cast(PentePosition, position), limit.time
        follows, sent = self._follow(here), 0
        if self._next is not None and follows:
            move, self._next = self._next, None
        else:
            self._next = None
            goes_on = bool(self._sent) and self._sent == len(self._seen) - 1
            program = self._prepared_program(here, seconds, goes_on)
            answer = self._stone if here.stage == OVER else self._swap2
            move = answer(program, here, seconds, goes_on)
            sent = len(self._seen) + 1 if here.stage == OVER else 0  # after an opening the whole board is sent again
        try:
            self._seen.append(self._seen[-1].play(move))
        except GameError as error:
            raise ProgramFailed(
                phrase("The program's move {move} is illegal: {error}", move=move, error=error)
            ) from None
        self._sent = sent
        return move

    def _stone(self, program: ExternalProgram, here: PentePosition, seconds: float, goes_on: bool) -> Move:
        """A stone after the opponent's, or on a board that the program does not know."""
        if goes_on:
            program.send([f"TURN {write_point(_last(self._seen[-1]), here.board.size)}"])
        else:
            program.send([*self._board(here), "DONE"] if here.placed else ["BEGIN"])
        until = time.monotonic() + seconds + external_bot.GRACE_SECONDS
        answer = self._answer(program, until)
        if answer.upper().startswith("SUGGEST"):  # the manager confirms a suggestion with PLAY
            program.send([f"PLAY {answer[len('SUGGEST') :].strip()}"])
            answer = self._answer(program, until)
        return Move(self._points(here, answer, 1))

    # ── the program's board ──────────────────────────────────────────────────────────────────────

    def _follow(self, here: PentePosition) -> bool:
        """Records the position; returns whether it is the last known one or one move later."""
        for before in self._seen[-1:]:
            if before == here:
                return True
            if before.setup == here.setup and (after := _next(before, here)):
                self._seen.append(after)
                return True
        self._seen, self._sent = _derived(here), 0
        return False

    def _prepared_program(self, here: PentePosition, seconds: float, goes_on: bool) -> ExternalProgram:
        """The program, with the limits sent; also with a new board unless the game continues."""
        program = self._running()
        if not goes_on:
            variant = protocol.variant_of(here)  # before START: the board may be one that only the variant has
            program.send([*([f"INFO variant {variant}"] if variant else []), f"START {here.board.size}"])
            answer = self._answer(
                program, time.monotonic() + external_bot.MAX_START_SECONDS, external_bot.START_SECONDS
            )
            if answer.upper() != "OK":
                raise ProgramFailed(phrase("The program answered START with {answer}.", answer=shown(answer)))
            program.send(
                [
                    f"INFO timeout_match {NO_LIMIT}",
                    f"INFO max_memory {NO_LIMIT}",
                    f"INFO game_type {ANOTHER_BRAIN}",
                    f"INFO rule {protocol.rule_of(here)}",
                ]
            )
        limit = max(round(seconds * 1000), 0)
        program.send([f"INFO timeout_turn {limit}", f"INFO time_left {protocol.ENDLESS_MILLISECONDS}"])
        return program

    def _board(self, here: PentePosition) -> list[str]:
        """BOARD with the stones in the order of play if it is known, else in any order with the captures."""
        size = here.board.size
        own, order = here.colour, _order(self._seen) if here.rules.captures else _any_order(here)
        taken = [f"INFO taken {here.taken[own]},{here.taken[1 - own]}"] if order is None else []
        stones = _any_order(here) if order is None else order
        lines = (f"{write_point(stone, size)},{OWN if colour == own else OTHER}" for stone, colour in stones)
        return [*taken, "BOARD", *lines]

    # ── the opening swap2 ────────────────────────────────────────────────────────────────────────

    def _swap2(self, program: ExternalProgram, here: PentePosition, seconds: float, _: bool) -> Move:
        """The first three stones, or the choice of a colour."""
        if any(here.taken):
            return Move((WHITE,))  # SWAP2BOARD cannot express an opening with captures
        stones = _any_order(here) if here.stage != THREE else []
        program.send(["SWAP2BOARD", *(write_point(stone, here.board.size) for stone, _ in stones), "DONE"])
        answer = self._answer(program, time.monotonic() + seconds + external_bot.GRACE_SECONDS)
        if here.stage == THREE:
            return Move(self._points(here, answer, 3))
        if answer.upper() == "SWAP":
            return Move((WHITE,))
        if here.stage == CHOOSE and len(answer.split()) == 2:
            return Move((MORE, *self._points(here, answer, 2)))
        self._next = Move(self._points(here, answer, 1))  # a stone chooses the second colour
        return Move((BLACK,))

    # ── answers ──────────────────────────────────────────────────────────────────────────────────

    def _answer(self, program: ExternalProgram, until: float, timeout: float = inf) -> str:
        """The next line that is an answer; `timeout` is the longest time to wait for a line of any kind."""
        for line in self._lines(program, until, timeout):
            word = line.partition(" ")[0].upper()
            if word in REFUSALS:
                raise ProgramFailed(phrase("The program answered {line}.", line=shown(line)))
            if word not in INFORMATIVE:
                return line
        raise AssertionError  # the lines have no end

    def _points(self, here: PentePosition, answer: str, count: int) -> tuple[Stone, ...]:
        """Parses an answer of a number of points."""
        words = answer.split() if count > 1 else [answer]
        try:
            if len(words) != count:
                raise ProtocolError("Expected {count} points.", count=count)
            return tuple(protocol.read_point(word, here.board.size) for word in words)
        except ProtocolError as error:
            raise ProgramFailed(
                phrase("The program answered {answer}. {error}", answer=shown(answer), error=error)
            ) from None

    def _end(self) -> None:
        super()._end()
        self._sent, self._next = 0, None


# ── positions, and the order of their stones ─────────────────────────────────────────────────────


def _last(here: PentePosition) -> Stone:
    assert here.last is not None
    return here.board.stones[here.last]


def _next(before: PentePosition, here: PentePosition) -> PentePosition | None:
    """The position with its last stone, if it is one stone later than another; else None."""
    if before.stage != OVER or here.placed != before.placed + 1:
        return None
    fresh = here.stones[before.colour] & ~before.stones[before.colour]
    stones = [fresh] if fresh else [1 << point for point in points_of(before.points)]  # a stone may remove itself
    for stone in stones:
        try:
            after = before.play((before.board.stones[stone.bit_length() - 1],))
        except GameError:
            continue
        if after == here:
            return after
    return None


def _derived(here: PentePosition) -> list[PentePosition]:
    """Positions that may have led to a position whose history is unknown; only itself if there are none.

    Without captures, any order of the stones that follows the rules and captures nothing is sufficient.
    """
    if any(here.taken) or here.stage != OVER or here.swapped:
        return [here]
    path = [protocol.start(here.board.size, protocol.rule_of(here), protocol.variant_of(here))]
    if path[0].setup != here.setup:
        return [here]
    for stone, _ in _any_order(here):
        try:
            path.append(path[-1].play((stone,)))
        except GameError:
            return [here]
    return path if path[-1] == here else [here]


def _any_order(here: PentePosition) -> list[tuple[Stone, int]]:
    """The stones with their colours, alternating as long as possible, the centre first and the last stone last."""
    centre = here.board.centre
    ordered = (
        sorted(points_of(stones), key=lambda point: (point == here.last, point != centre)) for stones in here.stones
    )
    return [
        (here.board.stones[point], colour)
        for pair in zip_longest(*ordered)
        for colour, point in enumerate(pair)
        if point is not None
    ]


def _order(seen: Sequence[PentePosition]) -> list[tuple[Stone, int]] | None:
    """The stones in the order of play, with their colours; None if the beginning is unknown."""
    if not seen or seen[0].placed:
        return None
    return [(_last(after), before.colour) for before, after in pairwise(seen)]
