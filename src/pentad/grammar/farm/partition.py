"""Steps of an exploration that is partitioned by hash: states are expanded, and successors are merged.

Each step is a unit of work: its arguments and its answer are JSON, its results are key files in the folder of the run,
and it has the same results whoever runs it, as often as it is run. Its memory is bounded.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from pentad.game import GameError
from pentad.grammar.compiled import constants as k
from pentad.grammar.compiled.counting import SHORT, bits_of, expansion_for, first_of, key_of, with_larger_buffers
from pentad.grammar.compiled.engine import Compiled
from pentad.grammar.farm.key_files import KERNELS, KIND_BYTES, KIND_WORDS, KeyFile, KeyFileWriter, draft_of, item_size
from pentad.jobs.worker import Answer, Jobs
from pentad.kernels.buffers import KINDS, Buffer, zeros
from pentad.kernels.buffers import array as buffer_of
from pentad.kernels.program import program
from pentad.system.checked_files import again, of_scratch, read_json, read_whole, with_check
from pentad.system.scratch_files import reporting

EXPANDING = "pentad.grammar.compiled.counting_kernels"
MERGING = KERNELS
SEGMENT_BITS, MAX_SEGMENT_BITS = 10, 14  # the number of a segment has so many at first, and at most
TABLES = "tables"
MIN_BUCKET_STATES, SUCCESSORS_OF_STATE = 16, 8  # buckets have room for so many successors of each state
LEAST_SLOTS = 1 << 16
ALL_KINDS = (1 << 8 * KIND_BYTES) - 1
BUCKETS, STATES, PARTS = 0.7, 0.15, 0.42  # shares of the memory


class PartitionTables(NamedTuple):
    """A compiled grammar as its kernels need it, and how its states are partitioned."""

    segments: int
    slot: str
    key: k.Key
    grammar: k.GrammarTables
    groups: k.Words  # masks of the edges with each label
    first: list[int]  # the segment of the first state, and its rest

    @classmethod
    def of(cls, compiled: Compiled) -> PartitionTables:
        if not compiled.layout.is_narrow:
            bits = len(compiled.layout.order) + compiled.layout.place_bits
            raise GameError("States of up to 64 bits can be partitioned; those of this grammar have {bits}.", bits=bits)
        segments, key = key_of(bits_of(compiled), SEGMENT_BITS, MAX_SEGMENT_BITS)
        groups: dict[Any, int] = {}
        for bit, edge in enumerate(compiled.layout.order):
            label = compiled.system.world.edges[edge].label
            groups[label] = groups.get(label, 0) | 1 << bit
        return cls(
            segments, "uint32" if key.rest <= SHORT else "uint64", key, compiled.grammar,
            buffer_of(list(groups.values()), k.Words), list(first_of(compiled, key)),
        )  # fmt: skip

    @classmethod
    def read(cls, data: bytes) -> PartitionTables:
        """The tables from their data."""
        segments, slot, key, (control, rules, symmetries), groups, first = unpack(data)
        grammar = k.GrammarTables(k.Control(*control), k.Rules(*rules), k.Symmetries(*symmetries))
        return cls(segments, slot, k.Key(*key), grammar, groups, first)


def pack(values: tuple[Any, ...]) -> bytes:
    """Numbers, texts, arrays and tuples of them: a line of JSON, and the elements of the arrays."""
    arrays: list[bytes] = []

    def plain(value: Any) -> Any:
        if isinstance(value, memoryview):
            arrays.append(value.tobytes())
            return {"array": KINDS[value.format], "length": len(value)}
        return [plain(each) for each in value] if isinstance(value, tuple) else value

    return json.dumps([plain(each) for each in values]).encode() + b"\n" + b"".join(arrays)


def unpack(data: bytes) -> Iterator[Any]:
    """What was packed, with lists in place of tuples."""
    line, _, rest = data.partition(b"\n")
    at = 0

    def read(value: Any) -> Any:
        nonlocal at
        if isinstance(value, list):
            return [read(each) for each in value]
        if not isinstance(value, dict):
            return value
        array = zeros(value["length"], value["array"])
        array.cast("B")[:] = memoryview(rest)[at : at + array.nbytes]
        at += array.nbytes
        return array

    return map(read, json.loads(line))


def read_shared(folder: Path, name: str) -> bytes:
    """A file that the driver of a run has written."""
    try:
        return bytes(read_whole(folder / name))
    except FileNotFoundError:
        raise GameError(
            "A worker cannot open {folder}. Put scratch files in a folder that all machines share.", folder=folder
        ) from None


@lru_cache(maxsize=1)
def tables_of(folder: Path) -> PartitionTables:
    return PartitionTables.read(read_shared(folder, TABLES))


def begin(folder: Path, name: str) -> None:
    """Writes the file of the first state."""
    tables = tables_of(folder)
    segment, rest = tables.first
    with reporting(folder), KeyFileWriter(folder / name, tables.slot, 0, tables.segments) as out:
        ends = buffer_of([0 if each < segment else 3 for each in range(tables.segments)], k.Ints)
        out.add(buffer_of([segment, 1, rest], tables.slot), ends, ALL_KINDS)
        out.states = 1


# ── expansion ────────────────────────────────────────────────────────────────────────────────────


def expand(folder: str, name: str, files: Sequence[str], low: int, high: int, memory: int) -> Answer:
    """Expands the states of some segments in some files; writes files with their successors."""
    where = Path(folder)
    with reporting(where):
        return once(where, name, lambda: _Expansion(where, name, memory).run(files, low, high))


def pieces(file: KeyFile, low: int, high: int, begin: int, end: int, room: int) -> Iterator[tuple[int, int]]:
    """The parts of a file to read at once, as slots."""
    number = min(-(-2 * (end - begin) // room), high - low) if end > begin + room else 1
    borders = file.begins([low + (high - low) * each // number for each in range(number + 1)])
    return pairwise(borders)


class _Expansion:
    def __init__(self, folder: Path, name: str, memory: int) -> None:
        self.folder, self.name, self.memory, self.tables = folder, name, memory, tables_of(folder)
        self.arrays = expansion_for(self.tables.grammar, self.tables.key)
        self.runs: dict[str, int] = {}  # the files of successors, with their slots

    def run(self, files: Sequence[str], low: int, high: int) -> Answer:
        tables, item = self.tables, item_size(self.tables.slot)
        frontier = [KeyFile.at(self.folder / each, tables.slot) for each in files]
        spans = [file.span(low, high) for file in frontier]
        states = sum(end - begin for _, begin, end in spans)
        room = min(
            int(BUCKETS * self.memory) // (item * tables.segments) - 2,
            2 * SUCCESSORS_OF_STATE * states // tables.segments,
        )
        room = max(room, MIN_BUCKET_STATES)
        self.out = zeros(tables.segments * (room + 2), tables.slot, huge=True)
        self.buckets = self.out[2 * tables.segments :]
        self.sizes, self.ends = k.BucketSizes(zeros(tables.segments, k.Ints), room), zeros(tables.segments, k.Ints)
        self.sorted = zeros(3 * room + 2, k.Words)
        block = zeros(max(int(STATES * self.memory) // item, LEAST_SLOTS), tables.slot)
        for file, begin, end in spans:
            for first, last in pieces(file, low, high, begin, end, len(block)):
                if last - first > len(block):
                    block = zeros(last - first, tables.slot)
                file.read(first, block[: last - first])
                file.check(block[: last - first])
                self._expand(block[: last - first])
        self._flush()
        stats = self.arrays.stats
        return {
            "runs": self.runs,
            "expanded": stats.expanded,
            "transitions": stats.transitions,
            "final": stats.finals,
        }

    def _expand(self, block: Buffer) -> None:
        self.arrays.cursor.at = 0
        while len(block):
            end = program(EXPANDING)(f"expand_{self.tables.slot}", self.arrays, block, self.sizes, self.buckets)
            if end == k.DONE:
                return
            if end == k.MORE:
                self._flush()
            else:
                self.arrays = with_larger_buffers(self.arrays)

    def _flush(self) -> None:
        """Writes the buckets as a file."""
        tables = self.tables
        size = program(MERGING)(
            f"tidy_{tables.slot}", tables.key, self.sizes, self.buckets, self.sorted, self.out, self.ends
        )
        if not size:
            return
        name = f"{self.name}-{len(self.runs)}.run"
        with KeyFileWriter(self.folder / name, tables.slot, 0, tables.segments) as out:
            out.add(self.out[:size], self.ends)
        self.runs[name] = size


# ── merging ──────────────────────────────────────────────────────────────────────────────────────


def merge(
    folder: str, name: str, files: Sequence[str], known: Sequence[str], low: int, high: int, memory: int
) -> Answer:
    """Merges some segments of files into one file, without the states of known files; `checked` are those compared."""
    where = Path(folder)
    with reporting(where):
        return once(where, name, lambda: _Merging(where, memory, low, high).run(name, files, known))


@lru_cache(maxsize=4096)
def _known(path: str, slot: str) -> KeyFile:
    """A file that many units read; its name is text, since paths are slow to make and to compare."""
    return KeyFile.at(Path(path), slot)


class _Merging:
    def __init__(self, folder: Path, memory: int, low: int, high: int) -> None:
        self.folder, self.tables, self.low, self.high = folder, tables_of(folder), low, high
        self.room = max(int(PARTS * memory) // item_size(self.tables.slot), LEAST_SLOTS)
        self.parts = self.out = zeros(0, self.tables.slot)
        self.sorted = zeros(0, k.Words)
        self.checked: set[str] = set()

    def run(self, name: str, files: Sequence[str], known: Sequence[str]) -> Answer:
        slot, folder = self.tables.slot, self.folder
        sources = [KeyFile.at(folder / each, slot) for each in files]
        others = [_known(f"{folder}/{each}", slot) for each in known]
        others = [each for each in others if each.states and each.low < self.high and self.low < each.high]
        span = self.high - self.low
        slots = sum(last - first for _, first, last in (each.span(self.low, self.high) for each in sources))
        slots += sum(each.slots * min(span, each.high - each.low) // (each.high - each.low) for each in others)
        groups = min(max(int(1.1 * slots / self.room) + 1, 1), span)
        borders = [self.low + span * each // groups for each in range(groups + 1)]
        places = [each.begins(borders) for each in sources]
        with KeyFileWriter(folder / f"{name}.keys", slot, self.low, self.high) as out:
            for number, (low, high) in enumerate(pairwise(borders)):
                spans = [(each, place[number], place[number + 1]) for each, place in zip(sources, places, strict=True)]
                self._group(out, spans, others, low, high)
        return {"file": f"{name}.keys", "states": out.states, "checked": sorted(self.checked)}

    def _group(
        self, out: KeyFileWriter, spans: list[tuple[KeyFile, int, int]], others: list[KeyFile], low: int, high: int
    ) -> None:
        """Merges a group of segments that fits into memory."""
        size, ends, kinds = self._merge(spans, 0, 0, low, high)
        compared = [each for each in others if each.kinds & kinds]
        if size and compared:
            self.checked |= {each.path.name for each in compared}
            spans = [each.span(low, high) for each in compared]
            size, ends, kinds = self._merge(spans, len(compared), size, low, high)
        out.add(self.out[:size], ends, kinds)
        out.states += self._states(size, ends)

    def _states(self, size: int, ends: k.Ints) -> int:
        """The states of segments with these ends."""
        taken: int = sum(end > before for before, end in pairwise([0, *ends]))
        return size - 2 * taken

    def _merge(
        self, spans: list[tuple[KeyFile, int, int]], known: int, before: int, low: int, high: int
    ) -> tuple[int, k.Ints, int]:
        """Merges parts of files, and what was merged before; returns the size, the ends and the kinds of the result."""
        tables = self.tables
        slots = before + sum(last - first for _, first, last in spans)
        if len(self.parts) < slots:
            self.parts = zeros(0, tables.slot)
            self.parts = zeros(slots, tables.slot, huge=True)
        at, begin = [], 0
        for file, first, last in spans:
            file.read(first, self.parts[begin : begin + last - first])
            at += [begin, begin + last - first]
            begin += last - first
        if known:
            self.parts[begin:slots] = self.out[:before]
            at += [begin, slots]
        if len(self.out) < slots + 2:
            self.out = zeros(0, tables.slot)
            self.out = zeros(slots + 2, tables.slot, huge=True)
        ends = zeros(high - low, k.Ints)
        kinds = k.StateKinds(tables.groups, tables.grammar.control.place_shift, zeros(KIND_WORDS, k.Words))
        run = program(MERGING)
        largest = run(f"largest_{tables.slot}", self.parts, buffer_of(at, k.Ints), low, high)
        if largest < 0:
            raise GameError(
                "The segments of files in {folder} are damaged. {remedy}", folder=self.folder, remedy=again(self.folder)
            )
        if len(self.sorted) < 3 * largest + 2:
            self.sorted = zeros(3 * largest + 2, k.Words)
        arrays = k.MergeArrays(tables.key, low, high, buffer_of(at, k.Ints), known, self.sorted, ends, kinds)
        size: int = run(f"merge_{tables.slot}", arrays, self.parts, self.out)
        return size, ends, int.from_bytes(kinds.found, "little")


# ── jobs ─────────────────────────────────────────────────────────────────────────────────────────


def once(folder: Path, name: str, make: Callable[[], Answer]) -> Answer:
    """The answer of a unit of work: the one that is written already, or a new one."""
    if found := answer_of(folder, name):
        return found
    answer, path = make(), folder / f"{name}.json"
    draft = draft_of(path)
    draft.write_text(json.dumps(with_check(answer, of_scratch(path))))
    draft.replace(path)
    return answer


def answer_of(folder: Path, name: str) -> Answer | None:
    """The answer of a unit of work that was completed before."""
    path = folder / f"{name}.json"
    try:
        return read_json(path, of_scratch(path))
    except FileNotFoundError:
        return None


def job(work: Callable[..., Answer]) -> Callable[..., Iterator[Answer]]:
    def run(**given: Any) -> Iterator[Answer]:
        yield work(**given)

    return run


JOBS: Jobs = {"expand": job(expand), "merge": job(merge)}
