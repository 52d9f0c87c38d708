"""The store on both databases: rows survive a round trip, and a failed write changes nothing."""

import asyncio
import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad.game import GameError
from pentad.store import Store
from pentad.store.game_search import GameSearch
from pentad.store.rows import ChatMessage, Conflict, EventRow, GameRow, PendingTurn, Person, SeatRow, StoreError
from tests.properties import properties
from tests.store.conftest import NewUrl
from tests.store.rows import event, game

HASH = b"\0\xff" * 16


@pytest.fixture(scope="module")
def lasting(new_url: NewUrl) -> Iterator[Store]:
    """One store for many examples."""
    with_games = Store.open(new_url())
    yield with_games
    with_games.close()


# ── games ────────────────────────────────────────────────────────────────────────────────────────

letters = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
numbers = st.floats(allow_nan=False, allow_infinity=False)
whole = st.integers(0, 2**31 - 1)
values = st.booleans() | st.integers() | st.text(letters, max_size=20)
a_seat = st.builds(
    SeatRow, st.sampled_from(["human", "open", "engine:depth=3"]), st.none(), st.text(letters, max_size=80)
)
an_event = st.builds(
    EventRow,
    st.just(0),
    st.text(letters, max_size=16),
    st.none() | whole,
    st.text(letters, max_size=200),
    numbers,
    st.lists(numbers, max_size=5).map(tuple),
)
a_game = st.builds(
    GameRow,
    st.just(""),
    st.text(letters, max_size=40),
    st.text(letters, max_size=500),
    st.dictionaries(st.text(letters, max_size=20), values, max_size=4),
    st.lists(a_seat, max_size=5).map(tuple),
    st.dictionaries(st.text(letters, max_size=10), numbers, max_size=3),
    st.booleans(),
    numbers,
    st.none() | st.text(letters, max_size=40),
    st.none() | st.text(letters, max_size=400),
    numbers,
    whole,
)
fresh = map("r{}".format, count())


@pytest.mark.fast_cases(1)
@properties(60)
@given(row=a_game, events=st.lists(an_event, max_size=4))
def test_games_and_events_survive_a_round_trip(lasting, row, events):
    row = replace(row, name=next(fresh))
    events = [replace(each, number=number) for number, each in enumerate(events)]

    async def save_and_load():
        await lasting.add_game(row)
        for each in events:
            await lasting.add_event(row.name, each)
        return await lasting.game(row.name)

    touched = events[-1].at if events else row.touched
    found = asyncio.run(save_and_load())
    assert found == (replace(row, touched=touched), events)
    assert [type(value) for value in found[0].options.values()] == [type(value) for value in row.options.values()]


@pytest.mark.fast_cases(1)
def test_an_event_changes_its_game(store):
    async def play():
        ada = await store.add_person(HASH, "Ada")
        await store.add_game(game("g"))
        seats = (SeatRow("human", ada.id, "Ada"), SeatRow("human"))
        await store.add_event("g", event(0, kind="sit"), seats=seats)
        await store.add_event("g", event(1), moves=1, result="1-0 five")
        row, events = await store.game("g")
        assert row == game("g", seats=seats, result="1-0 five", moves=1, touched=event(1).at)
        assert events == [event(0, kind="sit"), event(1)]
        assert [game for game, _ in await store.games_of(ada.id)] == [row]

        await store.add_event("g", event(2, kind="undo"), moves=0, result=None)
        row, _ = await store.game("g")
        assert (row.result, row.moves) == (None, 0)
        await store.add_event("g", event(3, kind="leave"), seats=(SeatRow("open"), SeatRow("human")))
        assert await store.games_of(ada.id) == []

    asyncio.run(play())


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("number", [0, 1, 3])
def test_an_event_that_is_not_the_next_one_is_refused_and_changes_nothing(store, number):
    async def play():
        await store.add_game(game("g"))
        for each in range(2):
            await store.add_event("g", event(each), moves=each + 1)
        before = await store.game("g")
        with pytest.raises(Conflict, match=f"event {number} .* the next one is 2"):
            await store.add_event("g", event(number, body="other"), seats=(), result="over", moves=9)
        assert await store.game("g") == before

    asyncio.run(play())


@pytest.mark.fast_cases(1)
def test_one_of_many_concurrent_writes_wins_and_the_others_are_unaffected(store):
    async def crowd():
        await asyncio.gather(*(store.add_game(game(name)) for name in "gh"))
        writes = [store.add_event("g", event(0, body=f"{each}")) for each in range(20)]
        writes += [store.add_event("h", event(each)) for each in range(20)]
        outcomes = await asyncio.gather(*writes, return_exceptions=True)
        assert outcomes[0] is None
        assert [type(each) for each in outcomes[1:20]] == [Conflict] * 19
        assert outcomes[20:] == [None] * 20
        assert (await store.game("g"))[1] == [event(0, body="0")]
        assert (await store.game("h"))[1] == [event(each) for each in range(20)]

    asyncio.run(crowd())


def test_taken_and_unknown_names_are_refused(store):
    async def ask():
        await store.add_game(game("g"))
        with pytest.raises(Conflict, match="The game g already exists"):
            await store.add_game(game("g", game="pente"))
        assert (await store.game("g"))[0] == game("g")
        assert await store.game("nobody") is None
        assert await store.chat("nobody") == []
        with pytest.raises(StoreError, match="Unknown game nobody"):
            await store.add_event("nobody", event(0))
        with pytest.raises(StoreError, match="Unknown game nobody"):
            await store.add_chat_message("nobody", ChatMessage(0, None, "Ada", "hello", 1.0))
        with pytest.raises(StoreError, match="has an unknown person"):
            await store.add_game(game("h", seats=(SeatRow("human", 77),)))
        assert await store.game("h") is None
        with pytest.raises(StoreError, match="has an unknown person"):
            await store.add_event("g", event(0), seats=(SeatRow("human", 77),))
        assert await store.game("g") == (game("g"), [])

    asyncio.run(ask())


def test_lists_are_filtered_and_sorted(store):
    async def ask():
        ada = await store.add_person(HASH, "Ada")
        both = (SeatRow("human", ada.id), SeatRow("human", ada.id))
        for number, name in enumerate("abcdef"):
            await store.add_game(game(name, created=float(number), touched=float(number)))
        await store.add_game(game("hidden", listed=False))
        await store.add_event("b", event(0, kind="sit", at=50.0), seats=both)
        await store.add_event("a", event(0, kind="sit", at=60.0), seats=both)
        await store.add_event("c", event(0, at=70.0), moves=1, result="over")
        assert [row.name for row in await store.open_games()] == ["f", "e", "d"]
        assert [row.name for row in await store.open_games(limit=2)] == ["f", "e"]
        assert [row.name for row, _ in await store.games_of(ada.id)] == ["a", "b"]
        assert [row.name for row, _ in await store.games_of(ada.id, limit=1)] == ["a"]
        assert await store.games_of(ada.id + 1) == []

    asyncio.run(ask())


@pytest.mark.fast_cases(1)
def test_a_persons_games_are_listed_by_turn_and_deadline_in_pages(store):
    async def ask():
        ada, bea = await store.add_person(HASH, "Ada"), await store.add_person(b"\1" * 32, "Bea")
        alone, pair = SeatRow("human", ada.id), (SeatRow("human", ada.id), SeatRow("human", bea.id))

        async def keep(name, turn, due=None, seats=pair, result=None, touched=100.0):
            row = game(name, seats=seats, turn=PendingTurn(turn, due), result=result, touched=touched)
            await store.add_game(row)

        await keep("over", None, result="1-0 five")
        await keep("theirs", 1, 50.0)
        await keep("computer", 0, seats=(alone, SeatRow("greedy")), touched=999.0)
        await keep("older", 0, touched=10.0)
        await keep("newer", 0, touched=20.0)
        await keep("later", 0, 70.5)
        await keep("soon", 0, 60.25)
        whole = [row.name for row, _ in await store.games_of(ada.id)]
        assert whole == ["soon", "later", "newer", "older", "computer", "theirs", "over"]
        assert [row.name for row, _ in await store.games_of(bea.id)][:2] == ["theirs", "soon"]
        pages, after = [], None
        while page := await store.games_of(ada.id, 3, after):
            pages += [row.name for row, _ in page]
            after = page[-1][1]
        assert pages == whole
        # A move passes the turn to the other seat; unnamed columns stay unchanged.
        await store.add_event("soon", event(0, at=200.0), turn=PendingTurn(1, 90.0))
        await store.add_event("soon", event(1, kind="offer", at=201.0))
        row, _ = await store.game("soon")
        assert row.turn == PendingTurn(1, 90.0)
        assert [row.name for row, _ in await store.games_of(ada.id)][:2] == ["later", "newer"]
        await store.set_turn("newer", 7, PendingTurn(1))  # the game has another number of events
        assert (await store.game("newer"))[0].turn == PendingTurn(0)
        await store.set_turn("newer", 0, PendingTurn(1))
        assert (await store.game("newer"))[0].turn == PendingTurn(1)

    asyncio.run(ask())


@pytest.mark.fast_cases(1)
def test_a_persons_games_are_found_by_opponent_game_and_result(store):
    async def ask():
        ada, bea = await store.add_person(HASH, "Ada"), await store.add_person(b"\1" * 32, "Bea")
        me, her = SeatRow("human", ada.id, "Ada"), SeatRow("human", bea.id, "Bea_50% Österreich/")
        bot = SeatRow("engine@3")
        games = {
            "won": game("won", seats=(me, her), result="1-0"),
            "lost": game("lost", seats=(me, bot), result="0-1", game="pente"),
            "draw": game("draw", seats=(her, me), result="1/2-1/2"),
            "shared": game("shared", seats=(her, me, bot), result="0-1/2-1/2"),
            "two seats": game("two seats", seats=(me, bot, me), result="1-0-0"),
            "alone": game("alone", seats=(me, me), result="1-0"),
            "waits": game("waits", seats=(me, SeatRow("open"))),
            "goes on": game("goes on", seats=(me, SeatRow("human", bea.id)), game="pente"),
            "no score": game("no score", seats=(me, her), result="over"),
        }
        for row in games.values():
            await store.add_game(row)

        async def found(person=ada, **search):
            wish = GameSearch(**search)
            names = [row.name for row, _ in await store.games_of(person.id, 50, None, wish)]
            assert await store.count_games(person.id, wish) == len(names)
            return {*names}

        for search in ({}, {"result": "won"}, {"result": "lost"}, {"result": "draw"}, {"opponent": "A"}):
            for person in (ada, bea):
                sat = (row for row in games.values() if any(seat.person == person.id for seat in row.seats))
                fitting = {row.name for row in sat if GameSearch(**search).fits(row, person.id)}
                assert await found(person, **search) == fitting
        assert await found() == {*games}
        assert await found(result="won") == {"won", "shared", "two seats"}
        assert await found(result="lost") == {"lost"}
        assert await found(bea, result="lost") == {"won", "shared"}
        assert await found(result="draw") == {"draw"}
        assert await found(result="running") == {"waits", "goes on"}
        assert await found(game="pente") == {"lost", "goes on"}
        assert await found(game="pente", result="running") == {"goes on"}
        assert await found(opponent="bea") == {"won", "draw", "shared", "no score"}
        assert await found(opponent=" öSTERREICH ") == await found(opponent="50% Ö") == await found(opponent="bea_50")
        assert await found(opponent="b%a") == await found(opponent="bea 50") == await found(opponent="ada") == set()
        assert await found(opponent="/") == {"won", "draw", "shared", "no score"}
        assert await found(opponent="computer, level 3") == {"lost", "shared", "two seats"}
        assert await found(opponent="player") == {"goes on"}
        assert await found(opponent="open") == {"waits"}
        assert await store.count_games(99) == 0
        # Moves change the result, and seats change the opponents.
        await store.add_event("goes on", event(0), moves=1, result="0-1")
        assert await found(bea, result="won", game="pente") == {"goes on"}
        await store.add_event("goes on", event(1, kind="undo"), moves=0, result=None)
        assert await found(bea, result="won", game="pente") == set()
        await store.add_event("waits", event(0, kind="sit"), seats=(me, her))
        assert "waits" in await found(bea, opponent="ada")

    asyncio.run(ask())


def test_a_page_of_what_is_found_comes_after_a_cursor(store):
    async def ask():
        ada = await store.add_person(HASH, "Ada")
        for number in range(9):
            seats = (SeatRow("human", ada.id), SeatRow("greedy" if number % 2 else "random"))
            await store.add_game(game(f"g{number}", seats=seats, touched=float(number), result="1-0"))
        search, names, after = GameSearch("greedy"), [], None
        while page := await store.games_of(ada.id, 3, after, search):
            names += [row.name for row, _ in page]
            after = page[-1][1]
        assert names == ["g7", "g5", "g3", "g1"]
        assert await store.count_games(ada.id, search) == 4

    asyncio.run(ask())


@pytest.mark.fast_cases(1)
def test_a_sweep_removes_only_unplayed_games_without_recent_events(store):
    async def sweep():
        ada = await store.add_person(HASH, "Ada")
        for name in ("played", "sat", "recent"):
            await store.add_game(game(name, created=10.0, touched=10.0))
        await store.add_event("played", event(0, at=20.0), moves=1)
        await store.add_event("played", event(1, kind="undo", at=20.0), moves=0)
        await store.add_event("sat", event(0, kind="sit", at=20.0), seats=(SeatRow("human", ada.id),))
        await store.add_chat_message("sat", ChatMessage(0, 0, "Ada", "anyone?", 21.0))
        await store.add_event("recent", event(0, kind="sit", at=40.0))
        await asyncio.gather(*(store.add_game(game(f"x{each}", created=20.0, touched=29.0)) for each in range(450)))
        assert await store.sweep(30.0) == 451
        assert await store.sweep(30.0) == 0
        assert [bool(await store.game(name)) for name in ("played", "sat", "recent")] == [True, False, True]
        assert await store.chat("sat") == []
        assert await store.games_of(ada.id) == []

    asyncio.run(sweep())


@pytest.mark.fast_cases(1)
def test_a_sweep_keeps_games_with_invitations_longer(store):
    async def sweep():
        ada, bea = await store.add_person(HASH, "Ada"), await store.add_person(b"\1" * 32, "Bea")
        seats = {
            "alone": (SeatRow("human", ada.id), SeatRow("human", ada.id)),
            "waits": (SeatRow("human", ada.id), SeatRow("open")),
            "both": (SeatRow("human", ada.id), SeatRow("human", bea.id)),
        }
        for name, each in seats.items():
            await store.add_game(game(name, created=10.0, touched=10.0, seats=each))
        assert await store.sweep(30.0, 10.0) == 1
        assert [bool(await store.game(name)) for name in seats] == [False, True, True]
        assert await store.sweep(30.0, 11.0) == 2

    asyncio.run(sweep())


# ── persons and chat ─────────────────────────────────────────────────────────────────────────────


def test_persons_are_identified_by_the_hash_of_their_key(store):
    async def meet():
        assert await store.person(HASH) is None
        ada = await store.add_person(HASH, "Ada")
        bob = await store.add_person(HASH[1:], "Bob ♟️")
        assert (ada.name, bob.name, ada.id != bob.id) == ("Ada", "Bob ♟️", True)
        with pytest.raises(Conflict, match="A person with this key already exists"):
            await store.add_person(HASH, "Eve")
        await store.rename(ada.id, "Ada L.")
        assert await store.person(HASH) == Person(ada.id, "Ada L.")
        assert await store.person(HASH[1:]) == bob
        with pytest.raises(StoreError, match="Unknown person 999"):
            await store.rename(999, "Nobody")

    asyncio.run(meet())


@pytest.mark.fast_cases(1)
def test_ratings_and_puzzle_attempts(store):
    async def learn():
        ada = (await store.add_person(HASH, "Ada")).id
        assert await store.rating(ada, "pente") is None
        await store.rate(ada, "pente", 1500.25)
        await store.rate(ada, "pente", 1512.5)
        await store.rate(ada, "pentago", 900.0)
        assert (await store.rating(ada, "pente"), await store.rating(ada, "pentago")) == (1512.5, 900.0)
        await store.add_puzzle_attempt(ada, "p1", False, 10.0)
        await store.add_puzzle_attempt(ada, "p1", True, 11.0)
        await store.add_puzzle_attempt(ada, "p2", True, 12.0)
        assert await store.puzzle_attempts(ada, 10) == [("p2", True, 12.0), ("p1", True, 11.0), ("p1", False, 10.0)]
        assert await store.puzzle_attempts(ada, 1) == [("p2", True, 12.0)]
        with pytest.raises(StoreError, match="Unknown person 999"):
            await store.rate(999, "pente", 1.0)
        with pytest.raises(StoreError, match="Unknown person 999"):
            await store.add_puzzle_attempt(999, "p1", True, 1.0)

    asyncio.run(learn())


def test_chat_comes_back_in_order(store):
    async def chat():
        await store.add_game(game("g"))
        said = [ChatMessage(each, None if each else 0, "Ada", f"»{each}« 🙂", float(each)) for each in range(3)]
        for each in reversed(said):
            await store.add_chat_message("g", each)
        with pytest.raises(Conflict, match="message 1 of the game g already exists"):
            await store.add_chat_message("g", said[1])
        assert await store.chat("g") == said
        await store.blank_chat_message("g", 1)
        await store.blank_chat_message("g", 7)
        said[1] = ChatMessage(1, None, "", "", 1.0)
        assert await store.chat("g") == said
        await store.add_game(game("h"))
        await store.add_chat_message("h", said[2])
        more = ChatMessage(3, None, "Bea", "hello", 3.0)
        await store.add_chat_message("g", more, [0, 1, 8])
        assert await store.chat("g") == [said[2], more]
        assert await store.chat("h") == [said[2]]

    asyncio.run(chat())


# ── Invalid values ───────────────────────────────────────────────────────────────────────────────

INVALID = {
    "NUL in a body": (event(0, body="a\0b"), "Cannot store the body: it contains"),
    "half a character": (event(0, body="\ud83d"), "Cannot store the body:"),
    "a long kind": (event(0, kind="k" * 17), "Cannot store the kind: it is 17"),
    "no number": (event(0, at=math.nan), "Cannot store the time: expected a finite"),
    "infinite clock": (event(0, clocks=(math.inf,)), "Cannot store the clocks: expected a finite"),
    "before the first": (
        event(-1),
        "Cannot store the number",
    ),
    "a huge seat": (
        event(0, seat=2**31),
        "Cannot store the seat: expected a number",
    ),
}


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize(("invalid", "why"), INVALID.values(), ids=list(INVALID))
def test_values_that_no_database_can_store_are_refused(store, invalid, why):
    async def play():
        await store.add_game(game("g"))
        with pytest.raises(GameError, match=why):
            await store.add_event("g", invalid)
        assert await store.game("g") == (game("g"), [])

    asyncio.run(play())


def test_every_name_is_checked(store):
    async def play():
        with pytest.raises(GameError, match="NUL"):
            await store.add_game(game("g", seats=(SeatRow("human", name="\0"),)))
        with pytest.raises(GameError, match="not valid Unicode"):
            await store.add_game(game("g", options={"a": "\udc00"}))
        with pytest.raises(GameError, match="NUL"):
            await store.game("g\0")
        with pytest.raises(GameError, match="1 to 64 bytes, got 65"):
            await store.person(b"k" * 65)

    asyncio.run(play())


@pytest.mark.fast_cases(1)
def test_writes_wait_while_the_store_is_held(url):
    async def play():
        store, beside = Store.open(url), Store.open(url, beside_a_server=True)
        early = asyncio.ensure_future(beside.add_person(b"b" * 8, "Bea"))
        assert await asyncio.to_thread(store.hold, 10.0)
        late = [asyncio.ensure_future(store.add_game(game(f"g{each}"))) for each in range(3)]
        await asyncio.sleep(0.1)
        assert await store.game("g0") is None
        assert await store.person(b"b" * 8) is None
        store.resume()
        assert await asyncio.gather(*late) == [None] * 3
        assert await asyncio.to_thread(store.hold, 10.0)
        refused = asyncio.ensure_future(store.add_game(game("g3")))
        await asyncio.sleep(0)
        store.leave("Another server writes.")
        for write in (refused, store.add_game(game("g4"))):
            with pytest.raises(StoreError, match=r"^Another server writes\.$"):
                await write
        beside.resume()
        assert (await early).name == "Bea"
        assert await beside.game("g3") is None
        store.close()
        beside.close()

    asyncio.run(play())


@pytest.mark.fast_cases(1)
def test_an_expected_person_is_read_once_and_in_advance(store):
    async def play():
        ada, bea = [await store.add_person(name.encode() * 8, name) for name in ("Ada", "Bea")]
        await store.expect([ada.id, bea.id, 10**6])
        await store.rename(bea.id, "Beatrix")
        assert [each.name for each in store._expected.values()] == ["Ada"]
        for _ in range(2):
            assert await store.person(b"Ada" * 8) == ada
        assert (await store.person(b"Bea" * 8)).name == "Beatrix"
        await store.expect([ada.id])
        store.expect_nobody()
        assert not store._expected

    asyncio.run(play())


@pytest.mark.fast_cases(1)
def test_a_person_has_played_once_one_of_their_games_has_a_move(store):
    async def play():
        ada, eve = [await store.add_person(name.encode() * 8, name) for name in ("Ada", "Eve")]
        await store.add_game(game("g1", seats=(SeatRow("human", ada.id, "Ada"), SeatRow("human", eve.id, "Eve"))))
        keys = [name * 8 for name in (b"Ada", b"Eve", b"Bea")]
        assert [await store.has_played(key) for key in keys] == [False, False, None]
        await store.expect([ada.id])  # a player of a game that another server hands over
        assert await store.has_played(keys[0])
        store.expect_nobody()
        await store.add_event("g1", event(0), moves=1)
        assert [await store.has_played(key) for key in keys] == [True, True, None]
        assert [await store.plays_at(key, "g1") for key in keys] == [True, True, False]
        assert not await store.plays_at(keys[0], "g2")
        await store.add_event("g1", event(1), moves=2, result="1-0")
        assert not await store.plays_at(keys[0], "g1")

    asyncio.run(play())


@pytest.mark.fast_cases(1)
def test_closing_completes_waiting_writes(url):
    async def play():
        store = Store.open(url)
        waiting = [asyncio.ensure_future(store.add_game(game(f"g{each}"))) for each in range(300)]
        await asyncio.sleep(0)  # now all of them are queued
        await asyncio.to_thread(store.close)
        assert await asyncio.gather(*waiting) == [None] * 300
        with pytest.raises(StoreError, match="The store is closed"):
            await store.add_game(game("late"))

        store = Store.open(url)
        found = [await store.game(f"g{each}") for each in range(300)]
        store.close()
        assert all(found)

    asyncio.run(play())


def test_a_cancelled_write_does_not_affect_others(store):
    async def play():
        await store.add_game(game("g"))
        gone = asyncio.ensure_future(store.add_event("g", event(0)))
        await asyncio.sleep(0)
        gone.cancel()
        await store.add_event("g", event(1))  # what was put is written all the same
        assert (await store.game("g"))[1] == [event(0), event(1)]

    asyncio.run(play())
