"""The application within a test's own process, and a browser that speaks to it without a socket."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import httpx

from pentad.store import Store
from pentad.web.app import create_app
from pentad.web.security import Guard
from tests.web.scene import Slow

URL = "http://127.0.0.1"


@contextlib.contextmanager
def app_with(folder: Path) -> Iterator[Guard]:
    """The application with a store in this folder; its bots only think when they are told to."""
    store = Store.open(f"sqlite:///{folder}/games.db")
    try:
        yield create_app(store, engines=Slow())  # type: ignore[arg-type]
    finally:
        store.close()


def browser(app: Guard) -> httpx.AsyncClient:
    """A browser, with cookies of its own."""
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=URL)
