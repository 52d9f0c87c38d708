"""Commit messages: the rules, the file of a message as git's hook gets it, and the commits of a range."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from release.commit_message import MOST_CHARACTERS, faults, faults_of_range, main
from tests.cases import together


@together(
    ("message", "words"),
    [
        ("Offline: a cache with its page is complete", []),
        (f"{'a' * MOST_CHARACTERS}\n\nWhy it is so long.\n", []),
        ("a" * (MOST_CHARACTERS + 1), ["73 characters"]),
        ("A clock.", ["full stop"]),
        ("A clock\nfor all seats", ["second line"]),
        ("", ["empty"]),
        ("\n \n", ["empty"]),
        (f"Merge branch '{'a' * MOST_CHARACTERS}'", []),
        (f'Revert "{"a" * MOST_CHARACTERS}"\n\nThis reverts commit 0123.', []),
        (f"fixup! {'a' * MOST_CHARACTERS}", []),
    ],
)
def test_a_message_and_its_faults(message, words):
    found = list(faults(message))
    assert len(found) == len(words)
    assert all(word in text for word, text in zip(words, found, strict=True))


def test_comments_of_the_message_that_is_being_written_do_not_count(tmp_path, capsys):
    file = tmp_path / "COMMIT_EDITMSG"
    file.write_text(f"# Please enter the message\nA clock\n# {'a' * MOST_CHARACTERS}\n\nWhy.\n", encoding="utf-8")
    assert main([str(file)]) == 0
    file.write_text("A clock.\n# On branch main\n", encoding="utf-8")
    assert main([str(file)]) == 1
    assert "full stop" in capsys.readouterr().err


@pytest.fixture
def history(tmp_path: Path) -> Path:
    """A repository with a good commit, a bad one, a fixup and a merge."""

    def git(*words: str) -> None:
        person = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *person, *words], cwd=tmp_path, check=True, capture_output=True)

    def commit(message: str) -> None:
        git("commit", "--quiet", "--allow-empty", "-m", message)

    git("init", "--quiet", "--initial-branch", "main")
    commit("The first commit")
    git("branch", "other")
    commit("A clock\n\n# Why: a heading in a body is no comment.")
    git("tag", "good")
    commit("a" * (MOST_CHARACTERS + 1))
    commit("fixup! A clock")
    git("checkout", "--quiet", "other")
    commit("A board")
    git("checkout", "--quiet", "main")
    git("merge", "--quiet", "-m", "b" * (MOST_CHARACTERS + 1), "other")
    return tmp_path


def test_all_commits_of_a_range_but_merges_are_checked(history, monkeypatch, capsys):
    assert list(faults_of_range("good~1..good", history)) == []
    fixup, long = faults_of_range("good..main", history)
    assert "fixup! A clock: Squash it" in fixup
    assert "73 characters" in long
    monkeypatch.chdir(history)
    assert main(["good..main"]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 2


def test_a_range_that_is_none(history, monkeypatch, capsys):
    monkeypatch.chdir(history)
    assert main(["nothing..main"]) == 1
    assert "nothing..main" in capsys.readouterr().err
    assert main([]) == 2
