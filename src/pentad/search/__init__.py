"""Bots, analysis and search that do not depend on the game."""
