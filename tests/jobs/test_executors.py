"""Executors: answers and errors of jobs, the versions of workers, clusters."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from pentad.game import GameError
from pentad.grammar.farm import partition
from pentad.jobs import executors
from pentad.jobs.executors import ExecutorFarm, completed, dask_farm, perform
from pentad.jobs.process import WorkerDied, WorkerFailed
from tests.grammar.farm.inline import Inline


def _count(upto):
    for number in range(upto):
        yield {"number": number}


def _refuse():
    raise GameError("Not today.")
    yield


JOBS = {"count": _count, "refuse": _refuse}


def test_a_job_has_its_last_answer():
    answers = []
    with ThreadPoolExecutor(1) as executor:
        farm = ExecutorFarm(executor, __name__, 1)
        assert farm.submit("count", {"upto": 3}, on_answer=answers.append).result() == {"number": 2}
        with pytest.raises(WorkerFailed, match=r"^Not today\.$"):
            farm.submit("refuse", {}).result()
    assert answers == [{"number": 0}, {"number": 1}, {"number": 2}]
    with pytest.raises(WorkerFailed, match="cannot schedule new futures after shutdown"):
        farm.submit("count", {"upto": 1}).result()


def test_a_dead_worker_is_not_an_error_of_its_job():
    farm = ExecutorFarm(Inline({1}), __name__, 1)
    with pytest.raises(WorkerDied):
        farm.submit("count", {"upto": 1}).result()
    assert farm.submit("count", {"upto": 1}).result() == {"number": 0}


def test_a_worker_of_another_version_is_refused(monkeypatch):
    farm = ExecutorFarm(Inline(), __name__, 1)
    real = executors.perform
    monkeypatch.setattr(executors, "perform", lambda version, *rest: real("0.0.1", *rest))
    with pytest.raises(GameError) as error:
        list(completed(farm, "count", [(0, {"upto": 1})]))
    assert str(error.value).startswith("The worker on ")
    assert str(error.value).endswith(", not 0.0.1. All need the same version.")
    assert len(str(error.value).splitlines()) == 1


def test_few_units_are_submitted_at_once():
    taken = []

    def units():
        for number in range(20):
            taken.append(number)
            yield number, {"upto": 1}

    results = completed(ExecutorFarm(Inline(), __name__, 2), "count", units())
    next(results)
    assert len(taken) <= 5
    assert len(list(results)) == 19


def test_perform_answers_with_an_error():
    from pentad import __version__

    assert perform(__version__, __name__, "refuse", {}) == [{"error": "Not today."}]


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense://x", "tcp://127.0.0.1:notaport"])
def test_a_cluster_that_is_not_there(monkeypatch, address):
    pytest.importorskip("distributed")
    monkeypatch.setattr(executors, "SCHEDULER_CONNECT_SECONDS", 1)
    with pytest.raises(GameError, match=r"^No cluster answers at ") as error, dask_farm(partition.__name__, address):
        pass
    assert len(str(error.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "^The cluster at 'tls://127.0.0.1:9' needs certificates, .* have none"),
        ({"ca-file": "no.pem", "client.cert": "no.pem"}, "^The certificates .* cannot be used: "),
        ({"min-version": "old"}, "^The certificates .* cannot be used: "),
    ],
)
def test_a_cluster_without_its_certificates(settings, message):
    dask = pytest.importorskip("dask")
    pytest.importorskip("distributed")
    tls = {f"distributed.comm.tls.{name}": value for name, value in settings.items()}
    farm = dask_farm(partition.__name__, "tls://127.0.0.1:9")
    with dask.config.set(tls), pytest.raises(GameError, match=message) as error, farm:
        pass
    assert len(str(error.value).splitlines()) == 1


def test_a_cluster_of_dask_answers():
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=2, processes=False, dashboard_address=None) as cluster,
        dask_farm(__name__, cluster.scheduler_address) as farm,
    ):
        units = [(number, {"upto": number}) for number in range(1, 9)]
        assert sorted(answer["number"] for _, answer in completed(farm, "count", units)) == list(range(8))
        with pytest.raises(GameError, match=r"^Not today\.$"):
            list(completed(farm, "refuse", [(0, {})]))
