"""Subscribers of a game: who is told of arrivals, and when."""

from tests.web.room_fixtures import Guest, Scene, run_pending, scene

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
