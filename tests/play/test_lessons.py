"""Lessons: the answer of each step solves it, and other moves do not."""

import pytest

from pentad.game import GameError, names
from pentad.play import lessons
from pentad.play.lessons import check, lesson

STEPS = [(name, number) for name in names() for number in range(len(lesson(name).steps))]


def test_every_game_has_a_lesson():
    assert [each.game for each in lessons.lessons()] == list(names())
    assert all(6 <= len(each.steps) <= 10 for each in lessons.lessons())


@pytest.mark.parametrize(("name", "number"), STEPS)
class TestStep:
    def test_its_position_text_is_canonical(self, name, number):
        step = lesson(name).steps[number]
        assert step.start.text == step.position
        assert not step.start.outcome

    def test_its_answer_solves_it(self, name, number):
        step = lesson(name).steps[number]
        answer = step.show[0] if step.show else step.answer
        found = check(name, number, answer)
        assert found.right
        assert found.message == step.right
        assert found.after == step.start.play(answer)

    def test_it_has_one_task(self, name, number):
        step = lesson(name).steps[number]
        assert bool(step.want) + bool(step.accept) + bool(step.show) == 1
        assert not step.want or lessons.goal(name, step.want)

    def test_another_move_is_wrong(self, name, number):
        step = lesson(name).steps[number]
        if step.want == "any":
            return
        wrong = next(move for move in step.start.legal_moves if not step.met(move))
        found = check(name, number, str(wrong))
        assert not found.right
        assert found.message == step.wrong

    def test_an_illegal_move_is_refused(self, name, number):
        with pytest.raises(GameError):
            check(name, number, "rubbish")


# All solutions of the steps that have only a few.
@pytest.mark.fast_cases(7)
@pytest.mark.parametrize(
    ("name", "title", "right"),
    [
        ("pentago", "Five in a row wins", {"a4"}),
        ("pentago", "A twist can make five", {"a2 2A"}),
        ("pentago", "See the opponent's threat", {f"a0 {board}{way}" for board in "1234" for way in "CA"}),
        ("pentago", "Find it yourself", {"d2 4A", "e5 1C"}),
        ("pente", "Five in a row wins", {"G5"}),
        ("pente", "Capture a pair", {"F5"}),
        ("pente", "Moving in between is safe", {"E5"}),
        ("pente", "Guard your pairs", {"F5"}),
        ("pente", "Five pairs win too", {"E5"}),
        ("pente", "Two threats at once", {"C5", "G5"}),
        ("pentagame", "Gray blocks disappear", {"[0,1,1,2,0]"}),
    ],
)
def test_all_solutions(name, title, right):
    step = next(each for each in lesson(name).steps if each.title == title)
    assert {str(move) for move in step.start.legal_moves if step.met(move)} == right


def test_the_demonstrated_move_draws():
    step = next(each for each in lesson("pentago").steps if each.show)
    outcome = step.start.play(step.show[0]).outcome
    assert outcome
    assert outcome.is_draw


def test_the_squares_win_unless_stopped():
    step = next(each for each in lesson("pentagame").steps if each.want == "stops")
    idle = next(move for move in step.start.legal_moves if len(move) == 1 and not step.met(move))
    after = step.start.play(idle)
    assert any(outcome.winners == (1,) for move in after.legal_moves if (outcome := after.play(move).outcome))
    stopped = step.start.play(step.answer)
    assert not any(stopped.play(move).outcome for move in stopped.legal_moves)


@pytest.mark.parametrize("number", [-1, 6, 10**9])
def test_unknown_steps_are_refused(number):
    with pytest.raises(GameError, match="has steps 0 to 5"):
        check("pentago", number, "a0 1C")


def test_unknown_games_are_refused():
    with pytest.raises(GameError, match="Unknown game 'chess'"):
        lesson("chess")
