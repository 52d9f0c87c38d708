"""A step of solving a game whose states are in files: the results of a part of a level, from those of the next level.

It is a unit of work like those of `pentad.grammar.farm.partition`, whose jobs this module has as well. The results of a
file of states are in a file beside it, with a byte for each slot.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from pentad.game import GameError
from pentad.grammar.compiled import constants as k
from pentad.grammar.compiled.conditions import rows_of
from pentad.grammar.compiled.counting import expansion_for, with_larger_buffers
from pentad.grammar.compiled.engine import Compiled
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


def arrays_of(compiled: Compiled, referee: Referee, game: GrammarGame) -> k.GameArrays:
    """A game as its kernels need it; may raise CannotCompile."""
    conditions, bits = rows_of(compiled, {TURN: referee.turn, HAS_WON: referee.won}, referee.players)
    tested = {rule.name for rule in compiled.system.properties}
    are_moves = buffer_of([name not in tested for name, _ in compiled.labels], k.Bytes)
    return k.GameArrays(conditions, bits, are_moves, {DRAW: 0, WON: 1, LOST: 2}[game.stuck])


@lru_cache(maxsize=1)
def game_of(folder: Path) -> k.GameArrays:
    conditions, bits, are_moves, stuck = unpack(read_shared(folder, GAME))
    return k.GameArrays(k.Rules(*conditions), bits, are_moves, stuck)


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
        self.block, self.found = zeros(min(self.file.slots, room), slot), zeros(min(self.file.slots, room), k.Bytes)
        self.room = max(int(FOLLOWING * memory) // (item_size(slot) + 1), LEAST_SLOTS)
        self.parts = list(self._parts())
        self.part: tuple[Buffer, k.LevelValues] | None = None  # the one in memory
        self.arrays = expansion_for(self.tables.grammar, self.tables.key)
        self.where, self.counts = zeros(k.BATCH, k.Ints), k.ValueCounts()

    def run(self) -> Answer:
        file, path = self.file, results_of(self.file.path)
        draft = draft_of(path)
        try:
            with draft.open("wb", buffering=0) as out:
                blocks = BlockWriter(out)
                for first, last in pieces(file, file.low, file.high, 0, file.slots, len(self.block)):
                    if last - first > len(self.block):
                        self.block, self.found = zeros(last - first, self.slot), zeros(last - first, k.Bytes)
                    block, found = self.block[: last - first], self.found[: last - first]
                    file.read(first, block)
                    file.check(block)
                    self._value(block, found)
                    blocks.write(memoryview(found))
                blocks.complete(path)
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
        counts = self.counts
        if counts.wrong:
            raise GameError("{wrong:,} states have not one player to move, as gameTurn says.", wrong=counts.wrong)
        if counts.moves_found < counts.moves_made:
            raise GameError("A move leads back to states that were reached before. Solve this game without --scratch.")
        return {"won": counts.won, "drawn": counts.drawn, "lost": counts.lost}

    def _value(self, block: Buffer, found: k.Bytes) -> None:
        """Writes the results of a block of states."""
        game, run = self.game, program(KERNELS)
        found[:] = memoryview(bytes(len(found)))
        valuation = k.ValuationArrays(self.where, found, self.counts)
        for number, (slots, values) in enumerate(self._following()):
            self._rewind()
            moves = self.counts.moves_made
            while run(f"look_up_{self.slot}", self.arrays, game, values, valuation, block, slots) == k.GROW_BUFFERS:
                self.arrays = with_larger_buffers(self.arrays)
            if number:  # they were counted with the first part
                self.counts.moves_made = moves
        self._rewind()
        run(f"settle_{self.slot}", self.arrays, game, valuation, block)

    def _rewind(self) -> None:
        self.arrays = self.arrays._replace(cursor=k.BlockCursor())

    def _following(self) -> Iterator[tuple[Buffer, k.LevelValues]]:
        """The parts of the next level: their slots, and the results."""
        for low, high in self.parts:
            if self.part is None or self.part[1].low != low:
                self.part = self._read(low, high)
            yield self.part

    def _read(self, low: int, high: int) -> tuple[Buffer, k.LevelValues]:
        self.part = None  # its successor needs the memory
        spans = [(values, *keys.span(low, high)) for keys, values in self.following]
        slots = zeros(sum(last - first for _, _, first, last in spans), self.slot, huge=True)
        results, at = zeros(len(slots), k.Bytes, huge=True), 0
        for values, file, first, last in spans:
            file.read(first, slots[at : at + last - first])
            values.read(first, memoryview(results[at : at + last - first]))
            at += last - first
        if not program(partition.MERGING)(f"are_segments_{self.slot}", slots, low, high):
            raise GameError(
                "The segments of files in {parent} are damaged. {remedy}",
                parent=self.file.path.parent,
                remedy=again(self.file.path.parent),
            )
        begins = zeros(high - low + 1, k.Ints)
        program(KERNELS)(f"index_{self.slot}", slots, low, begins)
        return slots, k.LevelValues(low, begins, results)

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
