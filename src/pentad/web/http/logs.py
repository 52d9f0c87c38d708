"""Log of the server: bounded lines on stderr, so that no client can fill it."""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import TypeAlias

from pentad.system.words import phrase
from pentad.web.http.ratelimit import Rate, RateLimiter

RATE_OF_KIND = Rate(20, 1200.0)
RATE_OF_ALL = Rate(200, 2000.0)
MOST_KINDS = 1000  # kinds whose suppressed lines are counted
MAX_KIND_LENGTH = 400  # texts that differ later are of one kind
_Kind: TypeAlias = tuple[str, int, str]


class BoundedLog(logging.Filter):
    """Limits the records of each kind: of one logger, one level and one text before formatting."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._each, self._all = RateLimiter(RATE_OF_KIND, clock), RateLimiter(RATE_OF_ALL, clock)
        self._suppressed: OrderedDict[_Kind, int] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        kind = record.name, record.levelno, str(record.msg)[:MAX_KIND_LENGTH]
        # A suppressed record does not count against the limit of all kinds.
        if self._each.take({repr(kind): 1}) or self._all.take({"all": 1}):
            self._suppressed[kind] = self._suppressed.pop(kind, 0) + 1
            if len(self._suppressed) > MOST_KINDS:
                self._suppressed.popitem(last=False)
            return False
        if suppressed := self._suppressed.pop(kind, 0):
            record.msg, record.args = (
                phrase(
                    "{message} ({count:,} more like this were not logged)",
                    message=record.getMessage(),
                    count=suppressed,
                ),
                (),
            )
        return True


def install() -> None:
    """Sends all log records of this process to stderr, within bounds."""
    handler = logging.StreamHandler()
    handler.addFilter(BoundedLog())
    logging.getLogger().addHandler(handler)
