"""The Models page in a browser: steps by mouse, keyboard and board; exploration; phones; colours of pictures."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from pentad.grammar.models import MODELS
from tests.cases import slow, slow_but
from tests.waiting import wait_until
from tests.web.browser_helpers import NewPage
from tests.web.models_app import ModelsServer

pytestmark = pytest.mark.browser

# High limits: an exploration ends only when a test stops it.
MOST_SECONDS, MOST_STATES = 1_000, 1_000_000_000

PAIRS = "rows=2&line=2"
SMALL = "rows=1&cols=1&block=2&line=2&rules=classic"


@pytest.fixture(scope="module")
def server() -> Iterator[ModelsServer]:
    with ModelsServer(MOST_SECONDS, MOST_STATES) as running:
        yield running


def trace(page: Page) -> Any:
    return page.locator("#trace li:not(.none)")


@pytest.mark.slow
def test_from_the_list_to_a_model_and_back(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/models")
    expect(page.locator("#list li")).to_have_count(len(MODELS))
    page.get_by_role("link", name="The ferry").click()
    expect(page).to_have_url(re.compile("/models/ferry$"))
    expect(page.locator("#title")).to_have_text("The ferry")
    expect(page.locator("#start-picture [data-node]")).to_have_count(6)
    page.go_back()
    expect(page.locator("#list")).to_be_visible()
    expect(page.locator("#model")).to_be_hidden()


@pytest.mark.slow
def test_steps_can_be_taken_as_soon_as_there_is_a_state(new_page: NewPage) -> None:
    page = new_page()
    held: list[Route] = []
    page.route("**/api/models/ferry/step", lambda route: held.append(route))
    page.goto("/models/ferry")
    page.get_by_role("tab", name="Step").click()
    wait_until(lambda: bool(held) or page.wait_for_timeout(50), "the request for the state")
    for name in ("Undo", "Random", "Random to end", "Restart"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_disabled()
    held[0].continue_()
    page.unroute("**/api/models/ferry/step")
    page.get_by_role("button", name="Random", exact=True).click()
    expect(trace(page)).to_have_count(1)


@pytest.mark.slow
@pytest.mark.parametrize("name", slow_but(MODELS, "ferry"))
def test_every_model_shows_all_tabs(new_page: NewPage, name: str) -> None:
    page = new_page()
    page.goto(f"/models/{name}")
    expect(page.locator("#start-picture svg")).to_be_visible()
    page.get_by_role("tab", name="Rules").click()
    for button in page.locator("#rule-names button").all():
        button.click()
        expect(page.locator("#rule-picture svg .heading")).to_have_text(button.inner_text())
    page.get_by_role("tab", name="Control").click()
    expect(page.locator("#control-picture svg")).to_be_visible()
    expect(page.locator("#programs")).to_contain_text(re.compile(r"alap|No control program"))
    page.get_by_role("tab", name="Step").click()
    expect(page.locator("#graph-picture svg")).to_be_visible()
    expect(page.locator("#enabled button").first).to_be_visible()


def test_options_are_in_words_and_merged_ones_are_explained(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/models/pentago?tab=step")
    page.get_by_role("button", name="place at b2").click()
    expect(page.locator("#where")).to_have_text("Step 1: place at b2")
    expect(page.locator("#enabled button .words")).to_have_text(
        [f"turn sub-board {number} {way}" for way in ("clockwise", "anti-clockwise") for number in (1, 2)]
    )
    expect(page.locator("#step-note")).to_contain_text("The 4 options stand for 8 rotations: sub-boards 2, 3 and 4")
    page.locator("#board [data-target='4C']").click()  # merged with the rotation of sub-board 2
    expect(trace(page)).to_have_text(["place at b2", "turn sub-board 2 clockwise"])
    expect(page.locator("#step-note")).to_be_hidden()


@pytest.mark.slow
def test_a_small_game_is_stepped_through_to_its_end(new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"/models/pentago?{SMALL}&tab=step")
    expect(page.locator("#where")).to_have_text("Start")
    page.get_by_role("button", name="place at a1").click()
    expect(trace(page)).to_have_text(["place at a1"])
    expect(page.locator("#changes")).to_contain_text("–marble→ a1")
    assert page.locator("#graph-picture .changed").count() == 2
    page.locator("#board [data-target='1C']").click()  # a step on the board
    expect(trace(page)).to_have_text(["place at a1", "turn sub-board 1 clockwise"])
    expect(page).to_have_url(re.compile(r"path=\d\.\d$"))
    page.locator("#enabled button").first.click()
    expect(trace(page)).to_have_count(3)
    page.locator("#step-run").click()
    expect(page.locator("#state")).to_contain_text("No step is possible.")
    expect(page.locator("#enabled button")).to_have_count(0)
    expect(page.locator("#step-random")).to_be_disabled()
    ended = page.url
    length = trace(page).count()
    assert length > 3
    page.locator("#step-undo").click()
    expect(trace(page)).to_have_count(length - 1)
    page.go_back()
    expect(trace(page)).to_have_count(length)
    assert page.url == ended
    page.go_back()
    expect(trace(page)).to_have_count(3)
    page.goto(ended)  # the address holds the path
    expect(trace(page)).to_have_count(length)
    page.locator("#step-restart").click()
    expect(page.locator("#where")).to_have_text("Start")


@pytest.mark.slow
def test_the_nodes_of_an_option_are_highlighted(new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"/models/pentago?{SMALL}&tab=step")
    button = page.get_by_role("button", name="place at b0")
    button.hover()
    expect(page.locator("#graph-picture .matched")).to_have_count(3)
    expect(page.locator("#graph-picture .matched .frame").first).to_have_css("stroke-width", "5px")
    expect(page.locator("#board .hinted")).to_have_attribute("data-target", "b0")
    page.locator("#title").hover()
    expect(page.locator("#graph-picture .matched, #board .hinted")).to_have_count(0)
    button.focus()
    expect(page.locator("#graph-picture .matched")).to_have_count(3)


@pytest.mark.slow
def test_all_controls_work_with_the_keyboard(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/models/ferry")
    page.get_by_role("tab", name="Start graph").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Step")).to_be_focused()
    expect(page.locator("#enabled button").first).to_be_visible()
    page.locator("#enabled button").first.focus()
    for steps in (1, 2):
        page.keyboard.press("Enter")
        expect(trace(page)).to_have_count(steps)
        expect(page.locator("#enabled button").first).to_be_focused()
    page.get_by_role("tab", name="Step").focus()
    page.keyboard.press("Home")
    expect(page.locator("#start-picture")).to_be_visible()


@pytest.mark.slow
def test_options_make_another_model_and_invalid_ones_are_reported(new_page: NewPage) -> None:
    page = new_page(expected=("422",))
    page.goto("/models/tictactoe")
    page.locator("#options summary").click()
    page.locator("#option-line").fill("9")
    page.get_by_role("button", name="Apply options").click()
    expect(page.locator("#option-error")).to_contain_text("No line of 9 fits")
    page.locator("#option-line").fill("2")
    page.locator("#option-rows").get_by_label("Rows").fill("2")
    page.get_by_role("button", name="Apply options").click()
    expect(page).to_have_url(re.compile(r"/models/tictactoe\?rows=2&line=2$"))
    expect(page.locator("#size")).to_contain_text("20 nodes")
    expect(page.locator("#download")).to_have_attribute("href", "/api/models/tictactoe/grammar.zip?rows=2&line=2")
    with page.expect_download() as download:
        page.locator("#download").click()
    assert download.value.suggested_filename == "tictactoe.gps.zip"


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("address", "line"),
    [
        ("/models/nothing", "Unknown model 'nothing'"),
        slow("/models/ferry?tab=step&path=99", "Step 1 cannot be option 99"),
        ("/models/ferry?tab=step&path=x", "path.0"),
        slow("/models/ferry?wolves=many", "Option wolves must be a whole number"),
    ],
)
def test_an_invalid_address_is_reported(new_page: NewPage, address: str, line: str) -> None:
    page = new_page(expected=("422",))
    page.goto(address)
    expect(page.locator("#message")).to_contain_text(line)
    if "path" in address:
        expect(page.locator("#where")).to_have_text("Start")
    else:
        expect(page.locator("#list")).to_be_visible()


@pytest.mark.slow
def test_an_exploration_shows_its_result(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/models/ferry?tab=explore")
    page.get_by_role("button", name="Explore").click()
    expect(page.locator("#explore-state")).to_contain_text("Complete: all states were found.")
    expect(page.locator("#counts")).to_contain_text("36")
    expect(page.locator("#counts")).to_contain_text("84")
    expect(page.locator("#depths tbody tr")).to_have_count(9)
    expect(page.locator("#actions")).to_contain_text("allAcross")
    expect(page.locator("#states-picture [data-node]")).to_have_count(36)
    page.locator("#max-depth").fill("2")
    page.get_by_role("button", name="Explore").click()
    expect(page.locator("#explore-state")).to_contain_text("The depth limit was reached.")
    expect(page.locator("#depths tbody tr")).to_have_count(4)


@pytest.mark.slow
def test_many_states_are_drawn_up_to_bisimulation(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/models/maze?tab=explore")
    page.get_by_role("button", name="Explore").click()
    expect(page.locator("#counts")).to_contain_text("124")
    expect(page.locator("#counts div", has_text="States up to bisimulation")).to_contain_text("40")
    expect(page.locator("#states-picture [data-node]")).to_have_count(40)
    expect(page.locator("#states-picture")).to_contain_text("124 states and 181 transitions, merged by strong")
    page.goto("/models/tictactoe?tab=explore")  # too many to draw
    page.locator("#max-seconds").fill(str(MOST_SECONDS))  # a busy machine needs more than the default
    page.get_by_role("button", name="Explore").click()
    expect(page.locator("#counts div", has_text="States up to bisimulation")).to_contain_text("429")
    expect(page.locator("#states-picture")).to_be_hidden()


@pytest.mark.slow
def test_the_best_moves_of_a_game_are_shown(new_page: NewPage) -> None:
    page = new_page()
    page.goto(f"/models/tictactoe?{PAIRS}&tab=step")
    button, line = page.get_by_role("button", name="Best moves"), page.locator("#step-value")
    options = page.locator("#enabled button")
    expect(options).to_have_count(6)
    expect(line).to_be_hidden()
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(line).to_have_text("The player to move wins in 6 steps.")
    expect(page.locator("#enabled .best").first).to_contain_text("wins in 6 steps")
    best = page.locator("#enabled .best").count()
    assert 0 < best <= 6
    assert "best" in str(options.first.get_attribute("class"))
    for verdict in ("wins in 5", "loses in 4", "loses in 3", "wins in 2", "wins in 1"):  # best play to the end
        options.first.click()
        expect(line).to_contain_text(f"The player to move {verdict} step")
    button.click()
    expect(line).to_be_hidden()
    expect(page.locator("#enabled .best")).to_have_count(0)
    page.goto("/models/ferry?tab=step")
    expect(options.first).to_be_visible()
    expect(button).to_be_hidden()


@pytest.mark.slow
def test_a_property_is_checked_and_a_witness_is_shown(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/models/ferry?tab=explore")
    page.get_by_text("Property syntax").click()
    expect(page.locator("#property-names")).to_contain_text("allAcross")
    page.get_by_label("Property").fill("E(!eat U allAcross)")
    page.get_by_label("Property").press("Enter")
    expect(page.locator("#verdict")).to_contain_text("E(!eat U allAcross) holds. It is true in 30 of 36 states.")
    expect(page.locator("#verdict")).to_contain_text("Witness: carry → cross →")
    page.get_by_text("Film of the states").click()
    film = page.get_by_role("img", name="Witness as a film of its states")
    wait_until(lambda: film.evaluate("image => image.complete && image.naturalWidth > 300"), "the film")
    expect(page.get_by_role("link", name="Save as SVG")).to_have_attribute("download", "film.svg")
    page.get_by_label("Property").fill("EF nobody")
    page.get_by_role("button", name="Explore").click()
    expect(page.locator("#explore-state")).to_contain_text("not an action or a mark")
    page.get_by_label("Property").fill("")
    page.get_by_role("button", name="Explore").click()
    expect(page.locator("#verdict")).to_be_hidden()


@pytest.mark.slow
def test_an_exploration_is_stopped_or_left(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/models/pentagame?tab=explore")  # this exploration takes very long
    page.locator("#max-states").fill(str(MOST_STATES))
    page.locator("#max-seconds").fill(str(MOST_SECONDS))
    page.get_by_role("button", name="Explore").click()
    expect(page.locator("#explore-state")).to_contain_text("in the queue")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#explore-state")).to_contain_text("You stopped the search.")
    page.get_by_role("button", name="Explore").click()
    page.get_by_role("tab", name="Rules").click()
    page.get_by_role("tab", name="Explore").click()
    expect(page.get_by_role("button", name="Explore")).to_be_enabled()
    expect(page.locator("#found")).to_be_hidden()


@pytest.mark.slow
def test_pictures_are_zoomed_in_and_out(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/models/pentago")
    width = "document.querySelector('#start-picture svg').getBoundingClientRect().width"
    expect(page.locator("#start-picture svg")).to_be_visible()
    fitting = page.evaluate(width)
    page.get_by_role("button", name="Zoom in: Start graph").click()
    assert page.evaluate(width) == pytest.approx(fitting * 1.3, rel=0.01)
    page.get_by_role("button", name="Zoom out: Start graph").click()
    page.get_by_role("button", name="Zoom out: Start graph").click()
    assert page.evaluate(width) == pytest.approx(fitting / 1.3, rel=0.01)
    page.get_by_role("button", name="Fit: Start graph").click()
    assert page.evaluate(width) <= page.evaluate("document.querySelector('#start-picture').clientWidth")


@pytest.mark.slow
@pytest.mark.parametrize("size", [(320, 640), slow((844, 390)), slow((1280, 800))])
def test_every_tab_fits(new_page: NewPage, size: tuple[int, int]) -> None:
    page = new_page(viewport={"width": size[0], "height": size[1]})
    page.goto("/models/pentagame?tab=step&path=3.0.5")
    expect(trace(page)).to_have_count(3)
    for tab in ("Step", "Start graph", "Rules", "Control", "Explore"):
        page.get_by_role("tab", name=tab).click()
        expect(page.get_by_role("tabpanel")).to_have_count(1)
        if tab != "Explore":
            expect(page.get_by_role("tabpanel").locator(".viewport svg")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


@pytest.mark.slow
@pytest.mark.parametrize("scheme", [slow("light"), "dark"])
def test_pictures_have_enough_contrast(new_page: NewPage, scheme: str) -> None:
    page = new_page(color_scheme=scheme)
    page.goto("/models/pentago?tab=rules&show=rotateCW")
    expect(page.locator("#rule-picture .creator").first).to_be_attached()
    ratios = page.evaluate("""() => {
        const luminance = (colour) => {
            const parts = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255);
            const [r, g, b] = parts.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const background = luminance(getComputedStyle(document.querySelector("#rule-picture")).backgroundColor);
        return [...document.querySelectorAll("#rule-picture svg text, #rule-picture svg .shaft")].map((element) => {
            const style = getComputedStyle(element);
            const own = luminance(element.matches("text") ? style.fill : style.stroke);
            return (Math.max(own, background) + 0.05) / (Math.min(own, background) + 0.05);
        }); }""")
    assert len(ratios) > 10
    assert min(ratios) > 4.5
