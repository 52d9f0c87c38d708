"""The pages' files in a real browser: asked for once, and all anew after an upgrade."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.browsing import NewPage, open_room, play, targets
from tests.web.serving import Server
from tests.web.test_browser_offline import GONE, kept

pytestmark = pytest.mark.browser

# Notes each file that the server is asked for.
NOTING = """
from pentad.web.assets import Assets
answer = Assets.answer
def noted(assets, path, request):
    with open({file!r}, "a") as file:
        print(path, file=file)
    return answer(assets, path, request)
Assets.answer = noted
"""
UPGRADED = """
from pentad.web import assets
assets.MADE["board.css"] += "/* a new version */"
"""


class Asked:
    """The files that servers were asked for since the last question."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "asked"
        self.file.touch()
        self.noting = NOTING.format(file=str(self.file))

    def new(self) -> list[str]:
        asked = self.file.read_text().split()
        self.file.write_text("")
        return [path for path in asked if path != "worker.js"]  # which a browser looks for at each visit


@pytest.fixture
def asked(tmp_path: Path) -> Asked:
    return Asked(tmp_path)


def ready(page: Page) -> None:
    expect(targets(page).first).to_be_visible()
    page.wait_for_load_state("load")


def places(paths: list[str]) -> set[str]:
    return {path.partition("/")[0] for path in paths}


@pytest.mark.parametrize("path", ["/", "/analyse"])
def test_a_second_visit_asks_for_no_file(new_page: NewPage, asked: Asked, path: str) -> None:
    with Server(before=asked.noting) as server:
        page = new_page(base_url=server.url)
        page.goto(path)
        ready(page)
        kept(page)
        first = asked.new()
        assert len(first) > 20
        assert len(first) == len(set(first)), "nor does the first ask twice"
        assert len(places(first)) == 1
        page.goto(path)
        ready(page)
        another = page.context.new_page()
        another.goto(path)
        ready(another)
        assert asked.new() == []


def test_after_an_upgrade_all_files_are_the_new_ones(new_page: NewPage, asked: Asked) -> None:
    with Server(before=asked.noting) as before:
        page = new_page(base_url=before.url, expected=GONE)
        page.goto("/")
        ready(page)
        first, old = kept(page), asked.new()
        page.wait_for_function("navigator.serviceWorker.controller !== null")
        before.stop()
        with Server(before.port, before.database, before=asked.noting + UPGRADED) as after:
            page.goto("/")
            ready(page)
            new = asked.new()
            assert len(places(new)) == 1
            assert places(new).isdisjoint(places(old))
            assert {path.partition("/")[2] for path in new} == {path.partition("/")[2] for path in old}
            page.wait_for_function(IS_NEW, arg=f"/static/{new[0].partition('/')[0]}/")
            second = kept(page)
            assert len(second) == len(first)
            assert not (set(first) & set(second) - {"/"})
            open_room(page, seats=["human", "human"])
            play(page, "a2 1C")
            after.stop()
        page.goto("/")  # without a network it is the new set that opens
        expect(page.locator("#connection")).to_be_visible()


# Whether all that is kept of the page is from one place.
IS_NEW = """async (place) => {
    const names = await caches.keys();
    const kept = await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys())));
    const paths = kept.flat().map((request) => new URL(request.url).pathname);
    const files = paths.filter((path) => path.startsWith("/static/"));
    return names.length === 1 && files.length > 5 && files.every((path) => path.startsWith(place)); }"""


def test_a_page_from_before_an_upgrade_is_not_kept_with_files_of_another(new_page: NewPage, asked: Asked) -> None:
    """The server is upgraded between the page and what the worker asks for again."""
    with Server(before=asked.noting) as before:
        page = new_page(base_url=before.url, expected=GONE)
        page.goto("/")
        ready(page)
        first = kept(page)
        page.wait_for_function("navigator.serviceWorker.controller !== null")
        before.stop()
        with Server(before.port, before.database, before=UPGRADED):
            page.evaluate(TELL_AGAIN, [each for each in first if each != "/"])
            assert kept(page) == first


# What a page tells the worker once it is loaded; ends when the worker has done with it.
TELL_AGAIN = """async (files) => {
    const { active } = await navigator.serviceWorker.ready;
    const names = (await caches.keys()).join();
    const gone = new Set();
    active.postMessage({ page: "/", files });
    while ((await caches.keys()).join() === names) await new Promise((done) => setTimeout(done, 5));
    while ((await caches.keys()).length > 1) await new Promise((done) => setTimeout(done, 5)); }"""
