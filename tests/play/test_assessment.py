import pytest

from pentad.game import Position, load, new
from pentad.play.assessment import Assessment, assess, assess_by_fixed_work, check

SECONDS = 0.5
PENTAGO = load("pentago bbwwbb/w.w.wb/.wb.ww/bw.bbw/b.wwbb/.wwb.b")  # black wins at once by b1; b3 1C lets white win


def pente(moves: str) -> Position:
    position = new("pente", rules="freestyle")
    for move in moves.split():
        position = position.play(move)
    return position


MUST_BLOCK = pente("K10 H10 L12 H11 M3 H12 H14 H13")  # white at H9, or black has five
HOPELESS = pente("K10 H10 L12 H11 M3 H12 A1 H13")  # black's four is open
CAN_WIN = pente("K10 A1 K11 A3 K12 A5 K13 C7")


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize(
    ("position", "move", "words"),
    [
        (MUST_BLOCK, "A1", "After this move, Black wins at once."),
        (MUST_BLOCK, "H9", ""),
        (HOPELESS, "A2", ""),
        (CAN_WIN, "P1", ""),  # the win is still there, and an estimate gives no warning
        (PENTAGO, "b3 1C", "After this move, White wins at once."),
        (PENTAGO, "b1", ""),
        (new("pentagame", players=3), "[0,0,1,0,0] [0,1,0,0,0]", ""),
    ],
)
def test_only_a_proved_blunder_gives_a_warning(position, move, words):
    assert check(position, move, SECONDS) == {"loses": bool(words), "words": words}


def test_a_move_that_turns_a_win_into_a_draw_is_reported(monkeypatch):
    known = {CAN_WIN: ((1.0, -1.0), 3), CAN_WIN.play("P1"): ((0.0, 0.0), None)}
    monkeypatch.setattr(
        "pentad.play.assessment.assess",
        lambda position, seconds: Assessment(position, None, known[position][0], True, known[position][1]),
    )
    assert check(CAN_WIN, "P1", SECONDS)["words"] == "This move gives up a win in 3."


@pytest.mark.slow
def test_an_assessment_says_what_is_proved_and_how_soon():
    found = assess(PENTAGO, SECONDS)
    assert (found.values, found.exact, found.turns, str(found.best)) == ((1.0, -1.0), True, 1, "b1")
    assert found.verdict() == "Black wins at once"
    assert not assess(new("pente"), SECONDS).exact


def test_an_assessment_by_fixed_work_is_the_same_every_time():
    one, other = assess_by_fixed_work(MUST_BLOCK), assess_by_fixed_work(MUST_BLOCK)
    assert one == other
    assert one.chances[0] + one.chances[1] == pytest.approx(1)
    proved = assess_by_fixed_work(PENTAGO)
    assert (proved.values, proved.exact, proved.chances) == ((1.0, -1.0), True, (1.0, 0.0))


@pytest.mark.parametrize("players", [2, pytest.param(5, marks=pytest.mark.slow)])
def test_an_assessment_has_a_chance_for_every_seat(players):
    found = assess(new("pentagame", players=players), 0.05)
    assert len(found.values) == len(found.chances) == players
    assert sum(found.chances) == pytest.approx(1)
    assert found.line[0] == found.best
