"""Puzzles over HTTP: lists, the daily puzzles, solving one, and invalid requests."""

from typing import Any

import httpx
import pytest

from pentad.game import load, names
from pentad.play import puzzles
from pentad.system.words import uncapitalized
from pentad.web.service.pages import ASSETS
from tests.web.server_process import Server


def get(server: Server, path: str, **query: Any) -> httpx.Response:
    return httpx.get(f"{server.url}{path}", params=query)


def post(server: Server, path: str, query: object) -> httpx.Response:
    return httpx.post(f"{server.url}{path}", json=query)


def some(game: str, moves: int) -> puzzles.Puzzle:
    return next(each for each in puzzles.puzzles(game) if each.moves == moves and each.kind != "draw")


def test_the_lists(server: Server):
    everything = get(server, "/api/puzzles").json()["puzzles"]
    assert len(everything) == sum(len(puzzles.puzzles(name)) for name in names())
    hard = get(server, "/api/puzzles", game="pente", difficulty=5).json()["puzzles"]
    assert hard
    assert {(each["game"], each["difficulty"]) for each in hard} == {("pente", 5)}


def test_no_list_contains_a_solution(server: Server):
    facts = {"id", "game", "title", "goal", "colour", "moves", "difficulty"}
    assert {key for each in get(server, "/api/puzzles").json()["puzzles"] for key in each} == facts
    one = get(server, f"/api/puzzles/{some('pentago', 2).id}").json()
    assert set(one) == facts | {"position", "notes", "next"}


@pytest.mark.slow
def test_the_next_puzzles_lead_through_all_of_a_game(server: Server):
    first = puzzles.puzzles("pentagame")[0].id
    seen, here = {first}, first
    while (here := get(server, f"/api/puzzles/{here}").json()["next"]) != first:
        assert here not in seen
        seen.add(here)
    assert len(seen) == len(puzzles.puzzles("pentagame"))


def test_the_daily_puzzles(server: Server):
    body = get(server, "/api/puzzles/daily", day="2026-02-28").json()
    assert body["day"] == "2026-02-28"
    assert [each["game"] for each in body["puzzles"]] == list(names())
    assert body == get(server, "/api/puzzles/daily", day="2026-02-28").json()
    assert body["puzzles"] != get(server, "/api/puzzles/daily", day="2026-03-01").json()["puzzles"]
    assert len(get(server, "/api/puzzles/daily").json()["day"]) == 10


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize(("game", "moves"), [("pentago", 2), ("pentago", 3), ("pente", 4), ("pentagame", 2)])
def test_a_puzzle_to_its_end(server: Server, game: str, moves: int):
    puzzle = some(game, moves)
    line = [str(move) for _, move in puzzles.solution(puzzle)]
    own, replies = line[::2], line[1::2]
    here = puzzle.start
    for count in range(1, moves + 1):
        answer = post(server, f"/api/puzzles/{puzzle.id}/try", {"moves": own[:count]}).json()
        assert answer["right"]
        assert answer["move"] == own[count - 1]
        here = here.play(own[count - 1])
        assert load(answer["after"]) == here
        assert answer["over"] == (count == moves)
        if count < moves:
            assert answer["reply"] == replies[count - 1]
            here = here.play(answer["reply"])
            assert load(answer["position"]) == here
    assert here.outcome
    assert here.outcome.winners == (puzzle.start.turn,)


def test_a_wrong_move(server: Server):
    puzzle = some("pente", 2)
    wrong = next(str(move) for move in puzzle.start.legal_moves if str(move) not in puzzle.tree.right)
    answer = post(server, f"/api/puzzles/{puzzle.id}/try", {"moves": [wrong]}).json()
    assert not answer["right"]
    assert not answer["over"]
    assert answer["reply"] is None
    assert answer["words"] == "That does not win in 2."
    assert answer["position"] == puzzle.start.text


def test_a_hint_is_a_first_step(server: Server):
    puzzle = some("pentago", 2)
    answer = post(server, f"/api/puzzles/{puzzle.id}/hint", {}).json()
    assert len(answer["steps"]) == 1
    assert any(move.startswith(answer["steps"][0]["step"]) for move in puzzle.tree.right)
    assert answer["words"] == uncapitalized(answer["steps"][0]["label"])


def test_a_solution_can_be_played_through(server: Server):
    puzzle = some("pente", 4)
    body = get(server, f"/api/puzzles/{puzzle.id}/solution").json()
    here = load(body["position"])
    for each in body["moves"]:
        assert each["colour"] == here.colour_of(here.turn)
        here = here.play(each["move"])
        assert each["position"] == here.text
    assert here.outcome


def test_solved_puzzles_are_stored_for_known_persons(server: Server):
    puzzle, other = puzzles.puzzles("pentago")[:2]
    wrong = next(str(move) for move in other.start.legal_moves if str(move) not in other.tree.right)
    with httpx.Client(base_url=server.url) as person:
        assert person.get("/api/puzzles/solved").json() == {"solved": []}
        person.put("/api/me", json={"name": "Ada"}).raise_for_status()
        for of, move in ((puzzle, next(iter(puzzle.tree.right))), (other, wrong)):
            assert of.moves == 1
            person.post(f"/api/puzzles/{of.id}/try", json={"moves": [move]}).raise_for_status()
        assert person.get("/api/puzzles/solved").json() == {"solved": [puzzle.id]}
    assert get(server, "/api/puzzles/solved").json() == {"solved": []}


@pytest.mark.fast_cases(8)
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"moves": []}, "moves"),
        ({"moves": ["rubbish"]}, "rubbish"),
        ({"moves": ["a" * 500]}, "moves"),
        ({"moves": ["a0 1C"] * 30}, "moves"),
        ({"moves": "a0 1C"}, "moves"),
        ({"moves": [1]}, "moves"),
        ({}, "moves"),
        ({"moves": ["a0 1C"], "more": 1}, "more"),
        ([], ""),
    ],
)
def test_an_invalid_attempt_is_refused(server: Server, query: object, expected: str):
    for what in ("try", "hint"):
        if what == "hint" and query in ({}, {"moves": []}):
            continue
        answer = post(server, f"/api/puzzles/{some('pentago', 2).id}/{what}", query)
        assert answer.status_code == 422
        assert expected in answer.json()["error"]
        assert "\n" not in answer.json()["error"]


@pytest.mark.slow
def test_a_wrong_move_ends_an_attempt(server: Server):
    puzzle = some("pentago", 2)
    wrong = next(str(move) for move in puzzle.start.legal_moves if str(move) not in puzzle.tree.right)
    for what, moves in (("try", [wrong, wrong]), ("hint", [wrong])):
        answer = post(server, f"/api/puzzles/{puzzle.id}/{what}", {"moves": moves})
        assert answer.status_code == 422


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/puzzles/nothing", 404),
        ("/api/puzzles/nothing/solution", 404),
        ("/api/puzzles/%00", 404),
        ("/api/puzzles?game=chess", 422),
        ("/api/puzzles?difficulty=0", 422),
        ("/api/puzzles?difficulty=many", 422),
        ("/api/puzzles/daily?day=tomorrow", 422),
        ("/api/puzzles/daily?day=2026-02-30", 422),
        ("/api/puzzles/daily?day=99999999999", 422),
    ],
)
def test_unknown_puzzles_are_not_found(server: Server, path: str, status: int):
    answer = get(server, path) if "?" not in path else httpx.get(f"{server.url}{path}")
    assert answer.status_code == status
    assert "\n" not in answer.json()["error"]


@pytest.mark.parametrize("path", ["/puzzles", "/puzzles/anything"])
def test_the_page(server: Server, path: str):
    answer = get(server, path)
    assert answer.status_code == 200
    assert f"/static/{ASSETS.hash}/puzzles/page.js" in answer.text
