"""Values on the Analysis page: one point of view everywhere, and marks on the right targets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

import pentad
from pentad.game import GameError, Position, read_start
from pentad.search.exact import exact_value
from pentad.web.engines import WorkerFailed, jobs
from tests.cases import slow, slow_but
from tests.waiting import wait_until
from tests.web.browser_helpers import NewPage
from tests.web.server_thread import Answers, InThreads, PlaceCallback, serving

pytestmark = pytest.mark.browser

GOOD = 0.62  # the value of the mover's best line
LATE = pentad.load("pentago bwbwbw/.b..wb/wbwb../.wbw../bw.b../wbw..b")  # white to move, 23 marbles


class FixedValues(InThreads):
    """Engines that give every position the same value for the mover."""

    def __init__(self) -> None:
        self.requested: list[str] = []

    async def analysis(
        self, position: Position, *, seconds: float, lines: int, owner: object, on_place: PlaceCallback = None
    ) -> Answers:
        self.requested.append(position.text)
        if on_place:
            on_place(0)
        mover, count = position.turn, position.players
        values = [GOOD if seat == mover else -GOOD / (count - 1) for seat in range(count)]
        move = str(position.legal_moves[0])
        line = {"moves": [move], "words": "", "value": GOOD, "values": values, "claim": ""}
        yield {"seat": mover, "depth": 3, "nodes": 10, "seconds": 0.1, "exact": False, "lines": [line]}

    async def values(self, position: Position, *, owner: object, on_place: PlaceCallback = None) -> dict[str, Any]:
        if not self.solves_at_once(position):
            raise WorkerFailed("too many marbles are missing")
        moves = [str(each) for each in position.legal_moves]
        values = {move: (1, 0, -1)[number % 3] for number, move in enumerate(moves)}
        return {"value": 1, "moves": values, "unknown": 0}

    async def solved(self, position: Position, *, lines: int, owner: object, on_place: PlaceCallback = None) -> Answers:
        self.requested.append(position.text)
        answer = await self.values(position, owner=owner)
        yield answer
        best = [[move] for move, value in answer["moves"].items() if value == 1][:lines]
        values = [1.0 if seat == position.turn else -1.0 for seat in range(position.players)]
        lines_of_play = [{"moves": moves, "words": "", "value": 1.0, "values": values, "claim": ""} for moves in best]
        yield {"seat": position.turn, "depth": 2, "nodes": 1, "seconds": 0.1, "exact": True, "lines": lines_of_play}


@pytest.fixture(scope="module")
def engines() -> FixedValues:
    return FixedValues()


@pytest.fixture(scope="module")
def site(engines: FixedValues, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(engines, tmp_path_factory.mktemp("values")) as url:
        yield url


def look_at(page: Page, position: Position) -> None:
    page.goto(f"/analyse?start={quote(position.text)}")
    expect(page.locator("#engine-on")).to_be_checked()
    expect(page.locator("#lines li").first).to_be_visible()


def shown_values(page: Page) -> dict[str, str]:
    """The value of the position at every place of the page that shows it."""
    graph = page.locator("#graph")
    expect(graph).to_have_attribute("aria-valuetext", re.compile(":"))
    gauges = page.locator(".gauge")
    return {
        "gauge": ", ".join(gauges.nth(i).get_attribute("aria-label") or "" for i in range(gauges.count()))
        .lower()
        .replace(", exact", ""),
        "gauge, visible": ", ".join(page.locator(".gauge-value").all_text_contents()).lower(),
        "line": page.locator("#lines li .visually-hidden").first.text_content() or "",
        "chart": (graph.get_attribute("aria-valuetext") or "").partition(": ")[2],
        "table": page.locator("#graph-table tbody tr").last.locator("td").first.text_content() or "",
    }


TWO_PLAYERS = {
    "pentago": ("pentago", ["a2 1C"]),
    "pente": ("pente", ["K10"]),
    "pente with colours changed": ("pente opening=swap2", ["K10 K11 A1", "white"]),
    "pente, black chosen": ("pente opening=swap2", ["K10 K11 A1", "black"]),
    "pentagame": ("pentagame", ["[0,0,1,1,0]"]),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", slow_but(TWO_PLAYERS, "pente, black chosen"))
def test_numbers_are_from_the_point_of_view_of_the_first_colour(new_page: NewPage, case: str) -> None:
    page = new_page()
    start, moves = TWO_PLAYERS[case]
    position = read_start(start)
    colours = [position.colour_of(seat) for seat in (0, 1)]
    for move in moves:
        position = position.play(move)
    page.goto(f"/analyse?game={quote(start)}&moves={quote('_'.join(moves))}")
    expect(page.locator("#engine-on")).to_be_checked()
    movers = set()
    for _ in range(2):  # each side to move
        movers.add(mover := position.colour_of(position.turn))
        number = "+0.62" if mover == colours[0] else "−0.62"
        expect(page.locator("#graph-table tbody tr").last.locator("td").first).to_have_text(f"{colours[0]} {number}")
        values = shown_values(page)
        assert set(values.values()) == {f"{colours[0]} {number}"}, values
        assert page.locator("#lines strong").first.text_content() == number
        expect(page.locator("#lines-caption")).to_have_text(
            f"Best moves first. + is good for {colours[0].capitalize()}, − for {colours[1].capitalize()}."
        )
        page.locator("#lines .move").first.click()
        position = position.play(str(position.legal_moves[0]))
        expect(page.locator("#tree [aria-current]")).to_have_count(1)
    assert movers == set(colours)


@pytest.mark.slow
def test_each_of_three_players_has_a_number(new_page: NewPage) -> None:
    page = new_page()
    position = pentad.new("pentagame", players=3).play("[0,0,1,1,0]")
    look_at(page, position)
    values = shown_values(page)
    assert set(values.values()) == {"circle −0.31, square +0.62, triangle −0.31"}, values
    assert page.locator("#lines li").first.locator("strong").all_text_contents() == ["−0.31", "+0.62", "−0.31"]


@pytest.mark.slow
def test_exact_values_of_either_side_agree_with_the_numbers(new_page: NewPage) -> None:
    page = new_page()
    for position in (LATE, LATE.play(LATE.legal_moves[0])):
        look_at(page, position)
        mover = position.colour_of(position.turn).capitalize()
        other = "Black" if mover == "White" else "White"
        number = "black +1.00" if mover == "Black" else "black −1.00"
        assert set(shown_values(page).values()) == {number}
        expect(page.locator(".claim").first).to_have_text(f"{mover} wins")
        expect(page.locator("#values-note")).to_contain_text(f"Exact value: {mover} wins.")
        assert [text.strip()[1:].strip() for text in page.locator("#legend li").all_text_contents()] == [
            f"{mover} wins",
            "Draw",
            f"{other} wins",
        ]


class Known(FixedValues):
    """The exact values that a worker finds, with estimates elsewhere."""

    def solves_at_once(self, position: Position) -> bool:
        return exact_value(position) is not None

    async def solved(self, position: Position, *, lines: int, owner: object, on_place: PlaceCallback = None) -> Answers:
        try:
            for answer in jobs.values(position.text, 0.01, 1 << 20, lines):
                yield answer
        except GameError as error:
            raise WorkerFailed(str(error)) from None


def test_the_first_positions_have_their_exact_values(new_page: NewPage, tmp_path: Path) -> None:
    empty = pentad.new("pentago")
    one = empty.play("a0 4C")
    three = one.play("b1 2A").play("c3 1A")
    with serving(Known(), tmp_path) as url:
        page = new_page(base_url=url)
        for position, number, claim, note in (
            (
                empty,
                "+1.00",
                "Black wins",
                "Black wins. The length of the win is not known. 192 of 288 moves win, the other 96 draw.",
            ),
            (one, "0.00", "Draw", "a draw. "),
            (three, "0.00", "Draw", "a draw. 5 of 264 moves draw, the values of the other 259 are not"),
        ):
            look_at(page, position)
            expect(page.locator("#values-note")).to_contain_text(f"Exact value: {note}")
            expect(page.locator(".claim").first).to_have_text(claim)
            assert set(shown_values(page).values()) == {f"black {number}"}
            expect(page.locator(".gauge")).to_have_attribute("aria-label", f"Black {number}, exact")
        look_at(page, three.play("d5 2C"))
        expect(page.locator("#values-note")).to_have_text(
            "The exact value of this board is not known here. Boards with up to 3 marbles are in the book. Boards with "
            "18 marbles or more are solved in about a second, those with 14 to 17 in minutes, if there is enough "
            "memory or disk."
        )


def test_cached_values_are_shown_without_a_request(new_page: NewPage, engines: FixedValues) -> None:
    page = new_page()
    moves = [str(LATE.legal_moves[0])]
    look_at(page, LATE)
    expect(page.locator(".claim").first).to_be_visible()
    page.locator("#lines .move").first.click()
    expect(page.locator("#headline")).to_contain_text("Black to")
    after = LATE.play(moves[0]).text
    wait_until(lambda: after in engines.requested, "the request for the position after the move")
    requests = [text for text in engines.requested if text in (LATE.text, after)]
    page.locator("#flip").click()
    page.locator("#back").click()
    expect(page.locator("#headline")).to_contain_text("White to")
    expect(page.locator("#board .painted .paint")).to_have_count(13)
    expect(page.locator(".claim").first).to_have_text("White wins")
    page.locator("#forward").click()
    expect(page.locator("#headline")).to_contain_text("Black to")
    assert [text for text in engines.requested if text in (LATE.text, after)] == requests


@pytest.mark.slow
def test_a_cached_estimate_is_shown_until_there_is_a_new_one(new_page: NewPage, engines: FixedValues) -> None:
    page = new_page()
    start = pentad.new("pente", size=13)
    look_at(page, start)
    page.locator("#lines .move").first.click()
    expect(page.locator("#headline")).to_contain_text("Black to")
    page.locator("#back").click()
    expect(page.locator("#headline")).to_contain_text("White to")
    expect(page.locator("#engine-note")).to_contain_text("estimate")
    expect(page.locator("#values-note")).to_be_hidden()  # Pente has no solver


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [slow(1280, 800), (390, 844), slow(568, 320)])
@pytest.mark.parametrize("flip", [slow(False), True])
def test_each_mark_is_on_its_arrow(new_page: NewPage, width: int, height: int, flip: bool) -> None:
    page = new_page(viewport={"width": width, "height": height})
    look_at(page, LATE)
    if flip:
        page.locator("#flip").click()
    page.locator("#board [data-target=b0]").click()
    expect(page.locator("#headline")).to_have_text("White to twist a sub-board.")
    marks = page.locator("#board .painted .paint")
    expect(marks).to_have_count(8)
    boxes = """() => {
        const box = (each) => (({x, y, width, height}) => ({x, y, width, height}))(each.getBoundingClientRect());
        const discs = [...document.querySelectorAll("#board .twist .disc")].map(box);
        const arrows = [...document.querySelectorAll("#board .twist .arrow")].map(box);
        const marks = [...document.querySelectorAll("#board .painted .paint")].map((each) => ({
            ring: box(each.querySelector(".ring")), sign: box(each.querySelector(".edge")) }));
        return {discs, arrows, marks};
    }"""
    found = page.evaluate(boxes)
    middles = [(disc["x"] + disc["width"] / 2, disc["y"] + disc["height"] / 2) for disc in found["discs"]]
    marked = []
    for mark in found["marks"]:
        ring, sign = mark["ring"], mark["sign"]
        x, y = ring["x"] + ring["width"] / 2, ring["y"] + ring["height"] / 2
        nearest = min(range(8), key=lambda i: abs(middles[i][0] - x) + abs(middles[i][1] - y))
        disc = found["discs"][nearest]
        assert abs(middles[nearest][0] - x) < 1
        assert abs(middles[nearest][1] - y) < 1
        # The sign is within the disc, below the head of the arrow.
        assert disc["x"] <= sign["x"]
        assert sign["x"] + sign["width"] <= disc["x"] + disc["width"]
        assert disc["y"] <= sign["y"]
        assert sign["y"] + sign["height"] <= disc["y"] + disc["height"] + 1
        assert sign["y"] > found["arrows"][nearest]["y"] + 0.5 * found["arrows"][nearest]["height"]
        marked.append(nearest)
    assert sorted(marked) == list(range(8))
