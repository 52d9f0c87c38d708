"""Engines of the server: requests wait in a fair queue for worker processes, within one memory budget."""

from pentad.jobs.process import WorkerFailed
from pentad.web.engines.pool import Engines

__all__ = ["Engines", "WorkerFailed"]
