"""A worker with Python that does not start or that stops: one line, with details to unfold and copy."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
import zipfile

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser_helpers import NewPage, accessible, place, targets
from tests.web.site.host import Host, missing
from tests.web.site.page_helpers import api, before_python, note

pytestmark = pytest.mark.browser

STOPPED = "The program in this page has stopped. Reload the page."
FULL = "There is not enough memory for Python in this browser. Close other tabs, and reload the page."
ANY = ("",)  # errors that the console may have
WEIGHTS = "pentad/games/pentagame/engine/weights.npz"


def shows_failure(page: Page, line: str, details: str) -> None:
    """The page has one line; the details are folded, can be unfolded, and are copied as a whole."""
    expect(note(page)).to_have_text([line])
    expect(page.locator(".notes p:visible")).to_have_count(1)
    expect(page.locator(".loading")).to_have_count(0)
    shown = page.locator(".site-details pre")
    expect(shown).to_be_hidden()
    page.get_by_text("Details", exact=True).click()
    expect(shown).to_be_visible()
    expect(shown).to_contain_text(details)
    expect(shown).to_contain_text("pentad ")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == shown.text_content()


@pytest.mark.parametrize(
    ("script", "line"),
    [
        ("WebAssembly.compile = async () => { throw new Error('broken on purpose'); };", STOPPED),
        ("setTimeout(() => { throw new Error('broken on purpose'); });", STOPPED),
        ("Promise.reject(new Error('broken on purpose'));", STOPPED),
        ("WebAssembly.compile = async () => { throw new RangeError('broken: could not allocate memory'); };", FULL),
    ],
    ids=["at the start", "an error", "a rejection", "no memory"],
)
def test_an_error_in_the_worker(new_page: NewPage, own_host: Host, script: str, line: str) -> None:
    before_python(own_host, script)
    page = new_page(expected=ANY)
    page.goto("")
    shows_failure(page, line, "broken")
    accessible(page)


def test_a_script_of_the_worker_that_is_missing(new_page: NewPage, own_host: Host) -> None:
    own_host.damage["python/files.js"] = missing
    page = new_page(expected=ANY)
    page.goto("")
    shows_failure(page, STOPPED, "A script of the worker cannot be loaded.")


@pytest.mark.parametrize("path", ["", "play/?game=pente"])
def test_a_browser_without_workers(new_page: NewPage, path: str) -> None:
    page = new_page(expected=ANY)
    page.add_init_script("window.Worker = class { constructor() { throw new Error('refused on purpose'); } };")
    page.goto(path)
    line = "This browser cannot start the program in this page. Try another browser."
    shows_failure(page, line, "refused on purpose")


def test_a_file_of_python_that_is_missing(new_page: NewPage, own_host: Host) -> None:
    own_host.damage["pentad.zip.gz"] = missing
    page = new_page(expected=ANY)
    page.goto("")
    line = "The file pentad.zip of this site cannot be loaded: it is missing. Reload the page to try again."
    shows_failure(page, line, line)


def test_a_traceback_of_python_is_folded(new_page: NewPage, own_host: Host) -> None:
    """The package lacks a file that Python opens at its start."""
    (path,) = own_host.folder.rglob("pentad.zip")
    (version,) = own_host.folder.rglob("python/version.js")
    broken = without(path.read_bytes(), WEIGHTS)
    path.with_name("pentad.zip.gz").write_bytes(gzip.compress(broken))
    files, rest = described(version.read_text(encoding="utf-8"))
    files["pentad.zip"] |= {"size": len(broken), "hash": hashlib.sha256(broken).hexdigest()}
    version.write_text(f"export const FILES = {json.dumps(files)};\n{rest}", encoding="utf-8")
    page = new_page(expected=ANY)
    page.goto("")
    shows_failure(page, STOPPED, "weights.npz")
    expect(page.locator(".site-details pre")).to_contain_text("Traceback (most recent call last)")


def test_an_engine_that_cannot_start(new_page: NewPage, own_host: Host) -> None:
    """The worker that starts before it is needed fails, and so do those that are started for the move."""
    before_python(
        own_host,
        """if (self.name.startsWith("jobs"))
            WebAssembly.instantiate = async () => { throw new Error("broken on purpose"); };""",
    )
    own_host.damage["instant/worker.js"] = missing  # the page's own bot does not play
    page = new_page(expected=ANY)
    page.goto("play/?game=pente")
    place(page, "K10").and_(targets(page)).click()
    expect(page.locator("#detail")).to_have_text("engine@medium cannot move: The worker process ended.")
    expect(note(page)).to_have_count(0)


@pytest.mark.slow
def test_a_worker_that_stops_later(new_page: NewPage, own_host: Host) -> None:
    before_python(own_host, "new BroadcastChannel('stop').onmessage = () => { throw new Error('broken on purpose'); };")
    page = new_page(expected=ANY)
    page.goto("play/")
    api(page, "/api/games")
    expect(note(page)).to_have_count(0)
    page.evaluate("new BroadcastChannel('stop').postMessage(true)")
    shows_failure(page, STOPPED, "broken on purpose")


def without(archive: bytes, name: str) -> bytes:
    """A zip file without one of its files."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(out, "w") as new:
        for info in old.infolist():
            if info.filename != name:
                new.writestr(info, old.read(info))
    return out.getvalue()


def described(script: str) -> tuple[dict[str, dict[str, object]], str]:
    """The files that `version.js` describes, and what comes before and after them."""
    found = re.search(r"export const FILES = (\{.*?\n\});\n", script, re.DOTALL)
    assert found
    files: dict[str, dict[str, object]] = json.loads(found[1])
    return files, script.replace(found[0], "")
