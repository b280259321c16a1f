"""Redis as it is run in earnest: behind Sentinels, as a Cluster, with TLS, with users."""

import datetime as dt
import ipaddress
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import redis
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from redis.backoff import NoBackoff
from redis.retry import Retry

from tests.redis_process import RedisProcess, running_redis

_SLOTS = 16384
MASTER = "mesh"


def told(client: redis.Redis, *words: str | int) -> str:
    """Return what a Redis answers to a command, as text."""
    return str(client.execute_command(*words))  # type: ignore[no-untyped-call]  # the library's own gap


def free_ports(number: int) -> list[int]:
    """Return ports that nobody listens at, nor at those ten thousand higher."""
    found: list[int] = []
    while len(found) < number:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        if port < 55_000 and port not in found:
            found.append(port)
    return found


@contextmanager
def over_tcp(port: int, *options: str) -> Iterator[RedisProcess]:
    """Run a Redis at a port of this machine."""
    with running_redis("--port", str(port), "--bind", "127.0.0.1", *options) as process:
        yield process


@dataclass(frozen=True, kw_only=True)
class Watched:
    """A master, its replica, and the one Sentinel that watches them."""

    master: RedisProcess
    replica: RedisProcess
    sentinel_port: int

    @property
    def url(self) -> str:
        return f"redis+sentinel://127.0.0.1:{self.sentinel_port}/{MASTER}"

    def fail_over(self) -> None:
        """Let the replica take over, as an operator does."""
        with redis.Redis(port=self.sentinel_port) as sentinel:
            told(sentinel, "SENTINEL", "FAILOVER", MASTER)

    def lose_master(self) -> None:
        """Kill the master, which the Sentinel finds out."""
        self.master.kill()


@contextmanager
def watched_redis() -> Iterator[Watched]:
    """Run a master, a replica that has copied it, and a Sentinel that knows of both."""
    first, second, third = free_ports(3)
    with ExitStack() as running:
        master = running.enter_context(over_tcp(first, "--repl-diskless-sync-delay", "0"))
        replica = running.enter_context(over_tcp(second, "--replicaof", f"127.0.0.1 {first}"))
        running.enter_context(_sentinel(master.program, third, first))
        _wait(third)
        yield Watched(master=master, replica=replica, sentinel_port=third)


@contextmanager
def _sentinel(program: str, port: int, master: int) -> Iterator[None]:
    with tempfile.TemporaryDirectory(prefix="tl-") as folder:
        file = Path(folder) / "sentinel.conf"
        file.write_text(
            f"port {port}\nbind 127.0.0.1\ndir {folder}\n"
            f"sentinel monitor {MASTER} 127.0.0.1 {master} 1\n"
            f"sentinel down-after-milliseconds {MASTER} 500\n"
            f"sentinel failover-timeout {MASTER} 5000\n",
            encoding="utf-8",
        )
        process = subprocess.Popen([program, file, "--sentinel"], stdout=subprocess.DEVNULL)
        try:
            yield
        finally:
            process.kill()
            process.wait(10)


def _wait(port: int) -> None:
    """Return when a Sentinel answers and has found a replica that it could promote."""
    with redis.Redis(port=port, retry=Retry(NoBackoff(), 0)) as sentinel:
        while True:
            try:
                found = sentinel.sentinel_slaves(MASTER)
            except redis.exceptions.RedisError:
                continue
            if any(one["master-link-status"] == "ok" for one in found):
                return


@contextmanager
def clustered_redis(number: int = 3) -> Iterator[list[RedisProcess]]:
    """Run a Cluster whose nodes share the slots out among them."""
    ports = free_ports(number)
    with ExitStack() as running:
        nodes = [
            running.enter_context(over_tcp(port, "--cluster-enabled", "yes")) for port in ports
        ]
        with ExitStack() as looking:
            clients = [looking.enter_context(node.look()) for node in nodes]
            _cluster(clients, ports[0])
        yield nodes


def _cluster(clients: list[redis.Redis], port: int) -> None:
    number = len(clients)
    bounds = [_SLOTS * place // number for place in range(number + 1)]
    for place, client in enumerate(clients):
        told(client, "CLUSTER", "ADDSLOTSRANGE", bounds[place], bounds[place + 1] - 1)
        told(client, "CLUSTER", "MEET", "127.0.0.1", port)
    while not all(_is_whole(client, number) for client in clients):
        pass


def move_generations(nodes: list[RedisProcess]) -> None:
    """Hand the slot of the generations, with what is in it, over to the other one of two nodes."""
    with nodes[0].look() as first, nodes[1].look() as second:
        slot = int(told(first, "CLUSTER", "KEYSLOT", "{gen}"))
        ids = [told(one, "CLUSTER", "MYID") for one in (first, second)]
        old, new = (first, second) if slot < _SLOTS // 2 else (second, first)
        owner, taker = ids if old is first else ids[::-1]
        port = (nodes[1] if old is first else nodes[0]).options[1]
        told(new, "CLUSTER", "SETSLOT", slot, "IMPORTING", owner)
        told(old, "CLUSTER", "SETSLOT", slot, "MIGRATING", taker)
        for key in old.scan_iter("*{gen}*"):
            told(old, "MIGRATE", "127.0.0.1", port, key, 0, 5000)
        for one in (new, old):
            told(one, "CLUSTER", "SETSLOT", slot, "NODE", taker)


def _is_whole(client: redis.Redis, number: int) -> bool:
    text = told(client, "CLUSTER", "INFO")
    return "cluster_state:ok" in text and f"cluster_known_nodes:{number}" in text


@contextmanager
def encrypted_redis() -> Iterator[tuple[int, Path]]:
    """Run a Redis that speaks TLS only; yield its port and the certificate to be trusted."""
    (port,) = free_ports(1)
    with tempfile.TemporaryDirectory(prefix="tl-") as folder:
        certificate, key = _certificate(Path(folder))
        options = ("--tls-cert-file", str(certificate), "--tls-key-file", str(key))
        authority = ("--tls-ca-cert-file", str(certificate), "--tls-auth-clients", "no")
        with running_redis("--tls-port", str(port), *options, *authority):
            yield port, certificate


def _certificate(folder: Path) -> tuple[Path, Path]:
    """Write a certificate for this machine that vouches for itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    addresses = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    begins = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
    certificate = (
        x509
        .CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(begins)
        .not_valid_after(begins.replace(year=2120))
        .add_extension(x509.SubjectAlternativeName(addresses), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    paths = folder / "redis.crt", folder / "redis.key"
    paths[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    paths[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return paths
