"""The folder without a server, in a browser: bytes and seconds of visits, and engines against native ones.

python -m benchmarks site DIR [--rate 10] [--delay 40] [--runs 5] [--pages] [--boards 200]

DIR is what `pentad site DIR` wrote. It is served at so many megabits a second, and each request waits so many
milliseconds; the line is slow in the server, as browsers do not slow down the requests of workers. Files are sent
compressed, as most hosts do. Seconds of engines are CPU time of one thread, both in the page and in this process. Each
engine's moves and values are compared too.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import http.server
import json
import re
import shutil
import statistics
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import quote

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

import pentad
from benchmarks.figures import machine
from pentad.game import Position, names
from pentad.play.lessons import lessons
from pentad.play.puzzles import puzzles

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

    protocol_version = "HTTP/1.1"
    rate = 0.0  # the bytes a second of all connections together; 0 stands for no limit
    delay = 0.0  # the seconds that each request waits
    sent: ClassVar[list[tuple[float, int]]] = []  # when so many bytes were sent
    _lock = threading.Lock()
    _free = 0.0  # when the line is free again

    def log_message(self, *_: Any) -> None:
        """Prints nothing."""

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        packed = path.with_name(f"{path.name}.gz")
        if not path.exists():
            self.send_error(404)
            return
        data = (packed if packed.exists() else path).read_bytes()
        if type(self).rate:
            time.sleep(type(self).delay)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Length", str(len(data)))
        if packed.exists():
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        with contextlib.suppress(ConnectionError):  # of a page that was closed
            self._send_slowly(data)

    def _send_slowly(self, data: bytes) -> None:
        kind = type(self)
        for begin in range(0, len(data), CHUNK_BYTES):
            chunk = data[begin : begin + CHUNK_BYTES]
            if kind.rate:
                with kind._lock:
                    now = time.monotonic()
                    kind._free = max(kind._free, now) + len(chunk) / kind.rate
                    wait = kind._free - now
                time.sleep(wait)
            kind.sent.append((time.time(), len(chunk)))
            self.wfile.write(chunk)


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


PYTHON = """async () => {
    const server = new URL("server.js", document.querySelector("script[src$='offline.js']").src).href;
    await (await import(server)).fetchJson("/api/mine"); }"""  # an answer for which Python does not start
TIMES = ("board", "own move", "played", "answer", "Python")
PLAYED = "#moves li:nth-child(2)"  # what a game shows after the bot's answer
JUDGED = "#undo:enabled:not([hidden]), #verdict:not([hidden])"  # what the pages of boards show after a move
SECOND_AFTER_MILLISECONDS = 15_000  # the service worker and the snapshot are stored


# Plays a first move as soon as it can, and notes when each thing has come, in milliseconds of the Unix clock.
PLAYER = """(() => {
    const touches = TOUCHES;
    const times = window.visitTimes = {};
    const note = (what, is) => { if (is && !(what in times)) times[what] = Date.now(); };
    let isMoving = false;
    const look = () => {
        const moves = document.querySelectorAll("#moves li").length;
        const target = document.querySelector(`#board [data-target="${touches[0]}"].can`);
        if (!("board" in times) && target) note("board", true);
        if (target && touches.length && !isMoving) {
            isMoving = true;
            requestAnimationFrame(() => {
                isMoving = false;
                touches.shift();
                target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
                note("own move", !touches.length);
                look();
            });
        }
        note("played", moves > 0);
        note("answer", document.querySelector(ANSWERED) !== null);
    };
    addEventListener("DOMContentLoaded", () => {
        new MutationObserver(look).observe(document.body, { childList: true, subtree: true, attributes: true });
        look();
    });
})()"""


def visit(page: Page, address: str, game: str) -> dict[str, float]:
    """Opens a game, plays one move at once and waits for the answer and for Python; the seconds and the bytes."""
    SlowHandler.sent.clear()
    began = time.time()
    page.goto(f"{address}play/?game={game}", wait_until="commit")
    page.wait_for_function("'answer' in window.visitTimes")
    page.evaluate(PYTHON)
    ready = time.time()
    times = {what: at / 1000 for what, at in page.evaluate("window.visitTimes").items()} | {"Python": ready}
    found = {what: at - began for what, at in times.items()}
    found["kB"] = sum(size for at, size in SlowHandler.sent if at <= times["answer"]) / 1e3
    found["MB"] = sum(size for _, size in SlowHandler.sent) / 1e6
    return found


def touches(here: Position, move: str = "") -> list[str]:
    """What is touched for a move."""
    made = here.parse(move) if move else pentad.bot(here.game, "greedy", seed=1).choose(here)
    return [target for step in here.choices_of(made) for target in step.targets]


def board_pages() -> Iterator[tuple[str, list[str]]]:
    """The pages with a board of each game in a frame, the first lesson and a puzzle, with a first move."""
    for name in names():
        here = pentad.new(name)
        yield f"embed/?position={quote(here.text)}", touches(here)
    step, puzzle = lessons()[0].steps[0], puzzles(names()[0])[0]
    yield f"learn/?/{step.start.game}", touches(step.start, step.answer)
    yield f"puzzles/?/{puzzle.id}", touches(puzzle.start, next(iter(puzzle.tree.right)))


def board_visits(browser: Browser, address: str, rate: float, runs: int) -> None:
    """Prints first visits of the pages with boards: medians of the seconds and bytes until a move is answered."""
    for path, touched in board_pages():
        found: list[list[float]] = []
        for _ in range(runs):
            with visitor(browser, touched, JUDGED) as page:
                SlowHandler.rate = rate * 1e6 / 8
                SlowHandler.sent.clear()
                began = time.time()
                page.goto(address + path, wait_until="commit")
                page.wait_for_function("'answer' in window.visitTimes")
                times = {what: at / 1000 for what, at in page.evaluate("window.visitTimes").items()}
                sent = sum(size for at, size in SlowHandler.sent if at <= times["answer"]) / 1e3
                found.append([*(times[what] - began for what in ("board", "answer")), sent])
        board, answer, sent = map(statistics.median, zip(*found, strict=True))
        print(f"{path[:25]:25} board {board:6.2f} s, answer {answer:6.2f} s, {sent:6.0f} kB", flush=True)


@contextmanager
def visitor(browser: Browser, moves: Sequence[str], answered: str = PLAYED) -> Iterator[Page]:
    """A page of a new visitor, who touches these places; it shows what is `answered` after the move."""
    context: BrowserContext = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, reduced_motion="reduce"
    )
    context.set_default_timeout(TIMEOUT_MILLISECONDS)
    page = context.new_page()
    page.add_init_script(PLAYER.replace("TOUCHES", json.dumps(moves)).replace("ANSWERED", json.dumps(answered)))
    yield page
    context.close()


def visits(browser: Browser, address: str, game: str, rate: float, runs: int) -> None:
    """Prints first visits, each in a browser's context of its own, and a second visit after each: medians."""
    every: dict[str, list[dict[str, float]]] = {"first visit": [], "second visit": []}
    for _ in range(runs):
        with visitor(browser, touches(pentad.new(game))) as page:
            for found in every.values():
                SlowHandler.rate = rate * 1e6 / 8
                found.append(visit(page, address, game))
                SlowHandler.rate = 0.0
                page.wait_for_timeout(SECOND_AFTER_MILLISECONDS)
    for name, found in every.items():
        middle = {each: statistics.median(one[each] for one in found) for each in found[0]}
        seconds = "".join(f"{middle[each]:9.2f}s" for each in TIMES)
        print(f"{game:10} {name:13}{seconds}{middle['kB']:10.0f}{middle['MB']:8.2f}", flush=True)


# For what Python starts on a first visit: the query of the address, and whether the visitor moves.
STARTS = {
    "after the bot's answer": ("game=pente", True),
    "after three seconds": ("game=pente", False),
    "for other rules": ("game=pente&rules=Keryo", False),
}


def starts(browser: Browser, address: str, rate: float, runs: int) -> None:
    """Prints when Python is ready on a first visit, by what it starts for: medians."""
    for name, (query, moves) in STARTS.items():
        found = []
        for _ in range(runs):
            with visitor(browser, touches(pentad.new("pente")) if moves else []) as page:
                SlowHandler.rate = rate * 1e6 / 8
                began = time.time()
                page.goto(f"{address}play/?{query}", wait_until="commit")
                page.wait_for_function("'visitTimes' in window && document.readyState === 'complete'")
                page.evaluate(PYTHON)
                found.append(time.time() - began)
                SlowHandler.rate = 0.0
        print(f"Python, which starts {name}: {statistics.median(found):.2f} s", flush=True)


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
    parser.add_argument("--delay", type=float, default=40.0, help="milliseconds that each of their requests waits")
    parser.add_argument("--runs", type=int, default=5, help="visits of each game")
    parser.add_argument("--visits", action="store_true", help="measures visits alone")
    parser.add_argument("--pages", action="store_true", help="measures boards, lessons and puzzles alone")
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--hard", type=Path, help="a JSON file of boards by marbles: {'18 …': {number: value}}")
    given = parser.parse_args(words)
    print(machine())
    browser_path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with served(given.folder) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        SlowHandler.delay = given.delay / 1000
        if given.pages:
            board_visits(browser, address, given.rate, given.runs)
            return
        print(f"{'':24}{''.join(f'{each:>10}' for each in TIMES)}{'kB before':>10}{'MB':>8}")
        for game in names():
            visits(browser, address, game, given.rate, given.runs)
        starts(browser, address, given.rate, given.runs)
        if given.visits:
            return
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
