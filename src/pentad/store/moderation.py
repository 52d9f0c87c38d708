"""Moderation in the store: operators and their tokens, bans, reports, notices, and the log of what operators did.

An action changes the database and adds a row to the log in one transaction. A server follows the log, so that the
actions of other programs reach its games, too.
"""

from __future__ import annotations

import ipaddress
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Table,
    and_,
    delete,
    desc,
    func,
    insert,
    or_,
    select,
    text,
    update,
)

from pentad.game import GameError, shown
from pentad.store import people, rows
from pentad.store.rows import (
    BAN,
    CLOSING,
    MUTE,
    NOTICE,
    ActionRefused,
    BanRow,
    ChatMessage,
    Columns,
    GameRow,
    NoticeRow,
)
from pentad.store.schema import (
    actions,
    bans,
    chapters,
    chat_table,
    games,
    notices,
    operators,
    persons,
    reports,
    sessions,
    sitters,
    studies,
)
from pentad.store.studies import remove_studies

if TYPE_CHECKING:
    from pentad.store.store import Store, WriteAttempt

Kind: TypeAlias = Literal[
    "remove game",
    "remove study",
    "remove chat",
    "rename",
    "mute",
    "unmute",
    "ban person",
    "unban person",
    "ban network",
    "unban network",
    "handle report",
    "notice",
    "clear notice",
    "close",
    "open",
    "make token",
    "revoke token",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
GAME, STUDY = "game", "study"
# A ban of more addresses than a whole provider has is a mistake. By IP version: the fewest common bits, and the most,
# as all addresses of an IPv6 /64 count as one.
WIDEST, NARROWEST = {4: 8, 6: 16}, {4: 32, 6: 64}
MOST_FOUND = 50
MOST_WAITING_REPORTS = 5000
CHAT_SEPARATOR = "/"  # between a game and the number of a message

_LOCK = "LOCK TABLE actions IN SHARE ROW EXCLUSIVE MODE"  # on PostgreSQL, so that numbers appear in their order


@dataclass(frozen=True, kw_only=True)
class Action:
    """What an operator does: its kind, to whom or what, until when, with which text, and why.

    The target is the number of a person or of a report, the name of a game, a study or an operator, a network, or a
    chat message as `GAME/NUMBER`.
    """

    kind: Kind
    target: str = ""
    until: float | None = None
    text: str = ""
    reason: str = ""


class LogRow(NamedTuple):
    """An action in the log."""

    number: int
    at: float
    operator: str
    action: Action


Change: TypeAlias = Callable[[Connection, LogRow], None]


class PlayerReport(NamedTuple):
    """A report by a player: its place, with a ply or a chapter and a chat message, and the reason."""

    place: str
    name: str
    part: int | None
    chat: int | None
    quote: str
    about: int | None
    reason: str
    text: str


class ReportRow(NamedTuple):
    """A stored report; `done` is None while it waits for an operator."""

    number: int
    at: float
    reporter: int | None
    report: PlayerReport
    about_name: str
    done: float | None
    operator: str


class OperatorRow(NamedTuple):
    """An operator with a token."""

    name: str
    token_hash: bytes
    made: float


class ModerationState(NamedTuple):
    """What a server keeps in memory, as it was after the last action in the log."""

    last: int
    operators: list[OperatorRow]
    bans: list[BanRow]
    notices: dict[str, NoticeRow]


class ChatLine(NamedTuple):
    """A chat message with its game."""

    game: str
    message: ChatMessage


@dataclass(frozen=True, kw_only=True)
class StudyFound:
    """A study as operators see it."""

    name: str
    title: str
    chapters: int
    created: float


@dataclass(frozen=True, kw_only=True)
class PersonFound:
    """A person, and the number of their games."""

    number: int
    name: str
    games: int


class Found(NamedTuple):
    """What a search finds."""

    people: list[PersonFound]
    games: list[GameRow]
    studies: list[StudyFound]
    chat: list[ChatLine]


class KnownPerson(NamedTuple):
    """What the store knows of a person; `names` are those at the seats of their games and in chats."""

    number: int
    name: str
    names: list[str]
    games: list[GameRow]
    studies: list[StudyFound]
    chat: list[ChatLine]
    bans: list[BanRow]
    reports: list[ReportRow]


class KnownGame(NamedTuple):
    """A game with its chat, and the reports about it."""

    row: GameRow
    chat: list[ChatMessage]
    reports: list[ReportRow]


class KnownStudy(NamedTuple):
    """A study with the titles of its chapters, and the reports about it."""

    study: StudyFound
    titles: list[str]
    reports: list[ReportRow]


def checked_network(word: str) -> str:
    """A network to ban; `GameError` if it is none, or far too wide.

    >>> checked_network("192.0.2.77"), checked_network("2001:db8::1")
    ('192.0.2.77/32', '2001:db8::/64')
    """
    try:
        found = ipaddress.ip_network(word.strip(), strict=False)
    except ValueError:
        raise GameError(
            "Expected an IP address or a network such as 192.0.2.0/24, got {word}.", word=shown(word)
        ) from None
    if found.version == 6 and found.prefixlen >= 96 and (mapped := found.network_address.ipv4_mapped):
        found = ipaddress.ip_network(f"{mapped}/{found.prefixlen - 96}", strict=False)
    least = WIDEST[found.version]
    if found.prefixlen < least:
        raise GameError(
            "{network} is too wide. Expected a network with at least {least} common bits, such as {example}.",
            network=found,
            least=least,
            example=f"{found.network_address}/{least}",
        )
    if found.is_loopback:
        raise GameError(
            "{network} is this machine, whose programs have no address. It cannot be banned.", network=found
        )
    most = NARROWEST[found.version]
    return str(found.supernet(new_prefix=most) if found.prefixlen > most else found)


class Moderation:
    """The moderation of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    # ── actions ──────────────────────────────────────────────────────────────────────────────────

    async def act(self, action: Action, operator: str, at: float) -> LogRow:
        """Does what an operator wants, and logs it; `GameError` if it is not possible."""
        change = _CHANGES.get(action.kind)
        if change is None:
            raise GameError("Only the command line makes tokens.")
        return await self._write(_checked(action), operator, at, change)

    async def add_operator(self, name: str, token_hash: bytes, operator: str, at: float) -> LogRow:
        """Adds an operator with a token."""
        action = Action(kind="make token", target=rows.text("operator", name))
        row = {"name": name, "token_hash": rows.key(token_hash), "made": rows.seconds("time", at)}

        def add(connection: Connection, _: LogRow) -> None:
            if connection.execute(select(operators.c.name).where(operators.c.name == name)).first():
                raise ActionRefused("The operator {name} already has a token. Revoke it first.", name=shown(name))
            connection.execute(insert(operators), row)

        return await self._write(action, operator, at, add)

    async def _write(self, action: Action, operator: str, at: float, change: Change) -> LogRow:
        """Makes a change and logs it."""
        same = _columns(action, operator, at)

        def write(attempt: WriteAttempt) -> LogRow:
            connection = attempt.connection
            if attempt.again and (row := _logged(connection, same)):
                return row
            if connection.dialect.name == "postgresql":  # SQLite has one writer anyway
                connection.execute(text(_LOCK))
            done = LogRow(connection.execute(_LAST).scalar_one() + 1, at, operator, action)
            change(connection, done)
            connection.execute(insert(actions), {"number": done.number, **same})
            return done

        return await self._store.write("an operator's action", write)

    async def log(self, limit: int = MOST_FOUND, before: int | None = None) -> list[LogRow]:
        """The last actions, the latest first."""
        found = select(actions).order_by(desc(actions.c.number)).limit(limit)
        if before is not None:
            found = found.where(actions.c.number < before)
        return await self._store.read(lambda connection: list(map(_log_row, connection.execute(found))))

    async def since(self, number: int) -> list[LogRow]:
        """The actions after the one with this number."""
        found = select(actions).where(actions.c.number > number).order_by(actions.c.number)
        return await self._store.read(lambda connection: list(map(_log_row, connection.execute(found))))

    async def state(self) -> ModerationState:
        """The operators, bans and notices, all of one moment."""

        def read(connection: Connection) -> ModerationState:
            last = connection.execute(_LAST).scalar_one()
            listed = [OperatorRow(*row) for row in connection.execute(select(operators).order_by(operators.c.name))]
            shown_now = {
                row.kind: NoticeRow(*row) for row in connection.execute(select(notices).order_by(notices.c.kind))
            }
            return ModerationState(last, listed, _bans(connection), shown_now)

        return await self._store.read(read)

    # ── reports ──────────────────────────────────────────────────────────────────────────────────

    async def add_report(self, report: PlayerReport, reporter: int, at: float) -> None:
        """Adds a report by a person."""
        row = {
            **report._asdict(),
            "name": rows.text("game name", report.name),
            "quote": rows.text("text", report.quote),
            "text": rows.text("note", report.text),
            "reporter": reporter,
            "at": rows.seconds("time", at),
            "operator": "",
        }

        def write(attempt: WriteAttempt) -> None:
            same = (reports.c.reporter == reporter, reports.c.at == at)
            if attempt.again and attempt.connection.execute(select(reports.c.id).where(*same)).first():
                return
            waiting = select(func.count()).select_from(reports).where(reports.c.done.is_(None))
            if attempt.connection.execute(waiting).scalar_one() >= MOST_WAITING_REPORTS:
                raise rows.LimitReached("Too many reports are waiting for an operator. Try again tomorrow.")
            attempt.connection.execute(insert(reports), row)

        await self._store.write("a report", write)

    async def reports(self, *, done: bool = False, limit: int = MOST_FOUND) -> list[ReportRow]:
        """The reports that wait, the oldest first, or those that were handled, the latest first."""
        order = desc(reports.c.done) if done else reports.c.at
        where = reports.c.done.is_not(None) if done else reports.c.done.is_(None)
        return await self._store.read(lambda connection: _reports(connection, where, limit, order))

    async def count_reports(self) -> int:
        """The number of reports that wait."""
        waiting = select(func.count()).select_from(reports).where(reports.c.done.is_(None))
        return await self._store.read(lambda connection: int(connection.execute(waiting).scalar_one()))

    # ── search ───────────────────────────────────────────────────────────────────────────────────

    async def search(self, words: str, limit: int = MOST_FOUND) -> Found:
        """People by name or number, games and studies by name or by a player or a title, and chat messages."""
        part = rows.text("note", " ".join(words.split()))
        if not part:
            raise GameError("Expected a text to search for.")

        def has(column: ColumnElement[Any]) -> ColumnElement[bool]:
            return func.lower(column).contains(part.lower(), autoescape=True)

        def read(connection: Connection) -> Found:
            number = int(part) if part.isascii() and part.isdigit() and len(part) < 10 else -1
            named = or_(has(persons.c.name), persons.c.id == number)
            theirs = select(sitters.c.game).join(persons, persons.c.id == sitters.c.person).where(named)
            played = select(games).where(or_(games.c.name == part, games.c.name.in_(theirs)))
            return Found(
                _people(connection, named, limit),
                list(map(GameRow.of, connection.execute(played.order_by(desc(games.c.touched)).limit(limit)))),
                _studies(connection, or_(studies.c.name == part, has(studies.c.title)), limit),
                _chat(connection, or_(has(chat_table.c.text), has(chat_table.c.name)), limit),
            )

        return await self._store.read(read)

    async def person(self, number: int) -> KnownPerson:
        """What is known of a person; `ActionRefused` if there is none of this number."""

        def read(connection: Connection) -> KnownPerson:
            row = _person(connection, str(number))
            mine = select(games).where(games.c.name.in_(select(sitters.c.game).where(sitters.c.person == number)))
            played = list(map(GameRow.of, connection.execute(mine.order_by(desc(games.c.touched)).limit(MOST_FOUND))))
            said = _chat(connection, chat_table.c.person == number, MOST_FOUND)
            seats = [seat.name for game in played for seat in game.seats if seat.person == number]
            made = _studies(connection, studies.c.person == number, MOST_FOUND)
            names = dict.fromkeys(filter(None, [row.name, *seats, *(line.message.name for line in said)]))
            own_bans = [ban for ban in _bans(connection) if ban.person == number]
            about = _reports(connection, reports.c.about == number, MOST_FOUND, desc(reports.c.at))
            return KnownPerson(number, row.name, list(names), played, made, said, own_bans, about)

        return await self._store.read(read)

    async def game(self, name: str) -> KnownGame:
        """A game; `ActionRefused` if there is none of this name."""
        rows.text("game name", name)

        def read(connection: Connection) -> KnownGame:
            row = connection.execute(select(games).where(games.c.name == name)).first()
            if row is None:
                raise _no_game(name)
            where = (reports.c.place == GAME) & (reports.c.name == name)
            chat = [line.message for line in reversed(_chat(connection, chat_table.c.game == name, 1000))]
            return KnownGame(GameRow.of(row), chat, _reports(connection, where, MOST_FOUND, desc(reports.c.at)))

        return await self._store.read(read)

    async def study(self, name: str) -> KnownStudy:
        """A study; `ActionRefused` if there is none of this name."""
        rows.text("study name", name)

        def read(connection: Connection) -> KnownStudy:
            found = _studies(connection, studies.c.name == name, 1)
            if not found:
                raise _no_study(name)
            titles = select(chapters.c.title).where(chapters.c.study == name).order_by(chapters.c.place)
            where = (reports.c.place == STUDY) & (reports.c.name == name)
            listed = list(connection.execute(titles).scalars())
            return KnownStudy(found[0], listed, _reports(connection, where, MOST_FOUND, desc(reports.c.at)))

        return await self._store.read(read)


# ── the log ──────────────────────────────────────────────────────────────────────────────────────

_LAST = select(func.coalesce(func.max(actions.c.number), 0))


def _columns(action: Action, operator: str, at: float) -> Columns:
    return {
        "at": rows.seconds("time", at),
        "operator": rows.text("operator", operator),
        "kind": action.kind,
        "target": rows.text("target", action.target),
        "until": None if action.until is None else rows.seconds("time", action.until),
        "text": rows.text("note", action.text),
        "reason": rows.text("reason", action.reason),
    }


def _logged(connection: Connection, columns: Columns) -> LogRow | None:
    """The row of an action that an earlier attempt has done."""
    same = [actions.c[name].is_not_distinct_from(value) for name, value in columns.items()]
    row = connection.execute(select(actions).where(*same)).first()
    return _log_row(row) if row else None


def _log_row(row: Any) -> LogRow:
    action = Action(kind=row.kind, target=row.target, until=row.until, text=row.text, reason=row.reason)
    return LogRow(row.number, row.at, row.operator, action)


def _checked(action: Action) -> Action:
    """An action with the texts that the database can store, and with a network as it is kept."""
    _columns(action, "", 0.0)
    if action.kind in ("ban network", "unban network"):
        return replace(action, target=checked_network(action.target))
    if action.kind == "rename" and not rows.text("name", action.text):
        raise GameError("Expected a name.")
    return action


# ── what actions change ──────────────────────────────────────────────────────────────────────────


def _remove_game(connection: Connection, done: LogRow) -> None:
    if not connection.execute(delete(games).where(games.c.name == done.action.target)).rowcount:
        raise _no_game(done.action.target)


def _remove_study(connection: Connection, done: LogRow) -> None:
    if not connection.execute(select(studies.c.name).where(studies.c.name == done.action.target)).first():
        raise _no_study(done.action.target)
    remove_studies(connection, [done.action.target])


def _remove_chat(connection: Connection, done: LogRow) -> None:
    game, number = chat_target(done.action.target)
    same = (chat_table.c.game == game, chat_table.c.number == number)
    blank = update(chat_table).where(*same, chat_table.c.text != "").values(name="", text="")
    if not connection.execute(blank).rowcount:  # its number stays, and is never used again
        raise ActionRefused("There is no chat message {target}.", target=shown(done.action.target))


def _rename(connection: Connection, done: LogRow) -> None:
    """Another name of a person, in all their games and chats, too."""
    people.rename(connection, _person(connection, done.action.target).id, done.action.text)


def _ban_of(connection: Connection, action: Action) -> Columns:
    """The columns of a ban that name whom it is about."""
    if action.kind.endswith("network"):
        return {"person": None, "network": action.target}
    return {"person": _person(connection, action.target).id, "network": None}


def _ban(connection: Connection, done: LogRow) -> None:
    kind, of = MUTE if done.action.kind == "mute" else BAN, _ban_of(connection, done.action)
    if done.action.until is not None and done.action.until <= done.at:
        raise ActionRefused("Expected a time in the future.")
    connection.execute(delete(bans).where(_is_ban(kind, of)))
    connection.execute(delete(bans).where(bans.c.until < done.at))  # a good moment to forget what is over
    row = {"kind": kind, **of, "until": done.action.until, "reason": done.action.reason}
    connection.execute(insert(bans), {**row, "at": done.at, "operator": done.operator})


def _lift(connection: Connection, done: LogRow) -> None:
    kind = MUTE if done.action.kind == "unmute" else BAN
    same, now = _is_ban(kind, _ban_of(connection, done.action)), done.at
    was = connection.execute(delete(bans).where(same, or_(bans.c.until.is_(None), bans.c.until >= now))).rowcount
    if not was:
        word = "muted" if kind == MUTE else "banned"
        raise ActionRefused("{whom} is not {word}.", whom=whom(done.action), word=word)


def _is_ban(kind: str, of: Columns) -> ColumnElement[bool]:
    of_whom = [bans.c[name].is_not_distinct_from(value) for name, value in of.items()]
    return and_(bans.c.kind == kind, *of_whom)


def _handle(connection: Connection, done: LogRow) -> None:
    number = _number(done.action.target, "report")
    waiting = update(reports).where(reports.c.id == number, reports.c.done.is_(None))
    change = waiting.values(done=done.at, operator=done.operator)
    if not connection.execute(change).rowcount:
        raise ActionRefused("No report {number} is waiting.", number=done.action.target)


def _set_notice(connection: Connection, done: LogRow) -> None:
    kind = NOTICE if done.action.kind == "notice" else CLOSING
    if kind == NOTICE and not done.action.text.strip():
        raise ActionRefused("Expected a text for the notice.")
    if kind == CLOSING and done.action.until is None:
        raise ActionRefused("Expected when the server closes.")
    connection.execute(delete(notices).where(notices.c.kind == kind))
    connection.execute(
        insert(notices), {"kind": kind, "text": done.action.text, "at": done.at, "due": done.action.until}
    )


def _clear_notice(connection: Connection, done: LogRow) -> None:
    kind, refusal = (
        (NOTICE, "There is no notice.") if done.action.kind == "clear notice" else (CLOSING, "The server is open.")
    )
    if not connection.execute(delete(notices).where(notices.c.kind == kind)).rowcount:
        raise ActionRefused(refusal)


def _revoke(connection: Connection, done: LogRow) -> None:
    if not connection.execute(delete(operators).where(operators.c.name == done.action.target)).rowcount:
        raise ActionRefused("There is no operator {name} with a token.", name=shown(done.action.target))


_CHANGES: Mapping[str, Change] = {
    "remove game": _remove_game,
    "remove study": _remove_study,
    "remove chat": _remove_chat,
    "rename": _rename,
    "mute": _ban,
    "unmute": _lift,
    "ban person": _ban,
    "unban person": _lift,
    "ban network": _ban,
    "unban network": _lift,
    "handle report": _handle,
    "notice": _set_notice,
    "clear notice": _clear_notice,
    "close": _set_notice,
    "open": _clear_notice,
    "revoke token": _revoke,
}


def whom(action: Action) -> str:
    """The target of an action in a sentence.

    >>> whom(Action(kind="mute", target="7")), whom(Action(kind="ban network", target="192.0.2.0/24"))
    ('Person 7', '192.0.2.0/24')
    """
    return f"Person {action.target}" if action.kind in OF_PERSONS else action.target


OF_PERSONS: tuple[Kind, ...] = ("rename", "mute", "unmute", "ban person", "unban person")


def chat_target(target: str) -> tuple[str, int]:
    """The game and the number of a chat message."""
    game, separator, number = target.rpartition(CHAT_SEPARATOR)
    if not separator:
        raise ActionRefused("Expected a chat message as GAME/NUMBER, got {target}.", target=shown(target))
    return game, _number(number, "chat message")


def _number(word: str, what: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 10):
        raise ActionRefused("Expected the number of a {what}, got {word}.", what=what, word=shown(word))
    return int(word)


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def _person(connection: Connection, word: str) -> Any:
    row = connection.execute(select(persons).where(persons.c.id == _number(word, "person"))).first()
    if row is None:
        raise ActionRefused("There is no person {number}.", number=word)
    return row


def _no_game(name: str) -> ActionRefused:
    return ActionRefused("There is no game {name}.", name=shown(name))


def _no_study(name: str) -> ActionRefused:
    return ActionRefused("There is no study {name}.", name=shown(name))


def _bans(connection: Connection) -> list[BanRow]:
    joined = bans.outerjoin(persons, persons.c.id == bans.c.person)
    found = select(bans, persons.c.name).select_from(joined).order_by(bans.c.id)
    keys = defaultdict[int, list[bytes]](list)
    theirs = select(sessions).where(sessions.c.person.in_(select(bans.c.person).where(bans.c.person.is_not(None))))
    for row in connection.execute(theirs.order_by(sessions.c.key_hash)):
        keys[row.person].append(bytes(row.key_hash))
    return [
        BanRow(
            row.kind,
            row.person,
            tuple(keys.get(row.person, ())),
            row.network,
            row.name or "",
            row.until,
            row.reason,
            row.at,
            row.operator,
        )
        for row in connection.execute(found)
    ]


def _reports(connection: Connection, where: ColumnElement[bool], limit: int, order: Any) -> list[ReportRow]:
    joined = reports.outerjoin(persons, persons.c.id == reports.c.about)
    found = select(reports, persons.c.name.label("about_name")).select_from(joined)
    return [
        ReportRow(
            row.id,
            row.at,
            row.reporter,
            PlayerReport(row.place, row.name, row.part, row.chat, row.quote, row.about, row.reason, row.text),
            row.about_name or "",
            row.done,
            row.operator,
        )
        for row in connection.execute(found.where(where).order_by(order, reports.c.id).limit(limit))
    ]


def _people(connection: Connection, where: ColumnElement[bool], limit: int) -> list[PersonFound]:
    played = select(func.count(sitters.c.game.distinct())).where(sitters.c.person == persons.c.id).scalar_subquery()
    found = select(persons.c.id, persons.c.name, played.label("games")).where(where)
    return [
        PersonFound(number=row.id, name=row.name, games=row.games)
        for row in connection.execute(found.order_by(desc(persons.c.id)).limit(limit))
    ]


def _studies(connection: Connection, where: ColumnElement[bool], limit: int) -> list[StudyFound]:
    counted = select(func.count()).select_from(chapters).where(chapters.c.study == studies.c.name).scalar_subquery()
    found = select(studies.c.name, studies.c.title, counted.label("chapters"), studies.c.created).where(where)
    latest = found.order_by(desc(studies.c.created)).limit(limit)
    return [StudyFound(**row._asdict()) for row in connection.execute(latest)]


def _chat(connection: Connection, where: ColumnElement[bool], limit: int) -> list[ChatLine]:
    """Chat messages, the latest first; those of a person without a number have that of their seat."""
    seated = (sitters.c.game == chat_table.c.game) & (sitters.c.seat == chat_table.c.seat)
    person = func.coalesce(chat_table.c.person, sitters.c.person).label("author")
    found: Select[Any] = select(chat_table, person).select_from(chat_table.outerjoin(sitters, seated))
    ordered = (
        found.where(where, chat_table.c.text != "")
        .order_by(desc(chat_table.c.at), desc(chat_table.c.number))
        .limit(limit)
    )
    return [
        ChatLine(row.game, ChatMessage(row.number, row.seat, row.name, row.text, row.at, row.author))
        for row in connection.execute(ordered)
    ]


# ── a check of what is stored ────────────────────────────────────────────────────────────────────


def check_rows(connection: Connection, table: str) -> int:
    """The number of rows of a table of moderation; `GameError` if one of them is not as it should be."""
    found = list(connection.execute(select(TABLES[table])))
    for row in found:
        if not _ROW_CHECKS[table](row):
            raise GameError("Invalid row: {row}.", row=shown(", ".join(map(str, row[:4]))))
    return len(found)


def _is_valid_ban(row: Any) -> bool:
    if row.kind not in (BAN, MUTE) or (row.person is None) == (row.network is None):
        return False
    try:
        return row.network is None or checked_network(row.network) == row.network
    except GameError:
        return False


TABLES: Mapping[str, Table] = {each.name: each for each in (operators, bans, actions, reports, notices)}
_ROW_CHECKS: Mapping[str, Callable[[Any], bool]] = {
    "operators": lambda row: bool(row.name and row.token_hash),
    "bans": _is_valid_ban,
    "actions": lambda row: row.number > 0 and row.kind in KINDS,
    "reports": lambda row: row.place in (GAME, STUDY),
    "notices": lambda row: row.kind == NOTICE or (row.kind == CLOSING and row.due is not None),
}
