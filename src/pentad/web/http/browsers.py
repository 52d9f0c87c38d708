"""Browsers: what a person calls the browser of a session, from its `User-Agent`."""

from __future__ import annotations

_BROWSERS = (  # the first word that is found counts: the others pretend to be later ones
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


def browser_of(user_agent: str) -> str:
    """The browser and its system, as far as they are known; no versions, which would tell people apart.

    >>> browser_of("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0")
    'Firefox on Linux'
    >>> browser_of("curl/8.5.0")
    'Another program'
    """
    browser = next((name for word, name in _BROWSERS if word in user_agent), "")
    system = next((name for word, name in _SYSTEMS if word in user_agent), "")
    if browser and system:
        return f"{browser} on {system}"
    return browser or system or "Another program"
