"""Where the router is, as those on its machine reach it."""

import socket

import pytest

from trunkline_router.listening import base_of, bind
from trunkline_shared.settings import ConfigurationError


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:{}"),
        ("0.0.0.0", "http://127.0.0.1:{}"),  # noqa: S104 - the port is free and closed at once
        ("::1", "http://[::1]:{}"),
        ("::", "http://[::1]:{}"),
    ],
)
def test_a_listening_socket_has_a_url(host: str, url: str) -> None:
    """One that listens on every address is reached on the loopback."""
    if ":" in host and not socket.has_ipv6:
        pytest.skip("this machine has no IPv6")
    with bind(host, 0) as listening:
        assert base_of(listening) == url.format(listening.getsockname()[1])


def test_an_address_that_is_taken_is_named() -> None:
    """With the fix."""
    with bind("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        with pytest.raises(ConfigurationError, match=f"TRUNKLINE_PORT={port}: .*cannot be used"):
            bind("127.0.0.1", port)
