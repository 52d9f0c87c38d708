"""First visits to the pages on a slow line: the first paint, the largest paint, the shift of the layout, and the bytes.

python -m benchmarks pages [--rate 1.6] [--latency 150] [--runs 3]

A browser without a cache opens each page from a server on this machine, at so many megabits a second and milliseconds
of delay for each request. Seconds are medians.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from benchmarks.figures import Figure, machine
from benchmarks.web import server

PATHS = ("/", "/play?game=pentago", "/play?game=pente", "/games", "/analyse", "/puzzles", "/learn", "/models")
SETTLED_MILLISECONDS = 1500  # a page that has loaded is settled after so long without news
OBSERVE = """
window.measured = { largest: 0, shift: 0 };
new PerformanceObserver((list) => { for (const each of list.getEntries()) measured.largest = each.startTime; })
  .observe({ type: "largest-contentful-paint", buffered: true });
new PerformanceObserver((list) => { for (const each of list.getEntries()) if (!each.hadRecentInput) measured.shift += each.value; })
  .observe({ type: "layout-shift", buffered: true });
"""  # noqa: E501
READ = """() => ({ ...measured, first: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0 })"""


def visit(browser: Browser, address: str, rate: float, latency: float, width: int, height: int) -> dict[str, float]:
    """The figures of a first visit."""
    context = browser.new_context(viewport={"width": width, "height": height}, service_workers="block")
    page = context.new_page()
    line = context.new_cdp_session(page)
    line.send("Network.enable")
    speed = rate * 1e6 / 8
    line.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": latency, "downloadThroughput": speed, "uploadThroughput": speed},
    )
    received = 0.0

    def count(event: dict[str, Any]) -> None:
        nonlocal received
        received += event["encodedDataLength"]

    line.on("Network.loadingFinished", count)
    page.add_init_script(OBSERVE)
    page.goto(address, wait_until="load")
    page.wait_for_timeout(SETTLED_MILLISECONDS)
    found: dict[str, float] = page.evaluate(READ)
    context.close()
    return {**found, "bytes": received}


def main(words: Sequence[str] | None = None) -> list[Figure]:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rate", type=float, default=1.6, help="megabits a second")
    parser.add_argument("--latency", type=float, default=150.0, help="milliseconds")
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args(words)
    print(machine())
    print(f"{'page':22} {'size':>9} {'first paint':>12} {'largest':>9} {'shift':>7} {'kB':>6}")
    figures = []
    with (
        tempfile.TemporaryDirectory() as folder,
        server(f"sqlite:///{folder}/games.db") as (url, _),
        sync_playwright() as playwright,
    ):
        chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        visit(browser, url, 100.0, 0.0, 800, 600)  # the server's first answer is slower
        for path in PATHS:
            for width, height in ((1440, 900), (390, 844)):
                runs = [visit(browser, url + path, given.rate, given.latency, width, height) for _ in range(given.runs)]
                first, largest, shift, size = (
                    statistics.median(each[key] for each in runs) for key in ("first", "largest", "shift", "bytes")
                )
                times = f"{first / 1000:>10.2f} s {largest / 1000:>7.2f} s"
                print(f"{path:22} {f'{width}x{height}':>9} {times} {shift:>7.3f} {size / 1000:>6.0f}", flush=True)
                values = {"first paint": first, "largest paint": largest}
                name = f"{path}, {width} × {height}"
                figures += [Figure(f"{name}, {what}", value / 1000, "s") for what, value in values.items()]
                figures.append(Figure(f"{name}, size", size / 1000, "kB"))
        browser.close()
    return figures


if __name__ == "__main__":
    main()
