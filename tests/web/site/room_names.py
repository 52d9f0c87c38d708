"""Names of rooms in a fixed order, so that two applications make equal ones."""

from itertools import count

from pentad.web.rooms import registry


def fix() -> None:
    numbers = count()
    registry._new_name = lambda: name(next(numbers))


def name(number: int) -> str:
    """The name of the room with this number."""
    letters = registry._LETTERS
    return "abcdefgh" + letters[number // len(letters)] + letters[number % len(letters)]
