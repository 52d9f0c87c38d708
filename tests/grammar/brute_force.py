"""The puzzles and protocols among the models once more: plain tuples, from their descriptions alone.

Each tells its first state and what leaves a state: the name of a step and the state it leads to, once for every
transition. `count` walks through them.
"""

from __future__ import annotations

from collections import Counter


def count(start, leaving):
    """The numbers of states and of transitions, and how often every step is taken."""
    seen, todo, steps = {start}, [start], Counter()
    while todo:
        for name, state in leaving(todo.pop()):
            steps[name] += 1
            if state not in seen:
                seen.add(state)
                todo.append(state)
    return len(seen), steps.total(), steps


# ── tic-tac-toe ──────────────────────────────────────────────────────────────────────────────────


def tictactoe(rows, cols, line, players, symmetries=()):
    """A state is where control is, the marks row by row, and who is to move; `symmetries` permute the spaces."""
    ways = ((0, 1), (1, 0), (1, 1), (1, -1))
    lines = [
        [(row + i * down) * cols + column + i * right for i in range(line)]
        for down, right in ways
        for row in range(rows - (line - 1) * down)
        for column in range(cols)
        if 0 <= column + (line - 1) * right < cols
    ]

    def one_of(control, board, mover):
        return control, min((tuple(board[i] for i in way) for way in symmetries), default=board), mover

    def leaving(state):
        control, board, mover = state
        if control == "turn":
            for i in (i for i, mark in enumerate(board) if mark < 0):
                yield "place", one_of("placed", (*board[:i], mover, *board[i + 1 :]), mover)
        elif control == "placed" and any(len({board[i] for i in each}) == 1 and board[each[0]] >= 0 for each in lines):
            yield "win", one_of("over", board, mover)
        elif control == "placed":
            yield "nextTurn", one_of("turn", board, (mover + 1) % players)

    return ("turn", (-1,) * (rows * cols), 0), leaving


SQUARE = [
    tuple(row * 3 + column for row, column in map(way, [divmod(i, 3) for i in range(9)]))
    for way in (
        lambda at: at,
        lambda at: (at[0], 2 - at[1]),
        lambda at: (2 - at[0], at[1]),
        lambda at: (2 - at[0], 2 - at[1]),
        lambda at: (at[1], at[0]),
        lambda at: (at[1], 2 - at[0]),
        lambda at: (2 - at[1], at[0]),
        lambda at: (2 - at[1], 2 - at[0]),
    )
]  # the spaces of a 3×3 board come from there in its eight ways


# ── the ferry ────────────────────────────────────────────────────────────────────────────────────


def ferry(wolves, goats, cabbages):
    """A state is the boat's bank, and how many of each kind are on both banks."""

    def leaving(state):
        side, *banks = state
        if not any(bank[0] for bank in banks):
            yield "allAcross", state
        left_alone = 1 - side
        eaten = [(kind, banks[kind][left_alone]) for kind in (1, 2) if banks[kind - 1][left_alone]]
        if any(number for _, number in eaten):
            for kind, number in eaten:
                for _ in range(number):
                    yield "eat", (side, *changed(banks, kind, left_alone, -1))
            return
        yield "cross", (1 - side, *banks)
        for kind, bank in enumerate(banks):
            for _ in range(bank[side]):
                gone = changed(banks, kind, side, -1)
                yield "carry", (1 - side, *changed(gone, kind, 1 - side, 1))

    return (0, (wolves, 0), (goats, 0), (cabbages, 0)), leaving


def changed(banks, kind, side, by):
    return tuple(tuple(n + by * (i == kind and j == side) for j, n in enumerate(bank)) for i, bank in enumerate(banks))


# ── the list ─────────────────────────────────────────────────────────────────────────────────────


def append(cells, calls):
    """A state is the list's values, and the calls that are not over by their values and places."""

    def leaving(state):
        values, at_work = state
        for call in at_work:
            value, place = call
            others = at_work - {call}
            if values[place] == value:
                yield "found", (values, others)
            elif place + 1 < len(values):
                yield "walk", (values, others | {(value, place + 1)})
            else:
                yield "append", ((*values, value), others)

    return (tuple(range(1, cells + 1)), frozenset((cells + i, 0) for i in range(calls))), leaving


# ── the ring ─────────────────────────────────────────────────────────────────────────────────────


def election(ring):
    """A state is who is idle, where the messages are by their numbers, and who leads."""

    def leaving(state):
        idle, messages, leaders = state
        for place in idle:
            yield "send", (idle - {place}, messages | {(ring[place], (place + 1) % len(ring))}, leaders)
        for message in messages:
            number, place = message
            others = messages - {message}
            if number > ring[place]:
                yield "passOn", (idle, others | {(number, (place + 1) % len(ring))}, leaders)
            elif number < ring[place]:
                yield "drop", (idle, others, leaders)
            else:
                yield "elect", (idle, others, leaders | {place})

    return (frozenset(range(len(ring))), frozenset(), frozenset()), leaving


# ── the maze ─────────────────────────────────────────────────────────────────────────────────────


def maze(rows):
    """A state is where control is, the player, the ghosts in order, the keys that lie, and how many were taken."""
    cells = {(y, x): what for y, row in enumerate(rows) for x, what in enumerate(row) if what != "#"}
    of = {kind: [cell for cell, what in cells.items() if what == kind] for kind in "PGKE"}
    ways = ((0, 1), (1, 0), (0, -1), (-1, 0))

    def near(cell):
        return [(cell[0] + y, cell[1] + x) for y, x in ways if (cell[0] + y, cell[1] + x) in cells]

    def sees(cell, other):
        for y, x in ways:
            at = (cell[0] + y, cell[1] + x)
            while at in cells:
                if at == other:
                    return True
                at = (at[0] + y, at[1] + x)
        return False

    def player_goes(player, ghosts, keys, taken):
        for cell in near(player):
            if cell not in ghosts:
                yield "walk", ("ghosts", cell, ghosts, keys, taken)
        if player in keys:
            yield "take", ("ghosts", player, ghosts, keys - {player}, taken + 1)

    def ghosts_go(player, ghosts, keys, taken):
        if player in of["E"] and taken == len(of["K"]):
            yield "escape", ("over", player, ghosts, keys, taken)
            return
        hunting = [("pounce", i, player) for i, ghost in enumerate(ghosts) if sees(ghost, player)]
        drifting = [("drift", i, cell) for i, ghost in enumerate(ghosts) for cell in near(ghost)]
        for name, i, cell in hunting or drifting:
            moved = tuple(sorted((*ghosts[:i], cell, *ghosts[i + 1 :])))
            yield name, ("player", player, moved, keys, taken)

    def leaving(state):
        control, player, ghosts, keys, taken = state
        if control == "ghosts":
            yield from ghosts_go(player, ghosts, keys, taken)
        elif control == "player" and player in ghosts:
            yield "caught", ("over", None, ghosts, keys, taken)
        elif control != "over":
            yield from player_goes(player, ghosts, keys, taken)

    return ("start", *of["P"], tuple(sorted(of["G"])), frozenset(of["K"]), 0), leaving


# ── a piece or two on a small board ──────────────────────────────────────────────────────────────


def pieces_only(links, starts, goals, wins_with):
    """Pieces without blocks: a state is where control is, whose turn it is, and where each player's pieces are.

    `starts` and `goals` are fields, by player and piece; a goal of None cannot be reached. None is off the board.
    """
    near = {}
    for one, other in links:
        near.setdefault(one, set()).add(other)
        near.setdefault(other, set()).add(one)

    def reach(start, taken):
        found, front = set(), [start]
        while front:
            for field in near[front.pop()] - found:
                found.add(field)
                if field not in taken:
                    front.append(field)
        return found - {start}

    def put(pieces, *changes):
        new = [list(mine) for mine in pieces]
        for player, piece, field in changes:
            new[player][piece] = field
        return tuple(map(tuple, new))

    def at_goal(seat, pieces):
        return [i for i, field in enumerate(pieces[seat]) if field is not None and field == goals[seat][i]]

    def moves(seat, pieces):
        taken = {field for mine in pieces for field in mine}
        standing = [(player, i, field) for player, mine in enumerate(pieces) for i, field in enumerate(mine)]
        for piece, start in enumerate(pieces[seat]):
            for to in reach(start, taken) if start is not None else ():
                partners = [(player, i) for player, i, field in standing if field == to]
                if not partners:
                    yield put(pieces, (seat, piece, to))
                for player, i in partners:
                    if player != seat or piece < i:
                        yield put(pieces, (seat, piece, to), (player, i, start))

    def end(seat, pieces):
        if wins_with and pieces[seat].count(None) >= wins_with:
            yield "won", ("over", seat, pieces)
        else:
            yield "nextTurn", ("turn", (seat + 1) % len(pieces), pieces)

    def leaving(state):
        control, seat, pieces = state
        home = at_goal(seat, pieces)
        if control == "turn":
            for piece in home:
                yield "leave", ("end", seat, put(pieces, (seat, piece, None)))
            if not home:
                yield from (("move", ("moved", seat, after)) for after in moves(seat, pieces))
        elif control == "over":
            return
        elif home and control in ("moved", "left one"):
            after = "left one" if control == "moved" else "end"
            yield from (("leave", (after, seat, put(pieces, (seat, piece, None)))) for piece in home)
        else:
            yield from end(seat, pieces)

    return ("turn", 0, tuple(map(tuple, starts))), leaving
