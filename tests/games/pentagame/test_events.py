"""Events of Pentagame: effects of turns, identifiers in every form, and records from events."""

import json
import logging
import random
from collections import Counter
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pentad
from pentad.game import GameError, Outcome
from pentad.games.pentagame.board import FIELDS, OFF
from pentad.games.pentagame.denomination import shift_number
from pentad.games.pentagame.events import (
    KINDS,
    NOBODY,
    REASONS,
    Event,
    event,
    event_list,
    event_number,
    events,
    read_events,
    record_of,
    turn_events,
    write_events,
)
from pentad.record import Record
from pentad.record.formats import FORMATS, format_of, read, write
from tests.cases import together
from tests.games.pentagame.random_play import random_rare_turn, random_turn
from tests.line_limit import at_most
from tests.properties import properties


def game(seed: int, players: int = 2, plies: int = 200, **options) -> Record:
    """A random game, to its end or for so many turns."""
    chance = random.Random(seed)
    record = Record("pentagame", players=players, **options)
    while not record.outcome and len(record.moves) < plies:
        here = record.position
        record.play((random_rare_turn if chance.random() < 0.6 else random_turn)(here, chance))
    return record


GAMES = range(10)


@cache
def sample(number: int) -> Record:
    """One of the games, played when a test first needs it."""
    if number < 8:
        return game(number, players=2 + number % 4, max_ply=(1000, 120)[number % 2])
    return game(number - 8, players=2, plies=90, first_to_three=True, no_swap_back=True)


def position(words: str):
    return pentad.load(f"pentagame {words}")


# ── what happens ─────────────────────────────────────────────────────────────────────────────────

GRAY_ON_THE_GOAL = position(
    "0 40 000,613,200,300,---/000,100,200,300,400 500,110,700,800,900 600,---,---,---,--- -/- -"
)
BOTH_HOME = position("0 40 000,100,200,700,400/000,100,800,300,400 500,600,110,120,900 ---,---,---,---,--- -/- -")
BOTH_LEAVE = "[41,4,0,3,-1,-1,-1] [41,4,1,2,-1,-1,-1]"
WAITING = position("0 40 000,100,200,800,400/000,100,200,300,400 500,600,700,110,900 ---,---,---,---,--- -/- -")


@pytest.mark.parametrize(
    ("here", "move", "listed"),
    [
        (pentad.new("pentagame"), "0-110", "[1,0,0,0,1,1,0]"),
        (pentad.new("pentagame"), "3-5 410", "[1,0,0,3,5,0,0] [1,2,0,11,5,0,0] [1,3,0,11,4,1,0]"),
        (pentad.new("pentagame"), "0-1x11", "[1,0,0,0,1,0,0] [1,1,1,1,0,0,0]"),
        (
            GRAY_ON_THE_GOAL,
            "1-6 410",
            "[41,0,0,1,6,0,0] [41,2,0,6,6,0,0] [41,4,0,1,-1,-1,-1] [41,3,0,6,4,1,0]",
        ),
        (
            BOTH_HOME,
            "3-8 7 8",
            f"[41,0,0,3,8,0,0] [41,1,1,2,7,0,0] {BOTH_LEAVE} [41,3,0,6,7,0,0] [41,3,0,7,8,0,0]",
        ),
        (WAITING, "[0,3,-1,-1,-1] [0,6,8,0,0]", "[41,5,0,-1,-1,-1,-1] [41,4,0,3,-1,-1,-1] [41,3,0,6,8,0,0]"),
    ],
)
def test_events_of_a_turn(here, move, listed):
    assert " ".join(map(str, turn_events(here, move))) == listed


PASSING = (
    "pentagame players=4 1 42 000,100,200,300,400/000,100,200,300,400/---,---,---,---,---/000,100,200,300,400 "
    "500,600,700,800,900 ---,---,---,---,--- -/-/-/- -"
)


def test_a_skipped_seat_has_an_event():
    here = pentad.load(PASSING)
    listed = turn_events(here, "[1,0,1,1,0]")
    assert [str(each) for each in listed] == ["[43,0,1,0,1,1,0]", "[43,6,2,-1,-1,-1,-1]"]
    assert here.play("[1,0,1,1,0]").turn == 3
    assert listed[1].words == "Turn 43: Player 2, without a piece on the board, is skipped."


def test_no_player_is_skipped_after_the_end():
    here = pentad.load(PASSING.replace(" 1 42 ", " 3 42 "))
    assert here.play("[3,0,1,1,0]").outcome
    assert [each.name for each in turn_events(here, "[3,0,1,1,0]")] == ["moved"]


def test_the_end():
    record = Record("pentagame", max_ply=1)
    record.play("0-110")
    assert [str(each) for each in events(record)] == ["[1,0,0,0,1,1,0]", "[1,7,-1,1,-1,-1,-1]"]
    assert events(record)[-1].words == "Turn 1: The game is over (ply limit). Nobody has won."


@pytest.mark.parametrize("reason", REASONS)
def test_an_end_that_the_moves_do_not_show(reason):
    record = Record("pentagame", players=3)
    record.play("0-110")
    record.ended = Outcome.of((0, 2), 3, reason)
    listed = events(record)
    assert [(each.player, each.reason) for each in listed[1:]] == [(0, reason), (2, reason)]
    if reason not in ("three home", "ply limit", "threefold repetition"):
        assert record_of(record.start, listed) == record


def test_an_end_with_its_own_reason():
    record = Record("pentagame")
    record.ended = Outcome.of((1,), 2, "the cat sat on the board")
    assert str(events(record)[0]) == f"[0,7,1,{len(REASONS) - 1},-1,-1,-1]"
    assert record_of(record.start, events(record)).outcome.reason == "otherwise"
    assert record_of(record.start, events(record), record.outcome.reason) == record


def test_a_forced_turn_has_an_event_before_it_is_played():
    record = Record(WAITING)
    assert [str(each) for each in events(record)] == ["[41,5,0,-1,-1,-1,-1]"]
    record.play("[0,3,-1,-1,-1] [0,6,8,0,0]")
    assert [each.name for each in events(record)] == ["forced", "home", "placed"]


def test_events_of_a_variation():
    record = Record("pentagame")
    first = record.play("0-110")
    other = first.play("[1,0,1,3,0]")
    first.play("[1,2,5,2,2]")
    assert (
        [str(each) for each in events(other)]
        == [str(each) for each in events(record)]
        == [
            "[1,0,0,0,1,1,0]",
            "[2,0,1,0,1,3,0]",
        ]
    )
    assert str(events(first.children[1])[-1]) == "[2,0,1,2,5,2,2]"


def test_the_games_cover_every_kind_of_event():
    found = Counter(each.name for number in GAMES for each in events(sample(number)))
    assert set(found) >= {"moved", "swapped", "taken", "placed", "home", "forced", "over"}


# ── the events are the game ──────────────────────────────────────────────────────────────────────


@pytest.mark.fast_cases(4)
@pytest.mark.parametrize("number", GAMES)
def test_the_events_of_a_game_suffice(number):
    record = sample(number)
    listed = events(record)
    again = record_of(record.start, listed)
    assert again.position == record.position
    assert again == record
    assert record_of(record.start, read_events(write_events(listed))) == record
    assert record_of(record.start, [event_number(each) for each in listed]) == record


@pytest.mark.parametrize("number", GAMES[:4])
def test_a_longer_game_has_more_events(number):
    before = ()
    for node in sample(number).end.line[:40]:
        listed = events(node)
        assert listed[: len(before)] == before
        before = listed


@pytest.mark.parametrize("number", GAMES[:4])
def test_events_are_ordered_and_unique(number):
    listed = events(sample(number))
    assert all(one.ply <= other.ply for one, other in pairwise(listed))
    assert len(set(listed)) == len(listed)


def test_the_events_determine_the_position():
    """Without the rules: the events tell where every figure is."""
    for record in map(sample, GAMES):
        start, end = record.start, record.position
        pieces = [list(mine) for mine in start.pieces]
        blocks = dict(zip(range(6, 16), (*start.grays, *start.blacks), strict=True))
        for each in events(record):
            field = FIELDS.index(each.field) if each.field != OFF else -1
            if each.name in ("moved", "swapped", "home"):
                pieces[each.player][each.figure] = field
            elif each.name == "taken":
                assert blocks[each.figure] == field
                blocks[each.figure] = -1
            elif each.name == "placed":
                blocks[each.figure] = field
        assert tuple(map(tuple, pieces)) == end.pieces
        assert tuple(blocks.values()) == (*end.grays, *end.blacks)


# ── identifiers ──────────────────────────────────────────────────────────────────────────────────


@st.composite
def identifiers(draw):
    """Any event that can be written."""
    number = draw(st.integers(0, len(KINDS) - 1))
    kind = KINDS[number]
    least = NOBODY if kind.name == "over" else 0
    field = draw(st.sampled_from(FIELDS)) if kind.has_field else OFF
    return Event(
        draw(st.integers(0, 100_000)),
        number,
        draw(st.integers(least, 4)),
        draw(st.sampled_from(list(kind.figures))),
        field,
    )


@given(identifiers())
@properties(400)
def test_every_form_of_an_event(it):
    forms = [
        it,
        str(it),
        event_list(it),
        tuple(event_list(it)),
        event_number(it),
        json.dumps(event_list(it)),
        str(event_number(it)),
    ]
    assert [event(form) for form in forms] == [it] * len(forms)
    assert 0 <= event_number(it) < 2**63
    assert it.words.startswith(f"Turn {it.ply}: ")
    assert it.move is None or event_number(it) % 1_000_000 == shift_number(it.move)


@given(st.lists(identifiers(), max_size=30))
def test_lists_of_events(many):
    assert read_events(write_events(many)) == tuple(many)
    assert read_events([event_number(each) for each in many]) == tuple(many)
    assert len({event_number(each) for each in many}) == len(set(many))


@given(st.integers(0, 10**13))
@properties(300)
def test_no_two_events_have_one_number(number):
    try:
        it = event(number)
    except GameError:
        return
    if it.field == OFF or it.field.start * 100 + it.field.counter * 10 + it.field.end == number % 1000:
        assert event_number(it) == number


def test_a_stop_may_be_named_from_either_end():
    assert str(event("[1,0,0,3,2,5,5]")) == "[1,0,0,3,5,2,2]"


@together(
    ("given_", "part"),
    [
        ([-1, 0, 0, 3, 5, 0, 0], "The ply must be 0 to 100,000, not -1"),
        ([100_001, 0, 0, 3, 5, 0, 0], "The ply must be 0 to 100,000, not 100001"),
        ([1, 8, 0, 3, 5, 0, 0], "Unknown event 8"),
        ([1, -1, 0, 3, 5, 0, 0], "Unknown event -1"),
        ([1, 0, 5, 3, 5, 0, 0], "Unknown player 5 of moved"),
        ([1, 0, -1, 3, 5, 0, 0], "Unknown player -1 of moved"),
        ([1, 0, 0, 5, 5, 0, 0], "The figure of moved must be 0, 1, 2, 3, 4, not 5"),
        ([1, 0, 0, 16, 5, 0, 0], "The figure of moved must be 0, 1, 2, 3, 4, not 16"),
        ([1, 2, 0, 3, 5, 0, 0], "The figure of taken must be 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, not 3"),
        ([1, 3, 0, 16, 5, 0, 0], "The figure of placed must be 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, not 16"),
        ([1, 5, 0, 3, -1, -1, -1], "The figure of forced must be -1, not 3"),
        ([1, 7, 0, 8, -1, -1, -1], "The reason of over must be 0, 1, 2, 3, 4, 5, 6, 7, not 8"),
        ([1, 0, 0, 3, 4, 1, 2], "No edge between 4 and 2"),
        ([1, 0, 0, 3, 5, 7, 2], "The counter of the leg between 5"),
        ([1, 0, 0, 3, 10, 0, 0], "The start must be a corner"),
        ([1, 0, 0, 3, -1, -1, -1], "The field of moved"),
        ([1, 4, 0, 3, 8, 0, 0], "The field of home must be [-1,-1,-1], not [8,0,0]"),
        ([1, 0, 0, 3, 5, 0], "Expected an event of seven numbers,"),
        ([1, 0, 0, 3, 5, 0, 0, 0], "Expected an event of seven numbers,"),
        ([1, 0, 0, 3.0, 5, 0, 0], "figure: Expected a whole number, got 3.0"),
        ([1, 0, 0, 3, "5", 0, 0], "start: Expected a whole number, got '5'"),
        ([True, 0, 0, 3, 5, 0, 0], "ply: Expected a whole number, got True"),
        ([1, 0, 0, 3, 5, None, 0], "counter: Expected a whole number, got None"),
        ([10**5000, 0, 0, 3, 5, 0, 0], "The ply must be 0 to 100,000, not this int"),
        ("[1,0,0,3,5,0,0", "Expected an event as JSON"),
        ("moved", "Expected an event as JSON"),
        ("[" * 10**6, "Expected an event, got JSON"),
        ('{"ply": 1}', "Expected an event of seven numbers,"),
        ("", "Expected an event as JSON"),
        (None, "Expected an event of seven numbers,"),
        (True, "Expected an event of seven numbers,"),
        (1.5, "Expected an event of seven numbers,"),
        (-1, "Expected an event's number (ply, event, player"),
        (10**13, "Expected an event's number (ply, event, player"),
        (18000500, "Unknown event 8"),
        (10003550, "No edge between 5 and 0"),
    ],
)  # fmt: skip
def test_invalid_events_are_refused(given_, part):
    with pytest.raises(GameError) as error:
        event(given_)
    assert part in str(error.value)
    assert len(str(error.value)) < 300


@together(
    ("given_", "part"),
    [
        ("[[1,0,0,3,5,0,0],[1,0,0,5,5,0,0]]", "event 2: The figure of moved must be 0, 1, 2, 3, 4, not 5"),
        ("[[1,0,0,3,5,0,0],7]", "event 2: "),
        ("[1,0,0,3,5,0,0]", "event 1: "),
        ("{}", "Expected a list of events, got"),
        ('"x"', "Expected a list of events, got"),
        ("[", "Expected a list of events as JSON"),
        ("[[1,2],\n[3,", "line 2, column 4: Expected a list of events as JSON, such as"),
        (None, "Expected a list of events, got"),
        ("[" * 10**7, "Expected a list of events, got JSON that is nested too deeply"),
        ("[" + "[1,0,0,3,5,0,0]," * (8 * 10**5) + "[1,0,0,3,5,0,0]]", "A game has at most 800,000 events, got 800,001"),
        ("[" + "9" * 10**7 + "]", "Expected a list of events as JSON"),
        ('["' + "x" * 10**7 + '"]', "event 1: "),
    ],
)
def test_invalid_lists_of_events_are_refused(given_, part):
    with at_most(lines=100_000):
        with pytest.raises(GameError) as error:
            read_events(given_)
        assert part.replace("event 1: ", "event 1: ").replace("event 2: ", "event 2: ") in str(error.value)
        assert len(str(error.value)) < 300


# ── events that are no game ──────────────────────────────────────────────────────────────────────

ONE = "[1,0,0,3,5,0,0] [1,2,0,11,5,0,0] [1,3,0,11,4,1,0]"


@pytest.mark.parametrize(
    ("listed", "part"),
    [
        ("[2,0,0,0,1,1,0]", "Expected turn 1, got turn 2"),
        ("[1,0,0,0,1,1,0] [1,0,0,0,1,2,0]", "turn 1: "),
        ("[1,0,1,0,1,1,0]", "turn 1: It is circle's turn, not square's"),
        ("[1,0,0,3,5,0,0] [1,3,0,11,4,1,0]", "event 2: Expected [1,2,0,11,5,0,0], got [1,3,0,11,4,1,0]"),
        ("[1,0,0,3,5,0,0] [1,2,0,11,5,0,0]", "turn 1: The turn is not complete"),
        ("[1,0,0,0,1,1,0] [2,5,1,-1,-1,-1,-1]", "event 2: Expected no more events, got [2,5,1,-1,-1,-1,-1]"),
        ("[1,0,0,0,1,1,0] [1,4,0,0,-1,-1,-1]", "turn 1: "),
        ("[1,0,0,0,1,1,0] [1,7,4,3,-1,-1,-1]", "Unknown winner 4"),
        ("[0,7,0,3,-1,-1,-1] [1,0,0,0,1,1,0]", "event 1: Expected [1,0,0,0,1,1,0], got [0,7,0,3,-1,-1,-1]"),
        ("[1,0,0,0,1,1,0] [1,7,0,0,-1,-1,-1]", None),
        (ONE, None),
    ],
)
def test_inconsistent_events_are_refused(listed, part):
    start = pentad.new("pentagame")
    if part is None:
        assert " ".join(map(str, events(record_of(start, listed.split())))) == listed
        return
    with pytest.raises(GameError) as error:
        record_of(start, listed.split())
    assert part in str(error.value)


def test_events_of_other_games_are_refused():
    with pytest.raises(GameError, match="got one of pentago"):
        events(Record("pentago"))
    with pytest.raises(GameError, match="got one of pentago"):
        record_of(pentad.new("pentago"), [])


# ── as a format of records ───────────────────────────────────────────────────────────────────────


def test_the_format():
    assert format_of("games.events") is FORMATS["events"]
    records = [sample(number) for number in GAMES[:3]]
    records[0].tags["Seat0"] = 'Änn "the" first'
    text = write(records, FORMATS["events"])
    assert read(text, FORMATS["events"]) == records
    assert json.loads(text)["games"][0]["events"][0] == event_list(events(records[0])[0])


def test_a_game_without_moves():
    text = write([Record("pentagame")], FORMATS["events"])
    assert read(text, FORMATS["events"], "pentagame") == [Record("pentagame")]


def test_a_resignation():
    record = Record("pentagame", players=3)
    record.play("0-110")
    record.ended = Outcome.of((0, 2), 3, "went home")
    assert read(write([record], FORMATS["events"]), FORMATS["events"]) == [record]


def test_the_format_warns_about_losses(caplog):
    record = Record("pentagame")
    record.play("0-110").comment = "hm"
    record.root.play("0-120")
    with caplog.at_level(logging.WARNING):
        text = write([record], FORMATS["events"])
    assert caplog.messages == ["events cannot represent 1 variation and 1 comment; left out."]
    assert str(read(text, FORMATS["events"])[0].moves[0]) == "[0,0,1,1,0]"


GOOD = {"start": pentad.new("pentagame").text, "tags": {}, "result": "*", "events": [[1, 0, 0, 0, 1, 1, 0]]}


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"events": 5}, "games[0].events: Expected a list, got 5"),
        ({"events": [[1, 0, 0, 5, 1, 1, 0]]}, "games[0]: event 1: The figure of moved must be 0, 1, 2, 3, 4, not 5"),
        ({"start": pentad.new("pentago").text}, "games[0]: start: Expected a position of pentagame"),
        ({"start": "nonsense"}, "games[0]: Unknown game 'nonsense'"),
        ({"start": 5}, "games[0]: games[0].start: Expected text, got 5"),
        ({"result": "1-0"}, "games[0].result: The events show *"),
        ({"reason": "resigned"}, "games[0].result: The events show *"),
        ({"tags": {"Seat0": 5}}, "games[0].tags.Seat0: Expected text, got 5"),
        ({"clock": 5}, "games[0]: Unknown key 'clock'"),
    ],
)
def test_the_format_is_parsed_strictly(change, part):
    text = json.dumps({"pentagame": 1, "games": [GOOD | change]})
    with pytest.raises(GameError) as error:
        read(text, FORMATS["events"])
    assert part in str(error.value)


def test_the_result_may_be_missing():
    listed = {name: value for name, value in GOOD.items() if name != "result"}
    [record] = read(json.dumps({"pentagame": 1, "games": [listed]}), FORMATS["events"])
    assert (record.result, len(record.moves)) == ("*", 1)
    with pytest.raises(GameError, match=r"games\[0\]\.result: Missing"):
        read(json.dumps({"pentagame": 1, "games": [listed | {"reason": "resigned"}]}), FORMATS["events"])


NO_FILES = ("", "{", "[]", "{}", '{"pentagame": 2, "games": []}', '{"pentagame": 1, "games": []}')
NO_FILES += ('{"pentagame": 1, "games": [5]}', "[" * 10**7, "9" * 10**7, '{"a":' * 10**6)


@pytest.mark.parametrize("text", NO_FILES, ids=lambda text: text[:32])
def test_invalid_event_files_are_refused(text):
    with at_most(lines=1_000_000), pytest.raises(GameError):
        read(text, FORMATS["events"])


def test_the_format_holds_only_pentagame():
    with pytest.raises(GameError, match="for pentagame, not for pente"):
        read("{}", FORMATS["events"], "pente")
    with pytest.raises(GameError, match="got one of pentago"):
        write([Record("pentago")], FORMATS["events"])
