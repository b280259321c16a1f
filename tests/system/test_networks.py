"""Who reaches whom, tried from inside each container."""

import json
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from tests.system.engine import docker
from tests.system.mesh_in_containers import CONTAINERS, SERVERS, MeshInContainers

pytestmark = pytest.mark.timeout(120)

PORTS: Mapping[str, int] = {
    "router": 8470,
    **dict.fromkeys(SERVERS.values(), 8480),
    "redis": 6379,
    "demo": 8481,
}
SHARING = {"comment", "inline-review", "ci-status", "issues", "project-reader"}
QUIET = {"branch-context", "bridge"}
ASKING = set(SERVERS.values()) - QUIET
REACHES: Mapping[str, set[str]] = {
    "router": {*SERVERS.values(), "redis"},
    **{server: {"router"} for server in SERVERS.values()},
    **{server: {"router", "redis"} for server in SHARING},
}
"""Who opens connections to whom, the stand-ins aside; Redis and the stand-ins open none."""
OUTWARD = {"router", *ASKING}

_TRY = """
import json, socket, sys
from concurrent.futures import ThreadPoolExecutor

def reached(place):
    name, address, port = place
    try:
        socket.create_connection((address, port), 2).close()
    except OSError:
        return None
    return name

places = json.loads(sys.argv[1])
with ThreadPoolExecutor(len(places)) as pool:
    print(json.dumps(sorted({name for name in pool.map(reached, places) if name})))
"""
_GATEWAY = """
import json, socket, struct
lines = [line.split() for line in open("/proc/net/route").read().splitlines()]
(gateway,) = [line[2] for line in lines if line[1] == "00000000"]
print(json.dumps(socket.inet_ntoa(struct.pack("<L", int(gateway, 16)))))
"""


def addresses(mesh: MeshInContainers, service: str) -> list[str]:
    """Return a container's address in each of its networks."""
    networks: Mapping[str, Any] = mesh.inspected(service)["NetworkSettings"]["Networks"]
    return [one["IPAddress"] for one in networks.values()]


def reached_from(mesh: MeshInContainers, service: str) -> set[str]:
    """Return whom a container reaches by any address, and those whom it may reach by name."""
    places = [
        (other, address, port)
        for other, port in PORTS.items()
        if other != service
        for address in addresses(mesh, other)
    ]
    places += [(other, other, PORTS[other]) for other in REACHES[service]]
    return set(mesh.python(service, _TRY, mesh.as_json(places)))


@pytest.mark.requirement("shipping.system-networks")
@pytest.mark.parametrize("service", REACHES)
def test_a_container_reaches_whom_it_needs_and_nobody_else(
    mesh: MeshInContainers, service: str
) -> None:
    """By every address that the other one has: a server knows no other server."""
    found = reached_from(mesh, service)
    assert found - {"demo"} == REACHES[service]
    assert ("demo" in found) >= (service in ASKING)
    if service in QUIET:
        assert "demo" not in found


@contextmanager
def listening(host: str) -> Iterator[int]:
    """Listen at an address of the engine's machine; skips where that is not the tests' own."""
    with socket.socket() as listener:
        try:
            listener.bind((host, 0))
        except OSError:
            pytest.skip(f"the engine's bridge {host} is on another machine than the tests")
        # Who connects is not waited for: the kernel takes it.
        listener.listen(8)
        yield listener.getsockname()[1]


@pytest.mark.requirement("shipping.system-networks")
@pytest.mark.parametrize("service", sorted(OUTWARD))
def test_who_asks_vendors_reaches_out(mesh: MeshInContainers, service: str) -> None:
    """As far as the machine that the engine runs on, and from there as far as that may."""
    host = mesh.python(service, _GATEWAY)
    with listening(host) as port:
        assert mesh.python(service, _TRY, mesh.as_json([("outside", host, port)])) == ["outside"]


@pytest.mark.requirement("shipping.system-networks")
@pytest.mark.parametrize("service", CONTAINERS)
def test_only_who_asks_vendors_has_a_way_out(mesh: MeshInContainers, service: str) -> None:
    """What reads a checkout, keeps the cache or plays the vendors is in internal networks only."""
    networks = mesh.inspected(service)["NetworkSettings"]["Networks"].values()
    found = docker("network", "inspect", *(one["NetworkID"] for one in networks))
    assert any(not one["Internal"] for one in json.loads(found)) is (service in OUTWARD)


@pytest.mark.requirement("shipping.system-networks")
def test_only_the_router_s_port_is_published_and_on_loopback(mesh: MeshInContainers) -> None:
    """Nothing else of the mesh can be reached from the machine's networks."""
    published = {
        service: [
            (inner, binding["HostIp"], int(binding["HostPort"]))
            for inner, bindings in mesh.inspected(service)["NetworkSettings"]["Ports"].items()
            for binding in bindings or []
        ]
        for service in CONTAINERS
    }
    assert published.pop("router") == [("8470/tcp", "127.0.0.1", mesh.port)]
    assert not any(published.values()), published
