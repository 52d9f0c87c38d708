"""A program that needs nothing but the standard library: rules, drawings, records and grammars.

`test_core.py` runs it without any other package, `web/site/test_pyodide.py` in Pyodide.
"""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from xml.etree import ElementTree

import pentad
from pentad.grammar import Grammar, explore, models
from pentad.record import Record
from pentad.record.formats import read_json, write_json
from pentad.system import extras


def main() -> None:
    assert not [each for extra in extras.EXTRAS.values() for each in extra.packages if extras.has(each)]

    for name in pentad.names():
        chance, position = random.Random(1), pentad.new(name)
        record = Record(position)
        for _ in range(12):
            move = chance.choice(position.legal_moves)
            position = position.play(move)
            record.play(move)
        assert (position, position.ply) == (record.position, 12)
        assert pentad.load(position.text) == position
        assert pentad.perft(pentad.new(name), 1) == len(pentad.new(name).legal_moves)
        assert ElementTree.fromstring(position.svg()).tag.endswith("svg")
        assert Record.read(record.text).position == position
        assert read_json(write_json([record]))[0].moves == record.moves
        assert pentad.bot(name, "random", seed=1).choose(position) in position.legal_moves

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "board.gps")
        models.new("tictactoe", rows=2, cols=2, line=2).save(place)  # the graphs are files in GXL
        found = explore(Grammar.load(place))
        assert (found.states, found.transitions) == (7, 12)

    print("complete")


if __name__ == "__main__":
    main()
