"""Subscribers of a game: who is told of arrivals, and when; and what each gets of a turn."""

import json

import pytest

from pentad.game import Choices, Move
from pentad.web.rooms.actions import Play
from pentad.web.rooms.subscribers import Connection, Subscribers
from tests.web.room_fixtures import Guest, Scene, redrawn, run_pending, scene
from tests.web.rooms.test_actions import TABLES, Game, begin

CROWD = 20  # clients that each arrival is told at once
INTERVAL = 1.0  # seconds between news of a larger number


def watching(guest: Guest) -> list[int]:
    """The numbers of watchers that a client has been told since the last call."""
    return [each["watching"] for each in guest.new("around")]


async def crowd(here: Scene, count: int) -> tuple[Guest, list[Guest]]:
    """A room with so many clients: a person who has made it, and strangers."""
    ada = await here.alone("human", "human")
    strangers = [Guest(ada.room, None) for _ in range(count - 1)]
    await here.wait(INTERVAL)
    ada.new()
    return ada, strangers


@scene
async def test_each_arrival_is_told_at_once_up_to_twenty_clients(here: Scene) -> None:
    ada, strangers = await crowd(here, CROWD - 2)
    strangers.append(Guest(ada.room, None))
    await run_pending()
    assert watching(ada) == [CROWD - 2]
    strangers.append(Guest(ada.room, None))
    await run_pending()
    assert watching(ada) == [CROWD - 1]
    strangers[0].leave()
    await run_pending()
    assert watching(ada) == [CROWD - 2]


@scene
async def test_arrivals_in_a_crowd_are_told_together_after_a_second(here: Scene) -> None:
    ada, strangers = await crowd(here, CROWD)
    strangers += [Guest(ada.room, None) for _ in range(3)]
    await run_pending()
    assert watching(ada) == []
    await here.wait(INTERVAL / 2)
    strangers.pop().leave()
    await run_pending()
    assert watching(ada) == []
    await here.wait(INTERVAL / 2)
    assert watching(ada) == [CROWD + 1]
    Guest(ada.room, None)
    await here.wait(INTERVAL)
    assert watching(ada) == [CROWD + 2]


@scene
async def test_a_new_client_knows_the_number_at_once_and_is_not_told_of_itself(here: Scene) -> None:
    ada, _ = await crowd(here, 3)
    late = Guest(ada.room, None)
    await run_pending()
    assert late.state["watching"] == 3
    assert [each["type"] for each in late.new()] == ["state"]
    assert watching(ada) == [3]


# ── moves and turns ──────────────────────────────────────────────────────────────────────────────


@scene
async def test_a_client_without_the_drawing_before_gets_the_whole_state(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    await ada.play("a2 1C")
    assert [each["type"] for each in bea.new()] == ["played"]
    ada.room.subscribers.forget_pictures()
    await bea.play("b2 1C")
    assert [each["type"] for each in bea.new()] == ["state"]


@scene
async def test_players_read_each_other(here: Scene) -> None:
    ada, bea = await here.friends("Ada", "Bea")
    await ada.chat("hello")
    assert [(each["text"], each["mine"]) for guest in (ada, bea) for each in guest.new("said")] == [
        ("hello", True),
        ("hello", False),
    ]


@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize(("steps", "choices"), [("", 36), ("a2", 8), ("a2 1C", 0)])
def test_a_turn_is_drawn_with_what_may_follow(steps: str, choices: int, flip: bool) -> None:
    game = Game(begin(TABLES[1])).state
    subscribers, connection = Subscribers(game, [], lambda: 0.0), Connection(1, flip=flip)
    position = game.position
    move = position.parse(steps) if steps else Move()
    following = position.choices(steps)
    message = subscribers.turn(connection, steps, move, following if choices else Choices((), ""))
    found = json.loads(message.written)
    here = position.partial(steps) if choices else position.play(steps)
    assert (found["at"], found["steps"], found["svg"]) == (0, steps, None)
    assert (len(found["choices"]), found["whole"], found["may_end"]) == (choices, not choices, False)
    assert found["prompt"] == (following.prompt if choices else position.describe(move))
    seen = redrawn(subscribers.state(connection).svg, found["changes"])
    assert seen == here.svg(last=move or None, flip=flip, style=False)


def test_a_turn_in_advance_is_answered_until_the_game_is_over() -> None:
    game = Game(begin(TABLES[0]))
    subscribers, connection = Subscribers(game.state, [], lambda: 0.0), Connection(2)
    answer = subscribers.premove(connection, frozenset((1,)), ["a0"])
    assert (answer.used, answer.steps, answer.whole, answer.targets) == (1, "a0", False, ("a0",))
    for person, move in ((1, "a0 4A"), (2, "f0 4A"), (1, "b0 4A"), (2, "f1 4A"), (1, "c0")):
        game.ask(person, Play(game.state.position.parse(move)))
    subscribers.game = game.state
    answer = subscribers.premove(connection, frozenset((1,)), ["a1"])
    assert (answer.used, answer.steps, answer.whole) == (0, "", False)
