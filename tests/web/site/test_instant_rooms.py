"""The page's own rooms against those of Python: the same messages in random games.

Another room follows each of them by the texts of its moves, as that in a page of a server.
"""

from __future__ import annotations

import base64
import json
import random
from typing import Any, NamedTuple, cast

import pytest

from pentad.game import Move, Position, game, names
from pentad.games import encoding
from pentad.play.seats import HUMAN
from pentad.web.instant import drawings, engines, rules
from tests.properties import some_of
from tests.waiting import wait_until
from tests.web.instant.page_scripts import data_of, result, with_module
from tests.web.site.applications import PageApplication

BOT = "greedy"
TURNS = 24  # of a person in a game
WITH_LOOKS = [name for name in names() if game(name).has("looks")]
SCRIPT = """
import assert from "node:assert/strict";

const [{ Room }] = await load("room");
const found = [];
const noted = (known, chosen) => ({
    state: "",
    get seat() { return known[this.state].seat; },
    get ply() { return known[this.state].ply; },
    get result() { return known[this.state].result; },
    get text() { return known[this.state].text; },
    legal() { return known[this.state].legal; },
    play(action) { this.state = `${this.state}${action} `; },
    look() { return known[this.state].numbers; },
    offer(action) { return known[this.state].offers[known[this.state].legal.indexOf(action)]; },
    choose() { return chosen.shift(); },
    isFlipped: false,
    get sheet() { return this.isFlipped ? data.flipped : data.room; },
    async turn(flip) { this.isFlipped = flip; },
});
for (const { seats, known, sent, chosen } of given.games) {
  if (game) await Object.assign(game, { choose: () => chosen.shift() }).turn(false);
  if (game) game.reset();
  const rules = game || noted(known, chosen);
  const [room, follower] = [new Room(rules, data.room, seats), new Room(rules, data.room, [])];
  const answers = async (messages) => {
    const all = [];
    for await (const each of messages) all.push(each);
    return all;
  };
  found.push([[room.state(), ...(await answers(room.playBots()))]]);
  for (const text of sent) {
    const { moves } = room.state();
    const { type, at, steps } = JSON.parse(text);
    found.at(-1).push(await answers(room.receive(JSON.parse(text))));
    if (type !== "step") continue;
    assert.ok(follower.follow(moves.map((each) => each.text)));
    const first = found.at(-1).at(-1)[0];
    const { status: _, restriction: __, ...begun } = follower.begun(steps);
    if (first.type === "turn") assert.deepEqual({ ...begun, at, svg: first.svg }, first);
    else assert.ok(begun.whole);
    assert.equal(follower.earlier(moves.length).svg, room.earlier(moves.length).svg);
  }
  found.at(-1).push(room.record);
}
console.log(JSON.stringify(found));
"""


class Line(NamedTuple):
    """A position of the game, and all actions before it."""

    here: Position
    path: tuple[int, ...] = ()


class Client:
    """A person who plays at random in a room of Python's, and what the page's own room must know for the same game."""

    def __init__(self, page: PageApplication, start: Position, seats: list[str], seed: int) -> None:
        self._page, self._chance, self._seats = page, random.Random(seed), seats
        self._known, self._chosen = dict[str, Any](), list[list[int]]()
        self._line, self._taken_back = [Line(start)], list[Line]()
        self._note(start, (), Move())
        cast(Any, page.world.engines).move = self._choose
        cast(Any, page.world.engines).hint = self._hint
        _, _, made = page.handle("POST", "/api/rooms", json.dumps({"game": start.game, "seats": seats}))
        self._socket, self._sent = page.connect(f"/api/rooms/{json.loads(made)['room']}"), list[str]()
        self.received = [self._receive()]

    @property
    def told(self) -> dict[str, Any]:
        """What the page's room gets."""
        return {"seats": self._seats, "known": self._known, "sent": self._sent, "chosen": self._chosen}

    def play(self, *, resigns: bool) -> None:
        """Plays to the end, or for so many turns. Some moves are taken back, and some of these replayed."""
        turn = 0
        while not self._end.here.outcome and turn < TURNS:
            turn += 1
            if resigns and turn == 5:
                self.send(type="resign")
                self.send(type="undo")
            before, after, move = self._end, *self._random_turn(self._end)
            for steps in range(1, len(move)):
                self.send(type="step", steps=" ".join(move[:steps]))
            if turn % 4 == 0:
                self.send(type="step", steps=" ".join(move), hold=True)
                self.send(type="hint")
            if turn % 5 == 0:
                self.send(type="look", flip=turn % 10 == 0)
            self._go_on(after)
            self.send(type="step", steps=" ".join(move))
            if turn % 3 == 0:
                self._take_back(before)
                self.send(type="undo")
            if turn % 6 == 0:
                self._replay()
                self.send(type="redo")

    @property
    def _end(self) -> Line:
        return self._line[-1]

    def _go_on(self, after: Line) -> None:
        self._line.append(after)
        self._taken_back.clear()

    def _take_back(self, before: Line) -> None:
        """Takes all back to a position in which the person is to move."""
        while self._end is not before:
            self._taken_back.append(self._line.pop())

    def _replay(self) -> None:
        """Replays up to the person's turn, or to the end."""
        self._line.append(self._taken_back.pop())
        while self._taken_back and self._seats[self._end.here.turn] != HUMAN:
            self._line.append(self._taken_back.pop())

    async def _choose(self, position: Position, who: str, **more: Any) -> str:
        """A bot's move."""
        assert (position, who) == (self._end.here, BOT)
        before = self._end
        after, move = self._random_turn(before)
        self._go_on(after)
        self._chosen.append([*after.path[len(before.path) :]])
        return " ".join(move)

    async def _hint(self, position: Position, **more: Any) -> tuple[str, str]:
        """A move, for which nothing is proved."""
        assert position == self._end.here
        after, move = self._random_turn(self._end)
        self._chosen.append([*after.path[len(self._end.path) :]])
        return " ".join(move), ""

    def _random_turn(self, before: Line) -> tuple[Line, list[str]]:
        """What a random turn leads to, and its steps; all positions on the way are noted."""
        here, path = before
        turn = Move()
        while here.ply == before.here.ply and here.outcome is None:
            legal = encoding.steps(here)
            action = self._chance.choice([*legal])
            here, path, turn = encoding.play(here, legal[action]), (*path, action), Move((*turn, legal[action]))
            self._note(here, path, turn)
        return Line(here, path), [str(step) for step in turn]

    def _note(self, here: Position, path: tuple[int, ...], last: Move) -> None:
        """Notes what a game's module says of a position."""
        looks, legal = game(here.game).module("looks"), {} if here.outcome else encoding.steps(here)
        self._known["".join(f"{each} " for each in path)] = {
            "seat": here.turn,
            "ply": here.ply,
            "text": here.text.removeprefix(f"{here.game} "),
            "result": -1 if here.outcome is None else sum(1 << seat for seat in here.outcome.winners),
            "legal": [*legal],
            "numbers": looks.numbers(here, last or None),
            "offers": [looks.offer(here, step) for step in legal.values()],
        }

    def send(self, **message: Any) -> None:
        """Sends a message, and notes it and the answers."""
        at = next(each["at"] for answers in reversed(self.received) for each in reversed(answers))
        self._sent.append(json.dumps(message if message["type"] == "look" else message | {"at": at}))
        self._page.send(self._socket, self._sent[-1])
        self.received.append(self._receive())

    def _receive(self) -> list[dict[str, Any]]:
        """The answers, until a person is to move, or the game is over."""
        found: list[dict[str, Any]] = []

        def is_whole() -> bool:
            texts, code = self._page.receive(self._socket)
            assert code is None
            found.extend(map(json.loads, texts))
            last = found[-1] if found else {}
            return last.get("type") in ("turn", "hint") or bool(last.get("outcome") or last.get("can", {}).get("play"))

        wait_until(is_whole, "the answers of the room")
        return found


def played(start: Position, seats: list[str], seed: int) -> Client:
    with PageApplication() as page:
        client = Client(page, start, seats, seed)
        client.play(resigns=seed % 2 == 0)
        return client


def page_messages(data: dict[str, Any], clients: list[Client], module: bytes = b"") -> list[Any]:
    """The answers of the page's own rooms to the same messages, and their records; by a module, or by what is noted."""
    found: list[Any] = result(SCRIPT, data, module, games=[each.told for each in clients])
    return found


def comparable(message: dict[str, Any]) -> dict[str, Any]:
    """A message with its choices in any order."""
    choices = {"choices": sorted(message["choices"], key=json.dumps)} if message.get("choices") else {}
    return message | choices


def clients_of(name: str) -> list[Client]:
    seats = [[HUMAN, BOT], [BOT, HUMAN], [HUMAN, HUMAN]]
    return [played(game(name).new(), seats[seed % len(seats)], seed) for seed in range(some_of(20))]


def check(clients: list[Client], found: list[Any]) -> None:
    for client, (*answers, record) in zip(clients, found, strict=True):
        for expected, own in zip(client.received, answers, strict=True):
            assert [*map(comparable, own)] == [*map(comparable, expected)]
        assert [each["at"] for each in record] == [*range(answers[-1][-1]["at"])]


@pytest.mark.parametrize("name", WITH_LOOKS)
def test_the_messages_of_rooms_are_equal(name: str) -> None:
    clients = clients_of(name)
    check(clients, page_messages(data_of(name, [BOT]), clients))


@pytest.mark.parametrize("name", drawings.covered())
def test_the_messages_by_modules_are_equal(name: str) -> None:
    data, module = with_module(name, [BOT])
    clients = clients_of(name)
    check(clients, page_messages(data, clients, module))
    engines.folder()
    of_server = json.loads(rules.files()[f"{rules.FOLDER}{name}.json"])
    assert of_server["room"].items() <= json.loads(json.dumps(data["room"])).items()
    assert of_server["start"] == data["room"]["first"]["start"]
    check(
        clients, page_messages(data | {"engine": of_server["engine"]}, clients, base64.b64decode(of_server["module"]))
    )
