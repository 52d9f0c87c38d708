"""Boards without a room over HTTP: positions, their choices, and errors in one line."""

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import pentad
from pentad.game import read_start
from pentad.web.http.security import SecurityMiddleware
from tests.web.app import app_with, browser


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecurityMiddleware]:
    folder: Path = tmp_path_factory.mktemp("board")
    with app_with(folder) as running:
        yield running


def ask(app: SecurityMiddleware, path: str = "/api/board", **query: Any) -> httpx.Response:
    async def asked() -> httpx.Response:
        async with browser(app) as guest:
            return await guest.post(path, json=query)

    return asyncio.run(asked())


def board_of(app: SecurityMiddleware, **query: Any) -> dict[str, Any]:
    answer = ask(app, **query)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_a_whole_turn_is_shown(app: SecurityMiddleware) -> None:
    start = pentad.new("pentago")
    found = ask(app, "/api/board/turn", position=start.text, move="a2 1C").json()
    assert [each["targets"] for each in found["steps"]] == [["a2"], ["1C"]]
    assert 'data-target="1C"' in found["svg"]  # the first drawing has no arrows yet
    assert found["position"] == start.play("a2 1C").text
    assert found["words"] == start.describe(start.parse("a2 1C"))
    stone = ask(app, "/api/board/turn", position=pentad.new("pente").text, move="K10").json()
    assert (stone["svg"], len(stone["steps"])) == ("", 1)


@pytest.mark.parametrize("move", ["", "zz", "a2", "a2 9C", "x" * 401])
def test_a_turn_that_is_not_legal_is_refused(app: SecurityMiddleware, move: str) -> None:
    answer = ask(app, "/api/board/turn", position=pentad.new("pentago").text, move=move)
    assert answer.status_code == 422
    assert "\n" not in answer.json()["error"]


def test_a_turn_is_made_step_by_step(app: SecurityMiddleware) -> None:
    start = pentad.new("pentago")
    first = board_of(app, position=start.text)
    assert (first["game"], first["turn"], first["colour"], first["ply"], first["moved"]) == (
        "pentago",
        0,
        "black",
        0,
        None,
    )
    assert len(first["choices"]) == 36
    half = board_of(app, position=start.text, steps="a2")
    assert (half["prompt"], half["moved"], half["position"]) == ("Twist a sub-board.", None, start.text)
    assert half["svg"] == start.partial("a2").svg(last="a2", style=False)
    whole = board_of(app, position=start.text, steps="a2 1C", flip=True)
    after = start.play("a2 1C")
    assert (whole["moved"], whole["position"], whole["steps"]) == ("a2 1C", after.text, "")
    assert whole["svg"] == after.svg(last="a2 1C", flip=True, style=False)
    assert whole["words"] == start.describe(start.parse("a2 1C"))
    same = board_of(app, position=after.text, last="a2 1C")
    assert same["svg"] == after.svg(last="a2 1C", style=False)


@pytest.mark.parametrize(
    ("start", "steps", "status"),
    [
        ("pentago", "a2", "Black to twist a sub-board."),
        ("pentago win_on_placement=false", "a2", "Black to twist a sub-board."),
        ("pente opening=swap2", "K10", "The first player to place a black stone."),
        ("pentagame", "[0,0,8,0,0]", "Circle to put the black block on an empty field."),
    ],
)
def test_the_status_in_the_middle_of_a_turn(app: SecurityMiddleware, start: str, steps: str, status: str) -> None:
    position = read_start(start)
    board = board_of(app, position=position.text, steps=steps)
    assert (board["status"], board["outcome"], board["position"]) == (status, None, position.text)
    assert board_of(app, position=position.text)["status"] == position.status != status


@pytest.mark.parametrize("game", pentad.names())
def test_whole_games_can_be_played_by_touching(app: SecurityMiddleware, game: str) -> None:
    chance = random.Random(game)
    position = pentad.new(game).text
    for _ in range(6):
        board, steps = board_of(app, position=position), ""
        while board["moved"] is None:
            if board["may_end"] and chance.random() < 0.5:
                board = board_of(app, position=position, steps=steps, end=True)
                break
            step = chance.choice(board["choices"])["step"]
            steps = f"{steps} {step}".strip()
            board = board_of(app, position=position, steps=steps)
        assert board["position"] == pentad.load(position).play(board["moved"]).text
        position = board["position"]


def test_the_answer_has_the_outcome(app: SecurityMiddleware) -> None:
    over = pentad.new("pentago", line=2).play("a0 4C").play("f0 4C")
    board = board_of(app, position=over.text, steps="b0")
    assert board["outcome"]["winners"] == [0]
    assert (board["choices"], board["status"]) == ([], "Black wins with 2 in a row.")


START = "pentago ....../....../....../....../....../......"
BAD: list[tuple[dict[str, Any], str]] = [
    ({}, "position"),
    ({"position": ""}, ""),
    ({"position": 7}, "position"),
    ({"position": "chess rnbq"}, "chess"),
    ({"position": "pentago"}, ""),
    ({"position": "pentago \0"}, ""),
    ({"position": "x" * 4001}, "at most 4,000"),
    ({"position": "pentago rows=400 cols=400 ."}, ""),
    ({"position": "pentago rows=9999999999999999999999 ."}, ""),
    ({"position": "pentago " + "/".join(["." * 26] * 26)}, ""),
    ({"position": START, "steps": "z9"}, "z9"),
    ({"position": START, "steps": "a2 1C b2"}, "turn"),
    ({"position": START, "steps": "a" * 401}, "at most 400"),
    ({"position": START, "steps": "a2", "end": True}, "cannot end here"),
    ({"position": START, "end": True}, "cannot end here"),
    ({"position": START, "last": "nonsense"}, "nonsense"),
    ({"position": START, "flip": "yes"}, "flip"),
    ({"position": START, "why": 1}, "why"),
]


@pytest.mark.parametrize(("query", "expected"), BAD, ids=lambda each: str(each)[:60].encode("unicode_escape").decode())
def test_an_invalid_query_is_refused_in_one_line(app: SecurityMiddleware, query: dict[str, Any], expected: str) -> None:
    answer = ask(app, **query)
    assert answer.status_code == 422, answer.text[:300]
    assert set(answer.json()) == {"error"}
    line = answer.json()["error"]
    assert expected in line
    assert line
    assert "\n" not in line
    assert len(line) < 400


def test_a_picture_is_self_contained_and_has_no_scripts(app: SecurityMiddleware) -> None:
    async def asked(**query: str) -> httpx.Response:
        async with browser(app) as guest:
            return await guest.get("/api/board.svg", params=query)

    answer = asyncio.run(asked(position=START, last=""))
    assert answer.headers["Content-Type"] == "image/svg+xml"
    assert answer.text == pentad.load(START).svg()
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert "<script" not in answer.text
    for wrong in (
        {"position": "<script>"},
        {"position": START, "last": "<script>"},
        {},
        {"position": START, "flip": "x"},
    ):
        refused = asyncio.run(asked(**wrong))
        assert (refused.status_code, list(refused.json())) == (422, ["error"])
