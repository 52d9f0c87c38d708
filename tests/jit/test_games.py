"""The engines of the games in a process of their own: machine code from the cache, without numba and numpy."""

import pytest

from pentad.jit import cache
from tests.jit.programs import run


@pytest.mark.skipif(cache.is_jit_disabled(), reason="kernels run as plain Python")
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
