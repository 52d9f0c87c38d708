"""Connect Four, added by an entry point, in the browser: every page works with it."""

import os
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.cases import slow
from tests.game.test_game_plug_in import NAME, WON, install
from tests.web.browser_helpers import NewPage, act, moves, open_room, place, targets
from tests.web.server_process import Server

pytestmark = pytest.mark.browser

THREATENED = f"{NAME} rrr/yy/-/-/-/-/-"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("site")
    install(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
        with Server() as server:
            yield server.url


def test_it_is_chosen_and_played_against_a_bot(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/play")
    act(page, "new")
    page.locator("#game-choice").get_by_text("Connect Four").click()
    page.locator("#new-form .main").click()
    page.wait_for_url("**/play/*")  # until then, the board is that of the game before
    expect(page.locator("#headline")).to_have_text("Your turn")
    targets(page).first.click()
    expect(moves(page)).to_have_count(2)
    page.locator("#hint").click()
    expect(page.locator("#message")).to_contain_text("Hint: column ")


@pytest.mark.slow
def test_a_game_ends_and_is_analysed(new_page: NewPage) -> None:
    page = new_page()
    open_room(page, game=NAME, seats=["human", "human"])
    for number, column in enumerate("abababa", 1):
        place(page, column).and_(targets(page)).click()
        expect(moves(page)).to_have_count(number)
    expect(page.locator("#headline")).to_contain_text("Red")
    expect(page.locator("#board .won").first).to_be_visible()


@pytest.mark.slow
def test_the_adaptive_opponent_plays_it(new_page: NewPage) -> None:
    page = new_page()
    open_room(page, game=NAME, seats=["human", "adaptive"])
    place(page, "d").and_(targets(page)).click()
    expect(moves(page)).to_have_count(2)


@pytest.mark.slow
def test_it_is_analysed_and_its_positions_are_not_set_up(new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"/analyse?start={quote(THREATENED)}")
    expect(page.locator("#headline")).to_have_text("Yellow to drop a disc.")
    place(page, "c").click()
    expect(page.locator("#tree .move")).to_have_count(1)
    page.locator("#set-up").click()
    expect(page.locator("#set-game option")).to_have_text(
        ["Pentago, starting position", "Pente, starting position", "Pentagame, starting position"]
    )
    page.locator("#set-cancel").click()
    page.locator("#open").click()
    page.locator("#paste").fill(WON)
    page.locator("#open-form .main").click()
    expect(page.locator("#headline")).to_contain_text("Red wins")


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("path", "shown"), [("/puzzles", "#today"), slow("/learn", "#lessons"), slow("/models", "#list")]
)
def test_the_other_pages_open(new_page: NewPage, path: str, shown: str) -> None:
    page = new_page()
    page.goto(path)
    expect(page.locator("main")).to_be_visible()
    expect(page.locator(shown)).not_to_contain_text("Connect Four")
