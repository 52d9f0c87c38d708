"""Passes with their levels in files: the values of a pass in memory; resumed after any end; damaged files."""

import contextlib
import errno
import os
import random
import re
import subprocess
import sys
import textwrap
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pentad
from pentad.game import GameError
from pentad.games.pentago import CannotSolve
from pentad.games.pentago.solver import level_files, scratch, solve
from pentad.games.pentago.solver.retrograde import (
    HALF,
    KERNELS,
    LOSSES,
    WHOLE,
    WINS,
    Pass,
    PassLimits,
    PassRoot,
    boards,
)
from pentad.games.pentago.solver.scratch import FRAMES, PACKING_ENTRIES, PagedShape, ScratchPass, Transfers
from pentad.kernels.buffers import array, zeros
from pentad.kernels.program import program
from pentad.system.checked_files import BlockWriter
from tests.cases import slow, thinned, together
from tests.games.pentago.solver.sample_positions import SMALL, random_position, some_position
from tests.properties import properties

EVERYTHING = 1 << 40


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Few pages in memory, and many files."""
    monkeypatch.setattr(scratch, "FRAMES", 60)
    monkeypatch.setattr(level_files, "FILE_BYTES", 8000)


def root_of(seed, empty, **options):
    return PassRoot.of(random_position(random.Random(seed), empty, **options))


def memory_for(root, plies, words, page, threads=1):
    """The bytes with which pages have so many bytes, or a row; if one word of two, not enough for both."""
    whole, shape = (PagedShape(len(root.spaces), plies, threads, each, memory=1) for each in (WHOLE, words))
    memory = shape.fixed + (2 * scratch.FRAMES + scratch.BUFFERS) * max(page, shape.page)
    return memory if words == WHOLE else min(memory, whole.least - 1)


def files_of(folder):
    return sorted(folder.rglob("*.pages"))


class Enough(Exception):
    pass


def stopping(after):
    """A progress function that stops the pass when so many boards are made."""

    def progress(made, _):
        if made >= after:
            raise Enough

    return progress


def stopped(root, plies, limits, share=0.6):
    """The folder of a pass that was stopped."""
    limits.progress = stopping(share * boards(len(root.spaces), plies))
    with pytest.raises(Enough):
        ScratchPass(root, plies, limits)
    limits.progress = None
    (folder,) = limits.scratch.iterdir()
    assert files_of(folder)
    return folder


# ── the same values ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("empty", "placed", "words", "threads", "page"),
    [
        (12, False, WHOLE, 1, 4000),
        (12, True, WHOLE, 2, 6000),
        (10, True, HALF, 2, 1000),
        slow(12, True, HALF, 2, 3000),
        slow(14, False, WHOLE, 2, 30_000),
        slow(14, True, HALF, 1, 12_000),
        slow(15, False, WHOLE, 1, 30_000),
        slow(16, False, WHOLE, 1, 100_000),
        slow(16, True, HALF, 2, 40_000),
    ],
)
def test_files_change_nothing(tmp_path, empty, placed, words, threads, page):
    """Boards of 20 to 24 marbles, with fewer pages in memory than the largest level has."""
    root = root_of(empty, empty, placed=placed)
    expected = Pass(root, empty, PassLimits(EVERYTHING))
    limits = PassLimits(memory_for(root, empty, words, page, threads), threads=threads, scratch=tmp_path)
    found = ScratchPass(root, empty, limits)
    assert found.shape.words == words
    assert found.first_marbles == expected.first_marbles
    assert found.values == expected.values
    assert found.made == found.total
    assert found.shape.frames < found.shape.most_frames
    assert not list(tmp_path.iterdir())


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize("board", thinned(SMALL.values(), 7))
def test_other_boards(tmp_path, board):
    options, empty = board
    root = PassRoot.of(some_position(random.Random(1), empty, **options))
    for plies in {len(root.spaces), max(1, len(root.spaces) - 1), 1}:
        limits = PassLimits(memory_for(root, plies, WHOLE, 64), scratch=tmp_path)
        assert ScratchPass(root, plies, limits).first_marbles == Pass(root, plies, PassLimits(EVERYTHING)).first_marbles


def test_one_question(tmp_path):
    root = root_of(3, 13)
    for question in (WINS, LOSSES):
        limits = PassLimits(memory_for(root, 6, HALF, 2000), scratch=tmp_path)
        found, expected = ScratchPass(root, 6, limits, question), Pass(root, 6, PassLimits(EVERYTHING), question)
        assert found.first_marbles == expected.first_marbles


@pytest.mark.parametrize("options", [{}, slow({"moves": False}), slow({"depth": True})])
def test_solutions_are_the_same(tmp_path, options):
    """Searches of all depths, in memory or with files."""
    here = random_position(random.Random(5), 11, placed=False)
    expected = solve(here, **options)
    memory = memory_for(PassRoot.of(here), 11, WHOLE, 1000)
    if not options:
        with pytest.raises(CannotSolve, match="of memory, but the limit is"):
            solve(here, memory=memory)
    found = solve(here, memory=memory, scratch=str(tmp_path / "new" / "folder"), **options)
    assert (found.value, found.moves, found.turns) == (expected.value, expected.moves, expected.turns)
    assert found.distances == expected.distances
    assert not list((tmp_path / "new" / "folder").iterdir())


def test_enough_memory_needs_no_files(tmp_path):
    here = random_position(random.Random(5), 10, placed=False)
    assert solve(here, scratch=tmp_path / "none").moves == solve(here).moves
    assert not list(tmp_path.iterdir())


# ── resumed ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("words", [WHOLE, slow(HALF)])
def test_a_pass_that_was_stopped_is_continued(tmp_path, words):
    """Stopped again and again, with other memory and threads each time."""
    root, empty = root_of(7, 12), 12
    expected = Pass(root, empty, PassLimits(EVERYTHING)).first_marbles
    total, memory = boards(empty, empty) * (WHOLE // words), memory_for(root, empty, words, 3000)
    repeated = []
    for number, share in enumerate((0.05, 0.3, 0.7, 0.98)):
        seen = []

        def progress(made, of, seen=seen, share=share):
            assert of == total
            seen.append(made)
            if made >= share * total:
                raise Enough

        with pytest.raises(Enough):
            ScratchPass(
                root, empty, PassLimits(memory - number, threads=1 + number % 2, progress=progress, scratch=tmp_path)
            )
        assert seen == sorted(seen)
        repeated.append(next(made for made in seen if made) / total)
    assert repeated[1] < 0.3 < repeated[3]  # what is complete is not made again
    found = ScratchPass(root, empty, PassLimits(memory, scratch=tmp_path))
    assert found.shape.words == words
    assert found.first_marbles == expected
    assert not list(tmp_path.iterdir())


KILLED = """
    import os, random, sys
    from pathlib import Path
    from pentad.games.pentago.solver import level_files, scratch
    from pentad.games.pentago.solver.retrograde import PassLimits, PassRoot
    from tests.games.pentago.solver.sample_positions import random_position
    scratch.FRAMES, level_files.FILE_BYTES = 60, 8000
    def progress(made, total):
        if made >= 0.5 * total:
            os._exit(9)

    root = PassRoot.of(random_position(random.Random(7), 12))
    scratch.ScratchPass(root, 12, PassLimits(int(sys.argv[1]), progress=progress, scratch=Path(sys.argv[2])))
"""


def test_a_killed_process_is_continued(tmp_path):
    root = root_of(7, 12)
    memory = memory_for(root, 12, WHOLE, 3000)
    words = [sys.executable, "-c", textwrap.dedent(KILLED), str(memory), str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (9, "")
    (folder,) = tmp_path.iterdir()
    assert files_of(folder)
    (folder / ".values-03.tmp").write_bytes(b"half a file")
    seen = []
    found = ScratchPass(
        root, 12, PassLimits(memory, progress=lambda made, of: seen.append(made / of), scratch=tmp_path)
    )
    assert found.first_marbles == Pass(root, 12, PassLimits(EVERYTHING)).first_marbles
    assert next(each for each in seen if each) > 0.3
    assert not list(tmp_path.iterdir())


def test_files_that_are_read_are_removed(tmp_path):
    """The files are never much more than those of a level."""
    root, most, sizes = root_of(7, 12), 0, {}

    def progress(*_):
        nonlocal most
        now = {}
        for path in files_of(tmp_path):
            with contextlib.suppress(FileNotFoundError):  # the solver may just have removed it
                now[path.name] = path.stat().st_size
        most = max(most, sum(now.values()))
        sizes.update(now)

    ScratchPass(root, 12, PassLimits(memory_for(root, 12, WHOLE, 4000), progress=progress, scratch=tmp_path))
    levels = Counter()
    for name, size in sizes.items():
        levels[name[:9]] += size
    largest, second = sorted(levels.values())[:-3:-1]
    assert most < largest + second / 2


# ── limits and errors ────────────────────────────────────────────────────────────────────────────


def one_line(error):
    message = str(error.value)
    assert "\n" not in message
    assert message.endswith(".")
    return message


@pytest.fixture
def begun(tmp_path):
    """A pass that was stopped: its root, its limits, its folder."""
    root = root_of(7, 12)
    limits = PassLimits(memory_for(root, 12, WHOLE, 3000), scratch=tmp_path)
    return root, limits, stopped(root, 12, limits)


def cut(path):
    path.write_bytes(path.read_bytes()[:-5])


def empty_file(path):
    path.write_bytes(b"")


def flip(place):
    def flipped(path):
        data = bytearray(path.read_bytes())
        data[place if place >= 0 else len(data) + place] ^= 16
        path.write_bytes(data)

    return flipped


@together(
    "damage", {"cut": cut, "empty": empty_file, "data": flip(20), "index": flip(-70), "trailer": flip(-3)}.items()
)
def test_damaged_files_are_detected(damage, tmp_path_factory):
    name, change = damage
    root, folder = root_of(7, 11), tmp_path_factory.mktemp(name)
    limits = PassLimits(memory_for(root, 11, WHOLE, 3000), scratch=folder)
    files = files_of(stopped(root, 11, limits))
    level = files[-1].name[:9]  # the level that is read
    for path in files:
        if path.name.startswith(level):
            change(path)
    before = {path: path.read_bytes() for path in files}
    with pytest.raises(GameError, match=r"\.pages is damaged") as error:
        ScratchPass(root, 11, limits)
    one_line(error)
    assert {path: path.read_bytes() for path in before} == before


def test_a_missing_file_is_detected(begun):
    root, limits, folder = begun
    for number in (-1, 0):  # the level that is read, and the one that is written
        paths = files_of(folder)
        data = paths[number].read_bytes()
        paths[number].unlink()
        with pytest.raises(GameError, match=r"Page \d+ of values-\d\d is missing\. Remove ") as error:
            ScratchPass(root, 12, limits)
        one_line(error)
        paths[number].write_bytes(data)
    assert ScratchPass(root, 12, limits).first_marbles == Pass(root, 12, PassLimits(EVERYTHING)).first_marbles


def test_files_of_another_position_are_refused(begun, tmp_path):
    root, limits, folder = begun
    other = root_of(8, 12)
    other_folder = stopped(other, 12, PassLimits(limits.memory, scratch=tmp_path / "other"))
    for path in files_of(other_folder):
        path.unlink()
    for path in files_of(folder):
        (other_folder / path.name).write_bytes(path.read_bytes())
    with pytest.raises(GameError, match=r"\.pages belongs to another computation\.") as error:
        ScratchPass(other, 12, PassLimits(limits.memory, scratch=tmp_path / "other"))
    one_line(error)
    (tmp_path / "other" / "notes.txt").write_text("of somebody else")
    found = ScratchPass(root, 12, PassLimits(limits.memory, scratch=tmp_path / "other"))  # has a folder of its own
    assert found.first_marbles == Pass(root, 12, PassLimits(EVERYTHING)).first_marbles
    assert {path.name for path in (tmp_path / "other").iterdir()} == {"notes.txt", other_folder.name}


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"words": 3, "page": 64}', '{"words": 4, "page": "x"}', "\xff"])
def test_a_damaged_plan_is_refused(begun, text):
    root, limits, folder = begun
    (folder / "plan.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(GameError, match=r"plan\.json is damaged\.") as error:
        ScratchPass(root, 12, limits)
    one_line(error)


def test_a_damaged_result_is_refused(tmp_path):
    root = root_of(7, 9)
    limits = PassLimits(memory_for(root, 9, HALF, 1000), scratch=tmp_path)
    folder = stopped(root, 9, limits, share=1.5)  # two sweeps: one is complete
    result = (folder / "wins.results").read_text()
    for text in ("", "1", "[]", '["x"]', '"x"', "{}", result.replace("[", "[0, "), result.replace("]", "0.5]")):
        (folder / "wins.results").write_text(text)
        with pytest.raises(GameError, match=r"wins\.results is damaged\."):
            ScratchPass(root, 9, limits)
    (folder / "wins.results").write_text(result)
    assert ScratchPass(root, 9, limits).first_marbles == Pass(root, 9, PassLimits(EVERYTHING)).first_marbles


def test_a_full_disk_loses_nothing(begun, monkeypatch):
    root, limits, folder = begun
    before, left = files_of(folder), 10
    put = BlockWriter._put

    def full(writer, data):
        nonlocal left
        left -= 1
        if left < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        put(writer, data)

    monkeypatch.setattr(BlockWriter, "_put", full)
    with pytest.raises(GameError, match=r"^The disk with .* is full\."):
        ScratchPass(root, 12, limits)
    assert not list(folder.glob(".*.tmp"))
    assert len(files_of(folder)) >= len(before) - 1
    monkeypatch.undo()
    monkeypatch.setattr(scratch, "FRAMES", 60)
    assert ScratchPass(root, 12, limits).first_marbles == Pass(root, 12, PassLimits(EVERYTHING)).first_marbles


def test_folders_that_cannot_be_used(tmp_path, monkeypatch):
    root = root_of(7, 12)
    memory = memory_for(root, 12, WHOLE, 3000)
    (tmp_path / "file").write_text("")
    with pytest.raises(GameError, match=r"^Cannot use .*: Not a directory\.$") as error:
        ScratchPass(root, 12, PassLimits(memory, scratch=tmp_path / "file"))
    one_line(error)

    def refuse(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(GameError, match=r"^Cannot use .*: Permission denied\.$") as error:
        ScratchPass(root, 12, PassLimits(memory, scratch=tmp_path / "new"))
    one_line(error)


@pytest.mark.skipif(os.name == "nt", reason="folders have other permissions there")
def test_two_runs_at_a_time_are_refused(begun):
    root, limits, _ = begun
    tried = []

    def progress(*_):
        if not tried:
            with pytest.raises(GameError, match=r"Another run .* uses ") as error:
                ScratchPass(root, 12, PassLimits(limits.memory, scratch=limits.scratch))
            tried.append(one_line(error))

    found = ScratchPass(root, 12, PassLimits(limits.memory, progress=progress, scratch=limits.scratch))
    assert tried
    assert found.first_marbles == Pass(root, 12, PassLimits(EVERYTHING)).first_marbles


def test_too_little_memory_even_with_files(begun, tmp_path):
    root, limits, folder = begun
    with pytest.raises(CannotSolve, match=r"24 marbles needs .* limit is 10 kB"):
        ScratchPass(root, 12, PassLimits(10_000, scratch=tmp_path / "new"))
    assert not list((tmp_path / "new").iterdir())
    before = files_of(folder)
    with pytest.raises(CannotSolve, match="it was begun with more than ") as error:
        ScratchPass(root, 12, PassLimits(limits.memory // 2, scratch=limits.scratch))
    one_line(error)
    assert files_of(folder) == before


def test_a_page_that_reads_more_pages_than_memory_has_is_refused(tmp_path, monkeypatch):
    """FRAMES are more than any page reads; here they are too few. The pass goes on with more memory."""
    root = root_of(7, 12)
    enough = memory_for(root, 12, WHOLE, 3000)
    monkeypatch.setattr(scratch, "FRAMES", 1)
    with pytest.raises(CannotSolve, match=r"24 marbles needs .* of memory, but the limit is") as error:
        ScratchPass(root, 12, PassLimits(memory_for(root, 12, WHOLE, 300), scratch=tmp_path))
    one_line(error)
    found = ScratchPass(root, 12, PassLimits(enough, scratch=tmp_path))
    assert found.first_marbles == Pass(root, 12, PassLimits(EVERYTHING)).first_marbles


def test_boards_that_no_disk_holds_are_refused(tmp_path, monkeypatch):
    root, folder = root_of(1, 20, placed=False), tmp_path / "x" / "y"
    limits = PassLimits(10**9, scratch=folder)
    assert scratch.why_infeasible(root, 20, limits) is None
    monkeypatch.setattr(scratch.shutil, "disk_usage", lambda place: SimpleNamespace(free=10**8))
    reason = f"A board with 16 marbles needs 1.1 GB for files, but {folder} has 100 MB free."
    assert scratch.why_infeasible(root, 20, limits) == reason
    assert not list(tmp_path.iterdir())
    with pytest.raises(CannotSolve, match=r"0 marbles needs .* limit is 50 kB"):
        solve(pentad.new("pentago"), memory=50_000, scratch=tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_time_limit_keeps_the_files(tmp_path):
    root = root_of(7, 12)
    limits = PassLimits(memory_for(root, 12, WHOLE, 3000), until=0.0, scratch=tmp_path)
    with pytest.raises(CannotSolve, match="call with the same files continues") as error:
        ScratchPass(root, 12, limits)
    one_line(error)


@pytest.mark.parametrize("bad", [1, "", b"x", ["x"], "a\0b"])
def test_other_arguments_are_refused(bad):
    with pytest.raises(GameError, match="scratch must be the path"):
        solve(random_position(random.Random(1), 4), scratch=bad)


# ── pages ────────────────────────────────────────────────────────────────────────────────────────


def test_a_page_is_loaded_as_soon_as_its_frame_is_free_and_not_before(tmp_path, monkeypatch):
    """Also where a pass goes on in the middle of a level."""
    root, steps = root_of(7, 12), []
    wait, done = Transfers.wait, Transfers.done

    def waiting(transfers, step):
        place = wait(transfers, step)
        loads = [load for loads in transfers._loads for load in loads]
        assert all(load.after < step for load in loads[: len(loads) - len(transfers._waiting)])
        steps.append(step)
        return place

    def made(transfers, step, place, count):
        done(transfers, step, place, count)
        assert not transfers._waiting or transfers._waiting[0].after > step

    monkeypatch.setattr(Transfers, "wait", waiting)
    monkeypatch.setattr(Transfers, "done", made)
    limits = PassLimits(memory_for(root, 12, WHOLE, 3000), scratch=tmp_path)
    stopped(root, 12, limits)
    steps.clear()
    assert ScratchPass(root, 12, limits).first_marbles == Pass(root, 12, PassLimits(EVERYTHING)).first_marbles
    assert steps[0] > 0


def test_buffers_hold_a_page_that_cannot_be_packed(tmp_path, monkeypatch):
    """A word is stored itself or by a byte of the slots, with two bits that say so; a word before tells the length."""
    sizes, begin = [], Transfers.__init__

    def measured(transfers, *given):
        begin(transfers, *given)
        sizes.append((transfers._page_words, len(transfers._packed), len(transfers._loaded), len(transfers._slots)))

    monkeypatch.setattr(Transfers, "__init__", measured)
    root = root_of(7, 9)
    ScratchPass(root, 9, PassLimits(memory_for(root, 9, WHOLE, 1000), scratch=tmp_path))
    for words, packed, loaded, slots in sizes:
        assert packed == loaded >= 1 + -(-words // 32) + words
        assert -(-words // 8) <= slots <= words // 8 + 1


@pytest.mark.parametrize("memory", [10**5, 10**6, 10**9])
def test_pages_have_whole_cache_lines(memory):
    assert PagedShape(20, 8, 1, WHOLE, memory=memory).page % 64 == 0


@pytest.mark.parametrize(("spaces", "plies"), [(8, 8), (12, 12), (14, 14), slow(18, 18), slow(24, 9), slow(39, 7)])
def test_no_step_reads_more_pages_than_there_are(spaces, plies, monkeypatch):
    """With the smallest pages: one row of the widest."""
    monkeypatch.setattr(scratch, "FRAMES", FRAMES)
    for words in (WHOLE, HALF):
        shape = PagedShape(spaces, plies, 1, words, memory=1)
        kernels = program(KERNELS)
        most = 0
        for more in shape.levels[1:]:
            before, page = shape.pages(more + 1), shape.rows_of_page(more)
            seen, out, numbers = zeros(before, "uint32"), zeros(before, "uint32"), zeros(80, "int64")
            rows = shape.rows(more)
            for start in range(0, rows, page):
                end, below = min(rows, start + page), shape.rows_of_page(more + 1)
                found = kernels("pages_read", spaces, more, start, end, below, seen, numbers, out)
                most = max(most, found)
                assert not any(seen[:100])
        assert 0 < most < FRAMES


@properties(60)
@given(st.integers(0, 1 << 32), st.integers(1, 300), st.sampled_from([WHOLE, HALF]), st.integers(1, 400))
def test_packed_pages_come_back(seed, count, words, different):
    rng = random.Random(seed)
    pool = [0, (1 << 64) - 1, *(rng.getrandbits(64) for _ in range(different))]
    data = array([rng.choice(pool) for _ in range(count * words)], "uint64")
    size = len(data)
    kernels, table = program(KERNELS), array([7] * (PACKING_ENTRIES * words), "uint64")
    packed = zeros(size + size // 32 + 2, "uint64")
    length = kernels("pack", data, words, table, zeros(size // 8 + 1, "uint64"), packed)
    assert length <= len(packed)
    if different == 1 and size > 100:
        assert length < size / 4
    packed[length:] = array([1] * (len(packed) - length), "uint64")
    back = zeros(size, "uint64")
    kernels("unpack", packed, words, array([9] * (PACKING_ENTRIES * words), "uint64"), back)
    assert back == data


def test_messages_name_the_folder(begun):
    _, _, folder = begun
    assert re.fullmatch(r"pentad-pentago-[0-9a-f]{12}", folder.name)
