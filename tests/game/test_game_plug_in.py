"""A fourth game, Connect Four of `examples/`, added by an entry point: every screen plays it."""

import importlib
import os
import random
import shutil
from datetime import date
from pathlib import Path

import pytest

from pentad import analyse, bot, load, new
from pentad.game import GameError, game, names, plug_ins
from pentad.games.testing import check_game
from pentad.play import adaptive, lessons, puzzles
from pentad.play.seats import kernels_of, sit, warm_up_bot
from pentad.record import Record
from pentad.record.formats import FORMATS, formats_of, read, write
from pentad.terminal import main
from pentad.web import board_editor, move_tree
from pentad.web.engines import jobs, pool

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("connect_four*.py"))
NAME = "connect_four"
WON = f"{NAME} rrrr/yyy/-/-/-/-/-"


def install(folder: Path) -> None:
    """Makes a folder a place of installed packages that has the game with its entry point."""
    information = folder / "connect_four-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: connect-four\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text(f"[pentad.games]\n{NAME} = connect_four\n")
    for example in EXAMPLES:
        shutil.copy(example, folder)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    install(folder)
    return folder


@pytest.fixture(scope="module", autouse=True)
def _installed(site):
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(site)
        patch.setenv("PYTHONPATH", str(site), prepend=os.pathsep)  # worker processes and the server read it
        importlib.invalidate_caches()
        plug_ins.cache_clear()
        yield
    plug_ins.cache_clear()


def test_it_is_one_of_the_games():
    assert names()[-1] == NAME
    assert game(NAME).title == "Connect Four"
    assert not any(game(NAME).has(part) for part in ("setup", "exact", "memory", "prover", "lessons", "formats"))


def test_it_keeps_the_contract_of_games():
    assert check_game(NAME, plays=3).finished == 3


def test_its_environment():
    pytest.importorskip("pettingzoo")
    from pentad.bridges import pettingzoo

    env = pettingzoo.env(NAME)
    env.reset(options={"position": WON.replace("rrrr/yyy", "rrr/yyy")})
    env.step(0)
    assert (env.position.text, env.rewards) == (WON, {"player_0": 1.0, "player_1": -1.0})


def test_its_bots_and_the_adaptive_opponent():
    here, kind = new(NAME), game(NAME)
    assert adaptive.levels(NAME) == (1, 5)
    known = [f"alphabeta@{level}" for level in range(1, 6)]
    for who in known:
        assert sit(kind, who, seed=1).bot.choose(here, seconds=0.1) in here.legal_moves
    level = None
    for returns in (1.0, 1.0, -1.0, -1.0, -1.0, -1.0):
        assert adaptive.opponent(NAME, level, random.Random(1)) in known
        level = adaptive.after(NAME, level, returns)
    assert warm_up_bot(NAME, 1).choose(here) in here.legal_moves
    assert kernels_of(NAME) == ("connect_four_kernels",)


@pytest.mark.parametrize("name", ["tree", "alphabeta"])
def test_its_search_wins_at_once_and_prevents_a_win(name):
    for text, best in ((f"{NAME} rrr/yyy/-/-/-/-/-", "a"), (f"{NAME} rrr/yy/-/-/-/-/-", "a")):
        assert str(bot(NAME, name, level=3, seed=1).choose(load(text))) == best


def test_it_is_analysed():
    found = analyse(load(f"{NAME} rrr/yyy/-/-/-/-/-"), depth=2)
    assert (found.value, found.exact, str(found.lines[0].moves[0])) == (1.0, True, "a")


def test_it_is_recorded_in_every_common_format():
    record = Record(NAME, tags={"Seat0": "Ann"})
    for move in "aabbccd":
        record.play(move)
    assert record.result == "1-0"
    for each in FORMATS.values():
        if each.read and each.write and each.name in ("pentad", "json", "moves"):
            (again,) = read(write([record], each), each, NAME)
            assert again.moves == record.moves
    assert formats_of(NAME) == ()


def test_it_is_played_and_matched_in_the_terminal(capsys):
    assert main(["play", NAME, "--red", "random", "--yellow", "greedy", "--seed", "1"]) == 0
    assert "Result: " in capsys.readouterr().out
    assert main(["match", NAME, "random", "greedy", "--games", "2", "--seed", "1"]) == 0
    assert "greedy" in capsys.readouterr().out
    assert main(["games"]) == 0
    assert "connect_four: drop discs" in capsys.readouterr().out


def test_its_positions_are_not_set_up():
    with pytest.raises(GameError, match="Connect Four cannot be set up"):
        board_editor.draft(NAME)
    with pytest.raises(GameError, match="Connect Four cannot be set up"):
        board_editor.edit(board_editor.Edit(draft=WON, piece="red", target="a"))


def test_it_has_no_exact_values_lessons_or_puzzles():
    with pytest.raises(GameError, match="Connect Four has no exact values"):
        list(jobs.values(NAME + " -/-/-/-/-/-/-", 1.0, 1))
    assert pool.megabytes("analysis", new(NAME)) == pool.WORKER_MEGABYTES
    assert pool.exact_megabytes(new(NAME), 1) == 0
    assert NAME not in [each.game for each in lessons.lessons()]
    assert puzzles.puzzles(NAME) == ()
    with pytest.raises(GameError, match="no lesson about connect_four"):
        lessons.lesson(NAME)
    with pytest.raises(GameError, match="no puzzles of connect_four"):
        puzzles.daily(NAME, date(2026, 1, 1))


@pytest.mark.parametrize("text", [WON, f"{NAME} a b a b a b a", "a b a b a b a"])
def test_it_is_studied(text):
    tree = move_tree.read_text(text, NAME)
    assert (tree.title, tree.solved) == ("Connect Four", False)
    assert tree.result == "1-0"
    assert [each.name for each in tree.formats] == ["pentad", "json", "moves"]
