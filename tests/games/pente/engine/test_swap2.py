"""The opening swap2: balanced stones, the better colour, the time limit, and reproducible choices."""

import random
import statistics

import pytest

from pentad.game import GameError
from pentad.game.standard_position import StandardPosition
from pentad.games.pente.engine import swap2
from pentad.games.pente.engine.bots import PenteBot
from pentad.games.pente.engine.search import RootSearch
from pentad.search.move_limit import Limit
from tests.games.pente.engine.random_positions import new


def start(**options):
    return new(**{"rules": "gomoku", "size": 15, "opening": "swap2", **options})


def imbalance(here, move):
    """The advantage of a colour by a deeper search."""
    engine = RootSearch(swap2._with_colours(here, move))
    engine.deepen(nodes=60_000)
    return abs(engine.best.score)


@pytest.mark.slow
def test_openings_are_more_even_than_random_ones():
    here, chance = start(), random.Random(1)
    by_chance = [imbalance(here, here.legal_moves[chance.randrange(len(here.legal_moves))]) for _ in range(12)]
    chosen = [imbalance(here, PenteBot(5, seed).choose(here)) for seed in range(5)]
    assert statistics.median(chosen) < statistics.median(by_chance)


@pytest.mark.slow
def test_the_seed_determines_the_opening():
    moves = {seed: PenteBot(5, seed).choose(start()) for seed in (1, 2)}
    assert moves[1] == PenteBot(5, 1).choose(start())
    assert moves[1] != moves[2]


def test_no_two_of_the_sample_are_images_of_each_other():
    here = start(size=5)
    seen = []
    for _, after in swap2._openings(here, random.Random(1)):
        images = {way.position(after) for way in after.symmetries}
        assert not images & set(seen)
        seen.append(after)
    assert 50 < len(seen) < swap2.SAMPLE  # the sample repeats openings on a small board


class Clock:
    """A clock that advances only during searches."""

    now = 0.0

    def monotonic(self):
        return self.now


@pytest.mark.fast_cases(5)
@pytest.mark.parametrize("stones", ["", "H8 A1 J8"])
@pytest.mark.parametrize("seconds", [0, 0.1, 1])
def test_all_the_time_goes_into_searches_and_no_more(monkeypatch, seconds, stones):
    """Each search uses all of its time."""
    clock, here = Clock(), start()
    here = here.play(stones) if stones else here
    monkeypatch.setattr(swap2, "time", clock)

    def scored(position, nodes, most):
        clock.now += max(most, 0)
        return 3 - position.placed % 5

    assert swap2.choose_opening(here, random.Random(1), scored, seconds) in here.legal_moves
    assert clock.now == pytest.approx(seconds)


def test_a_tenth_of_a_second_is_enough_for_a_move():
    assert PenteBot(5, 1).choose(start(), seconds=0.1) in start().legal_moves


def test_the_better_colour_is_taken():
    """White has two in a row in the middle and black's stone is in a corner; then the other way round."""
    for stones, side in (("H8 A1 J8", "white"), ("A1 H8 O15", "black")):
        assert str(PenteBot(5, 1).choose(start().play(stones), seconds=0.5)) == side


def test_an_opening_may_be_over_with_the_choice():
    here = start(rules="lines", size=5, line=2)
    players, position = [PenteBot(3, 1), PenteBot(3, 2)], here
    while not position.outcome:
        position = position.play(players[position.turn].choose(position, seconds=0.05))
    assert position.ply > 1


# ── the book ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", swap2.BOOKS)
def test_the_book_s_openings_are_legal_and_differ(name):
    here, known = swap2.start_of(name), swap2.openings()[name]
    assert all(abs(score) <= swap2.BALANCED for _, score in known)
    keys = {StandardPosition(here.play(move)).key for move, _ in known}
    assert len(keys) == len(known) > 3


def test_the_strongest_rungs_open_by_the_book_in_any_image():
    here = swap2.start_of("gomoku")
    opened = {str(PenteBot(4, seed).choose(here)) for seed in range(30)}
    assert opened <= {str(here.parse(move)) for move in opened}
    assert len(opened) > 20  # images are chosen at random
    bot = PenteBot(5, 1)
    found = bot.play(here, Limit(seconds=60))
    assert found.move in here.legal_moves
    assert found.note == "by the book"
    assert swap2.known_opening(start(size=13), random.Random(1)) is None
    assert swap2.known_opening(here.play("H8 A1 J8"), random.Random(1)) is None


def test_openings_are_added_to_a_file_and_a_second_run_continues(tmp_path, monkeypatch):
    file = tmp_path / "openings.json"
    monkeypatch.setattr(swap2, "BOOKS", {"small": {"rules": "freestyle", "size": 7}})
    monkeypatch.setattr(swap2, "BALANCED", 10**6)
    assert len(list(swap2.make(file, 2, 0.01, 1))) >= 2
    first = swap2.read(file)["small"]
    assert list(swap2.make(file, 2, 0.01, 1)) == []
    assert list(swap2.make(file, 3, 0.01, 1))
    assert swap2.read(file)["small"][:2] == first
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


@pytest.mark.parametrize("text", ["", "[]", "7", '{"pente": 3}', '{"pente": [[1]]}', '{"pente": [["x", [1], 2]]}', "{"])
def test_damaged_books_are_refused(tmp_path, text):
    file = tmp_path / "openings.json"
    file.write_text(text)
    with pytest.raises(GameError, match=r"openings\.json: Not a book of openings"):
        swap2.read(file)
