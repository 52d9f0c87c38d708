"""Former names that the documentation of 0.1's development gave still work, without a word."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

import pentad
from pentad import lanes
from pentad.bridges.pentagraph.lib import Board
from pentad.games.pentago import bot as pentago_bot
from pentad.games.pentago import slices
from pentad.grammar import grammar as grammars
from pentad.grammar import models
from pentad.kernels import backends, cache, simd
from pentad.play.seats import warm_up_bot
from pentad.record import Record
from pentad.search.bot import default_opponent


def test_a_game_may_name_its_default_opponent_by_the_former_name(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delattr(pentago_bot, "DEFAULT_OPPONENT")
    assert default_opponent("pentago") == "greedy"
    monkeypatch.setattr(pentago_bot, "RIVAL", "tree@1", raising=False)
    assert default_opponent("pentago") == "tree@1"


def test_a_game_may_name_its_warm_up_bot_by_the_former_name(monkeypatch: pytest.MonkeyPatch):
    make = pentago_bot.BOTS["random"].make
    monkeypatch.delattr(pentago_bot, "WARM_UP_BOT")
    monkeypatch.setattr(pentago_bot, "STAND_IN", make, raising=False)
    assert warm_up_bot("pentago", seed=1).name == "random"


@pytest.mark.parametrize(
    ("former", "name"),
    [
        ("pentad.lanes", "pentad.kernels.simd"),
        ("pentad.search.running", "pentad.search.stoppable"),
        ("pentad.grammar.models.boards", "pentad.grammar.models.board_games"),
    ],
)
def test_modules_by_their_former_names(former: str, name: str):
    before, today = importlib.import_module(former), importlib.import_module(name)
    own = {key: value for key, value in vars(today).items() if getattr(value, "__module__", "") == name}
    public = {key: value for key, value in own.items() if not key.startswith("_")}
    assert public
    assert public == {key: getattr(before, key, None) for key in public}


def test_a_vector_with_a_word_in_each_lane_by_its_former_name():
    assert lanes.everywhere is simd.broadcast


def test_whether_the_jit_is_disabled_by_its_former_place():
    assert cache.is_jit_disabled is backends.is_jit_disabled


def test_grammars_are_loaded_and_saved_by_former_names(tmp_path: Path):
    grammar = models.new("ferry")
    grammars.save(grammar, tmp_path / "ferry.gps")
    assert grammars.load(tmp_path / "ferry.gps").rules.keys() == grammar.rules.keys()


def test_a_missing_slice_by_its_former_name():
    assert slices.NotThere is slices.MissingSlice


def test_a_record_is_taken_apart_by_the_former_name():
    record = Record(pentad.new("pentago"))
    child = record.root.play("a2 1C")
    record.root.take_apart()
    assert child.parent is None
    assert not record.root.children


def test_a_board_owes_blocks_by_the_former_name():
    board = Board()
    board.owe(("black",), 0)
    former = dict(board.graph)
    board.set_due((), None)
    assert board.graph != former
    board.set_due(("black",), 0)
    assert board.graph == former
