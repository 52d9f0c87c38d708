"""Benchmarks, each with figures of its own; `python -m benchmarks` runs them by name."""
