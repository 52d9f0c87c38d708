"""Everything on the pages by keyboard alone: reached by Tab, seen where the focus is, left by Escape."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.cases import slow
from tests.web.browser_helpers import (
    NewPage,
    choose_setting,
    dialogs,
    go,
    leave_engine_off,
    moves,
    open_room,
    opener,
    place,
    play,
    tab_to,
    targets,
)
from tests.web.server_process import Server
from tests.web.test_browser_games import with_games

pytestmark = pytest.mark.browser

FOCUS_IS_SEEN = """() => {
    const focused = document.activeElement;
    if (focused.closest("#board [data-target]")) return document.querySelector("#board .focus-frame").checkVisibility();
    const around = [focused, focused.closest("label")].filter(Boolean);
    const styles = [...around.map((each) => getComputedStyle(each)), getComputedStyle(focused, "::after")];
    return styles.some((style) => style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2); }"""
NAME = "document.activeElement.outerHTML.slice(0, 90)"
IS_ON_THE_BOARD = "document.activeElement.closest('#board') !== null"
# What can be operated: one of the buttons of a group, and one target of a board, stand for all.
CONTROLS = """() => [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.disabled && each.tabIndex >= 0)
    .filter((each) => each.type !== "radio" || each.checked)"""


def press(page: Page, selector: str, key: str = "Enter", tab: str = "Tab") -> None:
    """Presses a key on a control, which Tab reaches and whose focus is seen."""
    page.bring_to_front()
    tab_to(page, selector, tab)
    assert page.evaluate(FOCUS_IS_SEEN), selector
    page.keyboard.press(key)


def step(page: Page, name: str) -> None:
    """Moves over the board by arrow keys, and chooses a target."""
    page.bring_to_front()
    go(page, name)
    assert page.evaluate(FOCUS_IS_SEEN), name
    page.keyboard.press("Enter")


def left_by_escape(page: Page, button: str) -> None:
    """Escape closes the dialog, and the focus returns to what opened it."""
    expect(dialogs(page)).to_have_count(1)
    assert page.evaluate("document.activeElement.closest('dialog[open]') !== null")
    page.keyboard.press("Escape")
    expect(dialogs(page)).to_have_count(0)
    expect(page.locator(button)).to_be_focused()


# ── every control of a page ──────────────────────────────────────────────────────────────────────


@pytest.mark.slow
@pytest.mark.parametrize(
    ("address", "ready"),
    [
        ("/", "#today img"),
        slow("/games", "#games-count"),
        slow("/analyse?game=pentago&moves=" + quote("a2 1C_b3 2A"), "#tree .move"),
        slow("/play", "#board .can"),
        slow("/learn", "#lessons a"),
        slow("/learn/pentago", "#board .can"),
        slow("/puzzles", "#today img"),
        slow("/puzzles/pentago-00507fda", "#board .can"),
        slow("/sign-in", "#new-account"),
        slow("/account", "#no-account"),
        slow("/models", "#list li"),
        slow("/models/ferry?tab=step", "#step-picture svg, [role=tabpanel] .viewport svg"),
        slow("/embed?position=pentago", "#board .can"),
        slow("/nothing", "main h1"),
    ],
)
def test_tab_reaches_every_control_and_the_focus_is_seen(new_page: NewPage, address: str, ready: str) -> None:
    page = new_page(expected=("Failed to load resource",))
    leave_engine_off(page)  # its lines would be new controls
    page.goto(address)
    expect(page.locator(ready).first).to_be_visible()
    page.evaluate(f"() => {{ window.unseen = new Set(({CONTROLS})()); }}")
    for _ in range(page.evaluate("window.unseen.size") + 5):
        page.keyboard.press("Tab")
        is_seen = page.evaluate(FOCUS_IS_SEEN)
        assert is_seen or page.evaluate("document.activeElement === document.body"), page.evaluate(NAME)
        page.evaluate("window.unseen.delete(document.activeElement)")
    assert page.evaluate("[...window.unseen].map((each) => each.outerHTML.slice(0, 90))") == []


# ── a game ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_a_game_is_set_up(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/play")
    expect(targets(page)).to_have_count(36)
    press(page, "#start-options")
    left_by_escape(page, "#start-options")
    page.keyboard.press("Enter")
    expect(dialogs(page)).to_have_count(1)
    tab_to(page, "#game-choice input")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#game-choice input:checked")).to_be_focused()
    assert page.evaluate(FOCUS_IS_SEEN)
    press(page, "[data-preset=computer]", "Space")
    press(page, "#strength-choice [data-strength=easy]", "Space")
    expect(page.locator("#strength-choice [data-strength=easy]")).to_have_attribute("aria-pressed", "true")
    tab_to(page, "#time")
    page.keyboard.type("1 min")
    press(page, "#more summary")
    tab_to(page, "#rule-presets button")
    tab_to(page, "[name=size]")
    page.keyboard.press("Control+A")
    page.keyboard.type("9")
    page.keyboard.press("Enter")  # this submits the form
    expect(page.locator("#title")).to_have_text("Pente")
    expect(dialogs(page)).to_have_count(0)
    expect(page.locator("#headline")).to_have_text("Your turn")
    assert page.evaluate("document.querySelectorAll('#board [data-target]').length") == 81


@pytest.mark.slow
def test_a_game_of_two_people_is_played_talked_about_saved_and_repeated(new_page: NewPage) -> None:
    ann, bob, wim = new_page(), new_page(), new_page()
    address = open_room(ann, seats=["human", "open"], name="Ann")
    expect(targets(ann)).to_have_count(36)
    bob.goto(address)
    tab_to(bob, "#join-name")
    bob.keyboard.type("Bob")
    bob.keyboard.press("Enter")
    expect(bob.locator("#join")).to_be_hidden()
    assert bob.evaluate(IS_ON_THE_BOARD), bob.evaluate(NAME)

    # A premove of a whole turn, cancelled and entered again; sub-boards are turned by their arrows.
    step(bob, "a0")
    expect(bob.locator("#board .twist")).to_have_count(8)
    step(bob, "1C")
    expect(bob.locator("#announcer")).to_contain_text("It is played when your turn comes.")
    bob.keyboard.press("Escape")
    expect(bob.locator("#announcer")).to_have_text("Premove cancelled.")
    step(bob, "b0")
    expect(bob.locator("#board .twist")).to_have_count(8)
    step(bob, "1A")
    expect(bob.locator("#announcer")).to_contain_text("It is played when your turn comes.")

    # A move that is confirmed: by Enter on the board, or by the button.
    open_settings(ann)
    press(ann, "[data-setting=confirm]", "Space")
    ann.keyboard.press("Escape")
    expect(dialogs(ann)).to_have_count(0)
    tab_to(ann, "#board [data-target]", "Shift+Tab")
    step(ann, "f5")
    expect(targets(ann, ".twist")).to_have_count(8)
    step(ann, "4C")
    expect(ann.locator("#confirm")).to_be_visible()
    ann.keyboard.press("Escape")  # this takes the twist back
    expect(ann.locator("#confirm")).to_be_hidden()
    step(ann, "4C")
    press(ann, "#confirm")
    expect(moves(ann)).to_have_text(["f5 4C", "b0 1A"])
    assert ann.evaluate(IS_ON_THE_BOARD)

    # Earlier positions, by the buttons, by the moves and by the arrow keys outside the board.
    expect(moves(bob)).to_have_count(2)
    press(bob, "#back")
    expect(bob.locator("#live")).to_be_visible()
    bob.keyboard.press("ArrowLeft")
    expect(bob.locator("#moves [aria-current]")).to_have_count(0)
    bob.keyboard.press("ArrowRight")
    expect(moves(bob).first).to_have_attribute("aria-current", "step")
    press(bob, "#live")
    expect(bob.locator("#live")).to_be_hidden()
    expect(bob.locator("#first")).to_be_focused()

    # Chat, also of a spectator.
    wim.goto(address)
    expect(moves(wim)).to_have_count(2)
    tab_to(wim, "#chat-name")
    wim.keyboard.type("Wim")
    for page, text in ((wim, "hi"), (ann, "good luck")):
        tab_to(page, "#chat-text")
        assert page.evaluate(FOCUS_IS_SEEN)
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        expect(page.locator("#chat-messages li").last).to_contain_text(text)
        expect(page.locator("#chat-text")).to_be_focused()
    press(ann, "#mute", tab="Shift+Tab")
    expect(ann.locator("#chat-messages")).to_be_hidden()
    expect(ann.locator("#mute")).to_be_focused()

    # The end, the GIF and the next game.
    press(ann, "#draw")
    press(bob, "#offer-yes")
    expect(bob.locator("#headline")).to_have_text("Draw")
    assert bob.evaluate(IS_ON_THE_BOARD), bob.evaluate(NAME)
    with bob.expect_download() as found:
        press(bob, "#save-gif")
    assert found.value.suggested_filename.endswith(".gif")
    expect(bob.locator("#save-gif")).to_be_focused()
    press(bob, "#again", tab="Shift+Tab")
    expect(bob.locator("#again")).to_be_hidden()
    press(ann, "#offer-yes")
    expect(ann.locator("#offer-yes")).to_be_hidden()
    assert ann.evaluate(IS_ON_THE_BOARD), ann.evaluate(NAME)
    press(bob, "#again")
    expect(bob.locator("#again")).to_be_hidden()
    assert bob.evaluate(IS_ON_THE_BOARD), bob.evaluate(NAME)
    press(wim, "#again")
    wim.wait_for_url(bob.url)
    expect(wim.locator("#detail")).to_have_text("You are watching.")


@pytest.mark.slow
def test_two_people_play_with_the_keyboard_alone(new_page: NewPage) -> None:
    page = new_page()
    open_room(page, seats=["human", "human"], options={"line": 3})
    expect(page.locator("#headline")).to_have_text("Black to move")
    tab_to(page, "#board [data-target]")
    for number, turn in enumerate(["a0 4C", "f5 1A", "c1 4A", "f3 3C"], 1):
        for step in turn.split():
            go(page, step)
            page.keyboard.press("Enter" if number % 2 else "Space")
            if step == turn.split()[0]:
                expect(targets(page, ".twist").first).to_be_visible()
        expect(moves(page)).to_have_count(number)
        expect(moves(page).last).to_have_text(turn)
        assert page.evaluate("document.activeElement.closest('#board') !== null")
    expect(page.locator("#announcer")).to_contain_text("White plays f3 and twists sub-board 3 clockwise")
    go(page, "b2")  # b2 does not win yet
    page.keyboard.press("Enter")
    expect(page.locator("#announcer")).to_have_text("Twist a sub-board.")
    expect(page.locator("#cancel")).to_be_visible()
    assert page.evaluate("document.activeElement.ariaLabel").startswith("Twist sub-board")
    page.keyboard.press("Escape")
    expect(page.locator("#cancel")).to_be_hidden()
    expect(targets(page, ".twist")).to_have_count(0)
    expect(moves(page)).to_have_count(4)


def test_a_move_is_confirmed_by_the_keyboard(new_page: NewPage) -> None:
    page = new_page()
    open_room(page, game="pente", seats=["human", "human"], options={"size": 9, "rules": "gomoku"})
    choose_setting(page, "confirm")
    place(page, "E5").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#confirm")).to_be_visible()
    expect(moves(page)).to_have_count(0)
    page.keyboard.press("Escape")
    expect(place(page, "E5").locator(".ball")).to_have_count(0)
    place(page, "D4").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#announcer")).to_contain_text("Press Enter to confirm")
    page.keyboard.press("Enter")
    expect(moves(page)).to_have_text(["D4"])


def focused(page: Page) -> str:
    """The identifier of the element that has the focus, or the board."""
    return str(page.evaluate("document.activeElement.closest('#board') ? 'board' : document.activeElement.id"))


@pytest.mark.slow
def test_the_keyboard_focus_is_never_lost(new_page: NewPage) -> None:
    page = new_page()
    open_room(page, seats=["human", "human"])
    place(page, "a0").focus()
    page.keyboard.press("Enter")
    expect(targets(page, ".twist").first).to_be_visible()
    assert focused(page) == "board"
    page.locator("#cancel").focus()
    page.keyboard.press("Enter")  # the button disappears with it
    expect(page.locator("#cancel")).to_be_hidden()
    assert focused(page) == "board"
    play(page, "a0 1C")
    page.locator("#undo").focus()
    page.keyboard.press("Enter")  # it was the only move
    expect(moves(page)).to_have_count(0)
    expect(page.locator("#undo")).to_be_disabled()
    assert focused(page) == "board"
    for name in ("new", "settings", "resign", "help"):
        if page.locator(f"#{name}").is_hidden():
            opener(page, name).focus()
            page.keyboard.press("Enter")
        page.locator(f"#{name}").focus()
        page.keyboard.press("Enter")
        expect(page.locator("dialog[open]")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)
        expect(opener(page, name)).to_be_focused()
    page.locator("#resign").focus()
    page.keyboard.press("Enter")
    page.locator("#resign-dialog button[value=yes]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#again")).to_be_visible()
    assert focused(page) == "board"
    page.locator("#again").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#again")).to_be_hidden()
    assert focused(page) == "board"


@pytest.mark.slow
def test_an_answer_by_keyboard_returns_the_focus_to_the_board(new_page: NewPage) -> None:
    page, other = new_page(), new_page()
    address = open_room(page, seats=["human", "open"])
    other.goto(address)
    other.locator("#join-name").fill("Bob")
    other.locator("#join-name").press("Enter")
    expect(other.locator("#join")).to_be_hidden()
    assert focused(other) == "board"
    play(page, "a0 1C")
    other.locator("#draw").click()
    expect(page.locator("#offer")).to_be_visible()
    page.locator("#offer-no").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#offer")).to_be_hidden()
    assert focused(page) == "board"


def open_settings(page: Page) -> None:
    """Opens the settings by keyboard."""
    press(page, "#settings")
    expect(dialogs(page)).to_have_count(1)


@pytest.mark.slow
def test_settings_are_changed_and_left(new_page: NewPage) -> None:
    page = new_page()
    open_room(page, seats=["human", "human"])
    expect(targets(page)).to_have_count(36)
    open_settings(page)
    for name in page.locator("[data-setting]").evaluate_all("all => all.map(each => each.dataset.setting)"):
        each = page.locator(f"[data-setting={name}]")
        before = each.is_checked()
        press(page, f"[data-setting={name}]", "Space")
        expect(each).to_be_checked(checked=not before)
    for group in ("board", "pieces"):
        tab_to(page, f"[data-looks={group}] input")
        chosen = page.locator(f"[data-looks={group}] input:checked").get_attribute("value")
        page.keyboard.press("ArrowRight")
        assert page.evaluate(FOCUS_IS_SEEN)
        assert page.locator(f"[data-looks={group}] input:checked").get_attribute("value") != chosen
    page.keyboard.press("Escape")
    expect(dialogs(page)).to_have_count(0)
    expect(opener(page, "settings")).to_be_focused()


# ── My games ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_games_are_searched_and_opened(new_page: NewPage, server: Server) -> None:
    page = new_page()
    with_games(page, server)
    page.goto("/games")
    count = page.locator("#games-count")
    expect(count).to_have_text("5 games")
    tab_to(page, "#search-opponent")
    page.keyboard.type("well")
    expect(count).to_have_text("3 games")
    expect(page.locator("#search-opponent")).to_be_focused()
    tab_to(page, "#search-result")
    page.keyboard.type("Lost")
    expect(count).to_have_text("1 game")
    tab_to(page, "#search-game", "Shift+Tab")
    page.keyboard.type("Pentagame")
    expect(count).to_have_text("No games match.")
    press(page, "#all-games")
    expect(count).to_have_text("5 games")
    expect(page.locator("#search-opponent")).to_be_focused()
    tab_to(page, "#waiting-games a")
    assert page.evaluate(FOCUS_IS_SEEN)
    page.keyboard.press("Enter")
    page.wait_for_url("**/play/*")
    expect(targets(page)).to_have_count(36)
