"""Routes of studies: rubbish, huge and half records, links to read, versions, limits."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from pentad.record import Record
from pentad.store.studies import MOST_CHAPTERS
from tests.web.app import app_with, browser

Visit = Callable[[httpx.AsyncClient], Awaitable[None]]
GAME = '[Game "pentago"]\n[Result "*"]\n\n1. a2 1C *\n'
TREE = {"start": "pentago", "format": "pentad", "nodes": [{"parent": 0, "move": "a2 1C"}]}


def at_server(folder: Path, visit: Visit) -> None:
    async def run() -> None:
        with app_with(folder) as app:
            async with browser(app) as client:
                await visit(client)

    asyncio.run(run())


async def made(client: httpx.AsyncClient, *records: str, stay: bool = False) -> tuple[str, str]:
    """The path of a new study, and its key; unless they `stay`, the client is not known as its maker afterwards."""
    answer = await client.post(
        "/api/study/new", json={"title": "Mine", "chapters": [{"record": each} for each in records]}
    )
    assert answer.status_code == 201, answer.text
    if not stay:
        client.cookies.clear()
    return f"/api/study/kept/{answer.json()['name']}", answer.json()["key"]


def with_key(key: str) -> dict[str, str]:
    """The headers of a request from the link to edit."""
    return {"Study-Key": key}


async def state(client: httpx.AsyncClient, path: str) -> Any:
    """Everything that is stored of a study."""
    return (await client.get(path)).json(), (await client.get(f"{path}/text")).json()


@pytest.mark.slow
def test_a_study_is_kept_and_changed(tmp_path: Path) -> None:
    async def visit(client: httpx.AsyncClient) -> None:
        path, key = await made(client, GAME, "pente K10 K11")
        study = (await client.get(path, headers=with_key(key))).json()
        assert (study["title"], study["may_edit"]) == ("Mine", True)
        assert [(each["number"], each["version"], each["title"]) for each in study["chapters"]] == [
            (1, 1, "Chapter 1"),
            (2, 1, "Chapter 2"),
        ]
        assert not (await client.get(path)).json()["may_edit"]
        change = {"version": 1, "title": "First", "tree": {**TREE, "comment": "why", "shapes": ["Ra2>b3"]}}
        answer = await client.put(f"{path}/chapters/1", json=change, headers=with_key(key))
        assert answer.json() == {"number": 1, "version": 2, "title": "First"}
        root = (await client.get(f"{path}/chapters/1/tree")).json()["tree"]["nodes"][0]
        assert (root["comment"], root["shapes"]) == ("why", ["Ra2>b3"])
        added = await client.post(f"{path}/chapters", json={"record": GAME}, headers=with_key(key))
        assert added.json() == {"number": 3, "version": 1, "title": "Chapter 3"}
        left = (await client.post(f"{path}/chapters/3/remove", json={"version": 1}, headers=with_key(key))).json()
        assert [each["number"] for each in left["chapters"]] == [1, 2]
        again = await client.post(f"{path}/chapters", json={"record": GAME}, headers=with_key(key))
        assert again.json()["number"] == 4  # numbers are never used again
        records = Record.read_all((await client.get(f"{path}/text")).json()["text"])
        assert [each.tags["ChapterName"] for each in records] == ["First", "Chapter 2", "Chapter 4"]

    at_server(tmp_path, visit)


def test_a_change_of_an_older_version_changes_nothing(tmp_path: Path) -> None:
    async def visit(client: httpx.AsyncClient) -> None:
        path, key = await made(client, GAME, GAME)
        change = {"version": 1, "title": "One", "tree": TREE}
        answers = await asyncio.gather(
            *(
                client.put(f"{path}/chapters/1", json={**change, "title": title}, headers=with_key(key))
                for title in ("One", "Two")
            )
        )
        assert sorted(each.status_code for each in answers) == [200, 409]
        before = await state(client, path)
        for answer in (
            await client.put(f"{path}/chapters/1", json=change, headers=with_key(key)),
            await client.post(f"{path}/chapters/1/remove", json={"version": 1}, headers=with_key(key)),
        ):
            assert (answer.status_code, answer.json()) == (
                409,
                {"error": "This chapter was changed in another browser."},
            )
        await client.post(f"{path}/chapters/2/remove", json={"version": 1}, headers=with_key(key))
        gone = await client.put(f"{path}/chapters/2", json=change, headers=with_key(key))
        assert (gone.status_code, gone.json()) == (409, {"error": "This chapter was deleted in another browser."})
        last = await client.post(f"{path}/chapters/1/remove", json={"version": 2}, headers=with_key(key))
        assert (last.status_code, last.json()) == (422, {"error": "A study has at least one chapter."})
        assert (await state(client, path))[0]["chapters"] == before[0]["chapters"][:1]

    at_server(tmp_path, visit)


def test_whoever_cannot_edit_changes_nothing(tmp_path: Path) -> None:
    async def visit(client: httpx.AsyncClient) -> None:
        path, _ = await made(client, GAME)
        before = await state(client, path)
        for key in ("", "wrong", before[0]["name"]):
            for method, place, body in [
                ("PUT", "", {"title": "x"}),
                ("POST", "/chapters", {"record": GAME}),
                ("PUT", "/chapters/1", {"version": 1, "title": "x", "tree": TREE}),
                ("POST", "/chapters/1/remove", {"version": 1}),
                ("PUT", "/order", {"chapters": [1]}),
                ("POST", "/remove", {}),
                ("POST", "/key", {}),
            ]:
                answer = await client.request(method, f"{path}{place}", json=body, headers=with_key(key))
                expected = {"error": "This link can only read the study. Nothing was changed."}
                assert (answer.status_code, answer.json()) == (403, expected)
        assert await state(client, path) == before

    at_server(tmp_path, visit)


def test_a_key_in_an_address_does_not_count(tmp_path: Path) -> None:
    async def visit(client: httpx.AsyncClient) -> None:
        path, key = await made(client, GAME)
        assert not (await client.get(path, params={"key": key})).json()["may_edit"]
        answer = await client.put(path, params={"key": key}, json={"title": "x"})
        assert answer.status_code == 403
        refused = await client.put(path, json={"title": "x", "key": key})
        assert (refused.status_code, refused.json()["error"]) == (422, 'Unknown field "key".')
        described = (await client.get("/openapi.json")).json()["paths"]["/api/study/kept/{name}"]["put"]
        assert [each["name"] for each in described["parameters"]] == ["name", "Study-Key"]

    at_server(tmp_path, visit)


def test_a_changed_key_ends_the_old_link(tmp_path: Path) -> None:
    async def visit(client: httpx.AsyncClient) -> None:
        path, old = await made(client, GAME, stay=True)
        answer = await client.post(f"{path}/key", headers=with_key(old))
        client.cookies.clear()
        new = answer.json()["key"]
        assert (answer.status_code, path.endswith(answer.json()["name"])) == (200, True)
        assert (await client.post(f"{path}/key", headers=with_key(old))).status_code == 403
        assert (await client.put(path, json={"title": "x"}, headers=with_key(old))).status_code == 403
        assert (await client.put(path, json={"title": "y"}, headers=with_key(new))).json()["title"] == "y"

    at_server(tmp_path, visit)


def test_bad_input_is_one_line_and_changes_nothing(tmp_path: Path) -> None:
    async def visit(client: httpx.AsyncClient) -> None:
        path, key = await made(client, GAME)
        before = await state(client, path)
        for record, expected in [
            ("rubbish", "line 1, column 1: Unknown game."),
            ("", "line 1, column 1: Unknown game."),
            ("\0", "Expected text, got binary data."),
            (GAME + GAME, "Expected one game, got 2."),
            ('[Game "pentago"]\n[Result "1-0"]\n\n1. a2', "line 4, column"),
            ("x" * 64_001, "record"),
        ]:
            for place, body in (
                (f"{path}/chapters", {"record": record}),
                ("/api/study/new", {"chapters": [{"record": GAME}, {"record": record}]}),
            ):
                answer = await client.post(place, json=body, headers=with_key(key))
                error = answer.json()["error"]
                assert answer.status_code == 422, answer.text
                assert "\n" not in error
                assert expected in error, error
        for tree, expected in [
            ({**TREE, "start": "nothing"}, "nothing"),
            ({**TREE, "nodes": [{"parent": 0, "move": "z9"}]}, "z9"),
            ({**TREE, "shapes": ["Qa1"]}, "Expected a circle such as Ga2"),
            ({**TREE, "nodes": [{"parent": 0, "move": "a2 1C", "shapes": ["Ga1>"]}]}, "Node 1: Expected a circle"),
        ]:
            change = {"version": 1, "title": "x", "tree": tree}
            answer = await client.put(f"{path}/chapters/1", json=change, headers=with_key(key))
            assert answer.status_code == 422
            assert expected in answer.json()["error"]
        for unknown in ("/api/study/kept/none", "/api/study/kept/none/text", f"/api/study/kept/{'n' * 99}"):
            answer = await client.get(unknown)
            assert (answer.status_code, answer.json()) == (404, {"error": "There is no study at this link."})
        assert (await client.get(f"{path}/chapters/9/tree")).status_code == 404
        assert await state(client, path) == before

    at_server(tmp_path, visit)


def test_a_study_has_a_limited_number_of_chapters(tmp_path: Path) -> None:
    async def visit(client: httpx.AsyncClient) -> None:
        path, key = await made(client, *[GAME] * MOST_CHAPTERS)
        answer = await client.post(f"{path}/chapters", json={"record": GAME}, headers=with_key(key))
        assert (answer.status_code, answer.json()) == (422, {"error": "A study has at most 64 chapters."})
        assert len((await client.get(path)).json()["chapters"]) == MOST_CHAPTERS

    at_server(tmp_path, visit)


@pytest.mark.slow
def test_a_whole_study_comes_in_one_request(tmp_path: Path) -> None:
    async def visit(client: httpx.AsyncClient) -> None:
        comment = "x" * 60_000
        records = [f'[Game "pentago"]\n[Result "*"]\n\n{{{number} {comment}}} *\n' for number in range(20)]
        path, _ = await made(client, *records)  # more than the largest chapter, together
        text = (await client.get(f"{path}/text")).json()["text"]
        assert [each.root.comment[:2].strip() for each in Record.read_all(text)] == list(map(str, range(20)))
        for place, length in (("/api/study/new", 9 << 20), (f"{path}/chapters", 300_000)):
            answer = await client.post(place, json={"chapters": [{"record": "x" * length}]})
            assert answer.status_code == 413

    at_server(tmp_path, visit)


def test_the_order_of_chapters(tmp_path: Path) -> None:
    async def visit(client: httpx.AsyncClient) -> None:
        path, key = await made(client, GAME, GAME, GAME)

        async def numbers() -> list[int]:
            return [each["number"] for each in (await client.get(path)).json()["chapters"]]

        answer = await client.put(f"{path}/order", json={"chapters": [3, 1, 2]}, headers=with_key(key))
        assert [each["number"] for each in answer.json()["chapters"]] == [3, 1, 2]
        records = Record.read_all((await client.get(f"{path}/text")).json()["text"])
        assert [each.tags["ChapterName"] for each in records] == ["Chapter 3", "Chapter 1", "Chapter 2"]
        change = {"version": 1, "title": "First", "tree": TREE}
        await client.put(f"{path}/chapters/3", json=change, headers=with_key(key))  # the chapter keeps its place
        await client.post(f"{path}/chapters", json={"record": GAME}, headers=with_key(key))
        assert await numbers() == [3, 1, 2, 4]
        for wrong in ([3, 1, 2], [3, 1, 2, 2], [3, 1, 2, 5], [], [1, 2, 3, 4, 5]):
            answer = await client.put(f"{path}/order", json={"chapters": wrong}, headers=with_key(key))
            expected = {"error": "The chapters were changed in another browser."}
            assert (answer.status_code, answer.json()) == (409, expected)
        assert await numbers() == [3, 1, 2, 4]

    at_server(tmp_path, visit)


def test_a_removed_study_is_gone_and_others_stay(tmp_path: Path) -> None:
    async def visit(client: httpx.AsyncClient) -> None:
        path, key = await made(client, GAME, GAME)
        other, _ = await made(client, GAME)
        before = await state(client, other)
        answer = await client.post(f"{path}/remove", headers=with_key(key))
        assert (answer.status_code, answer.content) == (204, b"")
        for method, place, body in [
            ("GET", "", None),
            ("GET", "/text", None),
            ("GET", "/chapters/1/tree", None),
            ("POST", "/chapters", {"record": GAME}),
            ("PUT", "/chapters/1", {"version": 1, "title": "x", "tree": TREE}),
            ("POST", "/remove", {}),
        ]:
            answer = await client.request(method, f"{path}{place}", json=body, headers=with_key(key))
            assert (answer.status_code, answer.json()) == (404, {"error": "There is no study at this link."})
        assert await state(client, other) == before

    at_server(tmp_path, visit)


def test_the_chapters_of_a_file_have_its_titles(tmp_path: Path) -> None:
    async def visit(client: httpx.AsyncClient) -> None:
        path, _ = await made(client, GAME, "pente K10 K11")
        text = (await client.get(f"{path}/text")).json()["text"]
        found = (await client.post("/api/study/chapters", json={"text": text})).json()
        assert found["title"] == "Mine"
        assert [each["title"] for each in found["chapters"]] == ["Chapter 1", "Chapter 2"]
        assert found["chapters"][0]["record"] == GAME
        bad = await client.post("/api/study/chapters", json={"text": text + '[Game "chess"]\n', "lines_before": 100})
        assert bad.json()["error"].startswith("line 11")

    at_server(tmp_path, visit)
