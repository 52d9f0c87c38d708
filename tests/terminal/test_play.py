"""`pentad play` with a pipe, as plain lines and as JSON; and every command of a session."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import pentad as library
from pentad.game import GameError, Position
from pentad.games.pentago import from_number, solve
from pentad.play import table
from pentad.record import Record
from pentad.search.bot import Bot, default_opponent
from pentad.search.exact import Solution, exact_value
from tests.terminal.conftest import Answer, Pentad

DEFAULT_OPPONENT = default_opponent("pentago")
ALMOST = "bbbb../....../....../....../....../wwww.."  # black wins at a4
HOT_SEAT = ("play", "pentago", "--black", "human", "--white", "human")


def saved_record(home: Path, name: str = "pentago-1") -> Record:
    return Record.read((home / "games" / f"{name}.pentad").read_text())


def typed(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


# ── lines ────────────────────────────────────────────────────────────────────────────────────────


def test_the_help_of_a_game_names_its_bots(pentad: Pentad):
    words = " ".join(pentad("play", "pentagame", "--help").out.split())
    assert "random (Random moves), greedy (One turn ahead)," in words
    assert "tree (Computer) and ugi (External engine)." in words
    assert "`pentad games` lists the bots." in " ".join(pentad("play", "--help").out.split())


def test_the_seed_determines_a_game_against_a_bot(pentad: Pentad):
    words = ("play", "pentago", "--seed", "5", "--white", "random")
    lines = typed("a2 1C", "b3 1C", "c0 4A", "undo", "redo")
    first, second = (pentad(*words, typed=lines) for _ in range(2))
    assert first.lines[:-1] == second.lines[:-1]
    assert first.lines[2].startswith("2. white ")


def test_a_finished_game_among_bots_is_not_saved(pentad: Pentad, home: Path):
    answer = pentad("play", "pentago", "--black", "random", "--white", "greedy", "--seed", "1", typed="quit\n")
    assert answer.code == 0
    assert answer.lines[1].startswith("1. black ")
    assert "wins with five in a row." in answer.lines[-1]
    assert not list((home / "games").glob("*"))


@pytest.mark.parametrize(("line", "says"), [("x" * 3_000_000, "10,000"), ("\x00", "space"), ("9" * 5000, "space")])
def test_strange_lines_take_one_line_and_play_continues(pentad: Pentad, line: str, says: str):
    answer = pentad(*HOT_SEAT, typed=typed(line, "a2 1C"))
    assert (answer.code, answer.err.count("\n")) == (0, 1)
    assert says in answer.err
    assert answer.lines[1] == "1. black a2 1C"


# ── partial moves ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("lines", "moves"),
    [
        (["a2", "1C"], ["a2 1C"]),
        (["a2", "", "b2", "1A"], ["b2 1A"]),
        (["a2", "cancel", "b2", "1A"], ["b2 1A"]),
        (["a2", "b2", "1A"], ["b2 1A"]),
        (["a2", "b2 1A"], ["b2 1A"]),
        (["a2", "5C", "1C"], ["a2 1C"]),
        (["a2", "moves", "1C"], ["a2 1C"]),
        (["a21C"], ["a2 1C"]),
        (["  A2   1c "], ["a2 1C"]),
    ],
)
def test_partial_moves(pentad: Pentad, home: Path, lines: list[str], moves: list[str]):
    assert pentad(*HOT_SEAT, typed=typed(*lines)).code == 0
    assert list(map(str, saved_record(home).moves)) == moves


def test_a_turn_of_pentagame_is_listed_in_letters(pentad: Pentad):
    people = ("--seat=0=human", "--seat=1=human")
    answer = pentad("play", "pentagame", *people, typed=typed("moves R>w", "moves Y>", "R>w", "b:w2Y"))
    *listed, begun, played, _ = answer.lines[1:]
    second = listed.index("Move a piece. Choices:")
    assert listed[0].startswith("Put the black block on an empty field.")
    blocks, pieces = (
        {line.split()[0]: " ".join(line.split()[1:]) for line in lines if line[2] != " "}  # others go on with the words
        for lines in (listed[1:second], listed[second + 1 :])
    )
    assert begun.partition("Choices: ")[2].split() == list(blocks)
    assert blocks["b:w2Y"].startswith("Put the black block on the 2nd stop from")
    assert pieces["Y>Y1G"].startswith("Move the yellow piece to the 1st stop from")
    assert all(each.startswith("Y>") for each in pieces)
    assert played == "1. circle R>w b:w2Y"


# ── commands ─────────────────────────────────────────────────────────────────────────────────────


def unlimited(position: Position, *, seconds: float, **limits: Any) -> Solution[Any] | None:
    return exact_value(position, seconds=3600.0, **limits)


WON, DRAWN, LOST = (from_number(n).text for n in (5211790935814378765, 3218705911816140614, 3199595687196497322))


@pytest.mark.parametrize(
    ("text", "value", "claim"), [(WON, 1, "wins in "), (DRAWN, 0, "keeps"), (LOST, -1, "loses in ")]
)
def test_a_hint_has_its_proof(pentad: Pentad, monkeypatch: pytest.MonkeyPatch, text: str, value: int, claim: str):
    monkeypatch.setattr(table, "exact_value", unlimited)  # the proof is found, however busy the machine
    found = solve(library.load(text), depth=True)  # type: ignore[arg-type]
    line = pentad(*HOT_SEAT, "--position", text, typed=typed("hint")).lines[1]
    move, _, proved = line.removeprefix("Hint: ").removesuffix(".").partition(". It ")
    assert found.moves[library.load(text).parse(move)] == value
    assert proved.startswith(claim)
    if found.turns:
        assert proved.split()[2] == str((found.turns + 1) // 2)
    data = pentad(*HOT_SEAT, "--json", "--position", text, typed=typed("hint")).lines
    hint = next(each for each in map(json.loads, data) if each["event"] == "hint")
    assert (hint["move"], hint["claim"]) == (move, proved)


def test_a_hint_without_proof_claims_nothing(pentad: Pentad, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(table, "exact_value", lambda position, **limits: None)
    line = pentad(*HOT_SEAT, typed=typed("hint")).lines[1]
    assert library.new("pentago").parse(line.removeprefix("Hint: ").removesuffix("."))
    (hint,) = [
        each
        for each in map(json.loads, pentad(*HOT_SEAT, "--json", typed=typed("hint")).lines)
        if each["event"] == "hint"
    ]
    assert hint["claim"] is None
    other = pentad("play", "pentagame", "--seconds", "0.1", typed=typed("hint"))  # its hints have no proofs
    assert other.lines[1].startswith("Hint: ")


def test_flip_shows_the_other_side(pentad: Pentad):
    answer = pentad(*HOT_SEAT, "--flip", typed=typed("board", "a2 1C", "board", "flip"))
    columns = [line.strip() for line in answer.lines if set(line) <= set(" 012345")]
    assert columns == ["5 4 3   2 1 0", "5 4 3   2 1 0", "0 1 2   3 4 5"]


def test_help_names_every_command(pentad: Pentad):
    from pentad.terminal.play_session import COMMANDS

    answer = pentad(*HOT_SEAT, typed=typed("help"))
    for name, command in COMMANDS.items():
        assert any(line.startswith(name) and line.endswith(command.help) for line in answer.lines)


def test_a_new_game_leaves_the_old_one_saved(pentad: Pentad, home: Path):
    answer = pentad("play", "pentago", "--seed", "1", typed=typed("a2 1C", "new", "b2 1C"))
    assert answer.lines.count(f"pentago. black: human, white: {DEFAULT_OPPONENT}") == 2
    assert [str(saved_record(home, f"pentago-{n}").moves[0]) for n in (1, 2)] == ["a2 1C", "b2 1C"]


# ── players ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("words", "seats"),
    [
        ([], f"black: human, white: {DEFAULT_OPPONENT}"),
        (["--white", "random"], "black: human, white: random"),
        (["--black", "random"], "black: random, white: human"),
        (["--white", "human"], f"black: {DEFAULT_OPPONENT}, white: human"),
        (["--seat", "1=human", "--seat", "black=random"], "black: random, white: human"),
        (["--players", "3"], f"black: human, white: {DEFAULT_OPPONENT}, red: {DEFAULT_OPPONENT}"),
        (
            ["--players", "3", "--red", "human", "--seat", "0=random"],
            f"black: random, white: {DEFAULT_OPPONENT}, red: human",
        ),
    ],
)
def test_seats(pentad: Pentad, words: list[str], seats: str):
    assert pentad("play", "pentago", *words, typed="quit\n").lines[0] == f"pentago. {seats}"


@pytest.mark.slow
def test_people_keep_their_names(pentad: Pentad, home: Path, tmp_path: Path):
    path = tmp_path / "game.pentad"
    record = Record("pentago", tags={"Seat0": "Ann", "Seat1": "random"})
    record.play("a2 1C")
    path.write_text(record.text)
    answer = pentad("play", "--load", str(path), "--seed", "1", typed=typed("hint", "b0 1C"))
    assert answer.lines[0] == "pentago. black: Ann, white: random"
    assert saved_record(home).tags["Seat0"] == "Ann"
    answer = pentad("play", "--resume", "--black", "greedy", "--white", "human", typed="quit\n")
    assert answer.lines[0] == "pentago. black: greedy, white: human"


# ── saved games ──────────────────────────────────────────────────────────────────────────────────


def test_a_truncated_saved_game(pentad: Pentad, home: Path):
    pentad(*HOT_SEAT, typed=typed("a2 1C"))
    pentad(*HOT_SEAT, typed=typed("b2 1C"))
    path = home / "games" / "pentago-2.pentad"
    cut = path.read_text()[:-3]
    path.write_text(cut)
    answer = pentad("play", "--resume", "pentago-2")
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert f"pentago-2 in {path}: line 7, column 9" in answer.err
    answer = pentad("play", "--resume", typed="quit\n")
    assert (answer.code, answer.err.count("\n")) == (0, 1)
    assert "pentago-2: line 7, column 9" in answer.err
    assert answer.lines[1] == "1. black a2 1C"
    assert "Cannot read it: line 7" in pentad("play", "--saved").out
    assert path.read_text() == cut


def test_a_bot_that_fails(pentad: Pentad, home: Path, monkeypatch: pytest.MonkeyPatch):
    class Broken(Bot):
        def play(self, position: object, limit: object = None) -> Any:
            raise GameError("It has no moves left.")

    monkeypatch.setattr("pentad.search.simple_bots.RandomBot.play", Broken.play)
    answer = pentad("play", "pentago", "--white", "random", typed=typed("a2 1C", "help"))
    assert answer.code == 0
    assert answer.err == "pentad: It has no moves left.\n" * 2
    assert len(saved_record(home).moves) == 1
    answer = pentad("play", "pentago", "--white", "random", "--black", "random")
    assert (answer.code, answer.err) == (2, "pentad: It has no moves left.\n")


def test_an_interrupt_keeps_the_saved_game(pentad: Pentad, home: Path, monkeypatch: pytest.MonkeyPatch):
    def stopped(self: object, session: object) -> str:
        raise KeyboardInterrupt

    pentad(*HOT_SEAT, typed=typed("a2 1C"))
    monkeypatch.setattr("pentad.terminal.play_session.Display.read_line", stopped)
    answer = pentad("play", "--resume")
    assert (answer.code, answer.err) == (130, "")
    assert pentad("play", "--resume").code == 130
    assert len(saved_record(home).moves) == 1


# ── JSON ─────────────────────────────────────────────────────────────────────────────────────────


def events(answer: Answer) -> list[dict[str, Any]]:
    assert (answer.code, answer.err) == (0, "")
    return [json.loads(line) for line in answer.lines]


def test_json_events(pentad: Pentad, home: Path):
    lines = typed("a2", "1C", "a2 1C", "hint", "undo", "redo", "flip", "help", "resign", "undo", "quit")
    emitted = events(pentad("play", "pentago", "--white", "greedy", "--seed", "1", "--json", typed=lines))
    assert [each["event"] for each in emitted] == [
        "start", "choices", "move", "move", "error", "hint", "position", "position", "message", "message",
        "end", "position", "quit",
    ]  # fmt: skip
    start, choices, move, reply = emitted[:4]
    assert start["options"]["rows"] == 2
    assert start["seats"] == ["human", "greedy"]
    assert choices["beginning"] == "a2"
    assert choices["choices"][0] == {"step": "1C", "label": "Twist sub-board 1 clockwise", "targets": ["1C"]}
    assert (move["ply"], move["seat"], move["move"], move["turn"]) == (1, 0, "a2 1C", 1)
    assert library.load(start["position"]).play(move["move"]).text == move["position"]
    assert reply["position"] == emitted[7]["position"]
    assert emitted[4]["error"].startswith("a2 is taken")
    assert (emitted[10]["winners"], emitted[10]["reason"], emitted[10]["score"]) == ([1], "resigned", "0-1")
    assert emitted[-1] == {"event": "quit", "saved": "pentago-1"}


@pytest.mark.slow
def test_json_of_a_game_between_bots_can_be_replayed(pentad: Pentad):
    emitted = events(pentad("play", "pentago", "--players", "3", "--rows", "3", "--seed", "2", "--json",
                         "--black", "random", "--white", "random", "--red", "greedy"))  # fmt: skip
    position = library.load(emitted[0]["position"])
    for event in emitted[1:-2]:
        assert (event["ply"], event["seat"]) == (position.ply + 1, position.turn)
        position = position.play(event["move"])
    end = emitted[-2]
    assert position.outcome is not None
    assert (tuple(end["winners"]), tuple(end["returns"])) == (position.outcome.winners, position.outcome.returns)
    assert emitted[-3]["turn"] is None
    assert emitted[-1] == {"event": "quit", "saved": None}


def test_a_hint_can_be_stopped(monkeypatch: pytest.MonkeyPatch):
    """An interactive session continues; any other ends."""
    from contextlib import nullcontext
    from types import SimpleNamespace

    from pentad.terminal.play_session import COMMANDS

    def waits(_: object) -> None:
        raise KeyboardInterrupt

    messages: list[str] = []
    display = SimpleNamespace(
        is_interactive=True,
        stop_key="Ctrl-C",
        working=nullcontext,
        show_message=lambda _, text: messages.append(text),
        show_hint=None,
        show_progress=messages.append,
    )
    session = SimpleNamespace(table=SimpleNamespace(hint=waits), seconds=None, display=display)
    COMMANDS["hint"].run(session, "")
    assert messages == ["Looking for a good move (Ctrl-C to stop)", "Stopped looking for a hint."]
    display.is_interactive = False
    with pytest.raises(KeyboardInterrupt):
        COMMANDS["hint"].run(session, "")
