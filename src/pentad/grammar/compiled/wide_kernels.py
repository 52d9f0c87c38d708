"""The entry points for states of any number of words."""

from pentad.grammar.compiled.kernels import entry_points

NATIVE = entry_points(int)
