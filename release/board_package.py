"""The npm package `@pentad/board`: the rules, the bots and the board of the pages, for pages of others and for node.

Its scripts are `board/index.js` beside this module and those of the pages that it imports. The package is made in a
folder, from which npm packs it.
"""

from __future__ import annotations

import json
import posixpath
import re
import tempfile
from pathlib import Path

from pentad import drawing
from pentad.kernels.backends import PACKAGE
from pentad.system.version import __version__
from pentad.web.http.assets import STATIC
from pentad.web.instant import drawings
from pentad.web.site import instant_rooms
from release import addresses, programs
from release.tools import run
from release.wheels import ROOT

SOURCES = ROOT / "release" / "board"
ENTRY, TABLE = "index.js", "files.js"  # the table with the files of each game is made here
ENDINGS = {"module": ".wasm", "data": ".json", "flipped": "-flipped.json"}  # of the files of each game, as in a site
TSC = "node_modules/typescript/bin/tsc"
IMPORT = re.compile(r'^(?:import|export) [^"]*?"(\.[^"]+)";', re.MULTILINE)
FONT = re.compile(r"^@font-face .*\n", re.MULTILINE)


def make(folder: Path) -> Path:
    """Packs the package into a folder; returns the path of the archive."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        write(Path(place))
        run("npm cannot pack the board", ["npm", "pack", place, "--pack-destination", str(folder.resolve())])
    return folder / f"pentad-board-{__version__}.tgz"


def write(folder: Path) -> None:
    """Writes all files of the package into a folder."""
    files = scripts() | games() | types()
    files |= {"board.css": style().encode(), "package.json": manifest().encode()}
    files |= {"README.md": (SOURCES / "README.md").read_bytes(), "LICENSE": (ROOT / "LICENSE").read_bytes()}
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def manifest() -> str:
    """The package's `package.json`, with the version and the addresses of pentad."""
    given = json.loads((SOURCES / "package.json").read_text(encoding="utf-8"))
    urls = addresses.urls(ROOT)
    added = {"version": __version__, "homepage": urls["Documentation"], "bugs": urls["Issues"]}
    return json.dumps(given | added | {"repository": f"git+{urls['Source']}.git"}, indent=2) + "\n"


def scripts() -> dict[str, bytes]:
    """The scripts that the package's own import, with them."""
    found: dict[str, bytes] = {}
    waiting = [ENTRY]
    while waiting:
        name = waiting.pop()
        if name in found or name == TABLE:
            continue
        path = next(place / name for place in (SOURCES, STATIC) if (place / name).exists())
        found[name] = path.read_bytes()
        imported = IMPORT.findall(path.read_text(encoding="utf-8"))
        waiting += [posixpath.normpath(posixpath.join(posixpath.dirname(name), each)) for each in imported]
    return found


def games() -> dict[str, bytes]:
    """The module and the data of each game, and the table that names them.

    Bundlers find a file by `new URL("./name", import.meta.url)`.
    """
    table, found = [], dict[str, bytes]()
    made, _ = instant_rooms.files("")
    for name in drawings.covered():
        named = {kind: f"games/{name}/rules{ending}" for kind, ending in ENDINGS.items()}
        found |= {named[kind]: made[f"{instant_rooms.FOLDER}{name}{ending}"] for kind, ending in ENDINGS.items()}
        bots = dict[str, str]()
        for file in json.loads(found[named["data"]])["engine"]["files"]:
            bots[file["path"]] = f"games/{name}/{posixpath.basename(file['path'])}"
            found[bots[file["path"]]] = (PACKAGE / file["path"]).read_bytes()
        table.append(_row(name, named, bots))
    found[TABLE] = f"// The files of each game.\nexport const FILES = {{\n{''.join(table)}}};\n".encode()
    return found


def _row(name: str, files: dict[str, str], bots: dict[str, str]) -> str:
    def urls(named: dict[str, str]) -> str:
        return ", ".join(f'"{each}": new URL("./{path}", import.meta.url)' for each, path in named.items())

    return f'  {name}: {{ {urls(files)}, "bots": {{ {urls(bots)} }} }},\n'


def types() -> dict[str, bytes]:
    """The types of the package's own scripts, from their comments; those of the table name the games."""
    programs.install_node_packages(ROOT)
    names = " | ".join(f'"{name}"' for name in drawings.covered())
    with tempfile.TemporaryDirectory() as place:
        run("tsc cannot write the types", ["node", TSC, "--project", "tsconfig.board.json", "--outDir", place], ROOT)
        found = {each.name: each.read_bytes() for each in (Path(place) / SOURCES.relative_to(ROOT)).iterdir()}
    table = (SOURCES / "files.d.ts").read_text(encoding="utf-8").replace("Record<string, {", f"Record<{names}, {{")
    return found | {"files.d.ts": table.encode()}


def style() -> str:
    """The style sheet: the colours, the drawings, the board and what is around it.

    The variables of the pages are those of the element with the board, so that they change nothing else.
    """
    parts = [(STATIC / "tokens.css").read_text("utf-8"), drawing.STYLE, (STATIC / "board-look.css").read_text("utf-8")]
    text = FONT.sub("", "\n".join(parts)).replace(":root", ".pentad-board")
    return text + "\n" + (SOURCES / "view.css").read_text(encoding="utf-8")
