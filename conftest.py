"""The plugin of whole runs, and what is not collected: modules that need a package which is not installed."""

from importlib.util import find_spec

pytest_plugins = ["tests.slow_run"]

NEED = {
    "anywidget": ["src/pentad/web/notebook/widget.py"],
    "gymnasium": ["src/pentad/bridges/environments.py", "src/pentad/bridges/gymnasium.py"],
    "pettingzoo": ["src/pentad/bridges/pettingzoo.py"],
    "pyspiel": ["src/pentad/bridges/openspiel.py"],
}
collect_ignore = [module for package, modules in NEED.items() if not find_spec(package) for module in modules]
