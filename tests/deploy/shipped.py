"""The files of `deploy/`."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
FILES = sorted(path for path in DEPLOY.iterdir() if path.is_file() and path.name != ".env")
UNITS = [path for path in FILES if path.suffix in (".service", ".socket", ".timer")]
NAME = "play.example.org"  # the site in them


def replaced(text: str, *pairs: tuple[str, str]) -> str:
    """A text with the second of each pair in the place of the first, which has to be there."""
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text
