"""The engines of the games in a process of their own: machine code from the cache, without numba and numpy."""

import pytest

from pentad.game import new
from pentad.jit import backends
from pentad.search.bot import bot
from tests.jit.programs import run


@pytest.mark.skipif(backends.is_jit_disabled(), reason="kernels run as plain Python")
@pytest.mark.parametrize("game", ["pentago", "pente", "pentagame"])
def test_an_engine_plays_without_numba_and_numpy(game: str) -> None:
    play = f"""
        import sys
        import pentad
        position, bot = pentad.new({game!r}), pentad.bot({game!r}, level=3, seed=1)
        for _ in range(2):
            position = position.play(bot.choose(position, seconds=0.05))
        print(*sorted({{"numba", "numpy"}} & set(sys.modules)))
        """
    assert run(play) == ("", "")


@pytest.mark.parametrize(
    ("game", "options", "who"),
    [
        ("pente", {"size": 5, "line": 3, "rules": "gomoku"}, "engine"),
        ("pente", {"size": 5, "line": 4, "opening": "free"}, "engine"),
        ("pentagame", {}, "tree"),
        ("pentagame", {}, "alphabeta"),
    ],
)
def test_an_engine_plays_the_same_moves_without_the_jit(game, options, who):
    """The kernels as plain Python; `tests/pentago` has its own."""
    play = f"""
        import pentad
        position, bot = pentad.new({game!r}, **{options}), pentad.bot({game!r}, {who!r}, level=1, seed=1)
        for _ in range(4):
            position = position.play(bot.choose(position, seconds=1000))
        print(position.text)
        """
    here, player = new(game, **options), bot(game, who, level=1, seed=1)
    for _ in range(4):
        here = here.play(player.choose(here, seconds=1000))
    assert run(play, NUMBA_DISABLE_JIT="1") == (here.text, "")
