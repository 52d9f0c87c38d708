"""Reviews of games: a table of moves with known errors, what holds for every mark, and the end of a game."""

from __future__ import annotations

import pytest

from pentad.game import Outcome, Position, load, new
from pentad.play import game_review as module
from pentad.play.game_review import (
    ByFixedWork,
    Judgement,
    KnownPly,
    ReviewedPly,
    TriedMove,
    accuracies,
    attempt,
    judge,
    review,
)
from pentad.play.position_assessment import Assessment, assess_by_fixed_work
from pentad.record import Record
from pentad.search.exact import BOOK, PROOF
from pentad.search.report import Line, Report

ISSUED = "K10 K12 H17 M12 O13 H14 G13 H12 B15 J13 F17 G15 C6 L11"  # Pente; the game is lost from move 5 on

# Positions with a move of a known class. Those of Pentago are proved by its solver; those of Pente ignore a four or an
# open three, give up a five, or are careless; those of Pentagame give a win or a lead away.
KNOWN_ERRORS = [
    ("pentago .wbbbb/wwbbwb/wb.wwb/bb.wbw/..ww../b.wbww", "f1 1A", "blunder"),  # a win becomes a loss
    ("pentago bw.wbb/.bb.ww/wbb.w./b..www/b.w.bb/wb.b.w", "f2 3C", "blunder"),
    ("pentago b.w.bw/w.w.../bbbww./wbbbww/b..bwb/.b.w.w", "b1 4C", "blunder"),
    ("pentago bwbwwb/wwbb.w/b.wwbb/.wbw.b/wbwbw./bwb.b.", "c1 1A", "blunder"),  # a win becomes a draw
    ("pentago wwbb.b/wwwb.w/wbbbww/..bwww/b.bw.b/.wbbb.", "f0 4C", "blunder"),
    ("pentago ..bwwb/www.bw/bb..wb/wbbb.b/bwbwbw/.bwwwb", "d4 4C", "blunder"),  # a draw becomes a loss
    ("pentago wbbbwb/wwww.w/bb.w.b/w.wbb./wwbw.b/bbwbbw", "c2 2C", "blunder"),
    ("pentago wwbwwb/ww..bb/bwb.b./b..wbw/b.bbwb/bww..w", "d2 3A", "blunder"),
    ("pentago wb.bw./.w.wbw/b.bbww/b.wbw./.w.b.w/wbbbwb", "d1 1A", None),  # a win stays a win
    ("pentago w...bw/bwwwb./w..bwb/bbwbw./w.b..b/b.bbww", "a3 2A", None),  # a draw stays a draw
    ("pentago .bwbb./.wbwww/wb.bw./bw.wbb/b.b.bw/bwbw.w", "f4 1C", None),  # every move loses here
    ("pentago .wb.bw/bbbw../w.bbbw/wwwbbw/wwwb.b/.wbwbb", "a0 1A", None),
    ("pente 19/19/19/19/19/9w9/10w8/7bbb1w7/10w1b6/9w9/8b10/19/19/19/19/19/19/19/19 0,0", "M11", "blunder"),
    ("pente 19/19/19/19/19/19/19/13b5/12b6/6w2w1b7/19/9b9/6w1w10/19/19/19/19/19/19 0,0", "F10", "blunder"),
    ("pente 19/19/19/19/19/9b9/8w10/6b2b9/6wb11/6w1bw1b7/6w1w10/6bw11/6w12/5b13/19/19/19/19/19 0,0", "D18", "blunder"),
    ("pente rules=keryo 19/19/19/19/19/19/19/9b9/10b8/7w1w1b7/9b9/9w9/9w9/19/19/19/19/19/19 0,0", "K11", "blunder"),
    ("pente rules=freestyle 15/15/15/15/15/15/6wbb6/5w1wb6/8bw5/15/15/15/15/15/15", "E14", "blunder"),
    ("pente rules=freestyle 15/15/4b10/5w9/6wb1b5/6bww1b4/5wbww6/7wbb5/5wb8/6w8/15/15/15/15/15", "C11", "blunder"),
    (
        "pente rules=freestyle 15/15/4b10/5w9/6wb1b5/6bww1b4/5wbwwwwb3/6wwbbbwb2/5wbb5w1/4b1w8/15/15/15/15/15",
        "N13",
        "blunder",  # an immediate five is given up
    ),
    ("pente 19/19/19/19/19/19/19/9b9/19/9w9/19/19/19/19/19/19/19/19/19 0,0", "A1", "blunder"),
    ("pente 19/19/19/19/19/19/19/9b9/19/9w9/19/19/19/19/19/19/19/19/19 0,0", "H14", "inaccuracy"),
    ("pente 19/19/7w11/19/19/7b11/13w5/9b1b7/19/9w9/19/19/19/19/19/19/19/19/19 0,0", "N10", "mistake"),
    (
        (
            "pentagame 0 22 ---,---,100,300,918/000,---,600,300,--- 513,861,433,221,938 837,---,120,---,--- "
            "1:951>600x12/2:951>600 -"
        ),
        "[0,2,2,2,1] [0,14,7,2,4]",
        "blunder",
    ),
    (
        (
            "pentagame players=3 0 42 918,---,714,---,962/635,200,410,841,---/552,---,---,850,925 827,942,300,821,935 "
            "---,915,522,736,--- 2:300>714x12/2:300>410/3:110>850 -"
        ),
        "[0,2,9,4,2] [0,12,2,3,1]",
        "blunder",
    ),
    (
        (
            "pentagame players=4 1 33 ---,820,---,300,400/635,---,---,200,400/---,300,750,400,961/100,653,---,400,--- "
            "562,710,744,951,915 938,664,500,821,633 1:840>820/0:625>635/4:100>961/1:300>653 -"
        ),
        "[1,3,9,1,5] [1,15,6,2,5]",
        "blunder",
    ),
    (
        (
            "pentagame players=4 3 43 ---,654,562,935,---/710,100,---,---,613/---,623,---,827,962/000,---,---,938,100 "
            "915,921,624,817,928 563,---,614,714,810 2:300>562/0:720>710/4:400>962/3:200>938 -"
        ),
        "[3,3,8,0,0] [3,7,6,4,3]",
        None,  # another way to the same win
    ),
]


def judged(start: str, move: str) -> Judgement:
    here = load(start)
    made = here.parse(move)
    return judge(assess_by_fixed_work(here), made, assess_by_fixed_work(here.play(made)), ByFixedWork())


@pytest.mark.parametrize(("start", "move", "name"), KNOWN_ERRORS)
def test_known_errors_have_their_class(start, move, name):
    found = judged(start, move)
    assert (found.mark and found.mark.name) == name
    assert bool(found.words) == bool(found.better) == bool(name)
    if found.better:
        seat, better = found.here.position.turn, found.here.position.play(found.better[0])
        then = assess_by_fixed_work(better)
        assert better != found.then.position
        assert then.chances[seat] - found.then.chances[seat] >= 0.05 - 1e-9
        assert not then.loses(seat)
        after = found.here.position
        for each in found.better:  # its continuation can be played
            after = after.play(each)
    else:
        assert found.loss < 0.05


@pytest.fixture(scope="module")
def issued() -> list[ReviewedPly]:
    record = Record("pente")
    for move in ISSUED.split():
        record.play(move)
    return list(review(record, ByFixedWork()))


def test_the_move_that_lost_the_game_is_marked_and_none_among_lost_ones(issued):
    signs = {ply.ply + 1: mark.sign for ply in issued if ply.judgement and (mark := ply.judgement.mark)}
    assert signs[5] in ("?", "??")  # O13, after which White is as good as lost
    assert not {move for move in signs if move > 8}, "every move of White loses there, and Black makes no error"
    assert all(ply.judgement.better for ply in issued if ply.judgement and ply.judgement.mark)
    white, black = issued[-1].accuracies
    assert white is not None
    assert black is not None
    assert white < black <= 100


def test_a_review_that_goes_on_gives_the_same(issued):
    record = Record("pente")
    for move in ISSUED.split():
        record.play(move)
    known = [
        KnownPly(ply.here.chances, ply.here.position.turn, ply.judgement.loss) for ply in issued[:11] if ply.judgement
    ]
    rest = list(review(record, ByFixedWork(), known))
    assert [ply.ply for ply in rest] == [11, 12, 13, 14]
    assert rest[-1].accuracies == issued[-1].accuracies


# ── what is known of the positions is given ──────────────────────────────────────────────────────

START = new("pente", rules="freestyle")


class Given:
    """An effort that knows some positions, and takes any other for even."""

    def __init__(self, known: dict[Position, Assessment], lines: tuple[str, ...] = ()) -> None:
        self.known, self.lines, self.asked = known, lines, list[Position]()

    def assess(self, position: Position) -> Assessment:
        self.asked.append(position)
        return self.known.get(position) or of(position, 0.0)

    def report(self, position: Position) -> Report:
        lines = tuple(Line((position.parse(move),), (0.0, 0.0)) for move in self.lines)
        return Report(position.turn, 1, 1, 0.0, lines, False)


def of(position: Position, value: float, *, exact: bool = False, best: str = "", how: str = "") -> Assessment:
    """An assessment by the value for White."""
    move = position.parse(best) if best else None
    return Assessment(position, move, (value, -value), exact, line=(move,) if move else (), how=how)


def test_no_mark_where_no_other_move_is_better():
    bad = of(START.play("A1"), -1.0, exact=True)
    effort = Given(
        {START.play(move): of(START.play(move), -1.0, exact=True) for move in ("H8", "B1", "C1")}, ("H8", "B1", "C1")
    )
    found = judge(of(START, 0.0, best="H8"), START.parse("A1"), bad, effort)
    assert (found.mark, found.better, found.loss) == (None, (), 0.0)
    assert len(effort.asked) == 3


def test_another_move_is_found_where_the_best_one_turns_out_to_lose():
    bad = of(START.play("A1"), -1.0, exact=True)
    effort = Given({START.play("H8"): of(START.play("H8"), -1.0, exact=True)}, ("H8", "B1"))
    found = judge(of(START, 0.0, best="H8"), START.parse("A1"), bad, effort)
    assert str(found.better[0]) == "B1"
    assert found.mark
    assert found.words == "Blunder. After this move, Black wins."


def test_the_best_move_gives_nothing_away():
    """Between two searches of one line lies the noise of the engine, not an error."""
    found = judge(of(START, 0.1, best="A1"), START.parse("A1"), of(START.play("A1"), 0.05), Given({}))
    assert (found.loss, found.mark) == (0.0, None)
    found = judge(of(START, 0.1, best="H8"), START.parse("A1"), of(START.play("A1"), 0.05), Given({}))
    assert 0 < found.loss < 0.05


def test_the_move_itself_is_never_the_better_one():
    bad = of(START.play("A1"), -1.0, exact=True)
    found = judge(of(START, 0.5, best="A1"), START.parse("A1"), bad, Given({}, ("A1",)))
    assert (found.mark, found.better) == (None, ())


@pytest.mark.parametrize(
    ("before", "after", "name", "words"),
    [
        (1.0, 1.0, None, ""),
        (1.0, 0.0, "blunder", "Blunder. White missed a forced win. The chance to win falls from 100% to 50%."),
        (1.0, -1.0, "blunder", "Blunder. White missed a forced win. After this move, Black wins."),
        (0.0, 0.0, None, ""),
        (0.0, -1.0, "blunder", "Blunder. White missed a draw. After this move, Black wins."),
        (-1.0, -1.0, None, ""),
        (-1.0, 1.0, None, ""),
    ],
)
def test_exact_values_override_estimates(before, after, name, words):
    here, then = of(START, before, exact=True, best="H8"), of(START.play("A1"), after, exact=True)
    found = judge(here, START.parse("A1"), then, Given({}))
    assert (found.mark and found.mark.name, found.words) == (name, words)


@pytest.mark.parametrize(
    ("before", "exact", "after", "sentence"),
    [
        (1.0, True, -1.0, "At move 14 White missed a forced win."),
        (0.0, True, -1.0, "At move 14 White missed a draw."),
        (0.0, False, -1.0, "At move 14 the chance of White to win fell from 50% to 0%."),
        (0.0, True, 0.0, ""),
    ],
)
def test_a_sentence_names_the_move_and_the_player(before, exact, after, sentence):
    here, then = of(START, before, exact=exact, best="H8"), of(START.play("A1"), after, exact=True)
    assert judge(here, START.parse("A1"), then, Given({})).sentence(14) == sentence


def test_what_only_a_book_knows_is_not_compared_with_an_estimate(monkeypatch):
    """Before the move the book has a win; after it the engine sees an even game, as it does before the move."""
    even = of(START.play("A1"), 0.0)
    monkeypatch.setattr(module, "assess_by_search", lambda position: of(position, 0.02, best="H8"))
    found = judge(of(START, 1.0, exact=True, best="H8", how=BOOK), START.parse("A1"), even, Given({}))
    assert found.mark is None
    found = judge(of(START, 1.0, exact=True, best="H8", how=PROOF), START.parse("A1"), even, Given({}))
    assert found.mark
    assert str(found.better[0]) == "H8"


def test_the_last_move_is_not_to_blame_for_a_resignation():
    record = Record("pente")
    record.play("K10")
    record.ended = Outcome.of((1,), 2, "resigned")
    first, last = review(record, Given({}))
    assert first.judgement
    assert first.judgement.loss == 0.0
    assert (last.here.values, last.here.exact, last.accuracies) == ((-1.0, 1.0), True, (100.0, None))


def test_the_accuracy_is_of_each_seat():
    plies = [
        KnownPly((1 / 3, 1 / 3, 1 / 3), 0, 0.0),
        KnownPly((0.4, 0.3, 0.3), 1, 0.2),
        KnownPly((0.5, 0.1, 0.4), 0, 0.0),
    ]
    first, second, third = accuracies(plies, (0.5, 0.1, 0.4))
    assert (first, third) == (100.0, None)
    assert second is not None
    assert second < 50


# ── a better move ────────────────────────────────────────────────────────────────────────────────


def tried(move: str, chances: dict[str, tuple[float, bool]], *, best: str = "H8", played: str = "A1") -> TriedMove:
    """A move of the start, with the values after moves and whether they are exact."""
    known = {START.play(each): of(START.play(each), value, exact=exact) for each, (value, exact) in chances.items()}
    return attempt(START, START.parse(move), START.parse(best), START.parse(played), Given(known))


@pytest.mark.parametrize(
    ("move", "best", "value", "right"),
    [
        ("B1", (0.5, False), (0.5, False), True),
        ("B1", (0.5, False), (0.9, False), True),
        ("B1", (0.5, False), (0.0, False), False),
        ("B1", (1.0, True), (0.0, True), False),
        ("B1", (1.0, True), (1.0, True), True),
        ("B1", (0.9, False), (-1.0, True), False),
        ("B1", (0.0, False), (1.0, True), True),  # a proof overrides the estimate
        ("H8", (0.5, False), (0.5, False), True),
        ("A1", (0.5, False), (0.5, False), False),  # the move of the game, which the review has marked
    ],
)
def test_a_move_is_right_if_the_review_would_not_mark_it(move, best, value, right):
    found = tried(move, {"H8": best, **({} if move == "H8" else {move: value})})
    assert found.right == right
    assert found.words.startswith("Good move." if right else ("You can", "This is")[move == "A1"])


def test_a_wrong_move_is_explained():
    assert tried("B1", {"H8": (0.0, True), "B1": (-1.0, True)}).words.endswith("After this move, Black wins.")
    assert "could be 50%" in tried("B1", {"H8": (0.0, False), "B1": (-0.9, False)}).words


@pytest.mark.parametrize(("start", "move", "name"), [each for each in KNOWN_ERRORS if each[2]][:3])
def test_the_better_move_of_a_known_error_is_right_and_the_error_is_wrong(start, move, name):
    found = judged(start, move)
    here, better = found.here.position, found.better[0]
    assert attempt(here, better, better, found.move, ByFixedWork()).right
    assert not attempt(here, found.move, better, None, ByFixedWork()).right
