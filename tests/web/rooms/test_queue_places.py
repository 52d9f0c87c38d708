"""Queue places: the latest one at intervals, and the end of the wait at once."""

from pentad.web.rooms.queue_places import at_intervals
from tests.web.room_fixtures import Scene, run_pending, scene


@scene
async def test_the_latest_place_is_shown_once_a_second(here: Scene) -> None:
    shown = list[int]()
    with at_intervals(shown.append) as on_place:
        for place in (5, 4):
            on_place(place)
        await run_pending()
        assert shown == [4]
        for place in (3, 2):
            on_place(place)
        await run_pending()
        assert shown == [4]
        await here.wait(1.1)
        assert shown == [4, 2]
        on_place(0)
        assert shown == [4, 2, 0]
        on_place(2)
        await here.wait(1.1)
        on_place(1)
        on_place(0)
        assert shown == [4, 2, 0, 2, 0]
        await here.wait(5)
    assert shown == [4, 2, 0, 2, 0]


@scene
async def test_a_wait_that_was_never_shown_does_not_end(here: Scene) -> None:
    shown = list[int]()
    with at_intervals(shown.append) as on_place:
        for place in (0, 2, 0):
            on_place(place)
        await run_pending()
    assert shown == []


@scene
async def test_nothing_is_shown_afterwards(here: Scene) -> None:
    shown = list[int]()
    with at_intervals(shown.append) as on_place:
        on_place(2)
    await run_pending()
    assert shown == []
