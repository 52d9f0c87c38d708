"""The store of a page against the server's store: the same operations give the same values, conflicts and errors."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from pentad.game import GameError
from pentad.store import Store
from pentad.store.game_search import GameSearch
from pentad.store.rows import ChatMessage, GameRow, PendingTurn, SeatRow, StoreError
from pentad.web.site.browser.storage import PERSON, BrowserStore
from tests.properties import properties
from tests.store.rows import event, game

HASH = b"\1" * 32
PROGRAM = Path(__file__).with_name("storage_process.js")


class NodeStorage:
    """The storage in memory of `static/python/storage.js`, in a process of node."""

    def __init__(self) -> None:
        node = shutil.which("node")
        if node is None:
            pytest.fail("node is not installed.") if os.environ.get("CI") else pytest.skip("node is not installed.")
        self._process = subprocess.Popen([node, PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    async def run(self, operations: str) -> str:
        assert self._process.stdin
        assert self._process.stdout
        print(operations, file=self._process.stdin, flush=True)
        return self._process.stdout.readline()

    def close(self) -> None:
        self._process.communicate()


class Both:
    """A store of each kind, with the same person."""

    def __init__(self, folder: Path) -> None:
        node = NodeStorage()  # first, since it skips the test where node is not installed
        self._close = ExitStack()
        self._close.callback(node.close)
        self._runner = self._close.enter_context(asyncio.Runner())
        real = Store.open(f"sqlite:///{folder}/pentad.db")
        self._close.callback(real.close)
        self.changed: list[str] = []
        self.real, self.page = real, BrowserStore(node.run, self.changed.append)

    def close(self) -> None:
        self._close.close()

    def __call__(self, work: Callable[[Any], Coroutine[Any, Any, Any]]) -> Any:
        """What both give or raise, which is the same."""
        real, page = (self._runner.run(_outcome(work(store))) for store in (self.real, self.page))
        assert page == real
        return real


async def _outcome(work: Coroutine[Any, Any, Any]) -> Any:
    try:
        return await work
    except GameError as error:
        return type(error), str(error)


@pytest.fixture
def both(tmp_path: Path) -> Iterator[Both]:
    stores = Both(tmp_path)
    yield stores
    stores.close()


def test_games_and_their_events(both: Both) -> None:
    both(lambda store: store.add_person(HASH, "Ada"))
    seats = (SeatRow("human", PERSON, "Ada"), SeatRow("engine@1"))
    row = game(
        "g",
        seats=seats,
        options={"size": 19, "swap": True, "name": "é🙂"},
        time={"minutes": 5.0},
        turn=PendingTurn(0, 1.5),
    )
    assert both(lambda store: store.game("g")) is None
    both(lambda store: store.add_game(row))
    assert both(lambda store: store.add_game(row))[1] == "The game g already exists."
    both(lambda store: store.add_event("g", event(0), moves=1, turn=PendingTurn(1)))
    assert both(lambda store: store.add_event("g", event(0, body="other"), moves=7))[1].endswith("the next one is 1.")
    assert both(lambda store: store.add_event("g", event(5)))[1].endswith("the next one is 1.")
    both(lambda store: store.add_event("g", event(1, kind="sit"), seats=(*seats, SeatRow("human", PERSON))))
    both(lambda store: store.add_event("g", event(2, kind="resign"), moves=2, result="0-1 resigned"))
    assert both(lambda store: store.add_event("h", event(0)))[1] == "Unknown game h."
    found, events = both(lambda store: store.game("g"))
    assert (found.result, found.moves, len(events)) == ("0-1 resigned", 2, 3)
    assert both.changed == ["g"] * 3  # only what was stored


def test_more_than_ten_events_stay_in_their_order(both: Both) -> None:
    both(lambda store: store.add_game(game("g", seats=())))
    both(lambda store: store.add_game(game("g1", seats=())))
    for number in range(12):
        both(lambda store, number=number: store.add_event("g", event(number)))
    both(lambda store: store.add_event("g1", event(0)))
    assert [each.number for each in both(lambda store: store.game("g"))[1]] == list(range(12))


def test_chat_messages_are_dropped_and_blanked(both: Both) -> None:
    for name in ("g", "h"):
        both(lambda store, name=name: store.add_game(game(name)))
        for number in range(3):
            message = ChatMessage(number, None, "Ada", "hello", 1.0)
            both(lambda store, name=name, message=message: store.add_chat_message(name, message))
    both(lambda store: store.blank_chat_message("g", 1))
    both(lambda store: store.blank_chat_message("g", 9))
    both(lambda store: store.add_chat_message("g", ChatMessage(3, 0, "Ada", "bye", 2.0), [0, 2]))
    assert [(each.number, each.text) for each in both(lambda store: store.chat("g"))] == [(1, ""), (3, "bye")]
    assert len(both(lambda store: store.chat("h"))) == 3


def test_finished_games_are_listed_by_kind_the_latest_first(both: Both) -> None:
    for number, kind in enumerate(["pente", "pente", "pentago", "pente"]):
        name = f"g{number}"
        both(lambda store, name=name, kind=kind, at=1000.0 + number: store.add_game(game(name, game=kind, created=at)))
        if number != 1:
            both(lambda store, name=name: store.add_event(name, event(0), moves=1, result="1-0"))
    assert both(lambda store: store.finished_games("pente", 5)) == ["g3", "g0"]
    assert both(lambda store: store.finished_games("pente", 1)) == ["g3"]
    assert both(lambda store: store.finished_games("pentagame", 5)) == []


def test_why_a_game_is_over_is_kept_until_its_end_is_taken_back(both: Both) -> None:
    both(lambda store: store.add_game(game("g")))
    both(lambda store: store.add_event("g", event(0), moves=1, result="1-0", reason="five"))
    assert both(lambda store: store.game("g"))[0].reason == "five"
    both(lambda store: store.add_event("g", event(1, kind="undo"), moves=0))
    assert both(lambda store: store.game("g"))[0].reason is None


def test_a_game_of_an_earlier_release_has_no_reason() -> None:
    async def answer(_: str) -> str:
        row = {name: value for name, value in game("g").columns.items() if name != "reason"}
        return json.dumps({"results": [row, []]})

    found = asyncio.run(BrowserStore(answer).game("g"))
    assert found is not None
    assert found[0].reason is None


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("name", ["a\0b", "\ud83d", "n" * 41], ids=["NUL", "half a character", "too long"])
def test_impossible_names_are_refused(both: Both, name: str) -> None:
    for work in (
        lambda store: store.game(name),
        lambda store: store.chat(name),
        lambda store: store.set_turn(name, 0, PendingTurn()),
        lambda store: store.add_game(game(name)),
        lambda store: store.add_event(name, event(0)),
        lambda store: store.rating(PERSON, name),
    ):
        assert both(work)[0] is GameError


def test_the_person_has_a_name_ratings_and_attempts(both: Both) -> None:
    assert both(lambda store: store.person(HASH)) is None
    both(lambda store: store.add_person(HASH, "Ada"))
    both(lambda store: store.rename(PERSON, "Ada L."))
    both(lambda store: store.rename(PERSON, "n" * 81))
    assert both(lambda store: store.person(HASH)).name == "Ada L."
    assert both(lambda store: store.rating(PERSON, "pente")) is None
    for game_, rating in (("pente", 1500.25), ("pentago", 900), ("pente", 1512.5)):
        both(lambda store, game_=game_, rating=rating: store.rate(PERSON, game_, rating))
    assert both(lambda store: store.rating(PERSON, "pente")) == 1512.5
    both(lambda store: store.rate(PERSON, "pente", float("inf")))
    for puzzle, right, at in (
        ("p2", True, 7.0),
        ("p1", False, 7.0),
        ("p1", True, 9.0),
        ("p1", True, 9.0),
        ("p3", True, 8.5),
    ):
        both(lambda store, given=(puzzle, right, at): store.add_puzzle_attempt(PERSON, *given))
    assert len(both(lambda store: store.puzzle_attempts(PERSON, 10))) == 4
    assert len(both(lambda store: store.puzzle_attempts(PERSON, 2))) == 2


def test_a_full_storage_and_other_failures_are_one_line() -> None:
    answers = iter(
        ['{"error": "QuotaExceededError", "message": "", "row": null}', '{"error": "E", "message": "m", "row": null}']
    )

    async def run(operations: str) -> str:
        return next(answers)

    store = BrowserStore(run, lambda name: pytest.fail("nothing was stored"))
    with pytest.raises(StoreError, match=r"This browser's storage is full\. Nothing was stored\."):
        asyncio.run(store.add_event("g", event(0)))
    with pytest.raises(StoreError, match=r"This browser cannot store games: m\."):
        asyncio.run(store.add_event("g", event(0)))


# ── random operations ────────────────────────────────────────────────────────────────────────────

NAMES = st.sampled_from(["g", "h", "gh", "G"])
TIMES = st.integers(0, 40).map(float) | st.floats(0, 40)
TURNS = st.builds(PendingTurn, st.none() | st.integers(0, 1), st.none() | TIMES)
SEATS = st.sampled_from(
    [
        (SeatRow("human", PERSON, "Ada"), SeatRow("engine@1")),
        (SeatRow("greedy"), SeatRow("human", PERSON)),
        (SeatRow("human", PERSON), SeatRow("human", PERSON)),
        (SeatRow("greedy"), SeatRow("greedy")),
    ]
)
RESULTS = st.none() | st.sampled_from(["1-0", "0-1", "1/2-1/2", "1-0 five"])
SEARCHES = st.builds(
    GameSearch,
    st.sampled_from(["", "COMPUTER", "level  1", "greedy", "ada", "%", "_", "\\", "/"]),
    st.sampled_from(["", "pentago", "pente"]),
    st.sampled_from(["all", "won", "lost", "draw", "running"]),
)


class Stores(RuleBasedStateMachine):
    """Random operations on both stores."""

    folder: Path
    count = 0

    def __init__(self) -> None:
        super().__init__()
        place = self.folder / str(Stores.count)
        Stores.count += 1
        place.mkdir()
        self.both = Both(place)
        self.both(lambda store: store.add_person(HASH, "Ada"))

    def teardown(self) -> None:
        for name in ("g", "h", "gh", "G"):
            self.both(lambda store, name=name: store.game(name))
            self.both(lambda store, name=name: store.chat(name))
        self.both(lambda store: store.puzzle_attempts(PERSON, 100))
        self.both.close()

    @rule(name=NAMES, seats=SEATS, at=TIMES, turn=TURNS, result=RESULTS)
    def add_game(self, name: str, seats: tuple[SeatRow, ...], at: float, turn: PendingTurn, result: str | None) -> None:
        row = game(name, seats=seats, created=at, touched=at, turn=turn, result=result)
        self.both(lambda store: store.add_game(row))

    @rule(
        name=NAMES,
        number=st.integers(0, 3),
        kind=st.sampled_from(["play", "simpler", "undo", "offer"]),
        at=TIMES,
        seats=st.none() | SEATS,
        moves=st.none() | st.integers(0, 3),
        turn=st.none() | TURNS,
        result=RESULTS,
    )
    def add_event(self, name: str, number: int, kind: str, at: float, **more: Any) -> None:
        self.both(lambda store: store.add_event(name, event(number, kind=kind, at=at), **more))

    @rule(name=NAMES)
    def game(self, name: str) -> None:
        self.both(lambda store: store.game(name))

    @rule(search=SEARCHES)
    def count_games(self, search: GameSearch) -> None:
        self.both(lambda store: store.count_games(PERSON, search))

    @rule(limit=st.integers(1, 4), search=st.just(GameSearch()) | SEARCHES)
    def games_of(self, limit: int, search: GameSearch) -> None:
        def pages(store: Any) -> Any:
            async def read() -> list[list[tuple[GameRow, Any]]]:
                found, after = [], None
                while page := await store.games_of(PERSON, limit, after, search):
                    found.append(page)
                    after = page[-1][1]
                return found

            return read()

        self.both(pages)

    @rule(name=NAMES, number=st.integers(0, 3), turn=TURNS)
    def set_turn(self, name: str, number: int, turn: PendingTurn) -> None:
        self.both(lambda store: store.set_turn(name, number, turn))

    @rule(before=TIMES)
    def sweep(self, before: float) -> None:
        self.both(lambda store: store.sweep(before))

    @rule(name=NAMES, number=st.integers(0, 2), seat=st.none() | st.integers(0, 1))
    def add_chat_message(self, name: str, number: int, seat: int | None) -> None:
        self.both(lambda store: store.add_chat_message(name, ChatMessage(number, seat, "Ada", "hello", 1.0)))

    @rule(puzzle=st.sampled_from(["p1", "p2"]), right=st.booleans(), at=TIMES)
    def add_puzzle_attempt(self, puzzle: str, right: bool, at: float) -> None:
        self.both(lambda store: store.add_puzzle_attempt(PERSON, puzzle, right, at))


@pytest.mark.slow
def test_random_operations(tmp_path: Path) -> None:
    Stores.folder = tmp_path
    run_state_machine_as_test(Stores, settings=settings(properties(40), stateful_step_count=30))
