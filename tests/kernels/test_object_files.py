"""Object files in memory, against what LLVM's own loader makes of them."""

import ctypes
import struct
import sys

import pytest

from pentad.kernels import object_files
from pentad.kernels.object_files import UnknownFile, link, load
from pentad.kernels.processors import machine_name

pytestmark = pytest.mark.skipif(
    not (sys.platform == "linux" and machine_name() == "x86_64"), reason="needs Linux on x86-64"
)

# A table that one function reads, a call between functions, and one of the C library.
CODE = """
@table = internal constant [5 x i64] [i64 3, i64 1, i64 4, i64 1, i64 5]
declare ptr @memset(ptr, i32, i64)
define internal i64 @twice(i64 %n) noinline {
  %found = mul i64 %n, 2
  ret i64 %found
}
define i64 @twice_of(i64 %n) {
  %place = getelementptr i64, ptr @table, i64 %n
  %value = load i64, ptr %place
  %found = call i64 @twice(i64 %value)
  ret i64 %found
}
define i64 @filled(ptr %to) {
  %place = call ptr @memset(ptr %to, i32 7, i64 4)
  ret i64 0
}
define i64 @chosen(i64 %n) {
  switch i64 %n, label %z [ i64 0, label %a i64 1, label %b i64 2, label %c i64 3, label %d i64 4, label %e ]
a:
  ret i64 111
b:
  %x = mul i64 %n, 17
  ret i64 %x
c:
  %y = call i64 @twice(i64 %n)
  ret i64 %y
d:
  ret i64 -5
e:
  ret i64 1234567
z:
  ret i64 0
}
"""


def compiled(text):
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_default_triple().create_target_machine(opt=2, reloc="pic", codemodel="small")
    return bytes(machine.emit_object(binding.parse_assembly(text)))


@pytest.fixture(scope="module")
def code():
    return compiled(CODE)


ENGINES = []  # owners of the code, for as long as the process may run it


def by_llvm(code):
    from llvmlite import binding

    engine = binding.create_mcjit_compiler(
        binding.parse_assembly(""), binding.Target.from_default_triple().create_target_machine()
    )
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    ENGINES.append(engine)
    return engine


def results(address_of):
    functions = {
        name: ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(address_of(name))
        for name in ("twice_of", "filled", "chosen")
    }
    memory = ctypes.create_string_buffer(b"abcdef")
    functions["filled"](ctypes.addressof(memory))
    return [functions["twice_of"](n) for n in range(5)], [functions["chosen"](n) for n in range(7)], memory.raw


def test_functions_do_the_same_as_those_that_llvm_loads(code):
    engine = by_llvm(code)
    found = results(load(code).__getitem__)
    assert found == results(engine.get_function_address)
    assert found[0] == [6, 2, 8, 2, 10]
    assert found[2] == b"\x07\x07\x07\x07ef\0"


@pytest.mark.parametrize("at", [0, 4, 5, 16, 18])  # its first bytes, its kind, the processor
def test_other_files_are_left_to_others(code, at):
    with pytest.raises(UnknownFile):
        link(code[:at] + b"\x03" + code[at + 1 :])
    with pytest.raises(UnknownFile):
        link(code[:at])


def test_memory_that_is_written_is_left_to_others():
    with pytest.raises(UnknownFile):
        link(compiled("@count = global i64 5\ndefine ptr @place() {\n  ret ptr @count\n}"))
    with pytest.raises(UnknownFile):
        link(compiled("@count = global i64 0\ndefine ptr @place() {\n  ret ptr @count\n}"))


def test_unknown_relocations_are_left_to_others(code):
    (table,), (count,) = struct.unpack_from("<Q", code, 40), struct.unpack_from("<H", code, 60)
    sections = [
        object_files.FileSection(*struct.unpack_from("<IIQQQQIIQQ", code, table + 64 * n)) for n in range(count)
    ]
    first = next(each for each in sections if each.kind == object_files.RELOCATIONS).begin
    of_64_bits = code[: first + 8] + b"\x01" + code[first + 9 :]
    with pytest.raises(UnknownFile):
        link(of_64_bits)


def test_other_systems_are_left_to_others(code, monkeypatch):
    monkeypatch.setattr(object_files, "machine_name", lambda: "aarch64")
    with pytest.raises(UnknownFile):
        load(code)


def test_a_system_that_runs_no_new_memory_is_left_to_others(code, monkeypatch):
    monkeypatch.setattr(object_files, "READ_AND_RUN", 1 << 20)
    with pytest.raises(UnknownFile):
        load(code)
