"""Lessons: each can be gone through by its own answers, and takes nothing else for right."""

import pytest

from pentad.game import GameError, games
from pentad.play import lessons
from pentad.play.lessons import check, lesson

STEPS = [(name, number) for name in games() for number in range(len(lesson(name).steps))]


def test_every_game_has_a_lesson():
    assert [each.game for each in lessons.lessons()] == list(games())
    assert all(6 <= len(each.steps) <= 10 for each in lessons.lessons())


@pytest.mark.parametrize(("name", "number"), STEPS)
class TestStep:
    def test_its_position_is_as_it_would_be_written(self, name, number):
        step = lesson(name).steps[number]
        assert step.start.text == step.position
        assert not step.start.outcome

    def test_its_answer_is_right(self, name, number):
        step = lesson(name).steps[number]
        answer = step.show[0] if step.show else step.answer
        found = check(name, number, answer)
        assert found.right
        assert found.message == step.right
        assert found.after == step.start.play(answer)

    def test_it_asks_for_one_thing(self, name, number):
        step = lesson(name).steps[number]
        assert bool(step.want) + bool(step.accept) + bool(step.show) == 1
        assert step.want in ("", *lessons.WANTED)

    def test_something_else_is_wrong(self, name, number):
        step = lesson(name).steps[number]
        if step.want == "any":
            return
        wrong = next(move for move in step.start.legal_moves if not step.met(move))
        found = check(name, number, str(wrong))
        assert not found.right
        assert found.message == step.wrong

    def test_what_is_illegal_is_refused(self, name, number):
        with pytest.raises(GameError):
            check(name, number, "rubbish")


# Every move that does what a step asks for, where these are few.
@pytest.mark.parametrize(
    ("name", "title", "right"),
    [
        ("pentago", "Five in a row win", {"a4"}),
        ("pentago", "A turn can make five", {"a2 2A"}),
        ("pentago", "See what the other one threatens", {f"a0 {board}{way}" for board in "1234" for way in "CA"}),
        ("pentago", "Find it yourself", {"d2 4A", "e5 1C"}),
        ("pente", "Five in a row win", {"G5"}),
        ("pente", "Take a pair", {"F5"}),
        ("pente", "Going in between is safe", {"E5"}),
        ("pente", "Guard your pairs", {"F5"}),
        ("pente", "Five pairs win, too", {"E5"}),
        ("pente", "Two threats at once", {"C5", "G5"}),
        ("pentagame", "Gray blocks vanish", {"[0,1,1,2,0]"}),
    ],
)
def test_all_that_is_right(name, title, right):
    step = next(each for each in lesson(name).steps if each.title == title)
    assert {str(move) for move in step.start.legal_moves if step.met(move)} == right


def test_a_game_shown_ends_as_it_is_told():
    step = next(each for each in lesson("pentago").steps if each.show)
    outcome = step.start.play(step.show[0]).outcome
    assert outcome
    assert outcome.is_draw


def test_the_squares_would_win_where_they_are_to_be_stopped():
    step = next(each for each in lesson("pentagame").steps if each.want == "stops")
    idle = next(move for move in step.start.legal_moves if len(move) == 1 and not step.met(move))
    after = step.start.play(idle)
    assert any(outcome.winners == (1,) for move in after.legal_moves if (outcome := after.play(move).outcome))
    stopped = step.start.play(step.answer)
    assert not any(stopped.play(move).outcome for move in stopped.legal_moves)


@pytest.mark.parametrize("number", [-1, 6, 10**9])
def test_steps_that_do_not_exist(number):
    with pytest.raises(GameError, match="has steps 0 to 5"):
        check("pentago", number, "a0 1C")


def test_games_that_do_not_exist():
    with pytest.raises(GameError, match="Unknown game 'chess'"):
        lesson("chess")
