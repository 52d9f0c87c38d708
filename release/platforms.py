"""The platforms that libraries of kernels are made for: those of the wheels, and the page without a server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pentad.kernels.processors import LEVELS

X86_64 = {level: level for level in ("x86-64", *LEVELS)}
LIBC = frozenset({"memcpy", "memmove", "memset"})


@dataclass(frozen=True, slots=True)
class Platform:
    """An operating system on a kind of processor.

    `levels` maps the levels of `pentad.kernels.processors` to LLVM's processors: a name, and perhaps features after a
    comma. `imports` are the functions that a library may take from outside, `libraries` the lower-case prefixes of
    the libraries that they may come from.
    """

    tag: str  # of its wheels; empty if it has none
    triple: str  # as LLVM names it
    linker: tuple[str, ...]  # one of ziglang, with its options
    suffix: str
    levels: Mapping[str, str]
    imports: frozenset[str] | None = None  # None: any, from the libraries
    libraries: tuple[str, ...] = ()
    exports: bool = False  # whether the linker must be told what to export
    is_small: bool = False  # whether pages wait for its code


def _cc(target: str) -> tuple[str, ...]:
    return "cc", "-target", target, "-shared", "-s"


def _linux(processor: str, levels: Mapping[str, str]) -> Platform:
    # The libraries name no C library: they take three functions from the one of their process, glibc or musl.
    return Platform(
        tag=".".join(f"{kind}_{processor}" for kind in ("manylinux2014", "manylinux_2_17", "musllinux_1_1")),
        triple=f"{processor}-unknown-linux-gnu",
        linker=(*_cc(f"{processor}-linux-musl"), "-nostdlib"),
        suffix="so",
        levels=levels,
        imports=LIBC,
    )


def _macos(processor: str, triple: str, tag: str, levels: Mapping[str, str]) -> Platform:
    # The system's library, which every process has, holds all that the code generator may call.
    return Platform(
        tag=tag,
        triple=triple,
        linker=_cc(f"{processor}-macos.11.0"),
        suffix="dylib",
        levels=levels,
        libraries=("/usr/lib/libsystem.b.dylib",),
    )


PLATFORMS = {
    "linux-x86_64": _linux("x86_64", X86_64),
    "linux-aarch64": _linux("aarch64", {"aarch64": "generic"}),
    "macos-arm64": _macos("aarch64", "arm64-apple-macosx11.0.0", "macosx_11_0_arm64", {"arm64": "apple-m1"}),
    "macos-x86_64": _macos("x86_64", "x86_64-apple-macosx11.0.0", "macosx_11_0_x86_64", X86_64),
    "windows-x86_64": Platform(
        tag="win_amd64",
        triple="x86_64-pc-windows-gnu",
        linker=_cc("x86_64-windows-gnu"),
        suffix="dll",
        levels=X86_64,
        libraries=("api-ms-win-crt-", "kernel32.dll"),
    ),
}

# The page without a server: a library is a side module of Pyodide, which loads it into Python's own memory.
BROWSER = "browser"
# The modules with which the same page plays before Python is there: they have a memory of their own. Their second level
# has the rules alone, for pages of a server.
INSTANT, RULES = "instant", "rules"
WASM = "generic,+bulk-memory,+sign-ext,+mutable-globals,+nontrapping-fptoint"
TARGETS = PLATFORMS | {
    BROWSER: Platform(
        tag="",
        triple="wasm32-unknown-emscripten",
        linker=(
            *("wasm-ld", "-shared", "--experimental-pic", "--export-dynamic"),
            *("--no-entry", "--allow-undefined", "--strip-all"),
        ),
        suffix="so",
        levels={"wasm32-simd": "generic,+simd128", "wasm32": "generic"},
        imports=LIBC | {"emscripten_get_now"},
    ),
    INSTANT: Platform(
        tag="",
        triple="wasm32-unknown-unknown",
        linker=("wasm-ld", "--no-entry", "--gc-sections", "--strip-all", "-z", "stack-size=262144"),
        suffix="wasm",
        levels={"wasm32": WASM, RULES: WASM},
        imports=frozenset(),
        exports=True,
        is_small=True,
    ),
}
