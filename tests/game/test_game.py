"""The base classes of all games: errors, outcomes, choices, options, the registry, perft."""

import copy
import itertools
import pickle
from fractions import Fraction

import pytest

import pentad
from pentad.game import (
    PACKAGES,
    Choice,
    Choices,
    Game,
    LegalMoves,
    Move,
    Option,
    Outcome,
    bit_numbers,
    did_you_mean,
    game,
    game_of,
    names,
    nth_bit,
    plug_ins,
    read_short,
    read_start,
    shorten,
    shown,
    whole,
)
from tests.cases import Anything, slow, together
from tests.games.pentago.random_games import GAMES
from tests.games.pentago.referee import Table, count_turns
from tests.line_limit import at_most
from tests.programs import run

# ── errors ───────────────────────────────────────────────────────────────────────────────────────


def test_errors_are_value_errors():
    assert issubclass(pentad.GameError, ValueError)
    for error in (pentad.InvalidMove, pentad.IllegalMove):
        assert issubclass(error, pentad.GameError)
    assert not issubclass(pentad.InvalidMove, pentad.IllegalMove)


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("short", "short"),
        ("x" * 60, "x" * 60),
        ("x" * 61, "x" * 59 + "…"),
        ("two\nlines\x1b", "two\N{REPLACEMENT CHARACTER}lines\N{REPLACEMENT CHARACTER}"),
        ("\ud800\u202e", "\N{REPLACEMENT CHARACTER}" * 2),
        ("", ""),
    ],
    ids=ascii,
)
def test_shorten(text, short):
    assert shorten(text) == short


# ── outcomes ─────────────────────────────────────────────────────────────────────────────────────

EVERY_END = [
    (players, winners)
    for players in (2, 3, 4, 5)
    for k in range(players + 1)
    for winners in itertools.combinations(range(players), k)
]


@together(("players", "winners"), EVERY_END)
def test_outcomes_of_two_to_five_players(players, winners):
    outcome = Outcome.of(winners, players=players, reason="why")
    k = len(winners)
    assert outcome.winners == winners
    assert outcome.reason == "why"
    assert len(outcome.returns) == players
    assert sum(outcome.returns) == pytest.approx(0)
    assert outcome.is_draw == (k in (0, players))
    for seat, got in enumerate(outcome.returns):
        if k in (0, players):
            assert got == 0
        elif seat in winners:
            assert got == pytest.approx(float(Fraction(players - k, k * (players - 1))))
        else:
            assert got == pytest.approx(-1 / (players - 1))
    parts = [Fraction(part) for part in outcome.score.split("-")]
    assert len(parts) == players
    assert sum(parts) == 1
    assert {seat for seat, part in enumerate(parts) if part} == set(winners or range(players))


@pytest.mark.parametrize(
    ("winners", "players", "score"),
    [
        ((0,), 2, "1-0"),
        ((1,), 2, "0-1"),
        ((), 2, "1/2-1/2"),
        ((0, 1), 2, "1/2-1/2"),
        ((2,), 3, "0-0-1"),
        ((1, 2), 3, "0-1/2-1/2"),
        ((), 3, "1/3-1/3-1/3"),
        ((0, 1, 3), 4, "1/3-1/3-0-1/3"),
        ((), 5, "1/5-1/5-1/5-1/5-1/5"),
    ],
)
def test_scores_as_records_write_them(winners, players, score):
    assert Outcome.of(winners, players=players, reason="").score == score


def test_outcomes_are_equal_whatever_the_order_of_winners():
    assert Outcome.of([2, 0, 2], 3, "line") == Outcome.of({0, 2}, 3, "line") == Outcome.of(iter((0, 2)), 3, "line")
    assert hash(Outcome.of([2, 0], 3, "line")) == hash(Outcome.of([0, 2], 3, "line"))


def test_outcomes_do_not_change():
    with pytest.raises(AttributeError):
        Outcome.of((0,), 2, "line").winners = (1,)


# ── moves and choices ────────────────────────────────────────────────────────────────────────────


def test_moves_are_tuples_with_a_text():
    move = Move(("a2", "1C"))
    assert str(move) == "a2 1C"
    assert repr(move) == "<Move a2 1C>"
    assert move == ("a2", "1C")
    assert hash(move) == hash(("a2", "1C"))


def test_choices_have_a_prompt():
    assert Choices((), "what now").may_end is False
    assert Choices([], "what now", may_end=True).prompt == "what now"


def test_choices_list_alternative_targets():
    plain = Choice("a2", ("a2",), "a marble on a2")
    assert plain.also == ()
    swap = Choice("a-b", ("a", "b"), "a and b change places", (("b", "a"),))
    assert swap.also == (("b", "a"),)
    assert str(swap) == "a-b"
    assert swap != Choice("a-b", ("a", "b"), "a and b change places")
    choices = Choices((plain, swap), "what now, not there", restriction="not there")
    for again in (pickle.loads(pickle.dumps(choices)), copy.deepcopy(choices)):
        assert again == choices
        assert (again.prompt, again.may_end, again.restriction) == ("what now, not there", False, "not there")
        assert again[1].also == (("b", "a"),)
    assert hash(swap) == hash(pickle.loads(pickle.dumps(swap)))


@pytest.mark.parametrize(
    "value", [[0] * 5_000_000, ["x" * 5_000_000], {"x": "y" * 5_000_000}, "x" * 10_000_000], ids="abcd"
)
def test_large_values_are_shortened_fast(value):
    with at_most(lines=20_000):
        assert len(shown(value)) <= 60


@pytest.mark.parametrize("value", [None, 7, "a\nb", [1, "two"], (1,), {"a": (2, 3)}, b"x", {1}, 2.5], ids=repr)
def test_small_values_are_shown_as_they_are(value):
    assert shown(value) == repr(value)


def test_values_that_cannot_be_shown_are_named_by_type():
    assert shown(10**5000) == "this int"
    assert shown([10**5000]) == "this list"
    assert shown(Anything()).isprintable()
    endless: list[object] = []
    endless.append(endless)
    assert len(shown(endless)) <= 60


def test_only_pentagame_has_recurring_positions():
    assert pentad.new("pentago").recurring is None
    assert pentad.new("pente").recurring is None
    assert pentad.new("pentagame").recurring == pentad.new("pentagame").recurring


def test_legal_moves_show_the_first_of_them():
    position = pentad.new("pentago")
    assert repr(position.legal_moves) == "<288 legal moves: a0 1C, a0 1A, a0 2C, a0 2A, …>"
    ended = pentad.load("pentago rows=1 cols=1 line=3 bbb/ww./...")
    assert repr(ended.legal_moves) == "<0 legal moves: >"


class UpTo(LegalMoves):
    """Moves of one number each: those from 0 on, as many as the position says. It builds each as late as it can."""

    def __len__(self):
        return self.position.count

    def __iter__(self):
        return (Move((n,)) for n in range(len(self)))


class Numbers:
    """What `LegalMoves` asks of a position."""

    def __init__(self, count: int) -> None:
        self.count = count

    def play(self, move):
        (number,) = move
        if not (isinstance(number, int) and 0 <= number < self.count):
            raise pentad.IllegalMove("There is no such number.")
        return self


def test_legal_moves_are_a_sequence():
    moves, plain = UpTo(Numbers(7)), [Move((n,)) for n in range(7)]
    assert list(moves) == plain
    for index in range(-7, 7):
        assert moves[index] == plain[index]
    for index in (7, -8):
        with pytest.raises(IndexError, match=f"Index {index} is out of range for 7 legal moves"):
            moves[index]
    bounds = [None, *range(-9, 10)]
    for cut in itertools.starmap(slice, itertools.product(bounds, bounds, (None, 1, 2, 3, -1, -2, 9))):
        assert moves[cut] == plain[cut], cut
    assert repr(moves) == "<7 legal moves: 0, 1, 2, 3, …>"
    assert repr(UpTo(Numbers(4))) == "<4 legal moves: 0, 1, 2, 3>"


def test_legal_moves_contain_what_can_be_played():
    moves = UpTo(Numbers(3))
    assert Move((2,)) in moves
    assert (0,) in moves
    for other in (Move((3,)), (-1,), ("2",), 2, "2", None, [2], Fraction(2)):
        assert other not in moves


# ── options ──────────────────────────────────────────────────────────────────────────────────────

SIZE = Option("size", 19, "how large", 5, 25)
FLAG = Option("flag", True, "whether")
RULES = Option("rules", "free", "which", allowed=("free", "pro"))
THREE = Option("looks", "red,blue,gray", "which three", allowed=("red", "blue", "gray", "pink"), several=3)


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        (SIZE, "5", 5),
        (SIZE, "25", 25),
        (SIZE, "007", 7),
        (FLAG, "true", True),
        (FLAG, "FALSE", False),
        (FLAG, "yes", True),
        (FLAG, "No", False),
        (RULES, "pro", "pro"),
        (THREE, "red,blue,gray", "red,blue,gray"),
        (THREE, "pink,gray,red", "pink,gray,red"),
    ],
)
def test_options_are_read(option, text, value):
    assert option.read(text) == value
    assert type(option.read(text)) is type(value)
    assert option.read(option.write(value)) == value
    assert option.check(value) == value


BAD_NUMBERS = ["4", "26", "-5", "--5", "+5", "5.0", "1e1", " 5", "5 ", "", "five", "9" * 99]
BAD_NUMBERS += ["\N{SUPERSCRIPT TWO}", "\N{ARABIC-INDIC DIGIT SIX}"]


@together("text", BAD_NUMBERS)
def test_numbers_that_an_option_refuses(text):
    with pytest.raises(pentad.GameError, match=r"Option size .* from 5 to 25, not"):
        SIZE.read(text)


@pytest.mark.parametrize("text", ["", "1", "0", "on", "truee", " true"])
def test_words_that_a_flag_refuses(text):
    with pytest.raises(pentad.GameError, match="Option flag must be true or false"):
        FLAG.read(text)


@pytest.mark.parametrize("text", ["", "Pro", "fre", "free,pro"])
def test_words_that_a_list_refuses(text):
    with pytest.raises(pentad.GameError, match=r"Option rules .* free, pro, not"):
        RULES.read(text)


@together(
    "text",
    [
        "",
        "red",
        "red,blue",
        "red,blue,gray,pink",
        "red,blue,red",
        "red,blue,green",
        "red, blue, gray",
        "red,blue,gray,",
        ",red,blue",
        "red;blue;gray",
        "Red,Blue,Gray",
        "red,blue,gray\n",
        "red," * 1_000_000,
    ],
)
def test_options_of_several_different_words(text):
    for ask in (THREE.read, THREE.check):
        with pytest.raises(pentad.GameError) as caught:
            ask(text)
        message = str(caught.value)
        expected = "Option looks must be 3 different values of red, blue, gray, pink, separated by commas, not "
        assert message.startswith(expected)
        assert message.isprintable()
        assert len(message) < 160


@pytest.mark.parametrize("value", [None, 3, True, ["red", "blue", "gray"], ("red", "blue", "gray"), b"red,blue,gray"])
def test_several_words_are_one_text(value):
    with pytest.raises(pentad.GameError, match="Option looks must be 3 different"):
        THREE.check(value)


ODD = [None, "3", "", 2.0, float("nan"), float("inf"), True, [3], b"3", (), {}, 1 + 0j, -3, 0, 10**40, Anything()]


@together("value", ODD)
@together("name", ["rows", "cols", "block", "players", "line"])
def test_numbers_of_the_wrong_kind_or_range(name, value):
    with pytest.raises(pentad.GameError) as caught:
        pentad.new("pentago", **{name: value})
    message = str(caught.value)
    assert message.startswith(f"Option {name} must be a whole number from ")
    assert message.isprintable()
    assert len(message) < 160


@pytest.mark.parametrize("value", [None, 0, 1, "true", "", 1.0, [], Anything()], ids=repr)
def test_flags_of_the_wrong_kind(value):
    with pytest.raises(pentad.GameError, match=r"Option win_on_placement .* not"):
        pentad.new("pentago", win_on_placement=value)


def test_a_number_too_long_to_print_is_refused():
    with pytest.raises(pentad.GameError):
        pentad.new("pentago", rows=10**5000)


@together(
    ("options", "expected"),
    [
        ({"rows": 0}, "Option rows must be a whole number"),
        ({"rows": 27}, "Option rows must be a whole number"),
        ({"players": 1}, "Option players must be a whole number"),
        ({"players": 7}, "Option players must be a whole number"),
        ({"rows": 9}, "27 rows. At most 26"),
        ({"rows": 26}, "78 rows. At most 26"),
        ({"rows": 6, "cols": 8}, "432 spaces. At most 400"),
        ({"rows": 1, "cols": 401, "block": 1}, "Option cols must be a whole number"),
        ({"rows": 1, "cols": 1, "block": 2}, "No line of 5 fits on a board of 2 × 2"),
        ({"rows": 1, "cols": 1, "block": 2, "line": 3}, "No line of 3 fits on a board of 2 × 2"),
        ({"line": 7}, "No line of 7 fits on a board of 6 × 6"),
        ({"rows": 1, "cols": 1, "block": 1, "line": 2}, "No line of 2 fits on a board of 1 × 1"),
        ({"rows": 1, "cols": 4, "block": 1}, "No line of 5 fits on a board of 1 × 4"),
    ],
)
def test_impossible_boards_are_refused(options, expected):
    with pytest.raises(pentad.GameError) as caught:
        pentad.new("pentago", **options)
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "spaces"),
    [
        ({"rows": 1, "cols": 1, "block": 20}, 400),
        ({"rows": 20, "cols": 20, "block": 1}, 400),
        ({"rows": 1, "cols": 400, "block": 1, "line": 400}, 400),
        ({"rows": 26, "cols": 15, "block": 1}, 390),
        ({"rows": 13, "cols": 7, "block": 2}, 364),
        ({"rows": 26, "cols": 1, "block": 1, "line": 26}, 26),
        ({"rows": 1, "cols": 1, "block": 2, "line": 2}, 4),
        ({"line": 6}, 36),
        ({"players": 6}, 36),
        ({"rows": 3, "cols": 3, "players": 4}, 81),
    ],
    ids=str,
)
def test_the_largest_and_smallest_boards(options, spaces):
    position = pentad.new("pentago", **options)
    assert len(position.choices()) == spaces
    assert len(position.legal_moves) == spaces * 2 * position.options["rows"] * position.options["cols"]
    assert pentad.load(position.text) == position
    after = position.play(position.legal_moves[-1])
    assert after.ply == 1
    assert pentad.load(after.text) == after


def test_options_in_full_and_as_given():
    position = pentad.new("pentago", rows=3, cols=3, players=4)
    want = {"rows": 3, "cols": 3, "block": 3, "players": 4, "line": 5, "win_on_placement": True}
    assert dict(position.options) == want
    assert pentad.new("pentago", **position.options) == position
    assert pentad.new("pentago", **pentad.new("pentago").options) == pentad.new("pentago")


STRANGE = ["size", "Rows", "colour", "", "rows ", "x" * 1000, "a\nb", "line\x00", "game", "options", "self", "name"]


@together("name", STRANGE)
def test_options_that_no_game_has_are_refused_by_name(name):
    with pytest.raises(pentad.GameError) as caught:
        pentad.new("pentago", **{name: 3})
    message = str(caught.value)
    assert message.startswith("Pentago has no option ")
    assert shorten(name) in message
    assert message.endswith("Its options are: rows, cols, block, players, line, win_on_placement.")
    assert message.isprintable()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["rows"], "Expected an option as name=value, got 'rows'."),
        (["rows=2", "rows=2"], "Option rows is given twice."),
        (["row=2"], "Pentago has no option row. Did you mean rows? Its options are: rows, cols, "),
    ],
)
def test_words_that_are_no_options(words, message):
    with pytest.raises(pentad.GameError) as caught:
        game("pentago").read_options(words)
    assert str(caught.value).startswith(message)


def test_an_option_without_a_range_takes_every_number():
    for value in (-(10**9), 0, 10**9):
        assert Option("any", 1, "whatever").check(value) == value
    assert Option("low", 1, "at least", minimum=0).check(10**9) == 10**9
    with pytest.raises(pentad.GameError, match="Option low must be"):
        Option("low", 1, "at least", minimum=0).check(-1)


def test_numbers_of_ten_digits_are_not_read():
    wide = Option("wide", 1, "whatever", 0, 10**12)
    assert wide.read("999999999") == 999_999_999
    with pytest.raises(pentad.GameError, match=r"wide .* not '1000000000'"):
        wide.read("1000000000")


def test_kinds_of_options():
    assert [each.kind for each in (FLAG, SIZE, RULES, THREE)] == ["boolean", "integer", "choice", "choice"]


# ── words and numbers ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("word", "tip"),
    [
        ("pentgo", "Did you mean pentago? "),
        ("PENTE", "Did you mean pente? "),
        ("chess", ""),
        ("", ""),
        (None, ""),
        (5, ""),
    ],
)
def test_a_word_that_resembles_a_known_one(word, tip):
    assert did_you_mean(word, ("pentago", "pente")) == tip


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("007", 7),
        ("9" * 9, 999_999_999),
        ("9" * 10, None),
        ("", None),
        (" 1", None),
        ("+1", None),
        ("²", None),
    ],
)
def test_whole_numbers(text, number):
    assert whole(text) == number


def test_a_whole_number_may_have_as_many_digits_as_one_says():
    assert whole("123", digits=3) == 123
    assert whole("1234", digits=3) is None


@pytest.mark.parametrize("bits", [0, 1, 2, 0b1101, 1 << 80, (1 << 70) | (1 << 3), (1 << 65) - 1])
def test_the_set_bits_of_a_number(bits):
    numbers = [n for n in range(100) if bits >> n & 1]
    assert list(bit_numbers(bits)) == numbers
    assert [nth_bit(bits, n) for n in range(len(numbers))] == numbers


# ── the registry ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", PACKAGES)
def test_every_game_of_the_registry(name):
    known = game(name)
    assert isinstance(known, Game)
    assert known.name == name
    position = pentad.new(name)
    assert position.game == name
    assert game_of(position) is known
    assert position.outcome is None
    assert position.text.split()[0] == name
    assert pentad.load(position.text) == position
    for option in known.options.values():
        assert option.check(option.default) == option.default
        assert bool(option.about) != bool(option.replaced_by), option.name
        assert option.replaced_by in {"", *known.options}
        if option.example:
            shown_by = pentad.load(option.example)
            assert (shown_by.game, shown_by.text) == (name, option.example)
        assert option.help


@pytest.mark.parametrize(
    "name", ["chess", "", "Pentago", "pentago ", "pentad.games.pentago", "../x", "a\nb", "x" * 10_000]
)
def test_unknown_games(name):
    for ask in (pentad.new, game):
        with pytest.raises(pentad.GameError) as caught:
            ask(name)
        message = str(caught.value)
        assert message.startswith("Unknown game ")
        assert "pentago" in message.split("The games are: ")[1]
        assert message.isprintable()
        assert len(message) < 200


def test_a_start_is_a_game_with_options_or_a_position():
    assert read_start("pente size=13") == pentad.new("pente", size=13)
    assert read_start("pentago") == pentad.new("pentago")
    moved = pentad.new("pentago", players=3).play("a2 1C")
    assert read_start(moved.text) == moved
    for text in ("", "chess", "chess size=13"):
        with pytest.raises(pentad.GameError):
            read_start(text)


@pytest.mark.parametrize("text", ["", " ", None, 3, b"pentago"])
def test_what_is_no_text_of_a_position(text):
    with pytest.raises(pentad.GameError, match=r"is empty or not text"):
        pentad.load(text)


def test_a_number_is_the_short_form_of_a_pentago_board():
    number = "4312211864716913874"
    found = read_short(number)
    assert found is not None
    assert found.game == "pentago"
    assert found == game("pentago").read_short(number)
    assert read_short("pentago") is None


@pytest.mark.parametrize("name", [None, 0, True, b"pentago", ("pentago",), Anything()], ids=repr)
def test_names_of_other_types(name):
    with pytest.raises(pentad.GameError, match="Unknown game"):
        pentad.new(name)


GAME_OF_ONE_MODULE = """
from pentad.games.pentago.rules import GAME as PENTAGO
import dataclasses
GAME = dataclasses.replace(PENTAGO, name={name!r})
formats = "the part"
"""


@pytest.fixture
def distribution(tmp_path, monkeypatch):
    """Writes a distribution with entry points for games."""

    def write(**entries: str) -> None:
        information = tmp_path / "others-1.0.dist-info"
        information.mkdir()
        (information / "METADATA").write_text("Metadata-Version: 2.1\nName: others\nVersion: 1.0\n")
        listed = "".join(f"{name} = {package}\n" for name, package in entries.items())
        (information / "entry_points.txt").write_text(f"[pentad.games]\n{listed}")
        monkeypatch.syspath_prepend(tmp_path)
        plug_ins.cache_clear()

    yield write
    monkeypatch.undo()
    plug_ins.cache_clear()


def test_a_game_of_another_distribution(distribution, tmp_path):
    (tmp_path / "other_game.py").write_text(GAME_OF_ONE_MODULE.format(name="other"))
    distribution(other="other_game")
    assert names() == (*PACKAGES, "other")
    other = game("other")
    assert other.name == "other"
    assert other.has("formats")
    assert other.module("formats") == "the part"
    assert not other.has("exact")
    assert other.module("bot") is other.package
    assert other.data("perft.json") is None


def test_a_broken_plug_in_is_one_line_and_the_others_work(distribution, tmp_path, caplog):
    (tmp_path / "other_game.py").write_text(GAME_OF_ONE_MODULE.format(name="other"))
    (tmp_path / "wrong_name.py").write_text(GAME_OF_ONE_MODULE.format(name="other"))
    (tmp_path / "no_game.py").write_text("raise OSError('two\\nlines')")
    distribution(broken="no_game", missing="not_there", misnamed="wrong_name", other="other_game")
    assert names() == (*PACKAGES, "other")
    assert [record.getMessage() for record in caplog.records] == [
        "The game broken of no_game cannot be loaded: two lines",
        "The game missing of not_there cannot be loaded: No module named 'not_there'",
        "The game misnamed of wrong_name cannot be loaded: its game is called 'other'",
    ]
    assert {record.name for record in caplog.records} == {"pentad.game"}
    with pytest.raises(pentad.GameError, match="Unknown game 'broken'"):
        game("broken")


def test_a_look_for_a_part_imports_nothing():
    code = (
        "import sys; from pentad.game import game; pente = game('pente'); before = set(sys.modules)\n"
        "print(pente.has('formats'), pente.has('cookies'), set(sys.modules) - before)"
    )
    assert run(code) == ("True False set()", "")


def test_the_package_offers_its_errors_and_functions():
    for name in pentad.__all__:
        assert getattr(pentad, name) is not None


# ── perft ────────────────────────────────────────────────────────────────────────────────────────


def test_perft_of_the_classic_board():
    position = pentad.new("pentago")
    assert [pentad.perft(position, depth) for depth in (0, 1, 2)] == [1, 288, 288 * 280]


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("options", "depth"),
    [
        ({"rows": 1, "cols": 1, "block": 2, "line": 2}, 5),
        ({"rows": 1, "cols": 2, "block": 1, "line": 2}, 3),
        slow({"rows": 1, "cols": 4, "block": 1, "line": 3}, 4),
        ({"rows": 2, "cols": 2, "block": 1, "line": 2, "players": 3}, 4),
        slow({"rows": 1, "cols": 1, "line": 3}, 4),
        ({"rows": 1, "cols": 1, "line": 3, "win_on_placement": False}, 3),
        slow({"rows": 1, "cols": 1, "line": 3, "win_on_placement": False}, 4),
        ({"rows": 1, "cols": 2, "block": 2, "line": 3}, 3),
        ({"block": 2, "line": 3}, 2),
        ({"block": 2, "line": 2, "players": 3}, 2),
    ],
    ids=str,
)
def test_perft_against_the_referee(options, depth):
    for d in range(depth + 1):
        assert pentad.perft(pentad.new("pentago", **options), d) == count_turns(Table(**options), d)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "depth"),
    [({"rows": 1, "cols": 2, "block": 2, "line": 3}, 4), ({"rows": 1, "cols": 1, "line": 3}, 6)],
    ids=str,
)
def test_deep_perft_against_the_referee(options, depth):
    assert pentad.perft(pentad.new("pentago", **options), depth) == count_turns(Table(**options), depth)


def test_perft_in_the_middle_of_a_turn_and_after_the_end():
    half = pentad.new("pentago").partial("a2")
    assert [pentad.perft(half, depth) for depth in (0, 1, 2)] == [1, 8, 8 * 280]
    ended = pentad.load("pentago rows=1 cols=1 line=3 bbb/ww./...")
    assert [pentad.perft(ended, depth) for depth in (0, 1, 2)] == [1, 0, 0]


def test_perft_needs_a_depth():
    with pytest.raises(pentad.GameError, match="depth of 0 or more, not -1"):
        pentad.perft(pentad.new("pentago"), -1)


def test_perft_of_every_option_set_at_one_move():
    for options in GAMES.values():
        assert pentad.perft(pentad.new("pentago", **options), 1) == len(Table(**options).turns())
