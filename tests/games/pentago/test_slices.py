"""A folder of slices: the published values of boards with few marbles, and deep boards by the rules."""

import hashlib
import random
import shutil

import pytest

import pentad
from pentad.game import GameError
from pentad.games.pentago import from_number, to_number
from pentad.games.pentago.slices import VARIABLE, MissingSlice, Slices, configured
from tests.games.pentago import slice_files
from tests.games.pentago.random_games import rotated

EMPTY = pentad.new("pentago")


@pytest.fixture(scope="module")
def slices():
    return Slices(slice_files.DATA)


def few(seed):
    """A random position of up to four marbles."""
    rng = random.Random(seed)
    position = EMPTY
    for _ in range(seed % 5):
        position = position.play(rng.choice(position.legal_moves))
    return position


def deep(seed, marbles):
    """A random board with a number of marbles and without a line."""
    rng = random.Random(seed)
    while True:
        spaces = rng.sample(range(36), marbles)
        rows = "".join("." if s not in spaces else "bw"[spaces.index(s) % 2] for s in range(36))
        position = pentad.load("pentago " + "/".join(rows[6 * i : 6 * i + 6] for i in range(6)))
        if not position.outcome:
            return position


# ── the published slices ─────────────────────────────────────────────────────────────────────────

# SHA-256 of each published slice as text: a line with the number, black's and white's wins for each board
PUBLISHED = (
    "c6f8d3e639a14136f8f430fdd62b7f566607ff6d1c5cbdeb122f4ab691f4a977",
    "9347635545c71546f96c23a3f0b6c7ba0a191bea97f203cd979aacefc9d45b08",
    "73e71f7a5843e3204b7a2793ae4e88fc694fca5e7ab8590e1e7463cb499dceb2",
    "9ca1ca711f725796f2b536fe9f3d67c501e18f620db712ed448343bc12a75b2b",
    "36c3381dd3361e84691db017c2ee284de1ad82949742673fa3a7866ddace4957",
)


def test_the_available_slices(slices):
    assert slices.counts == (0, 1, 2, 3, 4)


@pytest.mark.parametrize(("marbles", "digest"), [*enumerate(PUBLISHED)])
def test_boards_have_the_published_wins(slices, marbles, digest):
    lines = "".join(f"{number} {black:064x} {white:064x}\n" for number, black, white in slices.boards(marbles))
    assert hashlib.sha256(lines.encode()).hexdigest() == digest


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("marbles", range(5))
def test_every_board_is_found(slices, marbles):
    for number, black, white in slice_files.decoded(marbles):
        position = from_number(number)
        assert slices.masks(position) == (black, white)
        wins = (black & 1, white & 1)
        assert slices.value(position) == wins[marbles % 2] - wins[1 - marbles % 2]


def test_a_board_after_a_placement_is_worth_its_best_twist(slices):
    compared = 0
    for seed in range(40):
        half = few(seed % 4 + 5 * seed)
        half = half.partial(half.choices()[seed % len(half.choices())])
        if half.ply + half.placed <= 4:
            after = {str(move): -slices.value(half.play(move)) for move in half.legal_moves}
            assert {str(move): value for move, value in slices.values(half).items()} == after
            assert slices.value(half) == max(after.values())
            compared += 1
    assert compared > 20


def test_first_placements(slices):
    best = {}
    for move, value in slices.values(EMPTY).items():
        best[str(move[0])] = max(value, best.get(str(move[0]), -1))
    assert sorted(place for place, value in best.items() if value == 0) == ["a0", "a5", "f0", "f5"]
    assert sum(value == 1 for value in best.values()) == 32
    for place, value in best.items():
        assert slices.value(EMPTY.partial(place)) == value


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("marbles", range(4))
def test_a_board_is_worth_its_best_move(slices, marbles):
    rng = random.Random(marbles)
    for number, black, white in slice_files.decoded(marbles):
        bit = rng.randrange(256)
        position = slice_files.turned_board(from_number(number), slice_files.rotations()[bit])
        values = slices.values(position)
        assert list(values) == list(position.legal_moves)
        wins = (black >> bit & 1, white >> bit & 1)
        assert max(values.values()) == slices.value(position) == wins[marbles % 2] - wins[1 - marbles % 2]


@pytest.mark.slow
def test_rotations_and_symmetries(slices):
    seen = set()
    for seed in range(40):
        position = few(seed)
        black, white = slices.masks(position)
        for bit, turns in enumerate(slice_files.rotations()):
            if (bit + seed) % 9 == 0:
                value = slices.value(slice_files.turned_board(position, turns))
                won = (black >> bit & 1, white >> bit & 1)
                assert value == won[position.turn] - won[1 - position.turn]
                seen.add((position.ply, value))
        for way in position.symmetries:
            assert slices.value(way.position(position)) == slices.value(position)
            if position.ply < 4:
                image = slices.values(way.position(position))
                assert image == {way.move(move): value for move, value in slices.values(position).items()}
    assert len(seen) >= 8


def test_moves_have_the_values_of_their_results(slices):
    for seed in range(0, 60, 7):
        position = few(seed)
        if position.ply == 4:
            continue
        for move, value in list(slices.values(position).items())[:: seed + 5]:
            assert value == -slices.value(position.play(move))
            half = position.partial(str(move[0]))
            assert slices.values(half)[type(move)(move[1:])] == value
            assert slices.value(half) == max(slices.values(half).values())


def test_missing_slices(slices):
    four = few(4)
    five = four.play(four.legal_moves[0])
    for ask in (slices.value, slices.masks, slices.values):
        with pytest.raises(MissingSlice, match=r"slice of [56] marbles, only of 0, 1, 2, 3, 4"):
            ask(five)
    with pytest.raises(MissingSlice):
        slices.values(four)
    with pytest.raises(MissingSlice):
        slices.value(four.partial(four.choices()[0]))
    assert slices.value(four) in (-1, 0, 1)
    with pytest.raises(MissingSlice):
        next(slices.boards(5))


def test_values_from_the_next_slice(slices, tmp_path):
    shutil.copy(slice_files.DATA / "slice-3.pentago", tmp_path)
    alone = Slices(tmp_path)
    for seed in (2, 7, 12):
        assert alone.value(few(seed)) == slices.value(few(seed))
    with pytest.raises(MissingSlice):
        alone.value(few(1))


def test_blocks_are_cached(tmp_path):
    shutil.copy(slice_files.DATA / "slice-1.pentago", tmp_path)
    slices = Slices(tmp_path)
    values = slices.values(EMPTY)
    (tmp_path / "slice-1.pentago").unlink()
    assert slices.values(EMPTY) == values


# ── deep boards, solved by the rules ─────────────────────────────────────────────────────────────


def twisted(placed):
    return {placed.play((twist,)) for twist in placed.board.twists}


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("marbles", [33, 34, 35])
def test_deep_boards(tmp_path, marbles):
    """The values of all moves, including winning placements, ends of games and full boards."""
    met = set()
    for seed in range(3 if marbles == 33 else 12):
        position = deep(seed, marbles)
        if marbles < 35:
            folder = tmp_path / str(seed)
            folder.mkdir()
            boards = {}
            for choice in position.choices():
                placed = position.partial(choice)
                if not placed.outcome:
                    boards[to_number(placed)] = slice_files.solved_masks(placed, twisted(placed))
            slice_files.write(folder / "a.pentago", boards or {to_number(placed): (0, 0)}, whole=False)
            slices = Slices(folder)
            assert slices.counts == (marbles + 1,)
        else:  # every move ends the game: no slice is needed
            slice_files.write(tmp_path / "a.pentago", {1: (0, 0)})
            slices = Slices(tmp_path)
        values = slices.values(position)
        assert values == {move: slice_files.worth(position, move) for move in position.legal_moves}
        assert slices.value(position) == slice_files.solved(position)
        for move, value in values.items():
            after = position.play(move)
            met.add((len(move), value, after.outcome.reason if after.outcome else ""))
        for choice in position.choices():
            half = position.partial(choice)
            assert slices.value(half) == (1 if half.outcome else max(slices.values(half).values()))
    assert (1, 1, "five") in met
    assert {(2, 1, "five"), (2, -1, "five")} & met
    if marbles < 35:
        assert {value for _, value, reason in met if not reason} >= {-1, 0}


@pytest.mark.slow
@pytest.mark.parametrize("marbles", [33, 34, 35])
def test_samples_in_all_rotations(tmp_path, marbles):
    """Boards with their wins over all rotations, written to a slice file and read back."""
    samples = rotated(marbles)
    assert len(samples) == 32
    looked_at_from_all_sides = 0
    for number, wins in samples.items():
        folder = tmp_path / str(number)
        folder.mkdir()
        slice_files.write(folder / "a.pentago", {number: wins}, whole=False)
        slices = Slices(folder)
        position = from_number(number)
        assert slices.masks(position) == wins
        images = [way.position(position) for way in position.symmetries]
        sections = {tuple(map(slice_files.counts, slice_files.quadrants(to_number(image)))) for image in images}
        if len(sections) == 8:  # otherwise the mirror image of a board may be missing in this file
            assert all(slices.value(image) == slice_files.solved(position) for image in images)
            looked_at_from_all_sides += 1
        for bit in range(0, 256, 17):
            board = slice_files.turned_board(position, slice_files.rotations()[bit])
            won = (wins[0] >> bit & 1, wins[1] >> bit & 1)
            assert slice_files.solved(board) == won[board.turn] - won[1 - board.turn]
    assert looked_at_from_all_sides > 20


def test_ended_boards_by_the_rules(tmp_path):
    slice_files.write(tmp_path / "a.pentago", {1: (0, 0)})
    slices = Slices(tmp_path)
    won = pentad.load("pentago bbbbb./wwww../....../....../....../......")
    assert (won.turn, slices.value(won), slices.values(won)) == (1, -1, {})
    with_placement = pentad.load("pentago bbbbb./wwww../....../....../....../...... placed")
    assert (with_placement.turn, slices.value(with_placement), slices.values(with_placement)) == (0, 1, {})
    both = pentad.load("pentago bbbbb./wwwww./....../....../....../......")
    assert slices.value(both) == 0
    full = pentad.load("pentago bbwwbb/wwbbww/bbwwbb/wwbbww/bbwwbb/wwbbww")
    assert slices.value(full) == slice_files.solved(full) == int(full.outcome.returns[0])


# ── what cannot be looked up ─────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        (pentad.new("pentago", win_on_placement=False), "This game has win_on_placement=false"),
        (pentad.new("pentago", players=3), "Only boards of classic Pentago"),
        (pentad.new("pentago", rows=3, cols=3), "Only boards of classic Pentago"),
        (pentad.new("pente"), "Slices contain positions of Pentago"),
        (None, "Slices contain positions of Pentago, not None"),
    ],
)
def test_other_games(tmp_path, position, expected):
    slice_files.write(tmp_path / "a.pentago", {1: (0, 0)})
    slices = Slices(tmp_path)
    for ask in (slices.value, slices.values, slices.masks):
        with pytest.raises(GameError, match=expected):
            ask(position)


def test_folders_without_slices(tmp_path):
    with pytest.raises(GameError, match="has no slice files"):
        Slices(tmp_path)
    with pytest.raises(GameError, match="is not a folder"):
        Slices(tmp_path / "none")
    with pytest.raises(GameError, match="is not a folder"):
        Slices("a\0b")
    slice_files.write(tmp_path / "a.pentago", {1: (0, 0)})
    with pytest.raises(GameError, match="is not a folder"):
        Slices(tmp_path / "a.pentago")


def test_a_missing_section(tmp_path):
    slice_files.write(tmp_path / "a.pentago", {5: (0, 0)}, many=False)
    slices = Slices(tmp_path)
    assert slices.value(from_number(5)) == 0
    assert slices.value(from_number(5 << 48)) == 0  # a symmetric image of the same section
    with pytest.raises(MissingSlice, match=r"slice of 2 marbles .* lacks"):
        slices.value(from_number(1 + (2 << 16)))


# ── the folder that a process uses ───────────────────────────────────────────────────────────────


def test_nothing_configured(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    assert configured() is None
    monkeypatch.setenv(VARIABLE, "")
    assert configured() is None


def test_a_configured_folder(monkeypatch, tmp_path):
    slice_files.write(tmp_path / "a.pentago", {1: (1, 0)})
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    slices = configured()
    assert slices is not None
    assert slices.value(from_number(1)) == -1
    assert configured() is slices


def test_an_invalid_configured_folder(monkeypatch, tmp_path):
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    with pytest.raises(GameError, match=r"^PENTAD_SLICES: .* has no slice files"):
        configured()
    (tmp_path / "a.pentago").write_text("no")
    with pytest.raises(GameError, match=r"^PENTAD_SLICES: .*a\.pentago: .* after 2 bytes"):
        configured()
    (tmp_path / "a.pentago").unlink()
    slice_files.write(tmp_path / "a.pentago", {1: (1, 0)})
    assert configured() is not None
