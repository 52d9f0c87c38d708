"""Compiled engine: ground instances of a grammar's rules over bit sets, explored by kernels."""
