"""The version of pentad."""

__version__ = "0.1.0"
