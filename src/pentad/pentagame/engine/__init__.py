"""Engines for Pentagame: its rules over arrays, two searches, bots at five levels, analysis."""
