"""Shared libraries of kernels for every platform, compiled and linked on one machine.

Each table of kernels is compiled once, in a process of its own, and then emitted for every platform and level. The
compiler's hashes are fixed, so that the same sources give the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from pentad.jit import backends, cache, compiler, machine_code, processors
from release.commands import PYTHON, ReleaseError, run
from release.platforms import BROWSER, TARGETS, Platform
from release.webassembly import symbols

Signatures = dict[str, dict[str, str]]
MANIFEST = "manifest.json"
OF_SITE = backends.PACKAGE / "site" / "libraries"


def modules() -> list[str]:
    """The modules whose kernels are in wheels, those that take longest first."""
    work = cache.compiled_lines()
    return sorted(work, key=lambda name: -work[name])


def make(names: Sequence[str], folder: Path) -> dict[str, dict[str, bytes]]:
    """For each platform, the files of its folder of libraries, by name: the libraries and their manifest."""
    begun = backends.sources_hash()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        signatures = dict(pool.map(partial(_compiled, names=names, folder=folder), modules()))
        for name in names:
            _emit_cpuid(TARGETS[name], folder / name)
        made = {
            name: dict(pool.map(partial(_linked, name, signatures), sorted(folder.glob(f"{name}/*.o"))))
            for name in names
        }
    if backends.sources_hash() != begun:
        raise ReleaseError("The sources of kernels have changed in the meantime.")
    for libraries in made.values():
        hashes = {name: _digest(data) for name, data in libraries.items()}
        manifest = {"sources": begun, "modules": signatures, "libraries": hashes}
        libraries[MANIFEST] = json.dumps(manifest, indent=1, sort_keys=True).encode()
    return made


def update_browser() -> None:
    """Makes the libraries of the page without a server in this checkout, unless they fit its sources."""
    try:
        if json.loads((OF_SITE / MANIFEST).read_bytes())["sources"] == backends.sources_hash():
            return
    except (OSError, ValueError, LookupError):
        pass  # not made yet
    print("The engines are compiled for browsers, which takes a few minutes once.", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        made = make([BROWSER], Path(folder))[BROWSER]
    shutil.rmtree(OF_SITE, ignore_errors=True)
    OF_SITE.mkdir()
    for name, data in sorted(made.items(), key=lambda each: each[0] == MANIFEST):  # the manifest last
        (OF_SITE / name).write_bytes(data)


def check_manifest(libraries: Mapping[str, bytes], sources: str) -> None:
    """Refuses libraries that were made from other sources, and a table without a library."""
    manifest = json.loads(libraries[MANIFEST])
    if manifest["sources"] != sources:
        raise ReleaseError(f"The libraries were made from the sources {manifest['sources']}, the wheel has {sources}.")
    if changed := [name for name, digest in manifest["libraries"].items() if _digest(libraries[name]) != digest]:
        raise ReleaseError(f"{', '.join(changed)} changed after linking.")
    for module in manifest["modules"]:
        if not any(name.startswith(processors.library_stem(module, "")) for name in manifest["libraries"]):
            raise ReleaseError(f"No library has the kernels of {module}.")


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _compiled(module: str, names: Sequence[str], folder: Path) -> tuple[str, Signatures]:
    """Compiles a table in a child process; returns the signatures of its entry points."""
    environment = os.environ | {"PYTHONHASHSEED": "0", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command: list[str | Path] = [*PYTHON, "release.libraries", module, folder, *names]
    found: Signatures = json.loads(run(f"{module} cannot be compiled", command, environment=environment))
    print(f"compiled {module}", flush=True)
    return module, found


def _linked(name: str, signatures: Mapping[str, Signatures], code: Path) -> tuple[str, bytes]:
    """Links an object file to a library, reads its symbols back and checks them."""
    platform = TARGETS[name]
    library = code.with_suffix(f".{platform.suffix}")
    linker = [*PYTHON, "ziglang", *platform.linker]
    # Some linkers write the names of files into the library, so these have no folder.
    run(f"{library.name} for {name} cannot be linked", [*linker, "-o", library.name, code.name], code.parent)
    if platform.suffix == "dll":
        library.write_bytes(without_time(library.read_bytes()))
    module = next((each for each in signatures if code.name.startswith(processors.library_stem(each, ""))), None)
    check_symbols(library, platform, signatures[module] if module else (processors.CPUID,))
    return library.name, library.read_bytes()


def without_time(data: bytes) -> bytes:
    """A library of Windows without the time at which it was linked."""
    header = int.from_bytes(data[0x3C:0x40], "little")
    return data[: header + 8] + bytes(4) + data[header + 12 :]


def check_symbols(path: Path, platform: Platform, entries: Iterable[str]) -> None:
    """Refuses a library that lacks an entry point, or takes something from outside that may not be there."""
    if platform is TARGETS[BROWSER]:
        try:
            exported, imported = symbols(path.read_bytes())
        except (ValueError, IndexError):
            raise ReleaseError(f"{path.name} is not a library.") from None
        _compare(path, set(entries) - exported, imported - (platform.imports or set()))
        return
    import lief  # type: ignore[import-not-found,unused-ignore]

    lief.logging.disable()
    binary: Any = lief.parse(path)
    if binary is None:
        raise ReleaseError(f"{path.name} is not a library.")
    mark = "_" if platform.suffix == "dylib" else ""
    exported = {each.name for each in binary.exported_functions}
    imported = {each.name for each in binary.imported_symbols} if platform.imports is not None else set()
    allowed = {f"{mark}{each}" for each in platform.imports or ()} | {""}
    _compare(path, {each for each in entries if f"{mark}{each}" not in exported}, imported - allowed)
    needed = [getattr(each, "name", each) for each in getattr(binary, "libraries", [])]
    if foreign := [each for each in needed if each != path.name and not each.lower().startswith(platform.libraries)]:
        raise ReleaseError(f"{path.name} needs {', '.join(foreign)}.")


def _compare(path: Path, missing: set[str], foreign: set[str]) -> None:
    if missing:
        raise ReleaseError(f"{path.name} lacks {', '.join(sorted(missing))}.")
    if foreign:
        raise ReleaseError(f"{path.name} needs {', '.join(sorted(foreign))}.")


def emit(module: str, folder: Path, names: Iterable[str]) -> Signatures:
    """Writes the object files of a table for some platforms, in the child process."""
    compiler.compile_parts_only()
    linked = machine_code.link(module)
    for name in names:
        platform, place = TARGETS[name], folder / name
        place.mkdir(parents=True, exist_ok=True)
        for level, processor in platform.levels.items():
            kind, _, features = processor.partition(",")
            code = machine_code.emit(linked, machine_code.Processor(platform.triple, kind, features))
            (place / f"{processors.library_stem(module, level)}.o").write_bytes(code)
    return machine_code.signatures(module, linked.results)


def _emit_cpuid(platform: Platform, folder: Path) -> None:
    """Writes the object file of the function that reports a processor's features, where it has one."""
    if "x86-64" in platform.levels:
        linked = machine_code.Linked(processors.CPUID_CODE, {processors.CPUID: "none"})
        code = machine_code.emit(linked, machine_code.Processor(platform.triple, "x86-64"))
        (folder / f"{processors.library_stem(processors.CPUID, 'x86-64')}.o").write_bytes(code)


if __name__ == "__main__":
    print(json.dumps(emit(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])))
