import pytest

from pentad.game import load, new
from pentad.games.pentago import memory
from pentad.games.pentago.solver.retrograde import bytes_of, needed
from pentad.web.engines import pool
from tests.programs import run

EIGHTEEN = load("pentago ww...w/..wbww/bw..../b..b.b/b.wb../.w..bb")
SPACES = 18


@pytest.mark.parametrize("plies", [5, 8, SPACES])
@pytest.mark.parametrize("most", [1 << 40, 400 << 20])
def test_the_solver_uses_the_estimated_memory(plies, most):
    takes, counted = needed(most, SPACES, plies, 1), bytes_of(SPACES, plies, most)
    assert takes <= counted <= 1.3 * takes


def test_only_a_solve_of_eighteen_marbles_is_heavy():
    for who in (None, "engine", "engine@5", "5", "@5", "perfect"):
        assert 700 < pool.megabytes("move", EIGHTEEN, who=who) < 1000
    for who in ("greedy", "engine@4", "2", "tree:playouts=10"):
        assert pool.megabytes("move", EIGHTEEN, who=who) == pool.WORKER_MEGABYTES
    assert pool.megabytes("move", new("pentago"), who=None) == pool.WORKER_MEGABYTES
    assert pool.megabytes("move", new("pente"), who="engine@5") == pool.WORKER_MEGABYTES
    assert pool.WORKER_MEGABYTES < pool.megabytes("analysis", new("pentagame"), seconds=60) < 500
    assert pool.megabytes("analysis", new("pentago", players=3), seconds=60) == pool.WORKER_MEGABYTES


@pytest.mark.parametrize("job", memory.SOLVER_MAY)
@pytest.mark.parametrize("start", [new("pentago"), EIGHTEEN], ids=["empty", "eighteen"])
def test_no_estimate_exceeds_the_engines_limit(job, start):
    counted = pool.megabytes(job, start, seconds=60)
    assert pool.WORKER_MEGABYTES <= counted <= pool.WORKER_MEGABYTES + memory.SOLVER_MAY[job][0] / pool.MB


def test_estimates_load_no_compiler():
    code = (
        "import sys; from pentad.game import load; from pentad.web.engines import Engines, pool\n"
        f"pool.megabytes('analysis', load({EIGHTEEN.text!r}), seconds=5)\n"
        "print(sorted({'numba', 'numpy'} & set(sys.modules)))"
    )
    assert run(code)[0] == "[]"
