"""Listening sockets of the loopback, and of a container that others reach by its name."""

import socket
from typing import TypeVar

SocketT = TypeVar("SocketT", bound=socket.socket)


class NamedSocket(socket.socket):
    """A listening socket of every address; links in answers lead to it by `name`."""

    name: str


def free_socket(port: int = 0) -> socket.socket:
    """Return a listening socket on a loopback port: a free one, unless `port` names it."""
    return _listening(_tcp(socket.socket), "127.0.0.1", port)


def named_socket(name: str, port: int) -> socket.socket:
    """Return a listening socket for whoever knows this machine by `name`."""
    listening = _tcp(NamedSocket)
    listening.name = name
    return _listening(listening, "", port)


def _tcp(kind: type[SocketT]) -> SocketT:
    """Make a socket that names its protocol: only then asyncio sends at once what is written.

    Else an answer in two pieces waits for the acknowledgement of the first, which takes 40 ms.
    """
    return kind(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)


def _listening(made: socket.socket, host: str, port: int) -> socket.socket:
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.bind((host, port))
    made.listen(128)
    return made


def address(listening: socket.socket) -> str:
    """Return the base URL of a listening socket, without a trailing slash."""
    host, port = listening.getsockname()[:2]
    return f"http://{listening.name if isinstance(listening, NamedSocket) else host}:{port}"
