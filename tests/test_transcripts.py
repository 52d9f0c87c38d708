"""Transcripts are read, compared and written again."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.transcripts import difference, read, written_again

PLAYED = """\
# Two players
$ pentad play pentago --black human --white human
pentago. black: human, white: human
< a2 2C
1. black a2 2C
<
< a2
! pentad: a2 is taken by a black marble.
< quit
Saved as pentago-1.
< these lines
< are not read

# Files
$ mkdir made
$ cat > made/moves.txt
< a2 1C
$ pentad convert made/moves.txt game.json --as pentago
+ game.json
$ pentad convert made/moves.txt game.json --as pentago  # exit 2
! pentad: game.json already exists. Use --force to replace it.
$ printf '\\xff $ #' > strange.txt
$ pentad play --load strange.txt  # exit 2
! pentad: strange.txt, line 1, column 1: Invalid UTF-8: unexpected byte 0xff.
$ cat nothing
There is no file nothing.
$ PENTAD_HOME=. pentad play pentago --black human --white human
pentago. black: human, white: human
< a2 1C
1. black a2 1C
Saved as pentago-1.
+ games/
$ PENTAD_HOME=. pentad play --saved
pentago-1        <date>    1 move   human, human  White to move.
"""


def test_a_transcript_is_what_its_commands_print():
    assert written_again(PLAYED) == PLAYED


def test_what_is_printed_replaces_what_was():
    inputs = [line for line in PLAYED.splitlines() if line[:2] in ("# ", "$ ", "< ", "<")]
    stripped = "\n".join(line.partition("  # exit")[0] for line in inputs)
    assert written_again(stripped) == PLAYED


def test_a_difference_shows_the_line_before_and_after(tmp_path):
    path = tmp_path / "play.txt"
    path.write_text(PLAYED.replace("Saved as pentago-1", "Kept as pentago-1", 1), encoding="utf-8")
    lines = difference(path).splitlines()
    assert [line for line in lines if line[0] in "+-"][2:] == ["-Kept as pentago-1.", "+Saved as pentago-1."]
    path.write_text(PLAYED, encoding="utf-8")
    assert difference(path) == ""


def test_output_that_looks_like_input_is_marked():
    text = "# Marks\n$ cat > x.txt\n< # a\n< $ b\n< < c\n< - d\n< plain\n$ cat x.txt\n"
    written = f"{text}\\# a\n\\$ b\n\\< c\n\\- d\nplain\n"
    assert written_again(text) == written_again(written) == written
    assert read(written)[0].commands[1].typed == []


def test_the_scenes_of_a_transcript_share_nothing():
    text = "# One\n$ cat > x.txt\n< a\n\n# Two\n$ cat x.txt\nThere is no file x.txt.\n"
    assert written_again(text) == text


def test_the_surroundings_are_restored():
    before = (Path.cwd(), dict(os.environ), sys.stdin, sys.stdout, sys.stderr)
    written_again("# One\n$ PENTAD_SLICES=x pentad pentago lookup 0\n")
    assert (Path.cwd(), dict(os.environ), sys.stdin, sys.stdout, sys.stderr) == before
