"""The launcher in small checkouts: mostly with a fake pip, sometimes with a real one, offline."""

import ast
import errno
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

import pytest

# The launcher reads this table too. Here it must be the real one, not that of the small checkouts.
from pentad.terminal.command_line import COMMANDS
from tests.waiting import TIMEOUT, wait_until

LAUNCHER = Path(__file__).resolve().parents[1] / "pentad"
# The launcher runs under the system's Python, not under that of the environment these tests are in.
PYTHON = str(Path(sys.executable).resolve())

PYPROJECT = """\
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "pentad"
version = "1"
dependencies = []
optional-dependencies.dev = []
scripts.pentad = "pentad:main"

[tool.ruff]
line-length = 100
"""
# Builds what an editable installation needs and nothing else, so that no build tool must be downloaded.
BACKEND = """
import os, time, tomllib, zipfile

def build_editable(folder, config_settings=None, metadata_directory=None):
    while os.path.exists("slow"):
        time.sleep(0.05)
    with open("pyproject.toml", "rb") as file:
        needs = tomllib.load(file)["project"]["dependencies"]
    metadata = "".join(f"Requires-Dist: {need}\\n" for need in needs)
    files = {
        "METADATA": f"Metadata-Version: 2.1\\nName: pentad\\nVersion: 1\\nProvides-Extra: dev\\n{metadata}",
        "WHEEL": "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
        "entry_points.txt": "[console_scripts]\\npentad = pentad:main\\n",
    }
    files = {f"pentad-1.dist-info/{name}": text for name, text in files.items()} | {"pentad.pth": os.getcwd() + "/src"}
    with zipfile.ZipFile(f"{folder}/pentad-1-py3-none-any.whl", "w") as wheel:
        for name, text in files.items():
            wheel.writestr(name, text)
        wheel.writestr("pentad-1.dist-info/RECORD", "".join(f"{name},,\\n" for name in files))
    return "pentad-1-py3-none-any.whl"
"""
PROGRAM = """\
import sys, time

def main():
    print(*sys.argv[1:], flush=True)
    if sys.argv[1:] == ["sleep"]:
        time.sleep(60)
    return len(sys.argv) - 1
"""


def make_checkout(folder: Path) -> Path:
    (folder / "src/pentad").mkdir(parents=True)
    shutil.copy(LAUNCHER, folder / "pentad")
    for name, text in [("pyproject.toml", PYPROJECT), ("backend.py", BACKEND), ("src/pentad/__init__.py", PROGRAM)]:
        (folder / name).write_text(text)
    return folder


def load(checkout: Path) -> Any:
    loader = SourceFileLoader("pentad_launcher", str(checkout / "pentad"))
    spec = spec_from_loader(loader.name, loader)
    assert spec
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


PYTEST = f"pytest -n {(os.cpu_count() or 1) + 1} --dist worksteal"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    return make_checkout(tmp_path / "a checkout")


class FakePip:
    """A fake `watch`: records the commands and returns the code that `codes` has for one of their words."""

    def __init__(self, launcher: Any) -> None:
        self.launcher = launcher
        self.commands: list[list[str]] = []
        self.codes: dict[str, int] = {}
        self.log = "Installing collected packages: pentad\n"
        launcher.watch = self

    def __call__(self, command: list[str], line: object, lock: int) -> int:
        self.commands.append(command)
        code = next((code for word, code in self.codes.items() if word in command), 0)
        if "--editable" in command:
            Path(self.launcher.LOG).write_text(self.log)
            if not code:
                Path(self.launcher.PROGRAM).touch()
        return code

    def installs(self) -> list[str]:
        """The installations since the last call."""
        commands, self.commands = self.commands, []
        return [command[-1] for command in commands if "--editable" in command]


@pytest.fixture
def pip(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> FakePip:
    """A launcher whose commands are only recorded, on a machine without uv."""
    monkeypatch.setattr(shutil, "which", lambda name: None)
    return FakePip(load(checkout))


def change(checkout: Path, old: str, new: str) -> None:
    path = checkout / "pyproject.toml"
    path.write_text(path.read_text().replace(old, new))


def test_installs_once(pip: FakePip, capsys: pytest.CaptureFixture[str]) -> None:
    pip.launcher.ensure(set())
    assert pip.installs() == ["."]
    assert capsys.readouterr().err == "Installing pentad (first run only) …\n"
    pip.launcher.ensure(set())
    assert pip.installs() == []
    assert capsys.readouterr().err == ""


def test_extras_are_installed_when_needed_and_stay(pip: FakePip, checkout: Path) -> None:
    pip.launcher.ensure(set())
    pip.launcher.ensure({"dev"})
    assert pip.installs() == [".", ".[dev]"]
    pip.launcher.ensure(set())
    assert pip.installs() == []
    change(checkout, "dependencies = []", 'dependencies = ["rich"]')
    pip.launcher.ensure(set())
    assert pip.installs() == [".[dev]"]


def test_only_relevant_changes_in_pyproject_install_again(pip: FakePip, checkout: Path) -> None:
    pip.launcher.ensure(set())
    kept = checkout / ".venv/kept"
    kept.touch()
    change(checkout, "line-length = 100", "line-length = 99")
    assert not pip.launcher.is_current(set())
    pip.launcher.ensure(set())
    assert pip.launcher.is_current(set())
    assert pip.installs() == ["."]
    change(checkout, 'version = "1"', 'version = "2"')
    pip.launcher.ensure(set())
    assert pip.installs() == ["."]
    assert kept.exists(), "the environment need not be created anew"


def test_unreadable_pyproject_is_one_line(pip: FakePip, checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pip.launcher.ensure(pip.launcher.ALWAYS)
    capsys.readouterr()
    change(checkout, "[project]", "[project")
    assert pip.launcher.main(["play"]) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert "pyproject.toml: " in line
    assert "line 6" in line


def remove_python(checkout: Path) -> None:
    python = checkout / ".venv/bin/python"
    python.unlink()
    python.symlink_to("/nowhere/python3.11")


def interrupt(checkout: Path) -> None:
    (checkout / ".venv/pentad-stamp").write_text("unfinished")


def lose_config(checkout: Path) -> None:
    (checkout / ".venv/pyvenv.cfg").unlink()
    change(checkout, 'version = "1"', 'version = "2"')


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (interrupt, "the last attempt did not finish"),
        (remove_python, "its Python has changed"),
        (lose_config, "its Python has changed"),
    ],
)
def test_broken_environment_is_created_anew(
    pip: FakePip, checkout: Path, capsys: pytest.CaptureFixture[str], damage: Callable[[Path], None], reason: str
) -> None:
    pip.launcher.ensure({"dev"})
    (checkout / ".venv/lib/left over").mkdir()
    damage(checkout)
    capsys.readouterr()
    pip.launcher.ensure({"dev"})
    assert pip.installs() == [".[dev]", ".[dev]"]
    assert capsys.readouterr().err == f"Installing pentad ({reason}) …\n"
    assert not (checkout / ".venv/lib/left over").exists()
    assert pip.launcher.is_current({"dev"})


def test_missing_program_is_installed_again(pip: FakePip, checkout: Path) -> None:
    pip.launcher.ensure(set())
    (checkout / ".venv/bin/pentad").unlink()
    pip.launcher.ensure(set())
    assert pip.installs() == [".", "."]


def test_moved_checkout(pip: FakePip, checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pip.launcher.ensure(set())
    moved = FakePip(load(checkout.rename(checkout.with_name("moved"))))
    capsys.readouterr()
    moved.launcher.ensure(set())
    assert moved.installs() == ["."]
    assert capsys.readouterr().err == "Installing pentad (this checkout has moved) …\n"


def test_environment_made_by_the_user_is_kept(pip: FakePip, checkout: Path) -> None:
    subprocess.run([PYTHON, "-m", "venv", "--without-pip", checkout / ".venv"], check=True)
    (checkout / ".venv/kept").touch()
    pip.launcher.ensure(set())
    assert pip.installs() == ["."]
    assert (checkout / ".venv/kept").exists()


@pytest.mark.parametrize(
    ("missing", "found"),
    [
        ([], ".venv/bin/python -m pip"),
        (["--version"], ".venv/bin/python -m pip"),  # ensurepip has brought it
        (["ensurepip"], ".venv/bin/python -m pip"),
    ],
)
def test_pip_is_found(pip: FakePip, checkout: Path, missing: list[str], found: str) -> None:
    pip.codes = dict.fromkeys(missing, 1)
    assert f"{found} install " in " ".join(pip.launcher.find_installer(None, 0))


def test_without_ensurepip_the_systems_pip_is_used(pip: FakePip, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pip.launcher, "watch", lambda command, line, lock: "--python" not in command)
    command = pip.launcher.find_installer(None, 0)
    assert command[1:6] == ["-m", "pip", "--python", pip.launcher.PYTHON, "install"]
    assert not command[0].startswith(pip.launcher.VENV)


def test_without_any_pip(pip: FakePip, capsys: pytest.CaptureFixture[str]) -> None:
    pip.codes = {"-m": 1}
    assert pip.launcher.main(["play"]) == 1
    [_, line] = capsys.readouterr().err.splitlines()
    assert "run `apt install python3-venv` (7 MB)" in line
    assert "python3-pip" not in line
    readme = LAUNCHER.with_name("README.md").read_text(encoding="utf-8")
    assert "apt install python3-venv" in "\n".join(readme.splitlines()[:24]), "the start of the readme says so"


@pytest.mark.parametrize("works", [True, False])
def test_uv_is_used_where_it_works(pip: FakePip, monkeypatch: pytest.MonkeyPatch, works: bool) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")
    pip.codes = {"-m": 1} if works else {"/bin/uv": 1}
    pip.log = "Resolved 30 packages in 9ms\n"
    pip.launcher.ensure({"dev"})
    [command] = [command for command in pip.commands if "--editable" in command]
    if works:
        assert command[:5] == ["/bin/uv", "pip", "install", "--python", pip.launcher.PYTHON]
    else:
        assert command[:4] == [pip.launcher.PYTHON, "-m", "pip", "install"]
    assert command[-2:] == ["--editable", ".[dev]"]
    assert pip.launcher.is_current({"dev"})


@pytest.mark.parametrize(
    ("log", "meaning"),
    [
        ("WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError(…)'", "No network"),
        ("E: Could not resolve 'deb.example'", "No network"),
        ("ERROR: Could not install packages: [Errno 28] No space left on device", "The disk is full."),
        ("ERROR: [Errno 30] Read-only file system: 'x'", "A folder cannot be written."),
        (
            "Collecting rich\nERROR: No matching distribution found for rich\n",
            "No matching distribution found for rich",
        ),
        ("error: Failed to fetch: `https://x/`\n  Caused by: dns error: Name or service not known\n", "No network"),
        ("  × Failed to download `rich==1`\n  ╰─▶ invalid peer certificate: UnknownIssuer\n", "a certificate"),
        ("  × No solution found when resolving dependencies:\n  ╰─▶ Because …\n", "are incompatible."),
        ("", "failed without a message"),
    ],
)
def test_failure_of_pip_is_one_line(
    pip: FakePip, checkout: Path, capsys: pytest.CaptureFixture[str], log: str, meaning: str
) -> None:
    pip.codes, pip.log = {"install": 1}, log
    assert pip.launcher.main(["play"]) == 1
    [_, line] = capsys.readouterr().err.splitlines()
    assert line.startswith("pentad: ")
    assert meaning in line
    assert str(checkout / ".venv/pentad-install.log") in line


@pytest.mark.parametrize(
    ("log", "untouched"),
    [
        ("Collecting rich\n", True),
        ("Installing collected packages: rich, pentad\n", False),
        ("  × No solution found when resolving dependencies:\n", True),
        ("Resolved 30 packages in 9ms\n", False),
    ],
)
def test_failed_update_keeps_the_installation(pip: FakePip, checkout: Path, log: str, untouched: bool) -> None:
    pip.launcher.ensure(set())
    change(checkout, 'version = "1"', 'version = "2"')
    pip.codes, pip.log = {"install": 1}, log
    assert pip.launcher.main(["play"]) == 1
    change(checkout, 'version = "2"', 'version = "1"')
    assert pip.launcher.is_current(set()) == untouched
    anew, _ = pip.launcher.diagnose(pip.launcher.Stamp(Path(pip.launcher.STAMP).read_text()), set())
    assert anew != untouched


def test_progress(pip: FakePip) -> None:
    log = Path(pip.launcher.LOG)
    log.parent.mkdir()
    for text, shown in [
        ("", ""),
        ("Collecting rich\n", "1 package"),
        ("Collecting rich\nCollecting idna\n", "2 packages"),
        ("Collecting rich\nInstalling collected packages: a, b, c\n", "3 packages"),
        ("Resolved 30 packages in 9ms\nDownloading numpy (16MiB)\n", "30 packages"),
        ("WARNING: Retrying (Retry(total=4)) after …\n", "no answer from the network, retrying"),
    ]:
        log.write_text(text)
        assert pip.launcher.progress() == shown


@pytest.mark.parametrize(
    ("number", "meaning"),
    [
        (errno.EACCES, "pentad-lock: Permission denied. Copy this checkout to a folder of your own."),
        (errno.EROFS, "pentad-lock: Read-only file system. Copy this checkout to a folder of your own."),
        (errno.ENOSPC, "pentad: The disk is full."),
    ],
)
def test_unwritable_folder(
    pip: FakePip, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], number: int, meaning: str
) -> None:
    def refuse(path: str, *args: object) -> int:
        raise OSError(number, os.strerror(number), path)

    monkeypatch.setattr(os, "open", refuse)
    assert pip.launcher.main(["play"]) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert line.endswith(meaning)


def test_interrupt(pip: FakePip, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def press(command: list[str], line: object, lock: int) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(pip.launcher, "watch", press)
    assert pip.launcher.main(["play"]) == 130
    assert capsys.readouterr().err.endswith("pentad: Stopped. The next start will finish the installation.\n")
    pip.launcher.watch = pip
    pip.launcher.ensure(set())
    assert pip.installs() == ["."]


def test_launcher_waits_for_the_lock(pip: FakePip, checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lock = pip.launcher.take_lock()
    take = "import runpy, sys; runpy.run_path(sys.argv[1])['take_lock'](); print('taken')"
    with subprocess.Popen(
        [PYTHON, "-c", take, checkout / "pentad"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as waiting:
        assert waiting.stderr
        assert waiting.stderr.readline() == "Another ./pentad is installing here; waiting for it …\n"
        os.close(lock)
        assert waiting.communicate(timeout=TIMEOUT) == ("taken\n", "")


def test_old_python_can_parse_it() -> None:
    ast.parse(LAUNCHER.read_text(encoding="utf-8"), feature_version=(3, 7))


def test_old_python_is_reported(checkout: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 8, 10))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match=r"^pentad: Python 3\.11 or newer is required, but python3 is 3\.8\.10 "):
        load(checkout)


def test_old_python_runs_a_newer_one(checkout: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def replaced(program: str, args: list[str]) -> None:
        raise SystemExit(f"{program} {args[2:]}")

    for name, code in [("python3.11", 127), ("python3.12", 0)]:
        (tmp_path / name).write_text(f"#!/bin/sh\nexit {code}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setattr(sys, "version_info", (3, 8, 10))
    monkeypatch.setattr(sys, "argv", ["./pentad", "play", "two words"])
    monkeypatch.setattr(os, "execv", replaced)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/usr/bin{os.pathsep}/bin")
    with pytest.raises(SystemExit) as end:
        load(checkout)
    assert end.value.code == f"{tmp_path}/python3.12 ['play', 'two words']"


# `./pentad test`, with stand-ins for the tools


class Tools:
    """Tools in `.venv/bin` that record how they were called and exit with the code that `fail` gave them."""

    def __init__(self, checkout: Path) -> None:
        self.launcher = load(checkout)
        self.bin = checkout / ".venv/bin"
        self.calls = checkout / "calls"
        self.bin.mkdir(parents=True)
        for name in ("ruff", "mypy", "lint-imports", "pytest", "node"):
            self.fail(name, 0)

    def fail(self, name: str, code: int) -> None:
        (self.bin / name).write_text(f"#!/bin/sh\necho {name} $* >>'{self.calls}'\nexit {code}\n")
        (self.bin / name).chmod(0o755)

    def run(self, *args: str) -> tuple[int, list[str]]:
        """The exit code, and the calls: the static checks, which run at once, by name, then pytest."""
        self.calls.write_text("")
        here = Path.cwd()
        try:
            code = self.launcher.run_tests(list(args))
            *static, last = self.calls.read_text().splitlines()
            return code, [*sorted(static), last]
        finally:
            os.chdir(here)


@pytest.fixture
def tools(checkout: Path) -> Tools:
    return Tools(checkout)


STATIC = ["mypy", "ruff check", "ruff format --check"]


def test_all_checks_run(tools: Tools, checkout: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert tools.run() == (0, [*STATIC, f"{PYTEST} -m not slow"])
    assert tools.run("--slow") == (0, [*STATIC, f"{PYTEST}"])
    assert capfd.readouterr().out.endswith("== all passed\n")
    change(checkout, "[tool.ruff]", '[tool.importlinter]\nroot_package = "pentad"\n[tool.ruff]')
    assert tools.run()[1][0] == "lint-imports"


def test_a_failed_check_does_not_stop_the_others(tools: Tools, capfd: pytest.CaptureFixture[str]) -> None:
    tools.fail("ruff", 1)
    tools.fail("pytest", 1)
    assert tools.run() == (1, [*STATIC, f"{PYTEST} -m not slow"])
    assert capfd.readouterr().out.endswith("== failed: ruff check, ruff format, pytest\n")


def test_only_failed_checks_show_their_output(tools: Tools, capfd: pytest.CaptureFixture[str]) -> None:
    (tools.bin / "mypy").write_text("#!/bin/sh\necho an error\nexit 1\n")
    (tools.bin / "ruff").write_text("#!/bin/sh\necho all is well\n")
    tools.run()
    out = re.sub(r"\d+\.\d s", "0.1 s", capfd.readouterr().out)
    assert "mypy: failed (0.1 s)\nan error\n" in out
    assert "ruff check: passed (0.1 s)\n" in out
    assert "all is well" not in out


def test_long_checks_are_named_while_they_run(
    tools: Tools, checkout: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tools.launcher, "STILL_RUNNING", 0.0)
    (tools.bin / "mypy").write_text(f"#!/bin/sh\nwhile [ ! -e '{checkout}/go' ]; do sleep 0.05; done\n")
    pressed = threading.Timer(0.3, (checkout / "go").touch)
    pressed.start()
    assert tools.run()[0] == 0
    assert " s, running: mypy\n" in capfd.readouterr().out


def test_with_arguments_only_pytest_runs(tools: Tools) -> None:
    assert tools.run("tests/x.py", "-k", "name") == (
        0,
        [f"{PYTEST} -m not slow tests/x.py -k name"],
    )
    assert tools.run("--slow", "-x") == (0, [f"{PYTEST} -x"])
    assert tools.run("--slow", "--resume") == (0, [f"{PYTEST} --resume"])


@pytest.mark.parametrize("least", [0, 1 << 80])
def test_tests_keep_their_files_in_memory_if_there_is_room(
    tools: Tools, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, least: int
) -> None:
    memory = tmp_path / "memory"
    memory.mkdir()
    monkeypatch.setattr(tools.launcher, "MEMORY", str(memory))
    monkeypatch.setattr(tools.launcher, "LEAST_MEMORY", least)
    monkeypatch.delenv("TMPDIR", raising=False)
    (tools.bin / "pytest").write_text(f"#!/bin/sh\necho ${{TMPDIR-disk}} >>'{tools.calls}'\nls -d $TMPDIR\n")
    code, (*_, folder) = tools.run()
    assert code == 0
    assert folder == "disk" if least else Path(folder).parent == memory
    assert not list(memory.iterdir())
    assert "TMPDIR" not in os.environ


def test_sigterm_stops_the_tests_and_then_the_launcher(
    tools: Tools, checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tools.launcher, "MEMORY", str(tmp_path))
    monkeypatch.setattr(tools.launcher, "LEAST_MEMORY", 0)
    monkeypatch.delenv("TMPDIR", raising=False)
    started = checkout / "started"
    script = f"#!/bin/sh\ntrap 'echo the table; exit 2' TERM\ntouch '{started}'\nwhile :; do sleep 0.05; done\n"
    (tools.bin / "pytest").write_text(script)

    def stop() -> None:
        wait_until(started.exists, "the start of pytest")
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=stop).start()
    with pytest.raises(KeyboardInterrupt):
        tools.run()
    assert capfd.readouterr().out.endswith("the table\n")
    assert not list(tmp_path.glob("pentad-tests-*"))


def test_no_tests_is_a_failure(tools: Tools, capfd: pytest.CaptureFixture[str]) -> None:
    tools.fail("pytest", 5)
    assert tools.run("-k", "nothing")[0] == 1
    assert "No tests ran. Tests marked slow need --slow." in capfd.readouterr().out


def test_help_installs_nothing(pip: FakePip, capsys: pytest.CaptureFixture[str]) -> None:
    assert pip.launcher.main(["test", "--help"]) == 0
    assert capsys.readouterr().out.startswith("usage: ./pentad test [--slow [--resume]] [pytest arguments]")
    assert pip.installs() == []


@pytest.mark.parametrize(
    ("args", "output"),
    [
        (["tset"], "pentad: Unknown command 'tset'. Did you mean test?\n"),
        (["help", "tset"], "pentad: Unknown command 'tset'. Did you mean test?\n"),
        (["wbe", "--lan"], "pentad: Unknown command 'wbe'. Did you mean web?\n"),
        (["--hlep"], "pentad: Unknown option '--hlep'. "),
    ],
)
def test_misspelt_commands_install_nothing(
    pip: FakePip, checkout: Path, capsys: pytest.CaptureFixture[str], args: list[str], output: str
) -> None:
    assert pip.launcher.main(args) == 2
    assert capsys.readouterr().err.startswith(output)
    assert not (checkout / ".venv").exists()


@pytest.mark.parametrize(
    ("args", "output"),
    [([], "usage: pentad COMMAND"), (["--help"], "usage: pentad COMMAND"), (["--version"], "pentad ")],
)
def test_the_list_of_commands_installs_nothing(
    pip: FakePip, checkout: Path, capsys: pytest.CaptureFixture[str], args: list[str], output: str
) -> None:
    assert pip.launcher.main(args) == 0
    assert capsys.readouterr().out.startswith(output)
    assert not (checkout / ".venv").exists()


def test_the_table_of_commands_comes_from_the_source(tmp_path: Path) -> None:
    """Without any packages: with `-I -S` the launcher has only the standard library."""
    clone = tmp_path / "clone"
    shutil.copytree(LAUNCHER.parent / "src", clone / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(LAUNCHER, clone)
    done = subprocess.run([PYTHON, "-I", "-S", clone / "pentad", "sovle"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "pentad: Unknown command 'sovle'. Did you mean solve?\n"
    assert not (clone / ".venv").exists()


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("words", ["{}", "{} --help", "help {}"])
def test_every_command_is_installed(pip: FakePip, monkeypatch: pytest.MonkeyPatch, name: str, words: str) -> None:
    args = words.format(name).split()
    monkeypatch.setattr(pip.launcher, "hand_over", lambda args: 3)
    assert pip.launcher.main(args) == 3
    extras = {"data": ",data", "site": ",site"}.get(name, "") if args[0] == name else ""
    assert pip.installs() == [f".[compile{extras}]"]


@pytest.mark.parametrize("args", [["wheels", "a folder"], ["release", "a folder"]])
def test_the_files_of_a_release_are_made_by_the_checkout(
    pip: FakePip, checkout: Path, monkeypatch: pytest.MonkeyPatch, args: list[str]
) -> None:
    commands: list[list[str]] = []
    monkeypatch.setattr(pip.launcher, "run", lambda command: commands.append(command) or 3)
    monkeypatch.setenv("PYTHONPATH", "")
    assert pip.launcher.main(args) == 3
    assert pip.installs() == [".[compile,release]"]
    assert commands == [[pip.launcher.PYTHON, "-P", "-m", "release", *args]]
    assert os.environ["PYTHONPATH"] == str(checkout)


# What the tests need beside Python


NODE = "node 18.18 or newer"


class Machine:
    """A Debian with or without the programs; apt-get is recorded, and installs them or fails."""

    def __init__(self, tools: Tools, monkeypatch: pytest.MonkeyPatch) -> None:
        self.tools, self.launcher, self.code = tools, tools.launcher, 0
        self.there: set[str] = {NODE}
        self.apt: list[list[str]] = []
        monkeypatch.setattr(
            self.launcher,
            "PROGRAMS",
            tuple(
                (tests, name, packages, lambda name=name: name in self.there)
                for tests, name, packages, _ in self.launcher.PROGRAMS
            ),
        )
        monkeypatch.setattr(self.launcher, "watch", self.watch)
        monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")
        monkeypatch.setattr(os, "geteuid", lambda: 0)
        monkeypatch.setenv("CI", "")

    def watch(self, command: list[str], line: object, lock: int) -> int:
        self.apt.append(command)
        if command[1] == "install" and not self.code:
            self.there = {"chromium", "PostgreSQL", NODE}
        return self.code


@pytest.fixture
def machine(tools: Tools, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    change(checkout, "[tool.ruff]", '[tool.pytest.ini_options]\nmarkers = ["browser: needs chromium"]\n[tool.ruff]')
    return Machine(tools, monkeypatch)


BROWSER_PACKAGES = "chromium-headless-shell libatomic1 fonts-dejavu-core"
BROWSER_SKIPPED = f"Skipped: browser tests (chromium is not installed; apt install {BROWSER_PACKAGES})"
DATABASE_SKIPPED = "Skipped: PostgreSQL tests (PostgreSQL is not installed; apt install postgresql)"


def test_root_sees_the_installed_packages(machine: Machine, capfd: pytest.CaptureFixture[str]) -> None:
    machine.there = {"PostgreSQL", NODE}
    assert machine.tools.run()[0] == 0
    out, err = capfd.readouterr()
    assert err == "Installing for the tests with apt-get: chromium-headless-shell, libatomic1, fonts-dejavu-core …\n"
    assert [command[1] for command in machine.apt] == ["update", "install"]
    assert machine.apt[1][-3:] == ["chromium-headless-shell", "libatomic1", "fonts-dejavu-core"]
    assert out.endswith("== all passed\n")
    assert machine.tools.run()[0] == 0
    assert len(machine.apt) == 2, "nothing is missing now"


@pytest.mark.parametrize("root", [True, False])
def test_skipped_tests_are_the_last_lines(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], root: bool
) -> None:
    machine.code = 100
    monkeypatch.setattr(os, "geteuid", lambda: 0 if root else 1000)
    assert machine.tools.run()[0] == 0
    out, _ = capfd.readouterr()
    assert out.splitlines()[-3:] == ["== all passed", BROWSER_SKIPPED, DATABASE_SKIPPED]
    assert bool(machine.apt) == root


def test_slow_tests_need_firefox_too(machine: Machine, capfd: pytest.CaptureFixture[str]) -> None:
    machine.there = {"chromium", "PostgreSQL", NODE}
    assert machine.tools.run()[0] == 0
    assert machine.apt == []
    assert machine.tools.run("--slow")[0] == 0
    assert machine.apt[-1] == ["apt-get", "install", "-y", "--no-install-recommends", "firefox-esr"]
    skipped = "Skipped: tests in Firefox (Firefox is not installed; apt install firefox-esr)"
    assert capfd.readouterr().out.splitlines()[-2:] == ["== all passed", skipped]


def test_ci_fails_without_chromium(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    machine.code = 100
    monkeypatch.setenv("CI", "true")
    assert machine.tools.run()[0] == 1
    failed = f"== failed: CI must run the {BROWSER_SKIPPED.removeprefix('Skipped: ')}"
    assert capfd.readouterr().out.splitlines()[-3:] == [failed, BROWSER_SKIPPED, DATABASE_SKIPPED]
    machine.there = {"chromium", NODE}
    assert machine.tools.run()[0] == 0


SCRIPTS_SKIPPED = f"Skipped: checks of the scripts ({NODE} is not installed; apt install nodejs npm)"


def test_without_node_the_scripts_are_not_checked(machine: Machine, capfd: pytest.CaptureFixture[str]) -> None:
    machine.there = {"chromium", "PostgreSQL"}
    assert machine.tools.run()[0] == 0
    assert capfd.readouterr().out.splitlines()[-2:] == ["== all passed", SCRIPTS_SKIPPED]
    assert machine.apt == [], "only CI installs node"


def test_ci_installs_node_or_fails(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CI", "true")
    machine.there, machine.code = {"chromium", "PostgreSQL"}, 100
    assert machine.tools.run()[0] == 1
    failed = f"== failed: CI must run the {SCRIPTS_SKIPPED.removeprefix('Skipped: ')}"
    assert capfd.readouterr().out.splitlines()[-2:] == [failed, SCRIPTS_SKIPPED]
    machine.code = 0
    assert machine.tools.run()[0] == 0
    assert machine.apt[-1][-2:] == ["nodejs", "npm"]


@pytest.fixture
def scripts(machine: Machine, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A checkout with scripts on a machine with node; npm is recorded."""
    (checkout / "package-lock.json").write_text("{}")
    (checkout / "node_modules").mkdir()
    (checkout / "tests/js").mkdir(parents=True)
    (checkout / "tests/js/one.test.js").touch()
    machine.there = {"chromium", "PostgreSQL", NODE}
    monkeypatch.setattr(shutil, "which", lambda name: str(machine.tools.bin / name))
    monkeypatch.setattr(machine.launcher, "has_node", lambda: True)
    return machine


def test_the_packages_come_from_any_registry() -> None:
    """A lock with addresses would bind everybody to one machine's registry."""
    lock = json.loads(LAUNCHER.with_name("package-lock.json").read_text(encoding="utf-8"))
    packages = [package for path, package in lock["packages"].items() if path]
    assert len(packages) > 50
    assert all("resolved" not in package and package["integrity"] for package in packages)


def test_scripts_are_checked_by_node(scripts: Machine, checkout: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, calls = scripts.tools.run()
    assert code == 0
    assert [" ".join(command[1:]) for command in scripts.apt] == ["ci --no-audit --no-fund --no-update-notifier"]
    assert capfd.readouterr().err == "Installing the checks of the scripts with npm …\n"
    modules, options = checkout / "node_modules", " ".join(scripts.launcher.ESLINT_OPTIONS)
    assert [call for call in calls if call.startswith("node")] == [
        "node --test tests/js/one.test.js",
        f"node {modules}/eslint/bin/eslint.js {options} src docs tests examples eslint.config.js",
        f"node {modules}/typescript/bin/tsc",
        f"node {modules}/typescript/bin/tsc --project tsconfig.worker.json",
    ]
    scripts.tools.fail("node", 1)
    assert scripts.tools.run()[0] == 1
    assert "== failed: tsc, tsc worker.js, eslint, node --test\n" in capfd.readouterr().out
    assert len(scripts.apt) == 1, "the packages are there"
    (checkout / "package-lock.json").write_text('{"lockfileVersion": 3}')
    scripts.tools.run()
    assert len(scripts.apt) == 2


@pytest.mark.parametrize("ci", ["", "true"])
def test_packages_that_npm_cannot_install(
    scripts: Machine, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], ci: str
) -> None:
    monkeypatch.setenv("CI", ci)
    scripts.code = 1
    code, calls = scripts.tools.run()
    assert (code, calls[:-1]) == (int(bool(ci)), STATIC)
    assert capfd.readouterr().out.splitlines()[-1].startswith("Skipped: checks of the scripts (npm failed: ")


def test_an_old_node_is_none(tools: Tools, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (checkout / "package-lock.json").write_text("{}")
    monkeypatch.setattr(shutil, "which", lambda name: str(tools.bin / name))
    for version, is_new in [("12.22.9", False), ("18.13.0", False), ("18.20.4", True), ("20.19.2", True)]:
        (tools.bin / "node").write_text(f"#!/bin/sh\necho {version}\n")
        assert tools.launcher.has_node() == is_new


# For real


ENVIRONMENT = {"PATH": "/usr/bin:/bin", "PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1"}


def start(launcher: Path, *args: str, cwd: Path = Path("/"), **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [PYTHON, launcher, *args],
        cwd=cwd,
        env={**ENVIRONMENT, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


@pytest.mark.slow
def test_for_real(checkout: Path, tmp_path: Path) -> None:
    """Two at once through a link from another folder; then arguments, exit codes, signals and quiet starts."""
    link = tmp_path / "link"
    link.symlink_to(checkout / "pentad")
    both = [start(link, name, cwd=tmp_path) for name in ("first", "second")]
    answers = sorted(process.communicate(timeout=TIMEOUT)[::-1] for process in both)
    assert [process.returncode for process in both] == [1, 1]
    assert {out for _, out in answers} == {"first\n", "second\n"}
    assert [err for err, _ in answers] == [
        "Another ./pentad is installing here; waiting for it …\n",
        "Installing pentad (first run only) …\n",
    ]
    third = start(checkout / "pentad", "two words", "", "*")
    assert third.communicate(timeout=TIMEOUT) == ("two words  *\n", "")
    assert third.returncode == 3
    fourth = start(checkout / "pentad", "sleep")
    assert fourth.stdout
    fourth.stdout.readline()
    fourth.terminate()
    fourth.communicate(timeout=TIMEOUT)
    assert fourth.returncode == -signal.SIGTERM


def without_ensurepip(launcher: Any) -> None:
    watch = launcher.watch
    launcher.watch = lambda command, line, lock: "ensurepip" in command or watch(command, line, lock)


@pytest.mark.slow
def test_for_real_without_ensurepip(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if subprocess.run([PYTHON, "-m", "pip", "--version"], capture_output=True).returncode:
        pytest.skip("this Python has no pip of its own")
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    launcher = load(checkout)
    without_ensurepip(launcher)
    launcher.ensure(launcher.ALWAYS)
    assert launcher.is_current(set())
    assert not list(checkout.glob(".venv/lib/python*/site-packages/pip"))
    output = subprocess.run([checkout / ".venv/bin/pentad", "hello"], capture_output=True, env=ENVIRONMENT).stdout
    assert output == b"hello\n"
    # The next one wants a package from an index where nobody answers.
    change(checkout, "dependencies = []", 'dependencies = ["a-name-that-nobody-asks-for"]')
    for name, value in [("PIP_NO_INDEX", "0"), ("PIP_INDEX_URL", "http://127.0.0.1:9/"), ("PIP_RETRIES", "1")]:
        monkeypatch.setenv(name, value)
    capsys.readouterr()
    assert launcher.main(["play"]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "Installing pentad (pyproject.toml has changed) …",
        f"pentad: No network: the packages cannot be downloaded. The full log is in {launcher.LOG}",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_for_real_stopped_in_the_middle(checkout: Path, number: signal.Signals) -> None:
    (checkout / "slow").touch()
    process = start(checkout / "pentad", "hello")
    log = checkout / ".venv/pentad-install.log"
    wait_until(lambda: log.exists() and "editable" in log.read_text(), "the installation")
    process.send_signal(number)
    process.wait(timeout=TIMEOUT)
    assert process.returncode == (130 if number == signal.SIGINT else -number)
    (checkout / "slow").unlink()
    _, error = process.communicate(timeout=TIMEOUT)
    assert "Traceback" not in error
    again = start(checkout / "pentad", "hello")
    output, error = again.communicate(timeout=TIMEOUT)
    assert output == "hello\n"
    assert error.endswith("Installing pentad (the last attempt did not finish) …\n")
