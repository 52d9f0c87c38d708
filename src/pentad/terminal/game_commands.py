"""The commands that games bring: `COMMANDS` in a game's package `commands`, a table of names and summaries.

Each command is the module of its name in that package, with `add_arguments(parser)` and `run(args)`.
"""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from types import ModuleType

from pentad.game import game, games, shorten
from pentad.terminal import streams

PACKAGE = "commands"


def summaries() -> dict[str, tuple[str, str]]:
    """The commands of all games: for each its module and its summary."""
    found: dict[str, tuple[str, str]] = {}
    for name in games():
        try:
            package = find(name)
        except Exception as error:  # whatever a plug-in does wrong, the other commands go on
            reason = shorten(" ".join(str(error).split()) or type(error).__name__, 200)
            streams.print_error(f"The commands of the game {name} cannot be loaded: {reason}")
        else:
            found |= (
                {} if package is None else {each: (package.__name__, text) for each, text in package.COMMANDS.items()}
            )
    return {command: (f"{package}.{command}", summary) for command, (package, summary) in found.items()}


def find(name: str, command: str = "") -> ModuleType | None:
    """A module in a game's package `commands`, or the package; None if there is none."""
    kind = game(name)
    if not kind.has(PACKAGE):
        return None
    package: ModuleType = kind.module(PACKAGE)
    module = f"{package.__name__}.{command}"
    if not command:
        return package
    return importlib.import_module(module) if find_spec(module) else None
