"""From a server's configuration to its link."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from yarl import URL

from trunkline_router.adapters.exchange import Exchange
from trunkline_router.adapters.links.child_environment import child_environment
from trunkline_router.adapters.links.connection import Connector
from trunkline_router.adapters.links.http_endpoint import HttpEndpoint
from trunkline_router.adapters.links.http_sse import SseConnector
from trunkline_router.adapters.links.legacy_link import LegacyLink
from trunkline_router.adapters.links.link_tasks import LinkTasks
from trunkline_router.adapters.links.modern_http import ModernHttp
from trunkline_router.adapters.links.named import Named, is_name
from trunkline_router.adapters.links.negotiated_http import NegotiatedHttp
from trunkline_router.adapters.links.parking import PURPOSE, Parking
from trunkline_router.adapters.links.replicas import Replica, Replicas
from trunkline_router.adapters.links.restarts import Restarts
from trunkline_router.adapters.links.secret_values import SecretValues
from trunkline_router.adapters.links.server_sessions import ServerSessions, SessionTerms
from trunkline_router.adapters.links.stdio import StdioConnector
from trunkline_router.adapters.links.stdio_link import StdioLink
from trunkline_router.adapters.links.streamable_http import HttpConnector
from trunkline_router.configuration.entries import OwnEntry, ServerEntry
from trunkline_router.fleet import Fleet, Member, place_of
from trunkline_router.link import Link, SessionEnd
from trunkline_shared.clock import Clock
from trunkline_shared.signing import SigningKeys


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """Opens links over one pool of connections; `mesh_headers` open the mesh's own servers.

    `env` holds the secrets that entries name; without one, it is this process's environment.
    `session_ends` are told of each session at a server that has ended.
    """

    exchange: Exchange
    mesh_headers: Mapping[str, str] = field(repr=False)
    signing: SigningKeys = field(repr=False)
    clock: Clock
    env: Mapping[str, str] | None = field(default=None, repr=False)
    session_ends: list[Callable[[SessionEnd], object]] = field(default_factory=list)

    def open(self, server: str, entry: ServerEntry) -> Link:
        """Return the link of a server; nothing is sent before its first request."""
        if entry.command:
            return self._child(server, entry)
        urls = [URL(each) for each in entry.addresses]
        if len(urls) > 1:
            places = [Replica(name=_shown(url), link=self.at(server, entry, url)) for url in urls]
            return Replicas(clock=self.clock, places=places)
        plain = self.at(server, entry, urls[0])
        if not is_name(urls[0]):
            return plain
        return Named(plain=plain, pinned=partial(self._pinned, server, entry), clock=self.clock)

    def at(self, server: str, entry: ServerEntry, url: URL) -> Link:
        """Return the link to one of a server's URLs."""
        if isinstance(entry, OwnEntry) and entry.transport is None and not entry.headers:
            # The mesh key opens the mesh's own servers; a foreign one must never learn it.
            return ModernHttp(url=url, headers=self.mesh_headers, exchange=self.exchange)
        return self._negotiated(server, entry, url)

    def _pinned(self, server: str, entry: ServerEntry, address: str) -> Replica:
        """Return the replica at one of the addresses that a server's name has."""
        exchange = self.exchange.at_address(address)
        link = replace(self, exchange=exchange).at(server, entry, URL(entry.addresses[0]))
        return Replica(name=address, link=link, client=exchange.client)

    def member(self, server: str, entry: ServerEntry) -> Member:
        """Return a server that nobody has reached yet."""
        link = self.open(server, entry)
        own = isinstance(entry, OwnEntry)
        place = "" if own else place_of(entry)
        return Member(id=server, entry=entry, link=link, built_in=own, place=place)

    def fleet(self, entries: Mapping[str, ServerEntry]) -> Fleet:
        """Return the servers of a configuration."""
        return Fleet({server: self.member(server, entry) for server, entry in entries.items()})

    def _negotiated(self, server: str, entry: ServerEntry, url: URL) -> NegotiatedHttp:
        headers = SecretValues(server, "headers", entry.headers, self.env)
        endpoint = HttpEndpoint(
            server=server,
            url=url,
            headers=headers,
            client=self.exchange.client,
            answer_bytes=self.exchange.answer_bytes,
        )
        modern = ModernHttp(url=url, headers=headers, exchange=self.exchange, foreign=True)
        streamable, sse = partial(self._streamable, endpoint), partial(self._sse, endpoint)
        named = {"sse": [sse], "streamable-http": [streamable]}
        return NegotiatedHttp(
            endpoint=endpoint,
            modern=None if entry.transport == "sse" else modern,
            older=named.get(entry.transport or "", [streamable, sse]),
            clock=self.clock,
        )

    def _streamable(self, endpoint: HttpEndpoint) -> LegacyLink:
        background = LinkTasks()
        connector = HttpConnector(endpoint=endpoint, clock=self.clock, background=background)
        return self._legacy(endpoint.server, connector, background)

    def _sse(self, endpoint: HttpEndpoint) -> LegacyLink:
        background = LinkTasks()
        connector = SseConnector(endpoint=endpoint, background=background)
        return self._legacy(endpoint.server, connector, background)

    def _legacy(self, server: str, connector: Connector, background: LinkTasks) -> LegacyLink:
        sessions = ServerSessions(
            server=server,
            connector=connector,
            clock=self.clock,
            terms=SessionTerms(),
            background=background,
            ends=self.session_ends,
        )
        parking = self._parking(background)
        return LegacyLink(sessions=sessions, parking=parking, background=background)

    def _child(self, server: str, entry: ServerEntry) -> StdioLink:
        background = LinkTasks()
        connector = StdioConnector(
            server=server,
            argv=entry.command,
            env=child_environment(self.env),
            secrets=SecretValues(server, "env", entry.env, self.env),
            cwd=entry.cwd,
            longest=self.exchange.answer_bytes,
            clock=self.clock,
            background=background,
            restarts=Restarts(clock=self.clock),
        )
        return StdioLink(
            server=server,
            connector=connector,
            clock=self.clock,
            background=background,
            parking=self._parking(background),
            ends=self.session_ends,
        )

    def _parking(self, background: LinkTasks) -> Parking:
        keys = self.signing.derived(PURPOSE)
        return Parking(keys=keys, clock=self.clock, background=background)


def _shown(url: URL) -> str:
    """Return a URL without what may be secret in it."""
    return str(url.with_user(None).with_query(None).with_fragment(None))
