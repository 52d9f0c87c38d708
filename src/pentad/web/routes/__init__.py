"""Routes over HTTP and WebSockets, a module for each page."""

ROUTES = ("play", "games", "board", "study", "learn", "models")  # the modules, each with a `router`
FOR_SERVERS = ("studies",)  # those for which a browser's own storage has no tables
