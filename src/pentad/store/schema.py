"""Tables of the store; `migrations` makes them, and changes those of an earlier release."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    and_,
    not_,
)

from pentad.store.rows import MAX_CREDENTIAL_BYTES, MAX_KEY_BYTES, MAX_LENGTHS, MAX_PUBLIC_KEY_BYTES

LAST_MIGRATION = "5"
# Revisions of databases from before the first release, and the last commit that reads them.
UNRELEASED = frozenset({"0001", "0002", "0003", "0004", "0005", "0006"})
LAST_READER = "1bad3449a819c2ee71cf3b7f59a5f63e22b62698"
VERSION_TABLE = "pentad_version"  # identifies a pentad database

metadata = MetaData()


def _text(what: str) -> String:
    return String(MAX_LENGTHS[what])


def _of_game() -> Column[str]:
    return Column("game", _text("game name"), ForeignKey("games.name", ondelete="CASCADE"), primary_key=True)


def _of_person() -> Column[int]:
    return Column("person", Integer, ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True)


persons = Table(
    "persons",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", _text("name"), nullable=False),
    sqlite_autoincrement=True,  # the number of a removed person is never another's
)

# The browsers in which a person is known, each by a secret in its cookie.
sessions = Table(
    "sessions",
    metadata,
    Column("key_hash", LargeBinary(MAX_KEY_BYTES), primary_key=True),
    Column("person", Integer, ForeignKey("persons.id", ondelete="CASCADE"), nullable=False),
    Column("label", _text("label"), nullable=False),  # the browser and its system
    Column("created", Double, nullable=False),
    Column("seen", Double, nullable=False),  # the last visit, to a day; only of accounts
    sqlite_with_rowid=False,
)
Index("sessions_by_person", sessions.c.person)

# Persons whose names last: they can sign in in other browsers.
accounts = Table(
    "accounts",
    metadata,
    _of_person(),
    Column("created", Double, nullable=False),
    Column("code_hash", _text("code hash")),  # argon2id; NULL without a recovery code
    sqlite_with_rowid=False,
)

# How the names of accounts look; no two of them share a look.
account_names = Table(
    "account_names",
    metadata,
    Column("look", _text("look"), primary_key=True),
    Column("person", Integer, ForeignKey("accounts.person", ondelete="CASCADE"), nullable=False),
    sqlite_with_rowid=False,
)
Index("account_names_by_person", account_names.c.person)

passkeys = Table(
    "passkeys",
    metadata,
    Column("id", LargeBinary(MAX_CREDENTIAL_BYTES), primary_key=True),  # of the credential, as its device has made it
    Column("person", Integer, ForeignKey("accounts.person", ondelete="CASCADE"), nullable=False),
    Column("public_key", LargeBinary(MAX_PUBLIC_KEY_BYTES), nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("label", _text("label"), nullable=False),  # the browser in which it was made
    Column("created", Double, nullable=False),
    Column("used", Double, nullable=False),
    sqlite_with_rowid=False,
)
Index("passkeys_by_person", passkeys.c.person)

# Links to sign in on another device, each of which is good once.
sign_in_links = Table(
    "sign_in_links",
    metadata,
    Column("link_hash", LargeBinary(MAX_KEY_BYTES), primary_key=True),
    Column("person", Integer, ForeignKey("accounts.person", ondelete="CASCADE"), nullable=False),
    Column("until", Double, nullable=False),
    sqlite_with_rowid=False,
)

# Whom a person has blocked or muted, account or not.
relations = Table(
    "relations",
    metadata,
    _of_person(),
    Column("other", Integer, ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True),
    Column("kind", _text("kind"), primary_key=True),  # one of `block` and `mute`, as `Relations` writes them
    sqlite_with_rowid=False,
)
Index("relations_of_others", relations.c.other)

games = Table(
    "games",
    metadata,
    Column("name", _text("game name"), primary_key=True),
    Column("game", _text("game"), nullable=False),
    Column("start", Text, nullable=False),
    Column("options", Text, nullable=False),  # JSON, as are seats and time
    Column("seats", Text, nullable=False),
    Column("time", Text, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("created", Double, nullable=False),
    Column("again", _text("game name")),
    Column("result", _text("result")),
    Column("touched", Double, nullable=False),
    Column("moves", Integer, nullable=False),
    Column("open", Boolean, nullable=False),  # whether there is an open seat
    Column("played", Boolean, nullable=False),  # whether there has been a move, even one that was taken back
    Column("events", Integer, nullable=False),  # their count, which is the number of the next one
    Column("turn", Integer),  # the seat to move; NULL if the game is over
    Column("due", Double),  # the deadline of that seat
    Column("winners", Integer),  # the winning seats as a set of bits, 0 for a draw; NULL without a score
    # Why the game is over, as `Outcome.reason`; NULL in games that ended on the board before this column.
    Column("reason", _text("reason")),
)
# No index includes `touched`, which changes with every move: PostgreSQL would have to update every index.
to_be_joined = and_(games.c.listed, games.c.open, games.c.result.is_(None))
Index("games_to_be_joined", games.c.created, sqlite_where=to_be_joined, postgresql_where=to_be_joined)
unplayed = not_(games.c.played)
Index("games_unplayed", games.c.created, sqlite_where=unplayed, postgresql_where=unplayed)
finished = games.c.result.is_not(None)
Index("games_finished", games.c.game, games.c.created, sqlite_where=finished, postgresql_where=finished)

events = Table(
    "events",
    metadata,
    _of_game(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", _text("kind"), nullable=False),
    Column("seat", Integer),
    Column("body", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column("clocks", Text, nullable=False),  # the clocks of all seats as JSON
    sqlite_with_rowid=False,
)

# The persons seated in each game; `games.seats` has them too, but cannot be searched.
sitters = Table(
    "sitters",
    metadata,
    _of_game(),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("person", Integer, ForeignKey("persons.id", ondelete="CASCADE"), nullable=False),
    Column("opponents", Text, nullable=False),  # the others' names, for a search
    sqlite_with_rowid=False,
)
# A search in a person's games reads all of that person's rows: no index finds a part of a name.
Index("sitters_by_person", sitters.c.person)

chat_table = Table(
    "chat",
    metadata,
    _of_game(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer),
    Column("name", _text("name"), nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column("person", Integer, ForeignKey("persons.id")),  # NULL in messages from before this column
    sqlite_with_rowid=False,
)

studies = Table(
    "studies",
    metadata,
    Column("name", _text("study name"), primary_key=True),
    # The link to edit has the key whose hash this is.
    Column("edit_hash", LargeBinary(MAX_KEY_BYTES), nullable=False),
    Column("title", _text("title"), nullable=False),
    Column("created", Double, nullable=False),
    Column("next", Integer, nullable=False),  # the number of the next chapter; numbers are never used again
    # Who made it; NULL if it is older than this column. The studies of a person must be removed first, so that the
    # sums in `storage_use` stay right.
    Column("person", Integer, ForeignKey("persons.id")),
    Column("visited", Double, nullable=False),  # the last visit, to a day
    Column("size", Integer, nullable=False),  # bytes of the titles and records of its chapters
)
Index("studies_by_person", studies.c.person)
Index("studies_by_visit", studies.c.visited)

# The shares of storage that each study counts to; see `quotas`.
study_shares = Table(
    "study_shares",
    metadata,
    Column("study", _text("study name"), ForeignKey("studies.name", ondelete="CASCADE"), primary_key=True),
    Column("share", LargeBinary(MAX_KEY_BYTES), primary_key=True),
    Column("times", Integer, nullable=False),  # how many times the quota of a person it has
    sqlite_with_rowid=False,
)

# What each share has.
storage_use = Table(
    "storage_use",
    metadata,
    Column("share", LargeBinary(MAX_KEY_BYTES), primary_key=True),
    Column("studies", Integer, nullable=False),
    Column("size", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

chapters = Table(
    "chapters",
    metadata,
    Column("study", _text("study name"), ForeignKey("studies.name", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("place", Integer, nullable=False),  # chapters are listed by it
    Column("version", Integer, nullable=False),  # 1, and one more with each change
    Column("title", _text("title"), nullable=False),
    Column("record", Text, nullable=False),
    Column("touched", Double, nullable=False),
    sqlite_with_rowid=False,
)

ratings = Table(
    "ratings",
    metadata,
    _of_person(),
    Column("game", _text("game"), primary_key=True),
    Column("rating", Double, nullable=False),
    sqlite_with_rowid=False,
)

attempts = Table(
    "attempts",
    metadata,
    _of_person(),
    Column("at", Double, primary_key=True),
    Column("puzzle", _text("puzzle"), primary_key=True),
    Column("right", Boolean, nullable=False),
    sqlite_with_rowid=False,
)

# ── moderation ───────────────────────────────────────────────────────────────────────────────────

operators = Table(
    "operators",
    metadata,
    Column("name", _text("operator"), primary_key=True),
    Column("token_hash", LargeBinary(MAX_KEY_BYTES), nullable=False, unique=True),
    Column("made", Double, nullable=False),
    sqlite_with_rowid=False,
)

bans = Table(
    "bans",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", _text("kind"), nullable=False),  # a ban or a mute, `ban` or `mute`
    # Of a person or of a network, not of both.
    Column("person", Integer, ForeignKey("persons.id", ondelete="CASCADE")),
    Column("network", _text("network")),
    Column("until", Double),  # NULL until it is lifted
    Column("reason", _text("reason"), nullable=False),
    Column("at", Double, nullable=False),
    Column("operator", _text("operator"), nullable=False),
)

# What operators have done. A server follows it: each new row is a change that others have made.
actions = Table(
    "actions",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", Double, nullable=False),
    Column("operator", _text("operator"), nullable=False),
    Column("kind", _text("kind"), nullable=False),
    Column("target", _text("target"), nullable=False),
    Column("until", Double),
    Column("text", _text("note"), nullable=False),
    Column("reason", _text("reason"), nullable=False),
    sqlite_with_rowid=False,
)

reports = Table(
    "reports",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Double, nullable=False),
    Column("reporter", Integer, ForeignKey("persons.id", ondelete="SET NULL")),
    Column("place", _text("kind"), nullable=False),  # what `name` is: `game` or `study`
    Column("name", _text("game name"), nullable=False),
    Column("part", Integer),  # the ply of a game, the chapter of a study
    Column("chat", Integer),
    Column("quote", Text, nullable=False),  # the chat message, which may be removed meanwhile
    Column("about", Integer, ForeignKey("persons.id", ondelete="SET NULL")),
    Column("reason", _text("kind"), nullable=False),
    Column("text", _text("note"), nullable=False),
    Column("done", Double),  # NULL while it waits for an operator
    Column("operator", _text("operator"), nullable=False),
)
Index("reports_about", reports.c.about)
Index("bans_of_persons", bans.c.person)

notices = Table(
    "notices",
    metadata,
    Column("kind", _text("kind"), primary_key=True),  # a notice or maintenance: `notice` or `closing`
    Column("text", _text("note"), nullable=False),
    Column("at", Double, nullable=False),
    Column("due", Double),  # when the server closes
    sqlite_with_rowid=False,
)
