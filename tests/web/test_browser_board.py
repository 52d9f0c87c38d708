"""The board alone in a browser: dragging, premoves, circles and arrows, values, animation."""

import math
import mimetypes
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

import pentad
from pentad.game import Choice, Move, Position
from pentad.web.http.assets import made
from pentad.web.http.security import CONTENT_SECURITY_POLICY
from tests.cases import slow
from tests.waiting import TIMEOUT
from tests.web.browser_helpers import accessible

pytestmark = pytest.mark.browser

STATIC = Path(pentad.__file__).parent / "web" / "static"
HOST = "http://board.example"

HTML = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A board</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/static/board.css"><link rel="stylesheet" href="/static/style.css">
<link rel="stylesheet" href="/static/board-look.css"><script type="module" src="/harness.js"></script></head>
<body><main><h1 class="visually-hidden">A board</h1><p id="keys">Arrow keys and Enter.</p>
<div id="board" class="board"></div></main></body></html>"""
SCRIPT = """import { Board } from "/static/board.js";
window.chosen = []; window.refused = 0;
window.board = new Board(document.getElementById("board"), { optimistic: true,
    chosen: choice => window.chosen.push(choice.step), refused: () => { window.refused += 1; } });
document.addEventListener("keydown", event => { if (event.key === "Escape") window.board.cancel(); });
document.documentElement.dataset.ready = "";"""


def answer(route: Route) -> None:
    """Answers requests for the page and its files, with the content security policy of the server."""
    path = route.request.url.removeprefix(HOST)
    files = {
        "/": (HTML, "text/html"),
        "/harness.js": (SCRIPT, "text/javascript"),
        "/static/board.css": (made()["board.css"], "text/css"),
    }
    if path in files:
        body, kind = files[path]
    elif path.startswith("/static/"):
        file = STATIC / path.removeprefix("/static/")
        body, kind = file.read_text(), mimetypes.guess_type(file.name)[0] or "text/plain"
    else:
        return route.fulfill(status=204)
    return route.fulfill(body=body, content_type=kind, headers={"Content-Security-Policy": CONTENT_SECURITY_POLICY})


OpenBoard = Callable[..., Page]


@pytest.fixture
def open_board(browser: Browser) -> Iterator[OpenBoard]:
    """Makes pages with only a board; afterwards, none may have logged an error."""
    complaints: list[str] = []
    contexts = []

    def make(**how: Any) -> Page:
        context = browser.new_context(**{"reduced_motion": "reduce", "viewport": {"width": 700, "height": 700}, **how})
        contexts.append(context)
        context.set_default_timeout(TIMEOUT * 1000)
        context.route("**/*", answer)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{HOST}/")
        page.wait_for_selector("html[data-ready]")
        return page

    yield make
    for context in contexts:
        context.close()
    assert complaints == []


def choices_json(choices: Any) -> list[dict[str, Any]]:
    """Choices as the server sends them."""
    rows = [(each, row) for each in choices for row in (each.targets, *each.also) if isinstance(each, Choice)]
    return [{"step": str(each), "targets": list(row), "label": each.label} for each, row in rows]


def show(
    page: Page, position: Position, last: Move | str | None = None, *, mine: bool = True, fresh: bool = False
) -> None:
    choices = choices_json(position.choices()) if mine else []
    svg = position.svg(last=last, style=False)
    page.evaluate("([svg, choices, fresh]) => void board.show(svg, choices, { fresh })", [svg, choices, fresh])


def place(page: Page, name: str) -> Any:
    return page.locator(f"#board [data-target='{name}']")


def middle(page: Page, name: str) -> tuple[float, float]:
    box = place(page, name).locator(".touch").bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def chosen(page: Page) -> list[str]:
    steps: list[str] = page.evaluate("chosen")
    return steps


def press(page: Page, *names: str, button: Any = "left") -> None:
    """Clicks targets, also those that cannot be chosen."""
    for name in names:
        page.mouse.click(*middle(page, name), button=button)


def drag(page: Page, start: str, *path: str, button: Any = "left") -> None:
    page.mouse.move(*middle(page, start))
    page.mouse.down(button=button)
    for name in path:
        page.mouse.move(*middle(page, name), steps=4)
    page.mouse.up(button=button)


# ── dragging ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_a_piece_is_dragged_to_its_destination(open_board: OpenBoard) -> None:
    page = open_board()
    show(page, pentad.new("pentagame"))
    drag(page, "piece 0.3", "[5,0,0]")
    assert chosen(page) == ["[0,3,5,0,0]"]
    assert page.locator(".carried").count() == 0


@pytest.mark.slow
def test_a_piece_dropped_outside_the_board_goes_back(open_board: OpenBoard) -> None:
    page = open_board()
    show(page, pentad.new("pentagame"))
    page.mouse.move(*middle(page, "piece 0.3"))
    page.mouse.down()
    page.mouse.move(2, 2, steps=5)  # this point is outside the board
    expect(page.locator(".carried .ball")).to_have_count(1)
    page.mouse.up()
    expect(page.locator(".carried")).to_have_count(0)
    expect(page.locator(".touched")).to_have_count(0)
    assert chosen(page) == []


@pytest.mark.slow
def test_a_piece_dropped_where_it_was_stays_selected(open_board: OpenBoard) -> None:
    page = open_board()
    show(page, pentad.new("pentagame"))
    drag(page, "piece 0.3", "[5,0,0]", "piece 0.3")
    expect(page.locator(".piece.touched")).to_have_count(1)
    press(page, "[5,0,0]")
    assert chosen(page) == ["[0,3,5,0,0]"]


@pytest.mark.slow
def test_a_click_with_a_small_movement_is_a_click(open_board: OpenBoard) -> None:
    page = open_board()
    show(page, pentad.new("pentago"))
    x, y = middle(page, "a2")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 3, y + 2)
    page.mouse.up()
    assert chosen(page) == ["a2"]


# ── hints ────────────────────────────────────────────────────────────────────────────────────────


def test_a_hint_points_at_its_next_step_and_marks_the_later_ones(open_board: OpenBoard) -> None:
    page, start = open_board(), pentad.new("pentagame")
    show(page, start)
    page.evaluate("board.point(['piece 0.3', '[5,0,0]'], ['[5,2,2]'])")
    expect(page.locator(".hinted")).to_have_count(2)
    expect(page.locator(".layer.hint .later")).to_have_count(1)
    page.evaluate("board.point(['piece 0.3'], ['elsewhere'])")  # no drawing has such a place
    expect(page.locator(".layer.hint")).to_have_count(0)
    expect(page.locator("#board")).to_have_class(re.compile("hinting"))
    show(page, start.play("3-5 522"))
    expect(page.locator(".hinted")).to_have_count(0)
    expect(page.locator("#board")).not_to_have_class(re.compile("hinting"))


# ── premoves ───────────────────────────────────────────────────────────────────────────────────


def take_premove(page: Page, position: Position) -> Any:
    return page.evaluate("choices => board.takePremove(choices)", choices_json(position.choices()))


@pytest.mark.slow
def test_premoves_are_recorded_and_taken_one_choice_at_a_time(open_board: OpenBoard) -> None:
    page, start = open_board(), pentad.new("pentagame")
    page.evaluate("board.setPremoves(true)")
    show(page, start, mine=False)
    press(page, "piece 0.3", "[5,0,0]", "[5,2,2]")
    assert page.locator(".layer.planned .plan").all_text_contents() == ["1", "2", "3"]
    show(page, start)
    expect(page.locator(".layer.planned .plan")).to_have_count(3)
    assert take_premove(page, start)["step"] == "[0,3,5,0,0]"
    here = start.partial("3-5")
    show(page, here)
    expect(page.locator(".layer.planned .plan")).to_have_count(1)
    assert take_premove(page, here)["targets"] == ["[5,2,2]"]
    assert take_premove(page, here) is None
    assert chosen(page) == []


@pytest.mark.slow
def test_impossible_premoves_are_dropped(open_board: OpenBoard) -> None:
    page, start = open_board(), pentad.new("pentago")
    page.evaluate("board.setPremoves(true)")
    show(page, start, mine=False)
    press(page, "a2")
    after = start.play("a2 1C")
    show(page, start.partial("a2"))  # now a2 is occupied
    assert take_premove(page, start.partial("a2")) is None
    assert page.locator(".planned").count() == 0
    show(page, after, mine=False)
    press(page, "f5")
    page.keyboard.press("Escape")
    assert take_premove(page, after) is None
    press(page, "f5")
    press(page, "e5", button="right")
    assert page.locator(".layer").count() == 0
    page.evaluate("board.setPremoves(false)")
    press(page, "f5")
    assert page.evaluate("refused") == 1


# ── circles and arrows ───────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_circles_and_arrows_are_added_and_removed(open_board: OpenBoard) -> None:
    page, start = open_board(), pentad.new("pente", size=9)
    show(page, start)
    press(page, "C3", button="right")
    drag(page, "A1", "E5", button="right")
    expect(page.locator(".marked .circle")).to_have_count(1)
    expect(page.locator(".marked .arrow-mark")).to_have_count(1)
    show(page, start, mine=False)  # the same position, drawn again
    expect(page.locator(".marked .paint")).to_have_count(2)
    press(page, "C3", button="right")
    expect(page.locator(".marked .paint")).to_have_count(1)
    drag(page, "A1", "E5", button="right")
    expect(page.locator(".marked")).to_have_count(0)
    place(page, "D4").focus()
    page.keyboard.press("m")
    expect(page.locator(".marked .circle")).to_have_count(1)
    press(page, "E5")
    expect(page.locator(".marked")).to_have_count(0)
    press(page, "D4", button="right")
    show(page, start.play("E5"))
    expect(page.locator(".marked")).to_have_count(0)


# ── values ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
@pytest.mark.parametrize("scheme", [slow("light"), "dark"])
def test_values_are_painted_described_and_cleared(open_board: OpenBoard, scheme: str) -> None:
    page = open_board(color_scheme=scheme)
    here = pentad.new("pentago").partial("a2")
    show(page, here)
    kinds = ["win", "draw", "loss", "best"]
    marks = [{"target": each.targets[0], "kind": kinds[i % 4]} for i, each in enumerate(here.choices())]
    marks += [{"target": "c3", "kind": "win", "label": "31"}, {"target": "a0", "to": "f5", "kind": "arrow"}]
    page.evaluate("marks => board.paint([...marks, { target: 'nowhere', kind: 'win' }])", marks)
    expect(page.locator(".painted > .paint")).to_have_count(10)
    expect(place(page, "c3")).to_have_attribute("aria-description", "win, 31")
    expect(place(page, marks[2]["target"])).to_have_attribute("aria-description", "loss")
    accessible(page)
    press(page, "2A")  # overlays take no clicks
    assert chosen(page) == ["2A"]
    page.evaluate("board.paint([])")
    expect(page.locator(".painted")).to_have_count(0)
    assert page.locator("[aria-description]").count() == 0


# ── animation ───────────────────────────────────────────────────────────────────────────────────

BENT = "[0,1,2,0,0] [0,2,1,0,0]"  # the way goes along the ring

RUNNING = """() => document.getAnimations().filter(each => each.playState !== "finished")
    .map(({ effect: { target } }) => target.dataset.piece ?? target.parentNode.dataset.target)"""


FRAMES = """name => document.getAnimations().find(each => each.effect.target.dataset.piece === name)
    .effect.getKeyframes().map(each => new DOMMatrix(each.transform)).map(each => [each.e, each.f])"""


@pytest.mark.slow
def test_a_piece_follows_its_path_around_corners(open_board: OpenBoard) -> None:
    page, start = open_board(reduced_motion="no-preference"), pentad.new("pentagame")
    show(page, start)
    move = start.parse(BENT)
    show(page, start.play(move), move, fresh=True)
    course = page.evaluate(FRAMES, "piece 0.1")
    assert course[-1] == pytest.approx([0, 0], abs=1)
    right, down = course[0]  # the start, relative to the end
    assert max(abs(x * down - y * right) for x, y in course) / math.hypot(right, down) > 40


@pytest.mark.slow
def test_settle_ends_all_animations(open_board: OpenBoard) -> None:
    page, start = open_board(reduced_motion="no-preference"), pentad.new("pentagame")
    order = "[...document.querySelectorAll('#board [data-target]')].map(each => each.dataset.target)"
    show(page, start)
    move = start.parse("3-5 522")
    show(page, start.play(move), move, fresh=True)
    assert {"piece 0.3", "black 0"} <= set(page.evaluate(RUNNING))
    page.evaluate("board.settle()")
    expect(page.locator("#board.fresh")).to_have_count(0)
    assert page.evaluate(RUNNING) == []
    settled = page.evaluate(order)
    show(page, start.play(move), move)
    assert page.evaluate(order) == settled


@pytest.mark.slow
def test_captured_stones_fade_out(open_board: OpenBoard) -> None:
    page = open_board(reduced_motion="no-preference")
    here = pentad.new("pente", tournament_rule=False)
    for move in ("K10", "K11", "A1", "K12"):
        here = here.play(move)
    show(page, here)
    captured = here.play("K13")
    show(page, captured, "K13", fresh=True)
    expect(page.locator(".leaving .ball")).to_have_count(2)
    expect(page.locator(".leaving")).to_have_count(0)
    expect(page.locator("#board.fresh")).to_have_count(0)


@pytest.mark.slow
def test_a_quarter_turn_is_animated(open_board: OpenBoard) -> None:
    page, start = open_board(reduced_motion="no-preference"), pentad.new("pentago")
    show(page, start)
    page.evaluate("""() => { const seen = document.documentElement.dataset; seen.seen = "";
        document.addEventListener("animationend", event => {
            if (event.animationName === "turn") seen.seen += event.target.dataset.piece; }); }""")
    show(page, start.play("a2 3C"), "a2 3C", fresh=True)
    expect(page.locator("html")).to_have_attribute("data-seen", "sub-board 3")
    expect(page.locator("#board.fresh")).to_have_count(0)


@pytest.mark.slow
def test_nothing_is_animated_with_reduced_motion(open_board: OpenBoard) -> None:
    page = open_board()
    for start, text in ((pentad.new("pentagame"), "3-5 522"), (pentad.new("pentago"), "a2 3C")):
        show(page, start)
        move = start.parse(text)
        show(page, start.play(move), move, fresh=True)
        assert page.evaluate(RUNNING) == []
        expect(page.locator("#board.fresh")).to_have_count(0)


# ── touch ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_a_tap_aims_at_a_small_point_first(open_board: OpenBoard) -> None:
    page = open_board(viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True)
    show(page, pentad.new("pente", rules="gomoku"))
    x, y = middle(page, "K10")
    page.touchscreen.tap(x + 3, y - 2)
    expect(page.locator(".aim.layer")).to_have_count(1)
    assert chosen(page) == []
    a, b = middle(page, "C3")
    page.touchscreen.tap(a, b)  # this is another target
    assert chosen(page) == []
    assert page.locator(".layer.aim").all_text_contents() == ["C3"]
    page.touchscreen.tap(a + 4, b + 4)
    assert chosen(page) == ["C3"]
    expect(page.locator(".aim.layer")).to_have_count(0)


@pytest.mark.slow
def test_a_tap_plays_at_once_on_large_targets(open_board: OpenBoard) -> None:
    page = open_board(viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True)
    show(page, pentad.new("pentago"))
    place(page, "a2").tap()
    assert chosen(page) == ["a2"]
    show(page, pentad.new("pentagame"))
    place(page, "piece 0.2").tap()  # no other open target is near
    expect(page.locator(".piece.touched")).to_have_count(1)
    assert page.locator(".layer").count() == 0
    place(page, "[5,4,2]").tap()  # stops are close together, but no other open one is near
    assert chosen(page) == ["a2", "[0,2,5,4,2]"]


# ── optimistic moves ──────────────────────────────────────────────────────────────────────────────

BEFORE_ANSWER = [
    ("pentago", "", ["b1"], "b1"),
    slow("pente", "", ["K10"], "K10"),
    ("pentagame", "", ["piece 0.3", "[5,0,0]"], "[5,0,0]"),
    slow("pentagame", "[0,3,5,0,0]", ["[5,2,2]"], "[5,2,2]"),
    slow("pentagame", "", ["piece 0.0", "piece 1.1"], "piece 1.1"),
]


def shown_at(page: Page, name: str) -> list[str]:
    """The names or classes of the pieces at a target."""
    x, y = middle(page, name)
    found: list[str] = page.evaluate(
        """([x, y]) => [...document.querySelectorAll("#board svg > *:not(defs) .ball, #board svg > .ball")]
            .filter((ball) => { const box = ball.getBoundingClientRect();
                return Math.hypot(box.left + box.width / 2 - x, box.top + box.height / 2 - y) < 4; })
            .map((ball) => ball.dataset.piece ?? ball.getAttribute("class"))""",
        [x, y],
    )
    return found


@pytest.mark.slow
@pytest.mark.parametrize("motion", ["reduce", slow("no-preference")])
@pytest.mark.parametrize(("game", "steps", "touches", "at"), BEFORE_ANSWER)
def test_a_choice_is_drawn_at_once_and_reverted_if_refused(
    open_board: OpenBoard, game: str, steps: str, touches: list[str], at: str, motion: str
) -> None:
    page = open_board(reduced_motion=motion)
    position = pentad.new(game).partial(steps) if steps else pentad.new(game)
    show(page, position)
    looks = "document.querySelector('#board svg').innerHTML"
    before, there = page.evaluate(looks), shown_at(page, at)
    press(page, *touches)
    assert len(chosen(page)) == 1
    page.evaluate("Promise.all(document.getAnimations().map((each) => each.finished)).then(() => {})")
    assert len(shown_at(page, at)) == len(there) + 1
    press(page, *touches)  # they have no effect before the answer
    assert len(chosen(page)) == 1
    page.evaluate("board.revertChoice()")
    assert shown_at(page, at) == there
    lines = [set(text.replace(' style=""', "").split("<g ")) for text in (before, page.evaluate(looks))]
    assert {line for line in lines[0] ^ lines[1] if "tabindex=" not in line and "touched" not in line} == set()
    press(page, *touches)
    assert len(chosen(page)) == 2


@pytest.mark.slow
def test_a_sub_board_turns_at_once_and_only_once(open_board: OpenBoard) -> None:
    page = open_board(reduced_motion="no-preference")
    position = pentad.new("pentago").play("a0 4C")
    show(page, position.partial("b2"), "b2")
    x, y = middle(page, "a0")
    press(page, "1C")
    page.evaluate("Promise.all(document.getAnimations().map((each) => each.finished)).then(() => {})")
    corner = middle(page, "a2")  # its target has turned, too
    where = """([x, y]) => { const box = document.querySelector("[data-target=a0] .ball").getBoundingClientRect();
        return Math.hypot(box.left + box.width / 2 - x, box.top + box.height / 2 - y); }"""
    assert page.evaluate(where, [x, y]) > 20
    assert corner[1] > y + 20
    show(page, position.play("b2 1C"), "b2 1C", fresh=True)
    left = page.evaluate("""document.querySelector("[data-turned]").getAnimations()
        .map((each) => each.effect.getComputedTiming().endTime - each.currentTime)""")
    assert all(each <= 0 for each in left)  # not animated a second time
