"""Where connections lead, RFC 9110, section 4.3.1."""

from typing import NamedTuple

from yarl import URL


class Origin(NamedTuple):
    """A host, as it is looked up, and a port; `tls` for https."""

    host: str
    port: int
    tls: bool

    @classmethod
    def of(cls, url: URL) -> "Origin":
        tls = url.scheme == "https"
        return cls(url.raw_host or "", url.port or 0, tls)
