"""The kernel cache: its folder, compilation once in a child process, progress, and a cache that cannot be written."""

import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from concurrent.futures import CancelledError
from pathlib import Path

import pytest

from pentad.kernels import backends, cache, compiler_process
from tests.programs import run


@pytest.fixture
def fresh(tmp_path, monkeypatch):
    """An empty cache of its own."""
    monkeypatch.setenv(cache.CACHE, str(tmp_path))
    cache.folder.cache_clear()
    yield tmp_path
    cache.folder.cache_clear()


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """An empty parent for temporary folders."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    return place


def search_path(folder):
    """The module search path with a folder added."""
    return os.pathsep.join([str(folder), *sys.path])


def test_the_folder_name_depends_on_the_kernel_sources(fresh, monkeypatch):
    first = cache.folder()
    assert first is not None
    assert first.parent == fresh
    other = fresh / "kernels.py"
    other.write_text("changed")
    monkeypatch.setattr(backends, "PACKAGE", fresh)
    monkeypatch.setattr(backends, "sources", lambda: [other])
    cache.folder.cache_clear()
    assert cache.folder() != first


def test_another_place_has_the_same_kernels(fresh, monkeypatch):
    """Only what sources contain counts, not where they lie or when they were written."""
    names = []
    for place in ("one", "other"):
        source = fresh / place / "kernels.py"
        source.parent.mkdir()
        source.write_text("the same")
        monkeypatch.setattr(backends, "PACKAGE", source.parent)
        os.utime(source, ns=(0, len(names)))
        names.append(cache.folder_name())
    assert names[0] == names[1]


def test_every_kernel_module_counts(fresh):
    names = {source.name for source in backends.sources()}
    assert {"decorator.py", "machine_code.py", "constants.py", "kernels.py", "search_kernels.py"} <= names


PLAIN = (
    "pentad: Cannot keep compiled kernels in {place}: Not a directory. They are compiled for this run only. "
    "Set PENTAD_CACHE to another folder."
)


@pytest.mark.slow
def test_without_a_writable_cache_kernels_are_kept_for_the_run(tmp_path, temporary):
    (tmp_path / "file").touch()
    (tmp_path / "some_kernels.py").write_text(MODULE)
    program = """
        import subprocess, sys
        from pathlib import Path
        from pentad.kernels import cache
        from pentad.kernels.program import program
        assert program("some_kernels")("three", 1) == 4
        print(cache.folder())
        child = "from pentad.kernels import cache; cache.ensure_compiled('some_kernels'); print(cache.folder())"
        (found,) = cache.folder().glob("some_kernels*.compiled")
        before = found.stat()
        subprocess.run([sys.executable, "-c", child], check=True)
        assert found.stat() == before
    """
    place = tmp_path / "file"
    output, errors = run(program, PENTAD_CACHE=str(place), PYTHONPATH=search_path(tmp_path))
    mine, childs = output.splitlines()
    assert mine == childs
    assert Path(mine).is_relative_to(temporary)
    assert errors == PLAIN.format(place=place)
    assert not list(temporary.iterdir())


def test_ctrl_c_removes_the_folder_for_a_run(tmp_path, temporary):
    (tmp_path / "file").touch()
    program = """
        import time
        from pentad.kernels import cache
        print(cache.folder(), flush=True)
        time.sleep(1000)
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)],
        env=os.environ | {"PENTAD_CACHE": str(tmp_path / "file")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        made = Path(process.stdout.readline().strip())
        assert made.is_dir()
        process.send_signal(signal.SIGINT)
        process.communicate()
    assert not list(temporary.iterdir())


def test_folders_of_killed_processes_are_removed(temporary, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", None)
    left, owned, young = (temporary / f"{cache.TEMPORARY}{name}" for name in ("left", "owned", "young"))
    for each in (left, owned, young):
        each.mkdir()
    with cache.Lock(owned / cache.OWNER, "Locked."):
        for each in (left, owned):
            os.utime(each, (0, 0))
        cache._clear_abandoned(temporary)
    assert sorted(temporary.iterdir()) == [owned, young]


@pytest.mark.slow
def test_without_any_folder_each_process_compiles(tmp_path):
    (tmp_path / "file").touch()
    program = """
        import tempfile
        def refuse(*args, **more):
            raise OSError("no room")
        tempfile.mkdtemp = refuse
        from pentad.kernels.cache import folder
        from pentad.kernels.decorator import kernel
        @kernel
        def double(number):
            return 2 * number
        print(folder(), folder(), double(21))
    """
    output, errors = run(program, PENTAD_CACHE=str(tmp_path / "file"))
    assert output == "None None 42"
    assert errors.count("Cannot keep compiled kernels") == 1
    assert "Each process compiles them again." in errors


def test_old_folders_go_and_new_ones_stay(fresh):
    old, recent, other = fresh / "kernels-old", fresh / "kernels-recent", fresh / "something"
    for each in (old, recent, other):
        each.mkdir()
    for each in (old, other):
        os.utime(each, (0, 0))
    place = cache.folder()
    cache._clear_old(place)
    assert sorted(each.name for each in fresh.iterdir()) == sorted(["kernels-recent", "something", place.name])


MODULE = """
from pentad.kernels.decorator import kernel
@kernel
def three(number: int) -> int:
    return number + 3
NATIVE = {"three": three}
"""


@pytest.mark.slow
def test_kernels_are_compiled_once_in_a_child(tmp_path):
    (tmp_path / "some_kernels.py").write_text(MODULE)
    program = """
        import subprocess
        from pentad.kernels import cache
        children = []
        started = subprocess.Popen.__init__
        def counted(self, *args, **more):
            children.append(args)
            started(self, *args, **more)
        subprocess.Popen.__init__ = counted
        cache.ensure_compiled("some_kernels")
        cache.ensure_compiled("some_kernels")
        print(len(children))
    """
    environment = {"PENTAD_CACHE": str(tmp_path / "cache"), "PYTHONPATH": search_path(tmp_path)}
    assert run(program, **environment) == ("1", "")
    assert run(program, **environment) == ("0", "")


@pytest.fixture
def source(fresh, monkeypatch):
    """The only kernel source, and a module of kernels."""
    source = fresh / "kernels.py"
    source.write_text("before")
    monkeypatch.setattr(backends, "PACKAGE", fresh)
    monkeypatch.setattr(backends, "sources", lambda: [source])
    # What a child process changes for good would stay here: Python cannot call kernels that are parts only.
    monkeypatch.setattr(compiler_process, "compile_parts_only", lambda: None)
    monkeypatch.setattr(compiler_process.gc, "set_threshold", lambda *_: None)
    monkeypatch.setattr(compiler_process.signal, "signal", lambda *_: None)
    monkeypatch.setattr(compiler_process.machine_code, "keep", lambda name, place: None)
    return source


def test_kernels_compiled_from_other_sources_are_not_kept(source, monkeypatch, capsys):
    place = cache.folder()
    assert compiler_process.compile_module("some_kernels", place.name) == 0
    assert [each.name for each in place.iterdir()] == ["some_kernels.compiled"]
    assert cache.are_compiled("some_kernels")
    assert not cache.are_compiled("some_kernels", "others")
    # The source changes during compilation.
    monkeypatch.setattr(compiler_process.machine_code, "keep", lambda name, place: source.write_text("after"))
    assert compiler_process.compile_module("some_kernels", place.name) == cache.CHANGED
    assert not place.exists()
    assert compiler_process.compile_module("some_kernels", place.name) == cache.CHANGED  # the source changed before
    assert not place.exists()


def test_changed_sources_give_one_warning_and_are_compiled(source, monkeypatch, capsys):
    places = []

    def compile_in_child(place, name, report, children):
        places.append(place)
        if len(places) == 1:
            source.write_text("after")
            return False
        cache.marker(place, name).touch()
        return True

    monkeypatch.setattr(cache, "_compile_in_child", compile_in_child)
    place = cache.ensure_compiled("some_kernels")
    assert capsys.readouterr().err == "pentad: The sources of kernels have changed. They are compiled again.\n"
    assert places == [places[0], place]
    assert places[0] != place == cache.folder()


def test_a_child_with_other_sources_fails(fresh):
    place = cache.folder().with_name("kernels-other")
    assert not cache._compile_in_child(place, "some_kernels", lambda share: None, cache.Children())


@pytest.mark.slow
def test_a_failed_compilation_is_reported(tmp_path):
    (tmp_path / "bad_kernels.py").write_text("NATIVE = {1 / 0}")
    program = """
        from pentad.kernels.program import program
        try:
            program("bad_kernels")
        except ZeroDivisionError:
            print("raised")
    """
    output, errors = run(program, PENTAD_CACHE=str(tmp_path / "cache"), PYTHONPATH=search_path(tmp_path))
    assert output == "raised"
    assert "Cannot compile the kernels of bad_kernels in advance." in errors


class FakeTerminal(io.StringIO):
    """An error stream that claims to be a terminal."""

    def isatty(self):
        return True


def fake_compilation(monkeypatch, shares):
    """Replaces the compiler by one that only reports these shares."""

    def compile_in_child(place, name, report, children):
        for share in shares:
            report(share)
        cache.marker(place, name).touch()
        return True

    monkeypatch.setattr(cache, "_compile_in_child", compile_in_child)


def test_a_terminal_shows_a_progress_bar(fresh, monkeypatch):
    fake_compilation(monkeypatch, [0.5])
    stream = FakeTerminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    cache.ensure_compiled("pentad.games.pentagame.engine.position_kernels")
    assert "Preparing the Pentagame engine, only once on this machine │" in stream.getvalue()
    assert stream.getvalue().endswith("\r\x1b[K")  # the bar is cleared


def test_a_pipe_gets_no_progress_bar(fresh, monkeypatch, capsys):
    fake_compilation(monkeypatch, [0.5])
    cache.ensure_compiled("pentad.games.pentagame.engine.position_kernels")
    assert capsys.readouterr().err == ""


def test_several_modules_share_one_progress_that_only_grows(fresh, monkeypatch):
    monkeypatch.setattr(cache, "compiled_lines", lambda: {"small": 100, "large": 300})
    fake_compilation(monkeypatch, [0.5, 0.25, 1.0])
    shares = []
    cache.ensure_compiled("small", "large", report=shares.append)
    assert shares == sorted(shares)  # both are compiled at the same time
    assert (shares[0], shares[-1]) == (0, 1)
    shares.clear()
    cache.ensure_compiled("small", "large", report=shares.append)
    assert shares == []


def test_a_listener_replaces_the_progress_bar(fresh, monkeypatch):
    fake_compilation(monkeypatch, [0.25])
    events = []
    listening = cache.listening(lambda game, share: events.append((game, share)))
    with listening:
        cache.ensure_compiled("pentad.games.pente.small")
        cache.ensure_compiled("pentad.games.pente.small")
    assert events == [("pente", None), ("pente", 0.0), ("pente", 0.25), ("pente", 1.0), ("", None)]
    events.clear()

    def fails(place, name, report, children):
        raise OSError("no room")

    monkeypatch.setattr(cache, "_compile_in_child", fails)
    listening = cache.listening(lambda game, share: events.append((game, share)))
    with listening, pytest.raises(OSError, match="no room"):
        cache.ensure_compiled("pentad.games.pentago.solver.other")
    assert events == [("pentago", None), ("pentago", 0.0), ("", None)]


def test_a_waiting_process_sees_the_progress_of_the_other(fresh, monkeypatch):
    place = cache.folder()
    shares = []

    def other_goes_on(seconds):
        if len(shares) < 4:
            lock.write(f"{len(shares) / 4}")
        else:
            cache.marker(place, "some_kernels").touch()

    monkeypatch.setattr(cache.time, "sleep", other_goes_on)
    with cache.Lock(place / "some_kernels.lock", "Locked.") as lock:
        cache.ensure_compiled("some_kernels", report=shares.append)
    assert shares[:2] == [0, 0.25] or shares[:3] == [0, 0.25, 0.5]
    assert shares == sorted(shares)


PARTS = """
from pentad.kernels.decorator import kernel
@kernel
def small(number):
    return number + 1
@kernel
def large(number):
    number += 1
    number += 2
    number += 3
    number += 4
    number += 5
    return number
@kernel
def both(number):
    return small(number) + large(number)
"""


@pytest.mark.slow
def test_progress_counts_compiled_lines_not_calls(tmp_path, monkeypatch):
    """One call compiles three functions; each half of each is reported as it is done."""
    (tmp_path / "part_kernels.py").write_text(PARTS)
    program = """
        from pentad.kernels import backends, cache, compiler_process
        shares = []
        progress = compiler_process._Progress(10, shares.append)
        with compiler_process._tracking(progress):
            import part_kernels
            part_kernels.both(1)
        print(shares, progress.done)
    """
    output, _ = run(program, PENTAD_CACHE=str(tmp_path / "cache"), PYTHONPATH=search_path(tmp_path))
    shares, done = output.rsplit(" ", 1)
    lines = {"small": 2, "large": 7, "both": 2}  # including the line of each `def`
    assert float(done) == sum(lines.values())
    assert json.loads(shares) == [0.1, 0.2, 0.55, 0.9, 0.99]


SLOW = """
import os, time
from pathlib import Path
draft = Path(__file__).with_name("draft")
draft.write_text(str(os.getpid()))
draft.rename(draft.with_name("pid"))
time.sleep(1000 if not draft.with_name("quick").exists() else 0)
NATIVE = {}
"""


@pytest.mark.slow
def test_a_child_ends_with_its_parent(tmp_path):
    """After a kill, the compiler does not run on, and the next process can compile."""
    (tmp_path / "slow_kernels.py").write_text(SLOW)
    environment = os.environ | {"PENTAD_CACHE": str(tmp_path / "cache"), "PYTHONPATH": search_path(tmp_path)}
    command = [sys.executable, "-c", "from pentad.kernels import cache; cache.ensure_compiled('slow_kernels')"]
    pid = tmp_path / "pid"
    with subprocess.Popen(command, env=environment) as process:
        while not (pid.exists() and pid.read_text()):
            time.sleep(0.01)
        process.kill()
    child = int(pid.read_text())
    while is_running(child):
        time.sleep(0.01)
    (tmp_path / "quick").touch()
    subprocess.run(command, env=environment, check=True)


@pytest.mark.slow
def test_a_program_that_ends_does_not_wait_for_its_compiler(tmp_path):
    """Kernels are compiled in the background of a game. Who leaves it does not wait for them."""
    (tmp_path / "slow_kernels.py").write_text(SLOW)
    program = """
        import threading, time
        from pathlib import Path
        from pentad.kernels import cache
        threading.Thread(target=cache.ensure_compiled, args=["slow_kernels"], daemon=True).start()
        while not Path("pid").exists():
            time.sleep(0.01)
    """
    place = {"PENTAD_CACHE": str(tmp_path / "cache"), "PYTHONPATH": search_path(tmp_path)}
    command = [sys.executable, "-c", textwrap.dedent(program)]
    subprocess.run(command, cwd=tmp_path, env=os.environ | place, check=True)
    while is_running(int((tmp_path / "pid").read_text() or 0)):
        time.sleep(0.01)


def test_an_error_ends_the_compilation_of_the_other_modules(fresh, monkeypatch):
    ended = []

    def compile_in_child(place, name, report, children):
        if name == "bad_kernels":
            raise OSError("no room")
        while True:  # a compilation that ends only when it is stopped
            try:
                children.check()
            except CancelledError:
                ended.append(name)
                raise

    monkeypatch.setattr(cache.os, "cpu_count", lambda: 2)
    monkeypatch.setattr(cache, "_compile_in_child", compile_in_child)
    with pytest.raises(OSError, match="no room"):
        cache.ensure_compiled("slow_kernels", "bad_kernels", report=lambda share: None)
    assert ended == ["slow_kernels"]


def is_running(number):
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"  # a zombie may have no parent that waits for it


@pytest.mark.parametrize("name", sorted(cache.compiled_lines()))
def test_the_work_of_pentads_modules_is_known(name):
    """`python -m tests.kernels.test_cache` compiles all from scratch and rewrites the table."""
    if backends.is_jit_disabled():
        pytest.skip("JIT disabled")
    text = (cache.ensure_compiled(name) / f"{name}.{cache.COMPILED}").read_text()
    done, all_of_it = int(text), cache.compiled_lines()[name]
    # Less is left to compile if a module of the same engine came first, or this one was interrupted.
    assert done <= 1.1 * all_of_it


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(cache.compiled_lines()))
def test_the_work_from_scratch(name, fresh):
    if backends.is_jit_disabled():
        pytest.skip("JIT disabled")
    done = int((cache.ensure_compiled(name) / f"{name}.{cache.COMPILED}").read_text())
    assert done == pytest.approx(cache.compiled_lines()[name], rel=0.1)


def write_work():
    """Compiles every module from scratch and writes the number of lines."""
    work = {}
    for name in cache.compiled_lines():
        with tempfile.TemporaryDirectory() as folder:
            os.environ[cache.CACHE] = folder
            cache.folder.cache_clear()
            work[name] = int((cache.ensure_compiled(name) / f"{name}.{cache.COMPILED}").read_text())
    file = Path(cache.__file__).with_name("compiled_lines.json")
    file.write_text(json.dumps(work, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_work()
