"""Log of the server: lines on stderr with time, level and request number, bounded so that no client can fill it."""

from __future__ import annotations

import json
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from pentad.system.metrics import CounterMetric
from pentad.system.words import phrase
from pentad.web.http import access, refusal_reasons
from pentad.web.http.log_kinds import kind_of
from pentad.web.http.ratelimit import Rate, RateLimiter
from pentad.web.http.request_context import request_number

LEVELS = ("debug", "info", "warning", "error", "critical")
LINES = CounterMetric("pentad_log_lines_total", "Lines of the log, with those left out.", "level", values=LEVELS)
LEFT_OUT = CounterMetric(
    "pentad_log_lines_left_out_total", "Lines that were left out of the log.", "level", values=LEVELS
)

RATE_OF_KIND = Rate(20, 1200.0)
RATE_OF_ALL = Rate(200, 2000.0)
# Refusals and requests have limits of their own, so that they suppress nothing else.
RATE_OF_REFUSALS = Rate(200, 200.0)
RATE_OF_REQUESTS = Rate(2000, 20.0)
MOST_KINDS = 1000  # kinds whose suppressed lines are counted
MAX_KIND_LENGTH = 400  # texts that differ later are of one kind
_Kind: TypeAlias = tuple[str, int, str]


class BoundedLog(logging.Filter):
    """Limits the records of each kind: of one logger, one level and one text before formatting.

    Refusals are of one kind for each reason, and lines of requests are limited only together.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._each = RateLimiter(RATE_OF_KIND, clock)
        self._all, self._refusals, self._requests = (
            RateLimiter(rate, clock) for rate in (RATE_OF_ALL, RATE_OF_REFUSALS, RATE_OF_REQUESTS)
        )
        self._suppressed: OrderedDict[_Kind, int] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        level = record.levelname.lower()
        LINES.add(level)
        kind = record.name, record.levelno, str(record.msg)[:MAX_KIND_LENGTH]
        if record.name == refusal_reasons.__name__:
            kind = (*kind[:2], _fields(record).get("reason", ""))
        if self._is_over(record.name, kind):
            LEFT_OUT.add(level)
            self._suppressed[kind] = self._suppressed.pop(kind, 0) + 1
            if len(self._suppressed) > MOST_KINDS:
                self._suppressed.popitem(last=False)
            return False
        if suppressed := self._suppressed.pop(kind, 0):
            record.kind = kind_of(record)
            record.msg, record.args = (
                phrase(
                    "{message} ({count:,} more like this were not logged)",
                    message=record.getMessage(),
                    count=suppressed,
                ),
                (),
            )
        return True

    def _is_over(self, logger: str, kind: _Kind) -> bool:
        """Whether a record is beyond its limits. A suppressed one does not count against the limit of all kinds."""
        if logger == access.__name__:
            return self._requests.take({"all": 1}) > 0
        together = self._refusals if logger == refusal_reasons.__name__ else self._all
        return self._each.take({repr(kind): 1}) > 0 or together.take({"all": 1}) > 0


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    """The values of a record that have names."""
    return getattr(record, "fields", {})


def _time(record: logging.LogRecord) -> str:
    """The time of a record in UTC."""
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(record.created))}.{int(record.msecs):03}Z"


class TextLogLines(logging.Formatter):
    """Lines for people; those of a traceback have the time, the level and the request number, too."""

    def format(self, record: logging.LogRecord) -> str:
        start = f"{_time(record)} {record.levelname:<7} {request_number() or '-':<8}"
        return "\n".join(f"{start} {line}".rstrip() for line in self._lines(record))

    def _lines(self, record: logging.LogRecord) -> Iterator[str]:
        yield printable(record.getMessage())
        if record.exc_info:
            yield from map(printable, self.formatException(record.exc_info).split("\n"))


class JsonLogLines(logging.Formatter):
    """Lines for programs: an object of JSON each."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "request": request_number(),
            "kind": getattr(record, "kind", "") or kind_of(record),
            "logger": record.name,
            "message": record.getMessage(),
            **_fields(record),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line)


def printable(text: str) -> str:
    """A text on one line, so that nothing that a client sends looks like another line of the log.

    >>> printable("a\\nb\\x1b[31m")
    'a b [31m'
    """
    return text if text.isprintable() else "".join(letter if letter.isprintable() else " " for letter in text)


def install(form: str = "text", level: str = "warning") -> None:
    """Sends all log records of this process to stderr, within bounds; those of other packages from warnings on."""
    handler = logging.StreamHandler()
    handler.addFilter(BoundedLog())
    handler.setFormatter(JsonLogLines() if form == "json" else TextLogLines())
    logging.getLogger().addHandler(handler)
    logging.getLogger("pentad").setLevel(level.upper())
