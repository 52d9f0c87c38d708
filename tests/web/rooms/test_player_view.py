"""Player views: what each person may do, and what everybody sees; without a room."""

from __future__ import annotations

import pytest

from pentad.web.messages import Declined, ResignMessage
from pentad.web.rooms import player_view
from pentad.web.rooms.player_view import Presence
from tests.web.rooms.test_actions import DRAW, NO, TABLES, UNDO, Game, begin

WATCHER = 3


def able(game: Game, person: int | None) -> set[str]:
    """What a person may do."""
    return {name for name, is_able in vars(player_view.abilities(game.state, person)).items() if is_able}


def test_two_persons_may_ask_each_other() -> None:
    game = Game(begin(TABLES[0]))
    assert able(game, 1) == {"play", "resign", "draw", "say"}
    assert able(game, 2) == {"resign", "draw", "say"}
    game.ask(1, 0)
    assert able(game, 1) == {"undo", "resign", "draw", "say"}
    game.ask(1, UNDO)
    assert able(game, 1) == {"resign", "say"}  # an offer is open
    assert able(game, 2) == {"play", "resign", "say"}


def test_an_offer_of_a_draw_is_accepted_by_the_same_offer() -> None:
    game = Game(begin(TABLES[0]))
    game.ask(1, DRAW)
    assert "draw" not in able(game, 1)
    assert "draw" in able(game, 2)
    game.ask(2, NO)
    assert "draw" not in able(game, 1)  # the offer has been declined
    assert "draw" in able(game, 2)


def test_a_person_alone_may_ask_the_engine_and_replay_moves() -> None:
    game = Game(begin(TABLES[1]))
    game.ask(1, 0)
    assert able(game, 1) == {"play", "undo", "hint", "resign", "draw", "say"}
    game.ask(1, UNDO)
    assert "redo" in able(game, 1)
    assert able(game, WATCHER) == {"say"}
    assert able(game, None) == set()


def test_an_open_seat_can_be_taken_until_the_game_is_over() -> None:
    game = Game(begin(TABLES[2]))
    assert able(game, WATCHER) == {"sit", "say"}
    assert able(game, None) == {"sit"}
    assert able(game, 1) == {"play", "resign", "say"}
    game.ask(1, ResignMessage(type="resign", at=0))
    assert able(game, WATCHER) == {"say"}
    assert able(game, 1) == {"undo", "rematch", "say"}


@pytest.mark.parametrize(("by", "seat"), [(1, 2), (2, 1)])
def test_who_withdraws_an_offer_declines_it_with_the_same_seat(by: int, seat: int) -> None:
    game = Game(begin(TABLES[4]))
    for person, asked in ((1, 0), (2, 50), (1, DRAW), (by, NO)):
        game.ask(person, asked)
    seen = player_view.around(game.state, 1, Presence(frozenset(), 0), 0)
    assert seen["declined"] == Declined(what="draw", seat=2, by=seat)


def test_who_has_to_answer_an_offer_is_asked() -> None:
    game = Game(begin(TABLES[3]))
    game.ask(1, 0)
    game.ask(1, UNDO)
    seen = {
        person: player_view.around(game.state, person, Presence(frozenset(), 0), 0)["offer"] for person in (1, 2, None)
    }
    assert [(offer.yours, offer.asked, offer.moves) for offer in seen.values()] == [
        (True, False, 1),
        (False, True, 1),
        (False, False, 1),
    ]


def test_strangers_watch_and_persons_are_here() -> None:
    game = Game(begin(TABLES[0]))
    assert Presence.of(game.state, [1, 1, WATCHER, None]) == Presence(frozenset({1, WATCHER}), 2)


def test_a_whole_state_has_the_rules_in_words() -> None:
    seen = player_view.whole(Game(begin(TABLES[0], {"main": 300.0})).state)
    assert "Place a marble" in seen["guide"]
    assert (seen["terms"], seen["moves"]) == ("line: 3, 5 min", [])
