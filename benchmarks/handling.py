"""Time from a touch to the own move on the board, with a slow line to the server.

python -m benchmarks handling [--delay MILLISECONDS] [--turns N]

The benchmark starts a server and a browser, Debian's chromium without windows, in which messages to a game and from it
are delayed, in all by `--delay`. The page itself measures: from the event of the mouse to the change of the drawing, to
the frame with it, and to the answer of the server. A turn of Pentago is a marble and a twist, by turns by an arrow and
by a drag; in the second half moves are to be confirmed.
"""

from __future__ import annotations

import argparse
import math
import shutil
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Sequence

from playwright.sync_api import Page, expect, sync_playwright

from benchmarks.figures import Figure, machine
from benchmarks.web import server

SLOW_LINE = """
const Fast = WebSocket;
window.WebSocket = class extends Fast {
    send(text) { setTimeout(() => this.readyState === Fast.OPEN && super.send(text), DELAY / 2); }
    addEventListener(type, listener, how) {
        super.addEventListener(type, type === "message" ? (event) => setTimeout(() => {
            if (["turn", "played"].includes(JSON.parse(event.data).type)) window.answer?.();
            listener(event);
        }, DELAY / 2) : listener, how);
    }
};"""
MEASURE = """() => {
    const board = document.getElementById("board");
    let began = null;
    const begin = (event) => { began = event.timeStamp; };
    for (const type of ["click", "pointerup"]) board.addEventListener(type, begin, true);
    window.begin = () => { window.times = {}; began = null; };
    window.answer = () => { if (began !== null) window.times.answer ??= performance.now() - began; };
    new MutationObserver(() => {
        if (began === null || window.times.drawn !== undefined || !board.querySelector(".sent")) return;
        window.times.drawn = performance.now() - began;
        requestAnimationFrame(() => setTimeout(() => { window.times.frame = performance.now() - began; }));
    }).observe(board, { subtree: true, childList: true, attributes: true });
}"""
MAKE = """seats => fetch("/api/rooms", {method: "POST", headers: {"Content-Type": "application/json"},
    body: JSON.stringify({game: "pentago", seats})}).then(response => response.json())"""
TIMES = "() => window.times?.answer !== undefined && window.times.frame !== undefined && window.times"
ROUND = 8  # turns until a new game


def open_game(page: Page, confirm: bool) -> None:
    """A new game at one screen."""
    page.goto("/learn")  # a page of the site, for its storage
    page.evaluate("confirm => localStorage.setItem('confirm', confirm)", confirm)
    page.goto(page.evaluate(MAKE, ["human", "human"])["page"])
    expect(page.locator("#board .can")).to_have_count(36)
    page.evaluate(MEASURE)


def turn(page: Page, by_drag: bool, found: dict[str, list[dict[str, float]]], confirm: bool) -> None:
    """Plays a turn: a marble on the first empty space, and sub-board 4 back and forth."""
    kind = "confirmed" if confirm else "direct"
    page.evaluate("begin()")
    page.locator("#board .space.can").first.click()
    found[f"marble, {kind}"].append(page.wait_for_function(TIMES).json_value())
    expect(page.locator("#board .twist.can")).to_have_count(8)
    page.evaluate("begin()")
    if by_drag:
        box = page.locator("#board .sub-board").nth(3).bounding_box()
        assert box
        x, y, radius = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, box["width"] / 3
        page.mouse.move(x, y - radius)
        page.mouse.down()
        for i in range(1, 9):
            page.mouse.move(x + radius * math.sin(i / 6), y - radius * math.cos(i / 6))
        page.mouse.up()
    else:
        page.locator("#board [data-target='4A']").click()
    name = "twist by a drag" if by_drag else "twist by an arrow"
    found[f"{name}, {kind}"].append(page.wait_for_function(TIMES).json_value())
    if confirm:
        page.locator("#confirm").click()
    expect(page.locator("#board .space.can").first).to_be_visible()


def main(words: Sequence[str] | None = None) -> list[Figure]:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--delay", type=int, default=400, help="of the line, there and back (default 400)")
    parser.add_argument("--turns", type=int, default=24, help="with and without confirmed moves each (default 24)")
    args = parser.parse_args(words)
    found: dict[str, list[dict[str, float]]] = defaultdict(list)
    browser_path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with (
        tempfile.TemporaryDirectory() as folder,
        server(f"sqlite:///{folder}/games.db") as (url, _),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_context(base_url=url, service_workers="block").new_page()
        page.add_init_script(SLOW_LINE.replace("DELAY", str(args.delay)))
        for confirm in (False, True):
            for number in range(args.turns):
                if number % ROUND == 0:
                    open_game(page, confirm)
                turn(page, number % 2 == 1, found, confirm)
        browser.close()
    print(machine())
    print(f"line: {args.delay} ms; milliseconds from the event, median and longest")
    print(f"{'':30}{'drawn':>14}{'frame':>14}{'answer':>16}")
    figures = []
    for name, times in found.items():
        cells = []
        for what in ("drawn", "frame", "answer"):
            all_times = [each[what] for each in times]
            cells.append(f"{statistics.median(all_times):8.1f}{max(all_times):8.1f}")
            longest = f"{max(all_times):.1f} ms at most"
            figures.append(Figure(f"{name}, {what}, median", statistics.median(all_times), "ms", longest))
        print(f"{name:30}{''.join(cells)}")
    return figures


if __name__ == "__main__":
    main()
