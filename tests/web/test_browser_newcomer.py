"""Ten tasks of a newcomer, each in as many steps as the table in docs/lab/newcomer.md says."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.browser_helpers import NewPage, join, moves, open_room, place, play, targets
from tests.web.server_process import Server
from tests.web.test_browser_analyse import LATE
from tests.web.test_browser_games import user
from tests.web.test_browser_review import BLUNDERS, play_turn
from tests.web.test_serve_network import IN_A_NETWORK, for_devices

pytestmark = pytest.mark.browser

PAGE = Path(__file__).parents[2] / "docs" / "lab" / "newcomer.md"
ROW = re.compile(r"^\| (.+?) \| (?:\d+|-) \| (\d+) \|", re.MULTILINE)
STEPS = {task: int(count) for task, count in ROW.findall(PAGE.read_text(encoding="utf-8"))}
MOST_STEPS = 3

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
    assert max(STEPS.values()) <= MOST_STEPS


@pytest.mark.slow
def test_a_bot_is_played(new_page: NewPage) -> None:
    me = Newcomer(new_page())
    me.button("Play Pente", "link")
    expect(targets(me.page).first).to_be_visible()
    me.has_done("Play a bot")
    expect(me.page.locator("#seats")).to_contain_text("Computer (medium)")
    place(me.page, "K10").click()
    expect(moves(me.page)).to_have_count(2)


@pytest.mark.slow
def test_the_colour_is_changed(new_page: NewPage) -> None:
    me = Newcomer(new_page())
    me.choose("You play", "Second")
    me.button("Play Pente", "link")
    expect(moves(me.page)).to_have_count(1)
    expect(me.page.locator("#seats .below")).to_contain_text("Black")
    me.has_done("Change the colour")


@pytest.mark.slow
def test_a_friend_in_the_same_network_is_invited(new_page: NewPage) -> None:
    with Server(before=IN_A_NETWORK) as network:
        me = Newcomer(new_page(base_url=network.url))
        me.button("A friend")
        me.button("Play Pentago", "link")
        me.button("Let devices in this network join")
        me.has_done("Invite a friend in the same network")
        code = me.page.locator("#code-picture")
        expect(code).to_be_visible()
        assert code.evaluate("picture => picture.decode().then(() => picture.naturalWidth)") > 0
        friend = new_page(base_url=for_devices(network))
        join(friend, me.page.locator("#link").input_value(), "Bob")
        expect(me.page.locator("#seats")).to_contain_text("Bob")


@pytest.mark.slow
def test_a_stranger_is_met(new_page: NewPage) -> None:
    me, other = Newcomer(new_page()), Newcomer(new_page())
    for each in (me, other):
        each.button("A stranger")
        each.button("Play Pentagame", "link")
        each.has_done("Meet a stranger")
        each.page.wait_for_url(re.compile(r"/play/\w+$"))
        expect(each.page.locator("#board")).not_to_have_attribute("aria-busy", "true")
    assert me.page.url == other.page.url


@pytest.mark.slow
def test_the_move_that_lost_is_explained(new_page: NewPage) -> None:
    me = Newcomer(*a_lost_game(new_page()))
    me.button("Review this game", "link")
    found = me.page.locator("#review-list li").filter(has_text=re.compile(r"14\. J9\S+ \(Black\)"))
    expect(found).to_contain_text("Better:")
    me.press(found.get_by_role("button", name="Show"))
    expect(me.page.locator("#finding-text")).to_contain_text("14. J9??: Blunder. Black missed an immediate win.")
    me.has_done("Find out why a game was lost")


def a_lost_game(page: Page) -> tuple[Page, str]:
    """A page, and the address of a finished game."""
    address = open_room(page, game="pente", options={"rules": "gomoku", "size": 9}, seats=["human", "human"])
    play(page, *LOST_AT_14)
    expect(page.locator("#headline")).to_have_text("White wins")
    return page, address


@pytest.mark.slow
def test_a_board_is_solved(new_page: NewPage) -> None:
    me = Newcomer(new_page())
    me.button("Analysis", "link")
    me.button("Open…")
    me.page.locator("#paste").fill(LATE)
    me.press("#open-form .main")
    expect(me.page.locator("#board .painted").first).to_be_visible()
    me.has_done("Solve a board")


@pytest.mark.slow
def test_the_game_of_yesterday_is_continued(new_page: NewPage, server: Server) -> None:
    page = new_page()
    address = open_room(page, seats=["human", "open"], name="Ann", time={"days": 3})
    server.sit(address.rpartition("/")[2], name="Bob")
    for _ in range(5):
        server.make(user(page), game="pente", seats=["human", "greedy"])
    me = Newcomer(page)
    me.press(page.locator("#mine a").filter(has_text="Bob"))
    page.wait_for_url(f"**{address}")
    expect(targets(page).first).to_be_visible()
    me.has_done("Continue yesterday's game")


@pytest.mark.slow
def test_a_study_is_made(new_page: NewPage) -> None:
    me = Newcomer(new_page())
    me.button("Analysis", "link")
    me.button("Study…")
    me.button("New study from this game")
    me.has_done("Make a study")
    expect(me.page.locator("#study")).to_be_visible()


@pytest.mark.slow
def test_a_mistake_is_a_puzzle(new_page: NewPage) -> None:
    page = new_page()
    start, move = BLUNDERS["pentago"]
    address = open_room(page, position=start, seats=["human", "engine@1"])
    play_turn(page, start, move)
    expect(moves(page)).to_have_count(2)
    if page.locator("#review-link").is_hidden():
        page.locator("#resign").click()
        page.locator("#resign-dialog").get_by_role("button", name="Resign").click()
    expect(page.locator("#headline")).to_have_text("You lose")
    me = Newcomer(page, address)
    me.button("Review this game", "link")
    me.button("Puzzles from your games", "link")
    me.press(page.locator("#own-list a").first)
    expect(page.locator("#task-text")).to_have_text("You played f1 1A??.")
    me.has_done("Get a puzzle from a game")


@pytest.mark.slow
def test_a_game_is_left(new_page: NewPage) -> None:
    page = new_page()
    me = Newcomer(page, open_room(page, seats=["human", "greedy"]))
    me.button("Resign")
    me.press(page.locator("#resign-dialog").get_by_role("button", name="Resign"))
    expect(page.locator("#headline")).to_have_text("You lose")
    me.has_done("Leave a game")
