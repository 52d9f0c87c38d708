"""Games that the page plays before Python is there, in Firefox: the tests as they run in Chromium."""

from __future__ import annotations

import pytest

from tests.web.site import test_browser_instant
from tests.web.test_browser_firefox import names_of
from tests.web.test_browser_firefox import new_page as new_page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

for _name in names_of(test_browser_instant):
    globals()[_name] = getattr(test_browser_instant, _name)
