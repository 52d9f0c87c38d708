"""Transition systems in GraphML: nodes with the marks of states, edges with labels."""

from __future__ import annotations

from collections.abc import Iterator

from pentad.grammar.files.gxl import escaped
from pentad.grammar.lts import Lts

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="start" for="node" attr.name="start" attr.type="boolean"><default>false</default></key>
  <key id="final" for="node" attr.name="final" attr.type="boolean"><default>false</default></key>
  <key id="open" for="node" attr.name="open" attr.type="boolean"><default>false</default></key>
  <key id="broken" for="node" attr.name="broken" attr.type="string"/>
  <key id="label" for="edge" attr.name="label" attr.type="string"/>
"""


def write(lts: Lts, name: str = "") -> Iterator[str]:
    """The lines of a system; each transition is an edge of its own."""
    yield f'{_HEAD}  <graph id="{escaped(name or "lts")}" edgedefault="directed">\n'
    for state in range(lts.states):
        marks = {"start": state == 0, "final": state in lts.final, "open": state in lts.open}
        data = [f'<data key="{key}">true</data>' for key, holds in marks.items() if holds]
        if state in lts.broken:
            data.append(f'<data key="broken">{escaped(", ".join(lts.broken[state]))}</data>')
        yield f'    <node id="s{state}">{"".join(data)}</node>\n' if data else f'    <node id="s{state}"/>\n'
    labels = [escaped(text) for text in lts.texts]
    for number, (source, action, target) in enumerate(lts.rows):
        ends = f'id="t{number}" source="s{source}" target="s{target}"'
        yield f'    <edge {ends}><data key="label">{labels[action]}</data></edge>\n'
    yield "  </graph>\n</graphml>\n"
