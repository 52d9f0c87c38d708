"""The layout of the Analysis page: what is in sight without scrolling, and that nothing lies on anything else."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from pentad.game import Position
from tests.cases import slow
from tests.web.browser_helpers import NewPage, fits
from tests.web.server_thread import Answers, PlaceCallback, serving
from tests.web.test_browser_analyse_values import LATE, FixedValues

pytestmark = pytest.mark.browser

GAMES = {
    "pentago": f"/analyse?start={quote(LATE.text)}",
    "pente": "/analyse?game=pente&moves=K10_L11_N10",
    "pentagame": "/analyse?game=pentagame&moves=" + quote("[0,3,5,0,0] [0,11,5,2,2]"),
}
SIZES = [(1280, 800), (390, 844), (320, 568), (844, 390), (1280, 600)]
EVERYWHERE = ["#open", "#set-up", "#share", "#new-study", "#back", "#forward", "#flip"]
ON_A_DESKTOP = ["#engine-on", "#engine-note", "#lines li:last-child", "#tree-title", "#openings-title", "#openings-on"]


class LongLines(FixedValues):
    """Three lines that are longer than the panel."""

    async def analysis(
        self, position: Position, *, seconds: float, lines: int, owner: object, on_place: PlaceCallback = None
    ) -> Answers:
        async for report in super().analysis(position, seconds=seconds, lines=lines, owner=owner, on_place=on_place):
            (line,) = report["lines"]
            yield report | {"lines": [line | {"moves": line["moves"] * 14}] * lines}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(LongLines(), tmp_path_factory.mktemp("layout")) as url:
        yield url


# Pairs of things to press of which one lies on the other; a board counts as one, what a list cuts off not at all.
OVERLAPS = """() => {
    const inside = (a, b) => ({ left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
        right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) });
    const empty = (box) => box.right - box.left < 1.5 || box.bottom - box.top < 1.5;
    const visible = (each) => {
        let box = each.getBoundingClientRect();
        for (let holder = each.parentElement; holder; holder = holder.parentElement) {
            if (getComputedStyle(holder).overflow !== "visible") box = inside(box, holder.getBoundingClientRect());
        }
        return box;
    };
    const pressed = "main :is(a, button, input, select, summary, textarea, [tabindex='0'])";
    const all = [...document.querySelectorAll(`#board svg, .top :is(a, button), ${pressed}`)]
        .filter((each) => each.checkVisibility() && !each.parentElement.closest("#board svg"))
        .map((each) => ({ each, box: visible(each) })).filter(({ box }) => !empty(box));
    const isCovered = ({ each, box }) => {
        const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
        const at = document.elementFromPoint(x, y);
        return at && !each.contains(at) && !at.contains(each);
    };
    const covered = all.filter(isCovered).map(({ each }) => `${each.id || each.outerHTML.slice(0, 60)} is covered`);
    return covered.concat(all.flatMap((one, i) => all.slice(i + 1)
        .filter((other) => !one.each.contains(other.each) && !other.each.contains(one.each))
        .filter((other) => !empty(inside(one.box, other.box)))
        .map((other) => [one, other].map(({ each }) => each.id || each.outerHTML.slice(0, 60)).join(" / "))));
}"""
# What is not wholly in the window, or lies under something else.
OUT_OF_SIGHT = """selectors => selectors.filter((selector) => {
    const each = document.querySelector(selector), box = each.getBoundingClientRect();
    const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return box.top < 0 || box.left < 0 || box.bottom > innerHeight || box.right > innerWidth || !box.width
        || !(each.contains(at) || at?.contains(each));
})"""
HEIGHT_IN_SIGHT = """selector => { const { top, bottom } = document.querySelector(selector).getBoundingClientRect();
    return Math.min(bottom, innerHeight) - top; }"""


def opened(new_page: NewPage, game: str, size: tuple[int, int]) -> Page:
    page = new_page(viewport={"width": size[0], "height": size[1]}, has_touch=size != SIZES[0])
    page.goto(GAMES[game])
    expect(page.locator("#board")).to_have_attribute("aria-busy", "false")
    expect(page.locator("#lines li").first).to_be_attached()
    return page


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_tools_are_in_sight_and_nothing_overlaps(new_page: NewPage, game: str, size: tuple[int, int]) -> None:
    page = opened(new_page, game, size)
    assert page.evaluate(OUT_OF_SIGHT, EVERYWHERE) == []
    assert page.evaluate(OVERLAPS) == []
    fits(page)
    if size[0] == SIZES[0][0]:
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")  # the panels scroll, not the page
    if size == SIZES[0]:
        shown = [each for each in ON_A_DESKTOP if page.locator(each).is_visible()]
        assert len(shown) >= len(ON_A_DESKTOP) - 1  # exact values need no note of the engine
        assert page.evaluate(OUT_OF_SIGHT, shown) == []
    page.locator("#openings-on").check()
    expect(page.locator("#openings-note")).not_to_be_empty()
    if size == SIZES[0]:
        assert page.evaluate(HEIGHT_IN_SIGHT, "#openings-body") >= 110  # the first moves are seen
    page.locator(".engine .menu summary").click()
    expect(page.locator("#engine-lines")).to_be_visible()
    fits(page)
    page.locator("#engine-lines").select_option("5")
    page.keyboard.press("Escape")
    expect(page.locator("#engine-lines")).to_be_hidden()
    page.evaluate("document.querySelector('#side').scrollTo(0, 0); scrollTo(0, 0)")
    assert page.evaluate(OUT_OF_SIGHT, EVERYWHERE) == []
    assert page.evaluate(OVERLAPS) == []


@pytest.mark.parametrize("size", [SIZES[0], slow(SIZES[3])], ids=str)
def test_a_long_list_of_moves_scrolls_beside_the_board(new_page: NewPage, size: tuple[int, int]) -> None:
    page = new_page(viewport={"width": size[0], "height": size[1]})
    moves = "_".join(f"{column}{row}" for row in range(1, 13) for column in "ABCDEFGHJKLMNOPQRST"[row % 2 :: 2])
    page.goto(f"/analyse?game={quote('pente rules=freestyle')}&moves={moves}")
    expect(page.locator("#tree .move")).not_to_have_count(0)
    assert page.evaluate(OUT_OF_SIGHT, EVERYWHERE) == []
    if size == SIZES[0]:
        assert page.evaluate(OUT_OF_SIGHT, ["#openings-on"]) == []
        assert page.evaluate(OUT_OF_SIGHT, ["#tree [aria-current]"]) == []


def test_a_message_before_a_move_hides_no_tool(new_page: NewPage) -> None:
    page = opened(new_page, "pentago", SIZES[2])
    page.locator("#board .can").first.click()
    expect(page.locator("#cancel")).to_be_visible()
    assert page.evaluate(OUT_OF_SIGHT, EVERYWHERE) == []
    assert page.evaluate(OVERLAPS) == []
