"""The responses of FastAPI that pentad uses, for the page without a server."""

from pentad.web.site.browser.connections import HTMLResponse, JSONResponse, Response

__all__ = ["HTMLResponse", "JSONResponse", "Response"]
