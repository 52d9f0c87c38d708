"""Fields and turns in words."""

import random
import re

import pytest

import pentad
from pentad.games.pentagame.board import FIELDS
from pentad.games.pentagame.notation import COLOURS, PALETTE, place_in
from tests.games.pentagame.random_play import board, random_position

START = pentad.new("pentagame")
GIFT = board("00@8 13@811", blacks="14@410")
FULL = board("03@811 00@- 01@- 10@- 11@- 20@-", blacks="14@430", grays="6@110 7@120 8@130 9@211 10@221", players=3)
TOKEN = re.compile(r"[\[\]>:]|\b[A-Za-z][1-6][A-Za-z]\b|\b[B-Zb-rt-z]\b")  # a name in notation


@pytest.mark.parametrize("colours", [COLOURS, PALETTE[5:10]], ids=",".join)
def test_every_field_has_its_own_name_that_can_be_said(colours: tuple[str, ...]) -> None:
    names = [place_in(colours, field) for field in range(len(FIELDS))]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z0-9 ]+", name) for name in names)


def test_names_of_fields() -> None:
    numbers = [FIELDS.index(field) for field in ((3, 0, 0), (8, 0, 0), (1, 3, 0), (6, 1, 5), (5, 6, 2))]
    assert [place_in(COLOURS, number) for number in numbers] == [
        "red corner",
        "red junction",
        "3rd stop from the green corner towards the white corner",
        "1st stop from the green junction towards the white junction",
        "6th stop from the white junction towards the yellow corner",
    ]


@pytest.mark.parametrize(
    ("here", "move", "words"),
    [
        (START, "3-322", "Move the red piece to the 2nd stop from the red corner towards the yellow corner"),
        (START, "3-2x12", "Swap the red piece with square's yellow piece on the yellow corner"),
        (START, "3-2x02", "Swap the yellow piece with the red piece on the red corner"),
        (
            START,
            "0-8 615",
            (
                "Move the white piece to the red junction and take the black block, "
                "then put it on the 1st stop from the green to the white junction"
            ),
        ),
        (
            board("03@811"),
            "3-8 831 8",
            (
                "Bring the red piece home to the red junction and take the black block, "
                "then put it on the 3rd stop from the red junction to the green corner "
                "and a gray block on the red junction"
            ),
        ),
        (
            GIFT.play("0-811"),
            "[1,3,-1,-1,-1] [1,6,8,0,0]",
            "Remove the red piece from the red junction, then put a gray block on the red junction",
        ),
        (
            FULL,
            "3-8 7-8",
            (
                "Bring the red piece home to the red junction, "
                "then move the gray block from the 2nd stop from the green to the white corner to the red junction"
            ),
        ),
    ],
)
def test_turns_as_instructions(here: pentad.game.Position, move: str, words: str) -> None:
    assert here.instruction(here.parse(move)) == words


def test_random_turns_are_told_without_notation() -> None:
    chance = random.Random(7)
    for players in (2, 3, 4, 5):
        for _ in range(10):
            here = random_position(chance, players)
            if here.outcome:
                continue
            move = here.legal_moves[chance.randrange(len(here.legal_moves))]
            for words in (here.describe(move), here.instruction(move)):
                assert not TOKEN.search(words), words


@pytest.mark.parametrize(
    ("here", "begun", "step", "words"),
    [
        (START, "", "[0,3,3,2,2]", "Move the red piece here"),
        (START, "", "[0,3,5,0,0]", "Move the red piece here and take the black block"),
        (START, "", "[0,3,2,0,0] [1,2,3,0,0]", "Swap the red piece with square's yellow piece"),
        (START, "0-8", "[0,14,6,1,5]", "Put the black block here"),
        (board("03@811"), "", "[0,3,8,0,0]", "Bring the red piece home and take the black block"),
        (GIFT.play("0-811"), "", "[1,3,-1,-1,-1]", "Remove the red piece"),
        (FULL, "3-8", "[0,7,8,0,0]", "Move the gray block here"),
    ],
)
def test_a_button_beside_a_field_need_not_name_it(
    here: pentad.game.Position, begun: str, step: str, words: str
) -> None:
    assert [choice.near for choice in here.choices(begun) if str(choice) == step] == [words]
