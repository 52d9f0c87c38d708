"""Turns as people see them: prompts, targets and descriptions."""

import random

import pytest

import pentad
from pentad.game import Choice
from tests.games.pentagame.random_play import board, random_position

START = pentad.new("pentagame")
GIFT = board("00@8 13@811", blacks="14@410")
FULL = {"players": 3, "grays": "6@110 7@120 8@130 9@211 10@221"}


def chosen(here, text, begun=""):
    """The choice for a step, by its text."""
    (found,) = (choice for choice in here.choices(begun) if str(choice) == text)
    return found


@pytest.mark.parametrize(
    ("here", "begun", "prompt"),
    [
        (START, "", "Move a piece."),
        (START, "0-8", "Put the black block on an empty field."),
        (board("03@811"), "3-8 831", "Put a gray block on an empty field."),
        (
            board("03@811 00@- 01@- 10@- 11@- 20@-", blacks="14@430", **FULL),
            "3-8",
            "Move a gray block to an empty field.",
        ),
        (GIFT.play("0-811"), "", "Remove a piece from its goal."),
        (START, "3-322", "The turn is complete."),
        (board(ply=1000), "", "The game is over."),
    ],
)
def test_prompts(here, begun, prompt):
    choices = here.choices(begun)
    assert choices.prompt == prompt
    assert choices.may_end == (prompt == "The turn is complete.")


def test_targets():
    assert chosen(START, "[0,3,3,2,2]").targets == ("piece 0.3", "[3,2,2]")
    assert chosen(START, "[0,3,2,0,0] [1,2,3,0,0]").targets == ("piece 0.3", "piece 1.2")
    assert chosen(START, "[0,3,2,0,0] [1,2,3,0,0]").also == ()  # two pieces stand on that field
    single = board("12@322")
    assert chosen(single, "[0,3,3,2,2] [1,2,3,0,0]").also == (("piece 0.3", "[3,2,2]"),)
    assert chosen(START, "[0,14,1,1,0]", "0-8").targets == ("[1,1,0]",)
    assert chosen(GIFT.play("0-811"), "[1,3,-1,-1,-1]").targets == ("piece 1.3",)


def test_targets_of_own_pieces():
    """Either of them first."""
    here = board("02@322 03@312")
    choice = chosen(here, "[0,2,3,1,2] [0,3,3,2,2]")
    assert choice.targets == ("piece 0.2", "piece 0.3")
    assert choice.also == (("piece 0.2", "[3,1,2]"), ("piece 0.3", "piece 0.2"), ("piece 0.3", "[3,2,2]"))


def test_targets_to_move_a_gray_block():
    here = board("03@811 00@- 01@- 10@- 11@- 20@-", blacks="14@430", **FULL)
    assert chosen(here, "[0,7,8,0,0]", "3-8").targets == ("[1,2,0]", "[8,0,0]")
    assert len({choice.label for choice in here.choices("3-8")}) == len(here.choices("3-8"))


def test_no_two_choices_share_targets():
    """Nor is one touched as the beginning of another; an equivalent target is listed once."""
    chance = random.Random(9)
    for seed in range(60):
        here = random_position(chance, 2 + seed % 4)
        ways = [way for choice in here.choices() for way in (choice.targets, *choice.also)]
        assert len(ways) == len(set(ways))
        heads = {way[:count] for way in ways for count in range(1, len(way))}
        assert not heads & set(ways)
        assert len({choice.label for choice in here.choices()}) == len(here.choices())
        for choice in here.choices():
            assert isinstance(choice, Choice)
            assert choice.label.isprintable()


@pytest.mark.parametrize(
    ("here", "turn", "words"),
    [
        (START, "3-322", "Circle's red piece goes to the 2nd stop from the red corner towards the yellow corner."),
        (START, "3-2x12", "Circle's red piece goes to the yellow corner and swaps with square's yellow piece."),
        (
            START,
            "0-8 110",
            (
                "Circle's white piece goes to the red junction and takes the black block. "
                "The black block goes to the 1st stop from the green corner towards the white corner."
            ),
        ),
        (
            board("03@811"),
            "3-8 831 8",
            (
                "Circle's red piece goes to the red junction, takes the black block and is home. "
                "The black block goes to the 3rd stop from the red junction towards the green corner. "
                "The gray block goes to the red junction."
            ),
        ),
        (
            board("03@7 12@8", blacks="13@410 14@614"),
            "3-8 7 8",
            (
                "Circle's red piece goes to the red junction, swaps with square's yellow piece and is home; "
                "square's yellow piece is home. The gray block goes to the yellow junction. "
                "The gray block goes to the red junction."
            ),
        ),
        (
            GIFT.play("0-811"),
            "[1,3,-1,-1,-1] [1,6,8,0,0]",
            "Square's red piece leaves the board. The gray block goes to the red junction.",
        ),
        (
            board("12@- 13@-", grays="6@322 7@110"),
            "3-322",
            (
                "Circle's red piece goes to the 2nd stop from the red corner towards the yellow corner "
                "and takes the gray block."
            ),
        ),
        (
            board("03@811 00@- 01@- 10@- 11@- 20@-", blacks="14@430", **FULL),
            "3-8 7-8",
            (
                "Circle's red piece goes to the red junction and is home. "
                "The gray block on the 2nd stop from the green corner towards the white corner "
                "goes to the red junction."
            ),
        ),
    ],
)
def test_turns_in_words(here, turn, words):
    assert here.describe(here.parse(turn)) == words
