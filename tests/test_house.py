"""The house itself: its map is true, its rooms stay small, it starts without what it does not need."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "pentad"
MODULES = sorted(SOURCE.rglob("*.py"))


def first_line(module: Path) -> str:
    """What a module says of itself."""
    told = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8")))
    assert told, f"{module} says nothing of itself"
    return told.splitlines()[0]


def drawn_map() -> str:
    """The map as it should be: every folder with its modules, each with what it says of itself."""
    lines = [
        "# The map",
        "",
        "Every module in a line, in its own words. `tests/test_house.py` holds this page to the truth.",
    ]
    for folder in sorted({module.parent for module in MODULES}):
        lines += ["", f"## {folder.relative_to(ROOT).as_posix()}", ""]
        for module in sorted(folder.glob("*.py")):
            lines.append(f"- `{module.name}`: {first_line(module)}")
    return "\n".join(lines) + "\n"


def test_the_map_is_true():
    page = ROOT / "docs" / "map.md"
    assert page.read_text(encoding="utf-8") == drawn_map(), "write it anew: python -m tests.test_house"


@pytest.mark.parametrize("module", MODULES, ids=lambda module: str(module.relative_to(SOURCE)))
def test_rooms_stay_small(module):
    assert len(module.read_text(encoding="utf-8").splitlines()) <= 560


MAIN = "from pentad.terminal import main; main([{!r}])"


@pytest.mark.parametrize("words", ["import pentad", MAIN.format("--help"), MAIN.format("games")])
def test_starting_loads_neither_screens_nor_servers(words):
    heavy = "{'rich', 'fastapi', 'starlette', 'uvicorn', 'numpy', 'numba', 'asyncio', 'platformdirs'}"
    asked = f"{words}\nimport sys\nprint('loaded:', sorted({heavy} & set(sys.modules)))"
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout
    assert told.splitlines()[-1] == "loaded: []"


def test_the_licence_and_the_changelog_know_the_version():
    version = re.search(r'__version__ = "(.+)"', (SOURCE / "__init__.py").read_text(encoding="utf-8"))
    assert version
    assert f"## {version[1]}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


if __name__ == "__main__":
    (ROOT / "docs" / "map.md").write_text(drawn_map(), encoding="utf-8")
