"""Games solved as grammars, against values by the rules, by counts that do not know graphs, and by plain iteration."""

import random
import re
from functools import cache

import pytest

from pentad.games.pentagame.board import EDGES, goal
from pentad.games.pentago import solve as solve_pentago
from pentad.grammar import Grammar
from pentad.grammar.exploration import explore
from pentad.grammar.files.exports import from_json, to_json
from pentad.grammar.graph import GrammarError
from pentad.grammar.logic import runner
from pentad.grammar.models import find, new
from pentad.grammar.models.positions import board_of
from pentad.grammar.solving import MAX_N, game_of, ranks_of, result, solve
from tests.cases import slow, together
from tests.grammar import brute_force
from tests.grammar.small_grammars import made
from tests.properties import some_of

# ── by plain iteration ───────────────────────────────────────────────────────────────────────────


def iterated(leaving, movers, results):
    """The value and distance of every state for its player, in rounds: 1, -1, or 0 if neither is found.

    `leaving` has each state's successors, `results` the values of states where the game ends.
    """
    values = {state: (value, 0) for state, value in results.items() if value}
    for distance in range(1, len(leaving) + 1):
        fresh = {}
        for state, successors in leaving.items():
            if state in values or state in results or not successors:
                continue
            found = [
                None if each not in values else values[each][0] * (1 if movers[each] == movers[state] else -1)
                for each in successors
            ]
            if 1 in found:
                fresh[state] = (1, distance)
            elif all(each == -1 for each in found):
                fresh[state] = (-1, distance)
        if not fresh:
            break
        values |= fresh
    return {state: values.get(state, (0, None)) for state in leaving}


def check_values(solution, expected):
    """Compares all values and distances with a table by state, and every state's best moves."""
    for state, (value, distance) in expected.items():
        distance = distance if value else None
        assert (solution.value(state), solution.distance(state)) == (value, distance), state
        best = solution.best(state)
        for move in solution.moves(state):
            is_best = move.value == value and (not value or move.distance == distance)
            assert (move.transition in best) is is_best, (state, move)


# ── against the rules ────────────────────────────────────────────────────────────────────────────


@cache
def value_by_rules(position):
    """The value of a position for the first seat, by plain search."""
    if position.outcome is not None:
        return position.outcome.returns[0]
    values = [value_by_rules(position.play(move)) for move in position.legal_moves]
    return max(values) if position.turn == 0 else min(values)


def value_by_solver(position):
    """The same by Pentago's own solver, which tells the value for the player to move."""
    if position.outcome is not None:
        return position.outcome.returns[0]
    value = solve_pentago(position, moves=False).value
    return value if position.turn == 0 else -value


def check_positions(name, options, value_of, every=1):
    """Compares every state with its position; returns the number of states."""
    model = find(name)
    grammar = model(**options)
    found = explore(grammar)
    solution = solve(found)
    board = board_of(name, model.check(options), grammar.start)
    compared = 0
    for state in range(0, found.states, every):
        position = board.position(found.lts.graph(state), found.lts.enabled(state))
        value = value_of(position) * (1 if solution.players.index(solution.mover(state)) == 0 else -1)
        assert solution.value(state) == value, (state, position)
        compared += 1
    return found.states, compared


CLASSIC = {"rules": "classic", "rows": 1, "cols": 2, "block": 2, "line": 3}
SMALLEST = {"rules": "classic", "rows": 1, "cols": 1, "block": 2, "line": 2}
BY_RULES = [
    ("tictactoe", {}),
    slow("tictactoe", {"line": 2, "style": "flags", "iso": False}),
    slow("lines", {}),
    ("lines", {"line": 2, "iso": False}),
    slow("pente", {"size": 3, "capture_win": 2, "style": "flags", "iso": False}),
    slow("pente", {"size": 3, "line": 2, "capture_win": 2, "iso": False}),
    ("pentago", SMALLEST),
    ("pentago", {**SMALLEST, "control": "recipe"}),
    slow("pentago", {**CLASSIC, "iso": False}),
    slow("pentago", {**CLASSIC, "style": "sym", "iso": False}),
    slow("pentago", {**CLASSIC, "win_on_placement": False, "iso": False}),
    slow("pentago", {**CLASSIC, "rows": 1, "cols": 1, "block": 3, "iso": False}),
    slow("pentago", {**CLASSIC, "control": "recipe", "iso": False}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), BY_RULES)
def test_every_state_has_the_value_of_its_position_by_the_rules(name, options):
    states, compared = check_positions(name, options, value_by_rules)
    assert states == compared > 10


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "every"),
    [({**CLASSIC, "iso": False}, 59), slow({**CLASSIC, "iso": False, "win_on_placement": False}, 1)],
)
def test_every_state_has_the_value_of_pentago_s_solver(options, every):
    states, compared = check_positions("pentago", options, value_by_solver, every)
    assert states > 6000
    assert compared == -(-states // every)


@pytest.mark.slow
def test_a_shared_win_is_a_draw():
    """A rotation completes lines of both players; the loop of the condition `bothWin` is no move."""
    found = explore(new("pentago", **{**CLASSIC, "win_on_placement": False, "iso": False}))
    solution, both = solve(found), 0
    for state in range(found.states):
        if not solution.moves(state):
            winners = [edge.source for edge in found.lts.graph(state).edges if edge.label == "flag:won"]
            value = 0 if len(winners) != 1 else 1 if winners == [solution.mover(state)] else -1
            assert (solution.value(state), solution.distance(state)) == (value, 0 if value else None)
            both += len(winners) == 2
    assert both > 10


# ── against counts that do not know graphs ───────────────────────────────────────────────────────


def check_together(found, solution, start, leaving, read, summary, winner):
    """Walks through the system and through plain tuples at once; compares every state."""
    graph, todo = {}, [start]
    while todo:
        state = todo.pop()
        if state not in graph:
            graph[state] = [after for _, after in leaving(state)]
            todo += graph[state]
    movers = {state: summary(state)[0] for state in graph}
    results = {state: winner(state) for state, successors in graph.items() if not successors}
    values = iterated(graph, movers, results)
    pairs, todo = {}, [(0, start)]
    while todo:
        number, state = todo.pop()
        if number in pairs:
            continue
        pairs[number] = state
        following = {summary(after): after for after in graph[state]}
        targets = {found.lts.targets[each] for each in found.lts.leaving(number)}
        assert len(following) == len(graph[state]) == len(targets)
        todo += [(each, following[read(found.lts.graph(each))]) for each in targets]
    assert len(pairs) == found.states
    check_values(solution, {number: values[state] for number, state in pairs.items()})


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "cols", "line"), [(2, 2, 2), (2, 3, 3), (1, 5, 3), (2, 4, 2), slow(3, 3, 3)])
def test_every_state_of_tictactoe(rows, cols, line):
    sizes = {"rows": rows, "cols": cols, "line": line, "players": 2}
    grammar = new("tictactoe", iso=False, **sizes)
    found = explore(grammar)
    solution = solve(found)
    seats = {name: seat for seat, name in enumerate(solution.players)}
    spaces = [node for node in grammar.start.nodes if "type:Space" in grammar.start.labels(node)]

    def read(graph):
        marks = {edge.target: seats[edge.source] for edge in graph.edges if edge.label == "mark"}
        (mover,) = (edge.target for edge in graph.edges if edge.label == "currentPlayer")
        return seats[mover], tuple(marks.get(space, -1) for space in spaces)

    start, leaving = brute_force.tictactoe(**sizes)
    check_together(
        found, solution, start, leaving, read,
        summary=lambda state: (state[2], state[1]),
        winner=lambda state: int(state[0] == "over"),
    )  # fmt: skip


@pytest.mark.parametrize("pieces", [1, slow(2)])
def test_every_state_of_pieces_on_the_main_fields(pieces):
    """Play can go on for ever here: some states are draws although no board is full."""
    grammar = new("pentagame", pieces=pieces, part="mains", blocks=False, iso=False)
    found = explore(grammar)
    solution = solve(found)
    seats = {name: seat for seat, name in enumerate(solution.players)}
    fields = [node for node in grammar.start.nodes if "type:Field" in grammar.start.labels(node)]
    own = {
        name: [edge.target for edge in grammar.start.edges if (edge.source, edge.label) == (name, "has")]
        for name in seats
    }

    def read(graph):
        at = {edge.source: fields.index(edge.target) for edge in graph.edges if edge.label == "on"}
        (mover,) = (edge.target for edge in graph.edges if edge.label == "currentPlayer")
        return seats[mover], tuple(tuple(at.get(piece) for piece in own[name]) for name in seats)

    start, leaving = brute_force.pieces_only(
        [(edge.low, edge.high) for edge in EDGES], [range(pieces)] * 2, [[goal(i) for i in range(pieces)]] * 2, pieces
    )
    check_together(
        found, solution, start, leaving, read,
        summary=lambda state: state[1:],
        winner=lambda state: int(state[0] == "over"),
    )  # fmt: skip


# ── isomorphic states ────────────────────────────────────────────────────────────────────────────


def as_in(found, raw, number, frames):
    """A state of another exploration of the same grammar, in the numbers of this one."""
    world, state = found.system.world, raw.run.state(number)
    numbers = {name: node for node, name in world.names.items()}
    edges = [(numbers[each.source], each.label, numbers[each.target]) for each in raw.lts.graph(number).edges]
    return state._replace(
        nodes=found.system.nodes, edges=sum(1 << world.edge(*each) for each in edges), frame=frames[state.frame.place]
    )


MERGED = [
    ("tictactoe", {"rows": 2, "line": 2}),
    slow("tictactoe", {"line": 2}),
    slow("tictactoe", {"style": "flags"}),
    slow("pente", {"size": 3, "capture_win": 2}),
    ("pentagame", {"pieces": 1, "part": "mains", "blocks": False}),
    ("pentago", {**SMALLEST, "control": "recipe"}),
    slow("pentago", {"rows": 1, "cols": 2, "block": 2, "line": 3, "control": "recipe"}),
    slow("pentago", CLASSIC),
]


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("engine", ["general", "compiled"])
@pytest.mark.parametrize(("name", "options"), MERGED)
def test_merged_states_have_the_values_of_the_states_that_they_stand_for(name, options, engine):
    if name == "pentagame" and engine == "compiled":
        engine = "auto"  # a path over labels that change
    found, raw = (explore(new(name, **options), isomorphism=merged, engine=engine) for merged in (True, False))
    solution, alone = solve(found), solve(raw)
    assert found.states <= raw.states
    frames = {found.run.state(number).frame.place: found.run.state(number).frame for number in range(found.states)}
    stood_for = set()
    for number in range(raw.states):
        merged = found.run.find(as_in(found, raw, number, frames))
        stood_for.add(merged)
        assert (solution.value(merged), solution.distance(merged)) == (alone.value(number), alone.distance(number))
    assert stood_for == set(range(found.states))


# ── random games ─────────────────────────────────────────────────────────────────────────────────


def token_game(chance, places, players, ends):
    """A token goes along arrows between places; each place says who moves there, or who wins if no arrow leaves it.

    The rules `turn` and `win` are disabled: only the game's properties refer to them.
    """
    seats = [f"n{1 + seat}" for seat in range(players)]
    numbers = {f"n{1 + players + place}": place for place in range(places)}
    sinks = set(chance.sample(list(numbers), min(ends, places))) - {f"n{1 + players}"}
    edges = [(place, "to", chance.choice(list(numbers))) for place in numbers for _ in range(chance.choice((1, 2, 3)))]
    start = [
        "type:Game", *["type:Player"] * players, *["type:Place"] * places,
        ("n0", "at", f"n{1 + players}"),
        *dict.fromkeys(edge for edge in edges if edge[0] not in sinks),
        *((place, "owner", chance.choice(seats)) for place in numbers),
        *((place, "wins", seat) for place in sinks for seat in chance.sample(seats, chance.choice((0, 1, 1, 1, 2)))),
    ]  # fmt: skip
    step = ["type:Game", "type:Place", "type:Place", ("n0", "del:at", "n1"), ("n1", "to", "n2"), ("n0", "new:at", "n2")]

    def of_player(label):
        return ["!", "type:Game", "type:Place", "type:Player par:0", ("n0", "at", "n1"), ("n1", label, "n2")]

    grammar = made(
        start, {"go": step, "turn": of_player("owner"), "win": of_player("wins")},
        checkIsomorphism="false", gamePlayers="type:Player", gameTurn="turn", gameWon="win",
    )  # fmt: skip
    for name in ("turn", "win"):
        grammar.rules[name].attributes["enabled"] = "false"
    return grammar


def read_token_game(found):
    """The successors of each state, the seat to move, and the winners where no transition is left."""
    leaving, movers, winners = {}, {}, {}
    for state in range(found.states):
        leaving[state] = [found.lts.targets[each] for each in found.lts.leaving(state)]
        edges = found.lts.graph(state).edges
        (place,) = (edge.target for edge in edges if edge.label == "at")
        seats = [edge.target for edge in edges if edge.source == place and edge.label == "owner"]
        movers[state] = int(seats[0][1:]) - 1
        if not leaving[state]:
            wins = [edge.target for edge in edges if edge.source == place and edge.label == "wins"]
            winners[state] = sum(1 << int(each[1:]) - 1 for each in wins)
    return leaving, movers, winners


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("engine", ["general", "compiled"])
def test_random_games_have_the_values_of_plain_iteration(engine):
    """With cycles, with several turns in a row, and with shared wins."""
    chance, drawn, most = random.Random(3), 0, 0
    for _ in range(some_of(100)):
        found = explore(token_game(chance, chance.randint(2, 40), 2, chance.randint(1, 2)), engine=engine)
        solution = solve(found)
        leaving, movers, winners = read_token_game(found)
        ends = {state: result(won, movers[state]) for state, won in winners.items()}
        check_values(solution, iterated(leaving, movers, ends))
        line = solution.line()
        assert line.loop is not None if solution.value(0) == 0 and ends.get(line.end) is None else line.loop is None
        drawn += solution.tally.drawn
        most = max(most, *(solution.distance(state) or 0 for state in range(found.states)))
    assert drawn > 20
    assert most > 2


@pytest.mark.slow
def test_what_the_player_to_move_gets_who_is_stuck():
    for stuck, value in (("", 0), ("draw", 0), ("lost", -1), ("won", 1)):
        for seed in range(8):
            grammar = token_game(random.Random(seed), 12, 2, 4)
            found = explore(grammar)
            leaving, movers, winners = read_token_game(found)
            ends = {state: result(won, movers[state]) if won else value for state, won in winners.items()}
            solution = solve(found, stuck=stuck or None)
            check_values(solution, iterated(leaving, movers, ends))
            grammar.properties |= {"gameStuck": stuck}
            assert solve(explore(grammar)).tally == solution.tally


@pytest.mark.slow
def test_what_was_not_explored_is_not_claimed():
    """A value is known exactly if all values of the open states lead to it; here for the extreme ones."""
    chance, known, unknown = random.Random(5), 0, 0
    for _ in range(some_of(150)):
        grammar = token_game(chance, chance.randint(5, 40), 2, chance.randint(1, 5))
        found = explore(grammar, depth=chance.randint(0, 4), engine="general")
        solution = solve(found)
        leaving, movers, winners = read_token_game(found)
        bounds = []
        for best in (0, 1):  # the seat for which the open states are best
            ends = {
                state: (1 if movers[state] == best else -1) if state in found.lts.open else result(won, movers[state])
                for state, won in winners.items()
            }
            bounds.append(iterated(leaving, movers, ends))
        whole = solve(explore(grammar))
        for state in range(found.states):
            (one, _), (other, _) = (each[state] for each in bounds)
            value = solution.value(state)
            assert value == (one if one == other else None)
            if value is not None:
                assert value == whole.value(state)
            known, unknown = known + (value is not None), unknown + (value is None)
    assert known > 20
    assert unknown > 20


# ── more than two players ────────────────────────────────────────────────────────────────────────


def test_three_players_against_each_other():
    """Paranoid values are those of a game for two: each player against the others together."""
    chance = random.Random(7)
    for _ in range(some_of(60)):
        found = explore(token_game(chance, chance.randint(3, 30), 3, chance.randint(1, 6)))
        solution = solve(found)
        leaving, movers, winners = read_token_game(found)
        for seat in range(3):
            sides = {state: mover == seat for state, mover in movers.items()}
            ends = {state: result(won, seat) * (1 if sides[state] else -1) for state, won in winners.items()}
            values = iterated(leaving, sides, ends)
            mine = {state: values[state] for state in leaving if movers[state] == seat}
            check_values(solution, mine)


RANKS = ranks_of(3)


def test_max_n_seeks_the_best_for_each():
    """In games that end, the results are those of plain recursion that prefers the first of equal moves."""
    chance, ends = random.Random(11), 0
    for _ in range(some_of(200)):
        grammar = token_game(chance, 25, 3, 8)
        start = grammar.start
        start.edges = [
            each for each in start.edges if each.label != "to" or int(each.source[1:]) < int(each.target[1:])
        ]
        found = explore(grammar)
        solution = solve(found, method=MAX_N)
        leaving, movers, winners = read_token_game(found)

        @cache
        def won(state, leaving=leaving, movers=movers, winners=winners):
            if state in winners:
                return winners[state]
            results = [won(each) for each in leaving[state]]
            return max(results, key=lambda each: RANKS[256 * movers[state] + each])

        for state in leaving:
            assert solution.value(state) == result(won(state), movers[state])
            ends += len(leaving[state]) > 1
    assert ends > 10


def test_the_ranks_of_results():
    alone, shared, nobody, everyone, others = 0b001, 0b011, 0, 0b111, 0b110
    mine = [RANKS[each] for each in (alone, shared, nobody, everyone, others)]
    assert mine[0] == 255
    assert mine[0] > mine[1] > mine[2] == mine[3] > mine[4] == 0


def test_max_n_leaves_endless_play_unknown():
    loop = token_game(random.Random(1), 1, 3, 0)
    assert [solve(explore(loop), method=each).value(0) for each in ("paranoid", MAX_N)] == [0, None]


# ── what a grammar says ──────────────────────────────────────────────────────────────────────────


@together(
    ("name", "options"),
    [(name, {}) for name in ("pentago", "tictactoe", "lines", "pente", "pentagame")]
    + [("pentago", {"rules": "classic"}), ("tictactoe", {"style": "flags"})],
)
def test_models_of_games_say_what_their_game_is(name, options):
    grammar = new(name, **options)
    assert game_of(from_json(to_json(grammar))) == game_of(grammar)


def test_a_folder_that_was_written_and_read_is_solved(tmp_path):
    grammar = new("tictactoe", rows=2)
    grammar.save(tmp_path / "small.gps")
    assert solve(explore(Grammar.load(tmp_path / "small.gps"))).tally == solve(explore(grammar)).tally


def test_the_game_can_be_passed():
    grammar = new("tictactoe", rows=2, line=2)
    expected = solve(explore(grammar)).tally
    for name in ("gamePlayers", "gameTurn", "gameWon"):
        del grammar.properties[name]
    said = {"players": "Player", "turn": "currentPlayer", "won": "win"}
    assert solve(explore(grammar), **said).tally == expected
    assert solve(explore(grammar, engine="compiled"), **said).tally == expected


def test_a_turn_by_a_rule_is_read_with_isomorphism():
    """A rule that needs more than one edge: the turn is compared before states are merged."""
    grammar = new("tictactoe", rows=2, line=2)
    expected = solve(explore(grammar)).tally
    turn = made(
        [],
        {
            "turn": [
                "!",
                "type:Game",
                "type:Player",
                "type:Player par:0",
                ("n0", "currentPlayer", "n2"),
                ("n1", "nextPlayer", "n2"),
            ]
        },
    )
    grammar.rules["turn"] = turn.rules["turn"]
    for engine in ("general", "compiled"):
        assert solve(explore(grammar, engine=engine), turn="turn").tally == expected


@together(
    ("change", "options", "what"),
    [
        ({"gameTurn": ""}, {}, "does not say whose turn"),
        ({"gameWon": " "}, {}, "does not say who has won"),
        ({"gamePlayers": ""}, {}, "does not say who the players are"),
        ({"gamePlayers": "Game"}, {}, "The start graph has 1 player (Game)"),
        ({"gamePlayers": "nobody"}, {}, "neither a rule nor a label 'nobody'"),
        ({"gameTurn": "nextPlayer"}, {}, "In state 0 gameTurn=nextPlayer does not select exactly one player"),
        ({"gameWon": "", "gameStuck": "draw"}, {}, "does not say who has won"),
        ({"gameStuck": "odd"}, {}, "The property gameStuck is one"),
        ({}, {"method": "odd"}, "Unknown method 'odd'. Methods: paranoid, max-n"),
        ({}, {"method": "max-n"}, "Max-n needs unmerged states: isomorphism=False or --iso no"),
    ],
)
def test_what_cannot_be_solved_is_refused_in_one_line(change, options, what):
    grammar = new("tictactoe", rows=2)
    grammar.properties |= change
    found = explore(grammar)
    with pytest.raises(GrammarError, match=re.escape(what)) as refused:
        solve(found, **options)
    assert "\n" not in str(refused.value)


def test_an_exploration_without_transitions_is_refused():
    found = explore(new("tictactoe", iso=False), keep=False, engine="compiled")
    with pytest.raises(GrammarError, match="keep=True"):
        solve(found)


@pytest.mark.parametrize("state", [-1, 29, "0", None])
def test_a_state_that_is_not_there_is_refused(state):
    solution = solve(explore(new("tictactoe", rows=2)))
    with pytest.raises(GrammarError, match="numbered from 0 to 28"):
        solution.value(state)


def test_progress_can_stop_the_analysis():
    found, seen = explore(new("tictactoe", rows=2)), []

    def stop(decided, states):
        seen.append((decided, states))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(found, progress=stop)
    assert len(seen) == 1
    assert 0 < seen[0][0] <= seen[0][1] == found.states


@pytest.mark.slow
def test_machine_code_and_python_agree(monkeypatch):
    found = explore(new("pente", size=3, line=2, capture_win=2, iso=False))
    fast = solve(found)
    monkeypatch.setattr(runner, "machine_code", lambda _: None)
    slow = solve(found)
    assert [slow.value(state) for state in range(found.states)] == [fast.value(state) for state in range(found.states)]
    assert slow.json() | {"seconds": 0} == fast.json() | {"seconds": 0}
