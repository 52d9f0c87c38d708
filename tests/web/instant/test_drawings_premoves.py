"""Premoves that the page reads itself against those of the server, in random games with random touches."""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from pentad.game import Move, game
from pentad.play.seats import HUMAN
from pentad.web.api_types import NewRoom
from pentad.web.instant import drawings, engines, rules
from pentad.web.rooms import premoves
from pentad.web.rooms.actions import Play, decide
from pentad.web.rooms.state import begun, evolve, stamped
from pentad.web.rooms.subscribers import Connection, Subscribers
from pentad.web.site import instant_rooms
from tests.properties import some_of
from tests.web.instant.page_scripts import result
from tests.web.site.kept_site import check_tools

TURNS = 12
SCRIPT = """
const [{ Room }] = await load("room");
const room = new Room(game, data.room, []);
const found = [];
for (const { moves, seats, targets, flip } of given.games) {
  await game.turn(flip);
  found.push(room.follow(moves) && room.premove(seats, targets));
}
console.log(JSON.stringify(found));
"""


def touches(here: Any, seat: int, chance: random.Random) -> list[str]:
    """The touches of a turn that may come, some of them left out, and others added."""
    before = next(premoves.positions(here, {seat}), None)
    found, choices, turn = list[str](), before.choices() if before else (), Move()
    while choices and before:
        choice = chance.choice([*choices])
        turn = Move((*turn, choice.step))
        found += chance.choice([choice.targets, *choice.also])
        choices = before.choices(turn)
    others = [name for choice in here.choices() for name in choice.targets]
    if chance.random() < 0.3 and others:
        found.insert(chance.randrange(len(found) + 1), chance.choice(others))
    return found[: chance.randint(0, len(found))]


def cases(name: str, seed: int) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Premoves of a random game: what the page gets, and the answer of the server."""
    chance, players = random.Random(seed), game(name).new().players
    state = begun(instant_rooms.draft(NewRoom(game=name, seats=[HUMAN] * players)))
    everybody, moves = frozenset(range(players)), list[str]()
    for _ in range(TURNS):
        here = state.position
        if here.outcome:
            return
        seat = chance.choice([each for each in range(players) if each != here.turn])
        targets, flip = touches(here, seat, chance), chance.random() < 0.5
        answer = Subscribers(state, [], lambda: 0.0).premove(Connection(flip=flip), frozenset({seat}), targets)
        yield {"moves": [*moves], "seats": [seat], "targets": targets, "flip": flip}, json.loads(answer.written)
        move = premoves.some_move(here, chance.randrange(10**6))
        moves.append(str(move))
        state = evolve(state, stamped(state, decide(state, everybody, Play(move), 0.0), 0.0, lambda: 0.0), 0.0)


@pytest.mark.parametrize("name", drawings.covered())
def test_premoves_are_read_as_by_the_server(name: str) -> None:
    check_tools()
    engines.folder()
    given, expected = zip(*(each for seed in range(some_of(30)) for each in cases(name, seed)), strict=True)
    data = json.loads(rules.files()[f"{rules.FOLDER}{name}.json"]) | {"flipped": drawings.flipped(name)}
    found = result(SCRIPT, data, base64.b64decode(data["module"]), games=given)
    shown = [{"type": each["type"], "at": each["at"], "targets": each["targets"]} for each in expected]
    assert [own | more for own, more in zip(found, shown, strict=True)] == [*expected]
    assert any(each["whole"] for each in expected)
    assert any(each["lines"] for each in expected) == (name == "pentago")  # the twists have arrows
