"""Makes tests/data/pente: games of the package's bots as the referee counts them, and forced wins out of them.

`python -m tests.games.pente.make_data` writes both files.
"""

from __future__ import annotations

import random

from pentad.games.pente.engine.bots import PenteBot
from tests.games.pente.engine.claim_referee import Broken, Referee, hints, shortest_claim
from tests.games.pente.random_games import FORCED_WINS, GAMES_PLAYED, games_played, new, played, random_turn
from tests.games.pente.referee import table_for

GAMES, AT_MOST = 320, 150  # moves of a game
LEVELS = range(1, 5)
FORCED = {2: 60, 3: 40, 4: 12, 5: 12}  # moves to the win → positions
LAST = 20  # moves of a game in which forced wins are looked for
TOO_CLOSE = ("L11", "K12", "H9", "M8")  # third moves that break the tournament rule


def game(seed):
    """A line of the file: a game of two bots after random moves, and a move after its end."""
    chance = random.Random(seed)
    bots = [PenteBot(chance.choice(LEVELS), 2 * seed + seat) for seat in range(2)]
    position, table = new(), table_for()
    breaks = TOO_CLOSE[seed] if seed < len(TOO_CLOSE) else None
    if breaks:
        position, table = new(tournament_rule=False), table_for(tournament_rule=False)
    moves = []
    for ply in range(AT_MOST):
        if table.over:
            break
        by_chance = ply < 3 + seed % 4
        move = random_turn(table, chance, "near") if by_chance else str(bots[ply % 2].choose(position))
        if ply == 2 and breaks:
            move = breaks
        moves.append(move)
        position = position.play(move)
        table.take(move)
    if breaks:
        return line(["-"], (0, 0), 2, moves)
    after = [table.name(*chance.choice(table.empties()))] if table.over else []
    return line([str(seat + 1) for seat in table.winners] or ["-"], table.captures(), len(moves), moves + after)


def line(winners, captures, length, moves):
    return " ".join([*winners, ",".join(map(str, captures)), str(length), *moves])


def first_moves(position, moves):
    """The moves that win within a number of own moves against every reply, of those that threaten to win at once."""
    found = []
    for move in map(str, position.legal_moves):
        after = position.play(move)
        if after.outcome or not hints(after, position.colour):
            continue
        try:
            Referee().check(position, moves, moves, position.board.point(*position.parse(move)[0]))
        except Broken:
            continue
        found.append(move)
    return found


def forced_wins():
    """Lines of positions with a forced win: the number of moves, the winning first moves, and the moves so far."""
    rows = {moves: [] for moves in FORCED}
    for _, _, length, path in games_played():
        for ply in range(length - 1, max(4, length - LAST), -1):
            position = played({"tournament_rule": False}, " ".join(path[:ply]))
            moves, point = shortest_claim(position, max(FORCED))
            if moves not in FORCED or len(rows[moves]) >= FORCED[moves]:
                continue
            Referee().check(position, moves, moves, point)
            wins = first_moves(position, 2) if moves == 2 else [str(position.board.stones[point])]
            rows[moves].append(f"{moves} | {' '.join(wins)} | {' '.join(path[:ply])}")
            print({each: len(found) for each, found in rows.items()}, flush=True)
            break  # one position of a game, so that they differ
    return [row for found in rows.values() for row in found]


def main():
    GAMES_PLAYED.parent.mkdir(parents=True, exist_ok=True)
    GAMES_PLAYED.write_text("".join(f"{game(seed)}\n" for seed in range(GAMES)), encoding="utf-8")
    games_played.cache_clear()
    FORCED_WINS.write_text("".join(f"{row}\n" for row in forced_wins()), encoding="utf-8")


if __name__ == "__main__":
    main()
