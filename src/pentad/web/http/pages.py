"""Pages: one frame around the main part of each, put together on first use."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from pathlib import Path
from typing import NamedTuple

from pentad.game import Game, game, games
from pentad.web.api import LONGEST_NAME
from pentad.web.messages import LONGEST_CHAT

HERE = Path(__file__).parent.parent / "pages"
BOARD = "<!-- board -->"  # the slot of a page's first board, which is there before any script runs


class Page(NamedTuple):
    """A page: title, path, description, and its own scripts and styles in addition to the common ones.

    The links of the header lead to all pages but those that belong `below` another page. An `embedded` page is one for
    frames in other sites' pages: no page links to it, and it has no header.
    """

    title: str
    path: str
    description: str
    scripts: tuple[str, ...]
    styles: tuple[str, ...] = ()
    below: str = ""
    embedded: bool = False


PAGES = {
    "start": Page(
        "Play",
        "/",
        "Play Pentago, Pente and Pentagame against the computer or a friend",
        ("start/page.js",),
        ("play/setup.css", "start/style.css"),
    ),
    "play": Page(
        "Game",
        "/play",
        "Play Pentago, Pente and Pentagame against the computer or a friend",
        ("play/page.js",),
        ("play/setup.css", "play/style.css"),
        below="start",
    ),
    "games": Page(
        "Games",
        "/games",
        "Your games: those that wait for you, running ones and finished ones, and open games to join",
        ("games/page.js",),
        ("games/style.css",),
    ),
    "study": Page(
        "Analyse",
        "/analyse",
        "Analyse any position or game of Pentago, Pente and Pentagame",
        ("study/page.js",),
        ("study/style.css",),
    ),
    "puzzles": Page(
        "Puzzles",
        "/puzzles",
        "Puzzles with proved solutions, and three new ones every day",
        ("puzzles/page.js",),
        ("learn/style.css", "puzzles/style.css"),
    ),
    "learn": Page(
        "Learn", "/learn", "Learn each game in a minute by playing it", ("learn/page.js",), ("learn/style.css",)
    ),
    "models": Page(
        "Models",
        "/models",
        "The games as graph grammars: start graphs, rules, single steps and state spaces",
        ("models/page.js",),
        ("models/style.css", "models/look.css"),
    ),
    "embed": Page(
        "Board",
        "/embed",
        "A position, a game or a puzzle in a page of another site",
        ("embed/page.js",),
        ("embed/style.css",),
        embedded=True,
    ),
}


MISSING = Page("Not found", "", "This page does not exist", ())


@cache
def page(name: str) -> str:
    """The HTML of a page, with an empty slot for its board."""
    this = PAGES.get(name, MISSING)
    links = "".join(
        f'<a href="{each.path}"{" aria-current=page" if key in (name, this.below) else ""}>{escape(each.title)}</a>'
        for key, each in PAGES.items()
        if not each.embedded and not each.below
    )
    slots = {
        "name": name,
        "title": "pentad" if this.below or name == "start" else f"{this.title} · pentad",
        "description": this.description,
        "styles": "\n".join(f'<link rel="stylesheet" href="/static/{style}">' for style in this.styles),
        "scripts": "\n".join(f'<script type="module" src="/static/{script}"></script>' for script in this.scripts),
        "links": links,
        "main": _read(name),
        "game cards": _game_cards() if name == "start" else "",
        "move buttons": _read("move-buttons").rstrip(),  # within the main part
        "longest name": str(LONGEST_NAME),
        "longest chat message": str(LONGEST_CHAT),
    }
    text = _read("bare-frame" if this.embedded else "frame")
    for slot, value in slots.items():
        text = text.replace(f"{{{slot}}}", escape(value) if slot in ("title", "description") else value)
    return text


def _game_cards() -> str:
    """A card for each game: its picture, what it is, and links to play and to learn it."""
    return "\n".join(map(_game_card, map(game, games())))


def _game_card(kind: Game) -> str:
    text = _read("game-card")
    for slot, value in {"name": kind.name, "title": kind.title, "summary": kind.summary.capitalize()}.items():
        text = text.replace(f"{{{slot}}}", escape(value))
    return text if kind.data("lesson.toml") is not None else re.sub(r" *<a [^>]*data-lesson.*?</a>\n?", "", text)


def _read(name: str) -> str:
    return (HERE / f"{name}.html").read_text(encoding="utf-8")
