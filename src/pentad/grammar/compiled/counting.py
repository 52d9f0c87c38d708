"""Counting of states by several threads, without numbers: 4 or 8 bytes for each slot of a hash table."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial

from pentad.grammar.compiled import constants as k
from pentad.grammar.compiled.engine import Compiled, CompiledRun, buffers_for, compile_system
from pentad.grammar.compiled.grounding import require_kernels
from pentad.grammar.compiled.tables import WORD, words_of
from pentad.grammar.graph import GrammarError
from pentad.grammar.limits import Acceptor, Limits, Progress, catch_interrupt, default_memory
from pentad.grammar.lts import Lts
from pentad.grammar.states.state_space import State
from pentad.grammar.system import System
from pentad.kernels.backends import usable_cores
from pentad.kernels.buffers import Buffer, grown, zeros
from pentad.kernels.buffers import array as buffer_of
from pentad.kernels.program import is_fast, program
from pentad.system.memory import used_memory
from pentad.system.words import phrase

MODULE = f"{__package__}.counting_kernels"
SEGMENT_BITS, MAX_SEGMENT_BITS = 8, 11  # the number of a segment has so many at first, and at most
SHORT = 31  # the most bits of a state in a slot of 32 bits
SLOTS_OF_SEGMENT = 64  # a segment grows when they are full
STATES_OF_BUCKET = 2048
SUCCESSORS_OF_BATCH = 1 << 14
FILLED, GROWTH = 0.85, 1.4  # the largest load of the table, and the factor by which it grows
STATES_OF_ONE_THREAD = 1 << 14  # fewer states are expanded or inserted by one thread alone
FACTORS = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9


def bits_of(compiled: Compiled) -> int:
    """The bits of a state of one word."""
    return max(compiled.layout.shift + compiled.layout.place_bits, 1)


def key_of(bits: int, fewest: int = SEGMENT_BITS, most: int = MAX_SEGMENT_BITS) -> tuple[int, k.Key]:
    """The number of segments for states of this many bits, and the function that scrambles them.

    A segment's number has the fewest bits, or as many more, up to the most, as leave 31 bits of a state.
    """
    segment_bits = min(max(fewest, bits - SHORT if bits <= SHORT + most else 0), bits // 2)
    rest = bits - segment_bits
    undo = (pow(factor, -1, 1 << WORD) for factor in FACTORS)
    return 1 << segment_bits, k.Key(rest, max(rest - 32, 0), (bits + 1) // 2, (1 << bits) - 1, *FACTORS, *undo)


def first_of(compiled: Compiled, key: k.Key) -> tuple[int, int]:
    """The first state, as the smallest of its images, scrambled: its segment, and the rest."""
    first = buffer_of(words_of([compiled.start], 1), k.Words)
    compiled.call("begin", first, zeros(4, k.Words), compiled.grammar, zeros(1, k.Words))
    word = first[0]
    for factor in (key.first, key.second):
        word = (word ^ word >> key.half) * factor & key.mask
    word ^= word >> key.half
    return word >> key.rest, word & ((1 << key.rest) - 1)


def expansion_for(grammar: k.GrammarTables, key: k.Key) -> k.ExpansionArrays:
    """What a thread needs to expand blocks of states."""
    stats, buffers = k.SliceStats(), buffers_for(SUCCESSORS_OF_BATCH, 1, grammar.rules)
    stats.name = -1
    return k.ExpansionArrays(grammar, buffers, key, zeros(k.BATCH, k.Words), k.BlockCursor(), stats)


def with_larger_buffers(arrays: k.ExpansionArrays) -> k.ExpansionArrays:
    """The same with twice the buffers."""
    size = 2 * len(arrays.buffers.out.labels)
    return arrays._replace(buffers=buffers_for(size, 1, arrays.grammar.rules))


class CountingThread:
    """What one thread has: its arrays, a block of states, and its buckets."""

    def __init__(self, arrays: k.ExpansionArrays, slot: str, buckets: Buffer, sizes: k.BucketSizes) -> None:
        self.arrays, self.buckets, self.sizes, self.fresh = arrays, buckets, sizes, zeros(0, slot)
        self.block: Buffer | None = None

    @property
    def is_done(self) -> bool:
        """Whether all that it took is in buckets."""
        cursor = self.arrays.cursor
        return self.block is None and cursor.next == cursor.next_end


class CountingRun:
    """One exploration that only counts: breadth first, level by level."""

    def __init__(self, compiled: Compiled, limits: Limits, progress: Progress | None, threads: int) -> None:
        self.compiled, self.limits, self.progress, self.keep = compiled, limits, progress, False
        self.lts = Lts(labels=compiled.labels, sources=array("i"), actions=array("H"), targets=array("i"))
        self.stopped, self.results = "", list[int]()
        self.segments, self.key = key_of(bits_of(compiled))
        self.slot = "uint32" if self.key.rest <= SHORT else "uint64"
        self.size = SLOTS_OF_SEGMENT
        self.ranges = [(self.segments * i // threads, self.segments * (i + 1) // threads) for i in range(threads)]
        self.tables = [zeros((high - low) * self.size, self.slot, huge=True) for low, high in self.ranges]
        self.counts = zeros(self.segments, k.Ints)
        self.buckets = zeros(threads * self.segments * STATES_OF_BUCKET, self.slot, huge=True)
        self.sizes = k.BucketSizes(zeros(threads * self.segments, k.Ints), STATES_OF_BUCKET)
        part = self.segments * STATES_OF_BUCKET
        self.workers = [
            CountingThread(
                expansion_for(compiled.grammar, self.key), self.slot, self.buckets[i * part : (i + 1) * part],
                k.BucketSizes(self.sizes.filled[i * self.segments : (i + 1) * self.segments], STATES_OF_BUCKET),
            )
            for i in range(threads)
        ]  # fmt: skip
        self.level = 0
        self._blocks: deque[Buffer] = deque()
        self._fresh: list[Buffer] = []
        self._interrupted = False
        self._before = used_memory()
        self._most = default_memory() if limits.memory is None else limits.memory
        segment, rest = first_of(compiled, self.key)
        self.buckets[segment * STATES_OF_BUCKET], self.sizes.filled[segment] = rest, 1

    @property
    def states(self) -> int:
        return sum(self.counts)

    @property
    def transitions(self) -> int:
        return sum(stats.transitions for stats in self._stats)

    @property
    def final(self) -> int:
        return sum(stats.finals for stats in self._stats)

    @property
    def expanded(self) -> int:
        return sum(stats.expanded for stats in self._stats)

    @property
    def _stats(self) -> list[k.SliceStats]:
        return [worker.arrays.stats for worker in self.workers]

    def run(self) -> None:
        """Explores until no states are left or a limit is reached; a second call continues."""
        self.stopped, self._interrupted = "", False
        with ThreadPoolExecutor(max(len(self.workers) - 1, 1)) as pool, catch_interrupt(self._interrupt):
            try:
                while not self._must_stop():
                    if not self._insert(pool):
                        self.stopped = "memory"
                    elif self._blocks or not all(worker.is_done for worker in self.workers):
                        self._each(pool, self._expand, sum(map(len, self._blocks)))
                    elif not self._fresh:
                        break
                    elif self.limits.depth is not None and self.level > self.limits.depth:
                        self.stopped = "depth"
                    else:
                        self.level += 1
                        self._blocks, self._fresh = deque(self._fresh), []
            except KeyboardInterrupt:
                self.stopped = "interrupted"
        self.lts.states = self.states

    def _interrupt(self) -> None:
        self._interrupted = True

    def _must_stop(self) -> bool:
        if self._interrupted or self.limits.is_stopped:
            self.stopped = "interrupted"
        elif used_memory() - self._before > self._most:
            self.stopped = "memory"
        elif self.progress is not None:
            states = self.states
            self.progress(states, self.transitions, states - self.expanded)
        return bool(self.stopped)

    def _each(self, pool: ThreadPoolExecutor, work: Callable[[int], None], states: int) -> None:
        """Does the parts of all workers, the first one in this thread; all are done in it if there are few states."""
        parts = range(len(self.workers))
        others = [pool.submit(work, part) for part in parts[1:]] if states > STATES_OF_ONE_THREAD else []
        try:
            for part in parts if not others else parts[:1]:
                work(part)
        finally:
            wait(others)
        for other in others:
            other.result()

    def _expand(self, number: int) -> None:
        """Expands states until none are left or a bucket is full."""
        worker = self.workers[number]
        while True:
            if worker.block is None:
                try:
                    worker.block = self._blocks.popleft()
                except IndexError:
                    return
                worker.arrays.cursor.at = 0
            end = program(MODULE)(f"expand_{self.slot}", worker.arrays, worker.block, worker.sizes, worker.buckets)
            if end == k.MORE:
                return
            if end == k.GROW_BUFFERS:
                worker.arrays = with_larger_buffers(worker.arrays)
            else:
                worker.block = None

    def _insert(self, pool: ThreadPoolExecutor) -> bool:
        """Inserts all buckets; returns False if the table would need more memory than allowed."""
        while left := sum(self.sizes.filled):
            self._each(pool, self._insert_part, left)
            if any(self.sizes.filled):
                before, self.size = self.size, k.LINE * (int(self.size * GROWTH) // k.LINE + 1)
                if self.tables[0].itemsize * self.segments * self.size > self._most:
                    self.size = before
                    return False
                self._each(pool, partial(self._widen, before), self.segments * before)
        return True

    def _insert_part(self, part: int) -> None:
        """Inserts the buckets of the segments of one table."""
        worker, (low, high), filled = self.workers[part], self.ranges[part], self.sizes.filled
        most = sum(sum(filled[i + low : i + high]) for i in range(0, len(filled), self.segments))
        if len(worker.fresh) < most + 2 * (high - low):
            worker.fresh = zeros(most + 2 * (high - low), self.slot)
        its = k.TablePart(low, high, self.size, int(FILLED * self.size), self.counts)
        end = program(MODULE)(
            f"insert_{self.slot}", self.key, its, self.tables[part], self.sizes, self.buckets, worker.fresh
        )
        if end:
            block = zeros(end, self.slot)
            block[:] = worker.fresh[:end]
            self._fresh.append(block)

    def _widen(self, before: int, part: int) -> None:
        """Distributes the segments of one table over their new size."""
        low, high = self.ranges[part]
        self.tables[part] = grown(self.tables[part], (high - low) * self.size, huge=True)
        program(MODULE)(
            f"widen_{self.slot}", self.key, self.tables[part], before, self.size, high - low,
            zeros(before + 1, self.slot),
        )  # fmt: skip

    def state(self, number: int) -> State:
        raise GrammarError(
            phrase("State {number} is not known: the states were only counted. Explore with keep=True.", number=number)
        )

    def find(self, state: State) -> int | None:
        raise GrammarError("The states were only counted. Explore with keep=True.")


def run_compiled(
    system: System,
    isomorphism: bool,
    limits: Limits,
    acceptor: Acceptor,
    progress: Progress | None = None,
    keep: bool = True,
    whole: bool = True,
    threads: int = 0,
) -> CompiledRun | CountingRun:
    """Compiles a grammar and returns its exploration, not yet started; may raise CannotCompile.

    States of one word are counted by several threads, by default one for each core; other explorations have
    one. `whole` says that the exploration has no stages.
    """
    compiled = compile_system(system, isomorphism)
    require_kernels(compiled.engine)
    program(compiled.engine)
    counts = whole and not keep and compiled.layout.is_narrow and limits.states is None and not acceptor.text
    if counts and is_fast(MODULE):
        program(MODULE)
        return CountingRun(compiled, limits, progress, threads or usable_cores())
    return CompiledRun(compiled, limits, acceptor, progress, keep)
