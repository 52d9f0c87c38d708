"""Games that a page has begun before Python was there, taken over."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from pentad.web.service.routes import ROUTES
from pentad.web.site.browser import begun_games
from tests.web.site.applications import PageApplication

NAME = "kzjbw2m4xr"
AGAINST_BOT = {"game": "pentago", "options": {}, "seats": ["human", "engine@medium"]}
TURN, BOTS = {"type": "step", "steps": "a2 1C"}, {"type": "step", "steps": "b3 2A"}
TAKEN = {"type": "step", "steps": "c2 2A"}  # the first turn has put its marble there
UNDO, REDO = {"type": "undo"}, {"type": "redo"}


@pytest.fixture
def page() -> Iterator[PageApplication]:
    with PageApplication((*ROUTES, *begun_games.ROUTES)) as application:
        yield application


def numbered(*record: dict[str, Any]) -> list[dict[str, Any]]:
    return [each | {"at": at} for at, each in enumerate(record)]


def adopt(page: PageApplication, *record: dict[str, Any], name: str = NAME, **request: Any) -> tuple[int, Any]:
    body = {"room": name, "request": AGAINST_BOT | request, "record": numbered(*record)}
    status, _, text = page.handle("POST", "/api/begun", json.dumps(body))
    return status, json.loads(text)


def state(page: PageApplication, name: str = NAME) -> dict[str, Any]:
    """The game as the page sees it when it connects."""
    (text, *_), _ = page.receive(page.connect(f"/api/rooms/{name}"))
    found: dict[str, Any] = json.loads(text)
    return found


def told(page: PageApplication, name: str = NAME) -> tuple[int, list[str], int | None]:
    """How often the game has changed, its moves, and whose turn it is."""
    shown = state(page, name)
    return shown["at"], [each["text"] for each in shown["moves"]], shown["turn"]


def test_a_game_goes_on(page: PageApplication) -> None:
    status, made = adopt(page, TURN, BOTS)
    assert (status, made) == (200, {"room": NAME, "page": f"/play/{NAME}"})
    here = state(page)
    assert (here["at"], here["turn"], here["can"]["play"], here["can"]["undo"]) == (2, 0, True, True)
    assert [each["text"] for each in here["moves"]] == ["a2 1C", "b3 2A"]
    assert [each["yours"] for each in here["seats"]] == [True, False]
    mine = json.loads(page.handle("GET", "/api/mine")[2])
    assert [each["room"] for each in mine] == [NAME]


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ((), (0, [], 0)),
        ((TURN, BOTS, UNDO), (3, [], 0)),
        ((TURN, BOTS, UNDO, REDO), (4, ["a2 1C", "b3 2A"], 0)),
        ((TURN, BOTS, UNDO, BOTS, TURN), (5, ["b3 2A", "a2 1C"], 0)),
        ((TURN, BOTS, {"type": "resign"}), (3, ["a2 1C", "b3 2A"], None)),
        ((TURN, BOTS, {"type": "resign"}, UNDO), (4, ["a2 1C", "b3 2A"], 0)),
    ],
)
def test_what_happened_is_replayed(page: PageApplication, record: tuple[Any, ...], expected: object) -> None:
    assert adopt(page, *record)[0] == 200
    assert told(page) == expected


def test_a_game_that_is_taken_over_again_stays(page: PageApplication) -> None:
    adopt(page, TURN, BOTS)
    adopt(page, TURN, BOTS)
    assert told(page) == (2, ["a2 1C", "b3 2A"], 0)
    adopt(page, TURN, BOTS, {"type": "step", "steps": "c5 3C"}, {"type": "step", "steps": "e0 4C"})
    assert told(page) == (4, ["a2 1C", "b3 2A", "c5 3C", "e0 4C"], 0)
    adopt(page, TURN)  # a page that has seen less
    assert told(page)[0] == 4


def test_a_game_that_has_gone_on_otherwise_stays(page: PageApplication) -> None:
    adopt(page, TURN, BOTS)
    other = {"type": "step", "steps": "f5 4A"}
    assert adopt(page, TURN, other, BOTS)[0] == 200
    assert told(page) == (2, ["a2 1C", "b3 2A"], 0)


def test_other_seats_and_options(page: PageApplication) -> None:
    assert adopt(page, TURN, seats=["engine@medium", "human"])[0] == 200
    assert state(page)["seats"][1]["yours"]
    other = "pqrstuvwxy"
    adopt(page, {"type": "step", "steps": "K10"}, name=other, game="pente", options={"rules": "keryo"}, seats=None)
    assert state(page, other)["options"] == {"rules": "keryo"}


def test_one_person_at_this_screen_agrees_to_a_draw(page: PageApplication) -> None:
    adopt(page, TURN, {"type": "draw"}, seats=["human", "human"])
    assert state(page)["outcome"]["winners"] == []


@pytest.mark.parametrize(
    "record", [(TURN, TAKEN), (TURN, BOTS, {"type": "resign"}, TURN)], ids=["an illegal turn", "one after the end"]
)
def test_what_cannot_be_is_refused(page: PageApplication, record: tuple[Any, ...]) -> None:
    assert adopt(page, *record)[0] == 422
    assert told(page)[0] == len(record) - 1  # what was possible stays


def test_a_name_that_no_room_has_is_refused(page: PageApplication) -> None:
    assert adopt(page, TURN, name="../secret")[0] == 422
