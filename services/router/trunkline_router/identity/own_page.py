"""Whether a browser's request comes from the router's own page, and from no other site."""

from collections.abc import Mapping
from urllib.parse import urlsplit

from trunkline_router.wire.refusal import invalid_request

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


def must_be_ours(method: str, headers: Mapping[str, str], base: str) -> None:
    """Refuse what another page lets a logged-in browser send.

    A cookie goes along with whatever a browser asks, and `SameSite` takes any port of a host for
    the same site. So a change needs the Origin, or the browser's word (`Sec-Fetch-Site`, Fetch
    Metadata), that it comes from this origin. `base` is the router's public URL. Raises Refused,
    HTTP 403.
    """
    may_not_be_another(headers, base)
    said = headers.get("Origin") or headers.get("Sec-Fetch-Site") == "same-origin"
    if method not in _SAFE and not said:
        raise _foreign(
            "with a session's cookie, a change needs the Origin or Sec-Fetch-Site of this page"
        )


def may_not_be_another(headers: Mapping[str, str], base: str) -> None:
    """Refuse what says itself that another page sends it. Raises Refused, HTTP 403."""
    site = headers.get("Sec-Fetch-Site")
    if site is not None and site not in {"same-origin", "none"}:
        raise _foreign(f"the browser says that it comes from elsewhere ({site[:20]!r})")
    origin = headers.get("Origin")
    if origin is not None and not _is_ours(origin, headers, base):
        raise _foreign(f"it comes from {origin[:200]!r}")


def _is_ours(origin: str, headers: Mapping[str, str], base: str) -> bool:
    lowered = origin.lower()
    if lowered == _origin_of(base):
        return True
    scheme, _, host = lowered.partition("://")
    return scheme in {"http", "https"} and host == headers.get("Host", "").lower()


def _origin_of(base: str) -> str:
    parts = urlsplit(base.lower())
    return f"{parts.scheme}://{parts.netloc}"


def _foreign(reason: str) -> Exception:
    return invalid_request(f"Only the dashboard's own page may do this: {reason}.", status=403)
