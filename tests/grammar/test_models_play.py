"""The models of the games against the games' own rules: turn by turn the same positions, the same ends.

Here by the general engine, some of each; `test_models_whole` has whole boards, and games by the thousand.
"""

import random
from dataclasses import replace

import pytest

from pentad.game import new as new_game
from pentad.games.pentagame.board import FIELDS, NUMBER
from pentad.games.pentagame.notation import LeaveStep
from pentad.grammar.models import new
from pentad.grammar.models.pentagame import of_position
from pentad.grammar.states.state_space import Space
from pentad.grammar.system import prepare
from tests.cases import slow, together

TURN_ENDS = ("nextTurn",)
GAME_ENDS = ("win", "winH", "winV", "winD", "winA", "winByCaptures", "tie", "won")


class Model:
    """A grammar of a game, read as the game's positions."""

    def __init__(self, grammar, space, stone):
        self.system = prepare(grammar)
        self.start = Space(self.system).start
        self.known = {}
        start = grammar.start
        world = self.system.world
        named = {name: number for number, name in world.names.items()}
        of_type = {
            kind: [named[node] for node in start.nodes if f"type:{kind}" in start.labels(node)]
            for kind in ("Player", space, "Count")
        }
        self.seat = {node: seat for seat, node in enumerate(of_type["Player"])}
        self.space = {node: space for space, node in enumerate(of_type[space])}
        self.count = {node: pairs for pairs, node in enumerate(of_type["Count"])}
        self.stone = stone

    def leaving(self, state):
        """What leaves a state; what was found lately is remembered."""
        if len(self.known) > 2000:
            self.known.clear()
        if state not in self.known:
            self.known[state] = Space(self.system).successors(state)[0]
        return self.known[state]

    def pairs(self, state, label):
        """The edges with a label."""
        host = self.system.host(state.nodes, state.edges)
        return [(each.source, each.target) for each in host.triples() if each.label == label]

    def stones(self, state):
        """Each seat's stones, as a set of bits."""
        found = [0] * len(self.seat)
        for player, space in self.pairs(state, self.stone):
            found[self.seat[player]] |= 1 << self.space[space]
        return tuple(found)

    def turn(self, state):
        ((_, player),) = self.pairs(state, "currentPlayer")
        return self.seat[player]

    def taken(self, state):
        """How many stones each seat has taken, where that is counted."""
        taken = dict(self.pairs(state, "taken"))
        return tuple(2 * self.count[taken[player]] for player in self.seat if player in taken)

    def marked(self, state):
        """The seats that are marked as winners."""
        return tuple(sorted(self.seat[player] for player, _ in self.pairs(state, "flag:won")))

    def ends_of_turn(self, state):
        """The states at the end of the turn that begins in a state, each with what led there."""
        seen, todo, ends = {state}, [state], {}
        while todo:
            for each in self.leaving(todo.pop()):
                if each.action in TURN_ENDS or each.action in GAME_ENDS:
                    ends[each.state] = each.action
                elif each.state not in seen:
                    seen.add(each.state)
                    todo.append(each.state)
        return ends


# ── one stone a turn ─────────────────────────────────────────────────────────────────────────────


def answer_of_rules(position, counted):
    end = position.outcome
    summary = (position.stones, position.taken if counted else ())
    return (*summary, ("turn", position.turn) if end is None else ("over", end.winners))


def answer_of_model(model, state, action):
    summary = (model.stones(state), model.taken(state))
    if action in TURN_ENDS and model.leaving(state):
        return (*summary, ("turn", model.turn(state)))
    return (*summary, ("over", () if action in (*TURN_ENDS, "tie") else (model.turn(state),)))


def same_everywhere(model, position, most, counted=False):
    """Walk through what can be reached in both, in any order, and compare every turn of so many positions."""
    chance, seen, todo = random.Random(most), {position}, [(position, model.start)]
    compared = 0
    while todo and compared < most:
        place = chance.randrange(len(todo))
        todo[place], todo[-1] = todo[-1], todo[place]
        here, state = todo.pop()
        by_model = {answer_of_model(model, after, action): after for after, action in model.ends_of_turn(state).items()}
        by_rules = {answer_of_rules(after, counted): after for after in map(here.play, here.legal_moves)}
        assert by_model.keys() == by_rules.keys(), here
        compared += 1
        for summary, after in by_rules.items():
            if after not in seen:
                seen.add(after)
                if after.outcome is None:
                    todo.append((after, by_model[summary]))
    return compared


SOME = 40


@pytest.mark.slow
@pytest.mark.parametrize(("size", "line"), [(3, 2), (3, 3), slow(4, 2)])
def test_every_state_of_lines(size, line):
    model = Model(new("lines", size=size, line=line, iso=False), "Point", "stone")
    assert same_everywhere(model, new_game("pente", rules="lines", size=size, line=line), SOME) == SOME


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("style", ["sym", "flags"])
@pytest.mark.parametrize(("size", "line", "capture_win"), [(3, 2, 2), (3, 3, 2), slow(4, 2, 2)])
def test_every_state_of_pente(size, line, capture_win, style):
    grammar = new("pente", size=size, line=line, capture_win=capture_win, style=style, iso=False)
    options = {"size": size, "line": line, "capture_win": capture_win, "opening": "free"}
    assert same_everywhere(Model(grammar, "Point", "stone"), new_game("pente", **options), SOME, counted=True) == SOME


@pytest.mark.slow
@pytest.mark.parametrize("style", ["sym", "flags"])
@pytest.mark.parametrize(("size", "line", "capture_win"), [(5, 4, 4), slow(5, 5, 0), slow(5, 5, 10)])
def test_pente_with_captures(size, line, capture_win, style):
    """Every turn of a game in which both take what they can."""
    grammar = new("pente", size=size, line=line, capture_win=capture_win, style=style, iso=False)
    model = Model(grammar, "Point", "stone")
    chance, captures = random.Random(size), 0
    here = new_game("pente", size=size, line=line, capture_win=capture_win, opening="free")
    state = model.start
    while here.outcome is None and here.ply < 30:
        by_model = {answer_of_model(model, after, how): after for after, how in model.ends_of_turn(state).items()}
        by_rules = {answer_of_rules(after, capture_win > 0): after for after in map(here.play, here.legal_moves)}
        assert by_model.keys() == by_rules.keys(), here
        taking = [summary for summary, after in by_rules.items() if sum(after.taken) > sum(here.taken)]
        captures += bool(taking)
        summary = chance.choice(sorted(taking or by_rules))
        here, state = by_rules[summary], by_model[summary]
    assert captures > 1


# ── Pentago, by the full rules ───────────────────────────────────────────────────────────────────


def pentago(style, control="plain", **sizes):
    grammar = new("pentago", rules="classic", style=style, control=control, iso=False, **sizes)
    return Model(grammar, "Space", "marble"), new_game("pentago", **sizes)


def answer_of_pentago(position):
    end = position.outcome
    return position.marbles, ("turn", position.turn) if end is None else ("over", end.winners)


def ends_of_pentago_turn(model, state):
    """Where the turn that begins in a state can end, as the rules tell it; each with a state."""
    seen, todo, ends = {state}, [state], {}
    while todo:
        here = todo.pop()
        for each in model.leaving(here):
            if each.action in ("nextTurn", "move"):
                following = {step.action for step in model.leaving(each.state)}
                playable = bool(following - {"won", "bothWin"})
                over = ("over", model.marked(each.state))
                ends[model.stones(each.state), ("turn", model.turn(each.state)) if playable else over] = each.state
            elif each.state not in seen:
                seen.add(each.state)
                todo.append(each.state)
        if not any(each.action != "bothWin" for each in model.leaving(here)):
            ends[model.stones(here), ("over", model.marked(here))] = here
    return ends


def same_turn(model, here, state):
    """Compare all that a turn can lead to; what the model calls each of them."""
    by_model = ends_of_pentago_turn(model, state)
    by_rules = {answer_of_pentago(after): after for after in map(here.play, here.legal_moves)}
    assert by_model.keys() == by_rules.keys(), here
    return by_model, by_rules


@pytest.mark.slow
@together("style", ["flags", "sym"])
@together("control", ["plain", "recipe"])
@together(
    "sizes",
    [
        {"rows": 1, "cols": 1, "block": 2, "line": 2},
        {"rows": 1, "cols": 1, "block": 2, "line": 2, "win_on_placement": False},
        {"rows": 1, "cols": 2, "block": 2, "line": 3, "players": 3},
    ],
)
def test_every_state_of_pentago(sizes, control, style):
    model, start = pentago(style, control, **sizes)
    seen, todo = {start}, [(start, model.start)]
    while todo and len(seen) < 150:
        here, state = todo.pop()
        by_model, by_rules = same_turn(model, here, state)
        for summary, after in by_rules.items():
            if after not in seen:
                seen.add(after)
                if after.outcome is None:
                    todo.append((after, by_model[summary]))
    assert len(seen) > 10


@pytest.mark.slow
@pytest.mark.parametrize("style", ["flags", "sym"])
def test_pentago_along_a_random_game(style):
    """On the classic board: where marbles may go, where rotations lead, who has won; and all the last turns can do."""
    model, start = pentago(style)
    chance = random.Random(6)
    here, state, way = start, model.start, []
    while here.outcome is None:
        way.append((here, state))
        move = chance.choice(here.legal_moves)
        state = after_move(model, state, here, move)
        here = here.play(move)
    assert model.marked(state) == here.outcome.winners
    for before, at in way[-2:]:
        same_turn(model, before, at)


def after_move(model, state, here, move):
    """The state after a move; on the way all that the model lets happen is compared with the rules."""
    placed = here.partial(move[:1])
    wanted = [({here.partial(choice.step).marbles for choice in here.choices()}, placed.marbles)]
    if len(move) > 1:
        wanted.append(({after.marbles for after in map(placed.play, placed.legal_moves)}, here.play(move).marbles))
    for allowed, chosen in wanted:
        found = {model.stones(each.state): each.state for each in model.leaving(state)}
        assert found.keys() == allowed
        state = found[chosen]
    while wins := [each.state for each in model.leaving(state) if each.action not in ("bothWin", "placeMarble")]:
        state = wins[0]  # nextTurn, or the marks that winners get
        if not model.marked(state):
            break
    return state


# ── Pentagame's pieces ───────────────────────────────────────────────────────────────────────────


class Pieces(Model):
    """Where everything stands in a state of Pentagame's model that was started at a position."""

    def __init__(self, position):
        grammar = of_position(position, iso=False)
        super().__init__(grammar, "Field", "on")
        named = {name: number for number, name in self.system.world.names.items()}
        pieces = [named[node] for node in grammar.start.nodes if "type:Piece" in grammar.start.labels(node)]
        self.pieces = {node: divmod(i, 5) for i, node in enumerate(pieces)}
        self.pool_size = {
            named[node]: i
            for i, node in enumerate(n for n in grammar.start.nodes if "type:Pool" in grammar.start.labels(n))
        }

    def summary(self, state):
        where = [[-1] * 5 for _ in self.seat]
        for piece, field in self.pairs(state, "on"):
            seat, colour = self.pieces[piece]
            where[seat][colour] = self.space[field]
        flagged = {
            label: frozenset(self.space[field] for field, _ in self.pairs(state, label))
            for label in ("flag:black", "flag:gray", "free")
        }
        ((_, pool),) = self.pairs(state, "pool")
        standing = {field for mine in where for field in mine} | flagged["flag:black"] | flagged["flag:gray"]
        assert flagged["free"] == set(range(len(FIELDS))) - standing
        return tuple(map(tuple, where)), flagged["flag:black"], flagged["flag:gray"], self.pool_size[pool]


def summary(position):
    blacks, grays = (frozenset(each) - {-1} for each in (position.blacks, position.grays))
    return position.pieces, blacks, grays, position.pool


def moved(position, step):
    """Where the pieces are when a step has been done, before any leaves."""
    where = {(step.seat, step.piece): NUMBER[step.to], **({step.partner: NUMBER[step.start]} if step.partner else {})}
    return tuple(
        tuple(where.get((seat, piece), field) for piece, field in enumerate(mine))
        for seat, mine in enumerate(position.pieces)
    )


def random_positions(players, seed, plies):
    """The positions of a random game at the beginnings of turns; nobody is kept from repeating a move."""
    chance, here = random.Random(seed), new_game("pentagame", players=players)
    for _ in range(plies):
        here = replace(here, last=(None,) * players)
        if here.outcome:
            return
        yield here
        here = here.play(chance.choice(here.legal_moves))


@pytest.mark.slow
@pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 2), slow(5, 3)])
def test_piece_moves_follow_the_rules(players, seed):
    stacked = 0
    for here in list(random_positions(players, seed, 40))[::8]:
        model = Pieces(here)
        leaving = model.leaving(model.start)
        by_model = [model.summary(each.state)[0] for each in leaving]
        if here.waiting:
            assert {each.action for each in leaving} <= {"leave", "leaveStack"}
            assert len(by_model) == len(here.waiting)
            continue
        assert sorted(by_model) == sorted(moved(here, step) for step in here.piece_moves)
        stacked += any(each.action.endswith("FromStack") for each in leaving)
    assert stacked


@pytest.mark.slow
@pytest.mark.parametrize(("players", "seed"), [(2, 4), (3, 6)])
def test_turns_end_by_the_rules(players, seed):
    """Blocks are put elsewhere and pieces leave: for some beginnings of a turn all its ends."""
    chance, kinds = random.Random(seed), set()
    for here in list(random_positions(players, seed, 80))[2::13]:
        model = Pieces(here)
        begun = {model.summary(each.state)[0]: each.state for each in model.leaving(model.start)}
        steps = [step for step in here.piece_moves if not isinstance(step, LeaveStep)]
        for step in chance.sample(steps, min(3, len(steps))) + [s for s in steps if here.after_legal(s).due][:1]:
            after = here.after_legal(step)
            if step.partner and step.partner[0] != here.seat and len(step.leaving) == 2:
                continue  # the model lets the other's piece wait
            ends = {model.summary(end) for end in model.ends_of_turn(begun[moved(here, step)])}
            rests = [after] if not after.due else map(after.play, after.legal_moves)
            assert ends == {summary(end) for end in rests}, step
            kinds.add(after.due)
    assert ("black",) in kinds
