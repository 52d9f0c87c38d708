"""What a page runs before Python is there, compared with the rules and with Python's bots."""

import gzip
import json
import random
import shutil
import subprocess
from pathlib import Path

import pytest

import pentad
from pentad.games.encoding import encoding, play, steps
from pentad.web.instant import modules
from tests.web.site.kept_site import check_tools

NAMES = ["pentago", "pente", "pentagame"]
ENOUGH = 10_000.0  # seconds, so that no clock ends a search
SCRIPT = Path(__file__).with_name("games.js")


class Recording(random.Random):
    """Records what a bot draws: normal numbers, random bits, and whether a lapse is due."""

    def __init__(self, seed):
        super().__init__(seed)
        self.chance, self.shares, self._is_recording = [], [], True

    def gauss(self, mu=0.0, sigma=1.0):
        self._is_recording = False
        value = super().gauss(0.0, 1.0)
        self._is_recording = True
        self.chance.append(value)
        return mu + value * sigma

    def getrandbits(self, k):
        value = super().getrandbits(k)
        self.chance.append(str(value + 1))
        return value

    def random(self):
        value = super().random()
        if self._is_recording:
            self.shares.append(value)
        return value


def turn_of(bot, here):
    """The bot's move, and what it took: its level and random numbers."""
    bot.random.chance, bot.random.shares = [], []
    move = bot.choose(here, seconds=ENOUGH)
    rate = bot.levels[bot.number].blunder_rate
    lapses = bool(rate and bot.random.shares[0] < rate)
    return move, {"level": f"{bot.number:g}", "chance": bot.random.chance, "lapses": lapses}


def game_of(page, number):
    """A game between the bot and another player, who plays random steps or as well as the bot."""
    here, chance = page.start, random.Random(number)
    level = list(page.levels)[number % len(page.levels)]
    bot, other = (pentad.bot(here.game, page.bot, level=level, seed=number + seat) for seat in range(2))
    bot.random, log = Recording(number), []
    share = (0.0, 0.5, 0.9, 1.0)[number // 2 % 4]  # of the other player's turns that are a bot's
    while not here.outcome:
        move = None
        if here.turn == number % 2:
            move, taken = turn_of(bot, here)
            log.append(taken)
        elif chance.random() < share:
            move = other.choose(here)
        ply, made = here.ply, 0
        while here.ply == ply and not here.outcome:
            legal = steps(here)
            action = encoding(here).number(here, move[made]) if move else chance.choice([*legal])
            made += 1
            here = play(here, legal[action])
            log.append([sorted(legal), action, result_of(here)])
    return log


def result_of(here):
    """The winners as bits; -1 before the end, 0 for a draw."""
    if here.outcome is None:
        return -1
    return 0 if here.outcome.is_draw else sum(1 << seat for seat in here.outcome.winners)


def compared(name, games, folder):
    """What a page's engine makes of games that Python has played."""
    check_tools()
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    module, description = modules.module_and_description(name)
    page = modules.page_of(name)
    (folder / "module.wasm").write_bytes(module)
    (folder / "description.json").write_text(json.dumps(description))
    with (folder / "games.jsonl").open("w") as file:
        file.writelines(json.dumps(game_of(page, number)) + "\n" for number in games)
    done = subprocess.run(["node", SCRIPT, folder], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", NAMES)
def test_a_page_plays_by_the_rules_and_as_the_bot(name, tmp_path):
    found = compared(name, range(6), tmp_path)
    assert found["differences"] == []
    assert found["counts"]["games"] == 6
    assert found["counts"]["early"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_thousand_games(name, tmp_path):
    found = compared(name, range(100, 1100), tmp_path)
    assert found["differences"] == []
    assert found["counts"]["turns"] > 5000


# The most bytes of a game's module, description, and data until the bot's first answer, as hosts send them.
MOST_BYTES = {"pentago": 80_000, "pente": 240_000, "pentagame": 60_000}


@pytest.mark.parametrize("name", NAMES)
def test_a_page_gets_few_bytes(name):
    check_tools()
    module, description = modules.module_and_description(name)
    sent = [
        module,
        json.dumps(description).encode(),
        *(file.path.read_bytes() for file in modules.page_of(name).files[:1]),
    ]
    assert sum(len(gzip.compress(each, 9)) for each in sent) < MOST_BYTES[name]
