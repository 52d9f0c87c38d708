"""The replies of the Universal Game Interface: options, positions, queries, limits, and what is refused."""

from __future__ import annotations

import random

import pytest

import pentad
from pentad.bridges.protocol_server import MoveRequest
from pentad.bridges.ugi import protocol
from pentad.bridges.ugi.session import ENDLESS_SECONDS, UgiSession
from pentad.game import GameError, game, names
from pentad.search.analysis import Line, Report
from pentad.search.bot import own_bots
from pentad.search.move_limit import Limit
from pentad.search.report import Result


def lines(session: UgiSession, text: str) -> list[str]:
    """The replies to these lines, as one list."""
    return [line for each in text.strip().splitlines() for line in session.take(each).lines]


def request(session: UgiSession, text: str) -> MoveRequest:
    reply = session.take(text)
    assert reply.request, reply.lines
    return reply.request


# ── who the engine is ────────────────────────────────────────────────────────────────────────────


def test_the_first_command():
    name, maker, *options, end = lines(UgiSession("pente", level=2), "ugi")
    assert (name, maker, end) == (f"id name pentad {pentad.__version__}", "id author the pentad developers", "ugiok")
    assert options[0].startswith("option name Game type combo default pente var pentago var pente var pentagame")
    assert "option name size type spin default 19 min 3 max 25" in options
    assert "option name tournament_rule type check default true" in options
    assert any(line.startswith("option name opening type combo default tournament var free ") for line in options)
    assert options[-1] == "option name Level type spin default 2 min 1 max 5"


@pytest.mark.parametrize("name", names())
def test_every_game_lists_its_options_and_its_bots(name):
    options = lines(UgiSession(name), "ugi")
    names = [line.split()[2] for line in options if line.startswith("option")]
    assert names[: 1 + len(game(name).options)] == ["Game", *game(name).options]
    bots = next(line for line in options if line.startswith("option name Bot "))
    assert bots.split(" var ")[1:] == list(own_bots(name))
    assert all(line.isascii() for line in options)


def test_options():
    session = UgiSession("pentago", options={"players": 3})
    assert session.position.players == 3
    (first, *_) = lines(session, "setoption name Game value pentagame")
    assert first.startswith("option name Game type combo default pentagame ")
    assert session.position.text == pentad.new("pentagame").text
    assert lines(session, "setoption name players value 4\nuginewgame\nquery turn") == ["response p1"]
    assert session.position.text == pentad.new("pentagame", players=4).text
    lines(session, "setoption name Bot value tree\nsetoption name Level value 2")
    assert session.make().name == "tree-2"
    assert session.position.players == 4


def test_the_choice_of_the_same_game_keeps_the_bot_and_the_options():
    session = UgiSession("pentago", "tree", level=2, options={"players": 3})
    (first, *_) = lines(session, "setoption name Game value pentago")
    assert first.startswith("option name Game type combo default pentago ")
    assert session.make().name == "tree-2"
    assert lines(session, "uginewgame\nquery turn") == ["response p1"]
    assert session.position.players == 3


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("setoption", "Expected name NAME value VALUE"),
        ("setoption name players", "Expected name NAME value VALUE"),
        ("setoption name Colour value red", "Unknown option 'Colour'. The options are: Game, rows, cols"),
        ("setoption name players value 99", "Option players must be a whole number from 2 to 6, not 99."),
        ("setoption name Game value chess", "Unknown game 'chess'"),
        ("setoption name Bot value nobody", "Unknown bot 'nobody'"),
        ("setoption name Bot value ugi:/bin/true", "Unknown bot|starts a program"),
        ("setoption name Bot value tree:rollouts=many", "Unknown setting"),
        ("setoption name Level value 77", "has levels 1 to 5, got 77"),
        ("setoption name Level value high", "Level must be a number, not 'high'."),
        ("query weather", "Unknown query 'weather'. The queries are: gameover, p1turn, turn, result."),
        ("nonsense and more", "Unknown command 'nonsense'."),
        ("UGI", "Unknown command 'UGI'."),
        ("x" * 200_000, "The line is longer than 100000 characters."),
        ("\x00\ufffd \ufffd", "Unknown command"),
    ],
    ids=lambda text: text[:30],
)
def test_refused_commands_change_nothing(line, words, request):
    session = UgiSession("pentago")
    lines(session, "position startpos moves a0_1C")
    before = (session.position, dict(session.options), session.make)
    (answer,) = lines(session, line)
    assert answer.startswith("info string Error: ")
    assert answer.isascii()
    assert any(each in answer for each in words.split("|"))
    assert (session.position, session.options, session.make) == before


# ── positions ────────────────────────────────────────────────────────────────────────────────────


CASES = [
    ("pentago", {}), ("pentago", {"players": 4}), ("pente", {"rules": "keryo"}), ("pente", {"opening": "swap2"}),
    ("pentagame", {}), ("pentagame", {"players": 3}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "options"), CASES, ids=str)
def test_positions_and_moves_as_words(name, options):
    session, chance, here = UgiSession(name, options=options), random.Random(1), pentad.new(name, **options)
    words: list[str] = []
    for _ in range(8):
        move = chance.choice(here.legal_moves[:200])
        words.append(protocol.write_move(move))
        assert " " not in words[-1]
        here = here.play(move)
        assert lines(session, f"position startpos moves {' '.join(words)}") == []
        assert session.position == here
        assert lines(session, f"position fen {here.text}") == []
        assert session.position == here
        assert lines(session, "query turn\nquery p1turn") == [
            f"response p{here.turn + 1}",
            f"response {'true' if here.turn == 0 else 'false'}",
        ]
    text = here.text.removeprefix(f"{name} ")  # the game is the one of the option
    assert lines(session, f"position fen {text}") == []
    assert session.position == here


def test_moves_after_a_position():
    session = UgiSession("pentago")
    here = pentad.new("pentago").play("a0 1C")
    assert lines(session, f"position fen {here.text} moves b1_2A  b2_3C") == []
    assert session.position == here.play("b1 2A").play("b2 3C")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("position", "Expected startpos or fen TEXT"),
        ("position fen", "Expected startpos or fen TEXT"),
        ("position startpos a0_1C", "Expected startpos or fen TEXT"),
        ("position startpos moves b1_1C b1_1C", "Move 2, 'b1_1C': "),
        ("position startpos moves a0", "Move 1, 'a0': "),
        ("position startpos moves zz", "Move 1, 'zz': 'zz' is not a space"),
        ("position fen pentago nonsense", "The board has"),
        ("position fen pente " + "/".join(["19"] * 19) + " 0,0", "a position of pente, but Game is pentago."),
    ],
    ids=str,
)
def test_after_a_refused_position_there_is_none(line, words):
    session = UgiSession("pentago")
    (answer,) = lines(session, line)
    assert answer.startswith("info string Error: ")
    assert words in answer
    missing = "info string Error: There is no position; the last one was refused."
    assert lines(session, "go depth 1\nquery turn") == [missing, "bestmove none", missing]
    assert lines(session, "position startpos\nquery turn") == ["response p1"]


def test_options_that_do_not_fit_together():
    session = UgiSession("pente")
    lines(session, "setoption name rules value lines\nsetoption name size value 3\nsetoption name line value 25")
    (answer,) = lines(session, "uginewgame")
    assert answer.startswith("info string Error: ")
    assert lines(session, "ugi")[-1] == "ugiok"
    with pytest.raises(GameError):
        UgiSession("pente", options=session.options)


def test_results():
    session = UgiSession("pente", options={"rules": "lines", "size": 3, "line": 3})
    moves = "position startpos moves A1 A2 B1 B2"
    assert lines(session, f"{moves}\nquery gameover\nquery result") == ["response false", "response none"]
    over = lines(session, f"{moves} C1\nquery gameover\nquery result\ngo movetime 10")
    assert over[:2] == ["response true", "response p1win"]
    assert over[2].startswith("info string Error: The game is over: ")
    assert over[3] == "bestmove none"
    assert lines(session, "position startpos moves A1 B2 A2 A3 C1 B1 B3 C2\nquery result") == ["response draw"]


# ── limits ───────────────────────────────────────────────────────────────────────────────────────


def test_limits_of_a_search():
    session = UgiSession("pentago", options={"players": 3})

    def limit(text: str) -> Limit:
        return request(session, text).limit

    assert limit("go movetime 1000").seconds == pytest.approx(0.93)
    assert limit("go movetime 0").seconds == pytest.approx(0.05)
    assert limit("go movetime -5").seconds == pytest.approx(0.05)
    assert limit("go depth 3") == Limit(depth=3, seconds=protocol.MAX_UNTIMED_SECONDS)
    assert not request(session, "go depth 3").waits_for_stop
    both = limit("go nodes 0 movetime 200 searchmoves a0_1C")
    assert (both.nodes, both.seconds) == (1, pytest.approx(0.17))
    for endless in ("go", "go infinite", "go infinite depth 3"):
        assert request(session, endless).waits_for_stop
    assert limit("go") == Limit(seconds=ENDLESS_SECONDS)
    clocks = "go p1time 100000 p2time 50000 p3time 2000 p3inc 500"
    assert limit(clocks).seconds == pytest.approx(0.95 * 4 - 0.02)
    assert limit(clocks).most_seconds == pytest.approx(0.95 * 10 - 0.02)
    assert limit(clocks + " movetime 5000").most_seconds == pytest.approx(0.95 * 5 - 0.02)
    lines(session, "position startpos moves a0_1C a1_1C")
    assert limit(clocks).seconds == pytest.approx(0.95 * (2 / 25 + 0.5) - 0.02)
    assert limit("go p1time 100000").seconds == pytest.approx(0.93)  # nothing about the seat to move
    little = limit("go p3time 100 p3inc 60000")
    assert little.seconds == little.most_seconds <= 0.1  # no more than is left


@pytest.mark.parametrize("text", ["movetime", "movetime soon", "depth 1.5", "nodes 99999999999", "p2time ٣"])
def test_limits_that_cannot_be_read(text):
    session = UgiSession("pentago")
    refused, move = lines(session, f"go {text}")
    assert refused.startswith(f"info string Error: {text.split()[0]} must be a number")
    assert move == "bestmove none"


# ── scores ───────────────────────────────────────────────────────────────────────────────────────


def test_the_score_is_from_the_view_of_the_seat_to_move():
    here = pentad.new("pentago", players=3).play("a0 1C")
    moves = (here.parse("b1 2A"), here.parse("c2 1A"))
    found = Result.of(moves[0], Report(1, 4, 99, 0.0, (Line(moves, (-0.5, 0.25, 0.25)),), exact=False))
    assert protocol.write_info(found, 12) == "info depth 4 nodes 99 time 12 nps 8250 score cp 25 pv b1_2A c2_1A"
    assert "nps" not in protocol.write_info(found, 0)
    exact = Report(0, 1, 1, 0.0, (Line(moves[:1], (1.0, -0.5, -0.5)),), exact=True)
    assert protocol.write_info(Result.of(moves[0], exact), 0) == (
        "info depth 1 nodes 1 time 0 score cp 100 exact pv b1_2A"
    )


def test_a_move_that_is_not_the_best_has_no_score():
    here = pentad.new("pentago")
    best, other = here.parse("b1 2A"), here.parse("c2 1A")
    found = Result.of(other, Report(0, 4, 99, 0.0, (Line((best,), (0.25, -0.25)),), exact=False))
    assert (found.value, found.line) == (0.25, ())
    assert protocol.write_info(found, 12) == "info depth 4 nodes 99 time 12 nps 8250"
