"""The files that a page's worker loads for a job."""

import pentad
from pentad.kernels.cache import compiled_lines
from pentad.search.bot import own_bots
from pentad.web.site.browser.worker import LIBRARY, files_for
from tests.cases import together

NAMES = {name: f"{LIBRARY}{name.removeprefix('pentad.')}.wasm32.so" for name in compiled_lines()}


@together("options", [{}, {"rows": 3, "cols": 3}, {"players": 3}])
def test_pentagos_bots_get_their_kernels(options):
    check(pentad.new("pentago", **options))


@together("name", pentad.names())
def test_bots_get_their_kernels(name):
    check(pentad.new(name))


def check(here):
    """Checks that a page loads the kernels of all bots, and none of many games at once."""
    loaded = files_for({"position": here.text}, NAMES.values(), "wasm32")
    wanted = {module for entry in own_bots(here.game).values() for module in entry.kernels(here)}
    assert {NAMES[module] for module in wanted} <= set(loaded)
    assert not [name for name in loaded if ".batch." in name]
