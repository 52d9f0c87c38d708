"""Replies of the brain: transcripts of managers, wrong lines that change nothing, boards, captures and swap2."""

from __future__ import annotations

import pytest

import pentad
from pentad.bridges.gomocup.brain import BrainLimits
from tests.bridges.gomocup.conversation import ABOUT, Conversation
from tests.cases import together


def stones_at(send: Conversation) -> tuple[str, str]:
    """The points of the first and of the second side, as the protocol writes them."""
    here = send.brain.position
    return tuple(  # type: ignore[return-value]
        " ".join(
            sorted(f"{c},{here.board.size - 1 - r}" for c, r in here.board.stones if here.board.bit(c, r) & stones)
        )
        for stones in here.stones
    )


# ── transcripts ──────────────────────────────────────────────────────────────────────────────────


def test_a_game_with_a_manager():
    send = Conversation(
        lambda request: "H8" if not request.position.placed else "H9" if request.position.placed == 2 else "J8"
    )
    assert send("ABOUT\nSTART 15") == [ABOUT, "OK"]
    assert send("INFO timeout_turn 5000\nINFO timeout_match 100000\nINFO max_memory 83886080\nINFO game_type 1") == []
    assert send("INFO rule 1\nINFO folder C:\\brains\nINFO evaluate 3,4\nINFO time_left 100000") == []
    assert send("BEGIN") == ["7,7"]
    assert send("INFO time_left 99000\nTURN 8,8") == ["7,6"]
    assert send("TURN 8,6") == ["8,7"]
    assert stones_at(send) == ("7,6 7,7 8,7", "8,6 8,8")
    assert send.brain.position.setup.name == "gomoku"
    assert send.brain.max_memory_bytes == 83886080
    assert send("TAKEBACK 8,7\nTAKEBACK 8,6") == ["OK", "OK"]
    assert stones_at(send) == ("7,6 7,7", "8,8")
    assert send("RESTART\nBEGIN") == ["OK", "7,7"]
    assert send("END") == []
    assert send.has_ended


def test_boards_of_a_manager():
    send = Conversation(lambda request: "A1")
    assert send("START 20\nBOARD\n10,10,1\n10,11,2\n11,11,1\n9,10,2\nDONE") == ["OK", "0,19"]
    assert stones_at(send) == ("0,19 10,10 11,11", "10,11 9,10")  # both have as many stones, so own began
    assert send("BOARD\n10,10,2\n10,11,1\n11,11,2\nDONE") == ["0,19"]
    assert stones_at(send) == ("10,10 11,11", "0,19 10,11")  # one more of the opponent's: the opponent began
    assert send("BOARD\nDONE") == ["0,19"]
    assert send("YXBOARD\n5,5,2\nDONE") == []
    assert stones_at(send) == ("5,5", "")
    assert send("PLAY 6,6\nTURN 7,7") == ["6,6", "0,19"]


def test_rectangles_that_are_squares_are_boards():
    send = Conversation()
    assert send("RECTSTART 15,15") == ["OK"]
    assert send("RECTSTART 15,20\nRECTSTART 15") == [
        "ERROR The board must be square, not 15 by 20.",
        "ERROR The board's width and height must be numbers such as 15,15, not '15'.",
    ]
    assert send.brain.size == 15


@pytest.mark.slow
@together("size", range(5, 26))
@together("info", ["rule 0", "rule 1", "variant pente", "variant ninuki42"])
def test_every_size_can_be_played(size, info):
    send = Conversation()
    assert send(f"INFO {info}\nSTART {size}")[0] == "OK"
    (answer,) = send("BEGIN")
    assert all(0 <= int(number) < size for number in answer.split(","))


@pytest.mark.parametrize("size", ["0", "4", "26", "1000000", "-15", "15.0", "x", "", "１５"])
def test_sizes_that_cannot_be(size):
    send = Conversation()
    (answer,) = send(f"START {size}")
    assert answer.startswith("ERROR ")
    assert not send.brain.has_started


# ── errors change nothing ────────────────────────────────────────────────────────────────


@together(
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
    send = Conversation(lambda request: "J7")
    assert send("START 15\nPLAY 7,7\nTURN 6,6\nTURN 5,5") == ["OK", "7,7", "8,8", "ERROR " + occupied_error()]
    before = send.stones
    answers = send(line)
    assert len(answers) == 1
    assert answers[0].startswith("ERROR ")
    assert send.stones == before
    assert send("ABOUT") == [ABOUT]


def occupied_error() -> str:
    return "Cannot place a stone on 8,8: J7 is occupied by a white stone."


def test_a_move_that_the_bot_cannot_make_is_an_error():
    send = Conversation(lambda request: "H8")
    assert send("START 15\nBEGIN\nTURN 3,3")[:2] == ["OK", "7,7"]
    assert stones_at(send) == ("7,7", "")


def test_nothing_is_played_before_start():
    send = Conversation()
    lines = ["TURN 7,7", "BEGIN", "PLAY 7,7", "TAKEBACK 7,7", "RESTART", "SWAP2BOARD\nDONE", "BOARD\n7,7,1\nDONE"]
    for line in lines:
        assert send(line) == ["ERROR There is no board yet; START comes first."]
    assert send("START 15") == ["OK"]


def test_nothing_is_played_after_the_end():
    send = Conversation()
    moves = "\n".join(f"PLAY {x},{y}" for x in range(4) for y in (3, 5))
    send(f"START 15\n{moves}")
    (answer,) = send("PLAY 4,3")
    assert answer == "4,3"
    before = send.stones
    for line in ("TURN 9,9", "PLAY 9,9"):
        (answer,) = send(line)
        assert "The game is over" in answer
    assert send.stones == before
    assert send("TAKEBACK 4,3") == ["OK"]
    assert send("TURN 4,3") == ["ERROR The game is over: five, 1-0."]  # the game is over again
    assert send("PLAY 9,9") == ["9,9"]


def test_unknown_commands():
    send = Conversation()
    assert send("HELLO\nSUGGEST 7,7\nбоард\n  \nstart 15\nabout") == [
        "UNKNOWN Unknown command 'HELLO'.",
        "UNKNOWN Unknown command 'SUGGEST'.",
        "UNKNOWN Unknown command '?????'.",
        "OK",
        ABOUT,
    ]
    assert send("STOP\nYXSTOP") == []


def test_info_has_no_answer_but_messages():
    send = Conversation()
    assert send("INFO\nINFO caution 3\nINFO Timeout_Turn 100") == []
    assert send("INFO timeout_turn soon") == ["MESSAGE INFO timeout_turn: timeout_turn must be a number, not 'soon'."]
    assert send.brain.limits == BrainLimits(timeout_turn=100)
    assert send("INFO rule 4") == ["MESSAGE INFO rule: Rule 4 (renju) is not supported."]
    assert send("START 15\nBEGIN") == ["OK", "ERROR Rule 4 (renju) is not supported."]
    assert send("INFO rule 8")[0].startswith("MESSAGE")
    assert send("INFO rule 2\nBEGIN") == ["0,14"]


# ── boards that go wrong ─────────────────────────────────────────────────────────────────────────


def test_a_board_that_never_ends():
    send = Conversation()
    send("START 15")
    answers = send("BOARD\n" + "7,7,1\n" * 20_000)
    assert answers == ["ERROR BOARD has more stones than the board has points, without DONE."]
    assert not send.brain._list.lines
    assert send("1,1,1\nDONE") == []
    assert send("PLAY 7,7") == ["7,7"]


def test_a_board_in_a_board():
    send = Conversation(lambda request: "A1")
    send("START 15")
    assert send("BOARD\n7,7,1\nBOARD\n8,8,2\nDONE") == ["ERROR Expected DONE after BOARD, got BOARD.", "0,14"]
    assert stones_at(send) == ("8,8", "0,14")
    assert send("BOARD\n7,7,1\nSTART 9") == ["ERROR Expected DONE after BOARD, got START.", "OK"]
    assert send("BOARD\nrubbish\nSTART 15")[1:] == ["OK"]
    assert send("BOARD\n7,7,2\nINFO timeout_turn 77\nSTOP\nDONE") == ["0,14"]
    assert send.brain.limits.timeout_turn == 77
    send("BOARD\n7,7,2\nEND")
    assert send.has_ended


# ── captures ─────────────────────────────────────────────────────────────────────────────────────


def test_stones_in_the_order_of_play_are_captured():
    send = Conversation(lambda request: "A1")
    assert send("START 19\nINFO variant pente") == ["OK"]
    # K10 L10 G6 M10 N10: the third stone of the first side takes a pair
    assert send("BOARD\n9,9,2\n10,9,1\n6,13,2\n11,9,1\n12,9,2\nDONE") == ["0,18"]
    assert send.brain.position.captures == (2, 0)
    assert stones_at(send)[0] == "12,9 6,13 9,9"
    assert send("TAKEBACK 9,9") == ["ERROR Cannot take back 9,9: it has no stone of the side that moved last."]
    assert send("TAKEBACK 0,18\nTAKEBACK 12,9") == ["OK", "OK"]
    assert send.brain.position.captures == (0, 0)
    assert stones_at(send)[1] == "10,9 11,9"


def test_stones_of_a_capturing_game_out_of_order():
    send = Conversation(lambda request: "A1")
    send("START 19\nINFO variant pente")
    assert "of the same side" in send("BOARD\n9,9,2\n12,9,2\n10,9,1\nDONE")[0]
    assert "The opponent must have" not in send("BOARD\n9,9,2\n10,9,1\nDONE")[0]
    assert send("BOARD\n9,9,2\n10,9,1\nDONE") == ["ERROR The last stone is own, so the opponent is to move."]
    assert "goes to the centre" in send("BOARD\n9,8,2\nDONE")[0]


def test_stones_in_any_order_with_captures():
    send = Conversation(lambda request: "A1")
    send("START 19\nINFO variant pente\nINFO taken 0,2")
    assert send("BOARD\n12,9,2\n9,9,2\n6,13,2\nDONE") == ["0,18"]
    assert send.brain.position.captures == (2, 0)
    assert send("INFO taken 4")[0].startswith("MESSAGE INFO taken: taken must be the stones")
    (answer,) = send("BOARD\n12,9,2\n9,9,2\nDONE")  # the captures hold for one board only
    assert "goes to the centre" in answer


@pytest.mark.parametrize("rules", ["pente", "keryo", "g-pente", "poof", "boat", "ninuki42", "lines", "gomoku"])
def test_every_rule_set_by_its_name(rules):
    send = Conversation()
    assert send(f"INFO variant {rules}\nSTART 15\nBEGIN")[0] == "OK"
    assert send.brain.position.setup.name == rules


def test_a_variant_with_options_and_one_that_is_none():
    send = Conversation()
    assert send("INFO variant lines line=3\nSTART 3") == ["OK"]
    assert send("INFO variant pente opening=free captures=3 size=9")[0].startswith("MESSAGE INFO variant: A line of 5")
    assert send("BEGIN")[0].startswith("ERROR A line of 5")
    assert send("START 11\nPLAY 0,0") == ["OK", "0,0"]
    assert send("INFO variant chess")[0].startswith("MESSAGE INFO variant: Unknown variant 'chess'")
    (answer,) = send("BEGIN")
    assert answer.startswith("ERROR Unknown variant 'chess'")
    assert send("INFO variant pente\nTURN 9,9") == ["0,10"]  # the rules of the current game stay
    assert send.brain.position.rules.captures == 3
    assert send("START 11\nPLAY 0,0")[1].startswith("ERROR")


def test_a_bot_plays_on_a_board_set_up():
    send = Conversation(lambda request: pentad.bot("pente", "greedy", seed=1).choose(request.position))
    send("START 15")
    board = "BOARD\n" + "\n".join(f"{x},7,1\n{x},9,2" for x in range(3, 7)) + "\nDONE"
    assert send(board)[0] in ("2,7", "7,7")


# ── swap2 ────────────────────────────────────────────────────────────────────────────────────────


def test_the_first_three_stones():
    send = Conversation(lambda request: "A1 B2 C3")
    assert send("START 15\nINFO rule 1\nSWAP2BOARD\nDONE") == ["OK", "0,14 1,13 2,12"]
    assert stones_at(send) == ("0,14 2,12", "1,13")
    send.choose = lambda request: "P15"
    assert send("TURN 7,7") == ["14,0"]


THREE = "SWAP2BOARD\n7,7\n8,7\n9,9\nDONE"
FIVE = "SWAP2BOARD\n7,7\n8,7\n9,9\n8,8\n8,6\nDONE"


@pytest.mark.parametrize(
    ("question", "chosen", "answer", "stones"),
    [
        (THREE, ["white"], "SWAP", 3),
        (THREE, ["black", "A1"], "0,14", 4),
        (THREE, ["more A1 B2"], "0,14 1,13", 5),
        (FIVE, ["white"], "SWAP", 5),
        (FIVE, ["black", "A1"], "0,14", 6),
    ],
)
def test_the_choices_of_swap2(question, chosen, answer, stones):
    moves = iter(chosen)
    send = Conversation(lambda request: next(moves))
    assert send(f"START 15\nINFO rule 1\n{question}") == ["OK", answer]
    assert send.brain.position.placed == stones
    send.choose = lambda request: "P15"
    assert send("TURN 3,3") == ["14,0"]


@pytest.mark.parametrize("rules", ["rule 0", "variant pente", "variant keryo opening=swap2"])
def test_bots_choose_in_swap2(rules):
    send = Conversation(lambda request: pentad.bot("pente", "beam-1", seed=3).choose(request.position, seconds=0.1))
    send(f"START 15\nINFO {rules}")
    (three,) = send("SWAP2BOARD\nDONE")
    assert len(three.split()) == 3
    (choice,) = send("\n".join(["SWAP2BOARD", *three.split(), "DONE"]))
    assert choice == "SWAP" or 1 <= len(choice.split()) <= 2


# ── time ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_move_stays_below_its_limit():
    for limit in (100, 1000, 5000, 30_000, 300_000):
        seconds = BrainLimits(timeout_turn=limit).limit(3).seconds
        assert 0.7 * limit / 1000 < seconds < 0.96 * limit / 1000
    assert BrainLimits().limit(0).seconds == pytest.approx(0.93)
    assert BrainLimits(timeout_turn=0).limit(0).seconds == 0.05
    assert BrainLimits(timeout_turn=20).limit(0).seconds == 0.01
    assert BrainLimits(timeout_turn=-5).limit(0).seconds == 0.05


@pytest.mark.parametrize(("which", "moves"), [("seconds", 100), ("most_seconds", 60)])
def test_a_match_has_time_for_all_its_moves(which, moves):
    has_ended, limits = 180_000.0, BrainLimits(timeout_turn=30_000, timeout_match=180_000)
    for played in range(moves):
        limits.time_left = int(has_ended)
        seconds = getattr(limits.limit(played), which)
        assert seconds < has_ended / 1000
        has_ended -= 1000 * seconds + 5
    assert has_ended > 0


def test_the_time_of_a_match_allows_more_for_a_hard_move():
    for more in ({}, {"timeout_turn": 60_000}):
        limit = BrainLimits(timeout_match=180_000, **more).limit(3)
        assert 2.4 < limit.most_seconds / limit.seconds < 2.6
    limit = BrainLimits(timeout_turn=10_000, timeout_match=180_000).limit(3)
    assert limit.seconds < limit.most_seconds < 10
    for limits in (BrainLimits(), BrainLimits(timeout_turn=5000), BrainLimits(timeout_turn=5000, timeout_match=0)):
        assert limits.limit(3).most_seconds is None


def test_limits_that_mean_no_limit():
    unlimited = BrainLimits(timeout_turn=5000, timeout_match=0, time_left=100)  # no limit of the match
    assert unlimited.limit(0).seconds > 4
    assert BrainLimits(timeout_turn=5000, time_left=2**31 - 1).limit(0).seconds > 4
    assert BrainLimits(timeout_turn=5000, timeout_match=100_000, time_left=-3).limit(9).seconds == 0.05


def times(send):
    limit = send.requests[-1].limit
    return limit.seconds, limit.most_seconds


def test_a_request_has_the_time_of_the_move():
    send = Conversation()
    send("START 15\nINFO timeout_turn 2000\nBEGIN")
    assert times(send) == (pytest.approx(1.88), None)
    send("RESTART\nINFO timeout_match 50000\nBEGIN")
    assert times(send) == (pytest.approx(1.88), pytest.approx(1.88))
    send("RESTART\nINFO timeout_turn 60000\nBEGIN")
    assert times(send) == (pytest.approx(1.88), pytest.approx(4.73))
