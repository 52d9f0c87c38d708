"""The files of `deploy/`: they can be read, what they name is there, and the page about them names them all."""

from __future__ import annotations

import fnmatch
import json
import re
import shlex
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from pentad.kernels import cache
from pentad.system import files as user_files
from pentad.terminal.command_line import read_arguments
from pentad.web import app
from pentad.web import settings as web_settings
from pentad.web.settings import Settings
from release import programs
from tests.cases import together
from tests.deploy.programs import need
from tests.deploy.shipped import DEPLOY, FILES, NAME, ROOT, UNITS

PAGE = ROOT / "docs" / "how-to" / "deploy.md"
PORT = 5005
PROGRAM = "/opt/pentad/bin/pentad"
# Variables that are no settings of pentad: those of Caddyfile and of the compose files.
OF_FILES = {"PENTAD_NAME", "PENTAD_UPSTREAM", "PENTAD_MEMORY"}
FOLDERS = {user_files.HOME: "/var/lib/pentad", cache.CACHE: "/var/cache/pentad"}  # as the units say


class Loader(yaml.SafeLoader):
    """Reads YAML in which a key stands once."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [key.value for key, _ in node.value]
        assert len(keys) == len(set(keys)), f"{node.start_mark}: a key stands twice"
        return super().construct_mapping(node, deep)


def text_of(name: str) -> str:
    return (DEPLOY / name).read_text(encoding="utf-8")


def loaded(name: str) -> dict[str, Any]:
    return dict(yaml.load(text_of(name), Loader))


def sections(text: str) -> dict[str, list[tuple[str, str]]]:
    """The sections of a unit, with their keys and values."""
    found: dict[str, list[tuple[str, str]]] = {}
    for line in text.splitlines():
        if line.startswith("["):
            found[line.strip("[]")] = []
        elif line and not line.startswith("#"):
            key, equals, value = line.partition("=")
            assert equals, line
            found[list(found)[-1]].append((key, value))
    return found


def instructions(text: str) -> list[tuple[str, str]]:
    """The instructions of a Containerfile, each with its words."""
    lines = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    whole = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in whole.splitlines())]


def braces(text: str) -> list[str]:
    """The blocks of a file of nginx or Caddy that are at its top, by their first words."""
    depth, found = 0, []
    for line in re.sub(r"(^|\s)#.*|\{\$[^}]*\}", "", text).splitlines():
        words = line.split()
        if words[-1:] == ["{"]:
            found += [" ".join(words[:-1])] if not depth else []
            depth += 1
        elif words == ["}"]:
            depth -= 1
        elif words and text.startswith("# The site of a pentad server for nginx"):
            assert words[-1].endswith(";"), line
        assert depth >= 0, line
    assert depth == 0
    return found


READERS: Mapping[str, Callable[[str], object]] = {
    ".json": json.loads,
    ".service": sections,
    ".socket": sections,
    ".timer": sections,
    ".toml": tomllib.loads,
    ".txt": lambda text: re.findall(r"^[\w.-]+==\S+", text, re.MULTILINE),
    ".yaml": lambda text: yaml.load(text, Loader),
    ".yml": lambda text: yaml.load(text, Loader),
    "Caddyfile": braces,
    "Containerfile": instructions,
    "nginx.conf": braces,
}


@together("path", FILES)
def test_a_file_can_be_read(path: Path) -> None:
    assert READERS[path.suffix if path.suffix in READERS else path.name](path.read_text(encoding="utf-8"))


@together("path", FILES)
def test_the_page_names_a_file(path: Path) -> None:
    assert f"`deploy/{path.name}`" in PAGE.read_text(encoding="utf-8")


# ── settings ──────────────────────────────────────────────────────────────────────────────────────


def given(variables: Mapping[str, str], home: Path) -> Settings:
    """The settings of a server with these variables of the environment and a data folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(user_files.HOME, str(home))
        for name, value in variables.items():
            patch.setenv(name, value)
        return web_settings.settings({})


@together("path", FILES)
def test_the_variables_are_those_of_the_program(path: Path) -> None:
    known = {user_files.HOME, cache.CACHE, *(f"{web_settings.PREFIX}{name.upper()}" for name in web_settings.NAMES)}
    assert set(re.findall(r"\bPENTAD_[A-Z_]+", path.read_text(encoding="utf-8"))) <= known | OF_FILES


def test_the_settings_of_the_service(tmp_path: Path) -> None:
    (tmp_path / web_settings.FILE).write_text(text_of("web.toml"), encoding="utf-8")
    assert given({}, tmp_path) == Settings(public_name=(NAME,), port=PORT, browser=False)
    for name in ("pentad.service", "pentad-backup.service"):
        (variables,) = (value for key, value in sections(text_of(name))["Service"] if key == "Environment")
        set_ = dict(each.split("=") for each in variables.split())
        assert set_.items() <= FOLDERS.items()
        assert user_files.HOME in set_


def image_environment() -> dict[str, str]:
    (words,) = (rest for name, rest in instructions(text_of("Containerfile")) if name == "ENV")
    return dict(each.split("=", 1) for each in words.split())


@pytest.mark.parametrize("file", ["compose.yaml", "compose.postgres.yaml"])
def test_the_settings_of_the_containers(file: str, tmp_path: Path) -> None:
    compose = [loaded(each) for each in dict.fromkeys(["compose.yaml", file])]
    variables = {name: value for name, value in image_environment().items() if name.startswith(web_settings.PREFIX)}
    for each in compose:
        variables |= each["services"]["pentad"]["environment"]
    name = f"{web_settings.PREFIX}PUBLIC_NAME"
    variables[name] = re.sub(r"\$\{PENTAD_NAME:\?.*\}", NAME, variables[name])
    found = given(variables, tmp_path)
    (inside,) = compose[0]["networks"]["inside"]["ipam"]["config"]
    assert found.host == web_settings.EVERYWHERE
    assert (found.port, found.public_name, found.browser) == (PORT, (NAME,), False)
    assert found.trusted_proxy == (inside["subnet"],)
    assert (found.database or "").startswith("postgresql+psycopg://pentad@database/") == ("postgres" in file)


@together("name", ["nginx.conf", "Caddyfile", "compose.yaml", "Containerfile"])
def test_all_have_the_same_port(name: str) -> None:
    ports = set(re.findall(r"(?:127\.0\.0\.1|pentad|PORT|EXPOSE)[:= ](\d{4})\b", text_of(name)))
    assert ports - {"2019"} == {str(PORT)}  # 2019 is Caddy's own


# ── commands and paths ────────────────────────────────────────────────────────────────────────────


def commands() -> Iterator[list[str]]:
    """The commands of pentad in the files, each with its arguments."""
    for path in UNITS:
        text = path.read_text(encoding="utf-8")
        for rest in re.findall(rf"{PROGRAM} (.*)", text):
            yield shlex.split(re.sub(r"\$\(.*?\)", "today", rest).rstrip("'"))
    image = dict(instructions(text_of("Containerfile")))
    assert json.loads(image["ENTRYPOINT"]) == ["pentad"]
    yield json.loads(image["CMD"])
    service = loaded("compose.postgres.yaml")["services"]["pentad"]
    assert service["entrypoint"][-1] == "pentad"
    yield service["command"]


def test_the_commands_exist() -> None:
    found = list(commands())
    assert len(found) > 3
    for words in found:
        read_arguments(words)


def test_the_check_of_the_container_asks_what_the_server_answers() -> None:
    (words,) = (rest for name, rest in instructions(text_of("Containerfile")) if name == "HEALTHCHECK")
    program = json.loads(words.partition("CMD ")[2])[-1]
    compile(program, "Containerfile", "exec")
    assert f"http://127.0.0.1:{PORT}/api/health" in program
    assert "/api/health" in {route.path for route in app.SERVED}


def is_in_context(path: str) -> bool:
    """Whether the builder of an image gets a path of the checkout, by `.dockerignore`."""
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    kept = [rule[1:].rstrip("/") for rule in rules if rule.startswith("!")]
    assert [rule for rule in rules if not rule.startswith("!")] == ["*", "**/__pycache__/"]
    assert [each for each in kept if not (ROOT / each).exists()] == []
    return any(path == each or path.startswith(f"{each}/") for each in kept)


def test_the_image_is_built_from_what_is_there() -> None:
    found = instructions(text_of("Containerfile"))
    stages = [rest.partition(" AS ")[2] for name, rest in found if name == "FROM"]
    assert [name for name, _ in found].count("USER") == 1
    for _, words in (each for each in found if each[0] == "COPY"):
        *options, source, _target = words.split()
        if options:
            assert options == [f"--from={stages[0]}"]
        else:
            assert source == "." or is_in_context(source), source
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]
    needed = {"pentad", "pyproject.toml", "LICENSE", "README.md", "src/pentad/__init__.py", "release/wheels.py"}
    for path in needed | set(project["wheel"]["shared-data"]):
        assert is_in_context(path), path
    assert not is_in_context("tests/data/README.md")


# ── containers ────────────────────────────────────────────────────────────────────────────────────

# The keys that Compose knows, as far as they are in use.
TOP = {"name", "services", "networks", "volumes", "secrets", "x-hardened"}
SERVICE = {
    *("build", "cap_add", "cap_drop", "command", "depends_on", "entrypoint", "environment", "healthcheck", "image"),
    *("logging", "mem_limit", "networks", "pids_limit", "ports", "read_only", "restart", "secrets", "security_opt"),
    *("shm_size", "stop_grace_period", "stop_signal", "tmpfs", "ulimits", "user", "volumes"),
}


@pytest.mark.parametrize("files", [["compose.yaml"], ["compose.yaml", "compose.postgres.yaml"]])
def test_the_containers_are_confined_and_restarted(files: list[str]) -> None:
    read = [loaded(each) for each in files]
    for each in read:
        assert set(each) <= TOP
        assert all(set(service) <= SERVICE for service in each["services"].values())
    declared = {kind: {name for each in read for name in each.get(kind, ())} for kind in ("networks", "secrets")}
    volumes = {name for each in read for name in each.get("volumes", ())}
    services: dict[str, dict[str, Any]] = {}
    for each in read:
        for name, service in each["services"].items():
            services.setdefault(name, {}).update(service)
    for name, service in services.items():
        assert service["restart"] == "unless-stopped", name
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert set(service.get("cap_add", ())) <= {"NET_BIND_SERVICE"}
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert {"mem_limit", "pids_limit", "logging"} <= set(service)
        assert "healthcheck" in service or name == "pentad"  # its image has one
        for kind, names in declared.items():
            assert set(service.get(kind, ())) <= names
        for volume in service["volumes"]:
            source = volume.partition(":")[0]
            assert source in volumes or (DEPLOY / source).is_file()
        assert set(service.get("depends_on", ())) <= set(services)
    assert [name for name, service in services.items() if "ports" in service] == ["caddy"]
    assert "inside" not in services.get("database", {}).get("networks", ())


def test_secrets_are_files_that_no_commit_has() -> None:
    for secret in loaded("compose.postgres.yaml")["secrets"].values():
        folder = Path(secret["file"]).parent
        ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
        assert f"/deploy/{folder}/" in ignored
        assert not is_in_context(f"deploy/{secret['file']}")
    assert "/deploy/.env" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()


@together("pattern", ["nginx*", "Caddy*"])
def test_the_proxies_have_the_name_of_the_page(pattern: str) -> None:
    (path,) = (each for each in FILES if fnmatch.fnmatch(each.name, pattern))
    names = set(re.findall(r"[\w.-]+\.example\.org", path.read_text(encoding="utf-8")))
    assert names == {NAME}
    assert NAME in PAGE.read_text(encoding="utf-8")


def test_ci_has_the_programs_of_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a program is missing, tests are skipped with the reason; in CI they fail."""
    absent = [each for each in programs.PROGRAMS if each.tests == programs.UNITS]
    monkeypatch.setattr(programs, "has_systemd", lambda: False)
    monkeypatch.setattr(
        programs,
        "PROGRAMS",
        tuple(programs.Program(each.tests, each.name, each.packages, lambda: False) for each in absent),
    )
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="apt install systemd"):
        need(programs.UNITS)
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="systemd is not installed"):
        need(programs.UNITS)
