"""A pass with its levels in files: boards that do not fit into memory, in steps that can be resumed.

A level is made page by page: a page is some consecutive rows. It reads pages of the level before, which are kept in
memory as long as there is room, and is written while the next one is made.
"""

from __future__ import annotations

import json
import shutil
from collections import deque
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pentad.game import GameError
from pentad.games.pentago.solver.constants import Numbers
from pentad.games.pentago.solver.level_files import LevelFiles
from pentad.games.pentago.solver.paging import Load, last_uses, loads
from pentad.games.pentago.solver.retrograde import (
    HALF,
    SCRATCH,
    WHOLE,
    WORD_BYTES,
    CannotSolve,
    Pass,
    PassLimits,
    PassRoot,
    PassShape,
    Sweep,
    boards,
    format_bytes,
    most_boards_at_once,
    needed,
    out_of_memory,
)
from pentad.kernels.buffers import ARENA, Buffer, array, zeros
from pentad.system.checked_files import MAGIC, again, of_scratch, read_json, with_check
from pentad.system.files import write_safely
from pentad.system.progress import format_duration
from pentad.system.scratch_files import name_of, opened, reporting
from pentad.system.version import __version__
from pentad.system.words import count, phrase

PAGE_BYTES = 4 << 20  # pages are smaller if there is not memory for many
FRAMES = 512  # the fewest pages in memory: more than a step reads
MAKING = 3  # pages that are made, packed and written at the same time
BUFFERS = MAKING + 4  # pages' worth of memory beside the frames: the packed ones, with what packing needs
ALIGNMENT_BYTES = 64
PACKED = 0.25  # the share of their size that the packed pages of the largest ply have, with those being written
BOARDS_PER_SECOND = 15_000_000  # boards that a core makes in a second, with the work for their files
PACKING_ENTRIES = 256  # the table for packing has so many for each word of a board
PLAN = "plan.json"
FILE_NAMES = {WHOLE: ("values",), HALF: ("wins", "losses")}  # a sweep has these files


@dataclass
class PagedShape(PassShape):
    """The pages of a pass within a limit of `memory`, in bytes; `page` is the size of one, 0 for a suitable size."""

    memory: int = field(kw_only=True)
    page: int = field(default=0, kw_only=True)
    frames: int = field(init=False)

    def __post_init__(self) -> None:
        room = self.memory - self.fixed
        if not self.page:
            widest = WORD_BYTES * self.words * max(map(self.width, self.levels))
            page = min(PAGE_BYTES, room // (2 * FRAMES + BUFFERS))  # so it can be continued with less memory, too
            self.page = max(page // ALIGNMENT_BYTES, -(-widest // ALIGNMENT_BYTES)) * ALIGNMENT_BYTES
        self.frames = min(room // self.page - BUFFERS, self.most_frames)

    @property
    def most_frames(self) -> int:
        """The number of frames beyond which more are not needed."""
        return max(self.pages(more) for more in self.levels)

    @property
    def is_possible(self) -> bool:
        return self.frames >= min(FRAMES, self.most_frames)

    @property
    def least(self) -> int:
        """The least memory for pages of this size, in bytes."""
        return self.fixed + (min(FRAMES, self.most_frames) + BUFFERS) * self.page

    @property
    def used(self) -> int:
        """The memory that the pass takes, in bytes."""
        return self.fixed + (self.frames + BUFFERS) * self.page

    def rows_of_page(self, more: int) -> int:
        return max(1, self.page // (WORD_BYTES * self.words * max(1, self.width(more))))

    def pages(self, more: int) -> int:
        return -(-self.rows(more) // self.rows_of_page(more))


def files_of(spaces: int, plies: int, words: int = WHOLE) -> int:
    """The bytes of the files of a pass, about: those of the largest ply."""
    return int(PACKED * WORD_BYTES * words * most_boards_at_once(spaces, plies))


def planned(spaces: int, plies: int, limits: PassLimits) -> PagedShape:
    """The pages of a new pass: in one sweep for both questions, or in two if the memory is not enough."""
    whole, half = (PagedShape(spaces, plies, limits.threads, words, memory=limits.memory) for words in (WHOLE, HALF))
    return whole if whole.is_possible else half


def why_infeasible(root: PassRoot, plies: int, limits: PassLimits) -> str | None:
    """Why a pass is infeasible with files, or None."""
    assert limits.scratch is not None
    spaces = len(root.spaces)
    marbles = root.board.size - spaces
    shape = planned(spaces, plies, limits)
    if not shape.is_possible:
        in_memory = needed(limits.memory, spaces, plies, limits.threads)
        return out_of_memory(min(shape.least, in_memory), marbles, limits.memory)
    folder = limits.scratch.absolute()
    place = next(each for each in (folder, *folder.parents) if each.exists())
    with reporting(folder):
        free = shutil.disk_usage(place).free
        there = sum(path.stat().st_size for path in folder.glob(f"*{key_of(root, plies)}/*.pages"))
    stored = files_of(spaces, plies, shape.words)
    if stored > free + there:
        return phrase(
            "A board with {marbles} needs {size} for files, but {folder} has {free} free.",
            marbles=count(marbles, "marble"),
            size=format_bytes(stored),
            folder=folder,
            free=format_bytes(free + there),
        )
    return None


def announcement(root: PassRoot, limits: PassLimits) -> str:
    """What the full pass with files will need, or why it is infeasible."""
    spaces = len(root.spaces)
    if reason := why_infeasible(root, spaces, limits):
        return phrase("{reason} Searching for a short win instead (Ctrl-C to stop).", reason=reason)
    shape = planned(spaces, spaces, limits)
    made = boards(spaces, spaces) * (WHOLE // shape.words)
    return phrase(
        "This board needs {memory} of memory, about {files} for files in {folder}, and about {time} of processor time. "
        "After an interruption, run the same command again to continue.",
        memory=format_bytes(shape.used),
        files=format_bytes(files_of(spaces, spaces, shape.words)),
        folder=limits.scratch,
        time=format_duration(made / BOARDS_PER_SECOND),
    )


def key_of(root: PassRoot, plies: int, question: int | None = None) -> str:
    """What tells the folder of a pass from those of others."""
    return name_of(MAGIC + repr((root, plies, question, __version__)).encode())


def _write(path: Path, values: dict[str, Any]) -> None:
    write_safely(path, json.dumps(with_check(values, of_scratch(path))))


class ScratchPass(Pass):
    """A pass whose levels are in files, in a folder of its own in `scratch`; the same pass continues after any end."""

    out_of_time = "Exact values were not found within the time limit. The next call with the same files continues."

    def __init__(self, root: PassRoot, plies: int, limits: PassLimits, question: int | None = None) -> None:
        assert limits.scratch is not None
        scratch = Path(limits.scratch)
        with (
            opened(scratch, f"pentago-{key_of(root, plies, question)}", "position") as self.folder,
            reporting(self.folder),
        ):
            try:
                super().__init__(root, plies, limits, question)
            except BaseException:
                if not any(path.suffix in (".pages", ".results") for path in self.folder.iterdir()):
                    shutil.rmtree(self.folder, ignore_errors=True)
                raise
        shutil.rmtree(self.folder, ignore_errors=True)

    # ── the plan ─────────────────────────────────────────────────────────────────────────────────

    def _planned(self, one_question: bool) -> PassShape:
        path = self.folder / PLAN
        begun = path.exists() and any(self.folder.glob("*.pages"))
        words, page = self._read_plan(path) if begun else (0, 0)
        tried = [words] if words else [HALF] if one_question else [WHOLE, HALF]
        for words in tried:
            self.shape = PagedShape(
                len(self.spaces), self.plies, self.limits.threads, words, memory=self.limits.memory, page=page
            )
            if self.shape.is_possible:
                if not begun:
                    _write(path, {"words": words, "page": self.shape.page})
                return self.shape
        if begun:
            needs, limit = format_bytes(self.shape.least), format_bytes(self.limits.memory)
            raise CannotSolve(
                phrase(
                    "{folder} needs {needs} of memory, as it was begun with more than {limit}.",
                    folder=self.folder,
                    needs=needs,
                    limit=limit,
                )
            )
        marbles = self.root.board.size - len(self.spaces)
        raise CannotSolve(out_of_memory(self.shape.least, marbles, self.limits.memory))

    @staticmethod
    def _read_plan(path: Path) -> tuple[int, int]:
        plan = read_json(path, of_scratch(path))
        return plan["words"], plan["page"]

    # ── sweeps ───────────────────────────────────────────────────────────────────────────────────

    def _answers(self, questions: Iterable[int]) -> dict[int, list[Buffer]]:
        shape = self.shape
        words = shape.page // WORD_BYTES * (shape.frames + MAKING)
        with ARENA.words(words) as stored:
            return {each: self._answer(Sweep(self, shape, stored, each), each) for each in questions}

    def _answer(self, sweep: Sweep, question: int) -> list[Buffer]:
        name = FILE_NAMES[self.shape.words][question if self.shape.words == HALF else 0]
        path = self.folder / f"{name}.results"
        if path.exists():
            sweep.top[:] = array(read_json(path, of_scratch(path))["top"], "uint64")
            self.made += boards(len(self.spaces), self.plies)
        else:
            self._run_sweep(sweep, name)
            _write(path, {"top": list(sweep.top)})
        for rest in self.folder.glob(f"{name}-*.pages"):
            rest.unlink()
        return sweep.results

    def _run_sweep(self, sweep: Sweep, name: str) -> None:
        shape = self.shape
        levels = {more: LevelFiles(self.folder, f"{name}-{more:02}") for more in shape.levels if more}
        begun = [more for more, level in levels.items() if level.files]
        below: LevelFiles | None = None
        for more in shape.levels:
            level = levels.get(more)
            if begun and more > begun[-1] + 1:
                self.made += shape.rows(more) * shape.boards_of_row(more)  # its files are no longer needed
            elif begun and more == begun[-1] + 1:
                self.made += shape.rows(more) * shape.boards_of_row(more)
                below = level
            else:
                self._make_level(sweep, more, level, below)
                below = level

    def _make_level(self, sweep: Sweep, more: int, level: LevelFiles | None, below: LevelFiles | None) -> None:
        """Makes a level from the one below; the last one is not stored."""
        shape = self.shape
        rows, page = shape.rows(more), shape.rows_of_page(more)
        begin = 0
        if level is not None:
            level.check_complete()
            begin = level.end
        self.made += min(begin * page, rows) * shape.boards_of_row(more)
        sweep.begin(more)
        with Transfers(self, sweep.stored, more, level, below, begin) as transfers:
            for step in range(begin, shape.pages(more)):
                self.check_limits()
                place = transfers.wait(step)
                start, end = step * page, min(rows, (step + 1) * page)
                row = shape.words * shape.width(more)
                starts = range(start, end, -(-(end - start) // shape.threads))
                sweep.make(transfers.places, shape.rows_of_page(more + 1), place - row * start, starts, end)
                transfers.done(step, place, row * (end - start))

    def pages_read(self, more: int) -> list[list[int]]:
        """For each page of a level the pages of the one before that it reads."""
        shape = self.shape
        rows, page, pages = shape.rows(more), shape.rows_of_page(more), shape.pages(more)
        if 2 * more + 2 >= shape.plies:
            return [[] for _ in range(pages)]
        before = shape.pages(more + 1)
        seen, out, scratch = zeros(before, "uint32"), zeros(before, "uint32"), zeros(SCRATCH, "int64")
        found = []
        for start in range(0, rows, page):
            end = min(rows, start + page)
            count = self.kernels(
                "pages_read", shape.spaces, more, start, end, shape.rows_of_page(more + 1), seen, scratch, out
            )
            found.append(out[:count].tolist())
        return found


class Transfers:
    """Reads and writes pages of one level in the background, while others are made.

    A page is loaded as soon as its frame is free. The pages that are being made follow the frames in memory.
    """

    def __init__(
        self, of: ScratchPass, stored: Buffer, more: int, level: LevelFiles | None, below: LevelFiles | None, begin: int
    ) -> None:
        self._of, self._stored, self._more, self._level, self._below = of, stored, more, level, below
        shape = of.shape
        self._page_words = shape.page // WORD_BYTES
        read = of.pages_read(more)
        if (frames := max(map(len, read))) > shape.frames:
            memory = shape.fixed + (frames + BUFFERS) * shape.page
            raise CannotSolve(out_of_memory(memory, of.root.board.size - shape.spaces, of.limits.memory))
        self._loads = loads(read, begin, shape.frames)
        self._last = last_uses(read, begin)
        # The pages of the level below begin at these words.
        self.places = zeros(shape.pages(more + 1) if below else 1, Numbers)
        self._made = begin - 1
        self._waiting = deque(load for loads in self._loads for load in loads)
        self._loading: deque[Future[None]] = deque()
        self._writing: deque[Future[None]] = deque()
        packed = self._page_words + self._page_words // 32 + 2
        self._packed, self._loaded = zeros(packed, "uint64"), zeros(packed, "uint64")
        self._slots = zeros(self._page_words // 8 + 1, "uint64")
        self._tables = [zeros(PACKING_ENTRIES * shape.words, "uint64") for _ in range(2)]
        self._loader, self._writer = ThreadPoolExecutor(1), ThreadPoolExecutor(1)

    def __enter__(self) -> Transfers:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            while kind is None and self._writing:
                self._writing.popleft().result()
        finally:
            for pool in (self._loader, self._writer):
                pool.shutdown(cancel_futures=True)
            if self._level:
                self._level.discard()

    def wait(self, step: int) -> int:
        """Waits for what a step needs: the pages that it reads, and a place in memory, which is returned."""
        self._begin_loads()
        for load in self._loads[step]:
            self._loading.popleft().result()
            self.places[load.page] = load.frame * self._page_words
        while len(self._writing) >= MAKING:
            self._writing.popleft().result()
        return (self._of.shape.frames + step % MAKING) * self._page_words

    def done(self, step: int, place: int, count: int) -> None:
        """Writes a page of so many words that was made."""
        self._made = step
        self._begin_loads()
        if self._level:
            last = step == len(self._loads) - 1
            self._writing.append(
                self._writer.submit(self._write, self._level, self._stored[place : place + count], last)
            )

    def _begin_loads(self) -> None:
        while self._waiting and self._waiting[0].after <= self._made:
            self._loading.append(self._loader.submit(self._load, self._waiting.popleft()))

    def _load(self, load: Load) -> None:
        shape, below, more = self._of.shape, self._below, self._more + 1
        assert below is not None
        below.read(load.page, self._loaded.cast("B"))
        rows = shape.rows_of_page(more)
        count = shape.words * shape.width(more) * (min(shape.rows(more), (load.page + 1) * rows) - load.page * rows)
        place = load.frame * self._page_words
        to = self._stored[place : place + count]
        if self._of.kernels("unpack", self._loaded, shape.words, self._tables[0], to) < 0:
            raise GameError(
                "{folder}: Page {page} of {name} is damaged. {remedy}",
                folder=below.folder,
                page=load.page,
                name=below.name,
                remedy=again(below.folder),
            )

    def _write(self, level: LevelFiles, page: Buffer, is_last: bool) -> None:
        count = self._of.kernels("pack", page, self._of.shape.words, self._tables[1], self._slots, self._packed)
        is_complete = level.write(self._packed[:count].cast("B"))
        if is_last:
            level.complete()
        if self._below and (is_complete or is_last):
            self._below.remove(lambda page: self._last.get(page, -1) < level.end)
