"""The start page: a new game in two choices and a click, the player's games, and today's puzzles."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import pentad
from tests.cases import slow
from tests.web.browser_helpers import NewPage, join, moves, open_room, place, play, tab_to, targets
from tests.web.test_browser_start import rooms_made

pytestmark = pytest.mark.browser

PHONES = [(320, 640), slow((360, 740)), slow((390, 844)), (844, 390)]
TARGETS = """[...document.querySelectorAll("main :is(a, button)")].filter((each) => each.checkVisibility())
    .filter((each) => each.getBoundingClientRect().height < 44).map((each) => each.textContent)"""
SHIFTS = """new PerformanceObserver((list) => {
    for (const each of list.getEntries()) window.shifted = (window.shifted ?? 0) + each.value;
}).observe({ type: "layout-shift", buffered: true })"""


def play_link(page: Page, title: str) -> Any:
    return page.get_by_role("link", name=f"Play {title}", exact=True)


def expect_link(page: Page, title: str, query: str) -> None:
    expect(play_link(page, title)).to_have_attribute("href", f"/play?game={title.lower()}&{query}")


def loaded(page: Page, path: str = "/") -> None:
    page.goto(path)
    expect(page.locator("#today li")).to_have_count(len(pentad.names()))


# ── a new game ───────────────────────────────────────────────────────────────────────────────────


def test_the_choices_are_made_by_keyboard_and_kept(new_page: NewPage) -> None:
    page = new_page()
    loaded(page)
    expect_link(page, "Pentago", "against=computer&strength=medium")
    tab_to(page, "[data-strength=hard]")
    page.keyboard.press("Enter")
    for title in ("Pentago", "Pente", "Pentagame"):
        expect_link(page, title, "against=computer&strength=hard")
    tab_to(page, "[data-against=here]", "Shift+Tab")
    page.keyboard.press("Space")
    expect(page.locator("#strengths")).to_be_hidden()
    expect_link(page, "Pente", "against=here")
    loaded(page)
    expect(page.locator("[data-against=here]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-against][aria-pressed=true]")).to_have_count(1)
    expect_link(page, "Pente", "against=here")
    page.locator("[data-against=computer]").click()
    expect_link(page, "Pente", "against=computer&strength=hard")  # the strength is kept, too
    tab_to(page, "[data-play=pente]")
    page.keyboard.press("Enter")
    page.wait_for_url("**/play?game=pente&against=computer&strength=hard")
    expect(page.locator("#title")).to_have_text("Pente")
    expect(page.locator("#seats")).to_contain_text("Computer (hard)")
    expect(page.locator("#start [data-strength=hard]")).to_have_attribute("aria-pressed", "true")
    targets(page).first.click()
    expect(moves(page).first).to_be_visible()
    assert re.search("/play/[^/]+$", page.url)


@pytest.mark.slow
def test_a_game_with_a_friend_gets_its_link_at_once(new_page: NewPage) -> None:
    page, friend = new_page(), new_page()
    made = rooms_made(page)
    loaded(page)
    page.locator("[data-against=friend]").click()
    play_link(page, "Pentago").click()
    page.wait_for_url("**/play/*")
    expect(page.locator("#share")).to_be_visible()
    assert len(made) == 1
    join(friend, page.locator("#link").input_value(), "Bob")
    expect(page.locator("#seats")).to_contain_text("Bob")
    page.go_back()
    expect(play_link(page, "Pentago")).to_be_visible()  # no other room is opened
    assert len(made) == 1


@pytest.mark.slow
def test_people_at_one_screen_start_from_the_page(new_page: NewPage) -> None:
    page = new_page()
    loaded(page)
    page.locator("[data-against=here]").click()
    play_link(page, "Pentagame").click()
    expect(page.locator("#title")).to_have_text("Pentagame")
    expect(page.locator("#headline")).not_to_have_text("Your turn")
    expect(page.locator("#start [data-against=here]")).to_have_attribute("aria-pressed", "true")


def test_the_rules_of_a_game_are_chosen_beside_it(new_page: NewPage) -> None:
    page = new_page()
    loaded(page)
    page.get_by_label("Rules of Pente").select_option("Keryo")
    page.get_by_label("Rules of Pentagame").select_option("Five players")
    expect_link(page, "Pente", "against=computer&strength=medium&rules=Keryo")
    expect_link(page, "Pentagame", "against=computer&strength=medium&rules=Five+players")
    expect_link(page, "Pentago", "against=computer&strength=medium")
    page.locator("[data-against=friend]").click()
    play_link(page, "Pente").click()
    expect(page.locator("#share")).to_be_visible()
    (game,) = page.evaluate("fetch('/api/mine').then(answer => answer.json())")
    assert (game["game"], game["options"]) == ("pente", "rules=keryo")


# ── lists ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_a_waiting_game_is_listed_first_and_opened(new_page: NewPage) -> None:
    ann, bob = new_page(), new_page()
    loaded(ann)
    expect(ann.locator("#mine")).to_have_text("No games yet.")
    waiting = open_room(ann, seats=["human", "open"], name="Ann", time={"days": 3})
    join(bob, waiting, "Bob")
    alone = open_room(ann, seats=["human", "greedy"])
    place(ann, "c3").and_(targets(ann)).click()
    place(ann, "1C").and_(targets(ann)).click()
    expect(moves(ann)).to_have_count(2)
    made = rooms_made(ann)
    ann.goto("/analyse")
    ann.get_by_role("link", name="Play", exact=True).click()
    rows = ann.locator("#mine a")
    expect(rows).to_have_count(3)
    expect(rows.last).to_have_text("All games")
    expect(rows.first).to_contain_text("Pentago against Bob")  # although the other one is more recent
    expect(rows.first).to_contain_text("Your turn")
    expect(rows.nth(1)).to_contain_text("2 moves")
    rows.first.click()
    ann.wait_for_url(f"**{waiting}")
    play(ann, "a0 4C")
    ann.get_by_role("link", name="Play", exact=True).click()
    expect(rows.filter(has_text="Bob")).not_to_contain_text("Your turn")
    rows.filter(has_text="One turn ahead").click()
    ann.wait_for_url(f"**{alone}")
    expect(moves(ann)).to_have_count(2)
    assert made == []


@pytest.mark.slow
def test_the_list_has_few_games_and_puzzles_with_pictures(new_page: NewPage) -> None:
    page = new_page()
    for _ in range(6):
        open_room(page, seats=["human", "human"])
    loaded(page)
    expect(page.locator("#mine img")).to_have_count(4)
    for each in page.locator("#mine img, #today img").all():
        each.scroll_into_view_if_needed()
        expect(each).to_have_attribute("src", re.compile("."))
        assert each.evaluate("picture => picture.decode().then(() => picture.naturalWidth)") > 0
    link = page.locator("#today a").first
    goal = link.locator("b").inner_text()
    link.click()
    page.wait_for_url("**/puzzles/*")
    expect(page.locator("main")).to_contain_text(goal)


# ── look ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
@pytest.mark.parametrize("size", PHONES)
def test_it_fits_a_phone(new_page: NewPage, size: tuple[int, int]) -> None:
    width, height = size
    page = new_page(viewport={"width": width, "height": height}, has_touch=True, is_mobile=True)
    open_room(page, seats=["human", "open"], name="W" * 30, time={"main": 36000})
    page.add_init_script(SHIFTS)
    loaded(page)
    expect(page.locator("#mine img")).to_have_count(1)
    wide = """[document.documentElement, ...document.querySelectorAll(".pages, main *")]
        .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 1)
        .map((each) => each.outerHTML.slice(0, 80))"""
    assert page.evaluate(wide) == []
    assert page.evaluate(TARGETS) == []
    assert page.evaluate("window.shifted ?? 0") < 0.1
    page.locator("[data-against=here]").tap()
    expect_link(page, "Pente", "against=here")
    play_link(page, "Pente").tap()
    expect(page.locator("#title")).to_have_text("Pente")


@pytest.mark.slow
def test_the_choice_moves_nothing_below_it(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1280, "height": 800})
    loaded(page)
    top = "document.querySelector('.game-cards').getBoundingClientRect().top"
    before = page.evaluate(top)
    page.locator("[data-against=here]").click()
    expect(page.locator("#strengths")).to_be_hidden()
    assert page.evaluate(top) == before


# ── strangers ────────────────────────────────────────────────────────────────────────────────────


def offer(page: Page, title: str = "Pentago") -> str:
    """Chooses a stranger as the opponent; returns the room of the game."""
    loaded(page)
    page.locator("[data-against=stranger]").click()
    play_link(page, title).click()
    page.wait_for_url(re.compile(r"/play/\w+$"))
    expect(page.locator("#headline")).to_have_text(re.compile("to move|Your turn"))
    return page.url


def test_an_open_game_is_on_the_start_page_and_joined_by_a_click(new_page: NewPage) -> None:
    ann, bob = new_page(), new_page()
    room = offer(ann, "Pente")
    expect(ann.locator("#share")).to_be_visible()
    expect(ann.locator("#meanwhile")).to_have_attribute("href", re.compile(r"/play\?game=pente&against=computer"))
    loaded(bob)
    row = (
        bob.locator("#lobby li", has_text="Pente").filter(has_text="waiting now").filter(has_text="10 min + 5 s").first
    )
    row.get_by_role("button", name="Join").click()
    bob.wait_for_url(room)
    expect(ann.locator("#share")).to_be_hidden()
    play(ann, "K10")
    expect(moves(bob)).to_have_text(["K10"])
    bob.goto("/")
    expect(bob.locator("#mine li").first).to_be_visible()
    expect(bob.locator("#lobby li", has_text="Pente")).to_have_count(0)


def test_two_who_look_for_a_stranger_meet(new_page: NewPage) -> None:
    ann, bob, cleo = new_page(), new_page(), new_page()
    room = offer(ann, "Pentagame")
    assert offer(bob, "Pentagame") == room
    expect(ann.locator("#share")).to_be_hidden()
    assert offer(cleo, "Pentagame") != room  # the room is full now


def test_a_game_that_was_left_is_not_chosen_for_a_stranger(new_page: NewPage) -> None:
    ann, bob = new_page(), new_page()
    room = offer(ann)
    ann.close()
    bob.goto("/")
    bob.wait_for_function(
        """async (room) => {
            const games = await (await fetch("/api/lobby")).json();
            return games.some((game) => room.endsWith(game.page) && !game.attended); }""",
        arg=room,
    )
    assert offer(bob) != room


def test_what_is_chosen_is_marked_without_colours_of_the_page(new_page: NewPage) -> None:
    page = new_page(forced_colors="active")
    page.goto("/")
    chosen, other = (page.locator(f"[data-against][aria-pressed={state}]").first for state in ("true", "false"))
    outline = "each => getComputedStyle(each).outlineStyle"
    assert (chosen.evaluate(outline), other.evaluate(outline)) == ("solid", "none")
