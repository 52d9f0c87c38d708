"""The engines for browsers: those that a wheel brings, else those that a checkout makes and keeps in the cache."""

from __future__ import annotations

import importlib
import json
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pentad.game import GameError
from pentad.kernels import cache
from pentad.kernels.backends import PACKAGE, has_compiler, sources_hash
from pentad.system.files import Busy, Lock

OF_WHEEL, MANIFEST = Path(__file__).with_name("libraries"), "manifest.json"
IN_CACHE = "browser"  # their folder beside the kernels that are compiled for this machine
CHECKOUT = PACKAGE.parents[1]
MAKER = "release.library_builder"  # a module of the checkout, outside of the package
POLL_SECONDS = 0.2  # another process may be making them


def folder() -> Path:
    """The folder with the libraries and their manifest; a checkout makes them first, and shows the progress."""
    if is_whole(OF_WHEEL):
        return OF_WHEEL
    kept = cache.folder()
    if kept is not None and is_whole(kept / IN_CACHE):
        return kept / IN_CACHE
    maker = CHECKOUT.joinpath(*MAKER.split(".")).with_suffix(".py")
    if not maker.exists():
        raise GameError("The engines for browsers are missing from this installation of pentad. Wheels have them.")
    if not has_compiler() or find_spec("ziglang") is None:
        raise GameError(
            "The engines for browsers must be compiled first. Run {checkout} site DIR, which installs what that takes.",
            checkout=CHECKOUT / "pentad",
        )
    if kept is None:
        raise GameError("No folder can keep the engines for browsers. Set {cache} to one.", cache=cache.CACHE)
    _make(kept / IN_CACHE)
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


def _make(place: Path) -> None:
    """Makes the libraries; waits for another process that makes the same."""
    sys.path.append(str(CHECKOUT))
    maker = importlib.import_module(MAKER)
    place.mkdir(parents=True, exist_ok=True)
    try:
        with _lock(place.with_suffix(".lock")):
            if not is_whole(place):
                maker.make_browser(place)
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
