"""The socket that the router listens on, and the address that it has there."""

import ipaddress
import socket

from trunkline_shared.settings import ConfigurationError

BACKLOG = 2048


def bind(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raises ConfigurationError when the address cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise ConfigurationError(
            f"TRUNKLINE_PORT={port}: {host}:{port} cannot be used ({error.strerror}); end what "
            "listens there, or set TRUNKLINE_PORT to a free port"
        ) from None
    return listening


def base_of(listening: socket.socket) -> str:
    """Return the URL of a listening socket as this machine reaches it, without a slash."""
    host, port = listening.getsockname()[:2]
    address = ipaddress.ip_address(host)
    if address.is_unspecified:
        return f"http://{'[::1]' if address.version == _IPV6 else '127.0.0.1'}:{port}"
    return f"http://[{host}]:{port}" if address.version == _IPV6 else f"http://{host}:{port}"


_IPV6 = 6
