"""Limits of the solver: memory, time, threads, progress, and invalid arguments."""

import random
import re
import threading
import time
import weakref
from itertools import pairwise

import pytest

import pentad
from pentad.game import GameError
from pentad.games.pentago import CannotSolve, from_number
from pentad.games.pentago.solver import retrograde, scratch, solve
from pentad.games.pentago.solver import search as solver_search
from pentad.games.pentago.solver.retrograde import (
    HALF,
    LOSSES,
    WHOLE,
    WINS,
    MemoryPlan,
    Pass,
    PassLimits,
    PassRoot,
    boards,
)
from pentad.games.pentago.solver.search import MOST_PARTIAL, WIN, SolverSearch
from pentad.kernels import buffers
from pentad.kernels.buffers import zeros
from tests.cases import together
from tests.games.pentago.solver.sample_positions import hard_boards, random_position
from tests.programs import run

OTHERS = (
    ("three players", "pentago players=3 b...../....../....../....../....../......", "for two players"),
    ("9 × 9", "pentago rows=3 cols=3 " + "/".join(["b" + "." * 8] + ["." * 9] * 8), "sub-boards"),
    ("five in a row of sub-boards", "pentago rows=1 cols=5 " + "/".join(["." * 15] * 3), "sub-boards"),
)


@pytest.fixture
def hard():
    """A board of 20 marbles without a forced result within four plies."""
    return next(hard_boards(6, first=20))


class MemoryCounter:
    """The bytes in use, and their maximum."""

    def __init__(self):
        self.now = self.most = 0

    def take(self, size):
        self.now += size
        self.most = max(self.most, self.now)


@pytest.fixture
def allocated(monkeypatch):
    """The memory that the solver allocates."""
    counter = MemoryCounter()

    def counted(count, kind, **more):
        made = zeros(count, kind, **more)
        counter.take(made.nbytes)
        weakref.finalize(made, counter.take, -made.nbytes)
        return made

    for module in (retrograde, buffers):
        monkeypatch.setattr(module, "zeros", counted)
    buffers.ARENA.release()
    counter.now = 0
    yield counter
    buffers.ARENA.release()


def one_line(error):
    message = str(error.value)
    assert message
    assert "\n" not in message
    assert len(message) < 160
    return message


# ── memory ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("marbles", [8, 12, 14, 15, 16, 17])
def test_too_little_memory_names_the_memory_needed(marbles, allocated):
    here = random_position(random.Random(5), 36 - marbles, placed=False)
    with pytest.raises(CannotSolve) as error:
        solve(here, memory=200_000)
    message = re.fullmatch(
        rf"A board with {marbles} marbles needs ([\d.]+) ([MGTP]B) of memory, but the limit is 200 kB\.",
        one_line(error),
    )
    assert message
    assert float(message[1]) * {"MB": 1e6, "GB": 1e9, "TB": 1e12, "PB": 1e15}[message[2]] > 5e8
    assert allocated.most <= 400_000


def test_almost_no_memory_allocates_nothing(hard, allocated):
    for memory in (1, 1000):
        with pytest.raises(CannotSolve) as error:
            solve(hard, memory=memory)
        assert one_line(error).startswith("A board with 20 marbles needs ")
        assert "e-" not in one_line(error)  # not in scientific notation
    assert allocated.most <= 1000


@pytest.mark.fast_cases(7)
@pytest.mark.parametrize(("empty", "plies"), [(12, 12), (16, 16), (18, 7), (30, 5), (36, 3), (3, 3), (1, 1)])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("words", [WHOLE, HALF])
def test_memory_stays_within_the_plan(empty, plies, threads, words, allocated):
    root = PassRoot.of(random_position(random.Random(empty), empty, placed=False))
    needed = MemoryPlan(empty, plies, threads, words).memory
    if words == HALF:
        with pytest.raises(CannotSolve):
            Pass(root, plies, PassLimits(needed - 1, threads=threads))
        assert allocated.most == 0
    made = Pass(root, plies, PassLimits(needed, threads=threads))
    assert made.plan.words == words
    assert needed / 2 < allocated.most <= 1.1 * needed + 500_000


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(("empty", "words", "threads"), [(13, WHOLE, 2), (16, HALF, 1), (16, WHOLE, 1)])
def test_memory_stays_within_the_limit_with_files(empty, words, threads, allocated, monkeypatch, tmp_path):
    monkeypatch.setattr(scratch, "FRAMES", 80)
    monkeypatch.setattr(scratch, "zeros", buffers.zeros)  # these arrays are counted, too
    root = PassRoot.of(random_position(random.Random(empty), empty, placed=False))
    row = scratch.PagedShape(empty, empty, threads, words, memory=1)
    memory = row.fixed + (80 + scratch.BUFFERS) * row.page * 2 // (1 if words == WHOLE else 2)
    found = scratch.ScratchPass(root, empty, PassLimits(memory, threads=threads, scratch=tmp_path))
    assert found.shape.words == words
    assert memory / 2 < allocated.most <= memory + 100_000


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("empty", [2, 5, 9, 14, 16])
def test_two_sweeps_give_the_same_values(empty):
    here = random_position(random.Random(empty), empty, placed=False)
    root = PassRoot.of(here)
    both, one = (MemoryPlan(empty, empty, 1, words).memory for words in (WHOLE, HALF))
    assert one < both
    expected = Pass(root, empty, PassLimits(both))
    for memory in (both - 1, one):
        found = Pass(root, empty, PassLimits(memory))
        assert found.plan.words == HALF
        assert found.values == expected.values
        assert found.first_marbles == expected.first_marbles
    assert solve(here, memory=one).moves == solve(here).moves


@pytest.mark.parametrize(("empty", "plies"), [(9, 9), (12, 7), (14, 6)])
def test_one_question_has_its_half_of_the_values(empty, plies):
    root = PassRoot.of(random_position(random.Random(empty), empty, placed=False))
    both = Pass(root, plies, PassLimits(1 << 40))
    states = (1 << 128) - 1
    for question, other in ((WINS, states), (LOSSES, 0)):
        one = Pass(root, plies, PassLimits(1 << 40), question)
        assert one.plan.memory < both.plan.memory
        for found, expected in zip(one.first_marbles, both.first_marbles, strict=True):
            assert found[question] == expected[question]
            assert found[1 - question] == other
    assert any(wins for wins, _ in both.first_marbles)
    assert any(holds != states for _, holds in both.first_marbles)


def test_a_root_alone_asks_for_wins_and_losses_in_turn(monkeypatch):
    """A board of 18 marbles that is won within nine plies."""
    questions = []

    class Recorded(Pass):
        def __init__(self, root, plies, limits, question=None):
            questions.append((plies, question))
            super().__init__(root, plies, limits, question)

    monkeypatch.setattr(solver_search, "Pass", Recorded)
    found = solve(from_number(288811451202357528), moves=False)
    assert (found.value, found.how) == (WIN, "search")
    assert questions == [(5, WINS), (7, WINS), (8, LOSSES), (9, WINS)]


@pytest.mark.slow
def test_enough_memory_is_enough(hard):
    expected = solve(hard)
    for words in (WHOLE, HALF):
        assert solve(hard, memory=MemoryPlan(16, 16, 1, words).memory).moves == expected.moves


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("depth", [False, True])
def test_errors_have_the_proved_values(depth):
    proved, tried = 0, random.Random(7)
    for empty in (13, 14, 13, 15, 14, 15):
        here = random_position(tried, empty)
        expected = solve(here, depth=depth)
        try:
            solve(here, depth=depth, memory=MemoryPlan(empty, 5, 1).memory)
        except CannotSolve as error:
            values, distances = error.values, error.distances
        else:
            continue
        assert list(values) == [move for move in here.legal_moves if move in values]
        assert values.items() <= expected.moves.items(), here.text
        assert distances.keys() <= (values.keys() if depth else set()), here.text
        both = distances.keys() & expected.distances.keys()
        assert {move: distances[move] for move in both} == {move: expected.distances[move] for move in both}
        proved += 0 < len(values) < len(expected.moves)
    assert proved > 1
    assert (CannotSolve("no").values, CannotSolve("no").distances) == ({}, {})


# ── time ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("options_given", [(False, False), (True, False), (False, True)])
def test_partial_search_ends_without_a_time_limit(options_given, monkeypatch):
    """Without real searches: boards are only counted."""

    def search_depth(search, plies):
        search.nodes += boards(36, plies)

    monkeypatch.setattr(SolverSearch, "_search_depth", search_depth)
    made = []
    for until in (None, time.monotonic() + 1e6):
        search = SolverSearch(pentad.new("pentago"), *options_given, PassLimits(50 * 10**9, until))
        with pytest.raises(CannotSolve):
            search.found()
        made.append(search.nodes)
    assert 10**8 < made[0] <= MOST_PARTIAL
    assert made[1] > 4 * MOST_PARTIAL


@pytest.mark.slow
def test_too_little_time(hard):
    for moves in (True, False):
        for seconds in (1e-9, 1e-4):
            with pytest.raises(CannotSolve) as error:
                solve(hard, moves=moves, seconds=seconds)
            assert re.search(r"20 marbles needs about .* s, but only .* remain|time limit", one_line(error))


@pytest.mark.slow
def test_a_long_time_limit_changes_nothing(hard):
    assert solve(hard, seconds=10_000).moves == solve(hard).moves


def test_an_empty_board_is_refused_immediately():
    with pytest.raises(CannotSolve, match=r"0 marbles needs .*, .* limit is 50 MB"):
        solve(pentad.new("pentago"), memory=50_000_000)
    with pytest.raises(CannotSolve):
        solve(pentad.new("pentago").partial("c3"), moves=False, seconds=0.01)


# ── threads, progress ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("empty", [1, 2, 5, 9, 13])
def test_threads_change_nothing(empty):
    rng = random.Random(empty)
    for placed in (True, False):
        here = random_position(rng, empty, placed=placed)
        expected = solve(here, depth=True)
        for threads in (2, 3):
            found = solve(here, depth=True, threads=threads)
            assert (found.moves, found.distances, found.turns) == (expected.moves, expected.distances, expected.turns)


@pytest.mark.slow
def test_threads_change_nothing_with_many_rows(hard):
    expected = solve(hard)
    for threads in (2, 5):
        assert solve(hard, threads=threads).moves == expected.moves


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("threads", [1, 2])
def test_progress_increases(hard, threads):
    reports = []
    solve(hard, threads=threads, progress=lambda made, of: reports.append((of, made)))
    assert len(reports) > 5
    for (of, made), (next_of, next_made) in pairwise(reports):
        assert 0 <= made <= of
        assert next_made >= made if next_of == of else next_of > of  # a deeper search has more boards
        assert made == of or next_of == of  # and each search is reported to its end
    assert reports[-1] == (boards(16, 16), boards(16, 16))


def test_progress_of_two_sweeps():
    reports = []
    here = random_position(random.Random(1), 12, placed=False)
    Pass(
        PassRoot.of(here),
        12,
        PassLimits(MemoryPlan(12, 12, 1, HALF).memory, progress=lambda made, of: reports.append((made, of))),
    )
    assert reports[-1] == (2 * boards(12, 12), 2 * boards(12, 12))


class Enough(Exception):
    pass


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("stop", [Enough, KeyboardInterrupt])
def test_an_exception_in_progress_stops_the_solver(hard, threads, stop):
    running = {*threading.enumerate()}
    for after in (0, 1, 6):
        reports = []

        def progress(made, of, reports=reports, after=after):
            reports.append(made)
            if len(reports) > after:
                raise stop

        with pytest.raises(stop):
            solve(hard, threads=threads, progress=progress)
        assert len(reports) == after + 1
        assert {*threading.enumerate()} == running


# ── odd positions, odd arguments ─────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("text", "words"), [other[1:] for other in OTHERS], ids=[other[0] for other in OTHERS])
def test_other_games_of_pentago_are_refused(text, words):
    with pytest.raises(GameError, match=words) as error:
        solve(pentad.load(text))
    one_line(error)


LARGE = """
    import pentad
    from pentad.game import GameError
    from pentad.games.pentago.solver import solve
    for options in (
        {"block": 4}, {"block": 7}, {"block": 10, "line": 19}, {"rows": 1, "cols": 1, "block": 20, "line": 9}
    ):
        for options_given in {}, {"depth": True}, {"moves": False}:
            try:
                print(solve(pentad.new("pentago", **options), memory=10**7, **options_given).value)
            except GameError as error:
                assert len(str(error)) < 160, error
    print("done")
"""


def test_boards_with_too_many_spaces_are_refused():
    """In its own process, which may crash."""
    assert run(LARGE) == ("done", "")


@pytest.mark.slow
def test_the_largest_boards_are_solved_correctly():
    """Searches of one ply, on boards with more spaces than the classic one."""
    for empty in (37, 38, 39, 40, 41, 42, 45, 50):
        for seed in range(4):
            here = random_position(random.Random(seed), empty, placed=False, block=4, line=5)
            expected = any(after.returns[here.turn] == 1.0 for after in ends_of(here))
            try:
                wins, _ = Pass(PassRoot.of(here), 1, PassLimits(1 << 30)).values
            except GameError:
                assert empty > 39
                continue
            assert wins & 1 == expected, here.text


def ends_of(here):
    """The outcomes of the mover's next turn that end the game."""
    return [outcome for outcome in (here.play(move).outcome for move in here.legal_moves) if outcome]


@pytest.mark.parametrize("other", [None, "pentago", 0, object(), pentad.new("pente"), pentad.new("pentagame")])
def test_other_objects_are_refused(other):
    with pytest.raises(GameError, match="Only positions of Pentago") as error:
        solve(other)
    one_line(error)


@together(
    "options_given",
    [
        *({"memory": bad} for bad in (0, -1, 1.5, "1 GB", True, float("nan"))),
        *({"seconds": bad} for bad in (0, -1, "1 s", True, float("nan"), [1])),
        *({"threads": bad} for bad in (0, -1, 65, 1.5, "2", None, True, 10**9)),
        *({"progress": bad} for bad in (1, "bar", [1])),
        *({"scratch": bad} for bad in (0, True, "", "a\0b", b"folder", ["folder"])),
    ],
)
def test_invalid_arguments_are_refused_by_name(options_given):
    with pytest.raises(GameError, match=next(iter(options_given))) as error:
        solve(random_position(random.Random(1), 4), **options_given)
    one_line(error)


@together(
    "options_given",
    [{"threads": 1}, {"threads": 64}, {"memory": 1}, {"seconds": 1}, {"seconds": 1e-9}, {"seconds": float("inf")}],
)
def test_the_least_and_the_most_that_an_argument_may_be(options_given):
    over = pentad.load("pentago bbbbb./wwww../....../....../....../......")
    assert solve(over, **options_given).value == -1


def test_finished_games_have_their_result():
    for rows, value in (
        ("bbbbb./wwww../....../....../....../......", -1),  # white is to act, and black has won
        ("bbbbb./wwwww./....../....../....../......", 0),
        ("bbbb../wwwww./b...../....../....../......", -1),
        ("bbbbb./wwww../w...../....../....../......", 1),
        ("wwwwww/bbbbbb/....../....../....../......", 0),
    ):
        here = pentad.load(f"pentago {rows}")
        assert here.outcome
        for options_given in ({}, {"moves": False}, {"depth": True}):
            found = solve(here, **options_given)
            assert (found.value, found.moves, found.distances) == (value, {}, {}), rows
            assert found.turns == (0 if value and options_given.get("depth") else None), rows
            assert found.how == "rules"
    won = pentad.load("pentago bbbbb./wwww../....../....../....../...... placed")
    assert (solve(won).value, solve(won).moves, solve(won, depth=True).turns) == (1, {}, 0)
    later = pentad.load("pentago win_on_placement=false bbbbb./wwww../....../....../....../...... placed")
    assert solve(later, moves=False, depth=True).turns == 1  # a rotation wins that keeps the five


def test_full_boards():
    rng = random.Random(4)
    for _ in range(20):
        last = random_position(rng, 0, placed=True)
        found = solve(last)
        for move, value in found.moves.items():
            after = last.play(move)
            assert solve(after).value == -value
            assert after.outcome is not None
        assert found.value == max(found.moves.values())
    with pytest.raises(GameError):
        solve(pentad.load("pentago bbb.../....../....../....../....../......"))  # impossible numbers of marbles


# ── the kernels as the Python that they are ──────────────────────────────────────────────────────

PLAIN = """
    import random, sys, warnings
    warnings.simplefilter("error")
    import pentad
    from pentad.games.pentago.solver import solve
    from tests.games.pentago.solver.sample_positions import SMALL, random_position
    from tests.games.pentago.solver.naive_solver import scores, value_of
    rng = random.Random(1)
    shapes = [({}, 3), ({"win_on_placement": False}, 2), ({"rows": 1, "line": 4}, 4), ({"block": 2, "line": 3}, 4),
              ({"rows": 1, "cols": 3, "block": 2, "line": 3}, 4), ({"block": 4, "line": 8}, 2)]
    tried = 0
    for options, most in shapes:
        for empty in range(1, most + 1):
            for placed in (False, True):
                here = random_position(rng, empty, placed, **options)
                expected = {move: value_of(score) for move, score in scores(here).items()}
                for threads in (1, 2):
                    found = solve(here, depth=True, threads=threads)
                    assert {str(move): value for move, value in found.moves.items()} == expected, here.text
                tried += 1
    assert "numba" not in sys.modules or sys.modules["numba"].config.DISABLE_JIT
    print(tried)
"""


@pytest.mark.slow
def test_kernels_without_the_jit_agree_and_do_not_overflow():
    assert run(PLAIN, NUMBA_DISABLE_JIT="1") == ("38", "")


BOUNDS = """
    import importlib
    import random
    import numpy as np
    from pentad.games.pentago.solver import solve
    from pentad.games.pentago.solver.pass_kernels import NATIVE
    class Calls:
        def __call__(self, name, *given):
            return NATIVE[name](*(each if isinstance(each, int | tuple) else np.asarray(each) for each in given))
        def bind(self, name, *first):
            return lambda *rest: self(name, *first, *rest)
    # by numba's own calls, which check every index
    for module in ("retrograde", "search"):
        importlib.import_module(f"pentad.games.pentago.solver.{module}").program = lambda name: Calls()
    from tests.games.pentago.solver.forward_solver import Forward
    from tests.games.pentago.solver.sample_positions import SMALL, hard_boards, some_position
    from tests.games.pentago.solver.naive_solver import scores, value_of
    rng = random.Random(1)
    for options, empty in SMALL.values():
        for _ in range(2):
            here = some_position(rng, min(empty, 5), **options)
            expected = {move: value_of(score) for move, score in scores(here).items()}
            assert {str(move): value for move, value in solve(here, depth=True).moves.items()} == expected, here.text
    for here in hard_boards(6, first=20, last=30, wide=1):
        assert solve(here, moves=False).value == Forward(here).value(), here.text
    import tempfile
    from pathlib import Path
    from pentad.games.pentago.solver import scratch
    from pentad.games.pentago.solver.retrograde import PassLimits, Pass, PassRoot
    scratch.FRAMES = 60
    root = PassRoot.of(some_position(rng, 11))
    for memory in (300_000, 150_000):  # for both questions at once, and for one
        with tempfile.TemporaryDirectory() as folder:
            found = scratch.ScratchPass(root, 11, PassLimits(memory, scratch=Path(folder)))
            assert found.first_marbles == Pass(root, 11, PassLimits(1 << 30)).first_marbles
    print("held")
"""


@pytest.mark.slow
def test_kernels_stay_within_their_arrays(tmp_path):
    assert run(BOUNDS, NUMBA_BOUNDSCHECK="1", PENTAD_CACHE=str(tmp_path))[0] == "held"
