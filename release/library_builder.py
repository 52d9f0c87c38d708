"""Shared libraries of kernels for every platform, compiled and linked on one machine.

Each table of kernels is compiled once, in a process of its own, and then emitted for every platform and level. The
compiler's hashes are fixed, so that the same sources give the same bytes.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from typing import Any

from pentad.game import game
from pentad.game import names as games
from pentad.games import instant
from pentad.kernels import backends, cache, machine_code, processors
from pentad.kernels.decorator import compile_parts_only
from pentad.system import files as user_files
from pentad.system.progress import Bar
from release.platforms import BROWSER, INSTANT, RULES, TARGETS, Platform
from release.tools import PYTHON, ReleaseError, run
from release.wasm_symbols import symbols

Signatures = dict[str, dict[str, str]]
MANIFEST = "manifest.json"
CHANGED = "The sources of kernels have changed in the meantime."


def modules() -> list[str]:
    """The modules whose kernels are in wheels, those that take longest first."""
    work = cache.compiled_lines()
    return sorted(work, key=lambda name: -work[name])


def instant_modules() -> list[str]:
    """The modules with which pages play before Python is there."""
    return [f"{game(name).package.__name__}.{INSTANT}_kernels" for name in games() if game(name).has(INSTANT)]


def targets_of(module: str, names: Sequence[str]) -> Sequence[str]:
    """The targets of a module, among these and those that belong to them."""
    if module in instant_modules():
        return [INSTANT] if BROWSER in names else []
    return names


def make(names: Sequence[str], folder: Path) -> dict[str, dict[str, bytes]]:
    """For each platform, the files of its folder of libraries, by name: the libraries and their manifest."""
    begun = backends.sources_hash()
    compiled = partial(_compiled, names=names, folder=folder)
    signatures = _for_each_module("Compiling kernels", [*modules(), *_with_pages(names)], compiled)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name in names:
            _emit_cpuid(TARGETS[name], folder / name)
        linked = partial(_linked, signatures)
        made = {name: dict(pool.map(linked, sorted(folder.glob(f"{name}/*.o")))) for name in (*names, INSTANT)}
    if backends.sources_hash() != begun:
        raise ReleaseError(CHANGED)
    for name in names:
        libraries = made[name]
        if name == BROWSER:
            libraries |= made[INSTANT]
        libraries[MANIFEST] = _manifest(begun, signatures, {each: _digest(data) for each, data in libraries.items()})
    return {name: made[name] for name in names}


def _with_pages(names: Sequence[str]) -> list[str]:
    """The modules of pages, if the libraries of pages are made."""
    return instant_modules() if BROWSER in names else []


def make_browser(folder: Path) -> None:
    """Makes the libraries of the page without a server. After an interruption it goes on with the next table."""
    begun = backends.sources_hash()
    every = [*modules(), *instant_modules()]
    signatures = _for_each_module(
        "Compiling the engines for browsers, only once", every, partial(make_one, folder, begun)
    )
    hashes = {path.name: _digest(path.read_bytes()) for kind in ("so", "wasm") for path in folder.glob(f"*.{kind}")}
    with user_files.replacing(folder / MANIFEST) as file:
        file.write(_manifest(begun, signatures, hashes))


def _for_each_module(what: str, names: Sequence[str], work: Callable[[str], Signatures]) -> dict[str, Signatures]:
    """The result of a function for each table of kernels; shows the progress on a terminal, else a line for each."""
    done, total, results = 0, sum(map(cache.work_of, names)), dict[str, Signatures]()
    with Bar(what, after=0.0) as bar, ThreadPoolExecutor(os.cpu_count()) as pool:
        if not bar.shown:
            print(f"{what} …", flush=True)
        running = {pool.submit(work, name): name for name in names}
        bar.update(done, total)
        try:
            for each in as_completed(running):
                name = running[each]
                results[name] = each.result()
                done += cache.work_of(name)
                bar.update(done, total)
                if not bar.shown:
                    print(f"{done / total:4.0%} {name}", flush=True)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    return results


def make_one(folder: Path, sources: str, module: str) -> Signatures:
    """Makes the libraries of a table for browsers and, last, their index, unless it is there already."""
    index = folder / f"{module}.json"
    with contextlib.suppress(FileNotFoundError):
        kept: Signatures = json.loads(index.read_bytes())
        return kept
    with tempfile.TemporaryDirectory() as place:
        entries = _compiled(module, [BROWSER], Path(place))
        made = dict(_linked({module: entries}, code) for code in Path(place).glob("*/*.o"))
    if backends.sources_hash() != sources:
        raise ReleaseError(CHANGED)
    for name, data in made.items():
        (folder / name).write_bytes(data)
    with user_files.replacing(index) as file:
        file.write(json.dumps(entries).encode())
    return entries


def _manifest(sources: str, signatures: Mapping[str, Signatures], hashes: Mapping[str, str]) -> bytes:
    of_pages = {name: each for name, each in signatures.items() if name in instant_modules()}
    others = {name: each for name, each in signatures.items() if name not in of_pages}
    manifest = {"sources": sources, "modules": others, INSTANT: of_pages, "libraries": hashes}
    return json.dumps(manifest, indent=1, sort_keys=True).encode()


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


def _compiled(module: str, names: Sequence[str], folder: Path) -> Signatures:
    """Compiles a table in a child process; returns the signatures of its entry points."""
    environment = os.environ | {"PYTHONHASHSEED": "0", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command: list[str | Path] = [*PYTHON, "release.library_builder", module, folder, *targets_of(module, names)]
    signatures: Signatures = json.loads(run(f"{module} cannot be compiled", command, environment=environment))
    return signatures


def _linked(signatures: Mapping[str, Signatures], code: Path) -> tuple[str, bytes]:
    """Links an object file, in the folder of its target, to a library; reads its symbols back and checks them."""
    name = code.parent.name
    platform = TARGETS[name]
    library = code.with_suffix(f".{platform.suffix}")
    module = next((each for each in signatures if code.name.startswith(processors.library_stem(each, ""))), None)
    entries = tuple(signatures[module]) if module else (processors.CPUID,)
    if code.stem.endswith(f".{RULES}"):
        entries = tuple(each for each in entries if each in instant.RULES)
    exports = [f"--export={each}" for each in (*entries, "__heap_base")] if platform.exports else []
    linker = [*PYTHON, "ziglang", *platform.linker, *exports]
    # Some linkers write the names of files into the library, so these have no folder.
    run(f"{library.name} for {name} cannot be linked", [*linker, "-o", library.name, code.name], code.parent)
    if platform.suffix == "dll":
        library.write_bytes(without_time(library.read_bytes()))
    check_symbols(library, platform, entries)
    return library.name, library.read_bytes()


def without_time(data: bytes) -> bytes:
    """A library of Windows without the time at which it was linked."""
    header = int.from_bytes(data[0x3C:0x40], "little")
    return data[: header + 8] + bytes(4) + data[header + 12 :]


def check_symbols(path: Path, platform: Platform, entries: Iterable[str]) -> None:
    """Refuses a library that lacks an entry point, or takes something from outside that may not be there."""
    if platform in (TARGETS[BROWSER], TARGETS[INSTANT]):
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
    compile_parts_only()
    linked = machine_code.link(module)
    for name in names:
        platform, place = TARGETS[name], folder / name
        place.mkdir(parents=True, exist_ok=True)
        for level, processor in platform.levels.items():
            kind, _, features = processor.partition(",")
            code = machine_code.emit(linked, machine_code.Processor(platform.triple, kind, features, platform.is_small))
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
