"""The site of the browser tests: built once, and served from a folder below the top of its host."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from release.commands import ReleaseError

from pentad.site.build import LIBRARIES
from pentad.user_files import Busy, Lock
from release import libraries
from tests.site.host import FOLDER, Host
from tests.web.conftest import browser, new_page, pytest_runtest_teardown

__all__ = ["browser", "new_page", "pytest_runtest_teardown"]


def give_up(reason: str) -> None:
    """Skips the tests, but not in CI, where everything that they need must be there."""
    reason = f"The site cannot be made: {reason}"
    pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)


def update_libraries() -> None:
    """Makes the engines for browsers; only one of the processes that test does."""
    with contextlib.ExitStack() as stack:
        while True:
            try:
                stack.enter_context(Lock(LIBRARIES.with_suffix(".lock"), "The engines are being made."))
                break
            except Busy:
                time.sleep(0.2)
        libraries.update_browser()


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the site in its folder `FOLDER`."""
    top = tmp_path_factory.mktemp("site")
    try:
        update_libraries()
    except ReleaseError as error:
        give_up(str(error))
    make_site(top / FOLDER)
    return top


def make_site(folder: Path, *more: str) -> None:
    """Makes the site by the command, in a process of its own: a browser's event loop may run in this one."""
    command = [sys.executable, "-P", "-m", "pentad", "site", str(folder), *more]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        give_up(done.stderr.strip())


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
