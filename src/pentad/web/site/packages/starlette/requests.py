"""The requests of Starlette, for the page without a server."""

from pentad.web.site.browser.connections import HTTPConnection, Request

__all__ = ["HTTPConnection", "Request"]
