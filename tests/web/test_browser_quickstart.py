"""The fields beside a new board and on the start page: the side, the clock and the rules; and the wait for a friend."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.cases import slow
from tests.web.browser_helpers import NewPage, fits, join, moves, open_room, targets
from tests.web.test_browser_start import rooms_made

pytestmark = pytest.mark.browser

SIZES = [(1280, 800), (390, 844), slow((320, 568)), slow((844, 390))]
Box = tuple[float, float, float, float]  # left, top, right, bottom

# The places of the visible elements that match a selector, in the page.
PLACES = """(all) => all.filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect())
    .map(({ left, top, right, bottom }) => [left + scrollX, top + scrollY, right + scrollX, bottom + scrollY])"""


def places(found: Locator) -> list[Box]:
    return [(box[0], box[1], box[2], box[3]) for box in found.evaluate_all(PLACES)]


def overlapping(boxes: list[Box]) -> list[tuple[Box, Box]]:
    """The pairs of places that have more than a border in common."""
    pairs = [(one, other) for i, one in enumerate(boxes) for other in boxes[:i]]
    return [
        (one, other)
        for one, other in pairs
        if min(one[2], other[2]) - max(one[0], other[0]) > 1 and min(one[3], other[3]) - max(one[1], other[1]) > 1
    ]


def new_game(page: Page, query: str = "game=pente&against=computer&strength=easy") -> None:
    page.goto(f"/play?{query}")
    expect(page.locator("#start-side option").first).to_be_attached()


def at(new_page: NewPage, size: tuple[int, int], path: str) -> Page:
    page = new_page(viewport={"width": size[0], "height": size[1]})
    page.goto(path)
    return page


# ── the side, the clock and the rules ────────────────────────────────────────────────────────────


def test_the_computer_begins_if_the_player_takes_the_other_side(new_page: NewPage) -> None:
    page = new_page()
    made = rooms_made(page)
    new_game(page)
    expect(page.locator("#start-side option")).to_have_text(["White", "Black", "Random"])
    page.locator("#start-side").select_option("Black")
    expect(page.locator("#headline")).to_have_text("The computer begins")
    page.locator("#start-clock").select_option("5 min + 3 s")
    expect(page.locator("#seats .clock")).to_have_text(["5:00", "5:00"])
    expect(page.locator("#start-side")).to_have_value("2")
    page.locator("#start-rules").select_option("Keryo")
    expect(page.locator("#start-clock")).to_have_value("3")
    page.wait_for_url("**/play?game=pente&against=computer&strength=easy&side=2&clock=5%2B3&rules=Keryo")
    assert made == []
    page.get_by_role("button", name="Start", exact=True).click()
    expect(moves(page)).to_have_count(1)
    expect(page.locator("#seats .below")).to_contain_text("You")
    expect(page.locator("#seats .below")).to_contain_text("Black")
    expect(page.locator("#terms")).to_contain_text("keryo", use_inner_text=False)
    assert len(made) == 1


def test_a_random_side_stays_chosen(new_page: NewPage) -> None:
    page = new_page()
    new_game(page)
    sides = set()
    page.locator("#start-side").select_option("Random")
    for strength in ("hard", "medium", "easy") * 8:
        page.locator(f"#start [data-strength={strength}]").click()
        expect(page.locator(f"#start [data-strength={strength}]")).to_have_attribute("aria-pressed", "true")
        expect(page.locator("#start-side")).to_have_value("random")
        sides.add(page.locator("#seats .below .colour").inner_text())
        if len(sides) == 2:
            break
    assert sides == {"White", "Black"}


def test_a_friend_is_invited_with_the_chosen_side_and_clock_by_one_click(new_page: NewPage) -> None:
    ann, bob = new_page(), new_page()
    new_game(ann)
    ann.locator("#start-side").select_option("Black")
    expect(ann.locator("#headline")).to_have_text("The computer begins")
    ann.locator("#start-clock").select_option("10 min + 5 s")
    expect(ann.locator("#seats .clock")).to_have_count(2)
    ann.locator("#start [data-against=friend]").click()
    expect(ann.locator("#share")).to_be_visible()
    expect(ann.locator("#seats .below")).to_contain_text("Black")
    expect(ann.locator("#visitors")).to_have_text("Nobody has opened the game yet.")
    ann.locator("#share-name").fill("Ann")
    ann.locator("#share-name").press("Enter")
    invitation = "Ann invites you to Pente, 10 minutes each and 5 seconds a move. You play White."
    expect(ann.locator("#invited")).to_have_text(f"They read: “{invitation}”")
    bob.goto(ann.locator("#link").input_value())
    expect(bob.locator("#invitation")).to_have_text(invitation)
    expect(ann.locator("#visitors")).to_have_text("One person has opened the game.")
    join(bob, ann.url, "Bob")
    expect(ann.locator("#message")).to_have_text("Bob has joined.")
    expect(bob.locator("#headline")).to_have_text("Your turn")


def test_the_start_page_keeps_the_side_and_the_clock(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    page.locator("#start-side").select_option("Second")
    page.locator("#start-clock").select_option("3 min + 2 s")
    page.goto("/")
    expect(page.locator("#start-side")).to_have_value("2")
    play = page.get_by_role("link", name="Play Pentago", exact=True)
    expect(play).to_have_attribute("href", re.compile(r"strength=medium&side=2&clock=3%2B2$"))
    page.locator("[data-against=here]").click()
    expect(page.locator("#start-side")).to_be_hidden()
    expect(play).to_have_attribute("href", re.compile(r"against=here&clock=3%2B2$"))
    page.locator("[data-against=computer]").click()
    play.click()  # one click begins: the computer moves
    page.wait_for_url(re.compile(r"/play/\w+$"))
    expect(moves(page)).to_have_count(1)
    expect(page.locator("#seats .below")).to_contain_text("White")
    expect(page.locator("#seats .clock")).to_have_count(2)


@pytest.mark.slow
def test_the_form_has_the_side_and_the_clock(new_page: NewPage) -> None:
    page = new_page()
    new_game(page)
    page.locator("#start-side").select_option("Black")
    expect(page.locator("#headline")).to_have_text("The computer begins")
    page.locator("#start-options").click()
    side = page.locator("#new-side")
    expect(side).to_have_value("2")
    expect(page.locator("[name=seat1]")).to_have_value("human")
    side.select_option("White")
    expect(page.locator("[name=seat0]")).to_have_value("human")
    page.locator("[data-preset=here]").click()
    expect(side).to_be_hidden()
    page.locator("[data-preset=friend]").click()
    side.select_option("Black")
    page.locator("#time").select_option(label="1 min")
    page.locator("#new-form .main").click()
    expect(page.locator("#share")).to_be_visible()
    expect(page.locator("#seats .below")).to_contain_text("Black")
    expect(page.locator("#seats .clock")).to_have_text(["1:00", "1:00"])


# ── who waits ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("opponent", ["stranger", "friend"])
def test_who_waits_can_play_the_computer_in_another_tab(new_page: NewPage, opponent: str) -> None:
    ann, bob = new_page(), new_page()
    ann.goto(f"/play?game=pentagame&against={opponent}")
    expect(ann.locator("#share")).to_be_visible()
    starts = {"stranger": "Waiting for a stranger.", "friend": "Send this link"}
    expect(ann.locator("#share-text")).to_contain_text(starts[opponent])
    with ann.context.expect_page() as opened:
        ann.locator("#meanwhile").click()
    expect(targets(opened.value).first).to_be_visible()
    expect(opened.value.locator("#seats")).to_contain_text("Computer")
    opened.value.close()
    join(bob, ann.url, "Bob")  # somebody is still there
    expect(ann.locator("#share")).to_be_hidden()
    expect(ann.locator("#message")).to_have_text("Bob has joined.")


# ── look ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("size", SIZES)
def test_the_fields_have_their_places(new_page: NewPage, size: tuple[int, int]) -> None:
    page = at(new_page, size, "/play?game=pente&against=computer&strength=easy")
    page.locator("#start-side").select_option("Black")  # there is a button more
    expect(page.locator("#begin")).to_be_visible()
    fits(page)
    fields = places(page.locator("#begin, #start :is(button, select)"))
    assert len(fields) == 1 + 3 + 4 + 4 + 3 + 1
    assert overlapping(fields) == []
    assert all(left >= 0 and right <= size[0] and bottom - top >= 44 for left, top, right, bottom in fields)
    if size == (1280, 800):
        assert max(bottom for *_, bottom in places(page.locator(".table, #start, .actions"))) <= 800
    else:  # what is below the screen can be reached, and the actions of a phone do not cover it
        page.locator("#start-options").scroll_into_view_if_needed()
        (options,) = places(page.locator("#start-options"))
        assert overlapping([options, *places(page.locator(".actions"))]) == []


@pytest.mark.parametrize("size", SIZES)
def test_the_invitation_has_its_place(new_page: NewPage, size: tuple[int, int]) -> None:
    page = new_page(viewport={"width": size[0], "height": size[1]})
    open_room(page, game="pente", seats=["open", "human"], name="W" * 30, time={"main": 300, "increment": 3})
    expect(page.locator("#invited")).to_contain_text("5 minutes each and 3 seconds a move")
    fits(page)
    parts = places(page.locator("#share :is(p, button, a, input)"))
    assert overlapping(parts) == []
    assert all(left >= 0 and right <= size[0] for left, _, right, _ in parts)
    if size == (1280, 800):
        assert max(bottom for *_, bottom in places(page.locator("#share, .actions"))) <= 800


@pytest.mark.parametrize("size", SIZES)
def test_the_fields_of_the_start_page_have_their_places(new_page: NewPage, size: tuple[int, int]) -> None:
    page = at(new_page, size, "/")
    fits(page)
    fields = places(page.locator(".choose :is(button, select)"))
    assert len(fields) == 4 + 4 + 2
    expect(page.get_by_label("Rules of Pente").locator("option")).not_to_have_count(0)
    beside_games = places(page.locator(".game-cards :is(a, select)"))
    assert len(beside_games) == 3 * 3
    assert overlapping(fields + beside_games) == []
    for left, top, right, bottom in fields + beside_games:
        assert left >= 0
        assert right <= size[0]
        assert bottom - top >= 44
    buttons = places(page.locator("[data-play]"))
    assert min(top for _, top, *_ in buttons) > max(bottom for *_, bottom in fields)
    if size == (1280, 800):
        assert max(bottom for *_, bottom in buttons) <= 800
