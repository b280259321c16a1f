"""The router at the configured address: running, absent, or kept out by somebody else."""

from collections.abc import Iterator

from trunkline_cli import listening
from trunkline_cli.checks.finding import Finding
from trunkline_cli.environment import RouterAddress
from trunkline_cli.failure import CommandFailed
from trunkline_cli.router_answers import Json
from trunkline_cli.router_client import NotLetIn, RouterClient


def check_router(address: RouterAddress) -> Iterator[Finding]:
    """Say whether a router runs and how its servers are, or whether one could start."""
    if listening.running_version(address.host, address.port) is None:
        yield _startable(address)
        return
    try:
        with RouterClient(address) as router:
            status = router.get("/status")
    except NotLetIn as refusal:
        text, mend = f"it runs on {address.url} and does not let this in", refusal.message
        yield Finding(about="router", level="warn", text=text, mend=mend)
        return
    text = f"trunkline {status.get('version', '')} runs on {address.url}"
    yield Finding(about="router", level="ok", text=text)
    for name, server in status.get("servers", {}).items():
        yield _server(name, server)


def _startable(address: RouterAddress) -> Finding:
    try:
        listening.on_port(address.host, address.port).close()
    except CommandFailed as failure:
        text, _, mend = failure.message.partition(". ")
        return Finding(about="router", level="fail", text=text, mend=mend)
    text = f"none runs; {address.host}:{address.port} is free (make run starts one)"
    return Finding(about="router", level="ok", text=text)


def _server(name: str, server: Json) -> Finding:
    if server.get("available"):
        text = f"available, {server.get('tools', 0)} tools"
        return Finding(about=name, level="ok", text=text)
    mend = "look at the router's log; it starts the server again by itself"
    return Finding(about=name, level="fail", text="not available", mend=mend)
