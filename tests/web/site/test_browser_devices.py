"""The site in browsers that lack something: storage, SIMD instructions, memory."""

from __future__ import annotations

import contextlib
import re

import pytest
from playwright.sync_api import Error, Page, Worker, expect

import pentad
from tests.waiting import wait_until
from tests.web.browser_helpers import NewPage, moves, place, play, targets
from tests.web.site.host import Host, missing
from tests.web.site.page_helpers import analyse, api, before_python, link_to, note, open_room

pytestmark = [pytest.mark.browser, pytest.mark.slow]

EIGHTEEN = pentad.load("pentago bw.w.w/.b...b/wbw.../.wbw../bw.b../b.w..b")
LATE = pentad.load("pentago bwbwbw/.b..wb/wbwb../.wbw../bw.b../wbw..b")  # white to move, 23 marbles
NOTHING_KEPT = "This browser blocks storage: your games will be lost when you close the page."
FULL = "This browser's storage is full. Nothing was stored."


@pytest.mark.parametrize(
    "script",
    [
        'Object.defineProperty(self, "indexedDB", { value: undefined });',
        'IDBFactory.prototype.open = () => { throw new DOMException("denied", "SecurityError"); };',
    ],
    ids=["missing", "denied"],
)
def test_without_storage_one_line_says_so_and_play_goes_on(new_page: NewPage, own_host: Host, script: str) -> None:
    before_python(own_host, script)
    page = new_page()
    page.goto("play/")
    for target in ("a2", "1C"):
        place(page, target).and_(targets(page)).click()
    expect(moves(page)).to_have_count(2)  # the computer has answered
    expect(note(page)).to_have_text([NOTHING_KEPT])
    expect(page.locator("#message")).to_be_hidden()


def test_with_a_full_storage_one_line_says_so_at_the_move(new_page: NewPage, own_host: Host) -> None:
    before_python(
        own_host,
        """const real = { add: IDBObjectStore.prototype.add, put: IDBObjectStore.prototype.put };
        new BroadcastChannel("full").onmessage = ({ data }) => {
            for (const name of ["add", "put"]) IDBObjectStore.prototype[name] = data ? function () {
                throw new DOMException("The quota has been exceeded.", "QuotaExceededError"); } : real[name]; };""",
    )
    page = new_page()
    open_room(page)
    play(page, "a2 1C")
    page.evaluate("new BroadcastChannel('full').postMessage(true)")
    place(page, "b3").click()
    place(page, "2A").and_(targets(page)).click()
    expect(page.locator("#message")).to_have_text(FULL)
    expect(moves(page)).to_have_text(["a2 1C"])
    page.evaluate("new BroadcastChannel('full').postMessage(false)")
    place(page, "2A").and_(targets(page)).click()
    expect(moves(page)).to_have_text(["a2 1C", "b3 2A"])
    page.reload()
    expect(moves(page)).to_have_text(["a2 1C", "b3 2A"])


def test_without_simd_the_plain_libraries_play(new_page: NewPage, own_host: Host) -> None:
    before_python(own_host, "WebAssembly.validate = () => false;")
    own_host.damage["wasm32-simd.so.gz"] = missing
    page = new_page(expected=("Failed to load resource", "cannot be loaded"))  # all files are kept for later
    open_room(page, game="pente", seats=["human", "engine@1"])
    place(page, "K10").click()
    expect(moves(page)).to_have_count(2)
    assert any(path.endswith("pente.engine.search_kernels.wasm32.so.gz") for path in own_host.requests)
    analyse(page, LATE)
    expect(page.locator("#values-note")).to_contain_text("Exact value: ")


def test_a_device_with_little_memory(new_page: NewPage) -> None:
    page = new_page()
    page.add_init_script("Object.defineProperty(Navigator.prototype, 'deviceMemory', { get: () => 1 });")
    analyse(page, LATE)
    expect(note(page)).to_have_text(["Low memory: exact values only near the end of a game."])
    expect(page.locator("#values-note")).to_contain_text("Exact value: ")
    analyse(page, EIGHTEEN)
    # A busy device is out of time before it has counted the boards.
    reasons = re.compile(
        r"not known here\. (A board with 18 marbles needs|Exact values were not found within the time limit)"
    )
    expect(page.locator("#values-note")).to_contain_text(reasons)


def engines(page: Page) -> list[str]:
    """The names of the workers that run engines."""
    names = []
    for worker in page.workers:
        with contextlib.suppress(Error):  # a worker may end before it answers
            names.append(str(worker.evaluate("self.name")))
    return [name for name in names if name.startswith("jobs")]


def test_memory_is_given_back_after_a_large_search(new_page: NewPage) -> None:
    page = new_page()
    analyse(page, EIGHTEEN)
    expect(page.locator("#values-note")).to_contain_text("Exact value: ")
    wait_until(lambda: engines(page) == [], "the end of the engine's worker")
    page.locator("#first").or_(page.locator("#flip")).last.click()
    place(page, "a2").and_(targets(page)).click()  # another search in another worker
    expect(page.locator("#values-note")).to_contain_text("Exact value: ")


@pytest.mark.parametrize("game", ["pentago", "pente"])
def test_a_worker_stays_for_the_next_move(new_page: NewPage, game: str) -> None:
    page = new_page()
    page.goto("")
    made = api(page, "/api/rooms", {"game": game, "seats": ["engine@3", "human"]})
    page.goto(link_to(page, made["page"]))
    expect(moves(page)).to_have_count(1)
    opened: list[Worker] = []
    page.on("worker", lambda worker: opened.append(worker))  # a built-in method cannot be wrapped
    for _ in range(2 if game == "pentago" else 1):
        targets(page).first.click()
    expect(moves(page)).to_have_count(3)
    assert len(engines(page)) == 1
    assert opened == []
