"""Services of what an account has as a whole: all of it as a file, and its deletion.

An export is made one game after the other, beside the event loop, and one at a time on a server.
"""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import dataclass
from typing import Any

from pentad.game import GameError
from pentad.record.formats import format_of, write
from pentad.store.rows import Cursor
from pentad.store.studies import Studies
from pentad.system.words import count, phrase
from pentad.web.backend import Backend
from pentad.web.http.exchange import Caller, Response
from pentad.web.service.accounts import OFTEN, OWN, AccountName, authentication_of, own_account
from pentad.web.service.router import GET, POST, Nothing, Posted, Route
from pentad.web.service.studies import write_study

ZIP = "application/zip"
PAGE = 50
MOST_GAMES = 5000  # the latest ones; an export holds them in memory


@dataclass(frozen=True)
class ExportPart:
    """A file in an export."""

    name: str
    text: str


async def export(backend: Backend, caller: Caller, request: Nothing) -> Response:
    """All data of the account as a zip: JSON, and the games and studies as records."""
    account, authentication = await own_account(backend, caller), authentication_of(backend)
    authentication.count_export(caller)
    data = io.BytesIO()
    async with authentication.exporting:
        rows = await authentication.accounts.data(account.person)
        with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:

            async def add(part: ExportPart) -> None:
                await backend.background(caller, archive.writestr, part.name, part.text)

            for name, found in rows.items():
                await add(ExportPart(f"{name}.json", _json(found)))
            if not await _add_games(backend, caller, account.person, archive):
                here = phrase(
                    "Your latest {games} are here. Download older ones from their pages.",
                    games=count(MOST_GAMES, "game"),
                )
                await add(ExportPart("games/older-games.txt", f"{here}\n"))
            for row, _ in await Studies(backend.store).of_person(account.person):
                if study := await Studies(backend.store).get(row.name):
                    text = (await backend.background(caller, write_study, *study)).text
                    await add(ExportPart(f"studies/{row.name}.pentad", text))
    return Response(data.getvalue(), {"Content-Disposition": 'attachment; filename="pentad.zip"'})


async def _add_games(backend: Backend, caller: Caller, person: int, archive: zipfile.ZipFile) -> bool:
    """Adds the games of a person to an export, the latest ones if there are too many; returns whether it has all."""
    kind, after, added = format_of("game.pentad", "pentad"), None, 0
    while added < MOST_GAMES:
        page: list[tuple[Any, Cursor]] = await backend.store.games_of(person, PAGE, after)
        for row, _ in page:
            if found := await backend.store.game(row.name):
                state = await backend.rooms.world.restored(*found)
                text = await backend.background(caller, write, [state.record], kind)
                await backend.background(caller, archive.writestr, f"games/{row.name}.pentad", text)
        added += len(page)
        if len(page) < PAGE:
            return True
        after = page[-1][1]
    return await backend.store.count_games(person) <= added


def _json(found: object) -> str:
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


async def delete(backend: Backend, caller: Caller, request: Posted[AccountName]) -> None:
    """Delete the account of this name with all that is its own. Its games stay, with a deleted player."""
    account, authentication = await own_account(backend, caller), authentication_of(backend)
    if request.body.name.strip() != account.name:
        raise GameError("To delete the account, type its name: {name}.", name=account.name)
    keys = [row.key_hash for row in await authentication.accounts.sessions(account.person)]
    async with backend.rooms.changed(account.person):
        await authentication.accounts.erase(account.person)
    if backend.operators is not None:
        await backend.operators.refresh()
    caller.new_key = ""
    authentication.end_sockets(keys, 0.0)


ROUTES = (
    Route(GET, "/api/account/export", export, media=ZIP, refusals={**OWN, **OFTEN}),
    Route(POST, "/api/account/delete", delete, status=204, refusals=OWN),
)
