"""Films of traces: which frame is visible when, places of nodes, files, and what has no film."""

from __future__ import annotations

import io
import re
from xml.etree import ElementTree

import pytest
from PIL import Image

from pentad.drawing.raster.css import SVG
from pentad.grammar import explore
from pentad.grammar.exploration import Exploration
from pentad.grammar.film import MOST_FRAMES, PAUSE_SECONDS, SECONDS_OF_STATE, Film
from pentad.grammar.graph import GrammarError
from pentad.grammar.logic import ltl
from pentad.grammar.logic.traces import shortest
from pentad.grammar.lts import Lts, Trace, Transition
from pentad.grammar.models import new

BOX = re.compile(r'class="node[^"]*" data-node="([^"]+)"><title>[^<]*</title><rect x="([\d.-]+)" y="([\d.-]+)"')


@pytest.fixture(scope="module")
def ferry() -> Exploration:
    return explore(new("ferry"), accept="allAcross")


@pytest.fixture(scope="module")
def crossing(ferry: Exploration) -> Film:
    trace = shortest(ferry.lts, set(ferry.results).__contains__)
    assert trace is not None
    return Film.of(ferry.lts, trace, "ferry")


@pytest.fixture(scope="module")
def lasso(ferry: Exploration) -> Film:
    trace = ltl.check("F allAcross", ferry.lts).witness
    assert trace is not None
    assert (trace.loop, len(trace)) == (3, 5)
    return Film.of(ferry.lts, trace, "never across")


def visible(film: Film, time: float) -> list[int]:
    """The frames that are visible at a time, by the rules of animations in SVG."""
    found = []
    for number, group in enumerate(ElementTree.fromstring(film.svg()).findall(f"{{{SVG}}}g")):
        animation = group.find(f"{{{SVG}}}animate")
        assert animation is not None
        assert animation.get("attributeName") == "visibility"
        values, times = (animation.attrib[key].split(";") for key in ("values", "keyTimes"))
        whole, since = (float(animation.get(key, "0s").rstrip("s")) for key in ("dur", "begin"))
        place = (time - since) / whole
        if place < 0:
            value = group.attrib["visibility"]
        elif place < 1 or animation.get("repeatCount") == "indefinite":
            value = [each for at, each in zip(times, values, strict=True) if float(at) <= place % 1][-1]
        else:
            assert animation.get("fill") == "freeze"
            value = values[-1]
        if value == "visible":
            found.append(number)
    return found


def test_the_frames_of_a_finite_trace_follow_each_other_and_begin_again(crossing: Film) -> None:
    assert len(crossing.frames) == 5
    round_ = 5 * SECONDS_OF_STATE + PAUSE_SECONDS
    for begin in (0, round_, 7 * round_):
        assert [visible(crossing, begin + (number + 0.5) * SECONDS_OF_STATE) for number in range(5)] == [
            [i] for i in range(5)
        ]
        assert visible(crossing, begin + round_ - 0.01) == [4]


def test_a_lasso_goes_on_with_its_loop(lasso: Film) -> None:
    assert (len(lasso.frames), lasso.loop) == (5, 3)
    seen = [visible(lasso, (step + 0.5) * SECONDS_OF_STATE) for step in range(11)]
    assert seen == [[each] for each in (0, 1, 2, 3, 4, 3, 4, 3, 4, 3, 4)]


def test_nodes_keep_their_places_and_what_is_new_is_marked(crossing: Film) -> None:
    places = [{name: (x, y) for name, x, y in BOX.findall(frame)} for frame in crossing.frames]
    assert len(places[0]) == 6 > len(places[-1])  # the cabbage is eaten
    assert all(frame.items() <= places[0].items() for frame in places)
    assert len({re.search(r"translate\([^)]*\)", frame)[0] for frame in crossing.frames}) == 1  # type: ignore[index]
    assert "created" not in crossing.frames[0]
    assert "created" in crossing.frames[1]
    assert "1 of 4: carry, state 1" in crossing.frames[1]


def test_a_gif_has_the_same_frames(crossing: Film) -> None:
    with Image.open(io.BytesIO(crossing.gif(300))) as image:
        assert (image.n_frames, image.size[0], image.info["loop"]) == (5, 300, 0)  # type: ignore[attr-defined]
        durations = []
        for number in range(5):
            image.seek(number)
            durations.append(image.info["duration"] / 1000)
            assert len(image.convert("RGB").getcolors(1 << 20) or ()) > 10
    assert durations == pytest.approx(crossing.seconds)


def test_a_still_picture_shows_the_start(crossing: Film) -> None:
    groups = ElementTree.fromstring(crossing.svg()).findall(f"{{{SVG}}}g")
    assert [group.get("visibility") for group in groups] == ["visible"] + 4 * ["hidden"]


def test_what_has_no_film(ferry: Exploration) -> None:
    with pytest.raises(GrammarError, match="needs the graphs of states"):
        Film.of(Lts(), Trace(0), "nothing")
    long = Trace(0, tuple(Transition(0, "cross", (), 4) for _ in range(MOST_FRAMES)))
    with pytest.raises(GrammarError, match=f"at most {MOST_FRAMES} states; this trace has {MOST_FRAMES + 1}"):
        Film.of(ferry.lts, long, "long")
