import pytest

from pentad.game import Outcome, Position, load, new
from pentad.record import Record
from pentad.web.engines.proofs import assess, check, review
from tests.cases import slow_but

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
    from pentad.web.engines import proofs

    known = {CAN_WIN: ((1.0, -1.0), 3), CAN_WIN.play("P1"): ((0.0, 0.0), None)}
    monkeypatch.setattr(
        proofs,
        "assess",
        lambda position, seconds: proofs.Assessment(position, None, known[position][0], True, known[position][1]),
    )
    assert check(CAN_WIN, "P1", SECONDS)["words"] == "This move gives up a win in 3."


@pytest.mark.slow
def test_an_assessment_says_what_is_proved_and_how_soon():
    found = assess(PENTAGO, SECONDS)
    assert (found.values, found.exact, found.turns, str(found.best)) == ((1.0, -1.0), True, 1, "b1")
    assert found.verdict() == "Black wins at once"
    assert not assess(new("pente"), SECONDS).exact


def reviewed(start: Position, moves: str) -> list[dict[str, object]]:
    record = Record(start)
    for move in moves.split(";"):
        record.play(move)
    return list(review(record, SECONDS))


@pytest.mark.slow
def test_a_review_reports_missed_wins():
    plies = reviewed(CAN_WIN, "P1;K9;A9;K14")
    assert [ply["ply"] for ply in plies] == [0, 1, 2, 3, 4]
    assert [ply["move"] for ply in plies] == ["P1", "K9", "A9", "K14", None]
    assert plies[0]["best"] in ("K9", "K14")
    assert (plies[0]["values"], plies[0]["value"], plies[0]["exact"]) == ([1.0, -1.0], 1.0, True)
    assert plies[0]["missed"] == "You had an immediate win."  # the other end stays open, and is played later
    plies = reviewed(CAN_WIN, "P1;K9;A9;K14;P3")
    assert plies[2]["missed"] == "You had an immediate win."


def test_an_equally_fast_win_is_not_missed():
    assert reviewed(CAN_WIN, "K9")[0]["missed"] == reviewed(CAN_WIN, "K14")[0]["missed"] == ""


def test_a_slower_win_is_not_missed():
    from pentad.web.engines import proofs

    here, then = CAN_WIN, CAN_WIN.play("P1")
    best = here.parse("K9")
    assessed = [
        proofs.Assessment(here, best, (1.0, -1.0), True, 3),
        proofs.Assessment(then, None, (1.0, -1.0), True, 4),
    ]
    assert proofs.missed(assessed, here.parse("P1"), SECONDS) == ""


def test_a_review_reports_the_losing_move():
    plies = reviewed(MUST_BLOCK, "A1;H9")
    assert plies[0]["missed"] == "After this move, Black wins at once."
    assert plies[-1]["values"] == [-1.0, 1.0]
    plies = reviewed(PENTAGO, "b3 1C")
    assert plies[0]["missed"] == "You had an immediate win. After this move, White wins at once."


@pytest.mark.slow
def test_a_resigned_game_ends_with_its_result():
    record = Record("pentago")
    record.play("a2 1C")
    record.ended = Outcome.of((0,), 2, "resigned")
    assert list(review(record, SECONDS))[-1]["values"] == [1.0, -1.0]


@pytest.mark.parametrize("players", slow_but([2, 5], 5))
def test_a_review_has_a_value_for_every_seat(players):
    start = new("pentagame", players=players)
    plies = reviewed(start, str(start.legal_moves[0]))
    assert [len(ply["values"]) for ply in plies] == [players] * 2  # type: ignore[arg-type]
    assert plies[0]["best_words"]
