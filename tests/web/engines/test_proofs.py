import pytest

from pentad.game import Outcome, Position, load, new
from pentad.record import Record
from pentad.web.engines.proofs import check, look, review

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


@pytest.mark.parametrize(
    ("position", "move", "words"),
    [
        (MUST_BLOCK, "A1", "after that Black wins at once"),
        (MUST_BLOCK, "H9", ""),
        (HOPELESS, "A2", ""),
        (CAN_WIN, "P1", ""),  # it is still there, and no mere estimate warns
        (PENTAGO, "b3 1C", "after that White wins at once"),
        (PENTAGO, "b1", ""),
        (new("pentagame", players=3), "[0,0,1,0,0] [0,1,0,0,0]", ""),
    ],
)
def test_a_warning_comes_only_before_a_proved_blunder(position, move, words):
    assert check(position, move, SECONDS) == {"loses": bool(words), "words": words}


def test_a_win_that_becomes_a_draw_is_given_up(monkeypatch):
    from pentad.web.engines import proofs

    known = {CAN_WIN: ((1.0, -1.0), 3), CAN_WIN.play("P1"): ((0.0, 0.0), None)}
    monkeypatch.setattr(
        proofs,
        "look",
        lambda position, seconds: proofs.Look(position, None, known[position][0], True, known[position][1]),
    )
    assert check(CAN_WIN, "P1", SECONDS)["words"] == "that gives up a win in 3"


def test_a_look_says_what_is_proved_and_how_soon():
    seen = look(PENTAGO, SECONDS)
    assert (seen.values, seen.exact, seen.turns, str(seen.best)) == ((1.0, -1.0), True, 1, "b1")
    assert seen.verdict() == "Black wins at once"
    assert not look(new("pente"), SECONDS).exact


def through(start: Position, moves: str) -> list[dict[str, object]]:
    record = Record(start)
    for move in moves.split(";"):
        record.play(move)
    return list(review(record, SECONDS))


def test_a_review_tells_what_was_missed():
    plies = through(CAN_WIN, "P1;K9;A9;K14")
    assert [ply["ply"] for ply in plies] == [0, 1, 2, 3, 4]
    assert [ply["move"] for ply in plies] == ["P1", "K9", "A9", "K14", None]
    assert plies[0]["best"] in ("K9", "K14")
    assert (plies[0]["values"], plies[0]["value"], plies[0]["exact"]) == ([1.0, -1.0], 1.0, True)
    assert plies[0]["missed"] == "here you had a win at once"  # the other end stays open, and is played later
    plies = through(CAN_WIN, "P1;K9;A9;K14;P3")
    assert plies[2]["missed"] == "here you had a win at once"


def test_a_win_that_was_as_near_in_another_way_is_not_missed():
    assert through(CAN_WIN, "K9")[0]["missed"] == through(CAN_WIN, "K14")[0]["missed"] == ""


def test_a_win_that_only_comes_later_is_not_missed():
    from pentad.web.engines import proofs

    here, then = CAN_WIN, CAN_WIN.play("P1")
    best = here.parse("K9")
    looks = [proofs.Look(here, best, (1.0, -1.0), True, 3), proofs.Look(then, None, (1.0, -1.0), True, 4)]
    assert proofs.missed(looks, here.parse("P1"), SECONDS) == ""


def test_a_review_tells_what_lost():
    plies = through(MUST_BLOCK, "A1;H9")
    assert plies[0]["missed"] == "after that Black wins at once"
    assert plies[-1]["values"] == [-1.0, 1.0]
    plies = through(PENTAGO, "b3 1C")
    assert plies[0]["missed"] == "here you had a win at once; after that White wins at once"


def test_a_game_that_was_given_up_ends_so():
    record = Record("pentago")
    record.play("a2 1C")
    record.ended = Outcome.of((0,), 2, "resigned")
    assert list(review(record, SECONDS))[-1]["values"] == [1.0, -1.0]


@pytest.mark.parametrize("players", [2, 5])
def test_a_review_has_a_value_for_every_seat(players):
    start = new("pentagame", players=players)
    plies = through(start, str(start.legal_moves[0]))
    assert [len(ply["values"]) for ply in plies] == [players] * 2  # type: ignore[arg-type]
    assert plies[0]["best_words"]
