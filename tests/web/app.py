"""The application in the test's process, and an HTTP client for it without a socket."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import httpx

from pentad.store import Store
from pentad.web.app import create_app
from pentad.web.http.security import SecurityMiddleware
from pentad.web.page_workers import BackgroundThreads
from tests.web.room_fixtures import SlowEngines

URL = "http://127.0.0.1"


@contextlib.contextmanager
def app_with(folder: Path) -> Iterator[SecurityMiddleware]:
    """The application with a store in this folder and controlled bots."""
    store = Store.open(f"sqlite:///{folder}/games.db")
    try:
        yield create_app(store, engines=SlowEngines(), workers=BackgroundThreads())  # type: ignore[arg-type]
    finally:
        store.close()


def browser(app: SecurityMiddleware) -> httpx.AsyncClient:
    """An HTTP client with its own cookies."""
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=URL)
