"""The page about installing: its lines, run against a package index of our own on loopback, and its tables."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
import venv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from pentad.system import files
from release.platforms import PLATFORMS
from release.wheels import build
from tests.cases import together
from tests.folder_server import served

PAGE = (Path(__file__).parents[1] / "docs" / "install.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
PIP, PIPX, UVX, UPDATE = (
    'pip install "pentad[web,terminal]"',
    'pipx install "pentad[web,terminal]"',
    'uvx --from "pentad[web,terminal]" pentad web',
    'pip install --upgrade "pentad[web,terminal]"',
)
OFFLINE = (
    'pip download --dest packages "pentad[web,terminal]"',
    'pip install --no-index --find-links packages "pentad[web,terminal]"',
)
SERVED = re.compile(r"pentad is running: (http://\S+)")

Environment = Mapping[str, str]


def test_every_line_of_an_installation_is_run_here():
    lines = {line for block in BLOCKS for line in block.splitlines()}
    assert {line for line in lines if not line.startswith("./pentad ")} == {PIP, PIPX, UVX, UPDATE, *OFFLINE}


def test_the_platforms_are_those_of_the_wheels():
    rows = re.findall(r"^\| (`\w+-\w+`(?:, `\w+-\w+`)*) \|", PAGE, re.MULTILINE)
    assert [name for row in rows for name in re.findall(r"`([^`]+)`", row)] == [*PLATFORMS]


@together("number, platform", enumerate(("linux", "darwin", "win32")))
@together("kind", ("data", "cache"))
def test_the_folders_are_those_of_the_program(number, platform, kind):
    (row,) = re.findall(rf"^\| {kind}: .*$", PAGE, re.MULTILINE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "platform", platform)
        for variable in ("XDG_DATA_HOME", "XDG_CACHE_HOME", "LOCALAPPDATA"):
            patch.delenv(variable, raising=False)
        shown = f"~/{files.user_folder(kind).relative_to(Path.home()).as_posix()}"
    assert re.findall(r"`(~[^`]+)`", row)[number].replace("\\", "/") == shown


# ── an index on loopback ─────────────────────────────────────────────────────────────────────────


def add(index: Path, distributions: Path) -> None:
    """Moves all distributions of a folder to the folders of their projects."""
    for path in distributions.iterdir():
        project = re.sub(r"[-_.]+", "-", path.name.partition("-")[0]).lower()
        (index / project).mkdir(exist_ok=True)
        path.rename(index / project / path.name)


def surroundings(address: str, home: Path, *programs: Path) -> dict[str, str]:
    """The environment of a user whose index has this address, with programs first on the path."""
    redirects = ("PIP_", "UV_", "PIPX_", "PENTAD_", "PYTHON", "XDG_", "VIRTUAL_ENV")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(redirects)}
    return kept | {
        "HOME": str(home),
        "PATH": os.pathsep.join([*map(str, programs), os.environ["PATH"]]),
        "PENTAD_HOME": str(home / "data"),
        "PENTAD_CACHE": str(home / "cache"),
        "PENTAD_WEB_BROWSER": "false",
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_INDEX_URL": address,
        "PIPX_DEFAULT_PYTHON": sys.executable,
        "UV_CACHE_DIR": str(home / "uv"),
        "UV_DEFAULT_INDEX": address,
        "UV_PYTHON": sys.executable,
        "UV_PYTHON_DOWNLOADS": "never",
        "no_proxy": "127.0.0.1",
    }


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The address of an index that has pentad alone, and its folder."""
    folder, made = tmp_path_factory.mktemp("simple"), tmp_path_factory.mktemp("made")
    build("wheel", made)
    add(folder, made)
    with served(folder) as address:  # the list of files of a project's folder is what an index answers
        yield address, folder


@pytest.fixture(scope="module")
def whole_index(index: tuple[str, Path], tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of that index with the packages that pentad needs, which come from where pip finds them here."""
    address, folder = index
    (wheel,) = (folder / "pentad").iterdir()
    fetched = tmp_path_factory.mktemp("fetched")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--dest", fetched, f"{wheel}[web,terminal]", "pip"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = f"pip cannot fetch the packages that pentad needs: {done.stderr.strip().splitlines()[-1]}"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    (fetched / wheel.name).unlink()
    add(folder, fetched)
    return address


def environment_of(folder: Path) -> Path:
    """The programs of a new environment with pip."""
    venv.create(folder / "venv", with_pip=True)
    return folder / "venv" / ("Scripts" if os.name == "nt" else "bin")


def program(name: str) -> Path:
    """The folder of a program; the test is skipped where it is not installed."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed.")
    return Path(found).parent


def run(lines: Sequence[str], folder: Path, environment: Environment) -> str:
    """The output of lines of a shell, none of which may fail."""
    done = subprocess.run(
        ["sh", "-ec", "\n".join(lines)], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def opens_the_pages(line: str, folder: Path, environment: Environment) -> None:
    """Runs the line of a server, reads its first page, and stops it."""
    with subprocess.Popen(
        ["sh", "-c", f"exec {line}"], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        try:
            found = next(filter(None, map(SERVED.search, process.stdout)), None)
            assert found, line
            with urllib.request.urlopen(found[1]) as page:
                assert "<title>" in page.read().decode()
        finally:
            process.send_signal(signal.SIGINT)


PLAYED = "pentad play pentago --black random --white greedy --seed 1"


@pytest.mark.slow
def test_pip_installs_the_core_from_an_index_that_has_nothing_else(index, tmp_path):
    environment = surroundings(index[0], tmp_path, environment_of(tmp_path))
    assert "`pip install pentad`" in PAGE
    shown = run(["pip install --quiet pentad", "pentad --version", PLAYED], tmp_path, environment)
    assert shown.startswith("pentad ")
    assert "1. black " in shown


@pytest.mark.slow
def test_pip_installs_what_the_pages_need(whole_index, tmp_path):
    environment = surroundings(whole_index, tmp_path, environment_of(tmp_path))
    run([PIP, UPDATE], tmp_path, environment)
    opens_the_pages("pentad web", tmp_path, environment)
    assert "pentad" not in run(["pip uninstall --yes --quiet pentad", "pip list"], tmp_path, environment)


@pytest.mark.slow
def test_pip_installs_without_a_network(whole_index, tmp_path):
    programs = environment_of(tmp_path)
    run(OFFLINE[:1], tmp_path, surroundings(whole_index, tmp_path, programs))
    environment = surroundings("http://127.0.0.1:9/", tmp_path, programs)
    assert run([*OFFLINE[1:], "pentad --version"], tmp_path, environment)


@pytest.mark.slow
def test_pipx_installs_the_program(whole_index, tmp_path):
    environment = surroundings(whole_index, tmp_path, tmp_path / ".local" / "bin", program("pipx"))
    run([PIPX], tmp_path, environment)
    opens_the_pages("pentad web", tmp_path, environment)
    run(["pipx upgrade pentad", "pipx uninstall pentad"], tmp_path, environment)


@pytest.mark.slow
def test_uvx_runs_the_pages(whole_index, tmp_path):
    environment = surroundings(whole_index, tmp_path, program("uvx"))
    opens_the_pages(UVX, tmp_path, environment)
    opens_the_pages(UVX.replace("uvx", "uvx --refresh"), tmp_path, environment)
