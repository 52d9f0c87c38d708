"""The Play page while a new server takes the place of the running one."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.waiting import TIMEOUT, wait_until
from tests.web.browser_helpers import NewPage, moves, open_room, place, play
from tests.web.server_process import Server

pytestmark = [pytest.mark.browser, pytest.mark.skipif(sys.platform == "win32", reason="no handover there")]

RESTART = ("WebSocket", "Failed to load", "CONNECTION_RE")
# The old server is held at the moment at which it commits nothing any more.
HELD = """
import asyncio, pathlib
from pentad.web import handover
offer, folder = handover.Replacement._offer, pathlib.Path({folder!r})
async def late_offer(self, channel):
    (folder / "held").touch()
    while not (folder / "go").exists():
        await asyncio.sleep(0.01)
    await offer(self, channel)
handover.Replacement._offer = late_offer
"""
PATIENT = f"from pentad.web import handover; handover.PATIENCE_SECONDS, handover.WARM_SECONDS = {TIMEOUT}, 0.0"


def test_a_move_that_is_sent_meanwhile_is_not_lost(new_page: NewPage, tmp_path: Path) -> None:
    with Server(before=HELD.format(folder=str(tmp_path))) as old, ThreadPoolExecutor(1) as thread:
        page = new_page(base_url=old.url, expected=RESTART)
        open_room(page, seats=["human", "human"])
        play(page, "a2 1C")
        place(page, "b3").click()
        starting = thread.submit(Server, before=PATIENT, replaces=old)
        wait_until((tmp_path / "held").exists, "the end of all commits")
        place(page, "2A").click()  # the old server cannot commit it any more
        (tmp_path / "go").touch()
        with starting.result():
            assert old.process.wait(TIMEOUT) == 0
            expect(moves(page)).to_have_text(["a2 1C", "b3 2A"])
            expect(page.locator("#connection")).to_be_hidden()
            play(page, "e5 1C")
            expect(moves(page)).to_have_text(["a2 1C", "b3 2A", "e5 1C"])
