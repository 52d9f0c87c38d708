"""The folder without a server, in a browser: bytes and seconds of visits, and engines against native ones.

python -m benchmarks site DIR [--rate 10] [--boards 200]

DIR is what `pentad site DIR` wrote. It is served at so many megabits a second. Seconds of engines are CPU time of one
thread, both in the page and in this process. Each engine's moves and values are compared too.
"""

from __future__ import annotations

import argparse
import functools
import http.server
import json
import re
import shutil
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from benchmarks.figures import machine

CHUNK_BYTES = 1 << 14
TIMEOUT_MILLISECONDS = 600_000

# The same work in a page and here: prints one JSON value with the results, and the CPU seconds.
SOLVER = """
import json, random, time
import pentad
from pentad.games.pentago import solve

def boards(count):
    chance = random.Random(18)
    found = []
    while len(found) < count:
        here = pentad.new("pentago")
        for _ in range(18 + len(found) % 7):
            if here.outcome:
                break
            here = here.play(pentad.bot("pentago", "random", seed=chance.randrange(1 << 30)).choose(here))
        if not here.outcome:
            found.append(here)
    return found

def solved(here):
    found = solve(here)
    return [str(found.value), sorted([str(move), str(value)] for move, value in found.moves.items())]

found = []
for here in boards(BOARDS):
    found.append(solved(here))
"""
HARDEST = """
import json, time
from pentad.games.pentago import from_number, solve
found = []
for number in numberS:
    found.append(str(solve(from_number(number)).value))
"""
PENTE = """
import json, random, time
import pentad
from pentad.games.pente.engine.search import RootSearch
chance, found, nodes, spent = random.Random(5), [], 0, 0.0
for number in range(POSITIONS):
    here = pentad.new("pente", rules=("pente", "keryo", "freestyle", "gomoku")[number % 4])
    for _ in range(3 + number % 12):
        if not here.outcome:
            here = here.play(pentad.bot("pente", "random", seed=chance.randrange(1 << 30)).choose(here))
    if here.outcome:
        continue
    engine = RootSearch(here, threads=1)
    began = time.process_time()
    engine.deepen(nodes=NODES)
    spent += time.process_time() - began
    nodes += engine.nodes
    found.append([engine.depth, engine.nodes, repr(engine.best)])
found.append(["nodes a second", round(nodes / spent)])
"""
BOTS = """
import json, random, time
import pentad
chance, found = random.Random(9), []
for number in range(POSITIONS):
    for game, who in (("pentago", "engine"), ("pentago", "tree"), ("pentagame", "alphabeta"), ("pentagame", "tree")):
        here = pentad.new(game)
        for _ in range(number % 12):
            if not here.outcome:
                here = here.play(pentad.bot(game, "random", seed=chance.randrange(1000)).choose(here))
        if not here.outcome:
            found.append([game, who, str(pentad.bot(game, who, level=2, seed=1).choose(here))])
"""
MEASURED = """
import json, time
_began = time.process_time()
{work}
print(json.dumps(found))
print(time.process_time() - _began)
"""


class SlowHandler(http.server.SimpleHTTPRequestHandler):
    """Serves files at a limited rate, and counts what it sends."""

    rate = 0.0  # the bytes a second of all connections together; 0 stands for no limit
    sent = 0
    _lock = threading.Lock()
    _free = 0.0  # when the line is free again

    def log_message(self, *_: Any) -> None:
        """Prints nothing."""

    def copyfile(self, source: Any, outputfile: Any) -> None:
        kind = type(self)
        while data := source.read(CHUNK_BYTES):
            if kind.rate:
                with kind._lock:
                    now = time.monotonic()
                    kind._free = max(kind._free, now) + len(data) / kind.rate
                    wait = kind._free - now
                time.sleep(wait)
            kind.sent += len(data)
            outputfile.write(data)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a folder."""
    handler = functools.partial(SlowHandler, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()


def visit(page: Page, address: str) -> dict[str, float]:
    """Opens the site, plays one move at once and waits for the answer; the seconds until each, and the bytes."""
    SlowHandler.sent = 0
    began = time.monotonic()
    found: dict[str, float] = {}

    def note(what: str) -> None:
        found[what] = time.monotonic() - began

    page.goto(f"{address}play/?game=pentago", wait_until="commit")
    page.locator("#board svg").wait_for()
    note("board")
    for _ in range(2):
        target = page.locator("#board .can").first
        target.wait_for()
        target.tap()
    note("own move")  # it is drawn; it is played as soon as Python has started
    page.locator("#moves li").first.wait_for(state="attached")
    note("played")
    page.locator("#moves li").nth(1).wait_for(state="attached")
    note("answer")
    found["MB"] = SlowHandler.sent / 1e6
    return found


def visits(browser: Browser, address: str, rate: float) -> None:
    """Prints the first and the second visit."""
    context: BrowserContext = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, reduced_motion="reduce"
    )
    context.set_default_timeout(TIMEOUT_MILLISECONDS)
    page = context.new_page()
    print(f"{'':14}{'board':>10}{'own move':>10}{'played':>10}{'answer':>10}{'MB sent':>10}")
    for name in ("first visit", "second visit", "third visit"):
        SlowHandler.rate = rate * 1e6 / 8
        found = visit(page, address)
        SlowHandler.rate = 0.0
        seconds = "".join(f"{found[each]:9.2f}s" for each in ("board", "own move", "played", "answer"))
        print(f"{name:14}{seconds}{found['MB']:10.2f}", flush=True)
        page.wait_for_timeout(15_000)  # the service worker and the snapshot are stored
    context.close()


class Console:
    """Python in a page."""

    def __init__(self, browser: Browser, address: str) -> None:
        self._page = browser.new_context().new_page()
        self._page.set_default_timeout(TIMEOUT_MILLISECONDS)
        self._page.route("**/blank.html", lambda route: route.fulfill(body="<!doctype html>", content_type="text/html"))
        self._page.goto(f"{address}blank.html")
        place = re.search(r"static/([0-9a-f]{16})/", self._page.request.get(address).text())
        assert place
        self._page.evaluate(
            """address => new Promise((resolve, reject) => {
                window.worker = new Worker(address, {type: "module", name: "console"});
                worker.onmessage = ({data}) => data.ready ? resolve() : data.failed && reject(new Error(data.failed));
            })""",
            f"{address}static/{place[1]}/python/python.js",
        )

    def run(self, work: str) -> tuple[Any, float]:
        """The results of some work, and its seconds."""
        output, result = self._page.evaluate(
            """code => new Promise(resolve => {
                let output = "";
                worker.onmessage = ({data}) => {
                    if (data.output) output += data.output;
                    else if (data.result) resolve([output, data.result]);
                };
                worker.postMessage({run: 1, code});
            })""",
            MEASURED.format(work=work),
        )
        assert "error" not in result, result
        *_, found, spent = output.strip().splitlines()
        return json.loads(found), float(spent)


def native(work: str) -> tuple[Any, float]:
    """The same here."""
    lines: list[str] = []
    names: dict[str, Any] = {"print": lambda value: lines.append(str(value))}
    exec(MEASURED.format(work=work), names)
    return json.loads(lines[0]), float(lines[1])


def compare(console: Console, name: str, work: str) -> None:
    """Runs some work in both, compares the results and prints the seconds."""
    own, seconds = native(work)
    found, page_seconds = console.run(work)
    speeds = [each.pop()[1] for each in (own, found) if each and each[-1][0] == "nodes a second"]
    same = sum(one == other for one, other in zip(own, found, strict=True))
    print(f"{name}: {same} of {len(own)} equal; native {seconds:.2f} s, page {page_seconds:.2f} s", end="")
    print(f", ratio {page_seconds / seconds:.2f}", end="")
    print(f", nodes a second: native {speeds[0]:,}, page {speeds[1]:,}" if speeds else "", flush=True)


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rate", type=float, default=10.0, help="megabits a second of the visits")
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--hard", type=Path, help="a JSON file of boards by marbles: {'18 …': {number: value}}")
    given = parser.parse_args(words)
    print(machine())
    browser_path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with served(given.folder) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        visits(browser, address, given.rate)
        console = Console(browser, address)
        if given.hard:
            hard = json.loads(given.hard.read_text(encoding="utf-8"))
            numbers = [int(number) for name in hard if name.startswith("18") for number in list(hard[name])[:3]]
            compare(console, "Pentago, 18 marbles, whole passes", HARDEST.replace("numberS", repr(numbers)))
        compare(console, "Pentago, exact values of 18 to 24 marbles", SOLVER.replace("BOARDS", str(given.boards)))
        pente = PENTE.replace("POSITIONS", str(given.boards)).replace("NODES", "20000")
        compare(console, "Pente, 20,000 nodes", pente)
        compare(console, "Pentago and Pentagame, moves at level 2", BOTS.replace("POSITIONS", str(given.boards // 4)))
        browser.close()


if __name__ == "__main__":
    main()
