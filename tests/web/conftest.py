from collections.abc import Iterator

import pytest

from tests.web.serving import Server


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as running:
        yield running
