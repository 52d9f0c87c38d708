"""Kinds of log lines: a name for each text that the server logs, by which programs can find its lines."""

from __future__ import annotations

import logging

OTHER = "other"  # lines of other packages

# The texts before formatting, by the name of their kind. docs/reference/monitoring.md says what each means.
KINDS: dict[str, str] = {
    # the server
    "server-started": "pentad %s answers at %s, with the database %s.",
    "server-stopping": "The server stops.",
    "server-stopped": "The server has stopped.",
    "metrics-started": "Metrics are at %s.",
    "metrics-failed": "The metrics have no port: %s",
    "not-replaceable": "This server cannot be replaced while it runs: %s",
    "replacement-refused": "This server is not replaced: %s",
    "replacement-failed": "This server is not replaced: Internal error (a bug in pentad).",
    "successor-not-started": "Cannot start another server: %s",
    "claim-unchecked": "Cannot check whether another server uses the database: %s",
    # requests
    "request": "%s %s %d %.1f ms",
    "socket": "Socket %s %d %.1f s",
    "refused": "Refused (%s): %s from %s.",
    "proxy-silent": "The proxy at %s does not send X-Forwarded-For, so its clients share the limits of one address. "
    "Add the header to its settings; for nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;",
    "token-wrong": "A wrong operator's token from %s.",
    "operators-not-read": "Cannot read what operators have done: %s",
    "request-failed": "Internal error in %s %s.",
    "socket-failed": "Internal error in the socket %s.",
    "analysis-failed": "Internal error in %s.",
    # rooms
    "rooms-full": "All %d rooms are in use. %s loses one.",
    "room-failed": "Room %s: Internal error (a bug in pentad).",
    "room-not-prepared": "Room %s: Cannot be prepared: %s",
    "room-not-read-again": "Room %s: Cannot be read again: %s",
    "rooms-not-prepared": "Cannot use the games that were read in advance: %s",
    "bot-failed": "Room %s: %s cannot move.",
    "clock-not-stored": "Room %s: Cannot store that a clock ran out: %s",
    "clock-not-loaded": "Room %s: Its clock has run out, but it cannot be loaded.",
    "time-limit-not-stored": "Room %s: Cannot store the time limit: %s",
    "rating-not-stored": "Room %s: Cannot update the rating: %s",
    "game-not-read": "Cannot read game %s: %s",
    "sweep-failed": "Cannot delete unplayed games: %s",
    "studies-deleted": "Deleted %d studies without a visit for a year.",
    "studies-not-deleted": "Cannot delete old studies: %s",
    # workers
    "worker-ended": "Worker process %d of the pool %s ended: %s.",
    "worker-frozen": "Worker process %d is frozen; killing it.",
    "worker-invalid-line": "Invalid line from a worker: %.100r",
    "worker-output": "%s: %s",
    "workers-not-prepared": "Cannot prepare the %s: %s",
    "place-not-reported": "Cannot report a place in the queue.",
    # the database
    "database-waits": "The database cannot be written, trying again: %s.",
    "database-slow": "A commit of %d writes took %.1f seconds.",
    "database-failed": "%s.",
    "database-copied": "Copied the database to %s before its migration to schema %s.",
    "writes-lost": "Lost when the server stopped (%s): %s.",
    # games and their files
    "game-not-loaded": "The game %s of %s cannot be loaded: %s",
    "format-loses": "%s cannot represent %s; left out.",
}
_NAMES = {text: name for name, text in KINDS.items()}


def kind_of(record: logging.LogRecord) -> str:
    """The name of the kind of a record."""
    return _NAMES.get(str(record.msg), OTHER) if record.name.startswith("pentad.") else OTHER
