"""The page's adapter of the table of services against the server's: equal responses to equal requests."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pentad
from tests.properties import properties
from tests.waiting import TIMEOUT
from tests.web.site import corpus
from tests.web.site.applications import PageApplication, ServerApplication
from tests.web.site.small_store import FAULTS, first_move

Both = tuple[PageApplication, ServerApplication]


@pytest.fixture(scope="module")
def both() -> Iterator[Both]:
    with PageApplication() as page, ServerApplication() as server:
        for application in (page, server):  # a room, and a person who is known from then on
            assert (
                application.handle("POST", "/api/rooms", json.dumps({"game": "pentago", "seats": ["open", "open"]}))[0]
                == 201
            )
        yield page, server


def compare(both: Both, requests: Iterable[corpus.Request]) -> list[int]:
    """The statuses of the responses, which are equal."""
    page, server = both
    differences, statuses = [], []
    for request in requests:
        found, expected = page.handle(*request), server.handle(*request)
        statuses.append(expected[0])
        if found != expected:
            differences.append((request, found, expected))
    assert differences == []
    return statuses


@pytest.mark.slow
@pytest.mark.parametrize("name", corpus.BODIES)
def test_requests_with_a_body(both: Both, name: str) -> None:
    statuses = compare(both, corpus.of_body(name))
    assert statuses[0] in (200, 201)
    assert 422 in statuses


@pytest.mark.fast_cases(18)
@pytest.mark.parametrize("path", corpus.PATHS)
def test_requests_without_a_body(both: Both, path: str) -> None:
    compare(both, corpus.of_path(path))


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("path", corpus.QUERIES)
def test_requests_with_parameters(both: Both, path: str) -> None:
    assert compare(both, corpus.of_query(path))[0] == 200


@pytest.mark.parametrize("name", FAULTS)
def test_failures(both: Both, name: str) -> None:
    assert compare(both, [("GET", f"/api/rooms/{name}/record", None)])[0] in (422, 429, 500, 503)


def test_unknown_paths(both: Both) -> None:
    compare(both, (request for path in corpus.UNKNOWN for request in corpus.of_path(path)))


def test_random_steps(both: Both) -> None:
    compare(both, [("POST", "/api/models/ferry/step", json.dumps({"chance": 5, "seed": 7}))])


# ── invented requests ────────────────────────────────────────────────────────────────────────────

NUMBERS = st.integers(-2, 10) | st.integers() | st.floats() | st.sampled_from([1.0, 2**53, 1e300])
SCALARS = st.none() | st.booleans() | NUMBERS | st.text(max_size=5) | st.sampled_from(["a2 1C", "pentago", "human"])
JSON = st.recursive(
    SCALARS, lambda each: st.lists(each, max_size=3) | st.dictionaries(st.text(max_size=3), each, max_size=3)
)


def like(value: Any) -> st.SearchStrategy[Any]:
    """Values that differ from a valid one in some places."""
    if isinstance(value, dict):
        whole = st.fixed_dictionaries({}, optional={name: like(each) for name, each in value.items()})
        return st.just(value) | whole | st.tuples(whole, JSON).map(lambda both: {**both[0], "more": both[1]}) | JSON
    if isinstance(value, list):
        return st.just(value) | st.lists(st.sampled_from(value).flatmap(like) if value else JSON, max_size=3) | JSON
    return st.just(value) | JSON


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize("name", ["preview", "board", "line", "tree", "edit", "check", "try"])
def test_invented_bodies(both: Both, name: str) -> None:
    method, path, value = corpus.BODIES[name]

    @properties(100)
    @given(like(value))
    def responses_are_equal(given: Any) -> None:
        compare(both, [(method, path, json.dumps(given))])

    responses_are_equal()


# ── sockets ──────────────────────────────────────────────────────────────────────────────────────


class Sockets:
    """A socket of each application to the same path."""

    def __init__(self, both: Both, path: str) -> None:
        self._both, self._numbers = both, [each.connect(path) for each in both]

    def compare(self, text: str | None = None, *, least: int = 1) -> list[str]:
        """What both send to the page after a text, at least so many messages."""
        if text is not None:
            for each, number in zip(self._both, self._numbers, strict=True):
                each.send(number, text)
        found: list[list[str]] = [[], []]
        until = time.monotonic() + TIMEOUT
        while time.monotonic() < until and (found[0] != found[1] or len(found[0]) < least):
            for each, number, texts in zip(self._both, self._numbers, found, strict=True):
                texts += each.receive(number)[0]
        assert found[0] == found[1]
        assert len(found[0]) >= least
        return found[0]

    def compare_end(self) -> int | None:
        """The code with which both are closed."""
        until = time.monotonic() + TIMEOUT
        while True:
            page, server = (each.receive(number)[1] for each, number in zip(self._both, self._numbers, strict=True))
            if page == server or time.monotonic() > until:
                assert page == server
                return page

    def close(self) -> None:
        for each, number in zip(self._both, self._numbers, strict=True):
            each.send(number, None)


def new_room(both: Both, **more: Any) -> str:
    rooms = [json.loads(each.handle("POST", "/api/rooms", json.dumps(more))[2])["room"] for each in both]
    assert rooms[0] == rooms[1]
    return str(rooms[0])


def test_a_game_between_persons(both: Both) -> None:
    room = new_room(both, game="pentago", seats=["human", "human"], time={"main": 300, "increment": 2.5})
    first, second = Sockets(both, f"/api/rooms/{room}"), Sockets(both, f"/api/rooms/{room}?flip=true")
    first.compare()
    second.compare()
    position = pentad.new("pentago")
    for at in range(3):
        steps = first_move(position)
        position = position.play(steps)
        place = steps.split()[0]
        assert '"type":"turn"' in first.compare(json.dumps({"type": "step", "at": at, "steps": place}))[-1]
        first.compare(json.dumps({"type": "step", "at": at, "steps": steps}))
        second.compare()
    first.compare('{"type": "undo", "at": 3}')
    second.compare()
    first.compare('{"type": "say", "text": "Grüße 𐀀"}')
    second.compare('{"type": "look", "flip": false}', least=2)
    first.compare('{"type": "resign", "at": 4, "seat": 1}')
    second.compare()
    second.close()
    first.compare()
    first.close()
    compare(both, [("GET", f"/api/rooms/{room}/record?format={kind}", None) for kind in ("pentad", "json", "none")])
    compare(both, [("POST", f"/api/rooms/{room}/again", None), ("GET", "/api/mine", None)])


@pytest.mark.slow
def test_a_game_against_a_bot(both: Both) -> None:
    room = new_room(both, game="pente", seats=["human", "random"])
    page = Sockets(both, f"/api/rooms/{room}")
    page.compare()
    page.compare('{"type": "hint", "at": 0}')
    steps = first_move(pentad.new("pente"))
    page.compare(json.dumps({"type": "step", "at": 0, "steps": steps}), least=2)  # the bot's move follows
    page.close()


SOCKETS = {
    "/api/rooms/abcdefghaa": {"type": "step", "at": 0, "steps": "a", "end": False, "warn": False},
    "/api/study/engine": {"type": "analyse", "number": 1, "position": "x", "seconds": 1.5, "lines": 2, "values": True},
    "/api/models/none/explore": {"type": "explore", "options": {}, "states": 9, "seconds": 1.0, "depth": 1},
}


@pytest.mark.slow
@pytest.mark.parametrize("path", SOCKETS)
def test_invalid_messages(both: Both, path: str) -> None:
    page, valid = Sockets(both, path), SOCKETS[path]
    if "rooms" in path:
        page.compare()
    texts = [*corpus.TEXTS, *(json.dumps(each) for each in corpus.spoiled(valid)), '{"type": "stop", "what": "x"}']
    for text in texts:
        if text.strip() and len(text) < 70_000:
            page.compare(text)
    page.close()


@pytest.mark.parametrize("path", ["/api/rooms/none", "/api/rooms/abcdefghzz"])
def test_a_socket_of_a_room_that_does_not_exist(both: Both, path: str) -> None:
    page = Sockets(both, path)
    page.compare()
    assert page.compare_end() == 4404


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/api/rooms/abcdefghaa?flip=x"])
def test_a_socket_with_invalid_parameters_is_closed(both: Both, path: str) -> None:
    assert Sockets(both, path).compare_end() == 1008
