"""A step of solving a game whose states are in files: the results of a part of a level, from those of the next level.

It is a unit of work like those of `pentad.grammar.farm.partition`, whose jobs this module has as well. The results of a
file of states are in a file beside it, with a byte for each slot.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from pentad.game import GameError
from pentad.grammar.compiled import constants as k
from pentad.grammar.compiled.conditions import rows_of
from pentad.grammar.compiled.counting import BUFFER
from pentad.grammar.compiled.engine import Compiled, buffers_for
from pentad.grammar.farm import partition
from pentad.grammar.farm.key_files import KeyFile, draft_of, item_size
from pentad.grammar.farm.partition import job, once, pieces, read_shared, tables_of, unpack
from pentad.grammar.solving import DRAW, LOST, WON, GrammarGame, Referee
from pentad.jobs.worker import Answer, Jobs
from pentad.kernels.buffers import Buffer, zeros
from pentad.kernels.buffers import array as buffer_of
from pentad.kernels.program import program
from pentad.system.checked_files import BlockFile, BlockWriter, again, damaged
from pentad.system.scratch_files import reporting

KERNELS = "pentad.grammar.compiled.backward_kernels"
GAME = "game"
TURN, HAS_WON = 1, 4  # the bits of the first player
LEAST_SLOTS = 1 << 16
BLOCK, FOLLOWING = 0.25, 0.6  # shares of the memory


class GameTables(NamedTuple):
    """What a game is: conditions as rows, what their labels stand for, which labels are moves, and `gameStuck`."""

    conditions: k.Rules
    bits: Buffer
    are_moves: Buffer
    stuck: int  # the result for the player to move: 0 a draw, 1 a win, 2 a loss

    @classmethod
    def of(cls, compiled: Compiled, referee: Referee, game: GrammarGame) -> GameTables:
        conditions, bits = rows_of(compiled, {TURN: referee.turn, HAS_WON: referee.won}, referee.players)
        tested = {rule.name for rule in compiled.system.properties}
        are_moves = buffer_of([name not in tested for name, _ in compiled.labels], "uint8")
        return cls(conditions, bits, are_moves, {DRAW: 0, WON: 1, LOST: 2}[game.stuck])


@lru_cache(maxsize=1)
def game_of(folder: Path) -> GameTables:
    conditions, bits, are_moves, stuck = unpack(read_shared(folder, GAME))
    return GameTables(k.Rules(*conditions), bits, are_moves, stuck)


def value(folder: str, name: str, file: str, following: Sequence[str], memory: int) -> Answer:
    """Finds the results of the states of a file from the files of the next level; tells how many are won and lost."""
    where = Path(folder)
    with reporting(where):
        return once(where, name, lambda: _Valuation(where, file, following, memory).run())


class _Valuation:
    def __init__(self, folder: Path, file: str, following: Sequence[str], memory: int) -> None:
        self.tables, self.game = tables_of(folder), game_of(folder)
        slot = self.slot = self.tables.slot
        self.file = KeyFile.at(folder / file, slot)
        self.following = sorted((_valued(folder / each, slot) for each in following), key=lambda each: each[0].low)
        room = max(int(BLOCK * memory) // (item_size(slot) + 1), LEAST_SLOTS)
        self.block, self.found = zeros(min(self.file.slots, room), slot), zeros(min(self.file.slots, room), "uint8")
        self.room = max(int(FOLLOWING * memory) // (item_size(slot) + 1), LEAST_SLOTS)
        self.parts = list(self._parts())
        self.part: tuple[int, Buffer, Buffer, Buffer] | None = None  # the one in memory
        self.size, self.buffers = BUFFER, buffers_for(BUFFER, 1, self.tables.rules)
        self.stats, self.cursor = zeros(k.STATS_SIZE, "int64"), zeros(k.CURSOR_SIZE, "int64")
        self.stats[k.NAME] = -1
        self.states, self.where = zeros(k.BATCH, "uint64"), zeros(k.BATCH, "int64")
        self.counts = zeros(k.COUNTS_SIZE, "int64")

    def run(self) -> Answer:
        file, path = self.file, results_of(self.file.path)
        draft = draft_of(path)
        try:
            with draft.open("wb", buffering=0) as out:
                blocks = BlockWriter(out)
                for first, last in pieces(file, file.low, file.high, 0, file.slots, len(self.block)):
                    if last - first > len(self.block):
                        self.block, self.found = zeros(last - first, self.slot), zeros(last - first, "uint8")
                    block, found = self.block[: last - first], self.found[: last - first]
                    file.read(first, block)
                    file.check(block)
                    self._value(block, found)
                    blocks.write(found)
                blocks.complete(path)
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
        counts = self.counts
        if counts[k.WRONG]:
            raise GameError(f"{counts[k.WRONG]:,} states have not one player to move, as gameTurn says.")
        if counts[k.MOVES_FOUND] < counts[k.MOVES_MADE]:
            raise GameError("A move leads back to states that were reached before. Solve this game without --scratch.")
        return {"won": int(counts[k.WON]), "drawn": int(counts[k.DRAWN]), "lost": int(counts[k.LOST])}

    def _value(self, block: Buffer, found: Buffer) -> None:
        """Writes the results of a block of states."""
        tables, game, run = self.tables, self.game, program(KERNELS)
        found[:] = bytes(len(found))
        for number, (low, slots, begins, results) in enumerate(self._following()):
            self._rewind()
            moves = self.counts[k.MOVES_MADE]
            while (
                run(
                    f"look_up_{self.slot}", *tables.control, *tables.rules, *tables.symmetries, *self.buffers,
                    *tables.key, self.stats, self.states, self.cursor, block, self.where, found, game.are_moves,
                    slots, low, begins, results, self.counts,
                ) == k.GROW_BUFFERS
            ):  # fmt: skip
                self.size *= 2
                self.buffers = buffers_for(self.size, 1, tables.rules)
            if number:  # they were counted with the first part
                self.counts[k.MOVES_MADE] = moves
        self._rewind()
        run(
            f"settle_{self.slot}", *tables.key, *game.conditions, game.bits, game.stuck, self.states, self.cursor,
            block, self.where, found, self.counts,
        )  # fmt: skip

    def _rewind(self) -> None:
        for place in range(k.CURSOR_SIZE):
            self.cursor[place] = 0

    def _following(self) -> Iterator[tuple[int, Buffer, Buffer, Buffer]]:
        """The parts of the next level: the first segment, the slots, where each segment begins, and the results."""
        for low, high in self.parts:
            if self.part is None or self.part[0] != low:
                self.part = low, *self._read(low, high)
            yield self.part

    def _read(self, low: int, high: int) -> tuple[Buffer, Buffer, Buffer]:
        self.part = None  # before its successor takes memory
        spans = [(values, *keys.span(low, high)) for keys, values in self.following]
        slots = zeros(sum(last - first for _, _, first, last in spans), self.slot, huge=True)
        results, at = zeros(len(slots), "uint8", huge=True), 0
        for values, file, first, last in spans:
            file.read(first, slots[at : at + last - first])
            values.read(first, results[at : at + last - first])
            at += last - first
        if not program(partition.MERGING)(f"are_segments_{self.slot}", slots, low, high):
            raise GameError(
                f"The segments of files in {self.file.path.parent} are damaged. {again(self.file.path.parent)}"
            )
        begins = zeros(high - low + 1, "int64")
        program(KERNELS)(f"index_{self.slot}", slots, low, begins)
        return slots, begins, results

    def _parts(self) -> Iterator[tuple[int, int]]:
        """The ranges of segments of the next level that fit into memory one at a time."""
        slots, segments = sum(each.slots for each, _ in self.following), self.tables.segments
        number = min(max(int(1.1 * slots / self.room) + 1, 1), segments)
        return pairwise([segments * each // number for each in range(number + 1)])


def results_of(path: Path) -> Path:
    """The file with the results of a file of states."""
    return path.with_suffix(".results")


@lru_cache(maxsize=256)
def _valued(path: Path, slot: str) -> tuple[KeyFile, BlockFile]:
    """A file of states, and that of their results; both never change."""
    keys, values = KeyFile.at(path, slot), BlockFile.at(results_of(path))
    if values.size != keys.slots:
        raise damaged(values.path)
    return keys, values


JOBS: Jobs = {**partition.JOBS, "value": job(value)}
