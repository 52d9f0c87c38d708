"""Move trees: games in all supported texts, read and written."""

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pentad
from pentad.game import GameError
from pentad.record import Record
from pentad.record.formats import FORMATS
from pentad.web import move_tree
from pentad.web.move_tree import Tree, TreeNode, TreeRequest, read_line, read_text, write_tree
from pentad.web.typed_json import Invalid, Reader, parsed
from tests.cases import together

START = {name: pentad.new(name).text for name in pentad.names()}
MOVES = {
    "pentago": ["a2 1C", "b3 2A"],
    "pente": ["K10", "K11", "N10", "J9"],
    "pentagame": ["[0,0,1,0,0] [0,1,0,0,0]", "[1,0,7,0,0] [1,13,6,1,5]"],
}


def request_for(tree: Tree, format: str, **more: object) -> TreeRequest:
    nodes = [
        TreeNode(
            parent=each.parent,
            move=each.move,
            comment=each.comment,
            clock=each.clock,
            value=each.value,
            exact=each.exact,
        )
        for each in tree.nodes
        if each.parent is not None
    ]
    kept = {"start": tree.start, "tags": tree.tags, "result": tree.result, "reason": tree.reason}
    return TreeRequest(**{**kept, "format": format, "nodes": nodes, **more})


@pytest.mark.slow
@pytest.mark.parametrize("game", pentad.names())
def test_every_written_format_can_be_read_back(game: str) -> None:
    tree = read_line(game, MOVES[game])
    assert [each.move for each in tree.nodes[1:]] == MOVES[game]
    assert tree.fresh == game
    for each in tree.formats:
        if game == "pente" and each.name in ("sgf", "psq"):  # formats for games without captures
            with pytest.raises(GameError, match=r"not of pente|captures"):
                write_tree(request_for(tree, each.name))
            continue
        written = write_tree(request_for(tree, each.name))
        assert written.name == f"{game}{each.suffix}"
        again = read_text(written.text, None)
        assert [node.move for node in again.nodes[1:]] == MOVES[game], each.name


@pytest.mark.parametrize("format", ["sgf", "psq"])
def test_a_game_without_captures_goes_through_the_formats_of_gomoku(format: str) -> None:
    tree = read_line("pente rules=freestyle size=15", ["H8", "J8", "K8"])
    text = write_tree(request_for(tree, format)).text
    assert [each.move for each in read_text(text, "pentago").nodes[1:]] == ["H8", "J8", "K8"]


def test_every_format_that_writes_text_is_offered_by_some_game() -> None:
    offered = {each.name for game in pentad.names() for each in move_tree.formats_of(game)}
    assert offered == {each.name for each in FORMATS.values() if each.write} - {"svg"}


def test_variations_comments_clocks_and_values_are_preserved() -> None:
    text = (
        '[Game "pentago"]\n[Seat0 "Ann"]\n[Result "1-0"]\n[Reason "resigned"]\n\n'
        "1. a2 1C {[%clk 0:04:58] good} 2. b3 2A (2. b4 2A {here (too)} 3. c0 1A) 3. c1 4C 1-0\n"
    )
    tree = read_text(text, None)
    assert tree.tags == {"Seat0": "Ann"}
    assert (tree.result, tree.reason, tree.status) == ("1-0", "resigned", "White resigned. Black wins.")
    first, *others = tree.nodes[1:]
    assert (first.comment, first.clock, first.seat) == ("good", 298.0, 0)
    assert [(each.parent, each.move) for each in others] == [(1, "b3 2A"), (2, "c1 4C"), (1, "b4 2A"), (4, "c0 1A")]
    assert tree.main == [0, 1, 2, 3]
    assert Record.read(write_tree(request_for(tree, "pentad")).text) == Record.read(text)
    as_json = write_tree(request_for(tree, "json")).text
    assert read_text(as_json, None) == replace(tree, read=len(as_json))


@together(
    ("text", "game", "moves"),
    [
        ("pentago", "pentago", 0),
        ("  pente rules=keryo size=13 ", "pente", 0),
        (START["pentagame"], "pentagame", 0),
        ("pentago b...../....../....../....../....../...... placed", "pentago", 0),
        ("589824", "pentago", 0),
        ("589824m", "pentago", 0),
        ("pentago a2 1C b3 2A", "pentago", 2),
        ("1. a2 1C\n2. b3 2A", "pentago", 2),
        ("\ufeffa2 1C", "pentago", 1),
        ('[Game "Pente"]\n[Player 1 Name "Ann"]\n\n1. K10 J12 2. N10 K9 1-0', "pente", 4),
        ('[Game "pente"]\nK10 K11', "pente", 2),
        ("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,8,0\n-1\n", "pente", 2),
        ('{"pentad": 1, "games": [{"game": "pentago", "result": "*", "moves": [{"move": "a2 1C"}]}]}', "pentago", 1),
    ],
)
def test_pasted_texts_are_read(text: str, game: str, moves: int) -> None:
    tree = read_text(text, "pentago")
    assert (tree.game, len(tree.nodes) - 1) == (game, moves)


def test_boards_of_pentagraph_are_read() -> None:
    from pentad.bridges.pentagraph.positions import board_of

    start = pentad.new("pentagame")
    text = json.dumps(board_of(start).jsonify())  # type: ignore[arg-type]
    assert read_text(text, None).start == start.text


@together(
    ("text", "line"),
    [
        ("", "The text is empty"),
        ("\0", "Expected text"),
        ("a2 1C\nzz", "line 2, column 1: 'zz' does not begin a legal move"),
        ('[Game "pentago"]\n\n1. a2 1C 2. a9 1C *', "line 3, column 13"),
        ("{", "line 1, column 2: Not valid JSON"),
        ('{"pentad": 1, "games": []}', "games: Expected at least one"),
        ('{"figures": 3}', "graph is missing|edges is missing|edges"),
        ("(;GM[1])", "line 1, column"),
        ("Piskvorky 15x15, 11:11, 0\n99,8,0\n-1\n", "line 2"),
        ("pentago bbbbbb/....../....../....../....../......", "The players move in turn"),
        ("99999999999999999999", "64 bits"),
        ("chess e4", "does not begin a legal move"),
        ("pente size=4000", "Option size"),
        ("pentagame players=9", "Option players"),
    ],
)
def test_an_invalid_text_gets_an_error_with_its_place(text: str, line: str) -> None:
    with pytest.raises(GameError, match=line) as caught:
        read_text(text, "pentago")
    assert "\n" not in str(caught.value)


@given(st.text(max_size=200) | st.text(alphabet='[](){}";:1234567890abcKN \n', max_size=200))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    error_text = ""
    try:
        read_text(text, "pentago")
    except GameError as error:
        error_text = str(error)
    assert "\n" not in error_text


def test_a_text_with_several_games_has_their_number() -> None:
    one = '[Game "pentago"]\n[Result "*"]\n\n1. {} *\n'
    text = one.format("a2 1C") + "\n" + one.format("b3 2A")
    assert read_text(text, None).count == 2
    assert read_text(text, None, 2).nodes[1].move == "b3 2A"
    with pytest.raises(GameError, match="There is no game 3"):
        read_text(text, None, 3)


def test_a_game_too_large_for_the_page_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(move_tree, "MOST_NODES", 2)
    with pytest.raises(GameError, match="at most 2 moves"):
        read_text("pentago a2 1C b3 2A c1 3A", None)


@pytest.mark.parametrize(
    ("nodes", "line"),
    [
        ([{"parent": 1, "move": "a2 1C"}], "Node 1: Its parent 1 does not come before it."),
        ([{"parent": 0, "move": "a2 1C"}, {"parent": 0, "move": "a21C"}], "is a duplicate"),
        ([{"parent": 0, "move": "a9 1C"}], "There is no space a9"),
    ],
)
def test_an_invalid_tree_is_refused(nodes: list[dict[str, object]], line: str) -> None:
    with pytest.raises(GameError, match=line):
        write_tree(Reader[TreeRequest](TreeRequest).value({"start": "pentago", "format": "pentad", "nodes": nodes}))


def test_data_that_a_format_cannot_hold_is_reported() -> None:
    tree = read_text('[Game "pente"]\n[Options "rules=freestyle"]\nK10 {centre} K11 (K12)', None)
    written = write_tree(request_for(tree, "psq"))
    assert "variation" in written.left_out
    assert write_tree(request_for(tree, "pentad")).left_out == ""


def test_an_unknown_format_and_a_wrong_result_are_refused() -> None:
    tree = read_line("pentago", [])
    with pytest.raises(GameError, match="Unknown format 'svg' of Pentago"):
        write_tree(request_for(tree, "svg"))
    with pytest.raises(GameError, match="a result of 2 players"):
        write_tree(request_for(tree, "pentad", result="1-0-0", reason="agreed"))


def test_an_illegal_move_of_a_link_is_reported_with_its_number() -> None:
    with pytest.raises(GameError, match="Move 2: a1 is taken"):
        read_line("pentago win_on_placement=false", ["a1 4C", "a1 4C"])


def test_a_link_is_read_as_far_as_its_moves_are_legal() -> None:
    tree = read_line("pente size=13", ["G7", "H8", "G7", "A1"], as_far=True)
    assert ([node.move for node in tree.nodes], tree.title) == (["", "G7", "H8"], "Pente")
    assert tree.trouble == "Move 3 ('G7') is not legal: G7 is occupied by a white stone."
    assert read_line("pente", ["K10"], as_far=True).trouble == ""
    with pytest.raises(GameError, match="Unknown game 'chess'"):
        read_line("chess", ["e4"], as_far=True)


def test_an_incomplete_file_is_not_taken_for_typed_moves() -> None:
    whole = '[Game "pentago"]\n[Result "1-0"]\n[Reason "resigned"]\n\n1. a2 1C 2. b3 2A 3. c1 4C 1-0\n'
    assert read_text(whole, None).result == "1-0"
    for end in (whole.index(" 1-0"), whole.index(" 3.")):
        with pytest.raises(GameError, match="Expected the game's result"):
            read_text(whole[:end], None)
    pente = '[Game "Pente"]\n[Result "1-0"]\n\n1. K10 L10 2. N10'
    with pytest.raises(GameError, match="Expected the game's result"):
        read_text(pente, None)
    assert len(read_text('[Game "pentago"]\n\n1. a2 1C 2. b3 2A', None).nodes) == 3  # typed, without a result


PENTE = "1. K10 2. A1 3. L10 4. B1 5. M10 6. C1 7. N10 8. E1 9. O10"


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ('[Game "pentago"]\n\n1. a2 1C 2. b3 2A', "*"),
        ('[Game "pentago"]\n[Result "*"]\n\n1. a2 1C 2. b3 2A', "*"),
        ('[Game "Pente"]\n[Result "*"]\n\n1. K10 L10 2. N10', "*"),
        (f'[Game "pente"]\n[Options "opening=free"]\n\n{PENTE}', "1-0"),
        (f'[Game "pente"]\n[Options "opening=free"]\n[Result "*"]\n\n{PENTE} *', "1-0"),
        (f'[Game "pente"]\n[Options "opening=free"]\n[Result "1-0"]\n\n{PENTE}', "1-0"),
        ('{"pentad": 1, "games": [{"game": "pentago", "moves": [{"move": "a2 1C"}]}]}', "*"),
        ("(;GM[4]SZ[15];B[hh];W[ig])", "*"),
    ],
)
def test_the_moves_decide_whether_a_record_without_a_result_is_over(text: str, result: str) -> None:
    tree = read_text(text, "pentago")
    assert tree.result == result
    assert len(tree.nodes) > 1


def test_moves_are_typed_after_a_game_with_its_options() -> None:
    tree = read_text("pente size=25 rules=freestyle\nK10 L10 M10", None)
    assert (tree.fresh, len(tree.nodes)) == ("pente rules=freestyle size=25", 4)
    assert len(read_text("pentago line=4 a2 1C", "pente").nodes) == 2
    assert len(read_text("pentago line=4", None).nodes) == 1
    with pytest.raises(GameError, match="line 2, column 5: 'zz'"):
        read_text("pente size=25\nN13 zz", None)
    with pytest.raises(GameError, match="size"):
        read_text("pente size=99 K10", None)


@pytest.mark.parametrize("text", [";GM[4]SZ[15];B[hh];W[ig]", "% nothing", '[Event "x"]\n[Site "y"]\n'])
def test_a_text_without_moves_is_no_game(text: str) -> None:
    with pytest.raises(GameError):
        read_text(text, "pente")


def test_a_text_may_be_an_initial_position() -> None:
    for text in ("pentago", '[Game "pentago"]\n', "pentago line=4"):
        assert len(read_text(text, None).nodes) == 1


def test_tags_have_valid_names() -> None:
    for name in ("A b", 'A\nB "x', "", "1"):
        with pytest.raises(Invalid, match="to be a letter before letters, digits and _"):
            Reader[TreeRequest](TreeRequest).value({"start": "pentago", "format": "pentad", "tags": {name: "x"}})
        about = {"game": "pentago", "tags": {name: "x"}, "result": "*", "moves": []}
        with pytest.raises(GameError, match="Invalid tag name"):
            read_text(json.dumps({"pentad": 1, "games": [about]}), None)


@pytest.mark.slow
def test_the_longest_games_can_be_read_and_written() -> None:
    record = Record(pentad.new("pentagame", max_ply=1000))
    chance = random.Random(2)
    while record.end.position.outcome is None:
        steps = ""
        while (choices := record.end.position.choices(steps)) or not choices.may_end:
            steps = f"{steps} {chance.choice(list(choices)).step}".strip()
        record.end.play(steps)
    tree = read_text(FORMATS["pentad"].write([record]), None)
    for each in tree.formats:
        assert len(read_text(write_tree(request_for(tree, each.name)).text, "pentagame").nodes) == len(tree.nodes)


@pytest.mark.slow
def test_tags_are_valid_unicode() -> None:
    with pytest.raises(Invalid, match="half of a surrogate pair"):
        parsed(json.dumps({"start": "pentago", "format": "pentad", "tags": {"Event": "\ud800"}}))


def test_one_of_the_first_games_of_a_long_text_is_read() -> None:
    text = "1. K10 L11 *\n" * 5042
    tree = read_text(text, "pente", 3)
    assert (tree.count, tree.read) == (308, 308 * 13)
    with pytest.raises(GameError, match="Only the first 308 games"):
        read_text(text, "pente", 309)
    with pytest.raises(GameError, match=r"^line 8, column 8: "):
        read_text("1. K10 K10 *", "pente", 1, lines_before=7)
    assert read_text("pente", None).read == len("pente")
