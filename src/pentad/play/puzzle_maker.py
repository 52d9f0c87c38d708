"""`python -m pentad.play.puzzle_maker GAME FILE`: makes puzzles from games that bots play, each with its proof."""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

from pentad.game import GameError, Move, Position, new
from pentad.play.proving import ANY, DRAW, MOST, THREATS, WIN, Prover, prover
from pentad.search.bot import bot

Kind = tuple[str, int]  # win, threats or draw; and in how many moves
Node = dict[str, Any]  # as it is written: moves left, right moves with the reply and what follows, letters

LEVELS = (1, 2, 3, 4)  # bots that try the puzzle, for its difficulty
TRIES = 3


@dataclass(frozen=True)
class Source:
    """Where a game's puzzles come from: options, the bots' levels, from which ply on; how many of each kind."""

    options: tuple[dict[str, bool | int | str], ...]
    levels: tuple[int, ...]
    first_ply: int
    last_ply: int
    wanted: dict[Kind, int] = field(default_factory=dict)
    seconds: float | None = None
    first_moves: int = 2  # right ones at the beginning, at most


SOURCES = {
    "pentago": Source(
        ({},), (2, 2, 3), 10, 26,
        {(WIN, 1): 25, (WIN, 2): 55, (WIN, 3): 45, (WIN, 4): 15, (DRAW, 1): 30},
    ),
    "pente": Source(
        ({}, {"rules": "keryo"}, {}, {"rules": "gomoku"}, {}, {"rules": "freestyle"}, {"rules": "g-pente"}),
        (2, 3, 3), 8, 70,
        {(WIN, 2): 40, (WIN, 3): 60, (THREATS, 4): 35, (THREATS, 5): 25, (THREATS, 6): 15, (THREATS, 7): 10},
        first_moves=3,
    ),
    "pentagame": Source(
        ({}, {"first_to_three": True}), (1, 2), 12, 120, {(WIN, 1): 20, (WIN, 2): 40}, seconds=0.3, first_moves=MOST,
    ),
}  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the puzzles of one game and write them, one a line."""
    parser = argparse.ArgumentParser(prog="python -m pentad.play.puzzle_maker", description=__doc__)
    parser.add_argument("game", choices=sorted(SOURCES))
    parser.add_argument("file", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=2000, help="how many are played at most")
    asked = parser.parse_args(arguments)
    made: dict[str, Node] = {}
    for puzzle in made_puzzles(asked.game, asked.seed, asked.games):
        made[puzzle["id"]] = puzzle
        lines = sorted(made.values(), key=lambda each: (each["difficulty"], each["id"]))
        asked.file.write_text("".join(f"{json.dumps(line, separators=(',', ':'))}\n" for line in lines), "utf-8")
    counts = Counter((each["kind"], each["moves"]) for each in made.values())
    told = ", ".join(f"{number} × {kind} in {moves}" for (kind, moves), number in sorted(counts.items()))
    print(f"{len(made)} puzzles: {told or 'none'}", file=sys.stderr)
    return 0


def made_puzzles(game: str, seed: int, games: int) -> Iterator[Node]:
    """Puzzles from so many games, as long as any are wanted; at most one of a kind from a game, and two in all."""
    source, proves = SOURCES[game], prover(game)
    left, seen = Counter(source.wanted), set[str]()
    for number in range(games):
        if not +left:
            return
        here_made = set[Kind]()
        for here in played(game, source, seed * 100_003 + number):
            kind = proves.found(here)
            if kind is None or left[kind] <= 0 or kind in here_made or alike(here) in seen:
                continue
            tree = proved(proves, source, here, kind)
            if tree is None:
                continue
            seen.add(alike(here))
            here_made.add(kind)
            left[kind] -= 1
            yield puzzle_of(here, kind, tree)
            if len(here_made) == 2:
                break


def played(game: str, source: Source, seed: int) -> Iterator[Position]:
    """The positions of a game between two bots, those that may be puzzles."""
    chance = random.Random(seed)
    here = new(game, **source.options[seed % len(source.options)])
    bots = [bot(game, level=chance.choice(source.levels), seed=chance.getrandbits(30)) for _ in range(here.players)]
    while not here.outcome and here.ply <= source.last_ply:
        if here.ply >= source.first_ply:
            yield here
        here = here.play(bots[here.turn].choose(here, seconds=source.seconds))


def alike(here: Position) -> str:
    """What is the same for positions that are the same in another view."""
    return min((each.position(here).text for each in here.symmetries), default=here.text)


# ── the proof as a tree ──────────────────────────────────────────────────────────────────────────


def proved(proves: Prover, source: Source, here: Position, kind: Kind) -> Node | None:
    """The tree of a puzzle; None where there are too many answers for it to be one."""
    what, moves = kind
    right = proves.right(here, what, moves)
    boards = {here.play(move).text for move in right.moves if not move.endswith(ANY)}
    if not right.moves or len(boards) > source.first_moves or len(right.moves) > MOST:
        return None
    if 2 * right.letters.count("w") > len(right.letters):  # nearly anything wins, though later
        return None
    return grown(proves, here, what, moves, MOST)


def grown(proves: Prover, here: Position, kind: str, left: int, most: int) -> Node | None:
    """The right moves, to each the reply and what is right then; None where there are more than so many."""
    right = proves.right(here, kind, left)
    node: Node = {"left": left, "right": {}}
    if left > 1 and len(right.moves) > most:
        return None
    for move in right.moves:
        node["right"][move] = []
        after = None if move.endswith(ANY) else here.play(move)
        if after is None or after.outcome or left == 1:
            continue
        reply = proves.reply(after, kind, left - 1)
        rest = grown(proves, after.play(reply), kind, left - 1, most)
        if rest is None:
            return None
        node["right"][move] = [str(reply), rest]
    if right.letters:
        node["others"] = right.letters
    return node


# ── how hard it is ───────────────────────────────────────────────────────────────────────────────


def puzzle_of(here: Position, kind: Kind, tree: Node) -> Node:
    """A puzzle as it is written down."""
    return {
        "id": f"{here.game}-{blake2b(here.text.encode(), digest_size=4).hexdigest()}",
        "position": here.text,
        "kind": kind[0],
        "moves": kind[1],
        "difficulty": difficulty(here, kind, tree),
        "tree": tree,
    }


def difficulty(here: Position, kind: Kind, tree: Node) -> int:
    """From 1 to 5: how long it is, which level of bots finds it, how many moves are right."""
    points = 2 * kind[1] + finder(here, tree) - (len(tree["right"]) > 2)
    bounds = BOUNDS[here.game]
    return 1 + sum(points > bound for bound in bounds)


BOUNDS = {"pentago": (4, 6, 8, 10), "pente": (6, 8, 10, 13), "pentagame": (3, 4, 6, 8)}


def finder(here: Position, tree: Node) -> int:
    """The lowest level of the game's bots that mostly finds the first move; one more than the last if none does."""
    for level in LEVELS:
        found = 0
        for seed in range(TRIES):
            try:
                move = bot(here.game, level=level, seed=seed).choose(here, seconds=0.5)
            except GameError:
                continue
            found += is_right(tree, move)
        if 2 * found > TRIES:
            return level
    return LEVELS[-1] + 1


def is_right(tree: Node, move: Move) -> bool:
    """Whether a move is one of the right ones."""
    text = str(move)
    return any(text.startswith(each[:-1]) if each.endswith(ANY) else text == each for each in tree["right"])


if __name__ == "__main__":
    raise SystemExit(main())
