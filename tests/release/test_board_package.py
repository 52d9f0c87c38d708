"""The npm package, packed and installed as users do: its files, its types, games in node and a board in a browser."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

import pentad
from pentad.web.instant import drawings
from release import board_package, programs
from tests.folder_server import served
from tests.web.browser_helpers import NewPage, accessible
from tests.web.site.kept_site import check_tools

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "board-package.md").read_text(encoding="utf-8")
TSC = ROOT / board_package.TSC
NAME = "node_modules/@pentad/board"
PATHS_OF_SERVERS = re.compile(r"/(?:api|static)/")
IMPORTS = re.compile(r'^(?:import|export)\b[^;]*?from "([^"]+)";|import\("([^"]+)"\)|new URL\("([^"]+)",', re.MULTILINE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder in which the package is installed, without a network."""
    check_tools()
    if not programs.has_node() or not TSC.exists():
        reason = "npm, or what it installs for the checks of the scripts, is missing"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    place = tmp_path_factory.mktemp("user")
    packed = tmp_path_factory.mktemp("packed")
    # A process of its own, as the browser of an earlier test may keep an event loop here.
    subprocess.run([sys.executable, "-m", "release", "package", packed], cwd=ROOT, check=True)
    (archive,) = packed.iterdir()
    subprocess.run(["npm", "install", "--offline", "--no-audit", "--no-fund", archive], cwd=place, check=True)
    return place


@pytest.fixture(scope="module")
def package(folder: Path) -> Path:
    return folder / NAME


def node(folder: Path, program: str, *words: str) -> str:
    """What node prints for a program in a folder."""
    (folder / "program.mjs").write_text(program, encoding="utf-8")
    done = subprocess.run(["node", "program.mjs", *words], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def block(kind: str) -> str:
    """The only block of the docs' page in a language."""
    (text,) = re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return str(text)


def files_in(package: Path) -> set[str]:
    return {path.relative_to(package).as_posix() for path in package.rglob("*") if path.is_file()}


# ── the files ────────────────────────────────────────────────────────────────────────────────────


def test_npm_packs_every_file_that_is_written(package: Path, tmp_path: Path) -> None:
    board_package.write(tmp_path)
    assert files_in(package) == files_in(tmp_path)
    assert {"index.js", "index.d.ts", "board.css", "README.md", "LICENSE"} <= files_in(package)
    games = {name for name in files_in(package) if name.endswith("rules.wasm")}
    assert games == {f"games/{name}/rules.wasm" for name in drawings.covered()}


def test_the_manifest_has_the_version_and_names_files_that_are_there(package: Path) -> None:
    manifest = json.loads((package / "package.json").read_text(encoding="utf-8"))
    assert (manifest["name"], manifest["version"]) == ("@pentad/board", pentad.__version__)
    assert not [each for each in manifest if "ependencies" in each]
    exported = json.dumps(manifest["exports"])
    for name in (*re.findall(r'"\./([\w.]+)"', exported), manifest["types"]):
        assert (package / name).exists(), name


def test_every_import_leads_to_a_file_of_the_package(package: Path) -> None:
    count = 0
    for path in (each for kind in ("js", "d.ts") for each in package.rglob(f"*.{kind}")):
        for found in IMPORTS.findall(path.read_text(encoding="utf-8")):
            named = path.parent / "".join(found)
            count += 1
            assert named.resolve().is_relative_to(package.resolve()), (path, found)
            assert named.exists() or named.with_suffix(".d.ts").exists(), (path, found)
    assert count > 30


def test_no_file_names_a_path_of_a_server(package: Path) -> None:
    read = [each for kind in ("js", "ts", "css", "json") for each in package.rglob(f"*.{kind}")]
    assert len(read) > 20
    assert [each.name for each in read if PATHS_OF_SERVERS.search(each.read_text(encoding="utf-8"))] == []


def test_the_style_sheet_changes_nothing_outside_of_a_board(package: Path) -> None:
    text = (package / "board.css").read_text(encoding="utf-8")
    assert ":root" not in text
    assert "url(" not in re.sub(r"url\(#[\w-]+\)", "", text)


def test_the_docs_say_what_a_page_loads(package: Path) -> None:
    def size(*paths: Path) -> int:
        return round(sum(len(gzip.compress(path.read_bytes(), 9)) for path in paths) / 1000)

    always = size(*package.rglob("*.js"), package / "board.css")
    rows = re.findall(r"^\| (\w+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", PAGE, re.MULTILINE)
    assert [name.lower() for name, *_ in rows] == [*drawings.covered()]
    for name, *shown in rows:
        game = package / "games" / name.lower()
        rules = size(game / "rules.wasm", game / "rules.json")
        first = json.loads((game / "rules.json").read_text(encoding="utf-8"))["engine"]["files"][:1]
        bot = size(*(game / Path(each["path"]).name for each in first))
        assert [*map(int, shown)] == pytest.approx([always, rules, bot, always + rules + bot], abs=3)


# ── the types ────────────────────────────────────────────────────────────────────────────────────

TYPED = """
import { Game, load, mount, type Choice, type GameName, type Move, type Outcome, type Turn } from "@pentad/board";

const name: GameName = "pentago";
const game: Game = await load(name);
const choice: Choice = game.choices[0];
const turn: Turn | null = game.after(choice.step);
const moves: Move[] = game.moves;
const outcome: Outcome | null = game.outcome;
const seat: number | null = game.turn;
const titles: string[] = Object.keys(game.bots).map((bot) => game.bots[bot]);
const stop: () => void = game.watch((change) => change === "played" && game.undo());
const unmount: () => void = mount(document.body, game, { seats: ["human", "engine@hard"], theme: "dark" });
game.play(await game.choose("engine@easy"));
// @ts-expect-error: there is no such game
await load("chess");
// @ts-expect-error: a move is a text
game.play(5);
// @ts-expect-error: there is no such change
game.watch((change) => change === "lost");
export { moves, outcome, seat, stop, titles, turn, unmount };
"""


def test_the_types_are_those_of_the_package(folder: Path) -> None:
    (folder / "typed.mts").write_text(TYPED, encoding="utf-8")
    options = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2022", "--types", ""]
    done = subprocess.run(["node", TSC, *options, "typed.mts"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.stdout == ""
    assert done.returncode == 0


# ── in node ──────────────────────────────────────────────────────────────────────────────────────

WHOLE_GAME = """
import { load } from "@pentad/board";

const game = await load(process.argv[2]);
const [weak, strong] = [Object.keys(game.bots)[0], Object.keys(game.bots).at(-1)];
const changes = [];
game.watch((change) => changes.push(change));
while (!game.outcome) game.play(await game.choose(game.turn ? strong : weak));
const moves = game.moves.map(({ text }) => text);
console.log(JSON.stringify({ moves, outcome: game.outcome, changes: changes.length }));
"""


@pytest.mark.parametrize("name", drawings.covered())
def test_bots_play_a_whole_game_by_the_rules(folder: Path, name: str) -> None:
    found = json.loads(node(folder, WHOLE_GAME, name))
    here = pentad.new(name)
    for move in found["moves"]:
        here = here.play(move)
    assert here.outcome is not None
    assert found["outcome"]["score"] == here.outcome.score
    assert found["changes"] == len(found["moves"])


REFUSALS = """
import { load } from "@pentad/board";

const game = await load("pentago");
const seen = () => JSON.stringify([game.svg, game.moves, game.turn, game.status]);
const answers = [];
const wrong = [..."z9 a2 a2,1C".split(" "), ""].map((move) => () => game.play(move));
for (const act of [...wrong, () => game.choose("engine@best"), () => load("chess")]) {
  const before = seen();
  const error = await (async () => act())().then(() => null, (reason) => reason);
  answers.push([error.message, seen() === before]);
}
const start = seen();
const begun = game.after("a2");
answers.push([begun.isWhole, begun.choices.length, game.after("a2 1C").isWhole, game.after("z9")]);
game.undo();
answers.push([seen() === start]);
game.play("a2 1C");
game.play("a2 1C");
game.undo();
answers.push([game.moves.map(({ text }) => text), game.turn]);
game.restart();
answers.push([seen() === start]);
console.log(JSON.stringify(answers));
"""


def test_what_is_not_legal_changes_nothing(folder: Path) -> None:
    *refused, begun, at_start, undone, again = json.loads(node(folder, REFUSALS))
    for message, is_same in refused:
        assert re.fullmatch(r"[^\n]+\.", message)
        assert is_same
    assert begun == [False, 8, True, None]
    assert undone == [["a2 1C"], 1]
    assert at_start == again == [True]


def test_the_board_is_turned_until_it_is_turned_back(folder: Path) -> None:
    program = """
import { load } from "@pentad/board";
const game = await load(process.argv[2]);
const start = game.svg;
await game.flip();
const [turned, isFlipped] = [game.svg, game.isFlipped];
game.restart();
const kept = game.svg === turned;
await game.flip();
console.log(JSON.stringify([turned, isFlipped, kept, game.svg === start]));
"""
    for name in drawings.covered():
        turned, *facts = json.loads(node(folder, program, name))
        assert turned == pentad.new(name).svg(flip=True, style=False)
        assert facts == [True, True, True]


def test_a_bot_that_thinks_while_the_game_changes_answers_for_its_own_position(folder: Path) -> None:
    program = """
import { load } from "@pentad/board";
const game = await load("pente");
game.play("K10");
const answer = game.choose("engine@easy");
game.play("L10");
console.log(JSON.stringify([game.moves.length, await answer, game.moves.length, game.status]));
"""
    before, move, after, status = json.loads(node(folder, program))
    assert (before, after) == (2, 2)
    assert status == pentad.new("pente").play("K10").play("L10").status
    assert pentad.new("pente").play("K10").play(move)


def test_the_program_of_the_docs_plays(folder: Path) -> None:
    moves, status = node(folder, block("js")).splitlines()
    assert moves.startswith("c2 1C, ")
    assert status.endswith(".")


# ── in a browser ─────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[str]:
    """The address of a plain server of the folder, which has the page of the docs and one with two boards."""
    page = block("html")
    assert len(page.splitlines()) <= 25
    (folder / "index.html").write_text(page, encoding="utf-8")
    (folder / "two.html").write_text(re.sub(r"  const game.*?(?=</script>)", TWO, page, flags=re.DOTALL), "utf-8")
    with served(folder) as url:
        yield url


TWO = """
  for (const [name, seats] of [["pentago", ["human", "engine@easy"]], ["pente", ["engine@easy"]]]) {
    const remove = mount(document.querySelector("#board"), await load(name), { seats });
    addEventListener(`remove-${name}`, remove);
  }
"""


def place(board: Locator | Page, name: str) -> Locator:
    return board.locator(f"[data-target='{name}']")


def pressed(board: Locator | Page, name: str) -> None:
    board.get_by_role("button", name=name, exact=True).click()


@pytest.mark.browser
def test_the_page_of_the_docs_plays_with_the_mouse(new_page: NewPage) -> None:
    page = new_page()
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.goto("")
    expect(page.locator(".pentad-status")).to_contain_text("White")
    accessible(page)
    place(page, "K10").click()
    expect(page.locator("[aria-live]")).to_contain_text("Black plays")
    expect(page.locator("[data-target] > .ball")).to_have_count(2)
    expect(page).to_have_title(re.compile("White"))
    assert not [url for url in requested if "pentago" in url or "pentagame" in url]
    pressed(page, "Take back")
    expect(page.locator("[data-target] > .ball")).to_have_count(0)
    expect(page.get_by_role("button", name="Take back")).to_be_disabled()


@pytest.mark.browser
def test_a_bot_without_its_data_says_so_and_tries_again(new_page: NewPage) -> None:
    page = new_page(expected=("Failed to load resource",))
    page.route("**/pente.npz", lambda route: route.fulfill(status=503))
    page.goto("")
    place(page, "K10").click()
    expect(page.locator(".pentad-prompt")).to_contain_text("cannot be loaded")
    page.unroute("**/pente.npz")
    pressed(page, "Take back")
    place(page, "K10").click()
    expect(page.locator("[aria-live]")).to_contain_text("Black plays")


@pytest.mark.browser
def test_a_turn_of_two_steps_by_keys(new_page: NewPage) -> None:
    page = new_page()
    page.goto("two.html")
    board = page.locator(".pentad-board").first
    place(board, "c2").focus()
    page.keyboard.press("Enter")
    expect(board.locator(".pentad-prompt")).to_contain_text("Twist")
    page.keyboard.press("Escape")
    expect(board.locator(".pentad-prompt")).to_contain_text("Place")
    expect(board.locator("[data-target] > .ball")).to_have_count(0)
    place(board, "c2").focus()
    page.keyboard.press("Enter")
    place(board, "1C").focus()
    page.keyboard.press("Enter")
    expect(board.locator("[aria-live]")).to_contain_text("White plays")
    expect(board.locator("[data-target] > .ball")).to_have_count(2)
    pressed(board, "New game")
    expect(board.locator("[data-target] > .ball")).to_have_count(0)


@pytest.mark.browser
def test_a_bot_may_begin_and_a_board_can_be_removed(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.goto("two.html")
    boards = page.locator(".pentad-board")
    board = boards.nth(1)
    expect(board.locator("[data-target] > .ball")).to_have_count(1)
    place(board, "K11").tap()  # points are small here: a tap aims, and a button asks
    pressed(board, "Place at K11")
    expect(board.locator("[aria-live]")).to_contain_text("White plays")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.evaluate("dispatchEvent(new Event('remove-pentago'))")
    expect(boards).to_have_count(1)
