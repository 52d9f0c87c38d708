"""The part of FastAPI that pentad uses, for the page without a server."""

from pentad.web.site.browser.connections import HTTPException, Request, Response, WebSocket, WebSocketDisconnect
from pentad.web.site.browser.routing import APIRouter, Depends, Query

__all__ = ["APIRouter", "Depends", "HTTPException", "Query", "Request", "Response", "WebSocket", "WebSocketDisconnect"]
