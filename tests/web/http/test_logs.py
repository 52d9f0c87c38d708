"""The server's log: repeated events give a few lines and a count."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import re
import sys
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from pentad.jobs.process import MAX_LOG_LENGTH, relay
from pentad.web.http import access, logs, refusal_reasons
from pentad.web.http.exchange import STUDY_KEY
from pentad.web.http.log_kinds import KINDS, OTHER
from pentad.web.http.logs import (
    LEFT_OUT,
    LINES,
    RATE_OF_ALL,
    RATE_OF_KIND,
    RATE_OF_REFUSALS,
    RATE_OF_REQUESTS,
    BoundedLog,
    JsonLogLines,
    TextLogLines,
)
from pentad.web.http.request_context import CURRENT, RequestContext
from tests.web.server_process import TIMEOUT, Server

START = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"


def logged(
    now: list[float], name: str = "test", form: logging.Formatter | None = None
) -> tuple[logging.Logger, io.StringIO]:
    """A separate logger and its output."""
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.addFilter(BoundedLog(lambda: now[0]))
    handler.setFormatter(form)
    logger = logging.Logger(name)
    logger.addHandler(handler)
    return logger, out


@pytest.fixture
def request_context() -> Iterator[RequestContext]:
    before = CURRENT.set(context := RequestContext())
    yield context
    CURRENT.reset(before)


def test_further_lines_of_a_kind_are_counted() -> None:
    now = [0.0]
    logger, out = logged(now)
    for number in range(1000):
        logger.warning("room %s: it is broken", number)
    logger.warning("something else")
    lines = out.getvalue().splitlines()
    assert len(lines) == RATE_OF_KIND.most + 1
    assert lines[-1] == "something else"
    now[0] += RATE_OF_KIND.within / RATE_OF_KIND.most + 1
    logger.warning("room %s: it is broken", "x")
    assert out.getvalue().splitlines()[-1] == (
        f"room x: it is broken ({1000 - RATE_OF_KIND.most} more like this were not logged)"
    )


def test_lines_of_many_kinds_are_bounded_together() -> None:
    logger, out = logged([0.0])
    for number in range(20_000):
        logger.warning(f"kind {number}")
    assert len(out.getvalue().splitlines()) == RATE_OF_ALL.most


def test_refusals_are_limited_by_reason_and_suppress_nothing_else() -> None:
    logger, out = logged([0.0], refusal_reasons.__name__)
    for reason in ("host", "rate"):
        for _ in range(100):
            logger.warning("Refused (%s).", reason, extra={"fields": {"reason": reason}})
    assert out.getvalue().count("(host)") == out.getvalue().count("(rate)") == RATE_OF_KIND.most
    filtering = BoundedLog(lambda: 0.0)
    flood = [record("Refused", refusal_reasons.__name__, fields={"reason": str(number)}) for number in range(1000)]
    assert sum(map(filtering.filter, flood)) == RATE_OF_REFUSALS.most
    assert filtering.filter(record("a bug"))


def test_lines_of_requests_are_limited_together_and_suppress_nothing_else() -> None:
    now = [0.0]
    filtering = BoundedLog(lambda: now[0])
    assert sum(filtering.filter(record("GET", access.__name__)) for _ in range(5000)) == RATE_OF_REQUESTS.most
    assert filtering.filter(record("a bug"))
    now[0] += 1.0
    assert filtering.filter(last := record("GET", access.__name__))
    assert "3,000 more like this" in last.getMessage()


def record(text: str, name: str = "test", **more: Any) -> logging.LogRecord:
    found = logging.LogRecord(name, logging.WARNING, "", 0, text, (), None)
    found.__dict__.update(more)
    return found


def test_lines_are_counted_by_level_with_those_left_out() -> None:
    def counts() -> list[float]:
        return [each.counts().get(("warning",), 0) for each in (LINES, LEFT_OUT)]

    before = counts()
    logger, _ = logged([0.0])
    for _ in range(25):
        logger.warning("the same")
    assert [now - then for now, then in zip(counts(), before, strict=True)] == [25, 25 - RATE_OF_KIND.most]


def test_each_line_of_text_has_the_time_the_level_and_the_number(request_context: RequestContext) -> None:
    logger, out = logged([0.0], form=TextLogLines())
    logger.warning("one")
    try:
        raise KeyError("two\nlines")
    except KeyError:
        logger.exception("three\nlines of %s", "\x1b[31m\r\n2026-01-01T00:00:00.000Z ERROR forged")
    lines = out.getvalue().splitlines()
    assert len(lines) > 4
    assert re.fullmatch(rf"{START} WARNING {request_context.number} one", lines[0])
    assert all(re.match(rf"{START} ERROR   {request_context.number} ", line) for line in lines[1:])
    assert lines[1].endswith("three lines of  [31m  2026-01-01T00:00:00.000Z ERROR forged")
    assert lines[2].endswith("Traceback (most recent call last):")


def test_a_line_outside_of_a_request_has_a_dash() -> None:
    logger, out = logged([0.0], form=TextLogLines())
    logger.info("one")
    assert re.fullmatch(rf"{START} INFO    -        one\n", out.getvalue())


def test_each_line_of_json_is_an_object(request_context: RequestContext) -> None:
    logger, out = logged([0.0], "pentad.web.app", JsonLogLines())
    logger.warning(KINDS["workers-not-prepared"], "engines", "a\nb\ud800")
    logger.info("other", extra={"fields": {"status": 200}})
    try:
        raise KeyError("two")
    except KeyError:
        logger.exception("three")
    first, second, third = map(json.loads, out.getvalue().splitlines())
    assert re.fullmatch(START, first.pop("time"))
    assert first == {
        "level": "warning",
        "request": request_context.number,
        "kind": "workers-not-prepared",
        "logger": "pentad.web.app",
        "message": "Cannot prepare the engines: a\nb\ud800",
    }
    assert (second["kind"], second["status"]) == (OTHER, 200)
    assert "KeyError: 'two'" in third["traceback"]


def test_a_line_that_counts_suppressed_ones_keeps_its_kind() -> None:
    now = [0.0]
    logger, out = logged(now, "pentad.store.database", JsonLogLines())
    for _ in range(30):
        logger.error(KINDS["database-failed"], "Cannot save the game")
    now[0] += RATE_OF_KIND.within
    logger.error(KINDS["database-failed"], "Cannot save the game")
    *_, last = map(json.loads, out.getvalue().splitlines())
    assert last["kind"] == "database-failed"
    assert "10 more like this" in last["message"]


def test_levels_are_those_of_pentad_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    root, own = logging.getLogger(), logging.getLogger("pentad")
    monkeypatch.setattr(root, "handlers", [])
    level = own.level
    try:
        logs.install("json", "debug")
        (handler,) = root.handlers
        assert isinstance(handler.formatter, JsonLogLines)
        assert logging.getLogger("pentad.web").isEnabledFor(logging.DEBUG)
        assert not logging.getLogger("alembic").isEnabledFor(logging.INFO)
    finally:
        own.setLevel(level)


def test_a_process_output_is_logged_line_by_line(caplog: pytest.LogCaptureFixture) -> None:
    code = "import sys; sys.stderr.write('one\\n' + 'x' * 10**6 + '\\n\\x1b[31mthree\\n\\n' + 'four')"

    async def run() -> None:
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stderr=asyncio.subprocess.PIPE)
        async with asyncio.timeout(TIMEOUT):
            await relay(process, "a test")
        await process.wait()

    asyncio.run(run())
    first, second, *rest = [record.getMessage() for record in caplog.records]
    assert first == "a test: one"
    assert second == f"a test: {'x' * MAX_LOG_LENGTH}"
    assert rest == ["a test:  [31mthree", "a test: four"]


@pytest.mark.slow
def test_a_repeated_bug_does_not_fill_the_log() -> None:
    """All log records of the server, of any library, are bounded."""
    before = (
        "import logging\n"
        "from pentad.web.http import logs\n"
        "install = logs.install\n"
        "def flooded(*given):\n"
        "    install(*given)\n"
        "    for name in ('pentad.web', 'uvicorn.error', 'websockets.server', 'asyncio'):\n"
        "        for number in range(500):\n"
        "            logging.getLogger(name).error('a bug %s', number)\n"
        "logs.install = flooded\n"
    )
    with Server(before=before) as server:
        _, _, errors = server.stop()
    assert errors.count("\n") == 4 * RATE_OF_KIND.most


def test_no_secret_is_ever_logged() -> None:
    """The main flows with cookies, keys, queries, chat and refusals, logged in full detail."""
    patient = "import pentad.web.page_workers as workers; workers.PAGE_WORK_SECONDS = 1000.0"
    with Server(before=patient, log_level="debug", log_format="json") as server:
        room, ada = server.make(seats=["human", "open"], name="Ada-Lovelace")
        bob = server.sit(room, name="Bob-Babbage")
        with server.join(room, ada, "?flip=true&word=query-of-the-socket") as first, server.join(room, bob) as second:
            first.receive("state")
            second.receive("state")
            first.socket.send(json.dumps({"type": "say", "text": "chat-of-ada"}))
            first.receive("said")
            first.send("hint")
            first.receive("error")
        with httpx.Client(base_url=server.url, timeout=TIMEOUT) as client:
            client.cookies.update(ada)
            study = client.post("/api/study/new", json={"chapters": [{"record": '[Game "pentago"]'}]}).json()
            client.get(f"/api/study/kept/{study['name']}", params={"key": study["key"]})
            kept, key = f"{server.url}/api/study/kept/{study['name']}", {STUDY_KEY: "wrong-key"}
            wrong = httpx.put(kept, json={"title": "x"}, headers=key, timeout=TIMEOUT)
            assert wrong.status_code == 403
            statuses = [
                client.get(f"/play/{room}", params={"word": "query-of-the-page"}).status_code,
                client.get("/analyse", params={"position": "query-of-the-analysis"}).status_code,
                client.get("/nowhere/path-of-nothing").status_code,
                client.get("/api/me", headers={"authorization": "Bearer token-of-nobody"}).status_code,
                client.get("/", headers={"host": "evil.example"}).status_code,
                client.post("/api/rooms", json={}, headers={"origin": "http://evil.example"}).status_code,
                client.post("/api/rooms", content=b"body-of-rubbish").status_code,
                client.put("/api/me", json={"name": "Ada-Byron"}).status_code,
            ]
        assert statuses == [200, 200, 404, 200, 421, 403, 422, 200]
        _, _, errors = server.stop()
    lines = [json.loads(line) for line in errors.splitlines()]
    for line in lines:
        assert re.fullmatch(START, line["time"])
        assert line["level"] in ("debug", "info", "warning")
    assert {"server-started", "server-stopping", "server-stopped", "request", "socket", "refused"} <= {
        line["kind"] for line in lines
    }
    assert {line["reason"] for line in lines if line["kind"] == "refused"} == {"host", "origin", "auth"}
    requests = [line for line in lines if line["kind"] == "request"]
    assert len({line["request"] for line in requests}) == len(requests) > 10
    secrets = [*ada.values(), *bob.values(), room, *study.values(), "wrong-key", "query-of", "path-of", "token-of"]
    secrets += ["body-of", "chat-of", "Lovelace", "Babbage", "Byron"]
    assert [each for each in secrets if each in errors] == []


def test_a_person_at_their_own_machine_sees_nothing_in_the_log() -> None:
    with Server() as server:
        server.make()
        assert httpx.get(server.url, timeout=TIMEOUT).status_code == 200
        assert server.stop()[2] == ""
