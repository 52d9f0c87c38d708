"""The headers of Starlette, for the page without a server."""

from pentad.site.browser.connections import Headers

__all__ = ["Headers"]
