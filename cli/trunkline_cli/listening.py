"""Listening sockets of the mesh, bound before anything starts, so that every URL is known."""

import errno
import http.client
import json
import socket

from trunkline_cli.failure import CommandFailed

BACKLOG = 512
PROBE_TIMEOUT_S = 2
_WANTS_KEY = "This router wants to know who asks"


def on_any_port() -> socket.socket:
    """Return a listening socket on a free port of 127.0.0.1."""
    return _listening("127.0.0.1", 0)


def on_port(host: str, port: int) -> socket.socket:
    """Return the router's listening socket.

    Raises CommandFailed, in one line that says who has the port and how to choose another.
    """
    try:
        return _listening(host, port)
    except OSError as error:
        raise CommandFailed(_refusal(host, port, error)) from None


def free_for(host: str, port: int) -> None:
    """Raise CommandFailed, as `on_port` does, when nobody could listen there."""
    on_port(host, port).close()


def port_of(listening: socket.socket) -> int:
    """Return the port that a socket listens on."""
    port: int = listening.getsockname()[1]
    return port


def _listening(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listening = socket.socket(family, kind, protocol)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(BACKLOG)
    except BaseException:
        listening.close()
        raise
    return listening


def _refusal(host: str, port: int, error: OSError) -> str:
    another = f"Choose another port with TRUNKLINE_PORT={port + 1}"
    match error.errno:
        case errno.EADDRINUSE if version := running_version(host, port):
            return (
                f"trunkline {version} already runs on {host}:{port}: use it, or end it. {another}."
            )
        case errno.EADDRINUSE:
            return f"port {port} on {host} is taken by another program. {another}, or end it."
        case errno.EACCES:
            return f"port {port} on {host} may not be used by this account. {another}."
        case _:
            return f"TRUNKLINE_HOST={host}: not an address of this machine ({error.strerror})."


def running_version(host: str, port: int) -> str | None:
    """Return the version of the trunkline that answers there, or None when it is something else.

    One that wants a key tells its version to nobody without.
    """
    connection = http.client.HTTPConnection(host, port, timeout=PROBE_TIMEOUT_S)
    try:
        connection.request("GET", "/status", headers={"Accept": "application/json"})
        response = connection.getresponse()
        status = json.loads(response.read(1_000_000))
    except (OSError, http.client.HTTPException, ValueError):
        return None
    finally:
        connection.close()
    if not isinstance(status, dict):
        return None
    if response.status == http.client.UNAUTHORIZED and _WANTS_KEY in str(status.get("error")):
        return "(with keys)"
    if "servers" not in status:
        return None
    return str(status.get("version", "(unknown version)"))
