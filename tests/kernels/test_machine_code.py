"""Machine code: what it refuses, its levels, and the tables of all modules."""

import ctypes
import os
import textwrap

import pytest

from pentad.kernels import backends, cache, processors
from pentad.kernels.buffers import FORMATS
from pentad.kernels.parameters import Parameter, entries_of, parameter
from tests.cases import slow
from tests.programs import run

pytestmark = pytest.mark.skipif(backends.is_jit_disabled(), reason="JIT disabled")

TABLES = (
    "pentad.games.pentago.solver.pass_kernels",
    "pentad.games.pentago.engine.search_kernels",
    "pentad.games.pentago.playouts.kernels",
    "pentad.games.pentagame.engine.search_kernels",
    "pentad.grammar.arrays.kernels",
    "pentad.grammar.compiled.narrow_kernels",
    "pentad.grammar.compiled.wide_kernels",
    "pentad.games.pente.engine.search_kernels",
)

REFUSED = """
    import numpy as np
    from pentad.kernels.decorator import kernel
    import math
    from pentad.kernels.types import Int64s
    @kernel
    def bad(numbers: Int64s, n: {kind}) -> int:
        {body}
    NATIVE = {{"bad": bad}}
"""

COMPILED = """
    from pentad.kernels import machine_code, parameters
    from pentad.kernels.decorator import compile_parts_only
    compile_parts_only()
    try:
        machine_code.emit(machine_code.link("bad_kernels"), machine_code.processor("x86-64-v2"))
    except (machine_code.BadKernel, parameters.BadTable) as error:
        print(error)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "kind", "reason"),
    [
        ("return np.zeros(n).sum() > 0", "int", "Kernel bad cannot become machine code: it makes an array."),
        (
            "if n < 0: raise ValueError(3)\n    return n",
            "int",
            "Kernel bad cannot become machine code: it may raise an exception.",
        ),
        slow("return math.exp(n) > 1", "int", "Kernel bad cannot become machine code: it calls exp."),
        ("return n", "str", "bad_kernels, kernel bad: n has no type that kernels know."),
    ],
)
def test_what_cannot_become_machine_code_is_refused(tmp_path, body, kind, reason):
    source = textwrap.dedent(REFUSED).format(body=body, kind=kind)
    (tmp_path / "bad_kernels.py").write_text(source)
    assert run(COMPILED, tmp_path)[0] == reason


STEPS = """
    from pentad.kernels.decorator import kernel
    from pentad.kernels.types import Int64s

    @kernel{how}
    def step(numbers: Int64s, by: int) -> int:
        total = 0
        for n in range(len(numbers)):
            total += numbers[n] % by // (by + 1) % (by + 2) // (by + 3) % (by + 4) // (by + 5)
            total -= numbers[n] // by % (by + 1) // (by + 2) % (by + 3) // (by + 4) % (by + 5)
            numbers[n] = total % (by + 6) // (by + 7)
        return total

    @kernel
    def steps(numbers: Int64s) -> int:
        return step(numbers, len(numbers)) + step(numbers, 2 + len(numbers))

    NATIVE = {{"steps": steps}}
"""

CODE_OF_STEPS = """
    from pentad.kernels import machine_code
    from pentad.kernels.decorator import compile_parts_only
    compile_parts_only()
    linked = machine_code.link("step_kernels")
    page = machine_code.Processor("wasm32-unknown-emscripten", "generic")
    for processor in machine_code.processor("x86-64-v2"), page:
        print(b"4stepB" in machine_code.emit(linked, processor))
"""

STEPS_TAKEN = """
    from pentad.kernels.buffers import array
    from pentad.kernels.program import program
    print(program("step_kernels")("steps", array([5, 3, 8], "int64")))
"""


@pytest.mark.slow
@pytest.mark.parametrize(("how", "is_called"), [("", "True"), ("(inline=True)", "False")])
def test_an_inlined_kernel_is_no_function_of_its_own(tmp_path, how, is_called):
    (tmp_path / "step_kernels.py").write_text(textwrap.dedent(STEPS).format(how=how))
    assert run(CODE_OF_STEPS, tmp_path)[0].split() == [is_called, is_called]
    compiled, _ = run(STEPS_TAKEN, tmp_path, PENTAD_CACHE=str(tmp_path / "cache"))
    assert compiled == run(STEPS_TAKEN, tmp_path, NUMBA_DISABLE_JIT="1")[0]


def test_parameters():
    assert parameter("float64") == Parameter("float64")
    assert parameter("int16[,3,128]") == Parameter("int16", True, (3, 128))
    assert parameter("uint8[]") == Parameter("uint8", True)
    assert parameter("=12") == Parameter("int64", value=12)


@pytest.mark.parametrize("module", TABLES)
def test_every_table_fits_its_kernels(module):
    for entry in entries_of(module).values():
        assert {each.kind for each in entry.parameters} <= {*FORMATS}
    folder = cache.ensure_compiled(module)
    assert (folder / cache.index_name(module)).exists()


def test_the_level_of_a_processor():
    v2, v3, v4 = processors.LEVELS.values()
    assert processors.level_of([]) == "x86-64"
    assert processors.level_of(v2) == "x86-64-v2"
    assert processors.level_of([*v2, *v4]) == "x86-64-v2"  # a level needs all below it
    assert processors.level_of([*v2, *v3, "sse"]) == "x86-64-v3"
    assert processors.level_of([*v2, *v3, *v4]) == "x86-64-v4"


def test_lower_levels_run_too(monkeypatch):
    monkeypatch.setattr(processors, "this_level", lambda: "x86-64-v3")
    assert processors.runnable_levels() == ["x86-64-v3", "x86-64-v2", "x86-64"]
    monkeypatch.setattr(processors, "this_level", lambda: "aarch64")
    assert processors.runnable_levels() == ["aarch64"]


SIDE_BY_SIDE = """
    from pathlib import Path
    from pentad.kernels import backends, cache, machine_code, processors, program
    from pentad.kernels.decorator import compile_parts_only
    compile_parts_only()
    folder = Path("{folder}")
    machine_code.keep("some_kernels", folder, ["x86-64-v2", "x86-64-v3"])
    for best, name in {{"x86-64-v4": "v3", "x86-64-v3": "v3", "x86-64-v2": "v2"}}.items():
        processors.this_level = lambda: best
        code, signatures = program._kept(folder, "some_kernels")
        assert code == (folder / cache.object_name("some_kernels", f"x86-64-{{name}}")).read_bytes(), best
        assert program._loaded(code, signatures)("twice", 21) == 42
    processors.this_level = lambda: "x86-64"
    assert program._kept(folder, "some_kernels") is None
    print("loaded")
"""


@pytest.mark.slow
@pytest.mark.skipif(processors.this_level() not in ("x86-64-v3", "x86-64-v4"), reason="needs x86-64-v3")
def test_the_best_of_several_levels_is_loaded(tmp_path):
    (tmp_path / "some_kernels.py").write_text(
        "from pentad.kernels.decorator import kernel\n@kernel\ndef twice(n: int) -> int:\n    return 2 * n\n"
        'NATIVE = {"twice": twice}\n'
    )
    assert run(SIDE_BY_SIDE.format(folder=tmp_path), tmp_path)[0] == "loaded"


def test_kernels_need_only_the_c_library():
    """The object files of all tables define or import nothing else."""
    from llvmlite import binding

    from pentad.kernels.machine_code import ALLOWED

    binding.initialize_native_target()
    for module in TABLES:
        folder = cache.ensure_compiled(module)
        data = (folder / cache.object_name(module, processors.this_level())).read_bytes()
        names = imported(data)
        assert names <= ALLOWED, (module, names)


def imported(data):
    """The undefined symbols of an ELF object file."""
    if data[:4] != b"\x7fELF":
        pytest.skip("not an ELF file")
    header = int.from_bytes(data[40:48], "little")
    size, count = int.from_bytes(data[58:60], "little"), int.from_bytes(data[60:62], "little")
    sections = [data[header + n * size : header + (n + 1) * size] for n in range(count)]

    def numbers(section):
        kind = int.from_bytes(section[4:8], "little")
        offset, length = (int.from_bytes(section[at : at + 8], "little") for at in (24, 32))
        return kind, offset, length, int.from_bytes(section[40:44], "little")

    found = set()
    for section in sections:
        kind, offset, length, link = numbers(section)
        if kind != 2:  # the symbol table is of kind 2
            continue
        _, strings, _, _ = numbers(sections[link])
        for at in range(offset + 24, offset + length, 24):
            name, owner = int.from_bytes(data[at : at + 4], "little"), int.from_bytes(data[at + 6 : at + 8], "little")
            if owner == 0:
                end = data.index(b"\0", strings + name)
                found.add(data[strings + name : end].decode())
    return found - {""}


def test_the_c_types_have_the_sizes_of_the_kinds():
    assert ctypes.sizeof(ctypes.c_int64) == 8
    assert os.environ.get(processors.CHOSEN) is None
