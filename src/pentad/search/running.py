"""Former name of `pentad.search.stoppable`."""

from pentad.search.stoppable import *  # noqa: F403
