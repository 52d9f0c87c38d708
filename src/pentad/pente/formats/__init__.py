"""The formats in which people keep Pente and its relatives; `docs/formats.md` tells what each holds."""

from pentad.pente.formats import pgn, psq, sgf

FORMATS = (pgn.FORMAT, psq.FORMAT, sgf.FORMAT)
