"""The pages' files in a browser: requested once, and again after an upgrade."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.cases import slow
from tests.web.browser_helpers import NewPage, open_room, play, targets
from tests.web.server_process import Server
from tests.web.test_browser_offline import GONE, cached

pytestmark = pytest.mark.browser

# Logs the path of each file request.
LOGGING = """
from pentad.web.http.assets import Assets
answer = Assets.answer
def logged(assets, path, request):
    with open({file!r}, "a") as file:
        print(path, file=file)
    return answer(assets, path, request)
Assets.answer = logged
"""
UPGRADED = """
from pentad.web.http import assets
assets.made()["board.css"] += "/* a new version */"
"""


def at_once(paths: Iterable[str]) -> list[str]:
    """The paths of files that a page does not load later, once it is idle."""
    return [path for path in paths if not {"rules", "instant"} & {*path.split("/")}]


class RequestLog:
    """The files requested from servers."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "requests"
        self.file.touch()
        self.code = LOGGING.format(file=str(self.file))

    def new(self) -> list[str]:
        paths = self.file.read_text().split()
        self.file.write_text("")
        return [path for path in at_once(paths) if path != "worker.js"]  # checked at each visit


@pytest.fixture(scope="module")
def service_workers() -> str:
    return "allow"


@pytest.fixture
def requests(tmp_path: Path) -> RequestLog:
    return RequestLog(tmp_path)


def ready(page: Page) -> None:
    expect(targets(page).first).to_be_visible()
    page.wait_for_load_state("load")


def places(paths: list[str]) -> set[str]:
    return {path.partition("/")[0] for path in paths}


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/play", slow("/analyse")])
def test_a_second_visit_requests_no_files(new_page: NewPage, requests: RequestLog, path: str) -> None:
    with Server(before=requests.code) as server:
        page = new_page(base_url=server.url)
        page.goto(path)
        ready(page)
        cached(page)
        first = requests.new()
        assert len(first) > 20
        assert len(first) == len(set(first)), "The first visit requests no file twice."
        assert len(places(first)) == 1
        page.goto(path)
        ready(page)
        another = page.context.new_page()
        another.goto(path)
        ready(another)
        assert requests.new() == []


@pytest.mark.slow
def test_after_an_upgrade_all_files_are_new(new_page: NewPage, requests: RequestLog) -> None:
    with Server(before=requests.code) as before:
        page = new_page(base_url=before.url, expected=GONE)
        page.goto("/play")
        ready(page)
        first, old = cached(page), requests.new()
        page.wait_for_function("navigator.serviceWorker.controller !== null")
        before.stop()
        with Server(before.port, before.database, before=requests.code + UPGRADED) as after:
            page.goto("/play")
            ready(page)
            new = requests.new()
            assert len(places(new)) == 1
            assert places(new).isdisjoint(places(old))
            assert {path.partition("/")[2] for path in new} == {path.partition("/")[2] for path in old}
            page.wait_for_function(IS_NEW, arg=f"/static/{new[0].partition('/')[0]}/")
            second = cached(page)
            assert len(at_once(second)) == len(at_once(first))
            assert not (set(first) & set(second) - {"/play"})
            open_room(page, seats=["human", "human"])
            play(page, "a2 1C")
            after.stop()
        page.goto("/play")  # offline, the new cache is used
        expect(page.locator("#connection")).to_be_visible()


# Whether the page has one cache, with files from one place only.
IS_NEW = """async (place) => {
    const names = await caches.keys();
    if (names.length !== 1) return false; // `open` would create a deleted cache anew
    const paths = (await (await caches.open(names[0])).keys()).map((request) => new URL(request.url).pathname);
    const files = paths.filter((path) => path.startsWith("/static/"));
    return paths.includes("/play") && files.length > 5 && files.every((path) => path.startsWith(place)); }"""


@pytest.mark.slow
def test_a_page_is_not_cached_with_files_of_another_version(new_page: NewPage, requests: RequestLog) -> None:
    """The server is upgraded between the load of the page and the requests of the service worker."""
    with Server(before=requests.code) as before:
        page = new_page(base_url=before.url, expected=GONE)
        page.goto("/play")
        ready(page)
        first = cached(page)
        page.wait_for_function("navigator.serviceWorker.controller !== null")
        before.stop()
        with Server(before.port, before.database, before=UPGRADED):
            page.evaluate(CACHE_AGAIN, [each for each in first if each != "/play"])
            assert cached(page) == first


# Sends the message of a loaded page to the service worker; resolves when the worker has handled it.
CACHE_AGAIN = """async (files) => {
    const { active } = await navigator.serviceWorker.ready;
    const names = (await caches.keys()).join();
    active.postMessage({ page: "/play", files });
    while ((await caches.keys()).join() === names) await new Promise((done) => setTimeout(done, 5));
    while ((await caches.keys()).length > 1) await new Promise((done) => setTimeout(done, 5)); }"""
