"""The door to numba: where compiled kernels are kept, that they are made once, and what if they cannot be kept."""

import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import types
from pathlib import Path

import pytest

from pentad import kernel


@pytest.fixture
def fresh(tmp_path, monkeypatch):
    """An empty cache of our own, for a process that has loaded no kernels."""
    monkeypatch.setenv(kernel.CACHE, str(tmp_path))
    monkeypatch.setattr(kernel, "_ready", set())
    kernel.folder.cache_clear()
    yield tmp_path
    kernel.folder.cache_clear()


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """A folder of our own for temporary ones."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    return place


def run(program, **environment):
    """Run a program with some variables set; what it printed, and what it said on the error stream."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip(), done.stderr.strip()


def with_our_own(folder):
    """Where Python is to look for modules: in a folder, too."""
    return os.pathsep.join([str(folder), *sys.path])


def test_the_folder_is_named_by_what_the_kernels_are(fresh, monkeypatch):
    first = kernel.folder()
    assert first is not None
    assert first.parent == fresh
    other = fresh / "kernels.py"
    other.write_text("changed")
    monkeypatch.setattr(kernel, "_sources", lambda: [other])
    kernel.folder.cache_clear()
    assert kernel.folder() != first


def test_another_checkout_has_a_folder_of_its_own(fresh, monkeypatch):
    """numba does not use what was compiled for the same sources in another place, or before they were written again."""
    first, second = (fresh / name / "kernels.py" for name in ("one", "other"))
    names = []
    for source in (first, second):
        source.parent.mkdir()
        source.write_text("the same")
        os.utime(source, ns=(0, 0))
        monkeypatch.setattr(kernel, "_sources", lambda source=source: [source])
        names.append(kernel._name())
    os.utime(second, ns=(0, 1))
    names.append(kernel._name())
    assert len(set(names)) == 3


def test_every_kernel_module_counts(fresh):
    names = {source.name for source in kernel._sources()}
    assert {"kernel.py", "kernels.py", "tree_kernels.py", "alphabeta_kernels.py"} <= names


PLAIN = (
    "pentad: compiled kernels cannot be kept in {place} (Not a directory), so they are compiled for this run alone; "
    "PENTAD_CACHE names another folder"
)


def test_where_nothing_can_be_written_kernels_are_kept_for_the_run(tmp_path, temporary):
    (tmp_path / "file").touch()
    (tmp_path / "some_kernels.py").write_text(MODULE)
    program = """
        import subprocess, sys
        from pathlib import Path
        from pentad import kernel
        kernel.prepare("some_kernels")
        print(kernel.folder())
        child = "from pentad import kernel; kernel.prepare('some_kernels'); print(kernel.folder())"
        found = kernel.folder() / "some_kernels.compiled"
        before = found.stat()
        subprocess.run([sys.executable, "-c", child], check=True)
        assert found.stat() == before
    """
    place = tmp_path / "file"
    told, said = run(program, PENTAD_CACHE=str(place), PYTHONPATH=with_our_own(tmp_path))
    mine, childs = told.splitlines()
    assert mine == childs
    assert Path(mine).is_relative_to(temporary)
    assert said == PLAIN.format(place=place)  # said once, and in plain words
    assert not list(temporary.iterdir())


def test_the_folder_for_a_run_goes_with_ctrl_c(tmp_path, temporary):
    (tmp_path / "file").touch()
    program = """
        import time
        from pentad import kernel
        print(kernel.folder(), flush=True)
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


def test_what_killed_processes_left_is_removed(temporary, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", None)
    left, owned, young = (temporary / f"{kernel.TEMPORARY}{name}" for name in ("left", "owned", "young"))
    for each in (left, owned, young):
        each.mkdir()
    with kernel.Lock(owned / kernel.OWNER, "mine"):
        for each in (left, owned):
            os.utime(each, (0, 0))
        kernel._clear_abandoned(temporary)
    assert sorted(temporary.iterdir()) == [owned, young]


def test_where_not_even_that_can_be_each_process_compiles(tmp_path):
    (tmp_path / "file").touch()
    program = """
        import tempfile
        def refuse(*args, **more):
            raise OSError("no room")
        tempfile.mkdtemp = refuse
        from pentad.kernel import folder, kernel
        @kernel
        def double(number):
            return 2 * number
        print(folder(), folder(), double(21))
    """
    told, said = run(program, PENTAD_CACHE=str(tmp_path / "file"))
    assert told == "None None 42"
    assert said.count("cannot be kept") == 1
    assert "each process compiles them anew" in said


def test_old_folders_go_and_new_ones_stay(fresh):
    old, recent, other = fresh / "kernels-old", fresh / "kernels-recent", fresh / "something"
    for each in (old, recent, other):
        each.mkdir()
    for each in (old, other):
        os.utime(each, (0, 0))
    place = kernel.folder()
    kernel._clear_old(place)
    assert sorted(each.name for each in fresh.iterdir()) == sorted(["kernels-recent", "something", place.name])


MODULE = """
from pentad.kernel import kernel
@kernel
def three(number):
    return number + 3
def warm_up():
    assert three(1) == 4
WARM_UP = [warm_up, warm_up]
"""


def test_preparing_compiles_in_a_child_once(tmp_path):
    (tmp_path / "some_kernels.py").write_text(MODULE)
    program = """
        import subprocess
        from pentad import kernel
        children = []
        started = subprocess.Popen.__init__
        def counted(self, *args, **more):
            children.append(args)
            started(self, *args, **more)
        subprocess.Popen.__init__ = counted
        kernel.prepare("some_kernels")
        kernel.prepare("some_kernels")
        print(len(children))
    """
    environment = {"PENTAD_CACHE": str(tmp_path / "cache"), "PYTHONPATH": with_our_own(tmp_path)}
    assert run(program, **environment) == ("1", "")
    assert run(program, **environment) == ("0", "")


@pytest.fixture
def source(fresh, monkeypatch):
    """The one source of all kernels, and a module of kernels."""
    source = fresh / "source.py"
    source.write_text("before")
    monkeypatch.setattr(kernel, "_sources", lambda: [source])
    monkeypatch.setattr(kernel.signal, "signal", lambda *_: None)
    monkeypatch.setitem(sys.modules, "some_kernels", types.SimpleNamespace(WARM_UP=[lambda: None]))
    return source


def test_what_is_compiled_from_other_sources_is_not_kept(source, capsys):
    place = kernel.folder()
    assert kernel._compile("some_kernels", place.name) == 0
    assert [each.name for each in place.iterdir()] == ["some_kernels.compiled"]
    assert kernel.are_kept("some_kernels")
    assert not kernel.are_kept("some_kernels", "others")
    sys.modules["some_kernels"].WARM_UP.append(lambda: source.write_text("after"))
    assert kernel._compile("some_kernels", place.name) == kernel.CHANGED  # they change while it is at work
    assert not place.exists()
    assert kernel._compile("some_kernels", place.name) == kernel.CHANGED  # and had changed before
    assert not place.exists()


def test_sources_that_change_meanwhile_are_told_once_and_compiled(source, monkeypatch, capsys):
    asked = []

    def compile_in_child(place, name, tell):
        asked.append(place)
        if len(asked) == 1:
            source.write_text("after")
            return False
        kernel._done(place, name).touch()
        return True

    monkeypatch.setattr(kernel, "_compile_in_child", compile_in_child)
    place = kernel.keep("some_kernels")
    assert capsys.readouterr().err == "pentad: the sources of kernels have changed; they are compiled anew\n"
    assert asked == [asked[0], place]
    assert asked[0] != place == kernel.folder()


def test_a_child_that_finds_other_sources_says_so(fresh):
    place = kernel.folder().with_name("kernels-other")
    assert not kernel._compile_in_child(place, "some_kernels", lambda share: None)


def test_a_failing_compilation_is_told_not_hidden(tmp_path):
    (tmp_path / "bad_kernels.py").write_text("WARM_UP = [lambda: 1 / 0]")
    program = """
        from pentad import kernel
        try:
            kernel.prepare("bad_kernels")
        except ZeroDivisionError:
            print("told")
    """
    told, said = run(program, PENTAD_CACHE=str(tmp_path / "cache"), PYTHONPATH=with_our_own(tmp_path))
    assert told == "told"
    assert "could not be compiled" in said


class Watched(io.StringIO):
    """An error stream that somebody watches."""

    def isatty(self):
        return True


def compiled_by_another(monkeypatch, shares):
    """Have the compiler tell these shares, and do nothing else."""

    def compile_in_child(place, name, tell):
        for share in shares:
            tell(share)
        kernel._done(place, name).touch()
        return True

    monkeypatch.setattr(kernel, "_compile_in_child", compile_in_child)


def test_a_terminal_shows_what_is_prepared(fresh, monkeypatch):
    compiled_by_another(monkeypatch, [0.5])
    stream = Watched()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    kernel.keep("pentad.pentagame.engine.kernels")
    assert "Preparing Pentagame's engine, once on this machine │" in stream.getvalue()
    assert stream.getvalue().endswith("\r\x1b[K")  # and it is wiped away


def test_nobody_watches_a_pipe(fresh, monkeypatch, capsys):
    compiled_by_another(monkeypatch, [0.5])
    kernel.keep("pentad.pentagame.engine.kernels")
    assert capsys.readouterr().err == ""


def test_several_modules_are_one_share_that_only_grows(fresh, monkeypatch):
    monkeypatch.setattr(kernel, "_all_work", lambda: {"small": 100, "large": 300})
    compiled_by_another(monkeypatch, [0.5, 0.25, 1.0])
    told = []
    kernel.keep("small", "large", tell=told.append)
    assert told == [0, 0.125, 0.125, 0.25, 0.25, 0.625, 0.625, 1.0]
    told.clear()
    kernel.keep("small", "large", tell=told.append)
    assert told == []


def test_who_listens_hears_it_instead(fresh, monkeypatch):
    compiled_by_another(monkeypatch, [0.25])
    heard = []
    hearing = kernel.listening(lambda game, share: heard.append((game, share)))
    monkeypatch.setitem(sys.modules, "pentad.pente.small", types.SimpleNamespace(WARM_UP=[lambda: None]))
    monkeypatch.setattr(kernel, "_ready", set())
    with hearing:
        kernel.prepare("pentad.pente.small")
        kernel.prepare("pentad.pente.small")
    assert heard == [("pente", None), ("pente", 0.0), ("pente", 0.25), ("", None)]
    heard.clear()

    def fails(place, name, tell):
        raise OSError("no room")

    monkeypatch.setattr(kernel, "_compile_in_child", fails)
    hearing = kernel.listening(lambda game, share: heard.append((game, share)))
    with hearing, pytest.raises(OSError, match="no room"):
        kernel.keep("pentad.pentago.solver.other")
    assert heard == [("pentago", None), ("pentago", 0.0), ("", None)]


def test_who_waits_for_another_process_sees_how_far_it_is(fresh, monkeypatch):
    place = kernel.folder()
    told = []

    def other_goes_on(seconds):
        if len(told) < 4:
            lock.write(f"{len(told) / 4}")
        else:
            kernel._done(place, "some_kernels").touch()

    monkeypatch.setattr(kernel.time, "sleep", other_goes_on)
    with kernel.Lock(place / "some_kernels.lock", "mine") as lock:
        kernel.keep("some_kernels", tell=told.append)
    assert told[:2] == [0, 0.25] or told[:3] == [0, 0.25, 0.5]
    assert told == sorted(told)


PARTS = """
from pentad.kernel import kernel
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
WARM_UP = [lambda: both(1)]
"""


def test_progress_is_of_the_work_not_of_calls(tmp_path, monkeypatch):
    """One call compiles three functions; each half of each is told as it is done."""
    (tmp_path / "part_kernels.py").write_text(PARTS)
    program = """
        from pentad import kernel
        kernel._all_work = lambda: {"part_kernels": 10}
        told = []
        progress = kernel._Progress(10, told.append)
        with kernel._watched(progress):
            import part_kernels
            for call in part_kernels.WARM_UP:
                call()
        print(told, progress.done)
    """
    told, _ = run(program, PENTAD_CACHE=str(tmp_path / "cache"), PYTHONPATH=with_our_own(tmp_path))
    shares, done = told.rsplit(" ", 1)
    lines = {"small": 2, "large": 7, "both": 2}  # with the line of each `def`, on which functions begin
    assert float(done) == sum(lines.values())
    assert json.loads(shares) == [0.1, 0.2, 0.55, 0.9, 0.99]


def test_a_child_ends_with_whoever_started_it(tmp_path):
    """Killed in the middle: the compiler does not go on by itself, and nothing keeps the next from beginning."""
    (tmp_path / "slow_kernels.py").write_text(
        "import os, time\nfrom pathlib import Path\n"
        "def slow():\n"
        "    Path(__file__).with_name('pid').write_text(str(os.getpid()))\n"
        "    time.sleep(1000 if not Path(__file__).with_name('quick').exists() else 0)\n"
        "WARM_UP = [slow]\n"
    )
    environment = os.environ | {"PENTAD_CACHE": str(tmp_path / "cache"), "PYTHONPATH": with_our_own(tmp_path)}
    command = [sys.executable, "-c", "from pentad import kernel; kernel.keep('slow_kernels')"]
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


def is_running(number):
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"  # nobody may be there to ask what became of it


@pytest.mark.parametrize("name", sorted(kernel._all_work()))
def test_the_work_of_our_own_modules_is_known(name):
    """`python -m tests.test_kernel` compiles all from nothing and writes the table anew."""
    if kernel.uncompiled():
        pytest.skip("kernels stay Python")
    text = (kernel.keep(name) / f"{name}.{kernel.COMPILED}").read_text()
    done, all_of_it = int(text), kernel._all_work()[name]
    # Where a module of the same engine was compiled first, or this one halfway, less was left to do.
    assert done <= 1.1 * all_of_it


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(kernel._all_work()))
def test_the_work_is_as_much_from_nothing(name, fresh):
    if kernel.uncompiled():
        pytest.skip("kernels stay Python")
    done = int((kernel.keep(name) / f"{name}.{kernel.COMPILED}").read_text())
    assert done == pytest.approx(kernel._all_work()[name], rel=0.1)


def write_work():
    """Compile every module from nothing and note what that was."""
    work = {}
    for name in kernel._all_work():
        with tempfile.TemporaryDirectory() as cache:
            os.environ[kernel.CACHE] = cache
            kernel.folder.cache_clear()
            work[name] = int((kernel.keep(name) / f"{name}.{kernel.COMPILED}").read_text())
    file = Path(kernel.__file__).with_name("kernel_work.json")
    file.write_text(json.dumps(work, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_work()
