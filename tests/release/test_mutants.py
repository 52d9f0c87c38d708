"""Mutation scores: which tests a module has, what is drawn, and what counts."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from release import mutants
from release.mutants import Result, Score

ROOT = Path(__file__).parents[2]
CLOCK = "src/pentad/play/clock.py"


def test_a_module_has_its_own_tests_and_the_oracles_beside_them():
    found = mutants.tests_of("src/pentad/games/pente/rules.py")
    assert {"tests/games/pente/test_rules.py", "tests/games/pente/test_rules_threes.py"} < set(found)
    assert "tests/games/pente/test_against_referee.py" in found
    assert "tests/games/pente/test_notation.py" not in found
    assert "tests/game/test_game.py" in mutants.tests_of("src/pentad/game/__init__.py")


def test_a_module_s_own_tests_come_first():
    found = mutants.tests_of("src/pentad/grammar/matching/rule_effects.py")
    assert found[0] == "tests/grammar/matching/test_rule_effects.py"
    assert found[1:] == (
        "tests/grammar/matching/test_against_naive.py",
        "tests/grammar/matching/test_groove_matching.py",
    )


def test_a_module_without_tests_of_its_own_has_those_of_the_nearest_folder():
    assert "tests/grammar/test_language.py" in mutants.tests_of("src/pentad/grammar/nothing/nowhere.py")


def test_every_module_of_the_list_exists_and_has_tests():
    for each in mutants.MODULES:
        assert mutants.tests_of(f"src/pentad/{each}.py"), each
        assert (ROOT / "src" / "pentad" / f"{each}.py").exists(), each


def test_a_seed_draws_the_same_mutants():
    first = mutants.sample(CLOCK, 10, 1)
    assert len(set(first)) == 10
    assert first == mutants.sample(CLOCK, 10, 1)
    assert first != mutants.sample(CLOCK, 10, 2)


def result(name: str, status: str, source: str | None = None) -> Result:
    """A kept result of the clock's module."""
    return {
        "module": CLOCK,
        "source": source or mutants.digest([CLOCK]),
        "tests": "",
        "mutation": name,
        "status": status,
        "by": "",
    }


def test_the_last_result_of_a_mutant_counts_and_only_for_the_same_source():
    results = [
        result("a", "survived"),
        result("a", "killed"),
        result("b", "timeout"),
        result("c", "killed", source="another"),
        result("d", "survived"),
        result("e", "untested"),
    ]
    found = mutants.score(CLOCK, ["a", "b", "c", "d", "e"], results, {"d": "It does the same."})
    assert found == Score(CLOCK, 5, 2, 1, ("c", "e"))
    assert found.share == 0.5


def test_scores_are_added_to_the_page_and_to_its_data(tmp_path, monkeypatch):
    monkeypatch.setattr(mutants, "LAB", tmp_path)
    page = tmp_path / "mutants.md"
    page.write_text(f"before\n{mutants.BEGIN}{mutants.END}after\n")
    mutants.save("first", [Score(CLOCK, 10, 6, 2, ("a", "b"))])
    mutants.save("second", [Score(CLOCK, 10, 8, 2, ())])
    table = "| module | first | second |\n|---|---|---|\n| `play/clock.py` | 6 of 8 (75%) | 8 of 8 (100%) |\n"
    assert page.read_text() == f"before\n{mutants.BEGIN}{table}{mutants.END}after\n"
    assert json.loads((tmp_path / "mutants.json").read_text())["second"][CLOCK]["killed"] == 8


def test_the_page_shows_its_data_which_is_of_modules_that_exist():
    assert {each for run in mutants.read("mutants.json").values() for each in run} <= {
        f"src/pentad/{each}.py" for each in mutants.MODULES
    }
    page = (mutants.LAB / "mutants.md").read_text(encoding="utf-8")
    assert mutants.BEGIN + mutants.table(mutants.read("mutants.json")) + mutants.END in page


def test_equivalent_mutants_exist():
    for module, names in mutants.read("equivalent_mutants.json").items():
        source = (ROOT / module).read_text(encoding="utf-8")
        assert not names.keys() - {each.name for each in mutants.mutations(source)}, module


@pytest.mark.slow
def test_a_run_kills_mutants_and_goes_on_where_it_stopped(tmp_path):
    prepare = f"from pathlib import Path; from release import mutants; mutants.STATE = Path({str(tmp_path)!r})"
    code = f"{prepare}; mutants.main()"
    module = "src/pentad/record/annotations.py"
    equivalent = mutants.read("equivalent_mutants.json")[module]
    command = [sys.executable, "-c", code, module, "--sample", "6", "--workers", "2"]
    kept = tmp_path / "results.jsonl"
    for _ in range(2):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        results = [json.loads(each) for each in kept.read_text(encoding="utf-8").splitlines()]
        assert {each["mutation"] for each in results} == {*mutants.sample(module, 6, 1)} - equivalent.keys()
        assert module in done.stdout
    killers = {each["by"].partition("::")[0] for each in results if each["status"] == "killed"} - {"import"}
    assert killers
    assert killers <= {*mutants.tests_of(module), module}
