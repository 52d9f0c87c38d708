"""Engines for the server: questions wait in a fair line for worker processes, within one budget of memory."""

from pentad.web.engines.pool import Engines
from pentad.web.engines.worker_process import WorkerFailed

__all__ = ["Engines", "WorkerFailed"]
