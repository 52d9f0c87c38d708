"""The engines for browsers: those that a wheel brings, else those that a checkout makes and keeps in the cache."""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pentad.game import GameError
from pentad.kernels import cache
from pentad.kernels.backends import PACKAGE, has_compiler, sources_hash
from pentad.kernels.prebuilt import Signatures
from pentad.kernels.processors import library_stem
from pentad.system.files import Busy, Lock

OF_WHEEL, MANIFEST = Path(__file__).with_name("libraries"), "manifest.json"
IN_CACHE = "pages"  # their folder beside the kernels that are compiled for this machine
INSTANT = "instant"  # the part of a game for pages without Python
LEVEL, RULES = "wasm32", "rules"  # the levels of its library: all of it, and the rules alone
CHECKOUT = PACKAGE.parents[1]
MAKER = "release.library_builder"  # a module of the checkout, outside of the package
POLL_SECONDS = 0.2  # another process may be making them


def folder() -> Path:
    """The folder with the libraries and their manifest; a checkout makes them first, and shows the progress."""
    if place := _whole_folder():
        return place
    kept = _kept_folder()
    _with_maker(kept, lambda maker: is_whole(kept) or maker.make_browser(kept))
    return kept


def of_page(module: str) -> tuple[bytes, Signatures]:
    """The library with which a page plays a game before Python is there, and the signatures of its entry points."""
    if place := _whole_folder():
        signatures = _signatures(place, module)
    else:
        place = _kept_folder()
        index = place / f"{module}.json"  # it is written last of all
        if not index.exists():
            _with_maker(place, lambda maker: maker.make_one(place, sources_hash(), module))
        signatures = json.loads(index.read_bytes())
    return _library(place, module, LEVEL), signatures


def rules_of_page(module: str) -> tuple[bytes, Signatures] | None:
    """The same with the rules alone; None where it is not made yet."""
    if (place := _whole_folder()) is None:
        return None
    return _library(place, module, RULES), _signatures(place, module)


def _library(place: Path, module: str, level: str) -> bytes:
    return (place / f"{library_stem(module, level)}.wasm").read_bytes()


def _signatures(place: Path, module: str) -> Signatures:
    found: Signatures = json.loads((place / MANIFEST).read_bytes())[INSTANT][module]
    return found


def _whole_folder() -> Path | None:
    """The folder that has all libraries; None where they must be made."""
    kept = cache.folder()
    places = [OF_WHEEL] if kept is None else [OF_WHEEL, kept / IN_CACHE]
    return next(filter(is_whole, places), None)


def _kept_folder() -> Path:
    """The folder of what a checkout has made or can make."""
    maker, kept = CHECKOUT.joinpath(*MAKER.split(".")).with_suffix(".py"), cache.folder()
    if not maker.exists():
        raise GameError("The engines for browsers are missing from this installation of pentad. Wheels have them.")
    if not has_compiler() or find_spec("ziglang") is None:
        raise GameError(
            "The engines for browsers must be compiled first. Run {checkout} site DIR, which installs what that takes.",
            checkout=CHECKOUT / "pentad",
        )
    if kept is None:
        raise GameError("No folder can keep the engines for browsers. Set {cache} to one.", cache=cache.CACHE)
    return kept / IN_CACHE


def is_whole(place: Path) -> bool:
    """Whether a folder has the libraries of the sources of this installation."""
    try:
        manifest: dict[str, Any] = json.loads((place / MANIFEST).read_bytes())
        for name in manifest["libraries"]:
            (place / name).stat()
        return bool(manifest["sources"] == sources_hash())
    except (OSError, ValueError, LookupError):
        return False


def _with_maker(place: Path, work: Callable[[Any], Any]) -> Any:
    """The result of a function of the maker; waits for another process that makes the same."""
    sys.path.append(str(CHECKOUT))
    maker = importlib.import_module(MAKER)
    place.mkdir(parents=True, exist_ok=True)
    try:
        with _lock(place.with_suffix(".lock")):
            return work(maker)
    except maker.ReleaseError as error:
        raise GameError(str(error)) from None


def _lock(file: Path) -> Lock:
    has_printed = False
    while True:
        try:
            return Lock(file, "Another process compiles the engines for browsers. Waiting for it …")
        except Busy as busy:
            if not has_printed:
                print(busy, flush=True)
            has_printed = True
            time.sleep(POLL_SECONDS)
