"""Routes over HTTP and WebSockets, a module for each page."""

ROUTES = ("play", "games", "board", "study", "learn", "models")  # the modules, each with a `router`
