"""The board: fields, links, measures and symmetries, by formula and against the referee."""

import cmath
import math
from collections import Counter, deque
from itertools import combinations, pairwise, permutations

import pytest

from pentad.game import InvalidMove
from pentad.games import pentagame
from pentad.games.pentagame.board import (
    ALL_FIELDS,
    CORNERS,
    EDGE_BETWEEN,
    EDGES,
    FIELDS,
    JUNCTIONS,
    LINKS,
    MAINS,
    NUMBER,
    OFF,
    OFF_BOARD,
    PLAN,
    Field,
    angle,
    automorphisms,
    fields_of,
    goal,
    name_of,
    neighbours,
    printed_angle,
    set_of,
    symmetries,
)
from tests.cases import together
from tests.games.pentagame import referee


def steps_from(start):
    """How far every field is from one, by breadth-first search over the links."""
    far, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        for there in LINKS[here]:
            if there not in far:
                far[there] = far[here] + 1
                queue.append(there)
    return [far[field] for field in range(len(FIELDS))]


# ── fields and links ─────────────────────────────────────────────────────────────────────────────


def test_the_number_of_fields():
    assert len(FIELDS) == len(set(FIELDS)) == 100
    assert sum(map(len, LINKS)) == 2 * 110
    stops = Counter(
        {kind: sum(len(edge.stops) for edge in EDGES if edge.kind == kind) for kind in ("arc", "arm", "leg")}
    )
    assert stops == {"arc": 15, "arm": 15, "leg": 60}
    assert Counter(edge.kind for edge in EDGES) == {"arc": 5, "arm": 5, "leg": 10}
    assert Counter(map(len, LINKS)) == {4: 10, 2: 90}
    assert all(len(LINKS[main]) == 4 for main in MAINS)
    assert all(edge.high > edge.low for edge in EDGES)
    assert [len(edge.stops) for edge in EDGES] == [3] * 10 + [6] * 10


def test_links_are_symmetric_and_unique():
    for field, linked in enumerate(LINKS):
        assert field not in linked
        assert len(set(linked)) == len(linked)
        assert all(field in LINKS[other] for other in linked)


def test_the_board_is_connected():
    assert all(far < 100 for far in steps_from(0))


def test_the_connections_of_main_fields():
    """Corner c has legs to junctions 5+(c+2)%5 and 5+(c+3)%5; neighbours on either ring are joined."""
    joined = {frozenset(edge[:2]) for edge in EDGES}
    assert joined == {
        *(frozenset((c, (c + 1) % 5)) for c in range(5)),
        *(frozenset((5 + i, 5 + (i + 1) % 5)) for i in range(5)),
        *(frozenset((c, 5 + (c + away) % 5)) for c in range(5) for away in (2, 3)),
    }
    assert {*EDGE_BETWEEN} == {pair for edge in joined for pair in permutations(edge)}


def test_the_referee_has_the_same_board():
    assert {tuple(field) for field in FIELDS} == {*referee.BOARD}
    for field in FIELDS:
        assert {tuple(other) for other in neighbours(field)} == referee.BOARD[tuple(field)]


def test_stops_are_counted_from_the_higher_end():
    for edge in EDGES:
        walk = [edge.high, *edge.stops, edge.low]
        assert all(other in LINKS[one] for one, other in pairwise(walk))
        for counter, stop in enumerate(edge.stops, 1):
            assert FIELDS[stop] == (edge.high, counter, edge.low)
            assert name_of(stop).start > name_of(stop).end


def test_numbers_and_names():
    assert [NUMBER[name_of(number)] for number in range(100)] == [*range(100)]
    assert name_of(OFF_BOARD) == OFF == (-1, -1, -1)
    assert NUMBER[OFF] == OFF_BOARD
    assert [str(name_of(number)) for number in (0, 5, -1)] == ["[0,0,0]", "[5,0,0]", "[-1,-1,-1]"]


# ── distances as such ────────────────────────────────────────────────────────────────────────────


def test_diameter_and_mean():
    far = [steps for start in range(100) for steps in steps_from(start)]
    assert max(far) == 15
    assert round(sum(far) / (100 * 99), 2) == 8.72


def test_a_goal_is_diametrically_opposite():
    """The junction of colour x is 15 steps from corner x, the longest way there is."""
    for colour in CORNERS:
        assert goal(colour) == 5 + colour
        assert steps_from(colour)[goal(colour)] == 15
        assert (angle(goal(colour)) - angle(colour)) % math.tau == pytest.approx(math.pi)
        assert [field for field, steps in enumerate(steps_from(colour)) if steps == 15].count(goal(colour)) == 1


# ── drawing ──────────────────────────────────────────────────────────────────────────────────────


# As the rule page gives them, in diameters of a stop: distances from the centre, diameters, and lengths.
RING, INNER = 11.190666554401222, 4.274454267014592
CORNER, JUNCTION = math.sqrt(5), 2.0249223594996213
ARM, LEG = 5.024922359499621, 8.130495168499706


def test_measures():
    plan = (PLAN.ring, PLAN.inner, 2 * PLAN.corner, 2 * PLAN.junction, 2 * PLAN.stop, PLAN.arm, PLAN.leg)
    assert plan == pytest.approx((RING, INNER, CORNER, JUNCTION, 1, ARM, LEG))
    assert PLAN.leg / PLAN.arm == pytest.approx((1 + math.sqrt(5)) / 2)


def drawn_at(field):
    """The centre of a field by these measures, as a complex number, with white's corner at the top."""
    start, counter, end = field
    if not counter:
        return cmath.rect(RING if start < 5 else -INNER, math.radians(90 + 72 * start))
    near, far = drawn_at((start, 0, 0)), drawn_at((end, 0, 0))
    if start < 5:  # an arc has a stop every 18 degrees
        return near * cmath.rect(1, math.copysign(math.radians(18 * counter), (far / near).imag))
    return near + (far - near) / abs(far - near) * (JUNCTION / 2 + counter - 0.5)


def test_where_every_field_is_drawn():
    for field, (x, y, radius) in zip(FIELDS, PLAN.spots, strict=True):
        assert complex(x, y) == pytest.approx(drawn_at(field))
        assert 2 * radius == pytest.approx(1 if field.counter else CORNER if field.start < 5 else JUNCTION)


def test_linked_fields_touch_on_straight_lines():
    for edge in EDGES:
        for one, other in pairwise([edge.high, *edge.stops, edge.low]):
            gap = between(one, other) - PLAN.spots[one].radius - PLAN.spots[other].radius
            assert gap > 1 if edge.kind == "arc" else gap == pytest.approx(0, abs=1e-9)


def between(one, other):
    (x1, y1, _), (x2, y2, _) = PLAN.spots[one], PLAN.spots[other]
    return math.hypot(x2 - x1, y2 - y1)


def test_spots_are_where_the_measures_put_them():
    for corner in CORNERS:
        assert math.hypot(*PLAN.spots[corner][:2]) == pytest.approx(PLAN.ring)
    for junction in JUNCTIONS:
        assert math.hypot(*PLAN.spots[junction][:2]) == pytest.approx(PLAN.inner)
    for edge in EDGES:
        if edge.kind != "arc":
            assert between(edge.high, edge.low) == pytest.approx(PLAN.arm if edge.kind == "arm" else PLAN.leg)
    white = PLAN.spots[0]
    assert (white.x, white.y) == pytest.approx((0, PLAN.ring))
    assert PLAN.spots[1].x < 0 < PLAN.spots[1].y  # they go counter-clockwise, and y goes upwards


def test_the_spots_of_a_line_touch_and_no_two_overlap():
    for edge in EDGES:
        walk = [edge.high, *edge.stops, edge.low]
        for one, other in pairwise(walk):
            if edge.kind != "arc":
                assert between(one, other) == pytest.approx(PLAN.spots[one].radius + PLAN.spots[other].radius)
    for one, other in combinations(range(100), 2):
        assert between(one, other) > PLAN.spots[one].radius + PLAN.spots[other].radius - 1e-6


def test_arc_stops_stand_every_18_degrees():
    for edge in EDGES:
        if edge.kind == "arc":
            walk = [edge.high, *edge.stops, edge.low]
            turns = [math.atan2(PLAN.spots[field].y, PLAN.spots[field].x) for field in walk]
            for one, other in pairwise(turns):
                step = abs((other - one + math.pi) % math.tau - math.pi)
                assert math.degrees(step) == pytest.approx(18)
            assert all(math.hypot(*PLAN.spots[stop][:2]) == pytest.approx(PLAN.ring) for stop in edge.stops)


def test_legs_and_arms_lie_on_the_straight_lines_of_the_star():
    """From each corner straight on over two junctions to another corner."""
    for far in (2, 3):
        for corner in CORNERS:
            other = (corner + far) % 5
            on_the_way = [
                j for j in JUNCTIONS if between(corner, j) + between(j, other) == pytest.approx(between(corner, other))
            ]
            assert len(on_the_way) == 2
            near, next_one = sorted(on_the_way, key=lambda j: between(corner, j))
            assert {(corner, near), (near, next_one), (next_one, other)} <= {*EDGE_BETWEEN}


def test_angles():
    for colour in range(5):
        assert angle(colour) == pytest.approx(2 * math.pi * colour / 5)
        assert angle(5 + colour) == pytest.approx((2 * math.pi * colour / 5 + math.pi) % math.tau)
        assert printed_angle(colour) == pytest.approx(colour * math.pi / 5)
        x = 5 + colour + 5  # the document: "junction (x-5) is at angle (x*\\pi/5+\\pi/2)"
        assert printed_angle(5 + colour) == pytest.approx((x * math.pi / 5 + math.pi / 2) % math.tau)
        assert printed_angle(colour) == pytest.approx(angle(colour) / 2)
        junction = angle(5 + colour) if colour < 3 else angle(5 + colour) + math.tau  # the full turn is still in it
        assert printed_angle(5 + colour) == pytest.approx(junction / 2)


def test_angles_agree_with_the_drawing():
    for main in MAINS:
        spot = PLAN.spots[main]
        away = math.atan2(spot.y, spot.x) - math.pi / 2 - angle(main)
        assert math.sin(away) == pytest.approx(0, abs=1e-9)
        assert math.cos(away) == pytest.approx(1)


# ── symmetries ───────────────────────────────────────────────────────────────────────────────────


def test_twenty_automorphisms():
    ways = automorphisms()
    assert len({way.fields for way in ways}) == 20
    assert len({way.name for way in ways}) == 20
    assert [way.name for way in ways if way.fields == tuple(range(100))] == ["identity"]
    for way in ways:
        assert sorted(way.fields) == [*range(100)]
        for field, linked in enumerate(LINKS):
            assert {way.fields[other] for other in linked} == {*LINKS[way.fields[field]]}


def test_there_are_no_more_automorphisms():
    """Where the mains go tells the rest: of all ways to send them, twenty keep every edge with its length."""
    lengths = {pair: len(edge.stops) for pair, edge in EDGE_BETWEEN.items()}
    found = set()

    def extend(images):
        main = len(images)
        if main == 10:
            found.add(tuple(images))
            return
        for image in {*MAINS} - {*images}:
            if all(lengths.get((main, other)) == lengths.get((image, images[other])) for other in range(main)):
                extend([*images, image])

    extend([])
    assert found == {way.fields[:10] for way in automorphisms()}


def test_ten_keep_the_goals():
    ways = symmetries()
    assert ways[0].fields == tuple(range(100))
    assert ways[0].name == "identity"
    assert len(ways) == 10
    for way in automorphisms():
        keeps = all(way.fields[goal(colour)] == goal(way.fields[colour]) for colour in range(5) if way.fields[0] < 5)
        assert way.keeps_goals == (way.fields[0] < 5)
        assert (way in ways) == way.keeps_goals
        if way.keeps_goals:
            assert keeps
            assert {way.fields[corner] for corner in CORNERS} == {*CORNERS}
            assert [way.fields[5 + colour] for colour in range(5)] == [5 + colour for colour in way.colours]


def test_the_automorphisms_are_a_group():
    known = {way.fields for way in automorphisms()}
    for one in known:
        inverse = [0] * 100
        for field, image in enumerate(one):
            inverse[image] = field
        assert tuple(inverse) in known
        for other in known:
            assert tuple(one[field] for field in other) in known


def test_figures_are_renamed_with_their_colours():
    for way in symmetries():
        assert way.field(OFF_BOARD) == OFF_BOARD
        assert sorted(way.figure(figure) for figure in (*range(5), *range(6, 16))) == [*range(5), *range(6, 16)]
        for colour in range(5):
            assert way.figure(colour) == way.field(colour)
            assert FIELDS[way.field(5 + colour)].start == way.figure(11 + colour) - 6


# ── sets of fields ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("numbers", [[], [0], [99], [3, 7, 64, 99], [*range(100)]], ids=str)
def test_sets_of_fields(numbers):
    these = set_of(numbers)
    assert [*fields_of(these)] == numbers
    assert these <= ALL_FIELDS
    assert set_of([*numbers, OFF_BOARD]) == set_of(tuple(numbers)) == set_of(iter(numbers)) == these


def test_all_fields():
    assert ALL_FIELDS == set_of([*range(100)]) == 2**100 - 1


def test_the_package_offers_the_board():
    assert pentagame.FIELDS is FIELDS
    assert pentagame.OFF == OFF
    assert pentagame.neighbours((5, 2, 2)) == pentagame.neighbours(Field(5, 2, 2))


NO_FIELDS = [(2, 5, 5), (10, 0, 0), OFF, (5, 7, 2), (0, 1, 0), (5, 0), (), "abc", None, 522, ([], 0, 0), 10**6000]


@together("name", NO_FIELDS)
def test_invalid_fields_have_no_neighbours_and_no_distance(name):
    asked = [
        lambda: neighbours(name),
        lambda: pentagame.distance(name, (0, 0, 0)),
        lambda: pentagame.distance((0, 0, 0), name),
        lambda: pentagame.printed_heuristic((0, 0, 0), name),
    ]
    for ask in asked:
        with pytest.raises(InvalidMove, match="Unknown field") as error:
            ask()
        assert str(error.value).isprintable()


@pytest.mark.parametrize("main", [-1, 10, "x", None, (0, 0, 0)], ids=str)
def test_only_mains_have_angles(main):
    for of in (angle, printed_angle):
        with pytest.raises(InvalidMove, match="must be a corner or junction"):
            of(main)
