"""The browser, for the page of the npm package."""

from tests.web.conftest import browser, new_page, pytest_runtest_teardown, service_workers

__all__ = ["browser", "new_page", "pytest_runtest_teardown", "service_workers"]
