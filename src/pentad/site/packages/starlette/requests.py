"""The requests of Starlette, for the page without a server."""

from pentad.site.browser.connections import HTTPConnection, Request

__all__ = ["HTTPConnection", "Request"]
