"""Scripts of pages without Python, run by node."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pentad.web.instant import drawings, modules
from pentad.web.site import instant_rooms
from tests.web.site.kept_site import check_tools

FOLDER = Path(__file__).parents[3] / "src/pentad/web/static/instant"
# Loads modules of the folder, and has what a test gives.
PREPARED = """
import fs from "node:fs";

const { folder, data, module, ...given } = JSON.parse(fs.readFileSync(0, "utf8"));
const load = (...names) => Promise.all(names.map((name) => import(`${folder}/${name}.js`)));
const [{ Game }, { Engine }, { NotCovered }] = await load("game", "engine", "turns");
const engine = module && (await Engine.load(Buffer.from(module, "base64"), data.engine));
const game = module && new Game(engine, data.room, {}, null, () => data.flipped);
"""


def data_of(name: str, bots: list[str]) -> dict[str, Any]:
    """A game's data as a page has them."""
    return {"room": instant_rooms.described(name, bots), "flipped": drawings.flipped(name)}


def with_module(name: str, bots: list[str]) -> tuple[dict[str, Any], bytes]:
    """A game's data with the description of its module, and the module."""
    check_tools()
    module, engine = modules.module_and_description(name)
    return data_of(name, bots) | {"engine": engine}, module


def result(script: str, data: dict[str, Any], module: bytes = b"", **given: Any) -> Any:
    """What a script prints as JSON."""
    if not (node := shutil.which("node")):
        pytest.skip("node is missing")
    text = base64.b64encode(module).decode()
    told = json.dumps({"folder": FOLDER.as_uri(), "data": data, "module": text, **given})
    done = subprocess.run(
        [node, "--input-type=module", "--eval", f"{PREPARED}{script}"],
        input=told,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
