"""Films: the states along a trace, one after the other, as an animated SVG or GIF.

Every node keeps its place from state to state, and what a step has created is marked. After its last state a film
pauses and begins again; that of a lasso goes on with the loop.

>>> from pentad.grammar import explore
>>> from pentad.grammar.logic.traces import shortest
>>> from pentad.grammar.models import new
>>> found = explore(new("ferry"), accept="allAcross")
>>> film = Film.of(found.lts, shortest(found.lts, set(found.results).__contains__), "ferry")
>>> len(film.frames), film.svg().count("<animate ")
(5, 5)
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from xml.etree import ElementTree

from pentad import drawing
from pentad.drawing import raster, tag
from pentad.drawing.raster.css import SVG
from pentad.grammar.draw import host_parts, refuse_large
from pentad.grammar.graph import GrammarError, Graph, NodePosition
from pentad.grammar.lts import Lts, Trace
from pentad.grammar.pictures.layout import Area, DiagramParts, arrange
from pentad.grammar.pictures.style import STYLE, bounds, picture
from pentad.system.extras import needs
from pentad.system.words import phrase

SECONDS_OF_STATE = 1.2
PAUSE_SECONDS = 2.0  # the last state of a finite trace is shown so much longer
HIDDEN_SECONDS = 0.05  # at the end of what is shown once, all of it is hidden, and stays so
MOST_FRAMES = 200
WIDTH_PIXELS = 720  # a GIF is narrower if its pictures are
FORMATS = ("svg", "gif")


@dataclass(frozen=True)
class Film:
    """Pictures of the same size, each for a time."""

    frames: tuple[str, ...]  # SVG without style sheets
    title: str
    loop: int | None  # the frames before those that are repeated; None: all are, after a pause

    @classmethod
    def of(cls, lts: Lts, trace: Trace, title: str) -> Film:
        """The film of a trace in a transition system whose states have graphs."""
        if lts.graph is None:
            raise GrammarError("A film needs the graphs of states, which this transition system does not have.")
        # a lasso ends in a state that it has been in
        states = trace.states if trace.loop is None else trace.states[:-1]
        if len(states) > MOST_FRAMES:
            raise GrammarError(
                phrase(
                    "A film shows at most {most_frames} states; this trace has {count:,}.",
                    most_frames=MOST_FRAMES,
                    count=len(states),
                )
            )
        labels = ["start", *(step.label for step in trace.steps)]
        captions = [
            f"{number} of {len(states) - 1}: {label}, state {state}"
            for number, (label, state) in enumerate(zip(labels, states, strict=False))
        ]
        graphs = {state: lts.graph(state) for state in dict.fromkeys(states)}
        return cls(tuple(_frames([graphs[state] for state in states], captions, title)), title, trace.loop)

    @property
    def seconds(self) -> list[float]:
        """How long each frame is shown."""
        times = [SECONDS_OF_STATE] * len(self.frames)
        if self.loop is None:
            times[-1] += PAUSE_SECONDS
        return times

    def svg(self, *, style: bool = True) -> str:
        """The film as an SVG that moves by itself; without `style` the page provides the style sheet."""
        width, height = self._size
        first = self.loop or 0
        times = self.seconds
        before, round_ = sum(times[:first]), sum(times[first:])
        shown, begin = [], 0.0
        for number, frame in enumerate(self.frames):
            end = begin + times[number]
            if number < first:  # this part is shown only once
                animation = _visible(begin, end, before + HIDDEN_SECONDS, "1", fill="freeze")
            else:
                animation = _visible(begin - before, end - before, round_, "indefinite", begin=f"{before:g}s")
            shown.append(tag("g", animation, frame, visibility="hidden" if number else "visible"))
            begin = end
        return "\n".join(
            [
                tag("svg", xmlns=SVG, viewBox=f"0 0 {width:g} {height:g}", width=width, height=height, role="img")[:-2]
                + ">",
                drawing.text_element("title", self.title),
                *([f"<style>{drawing.STYLE}{STYLE}</style>"] if style else ()),
                *shown,
                "</svg>",
            ]
        )

    def gif(self, width: int | None = None) -> bytes:
        """The film as a GIF, so many pixels wide."""
        with needs("data"):
            import resvg_py  # noqa: F401  (`raster.png` draws with it)
            from PIL import Image
        whole, height = self._size
        scale = (width or min(WIDTH_PIXELS, whole)) / whole
        sheet = (round(whole * scale), round(height * scale))
        images = []
        for frame in self.frames:
            of = _size_of(frame)[0]
            drawn = Image.open(io.BytesIO(raster.png(frame, max(round(of * scale), 1), STYLE))).convert("RGB")
            image = Image.new("RGB", sheet, drawn.getpixel((0, 0)))
            image.paste(drawn)
            images.append(image.quantize(128))
        file = io.BytesIO()
        times = [round(1000 * each) for each in self.seconds]
        images[0].save(file, "GIF", save_all=True, append_images=images[1:], duration=times, loop=0)
        return file.getvalue()

    def written(self, file: str) -> bytes:
        """The film in the format that the name of a file has."""
        return self.gif() if PurePath(file).suffix == ".gif" else f"{self.svg()}\n".encode()

    @property
    def _size(self) -> tuple[float, float]:
        widths, heights = zip(*map(_size_of, self.frames), strict=True)
        return max(widths), max(heights)


def _frames(graphs: Sequence[Graph], captions: Sequence[str], title: str) -> Iterator[str]:
    """The pictures of graphs, in which a node has the same place everywhere."""
    for graph in graphs:
        refuse_large(graph)
    all_parts = [host_parts(graph) for graph in graphs]
    _place(graphs, all_parts)
    areas = [bounds(parts) for parts in all_parts]
    within = Area(
        min(area.left for area in areas),
        min(area.top for area in areas),
        max(area.right for area in areas),
        max(area.bottom for area in areas),
    )
    known: set[object] | None = None
    for parts, caption in zip(all_parts, captions, strict=True):
        known = _mark_new(parts, known)
        yield picture(parts, title, [caption], "Graph", style=False, within=within)


def _place(graphs: Sequence[Graph], all_parts: Sequence[DiagramParts]) -> None:
    """Arranges the parts of all graphs together, and gives each box its place."""
    together, places = DiagramParts(), dict[str, NodePosition | None]()
    for graph, parts in zip(graphs, all_parts, strict=True):
        places |= graph.nodes
        for name, box in parts.boxes.items():
            if name not in together.boxes or box.width > together.boxes[name].width:
                together.boxes[name] = box
        together.arrows += parts.arrows
    edges = dict.fromkeys(edge for graph in graphs for edge in graph.between())
    arrange(together, places, edges)
    for parts in all_parts:
        for name, box in parts.boxes.items():
            box.x, box.y = together.boxes[name].x, together.boxes[name].y


def _mark_new(parts: DiagramParts, known: set[object] | None) -> set[object]:
    """Marks what was not in the picture before; returns what is in this one."""
    here: set[object] = set()
    for name, box in parts.boxes.items():
        here.add(name)
        if known is not None and name not in known:
            box.class_ = f"{box.class_} creator"
    for arrow in parts.arrows:
        arrow_here = {(arrow.source, arrow.target, line.text) for line in arrow.labels}
        here |= arrow_here
        if known is not None and not arrow_here <= known:
            arrow.class_ = f"{arrow.class_} creator"
    return here


def _visible(since: float, until: float, whole: float, count: str, **more: object) -> str:
    """The animation that shows an element from one time to another of each round."""
    values = [(0.0, "hidden")] * (since > 0) + [(since, "visible"), (until, "hidden")]
    kept = [(time, value) for time, value in values if time < whole]
    times = ";".join(f"{time / whole:.5g}" for time, _ in kept)
    return tag(
        "animate",
        attributeName="visibility",
        calcMode="discrete",
        values=";".join(value for _, value in kept),
        keyTimes=times,
        dur=f"{whole:g}s",
        repeatCount=count,
        **more,
    )


def _size_of(svg: str) -> tuple[float, float]:
    root = ElementTree.fromstring(svg)
    return float(root.attrib["width"]), float(root.attrib["height"])
