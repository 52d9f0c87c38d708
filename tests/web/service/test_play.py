"""Services of the play page that hold nobody else up."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import pentad
from pentad.game import Position
from pentad.web import view
from tests import event_loop
from tests.web.app import app_with, browser


def test_positions_of_new_games_are_read_beside_the_event_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[tuple[str, bool]] = []

    def check_size(position: Position) -> None:
        checked.append((position.text, event_loop.is_running()))

    monkeypatch.setattr(view, "check_size", check_size)
    start = pentad.new("pente", size=13).play("g7").text

    async def run() -> None:
        with app_with(tmp_path) as app:
            async with browser(app) as ada:
                for path, status in (("/api/preview", 200), ("/api/rooms", 201)):
                    assert (await ada.post(path, json={"game": "pente", "position": start})).status_code == status

    asyncio.run(run())
    assert checked == [(start, False)] * 2
