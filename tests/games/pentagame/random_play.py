"""Positions and turns for tests: positions loaded from a few words, random turns, and random positions."""

from __future__ import annotations

import random
from typing import Any

import pentad
from pentad.game import Move
from pentad.games.pentagame.board import fields_of, goal, name_of
from pentad.games.pentagame.notation import BlockStep, LeaveStep, PieceStep, canonical, write_field
from pentad.games.pentagame.rules import PentagamePosition

OPTIONS: tuple[dict[str, bool], ...] = tuple(
    {"first_to_three": first, "no_swap_back": back} for first in (False, True) for back in (False, True)
)


def board(
    pieces: str = "",
    *,
    blacks: str = "",
    grays: str = "",
    turn: int = 0,
    ply: int = 20,
    last: str = "",
    swapped: str = "-",
    due: str = "",
    **options: Any,
) -> PentagamePosition:
    """Returns the start position with some figures elsewhere, loaded from its text.

    Pieces as `03@522 12@-`: player 0's red on 522, player 1's yellow home; blocks as `11@410`; seats' last moves
    apart by spaces.
    """
    start = pentad.new("pentagame", **options)
    assert isinstance(start, PentagamePosition)
    seats = [list(map(str, range(5))) for _ in range(start.players)]
    for word in pieces.split():
        seats[int(word[0])][int(word[1])] = word[3:]
    figures = {**{str(11 + i): str(5 + i) for i in range(5)}, **{str(6 + i): "-" for i in range(5)}}
    figures |= dict(word.split("@") for word in f"{blacks} {grays}".split())
    text = [
        "pentagame",
        start.options_text(),
        f"{turn} {ply}",
        "/".join(_named(mine) for mine in seats),
        _named([figures[str(figure)] for figure in range(11, 16)]),
        _named([figures[str(figure)] for figure in range(6, 11)]),
        last.replace(" ", "/") or "/".join("-" * start.players),
        swapped,
        due,
    ]
    position = pentad.load(" ".join(word for word in text if word))
    assert isinstance(position, PentagamePosition)
    return position


def _named(fields: list[str]) -> str:
    return ",".join({"-": "---"}.get(field, field.ljust(3, "0")) for field in fields)


# ── by chance ────────────────────────────────────────────────────────────────────────────────────


def random_turn(position: PentagamePosition, chance: random.Random) -> Move:
    """Returns a random turn: first the piece, then the blocks, so that steps with many endings are not favoured."""
    return complete_turn(position, chance.choice(position.piece_moves), chance)


def played(plies: int, seed: int = 1, **options: Any) -> PentagamePosition:
    """The position after so many random turns from the start."""
    chance, position = random.Random(seed), pentad.new("pentagame", **options)
    assert isinstance(position, PentagamePosition)
    while position.ply < plies and position.outcome is None:
        position = position.play(random_turn(position, chance))
    return position


def complete_turn(position: PentagamePosition, head: Any, chance: random.Random) -> Move:
    """Returns a turn that begins with a step, with random blocks."""
    steps: list[Any] = [head]
    here = position.after_legal(head)
    if here.due:
        rests = here.legal_moves
        steps += rests[chance.randrange(len(rests))]
    return Move(steps)


def random_rare_turn(position: PentagamePosition, chance: random.Random) -> Move:
    """Returns a random turn among those where something rare happens or is prepared.

    Pieces come home or are brought there by others; they go to where a swap would bring them home; and they swap
    with a piece that has just been swapped with them, so that there is something to undo and to repeat.
    """
    rare: dict[str, list[Any]] = {"home": [], "gift": [], "prepared": [], "again": [], "swap": []}
    seat = position.turn
    for step in position.piece_moves:
        if not isinstance(step, PieceStep):
            continue
        start, to = (field.start if field.counter == 0 else -1 for field in (step.start, step.to))
        if to == goal(step.piece):
            rare["home"].append(step)
        elif to > 4 and any(mine[to - 5] == goal(step.piece) for mine in position.pieces):
            rare["prepared"] += [step] * 5
        elif to > 4:
            rare["prepared"].append(step)
        if step.partner:
            owner, piece = step.partner
            rare["swap"].append(step)
            last = position.last[owner]
            if last and last.piece == piece and last.partner == (seat, step.piece):
                rare["again"].append(step)
            if start == goal(piece):
                rare["gift"] += [step] * (4 if to == goal(step.piece) else 1)
    weights = {"home": 6, "gift": 4, "prepared": 4, "again": 2, "swap": 1}
    kinds = [kind for kind, found in rare.items() if found]
    if not kinds:
        return random_turn(position, chance)
    (kind,) = chance.choices(kinds, [weights[kind] for kind in kinds])
    return complete_turn(position, chance.choice(rare[kind]), chance)


def random_position(chance: random.Random, players: int, **options: Any) -> PentagamePosition:
    """Returns a position that games rarely reach: pieces anywhere, many home, near goals or on each other's goals."""
    while True:
        free = [*range(100)]
        chance.shuffle(free)
        on_corner = chance.random() < 0.3
        pieces = [[colour if on_corner else free.pop() for colour in range(5)] for _ in range(players)]
        standing = {field for mine in pieces for field in mine}
        for _ in range(chance.choice((0, 1, 3))):  # two pieces that would both leave by a swap
            one, other = chance.sample(range(players), 2)
            a, b = chance.sample(range(5), 2)
            if not {goal(a), goal(b)} & standing:
                pieces[one][a], pieces[other][b] = goal(b), goal(a)
                standing |= {goal(a), goal(b)}
        for _ in range(chance.choice((0, 0, 1, 3))):  # stacks, even where no game can pile them up
            one, other = chance.randrange(players), chance.randrange(players)
            pieces[one][chance.randrange(5)] = pieces[other][chance.randrange(5)]
        for mine in pieces:  # pieces that wait at their goals, and pieces that are home
            for colour in chance.sample(range(5), chance.choice((0, 0, 0, 1, 2))):
                mine[colour] = mine[colour] if goal(colour) in standing else goal(colour)
                standing.add(goal(colour))
            for colour in chance.sample(range(5), chance.choice((0, 1, 2, 2, 2, 3, 4))):
                mine[colour] = -1
        standing = {field for mine in pieces for field in mine}
        places = [field for field in (*range(5, 10), *free) if field not in standing]
        home = sum(mine.count(-1) for mine in pieces)
        blacks, grays = places[:5], places[5:][:home][:5]
        if chance.random() < 0.5:
            chance.shuffle(places)
            blacks, grays = places[:5], places[5:][: chance.randrange(home + 1)][:5]
        turn = chance.randrange(players)
        last = [_last(pieces, seat, chance) for seat in range(players)]
        swapped = "-"
        if options.get("no_swap_back") and chance.random() < 0.5:
            one, other = (turn - 1) % players, turn
            a, b = chance.randrange(5), chance.randrange(5)
            if min(pieces[one][a], pieces[other][b]) >= 0 and pieces[one][a] != pieces[other][b]:
                swapped = "~".join(sorted((f"{one}{a}", f"{other}{b}")))
                start, to = write_field(pieces[other][b]), write_field(pieces[one][a])
                last[one] = f"{a}:{start}>{to}x{other}{b}"
        words = [
            "pentagame",
            pentad.new("pentagame", players=players, **options).options_text(),
            f"{turn} {chance.randrange(min(60, options.get('max_ply', 1000)))}",
            "/".join(",".join(map(write_field, mine)) for mine in pieces),
            ",".join(map(write_field, blacks)),
            ",".join(map(write_field, [*grays, *[-1] * (5 - len(grays))])),
            "/".join(last),
            swapped,
        ]
        try:
            position = pentad.load(" ".join(word for word in words if word))
        except pentad.GameError:
            continue
        assert isinstance(position, PentagamePosition)
        return position


def _last(pieces: list[list[int]], seat: int, chance: random.Random) -> str:
    """Returns a last move of a seat: one that could be repeated, any other, or none."""
    if chance.random() < 0.3:
        return "-"
    piece = chance.randrange(5)
    start = pieces[seat][piece] if pieces[seat][piece] >= 0 else 50
    standing = [(owner, colour) for owner, mine in enumerate(pieces) for colour, at in enumerate(mine) if at >= 0]
    owner, colour = chance.choice(standing)
    if chance.random() < 0.5 or pieces[owner][colour] == start or (owner == seat and colour <= piece):
        to = chance.choice([field for field in range(100) if field != start])
        return f"{piece}:{write_field(start)}>{write_field(to)}"
    return f"{piece}:{write_field(start)}>{write_field(pieces[owner][colour])}x{owner}{colour}"


def quick_random_turn(position: PentagamePosition, chance: random.Random) -> tuple[Move, PentagamePosition]:
    """Returns a random turn and the position after it, without listing the legal turns."""
    steps: list[Any] = []
    while not steps:
        if position.waiting:
            steps.append(LeaveStep(position.turn, chance.choice(position.waiting)))
            continue
        piece = chance.choice([piece for piece, field in enumerate(position.pieces[position.turn]) if field >= 0])
        to = chance.choice([*fields_of(position.reach(piece))])
        partner = chance.choice(position.pieces_on(to) or [None])
        start = name_of(position.pieces[position.turn][piece])
        step = canonical(PieceStep(position.turn, piece, start, name_of(to), partner))
        if not position.refusal(step):
            steps.append(step)
    after = position.after_legal(steps[0])
    for _ in after.due:
        free = [*fields_of(after.empty)]
        steps.append(BlockStep(position.turn, chance.choice(after.blocks_to_put), name_of(chance.choice(free))))
        after = after.after_legal(steps[-1])
    return Move(steps), after
