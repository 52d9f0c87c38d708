"""Training of a game's evaluation: `python -m training pente --folder DIR`. Each game has its own options."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from pentad.system.errors import GameError

GAMES = sorted(module.parent.name for module in Path(__file__).parent.glob("*/learn.py"))


def main() -> None:
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in GAMES:
        print(f"python -m training: Expected a game: {', '.join(GAMES)}.", file=sys.stderr)
        sys.exit(2)
    sys.argv = [f"python -m training {name}", *sys.argv[2:]]
    try:
        import_module(f"training.{name}.learn").main()
    except GameError as error:
        print(f"{sys.argv[0]}: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
