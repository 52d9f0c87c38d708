"""Pentagame engine: rules over arrays, tree search and alpha-beta, bots at five levels, analysis."""
