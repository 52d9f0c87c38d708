"""Relations in the store: whom a person blocks or mutes, before and after signing in."""

from __future__ import annotations

import asyncio

import pytest

from pentad.store import Store, relations
from pentad.store.accounts import Accounts
from pentad.store.relations import Relations
from pentad.store.rows import LimitReached
from tests.store.test_accounts import session


def test_a_decision_replaces_the_one_before(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        known = Relations(store)
        ada, bea, eve = [(await store.add_person(name.encode(), name)).id for name in ("Ada", "Bea", "Eve")]
        await known.set(ada, eve, ["block", "mute"])
        await known.set(ada, eve, ["mute"])
        await known.set(bea, eve, ["block"])
        assert sorted(await known.all()) == [(ada, eve, "mute"), (bea, eve, "block")]
        assert await known.names([eve]) == {eve: "Eve"}
        monkeypatch.setattr(relations, "MOST_RELATIONS", 1)
        with pytest.raises(LimitReached):
            await known.set(ada, bea, ["mute"])
        await known.set(ada, eve, [])
        assert await known.all() == [(bea, eve, "block")]

    asyncio.run(run())


def test_relations_of_both_persons_are_those_of_the_account(store: Store) -> None:
    async def run() -> None:
        known, accounts = Relations(store), Accounts(store)
        ada = (await accounts.sign_up("Ada", ["ada"], "a hash", session(b"ada"), None)).id
        guest, bea, eve = [(await store.add_person(name.encode(), name)).id for name in ("Guest", "Bea", "Eve")]
        for person, other, kind in (
            (ada, bea, "block"),
            (guest, bea, "block"),
            (guest, eve, "mute"),
            (guest, ada, "mute"),
            (eve, guest, "block"),
        ):
            await known.set(person, other, [kind])
        await accounts.sign_in(ada, session(b"new"), b"Guest")
        assert sorted(await known.all()) == sorted([(ada, bea, "block"), (ada, eve, "mute"), (eve, ada, "block")])
        assert (await accounts.data(ada))["relations"] == [
            {"name": "Bea", "kind": "block"},
            {"name": "Eve", "kind": "mute"},
        ]
        await accounts.erase(ada)
        assert await known.all() == []

    asyncio.run(run())
