"""Listening sockets of the loopback."""

import socket


def free_socket(port: int = 0) -> socket.socket:
    """Return a listening socket on a loopback port: a free one, unless `port` names it."""
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", port))
    listening.listen(128)
    return listening


def address(listening: socket.socket) -> str:
    """Return the base URL of a listening socket, without a trailing slash."""
    host, port = listening.getsockname()[:2]
    return f"http://{host}:{port}"
