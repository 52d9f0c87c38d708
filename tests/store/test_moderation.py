"""Moderation in the store: actions change the database and are logged; what is not possible changes nothing."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from pentad.game import GameError, new
from pentad.record import Record
from pentad.store import Store, moderation, quotas
from pentad.store.moderation import Action, Kind, Moderation, PlayerReport, checked_network
from pentad.store.quotas import Share
from pentad.store.rows import ActionRefused, ChapterRow, ChatMessage, LimitReached, Person, SeatRow, StudyRow
from pentad.store.studies import Studies
from tests.store.real_games import tables
from tests.store.rows import game

NOW = 2000.0
WEEK = 7 * 86400.0


class Server:
    """A store with two persons, a game of theirs with a chat, and a study."""

    def __init__(self, store: Store) -> None:
        self.store, self.moderation = store, Moderation(store)

    async def fill(self) -> None:
        self.ada = await self.store.add_person(b"ada", "Ada")
        self.bea = await self.store.add_person(b"bea", "Bea")
        seats = (SeatRow("human", self.ada.id, "Ada"), SeatRow("human", self.bea.id, "Bea"))
        await self.store.add_game(game("g", seats=seats))
        for number, (seat, name, text, person) in enumerate(
            [(0, "Ada", "hello", self.ada.id), (1, "Bea", "you 50% fool", None), (None, "Ada", "bye", self.ada.id)]
        ):
            await self.store.add_chat_message("g", ChatMessage(number, seat, name, text, 10.0 + number, person))
        chapter = ChapterRow(1, 1, "First", Record(new("pentago")).text, 1000.0)
        study = StudyRow("s", b"hash", "A study", 1000.0, self.ada.id)
        await Studies(self.store).add(study, [chapter], [Share(b"ada", 1)])

    async def act(self, kind: Kind, target: object = "", **more: Any) -> None:
        await self.moderation.act(Action(kind=kind, target=str(target), **more), "Olga", NOW)

    async def refused(self, kind: Kind, target: object = "", **more: Any) -> str:
        last = (await self.moderation.state()).last
        with pytest.raises(GameError) as refusal:
            await self.act(kind, target, **more)
        assert (await self.moderation.state()).last == last
        return str(refusal.value)


@pytest.fixture
def server(store: Store) -> Server:
    filled = Server(store)
    asyncio.run(filled.fill())
    return filled


def test_actions_are_logged(server: Server) -> None:
    async def run() -> None:
        await server.act("mute", server.ada.id, until=NOW + WEEK, reason="insults")
        await server.act("notice", text="Cake at noon.")
        log = await server.moderation.log()
        assert [(row.number, row.operator, row.action.kind) for row in log] == [
            (2, "Olga", "notice"),
            (1, "Olga", "mute"),
        ]
        assert log[1].action == Action(kind="mute", target=str(server.ada.id), until=NOW + WEEK, reason="insults")
        assert await server.moderation.since(1) == log[:1]
        assert await server.moderation.log(before=2) == log[1:]

    asyncio.run(run())


def test_games_studies_and_chat_messages_are_removed(server: Server, url: str) -> None:
    async def run() -> None:
        await server.act("remove chat", "g/1")
        assert [each.text for each in await server.store.chat("g")] == ["hello", "", "bye"]
        assert [each.text for each in (await server.moderation.game("g")).chat] == ["hello", "bye"]
        assert await server.refused("remove chat", "g/1") == "There is no chat message 'g/1'."
        await server.act("remove game", "g")
        await server.act("remove study", "s")
        assert await server.refused("remove chat", "g/0") == "There is no chat message 'g/0'."
        assert await server.refused("remove game", "g") == "There is no game 'g'."
        assert await server.refused("remove study", "s") == "There is no study 's'."

    asyncio.run(run())
    left = tables(url)
    assert not any(left[name] for name in ("games", "events", "sitters", "chat", "studies", "chapters"))


def test_a_person_is_renamed_everywhere(server: Server) -> None:
    async def run() -> None:
        await server.act("rename", server.ada.id, text="Player 1")
        assert await server.store.person(b"ada") == Person(server.ada.id, "Player 1")
        found = await server.store.game("g")
        assert found
        assert [seat.name for seat in found[0].seats] == ["Player 1", "Bea"]
        assert [each.name for each in await server.store.chat("g")] == ["Player 1", "Bea", "Player 1"]
        assert not (await server.moderation.search("ada")).people
        assert await server.store.count_games(server.bea.id) == 1

    asyncio.run(run())


def test_bans_are_kept_with_their_reasons_and_lifted(server: Server) -> None:
    async def run() -> None:
        await server.act("ban person", server.ada.id, until=NOW + 1, reason="first")
        await server.act("ban person", server.ada.id, until=NOW + WEEK, reason="second")
        await server.act("ban network", "192.0.2.9/24")
        await server.act("mute", server.bea.id)
        listed = [(ban.kind, ban.person, ban.network, ban.name, ban.until, ban.reason) for ban in (await state()).bans]
        assert listed == [
            ("ban", server.ada.id, None, "Ada", NOW + WEEK, "second"),
            ("ban", None, "192.0.2.0/24", "", None, ""),
            ("mute", server.bea.id, None, "Bea", None, ""),
        ]
        assert await server.refused("unmute", server.ada.id) == f"Person {server.ada.id} is not muted."
        await server.act("unban person", server.ada.id)
        await server.act("unban network", "192.0.2.200/24")
        await server.act("unmute", server.bea.id)
        assert (await state()).bans == []
        assert await server.refused("unban network", "192.0.2.0/24") == "192.0.2.0/24 is not banned."

    async def state() -> moderation.ModerationState:
        return await server.moderation.state()

    asyncio.run(run())


REFUSED: list[tuple[Kind, str, dict[str, Any], str]] = [
    ("ban person", "99", {}, "There is no person 99."),
    ("ban person", "-1", {}, "Expected the number of a person, got '-1'."),
    ("ban person", "1" * 70, {}, "Expected the number of a person, got '1111"),
    ("ban person", "x" * 81, {}, "Cannot store the target: it is 81 characters long, the limit is 80."),
    ("ban person", "1", {"until": NOW - 1}, "Expected a time in the future."),
    ("ban person", "1", {"until": float("nan")}, "Cannot store the time: expected a finite number, got nan."),
    ("ban person", "1", {"reason": "x" * 201}, "Cannot store the reason: it is 201 characters long, the limit is 200."),
    ("ban network", "::/0", {}, "::/0 is too wide. Expected a network with at least 16 common bits, such as ::/16."),
    ("ban network", "0.0.0.0/0", {}, "0.0.0.0/0 is too wide."),
    ("ban network", "::ffff:0:0/96", {}, "0.0.0.0/0 is too wide."),
    ("ban network", "127.0.0.1", {}, "127.0.0.1/32 is this machine, whose programs have no address."),
    ("ban network", "localhost", {}, "Expected an IP address or a network such as 192.0.2.0/24, got 'localhost'."),
    ("remove chat", "g", {}, "Expected a chat message as GAME/NUMBER, got 'g'."),
    ("remove game", "g\0", {}, "Cannot store the target: it contains the character NUL."),
    ("rename", "1", {"text": ""}, "Expected a name."),
    ("rename", "1", {"text": "x" * 81}, "Cannot store the name: it is 81 characters long, the limit is 80."),
    ("handle report", "1", {}, "No report 1 is waiting."),
    ("notice", "", {"text": " "}, "Expected a text for the notice."),
    ("clear notice", "", {}, "There is no notice."),
    ("close", "", {}, "Expected when the server closes."),
    ("open", "", {}, "The server is open."),
    ("make token", "eve", {}, "Only the command line makes tokens."),
    ("revoke token", "eve", {}, "There is no operator 'eve' with a token."),
]


def test_what_is_not_possible_changes_nothing(server: Server, url: str) -> None:
    async def run() -> None:
        for kind, target, more, message in REFUSED:
            assert (await server.refused(kind, target, **more)).startswith(message)

    before = tables(url)
    asyncio.run(run())
    assert tables(url) == before


@pytest.mark.parametrize(
    ("word", "network"),
    [
        ("192.0.2.77", "192.0.2.77/32"),
        ("10.1.2.3/8", "10.0.0.0/8"),
        ("2001:db8::1:2", "2001:db8::/64"),
        ("2001:db8:1:2::/56", "2001:db8:1::/56"),
        ("::ffff:192.0.2.0/120", "192.0.2.0/24"),
    ],
)
def test_a_network_is_kept_in_one_form(word: str, network: str) -> None:
    assert checked_network(word) == network


def test_operators_have_tokens(server: Server) -> None:
    async def run() -> None:
        await server.moderation.add_operator("Olga", b"hash", "root", NOW)
        with pytest.raises(ActionRefused, match="'Olga' already has a token"):
            await server.moderation.add_operator("Olga", b"other", "root", NOW)
        state = await server.moderation.state()
        assert [(each.name, each.token_hash) for each in state.operators] == [("Olga", b"hash")]
        assert [row.action.kind for row in await server.moderation.log()] == ["make token"]
        await server.act("revoke token", "Olga")
        assert (await server.moderation.state()).operators == []

    asyncio.run(run())


def report(**more: Any) -> PlayerReport:
    given = {"place": "game", "name": "g", "part": 3, "chat": 1, "quote": "you fool", "about": None}
    return PlayerReport(**{**given, "reason": "abuse", "text": "Rude.", **more})


def test_reports_wait_until_they_are_handled(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        await server.moderation.add_report(report(about=server.bea.id), server.ada.id, NOW)
        await server.moderation.add_report(report(place="study", name="s", chat=None, quote=""), server.bea.id, NOW + 1)
        first, second = await server.moderation.reports()
        assert (first.reporter, first.about_name, first.report.quote) == (server.ada.id, "Bea", "you fool")
        assert (second.reporter, second.report.place) == (server.bea.id, "study")
        assert (await server.moderation.person(server.bea.id)).reports == [first]
        assert (await server.moderation.game("g")).reports == [first]
        assert (await server.moderation.study("s")).reports == [second]
        await server.act("handle report", first.number)
        assert await server.moderation.reports() == [second]
        (done,) = await server.moderation.reports(done=True)
        assert (done.done, done.operator) == (NOW, "Olga")
        monkeypatch.setattr(moderation, "MOST_WAITING_REPORTS", 1)
        with pytest.raises(LimitReached, match="Too many reports"):
            await server.moderation.add_report(report(), server.ada.id, NOW)
        assert await server.moderation.count_reports() == 1

    asyncio.run(run())


def test_a_search_finds_people_games_studies_and_chat(server: Server) -> None:
    async def run() -> None:
        found = await server.moderation.search("ADA")
        assert [(each.number, each.name, each.games) for each in found.people] == [(server.ada.id, "Ada", 1)]
        assert [row.name for row in found.games] == ["g"]
        assert {line.message.text for line in found.chat} == {"hello", "bye"}
        assert [(each.name, each.chapters) for each in (await server.moderation.search("stud")).studies] == [("s", 1)]
        (line,) = (await server.moderation.search("50%")).chat
        assert (line.game, line.message.number, line.message.person) == ("g", 1, server.bea.id)
        assert [each.name for each in (await server.moderation.search(str(server.bea.id))).people] == ["Bea"]
        assert await server.moderation.search("' OR 1=1 --") == ([], [], [], [])
        for text in ("", "  ", "x" * 501, "\0"):
            with pytest.raises(GameError):
                await server.moderation.search(text)

    asyncio.run(run())


def test_a_removed_study_leaves_room_for_others(server: Server) -> None:
    async def run() -> None:
        await server.act("remove study", "s")
        assert await server.store.read(quotas.stored_use) == await server.store.read(quotas.counted_use) == {}

    asyncio.run(run())


def test_a_person_has_a_file(server: Server) -> None:
    async def run() -> None:
        await server.act("ban person", server.ada.id)
        file = await server.moderation.person(server.ada.id)
        assert (file.name, file.names, [row.name for row in file.games]) == ("Ada", ["Ada"], ["g"])
        assert [line.message.text for line in file.chat] == ["bye", "hello"]
        assert [study.title for study in file.studies] == ["A study"]
        assert [ban.kind for ban in file.bans] == ["ban"]
        with pytest.raises(ActionRefused, match="There is no person 99"):
            await server.moderation.person(99)

    asyncio.run(run())


def test_notices_replace_each_other(server: Server) -> None:
    async def run() -> None:
        await server.act("notice", text="One.")
        await server.act("notice", text="Two.")
        await server.act("close", until=NOW + 600, text="An upgrade.")
        notices = (await server.moderation.state()).notices
        assert [(each.kind, each.text, each.due) for each in notices.values()] == [
            ("closing", "An upgrade.", NOW + 600),
            ("notice", "Two.", None),
        ]
        await server.act("clear notice")
        await server.act("open")
        assert (await server.moderation.state()).notices == {}

    asyncio.run(run())


@pytest.mark.fast_cases(1)
def test_numbers_in_the_log_appear_in_their_order(url: str) -> None:
    """Two programs act at once; whoever follows the log misses nothing."""
    stores = [Store.open(url) for _ in range(2)]

    async def run() -> list[int]:
        sides = [Moderation(store) for store in stores]
        for number in range(10):
            await asyncio.gather(*(side.act(Action(kind="notice", text="x"), "Olga", NOW + number) for side in sides))
        return [row.number for row in await sides[0].since(0)]

    assert asyncio.run(run()) == [*range(1, 21)]
    for store in stores:
        store.close()
