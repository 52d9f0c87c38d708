"""Routes over HTTP and WebSockets, a module for each page."""
