"""What an installation without machine code, numba and numpy does: the engines run as plain Python."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pentad.kernels import prebuilt, program
from pentad.play import contest
from pentad.search import bot
from pentad.search.levels import Level
from pentad.search.move_limit import PYTHON_SECONDS
from pentad.search.report import Result
from pentad.system.extras import installing_command
from pentad.terminal import main
from tests.programs import bare, run

SLOWER = f"Without numba the engines run as plain Python, about 1,000 times slower: {installing_command('compile')}."
COMMAND = [sys.executable, "-m", "pentad"]


@pytest.fixture
def without_numba(tmp_path, monkeypatch):
    """The environment of commands in such an installation."""
    monkeypatch.setenv("PYTHONPATH", str(bare(tmp_path)), prepend=":")
    monkeypatch.setenv("PENTAD_CACHE", str(tmp_path / "cache"))
    return tmp_path


def pentad(*words, typed=""):
    """The exit code, the output and the error stream of a command."""
    done = subprocess.run([*COMMAND, *words], input=typed, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


CHOSEN = """
    import pentad
    for bot in {bots}:
        here, player = pentad.new("{game}"), pentad.bot("{game}", bot, seed=1)
        for _ in range(2):
            move = player.choose(here, seconds=0.1)
            assert move in here.legal_moves, move
            here = here.play(move)
        print(bot, here.ply)
"""


@pytest.mark.parametrize(
    ("game", "bots"),
    [
        ("pentago", ("tree@1", "engine@1", "engine@4", "perfect")),
        ("pente", ("engine@1", "engine@3")),
        ("pentagame", ("alphabeta@1", "tree@1", "tree@5")),
    ],
)
def test_the_bots_of_every_game_play(tmp_path, game, bots):
    output, errors = run(CHOSEN.format(game=game, bots=bots), bare(tmp_path), PENTAD_CACHE=str(tmp_path))
    assert output.split("\n") == [f"{each} 2" for each in bots]
    assert errors == f"pentad: {SLOWER}"


def test_the_default_opponent_answers_in_the_terminal(without_numba):
    code, output, errors = pentad("play", "pentago", "--seconds", "0.1", "--lines", typed="a2 1C\nquit\n")
    assert code == 0
    assert "engine@medium" in output
    assert errors == f"pentad: {SLOWER}\n"


def test_a_match_is_played(without_numba):
    words = ("match", "pentagame", "tree@1", "alphabeta@1", "--games", "2", "--seconds", "0.01", "--max-ply", "6")
    code, output, errors = pentad(*words)
    assert code == 0
    assert "of 2 games" in output
    assert "forfeited" not in output
    assert errors.count(SLOWER) == 1


@pytest.mark.parametrize(
    "words",
    [
        ("match", "pentago", "engine@1", "greedy", "--games", "2"),
        ("tournament", "pentago", "engine@1", "greedy"),
        ("report", "pentago", "--bot", "engine@1", "--games", "2"),
    ],
    ids=lambda words: words[0],
)
def test_a_bot_that_cannot_be_made_ends_a_contest_before_its_first_game(monkeypatch, capsys, tmp_path, words):
    def fails(module):
        raise program.NoMachineCode(f"There is no machine code for {module}.")

    monkeypatch.setattr(contest, "program", fails)
    assert main([*words, "--out", str(tmp_path)]) == 1
    reason = "There is no machine code for pentad.games.pentago.engine.search_kernels."
    assert capsys.readouterr() == ("", f"pentad: engine@1 cannot play pentago here: {reason}\n")
    assert not [*tmp_path.glob("games/*")]


SERVED = """
    import asyncio, pentad
    from pentad.search.move_limit import Limit
    from pentad.web.engines.pool import Engines
    async def serve():
        engines = Engines(1, 2000)
        await engines.warm()
        here = pentad.new("pentagame")
        move = await engines.move(here, "tree@1", seed=1, owner="me", limit=Limit(seconds=0.1))
        print(engines.state()["ready"], here.parse(move) in here.legal_moves)
        await engines.close()
    asyncio.run(serve())
"""


def test_a_server_is_ready_and_its_bots_answer(tmp_path):
    output, errors = run(SERVED, bare(tmp_path), PENTAD_CACHE=str(tmp_path))
    assert output == "True True"
    assert errors.count(SLOWER) == 1


class Timed(bot.EngineBot):
    """A bot that notes the time that it is given."""

    levels = dict.fromkeys((1.0, 5.0), Level(nodes=10**9))

    def _searched(self, here, limit):
        self.given = limit.seconds
        return Result(next(iter(here.legal_moves)))


@pytest.mark.parametrize(
    ("are_python", "given", "limit"), [(True, None, PYTHON_SECONDS), (True, 0.5, 0.5), (False, None, None)]
)
def test_a_level_has_a_time_limit_as_python(monkeypatch, are_python, given, limit):
    monkeypatch.setattr(prebuilt, "are_engines_python", lambda: are_python)
    player = Timed()
    player.choose(bot.game("pentago").new(), seconds=given)
    assert player.given == limit
