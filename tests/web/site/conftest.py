"""The site of the browser tests: built once, and served from a folder below the top of its host."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.conftest import browser, new_page, pytest_runtest_teardown
from tests.web.site.host import Host
from tests.web.site.kept_site import kept_site

__all__ = ["browser", "new_page", "pytest_runtest_teardown"]


@pytest.fixture(scope="session")
def built() -> Path:
    """A folder with the site in its folder `FOLDER`. It stays as it is."""
    return kept_site()


@pytest.fixture(scope="session")
def shared_host(built: Path) -> Iterator[Host]:
    """The host of all tests that neither stop it nor damage its files."""
    host = Host(built)
    yield host
    host.stop()


@pytest.fixture
def own_host(built: Path, tmp_path: Path) -> Iterator[Host]:
    """A host with a copy of the site, for one test."""
    shutil.copytree(built, tmp_path / "top")
    host = Host(tmp_path / "top")
    yield host
    host.stop()


@pytest.fixture
def site(request: pytest.FixtureRequest) -> str:
    """The address of the site: that of the test's own host, if it has one."""
    own = "own_host" in request.fixturenames
    host: Host = request.getfixturevalue("own_host" if own else "shared_host")
    return host.url


@pytest.fixture(scope="module")
def service_workers() -> str:
    """The site has a service worker."""
    return "allow"
