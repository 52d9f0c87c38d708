"""Makes tests/data/pentago: slice files, boards with their values, and wins in all rotations.

`python -m tests.games.pentago.make_data FOLDER` reads the slices 0 to 4 of the published solution in a folder, and
writes their contents as files of our own. The other values come from the solvers of the tests, which share nothing with
the package: `forward_solver.py` from 18 marbles on, `naive_solver.py` for boards that are nearly full.
"""

from __future__ import annotations

import json
import lzma
import random
import sys
from pathlib import Path

from pentad.games.pentago import to_number
from pentad.games.pentago.slices import Slices
from tests.games.pentago import slice_files
from tests.games.pentago.random_games import DATA
from tests.games.pentago.solver.forward_solver import Forward
from tests.games.pentago.solver.naive_solver import naive_of, value_of
from tests.games.pentago.solver.sample_positions import careful_game, random_position, turned

SLICES = range(5)
GAMES = 16
ROTATED_MARBLES = (33, 34, 35)
BOARDS = 32


def name_of(position):
    return f"{to_number(position)}{'m' * position.placed}"


def write_slices(published, folder):
    slices = Slices(published)
    for marbles in SLICES:
        boards = {number: (black, white) for number, black, white in slices.boards(marbles)}
        slice_files.write(folder / f"slice-{marbles}.pentago", boards, pack=lzma.compress)


def values_below(here):
    """The values of a board, of the boards after each placement, and of those after each turn."""
    found = {name_of(here): Forward(here).value()}
    for move, value in Forward(here).moves().items():
        place, _, twist = move.partition(" ")
        half = name_of(here.partial(place))
        found[half] = max(value, found.get(half, -1))
        if twist:
            after = here.play(move)
            found[name_of(after)] = int(after.outcome.returns[after.turn]) if after.outcome else -value
    return found


def game_values():
    """The positions of careful games from 18 marbles on, also in the middle of a turn, with their values."""
    found = {}
    for seed in range(GAMES):
        rng = random.Random(seed)
        here = careful_game(rng)
        for _ in range(seed % 7 and 2):  # few boards of 18 and 19 marbles, which take seconds
            here = quiet_turn(rng, here)
        while not here.outcome:
            found[name_of(here)] = Forward(here).value()
            move = rng.choice(here.legal_moves)
            half = here.partial(move[0])
            if not half.outcome:
                found[name_of(half)] = Forward(half).value()
            here = quiet_turn(rng, here)
        found[name_of(here)] = int(here.outcome.returns[here.turn])
        print(f"game {seed}: {len(found)} positions", flush=True)
    return found


def quiet_turn(rng, here):
    """The position after a random turn, which ends the game only if twenty others do."""
    for _ in range(20):
        after = here.play(rng.choice(here.legal_moves))
        if not after.outcome:
            break
    return after


def rotated_wins(here):
    """Black's and white's wins in all rotations of a board, by exhaustive search."""
    naive, wins = naive_of(here), [0, 0]
    for bit, (a, b, c, d) in enumerate(slice_files.rotations()):
        # a published rotation is anti-clockwise, of the quadrants from the bottom left, up the columns
        marbles = turned(here, [-b % 4, -d % 4, -a % 4, -c % 4]).marbles
        lines = [naive.has_line(each) for each in marbles]
        mine, theirs = marbles if here.turn == 0 else marbles[::-1]
        value = lines[here.turn] - lines[1 - here.turn] if any(lines) else value_of(naive.score(mine, theirs))
        if value:
            wins[here.turn if value > 0 else 1 - here.turn] |= 1 << bit
    return [f"{each:064x}" for each in wins]


def rotated_values():
    found = {}
    for marbles in ROTATED_MARBLES:
        rng = random.Random(marbles)
        boards = [random_position(rng, 36 - marbles, placed=False) for _ in range(BOARDS)]
        found[marbles] = {name_of(here): rotated_wins(here) for here in boards}
        print(f"{marbles} marbles in all rotations", flush=True)
    return found


def write_json(name, found):
    """A line for each board."""
    (DATA / name).write_text(json.dumps(found, indent=0) + "\n", encoding="utf-8")


def main(published):
    DATA.mkdir(parents=True, exist_ok=True)
    write_slices(Path(published), DATA)
    write_json("rotations.json", rotated_values())
    write_json("games.json", game_values())
    write_json("below_18.json", values_below(careful_game(random.Random(18))))


if __name__ == "__main__":
    main(*sys.argv[1:])
