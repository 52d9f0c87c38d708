"""Opening books: pages for all images of a position, how bots use them, how they are made, and bad files."""

import itertools
import math
import random
import subprocess
import sys
from pathlib import Path

import pytest

import pentad
from pentad.game import GameError, Position
from pentad.game.standard_position import StandardPosition
from pentad.games.pente.engine.bots import PenteBot
from pentad.search import book, book_maker
from pentad.search.analysis import analyse
from pentad.search.book import BookPage, look_up
from pentad.search.bot import Bot, bot
from pentad.search.move_limit import Limit
from pentad.system.checked_files import with_last_line, without_last_line

GAMES = tuple(pentad.names())
STARTS = {  # the starts of the package's books
    "pentago": {},
    "pente": {},
    "keryo": {"rules": "keryo"},
    "pentagame": {},
}


def start_of(name: str) -> Position:
    return pentad.new(name if name in GAMES else "pente", **STARTS[name])


def report(position: Position, depth: int = 1):
    return analyse(position, depth=depth, lines=3).report


@pytest.fixture
def use(monkeypatch):
    """A function that puts a book in the place of a game's."""

    def put(pages: book.Book) -> None:
        monkeypatch.setattr(book, "of_game", lambda name: pages)

    return put


@pytest.mark.parametrize("game", GAMES)
def test_a_page_is_made_for_each_position_up_to_symmetry(game, monkeypatch):
    monkeypatch.setattr(book_maker, "MAX_LOSS", 0.5)
    pages: book.Book = {}
    start = pentad.new(game)
    lines = list(book_maker.make(pages, start, [1, 2], report))
    assert len(lines) == len(pages) >= 3
    best = StandardPosition(start).move(pages[StandardPosition(start).key].moves[0][0])
    assert StandardPosition(start.play(best)).key in pages
    for page in pages.values():
        values = [value for _, value in page.moves]
        assert values == sorted(values, reverse=True)
        assert values[0] - values[-1] <= book_maker.MAX_LOSS
        assert len(dict(page.moves)) == len(page.moves) <= 3
    assert list(book_maker.make(pages, start, [1, 2], report)) == []  # a second run has nothing to add
    assert list(book_maker.make(pages, start, [1, 2, 1], report))


def test_all_legal_moves_are_followed_up_to_symmetry():
    pages: book.Book = {}
    start = pentad.new("pentago")
    assert len(list(book_maker.make(pages, start, [None], report))) == 7
    keys = {StandardPosition(start.play(move)).key for move in start.legal_moves}
    assert keys < set(pages)


def test_a_stopped_run_keeps_its_pages():
    pages: book.Book = {}
    for _ in itertools.islice(book_maker.make(pages, pentad.new("pente"), [1, 5], report), 2):
        pass
    assert len(pages) == 2


@pytest.mark.parametrize("game", GAMES)
def test_all_images_have_the_images_of_the_moves(game, use):
    chance = random.Random(5)
    position = pentad.new(game)
    for _ in range(3):
        position = position.play(chance.choice(position.legal_moves))
        standard = StandardPosition(position)
        moves = {standard.name(move): number / 100 for number, move in enumerate(position.legal_moves[::37])}
        use({standard.key: BookPage(3, tuple(moves.items()))})
        known = dict(look_up(position).moves)
        for symmetry in position.symmetries:
            image = symmetry.position(position)
            found = dict(look_up(image).moves)
            assert all(move in image.legal_moves for move in found)
            names = {StandardPosition(image).name(move): value for move, value in found.items()}
            assert names == {standard.name(move): value for move, value in known.items()} == moves


def test_moves_are_chosen_by_their_values(use):
    position = pentad.new("pente").play("K10")
    standard = StandardPosition(position)
    names = {standard.name(position.parse(move)): move for move in ("L10", "M11", "O12")}
    values = [0.1, 0.1 - book.VARIETY, -0.5]
    use({standard.key: BookPage(9, tuple(zip(names, values, strict=True)))})
    known, chance = look_up(position), random.Random(1)
    chosen = [standard.name(known.choose(chance)) for _ in range(2000)]
    first, second, third = (chosen.count(name) for name in names)
    assert third == 0
    assert math.isclose(first / second, math.e, rel_tol=0.25)


@pytest.mark.parametrize(
    "who", ["pentago engine", "pentago perfect", "pente engine", "pente warm-up", "pentagame tree"]
)
def test_bots_play_by_the_book(who, use):
    game, name = who.split()
    start = pentad.new(game)
    standard = StandardPosition(start)
    move = standard.name(start.legal_moves[-1])
    use({standard.key: BookPage(0, ((move, 1.0),))})
    player: Bot = pentad.game.game(game).module("bot").WARM_UP_BOT(1) if name == "warm-up" else bot(game, name, seed=1)
    found = player.play(start, Limit(seconds=0.05))
    assert standard.name(found.move) == move
    if name != "warm-up":
        assert (found.value, found.exact, found.line, found.note) == (1.0, True, (found.move,), "by the book")
        assert (
            StandardPosition(start.play(player.choose(start, seconds=0.05))).key
            == StandardPosition(start.play(found.move)).key
        )


def test_only_the_strongest_rungs_use_the_book_and_a_perfect_bot_only_exact_values(use):
    start = pentad.new("pentago")
    standard = StandardPosition(start)
    worst = standard.name(start.parse("a0 1A"))
    use({standard.key: BookPage(5, ((worst, 0.3),))})
    for who, opens in {"engine@3": False, "engine@best": True, "engine@master": True, "perfect": False}.items():
        player = bot("pentago", who, seed=1)
        assert (player.play(start, Limit(seconds=0.05)).note == "by the book") == opens, who


def test_the_book_can_be_left_aside(use):
    start = pentad.new("pente")
    use({StandardPosition(start).key: BookPage(5, (("K10", 0.3),))})
    player = PenteBot(5, 1)
    assert player.play(start, Limit(nodes=50), book=False).note != "by the book"
    assert player.play(start, Limit(nodes=50)).note == "by the book"


def test_a_bot_ponders_after_a_move_of_the_book(use):
    start = pentad.new("pente")
    use({StandardPosition(start).key: BookPage(5, (("K10", 0.3),))})
    player = PenteBot(5, 1, ponders=True)
    try:
        assert str(player.choose(start, seconds=0.05)) == "K10"
        assert player.pondering
    finally:
        player.close()


@pytest.mark.parametrize("name", STARTS)
def test_the_packages_books(name):
    """Every page on the way is legal, and the book goes on for some moves."""
    for seed in range(5):
        position, chance, plies = start_of(name), random.Random(seed), 0
        while known := look_up(position):
            assert all(move in position.legal_moves for move, _ in known.moves)
            assert all(-1 <= value <= 1 for _, value in known.moves)
            position = position.play(known.choose(chance))
            plies += 1
        assert plies >= 3


@pytest.mark.parametrize("options", [{"rules": "boat"}, {"size": 13}, {"overline": False}, {"capture_win": 8}])
def test_other_rules_are_not_covered(options):
    assert look_up(pentad.new("pente")) is not None
    assert look_up(pentad.new("pente", **options)) is None


def test_a_book_is_read_as_it_was_written():
    pages = {"a": BookPage(3, (("b2 3A", 0.125), ("a1 1C", -1.0))), "b": BookPage(0, (("K10", 1.0),))}
    assert book.read(book.written(pages), "book") == pages
    for text in ("", "a\texact\tK10 1.000\n", book.written(pages).replace("0.125", "0.126")):
        with pytest.raises(GameError, match=r"^The book is damaged: .* checksum"):
            book.read(text, "The book")


BAD = [
    "\0\1",
    "{}",
    "key",
    "key\tdepth 3",
    "key\tdepth x\tK10 0.1",
    "key\texact 4\tK10 1",
    "k\texact\tK10",
    "k\tdepth \tK 1",
]


@pytest.mark.parametrize("line", BAD)
def test_a_damaged_book_is_refused_in_a_line_and_left_alone(line, tmp_path):
    file = tmp_path / "book.tsv"
    file.write_text(with_last_line("good\texact\tK10 1.000\n" + line + "\n"))
    before = file.read_text()
    with pytest.raises(GameError, match=r"^The book: Line 2 is not"):
        book.read(file.read_text(), "The book")
    ended = made("pente", "--file", str(file))
    assert (ended.returncode, ended.stderr.splitlines()[-1].endswith("Line 2 is not a page of a book.")) == (2, True)
    assert file.read_text() == before


def made(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pentad.search.book_maker", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "words", [["chess"], ["pente", "rules=none"], ["pente", "--widths", "x"], ["pente", "--seconds", "0"]]
)
def test_bad_arguments_are_refused_in_a_line(words, tmp_path):
    file = tmp_path / "book.tsv"
    ended = made(*words, "--file", str(file))
    assert ended.returncode == 2
    assert "Traceback" not in ended.stderr
    assert not file.exists()


def test_the_command_adds_pages_to_a_file(tmp_path):
    file = Path(tmp_path / "book.tsv")
    words = ("pente", "rules=keryo", "--seconds", "0.02", "--file", str(file))
    first = made(*words, "--widths", "1")
    before = without_last_line(file.read_text())
    assert len(first.stdout.splitlines()) == len(before.splitlines()) == 2
    again = made(*words, "--widths", "1", "1")
    assert len(again.stdout.splitlines()) == 1
    assert file.read_text().startswith(before)
    assert [path.name for path in tmp_path.iterdir()] == [file.name]
