"""Bridges: these games under the interfaces that other programs know."""
