"""Refusals: the status of the response to each error, on the server and in a page without one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pentad.game import GameError
from pentad.jobs.fair_queue import QueueError
from pentad.store.rows import ActionRefused, LimitReached, StaleChapter, StorageFull, StoreError
from pentad.system.words import phrase
from pentad.web.http.exchange import StatusError
from pentad.web.http.refusal_reasons import Reason, note_refusal
from pentad.web.http.request_context import with_number
from pentad.web.rooms.registry import TooManyOpen, TooManyRooms

RETRY_SECONDS = 5  # the background queue is full for so long
BUG = 500
STATUSES: Mapping[type[Exception], int] = {
    StaleChapter: 409,
    LimitReached: 422,
    StorageFull: 422,
    ActionRefused: 422,
    StoreError: 503,
    GameError: 422,
    TooManyRooms: 503,
    TooManyOpen: 429,
    QueueError: 429,
}
# Only these are counted as refusals: what the others say is wrong with a request itself.
REASONS: Mapping[type[Exception], Reason] = {
    StoreError: Reason.DATABASE,
    StorageFull: Reason.STORAGE,
    TooManyRooms: Reason.FULL,
    TooManyOpen: Reason.GAMES,
    QueueError: Reason.QUEUE,
}
FORBIDDEN = (401, 403)


class Refused(NamedTuple):
    """The response to a request that failed: its status, its error in one line, and its headers."""

    status: int
    error: str
    headers: Mapping[str, str] = {}

    @property
    def body(self) -> dict[str, str]:
        """The body of the response, to be written as JSON."""
        return {"error": self.error}


def refused(error: Exception) -> Refused:
    """The response to an error; any that is not expected is a bug.

    >>> refused(GameError("Unknown game."))
    Refused(status=422, error='Unknown game.', headers={})
    """
    if isinstance(error, StatusError):
        return Refused(error.status, str(error), error.headers)
    for kind in type(error).__mro__:
        if kind in STATUSES:
            headers = {"Retry-After": str(RETRY_SECONDS)} if kind is QueueError else {}
            return Refused(STATUSES[kind], str(error), headers)
    return Refused(BUG, with_number(phrase("Internal error (a bug in pentad): {kind}.", kind=type(error).__name__)))


def note(error: Exception) -> None:
    """Counts and logs an error that is a refusal of the server's."""
    if isinstance(error, StatusError) and error.status in FORBIDDEN:
        note_refusal(Reason.AUTH)
    elif reason := REASONS.get(next((kind for kind in type(error).__mro__ if kind in STATUSES), type(error))):
        note_refusal(reason)
