"""Addresses of servers, as a configuration may name them."""

from urllib.parse import urlsplit


def must_be_http(url: str) -> str:
    """Return an http or https URL. Raises ValueError for anything else."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError(f"{url} is no HTTP URL: write http://HOST:PORT/mcp")
    return url
