"""Host and Origin: only names this router answers to, only pages it trusts (DNS rebinding)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import urlsplit

from trunkline_router.wire.refusal import invalid_request

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressCheck:
    """The hosts this router goes by, and the origins of the pages that may call it."""

    hosts: frozenset[str]
    origins: frozenset[str]

    @classmethod
    def of(
        cls,
        host: str,
        public_url: str | None,
        allowed: Iterable[str],
        internal_url: str | None = None,
    ) -> "AddressCheck":
        """Accept loopback, the public URL, and the origins that are named.

        The internal URL is a name for servers, which have no origin.
        """
        hosts = {*_LOOPBACK, host.lower()}
        if internal_url:
            hosts.add(urlsplit(internal_url.lower()).hostname or "")
        origins = {origin.rstrip("/").lower() for origin in allowed}
        if public_url:
            parts = urlsplit(public_url.lower())
            hosts.add(parts.hostname or "")
            origins.add(f"{parts.scheme}://{parts.netloc}")
        return cls(hosts=frozenset(hosts), origins=frozenset(origins))

    def check(self, headers: Mapping[str, str]) -> None:
        """Raise Refused for a Host (421) or an Origin (403) that is not ours.

        An address is as good as a name of ours: a page can bind its own name anew, and no address.
        Probes and scrapers that find each replica by its address have no other name for it.
        """
        host = headers.get("Host", "")
        name = _hostname(host)
        if name not in self.hosts and not _is_address(name):
            raise invalid_request(
                f"Host {host[:200]!r} is not a name of this router; TRUNKLINE_PUBLIC_URL adds one.",
                status=421,
            )
        origin = headers.get("Origin")
        if origin is not None and not self._trusts(origin):
            raise invalid_request(
                f"Origin {origin[:200]!r} is not allowed; TRUNKLINE_ALLOWED_ORIGINS adds one.",
                status=403,
            )

    def _trusts(self, origin: str) -> bool:
        lowered = origin.lower()
        if lowered in self.origins:
            return True
        scheme, _, host = lowered.partition("://")
        return scheme in {"http", "https"} and _hostname(host) in _LOOPBACK


@lru_cache(maxsize=256)
def _hostname(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
