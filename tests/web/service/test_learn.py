"""Lessons over HTTP: each can be completed, and invalid requests get one line."""

import httpx
import pytest

from pentad.game import names
from pentad.web.service.pages import ASSETS
from tests.web.server_process import Server


def get(server: Server, path: str) -> httpx.Response:
    return httpx.get(f"{server.url}{path}")


def check(server: Server, **query: object) -> httpx.Response:
    return httpx.post(f"{server.url}/api/lessons/check", json=query)


def test_the_lessons(server: Server):
    body = get(server, "/api/lessons").json()
    assert [each["game"] for each in body] == list(names())
    assert all(each["summary"] and each["title"] for each in body)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("name", names())
def test_a_lesson_from_its_beginning_to_its_end(server: Server, name: str):
    body = get(server, f"/api/lessons/{name}").json()
    assert body["game"] == name
    for number, step in enumerate(body["steps"]):
        shown = [each["move"] for each in step["show"]]
        move = shown[0] if shown else " ".join(each["step"] for each in step["touch"])
        assert bool(step["instruction"]) == bool(step["touch"])
        answer = check(server, game=name, step=number, move=move)
        assert answer.status_code == 200
        assert answer.json()["right"]
        assert answer.json()["words"] == step["right"]
        if shown:
            assert answer.json()["position"] == step["show"][0]["position"]


def test_a_move_to_show_is_an_instruction(server: Server):
    steps = get(server, "/api/lessons/pentagame").json()["steps"]
    place = "1st stop from the blue to the white corner"
    moved = "move the red piece to the white junction and take the black block"
    assert steps[2]["instruction"] == f"{moved}, then put it on the {place}"
    assert steps[2]["touch"][-1]["label"] == "Put the black block here"


def test_a_wrong_move(server: Server):
    answer = check(server, game="pentago", step=1, move="f5 1C").json()
    assert not answer["right"]
    assert answer["words"] == "That does not make five yet. Look at the top row."
    assert answer["move_words"] == "Black plays f5 and twists sub-board 1 clockwise."
    assert answer["position"].startswith("pentago")


@pytest.mark.fast_cases(9)
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"game": "pentago", "step": 0, "move": "rubbish"}, "rubbish"),
        ({"game": "pentago", "step": 0, "move": ""}, ""),
        ({"game": "pentago", "step": 1, "move": "a0 1C"}, "a0"),
        ({"game": "pentago", "step": 99, "move": "a0 1C"}, "has steps 0 to 5, got 99."),
        ({"game": "pentago", "step": -1, "move": "a0 1C"}, "has steps 0 to 5, got -1."),
        ({"game": "pentago", "step": "0", "move": "a0 1C"}, "step"),
        ({"game": "chess", "step": 0, "move": "e4"}, "Unknown game 'chess'"),
        ({"game": "pentago", "step": 0, "move": "a" * 500}, "move"),
        ({"game": "pentago", "step": 0}, "move"),
        ({"game": "pentago", "step": 0, "move": "a0 1C", "more": 1}, "more"),
        ({}, "game"),
    ],
)
def test_an_invalid_check_is_refused(server: Server, query: dict[str, object], expected: str):
    answer = check(server, **query)
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert expected in error
    assert "\n" not in error


@pytest.mark.parametrize("name", ["chess", "..%2f..", "pentago%00", "x" * 300])
def test_lessons_that_do_not_exist(server: Server, name: str):
    answer = get(server, f"/api/lessons/{name}")
    assert answer.status_code in (404, 422)
    assert set(answer.json()) == {"error"}


@pytest.mark.parametrize("path", ["/learn", "/learn/pentago", "/learn/anything"])
def test_the_page(server: Server, path: str):
    answer = get(server, path)
    assert answer.status_code == 200
    assert f"/static/{ASSETS.hash}/learn/page.js" in answer.text
    assert "Content-Security-Policy" in answer.headers
