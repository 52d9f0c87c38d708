"""Every page in every state, by axe: light, dark and with high contrast, on a desktop and on a phone."""

from __future__ import annotations

import functools
import itertools
import time
from collections.abc import Callable, Iterator
from urllib.parse import quote, urlencode

import pytest
from playwright.sync_api import Page, expect

import pentad
from pentad.game import names
from pentad.grammar.models import MODELS
from pentad.play import puzzles
from tests.cases import slow_but
from tests.web.browser_helpers import (
    BLANK,
    NewPage,
    accessible,
    act,
    dialogs,
    fits,
    join,
    moves,
    open_room,
    place,
    play,
    set_theme,
    targets,
)
from tests.web.server_process import Server
from tests.web.test_browser_accounts import sign_up
from tests.web.test_browser_admin import add_olga, from_outside, log_in
from tests.web.test_browser_games import with_games
from tests.web.test_browser_review import BLUNDERS

pytestmark = pytest.mark.browser

Make = Callable[[], Page]
States = Iterator[Page]

PHONE = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
LOOKS = {
    f"{theme} on a {screen}": (theme, size)
    for theme in ("dark", "light", "contrast")
    for screen, size in (("phone", PHONE), ("desktop", DESKTOP))
}
FRIENDS = {"seats": ["human", "open"], "name": "Ann"}
HERE = {"seats": ["human", "human"]}
EXPECTED = ("Failed to load resource", "WebSocket")  # these are addresses that lead to nothing
LINE_MOVES = ("a2 1C", "b3 2A", "c1 3A", "d1 4C")
LINE = quote("_".join(LINE_MOVES))
NUMBERS = itertools.count(1)  # of the accounts that are made


def shown(page: Page, selector: str) -> Page:
    expect(page.locator(selector).first).to_be_visible()
    return page


def each_dialog(page: Page, *names: str) -> States:
    """The page with each of these dialogs, which Escape closes."""
    for name in names:
        act(page, name)
        yield shown(page, "dialog[open]")
        page.keyboard.press("Escape")
        expect(dialogs(page)).to_have_count(0)


# ── pages and their states; a fast run sees the first state of each ──────────────────────────────


def start(make: Make, server: Server) -> States:
    page = make()
    open_room(page, **FRIENDS)
    page.goto("/")
    shown(page, "#mine img")
    yield shown(page, "#today img")
    page.locator("[data-against=friend]").click()
    expect(page.locator("#strengths")).to_be_hidden()
    yield page
    page.goto(BLANK)
    page.context.clear_cookies()
    page.goto("/")
    expect(page.locator("#mine")).to_have_text("No games yet.")
    yield page


def new_game(make: Make, server: Server) -> States:
    page = make()
    page.goto("/play")
    act(page, "new")
    shown(page, "#new-dialog")
    for number in range(len(names())):
        page.locator("#game-choice label").nth(number).click()
        yield page
    page.locator("[data-preset=friend]").click()
    page.locator("#more summary").click()
    yield page
    page.locator("[name=colours3]").select_option("navy")
    yield page
    page.locator("#game-choice label").first.click()
    page.locator("#more").evaluate("more => { more.open = true; }")
    page.locator("[name=line]").fill("7")
    page.locator("#new-form .main").click()
    yield shown(page, "#new-error")
    page.keyboard.press("Escape")
    yield shown(page, "#start")
    if page.locator("#pages-menu").is_visible():
        page.locator("#pages-menu").click()
        yield shown(page, "#pages a")


def game(make: Make, server: Server) -> States:
    """A game between two people, from the invitation to its end."""
    ann, bob = make(), make()
    address = open_room(ann, **FRIENDS)
    place(ann, "a0").and_(targets(ann)).click()
    yield shown(ann, "#board .twist.can")
    place(ann, "4C").click()
    expect(moves(ann)).to_have_count(1)
    ann.locator("#code").click()
    yield shown(ann, "#code-picture")
    bob.goto(address)
    yield shown(bob, "#join")
    join(bob, address, "Bob")
    for page, text in ((ann, "hello"), (bob, "hi")):
        page.locator("#chat-text").fill(text)
        page.locator("#chat-text").press("Enter")
        expect(page.locator("#chat-messages li").last).to_contain_text(text)
    place(ann, "c3").click()
    place(ann, "1C").click()
    yield shown(ann, "#board .planned .plan")
    bob.locator("#draw").click()
    shown(ann, "#offer")
    yield ann
    yield bob
    ann.locator("#more-menu summary").click()
    yield ann
    ann.keyboard.press("Escape")
    yield from each_dialog(ann, "settings", "resign", "help", "new")
    ann.locator("#back").click()
    yield shown(ann, "#live")
    ann.locator("#live").click()
    cookies = bob.context.cookies()
    bob.close()
    yield shown(ann, "#seats .away")
    watcher = make()
    watcher.goto(address)
    yield shown(watcher, "#chat-name")
    watcher.locator("#chat-name").fill("Wim")
    watcher.locator("#chat-text").fill("nice")
    watcher.locator("#chat-text").press("Enter")
    expect(watcher.locator("#chat-messages li").last).to_contain_text("nice")
    ann.locator("#watchers-chat").click()
    yield shown(watcher, "#watchers-off")
    ann.locator("#resign").click()
    ann.locator("#resign-dialog").get_by_role("button", name="Resign").click()
    yield shown(ann, "#chat-messages button")
    yield shown(ann, "#again")
    ann.evaluate("document.getElementById('warning-text').textContent = 'A few words.'")
    ann.evaluate("document.getElementById('warning-dialog').showModal()")
    yield ann
    ann.keyboard.press("Escape")
    bob = make()
    bob.context.add_cookies(cookies)
    bob.goto(address)
    ann.locator("#again").click()
    yield shown(bob, "#offer-yes")
    bob.locator("#offer-yes").click()
    yield shown(ann, "#again")
    yield shown(watcher, "#again")


def won(make: Make, server: Server) -> States:
    """A game on one screen that is won, and stepped through."""
    page = make()
    open_room(page, **HERE, options={"line": 3})
    play(page, "a0 4C")
    page.locator("#hint").click()
    yield shown(page, "#message")
    play(page, "f0 4C", "b0 4C", "f1 4C")
    place(page, "c0").click()
    expect(page.locator("#headline")).to_have_text("Black wins")
    yield shown(page, "#board .won")
    page.locator("#back").click()
    yield shown(page, "#live")


def confirmed(make: Make, server: Server) -> States:
    page = make()
    open_room(page, game="pente", **HERE)
    act(page, "settings")
    page.locator("[data-setting=confirm]").check()
    page.keyboard.press("Escape")
    place(page, "K10").click(force=True)
    yield shown(page, "#confirm")


def pentagame(make: Make, server: Server) -> States:
    page = make()
    open_room(page, game="pentagame", seats=["human"] * 5, options={"players": 5})
    targets(page).first.click()
    yield shown(page, "#cancel")


def own_games(make: Make, server: Server) -> States:
    page = make()
    with_games(page, server)
    for query, count in (("?opponent=zzz", "No games match."), ("", "5 games")):
        page.goto(f"/games{query}")
        expect(page.locator("#games-count")).to_have_text(count)
        yield page


def learn(make: Make, server: Server) -> States:
    page = make()
    page.goto("/learn/pentago")
    shown(page, "#board .can")
    yield page
    page.locator("#skip").click()
    expect(page.locator("#headline")).to_have_text("Five in a row wins")
    for name in ("f5", "1C"):
        place(page, name).and_(targets(page)).dispatch_event("click")
    yield shown(page, "#verdict")
    while page.locator("#skip").is_visible():
        page.locator("#skip").click()
    yield shown(page, "#ending-title")
    page.goto("/learn")
    expect(page.locator("#lessons a")).to_have_count(len(names()))
    yield page


def puzzle(make: Make, server: Server) -> States:
    page = make()
    each = next(each for each in puzzles.puzzles("pente") if each.moves == 2 and each.kind != "draw")
    page.goto(f"/puzzles/{each.id}")
    yield shown(page, "#board .can")
    wrong = next(str(move) for move in each.start.legal_moves if str(move) not in each.tree.right)
    place(page, wrong).dispatch_event("click")
    yield shown(page, "#again")
    page.locator("#again").click()
    page.locator("#solution").click()
    yield shown(page, "#next")
    for name in names():
        page.goto(f"/puzzles?game={name}")
        expect(page.locator("#all .numbers a")).to_have_count(len(puzzles.puzzles(name)))
        yield page


def models(make: Make, server: Server) -> States:
    page = make()
    page.goto("/models/ferry?tab=step&path=0")
    yield shown(page, "#trace li")
    page.goto("/models")
    expect(page.locator("#list li")).to_have_count(len(MODELS))
    yield page
    page.goto("/models/pentagame?tab=step&path=3.0.5")
    expect(page.locator("#trace li:not(.none)")).to_have_count(3)
    for tab in page.get_by_role("tab").all():
        tab.click()
        expect(page.get_by_role("tabpanel")).to_have_count(1)
        if tab.inner_text() != "Explore":
            expect(page.get_by_role("tabpanel").locator(".viewport svg")).to_be_visible()
        yield page
    page.goto("/models/ferry?tab=explore")
    page.get_by_label("Property").fill("E(!eat U allAcross)")
    page.get_by_role("button", name="Explore").click()
    shown(page, "#states-picture [data-node]")
    yield shown(page, "#verdict")
    page.goto("/models/tictactoe?rows=2&line=2&tab=step")
    page.get_by_role("button", name="Best moves").click()
    yield shown(page, "#enabled .best")
    page.goto("/models/ferry?tab=explore")
    page.get_by_label("Property").fill("EF nobody")
    page.get_by_role("button", name="Explore").click()
    expect(page.locator("#explore-state")).to_contain_text("not an action or a mark")
    yield page


def analyse(make: Make, server: Server) -> States:
    room, key = server.make(seats=["human", "human"])
    with server.join(room, key) as player:
        player.receive("state")
        player.play(LINE_MOVES[0])
        player.ask("resign")
    page = make()
    page.goto(f"/analyse?game=pentago&moves={LINE}")
    expect(page.locator("#tree [aria-current]")).to_contain_text("d1 4C")
    yield page
    expect(page.locator("#engine-on")).to_be_checked()
    yield shown(page, "#lines li")
    page.locator("#engine-on").uncheck()
    page.locator("#openings-on").check()
    yield shown(page, "#openings-note:has-text('from this position')")
    for name in ("open", "set-up", "share", "new-study"):
        page.locator(f"#{name}").click()
        if name == "set-up":
            shown(page, "#set-board svg")
        yield shown(page, "dialog[open]")
        page.keyboard.press("Escape")
    page.locator("#new-study").click()
    page.locator("#study-form .main").click()
    yield shown(page, "#chapters [aria-current]")
    page.locator("#share-study").click()
    yield shown(page, "dialog[open]")
    page.goto("/studies")
    yield shown(page, "#studies li")
    page.locator("#studies button").click()
    yield shown(page, "dialog[open]")
    page.goto(f"/analyse?start={quote(pentad.new('pentagame', players=5).text)}")
    expect(page.locator("#headline")).to_contain_text("Circle")
    page.locator("#set-up").click()
    yield shown(page, "#set-piece")


def embedded(make: Make, server: Server) -> States:
    page = make()
    for query in ("position=pentago", "record=pente+K10+K11", "puzzle=pentago-00507fda"):
        page.goto(f"/embed?{query}")
        yield shown(page, "#board svg")


def review(make: Make, server: Server) -> States:
    """After the game: the review, a mistake, its puzzle."""
    page = make()
    start, move = BLUNDERS["pentago"]
    page.goto(f"/review?{urlencode({'start': start, 'moves': move})}")
    yield shown(page, "#finding")
    page.locator("#learn").click()
    yield shown(page, "#sides button")
    page.locator("#sides button").click()
    yield shown(page, "#task-title")
    page.locator("#hint").click()
    yield shown(page, "#verdict")
    page.locator("#solution").click()
    yield shown(page, "#next")
    page.locator("#next").click()
    yield shown(page, "#learned")
    page.goto("/puzzles")
    yield shown(page, "#own-list a")
    page.locator("#own-list a").click()
    yield shown(page, "#task-text")


def moderation(make: Make, server: Server) -> States:
    """The operators' page, and what operators and players show each other."""
    add_olga(server.database)
    player, olga = make(), make()
    address = open_room(player, **FRIENDS)
    from_outside(server, "notice", text="Cake at noon.")
    from_outside(server, "close", until=time.time() + 86400.0)
    shown(player, "#closing")  # the server knows of the operator by then
    olga.goto("/admin")
    yield shown(olga, "#log-in")
    act(player, "report")
    yield shown(player, "#report-dialog")
    player.locator("#report-form .main").click()
    expect(player.locator("#message")).to_contain_text("Thank you.")
    log_in(olga)
    yield shown(olga, "#view .entries > li")
    for view in ("bans", "server", "log", "search?text=Ann", f"game/{address.rpartition('/')[2]}"):
        olga.goto(f"/admin/{view}")
        yield shown(olga, "#view[aria-busy=false] > h2")
    olga.locator("#view a[href^='/admin/person/']").first.click()
    olga.get_by_role("button", name="Ban…", exact=True).first.click()
    yield shown(olga, "#act-dialog")
    from_outside(server, "clear notice")
    from_outside(server, "open")


def account(make: Make, server: Server) -> States:
    """Signing in and up, and the page of an account; each look makes an account of its own."""
    page = make()
    page.goto("/sign-in")
    yield shown(page, "#new-account")
    page.locator("#code-name").fill("Vera")
    page.locator("#code").fill("wrong")
    page.locator("#code-form .main").click()
    yield shown(page, "#code-error")
    sign_up(page, f"Vera {next(NUMBERS)}")
    yield shown(page, "#made")
    page.goto("/account")
    page.locator("#new-code").click()
    yield shown(page, "#made-code")
    page.locator("#add-device").click()
    yield shown(page, "#device-dialog")
    page.locator("#device-dialog button").click()
    page.locator("#delete-account").click()
    yield shown(page, "#erase-dialog")


def errors(make: Make, server: Server) -> States:
    """Addresses that lead to nothing."""
    page = make()
    for address, selector in (
        ("/nothing", "main h1"),
        ("/play/nothing", "#connection"),
        ("/learn/chess", "#message"),
        ("/puzzles/nothing", "#message"),
        ("/models/nothing", "#all h1"),
        ("/analyse?room=nowhere", "#headline"),
        ("/review?room=nowhere", "#headline"),
        ("/embed", "#headline"),
    ):
        page.goto(address)
        yield shown(page, selector)


FAST = [
    start,
    new_game,
    game,
    pentagame,
    own_games,
    puzzle,
    models,
    analyse,
    review,
    embedded,
    moderation,
    account,
    errors,
]
PAGES = [
    start, new_game, game, won, confirmed, pentagame, own_games, learn, puzzle, models, analyse, review, embedded,
    moderation, account, errors,
]  # fmt: skip


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("states", slow_but(PAGES, *FAST), ids=lambda states: states.__name__)
def test_axe_finds_no_violation_on_a_page(new_page: NewPage, server: Server, states: Callable[..., States]) -> None:
    make = functools.partial(new_page, color_scheme="dark", expected=EXPECTED, **PHONE)
    accessible(next(states(make, server)))


@pytest.mark.slow
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("states", PAGES, ids=lambda states: states.__name__)
def test_axe_finds_no_violation_in_any_state(
    new_page: NewPage, server: Server, states: Callable[..., States], look: str
) -> None:
    theme, screen = LOOKS[look]

    def make() -> Page:
        page = new_page(expected=EXPECTED, **screen)
        set_theme(page, theme)
        return page

    for page in states(make, server):
        accessible(page)
        fits(page)
