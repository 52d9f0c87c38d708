"""Drawings of exact values, and the listing in words."""

from __future__ import annotations

import re
from collections import Counter

import pytest

import pentad
from pentad.game import GameError, Span
from pentad.games.pentago import from_number, solve
from pentad.games.pentago.rules import PentagoPosition
from pentad.terminal.pentago.exact_values import LETTERS, VERBS, ExactValues, read_space

BOARDS = [5211790935814378765, 3218705911816140614, 3199595687196497322]  # one is won, one drawn, one lost
IMMEDIATE = "pentago bbbb.w/wwwwbb/bwbwww/wbwwww/wbbwbb/.bbbbw"


def values_of(position: PentagoPosition) -> ExactValues:
    return ExactValues(solve(position, depth=True))


def plain(lines: list[list[Span]]) -> list[str]:
    return ["".join(text for text, _ in line).rstrip() for line in lines]


@pytest.mark.parametrize("number", BOARDS)
def test_each_empty_space_shows_its_best_value(number: int):
    position = from_number(number)
    values = values_of(position)
    rows = [line[: line.rindex("│", 0, 22)] for line in plain(values.spans())[2:9] if line[1] in "abcdef"]
    assert len(rows) == 6
    for row, line in enumerate(rows):
        signs = re.findall(r"[●○WDL]", line)
        assert len(signs) == 6
        for column, sign in enumerate(signs):
            place = position.board.places[position.board.space(row, column)]
            worth = [value for move, value in values.solution.moves.items() if move[0] == place]
            assert sign == LETTERS[max(worth)] if worth else sign in "●○"


@pytest.mark.parametrize("number", BOARDS)
def test_each_twist_after_a_space(number: int):
    position = from_number(number)
    values = values_of(position)
    words = {1: "win", 0: "draw", -1: "loss"}
    for place in {move[0] for move in values.solution.moves}:
        text = " ".join(line[24:] for line in plain(values.spans(place)))  # type: ignore[arg-type]
        assert f"After {place}, twist a sub-board:" in text
        cells = re.findall(r"[AC] (?:win|draw|loss)(?: in \d+)?", text)
        assert len(cells) == 8
        # Two sub-boards side by side, anti-clockwise above clockwise.
        for at, (sub_board, way) in enumerate([(s, w) for pair in ((1, 2), (3, 4)) for w in "AC" for s in pair]):
            move = position.parse(f"{place} {sub_board}{way}")
            assert cells[at].split()[:2] == [way, words[values.solution.moves[move]]]
            turns = values.solution.distances.get(move)
            assert cells[at].split()[3:] == ([str((turns + 1) // 2)] if turns else [])


def test_the_best_space_is_the_default():
    values = values_of(from_number(BOARDS[0]))
    best = max(values.solution.moves, key=values.rank)
    assert f"After {best[0]}, twist" in "\n".join(plain(values.spans()))
    assert values.solution.moves[best] == 1
    assert values.solution.distances[best] == min(
        turns for move, turns in values.solution.distances.items() if values.solution.moves[move] == 1
    )
    lost = values_of(from_number(BOARDS[2]))
    assert lost.solution.distances[max(lost.solution.moves, key=lost.rank)] == max(lost.solution.distances.values())


def test_the_middle_of_a_turn_and_an_immediate_win():
    position = from_number(BOARDS[0])
    middle = position.partial(str(next(iter(position.legal_moves))[0]))
    lines = plain(values_of(middle).spans())
    assert "Twist a sub-board:" in lines[0]
    assert not any("wins   " in line for line in lines)
    won = pentad.load(IMMEDIATE)
    assert isinstance(won, PentagoPosition)
    assert "a4 wins immediately, without a twist" in plain(values_of(won).spans())[0]
    assert list(values_of(won).listing())[3] == "a4: wins immediately"


@pytest.mark.parametrize(
    "options", [{"rows": 1, "cols": 2, "line": 3}, {"rows": 1, "cols": 4, "block": 2, "line": 3},
                {"rows": 2, "cols": 1, "line": 3}, {"rows": 1, "cols": 1, "line": 3}]
)  # fmt: skip
def test_other_boards_fit_too(options: dict[str, int]):
    position = pentad.new("pentago", **options)
    while len(position.legal_moves) > 80 and not position.outcome:
        position = position.play(position.legal_moves[0])
    assert isinstance(position, PentagoPosition)
    lines = plain(values_of(position).spans())
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("number", BOARDS)
def test_it_fits_80_columns_and_the_listing_is_complete(number: int):
    values = values_of(from_number(number))
    assert max(map(len, plain(values.spans()))) <= 80
    text = list(values.listing())[3:]  # the first three are the marbles and the value
    assert len(text) == 12
    verbs = {verb: value for value, verb in VERBS.items()}
    count = 0
    for line in text:
        place, _, rest = line.partition(": ")
        for part in rest.split("; "):
            verb, twists = part.split()[0], part.rpartition(" by ")[2]
            for twist in twists.split(", "):
                assert values.solution.moves[values.solution.position.parse(f"{place} {twist}")] == verbs[verb]
                count += 1
    assert count == len(values.solution.moves)


def test_spaces_are_parsed_strictly():
    position = from_number(BOARDS[0])
    place = next(iter(position.legal_moves))[0]
    assert read_space(position, str(place)) == place
    for text in ("z9", "", f"{place} 1C", "1C", "é", "a0 a1"):
        with pytest.raises(GameError):
            read_space(position, text)
    with pytest.raises(GameError):
        read_space(position.partial(str(place)), str(place))


@pytest.mark.parametrize("options", [{}, {"rows": 3, "cols": 3, "players": 6}, {"block": 2, "line": 3}])
@pytest.mark.parametrize("flip", [False, True])
def test_a_larger_board_has_the_same_spaces_as_blocks(options: dict[str, int], flip: bool):
    position = pentad.new("pentago", **options)
    for _ in range(3):
        position = position.play(position.legal_moves[len(position.legal_moves) // 3])

    def roles(size: int) -> Counter[str]:
        return Counter(role for line in position.spans(size=size, flip=flip) for _, role in line if "@" in role)

    def targets(size: int) -> list[str]:
        """The spaces in reading order."""
        lines = position.spans(size=size, flip=flip)
        return list(dict.fromkeys(role for line in lines for _, role in line if "@" in role))

    for size in position.sizes[1:]:
        assert targets(size) == targets(0)
        assert roles(size) == Counter(dict.fromkeys(roles(0), size + 2))
        lines = position.spans(size=size, flip=flip)
        rows = [sum(len(text) for text, _ in line) for line in lines if line[-1] == (" │", "frame")]
        assert len(set(rows)) == 1  # all rows end at the frame
        assert {len(text) for line in lines for text, role in line if "@" in role} == {2 * (size + 2)}


def test_a_marble_is_larger_than_a_hollow_and_marbles_do_not_touch():
    position = pentad.new("pentago").play("a0 4A").play("a1 4C").play("b0 4A")
    for size in position.sizes[1:]:
        marble, hollow = (
            [text for line in position.spans(size=size) for text, role in line if role.endswith(f"@{place}")]
            for place in ("a0", "c2")
        )
        assert "".join(marble).count(" ") < "".join(hollow).count(" ")
        assert all(piece == mirrored(piece) for piece in (*marble, *hollow))
        assert marble[0][0] == " " or "█" not in marble[0]  # half a row is free above it


def mirrored(text: str) -> str:
    return text[::-1].translate(str.maketrans("▘▝▖▗▌▐▛▜▙▟", "▝▘▗▖▐▌▜▛▟▙"))
