"""Machine code of a module's entry points: one object file for a processor, which needs nothing but the C library.

All kernels of a table are compiled by numba and linked to one LLVM module, then optimised and emitted together. An
entry point takes the address of a block with its arguments (`blocks`). The
arrays that drivers pass have no owner to count references for, so the counting that numba writes is dropped; kernels
are markedly faster without it. What would need Python's or numba's run time is refused: arrays made in a kernel,
exceptions, functions of the mathematics library.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pentad.kernels import cache
from pentad.kernels.blocks import block_type
from pentad.kernels.decorator import IS_DUE, kernel, numba_compiler
from pentad.kernels.libraries import SET_DEADLINE
from pentad.kernels.parameters import Entry, RecordType, entries_of
from pentad.kernels.processors import this_level
from pentad.system.words import phrase

# Functions of the C library that every process has, and of Emscripten's that every page has.
ALLOWED = {"memset", "memcpy", "memmove", "emscripten_get_now"}
RAISED = "pentad_raised"  # called where a kernel raises an exception; it remains only if one may
CAUSES = {  # what needs the symbols with this beginning
    RAISED: "it may raise an exception",
    "NRT_": "it makes an array",
}
# LLVM's functions that become calls of the mathematics library.
MATHEMATICS = re.compile(r"llvm\.(a?(?:sin|cos|tan)h?|exp2?|exp10|log|log2|log10|powi?|atan2|ldexp|frexp)\.")

# Definitions and declarations of the functions that count references.
_COUNTING = re.compile(
    r"^define [^\n]*@NRT_(?:incref|decref)\(.*?^}\n|^declare [^\n]*@NRT_(?:incref|decref)\(.*?\n",
    re.MULTILINE | re.DOTALL,
)
_NO_COUNTING = "".join(
    f"\ndefine internal void @NRT_{name}(ptr %p) alwaysinline {{\n  ret void\n}}\n" for name in ("incref", "decref")
)
# What `is_due` does, by the target's triple. A thread watches the clock where there are threads.
NOW = "emscripten_get_now"
POLLS_PER_LOOK = 64  # the clock is looked at after so many
NO_CLOCK = f"""
define internal i64 @{IS_DUE}() alwaysinline {{
  ret i64 0
}}
"""
CLOCKS = {
    "wasm32-unknown-emscripten": f"""
@pentad_deadline = internal global double 0x7FF0000000000000
@pentad_polls = internal global i32 0
declare double @{NOW}()
define void @{SET_DEADLINE}(double %milliseconds) {{
  %now = call double @{NOW}()
  %then = fadd double %now, %milliseconds
  store double %then, ptr @pentad_deadline
  ret void
}}
define internal i64 @{IS_DUE}() {{
  %before = load i32, ptr @pentad_polls
  %polls = add i32 %before, 1
  store i32 %polls, ptr @pentad_polls
  %part = urem i32 %polls, {POLLS_PER_LOOK}
  %looks = icmp eq i32 %part, 0
  br i1 %looks, label %look, label %later
look:
  %deadline = load double, ptr @pentad_deadline
  %now = call double @{NOW}()
  %due = fcmp oge double %now, %deadline
  %found = zext i1 %due to i64
  ret i64 %found
later:
  ret i64 0
}}
"""
}
_IS_DUE_DECLARED = re.compile(rf"^declare [^\n]*@{IS_DUE}\(\)[^\n]*\n", re.MULTILINE)
_OF_THIS_PROCESSOR = re.compile(r'"(?:target-cpu|target-features|probe-stack)"="[^"]*"')
_SQRT = re.compile(r"@sqrt(f?)\(")  # an instruction of every processor
SMALL_INLINED = 100  # what LLVM says of a function that is inlined into small code at most; 225 is usual
_COMMON = re.compile(r"= common (?:local_unnamed_addr )?global")


class BadKernel(Exception):
    """A kernel needs what machine code cannot have."""


@dataclass(frozen=True, slots=True)
class Processor:
    """A processor that code is made for: LLVM's target triple, its name, and its features beyond those of the name.

    Code that `is_small` is for pages that wait for it: less of it is inlined, and no loop is unrolled.
    """

    triple: str
    name: str
    features: str = ""
    is_small: bool = False


@dataclass(frozen=True, slots=True)
class Linked:
    """The kernels of a module as LLVM's text, not optimised, and the type that each entry point returns."""

    text: str
    results: Mapping[str, str]


def link(module: str) -> Linked:
    """Compiles the kernels of a module, and links them with entry points that any C compiler could call."""
    numba_compiler()
    from pentad.kernels.numba_internals import compiled_together

    functions = {name: _taking_block(f"{module}.{name}", entry) for name, entry in entries_of(module).items()}
    text, found = compiled_together(module, functions)
    text = _IS_DUE_DECLARED.sub("", _COUNTING.sub("", text))
    text = _COMMON.sub("= internal global", _OF_THIS_PROCESSOR.sub("", text))
    text = _SQRT.sub(lambda match: f"@llvm.sqrt.{'f32' if match[1] else 'f64'}(", text)
    wrappers = "".join(_entry_point(name, each.symbol, each.result) for name, each in found.items())
    results = {name: each.result for name, each in found.items()}
    return Linked(f"{text}{_NO_COUNTING}\ndeclare void @{RAISED}()\n{wrappers}", results)


def emit(linked: Linked, processor: Processor) -> bytes:
    """The object file for a processor."""
    from llvmlite import binding  # type: ignore[import-untyped]

    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    binding.initialize_native_asmparser()
    machine = binding.Target.from_triple(processor.triple).create_target_machine(
        cpu=processor.name, features=processor.features, opt=3, reloc="pic", codemodel="small"
    )
    clock = CLOCKS.get(processor.triple, NO_CLOCK)
    code = binding.parse_assembly(f"{linked.text}{clock}")
    code.triple, code.data_layout = processor.triple, str(machine.target_data)
    for function in code.functions:
        if not function.is_declaration and function.name not in (*linked.results, SET_DEADLINE):
            function.linkage = "internal"
    # Each round of passes inlines more and finds more exceptions that cannot be raised; two are enough for most tables.
    for number, level in enumerate((2, 3, 3, 3), 1):
        level = min(level, 2 if processor.is_small else 3)
        options = binding.create_pipeline_tuning_options(speed_level=level)
        options.loop_vectorization = options.slp_vectorization = level == 3
        options.loop_interleaving = options.loop_unrolling = level == 3
        if processor.is_small:
            options.inlining_threshold = SMALL_INLINED
        passes = binding.create_pass_builder(machine, options)
        passes.getModulePassManager().run(code, passes)
        if number > 1 and not _refused(code):
            break
    if refused := _refused(code):
        raise BadKernel(refused)
    return bytes(machine.emit_object(code))


def _refused(code: Any) -> str:
    """Why code cannot become machine code: it calls what is not there. Empty for code without such calls."""
    for function in code.functions:
        name = function.name
        of_mathematics = MATHEMATICS.match(name)
        is_there = name.startswith("llvm.") and not of_mathematics
        if function.is_declaration and not is_there and name not in ALLOWED:
            callers = _callers(str(code), name)
            if callers:
                called = of_mathematics[1] if of_mathematics else name
                reason = next((each for begin, each in CAUSES.items() if name.startswith(begin)), f"it calls {called}")
                return phrase("Kernel {caller} cannot become machine code: {reason}.", caller=callers[0], reason=reason)
    return ""


def _callers(text: str, name: str) -> list[str]:
    """The functions that call a function, by their own names in the source if they are kernels."""
    found, here = [], ""
    for line in text.splitlines():
        if line.startswith("define "):
            here = line.partition("@")[2].partition("(")[0].strip('"')
        elif f"@{name}(" in line and not line.startswith("declare "):
            found.append(_own_name(here))
    return found


def _own_name(symbol: str) -> str:
    """The name of a kernel in the source, from numba's symbol for it.

    >>> _own_name("_ZN6pentad5games5pente7kernels6searchB2v1B40c8tJTIe")
    'pentad.games.pente.kernels.search'
    """
    rest, parts = symbol.removeprefix("_ZN"), []
    while match := re.match("[1-9][0-9]*", rest):
        end = match.end() + int(match.group())
        parts.append(rest[match.end() : end])
        rest = rest[end:]
    return ".".join(parts) or symbol


def _taking_block(name: str, entry: Entry) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """A function that takes the address of a block with all arguments, for numba; and the type of its argument."""
    parts = [(f"a{number}", one) for number, one in enumerate(entry.declared)]
    given = [
        f"block.{name}" if isinstance(one, RecordType) or one.value is None else f"{one.value}" for name, one in parts
    ]
    names: dict[str, Any] = {"function": _as_kernel(entry.function)}
    exec(f"def call(block):\n    return function({', '.join(given)})", names)
    return names["call"], (block_type(name, parts),)


def _as_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function as numba compiles it; tables may have plain ones, which Python calls as well."""
    return function if hasattr(function, "py_func") else kernel(function)


def _entry_point(name: str, function: str, result: str) -> str:
    """A function with C's calling convention around one of numba's, which returns its result by a pointer."""
    kinds = {"float64": ("double", "double"), "boolean": ("i8", "i64"), "bool": ("i8", "i64"), "none": ("ptr", "i64")}
    inner, outer = kinds.get(result, ("i64", "i64"))
    given_back = {"i8": "%wide = zext i8 %value to i64\n  ret i64 %wide", "ptr": "ret i64 0"}.get(
        inner, f"ret {outer} %value"
    )
    symbol = function if function.startswith('"') else f'"{function}"'
    return f"""
define {outer} @{name}(ptr %block) {{
  %place = alloca {inner}
  %error = alloca ptr
  %status = call i32 @{symbol}(ptr %place, ptr %error, ptr %block)
  %good = icmp eq i32 %status, 0
  %none = icmp eq i32 %status, -2
  %fine = or i1 %good, %none
  br i1 %fine, label %end, label %bad
bad:
  call void @{RAISED}()
  unreachable
end:
  %value = load {inner}, ptr %place
  {given_back}
}}
"""


# ── code that is kept ────────────────────────────────────────────────────────────────────────────


def processor(level: str) -> Processor:
    """A processor of a level, on this machine's operating system."""
    from llvmlite import binding

    triple = binding.get_default_triple()
    return Processor(triple, level if level.startswith("x86-64") else binding.get_host_cpu_name())


def keep(module: str, folder: Path, levels: Iterable[str] = ()) -> None:
    """Writes the object file of a module for each level, by default this machine's, and an index to load them by."""
    linked = link(module)
    for level in levels or (this_level(),):
        (folder / cache.object_name(module, level)).write_bytes(emit(linked, processor(level)))
    index = json.dumps(signatures(module, linked.results))
    (folder / cache.index_name(module)).write_text(index, encoding="utf-8")


def signatures(module: str, results: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """The parameters of each entry point, as its table declares them, and the type of its result."""
    return {
        name: {"parameters": " ".join(map(str, entry.parameters)), "result": results[name]}
        for name, entry in entries_of(module).items()
    }
