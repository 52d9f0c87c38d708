"""The project's addresses: those of `[project.urls]` in pyproject.toml, and the files that repeat them.

The addresses of the source and of the docs are set there alone; `python -m release.addresses` writes the others.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# The lines that have an address, by their files.
LINES = {
    "pyproject.toml": ('Issues = "{Source}/issues"', 'Changelog = "{Source}/blob/main/CHANGELOG.md"'),
    "zensical.toml": ('site_url = "{Documentation}"', 'repo_url = "{Source}"'),
    "CITATION.cff": ("url: {Documentation}", "repository-code: {Source}"),
    ".github/ISSUE_TEMPLATE/config.yml": ("    url: {Source}/security/advisories/new",),
}


def urls(root: Path) -> dict[str, str]:
    """The addresses by their names."""
    found: dict[str, str] = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
    return found


def with_addresses(text: str, lines: tuple[str, ...], addresses: Mapping[str, str]) -> str:
    """The text with the addresses in these lines; each is found by what stands before its address."""
    found = text.split("\n")
    for line in lines:
        before, made = line.partition("{")[0], line.format_map(addresses)
        found = [made if each.startswith(before) else each for each in found]
    return "\n".join(found)


def changed(root: Path) -> Iterator[tuple[Path, str]]:
    """The files in which an address is another one, with the text that they should have."""
    for name, lines in LINES.items():
        text = (root / name).read_text(encoding="utf-8")
        made = with_addresses(text, lines, urls(root))
        if made != text:
            yield root / name, made


if __name__ == "__main__":
    for path, text in changed(ROOT):
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(ROOT))
