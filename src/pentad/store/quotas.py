"""Quotas of storage: how many studies a person and each network may keep, and how many bytes they may have together.

All together have a limit, too, as somebody may own many networks. A network may have as much as is left of it then, so
that those with the most are refused first, and one that has little always has room.

What is stored counts to the person who made it and to each network of their address, also after a restart. A network is
stored as a hash, which is enough to compare it, so that lists and backups show no addresses.

What every share has is kept as a sum, because it is compared with each change; `Studies` changes it with the studies.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, Row, bindparam, delete, func, insert, select, update

from pentad.store.rows import StorageFull
from pentad.store.schema import storage_use, studies, study_shares
from pentad.system.words import phrase

_MEGABYTE = 1 << 20

# The limits of a person; a network has several times as much, and all together have it so many times.
MOST_STUDIES = 200
MOST_BYTES = 16 * _MEGABYTE
OF_ALL = 512

_HASH_BYTES = 16


class Use(NamedTuple):
    """A number of studies, and the bytes of their chapters."""

    studies: int
    size: int


_NOTHING = Use(0, 0)


class Share(NamedTuple):
    """A person, a network or all by the hash of its name, with so many times the quota of a person."""

    key: bytes
    times: int

    @classmethod
    def of_person(cls, person: int) -> Share:
        """The share of a person."""
        return cls(_hash(f"person {person}"), 1)

    @classmethod
    def of_network(cls, name: str, times: int) -> Share:
        """The share of a network."""
        return cls(_hash(f"network {name}"), times)

    @classmethod
    def of_all(cls) -> Share:
        """The share of all who have limits."""
        return cls(_hash("all"), OF_ALL)

    @property
    def is_person(self) -> bool:
        """Whether it is a person's."""
        return self.times == 1

    @property
    def is_of_all(self) -> bool:
        """Whether it is that of all."""
        return self.key == Share.of_all().key

    def full(self, use: Use, more: Use) -> str:
        """How much a share has of its limit, if there is no room for more; else empty."""
        most = Use(MOST_STUDIES * self.times, MOST_BYTES * self.times)
        if use.studies + more.studies > most.studies:
            return phrase("{studies:,} of {most:,} studies", studies=use.studies, most=most.studies)
        if use.size + more.size > most.size:
            return phrase("{used:,.1f} of {most:,} MB", used=use.size / _MEGABYTE, most=most.size // _MEGABYTE)
        return ""

    def check(self, use: Use, more: Use) -> None:
        """Refuses a person or a network more than there is room for."""
        full = self.full(use, more)
        if not full:
            return
        if self.is_person:
            raise StorageFull(
                "You have {full}, and there is no room for more. Delete some on the page Your studies.", full=full
            )
        raise StorageFull(
            "People in your network have {full} together, and there is no room for more. Delete some of yours on the "
            "page Your studies, or use another network.",
            full=full,
        )


def _hash(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()[:_HASH_BYTES]


def shares_of(connection: Connection, study: str) -> list[Share]:
    """The shares that a study counts to."""
    found = connection.execute(select(study_shares).where(study_shares.c.study == study))
    return [Share(row.share, row.times) for row in found]


def use_of(connection: Connection, share: Share) -> Use:
    """What a share has."""
    return _uses(connection, [share]).get(share.key, _NOTHING)


def check(connection: Connection, shares: Sequence[Share], more: Use) -> None:
    """Refuses more than one of these shares has room for, or than their network gets of what all have left."""
    _check(_uses(connection, shares), shares, more)


def _check(uses: Mapping[bytes, Use], shares: Sequence[Share], more: Use) -> None:
    bounded = [each for each in shares if not each.is_of_all]
    for share in bounded:
        share.check(uses.get(share.key, _NOTHING), more)
    if len(bounded) < len(shares):
        of_all, widest = Share.of_all(), max(bounded, key=lambda each: each.times)
        used, theirs = (uses.get(each.key, _NOTHING) for each in (of_all, widest))
        # What the network has then is no more than what is left.
        wanted = Use(theirs.studies + 2 * more.studies, theirs.size + 2 * more.size)
        if full := of_all.full(used, wanted):
            raise StorageFull(
                "All people here have {full} together, and your network has more than is left. Delete some of yours on "
                "the page Your studies.",
                full=full,
            )


def _uses(connection: Connection, shares: Sequence[Share]) -> dict[bytes, Use]:
    of_shares = storage_use.c.share.in_([each.key for each in shares])
    return _by_share(connection.execute(select(storage_use).where(of_shares)))


def take(connection: Connection, shares: Sequence[Share], more: Use) -> None:
    """Adds to what shares have; `StorageFull` if one of them has no room, and then nothing changes."""
    uses = _uses(connection, shares)
    if max(more) > 0:
        _check(uses, shares, more)
    change = update(storage_use).where(storage_use.c.share.in_(uses))
    connection.execute(change.values(studies=storage_use.c.studies + more.studies, size=storage_use.c.size + more.size))
    new = [{"share": each.key, **more._asdict()} for each in shares if each.key not in uses]
    if new:
        connection.execute(insert(storage_use), new)


def give_back(connection: Connection, names: Sequence[str]) -> None:
    """Takes studies that are about to be removed from what their shares have."""
    total = (func.count().label("less"), func.sum(studies.c.size).label("fewer"))
    join = study_shares.join(studies, studies.c.name == study_shares.c.study)
    query = select(study_shares.c.share.label("of"), *total).select_from(join).where(studies.c.name.in_(names))
    found = [row._asdict() for row in connection.execute(query.group_by(study_shares.c.share))]
    if not found:
        return
    left = {
        "studies": storage_use.c.studies - bindparam("less"),
        "size": storage_use.c.size - bindparam("fewer"),
    }
    connection.execute(update(storage_use).where(storage_use.c.share == bindparam("of")).values(left), found)
    connection.execute(delete(storage_use).where(storage_use.c.studies <= 0))


def move(connection: Connection, old: Share, new: Share) -> None:
    """Counts what one share has to another, even if it has no room."""
    use = use_of(connection, old)
    connection.execute(update(study_shares).where(study_shares.c.share == old.key).values(share=new.key))
    connection.execute(delete(storage_use).where(storage_use.c.share == old.key))
    if use == _NOTHING:
        return
    if new.key in _uses(connection, [new]):
        more = {"studies": storage_use.c.studies + use.studies, "size": storage_use.c.size + use.size}
        connection.execute(update(storage_use).where(storage_use.c.share == new.key).values(more))
    else:
        connection.execute(insert(storage_use), {"share": new.key, **use._asdict()})


def counted_use(connection: Connection) -> dict[bytes, Use]:
    """What every share has, counted again from the studies."""
    join = study_shares.join(studies, studies.c.name == study_shares.c.study)
    query = select(study_shares.c.share, func.count().label("studies"), func.sum(studies.c.size).label("size"))
    return _by_share(connection.execute(query.select_from(join).group_by(study_shares.c.share)))


def stored_use(connection: Connection) -> dict[bytes, Use]:
    """What every share has, as it is stored."""
    return _by_share(connection.execute(select(storage_use)))


def _by_share(found: Iterable[Row[tuple[bytes, int, int]]]) -> dict[bytes, Use]:
    return {row.share: _use(row) for row in found}


def _use(row: Row[tuple[bytes, int, int]]) -> Use:
    return Use(int(row.studies), int(row.size))
