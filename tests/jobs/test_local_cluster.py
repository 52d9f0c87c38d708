"""The cluster of Dask on this machine: what listens, who gets in, where its files lie."""

import os
import socket
import ssl
import stat
from pathlib import Path

import pytest

from pentad.jobs.executors import completed, dask_farm

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
psutil = pytest.importorskip("psutil")
local_cluster = pytest.importorskip("pentad.jobs.local_cluster")

WORKERS = 1
TLS_ALERT = b"\x15"


def _place():
    yield {"pid": os.getpid(), "folder": distributed.get_worker().local_directory}


def tls_settings(security):
    """The settings of Dask with which its clients have this key."""
    names = {"ca-file": "ca_file", "client.cert": "client_cert", "client.key": "client_key"}
    return {f"distributed.comm.tls.{name}": getattr(security, f"tls_{part}") for name, part in names.items()}


JOBS = {"place": _place}


def listening():
    """The addresses at which this process and its children listen."""
    this = psutil.Process()
    found = {each for process in [this, *this.children(True)] for each in process.net_connections("inet")}
    return {(each.laddr.ip, each.laddr.port) for each in found if each.status == psutil.CONN_LISTEN}


@pytest.fixture(scope="module")
def cluster_and_addresses():
    """A cluster, and the addresses at which it listens."""
    before = listening()
    with local_cluster.local_cluster(WORKERS) as cluster:
        yield cluster, listening() - before


@pytest.fixture
def cluster(cluster_and_addresses):
    return cluster_and_addresses[0]


@pytest.fixture
def addresses(cluster_and_addresses):
    return cluster_and_addresses[1]


def test_only_its_servers_listen_and_only_on_this_machine(addresses):
    assert {ip for ip, _ in addresses} == {"127.0.0.1"}
    assert len(addresses) == 1 + 2 * WORKERS  # the scheduler, and for each worker itself and what starts it again


def greeting(address, context):
    """The first byte that a server sends. It sends some as soon as the client is let in."""
    with socket.create_connection(address) as plain, context.wrap_socket(plain) as secured:
        return secured.recv(1)


def strangers(folder):
    """The settings of clients that accept every server: without a certificate, and with one of their own."""
    for certificates in ([], [folder / "cert", folder / "key"]):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        if certificates:
            own = distributed.Security.temporary()
            for path in certificates:
                path.write_text(getattr(own, f"tls_client_{path.name}"))
            context.load_cert_chain(*certificates)
        yield context


def test_a_client_without_the_key_is_refused(cluster, addresses, tmp_path):
    ours = cluster.security.get_connection_args("client")["ssl_context"]
    others = [*strangers(tmp_path)]
    for address in addresses:
        assert greeting(address, ours)
        for context in others:
            with pytest.raises((ssl.SSLError, ConnectionError)):
                greeting(address, context)


def test_a_client_without_encryption_is_refused(addresses):
    for address in addresses:
        with socket.create_connection(address) as plain:
            plain.sendall(b"GET / HTTP/1.1\r\n\r\n")
            try:
                answer = plain.recv(100)
            except ConnectionError:
                continue
            assert answer[:1] in (b"", TLS_ALERT)


def test_work_is_done_with_the_key(cluster):
    with dask.config.set(tls_settings(cluster.security)), dask_farm(__name__, cluster.scheduler_address) as farm:
        assert farm.workers == WORKERS
        ((_, answer),) = completed(farm, "place", [(0, {})])
    assert answer["pid"] != os.getpid()
    folder = next(each for each in Path(answer["folder"]).parents if each.name.startswith("pentad-cluster-"))
    assert Path(cluster.scheduler.local_directory).is_relative_to(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_the_key_is_not_shown_to_other_users(cluster):
    for process in psutil.Process().children(True):
        assert not [each for each in process.cmdline() if "PRIVATE KEY" in each]
    assert "PRIVATE KEY" not in repr(cluster.security)


def test_nothing_is_left():
    before = listening()
    with dask_farm(__name__, workers=WORKERS) as farm:
        ((_, answer),) = completed(farm, "place", [(0, {})])
        assert Path(answer["folder"]).exists()
        assert len(listening() - before) == 1 + 2 * WORKERS
    assert listening() == before
    assert not any(each.exists() for each in Path(answer["folder"]).parents if each.name.startswith("pentad-cluster-"))
