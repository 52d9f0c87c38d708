"""The formats of Pente: round trips, warnings about losses, and errors of bad files."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import pentad
from pentad.game import GameError, Move, Outcome, Position
from pentad.games.pente.formats import pgn, psq, sgf
from pentad.record import Node, Record, RecordError, Value
from pentad.record.formats import FORMATS, Format, decode, format_of, read, write
from pentad.terminal import main
from tests.cases import slow, together
from tests.line_limit import at_most
from tests.properties import properties

PGN, PSQ, SGF = pgn.FORMAT, psq.FORMAT, sgf.FORMAT
OWN = (PGN, PSQ, SGF)

PGN_TEXT = """[Game "Pente"]
[Site "the club"]
[Event "Friday "blitz" [round robin]"]
[Date "09/17/2003"]
[TimeControl "10+5"]
[Player 1 Name "Ann"]
[Player 2 Name "Bob"]
[Player 1 Rating "1650"]
[Player 2 Type "Computer"]
[Result "0-1"]

1. K10 L10 2. N10 L11 3. A1 L12 4. M10 L13 5. A3 L9 0-1
"""
PSQ_TEXT = """Piskvorky 15x15, 11:4, 0
8,8,0
9,7,1250
8,9,31
pbrain-one.exe
pbrain-two.exe
15
"""
SGF_TEXT = """(;FF[4]GM[4]CA[UTF-8]AP[pentad]SZ[15]RU[gomoku]PB[Ann]PW[Bob \\] \\\\]
DT[2003-09-17]RE[B+R]C[a start];B[hh];W[ig]C[close](;B[gg]BL[61.5]V[0.25])(
;B[ii]V[1]EXACT[](;W[aa])(;W[bb];B[oo]C[the far corner])))
"""
TEXTS = {PGN: PGN_TEXT, PSQ: PSQ_TEXT, SGF: SGF_TEXT}


def only(text: str, format: Format) -> Record:
    [record] = read(text, format)
    return record


def again(record: Record, format: Format) -> Record:
    """A record, written and read back."""
    return only(write([record], format), format)


def moves(record: Record) -> str:
    return " ".join(map(str, record.moves))


def near(position: Position, chance: random.Random) -> Move:
    """A random legal move, mostly beside the stones, so that lines and captures are frequent."""
    legal = position.legal_moves
    board = position.stones[0] | position.stones[1]  # type: ignore[attr-defined]
    size = position.options["size"]
    assert isinstance(size, int)
    tries = [chance.choice(legal) for _ in range(1 if chance.random() < 0.1 else 12)]

    def crowd(move: Move) -> int:
        column, row = move[0]  # type: ignore[misc]
        around = ((column + i, row + j) for i in (-1, 0, 1) for j in (-1, 0, 1))
        return sum(board >> (y * size + x) & 1 for x, y in around if 0 <= x < size and 0 <= y < size)

    return max(tries, key=crowd)


def played(seed: int, most: int, **options: object) -> Record:
    """A random game, finished or not."""
    chance = random.Random(seed)
    record = Record("pente", **options)
    node = record.root
    while node.position.ply < most and not node.position.outcome:
        node = node.play(near(node.position, chance))
    return record


def grown(seed: int, steps: int, start: Position | str = "pente", **options: object) -> Record:
    """A random tree with comments."""
    chance = random.Random(seed)
    record = Record(start, **options)
    nodes: list[Node] = [record.root]
    for _ in range(steps):
        node = chance.choice(nodes[-4:])
        if node.position.outcome:
            continue
        child = node.play(near(node.position, chance))
        if child not in nodes:
            nodes.append(child)
        if chance.random() < 0.3:
            child.comment = chance.choice(["good", "] \\ [", "a\nb", "\\\n", " ", "über:haupt ;)", "\\]"])
        if chance.random() < 0.3:
            child.clock = chance.randrange(10**7) / 1000
        if chance.random() < 0.3:
            child.value = Value(chance.randrange(-10000, 10001) / 10000, chance.random() < 0.5)
    return record


seeds = st.integers(0, 2**32)
# a line of text for a tag or a name
words = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), min_size=1, max_size=20)
tag_names = st.from_regex(r"[A-Z][A-Za-z0-9_]{0,9}", fullmatch=True)


# ── what all three have in common ────────────────────────────────────────────────────────────────


def test_the_formats_are_found_by_name_and_suffix():
    assert [FORMATS[each.name] for each in OWN] == list(OWN)
    assert [format_of(f"game{each.suffixes[0]}") for each in OWN] == list(OWN)
    assert {"pentad", "json", "moves", "svg", "pgn", "psq", "sgf"} <= set(FORMATS)
    assert len(FORMATS) == len(set(FORMATS))


@pytest.mark.parametrize("format", OWN, ids=lambda each: each.name)
def test_samples_are_written_as_they_were_read(format: Format, caplog: pytest.LogCaptureFixture):
    assert write(read(TEXTS[format], format), format) == TEXTS[format]
    assert not caplog.records


@together("format", OWN)
@together(
    "spoil",
    [lambda t: "\ufeff" + t, lambda t: t.replace("\n", "\r\n"), lambda t: t + "\n \n", lambda t: t.rstrip("\n")],
)
def test_byte_order_marks_and_line_endings_are_accepted(format: Format, spoil: Callable[[str], str]):
    assert read(spoil(TEXTS[format]), format) == read(TEXTS[format], format)


@pytest.mark.parametrize("format", OWN, ids=lambda each: each.name)
def test_truncated_files_are_errors(format: Format):
    text = TEXTS[format]
    for length in range(len(text.rstrip())):
        with pytest.raises(RecordError):
            read(text[:length], format)


@pytest.mark.parametrize("format", OWN, ids=lambda each: each.name)
def test_invalid_utf8(format: Format):
    data = bytearray(TEXTS[format].encode())
    for at in range(0, len(data), 7):
        spoilt = bytes(data[:at]) + b"\xff\x00\xfe" + bytes(data[at:])
        with pytest.raises(RecordError, match="Invalid UTF-8: unexpected byte 0xff"):
            decode(spoilt)


@given(st.sampled_from(OWN), st.data())
@properties(400)
def test_damaged_files_are_read_or_a_one_line_error(format: Format, data: st.DataObject):
    text = TEXTS[format]
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 6))
        put = data.draw(
            st.sampled_from(["", "\x00", "[", "]", "(", ")", ";", '"', "\n", "1.", "-1", "99", "hh", "B[hh]", "é"])
        )
        text = text[:at] + put + text[at + length :]
    try:
        records = read(text, format)
    except RecordError as refused:
        error = refused
    else:
        assert all(Record.read(record.text) == record for record in records)
        return
    assert "\n" not in str(error)
    assert 1 <= error.line <= text.count("\n") + 1


@given(st.sampled_from(OWN), st.text(max_size=80))
@properties(300)
def test_random_text_is_a_one_line_error(format: Format, text: str):
    with pytest.raises(RecordError) as error:
        read(text, format)
    assert "\n" not in str(error.value)


MEGABYTES = 10 << 20


LONG = {
    *(("escapes", SGF), ("nodes", SGF), ("one name", SGF), ("the same variation", SGF)),
    *(("blank lines", PSQ), ("moves", PSQ)),
}


def huge() -> Iterator[tuple[str, Format, Callable[[], str]]]:
    """Functions that make texts of ten megabytes, with a description."""
    yield "a remark", SGF, lambda: SGF_TEXT.replace("close", "x" * MEGABYTES)
    yield "escapes", SGF, lambda: SGF_TEXT.replace("close", "\\]" * (MEGABYTES // 2))
    yield "a remark without an end", SGF, lambda: "(;GM[4]C[" + "\\x" * (MEGABYTES // 2)
    yield "brackets", SGF, lambda: "(" * MEGABYTES
    yield "games within games", SGF, lambda: "(;" * (MEGABYTES // 2)
    yield "nodes", SGF, lambda: "(" + ";" * (MEGABYTES // 10) + ")"
    yield "one name", SGF, lambda: "(;" + "A" * MEGABYTES
    yield "spaces", SGF, lambda: "(;GM[4]" + " " * MEGABYTES
    yield "the same variation", SGF, lambda: "(;GM[4];B[hh]" + "(;W[ii])" * (MEGABYTES // 80) + ")"
    yield "a value", PGN, lambda: PGN_TEXT.replace("the club", "x" * MEGABYTES)
    yield "a tag without an end", PGN, lambda: "[" + " " * MEGABYTES
    yield "quotation marks", PGN, lambda: '["' + '"]' * (MEGABYTES // 2) + "x"
    yield "spaces", PGN, lambda: PGN_TEXT + " " * MEGABYTES
    yield "moves", PGN, lambda: PGN_TEXT.split("1.")[0] + "".join(f"{i}. K10 K9 " for i in range(1, MEGABYTES // 15))
    yield "numbers", PGN, lambda: PGN_TEXT.split("1.")[0] + "1. " * (MEGABYTES // 3)
    yield "moves", PSQ, lambda: "Piskvorky 15x15, 0:0, 0\n" + "1,1,100000\n" * (MEGABYTES // 11) + "-1\n"
    yield "blank lines", PSQ, lambda: PSQ_TEXT + "\n" * MEGABYTES
    yield "a name", PSQ, lambda: PSQ_TEXT.replace("one", "x" * MEGABYTES)
    yield "digits", PSQ, lambda: "Piskvorky 15x15, 0:0, 0\n" + "1" * MEGABYTES
    for each in OWN:
        yield "rubbish", each, lambda: "\x00\x01%x" * (MEGABYTES // 4)


@pytest.mark.fast_cases(8)
@pytest.mark.parametrize(
    ("what", "format", "make"),
    [(slow if case[:2] in LONG else pytest.param)(*case, id=f"{case[1].name}: {case[0]}") for case in huge()],
)
def test_ten_megabytes(what: str, format: Format, make: Callable[[], str]):
    text, message_text = make(), ""
    with at_most(lines=100_000_000):
        try:
            read(text, format)
        except RecordError as error:
            message_text = str(error)
    assert len(message_text) < 300


def lines_of_reading(text: str) -> int:
    """The number of lines of Python that read a text."""
    limit = at_most(lines=100_000_000)
    with limit:
        read(text, PGN)
    return limit.count


@pytest.mark.slow
def test_the_time_of_large_files_is_linear():
    assert lines_of_reading(PGN_TEXT * 80) < 4.5 * lines_of_reading(PGN_TEXT * 20)


def test_the_other_games_are_refused():
    other = Record("pentago")
    for each in OWN:
        with pytest.raises(GameError, match=f"{each.name} .* of pente, not of pentago"):
            write([other], each)
        with pytest.raises(GameError, match=f"{each.name} .* of pente, not of pentago"):
            read(TEXTS[each], each, "pentago")
        assert read(TEXTS[each], each, "pente") == read(TEXTS[each], each)


def test_swap2_is_refused():
    for each in OWN:
        with pytest.raises(GameError, match="cannot hold the opening swap2"):
            write([Record("pente", rules="gomoku", size=19, opening="swap2")], each)


@pytest.mark.parametrize("format", [PGN, PSQ], ids=lambda each: each.name)
def test_games_from_other_positions_are_refused(format: Format):
    record = Record("pente", rules="gomoku", size=19)
    record.play("K10")
    with pytest.raises(GameError, match=f"{format.name} .* from the first position"):
        write([Record(record.position)], format)


def test_losses_are_a_one_line_warning(caplog: pytest.LogCaptureFixture):
    record = Record("pente", rules="gomoku", size=19, tags={"Seat0": "Ann", "Place": "here", "Site": "a\nb"})
    record.play("K10").comment = "good"
    record.play("L10").clock = 5
    record.root.children[0].play("M10")
    record.end.value = Value(0.5)
    record.ended = Outcome.of((0,), 2, "bored")
    for each in OWN:
        write([record] if each is PSQ else [record, record], each)
    assert [entry.getMessage() for entry in caplog.records] == [
        (
            "pgn cannot represent 2 variations, 2 comments, 2 clock times, 2 values "
            "and the line breaks of a tag; left out."
        ),
        (
            "psq cannot represent 1 variation, 1 comment, 1 clock time, 1 value, the result 1-0, bored, the tag Place "
            "and the tag Site; left out."
        ),
        "sgf cannot represent the tag Place, the line breaks of the tag Site and the reason 'bored'; left out.",
    ]


# ── the online site's text ───────────────────────────────────────────────────────────────────────


def test_pgn_sample():
    record = only(PGN_TEXT, PGN)
    assert record.tags == {
        "Site": "the club",
        "Event": 'Friday "blitz" [round robin]',
        "Date": "2003-09-17",
        "TimeControl": "10+5",
        "Seat0": "Ann",
        "Seat1": "Bob",
        "Seat0Rating": "1650",
        "Seat1Type": "Computer",
    }
    assert moves(record) == "K10 L10 N10 L11 A1 L12 M10 L13 A3 L9"
    assert record.start == pentad.new("pente")
    assert record.outcome == Outcome.of((1,), 2, "five")
    assert record.ended is None


@given(
    seeds,
    st.integers(0, 60),
    st.sampled_from(sorted(pgn.VARIANTS.values())),
    st.sampled_from([None, "free", "centre", "tournament", "pro"]),
    st.sampled_from(
        [None, Outcome.of((0,), 2, "resigned"), Outcome.of((1,), 2, "stated"), Outcome.of((), 2, "agreed")]
    ),
    st.dictionaries(st.one_of(tag_names, st.sampled_from(sorted(pgn.SITE_NAMES))), words, max_size=4),
)
@properties(120)
@example(1, 0, "gomoku", None, None, {})
@example(1, 1, "pente", "free", None, {})
@example(2, 2, "gomoku", "centre", None, {"Variant": "Speed Gomoku"})
@example(2, 2, "gomoku", "centre", None, {"Variant": "Gomoku", "Date": "1999-02-29"})
def test_pgn_round_trip(seed, most, rules, opening, ended, tags):
    tags = {name: value for name, value in tags.items() if name not in ("Game", "Options", "Start", "Result", "Reason")}
    assume("OpeningRule" not in tags)
    record = played(seed, most, rules=rules, size=19, **({"opening": opening} if opening else {}))
    record.tags = tags
    record.ended = None if record.outcome else ended
    back = again(record, PGN)
    assert back == record
    assert back.outcome == record.outcome


@pytest.mark.parametrize(("name", "rules"), pgn.VARIANTS.items())
def test_pgn_names_of_games(name: str, rules: str):
    for message_text in (name, f"Speed {name}", f"Turn-based {name}", name.lower()):
        text = f'[Game "{message_text}"]\n\n1. K10 *\n'
        record = only(text, PGN)
        assert (record.start.options["rules"], record.start.options["size"]) == (rules, 19)
        assert record.tags == ({} if message_text == name else {"Variant": message_text})
        assert write([record], PGN).startswith(f'[Game "{message_text}"]')


@pytest.mark.parametrize(
    "name", ["D-Pente", "DK-Pente", "Swap2-Pente", "Connect6", "Go (9x9)", "Renju", "O-Pente", "pentago", ""]
)
def test_pgn_names_of_unsupported_games(name: str):
    with pytest.raises(RecordError) as error:
        read(f'[Site "x"]\n[Game "{name}"]\n\n1. K10 *\n', PGN)
    assert str(error.value).startswith(f"line 2, column 1: {name!r} is not supported. The games are Pente, Keryo-Pente")


@pytest.mark.parametrize(
    ("text", "played", "opening"),
    [
        ("1. K10 J12 2. N10 *", "K10 J12 N10", "tournament"),
        ("1. K10 J12 2. L10 K8 *", "K10 J12 L10 K8", "centre"),  # breaks the tournament rule
        ("1. J12 2. N10 K8 *", "K10 J12 N10 K8", "tournament"),  # the first stone is left out
        ("1. ... J12 2. N10 K8 *", "K10 J12 N10 K8", "tournament"),
        ("1... J12 2. L10 K8 *", "K10 J12 L10 K8", "centre"),
        ("1. J12 N10 2. K8 *", "K10 J12 N10 K8", "tournament"),  # left out, and the pairs counted without it
        ("1. J12 *", "K10 J12", "tournament"),
        ("1.k10 j12 2.n10\n*", "K10 J12 N10", "tournament"),
        ("*", "", "tournament"),
        ("?", "", "tournament"),
    ],
)
def test_pgn_first_stones(text: str, played: str, opening: str):
    record = only(f'[Game "Pente"]\n\n{text}', PGN)
    assert (moves(record), record.start.options["opening"]) == (played, opening)
    assert again(record, PGN) == record


def test_pgn_first_stones_with_free_opening():
    record = only('[Game "Gomoku"]\n1. J12 N10 2. K8 *', PGN)
    assert (moves(record), record.start.options["opening"]) == ("J12 N10 K8", "free")
    assert moves(only('[Game "Gomoku"]\n1. J12 2. N10 K8 *', PGN)) == "K10 J12 N10 K8"


def test_pgn_tournament_rule_of_g_pente():
    for third, opening in (("K15", "tournament"), ("O10", "centre"), ("K12", "centre")):
        record = only(f'[Game "G-Pente"]\n\n1. K10 L10 2. {third} *', PGN)
        assert record.start.options["opening"] == opening
        assert again(record, PGN) == record


def test_pgn_opening_that_the_moves_do_not_show():
    record = Record("pente", tournament_rule=False)
    record.play("K10")
    text = write([record], PGN)
    assert '[OpeningRule "centre"]' in text
    assert only(text, PGN) == record


@pytest.mark.parametrize(
    ("tag", "word", "ended"),
    [
        ("1-0", "1-0", Outcome.of((0,), 2, "stated")),
        ("0-1", "0-1", Outcome.of((1,), 2, "stated")),
        ("1/2-1/2", "1/2-1/2", Outcome.of((), 2, "stated")),
        ("0-0", "1/2-1/2", Outcome.of((), 2, "stated")),
        ("?", "1-0", Outcome.of((0,), 2, "stated")),
        ("1-0", "?", Outcome.of((0,), 2, "stated")),
        ("1-0", "Resign 1-0", Outcome.of((0,), 2, "resigned")),
        ("1-0", "2. Forfeit 1-0", Outcome.of((0,), 2, "forfeit")),
        ("*", "*", None),
        ("?", "?", None),
    ],
)
def test_pgn_results_that_the_board_does_not_show(tag: str, word: str, ended: Outcome | None):
    record = only(f'[Game "Pente"]\n[Result "{tag}"]\n\n1. K10 J12 {word}\n', PGN)
    assert record.ended == ended
    assert again(record, PGN) == record


def test_pgn_several_games():
    records = [played(seed, 20, rules=rules, size=19) for seed, rules in enumerate(pgn.VARIANTS.values())]
    assert read(write(records, PGN), PGN) == records
    assert read(PGN_TEXT * 3, PGN) == [only(PGN_TEXT, PGN)] * 3


def test_pgn_fills_its_lines():
    record = played(3, 60, rules="gomoku", size=19)
    lines = write([record], PGN).splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[3].startswith("1. ")


PGN_ERRORS = [
    ("", 1, 1, 'The tag [Game "…"] is missing.'),
    ("1. K10 *", 1, 1, 'The tag [Game "…"] is missing.'),
    ('[Game "Pente"', 1, 1, 'Expected a tag as [Name "value"]'),
    ("[Game Pente]\n1. K10 *", 1, 1, 'Expected a tag as [Name "value"]'),
    ('[Game "Pente"]\n[]\n', 2, 1, 'Expected a tag as [Name "value"]'),
    ('[Game "Pente"]\n[ "x"]\n', 2, 1, 'Expected a tag as [Name "value"]'),
    ('[Game "Pente"]\n[1st "x"]\n', 2, 1, "A tag's name must begin with a letter"),
    ('[Game "Pente"]\n[Game "Pente"]\n', 2, 1, "The tag Game is given twice."),
    ('[Game "Pente"]\n[A B "x"]\n[A_B "y"]\n', 3, 1, "The tag A_B is given twice."),
    ('[Game "Pente"]\n[Options "x"]\n', 2, 1, "The tag Options belongs to pentad's own format"),
    ('[Game "Pente"]\n[OpeningRule "swap2"]\n*', 2, 1, "The tag OpeningRule must be one"),
    ('[Game "Pente"]\n[Result "2-0"]\n\n1. K10 1-0', 2, 1, "The tag Result has '2-0', but"),
    ('[Game "Pente"]\n[Result "0-1"]\n\n1. K10 1-0', 2, 1, "The tag Result has '0-1', but"),
    ('[Game "Pente"]\n\n1. K10', 3, 7, "Expected the game's result (1-0, 0-1"),
    ('[Game "Pente"]\n\n1. K10 L10 2. *', 3, 12, "Expected a move after the number 2."),
    ('[Game "Pente"]\n\n1. 2. K10 *', 3, 1, "Expected a move after the number 1."),
    ('[Game "Pente"]\n\nK10 L10 *', 3, 1, "Expected the number 1. before K10."),
    ('[Game "Pente"]\n\n1. K10 L10 N10 *', 3, 12, "Expected the number 2. before N10."),
    ('[Game "Pente"]\n\n1. K10 2. L10 *', 3, 8, "Expected the second move of a pair, got 2."),
    ('[Game "Pente"]\n\n1. K10 L10\n3. N10 *', 4, 1, "Expected the number 2., got 3."),
    ('[Game "Pente"]\n\n1. K10 I9 *', 3, 8, "'I9' is not a point"),
    ('[Game "Pente"]\n\n1. K10 T20 *', 3, 8, "T20 is not on the board"),
    ('[Game "Pente"]\n\n1. K10 {good} *', 3, 8, "'{good}' is not a point"),
    ('[Game "Pente"]\n\n1. K10 K10 *', 3, 8, "Move 2: K10 is occupied by a white stone"),
    ('[Game "Pente"]\n\n1. K10 L10 2. Resign N10 *', 3, 22, "Expected the result after resigned, got 'N10'."),
    ('[Game "Pente"]\n\n1. K10 L10 Resign *', 3, 19, "An unfinished game has no reason"),
    ('[Game "Pente"]\n[Reason "x"]\n1. K10 *', 3, 8, "An unfinished game has no reason"),
    (PGN_TEXT.replace("0-1", "1-0"), 12, 53, "The result on the board is 0-1, five"),
    (PGN_TEXT.replace("0-1", "*"), 12, 53, "The game is over on the board: 0-1, five"),
    (PGN_TEXT.replace("L9 0-1", "L9 6. A5 0-1"), 12, 56, "Move 11: The game is over. Black wins "),
    (PGN_TEXT + "x", 13, 1, 'The tag [Game "…"] is missing.'),
]


@together(("text", "line", "column", "message"), PGN_ERRORS)
def test_pgn_errors_have_the_place(text: str, line: int, column: int, message: str):
    with pytest.raises(RecordError) as error:
        read(text, PGN)
    assert (error.value.line, error.value.column) == (line, column)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rules": "freestyle", "size": 19}, "pgn cannot hold the rule set freestyle"),
        ({"rules": "lines", "size": 19}, "pgn cannot hold the rule set lines"),
        ({"rules": "gomoku"}, "pgn holds games on 19×19, the site's board"),
        ({"size": 13}, "pgn holds games on 19×19"),
        ({"rules": "pente", "capture_win": 12}, "pgn cannot hold the options capture_win=12"),
        ({"rules": "poof", "line": 6, "captures": 3}, "pgn cannot hold the options line=6 captures=3"),
    ],
)
def test_pgn_refuses_what_it_cannot_hold(options, message):
    with pytest.raises(GameError) as error:
        write([Record("pente", **options)], PGN)
    assert message in str(error.value)


@pytest.mark.parametrize("name", ["two words", "1st", "", "OpeningRule", "Å"])
def test_pgn_refuses_names_of_tags_that_it_cannot_hold(name: str):
    with pytest.raises(GameError, match="cannot hold a tag"):
        write([Record("pente", tags={name: "x"})], PGN)


# ── Piskvork ─────────────────────────────────────────────────────────────────────────────────────


def test_psq_sample():
    record = only(PSQ_TEXT, PSQ)
    assert record.tags == {"Seat0": "pbrain-one.exe", "Seat1": "pbrain-two.exe", "PsqLevels": "11:4"}
    assert moves(record) == "H8 J9 H7"  # rows are counted from the top
    assert [node.comment for node in record.main_line] == ["", "1250 ms", "31 ms"]
    assert record.start == pentad.new("pente", rules="freestyle")
    assert record.ended == Outcome.of((0,), 2, "out of time")


names = words.filter(psq._is_name)


@given(
    seeds,
    st.integers(0, 60),
    st.sampled_from(["freestyle", "gomoku"]),
    st.sampled_from([5, 8, 15, 20, 25]),
    st.sampled_from([None, "out of time", "out of memory", "forfeit", "stated"]),
    st.fixed_dictionaries({}, optional={"Seat0": names, "Seat1": names, "PsqLevels": st.just("3:11")}),
)
@properties(150)
def test_psq_round_trip(seed, most, rules, size, reason, tags):
    record = played(seed, most, rules=rules, size=size)
    chance = random.Random(seed)
    for node in record.main_line:
        node.comment = chance.choice(["", f"{chance.randrange(1, 10**6)} ms"])
    record.tags = tags
    if reason and not record.outcome:
        winners = () if reason == "stated" else (1 - record.position.turn,)
        record.ended = Outcome.of(winners, 2, reason)
    back = again(record, PSQ)
    assert {**back.tags} == tags
    back.tags = dict(tags)
    assert back == record
    assert back.outcome == record.outcome


@given(seeds, st.integers(0, 60))
@properties(60)
def test_psq_truncated_games_are_errors_or_the_same_game(seed, most):
    record = played(seed, most, rules="gomoku", size=9)
    text = write([record], PSQ)
    for length in range(len(text)):
        try:
            back = only(text[:length], PSQ)
        except RecordError:
            continue
        assert back.moves == record.moves  # a further line could only hold the result


def test_psq_the_second_player_may_begin():
    record = only(PSQ_TEXT.replace(", 0\n", ", 1\n"), PSQ)
    assert record.tags == {"Seat0": "pbrain-two.exe", "Seat1": "pbrain-one.exe", "PsqLevels": "4:11"}
    assert again(record, PSQ) == record


@together(
    ("end", "ended"),
    [
        ("-1", None),
        ("0", None),
        ("15", ((0,), "out of time")),
        ("16", ((0,), "out of memory")),
        ("-2", ((0,), "forfeit")),
        ("a\nb\n-1", None),
        ("homo-1\nhomo-2\n-1", None),
        ("a\nb\n-1\n0,Freestyle15_1", ((), "stated")),
        ("a\nb\n-1\n1,Freestyle15_1", ((0,), "forfeit")),
        ("a\nb\n-1\n2,Fastgame", ((0,), "forfeit")),
        ("a\nb\n-1\n-1,Standard2", None),
        ("a\nb\n15\n1,Standard2", ((0,), "out of time")),
    ],
)
def test_psq_ends(end: str, ended: tuple[tuple[int, ...], str] | None):
    record = only(PSQ_TEXT.partition("pbrain")[0] + end + "\n", PSQ)
    assert record.ended == (Outcome.of(ended[0], 2, ended[1]) if ended else None)
    assert record.start.options["rules"] == ("gomoku" if "Standard" in end else "freestyle")
    assert record.tags.get("Seat0", "") == ("a" if "a\n" in end else "")
    assert only(write([record], PSQ), PSQ) == record


def overline(rules: str) -> Record:
    """Six in a row: a win in freestyle, but not in gomoku."""
    record = Record("pente", rules=rules)
    for move in ("H8", "A1", "G8", "A3", "J8", "A5", "L8", "A7", "M8", "A9", "K8"):
        record.play(move)
    return record


def test_psq_rule_set_from_the_moves_or_the_last_line():
    free, five = overline("freestyle"), overline("gomoku")
    assert free.outcome
    assert write([free], PSQ).endswith("\n0\n")
    assert not five.outcome
    assert write([five], PSQ).endswith("\n-1\n-1,Standard\n")
    assert again(five, PSQ) == five
    five.play("A11")
    assert write([five], PSQ).endswith("\n-1\n")  # the game continued, so it is gomoku
    assert again(five, PSQ) == five


def test_psq_draw_on_an_almost_full_board():
    record = Record("pente", rules="freestyle", size=5)
    for move in ("A1", "B1", "C1", "D1", "E1", "A2", "B2", "C2"):
        record.play(move)
    assert only(write([record], PSQ).replace("\n-1\n", "\n0\n"), PSQ).ended == Outcome.of((), 2, "board almost full")
    assert again(record, PSQ).ended is None
    record.ended = Outcome.of((), 2, "board almost full")
    assert again(record, PSQ) == record


def test_psq_board_decides_who_won():
    text = write([overline("freestyle")], PSQ)
    for end in ("-1", "0", "-1\n1,Freestyle", "-1\n2,Freestyle"):  # the Gomocup's 1 may be either player
        assert only(text.removesuffix("0\n") + end, PSQ).outcome == Outcome.of((0,), 2, "five")
    for end in ("15", "-2", "-1\n0,Freestyle"):
        with pytest.raises(RecordError, match="on the board is 1-0, five"):
            read(text.removesuffix("0\n") + end, PSQ)


START = "Piskvorky 15x15, 0:0, 0\n"
PSQ_ERRORS = [
    ("", 1, 1, "Expected a header of Piskvork"),
    ("\n\n  8,8,0\n", 3, 3, "Expected a header of Piskvork"),
    ("Piskvorky 15x15\n", 1, 1, "Expected a header of Piskvork"),
    ("Piskvorky 15x15, 0:0, 2\n-1", 1, 1, "Expected a header of Piskvork"),
    ("Piskvorky 20x15, 0:0, 0\n-1\n", 1, 1, "The board must be square, not 20×15."),
    ("Piskvorky 26x26, 0:0, 0\n-1\n", 1, 1, "Option size must be a whole number"),
    ("Piskvorky 4x4, 0:0, 0\n-1\n", 1, 1, "A line of 5 does not fit"),
    (START, 2, 1, "Expected the code of the game's end"),
    (START + "8,8,0\n", 3, 1, "Expected the code of the game's end"),
    (START + "8,8,0\nAnn\n-1\n", 5, 1, "Expected the code of the game's end"),
    (START + "8,8\n-1\n", 2, 1, "Expected a move x,y,milliseconds, got '8,8'"),
    (START + "8,8,0\n  8,x,0\n-1\n", 3, 3, "Expected a move x,y,milliseconds, got '8,x,0'"),
    (START + "8,8,0\n8,8,0\n-1\n", 3, 1, "Move 2: H8 is occupied by a white stone"),
    (START + "8,8,0\n16,8,0\n-1\n", 3, 1, "16,8 is not on the board; points are 1,1 to 15,15"),
    (START + "8,0,0\n-1\n", 2, 1, "8,0 is not on the board"),
    (START + "8,8,0\n3\n", 3, 1, "Unknown code '3' of a game's end. The codes are 0, -1, 15, 16, -2"),
    (START + "8,8,0\n-1\nx\n", 4, 1, "Expected a result and a group, such as 1,Freestyle, got 'x'."),
    (START + "8,8,0\n-1\n1,Stan\n", 4, 1, "Freestyle, got '1,Stan'."),
    (START + "8,8,0\n-1\n1,Renju1\n", 4, 1, "renju is not supported, only Freestyle and Standard."),
    (START + "8,8,0\n-1\n1,Standard\nx\n", 5, 1, "Expected the end of the file."),
    (START + "8,8,0\n15\n0,Standard\n", 3, 1, "A draw cannot have the code 15."),
]


@together(("text", "line", "column", "message"), PSQ_ERRORS)
def test_psq_errors_have_the_place(text: str, line: int, column: int, message: str):
    with pytest.raises(RecordError) as error:
        read(text, PSQ)
    assert (error.value.line, error.value.column) == (line, column)
    assert message in str(error.value)


def test_psq_moves_after_the_end():
    record = Record("pente", rules="freestyle")
    for move in ("H8", "A1", "G8", "A3", "J8", "A5", "L8", "A7", "K8"):
        record.play(move)
    with pytest.raises(RecordError, match=r"line 11, column 1: Move 10: .* over\."):
        read(write([record], PSQ).replace("\n0\n", "\n3,3,0\n0\n"), PSQ)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "psq holds games of freestyle"),
        ({"rules": "lines"}, "psq holds games of freestyle"),
        ({"rules": "gomoku", "line": 4, "overline": True}, "psq cannot hold the options line=4 overline=true"),
    ],
)
def test_psq_refuses_what_it_cannot_hold(options, message):
    with pytest.raises(GameError) as error:
        write([Record("pente", **options)], PSQ)
    assert message in str(error.value)


def test_psq_holds_one_game():
    with pytest.raises(GameError, match=r"Expected one game, got 2\."):
        write([overline("gomoku")] * 2, PSQ)


@pytest.mark.parametrize("name", ["", " x", "15", "-1", "1,2,3", "a\nb", "homo-1"])
def test_psq_ambiguous_names(name: str, caplog: pytest.LogCaptureFixture):
    record = Record("pente", rules="freestyle", tags={"Seat0": name, "Seat1": "Bob"})
    record.play("H8")
    assert again(record, PSQ).tags == {"Seat1": "Bob"}
    assert [entry.getMessage() for entry in caplog.records] == [f"psq cannot represent the name {name!r}; left out."]


def test_psq_warns_about_the_opening_and_comments(caplog: pytest.LogCaptureFixture):
    record = Record("pente", rules="gomoku", opening="centre", tags={"PsqLevels": "high"})
    record.play("H8").comment = "1500 ms, and good"
    record.ended = Outcome.of((0,), 2, "resigned")
    back = again(record, PSQ)
    assert back.end.comment == "1500 ms"
    assert back.ended == Outcome.of((0,), 2, "forfeit")
    assert [entry.getMessage() for entry in caplog.records] == [
        "psq cannot represent the opening centre, 1 comment, the tag PsqLevels and the reason 'resigned'; left out."
    ]


# ── SGF ──────────────────────────────────────────────────────────────────────────────────────────


def test_sgf_sample():
    record = only(SGF_TEXT, SGF)
    assert record.tags == {"Seat0": "Ann", "Seat1": "Bob ] \\", "Date": "2003-09-17"}
    assert (moves(record), record.root.comment) == ("H8 J9 G9", "a start")
    assert record.ended == Outcome.of((0,), 2, "resigned")
    assert record.start == pentad.new("pente", rules="gomoku")
    here = record.root.children[0].children[0]
    assert (here.comment, [str(child.move) for child in here.children]) == ("close", ["G9", "J7"])
    assert (here.children[0].clock, here.children[0].value) == (61.5, Value(0.25))
    assert here.children[1].value == Value(1, exact=True)
    odd = only(SGF_TEXT.replace("[61.5]", "[ 61.5\x1f]"), SGF)
    assert odd.root.children[0].children[0].children[0].clock == 61.5
    assert [str(child.move) for child in here.children[1].children] == ["A15", "B14"]
    assert here.children[1].children[1].children[0].comment == "the far corner"


SGF_TAGS = [*sgf.TAGS.values()] + [f"Seat{seat}{what}" for seat in (0, 1) for what in ("", "Rating", "Team")]
SGF_OPTIONS = [
    {"rules": "freestyle"},
    {"rules": "gomoku", "size": 19},
    {"rules": "lines", "size": 3, "line": 3},
    {"rules": "lines", "size": 12, "line": 4},
    {"rules": "gomoku", "size": 25, "opening": "pro"},
    {"rules": "freestyle", "size": 9, "opening": "tournament", "double_three": False},
    {"rules": "pente", "captures": 0, "capture_win": 0, "tournament_rule": False, "size": 7},
    {"rules": "gomoku", "five": "stands", "blocked_tie": True, "size": 5},
]


@given(
    seeds,
    st.integers(0, 50),
    st.sampled_from(SGF_OPTIONS),
    st.sampled_from(
        [
            None,
            ((0,), "resigned"),
            ((1,), "out of time"),
            ((0,), "forfeit"),
            ((1,), "stated"),
            ((), "stated"),
        ]
    ),
    st.dictionaries(st.sampled_from(SGF_TAGS), words, max_size=4),
)
@properties(150)
def test_sgf_round_trip(seed, size, options, ended, tags):
    record = grown(seed, size, **options)
    record.tags = tags
    record.root.comment = "a\n]b" if seed % 2 else ""
    if ended and not record.position.outcome:
        record.ended = Outcome.of(ended[0], 2, ended[1])
    back = again(record, SGF)
    assert back == record
    assert back.outcome == record.outcome
    assert write([back], SGF) == write([record], SGF)


@given(
    seeds,
    st.integers(0, 12),
    st.integers(0, 20),
    st.sampled_from([{"rules": "freestyle", "size": 9}, {"rules": "gomoku", "opening": "pro"}]),
)
@properties(60)
def test_sgf_round_trip_from_other_positions(seed, stones, size, options):
    record = grown(seed, size, start=played(seed, stones, **options).position)
    assume(record.start != pentad.new("pente", **options))
    back = again(record, SGF)
    assert back == record
    assert back.start == record.start


@given(st.text(st.characters(codec="utf-8"), max_size=60), words)
@properties(300)
def test_sgf_comments_and_tags_survive(comment, tag):
    record = Record("pente", rules="freestyle", tags={"Seat0": tag})
    record.play("H8").comment = comment
    back = again(record, SGF)
    assert back.end.comment == comment.replace("\r\n", "\n").replace("\r", "\n")
    assert back.tags == {"Seat0": tag}


def test_sgf_collections():
    records = [grown(seed, 12, rules="gomoku") for seed in range(4)]
    assert read(write(records, SGF), SGF) == records
    assert len(read(SGF_TEXT * 3, SGF)) == 3


def test_sgf_fills_its_lines():
    lines = write([played(3, 60, rules="gomoku")], SGF).splitlines()
    assert len(lines) > 5
    assert max(map(len, lines)) <= 80


SGF_READ = [  # a text, its main line, seat 0 and how it ended
    ("(;GM[4]SZ[15];B[hh];W[ig])", "H8 J9", "Ann", None),
    ("(;GM[4]SZ[15];W[hh];B[ig])", "H8 J9", "Bob", None),  # the first to move is seat 0
    ("(;GM[4]SZ[15]RE[W+R];W[hh];B[ig])", "H8 J9", "Bob", ((0,), "resigned")),
    ("(;GM[4]SZ[15]RE[W+Time];B[hh])", "H8", "Ann", ((1,), "out of time")),
    ("(;GM[4]SZ[15]RE[black+forfeit];B[hh])", "H8", "Ann", ((0,), "forfeit")),
    ("(;GM[4]SZ[15]RE[B+5];B[hh])", "H8", "Ann", ((0,), "stated")),
    ("(;GM[4]SZ[15]RE[White];B[hh])", "H8", "Ann", ((1,), "stated")),
    ("(;GM[4]SZ[15]RE[Draw];B[hh])", "H8", "Ann", ((), "stated")),
    ("(;GM[4]SZ[15]RE[0];B[hh])", "H8", "Ann", ((), "stated")),
    ("(;GM[4]SZ[15]RE[?];B[hh])", "H8", "Ann", None),
    ("(;GM[4]SZ[15]RE[Void];B[hh])", "H8", "Ann", None),
    ("(;GM[4]SZ[15]RE[])", "", "Ann", None),
    ("(;GM[4]SZ[15]PL[W])", "", "Bob", None),
    ("(;SZ[15:15];B[hh])", "H8", "Ann", None),
    ("\n ( ; GM [4]\n SZ\t[15] ; B\n[hh] \n; W [ig] ( ; B [aa] ) )\n", "H8 J9 A15", "Ann", None),
    ("(;GM[4]SZ[15];;B[hh];C[and so on];;W[ig])", "H8 J9", "Ann", None),
    ("(;GM[4]SZ[15](;B[hh];W[ig])(;B[ii]))", "H8 J9", "Ann", None),
    ("(;GM[4]SZ[15];B[hh]LB[hh:A][ig:B]TR[aa]XY[z]MN[1];W[ig])", "H8 J9", "Ann", None),
    ("(;GM[4];B[aa])", "A15", "Ann", None),  # without a size it is 15
    ("(;GM[4];B[aa];W[ss])", "A19 T1", "Ann", None),  # no size, but a stone that needs 19
    ("(;GM[4]SZ[20];B[tt])", "U1", "Ann", None),
    ("(;GM[4]SZ[15]AB[hh]AW[ig];B[gg])", "G9", "Ann", None),
    ("(;GM[4]SZ[15];AB[hh];PL[W];W[gg])", "G9", "Ann", None),
    ("(;GM[4]SZ[15]AW[hh][aa]AB[ig];B[gg])", "G9", "Bob", None),
    ("(;GM[4]SZ[15]AB[aa:ba]AW[ab:bb];B[gg])", "G9", "Ann", None),
]


@together(("text", "line", "who", "ended"), SGF_READ)
def test_sgf_is_read(text: str, line: str, who: str, ended: tuple[tuple[int, ...], str] | None):
    record = only(
        text.replace("GM", "PB[Ann]PW[Bob]GM") if "GM" in text else text.replace("SZ", "PB[Ann]PW[Bob]SZ", 1), SGF
    )
    assert (moves(record), record.tags["Seat0"]) == (line, who)
    assert record.ended == (Outcome.of(ended[0], 2, ended[1]) if ended else None)
    assert again(record, SGF) == record


def test_sgf_names_of_old_files():
    record = only("(;FF[3]GaMe[4]SiZe[15]PlayerBlack[Ann];Black[hh];White[ig])", SGF)
    assert (moves(record), record.tags) == ("H8 J9", {"Seat0": "Ann"})


def test_sgf_comments_of_nodes_without_a_move():
    record = only("(;GM[4]C[one];C[two];N[a name]B[hh]C[three];C[four](;W[ii];C[five])(;W[ii]C[six];B[aa]))", SGF)
    assert record.root.comment == "one\ntwo"
    assert [node.comment for node in record.main_line] == ["a name\nthree\nfour", "five\nsix", ""]


def test_sgf_escapes_and_wrapped_lines():
    record = only("(;GM[4]PB[An\\\nn \\\\ \\]]EV[two\nlines]C[a\\:b\\\nc\nd\\]];B[hh])", SGF)
    assert record.tags == {"Seat0": "Ann \\ ]", "Event": "two lines"}
    assert record.root.comment == "a:bc\nd]"


@pytest.mark.parametrize(
    ("rule", "options"),
    [
        ("", {"rules": "freestyle"}),
        ("RU[]", {"rules": "freestyle"}),
        ("RU[Freestyle]", {"rules": "freestyle"}),
        ("RU[Gomoku]", {"rules": "gomoku"}),
        ("RU[Standard Gomoku]", {"rules": "gomoku"}),
        ("RU[1]", {"rules": "gomoku"}),
        ("RU[lines line=4]", {"rules": "lines", "line": 4, "size": 15}),
        ("RU[freestyle opening=pro]", {"rules": "freestyle", "opening": "pro"}),
    ],
)
def test_sgf_rules(rule: str, options: dict[str, object]):
    record = only(f"(;GM[4]SZ[15]{rule};B[hh])", SGF)
    assert record.start == pentad.new("pente", **options)


def test_sgf_rule_set_from_an_overline_that_did_not_win():
    text = write([overline("gomoku")], SGF).replace("RU[gomoku]", "")
    assert only(text, SGF).start.options["rules"] == "freestyle"
    assert only(text.rstrip(")\n") + ";W[oo])", SGF).start.options["rules"] == "gomoku"
    assert only(text.rstrip(")\n") + "(;W[oo])(;W[nn]))", SGF).start.options["rules"] == "gomoku"


SGF_ERRORS = [
    ("", 1, 1, "Expected (; at the start of a game."),
    ("GM[4]", 1, 1, "Expected (; at the start of a game."),
    ("()", 1, 2, "Expected a node that begins with ;, got ')'."),
    ("((;GM[4]))", 1, 2, "Expected a node that begins with ;, got '('."),
    ("(GM[4])", 1, 2, "Expected a node that begins with ;, got 'G'."),
    ("(;GM[4](;B[hh])B[ii])", 1, 16, "Expected another variation or ), got 'B'."),
    ("(;GM[4](;B[hh]);W[ii])", 1, 16, "Expected another variation or ), got ';'."),
    ("(;GM[4])\nx", 2, 1, "Expected another game or the end."),
    ("(;GM[4]\n;B[hh", 2, 3, "The value has no closing ]."),
    ("(;GM[4];B)", 1, 10, "The property B has no value in [ ]"),
    ("(;GM[4];B[hh]", 1, 14, "Expected ) before the end of the text."),
    ("(;GM[1];B[hh])", 1, 5, "Expected GM[4], gomoku, got GM[1], Go."),
    ("(;GM[99];B[hh])", 1, 5, "got GM[99], another game."),
    ("(;GM[4]FF[5])", 1, 10, "The version of SGF must be 1 to 4, not FF[5]."),
    ("(;GM[4]GM[4])", 1, 10, "GM has a second value"),
    ("(;GM[4]SZ[x])", 1, 10, "Expected a size such as 15, got SZ[x]."),
    ("(;GM[4]SZ[15:20])", 1, 10, "The board must be square, not 15×20."),
    ("(;GM[4]SZ[26])", 1, 10, "Option size must be a whole number"),
    ("(;GM[4]SZ[4])", 1, 10, "A line of 5 does not fit"),
    ("(;GM[4]RU[Renju])", 1, 10, "RU[Renju] is not a rule set for SGF."),
    ("(;GM[4]RU[pente])", 1, 10, "sgf holds games without captures, but"),
    ("(;GM[4]RU[gomoku opening=swap2])", 1, 10, "sgf cannot hold the opening swap2."),
    ("(;GM[4]RU[gomoku colour=red])", 1, 10, "Pente has no option colour"),
    ("(;GM[4]PL[x])", 1, 10, "PL must be B or W, not x."),
    ("(;GM[4]RE[who knows])", 1, 10, "Expected a result such as B+R, W+ or 0, got RE[who knows]."),
    ("(;GM[4];B[h])", 1, 10, "'h' is not a point; points are aa to oo"),
    ("(;GM[4];B[H8])", 1, 10, "'H8' is not a point; points are aa to oo"),
    ("(;GM[4]SZ[15];B[pa])", 1, 16, "pa is not on the board"),
    ("(;GM[4];B[hh];W[])", 1, 16, "A player cannot pass"),
    ("(;GM[4];B[hh];W[tt])", 1, 16, "A player cannot pass"),
    ("(;GM[4];B[hh]\n;W[hh])", 2, 3, "Move 2: H8 is occupied by a white stone"),
    ("(;GM[4];B[hh];B[ii])", 1, 16, "Expected a move of W, got one of B."),
    ("(;GM[4];B[hh](;W[ii])(;B[ii]))", 1, 25, "Expected a move of W, got one of B."),
    ("(;GM[4];B[hh]W[ii])", 1, 15, "A node can have only one move."),
    ("(;GM[4];B[hh][ii])", 1, 14, "A node can have only one move."),
    ("(;GM[4];B[hh];AW[ii])", 1, 17, "Stones can be set up"),
    ("(;GM[4](;AB[hh];W[ii])(;B[ii]))", 1, 12, "Stones can be set up"),
    ("(;GM[4]AE[hh])", 1, 10, "AE, which removes stones, is not supported."),
    ("(;GM[4]AB[hh][hh])", 1, 14, "Two stones are set up on H8"),
    ("(;GM[4]AB[hh]AW[gg:ii])", 1, 16, "Two stones are set up on H8"),
    ("(;GM[4]AB[hh][ii][aa]AW[bb])", 1, 10, "3 black and 1 white stones are not possible"),
    ("(;GM[4]AB[hh]PL[B])", 1, 16, "By the setup stones, W is to move"),
    ("(;GM[4]AB[hh];B[ii])", 1, 16, "Expected a move of W, got one of B."),
    ("(;GM[4];B[hh]BL[soon])", 1, 16, "Expected a number such as 12.5, got 'soon'."),
    ("(;GM[4];B[hh]V[x])", 1, 15, "Expected a number such as 12.5, got 'x'."),
]


@together(("text", "line", "column", "message"), SGF_ERRORS)
def test_sgf_errors_have_the_place(text: str, line: int, column: int, message: str):
    with pytest.raises(RecordError) as error:
        read(text, SGF)
    assert message in str(error.value)
    assert (error.value.line, error.value.column) == (line, column)


def test_sgf_result_against_the_board():
    text = write([overline("freestyle")], SGF)
    assert "RE[B+]" in text
    for message_text in ("B+R", "?", "B"):
        assert only(text.replace("B+", message_text), SGF).outcome == Outcome.of((0,), 2, "five")
    for message_text in ("W+", "0"):
        with pytest.raises(RecordError, match="on the board is 1-0, five"):
            read(text.replace("B+", message_text), SGF)


def test_sgf_moves_after_the_end():
    with pytest.raises(RecordError, match=r"Move 12: .* over\."):
        read(write([overline("freestyle")], SGF).rstrip(")\n") + ";W[oo])", SGF)


def nested(deep: int) -> str:
    """Variations within variations."""
    stones = [a + b for a in "abcdefghijklmno" for b in "aceg"]
    text = "(;GM[4]RU[freestyle line=9];B[oo]"
    colours = "WB" * deep
    for i in range(deep):
        text += f"(;{colours[i]}[{stones[i % 59][0]}{'bdfh'[i // 59]}])(;{colours[i]}[{stones[i]}]" if i < 60 else ""
    return text + ")" * (text.count("(") - text.count(")"))


def test_sgf_variations_within_variations():
    record = only(nested(30), SGF)
    assert again(record, SGF) == record
    assert Record.read(record.text) == record


def test_sgf_that_cannot_be_read_is_not_written():
    record = Record("pente", rules="freestyle")
    node = record.root
    for number in range(101):
        points = [each for each in node.position.legal_moves if str(each)[1:] != "10"]
        node.play(points[37 * number % len(points)])
        node = node.play(points[(37 * number + 5) % len(points)])
    with pytest.raises(GameError, match="nested more than 100 deep"):
        write([record], SGF)


def test_sgf_main_lines_may_be_nested_deeply():
    letters = "abcdefghijklmno"
    points = [a + b for b in letters for a in letters][:200]
    line = "".join(f"(;{'BW'[i % 2]}[{point}]" for i, point in enumerate(points))
    record = only(f"(;GM[4]RU[freestyle line=15 overline=false]{line}{')' * len(points)})", SGF)
    assert len(record.moves) == 200
    assert again(record, SGF) == record


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "sgf holds games without captures, but"),
        ({"rules": "ninuki42"}, "but ninuki42 has captures"),
    ],
)
def test_sgf_refuses_what_it_cannot_hold(options, message):
    with pytest.raises(GameError) as error:
        write([Record("pente", **options)], SGF)
    assert message in str(error.value)


# ── from the command line ────────────────────────────────────────────────────────────────────────


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setenv("PENTAD_HOME", str(tmp_path / "home"))

    def run(*words: str) -> tuple[int, str, str]:
        code = main(list(words))
        return (code, *capsys.readouterr())

    return run


@pytest.mark.parametrize("format", OWN, ids=lambda each: each.name)
def test_convert_round_trip(format: Format, tmp_path: Path, run):
    file, ours, back = (
        tmp_path / name for name in (f"game{format.suffixes[0]}", "game.pentad", f"back{format.suffixes[0]}")
    )
    file.write_bytes(b"\xef\xbb\xbf" + TEXTS[format].replace("\n", "\r\n").encode())
    assert run("convert", str(file), str(ours)) == (0, "", "")
    assert Record.read(ours.read_text()) == only(TEXTS[format], format)
    assert run("convert", str(ours), str(back)) == (0, "", "")
    assert back.read_text() == TEXTS[format]


@pytest.mark.parametrize("format", OWN, ids=lambda each: each.name)
def test_show(format: Format, tmp_path: Path, run):
    file = tmp_path / f"game{format.suffixes[0]}"
    file.write_text(TEXTS[format])
    record = only(TEXTS[format], format)
    code, out, err = run("show", str(file))
    assert (code, err) == (0, "")
    assert str(record.position) in out
    assert run("show", str(file), "--moves")[1].split() == moves(record).split()


@pytest.mark.parametrize("format", OWN, ids=lambda each: each.name)
def test_a_broken_file_is_a_one_line_error(format: Format, tmp_path: Path, run):
    file = tmp_path / f"game{format.suffixes[0]}"
    file.write_text(TEXTS[format][: len(TEXTS[format]) // 2])
    code, out, err = run("show", str(file))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"{file}, line " in err
