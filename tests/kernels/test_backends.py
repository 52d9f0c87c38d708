"""Engines and explorations in a process of their own: machine code from the cache, without numba and numpy."""

import pytest

from pentad.game import new
from pentad.kernels import backends
from pentad.search.bot import bot
from tests.cases import slow
from tests.programs import run


@pytest.mark.fast_cases(1)
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


@pytest.mark.slow
@pytest.mark.skipif(backends.is_jit_disabled(), reason="kernels run as plain Python")
@pytest.mark.parametrize("engine", ["compiled", "general"])
def test_a_grammar_is_explored_and_checked_without_numba_and_numpy(engine: str) -> None:
    explored = f"""
        import sys
        from pentad.grammar import explore
        from pentad.grammar.logic.ctl import check
        from pentad.grammar.logic.traces import shortest
        from pentad.grammar.models import new
        from pentad.web.exploration_job import summary
        found = explore(new("pentago", rows=1, cols=2, block=2, line=3, iso=False), engine={engine!r})
        verdicts = check("AG EF $final", found.lts), check("AF !placeMarble", found.lts)
        print(found.engine, *(verdict.holds for verdict in verdicts), len(shortest(found.lts, "$final")))
        print(summary(found, "")["stuck"] > 0, *sorted({{"numba", "numpy"}} & set(sys.modules)))
        """
    assert run(explored) == (f"{engine} False True 24\nTrue", "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "options", "who"),
    [
        ("pente", {"size": 5, "line": 3, "rules": "gomoku"}, "engine"),
        slow("pente", {"size": 5, "line": 4, "opening": "free"}, "engine"),
        ("pentagame", {}, "tree"),
        slow("pentagame", {}, "alphabeta"),
    ],
)
def test_an_engine_plays_the_same_moves_without_the_jit(game, options, who):
    """The kernels as plain Python; `tests/games/pentago` has its own."""
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
