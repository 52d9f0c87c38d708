"""How much memory there is: numbers that can be, whatever a machine tells and whatever it does not."""

import mmap
from pathlib import Path

import pytest

from pentad import system_memory

GROUP = "/sys/fs/cgroup"


@pytest.fixture
def told(monkeypatch):
    """What the machine's files say; those that are not in it cannot be read."""
    files = {}

    def read_text(path, *_, **__):
        try:
            return files[str(path)]
        except KeyError:
            raise FileNotFoundError(str(path)) from None

    monkeypatch.setattr(Path, "read_text", read_text)
    return files


def test_the_numbers_are_likely():
    used, free, every = system_memory.used_memory(), system_memory.free_memory(), system_memory.all_memory()
    assert 1 << 20 < used < every
    assert 0 < free <= every
    assert every > 1 << 27


def test_memory_that_is_taken_is_seen():
    before = system_memory.used_memory()
    taken = mmap.mmap(-1, 64 << 20)  # of its own, where an array may get what was given back before
    taken.write(b"x" * (64 << 20))
    assert system_memory.used_memory() >= before + (60 << 20)
    assert len(taken) == 64 << 20


def test_what_is_available_is_free(told):
    told["/proc/meminfo"] = "MemTotal: 100 kB\nMemFree: 10 kB\nMemAvailable:      40 kB\nSwapFree: 7 kB\n"
    assert system_memory.free_memory() == 40 * 1024


def test_a_limit_of_a_container_counts(told):
    told["/proc/meminfo"] = "MemAvailable: 4000000 kB\n"
    told[f"{GROUP}/memory.max"], told[f"{GROUP}/memory.current"] = "1000000\n", "400000\n"
    assert system_memory.free_memory() == 600_000
    told[f"{GROUP}/memory.current"] = "2000000\n"
    assert system_memory.free_memory() == 0
    told[f"{GROUP}/memory.max"] = "max\n"
    assert system_memory.free_memory() == 4_000_000 * 1024
    told[f"{GROUP}/memory.max"] = "9000000000\n"
    assert system_memory.free_memory() == 4_000_000 * 1024


@pytest.mark.parametrize("garbage", ["", "MemAvailable:\n", "MemAvailable: much kB\n", "\0"])
def test_a_machine_that_does_not_tell_has_half_of_all(told, garbage, monkeypatch):
    monkeypatch.setattr(system_memory, "all_memory", lambda: 1000)
    assert system_memory.free_memory() == 500
    told["/proc/meminfo"] = garbage
    assert system_memory.free_memory() == 500


def test_a_machine_without_such_numbers_has_some(told, monkeypatch):
    def unknown(*_):
        raise ValueError

    monkeypatch.setattr(system_memory.os, "sysconf", unknown)
    assert system_memory.all_memory() == system_memory.MUCH
    assert system_memory.free_memory() == system_memory.MUCH // 2
    assert system_memory.used_memory() > 1 << 20  # by the most that it has taken
