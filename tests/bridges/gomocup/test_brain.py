"""What the brain answers: a manager's transcripts, wrong lines that change nothing, boards, captures, swap2."""

from __future__ import annotations

import pytest

import pentad
from pentad.bridges.gomocup.time_limits import Limits
from tests.bridges.gomocup.talking import ABOUT, Talk


def stones_at(talk: Talk) -> tuple[str, str]:
    """The points of the first and of the second side, as the protocol writes them."""
    here = talk.brain.position
    return tuple(  # type: ignore[return-value]
        " ".join(
            sorted(f"{c},{here.board.size - 1 - r}" for c, r in here.board.stones if here.board.bit(c, r) & stones)
        )
        for stones in here.stones
    )


# ── transcripts ──────────────────────────────────────────────────────────────────────────────────


def test_a_game_with_a_manager():
    talk = Talk(lambda thought: "H8" if not thought.position.placed else "H9" if thought.position.placed == 2 else "J8")
    assert talk("ABOUT\nSTART 15") == [ABOUT, "OK"]
    assert talk("INFO timeout_turn 5000\nINFO timeout_match 100000\nINFO max_memory 83886080\nINFO game_type 1") == []
    assert talk("INFO rule 1\nINFO folder C:\\brains\nINFO evaluate 3,4\nINFO time_left 100000") == []
    assert talk("BEGIN") == ["7,7"]
    assert talk("INFO time_left 99000\nTURN 8,8") == ["7,6"]
    assert talk("TURN 8,6") == ["8,7"]
    assert stones_at(talk) == ("7,6 7,7 8,7", "8,6 8,8")
    assert talk.brain.position.setup.name == "gomoku"
    assert talk.brain.max_memory == 83886080
    assert talk("TAKEBACK 8,7\nTAKEBACK 8,6") == ["OK", "OK"]
    assert stones_at(talk) == ("7,6 7,7", "8,8")
    assert talk("RESTART\nBEGIN") == ["OK", "7,7"]
    assert talk("END") == []
    assert talk.left


def test_boards_of_a_manager():
    talk = Talk(lambda thought: "A1")
    assert talk("START 20\nBOARD\n10,10,1\n10,11,2\n11,11,1\n9,10,2\nDONE") == ["OK", "0,19"]
    assert stones_at(talk) == ("0,19 10,10 11,11", "10,11 9,10")  # own has as many as the other: own began
    assert talk("BOARD\n10,10,2\n10,11,1\n11,11,2\nDONE") == ["0,19"]
    assert stones_at(talk) == ("10,10 11,11", "0,19 10,11")  # the other has one more, so the other began
    assert talk("BOARD\nDONE") == ["0,19"]
    assert talk("YXBOARD\n5,5,2\nDONE") == []
    assert stones_at(talk) == ("5,5", "")
    assert talk("PLAY 6,6\nTURN 7,7") == ["6,6", "0,19"]


def test_rectangles_that_are_squares_are_boards():
    talk = Talk()
    assert talk("RECTSTART 15,15") == ["OK"]
    assert talk("RECTSTART 15,20\nRECTSTART 15") == [
        "ERROR a board is as high as it is wide, not 15 by 20",
        "ERROR the board's width and height are numbers such as 15,15, not '15'",
    ]
    assert talk.brain.size == 15


@pytest.mark.parametrize("size", range(5, 26))
@pytest.mark.parametrize("info", ["rule 0", "rule 1", "variant pente", "variant ninuki42"])
def test_every_size_can_be_played(size, info):
    talk = Talk()
    assert talk(f"INFO {info}\nSTART {size}")[0] == "OK"
    (answer,) = talk("BEGIN")
    assert all(0 <= int(number) < size for number in answer.split(","))


@pytest.mark.parametrize("size", ["0", "4", "26", "1000000", "-15", "15.0", "x", "", "１５"])
def test_sizes_that_cannot_be(size):
    talk = Talk()
    (answer,) = talk(f"START {size}")
    assert answer.startswith("ERROR ")
    assert not talk.brain.has_started


# ── what is wrong changes nothing ────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "line",
    [
        "TURN 7,7",
        "TURN 8,8",
        "TURN 15,3",
        "TURN -1,3",
        "TURN",
        "TURN 3",
        "TURN 3,x",
        "PLAY 7,7",
        "PLAY 3.3",
        "TAKEBACK 6,6",
        "TAKEBACK 3,3",
        "TAKEBACK 15,15",
        "BEGIN",
        "START 4",
        "RECTSTART 15,16",
        "DONE",
        "BOARD\n7,7,1\n8,8,1\nDONE",
        "BOARD\n7,7,1\n7,7,2\nDONE",
        "BOARD\n7,7,2\n8,8,2\nDONE",
        "BOARD\n7,7,1\n8,8,3\n9,9,1\nDONE",
        "BOARD\n7,7,1\n15,8,2\nrubbish\nDONE",
        "YXBOARD\n7,7,1\nDONE",
        "SWAP2BOARD\n7,7\nDONE",
        "SWAP2BOARD\n7,7\n7,7\n8,8\nDONE",
        "x" * 5000,
        "PLAY 3,3" + " " * 5000 + "x",
    ],
)
def test_one_error_and_nothing_changes(line):
    talk = Talk(lambda thought: "J7")
    assert talk("START 15\nPLAY 7,7\nTURN 6,6\nTURN 5,5") == ["OK", "7,7", "8,8", "ERROR " + talk_error()]
    before = talk.stones
    answers = talk(line)
    assert len(answers) == 1
    assert answers[0].startswith("ERROR ")
    assert talk.stones == before
    assert talk("ABOUT") == [ABOUT]


def talk_error() -> str:
    return "no stone can be placed on 8,8: J7 is taken by a white stone"


def test_a_move_that_the_bot_cannot_make_is_an_error():
    talk = Talk(lambda thought: "H8")
    assert talk("START 15\nBEGIN\nTURN 3,3")[:2] == ["OK", "7,7"]
    assert stones_at(talk) == ("7,7", "")


def test_nothing_is_played_before_start():
    talk = Talk()
    lines = ["TURN 7,7", "BEGIN", "PLAY 7,7", "TAKEBACK 7,7", "RESTART", "SWAP2BOARD\nDONE", "BOARD\n7,7,1\nDONE"]
    for line in lines:
        assert talk(line) == ["ERROR there is no board yet; START comes first"]
    assert talk("START 15") == ["OK"]


def test_nothing_is_played_after_the_end():
    talk = Talk()
    moves = "\n".join(f"PLAY {x},{y}" for x in range(4) for y in (3, 5))
    talk(f"START 15\n{moves}")
    (answer,) = talk("PLAY 4,3")
    assert answer == "4,3"
    before = talk.stones
    for line in ("TURN 9,9", "PLAY 9,9"):
        (answer,) = talk(line)
        assert "the game is over" in answer
    assert talk.stones == before
    assert talk("TAKEBACK 4,3") == ["OK"]
    assert talk("TURN 4,3") == ["ERROR the game is over: five, 1-0"]  # nothing is left to answer
    assert talk("PLAY 9,9") == ["9,9"]


def test_words_that_are_no_commands():
    talk = Talk()
    assert talk("HELLO\nSUGGEST 7,7\nбоард\n  \nstart 15\nabout") == [
        "UNKNOWN 'HELLO' is no command here",
        "UNKNOWN 'SUGGEST' is no command here",
        "UNKNOWN '?????' is no command here",
        "OK",
        ABOUT,
    ]
    assert talk("STOP\nYXSTOP") == []


def test_info_has_no_answer_but_messages():
    talk = Talk()
    assert talk("INFO\nINFO caution 3\nINFO Timeout_Turn 100") == []
    assert talk("INFO timeout_turn soon") == ["MESSAGE INFO timeout_turn: timeout_turn is a number, not 'soon'"]
    assert talk.brain.limits == Limits(timeout_turn=100)
    assert talk("INFO rule 4") == ["MESSAGE INFO rule: rule 4, renju, is not played here"]
    assert talk("START 15\nBEGIN") == ["OK", "ERROR rule 4, renju, is not played here"]
    assert talk("INFO rule 8")[0].startswith("MESSAGE")
    assert talk("INFO rule 2\nBEGIN") == ["0,14"]


# ── boards that go wrong ─────────────────────────────────────────────────────────────────────────


def test_a_board_that_never_ends():
    talk = Talk()
    talk("START 15")
    answers = talk("BOARD\n" + "7,7,1\n" * 20_000)
    assert answers == ["ERROR BOARD has more stones than the board has points, and no DONE"]
    assert not talk.brain._listed.lines
    assert talk("1,1,1\nDONE") == []
    assert talk("PLAY 7,7") == ["7,7"]


def test_a_board_in_a_board():
    talk = Talk(lambda thought: "A1")
    talk("START 15")
    assert talk("BOARD\n7,7,1\nBOARD\n8,8,2\nDONE") == ["ERROR the BOARD before BOARD had no DONE", "0,14"]
    assert stones_at(talk) == ("8,8", "0,14")
    assert talk("BOARD\n7,7,1\nSTART 9") == ["ERROR the BOARD before START had no DONE", "OK"]
    assert talk("BOARD\nrubbish\nSTART 15")[1:] == ["OK"]
    assert talk("BOARD\n7,7,2\nINFO timeout_turn 77\nSTOP\nDONE") == ["0,14"]
    assert talk.brain.limits.timeout_turn == 77
    talk("BOARD\n7,7,2\nEND")
    assert talk.left


# ── captures ─────────────────────────────────────────────────────────────────────────────────────


def test_stones_in_the_order_of_play_are_captured():
    talk = Talk(lambda thought: "A1")
    assert talk("START 19\nINFO variant pente") == ["OK"]
    # K10 L10 G6 M10 N10: the third stone of the first side takes a pair
    assert talk("BOARD\n9,9,2\n10,9,1\n6,13,2\n11,9,1\n12,9,2\nDONE") == ["0,18"]
    assert talk.brain.position.captures == (2, 0)
    assert stones_at(talk)[0] == "12,9 6,13 9,9"
    assert talk("TAKEBACK 9,9") == ["ERROR 9,9 cannot be taken back: no stone of the side that moved last stands there"]
    assert talk("TAKEBACK 0,18\nTAKEBACK 12,9") == ["OK", "OK"]
    assert talk.brain.position.captures == (0, 0)
    assert stones_at(talk)[1] == "10,9 11,9"


def test_stones_of_a_capturing_game_out_of_order():
    talk = Talk(lambda thought: "A1")
    talk("START 19\nINFO variant pente")
    assert "of the same side" in talk("BOARD\n9,9,2\n12,9,2\n10,9,1\nDONE")[0]
    assert "own is to move" not in talk("BOARD\n9,9,2\n10,9,1\nDONE")[0]
    assert talk("BOARD\n9,9,2\n10,9,1\nDONE") == ["ERROR the last stone is own, so it is not our turn"]
    assert "goes to the centre" in talk("BOARD\n9,8,2\nDONE")[0]


def test_stones_as_they_stand_with_what_was_taken():
    talk = Talk(lambda thought: "A1")
    talk("START 19\nINFO variant pente\nINFO taken 0,2")
    assert talk("BOARD\n12,9,2\n9,9,2\n6,13,2\nDONE") == ["0,18"]
    assert talk.brain.position.captures == (2, 0)
    assert talk("INFO taken 4")[0].startswith("MESSAGE INFO taken: taken is how many stones")
    (answer,) = talk("BOARD\n12,9,2\n9,9,2\nDONE")  # what was taken is told of one board only
    assert "goes to the centre" in answer


@pytest.mark.parametrize("rules", ["pente", "keryo", "g-pente", "poof", "boat", "ninuki42", "lines", "gomoku"])
def test_every_rule_set_by_its_name(rules):
    talk = Talk()
    assert talk(f"INFO variant {rules}\nSTART 15\nBEGIN")[0] == "OK"
    assert talk.brain.position.setup.name == rules


def test_a_variant_with_options_and_one_that_is_none():
    talk = Talk()
    assert talk("INFO variant lines line=3\nSTART 3") == ["OK"]
    assert talk("INFO variant pente opening=free captures=3 size=9")[0].startswith("MESSAGE INFO variant: A line of 5")
    assert talk("BEGIN")[0].startswith("ERROR A line of 5")
    assert talk("START 11\nPLAY 0,0") == ["OK", "0,0"]
    assert talk("INFO variant chess")[0].startswith("MESSAGE INFO variant: there is no variant 'chess'")
    (answer,) = talk("BEGIN")
    assert answer.startswith("ERROR there is no variant 'chess'")
    assert talk("INFO variant pente\nTURN 9,9") == ["0,10"]  # the rules of this game stay as they are
    assert talk.brain.position.rules.captures == 3
    assert talk("START 11\nPLAY 0,0")[1].startswith("ERROR")


def test_any_bot_of_ours_plays_on_a_board_set_up():
    talk = Talk(lambda thought: pentad.bot("pente", "greedy", seed=1).choose(thought.position))
    talk("START 15")
    board = "BOARD\n" + "\n".join(f"{x},7,1\n{x},9,2" for x in range(3, 7)) + "\nDONE"
    assert talk(board)[0] in ("2,7", "7,7")


# ── swap2 ────────────────────────────────────────────────────────────────────────────────────────


def test_the_first_three_stones():
    talk = Talk(lambda thought: "A1 B2 C3")
    assert talk("START 15\nINFO rule 1\nSWAP2BOARD\nDONE") == ["OK", "0,14 1,13 2,12"]
    assert stones_at(talk) == ("0,14 2,12", "1,13")
    talk.choose = lambda thought: "P15"
    assert talk("TURN 7,7") == ["14,0"]


THREE = "SWAP2BOARD\n7,7\n8,7\n9,9\nDONE"
FIVE = "SWAP2BOARD\n7,7\n8,7\n9,9\n8,8\n8,6\nDONE"


@pytest.mark.parametrize(
    ("asked", "chosen", "answer", "stones"),
    [
        (THREE, ["white"], "SWAP", 3),
        (THREE, ["black", "A1"], "0,14", 4),
        (THREE, ["more A1 B2"], "0,14 1,13", 5),
        (FIVE, ["white"], "SWAP", 5),
        (FIVE, ["black", "A1"], "0,14", 6),
    ],
)
def test_the_choices_of_swap2(asked, chosen, answer, stones):
    moves = iter(chosen)
    talk = Talk(lambda thought: next(moves))
    assert talk(f"START 15\nINFO rule 1\n{asked}") == ["OK", answer]
    assert talk.brain.position.placed == stones
    talk.choose = lambda thought: "P15"
    assert talk("TURN 3,3") == ["14,0"]


@pytest.mark.parametrize("rules", ["rule 0", "variant pente", "variant keryo opening=swap2"])
def test_bots_of_ours_choose_in_swap2(rules):
    talk = Talk(lambda thought: pentad.bot("pente", "beam-1", seed=3).choose(thought.position, seconds=0.1))
    talk(f"START 15\nINFO {rules}")
    (three,) = talk("SWAP2BOARD\nDONE")
    assert len(three.split()) == 3
    (choice,) = talk("\n".join(["SWAP2BOARD", *three.split(), "DONE"]))
    assert choice == "SWAP" or 1 <= len(choice.split()) <= 2


# ── time ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_move_stays_below_its_limit():
    for limit in (100, 1000, 5000, 30_000, 300_000):
        seconds = Limits(timeout_turn=limit).seconds(3)
        assert 0.7 * limit / 1000 < seconds < 0.96 * limit / 1000
    assert Limits().seconds(0) == pytest.approx(4.73)
    assert Limits(timeout_turn=0).seconds(0) == 0.05
    assert Limits(timeout_turn=20).seconds(0) == 0.01
    assert Limits(timeout_turn=-5).seconds(0) == 0.05


def test_a_match_has_time_for_all_its_moves():
    left, limits = 180_000.0, Limits(timeout_turn=30_000, timeout_match=180_000)
    for played in range(100):
        limits.time_left = int(left)
        seconds = limits.seconds(played)
        assert seconds < left / 1000
        left -= 1000 * seconds + 5
    assert left > 0
    assert Limits(timeout_turn=5000, timeout_match=0, time_left=100).seconds(0) > 4  # the match has no limit
    assert Limits(timeout_turn=5000, time_left=2**31 - 1).seconds(0) > 4
    assert Limits(timeout_turn=5000, timeout_match=100_000, time_left=-3).seconds(9) == 0.05


def test_the_time_of_a_move_is_told_with_it():
    talk = Talk()
    talk("START 15\nINFO timeout_turn 2000\nBEGIN")
    assert talk.thoughts[-1].seconds == pytest.approx(1.88)
