"""The door to numba: where compiled kernels are kept, that they are made once, and what if they cannot be kept."""

import os
import subprocess
import sys
import textwrap
import types
import warnings

import pytest

from pentad import kernel


@pytest.fixture
def fresh(tmp_path, monkeypatch):
    """An empty cache of our own."""
    monkeypatch.setenv(kernel.CACHE, str(tmp_path))
    kernel.folder.cache_clear()
    yield tmp_path
    kernel.folder.cache_clear()


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


def test_the_folder_is_named_by_what_the_kernels_are(fresh, monkeypatch):
    first = kernel.folder()
    assert first is not None
    assert first.parent == fresh
    other = fresh / "kernels.py"
    other.write_text("changed")
    monkeypatch.setattr(kernel, "_sources", lambda: [other])
    kernel.folder.cache_clear()
    assert kernel.folder() != first


def test_every_kernel_module_counts(fresh):
    names = {source.name for source in kernel._sources()}
    assert {"kernel.py", "kernels.py", "tree_kernels.py", "alphabeta_kernels.py"} <= names


def test_where_the_folder_is_a_file_one_goes_on_and_says_so_once(tmp_path):
    (tmp_path / "file").touch()
    program = """
        from pentad.kernel import folder, kernel
        @kernel
        def double(number):
            return 2 * number
        print(folder(), folder(), double(21))
    """
    told, said = run(program, PENTAD_CACHE=str(tmp_path / "file"))
    assert told == "None None 42"
    assert said.count("cannot be kept") == 1


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
    environment = {"PENTAD_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(tmp_path)}
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
    sys.modules["some_kernels"].WARM_UP.append(lambda: source.write_text("after"))
    assert kernel._compile("some_kernels", place.name) == kernel.CHANGED  # they change while it is at work
    assert not place.exists()
    assert kernel._compile("some_kernels", place.name) == kernel.CHANGED  # and had changed before
    assert not place.exists()


def test_sources_that_change_meanwhile_are_told_once_and_compiled(source, monkeypatch):
    asked = []

    def compile_in_child(place, name):
        asked.append(place)
        if len(asked) == 1:
            source.write_text("after")
            return False
        kernel._done(place, name).touch()
        return True

    monkeypatch.setattr(kernel, "_compile_in_child", compile_in_child)
    with pytest.warns(RuntimeWarning, match="sources of kernels have changed") as told:
        place = kernel.keep("some_kernels")
    assert len(told) == 1
    assert asked == [asked[0], place]
    assert asked[0] != place == kernel.folder()


def test_a_child_that_finds_other_sources_says_so(fresh):
    place = kernel.folder().with_name("kernels-other")
    assert not kernel._compile_in_child(place, "some_kernels")


def test_a_failing_compilation_is_told_not_hidden(tmp_path):
    (tmp_path / "bad_kernels.py").write_text("WARM_UP = [lambda: 1 / 0]")
    program = """
        from pentad import kernel
        try:
            kernel.prepare("bad_kernels")
        except ZeroDivisionError:
            print("told")
    """
    told, said = run(program, PENTAD_CACHE=str(tmp_path / "cache"), PYTHONPATH=str(tmp_path))
    assert told == "told"
    assert "could not be compiled" in said


def test_the_bar_shows_on_a_terminal_only(capsys, monkeypatch):
    with kernel.Waiting("pentad.pentagame.engine.kernels") as waiting:
        waiting.tell(1, 2)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    waiting = kernel.Waiting("pentad.pentagame.engine.kernels")
    waiting.tell(1, 2)
    with waiting:
        pass
    told = capsys.readouterr().err
    assert "preparing pentagame's engine, once on this machine │███████████████ " in told
    assert told.endswith("\r\x1b[K")  # and it is wiped away


def test_nothing_warns_when_all_is_well(fresh):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert kernel.folder() is not None
