"""The compiled engine: a grammar as ground instances over bits, explored by kernels."""
