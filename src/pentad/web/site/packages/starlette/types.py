"""The types of Starlette that pentad uses, for the page without a server."""

from pentad.web.site.browser.connections import Scope

__all__ = ["Scope"]
