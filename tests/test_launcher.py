"""The launcher in small checkouts: mostly with a fake `uv`, sometimes with a real pip, offline."""

from __future__ import annotations

import ast
import os
import pty
import shutil
import signal
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pentad.terminal.command_table import COMMANDS, OF_A_CHECKOUT
from tests.cases import together
from tests.waiting import TIMEOUT, wait_until

ROOT = Path(__file__).resolve().parents[1]
LAUNCHER = ROOT / "pentad"
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

[tool.ruff]
line-length = 100
"""
# Builds what an editable installation needs and nothing else, so that no build tool must be downloaded.
BACKEND = """
import os, zipfile

def build_editable(folder, config_settings=None, metadata_directory=None):
    with zipfile.ZipFile(f"{folder}/pentad-1-py3-none-any.whl", "w") as wheel:
        wheel.writestr("pentad.pth", os.getcwd() + "/src")
        wheel.writestr("pentad-1.dist-info/METADATA", "Metadata-Version: 2.1\\nName: pentad\\nVersion: 1\\n")
        wheel.writestr("pentad-1.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr("pentad-1.dist-info/RECORD", "")
    return "pentad-1-py3-none-any.whl"
"""
PROGRAM = """\
import sys, time
print(*sys.argv[1:], flush=True)
if sys.argv[1:] == ["sleep"]:
    time.sleep(600)
sys.exit(len(sys.argv) - 1)
"""
NO_PACKAGES = "def runs_a_command(args): return args != []\ndef main(args): print('usage')\n"
RELEASE = "import os, sys\nprint('release', *sys.argv[1:], os.environ['PYTHONPATH'])\n"
UV = """\
#!/bin/sh
[ "$1" = --version ] && exit
tools=$(dirname "$0")
for extras; do :; done
echo "$extras" >>"$tools/installs"
cat "$tools/log"
while [ -e "$tools/wait" ]; do sleep 0.05; done
for packages in .venv/lib/python*/site-packages; do echo "$PWD/src" >"$packages/pentad.pth"; done
exit "$(cat "$tools/code")"
"""
FIRST = "Installing pentad (first run only) …\n"
STOPPED = "pentad: Stopped. The next start will finish the installation.\n"


class Checkout:
    """A small checkout, and beside it a folder of programs with `uv`."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.tools, self.venv = folder / "a checkout", folder / "tools", folder / "a checkout/.venv"
        for path, text in {
            self.folder / "pyproject.toml": PYPROJECT,
            self.folder / "backend.py": BACKEND,
            self.folder / "src/pentad/__init__.py": "",
            self.folder / "src/pentad/__main__.py": PROGRAM,
            self.folder / "src/pentad/terminal/__init__.py": "",
            self.folder / "src/pentad/terminal/command_line.py": NO_PACKAGES,
            self.folder / "release/__main__.py": f"{NO_PACKAGES}if __name__ == '__main__':\n    exec({RELEASE!r})",
            self.tools / "uv": UV,
            self.tools / "log": "Resolved 30 packages in 9ms\n",
            self.tools / "code": "0",
        }.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        (self.tools / "uv").chmod(0o755)
        shutil.copy(LAUNCHER, self.folder)

    def start(self, *args: str, **options: Any) -> subprocess.Popen[str]:
        environment = {"PATH": f"{self.tools}:/usr/bin:/bin", "PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1"}
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": environment} | options
        return subprocess.Popen([PYTHON, self.folder / "pentad", *args], text=True, encoding="utf-8", **options)

    def run(self, *args: str) -> tuple[int, str, str]:
        """Exit code, output and errors."""
        process = self.start(*args, cwd="/")
        out, err = process.communicate(timeout=TIMEOUT)
        return process.returncode, out, err

    def installs(self) -> list[str]:
        """The installations since the last call."""
        file = self.tools / "installs"
        lines = file.read_text().splitlines() if file.exists() else []
        file.write_text("")
        return lines

    def wait_for_uv(self) -> None:
        wait_until(lambda: (self.tools / "installs").exists() and self.installs(), "the installation")

    def change(self, old: str, new: str) -> None:
        path = self.folder / "pyproject.toml"
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def load() -> Any:
    module = ModuleType("launcher")
    module.__file__ = str(LAUNCHER)
    exec(compile(LAUNCHER.read_text(encoding="utf-8"), LAUNCHER, "exec"), module.__dict__)
    return module


def test_the_first_start_installs_and_the_next_ones_are_quiet(checkout: Checkout) -> None:
    assert checkout.run("two words", "", "*") == (3, "two words  *\n", FIRST)
    assert checkout.run("play") == (1, "play\n", "")
    assert checkout.installs() == [".[compile,terminal]"]


def test_extras_are_installed_when_needed_and_stay(checkout: Checkout) -> None:
    checkout.run("play")
    assert checkout.run("data") == (1, "data\n", "Installing pentad (for this command: data) …\n")
    assert checkout.run("play") == (1, "play\n", "")
    assert checkout.installs() == [".[compile,terminal]", ".[compile,data,terminal]"]


def test_commands_of_a_checkout_are_those_of_the_folder_release(checkout: Checkout) -> None:
    assert checkout.run("wheels", "a folder") == (0, f"release wheels a folder {checkout.folder}\n", FIRST)
    assert checkout.installs() == [".[compile,release,terminal]"]


def test_what_pyproject_installs_is_updated(checkout: Checkout) -> None:
    checkout.run("play")
    (checkout.venv / "kept").touch()
    checkout.change("line-length = 100", "line-length = 99")
    assert checkout.run("play") == (1, "play\n", "")
    checkout.change('version = "1"', 'version = "2"')
    assert checkout.run("play")[2] == "Installing pentad (pyproject.toml has changed) …\n"
    assert checkout.installs() == [".[compile,terminal]", ".[compile,terminal]"]
    assert (checkout.venv / "kept").exists(), "the environment need not be created anew"


def test_the_settings_of_tools_are_the_last_part_of_pyproject() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    installed, everything = tomllib.loads(text.partition(load().SETTINGS)[0]), tomllib.loads(text)
    assert {*installed["tool"]} == {"hatch"}
    assert installed | {"tool": everything["tool"]} == everything
    assert installed["tool"]["hatch"] == everything["tool"]["hatch"]


def test_the_extras_are_those_of_pyproject() -> None:
    launcher = load()
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert {*" ".join(launcher.EXTRAS.values()).split()} <= {*extras}
    assert {*launcher.EXTRAS} <= {"", *COMMANDS, *OF_A_CHECKOUT}
    assert {*launcher.OF_A_CHECKOUT} == {*OF_A_CHECKOUT}


DAMAGE = {
    "its Python is gone": "rm .venv/bin/python; ln -s /nowhere/python3.11 .venv/bin/python",
    "it would run as the system's Python": "rm .venv/pyvenv.cfg; sed -i s/compile/other/ .venv/pentad-stamp",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_broken_environment_is_created_anew(checkout: Checkout, damage: str) -> None:
    checkout.run("data")
    subprocess.run(f"mkdir .venv/left; {DAMAGE[damage]}", shell=True, check=True, cwd=checkout.folder)
    assert checkout.run("play") == (1, "play\n", "Installing pentad (its Python has changed) …\n")
    assert not (checkout.venv / "left").exists()


def test_a_moved_checkout(checkout: Checkout) -> None:
    checkout.run("play")
    checkout.folder = checkout.folder.rename(checkout.folder.with_name("moved"))
    assert checkout.run("play") == (1, "play\n", "Installing pentad (this checkout has moved) …\n")


def test_an_environment_made_by_the_user_is_kept(checkout: Checkout) -> None:
    subprocess.run([PYTHON, "-m", "venv", "--without-pip", checkout.venv], check=True)
    (checkout.venv / "kept").touch()
    (checkout.tools / "code").write_text("1")
    (checkout.tools / "log").write_text("error: connection refused\n")
    assert checkout.run("play")[0] == 1
    (checkout.tools / "code").write_text("0")
    assert checkout.run("play") == (1, "play\n", FIRST)
    assert (checkout.venv / "kept").exists()


OWN, BUNDLED = ".venv/bin/python -m pip", ".venv/bin/python -m ensurepip"
SYSTEM = f"{PYTHON} -m pip --python"


@together(
    ("works", "found"),
    [
        (["uv", OWN], "uv pip install --python "),
        ([OWN, BUNDLED, SYSTEM], f"{OWN} install "),
        ([BUNDLED, SYSTEM], f"{OWN} install "),
        ([SYSTEM], SYSTEM),
    ],
)
def test_uv_or_any_pip_is_enough(works: list[str], found: str) -> None:
    launcher = load()
    launcher.watch = lambda command, line: not any(each in " ".join(command) for each in works)
    assert found in " ".join([*launcher.find_installer(None), ""])


def test_without_any_pip_the_package_to_install_is_named() -> None:
    launcher = load()
    launcher.watch = lambda command, line: 1
    with pytest.raises(SystemExit, match=r"^pentad: Neither .* `apt install python3-venv`"):
        launcher.find_installer(None)
    assert "apt install python3-venv" in (ROOT / "README.md").read_text(encoding="utf-8")[:1000]


@together(
    ("log", "meaning"),
    [
        ("WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError(…)'", "No network: "),
        ("error: Failed to fetch: `https://x/`\n  Caused by: dns error: Name or service not known\n", "No network: "),
        ("ERROR: Could not install packages: [Errno 28] No space left on device", "The disk is full."),
        ("ERROR: [Errno 30] Read-only file system: 'x'", "cannot be written. Copy this checkout to a folder of your "),
        ("[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed", "does not trust the certificate"),
        ("  × Failed to download `rich==1`\n  ╰─▶ invalid peer certificate: UnknownIssuer\n", "does not trust"),
        ("ERROR: ResolutionImpossible: for help visit …", "are incompatible."),
        ("  × No solution found when resolving dependencies:\n  ╰─▶ Because …\n", "are incompatible."),
        (
            "Collecting rich\nERROR: No matching distribution found for rich\n",
            "No matching distribution found for rich.",
        ),
        ("", "failed without a message."),
    ],
)
def test_a_failure_is_one_sentence(log: str, meaning: str) -> None:
    assert meaning in load().explain(log)


@pytest.mark.parametrize(
    ("log", "is_unchanged"), [("Collecting rich\n", True), ("Installing collected packages: rich, pentad\n", False)]
)
def test_a_failed_update_keeps_the_installation(checkout: Checkout, log: str, is_unchanged: bool) -> None:
    """Without a network, what is installed goes on."""
    checkout.run("play")
    (checkout.tools / "code").write_text("1")
    (checkout.tools / "log").write_text(f"{log}error: connection refused\n")
    code, out, err = checkout.run("data")
    log_file = checkout.venv / "pentad-install.log"
    assert (code, out) == (1, "")
    assert err.splitlines()[1:] == [
        f"pentad: No network: the packages cannot be downloaded. The full log is in {log_file}"
    ]
    (checkout.tools / "code").write_text("0")
    again = "" if is_unchanged else "Installing pentad (the last attempt did not finish) …\n"
    assert checkout.run("play") == (1, "play\n", again)


def test_a_folder_that_cannot_be_written(checkout: Checkout) -> None:
    checkout.venv.write_text("a file in the way of the folder")
    assert checkout.run("play") == (1, "", f"pentad: [Errno 17] File exists: '{checkout.venv}'.\n")


def test_ctrl_c(checkout: Checkout) -> None:
    (checkout.tools / "wait").touch()
    process = checkout.start("play")
    checkout.wait_for_uv()
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=TIMEOUT) == ("", FIRST + STOPPED)
    assert process.returncode == 130
    (checkout.tools / "wait").unlink()
    assert checkout.run("play") == (1, "play\n", "Installing pentad (the last attempt did not finish) …\n")


@pytest.mark.parametrize("is_killed", [False, True])
def test_two_at_once(checkout: Checkout, is_killed: bool) -> None:
    """The second waits until the first has installed; or, if the first is killed, until its `uv` has ended."""
    (checkout.tools / "wait").touch()
    first = checkout.start("play")
    checkout.wait_for_uv()
    if is_killed:
        first.kill()
    second = checkout.start("games")
    assert second.stderr
    assert second.stderr.readline() == "Another ./pentad is installing here; waiting for it …\n"
    (checkout.tools / "wait").unlink()
    assert first.communicate(timeout=TIMEOUT) == ("" if is_killed else "play\n", FIRST)
    again = "Installing pentad (the last attempt did not finish) …\n" if is_killed else ""
    assert second.communicate(timeout=TIMEOUT) == ("games\n", again)


def test_a_terminal_shows_the_progress_in_one_line(checkout: Checkout) -> None:
    (checkout.tools / "wait").touch()
    (checkout.tools / "log").write_text("Collecting numpy\n")
    terminal, end = pty.openpty()
    process = checkout.start("play", stderr=end)
    os.close(end)
    shown = ""
    while "Collecting numpy" not in shown:
        shown += os.read(terminal, 1000).decode()
    (checkout.tools / "wait").unlink()
    assert process.communicate(timeout=TIMEOUT)[0] == "play\n"
    shown += os.read(terminal, 1000).decode()
    os.close(terminal)
    assert shown.startswith("Installing pentad (first run only) …\rInstalling pentad (first run only) … ")
    assert shown.count("\n") == 1


def test_an_old_python_can_parse_it() -> None:
    ast.parse(LAUNCHER.read_text(encoding="utf-8"), feature_version=(3, 7))


def test_an_old_python_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 8, 10))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match=r"^pentad: Python 3\.11 .* is 3\.8\.10 "):
        load()


def test_an_old_python_runs_a_newer_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
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
        load()
    assert end.value.code == f"{tmp_path}/python3.12 ['play', 'two words']"


@pytest.mark.parametrize(
    ("args", "code", "output"),
    [
        (["tset"], 2, "pentad: Unknown command 'tset'. Did you mean test?"),
        (["help", "sovle"], 2, "pentad: Unknown command 'sovle'. Did you mean solve?"),
        (["--hlep"], 2, "pentad: Unknown option '--hlep'. "),
        (["wheels"], 2, "pentad: Missing argument: DIR."),
        ([], 0, "usage: pentad COMMAND"),
        (["--version"], 0, "pentad "),
        (["help", "test"], 0, "usage: ./pentad test [--slow [--resume]] [pytest arguments]"),
    ],
)
def test_help_and_misspelt_commands_install_nothing(tmp_path: Path, args: list[str], code: int, output: str) -> None:
    """In a fresh clone: with `-I -S` the launcher has only the standard library."""
    for folder in ("src", "release"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    shutil.copy(LAUNCHER, tmp_path)
    command = [PYTHON, "-B", "-I", "-S", tmp_path / "pentad", *args]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == code
    assert (done.stdout + done.stderr).startswith(output)
    assert not (tmp_path / ".venv").exists()


@pytest.mark.slow
def test_with_pip_through_a_link(checkout: Checkout) -> None:
    (checkout.tools / "uv").unlink()
    (checkout.folder / "pentad").rename(checkout.folder / "file")
    (checkout.folder / "pentad").symlink_to("file")
    assert checkout.run("hello") == (1, "hello\n", FIRST)
    process = checkout.start("sleep")
    assert process.stdout
    process.stdout.readline()
    process.terminate()
    process.communicate(timeout=TIMEOUT)
    assert process.returncode == -signal.SIGTERM


@pytest.mark.slow
def test_without_ensurepip(checkout: Checkout) -> None:
    """The system's pip installs; then it wants a package from an index where nobody answers."""
    if subprocess.run([PYTHON, "-m", "pip", "--version"], capture_output=True).returncode:
        pytest.skip("this Python has no pip of its own")
    (checkout.tools / "uv").unlink()
    text = LAUNCHER.read_text(encoding="utf-8")
    assert '"-m", "ensurepip"' in text
    (checkout.folder / "pentad").write_text(text.replace('"-m", "ensurepip"', '"-m", "no_ensurepip"'))
    assert checkout.run("hello") == (1, "hello\n", FIRST)
    assert not list(checkout.venv.glob("lib/python*/site-packages/pip"))
    checkout.change("requires = []", 'requires = ["a-name-that-nobody-asks-for"]')
    offline = {"PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_RETRIES": "1", "PIP_CONFIG_FILE": os.devnull}
    assert checkout.start("hello", env=offline).communicate(timeout=TIMEOUT)[1].splitlines() == [
        "Installing pentad (pyproject.toml has changed) …",
        f"pentad: No network: the packages cannot be downloaded. The full log is in {checkout.venv}/pentad-install.log",
    ]
