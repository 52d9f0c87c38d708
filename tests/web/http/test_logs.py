"""The server's log: repeated events give a few lines and a count."""

from __future__ import annotations

import asyncio
import io
import logging
import sys

import pytest

from pentad.jobs.process import MAX_LOG_LENGTH, relay
from pentad.web.http.logs import RATE_OF_ALL, RATE_OF_KIND, BoundedLog
from tests.web.server_process import TIMEOUT, Server


def logged(now: list[float]) -> tuple[logging.Logger, io.StringIO]:
    """A separate logger and its output."""
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.addFilter(BoundedLog(lambda: now[0]))
    logger = logging.Logger("test")
    logger.addHandler(handler)
    return logger, out


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
        "def flooded():\n"
        "    install()\n"
        "    for name in ('pentad.web', 'uvicorn.error', 'websockets.server', 'asyncio'):\n"
        "        for number in range(500):\n"
        "            logging.getLogger(name).error('a bug %s', number)\n"
        "logs.install = flooded\n"
    )
    with Server(before=before) as server:
        _, _, errors = server.stop()
    assert errors.count("\n") == 4 * RATE_OF_KIND.most
