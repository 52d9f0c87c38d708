"""The memory functions: plausible numbers, whatever the machine reports and whatever it lacks."""

import mmap
from pathlib import Path

import pytest

from pentad.system import memory as system_memory

GROUP = "/sys/fs/cgroup"


@pytest.fixture
def files(monkeypatch):
    """The contents of system files; all others cannot be read."""
    files = {}

    def read_text(path, *_, **__):
        try:
            return files[str(path)]
        except KeyError:
            raise FileNotFoundError(str(path)) from None

    monkeypatch.setattr(Path, "read_text", read_text)
    return files


def test_the_numbers_are_plausible():
    used, free, every = system_memory.used_memory(), system_memory.free_memory(), system_memory.all_memory()
    assert 1 << 20 < used < every
    assert 0 < free <= every
    assert every > 1 << 27


def test_allocated_memory_is_counted():
    before = system_memory.used_memory()
    taken = mmap.mmap(-1, 64 << 20)  # its own mapping: an array could reuse freed memory
    taken.write(b"x" * (64 << 20))
    assert system_memory.used_memory() >= before + (60 << 20)
    assert len(taken) == 64 << 20


def test_available_memory_is_free(files):
    files["/proc/meminfo"] = "MemTotal: 100 kB\nMemFree: 10 kB\nMemAvailable:      40 kB\nSwapFree: 7 kB\n"
    assert system_memory.free_memory() == 40 * 1024


def test_a_containers_limit_counts(files):
    files["/proc/meminfo"] = "MemAvailable: 4000000 kB\n"
    files[f"{GROUP}/memory.max"], files[f"{GROUP}/memory.current"] = "1000000\n", "400000\n"
    assert system_memory.free_memory() == 600_000
    files[f"{GROUP}/memory.stat"] = "anon 250000\nfile 150000\ninactive_file 100000\nactive_file 50000\n"
    assert system_memory.free_memory() == 700_000
    files[f"{GROUP}/memory.stat"] = "inactive_file\n"
    assert system_memory.free_memory() == 600_000
    files[f"{GROUP}/memory.current"] = "2000000\n"
    assert system_memory.free_memory() == 0
    files[f"{GROUP}/memory.max"] = "max\n"
    assert system_memory.free_memory() == 4_000_000 * 1024
    files[f"{GROUP}/memory.max"] = "9000000000\n"
    assert system_memory.free_memory() == 4_000_000 * 1024


def test_the_limits_of_all_groups_of_the_process_count(files):
    """A service of systemd has a group of its own, which lies in others."""
    files["/proc/meminfo"] = "MemAvailable: 4000000 kB\n"
    files["/proc/self/cgroup"] = "1:name=systemd:/other\n0::/system.slice/pentad.service\n"
    for group, most in (("", 3_000_000), ("/system.slice", 1_000_000), ("/system.slice/pentad.service", 2_000_000)):
        files[f"{GROUP}{group}/memory.max"], files[f"{GROUP}{group}/memory.current"] = f"{most}\n", "400000\n"
    assert system_memory.free_memory() == 600_000
    files[f"{GROUP}/system.slice/pentad.service/memory.max"] = "500000\n"
    assert system_memory.free_memory() == 100_000
    files[f"{GROUP}/other/memory.max"], files[f"{GROUP}/other/memory.current"] = "1\n", "1\n"
    assert system_memory.free_memory() == 100_000
    files["/proc/self/cgroup"] = "0::/../elsewhere\n"  # a group outside of the container
    assert system_memory.free_memory() == 2_600_000


@pytest.mark.parametrize("garbage", ["", "MemAvailable:\n", "MemAvailable: much kB\n", "\0"])
def test_without_a_number_half_of_all_memory_is_free(files, garbage, monkeypatch):
    monkeypatch.setattr(system_memory, "all_memory", lambda: 1000)
    assert system_memory.free_memory() == 500
    files["/proc/meminfo"] = garbage
    assert system_memory.free_memory() == 500


def test_without_any_numbers_a_size_is_assumed(files, monkeypatch):
    def unknown(*_):
        raise ValueError

    monkeypatch.setattr(system_memory.os, "sysconf", unknown)
    assert system_memory.all_memory() == system_memory.ASSUMED_MEMORY_BYTES
    assert system_memory.free_memory() == system_memory.ASSUMED_MEMORY_BYTES // 2
    assert system_memory.used_memory() > 1 << 20  # the peak so far
