"""Whole turns of any game, found by its choices."""

from pentad.game import Move


def moves_by_choices(position):
    """The whole turns that `choices` leads to."""

    def walk(steps):
        choices = position.choices(steps)
        if choices.may_end:
            yield Move(steps)
        for choice in choices:
            yield from walk((*steps, choice.step))

    return list(walk(()))
