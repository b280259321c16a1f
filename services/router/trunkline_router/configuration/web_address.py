"""Addresses of servers, as a configuration may name them."""

from urllib.parse import urlsplit

from yarl import URL

from trunkline_shared.loopback import is_loopback


def must_be_http(url: str) -> str:
    """Return an http or https URL. Raises ValueError for anything else."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError(f"{url} is no HTTP URL: write http://HOST:PORT/mcp")
    try:
        # As it is resolved: labels have their limits.
        (URL(url).host or "").encode("idna")
    except ValueError as fault:
        raise ValueError(f"{url} is no HTTP URL: {fault}") from None
    return url


def must_be_private(url: str) -> str:
    """Return a URL whose answers nobody on the way can change: https, or http on this machine.

    Raises ValueError for anything else.
    """
    parts = urlsplit(must_be_http(url))
    if parts.scheme == "https" or is_loopback(parts.hostname or ""):
        return url
    raise ValueError(f"{url} is not private: write https://HOST, or http on loopback")
