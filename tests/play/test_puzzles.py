"""Puzzles: the proofs in the files are checked again, and attempts get the right verdicts."""

from collections import Counter
from datetime import date, timedelta

import pytest

from pentad.game import GameError, game, load, names
from pentad.games.parts import ANY
from pentad.play import puzzles
from pentad.play.puzzle_maker import prover
from pentad.play.puzzles import (
    DIFFICULTIES,
    GOALS,
    Puzzle,
    PuzzleNode,
    answer,
    attempt,
    daily,
    fits,
    puzzle,
    solution,
    stand,
)
from tests.cases import thinned, together

ALL = [each for name in names() for each in puzzles.puzzles(name)]
FEW = [each for name in names() for each in puzzles.puzzles(name)[::17]]


def named(each):
    return each.id


# ── the files ────────────────────────────────────────────────────────────────────────────────────


def test_every_difficulty_has_many_puzzles():
    least = {"pentago": 150, "pente": 150, "pentagame": 40}
    for name in names():
        found = puzzles.puzzles(name)
        assert len(found) >= least[name]
        assert {each.difficulty for each in found} == set(DIFFICULTIES)
        assert [each.difficulty for each in found] == sorted(each.difficulty for each in found)
        assert len(game(name).data(puzzles.FILE) or "") < 300_000


def test_no_puzzle_is_duplicated():
    assert max(Counter(each.id for each in ALL).values()) == 1
    assert max(Counter(each.position for each in ALL).values()) == 1


def test_pente_puzzles_cover_several_rules():
    assert {each.start.options["rules"] for each in puzzles.puzzles("pente")} >= {
        "pente",
        "keryo",
        "gomoku",
        "freestyle",
    }


@together("each", ALL)
def test_the_solution_reaches_the_goal(each):
    assert each.start.text == each.position
    assert each.kind in GOALS
    line = list(solution(each))
    here, move = line[-1]
    end = here.play(move)
    assert len(line) == 2 * each.moves - 1
    if each.kind == "draw":
        assert not end.outcome or end.outcome.is_draw
    else:
        assert end.outcome
        assert end.outcome.winners == (each.start.turn,)


def every_line(of: Puzzle, here, node: PuzzleNode):
    """Every node of the proof with its position."""
    yield here, node
    for move, then in node.right.items():
        if then:
            reply, rest = then
            yield from every_line(of, here.play(move).play(reply), rest)


def prove_again(each):
    """Every node has all correct moves, and every reply is a longest defence."""
    proofs = prover(each.game)
    for here, node in every_line(each, each.start, each.tree):
        right = proofs.right(here, each.kind, node.left)
        assert set(right.moves) == set(node.right)
        assert right.letters == node.letters
        assert len(node.letters) in (0, len(here.legal_moves))
        for move, then in node.right.items():
            if then is None and each.kind != "draw" and not move.endswith(ANY):
                end = here.play(move).outcome
                assert end
                assert end.winners == (here.turn,)
            elif then and then[1].left > 1:
                reply, rest = then
                there = here.play(move).play(reply)
                assert not proofs.right(there, each.kind, rest.left - 1).moves


@pytest.mark.slow
@pytest.mark.parametrize("each", thinned(FEW, 3), ids=named)
def test_some_proofs(each):
    prove_again(each)


@pytest.mark.slow
@pytest.mark.parametrize("each", ALL, ids=named)
def test_all_proofs(each):
    prove_again(each)


def test_a_wildcard_move_wins_with_every_continuation():
    """A move that ends with `*` wins with any further steps."""
    tried = 0
    for each in puzzles.puzzles("pentagame")[:6]:
        wanted = next(iter(each.tree.right))
        if wanted.endswith(ANY):
            ends = [move for move in each.start.legal_moves if fits(str(move), wanted)]
            assert ends
            for move in ends[:: max(1, len(ends) // 20)]:
                outcome = each.start.play(move).outcome
                assert outcome
                assert outcome.winners == (each.start.turn,)
                tried += 1
    assert tried


# ── playing ──────────────────────────────────────────────────────────────────────────────────────

TWO = Puzzle(
    "small",
    "pentago wb.w../bbwwb./bw..w./....../.w.bbb/....w.",
    "win",
    2,
    2,
    PuzzleNode.of({"left": 2, "right": {"d3 1A": ["a0 1A", {"left": 1, "right": {"f5 1C": []}}]}}),
)


def test_a_correct_move_gets_the_reply():
    tried = attempt(TWO, ["d3 1A"])
    assert tried.right
    assert not tried.over
    assert str(tried.reply) == "a0 1A"
    assert tried.position == TWO.start.play("d3 1A").play("a0 1A")
    assert tried.message == "Correct. Now finish it."


def test_a_puzzle_ends_with_the_win():
    tried = attempt(TWO, ["d3 1A", "f5 1C"])
    assert tried.right
    assert tried.over
    assert tried.reply is None
    assert tried.message == "That wins."


def test_a_wrong_move_leaves_the_position():
    tried = attempt(TWO, ["a2 1C"])
    assert not tried.right
    assert not tried.over
    assert tried.message == "That does not win in 2."
    assert tried.position == TWO.start
    assert tried.after == TWO.start.play("a2 1C")


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ([], "Expected 1 to 20 moves in an attempt, got 0"),
        (["d3 1A"] * 21, "Expected 1 to 20 moves in an attempt, got 21"),
        (["rubbish"], "rubbish"),
        (["a0 1C"], "a0"),
        (["a2 1C", "d3 1A"], "ends after a2 1C"),
        (["d3 1A", "f5 1C", "a2 1C"], "ends after f5 1C"),
    ],
)
def test_bad_attempts_are_refused(moves, message):
    with pytest.raises(GameError, match=message):
        attempt(TWO, moves)


def test_the_message_names_the_result_of_a_wrong_move():
    each = next(one for one in puzzles.puzzles("pentago") if one.kind == "draw")
    other = "Black" if each.colour == "white" else "White"
    messages = {"l": f"That lets {other} win.", "r": None}
    for move, letter in zip(each.start.legal_moves, each.tree.letters, strict=True):
        assert letter in messages
        if letter == "l":
            assert attempt(each, [str(move)]).message == messages[letter]
            break
    right = attempt(each, [next(iter(each.tree.right))])
    assert right.message == f"That holds the draw. Moves that lose: {each.tree.letters.count('l')}."


def test_a_hint_is_a_correct_move():
    here, move = answer(TWO, ["d3 1A"])
    assert here == attempt(TWO, ["d3 1A"]).position
    assert str(move) == "f5 1C"
    with pytest.raises(GameError, match="No moves are left to find"):
        stand(TWO, ["a2 1C"])


def test_goal_texts():
    assert TWO.goal == "Black to move and win in 2"
    assert {each.goal.split(" to move and ")[1].rstrip("0123456789") for each in ALL} == {
        "win in ",
        "win immediately",
        "draw",
        *(f"win in {n} by threats alone" for n in (4, 5, 6, 7)),
    }


def test_notes_name_unusual_rules():
    for each in ALL:
        default = load(each.position).options.get("rules", "pente") == "pente"
        unusual = not default or each.start.options.get("first_to_three", False)
        assert bool(each.notes) == unusual


# ── daily puzzles ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", names())
def test_the_daily_puzzle_changes_every_day(name):
    today, count = date(2026, 2, 28), len(puzzles.puzzles(name))
    days = [daily(name, today + timedelta(days=i)).id for i in range(count)]
    assert len(set(days)) == count
    assert daily(name, today + timedelta(days=count)).id == days[0]


def test_unknown_puzzles_are_refused():
    with pytest.raises(GameError, match="There is no puzzle 'x'"):
        puzzle("x")
    with pytest.raises(GameError, match="Unknown game 'chess'"):
        puzzles.puzzles("chess")
