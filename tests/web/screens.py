"""Screenshots of every page on five screens, light and dark, for docs/lab/screens.md.

python -m tests.web.screens URL FOLDER           takes them, from a server with a version of pentad
python -m tests.web.screens BEFORE AFTER SHEETS  lays those of two versions side by side, a sheet for each page
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.web.browser_helpers import QUIET, open_room, place, targets

SIZES = ((1440, 900), (1024, 768), (844, 390), (390, 844), (320, 640))
THEMES = ("light", "dark")
PAGES = {
    "start": "/",
    "new": "/?game=pente",
    "game": "",
    "games": "/games",
    "analyse": "/analyse",
    "puzzles": "/puzzles",
    "learn": "/learn",
    "models": "/models",
}
TURNS = ("c3 2A", "e5 4C", "b1 1A", "f2 2C", "e1 4C", "d1 4C", "b4 2A")
SETTLED = 1200  # milliseconds
SHEET_WIDTH, ROW = 1500, 330
STYLE = """body { margin: 12px; display: flex; flex-wrap: wrap; gap: 12px; background: #999; font: 14px sans-serif }
figure { margin: 0 } img { height: ROWpx; margin-right: 6px }"""


def take(browser: Browser, url: str, folder: Path) -> None:
    """All screenshots of a server."""
    folder.mkdir(parents=True, exist_ok=True)
    for theme in THEMES:
        for width, height in SIZES:
            context = browser.new_context(
                base_url=url,
                viewport={"width": width, "height": height},
                color_scheme="dark" if theme == "dark" else "light",
                has_touch=width < 900,
                service_workers="block",
            )
            page = context.new_page()
            game = open_room(page, seats=["human", "human"], time={"main": 300, "increment": 3})
            for turn in TURNS:
                for step in turn.split():
                    place(page, step).and_(targets(page)).click()
            for name, path in PAGES.items():
                answer = page.goto(path or game)
                page.wait_for_timeout(SETTLED)
                if answer and answer.ok:
                    page.screenshot(path=folder / f"{name}-{width}x{height}-{theme}.png")
            context.close()


def lay_out(browser: Browser, before: Path, after: Path, sheets: Path) -> None:
    """A sheet for each page and theme: for each size the screenshot before and the one after."""
    sheets.mkdir(parents=True, exist_ok=True)
    for name in PAGES:
        for theme in THEMES:
            rows = []
            for width, height in SIZES:
                shots = [folder / f"{name}-{width}x{height}-{theme}.png" for folder in (before, after)]
                images = [f'<img src="{shot.resolve().as_uri()}">' if shot.exists() else "<i></i>" for shot in shots]
                rows.append(f"<figure>{''.join(images)}<figcaption>{width} × {height}</figcaption></figure>")
            style = STYLE.replace("ROW", str(ROW))
            html = sheets / f"{name}-{theme}.html"
            html.write_text(
                f"<!doctype html><meta charset=utf-8><style>{style}</style>{''.join(rows)}", encoding="utf-8"
            )
            page = browser.new_page(viewport={"width": SHEET_WIDTH, "height": ROW})
            page.goto(html.resolve().as_uri(), wait_until="load")
            page.screenshot(path=sheets / f"{name}-{theme}.jpg", type="jpeg", quality=60, full_page=True)
            page.close()
            html.unlink()


def main(arguments: list[str]) -> None:
    with sync_playwright() as playwright:
        chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=[*QUIET, "--allow-file-access-from-files"])
        if len(arguments) == 2:
            take(browser, arguments[0], Path(arguments[1]))
        else:
            lay_out(browser, *map(Path, arguments))
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
