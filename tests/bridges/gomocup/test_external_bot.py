"""External programs as players: good ones, every way to forfeit, and the end of all their processes."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import IO

import pytest

import pentad
from pentad.bridges import external_bot, external_program
from pentad.bridges.external_program import ExternalProgram
from pentad.bridges.gomocup.external_bot import GomocupBot
from pentad.game import GameError, IllegalMove
from pentad.play.contest import ContestTerms, play_game
from pentad.play.match import play_match
from pentad.play.pairings import pairings
from pentad.record import Record
from pentad.search.bot import Forfeit, bot
from tests.bridges.programs import POSIX, gone
from tests.cases import together
from tests.games.pente.random_games import GAMES, new, random_game
from tests.terminal.conftest import Pentad
from tests.waiting import TIMEOUT, wait_until

SMALL = Path(__file__).with_name("small_brain.py")
OURS = f"{shlex.quote(sys.executable)} -m pentad gomocup --bot "


def small(behaviour: str, *more: str) -> str:
    return shlex.join([sys.executable, str(SMALL), behaviour, *more])


def played(player: GomocupBot, opponent, here, plies: int = 8, seconds: float = 1.0):
    """The position after some moves of a game between the two."""
    sides = (player, opponent)
    for ply in range(plies):
        if here.outcome:
            break
        here = here.play(sides[ply % 2].choose(here, seconds=seconds))
    return here


# ── games ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.fast_cases(6)
@pytest.mark.parametrize("behaviour", ["good", "crlf", "cr", "halves", "talkative", "noisy", "suggesting"])
def test_programs_with_unusual_output(behaviour):
    player = GomocupBot(small(behaviour))
    here = played(player, pentad.bot("pente", "random", seed=1), new(rules="gomoku"))
    assert here.ply == 8
    process = player._program._process
    player.close()
    assert process.poll() is not None


def test_lines_sent_to_a_program():
    player = GomocupBot(small("good"))
    here = new(rules="gomoku").play("H8")
    here = here.play(player.choose(here, seconds=2)).play("J9")
    here = here.play(player.choose(here, seconds=0.5))
    other = new(rules="freestyle", size=20).play("H8").play("H9")
    player.choose(other)
    lines = [line[2:] for line in player._program.transcript if line.startswith(">")]
    player.close()
    about = ["INFO timeout_match 0", "INFO max_memory 0", "INFO game_type 1"]
    left = "INFO time_left 2147483647"
    assert lines == [
        "START 15", *about, "INFO rule 1", "INFO timeout_turn 2000", left, "BOARD", "7,7,2", "DONE",
        "INFO timeout_turn 500", left, "TURN 8,6",
        "START 20", *about, "INFO rule 0", "INFO timeout_turn 1000", left, "BOARD", "7,12,1", "7,11,2", "DONE",
    ]  # fmt: skip


def test_undo():
    player = GomocupBot(small("good"))
    start = new(rules="gomoku")
    first = start.play("H8")
    one = player.choose(first)
    two = player.choose(start.play("J9"))
    three = player.choose(first)
    player.close()
    assert str(one) == str(three) == "A15"
    assert two


RULES = [
    {"rules": "gomoku"}, {"rules": "freestyle", "size": 20}, {"rules": "pente"}, {"rules": "keryo", "size": 13},
    {"rules": "g-pente"}, {"rules": "poof"}, {"rules": "boat"}, {"rules": "ninuki42"}, {"rules": "lines"},
    {"rules": "pente", "size": 9, "opening": "free", "captures": 3, "capture_win": 6},
    {"rules": "lines", "size": 4, "line": 3}, {"rules": "gomoku", "opening": "swap2"},
    {"rules": "pente", "opening": "swap2"}, {"rules": "pente", "opening": "pro"},
]  # fmt: skip


QUICK = {0, 8, 10, 12}


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("number", "options"),
    [pytest.param(*case, marks=[] if case[0] in QUICK else [pytest.mark.slow]) for case in enumerate(RULES)],
    ids=str,
)
def test_whole_games_of_pentad_against_itself(number, options):
    who = "beam-1" if options.get("opening") == "swap2" else "greedy"  # greedy would search all turns of three stones
    terms = ContestTerms("pente", (f"gomocup:{OURS} {who}", who), options=options, plies=1, seconds=5, seed=3)
    terms = terms.checked(programs=True)
    pairing = list(pairings(2, 2))[number % 2]  # the bot alternates between seats
    record = Record.read(play_game(terms, pairing, programs=True))
    assert record.outcome.reason != "forfeit", record.end.comment
    assert record.outcome == record.shown


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("name", ["pente 7", "keryo on 6", "poof 5", "boat 7", "ninuki42 7"])
def test_any_position_can_be_sent(name):
    """Every third position of random games, without history: by a possible order, or by the stones."""
    if name not in GAMES:
        pytest.skip(f"{name} is not among the games")
    player = GomocupBot(f"{OURS} random")
    for seed in (1, 2):
        for position, table in random_game(GAMES[name], seed):
            if not table.over and table.ply % 3 == seed and not table.stage:
                player._seen.clear()
                assert player.choose(position, seconds=5) in position.legal_moves
    player.close()


def test_a_known_game_is_sent_in_the_order_of_play():
    player = GomocupBot(small("good"))
    here = new(rules="pente", opening="free").play("K10")
    for reply in ("L10", "M9"):
        here = here.play(player.choose(here, seconds=5)).play(reply)
    player._sent = 0
    player.choose(here, seconds=5)
    lines = [line[2:] for line in player._program.transcript if line.startswith(">")]
    player.close()
    stones = lines[lines.index("BOARD", lines.index("START 19", 1) + 3) + 1 : -1]
    assert "INFO variant pente opening=free" in lines
    last = lines[len(lines) - 1 - lines[::-1].index("BOARD") :]
    assert last == ["BOARD", "9,9,2", "0,0,1", "10,9,2", "2,0,1", "11,10,2", "DONE"], stones


def test_unseen_captures_are_sent_as_numbers():
    player = GomocupBot(small("good"))
    here = new(rules="pente", opening="free")
    for move in ["K10", "L10", "G6", "M10", "N10"]:
        here = here.play(move)
    player.choose(pentad.load(here.text), seconds=5)
    lines = [line[2:] for line in player._program.transcript if line.startswith(">")]
    player.close()
    assert [*lines[-6:-4], lines[-1]] == ["INFO taken 0,2", "BOARD", "DONE"]
    assert sorted(lines[-4:-1]) == ["12,9,2", "6,13,2", "9,9,2"]


@together("first", ["good", "swapping", "staying", "adding"])
@together("second", ["swapping", "staying", "adding"])
def test_programs_choose_in_swap2(first, second):
    players = GomocupBot(small(first)), GomocupBot(small(second))
    here = new(rules="gomoku", opening="swap2")
    for _ in range(9):
        here = here.play(players[here.turn].choose(here, seconds=5))
    for player in players:
        player.close()
    assert here.ply == 9


# ── forfeits ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.fast_cases(6)
@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        ("slow", "The program did not answer in time"),
        ("silent", "The program did not answer in time"),
        ("flooding", "The program did not answer in time"),
        ("endless", "The program did not answer in time"),
        ("crashing", "The program ended with code 1"),
        ("leaving", "The program ended with code 3"),
        ("lying", "15,15 is not on the board; both"),
        ("occupied", "The program's move .* is illegal"),
        ("garbled", "The program answered 'K10, I think"),
        ("refusing", "The program answered 'ERROR I will not'"),
    ],
)
def test_every_way_to_forfeit(behaviour, message, home, monkeypatch):
    if message == "The program did not answer in time":
        monkeypatch.setattr(external_bot, "GRACE_SECONDS", 0.3)
    player = GomocupBot(small(behaviour))
    with pytest.raises(Forfeit, match=message) as lost:
        played(player, pentad.bot("pente", "random", seed=1), new(rules="gomoku"), seconds=0.3)
    assert player._program is None
    assert "\n" not in str(lost.value)
    (kept,) = (home / "transcripts").glob("*.txt")
    assert str(kept) in str(lost.value)
    text = kept.read_text()
    assert "> START 15" in text
    assert "< OK" in text
    assert len(text) < 500_000


def test_the_error_stream_is_in_the_transcript(home, monkeypatch):
    read = ExternalProgram._read_stderr

    def late(program: ExternalProgram, pipe: IO[bytes]) -> None:
        wait_until(lambda: program._process.returncode is not None, "the end of the program")
        read(program, pipe)

    monkeypatch.setattr(ExternalProgram, "_read_stderr", late)
    player = GomocupBot(small("crashing"))
    with pytest.raises(Forfeit):
        played(player, pentad.bot("pente", "random", seed=1), new(rules="gomoku"))
    (kept,) = (home / "transcripts").glob("*.txt")
    assert "! RuntimeError: out of ideas" in kept.read_text()


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("./there-is-no-such-program --at all", "The program cannot be started .No such file or directory."),
        (str(SMALL.parent), "The program cannot be started .Permission denied."),
        ("true", "The program ended with code 0"),
        (f"{sys.executable} -c 'import os; os.kill(os.getpid(), 9)'", "The program was ended by signal 9"),
    ],
)
@POSIX
def test_programs_that_do_not_start(command, message):
    with pytest.raises(Forfeit, match=message):
        GomocupBot(command).choose(new(rules="gomoku"))


def test_messages_extend_the_start_timeout(monkeypatch, home):
    clock = iter(range(0, 10_000, 20))  # twenty seconds between two calls
    monkeypatch.setattr(external_bot, "time", SimpleNamespace(monotonic=lambda: float(next(clock))))
    waits = []

    class FakeProgram:
        lines = iter(["MESSAGE 25%", "", "DEBUG x", "OK"])

        def receive(self, until):
            waits.append(until)
            if (line := next(self.lines, None)) is None:
                raise external_program.ProgramFailed("There are no more lines.")
            return line

    assert GomocupBot("true")._answer(FakeProgram(), 600.0, 30.0) == "OK"
    assert waits == [30.0, 50.0, 70.0, 90.0]
    FakeProgram.lines = iter(["MESSAGE on and on"] * 99)
    waits.clear()
    with pytest.raises(external_program.ProgramFailed):
        GomocupBot("true")._answer(FakeProgram(), 600.0, 30.0)
    assert waits[-1] == waits[-2] == max(waits) == 600.0


def test_a_program_that_never_answers_start(monkeypatch):
    monkeypatch.setattr(external_bot, "START_SECONDS", 0.3)
    with pytest.raises(Forfeit, match="did not answer in time"):
        GomocupBot(small("deaf")).choose(new(rules="gomoku"))


@pytest.mark.parametrize("command", ["", "   ", "'half", "a\0b"])
def test_invalid_command_lines(command):
    with pytest.raises(GameError):
        bot("pente", f"gomocup:{command}", programs=True)
    with pytest.raises(GameError, match="needs settings"):
        bot("pente", "gomocup", programs=True)


def test_no_shell_runs(tmp_path):
    with pytest.raises(Forfeit):
        GomocupBot(f"true; touch {tmp_path / 'made'}").choose(new(rules="gomoku"))
    assert not (tmp_path / "made").exists()


def test_there_is_no_move_after_the_end():
    here = new(rules="lines", size=3, line=3)
    for move in ["A1", "A2", "B1", "B2", "C1"]:
        here = here.play(move)
    with pytest.raises(IllegalMove):
        GomocupBot("true").choose(here)


def test_a_transcript_that_cannot_be_saved(home):
    home.write_text("a file, where the folder should be")
    with pytest.raises(Forfeit, match=r"ended with code 3\.$"):
        played(GomocupBot(small("leaving")), pentad.bot("pente", "random", seed=1), new(rules="gomoku"))


# ── in matches and in games at the terminal ──────────────────────────────────────────────────────


def test_a_match_counts_forfeits_and_goes_on(tmp_path):
    terms = ContestTerms("pente", (f"gomocup:{small('leaving')}", "random"), options={"rules": "gomoku"}, seconds=1)
    terms = terms.checked(programs=True)
    score = play_match(terms, 2, folder=tmp_path / "match", workers=1, programs=True)
    assert (score.losses, score.forfeits) == (2, 2)
    record = Record.read((tmp_path / "match" / "games" / "00001.pentad").read_text())
    assert record.outcome.reason == "forfeit"
    assert "forfeits: The program ended with code 3. The transcript is in" in record.end.comment


@pytest.mark.slow
def test_two_programs_in_a_match_on_all_cores(pentad: Pentad):
    words = ["match", "pente", f"gomocup:{small('good')}", f"gomocup:{small('crlf')}", "--rules", "gomoku"]
    answer = pentad(*words, "--games", "4", "--workers", "2", "--seconds", "5", "--json")
    assert answer.code == 0, answer.err
    assert '"forfeits": 0' in answer.out


def test_a_game_at_the_terminal_is_won_by_forfeit(pentad: Pentad, tmp_path):
    record = tmp_path / "game.pentad"
    words = ["play", "pente", "--rules", "gomoku", "--black", f"gomocup:{small('leaving')}", "--record", str(record)]
    answer = pentad(*words, typed="H8\nH9\nundo\n")
    assert "forfeits: The program ended with code 3" in answer.err
    assert "Black forfeited the game. White wins. Result: 1-0." in answer.out
    assert "Took back 1 move." in answer.out
    answer = pentad(*words, "--force", typed="H8\nH9\n")
    assert Record.read(record.read_text()).outcome.reason == "forfeit"


# ── processes ────────────────────────────────────────────────────────────────────────────────


@POSIX
def test_a_hung_program_is_ended_with_its_children(tmp_path, monkeypatch):
    pid_file, send = tmp_path / "processes", external_program.ExternalProgram.send

    def send_when_it_runs(started, lines):
        wait_until(lambda: pid_file.exists() and len(pid_file.read_text().split()) == 2, "the start of the program")
        send(started, lines)

    monkeypatch.setattr(external_program.ExternalProgram, "send", send_when_it_runs)
    monkeypatch.setattr(external_bot, "START_SECONDS", 0.0)
    with pytest.raises(Forfeit, match="did not answer in time"):
        GomocupBot(small("hung", str(pid_file))).choose(new(rules="gomoku"))
    for process in pid_file.read_text().split():
        assert gone(int(process))


@pytest.mark.fast_cases(1)
@POSIX
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("how", ["play", "match"])
def test_the_program_ends_with_pentad(tmp_path, sign, how):
    pid_file = tmp_path / "processes"
    hung = f"gomocup:{small('hung', str(pid_file))}"
    words = {
        "play": ["play", "pente", "--white", hung, "--black", "random"],
        "match": ["match", "pente", hung, "random", "--games", "4", "--workers", "2"],
    }
    leader = subprocess.Popen(
        [sys.executable, "-m", "pentad", *words[how]],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    wait_until(lambda: pid_file.exists() and len(pid_file.read_text().split()) == 2, "the start of the program")
    processes = list(map(int, pid_file.read_text().split()))
    leader.send_signal(sign)
    leader.wait(TIMEOUT)
    assert all(map(gone, processes))


@POSIX
def test_a_program_that_leaves_its_children_behind(tmp_path):
    code = (
        "import subprocess, sys; c = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'], "
        f"stdout=2); open({str(tmp_path / 'child')!r}, 'w').write(str(c.pid))"
    )
    with pytest.raises(Forfeit, match="ended with code 0"):
        GomocupBot(shlex.join([sys.executable, "-c", code])).choose(new(rules="gomoku"))
    assert gone(int((tmp_path / "child").read_text()))


def test_closing_twice_or_without_a_program_does_nothing():
    player = GomocupBot(small("good"))
    player.close()
    player.choose(new(rules="gomoku"))
    player.close()
    player.close()
    assert player.choose(new(rules="gomoku"))  # a closed bot can be used again
    player.close()


def test_a_transcript_is_bounded(monkeypatch):
    monkeypatch.setattr(external_program, "FIRST_LINES", 10)
    monkeypatch.setattr(external_program, "LAST_LINES", 40)
    started = external_program.ExternalProgram(small("talkative"), farewell="END")
    started.send(["START 15", "BEGIN"])
    until = time.monotonic() + TIMEOUT
    while not started.receive(until).startswith("0,0"):
        pass
    transcript = started.transcript
    started.close()
    assert transcript[0] == "> START 15"
    assert transcript[10].startswith("… ")
    assert len(transcript) == 51
    assert max(map(len, transcript)) < 210
