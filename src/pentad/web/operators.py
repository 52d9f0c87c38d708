"""Operators of a server: their tokens and sessions, and the effects of what they do on the games that are open here.

What an operator does is in the store's log, whoever wrote it: the page of the operators or another program. The server
reads the log every second.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple, NoReturn

from pentad.game import GameError
from pentad.store.moderation import Action, LogRow, Moderation, ModerationState, chat_target
from pentad.store.rows import CLOSING, NOTICE
from pentad.web.http.admission import Admission
from pentad.web.http.identity import hash_of
from pentad.web.messages import Announcements, ShownClosing, ShownNotice
from pentad.web.rooms.registry import Rooms

log = logging.getLogger(__name__)

POLL_SECONDS = 1.0
SESSION_SECONDS = 12 * 3600.0
MOST_SESSIONS = 200
KEY_BYTES = 24
REMOVED = "This game was removed by an operator of the server."


class OperatorSession(NamedTuple):
    """An operator's session: whose it is, with which token it began, and when it ends."""

    name: str
    token_hash: bytes
    ends: float


class Operators:
    """The operators of a server, and what they have decided."""

    def __init__(self, moderation: Moderation, rooms: Rooms, admission: Admission) -> None:
        self.moderation, self._rooms, self._admission = moderation, rooms, admission
        self._wall = rooms.world.wall
        self._state = ModerationState(0, [], [], {})
        self._closed = ""
        self._sessions: OrderedDict[bytes, OperatorSession] = OrderedDict()
        self._following = asyncio.Lock()
        self.turn_away: Callable[[], None] = lambda: None  # ends the sockets of those who are not admitted any more

    # ── tokens and sessions ──────────────────────────────────────────────────────────────────────

    @property
    def exist(self) -> bool:
        """Whether there is an operator with a token."""
        return bool(self._state.operators)

    def begin_session(self, token: str) -> str | None:
        """The secret of a new session for the operator with this token; None if there is none."""
        found, token_hash = None, hash_of(token)
        for each in self._state.operators:  # all of them, so that the time tells nothing
            if hmac.compare_digest(each.token_hash, token_hash):
                found = each
        if found is None:
            return None
        secret = secrets.token_urlsafe(KEY_BYTES)
        self._sessions[hash_of(secret)] = OperatorSession(found.name, token_hash, self._wall() + SESSION_SECONDS)
        while len(self._sessions) > MOST_SESSIONS:
            self._sessions.popitem(last=False)
        return secret

    def end_session(self, secret: str) -> None:
        """Ends a session."""
        self._sessions.pop(hash_of(secret), None)

    def name_of(self, secret: str) -> str | None:
        """The operator of a session; None if it is over, or if the token was revoked."""
        session = self._sessions.get(hash_of(secret)) if secret else None
        if session is None:
            return None
        has_token = any(each.token_hash == session.token_hash for each in self._state.operators)
        if session.ends < self._wall() or not has_token:
            self.end_session(secret)
            return None
        return session.name

    # ── actions ──────────────────────────────────────────────────────────────────────────────────

    async def act(self, action: Action, operator: str) -> LogRow:
        """Does what an operator wants, here at once."""
        done = await self.moderation.act(action, operator, self._wall())
        await self.follow()
        return done

    async def keep_following(self) -> NoReturn:
        """Follows the log."""
        while True:
            await asyncio.sleep(POLL_SECONDS)
            try:
                await self.follow()
            except GameError as failed:
                log.warning("Cannot read what operators have done: %s", failed)

    async def follow(self) -> None:
        """Takes over what was done since the last time, and closes the server when it is time."""
        async with self._following:
            rows = await self.moderation.since(self._state.last)
            if rows:
                self._state = await self.moderation.state()
                self._admission.update(self._state.bans, self._state.notices.get(CLOSING))
                for row in rows:
                    await self._take(row)
            if rows or self._admission.closed != self._closed:
                self._rooms.send_all(self.announcements())  # first, as a socket that ends takes no message
                self.turn_away()
                await self._open_or_close()

    async def refresh(self) -> None:
        """Takes over the bans of now, as those of a person may have become another's."""
        async with self._following:
            state = await self.moderation.state()
            self._admission.update(state.bans, state.notices.get(CLOSING))

    async def start(self) -> None:
        """Takes over what holds when the server starts."""
        self._state = await self.moderation.state()
        self._admission.update(self._state.bans, self._state.notices.get(CLOSING))
        await self._open_or_close()

    async def _take(self, row: LogRow) -> None:
        """Applies an action to the rooms here, as far as it is about games."""
        action = row.action
        match action.kind:
            case "remove game":
                self._rooms.remove(action.target, REMOVED)
            case "remove chat":
                await self._rooms.remove_chat_message(*chat_target(action.target))
            case "rename":
                await self._rooms.show_names(int(action.target))

    async def _open_or_close(self) -> None:
        if self._admission.closed == self._closed:
            return
        self._closed = self._admission.closed
        if self._closed:
            await self._rooms.close_for_maintenance(self._closed)
        else:
            self._rooms.open_again()

    # ── announcements ────────────────────────────────────────────────────────────────────────────

    def announcements(self) -> Announcements:
        """What all pages show now."""
        notice, closing = self._state.notices.get(NOTICE), self._state.notices.get(CLOSING)
        left = max(0.0, (closing.due or 0.0) - self._wall()) if closing else 0.0
        return Announcements(
            notice=ShownNotice(text=notice.text, at=notice.at) if notice else None,
            closing=ShownClosing(text=closing.text, at=closing.at, left=round(left, 1)) if closing else None,
            reports=self.exist,
        )
