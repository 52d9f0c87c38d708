"""GROOVE's own test material, run against pentad: how much of it agrees.

python -m benchmarks groove_suite FOLDER [--kind rules …] [--only TEXT] [--all] [--json]

FOLDER is a checkout of GROOVE's repository. Nothing of it is kept here: the grammars are read where they lie, and the
expected results are read from the test programs that stand beside them. A case agrees, differs, is refused (pentad
says that it cannot), or fails (anything else); what does not agree is listed.
"""

# ruff: noqa: N802, N815 – a user's operations have the names that they have in GROOVE's tests

from __future__ import annotations

import argparse
import json
import math
import re
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from pentad.grammar import Grammar, GrammarError, Graph, explore
from pentad.grammar.control.automaton import compile_program
from pentad.grammar.exploration import Exploration
from pentad.grammar.host import World, bits
from pentad.grammar.logic import ctl
from pentad.grammar.matching.isomorphism import Shapes
from pentad.grammar.oracles import JavaRandom
from pentad.grammar.rules.host_reader import add_host, check_host, read_host
from pentad.grammar.states.state_space import SuccessorGenerator
from pentad.grammar.system import System, actions_of, algebra_of, parallel_of, prepare, problems_of, rule_of

TESTS = "src/test/java/nl/utwente/groove/test"
VERDICTS = ("agree", "differ", "refused", "failed")
SECONDS_OF_CASE = 120
FEW_STATES = 5  # a grammar may only have to be explored at all
DEPTH = 5  # both engines explore so many steps from the start
MAX_STATES = 60_000  # the size of some cases is not known


class Differs(Exception):
    """A result that is not GROOVE's."""


class Case(NamedTuple):
    """Something to try: its kind, its name, and what runs it."""

    kind: str
    name: str
    run: Callable[[], None]


class Outcome(NamedTuple):
    """What came of a case."""

    case: Case
    verdict: str
    text: str
    seconds: float


def differ(what: str, expected: object, found: object) -> None:
    """Raise unless what was found is what GROOVE finds."""
    if expected != found:
        raise Differs(f"{what}: {expected} expected, {found} found")


# ── reading Java ─────────────────────────────────────────────────────────────────────────────────

_STRING = r'"(?:\\.|[^"\\])*"'
_ARGUMENT = rf"(?:{_STRING}(?:\s*\+\s*{_STRING})*|null|-?\d+|\w+)"


def source(root: Path, name: str) -> str:
    """The text of a test program, without its comments."""
    text = (root / TESTS / f"{name}.java").read_text(encoding="utf-8")
    return re.sub(rf"({_STRING})|/\*.*?\*/|//[^\n]*", lambda found: found[1] or "", text, flags=re.DOTALL)


def calls(text: str, *names: str) -> Iterator[tuple[str, list[object]]]:
    """The calls of some methods whose arguments are literals, with these; a name stands for itself."""
    for found in re.finditer(rf"\b({'|'.join(names)})\s*\(\s*((?:{_ARGUMENT}\s*,\s*)*{_ARGUMENT})?\s*\)", text):
        arguments = re.findall(_ARGUMENT, found[2] or "")
        yield found[1], [_value(each) for each in arguments]


def _value(text: str) -> object:
    if text.startswith('"'):
        return "".join(json.loads(each.replace("\\'", "'")) for each in re.findall(_STRING, text))
    return None if text == "null" else int(text) if re.fullmatch(r"-?\d+", text) else f"<{text}>"


def directory(text: str) -> str:
    """The folder that a test of control reads its grammar from."""
    found = re.search(rf"getDirectory\(\)\s*\{{\s*return ({_STRING})", text)
    assert found is not None
    return str(_value(found[1]))


def loaded(path: Path) -> Grammar:
    return Grammar.load(path if path.suffix == ".gps" or path.is_file() else path.with_suffix(".gps"))


# ── rules ────────────────────────────────────────────────────────────────────────────────────────


def rules(root: Path) -> Iterator[Case]:
    """Each rule on each of its start graphs: the graphs that it makes are those that are stored."""
    text = source(root, "rule/RuleApplicationTest")
    for _, (name, *_rest) in calls(text, "test"):
        folder = root / f"junit/rules/{name}.gps"
        if not folder.is_dir():
            continue
        for path in sorted(folder.rglob("*.gpr")):
            rule = ".".join(path.relative_to(folder).with_suffix("").parts)
            starts = re.compile(re.escape(rule) + r"-[^-.]+")
            for graph in sorted(folder.rglob("*.gst")):
                start = ".".join(graph.relative_to(folder).with_suffix("").parts)
                if starts.fullmatch(start):
                    yield Case("rules", f"{name} {start}", partial(_apply, folder, rule, start))


def _apply(folder: Path, rule: str, start: str) -> None:
    grammar = loaded(folder)
    if not enabled(grammar, rule):
        return
    rules = {rule: grammar.rules[rule]}
    only = Grammar(grammar.name, grammar.graphs, rules, grammar.types, {}, grammar.properties, grammar.others)
    operations = operations_of(grammar)
    system = prepare(only, grammar.graphs[start], "", FILTERS, operations=operations)
    algebra, parallel = algebra_of(grammar, operations), parallel_of(grammar)
    if start.endswith("E"):
        try:
            targets(system, rule)
        except GrammarError:
            return
        raise Differs("an error is expected")
    found = targets(system, rule)
    apart, expected, faulty = World(), [], 0  # a world of their own, so that graphs have nothing in common
    for name, graph in grammar.graphs.items():
        if re.fullmatch(re.escape(start) + r"-.*", name):
            try:
                host = read_host(graph, f"{name}.gst", algebra, parallel)
                if system.types is not None:
                    check_host(system.types, host)
                expected.append(add_host(apart, host))
            except GrammarError:
                faulty += 1
    shapes = Shapes(apart)
    left = [shapes.shape(*each) for each in expected]
    for target in filter(None, found):
        shape = shapes.shape(*copied(system.world, target, apart))
        same = [each for each in left if each.certificate == shape.certificate and shapes.same(each, shape)]
        if not same:
            raise Differs(f"{len(expected)} results expected, {len(found)} found, one of them is none of those")
        left.remove(same[0])
    differ("results that are missing", 0, len(left))
    differ("erroneous results", faulty, sum(each is None for each in found))


def _is_flagged(graph: Graph, match: Mapping[str, str]) -> bool:
    """Whether the first node of a match has a flag `flag`."""
    return bool({"flag", "flag:flag"}.intersection(graph.labels(next(iter(match.values())))))


def _fails(_: Graph, __: Mapping[str, str]) -> bool:
    raise ValueError("this filter fails on purpose")


FILTERS = {  # what the filters of matches do that the tests have in Java and Groovy
    "nl.utwente.groove.test.rule.RuleApplicationTest.filterFlag": lambda graph, match: not _is_flagged(graph, match),
    "nl.utwente.groove.test.rule.RuleApplicationTest.errorFilter": _fails,
    "groovy:filterFlag.filterFlag": _is_flagged,
}


# ── what GROOVE's tests have as a user's operations in Java ──────────────────────────────────────


class UserTypeIntBool(NamedTuple):
    intField: int
    boolField: bool

    def getInt(self) -> int:
        return self.intField

    def isNeg(self) -> bool:
        return self.intField < 0


class UserTypeString(NamedTuple):
    stringField: str

    def size(self) -> int:
        return len(self.stringField)


def one() -> int:
    return 1


def sqrt(number: float) -> float:
    return math.sqrt(number)


def charAt(text: str, place: int) -> str:
    if place < 0:
        raise IndexError(place)
    return text[place]


def isPrefix(start: str, text: str) -> bool:
    return text.startswith(start)


def operations_of(grammar: Grammar) -> Sequence[Callable[..., Any]]:
    """What a grammar of the tests asks for, with a generator of its own."""
    chance = JavaRandom(10_000_000)

    def randomInt(bound: int) -> int:
        return chance.below(bound)

    given = (one, sqrt, charAt, isPrefix, randomInt, UserTypeIntBool, UserTypeString)
    return given if grammar.setting("userOperations") else ()


# ── explorations and control ─────────────────────────────────────────────────────────────────────


def copied(world: World, graph: tuple[int, int], to: World) -> tuple[int, int]:
    """A graph of one world as one of another."""
    numbers = {node: to.new_node() for node in bits(graph[0])}
    edges = 0
    for source, label, target in (world.edges[number] for number in bits(graph[1])):
        value = world.values.get(target)
        end = numbers[target] if value is None else to.value(value)
        number = to.edge(numbers[source], label, end)
        edges |= 1 << (to.copy(numbers[source], label, end) if edges >> number & 1 else number)
    return sum(1 << node for node in numbers.values()), edges


def enabled(grammar: Grammar, rule: str) -> bool:
    return grammar.rules[rule].attributes.get("enabled", "true").strip() != "false"


def targets(system: System, rule: str) -> list[tuple[int, int] | None]:
    """The graphs that a rule makes of the start graph, one an event; None for one that its types forbid."""
    generator = SuccessorGenerator(system)
    return [
        None if generator.ill_typed(generator.host(after)) else (after.nodes, after.edges)
        for after in generator.applied(rule)
    ]


# ── explorations ─────────────────────────────────────────────────────────────────────────────────


def explorations(root: Path) -> Iterator[Case]:
    """Whole grammars with their numbers of states, transitions and open states."""
    text = source(root, "ExplorationTest")
    text = text[: text.index("protected GTS testExploration(TestCaseRecord")]
    grammar = ""
    for name, given in calls(text, "testExploration", "loadGrammar"):
        if name == "loadGrammar":
            grammar = str(given[0])
            continue
        expected = [each for each in given if isinstance(each, int)]
        words = [each for each in given if not isinstance(each, int)]
        if str(words[0]).startswith("<"):
            words[0] = grammar
        where, start, settings = (*words, None, None)[:3]
        start = None if str(words[0]) == grammar else start
        yield Case(
            "explorations",
            " ".join(str(each) for each in (where, start, settings) if each),
            partial(_explore, root / "junit/samples" / str(where), start, settings, expected),
        )


def _explore(path: Path, start: object, settings: object, expected: list[int]) -> None:
    found = explore(
        loaded(path), start=None if start is None else str(start), settings=str(settings or ""), states=MAX_STATES
    )
    differ("states and transitions", tuple(expected[:2]), (found.states, found.transitions))
    if len(expected) > 2:
        differ("open states", expected[2], len(found.lts.open))


def recipes(root: Path) -> Iterator[Case]:
    """Recipes: states and transitions, without and with those within recipes."""
    text = source(root, "control/RecipeTest")
    folder = root / "junit/samples/recipes.gps"
    for _, given in calls(text, "testExploration"):
        if len(given) == 6:
            start, control, *expected = given
            yield Case("recipes", f"{start} {control}", partial(_recipe, folder, start, control, expected))


def _recipe(folder: Path, start: object, control: object, expected: list[object]) -> None:
    found = explore(loaded(folder), start=str(start), control=str(control), states=MAX_STATES, inner=True)
    count = found.lts.counts()
    differ(
        "states, all states, transitions, all steps",
        tuple(expected),
        (count.states, count.present_states, count.transitions, count.present_steps),
    )


def control(root: Path) -> Iterator[Case]:
    """Control programs with the numbers of states and transitions that they lead to, those within recipes too."""
    for name in (
        "AnyTest",
        "ArgumentTest",
        "ControlAttributeParametersTest",
        "ControlVariablesTest",
        "OneStepRecipeTest",
    ):
        text = source(root, f"control/{name}")
        folder = root / directory(text)
        for _, given in calls(text, "explore"):
            if len(given) == 5:
                program, _, _, states, transitions = given
                yield Case(
                    "control",
                    f"{folder.stem} {program}",
                    partial(_control, folder, program, states, transitions),
                )


def _control(folder: Path, program: object, states: object, transitions: object) -> None:
    found = explore(loaded(folder), control=str(program), states=MAX_STATES, inner=True)
    count = found.lts.counts()
    differ("all states and transitions", (states, transitions), (count.all_states, count.all_transitions))


def programs(root: Path) -> Iterator[Case]:
    """Control programs that can be read, and those that cannot."""
    for name in ("ProgramBuildTest", "PriorityCallTest", "InArgExpressionTest", "TemplateBuildTest"):
        text = source(root, f"control/{name}")
        grammar = ""
        for called, given in calls(text, "initGrammar", "build", "buildWrong", "buildFragment", "equal"):
            if called == "initGrammar":
                grammar = str(given[0])
            elif given and isinstance(given[-1], str) and not given[-1].startswith("<"):
                folder = root / f"junit/control/{grammar}.gps"
                program = given[-1]
                yield Case(
                    "programs",
                    f"{grammar} {program}",
                    partial(_program, folder, program, called == "buildWrong"),
                )


def _program(folder: Path, program: str, wrong: bool) -> None:
    grammar = loaded(folder)
    try:
        algebra = algebra_of(grammar)
        rules = {name: rule_of(grammar, name, None, algebra) for name in grammar.rules}
        compile_program({"dummy": program}, ["dummy"], actions_of(rules), body="{}")
    except GrammarError as error:
        if not wrong:
            raise Differs(f"refused: {error}") from None
        return
    differ("an error", wrong, False)


# ── formulas ─────────────────────────────────────────────────────────────────────────────────────


def formulas(root: Path) -> Iterator[Case]:
    """Formulas of CTL, with the number of states in which they hold."""
    text = source(root, "verify/CTLTest")
    text = text[: text.index("private void setGTS")]
    setting: list[object] = []
    for name, given in calls(text, "setGTS", "testFormula"):
        if name == "setGTS":
            setting = given
        else:
            yield Case(
                "formulas",
                f"{setting[0]} {' '.join(str(each) for each in setting[2:])} {given[0]}",
                partial(_formula, root, tuple(setting), str(given[0]), given[1]),
            )


_explored: dict[tuple[object, ...], Exploration] = {}


def _formula(root: Path, setting: tuple[object, ...], formula: str, states: object) -> None:
    if setting not in _explored:
        name, start, *options = setting
        given = dict(zip(options[::2], options[1::2], strict=True))
        _explored[setting] = explore(
            loaded(root / f"junit/samples/{name}.gps"),
            start=None if start is None else str(start),
            settings=f"legacy={given.get('-s', 'bfs')}",
            accept=str(given.get("-a", "final")),
        )
    found = _explored[setting]
    differ("states", states, ctl.check(formula, found.lts, results=found.results).count)


# ── types and errors ─────────────────────────────────────────────────────────────────────────────


def typing(root: Path) -> Iterator[Case]:
    """Rules, graphs and types that are right, and those that are wrong."""
    text = source(root, "type/TypeCheckTest")
    for _, (name, *_rest) in calls(text, "test"):
        folder = root / f"junit/types/{name}.gps"
        if not folder.is_dir():
            continue
        for ending in (".gpr", ".gst", ".gty"):
            for path in sorted(folder.rglob(f"*{ending}")):
                place = path.relative_to(folder)
                if path.name.startswith(("OK-", "ERR-")):
                    wrong = path.name.startswith("ERR-")
                    yield Case("typing", f"{name} {place}", partial(_typed, folder, str(place), wrong))
    text = source(root, "type/DynamicConstraintTest")
    for _, given in calls(text, "test", "testError"):
        if len(given) >= 2 and not str(given[0]).startswith("<"):
            folder = root / f"junit/types/{given[0]}.gps"
            yield Case("typing", f"{given[0]} from {given[1]}", partial(_constrained, folder, given))


def _typed(folder: Path, place: str, wrong: bool) -> None:
    found = [str(error) for error in problems_of(loaded(folder)) if error.where == place]
    if found and not wrong:
        raise Differs(f"refused: {found[0]}")
    if wrong and not found:
        raise Differs("an error is expected")


def _constrained(folder: Path, given: list[object]) -> None:
    grammar, start, *expected = loaded(folder), str(given[1]), *given[2:]
    try:
        found = explore(grammar, start=start)
    except GrammarError as error:
        if expected:
            raise Differs(f"refused: {error}") from None
        return
    if not expected:
        raise Differs("an error is expected")
    differ("states, transitions, broken", tuple(expected), (found.states, found.transitions, len(found.lts.broken)))


def errors(root: Path) -> Iterator[Case]:
    """Rules and graphs with one error or none, as further tests tell."""
    for name in ("grammar/RuleErrorAttributionTest", "QuantLevelTest", "MultAspectTest", "RegExprErasureCheckTest"):
        text = source(root, name)
        for found in re.finditer(
            r"assert(\w+)\(([^;]*?)(?:getRuleModel|getHostModel)\(([^;]*?)\)([^;]*);", text, flags=re.DOTALL
        ):
            names = re.findall(_STRING, found[3])
            inner = re.findall(rf"getGrammar\(({_STRING})\)", found[0])
            if inner and len(names) == 1:
                names = [inner[0], names[0]]
            if len(names) < 2:
                continue
            grammar, part = (str(_value(each)) for each in names[:2])
            ending = ".gst" if "getHostModel" in found[0] else ".gpr"
            wrong = found[1] != "False"
            folder = root / f"junit/rules/{grammar}.gps"
            yield Case("errors", f"{grammar} {part}{ending}", partial(_typed, folder, f"{part}{ending}", wrong))


def folders(root: Path) -> Iterator[Case]:
    """Every grammar of the tests: it can be read and explored (some states of it), or it is one that is wrong."""
    for path in sorted((root / "junit").rglob("*.gps")):
        if path.is_dir():
            yield Case("folders", str(path.relative_to(root / "junit")), partial(_folder, path))


def _folder(path: Path) -> None:
    try:
        grammar = loaded(path)
        explore(grammar, states=FEW_STATES, operations=operations_of(grammar))
    except GrammarError as error:
        if not all("no start graph" in str(each) or is_meant_to_fail(path, each.where) for each in error.errors):
            raise


def engines(root: Path) -> Iterator[Case]:
    """Every grammar of the tests that the compiled engine takes: it counts what the general engine counts."""
    for path in sorted((root / "junit").rglob("*.gps")):
        try:
            grammar = loaded(path)
            explore(grammar, engine="compiled", states=1)
        except GrammarError:
            continue
        yield Case("engines", str(path.relative_to(root / "junit")), partial(_engines, grammar))


def _engines(grammar: Grammar) -> None:
    for isomorphism in (False, True):
        general, compiled = (
            explore(grammar, engine=engine, isomorphism=isomorphism, depth=DEPTH) for engine in ("general", "compiled")
        )
        both = [(each.states, each.transitions, each.final, sorted(each.lts.depths)) for each in (general, compiled)]
        differ(f"states, transitions, final states and depths, isomorphism {isomorphism}", *both)


def is_meant_to_fail(path: Path, where: str) -> bool:
    """Whether a part of a grammar is there to be refused, by its name or by that of the grammar."""
    return "ERR-" in where or path.stem in FAULTY


# Grammars that are there for what is wrong in them, or that want classes of Java which only GROOVE's tests have.
FAULTY = (
    *("compileErrors", "multErrors", "operatorErrors", "quantLevelErrors", "typeErrors", "varTypes", "regExprErasure"),
    *("disabled", "composite", "imports", "matchFilter"),
)


KINDS: dict[str, Callable[[Path], Iterator[Case]]] = {
    each.__name__: each
    for each in (rules, explorations, recipes, control, programs, formulas, typing, errors, folders, engines)
}


# ── running ──────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def bounded(seconds: float) -> Iterator[None]:
    """Let nothing take longer."""

    def late(*_: object) -> None:
        raise TimeoutError(f"more than {seconds:.0f} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def tried(case: Case) -> Outcome:
    begun = time.perf_counter()
    verdict, text = "agree", ""
    try:
        with bounded(SECONDS_OF_CASE):
            case.run()
    except Differs as error:
        verdict, text = "differ", str(error)
    except GrammarError as error:
        verdict, text = "refused", str(error)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        verdict, text = "failed", f"{type(error).__name__}: {error}"
    return Outcome(case, verdict, text, time.perf_counter() - begun)


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Run GROOVE's own test material.")
    parser.add_argument("folder", type=Path, help="a checkout of GROOVE's repository")
    parser.add_argument("--kind", action="append", choices=KINDS, help="only cases of this kind")
    parser.add_argument("--only", default="", help="only cases with this text in their name")
    parser.add_argument("--all", action="store_true", help="list the cases that agree too")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each case")
    args = parser.parse_args(words)
    if not (args.folder / TESTS).is_dir():
        parser.error(f"{args.folder} is no checkout of GROOVE's repository: there is no {TESTS}")
    table: dict[str, Counter[str]] = {}
    for kind in args.kind or KINDS:
        table[kind] = Counter()
        for case in KINDS[kind](args.folder):
            if args.only not in case.name:
                continue
            outcome = tried(case)
            table[kind][outcome.verdict] += 1
            if args.json:
                row = {"kind": kind, "name": case.name, "verdict": outcome.verdict, "text": outcome.text}
                print(json.dumps({**row, "seconds": round(outcome.seconds, 2)}), flush=True)
            elif args.all or outcome.verdict != "agree":
                print(f"{outcome.verdict:8} {kind} {case.name}: {outcome.text}", flush=True)
    whole = sum(table.values(), Counter[str]())
    print(f"{'':14}" + "".join(f"{each:>9}" for each in ("cases", *VERDICTS)), file=sys.stderr)
    for kind, count in [*table.items(), ("all", whole)]:
        numbers = (count.total(), *(count[each] for each in VERDICTS))
        print(f"{kind:14}" + "".join(f"{each:9}" for each in numbers), file=sys.stderr)
    return 0 if whole["agree"] == whole.total() else 1


if __name__ == "__main__":
    sys.exit(main())
