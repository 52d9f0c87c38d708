"""The command line: start-up, error messages, and unusual standard streams."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pentad import __version__
from pentad.terminal import command_line
from pentad.terminal.command_table import COMMANDS
from tests.cases import together
from tests.terminal.conftest import Pentad

RECORD = '[Game "pentago"]\n[Seat0 "Ann"]\n[Seat1 "Bob"]\n[Result "*"]\n\n1. a2 1C 2. c3 4A *\n'


def run(*words: str, **about) -> subprocess.CompletedProcess[bytes]:
    """Run pentad in its own process."""
    return subprocess.run([sys.executable, "-m", "pentad", *words], capture_output=True, **about)


# ── start-up and help ────────────────────────────────────────────────────────────────────────────


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("start", ["import pentad", "from pentad.terminal import main; main(['--help'])"])
def test_start_imports_no_slow_module(start: str):
    slow = "{'rich', 'numpy', 'numba', 'starlette', 'uvicorn', 'sqlalchemy', 'asyncio'}"
    code = f"{start}\nimport sys; sys.exit(' '.join({slow} & {{name.split('.')[0] for name in sys.modules}}) or 0)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("words", [(), ("--help",), ("-h",), ("help",)])
def test_help_names_every_command(pentad: Pentad, words: tuple[str, ...]):
    answer = pentad(*words)
    assert answer.code == 0
    for name, summary in COMMANDS.items():
        assert re.search(rf"^  {name} +{summary}$", answer.out, re.MULTILINE)


def test_version(pentad: Pentad):
    assert pentad("--version").out == f"pentad {__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(pentad: Pentad, command: str):
    answer = pentad(command, "--help")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith(f"usage: pentad {command}")
    assert pentad("help", command) == answer


@together("name", [*COMMANDS, "solve", "weights", "pentago"])
def test_the_launcher_installs_before_any_command(name: str):
    assert all(command_line.runs_a_command(words) for words in ([name], [name, "--help"], ["help", name]))


def test_help_of_a_game_lists_its_options(pentad: Pentad):
    assert "--rows N" in pentad("play", "pentago", "--help").out
    assert "--no-win-on-placement" in pentad("perft", "pentago", "--help").out
    assert "--rows" not in pentad("play", "--help").out


# ── errors ───────────────────────────────────────────────────────────────────────────────────────

REFUSED = {
    "unknown command": ("frobnicate", "Unknown command 'frobnicate'. The commands are: play"),
    "nearly a command": ("resolve", "Unknown command 'resolve'. Did you mean solve?"),
    "nearly a command of grammar": ("grammar shwo", "Unknown command 'shwo' for pentad grammar. Did you mean show?"),
    "unknown option of pentad": ("--colour", "Unknown option '--colour'"),
    "unknown option": ("play pentago --size 3", "Unknown option --size. The options are: --black, --block"),
    "nearly an option": ("play pentago --row 3", "Did you mean --rows?"),
    "nearly a game": ("play pentgo", "Unknown game 'pentgo'. Did you mean pentago?"),
    "nearly a bot": ("play pentago --white gredy", "Unknown player 'gredy'. Did you mean greedy?"),
    "nearly a seat": ("play pentago --seat wite=human", "Unknown seat 'wite'. Did you mean white?"),
    "nearly an option of a game": (
        "report pentago --compare lines=3",
        "Pentago has no option lines. Did you mean line?",
    ),
    "an option's value is missing": ("play pentago --rows", "--rows: Expected one argument."),
    "unknown game": ("play chess", "Unknown game 'chess'. The games are: pentago"),
    "no game": ("play", "Name a game. The games are: pentago"),
    "one word too many": ("games pentago pentago", "Unexpected argument 'pentago'"),
    "wrong type": ("play pentago --rows two", "Option rows must be a whole number from 1 to 26, not 'two'"),
    "out of range": ("perft pentago 1 --players 7", "Option players must be a whole number from 2 to 6, not 7"),
    "a huge number": ("perft pentago 1 --rows 9999999999999", "Option rows must be a whole number"),
    "a board without lines": ("play pentago --line 7", "No line of 7 fits on a board of 6 × 6"),
    "a depth that is none": ("perft pentago -1", "DEPTH: Expected a whole number from 0 to 30, got '-1'."),
    "a depth too deep": ("perft pentago 99", "DEPTH: Expected a whole number from 0 to 30, got '99'."),
    "a depth in words": ("perft pentago deep", "DEPTH: Expected a whole number from 0 to 30, got 'deep'."),
    "seconds that are none": ("play pentago --seconds nan", "--seconds: Expected a number of seconds"),
    "a position that is none": ("play --position pentago", "Expected a Pentago position: options, rows joined by /"),
    "an empty position": ("play pentago --position=", "Expected a Pentago position: options, rows joined by /"),
    "a position of nothing": ("play --position=", "The position is empty"),
    "a seat that is not there": ("play pentago --red human", "Unknown seat 'red'. The seats are: 0, 1, black"),
    "a seat twice": ("play pentago --black human --seat 0=greedy", "Seat black is given twice."),
    "a seat without anyone": ("play pentago --seat 0", "--seat: Expected N=WHO, such as 1=greedy, got '0'."),
    "someone unknown": ("play pentago --white deepblue", "Unknown player 'deepblue'"),
    "nothing to resume": ("play --resume", "There is no unfinished game to resume."),
    "an unknown saved game": ("play --resume nix", "There is no saved game 'nix'. Saved games: none."),
    "a saved game's name that is a path": ("play --resume ../x", "There is no saved game '../x'"),
    "two starts": ("play --resume --load x", "--load cannot be used with --resume."),
    "options for a loaded game": ("play pentago --rows 3 --load {record}", "--rows cannot be used with --load"),
    "no such file": ("show {folder}/nix", "nix: No such file."),
    "a folder": ("show {folder}", "files: This is a folder, not a file."),
    "a name that is none": ("show {null}", "is not a file name."),
    "an unknown suffix": ("convert {record} x.doc", "Unknown suffix '.doc'. The known suffixes are .pentad"),
    "an unknown format": ("convert {record} x --to doc", "Unknown format 'doc'. The formats are pentad"),
    "a format not read": ("convert x.svg y.json", "Cannot read x.svg: No such file."),
    "a picture as input": ("convert {record} y.json --from svg", "The format svg can only be written, not read"),
    "a file that is there": ("convert {record} {record}", "already exists. Use --force to replace it."),
    "an empty name": ("show ", "Expected a file name, got an empty argument."),
    "an empty board": (
        "solve ",
        "pentad: Expected a board number, a position or a record",
    ),
    "an empty board to analyse": (
        "analyse ",
        "pentad: Expected a board number, a position or a record",
    ),
    "an empty name to write": ("convert {record} ", "Expected a file name, got an empty argument."),
    "an empty name to batch": ("solve --batch  --out x", "Expected a file name, got an empty argument."),
    "an empty name to load": ("play --load ", "Expected a file name, got an empty argument."),
    "a folder to write": ("convert {record} {folder} --to json", "is a folder. Expected a file name."),
    "a folder that is not there": (
        "convert {record} {folder}/no/x.json",
        "files/no/x.json: There is no folder",
    ),
    "a path below a file": ("convert {record} {record}/x.json", "A part of the path is not a folder."),
    "a game that is not there": ("show {record} --number 2", "has 1 game. There is no game 2 in it."),
    "a ply that is not there": ("show {record} --ply 3", "--ply: Expected a move from 0 to 2, got 3."),
    "half a record": ("show {half}", "half.pentad, line 6, column 18: Expected the game's result"),
    "half a move": ("show {halfmove}", "halfmove.pentad, line 6, column 13: move 2: c3 does not win, so a twist"),
    "half a tag": ("show {halftag}", "halftag.pentad, line 2, column 1: Expected a tag"),
    "an empty record": ("show {empty}", "empty.pentad, line 1, column 1: Expected the tag"),
    "a record of an unknown game": ("show {chess}", "line 1, column 1: tag Game: Unknown game 'chess'"),
    "a record of another game": ("play pentago --load {chess}", "Unknown game 'chess'"),
    "an illegal move in a record": ("show {illegal}", "line 4, column 13: move 2: a2 is taken by a black marble"),
    "no text at all": ("show {binary}", "binary.pentad, line 1, column 1: Invalid UTF-8: unexpected byte 0x89"),
    "binary within": ("convert {mixed} x.json", "mixed.txt, line 2, column 3: Invalid UTF-8: unexpected byte 0xff"),
    "half a JSON file": ("show {halfjson}", "halfjson.json, line 1, column 26: Not valid JSON"),
    "moves of no game": ("show {moves}", "moves.txt, line 1, column 1: Unknown game."),
    "a line break in a word": ("show a\nb", "Cannot read a�b: "),
}
FILES = {
    "record.pentad": RECORD,
    "half.pentad": RECORD[:-3],
    "halfmove.pentad": RECORD[:-5],
    "halftag.pentad": RECORD[:25],
    "empty.pentad": "",
    "chess.pentad": RECORD.replace("pentago", "chess"),
    "illegal.pentad": '[Game "pentago"]\n[Result "*"]\n\n1. a2 2C 2. a2 2C *\n',
    "binary.pentad": b"\x89PNG\r\n\x1a\n",
    "mixed.txt": b"a2 1C\nc3\xff 4A\n",
    "halfjson.json": '{"pentad": 1, "games": [{',
    "moves.txt": "a2 1C\n",
}


@pytest.mark.fast_cases(53)
@pytest.mark.parametrize("case", REFUSED)
def test_errors_take_one_line(pentad: Pentad, tmp_path: Path, case: str):
    files = tmp_path / "files"
    files.mkdir()
    for name, text in FILES.items():
        (files / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    line, message = REFUSED[case]
    known = {name.split(".")[0]: str(files / name) for name in FILES} | {"folder": str(files), "null": "a\0b"}
    words = [word.format(**known) for word in line.split(" ")]
    answer = pentad(*words)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("pentad: ")
    assert answer.err.count("\n") == 1
    assert message in answer.err
    assert {each.name for each in files.iterdir()} == set(FILES)


def test_input_that_is_too_large(pentad: Pentad, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr("pentad.record.formats.MAX_BYTES", 1 << 20)
    monkeypatch.setattr("pentad.terminal.files.MAX_BYTES", 1 << 20)
    answer = pentad("show", "/dev/zero")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == "pentad: /dev/zero: The input is larger than the limit of 1 MB.\n"
    big = tmp_path / "big.txt"
    big.write_text("a2 " * 300_000)
    answer = pentad("show", str(big), "--as", "pentago")
    assert answer.code == 2
    assert "line 1, column 1: 'a2' does not begin a legal move" in answer.err


def test_an_internal_error_takes_one_line_without_debug(pentad: Pentad, monkeypatch: pytest.MonkeyPatch):
    def broken(words: list[str]) -> int:
        raise TypeError("oh\nno")

    monkeypatch.setattr(command_line, "_run", broken)
    answer = pentad("games")
    assert (answer.code, answer.out) == (1, "")
    assert (
        answer.err
        == "pentad: Internal error (a bug in pentad): TypeError: oh no. Set PENTAD_DEBUG=1 for a traceback.\n"
    )
    monkeypatch.setenv("PENTAD_DEBUG", "1")
    with pytest.raises(TypeError):
        pentad("games")


def test_ctrl_c_ends_quietly(pentad: Pentad, monkeypatch: pytest.MonkeyPatch):
    def stopped(words: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(command_line, "_run", stopped)
    assert pentad("games").code == 130


# ── unusual streams ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_a_broken_pipe():
    reader, writer = os.pipe()
    os.close(reader)
    for words in (["games"], ["perft", "pentago", "1"], ["play", "pentago", "--black", "random", "--white", "random"]):
        done = subprocess.run([sys.executable, "-m", "pentad", *words], stdout=writer, stderr=subprocess.PIPE)
        assert (done.returncode, done.stderr) == (141, b"")
    os.close(writer)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk():
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([sys.executable, "-m", "pentad", "games"], stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert b"The disk is full." in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1, 2)])
def test_closed_streams(closed: tuple[int, ...], home: Path):
    close = "".join(f"os.close({number});" for number in closed)
    words = ["play", "pentago", "--seed", "1", "--white", "random"]
    start = f"import os, sys; {close} os.execv(sys.executable, [sys.executable, '-m', 'pentad', *{words}])"
    done = subprocess.run([sys.executable, "-c", start], input=b"a2 1C\nquit\n", capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (home / "games" / "pentago-1.pentad").exists() == (0 not in closed)


@pytest.mark.slow
@pytest.mark.parametrize(("encoding", "row"), [("ascii", b" a | x o % |"), ("utf-8", " a │ ● ○ ◆ │".encode())])
def test_any_encoding(encoding: str, row: bytes):
    text = "players=3 bwr.../....../....../....../....../......"
    done = run(
        "play", "pentago", "--position", text, input=b"board\n", env={**os.environ, "PYTHONIOENCODING": encoding}
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert row in done.stdout


def test_input_that_is_not_text(pentad: Pentad):
    answer = pentad("play", "pentago", "--seed", "1", typed=b"\xff\xfe\x00\n\x89PNG\nquit\n")
    assert answer.code == 0
    assert answer.err.count("\n") == 2


# ── games and perft ──────────────────────────────────────────────────────────────────────────────


def test_games_lists_options_and_bots(pentad: Pentad):
    answer = pentad("games", "pentago")
    assert answer.code == 0
    assert "--rows" in answer.out
    assert "greedy" in answer.out
    assert pentad("games", "chess").code == 2


def test_perft_counts(pentad: Pentad):
    answer = pentad("perft", "pentago", "2")
    assert [line.split(" in ")[0] for line in answer.lines] == ["depth 0: 1", "depth 1: 288", "depth 2: 80,640"]


def test_perft_divides_by_first_moves(pentad: Pentad):
    text = "pentago rows=1 cols=1 line=3 bw./.../..."
    answer = pentad("perft", "pentago", "2", "--position", text, "--divide")
    parts = [line.rpartition(": ") for line in answer.lines if not line.startswith("depth")]
    total = answer.lines[-1].split(" in ")[0]
    assert len(parts) == 14
    assert total == f"depth 2: {sum(int(count) for _, _, count in parts)}"


def test_a_stopped_perft_prints_complete_depths(pentad: Pentad, monkeypatch: pytest.MonkeyPatch):
    def stopped(position: object, depth: int) -> int:
        if depth == 1:
            raise KeyboardInterrupt
        return 1

    monkeypatch.setattr("pentad.terminal.perft.perft", stopped)
    answer = pentad("perft", "pentago", "2")
    assert answer.code == 130
    assert len(answer.lines) == 2
    assert answer.err == "pentad: Stopped at depth 2. The lines above are complete.\n"
