"""The glossary is in order; tests wait for events and expect words; kernels take records; comments say why."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from string import Formatter

from tests.cases import together

ROOT = Path(__file__).parent.parent

GLOSSARY = ROOT / "docs" / "reference" / "glossary.md"


def test_the_glossary_is_sorted_and_names_a_word_once():
    table = GLOSSARY.read_text(encoding="utf-8").partition("\n|---|---|\n")[2].partition("\n\n")[0]
    words = [line.strip("| ").partition(" | ")[0].lower() for line in table.splitlines()]
    assert len(words) > 50
    assert words == sorted(set(words))


# Programs that tests start: an engine that hangs sleeps.
MAY_SLEEP = {
    "tests/bridges/gomocup/small_brain.py",
    "tests/bridges/ugi/small_engine.py",
    "tests/web/engines/fake_engines.py",
}
DRAWS = {
    "choice",
    "choices",
    "getrandbits",
    "randbytes",
    "randint",
    "random",
    "randrange",
    "sample",
    "shuffle",
    "uniform",
}


def calls(path: Path) -> Iterator[tuple[ast.Call, str, bool]]:
    """The calls in a module: each with the name of what is called, and whether it is in a loop that waits."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    waiting = {
        id(each) for loop in ast.walk(tree) if isinstance(loop, ast.While | ast.Lambda) for each in ast.walk(loop)
    }
    for each in ast.walk(tree):
        if isinstance(each, ast.Call):
            yield each, ast.unparse(each.func), id(each) in waiting


@together("path", sorted((ROOT / "tests").rglob("*.py")))
def test_tests_wait_for_events_and_their_chance_has_a_seed(path):
    """A fixed sleep is too short on a busy machine; a loop, or `wait_until`, waits for an event."""
    may_sleep = path.relative_to(ROOT).as_posix() in MAY_SLEEP
    for call, name, is_waiting in calls(path):
        place = f"line {call.lineno}: {ast.unparse(call)}"
        if name == "time.sleep" or name.endswith(".wait_for_timeout"):
            assert is_waiting or may_sleep, place
        module, _, function = name.rpartition(".")
        assert not (module == "random" and function in DRAWS), place
        assert not (function in ("Random", "default_rng") and not call.args and not call.keywords), place


@together("path", sorted((ROOT / "src").rglob("*.py")))
def test_no_pattern_repeats_a_group_possessively(path):
    """Python 3.11.0 to 3.11.4 match such patterns wrongly, and Debian 12 has 3.11.2."""
    assert re.findall(r"(?<!\\)\)[*+?]\+.*", path.read_text(encoding="utf-8")) == []


# ── expected messages ────────────────────────────────────────────────────────────────────────────

MOST_WORDS = 8


def literals(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The strings in an expression, with their lines; a gap of an f-string is `{}`."""
    if isinstance(tree, ast.Constant) and isinstance(tree.value, str):
        yield tree.lineno, tree.value
    elif isinstance(tree, ast.JoinedStr):
        yield tree.lineno, "".join(each.value if isinstance(each, ast.Constant) else "{}" for each in tree.values)
    else:
        for each in ast.iter_child_nodes(tree):
            yield from literals(each)


def expected(path: Path) -> Iterator[tuple[int, str]]:
    """The patterns after `match=`; in the tests of commands also the strings of assertions and of parameters."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            yield from (each for keyword in node.keywords if keyword.arg == "match" for each in literals(keyword.value))
        elif path.is_relative_to(ROOT / "tests" / "terminal"):
            if isinstance(node, ast.Assert):
                yield from literals(node.test)
            elif isinstance(node, ast.FunctionDef):
                yield from (each for decorator in node.decorator_list for each in literals(decorator))


def plain_words(text: str) -> int:
    """The number of words, without names, numbers and places; of a pattern that of its longest alternative."""
    words = [[word.strip("^$().,;:?!*\\") for word in part.split()] for part in text.split("|")]
    return max(sum(word.isalpha() and len(word) > 1 for word in part) for part in words)


@together("path", sorted((ROOT / "tests").rglob("*.py")))
def test_no_sentence_is_frozen(path):
    """A test expects the words that matter. The sentences of commands are in transcripts, see tests/transcripts.py."""
    assert [f"line {line}: {text}" for line, text in expected(path) if plain_words(text) > MOST_WORDS] == []


@together(
    "text, words",
    [
        ("pentad: games.txt, line 3: There is no space z9.", 6),
        (r"^Expected a number, got 'x'\.$", 3),
        ("no file|There is no folder", 4),
        ("pente 19/19/19 placed", 2),
        ("", 0),
    ],
)
def test_words_are_counted_without_names_and_numbers(text, words):
    assert plain_words(text) == words


# ── kernels ──────────────────────────────────────────────────────────────────────────────────────

MOST_PARAMETERS = 10


def without_records(source: str) -> Iterator[str]:
    """The functions of a module of kernels with many parameters, and its names for any type."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            taken = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            if len(taken) > MOST_PARAMETERS:
                yield f"{node.name} has {len(taken)} parameters"
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            is_table = isinstance(node.value, ast.Dict | ast.List | ast.Tuple | ast.Call)
            if not is_table and re.search(r"\bAny\b", ast.unparse(node.value)):
                yield ast.unparse(node)


def test_kernels_take_records_with_types():
    package = ROOT / "src" / "pentad"
    modules = {path for form in ("*kernels*.py", "*constants*.py") for path in package.rglob(form)}
    found = {path.relative_to(package).as_posix(): list(without_records(path.read_text("utf-8"))) for path in modules}
    assert len(found) > 50
    assert {name: faults for name, faults in found.items() if faults} == {}


@together(
    "source, faults",
    [
        ("def f(a, b, c, d, e, f, g, h, i, j): ...", []),
        ("def f(a, b, c, d, e, f, g, h, i, /, j, *, k): ...", ["f has 11 parameters"]),
        ("def f():\n    def g(a, b, c, d, e, f, g, h, i, j, k): ...", ["g has 11 parameters"]),
        ("Word: TypeAlias = Any", ["Word: TypeAlias = Any"]),
        ("Words = 'NDArray[Any]'", ["Words = 'NDArray[Any]'"]),
        ("NATIVE: dict[str, Callable[..., Any]] = {}", []),
    ],
)
def test_kernels_without_records_are_found(source, faults):
    assert list(without_records(source)) == faults


# ── messages ─────────────────────────────────────────────────────────────────────────────────────


ALONE = {"bridges/process_guard.py", "web/site/trial.py"}  # programs that start without the package


def is_raised(node: ast.AST) -> bool:
    return isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)


def faults_of_messages(source: str) -> Iterator[str]:
    """F-strings that are messages, and templates of messages with other gaps than their arguments."""
    tree = ast.parse(source)
    raised = {id(each.exc.args[0]) for each in ast.walk(tree) if is_raised(each) and each.exc.args}
    asserted = {id(part) for each in ast.walk(tree) if isinstance(each, ast.Assert) for part in ast.walk(each)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) and id(node) not in asserted:
            words = "".join(part.value for part in node.values if isinstance(part, ast.Constant))
            has_gaps = any(isinstance(part, ast.FormattedValue) for part in node.values)
            is_sentence = words.rstrip().endswith(".") and len(re.findall(r"[a-z]{2,}", words)) > 2
            if has_gaps and (is_sentence or (id(node) in raised and re.search("[a-z]", words))):
                yield f"line {node.lineno}: an f-string, {words!r}"
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "phrase":
            template, given = node.args[0], {each.arg for each in node.keywords}
            if None in given:
                continue
            if not (isinstance(template, ast.Constant) and isinstance(template.value, str)):
                yield f"line {node.lineno}: the template is no literal"
            elif {name for _, name, _, _ in Formatter().parse(template.value) if name is not None} != given:
                yield f"line {node.lineno}: the gaps of {template.value!r} are not {sorted(given)}"


def test_messages_are_templates_with_named_gaps():
    package = ROOT / "src" / "pentad"
    modules = [path for path in package.rglob("*.py") if "kernels" not in path.name]
    found = {
        path.relative_to(package).as_posix(): list(faults_of_messages(path.read_text("utf-8"))) for path in modules
    }
    assert {name: faults for name, faults in found.items() if faults and name not in ALONE} == {}


@together(
    "source, faults",
    [
        ('raise GameError(f"No {thing}")', 1),
        ('say(f"There is no {thing} here.")', 1),
        ('say(f"{count} states")', 0),
        ('assert found, f"There is no {thing} here."', 0),
        ('phrase("No {thing} and no {other}.", thing=1)', 1),
        ('phrase("{count:,} of {total!r}.", count=1, total=2)', 0),
        ("phrase(template, count=1)", 1),
    ],
)
def test_messages_without_named_gaps_are_found(source, faults):
    assert len(list(faults_of_messages(source))) == faults


# ── comments ─────────────────────────────────────────────────────────────────────────────────────

MIN_COMMENT_WORDS = 4
DIRECTIVE = re.compile(
    r"#\s*(noqa|type:|pragma:|doctest:|fmt:|──)"
)  # tools read the first five, and rules are no comments


def short_comments(source: str) -> Iterator[str]:
    """The comments behind code with too few words for a sentence; such a comment only completes a name."""
    for token in tokenize.generate_tokens(StringIO(source).readline):
        is_comment = token.type == tokenize.COMMENT and not DIRECTIVE.match(token.string)
        has_code = token.line[: token.start[1]].strip() != ""
        if is_comment and has_code and len(token.string.lstrip("#").split()) < MIN_COMMENT_WORDS:
            yield f"line {token.start[0]}: {token.string}"


@together("path", sorted(path for folder in ("src", "tests") for path in (ROOT / folder).rglob("*.py")))
def test_comments_behind_code_are_sentences(path):
    """A unit belongs in the name, and a comment of three words or fewer says no reason."""
    assert list(short_comments(path.read_text(encoding="utf-8"))) == []


@together(
    "source, faults",
    [
        ("MOST_STEPS = 3  # of a turn", ["line 1: # of a turn"]),
        ("SIZE = (  # bytes\n    10\n)", ["line 1: # bytes"]),
        ("SECONDS = 3  # a slow machine needs so long", []),
        ("import numba  # noqa: F401", []),
        ("# of a turn\nSTEPS = 3", []),
        ("TEXT = '  # of a turn'", []),
    ],
)
def test_comments_that_complete_a_name_are_found(source, faults):
    assert list(short_comments(source)) == faults
