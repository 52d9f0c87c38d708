"""The data of an account as a whole: all of it in a file, and what is left when it is deleted."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from pentad.record import Record
from pentad.web.service import account_data
from tests.web.moderated import Moderated, at_server, guest
from tests.web.service.test_accounts import ELSEWHERE, account, seats, signed_up

RECORD = '[Game "pentago"]\n[Result "*"]\n\n1. a2 1C *\n'


def test_the_file_has_everything_and_no_secret(tmp_path: Path) -> None:
    async def visit(server: Moderated) -> None:
        ada = server.ada
        code = await signed_up(ada)
        room = await server.game()
        study = (await ada.post("/api/study/new", json={"title": "Openings", "chapters": [{"record": RECORD}]})).json()
        answer = await ada.get("/api/account/export")
        assert (answer.status_code, answer.headers["content-type"]) == (200, "application/zip")
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            files = {name: archive.read(name).decode() for name in archive.namelist()}
        assert json.loads(files["account.json"])[0]["name"] == "Ada"
        assert Record.read(files[f"games/{room}.pentad"]).tags["Name0"] == "Ada"
        assert "Openings" in files[f"studies/{study['name']}.pentad"]
        assert {"sessions.json", "passkeys.json", "ratings.json", "puzzles.json", "chat.json"} <= files.keys()
        everything = "".join(files.values())
        assert not [secret for secret in (code, ada.cookies["pentad"], study["key"], "argon2") if secret in everything]
        async with guest(server.app, ELSEWHERE) as eve:
            assert (await eve.get("/api/account/export")).status_code == 403
        got = [(await ada.get("/api/account/export")).status_code for _ in range(5)]
        assert got == [200] * 4 + [429]

    at_server(tmp_path, visit, operator=False)


def test_a_file_says_that_older_games_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(account_data, "PAGE", 2)
    monkeypatch.setattr(account_data, "MOST_GAMES", 2)

    async def visit(server: Moderated) -> None:
        await signed_up(server.ada)

        async def names() -> list[str]:
            answer = await server.ada.get("/api/account/export")
            with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
                return [name for name in archive.namelist() if name.startswith("games/")]

        rooms = [await server.game() for _ in range(2)]
        assert sorted(await names()) == sorted(f"games/{room}.pentad" for room in rooms)
        await server.game()
        assert len(found := await names()) == 3
        assert found[-1] == "games/older-games.txt"

    at_server(tmp_path, visit, operator=False)


def test_a_deleted_account_leaves_a_game_to_its_opponent(tmp_path: Path) -> None:
    async def visit(server: Moderated) -> None:
        ada = server.ada
        await signed_up(ada)
        room = await server.game()
        async with guest(server.app, ELSEWHERE) as bea:
            await bea.post(f"/api/rooms/{room}/seats", json={"name": "Bea"})
            assert (await bea.post("/api/account/delete", json={"name": "Bea"})).status_code == 403
            assert (await ada.post("/api/account/delete", json={"name": "Adam"})).status_code == 422
            assert (await ada.post("/api/account/delete", json={"name": "Ada"})).status_code == 204
            assert "pentad" not in ada.cookies
            assert (await account(ada))["games"] == 0
            assert await seats(bea) == [["Deleted player", "Bea"]]
            record = (await bea.get(f"/api/rooms/{room}/record")).text
            assert "Ada" not in record
        assert (await server.moderation.search("Ada")).people == []
        await signed_up(ada)  # the name is free

    at_server(tmp_path, visit, operator=False)
