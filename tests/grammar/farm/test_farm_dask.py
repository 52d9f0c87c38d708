"""Clusters of Dask whose workers are killed in the middle of each kind of job: the results of a single process."""

import os
import signal

import pytest

from pentad.games.pentago import from_number, solve
from pentad.grammar.farm import exploration, partition
from pentad.grammar.farm.exploration import explore
from pentad.grammar.models import new
from pentad.grammar.system import prepare
from pentad.jobs.executors import dask_farm
from pentad.play.contest import ContestTerms
from pentad.play.data import make_games
from pentad.play.match import play_match
from pentad.terminal.pentago.batch import Workers
from tests.jobs.test_local_cluster import tls_settings
from tests.terminal.pentago.test_batch import OPTIONS, numbered, random_boards

dask = pytest.importorskip("dask")
local_cluster = pytest.importorskip("pentad.jobs.local_cluster")
WORKERS = 4


class Killer:
    """Kills two workers of a cluster, one after the other, when it is called for the third and for the sixth time."""

    def __init__(self, cluster):
        self.cluster, self.calls, self.killed = cluster, 0, []

    def __call__(self, *_):
        self.calls += 1
        if self.calls in (3, 6):
            pids = [worker.process.pid for worker in self.cluster.workers.values() if worker.process]
            pid = next(each for each in pids if each not in self.killed)
            os.kill(pid, signal.SIGKILL)
            self.killed.append(pid)


@pytest.fixture
def cluster():
    with local_cluster.local_cluster(WORKERS) as cluster, dask.config.set(tls_settings(cluster.security)):
        yield cluster


@pytest.mark.slow
def test_an_exploration_is_the_same(tmp_path, cluster, monkeypatch):
    monkeypatch.setattr(exploration, "ITEMS_OF_SMALLEST_UNIT", 200)
    system = prepare(new("pentago", rows=1, cols=2, block=2, line=3, iso=False))
    kill = Killer(cluster)
    with dask_farm(partition.__name__, cluster.scheduler_address) as farm:
        found = explore(system, tmp_path, farm=farm, memory=16 << 20, progress=kill)
    assert len(kill.killed) == 2
    assert (found.states, found.transitions, found.final, found.stopped) == (6505, 16171, 43, "")


@pytest.mark.slow
def test_a_match_is_the_same(cluster):
    terms, kill = ContestTerms("pente", ("greedy", "beam-1"), options={"size": 9}).checked(), Killer(cluster)
    found = play_match(terms, 12, cluster=cluster.scheduler_address, progress=kill)
    assert len(kill.killed) == 2
    assert found.as_json() == play_match(terms, 12, workers=1).as_json()


@pytest.mark.slow
def test_a_batch_is_the_same(cluster):
    boards, kill = random_boards(24, 20), Killer(cluster)
    found = []
    for task, answer in Workers(WORKERS, 10**9, OPTIONS, cluster.scheduler_address).answers(numbered(boards), str):
        found.append((task.text, answer["value"]))
        kill()
    assert len(kill.killed) == 2
    assert found == [(board, solve(from_number(int(board)), moves=False).value) for board in boards]


@pytest.mark.slow
def test_self_play_has_the_same_bytes(cluster, tmp_path):
    pytest.importorskip("pyarrow")
    about, kill = {"count": 800, "seed": 1, "shards": 16}, Killer(cluster)
    make_games(tmp_path / "here", "pentago", **about)
    make_games(tmp_path / "there", "pentago", cluster=cluster.scheduler_address, progress=kill, **about)
    assert len(kill.killed) == 2
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


def contents(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir()}
