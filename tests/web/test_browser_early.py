"""A first move on a board that came with the page, before the server answers."""

import json

import pytest
from playwright.sync_api import Page, Route, expect

from pentad.web.site.build import new_game
from tests.web.browser_helpers import NewPage, moves, place, targets, without_rules

pytestmark = pytest.mark.browser
TURNS = new_game("pentago")["first-turns"]


class Gate:
    """Holds back a page's requests until it opens."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.held: list[Route] = []
        self.opened = False
        page.route("**/api/**", self._pass)

    def _pass(self, route: Route) -> None:
        if self.opened:
            route.continue_()
        else:
            self.held.append(route)

    def open(self) -> None:
        self.opened = True
        for route in self.held:
            route.continue_()


# Adds the state to the page once it is parsed, before its scripts run.
ADD = """document.addEventListener("readystatechange", () => {
    if (document.readyState !== "interactive") return;
    for (const [id, textContent] of Object.entries(DATA)) {
        const element = document.createElement("script");
        document.body.append(Object.assign(element, { id, type: "application/json", textContent }));
    }
});"""


def open_early(page: Page, path: str = "/play", turns: object = None, **shown: object) -> Gate:
    """Opens a page that contains the state of a new game, Pentago against the computer unless `shown` differs.

    `turns` are the answers to the first steps of a turn.
    """
    state = page.request.post("/api/preview", data={"game": "pentago", **shown})
    assert state.ok
    texts = {"first-state": state.text()} | ({} if turns is None else {"first-turns": json.dumps(turns)})
    page.add_init_script(ADD.replace("DATA", json.dumps(texts)))
    without_rules(page)
    gate = Gate(page)
    page.goto(path)
    return gate


def touch(page: Page, name: str) -> None:
    place(page, name).and_(targets(page)).click()


@pytest.mark.slow
def test_a_first_step_is_drawn_before_the_server_answers_and_played_then(new_page: NewPage) -> None:
    page = new_page()
    gate = open_early(page)
    expect(page.locator("#headline")).to_have_text("Your turn")
    touch(page, "a0")
    expect(place(page, "a0").locator(".ball.black")).to_have_count(1)
    expect(page.locator("#detail")).to_have_text("Starting the game…")
    assert targets(page).count() == 0  # one step at a time
    expect(moves(page)).to_have_count(0)
    gate.open()
    touch(page, "1C")
    expect(moves(page)).to_have_count(2)
    expect(moves(page).first).to_have_text("a0 1C")
    assert "/play/" in page.url
    assert page.locator("#board .optimistic").count() == 0


@pytest.mark.slow
def test_a_whole_first_turn_is_taken_early_if_the_page_has_the_answers(new_page: NewPage) -> None:
    page = new_page()
    gate = open_early(page, turns=TURNS)
    touch(page, "c3")
    expect(page.locator("#headline")).to_have_text("Your turn")
    expect(targets(page, ".twist")).to_have_count(8)
    touch(page, "2A")
    expect(page.locator("#detail")).to_have_text("Starting the game…")
    expect(moves(page)).to_have_count(0)
    gate.open()
    expect(moves(page)).to_have_count(2)
    expect(moves(page).first).to_have_text("c3 2A")


@pytest.mark.slow
def test_half_a_turn_that_was_taken_early_goes_on(new_page: NewPage) -> None:
    page = new_page()
    gate = open_early(page, turns=TURNS)
    touch(page, "c3")
    expect(targets(page, ".twist")).to_have_count(8)
    gate.open()
    expect(page.locator("#kinds button")).to_have_count(3)
    touch(page, "2A")
    expect(moves(page)).to_have_count(2)
    expect(moves(page).first).to_have_text("c3 2A")


@pytest.mark.slow
def test_an_early_step_can_be_cancelled(new_page: NewPage) -> None:
    page = new_page()
    gate = open_early(page)
    touch(page, "a0")
    page.locator("#cancel").click()
    expect(place(page, "a0").locator(".ball")).to_have_count(0)
    touch(page, "b0")
    gate.open()
    expect(targets(page, ".twist")).to_have_count(8)
    expect(place(page, "b0").locator(".ball.black")).to_have_count(1)
    expect(moves(page)).to_have_count(0)


def test_without_a_touch_the_board_stays_as_it_is(new_page: NewPage) -> None:
    page = new_page()
    gate = open_early(page)
    expect(targets(page)).to_have_count(36)
    expect(page.locator("#hint")).to_be_disabled()
    page.evaluate("window.drawing = document.querySelector('#board svg')")
    gate.open()
    expect(page.locator("#hint")).to_be_enabled()
    expect(page.locator("#kinds button")).to_have_count(3)
    assert page.evaluate("window.drawing === document.querySelector('#board svg')")
    touch(page, "a0")
    expect(targets(page, ".twist")).to_have_count(8)


@pytest.mark.slow
def test_a_step_is_dropped_if_the_server_shows_another_board(new_page: NewPage) -> None:
    page = new_page()
    gate = open_early(page, options={"rows": 1})
    expect(page.locator("#headline")).to_have_text("Your turn")
    touch(page, "a0")
    gate.open()
    expect(page.locator("#message")).to_have_text("The board has changed. Choose your move again.")
    expect(targets(page)).to_have_count(36)
    expect(page.locator("#board .ball:not(defs *)")).to_have_count(0)
    assert page.url.endswith("/play")


@pytest.mark.slow
def test_another_game_in_the_address_is_waited_for(new_page: NewPage) -> None:
    page = new_page()
    gate = open_early(page, "/play?game=pente")
    expect(page.locator("#headline")).to_have_text("Loading the game…")
    gate.open()
    expect(page.locator("#title")).to_have_text("Pente")


@pytest.mark.slow
def test_a_step_without_a_server_is_reverted(new_page: NewPage) -> None:
    page = new_page(expected=("Failed to load",))
    gate = open_early(page)
    touch(page, "a0")
    gate.opened = True
    page.route("**/api/**", lambda route: route.abort())
    for route in gate.held:
        route.abort()
    expect(page.locator("#message")).to_have_text("Cannot start the game: The server cannot be reached.")
    expect(place(page, "a0").locator(".ball")).to_have_count(0)
