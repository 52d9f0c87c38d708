"""Steps through the moves of a game: earlier positions on the Play page, while the game goes on."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.browser_helpers import NewPage, act, join, moves, open_room, place, play, targets, without_rules

pytestmark = pytest.mark.browser

LINE = ("a0 4C", "f5 1A", "c1 4A")
EMPTY = re.compile(", empty")
WIDE = {"viewport": {"width": 1280, "height": 800}}


def open_line(page: Page) -> str:
    """A game of two people at this screen after the moves of `LINE`."""
    address = open_room(page, seats=["human", "human"])
    play(page, *LINE)
    return address


def expect_at(page: Page, count: int, of: int = len(LINE)) -> None:
    """Expects the position after some moves: the detail, the marked move, the buttons, and whether it can be played."""
    latest = count == of
    current = page.locator("#moves [aria-current=step]")
    if latest:
        expect(page.locator("#live")).to_be_hidden()
        expect(page.locator("#detail")).not_to_contain_text("move")
    else:
        expect(page.locator("#live")).to_be_visible()
        expect(page.locator("#detail")).to_have_text(
            re.compile(rf"^After move {count} of {of}\. \w+ plays " if count else rf"^Before move 1 of {of}\.$")
        )
        expect(targets(page)).to_have_count(0)
    if count:
        expect(current).to_have_count(1)
        expect(moves(page).nth(count - 1)).to_have_attribute("aria-current", "step")
    else:
        expect(current).to_have_count(0)
    for name, is_there in {"first": count > 0, "back": count > 0, "forward": not latest, "last": not latest}.items():
        expect(page.locator(f"#{name}")).to_be_enabled(enabled=is_there)


def marbles(page: Page, count: int) -> None:
    expect(page.locator("#board .ball:not(defs *)")).to_have_count(count)


@pytest.mark.slow
def test_buttons_and_moves_lead_to_earlier_positions(new_page: NewPage) -> None:
    page = new_page(**WIDE)
    open_line(page)
    expect_at(page, 3)
    expect(targets(page)).to_have_count(33)
    page.locator("#back").click()
    expect_at(page, 2)
    marbles(page, 2)
    expect(place(page, "c1")).to_have_attribute("aria-label", EMPTY)
    expect(page.locator("#announcer")).to_have_text(re.compile(r"^After move 2 of 3\. "))
    page.locator("#first").click()
    expect_at(page, 0)
    marbles(page, 0)
    page.locator("#forward").click()
    expect_at(page, 1)
    marbles(page, 1)
    expect(place(page, "a0")).to_have_attribute("aria-label", "a0, black, played last")
    moves(page).nth(1).get_by_role("button").click()
    expect_at(page, 2)
    page.locator("#last").click()
    expect_at(page, 3)
    expect(targets(page)).to_have_count(33)
    moves(page).first.get_by_role("button").click()
    expect_at(page, 1)
    page.locator("#live").click()
    expect_at(page, 3)
    play(page, "f3 3C")


@pytest.mark.slow
def test_arrow_keys_step_outside_the_board_only(new_page: NewPage) -> None:
    page = new_page(**WIDE)
    open_line(page)
    page.evaluate("document.activeElement.blur()")
    for key, count in (
        ("ArrowLeft", 2),
        ("ArrowLeft", 1),
        ("ArrowRight", 2),
        ("Home", 0),
        ("ArrowLeft", 0),
        ("End", 3),
    ):
        page.keyboard.press(key)
        expect_at(page, count)
    page.locator("#moves").focus()
    page.keyboard.press("ArrowLeft")
    expect_at(page, 2)
    page.keyboard.press("End")
    place(page, "b2").focus()
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.dataset.target") == "b1"  # moves over the board
    page.locator("#moves").press("Shift+ArrowLeft")
    act(page, "settings")
    page.locator("#settings-name").press("ArrowLeft")
    page.keyboard.press("Escape")
    expect_at(page, 3)


@pytest.mark.slow
def test_the_focus_stays_when_a_button_to_step_is_disabled_or_hidden(new_page: NewPage) -> None:
    page = new_page(**WIDE)
    open_line(page)
    focused = "document.activeElement !== document.body && !document.activeElement.disabled"
    for name, count in (("first", 0), ("last", 3), ("back", 2), ("live", 3)):
        page.locator(f"#{name}").focus()
        page.keyboard.press("Enter")
        expect_at(page, count)
        assert page.evaluate(focused), name


@pytest.mark.slow
def test_the_game_goes_on_while_an_earlier_position_is_shown(new_page: NewPage) -> None:
    ann, bob = new_page(**WIDE), new_page(**WIDE)
    join(bob, open_room(ann, seats=["human", "open"], name="Ann"), "Bob")
    play(ann, "a0 4C")
    play(bob, "f5 1A")
    expect(moves(ann)).to_have_count(2)
    ann.locator("#back").click()
    expect_at(ann, 1, of=2)
    expect(ann.locator("#headline")).to_have_text("Your turn")  # that is the game as it is now
    ann.locator("#live").click()
    play(ann, "c1 4A")
    ann.locator("#first").click()
    expect_at(ann, 0, of=3)
    play(bob, "f3 3C")
    expect(moves(ann)).to_have_count(4)
    expect_at(ann, 0, of=4)
    marbles(ann, 0)
    expect(ann.locator("#headline")).to_have_text("Your turn")
    expect(ann.locator("#announcer")).to_contain_text("White plays f3")
    ann.locator("#last").click()
    marbles(ann, 4)
    play(ann, "b2 1C")


@pytest.mark.slow
def test_the_position_shown_is_left_when_its_move_is_taken_back(new_page: NewPage) -> None:
    page = new_page(**WIDE)
    open_line(page)
    page.locator("#back").click()
    expect_at(page, 2)
    page.locator("#undo").click()
    expect(moves(page)).to_have_count(2)
    expect_at(page, 2, of=2)
    expect(targets(page)).to_have_count(34)
    play(page, "b2 1C")  # another move in its place
    page.locator("#back").click()
    page.locator("#back").click()
    page.locator("#forward").click()
    expect_at(page, 2)
    marbles(page, 2)


@pytest.mark.slow
def test_a_partial_turn_begins_again_after_a_look_at_an_earlier_position(new_page: NewPage) -> None:
    page = new_page(**WIDE)
    open_line(page)
    place(page, "b2").click()
    expect(targets(page, ".twist").first).to_be_visible()
    page.locator("#back").click()
    expect_at(page, 2)
    expect(page.locator("#cancel")).to_be_hidden()
    page.locator("#live").click()
    expect(targets(page)).to_have_count(33)
    expect(place(page, "b2")).to_have_attribute("aria-label", EMPTY)
    play(page, "b2 1C")


@pytest.mark.slow
def test_an_answer_to_a_step_does_not_replace_an_earlier_position(new_page: NewPage) -> None:
    page = new_page(**WIDE)
    without_rules(page)
    address = open_room(page, seats=["human", "human"])
    play(page, *LINE)
    held: list[Route] = []
    page.route("**/positions/*", lambda route: held.append(route))
    page.goto(address)
    expect(targets(page)).to_have_count(33)
    place(page, "b2").click()
    page.locator("#back").click()
    while not held:
        page.wait_for_timeout(10)
    held[0].continue_()
    expect_at(page, 2)
    marbles(page, 2)
    page.locator("#live").click()
    expect(targets(page)).to_have_count(33)
    play(page, "b2 1C")


@pytest.mark.slow
def test_choices_of_a_colour_are_gone_at_an_earlier_position(new_page: NewPage) -> None:
    ann, bob = new_page(**WIDE), new_page(**WIDE)
    join(bob, open_room(ann, game="pente", seats=["human", "open"], name="Ann", options={"opening": "swap2"}), "Bob")
    for stone in ("K10", "A1", "A3"):
        place(ann, stone).and_(targets(ann)).click()
    choices = targets(bob, ".side")
    expect(choices).to_have_count(3)
    bob.locator("#back").click()
    expect_at(bob, 0, of=1)
    expect(bob.locator("#board .side[data-target]")).to_have_count(0)
    bob.locator("#live").click()
    expect(choices).to_have_count(3)


@pytest.mark.slow
def test_a_finished_game_and_a_flipped_board_are_stepped_through(new_page: NewPage) -> None:
    page = new_page(**WIDE)
    open_room(page, seats=["human", "human"], options={"line": 3})
    play(page, "a0 4C", "f0 4C", "b0 4C", "f1 4C")
    place(page, "c0").click()
    expect(page.locator("#headline")).to_have_text("Black wins")
    page.locator("#back").click()
    expect_at(page, 4, of=5)
    expect(page.locator("#headline")).to_have_text("Black wins")
    expect(page.locator("#board .won")).to_have_count(0)
    expect(page.locator("#again")).to_be_visible()
    act(page, "flip")
    expect(page.locator("#flip")).to_have_attribute("aria-pressed", "true")
    below = """() => document.querySelector("[data-target=a0]").getBoundingClientRect().top
        > document.querySelector("[data-target=f0]").getBoundingClientRect().top"""
    page.wait_for_function(below)
    marbles(page, 4)
    page.locator("#back").click()
    expect_at(page, 3, of=5)
    marbles(page, 3)
    assert page.evaluate(below)
    page.locator("#last").click()
    expect_at(page, 5, of=5)
    expect(page.locator("#board .won").first).to_be_visible()


def test_a_position_that_cannot_be_loaded_is_reported(new_page: NewPage) -> None:
    page = new_page(expected=("Failed to load",), **WIDE)
    without_rules(page)
    open_line(page)
    page.route("**/positions/*", lambda route: route.abort())
    page.locator("#back").click()
    expect(page.locator("#message")).to_have_text("The server cannot be reached.")
    page.unroute("**/positions/*")
    page.locator("#live").click()
    play(page, "f3 3C")


# ── the tab ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_the_tab_shows_whose_turn_it_is(new_page: NewPage) -> None:
    ann, bob = new_page(), new_page()
    join(bob, open_room(ann, seats=["human", "open"], name="Ann"), "Bob")
    icon = "link[rel=icon][type='image/svg+xml']"

    def expect_turn(moving: Page, waiting: Page, name: str) -> None:
        for page, file, title in ((moving, "icon-turn.svg", "Your turn"), (waiting, "icon.svg", f"{name} to move")):
            expect(page).to_have_title(f"{title} · Pentago")
            expect(page.locator(icon)).to_have_attribute("href", re.compile(f"/{file}$"))

    expect_turn(ann, bob, "Ann")
    assert ann.request.get(str(ann.locator(icon).get_attribute("href"))).ok
    play(ann, "a0 4C")
    expect_turn(bob, ann, "Bob")
    bob.locator("#resign").click()
    bob.locator("#resign-dialog").get_by_role("button", name="Resign").click()
    expect(ann).to_have_title("You win · Pentago")
    for page in (ann, bob):
        expect(page.locator(icon)).to_have_attribute("href", re.compile("/icon.svg$"))
