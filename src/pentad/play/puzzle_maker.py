"""`python -m pentad.play.puzzle_maker GAME FILE`: puzzles, with proofs, from games between bots."""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, cast

from pentad.game import GameError, Position, game, names, new
from pentad.games.parts import ANY, MOST, Kind, Prover, PuzzleSource
from pentad.play.puzzles import fits
from pentad.search.bot import bot
from pentad.system.words import count

Node = dict[str, Any]  # the file has them: moves left, correct moves with the reply and the next node, letters

LEVELS = (1, 2, 3, 4)  # the bots that try a puzzle, to rate its difficulty
TRIES = 3


def prover(name: str) -> Prover:
    """The prover of a game."""
    return cast(Prover, game(name).module("prover"))


def source(name: str) -> PuzzleSource:
    """Where the puzzles of a game come from."""
    return cast(PuzzleSource, game(name).module("puzzles").SOURCE)


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the puzzles of a game and write them, one a line."""
    parser = argparse.ArgumentParser(prog="python -m pentad.play.puzzle_maker", description=__doc__)
    parser.add_argument("game", choices=sorted(name for name in names() if game(name).has("prover")))
    parser.add_argument("file", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=2000, help="maximum number of games to play")
    args = parser.parse_args(arguments)
    made: dict[str, Node] = {}
    for puzzle in made_puzzles(args.game, args.seed, args.games):
        made[puzzle["id"]] = puzzle
        lines = sorted(made.values(), key=lambda each: (each["difficulty"], each["id"]))
        args.file.write_text("".join(f"{json.dumps(line, separators=(',', ':'))}\n" for line in lines), "utf-8")
    counts = Counter((each["kind"], each["moves"]) for each in made.values())
    listed = ", ".join(f"{number} × {kind} in {moves}" for (kind, moves), number in sorted(counts.items()))
    print(f"{count(len(made), 'puzzle')}: {listed or 'none'}", file=sys.stderr)
    return 0


def made_puzzles(name: str, seed: int, games: int) -> Iterator[Node]:
    """Puzzles from at most this many games; each game gives at most one of a kind and two in all."""
    made_from, proofs = source(name), prover(name)
    left, seen = Counter(made_from.wanted), set[str]()
    for number in range(games):
        if not +left:
            return
        kinds = set[Kind]()
        for here in played(name, made_from, seed * 100_003 + number):
            kind = proofs.found(here)
            if kind is None or left[kind] <= 0 or kind in kinds or canonical_text(here) in seen:
                continue
            tree = proved(proofs, made_from, here, kind)
            if tree is None:
                continue
            seen.add(canonical_text(here))
            kinds.add(kind)
            left[kind] -= 1
            yield puzzle_of(here, kind, tree)
            if len(kinds) == 2:
                break


def played(name: str, source: PuzzleSource, seed: int) -> Iterator[Position]:
    """The positions of a game between bots within the range of plies."""
    rng = random.Random(seed)
    here = new(name, **source.options[seed % len(source.options)])
    bots = [bot(name, level=rng.choice(source.levels), seed=rng.getrandbits(30)) for _ in range(here.players)]
    while not here.outcome and here.ply <= source.last_ply:
        if here.ply >= source.first_ply:
            yield here
        here = here.play(bots[here.turn].choose(here, seconds=source.seconds))


def canonical_text(here: Position) -> str:
    """A text that is equal for positions that are symmetric to each other."""
    return min((each.position(here).text for each in here.symmetries), default=here.text)


# ── the proof as a tree ──────────────────────────────────────────────────────────────────────────


def proved(proofs: Prover, source: PuzzleSource, here: Position, kind: Kind) -> Node | None:
    """The tree of a puzzle; None if there are too many solutions."""
    goal, moves = kind
    right = proofs.right(here, goal, moves)
    boards = {here.play(move).text for move in right.moves if not move.endswith(ANY)}
    if not right.moves or len(boards) > source.first_moves or len(right.moves) > MOST:
        return None
    if 2 * right.letters.count("w") > len(right.letters):  # most moves win, though later
        return None
    return solution_tree(proofs, here, goal, moves, MOST)


def solution_tree(proofs: Prover, here: Position, kind: str, left: int, most: int) -> Node | None:
    """The correct moves, each with the reply and the next node; None if there are more than `most`."""
    right = proofs.right(here, kind, left)
    node: Node = {"left": left, "right": {}}
    if left > 1 and len(right.moves) > most:
        return None
    for move in right.moves:
        node["right"][move] = []
        after = None if move.endswith(ANY) else here.play(move)
        if after is None or after.outcome or left == 1:
            continue
        reply = proofs.reply(after, kind, left - 1)
        rest = solution_tree(proofs, after.play(reply), kind, left - 1, most)
        if rest is None:
            return None
        node["right"][move] = [str(reply), rest]
    if right.letters:
        node["others"] = right.letters
    return node


# ── difficulty ───────────────────────────────────────────────────────────────────────────────────


def puzzle_of(here: Position, kind: Kind, tree: Node) -> Node:
    """A puzzle's entry in the file."""
    return {
        "id": f"{here.game}-{blake2b(here.text.encode(), digest_size=4).hexdigest()}",
        "position": here.text,
        "kind": kind[0],
        "moves": kind[1],
        "difficulty": difficulty(here, kind, tree),
        "tree": tree,
    }


def difficulty(here: Position, kind: Kind, tree: Node) -> int:
    """A difficulty from 1 to 5, by the length, the level of bots that solves it and the number of correct moves."""
    points = 2 * kind[1] + finder(here, tree) - (len(tree["right"]) > 2)
    return 1 + sum(points > bound for bound in source(here.game).bounds)


def finder(here: Position, tree: Node) -> int:
    """The lowest level of bots that finds the first move in most tries; the last one plus 1 if none does."""
    for level in LEVELS:
        found = 0
        for seed in range(TRIES):
            try:
                move = bot(here.game, level=level, seed=seed).choose(here, seconds=0.5)
            except GameError:
                continue
            found += any(fits(str(move), wanted) for wanted in tree["right"])
        if 2 * found > TRIES:
            return level
    return LEVELS[-1] + 1


if __name__ == "__main__":
    raise SystemExit(main())
