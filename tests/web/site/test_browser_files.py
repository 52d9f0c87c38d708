"""Files of the site that are missing, damaged or kept: one clear line each, and the page works once they are right."""

from __future__ import annotations

import threading

import pytest
from playwright.sync_api import expect

from tests.waiting import TIMEOUT
from tests.web.browser_helpers import NewPage, moves, place, play
from tests.web.site.host import Damage, Host, damaged, half, missing
from tests.web.site.page_helpers import api, note, open_room, wait_until_kept

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MISSING = "it is missing"
INCOMPLETE = "it is damaged or incomplete"
NO_FILE = ("Failed to load resource", "cannot be loaded")

WHOLE = """async () => {
    const cache = await caches.open("pentad python");
    const snapshot = (await cache.keys()).find(({ url }) => url.includes("python/snapshot-"));
    const bytes = snapshot && await (await cache.match(snapshot)).arrayBuffer();
    return [snapshot?.url, bytes?.byteLength]; }"""
CUT = """async ([url, size]) => {
    const cache = await caches.open("pentad python");
    const bytes = await (await cache.match(url)).arrayBuffer();
    const { headers } = await cache.match(url);
    await cache.put(url, new Response(bytes.slice(0, size), { headers })); }"""


@pytest.mark.parametrize(
    ("name", "damage", "why"),
    [
        ("pentad.zip", half, INCOMPLETE),
        ("pyodide.asm.wasm", damaged, INCOMPLETE),
        ("python_stdlib.zip", missing, MISSING),
        ("pyodide.asm.mjs", lambda data: b"<!doctype html>", "it has 15 of"),
    ],
    ids=["cut in half", "damaged", "missing", "another file"],
)
def test_a_file_of_python(new_page: NewPage, own_host: Host, name: str, damage: Damage, why: str) -> None:
    own_host.damage[f"{name}.gz"] = damage
    page = new_page(expected=NO_FILE)
    page.goto("")
    expect(note(page)).to_have_count(1)
    expect(note(page)).to_contain_text(f"The file {name} of this site cannot be loaded: {why}")
    expect(page.locator("#message")).to_be_hidden()
    expect(page.locator(".loading")).to_have_count(0)
    own_host.damage.clear()
    page.reload()
    open_room(page)
    play(page, "a2 1C")
    expect(note(page)).to_have_count(0)


@pytest.mark.parametrize("damage", [missing, damaged, half])
def test_an_engine(new_page: NewPage, own_host: Host, damage: Damage) -> None:
    own_host.damage["wasm32-simd.so.gz"] = damage
    page = new_page(expected=NO_FILE)
    open_room(page, game="pente", seats=["human", "engine@1"])
    place(page, "K10").click()
    expect(page.locator("#headline, #detail").filter(has_text="of this site cannot be loaded")).to_have_count(1)
    expect(page.locator(".status")).to_contain_text("The file kernels/prebuilt/games.pente.")
    expect(page.locator(".status")).to_contain_text(MISSING if damage is missing else INCOMPLETE)
    expect(note(page)).to_have_count(0)
    own_host.damage.clear()
    page.reload()
    expect(moves(page)).to_have_count(2)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9])
def test_a_cut_snapshot(new_page: NewPage, share: float) -> None:
    page = new_page(expected=("The snapshot of Python cannot be used", "snapshot"))
    page.goto("")
    wait_until_kept(page)
    url, size = page.evaluate(WHOLE)
    page.evaluate(CUT, [url, int(share * size)])
    page.reload()
    api(page, "/api/games")
    page.wait_for_function(f"(async () => (await ({WHOLE})())[1] >= {size // 2})()")
    open_room(page)
    play(page, "a2 1C")


def test_the_first_visit_shows_its_progress(new_page: NewPage, own_host: Host) -> None:
    seen = threading.Event()

    def slowly(data: bytes) -> bytes:
        assert seen.wait(TIMEOUT)
        return data

    own_host.damage["python_stdlib.zip.gz"] = slowly
    page = new_page()
    page.goto("")
    expect(page.locator(".loading")).to_contain_text("Downloading pentad:")
    expect(page.locator(".loading progress")).to_be_visible()
    seen.set()
    api(page, "/api/games")
    expect(page.locator(".loading")).to_have_count(0)
