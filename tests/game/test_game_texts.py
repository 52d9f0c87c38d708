"""Texts that positions give to people: each is one or several whole sentences."""

from __future__ import annotations

import random
import re

import pytest

import pentad
from pentad.game import Position

GAMES = {
    "pentago": {},
    "pentago of three": {"players": 3, "line": 3},
    "pente": {},
    "keryo": {"rules": "keryo", "size": 9},
    "gomoku": {"rules": "gomoku", "size": 7, "line": 4},
    "swap2": {"opening": "swap2"},
    "pentagame": {"max_ply": 60},
    "pentagame of five": {"players": 5, "max_ply": 60},
}
TURNS = 60
SENTENCE = re.compile(r"[A-Z].*[^.]\.")


def start(name: str) -> Position:
    game = name.split()[0]
    return pentad.new(game if game in pentad.names() else "pente", **GAMES[name])


@pytest.mark.parametrize("name", GAMES)
def test_all_texts_are_sentences(name: str) -> None:
    chance, here = random.Random(1), start(name)
    for _ in range(TURNS):
        texts = [here.status, here.guide, *here.listing(), here.choices().prompt]
        moves = here.legal_moves
        if moves:
            move = moves[chance.randrange(len(moves))]
            texts += [here.describe(move), *(here.choices(move[:i]).prompt for i in range(1, len(move) + 1))]
        for text in texts:
            assert SENTENCE.fullmatch(text), text
        if not moves:
            break
        here = here.play(move)


@pytest.mark.parametrize(
    ("rules", "captures"),
    [
        (
            "pente",
            "Two stones in a row with an opposing stone at each end are captured and removed. Capturing 10",
        ),
        (
            "keryo",
            "Two or three stones in a row with an opposing stone at each end are captured and removed. Capturing 15",
        ),
        ("gomoku", ""),
        ("freestyle", ""),
    ],
)
def test_the_guide_of_pente_has_the_rules_of_the_rule_set(rules: str, captures: str) -> None:
    guide = pentad.new("pente", rules=rules).guide
    assert ("Get exactly 5" in guide) == (rules == "gomoku")
    assert captures in guide
    assert ("removed" in guide, "Capturing" in guide) == (bool(captures), bool(captures))
