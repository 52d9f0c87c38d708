"""A board without a kernel against the widget in Python, by random touches of the same games."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from typing import Any

import pytest

pytest.importorskip("anywidget", reason="anywidget, which the extra notebook brings, is not installed")

from pentad.game import GameError, load, new
from pentad.web.instant import drawings, engines
from pentad.web.notebook import BoardWidget
from pentad.web.notebook.standalone import script
from tests.properties import some_of
from tests.web.site.kept_site import check_tools

TOUCHES = 40
STARTS = (
    *drawings.covered(),
    "pentago bbbb../....../wwww../....../....../......",
    "pente 19/19/19/19/19/19/19/19/19/7wwww8/7bbbb8/19/19/19/19/19/19/19/19 0,0",
    "pentagame 0 40 ---,---,200,827,400/000,100,200,300,400 500,600,700,911,900 931,941,---,---,--- -/- -",
)
SCRIPT = """
import fs from "node:fs";
import zlib from "node:zlib";

const { packed, games } = JSON.parse(fs.readFileSync(0, "utf8"));
const { script, rules } = JSON.parse(zlib.gunzipSync(Buffer.from(packed, "base64")));
const { Standalone } = await import(`data:text/javascript,${encodeURIComponent(script)}`);
const found = [];
for (const { moves, messages } of games) {
  const board = await Standalone.load(rules, moves);
  found.push([board.view, ...messages.map((message) => (board.receive(message), board.view))]);
}
console.log(JSON.stringify(found));
"""


@pytest.fixture(autouse=True)
def libraries() -> None:
    check_tools()
    engines.folder()


def some_message(board: BoardWidget, chance: random.Random) -> dict[str, str]:
    """A touch or a button, mostly one with an effect."""
    drawn, kind = board._drawn, chance.random()
    if kind < 0.05 and drawn["hasBegun"]:
        return {"act": "cancel"}
    if kind < 0.1 and board.moves:
        return {"act": "undo"}
    names = re.findall('data-target="([^"]*)"', drawn["svg"]) if kind < 0.2 else drawn["open"] + drawn["touched"]
    return {"touch": chance.choice(names or ["nothing"])}


def played(start: str, seed: int, *, flip: bool) -> tuple[BoardWidget, dict[str, Any], list[dict[str, Any]]]:
    """A board after some moves; random messages to it, and what it shows after each."""
    chance, board = random.Random(seed), BoardWidget(start, flip=flip)
    while not board._turn.position.outcome and len(board.moves) < seed % 5:
        board.play(chance.choice([*board._turn.position.legal_moves][:50]))
    moves, messages, shown = board.moves, list[dict[str, str]](), [board._drawn]
    for _ in range(TOUCHES):
        messages.append(some_message(board, chance))
        board._handle_custom_msg({"moves": board._drawn["moves"], **messages[-1]}, [])
        shown.append(board._drawn)
    return board, {"moves": moves, "messages": messages}, shown


def comparable(drawn: dict[str, Any]) -> dict[str, Any]:
    """What a board shows; only Python writes the position, and the targets of a step may have another order."""
    return {name: value for name, value in drawn.items() if name != "position"} | {"open": sorted(drawn["open"])}


@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize("start", STARTS, ids=range(len(STARTS)))
def test_a_board_without_a_kernel_shows_what_python_would(start: str, flip: bool) -> None:
    if not (node := shutil.which("node")):
        pytest.skip("node is missing")
    boards, games, expected = zip(*(played(start, seed, flip=flip) for seed in range(some_of(14))), strict=True)
    sent = json.dumps({"packed": BoardWidget(start, flip=flip, standalone=True)._rules, "games": games})
    command = [node, "--input-type=module", "--eval", SCRIPT]
    done = subprocess.run(command, input=sent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for own, shown in zip(json.loads(done.stdout), expected, strict=True):
        assert [*map(comparable, own)] == [*map(comparable, shown)]
    assert any(board.moves for board in boards)


def test_the_scripts_are_one_module() -> None:
    assert not re.search("^import |^ *//|@import", script(), re.MULTILINE)
    assert len(script()) < 30_000


@pytest.mark.parametrize("name", drawings.covered())
def test_the_rules_are_small_and_come_only_when_asked_for(name: str) -> None:
    assert BoardWidget(name).get_state()["_rules"] == ""
    assert 10_000 < len(BoardWidget(name, standalone=True)._rules) < 70_000


def test_the_rules_follow_the_position_and_the_side() -> None:
    board = BoardWidget("pentago", standalone=True)
    first = board._rules
    board.play("a2 1C")
    assert board._rules == first
    board.flip = True
    assert board._rules == BoardWidget("pentago", flip=True, standalone=True)._rules != first
    board.position = STARTS[3]
    assert board._rules == BoardWidget(STARTS[3], flip=True, standalone=True)._rules
    board.position = load(STARTS[3]).play("a4").text
    assert board._rules == ""


def test_only_games_that_pages_play_are_standalone() -> None:
    with pytest.raises(GameError, match="with its default options: pentago"):
        BoardWidget("pente size=13", standalone=True)
    board = BoardWidget("pente", standalone=True)
    with pytest.raises(GameError, match="with its default options"):
        board.position = new("pente", size=13).text
    assert board.position == new("pente").text
