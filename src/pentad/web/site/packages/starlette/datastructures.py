"""The headers of Starlette, for the page without a server."""

from pentad.web.site.browser.connections import Headers

__all__ = ["Headers"]
