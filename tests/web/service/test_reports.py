"""Reports by players: what is stored, what is refused, and how often they may be sent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pentad.web.service import reports
from tests.web.moderated import Moderated, at_server, guest

RECORD = '[Game "pentago"]\n[Result "*"]\n\n1. a2 1C *\n'


@pytest.fixture(autouse=True)
def _forget_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports of other tests do not count."""
    monkeypatch.setattr(reports, "_LIMITS", reports._Limits())


def report(name: str, **more: Any) -> dict[str, Any]:
    return {"place": "game", "name": name, "reason": "abuse", **more}


def test_a_game_a_message_and_a_study_are_reported(tmp_path: Path) -> None:
    async def visit(server: Moderated) -> None:
        room = await server.game()
        async with guest(server.app, "203.0.113.9") as bea:
            assert (await bea.post(f"/api/rooms/{room}/seats", json={"name": "Bea"})).status_code == 200
            answer = await bea.post("/api/reports", json=report(room, part=0, text=" Rude\u202e. "))
            assert (answer.status_code, answer.content) == (204, b"")
        made = await server.ada.post("/api/study/new", json={"chapters": [{"record": RECORD}]})
        study = made.json()["name"]
        async with guest(server.app, "203.0.113.10") as stranger:
            body = report(study, place="study", part=1, reason="content")
            assert (await stranger.post("/api/reports", json=body)).status_code == 204
            assert stranger.cookies["pentad"]  # a reporter is known from now on
        first, second = (await server.olga.get("/api/admin/reports")).json()
        assert (first["page"], first["part"], first["text"], first["about_name"]) == (
            f"/play/{room}",
            0,
            "Rude.",
            "Ada",
        )
        assert (second["page"], second["place"], second["reason"]) == (
            f"/analyse?study={study}&chapter=1",
            "study",
            "content",
        )
        assert (await server.olga.get("/api/admin")).json()["reports"] == 2
        assert (await server.act("handle report", first["number"])).status_code == 200
        (done,) = (await server.olga.get("/api/admin/reports", params={"done": "true"})).json()
        assert (done["number"], done["operator"]) == (first["number"], "Olga")

    at_server(tmp_path, visit)


WRONG: list[tuple[dict[str, Any], int]] = [
    ({"place": "table"}, 422),
    ({"name": "nowhere"}, 404),
    ({"name": ""}, 422),
    ({"name": "x" * 41}, 422),
    ({"place": "study", "name": "nothing"}, 404),
    ({"reason": "boredom"}, 422),
    ({"text": "x" * 401}, 422),
    ({"part": -1}, 422),
    ({"chat": 7}, 422),
    ({"chat": "<b>"}, 422),
    ({"about": 1}, 422),
]


def test_a_wrong_report_gets_one_line_and_is_not_stored(tmp_path: Path) -> None:
    async def visit(server: Moderated) -> None:
        room = await server.game()
        for more, status in WRONG:
            answer = await server.ada.post("/api/reports", json=report(room) | more)
            assert answer.status_code == status, more
            assert "\n" not in answer.json()["error"]
        assert await server.moderation.count_reports() == 0

    at_server(tmp_path, visit)


def test_reports_are_limited_by_address_and_by_person(tmp_path: Path) -> None:
    async def visit(server: Moderated) -> None:
        room = await server.game()
        for _ in range(int(reports.RATE.most)):
            assert (await server.ada.post("/api/reports", json=report(room))).status_code == 204
        answer = await server.ada.post("/api/reports", json=report(room))
        assert (answer.status_code, "Too many reports from your address" in answer.json()["error"]) == (429, True)
        del server.ada.headers["X-Forwarded-For"]  # the same person, from the server's machine
        assert (await server.ada.post("/api/reports", json=report(room))).status_code == 429
        assert await server.moderation.count_reports() == reports.RATE.most

    at_server(tmp_path, visit)


def test_without_an_operator_nobody_reads_reports(tmp_path: Path) -> None:
    async def visit(server: Moderated) -> None:
        answer = await server.ada.post("/api/reports", json=report(await server.game()))
        assert (answer.status_code, answer.json()["error"]) == (403, reports.NOBODY_READS)

    at_server(tmp_path, visit, operator=False)
