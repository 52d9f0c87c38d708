"""The part of pydantic_core that pentad uses, for the page without a server."""

from typing import Any

from pentad.web.site.browser.json_text import written


def to_json(value: Any) -> bytes:
    """A value as JSON."""
    return written(value).encode()
