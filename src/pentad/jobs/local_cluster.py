"""A cluster of Dask on this machine, for its owner alone.

Whoever can open a port of a cluster can run code there. So every connection needs a key that exists only in memory, all
ports are those of 127.0.0.1, and there are no web servers. The files lie in a folder of the user's own: the folder that
Dask has by default, in /tmp, can be made in advance by somebody else, and modules are imported from it.
"""

from __future__ import annotations

import contextlib
import logging
import tempfile
from collections.abc import Iterator
from typing import Any

from pentad.system.extras import needs

with needs("farm"):
    import cryptography  # noqa: F401  # Security.temporary() needs it
    import dask
    from dask.system import CPU_COUNT
    from distributed import Nanny, Scheduler, Security, SpecCluster, Worker

HOST = "127.0.0.1"


class WithoutHttp:
    """A server of Dask that listens for the cluster alone: no dashboard, no metrics, no health checks."""

    def start_http_server(self, *_: object, **__: object) -> None:
        """Starts no web server. Dask would start one even without a dashboard."""


class LocalScheduler(WithoutHttp, Scheduler):
    """A scheduler without a web server."""


class LocalWorker(WithoutHttp, Worker):
    """A worker without a web server."""


@contextlib.contextmanager
def local_cluster(workers: int | None = None) -> Iterator[Any]:
    """A cluster of processes with a thread each, by default as many as there are processors.

    It has `scheduler_address`, and as `security` the key of this run.
    """
    count = workers or CPU_COUNT
    security = Security.temporary()  # type: ignore[no-untyped-call]
    common = {"host": HOST, "protocol": "tls://", "security": security, "dashboard": False}
    of_worker = common | {
        "worker_class": LocalWorker,
        "nthreads": 1,
        "memory_limit": 1 / count,  # the part of this machine's memory
        "silence_logs": logging.WARNING,
    }
    with tempfile.TemporaryDirectory(prefix="pentad-cluster-", ignore_cleanup_errors=True) as folder:
        with dask.config.set({"temporary-directory": folder}):  # workers that start later get it from here, too
            cluster: Any = SpecCluster(  # type: ignore[no-untyped-call]
                scheduler={"cls": LocalScheduler, "options": common},
                workers={number: {"cls": Nanny, "options": of_worker} for number in range(count)},
                security=security,
                silence_logs=logging.WARNING,
            )
        with cluster:
            yield cluster
