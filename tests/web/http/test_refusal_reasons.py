"""Each refusal is counted by its reason, and logged with the client's network."""

from __future__ import annotations

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

import httpx
import pytest

from pentad.jobs.fair_queue import QueueError
from pentad.store.rows import LimitReached, StaleChapter, StoreError
from pentad.web import refusals
from pentad.web.http import refusal_reasons, security
from pentad.web.http.access import AccessMiddleware
from pentad.web.http.exchange import StatusError
from pentad.web.http.ratelimit import Rate
from pentad.web.http.refusal_reasons import REFUSALS, Reason
from pentad.web.rooms.registry import TooManyOpen, TooManyRooms
from tests.cases import together
from tests.web.app import app_with

MALLORY = {"x-forwarded-for": "203.0.113.9"}
IPV6 = {"x-forwarded-for": "2001:db8:1:2::3"}


def counts() -> dict[str, float]:
    return {labels[0]: count for labels, count in REFUSALS.counts().items() if count}


def client(app: Any) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(AccessMiddleware(app)), base_url="http://127.0.0.1")


def test_refusals_of_requests_are_counted_and_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(security, "ASK", Rate(4, 1e9))
    before = counts()

    async def whole() -> None:
        with app_with(tmp_path) as app:
            async with client(app) as browser:
                lengths = [("content-length", "1"), ("content-length", "2")]
                for status, request in (
                    (421, browser.get("/", headers={"host": "evil.example", **MALLORY})),
                    (403, browser.post("/api/rooms", headers={"origin": "http://evil.example", **MALLORY})),
                    (400, browser.post("/api/rooms", headers=[*lengths, *MALLORY.items()])),
                    (413, browser.post("/api/rooms", content=b"x" * 20_000, headers=MALLORY)),
                    (403, browser.put("/api/network", json={"open": True}, headers=MALLORY)),
                ):
                    assert (await request).status_code == status
                found = [(await browser.get("/api/me", headers=IPV6)).status_code for _ in range(6)]
                assert found == [200] * 4 + [429] * 2

    asyncio.run(whole())
    more = {reason: count - before.get(reason, 0) for reason, count in counts().items() if count != before.get(reason)}
    assert more == {
        Reason.HOST: 1,
        Reason.ORIGIN: 1,
        Reason.LENGTH: 1,
        Reason.SIZE: 1,
        Reason.AUTH: 1,
        Reason.RATE: 2,
    }
    lines = [each for each in caplog.records if each.name == refusal_reasons.__name__]
    assert [each.getMessage() for each in lines] == [
        "Refused (host): none from 203.0.113.9.",
        "Refused (origin): none from 203.0.113.9.",
        "Refused (length): none from 203.0.113.9.",
        "Refused (size): none from 203.0.113.9.",
        "Refused (auth): /api/network from 203.0.113.9.",
        *["Refused (rate): none from 2001:db8:1:2::/64."] * 2,
    ]
    assert {each.levelno for each in lines} == {logging.WARNING}


@together(
    "error, reason",
    [
        (StoreError("The disk is full."), Reason.DATABASE),
        (TooManyRooms("Full."), Reason.FULL),
        (TooManyOpen("Open."), Reason.GAMES),
        (QueueError("Full."), Reason.QUEUE),
        (StatusError(403, "No."), Reason.AUTH),
        (StatusError(404, "No."), None),
        (StaleChapter("Changed."), None),
        (LimitReached("Too many."), None),
        (ValueError(), None),
    ],
)
def test_errors_of_services_have_their_reasons(error: Exception, reason: Reason | None) -> None:
    before = counts()
    refusals.note(error)
    more = {each: count - before.get(each, 0) for each, count in counts().items() if count != before.get(each)}
    assert more == ({} if reason is None else {reason: 1})


def test_every_reason_is_there_from_the_beginning() -> None:
    assert {labels[0] for labels in REFUSALS.counts()} == set(Reason)
    assert set(refusal_reasons.OF_STATUS.values()) | set(refusals.REASONS.values()) <= set(Reason)


def test_the_page_of_a_missing_address_prints_the_number_of_its_request(tmp_path: Path) -> None:
    async def whole() -> httpx.Response:
        with app_with(tmp_path) as app:
            async with client(app) as browser:
                return await browser.get("/nowhere")

    answer = asyncio.run(whole())
    assert answer.status_code == 404
    assert f"Request {answer.headers['x-request-id']}" in answer.text


def test_a_bug_is_answered_with_the_number_of_its_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fails(*_: object) -> None:
        raise KeyError("a bug")

    async def whole() -> httpx.Response:
        with app_with(tmp_path) as app:
            async with client(app) as browser:
                monkeypatch.setattr("pentad.web.http.identity.known", fails)
                return await browser.get("/api/rooms/abc/record")

    answer = asyncio.run(whole())
    number = answer.headers["x-request-id"]
    assert answer.status_code == 500
    assert json.loads(answer.text) == {"error": f"Internal error (a bug in pentad): KeyError. Request {number}."}
    assert [each.getMessage() for each in caplog.records if each.exc_info] == [
        "Internal error in GET /api/rooms/{name}/record."
    ]
