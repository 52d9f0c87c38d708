import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pentad.store import Store
from tests.store.postgres import Cluster, NoPostgres

NewUrl = Callable[[], str]


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    try:
        running = Cluster()
    except NoPostgres as why:
        must = os.environ.get("CI") and shutil.which("apt-get") and os.geteuid() == 0
        pytest.fail(str(why)) if must else pytest.skip(str(why))
    yield running
    running.remove()


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def new_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> NewUrl:
    """Returns URLs of new, empty databases."""
    if request.param == "sqlite":
        return lambda: f"sqlite:///{tmp_path_factory.mktemp('store')}/pentad.db"
    postgres: Cluster = request.getfixturevalue("cluster")
    return postgres.url


@pytest.fixture
def url(new_url: NewUrl) -> str:
    return new_url()


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with_games = Store.open(url)
    yield with_games
    with_games.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "pentad.db"
