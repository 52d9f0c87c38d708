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
from tests.terminal.sessions import run_sessions

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


REFUSED = {
    "an unknown command": ("bogus", "Unknown command 'bogus' for pentad grammar. The commands are: new, show"),
    "an unknown option": ("--bogus", "Unknown option '--bogus' for pentad grammar."),
    "an option of no command": ("show marks.gps --bogus", "Unknown option --bogus."),
    "a word too many": ("export marks.gps x.json y", "Unexpected argument 'y'"),
    "no grammar": ("show", "Missing argument: GRAMMAR|FILE."),
    "a folder that is not there": ("show nix.gps", "nix.gps: No such folder."),
    "a model's name": (
        "explore pentago",
        "pentago does not exist. To create pentago.gps, run: pentad grammar new pentago",
    ),
    "a folder without its ending": ("explore marks", "marks does not exist. Did you mean marks.gps?"),
    "an empty name": ("show {nothing}", "'' is not a folder name."),
    "a null byte": ("show a{null}b", "is not a folder name."),
    "a folder of other things": ("show other", "other: This folder has no grammar"),
    "a file that is none": ("show marks.gps/place.gpr", "neither a folder of GROOVE's files nor a zip"),
    "a graph that is no system": ("show marks.gps/start.gst", "start.gst: This is no transition system: no state has"),
    "JSON that is not there": ("show nix.json", "Cannot read nix.json: No such file."),
    "JSON that is none": ("show half.json", "half.json: grammar: Invalid JSON"),
    "JSON of something else": ("show list.json", "list.json: grammar: Expected an object, got []."),
    "JSON that is no text": ("show binary.json", "binary.json is not UTF-8 text"),
    "a part that is not there": ("show marks.gps nix", "Unknown part 'nix'. The parts of the grammar are: start.gst"),
    "two parts of one name": ("show twice.gps start", "'start' is ambiguous: start.gst or start.gpr."),
    "an unknown model": ("new chess", "Unknown model 'chess'. Models: pentago"),
    "a model's option that is none": ("new ferry --rows 3", "Unknown option --rows."),
    "a value that is none": ("new tictactoe --rows two", "Option rows must be a whole number from 1 to 20, not 'two'"),
    "a folder that is there": ("new tictactoe marks.gps", "marks.gps already exists. Use --force to replace it"),
    "a folder of other things to write": ("new ferry other --force", "This folder is neither empty nor a grammar."),
    "a file for a folder": ("new ferry half.json --force", "half.json is a file. Expected a folder."),
    "a picture of nothing": ("draw marks.gps nix", "Unknown part 'nix'."),
    "pictures in a row": ("draw marks.gps place win", "Several pictures need a folder. Use -o FOLDER."),
    "pictures into a file": ("draw marks.gps place win -o half.json", "half.json is a file. Several pictures need"),
    "a picture that is there": ("draw marks.gps -o half.json", "half.json already exists. Use --force to replace it"),
    "a picture nowhere": ("draw marks.gps -o nix/x.svg", "Cannot write nix/x.svg: There is no folder nix."),
    "a large picture": ("draw counter.gps states", "A picture can show at most 200 states"),
    "a strategy": (
        "explore marks.gps --strategy best",
        "--strategy: Expected one of bfs, dfs, linear, random, got 'best'",
    ),
    "an engine": (
        "explore marks.gps --engine warp",
        "--engine: Expected one of auto, general, compiled, array, got 'warp'",
    ),
    "a depth": ("explore marks.gps --depth -1", "--depth: Expected a whole number from 0"),
    "a huge number": (f"explore marks.gps --states {'9' * 40}", "Expected a whole number from 1 to"),
    "a size": ("explore marks.gps --memory lots", "--memory: Expected a memory size, such as 500M or 2G, got 'lots'"),
    "a rule to accept": ("explore marks.gps --accept nix", "No rule 'nix'. Expected"),
    "nothing to accept": ("explore marks.gps --accept {nothing}", "--accept needs a value: final, broken"),
    "results of nothing": ("explore marks.gps --results 3", "--results needs --accept."),
    "a graph to begin with": ("explore marks.gps --start nix", "--start: Unknown graph 'nix'. The graphs are: start"),
    "a program": (
        "explore marks.gps --control nix",
        "--control: Unknown control program 'nix'. The programs are: main",
    ),
    "a format of systems": ("explore marks.gps -o x.pdf", "x.pdf: Expected a file name with .aut, .gxl"),
    "a file that is there": ("explore marks.gps -o half.json", "half.json already exists"),
    "a formula": ("check marks.gps AG(", "Expected a name, a quoted label or a bracket, got the end"),
    "a formula's action": ("check marks.gps nix", "A formula names 'nix', which is not an action"),
    "a format of grammars": ("export marks.gps x.doc", "Unknown format 'doc'. The formats are: json, dot, zip, gps"),
    "no format": ("export marks.gps -", "has no suffix. Name the format with --to: json"),
    "a system's format": (
        "export marks.gps x.aut",
        "aut is a format for transition systems. Run: pentad grammar explore",
    ),
    "a folder on standard output": ("export marks.gps - --to gps", "A folder cannot be written to standard output"),
    "an export that is there": ("export marks.gps half.json", "half.json already exists"),
    "a name that leads away": ("import away.json", "The grammar's name, '../away', cannot be the name of a folder"),
    "the same in a zip": ("export away.json x.zip", "The grammar's name, '../away',"),
    "to go through nothing": ("simulate nix.gps", "nix.gps: No such folder."),
}


@pytest.mark.fast_cases(5)
@pytest.mark.parametrize(("words", "says"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(pentad: Pentad, folder: Path, marks: str, counter: str, words: str, says: str):
    (folder / "half.json").write_text('{"format": ')
    (folder / "list.json").write_text("[]")
    (folder / "binary.json").write_bytes(b"\xff\xfe")
    (folder / "other").mkdir()
    (folder / "other" / "letter.txt").write_text("Dear Sir")
    (folder / "away.json").write_text(to_json(Grammar("../away")))
    twice = new("ferry")
    twice.rules["start"] = Graph("start", "rule")
    twice.save(folder / "twice.gps")
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    answer = pentad("grammar", *(word.format(nothing="", null="\0") for word in words.split()))
    assert (answer.code, answer.out) == (2, "")
    assert says in answer.err
    assert answer.err.startswith("pentad: ")
    assert answer.err.count("\n") == 1
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


# ── new, export, import ──────────────────────────────────────────────────────────────────────────


def test_new_lists_the_models(pentad: Pentad):
    answer = pentad("grammar", "new")
    assert answer.code == 0
    for model in MODELS.values():
        assert f"{model.name}: {model.summary}\n" in answer.out
    assert "--rows     spaces from top to bottom: a whole number from 1 to 20 (default:" in answer.out
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
    assert len(Grammar.load(folder / "tictactoe.gps").start.nodes) == 20  # of 3 × 3: with 8 lines


def test_new_names_what_it_wrote(pentad: Pentad):
    data = json.loads(pentad("grammar", "new", "ferry", "over.gps", "--json").out)
    assert data == {"model": "ferry", "grammar": "ferry", "folder": "over.gps", "rules": 4, "graphs": 1}
    assert pentad("grammar", "explore", "over.gps").code == 0


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


def test_export_as_pictures_for_graphviz(pentad: Pentad, folder: Path, marks: str):
    data = json.loads(pentad("grammar", "export", marks, "x.dot", "--json").out)
    assert data == {"grammar": "marks", "file": "x.dot", "format": "dot"}
    assert (folder / "x.dot").read_text().startswith('digraph "marks" {')


# ── show ─────────────────────────────────────────────────────────────────────────────────────────


def test_show_tells_all(pentad: Pentad, marks: str):
    answer = pentad("grammar", "show", marks)
    assert (answer.code, answer.err) == (0, "")
    assert answer.lines[0] == "marks: 3 rules, 1 graph"
    assert "  start  11 nodes, 20 edges, in use" in answer.lines
    assert "  place     transformer; creates mark; forbids type:Player and mark" in answer.lines
    assert "control main, in use" in answer.lines
    assert "  alap { place; try { win; halt } else { nextTurn; } }" in answer.lines
    assert "  matchInjective        false  (default)" in answer.lines


def test_show_tells_all_as_json(pentad: Pentad, fenced: str):
    data = json.loads(pentad("grammar", "show", fenced, "--json").out)
    assert data["grammar"] == "fenced"
    assert data["graphs"] == {"start": {"nodes": 1, "edges": 2, "chosen": True}}
    assert data["rules"]["small"]["role"] == "invariant"
    assert data["rules"]["grow"]["takes"] == data["rules"]["grow"]["makes"] == ["n"]


def test_show_tells_of_a_rule_that_cannot_be_read(pentad: Pentad, folder: Path):
    grammar = new("ferry")
    grammar.rules["odd"] = Graph("odd", "rule")
    grammar.rules["odd"].node("forall:", "strange")
    grammar.save(folder / "odd.gps")
    answer = pentad("grammar", "show", "odd.gps")
    assert answer.code == 0
    assert any(line.startswith("  odd        error: odd.gpr, node n0") for line in answer.lines)
    assert "error" in json.loads(pentad("grammar", "show", "odd.gps", "--json").out)["rules"]["odd"]


@pytest.mark.parametrize("name", ["place", "place.gpr"])
def test_show_a_rule(pentad: Pentad, marks: str, name: str):
    assert pentad("grammar", "show", marks, name).out == (
        "place: rule with 4 nodes, 8 edges\n"
        "  transformer; creates mark; forbids type:Player and mark\n"
        "  n0  type:Game\n"
        "      –currentPlayer→ n1\n"
        "  n1  type:Player\n"
        "      –new:mark→ n2\n"
        "  n2  type:Space\n"
        "  n3  not:  type:Player\n"
        "      –mark→ n2\n"
    )


def test_show_other_parts(pentad: Pentad, marks: str):
    assert pentad("grammar", "show", marks, "main").out == "alap { place; try { win; halt } else { nextTurn; } }\n"
    data = json.loads(pentad("grammar", "show", marks, "start.gst", "--json").out)
    assert (data["kind"], data["role"], len(data["nodes"])) == ("graph", "graph", 11)


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
    answer = pentad("grammar", "explore", ferry, "--accept", "allAcross")  # of those who were not eaten
    assert "allAcross: 8 states: 18 " in answer.out
    assert answer.lines[3] == "trace of 4 steps:"
    assert [line.split()[1] for line in answer.lines[4:]] == ["start", "carry", "eat", "cross", "carry"]
    data = json.loads(pentad("grammar", "explore", ferry, "--accept", "allAcross", "--results", "1", "--json").out)
    assert (data["stopped"], data["results"], len(data["trace"]["steps"])) == (
        "results",
        {"count": 1, "first": [18]},
        4,
    )


def test_explore_finds_nothing(pentad: Pentad, ferry: str):
    assert pentad("grammar", "explore", ferry, "--accept", "final").lines[2] == "final: 0 states"


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


def test_explore_stopped_by_ctrl_c_keeps_what_is_there(
    pentad: Pentad, folder: Path, counter: str, monkeypatch: pytest.MonkeyPatch
):
    calls, expand = [0], Space.expand

    def stopped(self, number):
        calls[0] += 1
        if calls[0] == 10:
            raise KeyboardInterrupt
        return expand(self, number)

    monkeypatch.setattr(Space, "expand", stopped)
    answer = pentad("grammar", "explore", counter, "-o", "x.aut", "--engine", "general")
    assert (answer.code, answer.err) == (130, "")
    assert answer.lines[0].startswith("10 states, 9 transitions")
    assert answer.lines[2] == "stopped by Ctrl-C; 1 state not explored"
    assert (folder / "x.aut").read_text().startswith("des (0, 9, 10)\n")


@pytest.mark.parametrize(("formulas", "code"), [(["AG EF grow"], 130), (["EF grow"], 0), (["AX !grow"], 1)])
def test_check_stopped_by_ctrl_c_says_what_is_certain(
    pentad: Pentad, counter: str, monkeypatch: pytest.MonkeyPatch, formulas: list[str], code: int
):
    calls, expand = [0], Space.expand

    def stopped(self, number):
        calls[0] += 1
        if calls[0] == 10:
            raise KeyboardInterrupt
        return expand(self, number)

    monkeypatch.setattr(Space, "expand", stopped)
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


def test_check_a_sound_grammar(pentad: Pentad, folder: Path):
    new("election").save(folder / "election.gps")
    answer = pentad("grammar", "check", "election.gps")
    assert (answer.code, answer.err) == (0, "")
    assert answer.lines[0] == "election: 5 rules, 1 graph, no type graph, 0 control programs: no errors"
    assert answer.lines[-1] == "holds in every state: twoLeaders"


def test_check_without_invariants(pentad: Pentad, marks: str):
    answer = pentad("grammar", "check", marks)
    assert (answer.code, answer.lines[-1]) == (0, "The grammar has no invariants and no forbidden conditions.")


def test_check_an_invariant_that_breaks(pentad: Pentad, fenced: str):
    answer = pentad("grammar", "check", fenced)
    assert (answer.code, answer.err) == (1, "")
    assert "trace of 5 steps to state 5, which breaks small:" in answer.lines
    assert answer.lines[-1] == "  5. grow → state 5: n0:let:n = 5"
    data = json.loads(pentad("grammar", "check", fenced, "--json").out)
    assert data["broken"] == {"count": 1, "first": [{"state": 5, "rules": ["small"]}]}
    assert (len(data["trace"]["steps"]), data["certain"]) == (5, True)
    answer = pentad("grammar", "check", fenced, "--depth", "3")
    assert (answer.code, answer.lines[-1]) == (0, "holds in every explored state: small")


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
    assert len(steps) == explore.MOST_STEPS + 2  # with the start and the line about the others
    assert steps[:2] == ["    0. start → state 0: n0:let:n = 0", "    1. grow → state 1: n0:let:n = 1"]
    assert steps[explore.MOST_STEPS // 2 + 1] == f"    … {998 - explore.MOST_STEPS} more steps"
    assert steps[-1] == "    998. grow → state 998: n0:let:n = 998"


@pytest.mark.parametrize("formula", ["!" * 1_000_000 + "grow", "AG '" + "x" * 1_000_000, "(" * 1_000_000])
def test_a_formula_of_a_megabyte_is_refused(pentad: Pentad, counter: str, formula: str):
    for option in ([], ["--ltl"], ["--invariant"]):
        answer = pentad("grammar", "check", counter, *option, formula)
        assert (answer.code, answer.out) == (2, "")
        assert answer.err == f"pentad: A formula of {len(formula):,} characters is too long; the limit is 10,000.\n"


def test_a_system_too_large_for_the_memory_is_refused_at_once(pentad: Pentad, folder: Path):
    (folder / "large.aut").write_text('des (0, 100000000, 50000000)\n(0, "a", 1)\n', encoding="utf-8")
    answer = pentad("grammar", "check", "large.aut", "EF a", "--memory", "1G")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == (
        "pentad: large.aut, line 1: 50,000,000 states and 100,000,000 transitions are too many for the memory limit "
        "of 1 GiB.\n"
    )


def test_check_is_not_certain_of_what_it_has_not_seen(pentad: Pentad, ferry: str):
    answer = pentad("grammar", "check", ferry, "EF allAcross", "EF carry", "--depth", "2")
    assert answer.code == 1
    assert any(line.startswith("EF allAcross does not hold, as far as was explored") for line in answer.lines)
    assert sum(line.startswith("  not certain: ") for line in answer.lines) == 1


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


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--fair", "cross"], "--fair and --strongly-fair need a formula with --ltl."),
        (["--ltl", "F cros"], "A formula names 'cros', which is not an action or a mark. Similar: cross,"),
        (["--ltl", "F cross", "--fair", "cros"], "A formula names 'cros', which is not an action or a mark."),
        (["--ltl", "F", "--fair", "cross"], "Formula 'F', character 2: Expected"),
    ],
)
def test_check_refuses_formulas_of_paths(pentad: Pentad, ferry: str, words: list[str], message: str):
    answer = pentad("grammar", "check", ferry, *words)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"pentad: {message}")


# ── solve ────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def pairs(folder: Path) -> str:
    """Two marks in a row win, in six steps."""
    new("tictactoe", rows=2, line=2).save(folder / "pairs.gps")
    return "pairs.gps"


def test_solve(pentad: Pentad, pairs: str):
    answer = pentad("grammar", "solve", pairs)
    assert answer.code == 0
    assert "values for the player to move: 29 won, 0 drawn, 10 lost" in answer.lines
    assert "start: X wins in 6 steps" in answer.lines
    assert answer.lines[-1].startswith("  6. win → state")


def test_solve_as_json(pentad: Pentad, pairs: str):
    data = json.loads(pentad("grammar", "solve", pairs, "--json").out)
    solution = data["solution"]
    assert (data["states"], data["open"]) == (39, 0)
    assert [solution[key] for key in ("turn", "value", "distance", "won", "unknown")] == ["n1", 1, 6, 29, 0]
    assert [step["action"] for step in solution["line"]["steps"]][-1] == "win"


def test_solve_what_was_explored(pentad: Pentad, marks: str):
    answer = pentad("grammar", "solve", marks, "--depth", "3")
    assert answer.code == 0
    assert answer.lines[-1] == "start: X may win, draw or lose"
    assert ", 0 lost, 7 unknown" in answer.out


@pytest.mark.slow
def test_solve_with_the_game_as_options(pentad: Pentad, folder: Path, pairs: str):
    grammar = Grammar.load(pairs)
    grammar.properties = {name: text for name, text in grammar.properties.items() if not name.startswith("game")}
    grammar.save(folder / "other.gps")
    words = ("--players", "Player", "--turn", "currentPlayer", "--won", "win")
    assert pentad("grammar", "solve", "other.gps", *words).lines[3:] == pentad("grammar", "solve", pairs).lines[3:]


@pytest.mark.parametrize("method", ["paranoid", "max-n"])
def test_solve_for_three(pentad: Pentad, folder: Path, method: str):
    new("tictactoe", rows=2, cols=2, line=2, players=3).save(folder / "three.gps")
    answer = pentad("grammar", "solve", "three.gps", "--iso", "no", "--method", method)
    assert (answer.code, answer.lines[4].partition(" ")[0]) == (0, "start:")
    answer = pentad("grammar", "solve", "three.gps", "--method", method)
    assert (answer.code, answer.out) == (2, "")
    assert "isomorphism=False or --iso no." in answer.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["ferry.gps"], "The grammar does not say who the players are: The property gamePlayers is missing."),
        (["marks.gps", "--players", "nix"], "The grammar has neither a rule nor a label 'nix'."),
        (["marks.gps", "--players", "Game"], "The start graph has 1 player (Game); a game has 2 to 8."),
        (["marks.gps", "--turn", "nextPlayer"], "State 0 has not one player to move, by gameTurn=nextPlayer."),
        (["marks.gps", "--won", "flag:(", "--stuck", "won"], "The grammar has neither a rule nor a label 'flag:('."),
        (["marks.gps", "--stuck", "odd"], "--stuck: Expected one of draw, lost, won, got 'odd'."),
    ],
)
def test_what_cannot_be_solved(pentad: Pentad, ferry: str, marks: str, words: list[str], says: str):
    answer = pentad("grammar", "solve", *words)
    assert (answer.code, answer.out) == (2, "")
    assert says in answer.err
    assert answer.err.count("\n") == 1


def test_simulate_shows_the_best_options(pentad: Pentad, pairs: str):
    answer = pentad("grammar", "simulate", pairs, typed="best\nplay 3\nbest\nplay 9\nbest\nundo\nbest\n")
    assert answer.code == 0
    best = answer.lines.index("X wins in 6 steps")
    assert answer.lines[best + 1 : best + 3] == ["    1 X at A1: wins in 6 steps", "    2 X at B1: wins in 6 steps"]
    assert "O loses in 3 steps" in answer.lines
    assert "There are no more moves." in answer.lines
    assert answer.lines[-2:] == ["X wins in 1 step", "    1 X has a line: wins in 1 step"]


def test_simulate_shows_the_best_options_as_json(pentad: Pentad, marks: str):
    lines = pentad("grammar", "simulate", marks, "--json", typed="1\n1\n1\n1\n6\nbest\n2\nbest\nplay\n").lines
    found = [json.loads(line) for line in lines]
    best = [each for each in found if each["event"] == "best"]
    assert [(each["value"], len(each["options"])) for each in best] == [(0, 4), (0, 1)]
    assert best[0]["options"][0] == {"number": 1, "value": 0, "distance": None}
    assert found[-1]["step"] == 6


@pytest.mark.parametrize(
    ("grammar", "line", "says"),
    [
        ("ferry.gps", "best", "The grammar does not say who the players are"),
        ("ferry.gps", "play", "The grammar does not say who the players are"),
        ("marks.gps", "play 0", "play N: Expected a number of steps from 1 to 100,000, got '0'."),
    ],
)
def test_simulate_without_a_game(pentad: Pentad, ferry: str, marks: str, grammar: str, line: str, says: str):
    answer = pentad("grammar", "simulate", grammar, typed=f"{line}\n1\n")
    assert says in answer.err
    assert answer.lines[-1].startswith("    ")


def test_simulate_beyond_what_is_explored(pentad: Pentad, marks: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(adviser, "MOST_SOLVED", 12)
    answer = pentad("grammar", "simulate", marks, typed="best\n? 6\nbest\n")
    assert "X may win, draw or lose" in answer.lines
    assert "This state is not among the 12 states that were explored." in answer.err


# ── simulate ─────────────────────────────────────────────────────────────────────────────────────


def test_simulate_in_lines(pentad: Pentad, counter: str):
    answer = pentad("grammar", "simulate", counter, typed="1\ngrow\ngr\nundo\nway\nquit\n1\n")
    assert (answer.code, answer.err) == (0, "")
    assert [line for line in answer.lines if line.startswith("step")] == [
        "step 0",
        "step 1 after grow",
        "step 2 after grow",
        "step 3 after grow",
        "step 2 after grow",
    ]
    assert "  n0: –n→ int:2" in answer.lines
    assert [line[:7] for line in answer.lines[-2:]] == ["1. grow", "2. grow"]


def test_simulate_by_chance(pentad: Pentad, marks: str):
    runs = [pentad("grammar", "simulate", marks, "--seed", "5", typed="? 100\nway\n") for _ in range(2)]
    assert runs[0] == runs[1]
    assert "  no options" in runs[0].lines
    assert any(line.startswith("There are no more options after ") for line in runs[0].lines)


def test_simulate_says_what_breaks(pentad: Pentad, fenced: str):
    answer = pentad("grammar", "simulate", fenced, typed="grow\n" * 5)
    assert "step 5 after grow, broken: small" in answer.lines


@pytest.mark.fast_cases(11)
@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("99", "There is no option 99. The options are 1 to 6."),
        ("0", "There is no option 0. The options are 1 to 6."),
        ("9" * 30, "There is no option 9999999999"),
        ("place", "6 options have this name. Choose one by its number: 1, 2, 3, 4, 5, 6"),
        ("X at", "6 options have this name"),
        ("nix", "Unknown option or command 'nix'"),
        ("? many", "? N: Expected a number of steps from 1 to 100,000, got 'many'."),
        ("? 0", "? N: Expected a number of steps"),
        ("undo x", "undo N: Expected a number of steps, got 'x'"),
        ("undo", "There is no step to take back."),
        ("rule nix", "Unknown rule 'nix'. The rules are: nextTurn, place, win"),
        ("rule", "Expected the name of a rule: rule NAME"),
        ("\x1b[2J", "Unknown option or command '\\x1b[2J'"),
    ],
)
def test_simulate_goes_on_after_what_cannot_be(pentad: Pentad, marks: str, line: str, says: str):
    answer = pentad("grammar", "simulate", marks, typed=f"{line}\n1\n")
    assert answer.code == 0
    assert says in answer.err
    assert answer.err.count("\n") == 1
    assert "step 1 after X at A1" in answer.lines
    data = [json.loads(each) for each in pentad("grammar", "simulate", marks, "--json", typed=f"{line}\n").lines]
    assert [each["error"] for each in data if each["event"] == "error"] == [answer.err[8:-1]]


def test_simulate_shows_graphs_and_rules(pentad: Pentad, marks: str):
    answer = pentad("grammar", "simulate", marks, typed="1\ngraph\nrule place\nhelp\n")
    assert "11 nodes, 21 edges" in answer.lines
    assert "place: transformer; creates mark; forbids type:Player and mark" in answer.lines
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
    assert answer.err == "pentad: There are no options here. Type undo to take back a step.\n" * 2


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
simulate.MOST_BY_CHANCE = 10**6
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

PAGE = Path(__file__).parents[3] / "docs" / "grammar.md"


def timeless(text: str) -> str:
    """Without what is another time another, and with any engine."""
    return re.sub(r"^(\S+ engine|solved):.*", "<time>", text, flags=re.MULTILINE)


def test_the_page_tells_the_truth(pentad: Pentad):
    assert run_sessions(PAGE, pentad, timeless) > 10


def test_the_page_names_every_command():
    page = PAGE.read_text(encoding="utf-8")
    assert all(re.search(rf"`{name}[ `]", page) for name in COMMANDS)
    assert all(f"`{word}" in page for word in ("?", "undo", "graph", "rule NAME", "way", "help"))
