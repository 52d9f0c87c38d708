"""Mutation scores: what share of small changes of a module's code its tests notice.

    python -m release.mutants [MODULE ...] [--sample N] [--seed N] [--workers N] [--save RUN]

A module is a path such as `src/pentad/play/clock.py`; without any, those of `MODULES` are tried. The tests of a module
are its own fast ones, as `tests` mirrors `src/pentad`, with its doctests and the tests of its folder as a whole; those
of the nearest folder where it has none. The same seed draws the same mutants as long as the module is the same. Results
are kept in `.mutants`: a run that was stopped goes on, and a test that killed a mutant is the first that it meets the
next time. Mutants of `docs/lab/equivalent_mutants.json` do what the code does; they are not tried and do not count.
With `--save`, the scores are added to `docs/lab/mutants.json`, and to the page beside it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypedDict

from release.mutant_runs import Mutant, Run, Verdict, digest
from release.mutations import mutations

ROOT = Path(__file__).resolve().parent.parent
STATE, LAB = ROOT / ".mutants", ROOT / "docs" / "lab"
BEGIN, END = "<!-- scores -->\n", "<!-- end of scores -->\n"
KILLED = {"killed", "timeout"}
MODULES = (
    "game/__init__",
    "game/standard_position",
    "games/pente/rules",
    "games/pente/notation",
    "games/pente/board",
    "games/pentago/rules",
    "games/pentago/notation",
    "games/pentago/board",
    "games/pentagame/rules",
    "games/pentagame/notation",
    "games/pentagame/board",
    "record/annotations",
    "record/formats",
    "record/opening_tree",
    "record/shapes",
    "record/text_format",
    "play/clock",
    "play/game_state",
    "play/table",
    "play/seats",
    "play/saved_games",
    "play/sprt",
    "games/pentago/solver/level_files",
    "games/pentago/solver/paging",
    "games/pentago/solver/retrograde",
    "games/pentago/solver/scratch",
    "games/pentago/solver/search",
    "grammar/matching/candidate_filters",
    "grammar/matching/isomorphism",
    "grammar/matching/matcher",
    "grammar/matching/rule_effects",
    "grammar/matching/search_plans",
    "grammar/states/state_space",
    "web/rooms/actions",
    "web/rooms/archive",
    "web/rooms/background",
    "web/rooms/bot_runner",
    "web/rooms/chat",
    "web/rooms/engine_requests",
    "web/rooms/events",
    "web/rooms/flag_timers",
    "web/rooms/player_view",
    "web/rooms/premoves",
    "web/rooms/queue_places",
    "web/rooms/registry",
    "web/rooms/room",
    "web/rooms/state",
    "web/rooms/subscribers",
)
# Tests of a folder as a whole, which meet only what a module's own tests miss: its oracles, a room with all its parts,
# the solver.
WHOLES = (
    *("test_against_*.py", "test_conformance.py", "test_groove_*.py", "test_room*.py"),
    *("test_search.py", "test_search_limits.py"),
)


class Result(TypedDict):
    """A line of the kept results."""

    module: str
    source: str  # hash of the module
    tests: str  # hash of its tests
    mutation: str
    status: str
    by: str  # the test that failed


@dataclass(frozen=True)
class Score:
    """How many mutants of a module its tests noticed."""

    module: str
    mutants: int
    killed: int
    equivalent: int
    survivors: tuple[str, ...]

    @property
    def share(self) -> float:
        """The share of those noticed, without equivalent ones."""
        counted = self.mutants - self.equivalent
        return self.killed / counted if counted else 1.0


def tests_of(module: str) -> tuple[str, ...]:
    """The files with the tests of a module, below the checkout, its own first.

    >>> tests_of("src/pentad/play/clock.py")
    ('tests/play/test_clock.py',)
    """
    path = Path(module).relative_to("src/pentad")
    folder = ROOT / "tests" / path.parent
    stem = path.parent.name if path.stem == "__init__" else path.stem
    own = sorted([*folder.glob(f"test_{stem}.py"), *folder.glob(f"test_{stem}_*.py")])
    if own:
        own += sorted(each for whole in WHOLES for each in folder.glob(whole))
    while not own:
        own = sorted(folder.glob("test_*.py"))
        folder = folder.parent
    return tuple(dict.fromkeys(each.relative_to(ROOT).as_posix() for each in own))


def sample(module: str, count: int, seed: int) -> list[str]:
    """The names of some mutations of a module, in the order of its source."""
    every = [each.name for each in mutations((ROOT / module).read_text(encoding="utf-8"))]
    chosen = random.Random(f"{seed} {module}").sample(range(len(every)), min(count, len(every)))
    return [every[i] for i in sorted(chosen)]


def run(modules: Sequence[str], count: int, seed: int, workers: int) -> None:
    """Tries those mutants of the modules of a folder that count and are not among the kept results."""
    tests = {each: (*tests_of(each), each) for each in modules}
    results, equivalent = kept(), read("equivalent_mutants.json")
    hashes = {each: digest([each]) for each in modules}
    of_tests = {each: digest(tests[each]) for each in modules}
    known = {
        (each["module"], each["mutation"]): each for each in results if each["source"] == hashes.get(each["module"])
    }
    mutants = []
    for module in modules:
        chosen = set(sample(module, count, seed)) - equivalent.get(module, {}).keys()
        for each in mutations((ROOT / module).read_text(encoding="utf-8")):
            last = known.get((module, each.name))
            if each.name in chosen and not (last and last["tests"] == of_tests[module]):
                mutants.append(Mutant(module, each))
    if not mutants:
        return
    before = ((each, known.get((each.module, each.mutation.name))) for each in mutants)
    killers = {each: last["by"] for each, last in before if last and last["by"]}
    done: Counter[str] = Counter()

    def report(verdict: Verdict) -> None:
        mutant = verdict.mutant
        line: Result = {
            "module": mutant.module,
            "source": hashes[mutant.module],
            "tests": of_tests[mutant.module],
            "mutation": mutant.mutation.name,
            "status": verdict.status,
            "by": verdict.by,
        }
        with (STATE / "results.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
        done[verdict.status] += 1
        counts = ", ".join(f"{number} {status}" for status, number in sorted(done.items()))
        end = "\r" if sys.stderr.isatty() else "\n"
        print(f"{mutant.module}: {done.total()}/{len(mutants)}: {counts} ", end=end, file=sys.stderr, flush=True)

    map_file = STATE / f"map-{hashlib.sha256(' '.join(modules).encode()).hexdigest()[:16]}.json"
    with TemporaryDirectory(prefix="pentad-mutants-") as copies:
        pid = os.fork()  # each group of modules imports the package anew
        if not pid:
            code = 1
            try:
                Run(tests, mutants, killers, map_file, Path(copies), workers, report)()
                code = 0
            except BaseException as error:
                print(f"{type(error).__name__}: {error}", file=sys.stderr)
            finally:
                os._exit(code)
        if os.waitpid(pid, 0)[1]:
            raise SystemExit(f"The mutants of {', '.join(modules)} could not be tried.")


def kept() -> list[Result]:
    """The kept results, the last one of a mutant last."""
    path = STATE / "results.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [json.loads(each) for each in lines]


def score(module: str, names: Sequence[str], results: Iterable[Result], equivalent: Mapping[str, str]) -> Score:
    """The score of a module: the last result of each of these mutants counts."""
    source = digest([module])
    last = {
        each["mutation"]: each["status"] for each in results if each["module"] == module and each["source"] == source
    }
    survivors = [name for name in names if last.get(name) not in KILLED]
    same = [name for name in survivors if name in equivalent]
    return Score(
        module,
        len(names),
        len(names) - len(survivors),
        len(same),
        tuple(name for name in survivors if name not in equivalent),
    )


def read(name: str) -> dict[str, dict[str, str]]:
    """A file of `docs/lab`."""
    path = LAB / name
    found: dict[str, dict[str, str]] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


def table(runs: Mapping[str, Mapping[str, Mapping[str, int]]]) -> str:
    """The scores of all runs as a table of a page: a row for each module."""
    modules = dict.fromkeys(module for each in runs.values() for module in each)
    lines = [f"| module | {' | '.join(runs)} |", "|---" * (len(runs) + 1) + "|"]
    for module in modules:
        cells = [_cell(each.get(module)) for each in runs.values()]
        lines.append(f"| `{module.removeprefix('src/pentad/')}` | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(counts: Mapping[str, int] | None) -> str:
    if counts is None:
        return ""
    counted = counts["mutants"] - counts["equivalent"]
    return f"{counts['killed']} of {counted} ({counts['killed'] / max(counted, 1):.0%})"


def save(name: str, scores: Sequence[Score]) -> None:
    """Adds scores to the data of `docs/lab` as a run, and writes the table of its page again."""
    path, page = LAB / "mutants.json", LAB / "mutants.md"
    runs = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    for each in scores:
        runs.setdefault(name, {})[each.module] = {
            "mutants": each.mutants,
            "killed": each.killed,
            "equivalent": each.equivalent,
        }
    path.write_text(json.dumps(runs, indent=1) + "\n", encoding="utf-8")
    before, rest = page.read_text(encoding="utf-8").split(BEGIN)
    page.write_text(before + BEGIN + table(runs) + END + rest.split(END)[1], encoding="utf-8")


def main(words: Sequence[str] | None = None) -> None:
    """Tries the mutants and prints the scores."""
    parser = argparse.ArgumentParser(prog="python -m release.mutants", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("modules", metavar="MODULE", nargs="*", default=[f"src/pentad/{each}.py" for each in MODULES])
    parser.add_argument("--sample", type=int, default=50, metavar="N", help="mutants of a module; 50 without this")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="which ones are drawn; 1 without this")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N", help="mutants at once")
    parser.add_argument("--save", metavar="RUN", help="add the scores to docs/lab under this name")
    options = parser.parse_args(words)
    STATE.mkdir(exist_ok=True)
    for _, modules in groupby(options.modules, key=os.path.dirname):
        run(list(modules), options.sample, options.seed, options.workers)
    results, equivalent = kept(), read("equivalent_mutants.json")
    scores = []
    for module in options.modules:
        names = sample(module, options.sample, options.seed)
        scores.append(score(module, names, results, equivalent.get(module, {})))
        print(f"{scores[-1].share:5.0%} of {scores[-1].mutants - scores[-1].equivalent:3} {module}")
        for each in scores[-1].survivors:
            print(f"      {each}")
    if options.save:
        save(options.save, scores)


if __name__ == "__main__":
    main()
