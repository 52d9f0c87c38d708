"""Engines of the server: requests wait in a fair queue for worker processes, within one memory budget."""

from pentad.web.engines.pool import Engines
from pentad.web.engines.worker_process import WorkerFailed

__all__ = ["Engines", "WorkerFailed"]
