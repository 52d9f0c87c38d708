"""Kernels: Python functions over numbers and arrays, compiled to machine code that is kept and called without numba."""
