"""Who reaches whom in a cluster: the policies, evaluated for every pair of pods and each port."""

import ipaddress
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import pytest

from tests.structure.k8s_rendering import (
    COMBINATIONS,
    EXTERNAL_REDIS,
    OVERLAYS,
    TEAM,
    Manifest,
    Rendering,
    labels_of,
    of_kind,
    selects,
    workloads,
)
from trunkline_router.configuration.settings import BUILT_IN

pytestmark = pytest.mark.requirement("shipping.k8s-network")
SERVERS = {known.container for known in BUILT_IN.values()}
SHARE_REDIS = {"router", "comment", "inline-review", "ci-status", "issues", "project-reader"}
CLOSED = {"bridge", "redis"}
"""Who asks nobody outside of the mesh."""
DNS, MCP, ROUTER, REDIS, HTTPS = 53, 8480, 8470, 6379, 443
PORTS = (DNS, MCP, ROUTER, REDIS, HTTPS, 22, 80, 4317, 4318, 6380, 10250, 26379)
OWN = "trunkline"
overlays = pytest.mark.parametrize("rendering", OVERLAYS, ids=str)


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """A pod, in this namespace or another one, or an address outside of the cluster."""

    labels: Mapping[str, str] = field(default_factory=dict)
    namespace: Mapping[str, str] = field(default_factory=dict)
    address: str = "10.1.2.3"


INTERNET = ("140.82.121.4", "2606:50c0:8000::153")
KUBE_DNS = Peer(
    labels={"k8s-app": "kube-dns"}, namespace={"kubernetes.io/metadata.name": "kube-system"}
)
INGRESS = Peer(
    labels={"app.kubernetes.io/name": "ingress-nginx"},
    namespace={"trunkline.dev/reaches-router": "true"},
)
STRANGER = Peer(
    labels={"app.kubernetes.io/component": "router", "trunkline.dev/reaches-redis": "true"},
    namespace={"kubernetes.io/metadata.name": "default"},
)


def pods(rendering: Rendering) -> dict[str, Peer]:
    return {
        name: Peer(labels=labels_of(workload), namespace={"kubernetes.io/metadata.name": OWN})
        for name, workload in workloads(rendering).items()
    }


def is_allowed(rendering: Rendering, direction: str, pod: Peer, peer: Peer, port: int) -> bool:
    """Whether the policies over a pod let it reach a peer (egress), or be reached (ingress)."""
    over = [
        policy["spec"]
        for policy in of_kind(rendering, "NetworkPolicy").values()
        if selects(policy["spec"]["podSelector"], pod.labels)
        and direction.capitalize() in policy["spec"]["policyTypes"]
    ]
    assert over, "no policy is over the pod, so anything goes"
    rules = [rule for spec in over for rule in spec.get(direction, ())]
    side = "to" if direction == "egress" else "from"
    return any(_concerns(rule, port) and _names(rule[side], peer) for rule in rules)


def _concerns(rule: Manifest, port: int) -> bool:
    return port in {each["port"] for each in rule["ports"]}


def _names(sides: Iterable[Manifest], peer: Peer) -> bool:
    return any(_is(side, peer) for side in sides)


def _is(side: Manifest, peer: Peer) -> bool:
    if "ipBlock" in side:
        return _within(side["ipBlock"], peer)
    own = peer.namespace.get("kubernetes.io/metadata.name") == OWN
    in_namespace = (
        selects(side["namespaceSelector"], peer.namespace) if "namespaceSelector" in side else own
    )
    return in_namespace and selects(side.get("podSelector", {}), peer.labels)


def _within(block: Manifest, peer: Peer) -> bool:
    address = ipaddress.ip_address(peer.address)
    inside = [ipaddress.ip_network(each) for each in (block["cidr"], *block.get("except", ()))]
    return address in inside[0] and not any(address in each for each in inside[1:])


def reached(rendering: Rendering) -> set[tuple[str, str, int]]:
    """Return who reaches whom in the namespace at which port: both ends have to allow it."""
    known = pods(rendering)
    return {
        (one, other, port)
        for one in known
        for other in known
        for port in PORTS
        if one != other
        and is_allowed(rendering, "egress", known[one], known[other], port)
        and is_allowed(rendering, "ingress", known[other], known[one], port)
    }


@overlays
def test_who_reaches_whom_is_what_the_design_says(rendering: Rendering) -> None:
    """The router its servers, they the router, and Redis those who share something."""
    wanted = {
        *(("router", server, MCP) for server in SERVERS),
        *((server, "router", ROUTER) for server in SERVERS),
        *((name, "redis", REDIS) for name in SHARE_REDIS),
    }
    assert reached(rendering) == wanted


@overlays
def test_without_a_policy_of_its_own_a_pod_neither_reaches_nor_is_reached(
    rendering: Rendering,
) -> None:
    """The default is denial, both ways, for pods that nobody has thought of, too."""
    (denial,) = (
        each["spec"]
        for each in of_kind(rendering, "NetworkPolicy").values()
        if each["spec"]["podSelector"] == {}
    )
    assert denial == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    newcomer = Peer(namespace={"kubernetes.io/metadata.name": OWN})
    for peer in (*pods(rendering).values(), KUBE_DNS, INGRESS, Peer(address=INTERNET[0])):
        for port in PORTS:
            assert not is_allowed(rendering, "egress", newcomer, peer, port)
            assert not is_allowed(rendering, "ingress", newcomer, peer, port)


@overlays
def test_the_world_is_reached_by_those_who_ask_vendors_and_over_https(rendering: Rendering) -> None:
    """And by the router, for issuers and foreign servers, and by the one who fetches a checkout."""
    for name, pod in pods(rendering).items():
        open_to = {
            port
            for port in PORTS
            for address in INTERNET
            if is_allowed(rendering, "egress", pod, Peer(address=address), port)
        }
        assert open_to == (set() if name in CLOSED else {HTTPS}), name


@overlays
@pytest.mark.parametrize(
    "address",
    [
        *("10.0.0.1", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.20.0.1", "192.168.1.1"),
        *("::1", "fd00::1", "fe80::1", "64:ff9b::a9fe:a9fe"),
    ],
)
def test_nobody_reaches_addresses_that_are_not_public(rendering: Rendering, address: str) -> None:
    """Not the node's metadata, not the API server, not the company's network."""
    for name, pod in pods(rendering).items():
        for port in PORTS:
            assert not is_allowed(rendering, "egress", pod, Peer(address=address), port), name


@overlays
def test_all_but_redis_ask_for_names(rendering: Rendering) -> None:
    """Of the cluster's DNS, and nobody else there."""
    other = Peer(labels={"k8s-app": "metrics-server"}, namespace=KUBE_DNS.namespace)
    for name, pod in pods(rendering).items():
        assert is_allowed(rendering, "egress", pod, KUBE_DNS, DNS) is (name != "redis"), name
        assert not is_allowed(rendering, "egress", pod, other, DNS)


@overlays
def test_from_other_namespaces_only_the_router_is_reached(rendering: Rendering) -> None:
    """By namespaces with the label; a pod elsewhere that has our labels is a stranger."""
    for name, pod in pods(rendering).items():
        ports = {port for port in PORTS if is_allowed(rendering, "ingress", pod, INGRESS, port)}
        assert ports == ({ROUTER} if name == "router" else set()), name
        for port in PORTS:
            assert not is_allowed(rendering, "ingress", pod, STRANGER, port)


def test_metrics_and_collectors_are_reached_where_the_component_is() -> None:
    """By and in namespaces with the label of observability."""
    there = Peer(namespace={"trunkline.dev/observability": "true"})
    with_it = next(each for each in COMBINATIONS if "observability" in each.more)
    assert not is_allowed(TEAM, "ingress", pods(TEAM)["router"], there, ROUTER)
    for name, pod in pods(with_it).items():
        sends = {port for port in PORTS if is_allowed(with_it, "egress", pod, there, port)}
        assert sends == (set() if name == "redis" else {4317, 4318}), name
        assert is_allowed(with_it, "ingress", pod, there, ROUTER) is (name == "router")


@pytest.mark.parametrize("rendering", EXTERNAL_REDIS, ids=str)
def test_an_external_redis_is_reached_by_those_who_share_something(rendering: Rendering) -> None:
    """At the usual ports of Redis and its Sentinels, in private networks."""
    assert "redis" not in workloads(rendering)
    for name, pod in pods(rendering).items():
        ports = {
            port
            for port in PORTS
            if is_allowed(rendering, "egress", pod, Peer(address="10.20.30.40"), port)
        }
        assert ports == ({6379, 6380, 26379} if name in SHARE_REDIS else set()), name
    assert not {other for _, other, _ in reached(rendering)} - SERVERS - {"router"}
