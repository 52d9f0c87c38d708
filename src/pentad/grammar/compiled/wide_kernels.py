"""Compilation of the kernels for states of several words."""

from pentad.grammar.compiled.kernels import explore_two_states

WARM_UP = [lambda: explore_two_states(width=2)]
