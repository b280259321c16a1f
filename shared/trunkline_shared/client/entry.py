"""Where a client enters the router: an address and a token that can be sent as they are."""

import re
from urllib.parse import urlsplit


def checked_base(base_url: str) -> str:
    """Return the router's URL without a final slash or `/mcp`. Raises ValueError."""
    parts = urlsplit(base_url)
    plain = not (parts.query or parts.fragment or parts.username or parts.password)
    printable = base_url.isascii() and base_url.isprintable() and " " not in base_url
    if parts.scheme not in {"http", "https"} or not parts.hostname or not plain or not printable:
        raise ValueError(
            f"base_url {base_url!r} must be the router's URL, such as http://127.0.0.1:8470"
        )
    return base_url.rstrip("/").removesuffix("/mcp")


def checked_token(token: str) -> str:
    """Return a key or token that can stand in a header. Raises ValueError, without the token."""
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise ValueError("token must not be empty, and is ASCII without blanks or line breaks")
    return token


def checked_server(server: str) -> str:
    """Return a server's id, which is part of a path. Raises ValueError."""
    if not re.fullmatch(r"\w[\w.-]*", server, re.ASCII):
        raise ValueError(f"server {server!r} must be a server's id, such as github_ci")
    return server
