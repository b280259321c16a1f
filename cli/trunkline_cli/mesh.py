"""The mesh on this machine, bound and validated but not started: settings, sockets, environment."""

import secrets
import socket
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from trunkline_cli import listening
from trunkline_cli.builtin import MODULES
from trunkline_cli.demo import VENDORS, demo_environment, forget_the_callers
from trunkline_cli.environment import RouterAddress, reachable, variables
from trunkline_cli.failure import USAGE, CommandFailed
from trunkline_cli.supervisor import HostPlan, Place
from trunkline_router.configuration.file import configuration_path, read_configuration
from trunkline_router.configuration.open_door import must_know_callers
from trunkline_router.configuration.servers import servers_of
from trunkline_router.configuration.settings import RouterSettings
from trunkline_shared.settings import ConfigurationError, load

_ANYWHERE = "http://127.0.0.1/mcp"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mesh:
    """The router's settings and socket, and the plan of the process that hosts the servers.

    `log_level` is the one that holds where TRUNKLINE_LOG_LEVEL names none.
    """

    settings: RouterSettings
    on: socket.socket
    plan: HostPlan
    log_level: str = "WARNING"

    @property
    def local(self) -> RouterAddress:
        """Where this machine reaches the router."""
        host, port = self.settings.host, self.settings.port
        return RouterAddress(host=host, port=port, url=f"http://{reachable(host)}:{port}")

    @property
    def public(self) -> RouterAddress:
        """Where clients reach the router."""
        url = self.settings.public_url
        return replace(self.local, url=url.rstrip("/")) if url else self.local


def prepare(*, host: str, port: int, log_level: str, demo: bool = False) -> Mesh:
    """Bind every socket and validate the router's configuration.

    Servers that TRUNKLINE_SERVER_URLS names are routed to and not hosted; the demo has none.
    Raises CommandFailed.
    """
    if demo:
        forget_the_callers()
    asked = _settings({"host": host, "port": port} | ({"server_urls": {}} if demo else {}))
    elsewhere = asked.server_urls
    chosen = _chosen(asked)
    on = listening.on_port(host, port)
    servers = {
        name: Place(module=module, on=listening.on_any_port())
        for name, module in MODULES.items()
        if name in chosen and name not in elsewhere
    }
    key = secrets.token_urlsafe(32)
    signing = _signing_secret(asked)
    settings = _settings({
        **signing,
        "host": host,
        "port": listening.port_of(on),
        "server_urls": _urls(servers) | {k: url for k, url in elsewhere.items() if k in chosen},
        "mesh_key": key,
        # Whoever starts it on a machine works in the checkout there.
        "local_defaults": asked.local_defaults or "local_defaults" not in asked.model_fields_set,
    })
    stand_ins = {vendor: listening.on_any_port() for vendor in VENDORS} if demo else {}
    traces_url = f"http://{reachable(host)}:{listening.port_of(on)}/v1/traces"
    environment = host_environment(variables(), key=key, log_level=log_level, traces_url=traces_url)
    environment |= {f"TRUNKLINE_{field.upper()}": value for field, value in signing.items()}
    if demo:
        environment = demo_environment(environment, _origins(stand_ins))
    plan = HostPlan(servers=servers, environment=environment, stand_ins=stand_ins)
    return Mesh(settings=settings, on=on, plan=plan, log_level=log_level)


def _chosen(asked: RouterSettings) -> Collection[str]:
    """Return the servers that the mesh has; those of the file are not hosted here either."""
    everywhere = dict.fromkeys(MODULES, _ANYWHERE) | dict(asked.server_urls)
    settings = asked.model_copy(update={"server_urls": everywhere})
    try:
        configuration = read_configuration(configuration_path(asked.config))
        must_know_callers(settings, configuration)
        chosen = servers_of(settings, configuration)
    except ConfigurationError as error:
        raise CommandFailed(str(error), USAGE) from None
    return [server for server in chosen if server not in configuration.servers]


def _signing_secret(asked: RouterSettings) -> dict[str, str]:
    """Return a secret for this run, which both processes share, unless one is configured."""
    configured = asked.secret.get_secret_value().strip(" ,")
    return {} if configured else {"secret": secrets.token_urlsafe(32)}


def host_environment(
    given: Mapping[str, str], *, key: str, log_level: str, traces_url: str = ""
) -> dict[str, str]:
    """Return the environment of the host process: the caller's, and what the mesh decides.

    The servers send their spans to the router of this very mesh, whatever the caller has set.
    """
    return {
        "TRUNKLINE_REPO_PATH": str(Path.cwd()),
        "TRUNKLINE_LOG_LEVEL": log_level,
        **given,
        "TRUNKLINE_MESH_KEY": key,
        "TRUNKLINE_SERVICE_HOST": "127.0.0.1",
        "TRUNKLINE_TRACES_URL": traces_url,
        "PYTHONUNBUFFERED": "1",
    }


def _urls(servers: Mapping[str, Place]) -> dict[str, str]:
    return {
        name: f"http://127.0.0.1:{listening.port_of(place.on)}/mcp"
        for name, place in servers.items()
    }


def _origins(stand_ins: Mapping[str, socket.socket]) -> dict[str, str]:
    return {vendor: f"http://127.0.0.1:{listening.port_of(on)}" for vendor, on in stand_ins.items()}


def _settings(given: Mapping[str, object]) -> RouterSettings:
    try:
        return load(RouterSettings, given)
    except ConfigurationError as error:
        raise CommandFailed(str(error), USAGE) from None
