"""What is not collected: modules that need a package which is not installed."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("anywidget") else ["src/pentad/notebook/widget.py"]
