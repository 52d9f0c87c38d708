"""Previews of links: the tags in the pages' heads, and the pictures that they name."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import httpx
import pytest

import pentad
from pentad.drawing import raster
from pentad.web.http import pages
from pentad.web.http.security import SecurityMiddleware
from release.pictures import decoded
from tests.web.app import URL, app_with, browser


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecurityMiddleware]:
    folder: Path = tmp_path_factory.mktemp("previews")
    with app_with(folder) as running:
        yield running


def get(app: SecurityMiddleware, path: str, **headers: str) -> httpx.Response:
    async def asked() -> httpx.Response:
        async with browser(app) as guest:
            return await guest.get(path, headers=headers)

    return asyncio.run(asked())


class Head(HTMLParser):
    """The tags of a page's head, and every element of its body by name."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: dict[str, str] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        name = values.get("property") or values.get("name") or ""
        if tag == "meta" and name.startswith(("og:", "twitter:")):
            assert name not in self.tags
            self.tags[name] = values["content"]


def tags(app: SecurityMiddleware, path: str, **headers: str) -> dict[str, str]:
    return Head(get(app, path, **headers).text).tags


def made(app: SecurityMiddleware, *moves: str, **wish: Any) -> str:
    """The name of a new game after these moves, played over its socket's route."""

    async def make() -> str:
        async with browser(app) as guest:
            answer = await guest.post("/api/rooms", json={"game": "pentago", **wish})
            assert answer.status_code == 201, answer.text
            return str(answer.json()["room"])

    return asyncio.run(make())


def fetched(app: SecurityMiddleware, address: str) -> httpx.Response:
    assert address.startswith(URL)
    return get(app, address.removeprefix(URL))


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("path", [*(page.path for page in pages.PAGES.values()), "/puzzles/3", "/none"])
def test_every_page_has_a_preview(app: SecurityMiddleware, path: str) -> None:
    found = tags(app, path)
    assert found["og:type"] == "website"
    assert found["og:url"] == f"{URL}{path}"
    assert found["twitter:card"] == "summary_large_image"
    assert all(found[f"og:{name}"] for name in ("title", "description", "image:alt"))
    picture = fetched(app, found["og:image"])
    assert picture.headers["Content-Type"] == found["og:image:type"] == "image/png"
    assert "immutable" in picture.headers["Cache-Control"]
    image = decoded(picture.content)
    size = (int(found["og:image:width"]), int(found["og:image:height"]))
    assert (image.width, image.height) == size == raster.PREVIEW_PIXELS


def test_addresses_are_those_of_the_request(app: SecurityMiddleware) -> None:
    found = tags(app, "/learn", host="localhost:8080", **{"x-forwarded-proto": "https"})
    assert found["og:url"].endswith("://localhost:8080/learn")
    assert found["og:image"].startswith(found["og:url"].removesuffix("learn"))


def test_a_link_to_a_game_shows_its_players_and_its_board(app: SecurityMiddleware) -> None:
    room = made(app, name="Ada", seats=["human", "open"])
    found = tags(app, f"/play/{room}")
    assert found["og:title"] == "Ada invites you to Pentago"
    assert found["og:description"] == "Black to place a marble."
    assert found["og:image:alt"] == "The board of Pentago after 0 moves. Black to place a marble."
    picture = fetched(app, found["og:image"])
    assert picture.status_code == 200
    assert picture.headers["Cache-Control"] == "public, max-age=60"
    assert picture.content == raster.preview(pentad.new("pentago").svg())
    review = tags(app, f"/analyse?room={room}")
    assert review["og:title"] == found["og:title"]
    assert review["og:image"] == found["og:image"]


@pytest.mark.parametrize(
    ("wish", "title"),
    [
        ({"seats": ["human", "engine@1"], "name": "Ada"}, "Pentago: Ada against the computer"),
        ({"seats": ["human", "human"], "name": "Ada"}, "Pentago: Ada against Ada"),
        (
            {"game": "pentagame", "options": {"players": 3}, "seats": ["human"] * 3},
            "Pentagame: Circle, Square and Triangle",
        ),
    ],
)
def test_titles_of_games(app: SecurityMiddleware, wish: dict[str, Any], title: str) -> None:
    found = tags(app, f"/play/{made(app, **wish)}")["og:title"]
    assert found.split(", move")[0] == title


def test_a_name_cannot_add_to_the_page(app: SecurityMiddleware) -> None:
    name = '"><script>alert(1)</script'
    room = made(app, name=name, seats=["human", "open"])
    text = get(app, f"/play/{room}").text
    assert "<script>alert" not in text
    assert Head(text).tags["og:title"] == f"{name} invites you to Pentago"
    attack = '"><script>alert(1)</script>'
    assert "<script>alert" not in get(app, f"/analyse?start={quote(attack)}&{attack}").text
    assert "<script>alert" not in get(app, f"/none/{quote(attack)}").text


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/analyse", "/embed"])
@pytest.mark.parametrize("key", ["start", "position"])
def test_a_link_to_a_position_shows_it(app: SecurityMiddleware, path: str, key: str) -> None:
    position = pentad.new("pentago").play("a2 1C").play("f5 3A")
    found = tags(app, f"{path}?{urlencode({key: position.text})}")
    assert found["og:title"] == "Pentago: the position after 2 moves"
    assert found["og:description"] == position.status
    picture = fetched(app, found["og:image"])
    assert picture.headers["Cache-Control"] == "public, max-age=86400"
    assert picture.content == raster.preview(position.svg())


def test_a_link_with_moves_shows_the_position_after_them(app: SecurityMiddleware) -> None:
    line = pentad.new("pente", size=9).play("E5").play("D4")
    found = tags(app, f"/analyse?{urlencode({'game': 'pente size=9', 'moves': 'E5_D4_Z99_A1'})}")
    assert found["og:title"] == "Pente: the position after 2 moves"
    assert fetched(app, found["og:image"]).content == raster.preview(line.svg(last="D4"))


@pytest.mark.parametrize(
    "query", ["start=rubbish", "start=", f"start={'x' * 5000}", "position=pentago+9", "room=none", "room=abcdefghjk"]
)
def test_a_wrong_link_has_the_preview_of_its_page(app: SecurityMiddleware, query: str) -> None:
    answer = get(app, f"/analyse?{query}")
    assert answer.status_code == 200
    assert Head(answer.text).tags["og:title"] == "Analysis · pentad"


@pytest.mark.parametrize(
    ("path", "status", "error"),
    [
        ("/api/board.png", 422, 'Missing field "position".'),
        ("/api/board.png?position=rubbish", 422, "Unknown game"),
        (f"/api/board.png?position={'x' * 4001}", 422, "at most 4,000 characters"),
        ("/api/board.png?position=pentago&last=zz", 422, ""),
        ("/api/rooms/abcdefghjk/picture.png", 404, "does not exist"),
    ],
)
def test_refusals_are_one_line(app: SecurityMiddleware, path: str, status: int, error: str) -> None:
    answer = get(app, path)
    assert answer.status_code == status
    body = answer.json()
    assert list(body) == ["error"]
    assert error in body["error"]
    assert "\n" not in body["error"]


def test_without_the_library_links_have_the_common_picture(
    app: SecurityMiddleware, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(raster, "is_available", lambda: False)
    room = made(app, name="Ada", seats=["human", "open"])
    for path in (f"/play/{room}", "/analyse?game=pente"):
        assert tags(app, path)["og:image"] == tags(app, "/learn")["og:image"]
    answer = get(app, f"/api/board.png?{urlencode({'position': pentad.new('pentago').text})}")
    assert (answer.status_code, answer.json()) == (501, {"error": "This server cannot make PNG pictures."})


def test_a_plain_picture_has_no_style_sheet(app: SecurityMiddleware) -> None:
    position = pentad.new("pentago")
    text = get(app, f"/api/board.svg?{urlencode({'position': position.text, 'plain': 'true'})}").text
    assert text == raster.plain(position.svg())
