"""The bearer token of a request, RFC 6750, section 2.1: in the header, and nowhere else."""

from collections.abc import Mapping

from aiohttp.hdrs import AUTHORIZATION

_SCHEME = "bearer "


def bearer_of(headers: Mapping[str, str]) -> str | None:
    """Return the token of an Authorization header; None for another scheme, or without one."""
    authorization = headers.get(AUTHORIZATION)
    if authorization is None or authorization[: len(_SCHEME)].lower() != _SCHEME:
        return None
    return authorization[len(_SCHEME) :].strip()
