"""The entry points for states of one word."""

from pentad.grammar.compiled.kernels import entry_points

NATIVE = entry_points("=1")
