"""Training of a game's evaluation: `python -m pentad.learn pente --folder DIR`. Each game has its own options."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec

from pentad.game import GameError, game, games


def trainers() -> dict[str, str]:
    """The module that trains each game's evaluation, by the names of the games that have one."""
    modules = {name: f"{game(name).package.__name__}.engine.learn" for name in games() if game(name).has("engine")}
    return {name: module for name, module in modules.items() if find_spec(module)}


def main() -> None:
    found = trainers()
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in found:
        print(f"python -m pentad.learn: Expected a game: {', '.join(sorted(found))}.", file=sys.stderr)
        sys.exit(2)
    sys.argv = [f"python -m pentad.learn {name}", *sys.argv[2:]]
    try:
        import_module(found[name]).main()
    except GameError as error:
        print(f"{sys.argv[0]}: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
