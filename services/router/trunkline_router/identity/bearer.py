"""What a request shows of its caller: a bearer token, or the cookie of a browser's session."""

from collections.abc import Mapping
from typing import Final

from aiohttp.hdrs import AUTHORIZATION, COOKIE

COOKIE_NAME: Final = "trunkline_session"
SESSION: Final = "session:"
"""How a session begins where a bearer is meant; no token of any kind has a colon."""
_SCHEME = "bearer "


def bearer_of(headers: Mapping[str, str]) -> str | None:
    """Return the token of an Authorization header, RFC 6750, section 2.1.

    Without that header it is the cookie's session, `SESSION` before it. None for another scheme,
    or without either.
    """
    authorization = headers.get(AUTHORIZATION)
    if authorization is None:
        cookie = headers.get(COOKIE)
        return None if cookie is None else _session_in(cookie)
    if authorization[: len(_SCHEME)].lower() != _SCHEME:
        return None
    return authorization[len(_SCHEME) :].strip()


def _session_in(cookie: str) -> str | None:
    """Return the session of a Cookie header; one of several may be a stranger's, so none is."""
    pairs = (each.partition("=") for each in cookie.split(";"))
    found = [value.strip() for name, _, value in pairs if name.strip() == COOKIE_NAME]
    if not found:
        return None
    return SESSION + (found[0] if len(found) == 1 else "")
