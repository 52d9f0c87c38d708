"""Fuzzing of every parser of outside text and data, with mutations of valid input.

`python -m tests.fuzzing SECONDS [SEED]` runs for some time and prints the failures; the tests run some inputs of each.
"""

from __future__ import annotations

import atexit
import io
import json
import os
import random
import re
import shutil
import sys
import tempfile
import time
import traceback
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from pentad import load, new
from pentad.bridges.gomocup.brain import Brain
from pentad.bridges.pentagraph.lib.graph import Board, RawBoard
from pentad.bridges.pentagraph.positions import board_of
from pentad.bridges.text_lines import LineReader
from pentad.bridges.ugi.protocol import MAX_LINE_LENGTH as UGI_LINE
from pentad.bridges.ugi.session import UgiSession
from pentad.game import PACKAGES, GameError
from pentad.game import game as game_of
from pentad.games.pentagame import denomination, events
from pentad.games.pentagame.notation import turn_of_number
from pentad.games.pentago import from_number, to_number
from pentad.games.pentago.slices import SliceFile
from pentad.grammar import grammar as gps
from pentad.grammar.control.parser import parse as parse_control
from pentad.grammar.files import exports, gxl
from pentad.grammar.grammar import Grammar
from pentad.grammar.graph import Graph
from pentad.grammar.language import expressions, paths, values
from pentad.grammar.language.labels import label_of
from pentad.grammar.logic import formulas
from pentad.grammar.models import new as new_model
from pentad.grammar.system import prepare
from pentad.record import Record
from pentad.record.formats import FORMATS, decode
from pentad.store.rows import EventRow, GameRow, SeatRow
from pentad.web import board_editor, messages, move_tree, settings
from pentad.web.http import identity, security, socket_sessions
from pentad.web.rooms.state import restored
from pentad.web.service import analyse, models
from tests.games.pentago import slice_files
from tests.games.pente.random_games import GAMES_PLAYED

LONGEST = 40_000  # short inputs let a run have many of them
CHARACTERS = [
    *("\0", "\x01", "\x1c", "\x1f", "\x7f", "\x85", "\xa0", "\xad", "\u034f", "\u200d", "\u2028", "\u3000", "\ufeff"),
    *("\ud800", "\udfff", "\U0001f600", "\u0663", "\xb2", "\xbd", "\u2167", "\uff11", "\u0130", "\xdf", "\u202e"),
    *"()[]{}<>/\\|,;:.\"'`!?*+-=_%&#@~^$ \n\r\t0123456789aAbBxXwWeE",
]
WORDS = [
    *("-0", "1e999", "-1e999", "1e-999", "NaN", "Infinity", "null", "true", "[]", "{}", '""', "\\u0000", "\\ud800"),
    *("9" * 20, "9" * 400, "9" * 5000, "0" * 20, "1_0", "+1", "-1", "0x10", "2147483648", "9223372036854775808"),
    *("1\x1f", "\u0661\u0662", "\r\n", "\n\n", "/*", "*/", "//", "%", "--", "..", "<!DOCTYPE x>", "&amp;", "&#0;"),
    *(
        "[[",
        "]]",
        "((",
        "))",
        "{{",
        "*",
        "1-0",
        "1/2-1/2",
        "[Game",
        '"]',
        "#",
        "@",
        "?[^a,b]",
        "new:",
        "del:",
        "forall:",
    ),
]
DEEP = ("(", "[", "{", "!", "-", '{"a":', "[[", "<a>", "(;", "not ", "a.", "a|", "EX ")


@dataclass(frozen=True)
class Parser:
    """A function under test with its valid inputs. `GameError` is the only exception that it may raise."""

    name: str
    read: Callable[[Any], object]
    make_seeds: Callable[[], Sequence[str | bytes]]
    pieces: str = ""  # the pieces of an input, if it is not used as a whole

    @cached_property
    def seeds(self) -> Sequence[str | bytes]:
        return self.make_seeds()


def mutated(rng: random.Random, seeds: Sequence[str | bytes]) -> str | bytes:
    """A seed with some mutations."""
    data: Any = rng.choice(seeds)
    for _ in range(min(8, 1 + int(rng.expovariate(0.7)))):
        data = rng.choice(_CHANGES)(rng, data, seeds)[:LONGEST]
    return data


def _as(text: str, like: str | bytes) -> Any:
    if isinstance(like, str):
        return text
    return text.encode("utf-8", "surrogatepass")


def _span(rng: random.Random, data: Any) -> tuple[int, int]:
    first = rng.randrange(len(data) + 1)
    return first, min(len(data), first + int(rng.expovariate(1 / (3 if rng.random() < 0.8 else 60))))


def _cut(rng: random.Random, data: Any, seeds: Any) -> Any:
    first, last = _span(rng, data)
    return data[:first] + data[last:]


def _end(rng: random.Random, data: Any, seeds: Any) -> Any:
    return data[: rng.randrange(len(data) + 1)]


def _repeat(rng: random.Random, data: Any, seeds: Any) -> Any:
    first, last = _span(rng, data)
    return data[:last] + data[first:last] * rng.choice((1, 1, 2, 50)) + data[last:]


def _character(rng: random.Random, data: Any, seeds: Any) -> Any:
    first = rng.randrange(len(data) + 1)
    return data[:first] + _as(rng.choice(CHARACTERS), data) + data[first + rng.randrange(2) :]


def _word(rng: random.Random, data: Any, seeds: Any) -> Any:
    first, last = _span(rng, data)
    return data[:first] + _as(rng.choice(WORDS), data) + data[rng.choice((first, last)) :]


def _move(rng: random.Random, data: Any, seeds: Any) -> Any:
    first, last = _span(rng, data)
    rest = data[:first] + data[last:]
    at = rng.randrange(len(rest) + 1)
    return rest[:at] + data[first:last] + rest[at:]


def _splice(rng: random.Random, data: Any, seeds: Any) -> Any:
    other = rng.choice(seeds)
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]


def _number(rng: random.Random, data: Any, seeds: Any) -> Any:
    pattern: Any = r"[0-9]+" if isinstance(data, str) else rb"[0-9]+"
    found = list(re.finditer(pattern, data))
    if not found:
        return _word(rng, data, seeds)
    each = rng.choice(found)
    other = rng.choice((str(rng.randrange(30)), str(rng.getrandbits(rng.choice((8, 32, 64)))), "-1", "1\x1f"))
    return data[: each.start()] + _as(other, data) + data[each.end() :]


def _deep(rng: random.Random, data: Any, seeds: Any) -> Any:
    at = rng.randrange(len(data) + 1)
    return data[:at] + _as(rng.choice(DEEP) * rng.choice((40, 1200, 6000)), data) + data[at:]


def _bits(rng: random.Random, data: Any, seeds: Any) -> Any:
    if isinstance(data, str) or not data:
        return _character(rng, data, seeds)
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]


_CHANGES = (
    _cut,
    _cut,
    _end,
    _repeat,
    _character,
    _character,
    _character,
    _word,
    _word,
    _move,
    _splice,
    _number,
    _number,
    _deep,
    _bits,
)


# ── parsers and valid inputs ─────────────────────────────────────────────────────────────────────────────────


@cache
def records() -> tuple[Record, ...]:
    """Some random games with everything that a record can contain."""
    rng = random.Random(7)
    result = []
    for name, options in (
        *(("pentago", {}), ("pentago", {"players": 4}), ("pente", {}), ("pente", {"rules": "keryo", "size": 15})),
        *(
            ("pente", {"rules": "gomoku", "size": 15}),
            ("pente", {"rules": "freestyle"}),
            ("pente", {"rules": "gomoku", "opening": "swap2"}),
            ("pentagame", {}),
            ("pentagame", {"players": 3}),
        ),
    ):
        try:
            record = Record(game_of(name).new(**options))
        except GameError:
            continue
        for _ in range(9):
            if record.outcome:
                break
            record.play(rng.choice(record.position.legal_moves))
        node = record.root.children[0]
        node.comment, node.clock = "a {comment} with \\ marks", 61.5
        if len(record.main_line) > 2:
            other = record.main_line[1]
            assert other.parent
            other.parent.play(rng.choice([m for m in other.parent.position.legal_moves if m != other.move]))
        record.tags["Name0"] = 'Zo\xeb "Z"'
        result.append(record)
    return tuple(result)


def _texts(format: str) -> list[str]:
    result = []
    for record in records():
        try:
            result.append(FORMATS[format].write([record]))  # type: ignore[misc]
        except GameError:
            continue
    return result


@cache
def grammar() -> Grammar:
    """A small grammar with types and control."""
    model = new_model("ferry")
    rule = model.rules["fuzz"] = Graph("fuzz", "rule", attributes={"priority": "2"})
    thing, other, few = rule.node("type:Thing", "parout:0"), rule.node("new:", "type:Thing"), rule.node("forall:")
    rule.edge(thing, "new:part", other)
    rule.edge(rule.node("type:Thing"), "@", few)
    rule.edge(thing, "!part.(part|-part)*", thing)
    one, two, three, product = rule.node("int:1"), rule.node("int:2"), rule.node("int:"), rule.node("prod:")
    for label, value in (("arg:0", one), ("arg:1", two), ("int:add", three)):
        rule.edge(product, label, value)
    rule.node("type:Thing", "test:size > 1", "let:size = size + 1")
    types = model.types.setdefault("fuzz", Graph("fuzz", "type"))
    one = types.node("type:Thing")
    types.edge(one, "in=0..1:out=1..*:part", one)
    return model


def _files() -> dict[str, bytes]:
    return gps.to_files(grammar())


def _zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


@cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="pentad-fuzz-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _from_file(read: Callable[[Path], object], name: str, data: bytes) -> object:
    path = _folder() / name
    path.write_bytes(data)
    return read(path)


def _read_grammar(data: bytes) -> object:
    """Loads the files of a grammar with one of them changed, and prepares it for exploration."""
    first, _, rest = data.partition(b"\0\0")
    files = _files()
    files[first.decode(errors="replace")] = rest
    return prepare(gps.from_files("fuzz", files))


def _grammar_seeds() -> list[bytes]:
    return [name.encode() + b"\0\0" + data for name, data in _files().items()]


def _sections(path: Path) -> object:
    file = SliceFile(path)
    return [file, *file.check()]


def _slices() -> list[bytes]:
    boards = {5: (3, 12), 7: (1, 2), 3 + (54 << 16): (0, 13)}
    path = slice_files.write(_folder() / "data.pentago", boards, block_size=8)
    slices = sorted(slice_files.DATA.glob("slice-[012].pentago"))
    return [each.read_bytes()[:LONGEST] for each in (path, *slices)]


def _gomocup(text: str) -> object:
    brain = Brain("fuzz")
    lines = LineReader().feed(text.encode("utf-8", "surrogatepass"))
    for line in lines[:200]:
        reply = brain.take(line)
        assert all(each.isascii() for each in reply.lines)
        assert "\n" not in "".join(reply.lines)
    return brain


def _ugi(text: str) -> object:
    session = UgiSession("pentago")
    lines = LineReader(UGI_LINE).feed(text.encode("utf-8", "surrogatepass"))
    for line in lines[:200]:
        reply = session.take(line)
        assert all(each.isascii() for each in reply.lines)
        assert "\n" not in "".join(reply.lines)
    return session


UGI = (
    "ugi\nisready\nsetoption name players value 3\nuginewgame\nposition startpos moves a0_1C b1_2A\nquery p1turn\n",
    "position fen pentago ....../....../..b.../....../....../...... moves a0_1C\ngo movetime 100\nquery result\nstop\n",
    "setoption name Game value pente\nsetoption name Bot value beam:depth=4\ngo p1time 500 p2time 5000 p1inc 0\nquit\n",
)


GOMOCUP = (
    "START 15\r\nBEGIN\r\nTURN 7,7\r\nINFO rule 0\r\nINFO timeout_turn 1000\r\nBOARD\r\n1,2,1\r\nDONE\r\nEND\r\n",
    "RECTSTART 15,15\nINFO max_memory 1000000\nTAKEBACK 1,1\nSWAP2BOARD\n7,7\n8,8\n9,9\nDONE\nPLAY 3,3\nABOUT\n",
    "START 19\nINFO taken 2,4\nINFO variant keryo\nINFO evaluate 1,1\nRESTART\nSTOP\nSUGGEST 1,1\n",
)


def _board(text: str) -> object:
    return [kind.load(text) for kind in (Board, RawBoard)]


def _boards() -> list[str]:
    seeds = []
    for record in records():
        if record.game.name == "pentagame":
            whole = board_of(record.position)  # type: ignore[arg-type]
            seeds += [each if isinstance(each, str) else json.dumps(each) for each in (whole.jsonify(),)]
    return seeds


def _stored(text: str) -> object:
    """Restores a game from database rows: one for the game, and one for each event."""
    try:
        rows = json.loads(text)
        first, *others = [SimpleNamespace(**row) for row in rows]
        row, stored_events = GameRow.of(first), [EventRow.of(each) for each in others]  # type: ignore[arg-type]
    except (ValueError, TypeError, RecursionError, AttributeError):
        return None  # the store refuses such rows like a broken database
    return restored(row, stored_events, 0.0)


def _rows() -> list[str]:
    seeds = []
    for record in records():
        seats = tuple(SeatRow("human", i + 1, "Ada") for i in range(record.start.players))
        row = GameRow("abcdefghjk", record.game.name, record.start.text, {}, seats, {"main": 60.0, "increment": 1.0},
                      False, 1000.0, None, None, 1000.0, 0)  # fmt: skip
        clocks = tuple(60.0 for _ in seats)
        game_events = [EventRow(i, "play", node.parent.position.turn if node.parent else 0, str(node.move), 1000.0,
                                clocks)
                for i, node in enumerate(record.main_line)]  # fmt: skip
        game_events += [
            EventRow(len(game_events), "offer", 0, "draw", 1000.0, clocks),
            EventRow(len(game_events) + 1, "undo", None, "1", 1000.0, clocks),
        ]
        game_events += [EventRow(len(game_events), "resign", 0, "", 1000.0, clocks)]
        columns = [row.columns, *(each.columns("abcdefghjk") for each in game_events)]
        seeds.append(json.dumps(columns))
    return seeds


def _settings(data: bytes) -> object:
    folder = _folder() / "home"
    folder.mkdir(exist_ok=True)
    (folder / settings.FILE).write_bytes(data)
    old = settings.user_files.home
    settings.user_files.home = lambda: folder  # type: ignore[assignment]
    try:
        variable = data.decode("latin-1").replace("\0", "")[:20] if len(data) < 9 else ""
        with patch.dict(os.environ, {"PENTAD_WEB_PORT": variable}):
            return settings.settings({})
    finally:
        settings.user_files.home = old


def _messages(text: str) -> object:
    found: list[object] = []
    for reader in (messages.Incoming, analyse.Incoming, models.Incoming):
        try:
            found.append(socket_sessions.read_message(reader, text, 100_000))  # type: ignore[arg-type]
        except GameError as error:
            found.append(str(error))
    assert all(each.isprintable() and len(each) < 400 for each in found if isinstance(each, str))
    return found


MESSAGES = [
    *('{"type":"step","at":3,"steps":"a2 1C","end":false,"warn":true}', '{"type":"say","text":"hello"}'),
    *('{"type":"answer","at":1,"yes":true,"what":"draw"}', '{"type":"resign","at":1,"seat":0}', '{"type":"here"}'),
    *('{"type":"look","flip":true}', '{"type":"undo","at":0}', '{"type":"hint","at":0}', '{"type":"stop","what":null}'),
    '{"type":"analyse","number":1,"position":"pentago","seconds":1.5,"lines":3}',
]


def _names(text: str) -> object:
    shown = identity.clean(text)
    assert not text or (shown and identity.clean(shown) == shown), shown
    return shown


def _edits(text: str) -> object:
    draft = board_editor.draft(text[:4000])
    piece = draft.pieces[len(text) % len(draft.pieces)].name
    target = draft.choices[len(text) * 7 % len(draft.choices)].targets[0] if draft.choices else ""
    return board_editor.edit(board_editor.Edit(draft=draft.draft[:4000], piece=piece[:30], target=target[:30]))


def _hosts(text: str) -> object:
    return security.SecurityMiddleware(None).is_own_host(text)  # type: ignore[arg-type]


def _moves(text: str) -> object:
    """A move in each game, at the start and later."""
    found: list[object] = []
    for record in records():
        for here in (record.start, record.position):
            for doing in (here.parse, here.partial, here.play):
                try:
                    found.append(doing(text))
                except GameError as error:
                    found.append(error)
    return found


def _turns(text: str) -> object:
    found: list[object] = []
    for read in (denomination.field, denomination.shift, denomination.turn, denomination.legacy.field,
                 denomination.legacy.shift, partial(denomination.brackets, what="a turn"), events.event):  # fmt: skip
        try:
            found.append(read(text))
        except GameError as error:
            found.append(error)
    return found


def _integers(text: str) -> object:
    try:
        number = int(text)
    except ValueError:
        return None
    found: list[object] = []
    for read in (denomination.field, denomination.shift, turn_of_number, events.event, from_number,
                 partial(from_number, placed=True)):  # fmt: skip
        try:
            found.append(read(number))
        except GameError as error:
            found.append(error)
    return found


def _events(text: str) -> object:
    start = next(record.start for record in records() if record.game.name == "pentagame")
    return events.record_of(start, text)  # type: ignore[arg-type]


VALUES = ["int:3", "real:3.5", 'string:"a"', "bool:true", "int:-2147483648", "real:1e9"]
EXPRESSIONS = (
    *(
        "let:n = n + 1",
        "test: self.count <= int:max(1, 2)",
        "string:concat(\"a\", 'b')",
        "real:3.5e-3 * -2",
        "x.y == $z",
    ),
    *("int:add(1,2) > 3 & !true | bool:false", '"a\\"b"', "-2147483648", "a ? b : c", "(((1)))"),
)
PATHS = ("a.b|c*", "-a.?[^x,y]+", "=", "!a.(b|-c)*", "'quoted label'.type:#Foo", "?x[a,b]", "path:a.b", "flag:?f")
FORMULAS = ("!EX A busy U done", "AG (a -> EF b)", "E (a U b) & !c | true", "AF 'x y' <-> b(1,_)", 'rule("s",-1.5)')
LABELS = (
    *("type:Game", "del:turn", "forall=x:", "new:b", "rem:", "in=0..1:out=1..*:x", "let:n=1", "parin:3", "arg:0"),
    *("remark:hi", "prod:", "exists=a>b:", "use=r:x"),
)
CONTROL = (
    "function f(node x, out int y) { a(x, out y); }\nalap f(_, _);\n",
    "package q; recipe r() priority 3 { choice { a; } or { b; } }\nwhile (a|b) { r(); } until (c) try { a; } else b;",
    "import x.y; int x := 3; atom { a; # b; }; (a;b)+ | c* ;",
)


TURNS = (
    *("[0,3,5,2,2]", "[[0,3,5,2,2],[0,12,4,1,0]]", "[0,3,5,2,2] [0,12,4,1,0]", "-[1,-1,-1]", "[5,2,2]"),
    "[4, 3, 2, 0, 0]",
)


def _positions() -> list[str]:
    return [each.text for record in records() for each in (record.start, record.position)] + [
        new(name).text for name in PACKAGES
    ]


def _record_moves() -> list[str]:
    return [str(node.move) for record in records() for node in record.main_line]


def _games() -> list[str]:
    return [GAMES_PLAYED.read_text(encoding="utf-8")[:8000]]


def _pente_texts(name: str) -> list[str]:
    return [*_texts(name), *(_games() if name == "pgn" else [])]


def _drawn() -> list[bytes]:
    models = (grammar(), new_model("pentago"))
    return [gxl.write(graph).encode() for model in models for graph in (model.start, *model.rules.values())]


@cache
def parsers() -> tuple[Parser, ...]:
    """All parsers."""
    found = [
        Parser("record as text", lambda t: FORMATS["pentad"].read(t, None), lambda: _texts("pentad")),
        Parser("record as json", lambda t: FORMATS["json"].read(t, None), lambda: _texts("json")),
        Parser(
            "record leniently",
            lambda t: FORMATS["moves"].read(t, "pentago"),
            lambda: [*_texts("moves"), *_texts("pentad"), *_record_moves()[:6]],
        ),
        Parser(
            "record leniently, pente",
            lambda t: FORMATS["moves"].read(t, "pente"),
            lambda: [*_texts("moves"), *_texts("pentad")],
        ),
        Parser(
            "record leniently, pentagame",
            lambda t: FORMATS["moves"].read(t, "pentagame"),
            lambda: [*_texts("moves"), *TURNS],
        ),
        *(
            Parser(
                f"pente's {name}",
                partial(_read_format, name),
                partial(_pente_texts, name),
            )
            for name in FORMATS
            if name not in ("pentad", "json", "moves", "svg") and FORMATS[name].read
        ),
        Parser(
            "a file's bytes",
            lambda b: move_tree.read_text(decode(b), None),
            lambda: [text.encode() for text in _texts("pentad")],
        ),
        Parser(
            "text that is pasted",
            lambda t: move_tree.read_text(t, "pentago"),
            lambda: [*_texts("pentad"), *_positions(), *_texts("moves"), "12345m", *_boards()[:1]],
        ),
        Parser("position", load, lambda: _positions()),
        Parser("board that is set up", _edits, lambda: _positions()),
        Parser("move", _moves, lambda: _record_moves()),
        Parser("turn by its denomination", _turns, lambda: [*TURNS, "[1,2,0,11,5,0,0]"]),
        Parser(
            "integer",
            _integers,
            lambda: ["522", "312522", "12011500", "999", str(to_number(records()[0].position)), "12345678901234567"],
        ),
        Parser(
            "events",
            _events,
            lambda: [events.write_events(events.events(r)) for r in records() if r.game.name == "pentagame"],
        ),
        Parser("pentagraph's JSON", _board, lambda: _boards()),
        Parser("gomocup", _gomocup, lambda: GOMOCUP),
        Parser("ugi", _ugi, lambda: UGI),
        Parser(
            "graph",
            lambda b: gxl.read(b, "fuzz", "rule", "fuzz.gpr"),
            lambda: _drawn(),
        ),
        Parser("grammar", _read_grammar, lambda: _grammar_seeds()),
        Parser("grammar in a zip", partial(_from_file, Grammar.load, "fuzz.zip"), lambda: [_zipped(_files())]),
        Parser("grammar as JSON", exports.from_json, lambda: [exports.to_json(grammar())]),
        Parser(
            "properties", lambda t: gps.read_properties(t), lambda: ["a = 1\n# no\nb:two \\\n  words\nc\\ d \\u00e4\n"]
        ),
        Parser("control", parse_control, lambda: CONTROL),
        Parser("expression", expressions.parse, lambda: EXPRESSIONS),
        Parser("test", expressions.parse_test, lambda: EXPRESSIONS),
        Parser("let", expressions.parse_let, lambda: ["n = n + 1", "x = real:3.5e-3", 's = string:concat("a", y.z) ']),
        Parser("path", paths.parse, lambda: PATHS),
        Parser("label", partial(label_of, drawing="rule"), lambda: LABELS),
        Parser("value", lambda label: values.DEFAULT.read(*label.partition(":")[::2]), lambda: VALUES),
        Parser("formula", formulas.parse, lambda: FORMULAS),
        Parser("slice file", partial(_from_file, _sections, "fuzz.pentago"), lambda: _slices()),
        Parser(
            "settings",
            _settings,
            lambda: [b'port = 5005\ndatabase = "sqlite:///x"\nbrowser = false\nlan = true\n', b"5005"],
        ),
        Parser("message", _messages, lambda: MESSAGES),
        Parser("name", _names, lambda: ["Ada", "Zo\xeb", "\u0639\u0644\u06cc", "a\u200db", "\u2764\ufe0f", ""]),
        Parser("host", _hosts, lambda: ["localhost:5005", "[::1]:80", "127.0.0.1", "a.localhost", "192.168.1.2:99"]),
        Parser("stored game", _stored, lambda: _rows()),
    ]
    return tuple(found)


def _read_format(name: str, text: str) -> object:
    return FORMATS[name].read(text, None)  # type: ignore[misc]


def try_input(parser: Parser, seed: int) -> Exception | None:
    """Runs a parser on one input; returns an unexpected exception."""
    data = mutated(random.Random(f"{parser.name} {seed}"), parser.seeds)
    try:
        parser.read(data)
    except GameError as error:
        return None if str(error) else error
    except Exception as error:
        return error
    return None


def main() -> None:
    seconds, first = float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    until, count, seen = time.monotonic() + seconds, 0, Counter[str]()
    slowest: dict[str, tuple[float, int]] = {}
    seed = first
    while time.monotonic() < until:
        for parser in parsers():
            began = time.process_time()
            error = try_input(parser, seed)
            took = time.process_time() - began
            count += 1
            if took > slowest.get(parser.name, (1.0, 0))[0]:
                slowest[parser.name] = (took, seed)
                print(f"SLOW {parser.name}: {took:.1f} s, seed {seed}", flush=True)
            if error:
                last = traceback.extract_tb(error.__traceback__)[-1]
                kind = f"{parser.name}: {type(error).__name__} at {Path(last.filename).name}:{last.lineno}"
                seen[kind] += 1
                if seen[kind] == 1:
                    print(f"BROKE seed {seed}: {kind}: {str(error)[:200]!a}", flush=True)
                    traceback.print_exception(error, limit=-6, file=sys.stdout)
        seed += 1
        if seed % 100 == 0:
            print(f"{count:,} inputs, seed {seed}", flush=True)
    print(
        f"DONE {count:,} inputs of {len(parsers())} parsers, seeds {first} to {seed}; broke: {dict(seen)}", flush=True
    )


if __name__ == "__main__":
    main()
