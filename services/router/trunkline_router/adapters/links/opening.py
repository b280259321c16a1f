"""From a server's configuration to its link."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from yarl import URL

from trunkline_router.adapters.exchange import Exchange
from trunkline_router.adapters.links.modern_http import ModernHttp
from trunkline_router.configuration import ServerEntry
from trunkline_router.fleet import Fleet, Member
from trunkline_router.link import Link
from trunkline_router.model import ServerAddress
from trunkline_router.settings import BUILT_IN


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """Opens links over one pool of connections; `mesh_headers` open the mesh's own servers."""

    exchange: Exchange
    mesh_headers: Mapping[str, str] = field(repr=False)

    def open(self, server: str, entry: ServerEntry) -> Link:
        """Return the link of a server; nothing is sent before its first request."""
        # The mesh key opens the mesh's own servers; a foreign one must never learn it.
        headers = self.mesh_headers if server in BUILT_IN else {}
        url = URL(entry.addresses[0])
        return ModernHttp(
            address=ServerAddress(id=server, url=url, headers=headers), exchange=self.exchange
        )

    def member(self, server: str, entry: ServerEntry) -> Member:
        """Return a server that nobody has reached yet."""
        link = self.open(server, entry)
        return Member(id=server, entry=entry, link=link, built_in=server in BUILT_IN)

    def fleet(self, entries: Mapping[str, ServerEntry]) -> Fleet:
        """Return the servers of a configuration."""
        return Fleet({server: self.member(server, entry) for server, entry in entries.items()})
