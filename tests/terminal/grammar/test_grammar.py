"""`pentad grammar`: each of its commands, in words and as JSON; what is refused, and what Ctrl-C leaves."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from pentad.grammar import adviser, system
from pentad.grammar.files.exports import read_json_lines, to_json, to_zip
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import Graph
from pentad.grammar.models import MODELS, new
from pentad.grammar.rules.rule import Rule
from pentad.grammar.states.state_space import Space
from pentad.system.words import count
from pentad.terminal.grammar import COMMANDS, explore, simulate
from tests.terminal.conftest import Pentad
from tests.terminal.pseudo_terminal import CTRL_C, CTRL_D, Terminal

FERRY = (36, 84)  # states and transitions, by the models' own tests
TICTACTOE = (29, 52)  # 2 × 3, by brute force


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the tests work."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def ferry(folder: Path) -> str:
    new("ferry").save(folder / "ferry.gps")
    return "ferry.gps"


@pytest.fixture
def marks(folder: Path) -> str:
    new("tictactoe", rows=2).save(folder / "marks.gps")
    return "marks.gps"


def counting() -> Grammar:
    """A number that grows for ever."""
    grammar = Grammar("counter", properties={"startGraph": "start"})
    grammar.graphs["start"] = Graph("start")
    grammar.graphs["start"].node("type:Counter", "let:n = 0")
    grammar.rules["grow"] = Graph("grow", "rule")
    grammar.rules["grow"].node("type:Counter", "let:n = n + 1")
    return grammar


@pytest.fixture
def counter(folder: Path) -> str:
    counting().save(folder / "counter.gps")
    return "counter.gps"


@pytest.fixture
def fenced(folder: Path) -> str:
    """The same with an invariant that holds while the number is small."""
    grammar = counting()
    grammar.rules["small"] = Graph("small", "rule", attributes={"actionRole": "invariant"})
    grammar.rules["small"].node("type:Counter", "test:n < 5")
    grammar.save(folder / "fenced.gps")
    return "fenced.gps"


# ── the command itself ───────────────────────────────────────────────────────────────────────────


def test_help_names_every_command(pentad: Pentad):
    answer = pentad("grammar")
    assert (answer.code, answer.err) == (0, "")
    for name, summary in COMMANDS.items():
        assert f"  {name:9} {summary}\n" in answer.out
    assert pentad("grammar", "--help") == pentad("help", "grammar") == answer


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(pentad: Pentad, command: str):
    answer = pentad("grammar", command, "--help")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith(f"usage: pentad grammar {command}")
    assert "--json" in answer.out
    assert pentad("grammar", "help", command) == pentad("help", "grammar", command) == answer


@pytest.mark.slow
def test_looking_into_a_grammar_loads_nothing_that_is_slow(marks: str):
    words = ["grammar", "show", marks]
    code = f"from pentad.terminal import main; main({words}); import sys; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL).returncode == 0


@pytest.mark.parametrize("words", ["check marks.gps", "check marks.gps win", "explore marks.gps"])
def test_every_rule_is_read_once(pentad: Pentad, marks: str, monkeypatch: pytest.MonkeyPatch, words: str):
    read: list[str] = []
    reading = system.read_rule

    def read_rule(graph: Graph, *about: Any) -> Rule:
        read.append(graph.name)
        return reading(graph, *about)

    monkeypatch.setattr(system, "read_rule", read_rule)
    assert pentad("grammar", *words.split()).code in (0, 1)
    assert sorted(read) == sorted(Grammar.load(marks).rules)


# ── new, export, import ──────────────────────────────────────────────────────────────────────────


def test_new_lists_the_models(pentad: Pentad):
    answer = pentad("grammar", "new")
    assert answer.code == 0
    for model in MODELS.values():
        assert f"{model.name}: {model.summary}\n" in answer.out
    assert "--rows     spaces from top to bottom" in answer.out
    data = json.loads(pentad("grammar", "new", "--json").out)
    assert [each["model"] for each in data] == list(MODELS)
    assert data[1]["options"]["line"]["default"] == 3


def test_new_writes_a_folder(pentad: Pentad, folder: Path):
    answer = pentad("grammar", "new", "tictactoe", "--rows", "2", "--no-iso")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == "tictactoe.gps: 3 rules, a start graph with 11 nodes\n"
    written = Grammar.load(folder / "tictactoe.gps")
    wanted = new("tictactoe", rows=2, iso=False)
    assert written.properties == wanted.properties
    assert all(written.rules[name].same(rule) for name, rule in wanted.rules.items())
    assert pentad("grammar", "new", "tictactoe").code == 2
    assert pentad("grammar", "new", "tictactoe", "--force").code == 0
    assert len(Grammar.load(folder / "tictactoe.gps").start.nodes) == 20  # 3 × 3 spaces have 8 lines


def test_a_model_tells_its_options(pentad: Pentad):
    out = pentad("grammar", "new", "tictactoe", "--help").out
    assert "--players N" in out
    assert "--no-iso" in out


@pytest.mark.parametrize("file", ["x.json", "x.zip", "x.gps"])
def test_there_and_back(pentad: Pentad, folder: Path, marks: str, file: str):
    assert pentad("grammar", "export", marks, file).out.startswith(f"{file}: grammar marks as ")
    answer = pentad("grammar", "import", file, "back.gps")
    assert (answer.code, answer.out) == (0, "back.gps: 3 rules, 1 graph\n")
    files = [sorted((path.name, path.read_bytes()) for path in Path(each).iterdir()) for each in (marks, "back.gps")]
    assert files[0] == files[1]


def test_import_takes_the_grammars_own_name(pentad: Pentad, folder: Path, marks: str):
    (folder / "any.zip").write_bytes(to_zip(new("ferry")))
    data = json.loads(pentad("grammar", "import", "any.zip", "--json").out)
    assert data == {"grammar": "ferry", "folder": "ferry.gps", "rules": 4, "graphs": 1}
    assert Grammar.load(folder / "ferry.gps").rules.keys() == new("ferry").rules.keys()


@pytest.mark.slow
def test_export_to_standard_output(marks: str):
    words = ["grammar", "export", marks, "-", "--to", "json"]
    done = subprocess.run([sys.executable, "-m", "pentad", *words], capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["name"] == "marks"


# ── show ─────────────────────────────────────────────────────────────────────────────────────────


def test_show_tells_all_as_json(pentad: Pentad, fenced: str):
    data = json.loads(pentad("grammar", "show", fenced, "--json").out)
    assert data["grammar"] == "fenced"
    assert data["graphs"] == {"start": {"nodes": 1, "edges": 2, "chosen": True}}
    assert data["rules"]["small"]["role"] == "invariant"
    assert data["rules"]["grow"]["takes"] == data["rules"]["grow"]["makes"] == ["n"]


def test_parts_in_folders(pentad: Pentad, folder: Path):
    grammar = new("ferry")
    grammar.rules["sub.extra"] = Graph("sub.extra", "rule")
    grammar.save(folder / "deep.gps")
    for name in ("sub.extra", "sub.extra.gpr", "sub/extra.gpr"):
        assert pentad("grammar", "show", "deep.gps", name).lines[0] == "sub.extra: rule with 0 nodes, 0 edges"


def test_show_moves_no_cursor(pentad: Pentad, folder: Path):
    grammar = Grammar("odd", graphs={"start": Graph("start")}, properties={"startGraph": "start"})
    grammar.graphs["start"].node("\x1b[2Jboo")
    grammar.controls["main"] = "// \x1b[2J\n"
    (folder / "odd.json").write_text(to_json(grammar))
    for words in (["start"], ["main"], []):
        assert "\x1b" not in pentad("grammar", "show", "odd.json", *words).out


# ── draw ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("part", "kind"),
    [
        ("start", "Graph"),
        ("place", "Rule"),
        ("control", "Control automaton"),
        ("main.gcp", "Control automaton"),
        ("states", "Transition system"),
    ],
)
def test_draw(pentad: Pentad, folder: Path, marks: str, part: str, kind: str):
    answer = pentad("grammar", "draw", marks, part)
    assert (answer.code, answer.err) == (0, "")
    picture = ET.fromstring(answer.out)
    assert (picture.findtext("{*}desc") or "").startswith(kind)
    data = json.loads(pentad("grammar", "draw", marks, part, "-o", "x.svg", "--json").out)
    assert data == {"grammar": "marks", "pictures": [{"part": part, "file": "x.svg"}]}
    assert (folder / "x.svg").read_text() == answer.out


def test_draw_without_a_part_is_the_start_graph(pentad: Pentad, marks: str):
    assert pentad("grammar", "draw", marks).out == pentad("grammar", "draw", marks, "start").out


def test_draw_everything(pentad: Pentad, folder: Path, marks: str):
    answer = pentad("grammar", "draw", marks, "all", "-o", "pictures")
    names = ["start.gst", "nextTurn.gpr", "place.gpr", "win.gpr", "control"]
    assert answer.lines == [f"pictures/{name}.svg" for name in names]
    for path in answer.lines:
        ET.parse(folder / path)
    assert pentad("grammar", "draw", marks, "win", "-o", "pictures").lines == ["pictures/win.svg"]


def test_draw_so_many_states(pentad: Pentad, counter: str):
    picture = ET.fromstring(pentad("grammar", "draw", counter, "states", "--depth", "3").out)
    assert "5 states, 4 transitions" in "".join(picture.itertext())


# ── explore ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("engine", ["auto", "general"])
def test_explore_counts(pentad: Pentad, marks: str, engine: str):
    answer = pentad("grammar", "explore", marks, "--engine", engine)
    assert (answer.code, answer.err) == (0, "")
    assert answer.lines[0] == "29 states, 52 transitions, 1 final, isomorphic states merged"
    assert " engine" in answer.lines[1]
    assert len(answer.lines) == 2


@pytest.mark.parametrize("strategy", ["bfs", "dfs"])
def test_explore_counts_as_json(pentad: Pentad, ferry: str, strategy: str):
    data = json.loads(pentad("grammar", "explore", ferry, "--strategy", strategy, "--json").out)
    assert (data["states"], data["transitions"]) == FERRY
    assert (data["stopped"], data["open"], data["isomorphism"]) == ("", 0, True)
    assert data["states_per_second"] > 0


@pytest.mark.parametrize(
    ("words", "stopped", "states"),
    [("--depth 3", "depth", 5), ("--states 50", "states", 50), ("--strategy linear --depth 7", "depth", 9)],
)
def test_explore_so_far(pentad: Pentad, counter: str, words: str, stopped: str, states: int):
    data = json.loads(pentad("grammar", "explore", counter, *words.split(), "--json").out)
    assert (data["stopped"], data["states"], data["open"]) == (stopped, states, 1)
    line = pentad("grammar", "explore", counter, *words.split()).lines[2]
    assert line == f"stopped by --{stopped}; 1 state not explored"


@pytest.mark.slow
def test_explore_an_endless_grammar_within_its_memory(pentad: Pentad, counter: str):
    answer = pentad("grammar", "explore", counter, "--memory", "4M")
    assert (answer.code, answer.err) == (0, "")
    assert answer.lines[2].startswith("stopped by the memory limit (--memory); 1 state")


def test_explore_without_isomorphism(pentad: Pentad, marks: str):
    data = json.loads(pentad("grammar", "explore", marks, "--iso", "no", "--json").out)
    assert (data["states"] > TICTACTOE[0], data["isomorphism"]) == (True, False)


def test_explore_by_chance_repeats(pentad: Pentad, marks: str):
    words = ["grammar", "explore", marks, "--strategy", "random", "--seed", "4", "-o", "x.jsonl", "--force"]
    ways = [(pentad(*words).code, Path("x.jsonl").read_text()) for _ in range(2)]
    assert ways[0] == ways[1]


def test_explore_tells_the_way_to_what_it_looked_for(pentad: Pentad, ferry: str):
    answer = pentad("grammar", "explore", ferry, "--accept", "allAcross")  # all who were not eaten are across
    assert "allAcross: 8 states: 18 " in answer.out
    assert answer.lines[3] == "trace of 4 steps:"
    assert [line.split()[1] for line in answer.lines[4:]] == ["start", "carry", "eat", "cross", "carry"]
    data = json.loads(pentad("grammar", "explore", ferry, "--accept", "allAcross", "--results", "1", "--json").out)
    assert (data["stopped"], data["results"], len(data["trace"]["steps"])) == (
        "results",
        {"count": 1, "first": [18]},
        4,
    )


@pytest.mark.parametrize("ending", ["aut", "gxl", "dot", "jsonl"])
def test_explore_writes_what_it_found(pentad: Pentad, folder: Path, marks: str, ending: str):
    answer = pentad("grammar", "explore", marks, "-o", f"x.{ending}")
    assert answer.lines[-1] == f"written to x.{ending}"
    text = (folder / f"x.{ending}").read_text()
    if ending == "jsonl":
        lts = read_json_lines(text.splitlines())
        assert (lts.states, lts.transitions) == TICTACTOE
    assert {"aut": "des (0, 52, 29)\n", "gxl": "<?xml", "dot": "digraph", "jsonl": "{"}[ending] in text[:20]


def test_explore_marks_as_groove_does(pentad: Pentad, folder: Path, marks: str):
    pentad("grammar", "explore", marks, "-o", "x.aut", "--marks")
    assert (folder / "x.aut").read_text().startswith('des (0, 54, 29)\n(0,"$start",0)\n')


@pytest.fixture
def ctrl_c_at_the_tenth_state(monkeypatch: pytest.MonkeyPatch):
    calls, expand = [0], Space.expand

    def stopped(self, number):
        calls[0] += 1
        if calls[0] == 10:
            raise KeyboardInterrupt
        return expand(self, number)

    monkeypatch.setattr(Space, "expand", stopped)


@pytest.mark.usefixtures("ctrl_c_at_the_tenth_state")
def test_explore_stopped_by_ctrl_c_keeps_what_is_there(pentad: Pentad, folder: Path, counter: str):
    answer = pentad("grammar", "explore", counter, "-o", "x.aut", "--engine", "general")
    assert (answer.code, answer.err) == (130, "")
    assert answer.lines[0].startswith("10 states, 9 transitions")
    assert answer.lines[2] == "stopped by Ctrl-C; 1 state not explored"
    assert (folder / "x.aut").read_text().startswith("des (0, 9, 10)\n")


@pytest.mark.usefixtures("ctrl_c_at_the_tenth_state")
@pytest.mark.parametrize(("formulas", "code"), [(["AG EF grow"], 130), (["EF grow"], 0), (["AX !grow"], 1)])
def test_check_stopped_by_ctrl_c_says_what_is_certain(pentad: Pentad, counter: str, formulas: list[str], code: int):
    answer = pentad("grammar", "check", counter, *formulas, "--engine", "general", "--whole")
    assert (answer.code, answer.err) == (code, "")
    assert answer.lines[2] == "stopped by Ctrl-C; 1 state not explored"


def test_a_bar_where_somebody_watches(pentad: Pentad, marks: str, monkeypatch: pytest.MonkeyPatch):
    class Watched(io.StringIO):
        def isatty(self) -> bool:
            return True

    shown = Watched()
    monkeypatch.setattr("sys.stderr", shown)
    monkeypatch.setenv("TERM", "xterm")
    answer = pentad("grammar", "explore", marks, "--engine", "general")
    assert answer.lines[0].startswith("29 states")
    assert " open, " in shown.getvalue()


def test_ctrl_c_at_a_terminal(folder: Path, counter: str):
    with Terminal("grammar", "explore", counter, "-o", "x.jsonl") as terminal:
        terminal.expect(" open, ")
        terminal.type(CTRL_C)
        assert terminal.wait() == 130
    assert "stopped by Ctrl-C; " in terminal.shown
    lts = read_json_lines((folder / "x.jsonl").read_text().splitlines())
    assert f"{count(lts.states, 'state')}, {count(lts.transitions, 'transition')}" in terminal.shown
    assert lts.states == lts.transitions + 1


def test_sizes():
    sizes = {"10": 10, "500M": 500 << 20, "2G": 2 << 30, "1.5 KiB": 1536, "1tb": 1 << 40}
    assert {text: explore.memory(text) for text in sizes} == sizes


# ── check ────────────────────────────────────────────────────────────────────────────────────────


def test_check_an_invariant_that_breaks(pentad: Pentad, fenced: str):
    answer = pentad("grammar", "check", fenced)
    assert (answer.code, answer.err) == (1, "")
    data = json.loads(pentad("grammar", "check", fenced, "--json").out)
    assert data["broken"] == {"count": 1, "first": [{"state": 5, "rules": ["small"]}]}
    assert (len(data["trace"]["steps"]), data["certain"]) == (5, True)
    assert pentad("grammar", "check", fenced, "--depth", "3").code == 0


def test_check_tells_all_that_cannot_be_read(pentad: Pentad, folder: Path):
    grammar = new("ferry")
    for name in ("one", "two"):
        grammar.rules[name] = Graph(name, "rule")
        grammar.rules[name].node("forall:", "strange")
    grammar.graphs["other"] = Graph("other")
    grammar.graphs["other"].node("del:thing")
    grammar.save(folder / "odd.gps")
    answer = pentad("grammar", "check", "odd.gps")
    assert (answer.code, answer.out) == (2, "")
    assert [line.split(",")[0] for line in answer.err.splitlines()] == [
        "pentad: one.gpr",
        "pentad: two.gpr",
        "pentad: other.gst",
    ]
    data = json.loads(pentad("grammar", "check", "odd.gps", "--json").out)
    assert [each["where"] for each in data["errors"]] == ["one.gpr", "two.gpr", "other.gst"]


def test_check_reads_programs_that_are_not_chosen(pentad: Pentad, folder: Path):
    grammar = new("ferry")
    grammar.controls["other"] = "nix;"
    grammar.save(folder / "odd.gps")
    answer = pentad("grammar", "check", "odd.gps")
    assert (answer.code, answer.out) == (2, "")
    assert "nix" in answer.err
    assert answer.err.count("\n") == 1


def test_check_from_another_graph(pentad: Pentad, folder: Path):
    grammar = new("tictactoe", rows=2)
    grammar.graphs["other"] = grammar.graphs.pop("start")
    grammar.save(folder / "other.gps")
    assert "No start graph 'start'. Graphs: other" in pentad("grammar", "check", "other.gps").err
    answer = pentad("grammar", "check", "other.gps", "--start", "other.gst")
    assert (answer.code, answer.lines[1].split(",")[0]) == (0, "29 states")


@pytest.mark.parametrize(
    ("formulas", "code"),
    [
        (["EF allAcross"], 0),
        (["AG !allAcross"], 1),
        (["EF allAcross", "AF allAcross"], 1),
        (["EF allAcross", "true"], 0),
    ],
)
def test_check_formulas(pentad: Pentad, ferry: str, formulas: list[str], code: int):
    assert pentad("grammar", "check", ferry, *formulas).code == code
    data = json.loads(pentad("grammar", "check", ferry, "--json", *formulas).out)
    assert [each["formula"] for each in data["verdicts"]] == formulas
    assert all(each["holds"] for each in data["verdicts"]) == (code == 0)


def test_check_shows_why(pentad: Pentad, ferry: str):
    answer = pentad("grammar", "check", ferry, "AG !allAcross")
    assert answer.lines[2].startswith("stopped by a certain verdict; ")
    assert answer.lines[3:5] == ["AG !allAcross does not hold", "  counterexample, 4 steps:"]
    assert len(answer.lines) == 10


def test_check_solves_the_puzzle(pentad: Pentad, ferry: str):
    answer = pentad("grammar", "check", ferry, "E(!eat U allAcross)")
    assert answer.code == 0
    assert answer.lines[3] == "  witness, 7 steps:"
    words = [line.split()[1] for line in answer.lines[4:]]
    assert words == ["start", "carry", "cross", "carry", "carry", "carry", "cross", "carry"]


def test_check_ends_at_the_first_state_that_breaks_an_invariant(pentad: Pentad, folder: Path, marks: str):
    answer = pentad("grammar", "check", marks, "--invariant", "!win", "--film", "win.svg")
    assert answer.code == 1
    assert answer.lines[2].startswith("stopped by a certain verdict; ")
    assert answer.lines[3:5] == ["AG !win does not hold", "  counterexample, 9 steps:"]
    assert answer.lines[-1] == "film written to win.svg"
    assert (folder / "win.svg").read_text().startswith("<svg")
    whole = pentad("grammar", "check", marks, "--invariant", "!win", "--whole")
    assert "stopped" not in whole.out
    assert whole.lines[2].startswith("AG !win does not hold; true in ")
    assert whole.lines[3:] == answer.lines[4:-1]
    answer = pentad("grammar", "check", marks, "--invariant", "AG win")
    assert (answer.code, answer.out) == (2, "")


def test_check_decides_what_never_ends(pentad: Pentad, counter: str):
    answer = pentad("grammar", "check", counter, "EF grow", "--invariant", "grow | $open", "--states", "300")
    assert answer.code == 0
    data = json.loads(pentad("grammar", "check", counter, "AX grow", "EF grow", "--json").out)
    assert (data["states"], data["stopped"]) == (256, "until")
    assert all(each["holds"] and each["certain"] for each in data["verdicts"])


def test_a_long_trace_is_shortened(pentad: Pentad, counter: str):
    answer = pentad("grammar", "check", counter, "AG EX grow", "--states", "1000")
    steps = answer.lines[answer.lines.index("  counterexample, 998 steps:") + 1 :]
    assert len(steps) == explore.MAX_TRACE_STEPS + 2  # two are the start and the line about the others
    assert steps[:2] == ["    0. start → state 0: n0:let:n = 0", "    1. grow → state 1: n0:let:n = 1"]
    assert steps[explore.MAX_TRACE_STEPS // 2 + 1] == f"    … {998 - explore.MAX_TRACE_STEPS} more steps"
    assert steps[-1] == "    998. grow → state 998: n0:let:n = 998"


@pytest.mark.parametrize("formula", ["!" * 1_000_000 + "grow", "AG '" + "x" * 1_000_000, "(" * 1_000_000])
def test_a_formula_of_a_megabyte_is_refused(pentad: Pentad, counter: str, formula: str):
    for option in ([], ["--ltl"], ["--invariant"]):
        answer = pentad("grammar", "check", counter, *option, formula)
        assert (answer.code, answer.out) == (2, "")
        assert answer.err.count("\n") == 1
        assert f"{len(formula):,} characters" in answer.err


def test_check_formulas_of_paths(pentad: Pentad, ferry: str):
    answer = pentad("grammar", "check", ferry, "EF allAcross", "--ltl", "F carry", "--ltl", "F allAcross")
    assert answer.code == 1
    assert answer.lines[2].startswith("EF allAcross holds; true in ")
    assert "F carry holds" in answer.lines
    assert answer.lines[answer.lines.index("F allAcross does not hold") + 1].startswith("  counterexample, ")
    assert answer.lines[-1].startswith("    then back to step ")
    fair = pentad("grammar", "check", ferry, "--ltl", "G F cross", "--fair", "cross", "--json")
    assert (fair.code, json.loads(fair.out)["verdicts"][0]["holds"]) == (1, False)
    assert pentad("grammar", "check", ferry, "--ltl", "G F cross", "--strongly-fair", "cross").code == 1


# ── solve ────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def pairs(folder: Path) -> str:
    """Two marks in a row win, in six steps."""
    new("tictactoe", rows=2, line=2).save(folder / "pairs.gps")
    return "pairs.gps"


def test_solve_as_json(pentad: Pentad, pairs: str):
    data = json.loads(pentad("grammar", "solve", pairs, "--json").out)
    solution = data["solution"]
    assert (data["states"], data["open"]) == (39, 0)
    assert [solution[key] for key in ("turn", "value", "distance", "won", "unknown")] == ["n1", 1, 6, 29, 0]
    assert [step["action"] for step in solution["line"]["steps"]][-1] == "win"


@pytest.mark.slow
def test_solve_with_the_game_as_options(pentad: Pentad, folder: Path, pairs: str):
    grammar = Grammar.load(pairs)
    grammar.properties = {name: text for name, text in grammar.properties.items() if not name.startswith("game")}
    grammar.save(folder / "other.gps")
    words = ("--players", "Player", "--turn", "currentPlayer", "--won", "win")
    assert pentad("grammar", "solve", "other.gps", *words).lines[3:] == pentad("grammar", "solve", pairs).lines[3:]


def test_simulate_shows_the_best_options_as_json(pentad: Pentad, marks: str):
    lines = pentad("grammar", "simulate", marks, "--json", typed="1\n1\n1\n1\n6\nbest\n2\nbest\nplay\n").lines
    found = [json.loads(line) for line in lines]
    best = [each for each in found if each["event"] == "best"]
    assert [(each["value"], len(each["options"])) for each in best] == [(0, 4), (0, 1)]
    assert best[0]["options"][0] == {"number": 1, "value": 0, "distance": None}
    assert found[-1]["step"] == 6


def test_simulate_beyond_what_is_explored(pentad: Pentad, marks: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(adviser, "MAX_SOLVED_STATES", 12)
    answer = pentad("grammar", "simulate", marks, typed="best\n? 6\nbest\n")
    assert "X may win, draw or lose" in answer.lines
    assert "among the 12 states" in answer.err


# ── simulate ─────────────────────────────────────────────────────────────────────────────────────


def test_simulate_by_chance(pentad: Pentad, marks: str):
    runs = [pentad("grammar", "simulate", marks, "--seed", "5", typed="? 100\nway\n") for _ in range(2)]
    assert runs[0] == runs[1]
    assert "  no options" in runs[0].lines
    assert any(line.startswith("There are no more options after ") for line in runs[0].lines)


def test_simulate_goes_on_after_a_line_with_control_codes(pentad: Pentad, marks: str):
    answer = pentad("grammar", "simulate", marks, typed="\x1b[2J\n1\n")
    assert (answer.code, answer.err.count("\n"), "\x1b" in answer.err) == (0, 1, False)
    assert "step 1 after X at A1" in answer.lines
    data = [json.loads(each) for each in pentad("grammar", "simulate", marks, "--json", typed="\x1b[2J\n").lines]
    assert [each["error"] for each in data if each["event"] == "error"] == [answer.err[8:-1]]


def test_simulate_shows_graphs_and_rules(pentad: Pentad, marks: str):
    answer = pentad("grammar", "simulate", marks, typed="1\ngraph\nrule place\nhelp\n")
    assert "11 nodes, 21 edges" in answer.lines
    for name in simulate.COMMANDS:
        assert any(line.startswith(name) for line in answer.lines)


def test_simulate_as_json(pentad: Pentad, marks: str):
    answer = pentad("grammar", "simulate", marks, "--json", typed="2\ngraph\nrule win\nway\nundo\noptions\n")
    data = [json.loads(line) for line in answer.lines]
    assert [each["event"] for each in data] == ["state", "state", "graph", "rule", "message", "state", "state"]
    start, placed = data[:2]
    assert [option["number"] for option in start["options"]] == [1, 2, 3, 4, 5, 6]
    assert start["options"][1]["nodes"]["n2"] in [edge[2] for edge in placed["edges"] if edge[1] == "mark"]
    assert (placed["step"], placed["final"], placed["broken"]) == (1, False, [])
    assert data[5] == start == data[6]
    assert data[2]["graph"]["role"] == "graph"


def test_simulate_tells_options_apart(pentad: Pentad, marks: str):
    options = [line for line in pentad("grammar", "simulate", marks).lines if re.match(r" {4}\d", line)]
    assert len(set(options)) == len(options) == 6
    assert [line[6:] for line in options] == [f"X at {space}" for space in ("A1", "B1", "C1", "A2", "B2", "C2")]


def test_simulate_from_another_graph(pentad: Pentad, folder: Path):
    grammar = new("ferry")
    grammar.graphs["empty"] = Graph("empty")
    grammar.save(folder / "ferry.gps")
    answer = pentad("grammar", "simulate", "ferry.gps", "--start", "empty", typed="1\n?\n")
    assert "  no options" in answer.lines
    assert answer.err.count("no options here") == answer.err.count("\n") == 2


def test_simulate_at_a_terminal(marks: str):
    with Terminal("grammar", "simulate", marks, columns=40) as terminal:
        terminal.expect("0> ")
        terminal.enter("1")
        terminal.expect("step 1 after X at A1")
        terminal.expect("1> ")
        terminal.type(CTRL_D)
        assert terminal.wait() == 0


WITHOUT_END = """
import sys
from pentad.terminal import main
from pentad.terminal.grammar import simulate
simulate.MAX_RANDOM_STEPS = 10**6
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.slow
def test_ctrl_c_stops_what_goes_on_by_chance(counter: str):
    with Terminal("-c", WITHOUT_END, "grammar", "simulate", counter) as terminal:
        terminal.expect("0> ")
        terminal.enter("? 999999")
        terminal.works()
        terminal.type(CTRL_C)
        terminal.expect("Stopped by Ctrl-C")
        terminal.expect("> ")
        terminal.enter("undo")
        terminal.expect("> ")
        terminal.interrupt()
        assert terminal.wait() == 130


# ── the page about it ────────────────────────────────────────────────────────────────────────────

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "models.md"


def test_the_page_names_every_command():
    page = PAGE.read_text(encoding="utf-8")
    assert all(re.search(rf"(?:`|grammar ){name}[ `]", page) for name in COMMANDS)
    assert all(f"`{word}" in page for word in ("?", "undo", "graph", "rule NAME", "way", "help"))
