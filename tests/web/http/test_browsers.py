"""Browsers by their own words, coarse enough that they tell nobody apart."""

from pentad.web.http.browsers import browser_of
from tests.cases import together


@together(
    ("user_agent", "shown"),
    [
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/130.0 Safari/537.36",
            "Chrome on Windows",
        ),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0", "Edge on Windows"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit Safari/604.1",
            "Safari on iPhone",
        ),
        ("Mozilla/5.0 (Android 14; Mobile; rv:132.0) Gecko/132.0 Firefox/132.0", "Firefox on Android"),
        ("Mozilla/5.0 (X11; CrOS x86_64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36", "Chrome on ChromeOS"),
        ("python-httpx/0.27", "Another program"),
        ("", "Another program"),
    ],
)
def test_a_browser_is_named_with_its_system(user_agent: str, shown: str) -> None:
    assert browser_of(user_agent) == shown
