"""Kernels of the search for wins by threes and fours: each own move threatens an attack by fours (`threat_kernels`).

A tree of threats and replies is searched by proof numbers, from the root again and again to the leaf that decides most.
Positions that several orders of moves reach share their children.

A threat is a move after which an attack would win if the opponent passed. The replies that matter are those in the
zone of this attack, with its replies in turn:

- the points of its moves, and of all replies that it considers;
- points from which the opponent makes a four, in any of its positions in which the opponent is to move: with one
  stone more there, the opponent could win first;
- points from which the opponent threatens to capture, in any such position: one stone more would be the end of a
  bracket, and the capture another reply;
- points where a stone would be captured, together with others, by one of its moves;
- all captures at once.

After any other reply the same attack wins, move for move. A stone elsewhere holds none of its points, so the lines and
captures of the attack, and the threats between them, all remain, since they consist of stones that are there already
and of these points. Nor is there a new reply: the opponent can win next only by a four, and break a line or win by
captures only with a bracket that is closed by the stone, and both are in the zone. The attack captures the same stones.
This holds where the rules are simple (`SIMPLE`), after the opening, and while the board is far from full.

"""

from __future__ import annotations

from typing import Annotated

from pentad.games.pente.engine import constants as k
from pentad.games.pente.engine.constants import TAKING, Codes, ThreatTree, Words
from pentad.games.pente.engine.position_kernels import KIND_BITS, KIND_OF, STEPS, key, make, unmake
from pentad.games.pente.engine.threat_kernels import (
    add,
    add_list,
    answers,
    attack,
    bracketing,
    lacking,
    threatens,
    wins_at_once,
)
from pentad.kernels.decorator import kernel
from pentad.kernels.numbers import np
from pentad.kernels.polling import should_stop
from pentad.kernels.types import Rows, RowSize

Nodes = Annotated[Rows[Codes], RowSize(k.NODE)]

# What a stone makes that may be a threat: a three or more, or a capture.
THREATS = (
    7 << k.FIELD[k.OPEN_FOUR] | 7 << k.FIELD[k.FOUR] | 7 << k.FIELD[k.OPEN_THREE] | 7 << k.FIELD[k.THREE]
    | k.TAKEN_BITS << k.TAKEN
)  # fmt: skip


@kernel
def attack_for(run: ThreatTree, level: int, most: int, enough: int) -> int:
    """The number of own moves of an attack by the colour to move, within so many nodes; 0 where none is found."""
    control = run.control
    control.attack_limit, control.truncated = control.attack_nodes + enough, 0
    return attack(run.position, run.lists, run.refuted, control, run.pv, level, most)


@kernel
def add_captured_with(board: Codes, state: Words, point: int, out: Codes, count: int) -> int:
    """Adds the points where a stone of the opponent would be captured by a move of the colour to move."""
    mine, theirs = k.WHITE + state[k.MOVER], k.BLACK - state[k.MOVER]
    for way in range(2 * k.AXES):
        step, here, added = STEPS[way], point, -1
        for away in range(1, state[k.CAPTURES] + 2):
            here += step
            held = board[k.HELD + here]
            if held == k.EMPTY and added < 0:
                added = here
            elif held == mine and added >= 0 and away > 2:
                count = add(out, count, added)
                break
            elif held != theirs:
                break
    return count


@kernel
def add_zone(run: ThreatTree, level: int, most: int, enough: int, count: int) -> int:
    """Adds the points where a reply may disturb the attack of the colour to move; returns their number.

    It is -1 if the attack is not found again.
    """
    position, zone = run.position, run.zone
    board, state = position.board, position.state
    other = 1 - state[k.MOVER]
    if attack_for(run, level, most, enough) == 0:
        return -1
    move, replies = np.int64(run.pv[level]), run.lists[level + 1]
    count = add_captured_with(board, state, move, zone, add(zone, count, move))
    if make(position, move) == k.ONGOING:
        found = answers(board, state, replies)
        for i in range(found):
            count = add(zone, count, replies[i])
        count = bracketing(board, state, zone, count)
        for kind in range(k.A_FOUR, k.KINDS):
            count = add_list(board, state, other, kind, zone, count)
        for i in range(found):
            if make(position, np.int64(replies[i])) == k.ONGOING:
                count = add_zone(run, level + 2, most - 1, enough, count)
            unmake(position)
            if count < 0:
                break
    unmake(position)
    return count


@kernel
def list_threats(board: Codes, state: Words, out: Codes) -> int:
    """Writes the moves that may be threats, the strongest first; returns their number."""
    me, size, count = state[k.MOVER], state[k.SIZE], 0
    if threatens(board, state, 1 - me):
        return answers(board, state, out)
    for kind in range(k.WINNING_FOUR, TAKING, -1):
        count = add_list(board, state, me, kind, out, count)
    for row in range(k.EDGE, k.EDGE + size):
        for point in range(row * k.STRIDE, row * k.STRIDE + size):
            if board[k.HELD + point] == k.EMPTY and state[k.SUMS + point] >> k.SIDE * me & THREATS:
                count = add(out, count, point)
    if lacking(state, me) <= 2 * state[k.CAPTURES]:
        count = bracketing(board, state, out, count)
    return count


@kernel
def list_relevant(run: ThreatTree, place: int, enough: int) -> int:
    """Writes the replies to a threat that matter, and returns their number; -1 where nothing is threatened.

    The node gets the length of the win against the other replies.
    """
    position, moves = run.position, run.lists[0]
    board, state = position.board, position.state
    me = 1 - state[k.MOVER]
    if wins_at_once(position) >= 0:
        return -1
    if threatens(board, state, me):
        return answers(board, state, moves)
    state[k.MOVER] = me  # as if the opponent passed
    lasts = attack_for(run, 2, k.ATTACK_MOVES, enough)
    count = add_zone(run, 2, lasts, enough, 0) if lasts else -1
    state[k.MOVER] = 1 - me
    if count < 0:
        return -1
    count, kept = add_list(board, state, 1 - me, TAKING, run.zone, count), 0
    for i in range(count):
        if board[k.HELD + run.zone[i]] == k.EMPTY:
            moves[kept] = run.zone[i]
            kept += 1
    run.nodes[place, k.LASTS] = lasts
    return kept


@kernel
def new_node(run: ThreatTree, place: int, ply: int, move: int, proof: int) -> None:
    """Writes a node of the tree."""
    node = run.nodes[place]
    for i in range(k.NODE):
        node[i] = 0
    node[k.MOVE], node[k.PLY], node[k.PROOF], node[k.DISPROOF] = move, ply, proof, 1
    run.keys[place] = 0


@kernel
def decide(run: ThreatTree, place: int, is_proved: bool) -> None:
    """Marks a node as proved or disproved."""
    run.nodes[place, k.PROOF] = 0 if is_proved else k.NEVER
    run.nodes[place, k.DISPROOF] = k.NEVER if is_proved else 0


@kernel
def expand_position(run: ThreatTree, place: int, size: int) -> int:
    """Adds the threats of the attacker, who is to move; returns the number of nodes in the tree."""
    nodes, state, moves = run.nodes, run.position.state, run.lists[0]
    count = list_threats(run.position.board, state, moves) if state[k.FREE] > 4 * k.ATTACK_MOVES else 0
    me, ply = state[k.MOVER], nodes[place, k.PLY] + 1
    forced = threatens(run.position.board, state, 1 - me)
    for i in range(count):
        kind = KIND_OF[state[k.SUMS + moves[i]] >> k.SIDE * me & KIND_BITS]
        new_node(run, size + i, ply, moves[i], 1 if forced or kind else k.UNLIKELY)
    nodes[place, k.FIRST], nodes[place, k.CHILDREN] = size, count
    if count == 0:
        decide(run, place, False)
    return size + count


@kernel
def expand_threat(run: ThreatTree, place: int, size: int, enough: int) -> int:
    """Adds the replies to the attacker's move after which no attack wins; returns the number of nodes in the tree."""
    nodes, position, moves = run.nodes, run.position, run.lists[0]
    count, kept, slowest, longest = list_relevant(run, place, enough), 0, -1, 0
    if count < 0:
        decide(run, place, False)
        return size
    for i in range(count):
        move = np.int64(moves[i])
        result = make(position, move)
        rest = 1 if result == k.LOST else 0
        if result == k.ONGOING:
            rest = attack_for(run, 2, k.ATTACK_MOVES, enough)
        unmake(position)
        if rest > longest:
            longest, slowest = rest, move
        elif rest == 0:
            if result != k.ONGOING:
                decide(run, place, False)
                return size
            new_node(run, size + kept, nodes[place, k.PLY] + 1, move, 1)
            kept += 1
    nodes[place, k.FIRST], nodes[place, k.CHILDREN] = size, kept
    nodes[place, k.LASTS], nodes[place, k.SLOWEST] = max(nodes[place, k.LASTS], longest), slowest
    if kept == 0:
        decide(run, place, True)
    return size + kept


@kernel
def settle(nodes: Nodes, place: int, one: int, every: int) -> None:
    """Sets the numbers of a node by its children: of one kind the least, of the other the sum."""
    least, total = k.NEVER, 0
    first = nodes[place, k.FIRST]
    for child in range(first, first + nodes[place, k.CHILDREN]):
        least = min(least, nodes[child, one])
        total = min(k.NEVER, total + nodes[child, every])
    nodes[place, one], nodes[place, every] = least, total


@kernel
def best_child(nodes: Nodes, place: int, one: int) -> int:
    """The child with the least number of a kind."""
    best = nodes[place, k.FIRST]
    for child in range(best + 1, best + nodes[place, k.CHILDREN]):
        if nodes[child, one] < nodes[best, one]:
            best = child
    return int(best)


@kernel
def expand(run: ThreatTree, place: int, size: int, enough: int) -> int:
    """Adds the children of a leaf, or lets it share those of the same position; returns the number of nodes."""
    nodes, hashed = run.nodes, key(run.position.state)
    slot = hashed & (len(run.places) - 1)
    other = run.places[slot]
    run.keys[place], run.places[slot] = hashed, place
    if other < size and other != place and run.keys[other] == hashed:
        for part in range(k.FIRST, k.NODE):
            nodes[place, part] = nodes[other, part]
        return size
    if nodes[place, k.PLY] & 1:
        return expand_threat(run, place, size, enough)
    return expand_position(run, place, size)


@kernel
def grow(run: ThreatTree, size: int, enough: int) -> int:
    """Expands the leaf that decides most; returns the number of nodes in the tree.

    A node with several parents may be decided before all of them know.
    """
    nodes, position, path = run.nodes, run.position, run.lists[1]
    place, ply, result = 0, 0, k.ONGOING
    path[0] = 0
    while nodes[place, k.CHILDREN] and nodes[place, k.PROOF] and nodes[place, k.DISPROOF]:
        place = best_child(nodes, place, k.DISPROOF if ply & 1 else k.PROOF)
        result = make(position, np.int64(nodes[place, k.MOVE]))
        ply += 1
        path[ply] = place
    if nodes[place, k.PROOF] and nodes[place, k.DISPROOF]:
        if result != k.ONGOING or ply + 2 * k.ATTACK_MOVES + 4 >= k.LEVELS:
            decide(run, place, result == k.WON and ply & 1 == 1)
        else:
            size = expand(run, place, size, enough)
    while True:
        place = int(path[ply])
        if nodes[place, k.CHILDREN]:
            if ply & 1:
                settle(nodes, place, k.DISPROOF, k.PROOF)
            else:
                settle(nodes, place, k.PROOF, k.DISPROOF)
        if ply == 0:
            return size
        unmake(position)
        ply -= 1


@kernel
def measure(nodes: Nodes, size: int) -> None:
    """Sets the number of own moves of each proved position and threat, those farthest from the root first."""
    for ply in range(k.LEVELS, -1, -1):
        for place in range(size):
            if nodes[place, k.PROOF] or nodes[place, k.PLY] != ply:
                continue
            first, lasts = nodes[place, k.FIRST], nodes[place, k.LASTS] if ply & 1 else k.LEVELS
            for child in range(first, first + nodes[place, k.CHILDREN]):
                if ply & 1:
                    lasts = max(lasts, nodes[child, k.LASTS])
                elif nodes[child, k.PROOF] == 0:
                    lasts = min(lasts, 1 + nodes[child, k.LASTS])
            nodes[place, k.LASTS] = lasts


@kernel
def find_known(run: ThreatTree, size: int) -> int:
    """The place of the present position in the tree of an earlier search, where it is proved; else -1."""
    hashed = key(run.position.state)
    for place in range(size):
        node = run.nodes[place]
        if node[k.PROOF] == 0 and node[k.PLY] & 1 == 0 and run.keys[place] == hashed:
            return place
    return -1


@kernel
def solve(run: ThreatTree, most: int, enough: int) -> int:
    """Searches for a win by threes and fours of the colour to move; returns the size of the tree, 0 if none is found.

    `most` is the number of nodes of all attacks, `enough` that of each of them.
    """
    nodes, state, control = run.nodes, run.position.state, run.control
    if not state[k.SIMPLE] or state[k.PLACED] < 3:
        return 0
    until, size = control.attack_nodes + most, 1
    new_node(run, 0, 0, 0, 1)
    while nodes[0, k.PROOF] and nodes[0, k.DISPROOF]:
        if control.attack_nodes >= until or size + k.LIST > len(nodes) or should_stop(control):
            return 0
        size = grow(run, size, enough)
    if nodes[0, k.PROOF]:
        return 0
    measure(nodes, size)
    return size
