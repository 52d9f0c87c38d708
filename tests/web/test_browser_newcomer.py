"""Ten tasks of a newcomer, each in as many steps as the table in docs/lab/newcomer.md says."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from pentad.game import names
from pentad.play import puzzles
from tests.web.browser_helpers import NewPage, join, moves, open_room, place, play, targets
from tests.web.server_process import Server
from tests.web.test_browser_games import finish, user
from tests.web.test_browser_learn_puzzles import play as play_steps
from tests.web.test_browser_learn_puzzles import touches

pytestmark = pytest.mark.browser

PAGE = Path(__file__).parents[2] / "docs" / "lab" / "newcomer.md"
ROW = re.compile(r"^\| (.+?) \| (\d+) \|", re.MULTILINE)
STEPS = {task: int(count) for task, count in ROW.findall(PAGE.read_text(encoding="utf-8"))}

# Both have a four; Black does not see it at move 14, and White does at move 15.
LOST_AT_14 = ["A1", "J1", "A3", "J3", "E5", "G5", "E6", "G6", "E7", "G7", "C9", "G8", "E8", "J9", "E9"]


class Newcomer:
    """A person at a page, whose steps are counted."""

    def __init__(self, page: Page, start: str = "/") -> None:
        self.page, self.count = page, 0
        page.goto(start)

    def press(self, what: str | Locator) -> None:
        found = self.page.locator(what) if isinstance(what, str) else what
        found.click()
        self.count += 1

    def button(self, name: str, role: str = "button") -> None:
        """Presses what has this name, to the letter."""
        self.press(self.page.get_by_role(role, name=name, exact=True))  # type: ignore[arg-type]

    def choose(self, label: str, entry: str) -> None:
        """Opens a list and chooses an entry."""
        self.page.get_by_label(label, exact=True).select_option(entry)
        self.count += 2

    def has_done(self, task: str) -> None:
        assert self.count == STEPS[task]


def test_the_table_has_ten_tasks() -> None:
    tested = re.findall(r'has_done\("(.+)"\)', Path(__file__).read_text(encoding="utf-8"))
    assert sorted(tested) == sorted(STEPS)
    assert len(STEPS) == 10


@pytest.mark.slow
def test_a_game_against_a_medium_bot(new_page: NewPage) -> None:
    me = Newcomer(new_page())
    me.button("Play Pente", "link")
    expect(targets(me.page).first).to_be_visible()
    me.has_done("Start a game against a medium bot")
    expect(me.page.locator("#seats")).to_contain_text("Computer (medium)")
    place(me.page, "K10").click()
    expect(moves(me.page)).to_have_count(2)  # the bot answers every move


@pytest.mark.slow
def test_a_friend_is_invited(new_page: NewPage) -> None:
    me, friend = Newcomer(new_page(permissions=["clipboard-read", "clipboard-write"])), new_page()
    me.button("A friend")
    me.button("Play Pentago", "link")
    me.button("Copy")
    expect(me.page.locator("#message")).to_have_text("Link copied.")
    me.has_done("Invite a friend")
    join(friend, me.page.evaluate("navigator.clipboard.readText()"), "Bob")
    expect(me.page.locator("#seats")).to_contain_text("Bob")


@pytest.mark.slow
def test_the_game_of_yesterday_is_found(new_page: NewPage, server: Server) -> None:
    page = new_page()
    address = open_room(page, seats=["human", "open"], name="Ann")
    room = address.rpartition("/")[2]
    server.sit(room, name="Bob")
    finish(server, room, "1-0", 1)
    for _ in range(5):
        today, _ = server.make(user(page), game="pente", seats=["human", "open"])
        server.sit(today, name="Cleo")
        finish(server, today, "0-1", 0)
    me = Newcomer(page)
    expect(page.locator("#mine")).not_to_contain_text("Bob")  # newer ones fill the list
    me.button("All games", "link")
    me.press(page.get_by_role("region", name="Yesterday").get_by_role("link"))
    page.wait_for_url(f"**{address}")
    me.has_done("Find yesterday's game")


@pytest.mark.slow
def test_the_move_that_lost_is_explained(new_page: NewPage) -> None:
    page = new_page()
    address = open_room(page, game="pente", options={"rules": "gomoku", "size": 9}, seats=["human", "human"])
    play(page, *LOST_AT_14)
    expect(page.locator("#headline")).to_have_text("White wins")
    me = Newcomer(page, address)
    me.button("Review this game", "link")
    found = page.locator("#review-list li").filter(has_text=re.compile(r"14\. J9\S+ \(Black\)"))
    expect(found).to_contain_text("Better:")
    me.press(found.get_by_role("button", name="Show"))
    expect(page.locator("#finding-text")).to_contain_text("14. J9??: Blunder. Black missed an immediate win.")
    me.has_done("See why move 14 lost")


def test_moves_are_confirmed(new_page: NewPage) -> None:
    me = Newcomer(new_page())
    me.button("Settings")
    me.press(me.page.get_by_label("Confirm moves"))
    me.button("Close")
    me.has_done("Confirm every move")
    me.page.goto("/play?game=pente")
    place(me.page, "K10").and_(targets(me.page)).click()
    expect(me.page.locator("#confirm")).to_be_visible()
    expect(moves(me.page)).to_have_count(0)


@pytest.mark.slow
def test_a_game_of_keryo_pente(new_page: NewPage) -> None:
    me = Newcomer(new_page())
    me.button("Play Pente", "link")
    me.choose("Rules", "Keryo")
    expect(me.page.locator("#terms")).to_contain_text("keryo", use_inner_text=False)
    me.has_done("Start a game of Keryo Pente")
    assert me.page.url.endswith("&rules=Keryo")
    me.page.reload()
    expect(me.page.get_by_label("Rules", exact=True)).to_have_value("Keryo")
    place(me.page, "K10").and_(targets(me.page)).click()
    expect(moves(me.page)).to_have_count(2)
    expect(me.page.locator("#guide")).to_contain_text("15 stones")


@pytest.mark.slow
def test_a_puzzle_is_solved(new_page: NewPage) -> None:
    page = new_page()
    me = Newcomer(page)
    me.press(page.get_by_role("region", name="Today’s puzzles").get_by_role("link").first)
    me.has_done("Solve a puzzle")
    page.wait_for_url("**/puzzles/*")
    name = page.url.rpartition("/")[2]
    puzzle = next(each for game in names() for each in puzzles.puzzles(game) if each.id == name)
    for here, move in list(puzzles.solution(puzzle))[::2]:
        play_steps(page, touches(here, str(move)))
    expect(page.locator("#verdict")).to_contain_text("Solved.")


@pytest.mark.slow
def test_the_next_game_waits(new_page: NewPage, server: Server) -> None:
    page = new_page()
    addresses = []
    for name in ("Bob", "Cleo"):
        addresses.append(open_room(page, seats=["human", "open"], name="Ann"))
        server.sit(addresses[-1].rpartition("/")[2], name=name)
    me = Newcomer(page, addresses[1])
    link = page.get_by_role("link", name="Your turn in another game")
    expect(targets(page).first).to_be_visible()
    expect(link).to_be_hidden()  # it is the player's turn here, too
    play(page, "a0 1C")
    me.press(link)
    page.wait_for_url(f"**{addresses[0]}")
    me.has_done("Go on to the next game that waits")
    play(page, "a0 1C")
    expect(page.locator("#headline")).to_have_text("Bob to move")
    expect(link).to_be_hidden()  # no other one waits


@pytest.mark.slow
def test_the_board_and_the_pieces_are_changed(new_page: NewPage) -> None:
    me = Newcomer(new_page())
    me.button("Settings")
    me.press(me.page.get_by_text("Slate", exact=True))
    me.press(me.page.get_by_text("Flat", exact=True))
    me.button("Close")
    me.has_done("Change the board and the pieces")
    me.page.goto("/play")
    look = me.page.locator("html")
    expect(look).to_have_attribute("data-board", "slate")
    expect(look).to_have_attribute("data-pieces", "flat")


@pytest.mark.slow
def test_a_running_game_is_saved_as_a_gif(new_page: NewPage) -> None:
    page = new_page()
    address = open_room(page, seats=["human", "human"])
    play(page, "a0 1C")
    me = Newcomer(page, address)
    expect(moves(page)).to_have_count(1)
    me.press(page.locator("#more-menu summary"))
    with page.expect_download() as found:
        me.press(page.locator("#gif"))
    assert found.value.suggested_filename.endswith(".gif")
    me.has_done("Save a running game as a GIF")
    expect(page.locator("#save-gif")).to_be_hidden()  # it showed the progress
