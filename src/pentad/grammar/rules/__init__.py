"""Readers and checkers of rules, host graphs and type graphs, and the form of rules for matching."""
