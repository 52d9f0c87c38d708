"""Checks of commit messages: of a message's file, as git's hook `commit-msg` calls it, or of the commits of a range.

`python -m release.commit_message FILE` and `python -m release.commit_message BASE..HEAD`; both need the standard
library alone. CONTRIBUTING.md has the rules.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

MOST_CHARACTERS = 72
WRITTEN_BY_GIT = ("Merge ", 'Revert "')
TO_BE_SQUASHED = ("fixup! ", "squash! ", "amend! ")


def faults(message: str) -> Iterator[str]:
    """What is wrong with a message."""
    subject, _, rest = message.strip("\n").partition("\n")
    if not subject.strip():
        yield "The subject is empty."
    if subject.startswith((*WRITTEN_BY_GIT, *TO_BE_SQUASHED)):
        return
    if len(subject) > MOST_CHARACTERS:
        yield f"The subject has {len(subject)} characters, more than {MOST_CHARACTERS}."
    if subject.endswith("."):
        yield "The subject ends with a full stop."
    if rest and not rest.startswith("\n"):
        yield "The second line is not empty."


def faults_of_file(path: Path) -> Iterator[str]:
    """What is wrong with the message that git is about to use, with the comments that git removes."""
    lines = path.read_text(encoding="utf-8").splitlines()
    yield from faults("\n".join(line for line in lines if not line.startswith("#")))


def faults_of_range(commits: str, folder: Path) -> Iterator[str]:
    """What is wrong with the commits of a range, except for merges; fixups are to be squashed by now."""
    command = ["git", "log", "--no-merges", "-z", "--format=%h%n%B", commits, "--"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode:
        yield done.stderr.strip()
    for entry in filter(None, done.stdout.split("\0")):
        commit, _, message = entry.partition("\n")
        found = [*faults(message)]
        if message.startswith(TO_BE_SQUASHED):
            found.append("Squash it into the commit that it mends: git rebase --interactive --autosquash")
        yield from (f"{commit} {message.partition(chr(10))[0]}: {each}" for each in found)


def main(words: Sequence[str]) -> int:
    """Prints what is wrong; returns the exit code."""
    if len(words) != 1:
        print("Expected the file of a message, or a range such as main..HEAD.", file=sys.stderr)
        return 2
    is_file = Path(words[0]).is_file()
    found = [*(faults_of_file(Path(words[0])) if is_file else faults_of_range(words[0], Path()))]
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
