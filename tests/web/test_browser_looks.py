"""Look of the Play page: sizes, themes, reduced motion."""

from urllib.parse import quote

import pytest
from playwright.sync_api import expect

import pentad
from tests.cases import slow_but
from tests.web.browser_helpers import NewPage, act, fits, join, open_room, play, set_theme, targets

pytestmark = pytest.mark.browser

WIDTHS = [(320, 640), (360, 740), (844, 390), (768, 1024), (1280, 800), (1920, 1080), (3840, 2160)]


# ── forced colours ────────────────────────────────────────────────────────────────────


# The variables of the board and of the page that are not the colours which the system forces.
_FORCED = """() => {
    const probe = document.body.appendChild(document.createElement("p"));
    const colour = value => { probe.style.color = value; return getComputedStyle(probe).color; };
    probe.style.forcedColorAdjust = "none";
    const wanted = {
        "#board svg": { tile: "Canvas", stop: "Canvas", hole: "Canvas", ink: "CanvasText", course: "CanvasText" },
        "main": { page: "Canvas", ink: "CanvasText", soft: "CanvasText" } };
    return Object.entries(wanted).flatMap(([selector, colours]) => {
        const style = getComputedStyle(document.querySelector(selector));
        return Object.entries(colours)
            .filter(([name, system]) => colour(style.getPropertyValue(`--${name}`)) !== colour(system))
            .map(([name]) => `${selector} ${name}`); }); }"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("theme", ["auto", "dark", "contrast"])
def test_boards_have_the_colours_that_the_system_forces(new_page: NewPage, scheme: str, theme: str) -> None:
    page = new_page(forced_colors="active", color_scheme=scheme)
    set_theme(page, theme)
    for game in ("pentago", "pentagame"):
        open_room(page, game=game)
        expect(targets(page).first).to_be_visible()
        assert page.evaluate(_FORCED) == [], game
        page.evaluate("document.documentElement.dataset.board = 'slate'")
        assert page.evaluate(_FORCED) == [], game


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_lines_have_the_contrast_that_a_reader_prefers(new_page: NewPage, scheme: str) -> None:
    page = new_page(contrast="more", color_scheme=scheme)
    open_room(page, game="pente", seats=["human", "human"])
    expect(targets(page).first).to_be_visible()
    page.locator("#board svg").evaluate("each => each.style.color = 'var(--ink)'")
    ink, line, board, grid = page.evaluate(
        """() => [["body", "color"], ["#start-clock", "borderTopColor"],
            ["#board svg", "color"], ["#board .grid", "stroke"]]
            .map(([selector, property]) => getComputedStyle(document.querySelector(selector))[property])"""
    )
    assert (line, grid) == (ink, board)


# ── new users ────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_a_new_user_chooses_another_game_with_one_tap(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page.goto("/play")
    kinds = page.locator("#kinds button")
    expect(kinds.first).to_have_attribute("aria-pressed", "true")
    assert kinds.count() == 3
    names = [kinds.nth(number).inner_text() for number in range(3)]
    for number in (1, 2):
        assert kinds.nth(number).evaluate("each => each.getBoundingClientRect().bottom <= innerHeight")
        kinds.nth(number).tap()
        expect(page.locator("#title")).to_have_text(names[number])
        expect(kinds.nth(number)).to_have_attribute("aria-pressed", "true")
        expect(page.locator("#headline")).to_have_text("Your turn")
    page.locator("[data-against=here]").tap()
    expect(page.locator("#headline")).not_to_have_text("Your turn")
    expect(page.locator("[data-against=here]")).to_have_attribute("aria-pressed", "true")
    kinds.first.tap()
    expect(page.locator("#headline")).to_have_text("Black to move")
    expect(page.locator("#announcer")).to_contain_text("Black to place")
    play(page, "a0 1C")
    expect(page.locator("#start")).to_be_hidden()
    assert "/play/" in page.url


def test_the_form_shows_the_kind_of_opponent(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/play")
    act(page, "new")
    pressed = page.locator("[data-preset][aria-pressed=true]")
    expect(pressed).to_have_text("Computer")
    expect(page.locator("#name-row")).to_be_hidden()
    page.locator("[data-preset=friend]").click()
    expect(pressed).to_have_text("A friend")
    expect(page.locator("#name-row")).to_be_visible()
    page.locator("#game-choice label").nth(2).click()
    expect(pressed).to_have_text("A friend")  # also for another game
    page.locator("#more summary").click()
    page.locator("[name=seat0]").select_option("open")
    expect(pressed).to_have_count(0)


# ── sizes ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
@pytest.mark.parametrize("size", slow_but(WIDTHS, WIDTHS[0]))
def test_nothing_is_wider_than_the_screen(new_page: NewPage, size: tuple[int, int]) -> None:
    look = {"viewport": {"width": size[0], "height": size[1]}}
    page, other = new_page(**look), new_page(**look)
    page.goto("/play")
    expect(page.locator("#start")).to_be_visible()
    fits(page)
    for number in range(3):
        act(page, "new")
        page.locator("#game-choice label").nth(number).click()
        page.locator("[data-preset=friend]").click()
        page.locator("#more").evaluate("more => { more.open = true; }")
        fits(page)
        page.keyboard.press("Escape")
    address = open_room(page, seats=["human", "open"], name="A long name " + "w" * 18, time={"main": 36000})
    expect(page.locator("#share")).to_be_visible()
    page.locator("#code").click()
    fits(page)
    other.goto(address)
    expect(other.locator("#join")).to_be_visible()
    fits(other)
    join(other, address, "W" * 30)
    page.locator("#chat-text").fill("w" * 300)
    page.locator("#chat-text").press("Enter")
    play(page, "a0 1C")
    expect(other.locator("#chat-messages li")).to_have_count(1)
    other.locator("#draw").click()
    expect(page.locator("#offer")).to_be_visible()
    for each in (page, other):
        fits(each)
    page.locator("#more-menu summary").click()
    fits(page)
    for name in ("new", "settings"):
        act(page, name)
        fits(page)
        page.keyboard.press("Escape")
    page.locator("#offer-yes").click()
    expect(page.locator("#again")).to_be_visible()
    fits(page)


@pytest.mark.slow
def test_on_a_phone_the_board_is_first_after_the_form_to_join(new_page: NewPage) -> None:
    phone = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    page, other = new_page(**phone), new_page(**phone)
    address = open_room(page, seats=["human", "open"], time={"main": 600})
    other.goto(address)
    whole = "each => { const box = each.getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; }"
    assert other.get_by_role("button", name="Join game").evaluate(whole)
    other.get_by_role("button", name="Join game").tap()
    expect(other.locator("#join")).to_be_hidden()
    for name in ("#headline", "#board", "#seats"):
        assert other.locator(name).evaluate(whole), name


# ── themes and screen readers ────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_the_theme_button_cycles_through_the_themes(new_page: NewPage) -> None:
    page = new_page(color_scheme="dark")
    page.goto("/play")
    grounds = []
    for theme in ("auto", "light", "dark", "contrast", "auto"):
        expect(page.locator("#theme-label")).to_have_text(f"Theme: {theme}")
        grounds.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        page.get_by_role("button", name="Theme").click()
    assert grounds[0] == grounds[2] == grounds[4]
    assert grounds[3] == "rgb(255, 255, 255)"
    assert len(set(grounds)) == 3


@pytest.mark.slow
def test_nothing_is_animated_with_reduced_motion(new_page: NewPage) -> None:
    page = new_page()
    open_room(page, seats=["human", "human"])
    moved = "document.documentElement.dataset.moved"
    page.evaluate(f"document.addEventListener('animationstart', () => {{ {moved} = '1'; }})")
    play(page, "a0 1C", "b0 2C")
    assert page.evaluate(moved) is None
    assert page.evaluate("document.getAnimations().length") == 0


# ── the look of boards and pieces ────────────────────────────────────────────────────────────────

SHADES = """() => ["--tile", "--white-base", "--gloss"].map((name) =>
    getComputedStyle(document.querySelector("#board svg")).getPropertyValue(name).trim())"""


@pytest.mark.slow
def test_the_look_of_boards_and_pieces_is_chosen_and_kept_on_all_pages(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/play")
    expect(targets(page).first).to_be_visible()
    before = page.evaluate(SHADES)
    act(page, "settings")
    for name, first, chosen in (("board", "wood", "slate"), ("pieces", "glass", "flat")):
        group = page.locator(f"[data-looks={name}]")
        expect(group.get_by_role("radio")).to_have_count(3)
        expect(group.locator(f"[value={first}]")).to_be_checked()
        group.locator(f"[value={first}]").press("ArrowRight")  # the keyboard chooses first, then a tap
        group.get_by_text(chosen.capitalize()).click()
        expect(group.locator(f"[value={chosen}]")).to_be_checked()
    after = page.evaluate(SHADES)
    assert all(one != other for one, other in zip(before, after, strict=True))
    for address in ("/play", "/analyse", f"/embed?position={quote(pentad.new('pente').text)}"):
        page.goto(address)
        expect(page.locator("#board svg")).to_be_visible()
        assert page.evaluate(SHADES) == after, address
    for address in ("/learn", "/puzzles", "/models"):
        page.goto(address)
        assert page.evaluate("document.documentElement.dataset.board") == "slate"
    page.goto("/play")
    act(page, "settings")
    expect(page.locator("[name=look-board]:checked")).to_have_value("slate")
    page.evaluate("localStorage.setItem('theme', 'dark')")
    page.reload()
    dark = page.evaluate(SHADES)
    assert dark[0] not in (before[0], after[0])
    page.evaluate("localStorage.setItem('theme', 'contrast')")
    page.reload()
    assert page.evaluate(SHADES)[0] == "#fff"
