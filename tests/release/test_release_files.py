"""Files for the host of the source: workflows, forms of issues, hooks of pre-commit, the citation.

GitHub runs the workflows and nothing here can, so their keys, commands and versions are compared with the project's.
"""

from __future__ import annotations

import datetime
import re
import shlex
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml

import pentad
from release import all_checks, docs_versions
from release.__main__ import read
from tests.cases import together

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = {path.name: path for path in sorted((ROOT / ".github" / "workflows").glob("*"))}
# The keys that GitHub knows, as far as they are in use.
WORKFLOW = {"name", "on", "permissions", "concurrency", "jobs"}
JOB = {
    *("name", "if", "needs", "runs-on", "timeout-minutes", "permissions", "concurrency", "strategy", "container"),
    *("environment", "env", "steps"),
}
CALL = {"uses", "permissions"}
STEP = {"name", "if", "uses", "with", "run", "env", "timeout-minutes", "working-directory"}
EVENTS = {"push", "pull_request", "schedule", "workflow_call", "workflow_dispatch"}
SYSTEMS = {"ubuntu-24.04", "ubuntu-24.04-arm", "macos-15", "macos-15-intel", "windows-2025"}
ACTIONS = {
    "actions/cache@v6": {"path", "key", "restore-keys"},
    "actions/cache/restore@v6": {"path", "key", "restore-keys"},
    "actions/cache/save@v6": {"path", "key"},
    "actions/checkout@v7": {"persist-credentials", "ref", "fetch-depth"},
    "actions/download-artifact@v8": {"name", "path"},
    "actions/setup-python@v7": {"python-version"},
    "actions/upload-artifact@v7": {"name", "path", "if-no-files-found"},
    "pypa/gh-action-pypi-publish@release/v1": set(),
}
# Who may do more than read: the docs push a branch, publishing proves to PyPI and npm who it is.
MAY_WRITE = {
    ("docs.yml", "publish"): {"contents": "write"},
    ("publish.yml", "publish"): {"id-token": "write"},
    ("publish.yml", "package"): {"id-token": "write"},
}
NOT_OURS = {"docker", "git", "npm", "test", "timeout", "commit=$(git"}  # commands of the systems


class Loader(yaml.SafeLoader):
    """Reads YAML as GitHub does: `on` is no truth value, and a key stands once."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [key.value for key, _ in node.value]
        assert len(keys) == len(set(keys)), f"{node.start_mark}: a key stands twice"
        return super().construct_mapping(node, deep)


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if first not in "oO"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def loaded(path: Path) -> Any:
    return yaml.load(path.read_text(encoding="utf-8"), Loader)


@dataclass(frozen=True)
class Job:
    """A job of a workflow."""

    workflow: str
    name: str
    keys: dict[str, Any]

    @property
    def steps(self) -> list[dict[str, Any]]:
        return list(self.keys.get("steps", ()))

    @property
    def matrix(self) -> dict[str, list[str]]:
        return dict(self.keys.get("strategy", {}).get("matrix", {}))


JOBS = [Job(name, job, keys) for name, path in WORKFLOWS.items() for job, keys in loaded(path)["jobs"].items()]


def commands(job: Job) -> Iterator[list[str]]:
    """The words of each command that the steps of a job run."""
    for step in job.steps:
        for line in re.split(r"\n|&&|\|\|", step.get("run", "").replace("||\n", "||")):
            if line.strip():
                yield shlex.split(line)


@together("name, path", WORKFLOWS.items())
def test_a_workflow_has_known_keys_and_may_read_alone(name, path):
    workflow = loaded(path)
    assert set(workflow) <= WORKFLOW
    assert set(workflow["on"]) <= EVENTS
    assert workflow["permissions"] == {"contents": "read"}
    jobs = [job for job in JOBS if job.workflow == name]
    assert "concurrency" in workflow or all("concurrency" in job.keys for job in jobs)


@together("job", JOBS)
def test_a_job_has_known_keys_a_time_limit_and_its_permissions(job):
    assert job.keys["permissions"] == MAY_WRITE.get((job.workflow, job.name), {"contents": "read"})
    needs = job.keys.get("needs", [])
    assert {*([needs] if isinstance(needs, str) else needs)} <= {*loaded(WORKFLOWS[job.workflow])["jobs"]}
    if "uses" in job.keys:
        assert set(job.keys) <= CALL
        called = WORKFLOWS[job.keys["uses"].removeprefix("./.github/workflows/")]
        assert "workflow_call" in loaded(called)["on"]
        return
    assert set(job.keys) <= JOB
    assert 0 < job.keys["timeout-minutes"] < 360  # six hours are GitHub's own limit
    systems = job.matrix.get("system", [job.keys["runs-on"]])
    assert set(systems) <= SYSTEMS
    assert job.keys["runs-on"] in {*systems, "${{ matrix.system }}"}


@together("job", JOBS)
def test_steps_call_known_actions_with_their_inputs(job):
    for step in job.steps:
        assert set(step) <= STEP
        assert ("run" in step) != ("uses" in step)
        if "uses" in step:
            assert set(step.get("with", ())) <= ACTIONS[step["uses"]]
        if step.get("uses") == "actions/checkout@v7":
            is_pushing = job.keys["permissions"].get("contents") == "write"
            assert is_pushing or step["with"]["persist-credentials"] is False


def test_expressions_name_what_is_there():
    for job in JOBS:
        text = yaml.safe_dump(job.keys, width=1000)
        assert set(re.findall(r"matrix\.(\w+)", text)) == set(job.matrix), job
        assert set(re.findall(r"\$\{\{ (\w+)\.", text)) <= {"github", "matrix"}, job


@together("job", [job for job in JOBS if "python" in job.matrix])
def test_the_pythons_are_those_of_the_classifiers(job):
    versions = [each.rpartition(" ")[2] for each in PROJECT["classifiers"] if re.search(r"Python :: 3\.\d+$", each)]
    assert job.matrix["python"] == versions
    assert PROJECT["requires-python"] == f">={versions[0]}"


def test_the_systems_are_those_of_the_classifiers():
    named = {each.rpartition(" ")[2].lower() for each in PROJECT["classifiers"] if each.startswith("Operating System")}
    (systems,) = (job.matrix["system"] for job in JOBS if job.workflow == "wheels.yml" and job.matrix)
    of = {"ubuntu": "linux"}
    assert {of.get(name, name) for name in (each.partition("-")[0] for each in systems)} == named


def check_command(words: list[str]) -> None:
    """Asserts that a command of ours exists and takes these arguments."""
    match words:
        case [program, *_] if program in NOT_OURS:
            pass
        case ["./pentad", *rest] | ["python", "pentad", *rest]:
            name, _, arguments = read(rest)
            for path in (each for each in arguments if each.startswith("tests/")):
                assert (ROOT / path).is_dir(), path
            assert name in ("test", "wheels", "release")
            unknown = {each for each in arguments if each.startswith("-")}
            assert unknown <= {"--resume", "-m", "--hypothesis-profile"}
        case ["pentad", "site", folder]:
            assert f"{folder}/\n" in (ROOT / ".gitignore").read_text(encoding="utf-8")
        case ["python", "-P", path, kind]:
            assert f'"{kind}"' in (ROOT / path).read_text(encoding="utf-8")
        case ["python", "-m", "pip", "install", *rest]:
            for extras in re.findall(r"^\.\[(.*)\]$", "\n".join(rest), re.MULTILINE):
                assert set(extras.split(",")) <= set(PROJECT["optional-dependencies"])
        case ["python" | "python3" | ".venv/bin/python", "-m", module, *rest]:
            assert find_spec(module), module
            if module == "release.docs_versions":
                assert set(rest[2:]) <= {"--alias", docs_versions.DEFAULT}
                assert rest[1] == "pages"
        case _:
            pytest.fail(f"unknown: {words}")


@together("job", JOBS)
def test_the_commands_exist(job):
    for words in commands(job):
        check_command(words)


@together(
    "line",
    [
        "./pentad tests",
        "./pentad test tests/nowhere",
        "./pentad test --resumed",
        "./pentad wheels",
        "python -m release.nothing",
        'python -m pip install ".[nothing]"',
        'python -P release/trial.py "no kind"',
        "make",
    ],
)
def test_commands_that_do_not_exist_are_found(line):
    with pytest.raises((AssertionError, ValueError, pytest.fail.Exception)):
        check_command(shlex.split(line))


def test_all_checks_run_for_each_change_and_before_a_release():
    runs = {job.workflow: [*commands(job)] for job in JOBS if job.name in ("debian", "slow", "make")}
    (audit,) = (job for job in JOBS if ["python", "-m", "release.audit"] in commands(job))
    assert audit.workflow == "nightly.yml"
    assert "schedule" in loaded(WORKFLOWS["nightly.yml"])["on"]
    assert ["./pentad", "test"] in runs["tests.yml"]
    assert ["./pentad", "test", "--slow", "--resume"] in runs["nightly.yml"]
    assert ["./pentad", "release", "dist"] in runs["wheels.yml"]
    (publish,) = (job for job in JOBS if (job.workflow, job.name) == ("publish.yml", "publish"))
    assert set(publish.keys["needs"]) == {"tests", "wheels"}
    assert loaded(WORKFLOWS["publish.yml"])["on"] == {"push": {"tags": ["v*"]}}


FORMS = [path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml"]


@together("path", FORMS)
def test_a_form_of_an_issue_asks_with_labels(path):
    form = loaded(path)
    assert set(form) == {"name", "description", "labels", "body"}
    assert len({field["id"] for field in form["body"]}) == len(form["body"])
    for field in form["body"]:
        assert set(field) <= {"type", "id", "attributes", "validations"}
        assert field["type"] in ("input", "textarea")
        assert set(field["attributes"]) == {"label", "description"}


def test_hooks_are_the_static_checks():
    settings = loaded(ROOT / ".pre-commit-config.yaml")
    hooks = [hook for repository in settings["repos"] for hook in repository["hooks"]]
    assert all(hook["language"] == "system" for hook in hooks)
    of_python = {tuple(words) for name, words in all_checks.STATIC_CHECKS.items() if name != "import-linter"}
    run = [tuple(word for word in hook["entry"].split() if word != "--force-exclude") for hook in hooks]
    assert {tuple(word for word in words if word != "--check") for words in of_python} == {
        (program.removeprefix(".venv/bin/"), *rest) for program, *rest in run if not program.endswith("python")
    }
    assert run[-1] == (".venv/bin/python", "-m", "release.commit_message")
    assert hooks[-1]["stages"] == ["commit-msg"]


def test_the_citation_is_that_of_the_package():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert {"message", "title", "authors", "abstract", "keywords", "type", "url", "repository-code"} < set(citation)
    assert citation["version"] == pentad.__version__
    assert isinstance(citation["date-released"], datetime.date)
    assert citation["license"] == PROJECT["license"]
    assert citation["authors"] == PROJECT["authors"]
