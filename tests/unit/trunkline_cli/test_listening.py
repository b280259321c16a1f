"""The router's socket, and who has it otherwise."""

import socket
import threading

import pytest

from trunkline_cli import listening
from trunkline_cli.failure import CommandFailed


def test_a_taken_port_is_named_with_the_way_out() -> None:
    """The message holds the port and a variable to set."""
    with listening.on_any_port() as taken:
        port = listening.port_of(taken)
        with pytest.raises(CommandFailed, match=f"port {port} .* TRUNKLINE_PORT={port + 1}"):
            listening.on_port("127.0.0.1", port)


def test_a_foreign_address_is_named() -> None:
    """An address of another machine cannot be listened on, and the variable is named."""
    with pytest.raises(CommandFailed, match=r"TRUNKLINE_HOST=192\.0\.2\.1"):
        listening.on_port("192.0.2.1", 0)


def test_a_name_that_does_not_resolve_is_named() -> None:
    """A host that nobody knows is the variable's fault."""
    with pytest.raises(CommandFailed, match=r"TRUNKLINE_HOST=no-such-host\.invalid"):
        listening.on_port("no-such-host.invalid", 0)


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]",
        b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhtml",
        b"SSH-2.0-OpenSSH\r\n",
        b"",
    ],
)
def test_other_programs_are_not_taken_for_trunkline(answer: bytes) -> None:
    """Only an answer of our shape counts, whatever else listens there."""
    with listening.on_any_port() as other:
        threading.Thread(target=_answer_once, args=(other, answer)).start()
        assert listening.running_version("127.0.0.1", listening.port_of(other)) is None


def _answer_once(on: socket.socket, answer: bytes) -> None:
    connection, _ = on.accept()
    with connection:
        connection.recv(1000)
        connection.sendall(answer)
