"""The opening book: pages for all images of a position and only its own rules, and how the book is built."""

import itertools
import json
import random
import sys

import pytest

from pentad.game import GameError
from pentad.pente.board import points_of
from pentad.pente.engine import book
from pentad.pente.engine.bots import EngineBot
from tests.pente.engine.random_positions import new
from tests.pente.random_games import played


def start_of(name):
    rules, opening = book.BOOKS[name]
    return new(rules=rules, opening=opening)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The file of a small book, and the messages of its builder."""
    file = tmp_path_factory.mktemp("book") / "book.json"
    return file, list(book.BookBuilder(file, 0.05, 2, 1).write())


@pytest.fixture
def in_use(written, monkeypatch):
    """The small book in place of the package's."""
    use(written[0], monkeypatch)
    yield written[0]
    book.pages.cache_clear()


def use(file, monkeypatch):
    monkeypatch.setattr(book, "FILE", file)
    book.pages.cache_clear()


def page_for(position, scores):
    """A page with some of a position's points and these scores."""
    name, there = book.page_of(position)
    points = list(points_of(position.points))[::37]
    return {name: [(there[point], score) for point, score in zip(points, scores, strict=False)]}, points


def test_the_builder_writes_a_page_for_each_position(written):
    file, messages = written
    pages = json.loads(file.read_text())
    assert set(pages) == set(book.BOOKS)
    assert len(messages) == sum(map(len, pages.values()))
    for name, known in pages.items():
        start = start_of(name)
        assert len(known) == 2  # the first position, and the one after the only move there
        assert known[book.page_of(start)[0]] == [[start.board.centre, pytest.approx(0, abs=1000)]]
        for page in known.values():
            scores = [score for _, score in page]
            assert scores == sorted(scores, reverse=True)
            assert scores[0] - scores[-1] <= book.WORTH_PLAYING
            assert len({point for point, _ in page}) == len(page) <= book.LINES
    assert [path.name for path in file.parent.iterdir()] == [file.name]  # no partial file remains


def test_a_second_run_continues(written, tmp_path):
    file = tmp_path / "book.json"
    half = json.loads(written[0].read_text())
    half["centre"] = {}
    file.write_text(json.dumps(half))
    messages = list(book.BookBuilder(file, 0.05, 2, 1).write())
    assert len(messages) == 2
    assert all(line.startswith("centre") for line in messages)
    assert list(book.BookBuilder(file, 0.05, 2, 1).write()) == []


def test_a_stopped_run_keeps_its_pages(tmp_path):
    file = tmp_path / "book.json"
    for _ in itertools.islice(book.BookBuilder(file, 0.05, 2, 1).write(), 1):
        pass
    assert sum(map(len, json.loads(file.read_text()).values())) == 1


def test_moves_are_chosen_from_the_pages(in_use):
    for name in book.BOOKS:
        position = start_of(name).play("K10")
        known = dict(book.moves_from(position))
        assert known
        chosen = {book.choose(position, random.Random(seed)) for seed in range(40)}
        assert chosen <= set(known)
        assert max(known, key=lambda point: known[point]) in chosen
        bot = EngineBot(5, 1)
        assert position.board.point(*bot.choose(position, seconds=1)[0]) in known
        assert bot.note == "by the book"
        unread = EngineBot(3, 1)
        unread.choose(position)
        assert unread.note != "by the book"


@pytest.mark.parametrize("moves", ["K10", "K10 L11", "K10 L11 O8"])
def test_all_images_have_the_images_of_the_moves(moves, tmp_path, monkeypatch):
    position = played({}, moves)
    page, points = page_for(position, (20, 10, 0, -4))
    file = tmp_path / "book.json"
    file.write_text(json.dumps({position.rules.opening: page}))
    use(file, monkeypatch)
    known = dict(book.moves_from(position))
    assert set(known) <= set(points)
    assert len(position.symmetries) == 8
    for way in position.symmetries:
        image = way.position(position)
        found = dict(book.moves_from(image))
        assert all(image.points >> point & 1 for point in found)
        there = {}
        for point, score in known.items():
            move = way.move(position.parse(str(position.board.stones[point])))
            there[image.board.point(*move[0])] = score
        stabiliser = sum(each.position(position) == position for each in position.symmetries)
        if stabiliser == 1:
            assert found == there
        else:  # an image may have the same moves turned
            assert sorted(found.values()) == sorted(there.values())
    book.pages.cache_clear()


NOT_COVERED = {
    "another rule set": {"rules": "boat"},
    "another size": {"size": 13},
    "another opening": {"opening": "pro"},
    "no opening": {"opening": "free"},
    "swap2": {"opening": "swap2"},
    "no six": {"overline": False},
    "fewer to take": {"capture_win": 8},
    "four in a row": {"line": 4},
    "a tie where no line is left": {"blocked_tie": True},
}


@pytest.mark.parametrize("options", NOT_COVERED.values(), ids=NOT_COVERED.keys())
def test_other_rules_are_not_covered(options, in_use):
    position = new(**options)
    assert book.book_of(position) is None
    assert book.moves_from(position) == []
    assert book.choose(position, random.Random(1)) is None


def test_nothing_is_covered_after_captures(in_use):
    position = new(opening="centre").play("K10").play("L10").play("A1").play("M10").play("N10")
    assert position.captures == (2, 0)
    assert book.book_of(position) is None


def test_illegal_points_are_left_out(tmp_path, monkeypatch):
    """The tournament rule forbids points near the centre to the third stone."""
    position = played({}, "K10 L11")
    name, there = book.page_of(position)
    near, far = position.board.point(*position.board.stones[position.board.centre + 1]), 0
    file = tmp_path / "book.json"
    page = [(there[position.board.centre], 9), (there[near], 5), (there[far], 1)]
    file.write_text(json.dumps({position.rules.opening: {name: page}}))
    use(file, monkeypatch)
    assert book.moves_from(position) == [(far, 1)]
    book.pages.cache_clear()


BROKEN = {"cut off": '{"tournament": {"', "no text": "\x00\x01", "another thing": "[]", "no pages": '{"tournament": 3}'}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_book_is_a_one_line_error(text, tmp_path, monkeypatch):
    file = tmp_path / "book.json"
    file.write_text(text)
    use(file, monkeypatch)
    for action in (lambda: book.moves_from(new().play("K10")), lambda: book.BookBuilder(file, 0.05, 2, 1)):
        with pytest.raises(GameError, match=r"^[^\n]*book\.json: Not an opening book \([^\n]*\)\.$"):
            action()
    book.pages.cache_clear()


def test_a_broken_book_cannot_be_continued(tmp_path, monkeypatch, capsys):
    file = tmp_path / "book.json"
    file.write_text("{")
    monkeypatch.setattr(sys, "argv", ["book", "--file", str(file)])
    with pytest.raises(SystemExit):
        book.main()
    assert "Not an opening book" in capsys.readouterr().err.splitlines()[-1]
    assert file.read_text() == "{"


def test_the_packages_book_can_be_read():
    book.pages.cache_clear()
    assert set(book.pages()) == set(book.BOOKS)
    for name in book.BOOKS:
        position = start_of(name)
        for _ in range(4):
            point = book.choose(position, random.Random(2))
            if point is None:
                break
            position = position.play(position.board.stones[point])
