"""The part of Starlette that pentad uses, for the page without a server."""
