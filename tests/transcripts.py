"""Transcripts: golden files with what the commands of `pentad` print.

A transcript is plain text, in a folder `transcripts` beside the tests of its command. A heading begins a scene, which
has an empty folder and no saved games:

    # A move must be legal
    $ cat > moves.txt
    < a2 1C
    < a2 1C
    $ pentad convert moves.txt - --as pentago --to json  # exit 2
    ! pentad: moves.txt, line 2, column 1: a2 is taken by a black marble.

A line after `$` is a command, with its exit code if that is not 0. A line after `<` is typed; it stands where the
command reads it. A line after `!` is from standard error; one after `+` or `-` names a file or folder that the command
has written or removed; any other is from standard output. `TOOLS` has the commands besides `pentad`, and `VARYING` what
is replaced because it differs from run to run.

`python -m tests.transcripts [FILE …]` runs the commands, and writes the files again.
"""

from __future__ import annotations

import ast
import contextlib
import difflib
import io
import os
import re
import shlex
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pentad.terminal import main
from tests.store import real_games

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

ROOT = Path(__file__).parent.parent
OUTPUT, ERROR, TYPED = "", "! ", "< "
EXIT = re.compile(r"  # exit (\d+)$")
MARKED = re.compile(r"[-+$#<!\\]( |$)")  # a line of output that begins so gets a backslash
SETTINGS = ("NO_COLOR", "FORCE_COLOR", "LINES", "PENTAD_DEBUG", "PENTAD_SLICES", "PYTHONIOENCODING")
VARYING = (
    (r"^(\w+ engine|solved): .*", r"\1: <time>"),
    (r"\b0\.0 s(?=; proved)", "0.0 s, 1/s"),  # a search that took no time has no rate
    (r"\b[\d,]+\.\d+ (ms|s)\b", "<time>"),
    (r"\b[\d,.]+( \w+)?(/s| per second)\b", "<rate>"),
    (r"\b[\d.]+ [KM]iB\b", "<size>"),
    (r"\btime \d+ nps \d+\b", "time <time> nps <rate>"),
    (r"(?<=pentad-)(\w+)-[0-9a-f]{12}", r"\1-<key>"),
    (r"(?<=<home>/transcripts/)(\w+)-[\d-]+", r"\1-<key>"),
    (r"\b\d{4}-\d\d-\d\d( \d\d:\d\d\b|T\d{6}Z)", "<date>"),
    (r'(?<=^\[Date ")[\d-]+', "<date>"),
    (r"(?<=#token=)[\w-]{32}", "<key>"),
    (r"(?<=only now: )[\w-]{32}", "<key>"),
    (r"\S+(?= at the command line)", "<user>"),
)


@dataclass
class Command:
    """A command of a transcript: its words, what is typed, and what it printed: the exit code and lines with marks."""

    words: str
    code: int = 0
    typed: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)


@dataclass
class Scene:
    """Commands that share a folder, below their heading."""

    heading: str
    commands: list[Command] = field(default_factory=list)


def files() -> list[Path]:
    """All transcripts."""
    return sorted((ROOT / "tests").rglob("transcripts/*.txt"))


def read(text: str) -> list[Scene]:
    """The scenes of a transcript."""
    scenes: list[Scene] = []
    for line in text.splitlines():
        if line.startswith("# "):
            scenes.append(Scene(line[2:]))
        elif line.startswith("$ "):
            code = EXIT.search(line)
            scenes[-1].commands.append(Command(EXIT.sub("", line[2:]), int(code[1]) if code else 0))
        elif scenes and scenes[-1].commands:
            command = scenes[-1].commands[-1]
            command.lines.append(line)
            if line.startswith("<") and MARKED.match(line):
                command.typed.append(line[2:])
    return scenes


def written_again(text: str) -> str:
    """A transcript with what its commands print now."""
    return "\n".join("".join(f"{line}\n" for line in _played(scene)) for scene in read(text))


def difference(path: Path) -> str:
    """What the commands print otherwise than their transcript says, as a unified diff."""
    text = path.read_text(encoding="utf-8")
    before, now = text.splitlines(), written_again(text).splitlines()
    return "\n".join(difflib.unified_diff(before, now, path.name, "what is printed now", lineterm=""))


def _played(scene: Scene) -> Iterator[str]:
    yield f"# {scene.heading}"
    with tempfile.TemporaryDirectory() as place:
        home, folder = Path(place).resolve() / "home", Path(place).resolve() / "folder"
        folder.mkdir()
        with environment(home), contextlib.chdir(folder):
            places = ((re.escape(str(folder)), "<folder>"), (re.escape(str(home)), "<home>"))
            for command in scene.commands:
                screen, before = Screen(), _contents(folder)
                code = run(command.words, Keyboard(command.typed, screen), screen)
                yield f"$ {command.words}" + (f"  # exit {code}" if code else "")
                lines = [*screen.lines()]
                if command.words.partition(" ")[0] not in TOOLS:
                    after = _contents(folder)
                    lines += [f"+ {name}" for name, state in after.items() if before.get(name) != state]
                    lines += [f"- {name}" for name in before if name not in after]
                for line in lines:
                    for varying, name in () if line.startswith(TYPED) else (*places, *VARYING):
                        line = re.sub(varying, name, line)
                    yield line


def _contents(folder: Path) -> dict[str, list[tuple[str, int]]]:
    """The files and folders in a folder, with what tells that they have changed."""
    return {
        f"{each.name}/" if each.is_dir() else each.name: [
            (str(path), path.stat().st_mtime_ns) for path in sorted([each, *each.rglob("*")]) if path.is_file()
        ]
        for each in sorted(folder.iterdir())
    }


# ── commands ─────────────────────────────────────────────────────────────────────────────────────


@contextlib.contextmanager
def environment(home: Path) -> Iterator[None]:
    """A data folder, and a terminal without the tester's settings."""
    variables = dict(os.environ)
    handlers = {each: signal.getsignal(each) for each in (signal.SIGTERM, signal.SIGHUP)}
    for name in SETTINGS:
        os.environ.pop(name, None)
    os.environ |= {"PENTAD_HOME": str(home), "TERM": "xterm-256color", "COLUMNS": "80"}
    try:
        yield
    finally:
        os.environ.clear()
        os.environ |= variables
        for each, handler in handlers.items():
            signal.signal(each, handler)


def run(command: str, keyboard: Keyboard, screen: Screen) -> int:
    """Runs a command; `NAME=value` before it is a variable of its environment."""
    words = shlex.split(command)
    variables = dict[str, str]()
    while "=" in words[0]:
        name, _, variables[name] = words.pop(0).partition("=")
    before = sys.stdin, sys.stdout, sys.stderr
    os.environ |= variables
    sys.stdin = io.TextIOWrapper(io.BufferedReader(keyboard), encoding="utf-8")
    sys.stdout, sys.stderr = (
        io.TextIOWrapper(Printer(mark, screen), encoding="utf-8", write_through=True) for mark in (OUTPUT, ERROR)
    )
    try:
        name, *rest = words
        code = main(rest) if name == "pentad" else TOOLS[name](rest)
        if not sys.stdin.closed:
            sys.stdin.read()
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
        for name in variables:
            del os.environ[name]
    return code or 0


def _cat(words: list[str]) -> None:
    """`cat > FILE` and `cat FILE`."""
    if words[0] == ">":
        Path(words[1]).write_text(sys.stdin.read(), encoding="utf-8")
    else:
        path = Path(words[0])
        print(path.read_text(encoding="utf-8") if path.exists() else f"There is no file {path}.\n", end="")


def _printf(words: list[str]) -> None:
    r"""`printf TEXT > FILE`, with escapes such as `\xff`."""
    Path(words[2]).write_bytes(ast.literal_eval(f"b'{words[0]}'"))


def _cp(words: list[str]) -> None:
    """`cp FILE FOLDER`, a file of `tests/data`."""
    shutil.copy(ROOT / "tests" / "data" / words[0], words[1])


def _mkdir(words: list[str]) -> None:
    Path(words[0]).mkdir()


def _database(words: list[str]) -> None:
    """`database FILE`, a database of a server with two games and a study."""
    real_games.make(f"sqlite:///{words[0]}")


TOOLS = {"cat": _cat, "cp": _cp, "database": _database, "mkdir": _mkdir, "printf": _printf}


# ── streams ──────────────────────────────────────────────────────────────────────────────────────


class Screen:
    """What is typed and printed, in its order, with a mark for each stream."""

    def __init__(self) -> None:
        self.written: list[tuple[str, bytes]] = []

    def lines(self) -> Iterator[str]:
        mark, line = OUTPUT, b""
        for source, data in self.written:
            if line and source != mark:
                yield _marked(mark, line)
                line = b""
            mark = source
            *whole, line = (line + data).split(b"\n")
            for each in whole:
                yield _marked(mark, each)
        if line:
            yield _marked(mark, line)


def _marked(mark: str, line: bytes) -> str:
    text = line.decode(errors="backslashreplace")
    return f"\\{text}" if not mark and MARKED.match(text) else f"{mark}{text}".rstrip(" ") if mark else text


class Keyboard(io.RawIOBase):
    """Standard input, which shows each line as it is read."""

    def __init__(self, lines: list[str], screen: Screen) -> None:
        self.rest = [f"{line}\n".encode() for line in lines]
        self.screen = screen

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        if not self.rest:
            return 0
        line = self.rest.pop(0)
        view = memoryview(buffer).cast("B")
        part, rest = line[: len(view)], line[len(view) :]
        if rest:
            self.rest.insert(0, rest)
        view[: len(part)] = part
        self.screen.written.append((TYPED, part))
        return len(part)


class Printer(io.BufferedIOBase):
    """Standard output or standard error."""

    def __init__(self, mark: str, screen: Screen) -> None:
        self.mark, self.screen = mark, screen

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer, /) -> int:
        self.screen.written.append((self.mark, bytes(data)))
        return len(bytes(data))


if __name__ == "__main__":
    for path in [Path(name) for name in sys.argv[1:]] or files():
        before = path.read_text(encoding="utf-8")
        if (now := written_again(before)) != before:
            path.write_text(now, encoding="utf-8")
            print(path)
