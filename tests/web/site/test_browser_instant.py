"""Games that the page plays before Python is there, and that Python takes over."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from pentad.search.bot import bot
from pentad.web.instant import drawings
from tests.waiting import TIMEOUT
from tests.web.browser_helpers import NewPage, act, moves, place, targets
from tests.web.site.host import Host, half, missing
from tests.web.site.page_helpers import api, note, position_of, touches

pytestmark = pytest.mark.browser

GAMES = drawings.covered()
PYTHON = "pentad.zip.gz"  # a file without which Python does not start
WORKER = "instant/worker.js"
CHOICE = b"return this.#engine.choose("  # where the bot's search begins, in instant/game.js
NOT_COVERED = "/api/puzzles"  # a request for which Python starts
CHANGES = """() => {
    window.changes = 0;
    new MutationObserver((all) => (window.changes += all.length)).observe(document.getElementById("board"),
        { childList: true, subtree: true, characterData: true }); }"""
STATE = "() => JSON.parse(localStorage.getItem(`game ${location.search.split('/').at(-1)}`))"


def held_back(host: Host, file: str = PYTHON) -> Callable[[], None]:
    """Holds Python or another file back until the function is called."""
    go = threading.Event()

    def hold(data: bytes) -> bytes:
        go.wait(TIMEOUT)
        return data

    host.damage[file] = hold
    return go.set


def wait_for_python(page: Page) -> None:
    api(page, "/api/mine")


def play_at_random(page: Page, game: str) -> None:
    """Plays a move, and waits for the answer."""
    position = position_of(
        {"game": game, "moves": []} if "/" not in page.url.partition("?")[2] else page.evaluate(STATE)
    )
    before = moves(page).count()
    for target in touches(position, str(bot(game, "greedy", seed=1).choose(position))):
        place(page, target).and_(targets(page)).click()
    expect(moves(page).nth(before + 1)).to_be_visible()
    expect(targets(page).first).to_be_visible()


def begun(new_page: NewPage, own_host: Host, game: str) -> tuple[Page, Callable[[], None]]:
    """A game after a move and its answer, while Python is held back, and the function that lets it go."""
    go = held_back(own_host)
    page = new_page()
    page.goto(f"play/?game={game}")
    play_at_random(page, game)
    return page, go


@pytest.mark.parametrize("game", GAMES)
def test_a_first_move_can_be_made_before_the_worker_is_there(new_page: NewPage, own_host: Host, game: str) -> None:
    go = held_back(own_host, WORKER)
    page = new_page()
    page.goto(f"play/?game={game}", wait_until="commit")  # Firefox loads workers before the page has loaded
    expect(page.locator("#headline")).to_have_text("Your turn")
    targets(page).first.click()
    go()
    expect(targets(page).first).to_be_visible()


@pytest.mark.parametrize("game", GAMES)
def test_games_begin_without_python(new_page: NewPage, own_host: Host, game: str) -> None:
    own_host.damage[PYTHON] = missing
    page = new_page(expected=("",))
    page.goto(f"play/?game={game}")
    for _ in range(2):
        play_at_random(page, game)
    act(page, "undo")
    expect(moves(page)).to_have_count(2)
    act(page, "hint")
    expect(page.locator("#board .hinted").first).to_be_visible()
    act(page, "flip")
    expect(page.locator("#flip")).to_have_attribute("aria-pressed", "true")
    play_at_random(page, game)
    act(page, "resign")
    page.locator("#resign-dialog").get_by_role("button", name="Resign").click()
    expect(page.locator("#headline")).to_have_text("You lose")


@pytest.mark.parametrize("game", GAMES)
def test_python_takes_a_game_over(new_page: NewPage, own_host: Host, game: str) -> None:
    page, go = begun(new_page, own_host, game)
    page.evaluate(CHANGES)
    before = [each["text"] for each in page.evaluate(STATE)["moves"]]
    go()
    wait_for_python(page)
    assert page.evaluate("window.changes") == 0
    play_at_random(page, game)
    assert [each["text"] for each in page.evaluate(STATE)["moves"]][:2] == before
    page.reload()
    expect(moves(page)).to_have_count(4)
    expect(targets(page).first).to_be_visible()


def test_a_turn_that_has_begun_goes_on(new_page: NewPage, own_host: Host) -> None:
    page, go = begun(new_page, own_host, "pentago")
    free = targets(page).first.get_attribute("data-target")
    targets(page).first.click()
    expect(targets(page, ".twist").first).to_be_visible()
    page.evaluate(CHANGES)
    go()
    wait_for_python(page)
    assert page.evaluate("window.changes") == 0
    targets(page, ".twist").first.click()
    expect(moves(page)).to_have_count(4)
    assert page.evaluate(STATE)["moves"][2]["text"].startswith(f"{free} ")


def test_what_is_not_covered_waits_for_python(new_page: NewPage, own_host: Host) -> None:
    go = held_back(own_host)
    page = new_page()
    page.goto("play/?game=pente&rules=Keryo")
    expect(page.locator(".loading")).to_be_visible()
    go()
    expect(page.locator("#terms")).to_contain_text("keryo")
    expect(targets(page).first).to_be_visible()


def test_a_flipped_board_is_taken_over(new_page: NewPage, own_host: Host) -> None:
    page, go = begun(new_page, own_host, "pentago")
    act(page, "flip")
    expect(page.locator("#flip")).to_have_attribute("aria-pressed", "true")
    page.evaluate(CHANGES)
    go()
    wait_for_python(page)
    assert page.evaluate("window.changes") == 0
    play_at_random(page, "pentago")
    act(page, "flip")
    expect(page.locator("#flip")).to_have_attribute("aria-pressed", "false")


def test_a_page_that_is_closed_before_python_is_there_loses_nothing(new_page: NewPage, own_host: Host) -> None:
    page, go = begun(new_page, own_host, "pentago")
    page.reload()
    go()
    expect(moves(page)).to_have_count(2)
    expect(targets(page).first).to_be_visible()


def test_a_finished_game_is_taken_over(new_page: NewPage, own_host: Host) -> None:
    page, go = begun(new_page, own_host, "pentago")
    act(page, "resign")
    page.locator("#resign-dialog").get_by_role("button", name="Resign").click()
    expect(page.locator("#headline")).to_have_text("You lose")
    go()
    wait_for_python(page)
    page.get_by_role("link", name="Review this game").click()
    expect(page.get_by_role("link", name="Analyse this game")).to_be_visible()


@pytest.mark.parametrize("game", GAMES)
def test_python_plays_for_a_bot_that_is_still_searching(new_page: NewPage, own_host: Host, game: str) -> None:
    go = held_back(own_host)
    own_host.damage["instant/game.js"] = lambda data: data.replace(CHOICE, b"await new Promise(() => {});" + CHOICE)
    page = new_page()
    page.goto(f"play/?game={game}")
    expect(page.locator("#headline")).to_have_text("Your turn")
    start = position_of({"game": game, "moves": []})
    for target in touches(start, str(bot(game, "greedy", seed=1).choose(start))):
        place(page, target).and_(targets(page)).click()
    expect(moves(page)).to_have_count(1)
    go()
    api(page, NOT_COVERED)
    expect(moves(page)).to_have_count(2)
    play_at_random(page, game)
    expect(moves(page)).to_have_count(4)


def test_a_game_that_is_open_in_two_tabs_is_taken_over_once(new_page: NewPage, own_host: Host) -> None:
    page, go = begun(new_page, own_host, "pentago")
    other = page.context.new_page()
    other.goto(page.url)
    go()
    for each in (page, other):
        wait_for_python(each)
        expect(moves(each)).to_have_count(2)
    play_at_random(other, "pentago")
    page.reload()
    expect(moves(page)).to_have_count(4)


def test_all_games_that_were_begun_are_taken_over(new_page: NewPage, own_host: Host) -> None:
    page, go = begun(new_page, own_host, "pentago")
    page.goto("play/?game=pente")
    play_at_random(page, "pente")
    go()
    wait_for_python(page)
    expect(moves(page)).to_have_count(2)
    page.goto("games/")
    expect(page.locator(".game-list li")).to_have_count(2)


@pytest.mark.parametrize(
    ("file", "damage"),
    [(WORKER, missing), ("pentago.wasm.gz", missing), ("pentago.wasm.gz", half), ("instant/pentago.json.gz", half)],
)
def test_python_plays_alone_without_the_files(
    new_page: NewPage, own_host: Host, file: str, damage: Callable[[bytes], bytes | None]
) -> None:
    own_host.damage[file] = damage
    page = new_page(expected=("",))
    page.goto("play/?game=pentago")
    play_at_random(page, "pentago")
    expect(note(page)).to_have_count(0)


def test_python_says_so_where_webassembly_is_refused(new_page: NewPage, own_host: Host) -> None:
    refused = b"WebAssembly.instantiate = WebAssembly.compile = async () => { throw new Error('refused'); };\n"
    for file in (WORKER, "python/python.js"):
        own_host.damage[file] = lambda data: refused + data
    page = new_page(expected=("",))
    page.goto("play/?game=pente")
    expect(note(page)).to_have_text(["The program in this page has stopped. Reload the page."])
