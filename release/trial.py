"""What an installation must do: the conformance kit, an exact value, and a bot's move of each game.

`python -P release/trial.py KIND` tries the installed package, not the checkout's, and fails if the kernels run as
anything but KIND: "prebuilt machine code", "compiled kernels" or "Python". It needs nothing but the installation.
"""

from __future__ import annotations

import sys

import pentad
from pentad.games.pentago import from_number, solve
from pentad.games.testing import check_game
from pentad.kernels import backends, libraries, prebuilt


def kind_of_kernels() -> str:
    """Plays each game, and says how the kernels ran."""
    tables = libraries.manifest()["modules"]
    for game in pentad.names():
        check_game(game, plays=1)
        position = pentad.new(game)
        move = pentad.bot(game, level=2, seed=1).choose(position, seconds=0.5)
        assert move in position.legal_moves
    if tables or backends.is_compiling():
        assert solve(from_number(4312211864716913874)).value == 1
    assert all(prebuilt.load(each) for each in tables), "machine code that cannot be loaded"
    assert not tables or not {"numba", "llvmlite", "numpy"} & set(sys.modules)
    return "prebuilt machine code" if tables else "compiled kernels" if backends.is_compiling() else "Python"


if __name__ == "__main__":
    found = kind_of_kernels()
    print(found)
    if [found] != sys.argv[1:]:
        sys.exit(f"The kernels run as {found}.")
