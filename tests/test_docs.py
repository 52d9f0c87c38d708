"""The docs site: every page is in its navigation, every link leads somewhere, every API page finds its objects."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_site_builds_without_warnings(tmp_path):
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    page = (tmp_path / "site" / "api" / "pentad" / "index.html").read_text(encoding="utf-8")
    assert "legal_moves" in page


def test_the_table_of_changes_names_files_that_exist():
    table = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Where to change what")[2]
    paths = re.findall(r"`(src/[^`]+)`", table.partition("\n## ")[0])
    assert len(paths) > 10
    assert [path for path in paths if not (ROOT / path).exists()] == []
