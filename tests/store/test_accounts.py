"""Accounts in the store: names that look alike are taken once, and what a browser has comes along."""

from __future__ import annotations

import asyncio

import pytest

from pentad.game import new
from pentad.record import Record
from pentad.store import Store
from pentad.store.accounts import LINK_SECONDS, Accounts, NameTaken, NewSession, NotAllowed, PasskeyRow
from pentad.store.moderation import Action, Moderation
from pentad.store.quotas import Share, Use
from pentad.store.rows import ActionRefused, ChapterRow, ChatMessage, Person, SeatRow, StudyRow
from pentad.store.studies import Studies
from tests.store.rows import event, game

NOW = 2_000_000.0


def session(key: bytes) -> NewSession:
    return NewSession(key, "Firefox on Linux", NOW)


def seat(person: Person) -> SeatRow:
    return SeatRow("human", person.id, person.name)


async def played(store: Store, person: Person, name: str, *others: SeatRow) -> None:
    """A game of a person with a chat message, a study, a rating and an attempt at a puzzle."""
    await store.add_game(game(name, seats=(seat(person), *(others or (SeatRow("open"),)))))
    await store.add_event(name, event(0, kind="sit", seat=0, body=person.name), moves=1)
    await store.add_chat_message(name, ChatMessage(0, 0, person.name, "hello", 10.0, person.id))
    await store.add_chat_message(name, ChatMessage(1, 0, person.name, "as before authors were stored", 11.0))
    chapter = ChapterRow(1, 1, "First", Record(new("pentago")).text, 1000.0)
    study = StudyRow(f"study-{name}", b"hash", "A study", 1000.0, person.id)
    await Studies(store).add(study, [chapter], [Share.of_person(person.id)])
    await store.rate(person.id, "pentago", 1000.0 + person.id)
    await store.add_puzzle_attempt(person.id, "p1", True, 20.0)


def test_a_person_signs_up_with_all_they_have(store: Store) -> None:
    async def run() -> None:
        accounts = Accounts(store)
        assert not await accounts.exist()
        guest = await store.add_person(b"guest", "Guest")
        await played(store, guest, "g")
        ada = await accounts.sign_up("Ada", ["Ada", "ada"], "a hash", session(b"new"), b"guest")
        assert (ada, await accounts.exist()) == (Person(guest.id, "Ada", account=True), True)
        assert (await store.person(b"new"), await store.person(b"guest")) == (ada, None)
        account = await accounts.get(ada.id)
        assert account == await accounts.looking_like(["ADA", "ada"])
        assert account
        assert (account.name, account.created, account.code_hash) == ("Ada", NOW, "a hash")
        assert await accounts.looking_like(["ADA"]) is None
        found = await store.game("g")
        assert found
        assert found[0].seats[0] == SeatRow("human", ada.id, "Ada")
        assert {each.name for each in await store.chat("g")} == {"Ada"}
        (row,) = await accounts.sessions(ada.id)
        assert (row.key_hash, row.label, row.created) == (b"new", "Firefox on Linux", NOW)
        with pytest.raises(NotAllowed):
            await accounts.sign_up("Eve", ["eve"], "a hash", session(b"newer"), b"new")
        stranger = await accounts.sign_up("Bea", ["bea"], "a hash", session(b"bea"), None)
        assert stranger.id != ada.id

    asyncio.run(run())


def test_a_name_is_taken_once_however_many_ask(store: Store) -> None:
    async def run() -> None:
        accounts = Accounts(store)
        asked = [
            accounts.sign_up(f"Ada {i}", ["ada", f"{i}"], "a hash", session(bytes([i])), None) for i in range(1, 9)
        ]
        got = await asyncio.gather(*asked, return_exceptions=True)
        assert [type(each) for each in got].count(Person) == 1
        assert [type(each) for each in got].count(NameTaken) == 7
        assert (await store.counts())["persons"] == 1  # whoever is refused leaves nothing behind

    asyncio.run(run())


def test_what_a_browser_has_comes_along(store: Store) -> None:
    async def run() -> None:
        accounts, studies, moderation = Accounts(store), Studies(store), Moderation(store)
        ada = await accounts.sign_up("Ada", ["ada"], "a hash", session(b"ada"), None)
        await played(store, ada, "g")
        guest, bea = await store.add_person(b"guest", "Guest"), await store.add_person(b"bea", "Bea")
        await played(store, guest, "h", seat(bea))
        await store.add_game(game("both", seats=(seat(ada), seat(guest))))
        await store.add_puzzle_attempt(guest.id, "p2", False, 21.0)
        await store.rate(guest.id, "pente", 1234.0)
        await moderation.act(Action(kind="mute", target=str(guest.id), reason="insults"), "Olga", NOW)

        signed = await accounts.sign_in(ada.id, session(b"second"), b"guest")
        assert signed == (Person(ada.id, "Ada", account=True), guest.id)
        assert await store.person(b"guest") is None
        assert await store.person(b"ada") == await store.person(b"second") == ada
        assert await store.count_games(ada.id) == 3
        assert await store.count_games(bea.id) == 1
        both = await store.game("both")
        assert both
        assert both[0].seats == (seat(ada), seat(ada))
        assert {(each.name, each.person) for each in await store.chat("h")} == {("Ada", ada.id), ("Ada", None)}
        assert {row.name for row, _ in await studies.of_person(ada.id)} == {"study-g", "study-h"}
        one = await studies.row("study-g")
        assert one
        assert await studies.use(Share.of_person(ada.id)) == Use(2, 2 * one.size)
        assert await studies.use(Share.of_person(guest.id)) == Use(0, 0)
        tried = {(each.puzzle, each.at) for each in await store.puzzle_attempts(ada.id, 9)}
        assert tried == {("p1", 20.0), ("p2", 21.0)}
        assert (await store.rating(ada.id, "pentago"), await store.rating(ada.id, "pente")) == (1000.0 + ada.id, 1234.0)
        (mute,) = (await moderation.state()).bans
        assert (mute.kind, mute.person) == ("mute", ada.id)
        with pytest.raises(ActionRefused):
            await moderation.person(guest.id)

    asyncio.run(run())


def test_an_account_of_the_same_browser_is_signed_out_and_keeps_its_games(store: Store) -> None:
    async def run() -> None:
        accounts = Accounts(store)
        ada = await accounts.sign_up("Ada", ["ada"], "a hash", session(b"ada"), None)
        bea = await accounts.sign_up("Bea", ["bea"], "a hash", session(b"bea"), None)
        await played(store, ada, "g")
        assert await accounts.sign_in(bea.id, session(b"new"), b"ada") == (bea, None)
        assert (await store.person(b"ada"), await store.person(b"new")) == (None, bea)
        assert (await store.count_games(ada.id), await store.count_games(bea.id)) == (1, 0)
        await accounts.sign_out(b"new")
        assert await store.person(b"new") is None

    asyncio.run(run())


def test_a_ban_is_not_got_round_by_signing_in(store: Store) -> None:
    async def run() -> None:
        accounts, moderation = Accounts(store), Moderation(store)
        ada = await accounts.sign_up("Ada", ["ada"], "a hash", session(b"ada"), None)
        guest = await store.add_person(b"guest", "Guest")
        await moderation.act(Action(kind="ban person", target=str(guest.id), until=NOW + 1), "Olga", NOW)
        with pytest.raises(NotAllowed):
            await accounts.sign_in(ada.id, session(b"new"), b"guest")
        assert await store.person(b"guest") == guest
        await moderation.act(Action(kind="ban person", target=str(ada.id)), "Olga", NOW)
        with pytest.raises(NotAllowed):
            await accounts.sign_in(ada.id, session(b"new"), None)
        await moderation.act(Action(kind="unban person", target=str(ada.id)), "Olga", NOW)
        assert (await accounts.sign_in(ada.id, session(b"new"), None)).person == ada

    asyncio.run(run())


def test_a_new_name_frees_the_old_one(store: Store) -> None:
    async def run() -> None:
        accounts = Accounts(store)
        ada = await accounts.sign_up("Ada", ["Ada", "ada"], "a hash", session(b"ada"), None)
        await played(store, ada, "g")
        bea = await accounts.sign_up("Bea", ["bea"], "a hash", session(b"bea"), None)
        with pytest.raises(NameTaken):
            await accounts.rename(bea.id, "ADA", ["ADA", "ada"])
        await accounts.rename(ada.id, "Eve", ["eve"])
        await accounts.rename(bea.id, "ADA", ["ADA", "ada"])
        assert [(await store.person(key)) for key in (b"ada", b"bea")] == [
            Person(ada.id, "Eve", account=True),
            Person(bea.id, "ADA", account=True),
        ]
        found = await store.game("g")
        assert found
        assert found[0].seats[0].name == "Eve"
        await accounts.set_code(ada.id, "another hash")
        account = await accounts.get(ada.id)
        assert account
        assert account.code_hash == "another hash"

    asyncio.run(run())


def passkey(credential: bytes, person: int = 0) -> PasskeyRow:
    return PasskeyRow(credential, person, b"a public key", 0, "Chrome on Windows", NOW, NOW)


def test_passkeys_are_kept_counted_and_removed_but_for_the_last(store: Store) -> None:
    async def run() -> None:
        accounts = Accounts(store)
        ada = await accounts.sign_up("Ada", ["ada"], passkey(b"one"), session(b"ada"), None)
        assert await accounts.passkeys(ada.id) == [passkey(b"one", ada.id)]
        with pytest.raises(NotAllowed):
            await accounts.sign_up("Bea", ["bea"], passkey(b"one"), session(b"bea"), None)
        assert await accounts.looking_like(["bea"]) is None
        with pytest.raises(NotAllowed, match="only way"):
            await accounts.remove_passkey(ada.id, b"one")
        await accounts.add_passkey(passkey(b"two", ada.id))
        await accounts.note_use(b"two", 7, NOW + 1)
        found = await accounts.passkey(b"two")
        assert found
        assert (found.sign_count, found.used) == (7, NOW + 1)
        await accounts.remove_passkey(ada.id, b"one")
        assert await accounts.passkey(b"one") is None
        await accounts.set_code(ada.id, "a hash")
        await accounts.remove_passkey(ada.id, b"two")
        assert await accounts.passkeys(ada.id) == []

    asyncio.run(run())


def test_a_link_is_good_once_and_for_a_while(store: Store) -> None:
    async def run() -> None:
        accounts = Accounts(store)
        ada = await accounts.sign_up("Ada", ["ada"], "a hash", session(b"ada"), None)
        until = await accounts.add_link(ada.id, b"old", NOW - LINK_SECONDS)
        assert (until, await accounts.of_link(b"old", NOW)) == (NOW, None)
        await accounts.add_link(ada.id, b"link", NOW)
        account = await accounts.of_link(b"link", NOW)
        assert account
        assert account.name == "Ada"
        asked = [accounts.sign_in(ada.id, session(bytes([i])), None, b"link") for i in range(1, 5)]
        got = await asyncio.gather(*asked, return_exceptions=True)
        assert sorted(type(each).__name__ for each in got) == ["NotAllowed"] * 3 + ["SignedIn"]
        assert len(await accounts.sessions(ada.id)) == 2

    asyncio.run(run())


def test_a_deleted_account_leaves_its_games_alone(store: Store) -> None:
    async def run() -> None:
        accounts = Accounts(store)
        ada = await accounts.sign_up("Ada", ["ada"], passkey(b"one"), session(b"ada"), None)
        bea = await store.add_person(b"bea", "Bea")
        await accounts.add_link(ada.id, b"link", NOW)
        await played(store, ada, "g", seat(bea))
        found = await accounts.data(ada.id)
        assert {name: len(rows) for name, rows in found.items()} == {
            "account": 1,
            "sessions": 1,
            "passkeys": 1,
            "ratings": 1,
            "puzzles": 1,
            "chat": 1,
            "reports": 0,
            "relations": 0,
        }
        assert not any(word in str(found) for word in ("hash", "key_hash", "public_key"))
        await accounts.erase(ada.id)
        game_left = await store.game("g")
        assert game_left
        row, (sat,) = game_left
        assert row.seats == (SeatRow("human", None, "Deleted player"), seat(bea))
        assert sat.body == "Deleted player"
        assert {(each.name, each.person) for each in await store.chat("g")} == {("Deleted player", None)}
        assert (await store.count_games(ada.id), await store.count_games(bea.id)) == (0, 1)
        assert (await store.person(b"ada"), await accounts.passkey(b"one"), await accounts.of_link(b"link", NOW)) == (
            None,
            None,
            None,
        )
        assert (await store.counts())["studies"] == 0
        assert await Studies(store).use(Share.of_person(ada.id)) == Use(0, 0)
        assert await accounts.looking_like(["ada"]) is None
        again = await accounts.sign_up("Ada", ["ada"], "a hash", session(b"new"), None)
        assert again.id > max(ada.id, bea.id)  # nobody is taken for a person who is gone

    asyncio.run(run())
