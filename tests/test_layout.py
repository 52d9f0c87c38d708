"""The package as a whole: its modules and their size, its layers, and what starting it loads."""

from __future__ import annotations

import ast
import functools
import graphlib
import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pentad.game import PACKAGES
from pentad.kernels import backends
from tests.cases import together
from tests.programs import run

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "pentad"
MODULES = sorted(SOURCE.rglob("*.py"))
TESTS = ROOT / "tests"
MOST_LINES = 800
MOST_LAYERS = 15


@together("module", MODULES)
def test_modules_begin_with_their_docstring(module):
    """Its first line, a whole sentence, says what the module has."""
    assert re.match(r'"""\S.*[.?:](?:"""|\n)', module.read_text(encoding="utf-8"))


Import = tuple[int, str | None, tuple[str, ...]]


@functools.cache
def parsed(module: Path) -> tuple[list[Import], list[tuple[int, str]]]:
    """The imports of a module, also in functions and for types alone, and its strings that are a game's name.

    An import is its line, the module after `from` or None, and the names after `import`.
    """
    imported, games = list[Import](), []
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported.append((node.lineno, None, tuple(each.name for each in node.names)))
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{module} has a relative import"
            imported.append((node.lineno, node.module or "", tuple(each.name for each in node.names)))
        elif isinstance(node, ast.Constant) and node.value in PACKAGES:
            games.append((node.lineno, str(node.value)))
    return imported, games


def contracts() -> list[dict[str, Any]]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return list(settings["tool"]["importlinter"]["contracts"])


def test_import_rules_are_short():
    assert [rule["name"] for rule in contracts() if len(rule.get("layers", ())) > MOST_LAYERS] == []


@together("module", MODULES)
def test_modules_are_short(module):
    assert len(module.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


def name_of(module: Path) -> str:
    return ".".join(module.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")


MODULE_NAMES = frozenset(map(name_of, MODULES))


def imports(module: Path, names: frozenset[str]) -> set[str]:
    """Those of the named modules of the package that a module imports, also in functions and for types alone."""
    found = set[str]()
    for _, source, imported in parsed(module)[0]:
        within = {each: each if source is None else f"{source}.{each}" for each in imported}
        found.update(within[each] if within[each] in names else source or "" for each in imported)
    return found & names


def top_names(module: Path) -> set[str]:
    """What a module defines or imports, except for modules."""
    names = set[str]()
    for node in ast.parse(module.read_text(encoding="utf-8")).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.ImportFrom):
            imported = {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
            names.update(name for name, each in imported.items() if each not in MODULE_NAMES)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names.update(each.id for each in targets if isinstance(each, ast.Name))
    return names


def test_no_module_imports_itself_by_way_of_others():
    names = frozenset(map(name_of, MODULES))
    with pytest.raises(graphlib.CycleError, match="'a', 'b', 'a'"):
        graphlib.TopologicalSorter({"a": ["b"], "b": ["c", "a"]}).prepare()
    graphlib.TopologicalSorter({name_of(module): imports(module, names) for module in MODULES}).prepare()


def test_kernels_import_only_what_names_their_cache():
    """A change of any other module would leave compiled kernels as they are."""
    names = frozenset(map(name_of, MODULES))
    counted = {name_of(source) for source in backends.sources()}
    kernels = [module for module in MODULES if "kernels" in module.name]
    assert len(kernels) > 10
    assert {name_of(each): missing for each in kernels if (missing := {*imports(each, names)} - counted)} == {}


def test_no_package_has_a_name_that_is_one_of_its_modules():
    """Else `import a.b.c` would yield the name and not the module."""
    shadowed = []
    for package in (module for module in MODULES if module.name == "__init__.py"):
        inside = {each.rpartition(".")[2] for each in MODULE_NAMES if each.rpartition(".")[0] == name_of(package)}
        shadowed += [f"{name_of(package)}.{name}" for name in inside & top_names(package)]
    assert shadowed == []


# Classes that share a name on purpose: parts that every game, protocol or language has, and twins of two engines.
TWINS = {
    "Atom", "Board", "BoardSymmetry", "ChoiceArrays", "Columns", "Command", "Constant", "Edge", "EngineTables",
    "Environment", "Highlights", "Line", "Point", "ProofSearch", "ProtocolError", "RootMove", "RootSearch", "Rules",
    "SearchArrays", "SearchControl", "Setup", "Variable", "Verdict", "World",
}  # fmt: skip


def test_a_class_has_a_name_of_its_own():
    classes = Counter(
        node.name
        for module in MODULES
        for node in ast.parse(module.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert {name for name, count in classes.items() if count > 1} == TWINS


# What tests of a whole are called: pages in a browser, comparisons with an oracle, the games by the conformance kit.
WHOLES = ("against", "browser", "conformance", "groove")
# Tests of files that are no modules: the types of the pages' scripts, the examples of the docs, the tests' own pages.
OF_FILES = ("web/test_script_types.py", "web/site/test_playground_examples.py", "web/test_kept_pages.py")


def is_placed(test: Path) -> bool:
    """Whether a test module, below `tests/`, is named after a module or package in the folder that its own mirrors.

    The name may go on with what is tested of it: `test_board_symmetry.py`.
    """
    subject = test.stem.removeprefix("test_")
    mirrored = (ROOT if test.parts[0] in {"benchmarks", "deploy", "release", "training"} else SOURCE) / test.parent
    modules = {each.stem.strip("_") for each in (*mirrored.glob("*.py"), *mirrored.glob("*/"))}
    return test.as_posix() in OF_FILES or any(
        subject == each or subject.startswith(f"{each}_") for each in {*modules, mirrored.name, *WHOLES}
    )


def test_tests_mirror_the_sources():
    tests = [each.relative_to(TESTS) for each in TESTS.glob("*/**/test_*.py")]
    assert len(tests) > 300
    assert [each.as_posix() for each in tests if not is_placed(each)] == []


@together("path", ["games/pente/test_board.py", "games/pente/test_board_ties.py", "record/test_record.py"])
def test_a_test_of_a_module_is_placed(path):
    assert is_placed(Path(path))


@together("path", ["games/test_rules.py", "games/pente/test_boards.py", "rubbish/test_board.py"])
def test_a_test_of_nothing_is_not_placed(path):
    assert not is_placed(Path(path))


MAIN = "from pentad.terminal import main; main([{!r}])"


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("words", ["import pentad", MAIN.format("--help"), MAIN.format("games")])
def test_start_up_loads_no_screens_and_no_servers(words):
    heavy = "{'rich', 'textual', 'starlette', 'uvicorn', 'sqlalchemy', 'numpy', 'numba', 'asyncio', 'pentad.web'}"
    code = f"{words}\nimport sys\nprint('loaded:', sorted({heavy} & set(sys.modules)))"
    assert run(code)[0].splitlines()[-1] == "loaded: []"


def test_the_licence_and_the_changelog_know_the_version():
    version = re.search(r'__version__ = "(.+)"', (SOURCE / "system" / "version.py").read_text(encoding="utf-8"))
    assert version
    assert f"## {version[1]}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


# The places that know the games: their own folders, the registry, bridges and the games' models.
KNOW_GAMES = ("games", *(f"terminal/{each}" for each in PACKAGES), "bridges", "grammar/models")


def named_games(module: Path) -> list[str]:
    """The imports of games and the strings that are a game's name in a module."""
    imported, games = parsed(module)
    named = [(line, PACKAGES[game]) for line, game in games]
    for line, source, names in imported:
        if source == "pentad":
            named += [(line, f"pentad.{each}") for each in names]
        else:
            named += [(line, each) for each in (names if source is None else (source,))]
    return [
        f"line {line}: {name}"
        for line, name in named
        if any(name == package or name.startswith(f"{package}.") for package in PACKAGES.values())
    ]


@together("module", MODULES)
def test_only_the_games_bridges_and_models_name_a_game(module):
    place = module.relative_to(SOURCE).as_posix()
    if place != "game/__init__.py" and not place.startswith(tuple(f"{each}/" for each in KNOW_GAMES)):
        assert named_games(module) == []


# ── paths in the docs ────────────────────────────────────────────────────────────────────────────

DOCS = sorted({*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")} - {ROOT / "CHANGELOG.md"})
FOLDERS = {folder.name for place in (ROOT, SOURCE, SOURCE / "games") for folder in place.iterdir() if folder.is_dir()}


@together("page", DOCS)
def test_the_paths_in_the_docs_exist(page):
    """A path begins in the checkout, in `src/pentad` or in `tests`; it ends in `.py`, or begins with a known folder."""
    paths = re.findall(r"`([\w-]+/[\w./-]+)`", page.read_text(encoding="utf-8"))
    named = [path for path in paths if path.endswith(".py") or path.partition("/")[0] in FOLDERS - {"games"}]
    assert [path for path in named if not any((base / path).exists() for base in (ROOT, SOURCE, ROOT / "tests"))] == []
