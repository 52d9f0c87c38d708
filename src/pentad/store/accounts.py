"""Accounts in the store: persons whose names last, and the browsers in which they are signed in.

Signing up makes the person of a browser an account. Signing in elsewhere gives the account what the person of that
browser has. Each begins a new session, and ends the one that the browser had.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Connection, Select, and_, delete, exists, insert, or_, select, update

from pentad.store import people, rows
from pentad.store.relations import own_relations
from pentad.store.rows import BAN, ActionRefused, Columns, LimitReached, Person
from pentad.store.schema import (
    account_names,
    accounts,
    attempts,
    bans,
    chat_table,
    passkeys,
    persons,
    ratings,
    reports,
    sessions,
    sign_in_links,
)

if TYPE_CHECKING:
    from pentad.store.store import Store, WriteAttempt

MOST_SESSIONS, MOST_PASSKEYS = 50, 20
LINK_SECONDS = 120.0
TAKEN = "{name} is taken, or looks like a name that is. Choose another one."
LINK_IS_OVER = "This link is not good any more. Make another one on the other device."


class NameTaken(ActionRefused):
    """A name that looks like that of another account."""


class NotAllowed(ActionRefused):
    """A change of an account that is not possible now; nothing has changed."""


class NewSession(NamedTuple):
    """A session that begins: the hash of its secret, its browser, and when."""

    key_hash: bytes
    label: str
    at: float

    def of(self, person: int) -> Columns:
        """The session as a row of `sessions`."""
        return {**rows.session_columns(self.key_hash, self.label, self.at), "person": person}


class AccountRow(NamedTuple):
    """An account; `code_hash` is None without a recovery code."""

    person: int
    name: str
    created: float
    code_hash: str | None


class SessionRow(NamedTuple):
    """A browser in which a person is known."""

    key_hash: bytes
    label: str
    created: float
    seen: float


class PasskeyRow(NamedTuple):
    """A passkey: the id of its credential, its public key, and how often it has signed, as far as it counts."""

    id: bytes
    person: int
    public_key: bytes
    sign_count: int
    label: str
    created: float
    used: float

    @property
    def columns(self) -> Columns:
        """The passkey as a row of `passkeys`, without its person."""
        if not 0 < len(self.id) <= rows.MAX_CREDENTIAL_BYTES or len(self.public_key) > rows.MAX_PUBLIC_KEY_BYTES:
            raise NotAllowed("This passkey is too long.")
        return {**self._asdict(), "label": rows.text("label", self.label)}


class SignedIn(NamedTuple):
    """The person of a new session, and who had the browser before and is gone now."""

    person: Person
    merged: int | None


class Accounts:
    """The accounts of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    # ── reading ──────────────────────────────────────────────────────────────────────────────────

    async def exist(self) -> bool:
        """Whether there is an account."""
        some = select(exists(select(accounts.c.person)))
        return await self._store.read(lambda connection: bool(connection.execute(some).scalar_one()))

    async def get(self, person: int) -> AccountRow | None:
        """The account of a person."""
        return await self._found(accounts.c.person == person)

    async def looking_like(self, looks: Collection[str]) -> AccountRow | None:
        """The account whose name has one of these looks; the looks of one name may fit several."""
        has_look = select(account_names.c.person).where(account_names.c.look.in_(looks))
        return await self._found(accounts.c.person.in_(has_look))

    async def _found(self, where: Any) -> AccountRow | None:
        query = select(accounts, persons.c.name).join(persons, persons.c.id == accounts.c.person).where(where)

        def find(connection: Connection) -> AccountRow | None:
            row = connection.execute(query.order_by(accounts.c.person).limit(1)).first()
            return AccountRow(row.person, row.name, row.created, row.code_hash) if row else None

        return await self._store.read(find)

    async def sessions(self, person: int) -> list[SessionRow]:
        """The sessions of a person, the last seen first."""
        theirs = select(sessions).where(sessions.c.person == person)
        ordered = theirs.order_by(sessions.c.seen.desc(), sessions.c.created.desc(), sessions.c.key_hash)

        def find(connection: Connection) -> list[SessionRow]:
            found = connection.execute(ordered)
            return [SessionRow(bytes(row.key_hash), row.label, row.created, row.seen) for row in found]

        return await self._store.read(find)

    # ── signing up and in ────────────────────────────────────────────────────────────────────────

    async def sign_up(
        self,
        name: str,
        looks: Sequence[str],
        first_key: str | PasskeyRow,
        session: NewSession,
        before: bytes | None,
    ) -> Person:
        """Makes an account of the person with the session `before`, or of a new one, which begins this session.

        `first_key` is the hash of its recovery code, or its passkey.
        """
        code_hash = first_key if isinstance(first_key, str) else None
        row = {"created": rows.seconds("time", session.at), "code_hash": code_hash}
        rows.text("name", name)

        def sign_up(attempt: WriteAttempt) -> Person:
            connection = attempt.connection
            if attempt.again and (known := _person_of(connection, session.key_hash)):
                return Person(known, name, account=True)
            person = _person_of(connection, before)
            if person is None:
                added = insert(persons).values(name=name).returning(persons.c.id)
                person = connection.execute(added).scalar_one()
            elif connection.execute(select(accounts.c.person).where(accounts.c.person == person)).first():
                raise NotAllowed("You have an account already.")
            connection.execute(insert(accounts), {"person": person, **row})
            _take_name(connection, person, looks, name)
            if isinstance(first_key, PasskeyRow):
                _add_passkey(connection, first_key._replace(person=person))
            people.rename(connection, person, name)
            _begin(connection, session, person, before)
            return Person(person, name, account=True)

        return await self._store.write("a new account", sign_up)

    async def sign_in(
        self, account: int, session: NewSession, before: bytes | None, link: bytes | None = None
    ) -> SignedIn:
        """Begins a session of an account, which gets what the person of the session `before` has, unless an account.

        A `link` with this hash is used up by it.
        """

        def sign_in(attempt: WriteAttempt) -> SignedIn:
            connection = attempt.connection
            row = connection.execute(_ACCOUNTS.where(accounts.c.person == account)).first()
            if row is None:
                raise NotAllowed("This account was deleted.")
            person = Person(account, row.name, account=True)
            if attempt.again and _person_of(connection, session.key_hash) == account:
                return SignedIn(person, None)
            if (
                link is not None
                and not connection.execute(delete(sign_in_links).where(_holds(link, session.at))).rowcount
            ):
                raise NotAllowed(LINK_IS_OVER)
            guest = _person_of(connection, before)
            if guest and connection.execute(select(accounts.c.person).where(accounts.c.person == guest)).first():
                guest = None  # another account of the same browser, which is signed out
            for each in filter(None, (account, guest)):
                _check_ban(connection, each, session.at)
            if len(connection.execute(select(sessions.c.key_hash).where(sessions.c.person == account)).all()) >= (
                MOST_SESSIONS
            ):
                raise LimitReached(
                    "You are signed in in {count} browsers. Sign out in some of them first.", count=MOST_SESSIONS
                )
            if guest:
                people.move(connection, guest, account, row.name)
            _begin(connection, session, account, before)
            return SignedIn(person, guest)

        return await self._store.write("a new session", sign_in)

    async def sign_out(self, key_hash: bytes) -> None:
        """Ends a session."""
        ended = delete(sessions).where(sessions.c.key_hash == key_hash)
        await self._store.write("the end of a session", lambda attempt: attempt.connection.execute(ended).rowcount)

    # ── links to sign in ─────────────────────────────────────────────────────────────────────────

    async def add_link(self, person: int, link: bytes, now: float) -> float:
        """Adds a link to sign in, which replaces the person's last one; returns until when it is good."""
        row = {"link_hash": rows.key(link), "person": person, "until": rows.seconds("time", now + LINK_SECONDS)}

        def add(attempt: WriteAttempt) -> None:
            theirs = or_(sign_in_links.c.person == person, sign_in_links.c.until <= now)
            attempt.connection.execute(delete(sign_in_links).where(theirs))
            attempt.connection.execute(insert(sign_in_links), row)

        await self._store.write("a link to sign in", add)
        return now + LINK_SECONDS

    async def of_link(self, link: bytes, now: float) -> AccountRow | None:
        """The account of a link that is good."""
        return await self._found(accounts.c.person.in_(select(sign_in_links.c.person).where(_holds(link, now))))

    # ── passkeys ─────────────────────────────────────────────────────────────────────────────────

    async def passkeys(self, person: int) -> list[PasskeyRow]:
        """The passkeys of an account, the oldest first."""
        ordered = select(passkeys).where(passkeys.c.person == person).order_by(passkeys.c.created, passkeys.c.id)
        return await self._store.read(lambda connection: list(map(_passkey, connection.execute(ordered))))

    async def passkey(self, credential: bytes) -> PasskeyRow | None:
        """The passkey with the id of a credential."""
        query = select(passkeys).where(passkeys.c.id == credential)

        def find(connection: Connection) -> PasskeyRow | None:
            row = connection.execute(query).first()
            return _passkey(row) if row else None

        return await self._store.read(find)

    async def add_passkey(self, passkey: PasskeyRow) -> None:
        """Adds a passkey to an account."""

        def add(attempt: WriteAttempt) -> None:
            known = attempt.connection.execute(select(passkeys.c.person).where(passkeys.c.id == passkey.id)).scalar()
            if not (attempt.again and known == passkey.person):
                _add_passkey(attempt.connection, passkey)

        await self._store.write("a passkey", add)

    async def note_use(self, credential: bytes, sign_count: int, at: float) -> None:
        """Notes that a passkey was used."""
        change = update(passkeys).where(passkeys.c.id == credential).values(sign_count=sign_count, used=at)
        await self._store.write("the use of a passkey", lambda attempt: attempt.connection.execute(change).rowcount)

    async def remove_passkey(self, person: int, credential: bytes) -> None:
        """Removes a passkey, unless it is the only way to sign in."""

        def remove(attempt: WriteAttempt) -> None:
            connection = attempt.connection
            theirs = connection.execute(select(passkeys.c.id).where(passkeys.c.person == person)).scalars().all()
            code = connection.execute(select(accounts.c.code_hash).where(accounts.c.person == person)).scalar()
            if [bytes(each) for each in theirs] == [credential] and code is None:
                raise NotAllowed("This is your only way to sign in. Make a recovery code first.")
            connection.execute(delete(passkeys).where(passkeys.c.person == person, passkeys.c.id == credential))

        await self._store.write("the removal of a passkey", remove)

    # ── changes ──────────────────────────────────────────────────────────────────────────────────

    async def rename(self, person: int, name: str, looks: Sequence[str]) -> None:
        """Gives an account another name; the old one is free."""
        rows.text("name", name)

        def rename(attempt: WriteAttempt) -> None:
            connection = attempt.connection
            connection.execute(delete(account_names).where(account_names.c.person == person))
            _take_name(connection, person, looks, name)
            people.rename(connection, person, name)

        self._store.forget_expected(person)
        await self._store.write("the name of an account", rename)

    async def erase(self, person: int) -> None:
        """Removes an account with its person; their games stay."""

        def erase(attempt: WriteAttempt) -> None:
            people.erase(attempt.connection, person)

        self._store.forget_expected(person)
        await self._store.write("the removal of an account", erase)

    async def data(self, person: int) -> dict[str, list[dict[str, Any]]]:
        """What is stored of a person besides their games and studies, by kind; no secrets, and no hashes of them."""
        theirs = (
            ("account", _ACCOUNTS.where(accounts.c.person == person), ("code_hash", "person")),
            ("sessions", select(sessions).where(sessions.c.person == person), ("key_hash", "person")),
            ("passkeys", select(passkeys).where(passkeys.c.person == person), ("id", "public_key", "person")),
            ("ratings", select(ratings).where(ratings.c.person == person), ("person",)),
            ("puzzles", select(attempts).where(attempts.c.person == person).order_by(attempts.c.at), ("person",)),
            ("chat", select(chat_table).where(chat_table.c.person == person).order_by(chat_table.c.at), ("person",)),
            ("reports", select(reports).where(reports.c.reporter == person), ("reporter", "about", "operator")),
        )

        def find(connection: Connection) -> dict[str, list[dict[str, Any]]]:
            listed = {name: _listed(connection, query, left_out) for name, query, left_out in theirs}
            return {**listed, "relations": list(own_relations(connection, person))}

        return await self._store.read(find)

    async def set_code(self, person: int, code_hash: str) -> None:
        """Replaces the recovery code of an account."""
        change = update(accounts).where(accounts.c.person == person)
        changed = change.values(code_hash=rows.text("code hash", code_hash))
        await self._store.write("a recovery code", lambda attempt: attempt.connection.execute(changed).rowcount)


def _holds(link: bytes, now: float) -> Any:
    return and_(sign_in_links.c.link_hash == link, sign_in_links.c.until > now)


def _passkey(row: Any) -> PasskeyRow:
    return PasskeyRow(
        bytes(row.id), row.person, bytes(row.public_key), row.sign_count, row.label, row.created, row.used
    )


def _add_passkey(connection: Connection, passkey: PasskeyRow) -> None:
    columns = passkey.columns
    if connection.execute(select(passkeys.c.id).where(passkeys.c.id == passkey.id)).first():
        raise NotAllowed("This passkey is known already.")
    if len(connection.execute(select(passkeys.c.id).where(passkeys.c.person == passkey.person)).all()) >= MOST_PASSKEYS:
        raise LimitReached("An account has at most {count} passkeys.", count=MOST_PASSKEYS)
    connection.execute(insert(passkeys), columns)


def _listed(connection: Connection, query: Select[Any], left_out: Collection[str] = ()) -> list[dict[str, Any]]:
    """The rows of a query for an export, without these columns."""
    found = connection.execute(query).mappings()
    return [{name: value for name, value in row.items() if name not in left_out} for row in found]


_ACCOUNTS = select(accounts, persons.c.name).join(persons, persons.c.id == accounts.c.person)


def _person_of(connection: Connection, key_hash: bytes | None) -> int | None:
    """The person of a session; None if it is over."""
    if key_hash is None:
        return None
    return connection.execute(select(sessions.c.person).where(sessions.c.key_hash == key_hash)).scalar()


def _begin(connection: Connection, session: NewSession, person: int, before: bytes | None) -> None:
    """Begins a session in place of the one that the browser had."""
    connection.execute(delete(sessions).where(sessions.c.key_hash == (before or b"")))
    connection.execute(insert(sessions), session.of(person))


def _take_name(connection: Connection, person: int, looks: Sequence[str], name: str) -> None:
    """Takes all looks of a name for an account; `NameTaken` if another one has one of them."""
    if connection.dialect.name == "postgresql":  # SQLite has one writer anyway
        connection.exec_driver_sql("LOCK TABLE account_names IN SHARE ROW EXCLUSIVE MODE")
    if connection.execute(select(account_names.c.look).where(account_names.c.look.in_(looks))).first():
        raise NameTaken(TAKEN, name=name)
    connection.execute(insert(account_names), [{"look": rows.text("look", look), "person": person} for look in looks])


def _check_ban(connection: Connection, person: int, now: float) -> None:
    """Refuses to let a ban be lost, or got round, by signing in."""
    holds = or_(bans.c.until.is_(None), bans.c.until > now)
    if connection.execute(select(bans.c.id).where(bans.c.person == person, bans.c.kind == BAN, holds)).first():
        raise NotAllowed("This account is banned.")
