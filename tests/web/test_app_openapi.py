"""OpenAPI: all responses match the schema, and errors are one line."""

from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given

from pentad.web.http.identity import COOKIE
from tests.properties import properties
from tests.web.server_process import TIMEOUT, Server


@pytest.fixture(scope="module")
def room(server: Server) -> tuple[str, str]:
    """A room with an open seat, and its maker's key."""
    name, cookies = server.make(seats=["human", "open"])
    return name, cookies[COOKIE]


@pytest.mark.slow
def test_responses_match_the_schema(server: Server, room: tuple[str, str]) -> None:
    import schemathesis  # here, since it takes a second, which fast runs save
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks

    name, key = room
    same = checks.status_code_conformance, checks.content_type_conformance, checks.response_schema_conformance
    description = schemathesis.openapi.from_url(f"{server.url}/openapi.json", wait_for_schema=TIMEOUT)
    tried = []
    for operation, mode in product(
        (found.ok() for found in description.get_all_operations()), schemathesis.GenerationMode
    ):
        if mode is schemathesis.GenerationMode.NEGATIVE and not (operation.body or operation.query):
            continue  # these requests cannot be invalid

        @given(case=operation.as_strategy(generation_mode=mode))
        @properties(20, suppress_health_check=list(HealthCheck))
        def is_answered(case: Any) -> None:
            if "name" in case.path_parameters and len(str(case.path_parameters["name"])) % 2:
                case.path_parameters["name"] = name  # random data would never find it
            answer = case.call_and_validate(checks=[not_a_server_error, *same], cookies={COOKIE: key}, timeout=TIMEOUT)
            if answer.status_code >= 400:
                body = answer.json()
                assert list(body) == ["error"]
                assert body["error"]
                assert "\n" not in body["error"]
                assert len(body["error"]) < 500

        is_answered()
        tried.append(operation.label)
    assert {"GET /api/games", "POST /api/rooms", "POST /api/board", "PUT /api/me"} <= set(tried)
