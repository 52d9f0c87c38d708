"""Machine code that comes with the installation: what is loaded, what is refused, and what runs instead."""

from __future__ import annotations

import ctypes
import hashlib
import json
import math
import shutil
import sys
from pathlib import Path

import pytest

from pentad.kernels import backends, cache, libraries, prebuilt, processors, program
from pentad.system.extras import installing_command
from tests.programs import bare, run

TABLE = "pentad.some_kernels"
# A function of the mathematics library that takes one pointer, as kernels do: `nan` of an empty text.
SIGNATURES = {"nan": {"parameters": "int64", "result": "float64"}}


def mathematics() -> Path:
    """The file of this process's mathematics library: a shared library that is on every machine."""
    ctypes.CDLL("libm.so.6")
    lines = Path("/proc/self/maps").read_text().splitlines()
    return Path(next(line.split()[-1] for line in lines if "/libm.so" in line or "/libm-" in line))


class Installation:
    """A folder of libraries with its manifest."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sources = backends.sources_hash()
        self.signatures = SIGNATURES
        self.hashes: dict[str, str] = {}

    def add(self, level: str) -> Path:
        file = self.folder / f"{processors.library_stem(TABLE, level)}.so"
        shutil.copy(mathematics(), file)
        self.hashes[file.name] = hashlib.sha256(file.read_bytes()).hexdigest()
        return file

    def write(self) -> None:
        manifest = {"sources": self.sources, "modules": {TABLE: self.signatures}, "libraries": self.hashes}
        (self.folder / libraries.MANIFEST).write_text(json.dumps(manifest))


@pytest.fixture
def installation(tmp_path, monkeypatch):
    if not sys.platform.startswith("linux"):
        pytest.skip("the library of the test is Linux's")
    monkeypatch.setattr(libraries, "FOLDER", tmp_path)
    monkeypatch.setattr(processors, "this_level", lambda: "x86-64-v3")
    cached = (libraries.manifest, libraries.library, program.program)
    for each in cached:
        each.cache_clear()
    yield Installation(tmp_path)
    for each in cached:
        each.cache_clear()
    prebuilt._refused.clear()


def test_the_best_level_is_loaded_and_the_cache_is_not_asked(installation, monkeypatch, capsys):
    for level in ("x86-64-v2", "x86-64-v3", "x86-64-v4"):
        installation.add(level)
    installation.write()
    monkeypatch.setattr(cache, "folder", lambda: pytest.fail("the cache was asked"))
    assert cache.are_compiled(TABLE)
    assert math.isnan(program.program(TABLE)("nan", 0))
    assert [Path(each).name for each in loaded(installation)] == ["some_kernels.x86-64-v3.so"]
    assert capsys.readouterr().err == ""


def loaded(installation):
    lines = Path("/proc/self/maps").read_text().splitlines()
    return {line.split()[-1] for line in lines if str(installation.folder) in line}


@pytest.mark.parametrize(
    "damage", [lambda data: data[: len(data) // 2], lambda data: data[:-1] + b"x", lambda data: b""]
)
def test_a_damaged_library_is_not_loaded(installation, damage, capsys):
    file = installation.add("x86-64-v3")
    installation.add("x86-64-v2")
    installation.write()
    file.write_bytes(damage(file.read_bytes()))
    assert math.isnan(program.program(TABLE)("nan", 0))  # the library is the other level's
    assert capsys.readouterr().err == f"pentad: Cannot load {file}: The file is damaged.\n"


def test_a_missing_library_is_reported(installation, capsys):
    file = installation.add("x86-64-v3")
    installation.write()
    file.unlink()
    assert cache.are_compiled(TABLE)
    assert prebuilt.load(TABLE) is None
    assert capsys.readouterr().err == (
        f"pentad: Cannot load {file}: No such file or directory.\n"
        f"pentad: No machine code of {TABLE} can be loaded for this x86-64-v3 processor.\n"
    )
    assert not prebuilt.has(TABLE)  # now it is known
    assert prebuilt.load(TABLE) is None
    assert capsys.readouterr().err == ""


def test_a_file_that_is_no_library_is_not_loaded(installation, capsys):
    file = installation.add("x86-64-v3")
    file.write_bytes(b"\x7fELF and nothing else")
    installation.hashes[file.name] = hashlib.sha256(file.read_bytes()).hexdigest()
    installation.write()
    assert prebuilt.load(TABLE) is None
    assert "pentad: Cannot load " in capsys.readouterr().err


def test_a_library_without_an_entry_point_is_not_loaded(installation, capsys):
    installation.add("x86-64-v3")
    installation.signatures = SIGNATURES | {"no such function": SIGNATURES["nan"]}
    installation.write()
    assert prebuilt.load(TABLE) is None
    assert "No machine code of pentad.some_kernels" in capsys.readouterr().err


def test_a_processor_below_all_levels(installation, monkeypatch, capsys):
    installation.add("x86-64-v3")
    installation.write()
    monkeypatch.setattr(processors, "this_level", lambda: "x86-64")
    assert not prebuilt.has(TABLE)
    assert prebuilt.load(TABLE) is None
    line = f"No machine code of {TABLE} can be loaded for this x86-64 processor."
    assert capsys.readouterr().err == f"pentad: {line}\n"


def test_libraries_of_other_sources_are_not_loaded(installation, capsys):
    installation.add("x86-64-v3")
    installation.sources = "0123456789abcdef"
    installation.write()
    assert not prebuilt.has(TABLE)
    assert prebuilt.load(TABLE) is None
    assert capsys.readouterr().err == (
        f"pentad: The machine code in {installation.folder} was made from other sources and is not used.\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "null", '"x"', "{}", '{"sources": 1}', '{"sources": "x", "modules": 3, "libraries": {}}'),
        '{"sources": "x", "modules": {"pentad.some_kernels": 3}, "libraries": {}}',
        '{"sources": "x", "modules": {"pentad.some_kernels": {"nan": {"parameters": ""}}}, "libraries": {}}',
    ],
)
def test_a_bad_manifest_is_reported_once(installation, text, capsys):
    file = installation.folder / libraries.MANIFEST
    file.write_text(text)
    assert not prebuilt.has(TABLE)
    assert prebuilt.load(TABLE) is None
    assert capsys.readouterr().err == f"pentad: Cannot read {file}.\n"


def test_a_checkout_has_none(capsys):
    assert libraries.manifest() == {"modules": {}, "libraries": {}}
    assert capsys.readouterr().err == ""


PLAYED = """
    import sys
    import pentad
    from pentad.kernels import cache
    assert cache.are_compiled("pentad.games.pentagame.engine.search_kernels")
    here = pentad.new("pentagame")
    move = pentad.bot("pentagame", "alphabeta", level=1, seed=1).choose(here)
    print(move in here.legal_moves, "numba" in sys.modules, "numpy" in sys.modules)
"""


def test_without_numba_and_machine_code_the_kernels_are_python(tmp_path):
    output, errors = run(PLAYED, bare(tmp_path), PENTAD_CACHE=str(tmp_path / "cache"))
    assert output == "True False False"
    line = f"Without numba the engines run as plain Python, about 1,000 times slower: {installing_command('compile')}."
    assert errors == f"pentad: {line}"
    assert not (tmp_path / "cache").exists()


REFUSED = """
    import pentad
    from pentad.games.pentago import from_number, solve
    from pentad.kernels.program import program
    for refused in (
        lambda: program("pentad.grammar.arrays.kernels"),
        lambda: solve(from_number(4312211864716913874)),
    ):
        try:
            refused()
        except pentad.GameError as error:
            print(error)
"""


def test_kernels_that_are_too_slow_as_python_say_what_to_install(tmp_path):
    output, errors = run(REFUSED, bare(tmp_path), PENTAD_CACHE=str(tmp_path / "cache"))
    assert output.split("\n") == [
        f"There is no machine code for pentad.grammar.arrays.kernels, and no numba to make it. {program.ADVICE}",
        f"The exact value of this board is not known here. Exact values need machine code or numba. {program.ADVICE}",
    ]
    assert errors == ""


EXPLORED = """
    from pentad.grammar import explore
    from pentad.grammar.logic.ctl import check
    from pentad.grammar.models import new
    found = explore(new("pentago", rows=1, cols=2, block=2, line=3, iso=False))
    print(found.engine, found.states, found.why)
    print(check("EF $final", found.lts))
    try:
        explore(new("tictactoe"), engine="compiled")
    except pentad.GameError as error:
        print(error)
"""


@pytest.mark.slow
def test_without_numpy_too_the_general_engine_explores(tmp_path):
    output, errors = run(f"\n    import pentad{EXPLORED}", bare(tmp_path), PENTAD_CACHE=str(tmp_path / "cache"))
    why = f"This installation has no machine code for it, and no numba. {program.ADVICE}"
    assert output.split("\n") == [
        f"general 6505 {why}",
        "EF $final holds",
        f"tictactoe: The compiled engine cannot run this grammar: {why}",
    ]
    assert errors == ""


def test_cpuid_agrees_with_linux_and_llvmlite():
    """What the processor and llvmlite report, against what Linux reports."""
    if processors.this_level() not in processors.LEVELS or not sys.platform.startswith("linux"):
        pytest.skip("needs Linux on x86-64")
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    binding.initialize_native_asmparser()
    machine = binding.Target.from_default_triple().create_target_machine()
    engine = binding.create_mcjit_compiler(binding.parse_assembly(processors.CPUID_CODE), machine)
    engine.finalize_object()
    number = ctypes.c_uint32
    place = engine.get_function_address(processors.CPUID)
    found = processors.features_of(ctypes.CFUNCTYPE(None, number, number, ctypes.c_void_p)(place))
    flags = Path("/proc/cpuinfo").read_text().partition("flags")[2].partition("\n")[0].split()
    assert set(found) == set(processors._features()) == set(flags) & set(processors.CPUID_BITS)


def test_wider_registers_need_the_operating_system():
    """A processor with all features, under a system that keeps the registers of some."""

    def reports(kept):
        def cpuid(leaf, subleaf, out):
            out[:] = [0xFFFFFFFF if leaf & 0x7FFFFFFF else leaf + 7, *[0xFFFFFFFF] * 3, kept]
            if leaf in (0, 0x80000000):
                out[0] = leaf + 7

        return processors.level_of(processors.features_of(cpuid))

    assert [reports(kept) for kept in (0, 0b10, 0b110, 0b11100110)] == [
        "x86-64-v2",
        "x86-64-v2",
        "x86-64-v3",
        "x86-64-v4",
    ]


def test_an_old_processor_has_no_leaf_for_new_features():
    def cpuid(leaf, subleaf, out):
        out[:] = [1 if leaf == 0 else leaf, *[0xFFFFFFFF] * 3, 0]
        assert leaf not in (7, 0x80000001)

    assert "avx2" not in processors.features_of(cpuid)
