"""One POST to a server of revision 2026-07-28, over pooled connections."""

import logging
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.hdrs import CONTENT_ENCODING
from yarl import URL

from trunkline_router.adapters.incoming import (
    EventStream,
    NotMcp,
    is_final,
    parse,
    read_reply,
)
from trunkline_router.adapters.refusing import failure
from trunkline_router.link import NeverSent, Reply
from trunkline_router.model import Channel, Limits
from trunkline_router.wire.event import KEEP_ALIVE, as_event
from trunkline_shared.errors import NetworkError, UpstreamUnavailable

log = logging.getLogger(__name__)


# The servers close idle connections after 5 s; letting go first never loses a request to that.
_POOL_IDLE_S = 4.0
# A container that is made anew has another address; whoever resolves names keeps what is worth it.
_RESOLVED_S = 1
_OK = int(HTTPStatus.OK)
# The servers are near: packing an answer costs more than it saves.
_HEADERS = {"Accept-Encoding": "identity", "User-Agent": "trunkline-router"}


def session_for(limits: Limits, resolver: AbstractResolver | None = None) -> aiohttp.ClientSession:
    """Return the pool of connections to the servers; whoever asks closes it."""
    # `connect` holds for the name as well: one that is being looked up must not take the deadline.
    reached = aiohttp.ClientTimeout(
        total=None, connect=limits.connect_s, sock_connect=limits.connect_s
    )
    return _pool(reached, resolver)


def _pool(
    timeout: aiohttp.ClientTimeout, resolver: AbstractResolver | None
) -> aiohttp.ClientSession:
    connector = aiohttp.TCPConnector(
        limit=0, keepalive_timeout=_POOL_IDLE_S, resolver=resolver, ttl_dns_cache=_RESOLVED_S
    )
    return aiohttp.ClientSession(
        connector=connector,
        timeout=timeout,
        cookie_jar=aiohttp.DummyCookieJar(),
        # Said here, since leaving the client's own out costs more than a header does.
        headers=_HEADERS,
        auto_decompress=True,
        trust_env=False,
    )


class _OneAddress(AbstractResolver):
    """Says that every host is at one address."""

    def __init__(self, address: str) -> None:
        self._address = address

    async def resolve(
        self,
        host: str,
        port: int = 0,
        family: socket.AddressFamily = socket.AF_INET,  # noqa: ARG002 - the address has its own
    ) -> list[ResolveResult]:
        return [
            ResolveResult(
                hostname=host,
                host=self._address,
                port=port,
                family=socket.AF_INET6 if ":" in self._address else socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
        ]

    async def close(self) -> None:
        """Nothing is held."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpPost:
    """One request in bytes; `number` is its JSON-RPC id.

    A `foreign` server is not of the mesh: what it refuses has nothing to do with the mesh's key.
    """

    server: str
    url: URL
    number: int
    body: bytes = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    channel: Channel
    foreign: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """Performs posts over pooled connections; answers are bounded by `answer_bytes`."""

    session: aiohttp.ClientSession
    answer_bytes: int

    def at_address(self, address: str) -> "Exchange":
        """Return an exchange with a pool of its own, whose every host name has this one address.

        Host header and certificate check stay those of the name. Whoever asks closes the pool.
        """
        return replace(self, session=_pool(self.session.timeout, _OneAddress(address)))

    async def perform(self, post: HttpPost) -> Reply:
        """Send and read to the end; events go to the channel as they come.

        Raises NeverSent, NetworkError, UpstreamUnavailable; for a foreign server also AuthError
        and RateLimited.
        """
        try:
            async with self.session.post(
                post.url, data=post.body, headers=post.headers, allow_redirects=False
            ) as response:
                return await self._read(post, response)
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
            raise NeverSent from error
        except (aiohttp.ClientError, ConnectionError) as error:
            log.info("exchange with %s was cut: %s", post.server, type(error).__name__)
            raise NetworkError(f"The connection to server {post.server!r} was cut.") from error
        except NotMcp:
            log.warning("%s answered something that is not MCP", post.server)
            raise UpstreamUnavailable(
                f"Server {post.server!r} answered something that is not MCP."
            ) from None

    async def _read(self, post: HttpPost, response: aiohttp.ClientResponse) -> Reply:
        status = response.status
        if status != _OK:
            _check(post, status, response.headers)
        kind = response.headers.get("Content-Type", "")
        if kind.startswith("text/event-stream"):
            return await self._stream(post, response)
        if not kind.startswith("application/json"):
            raise NotMcp
        raw = await body_of(response, self.answer_bytes)
        return read_reply(parse(raw), post.number, status, len(raw))

    async def _stream(self, post: HttpPost, response: aiohttp.ClientResponse) -> Reply:
        events = EventStream(self.answer_bytes)
        async for chunk in response.content.iter_any():
            for data in events.feed(chunk):
                if data is None:
                    await post.channel.send(KEEP_ALIVE)
                    continue
                message = parse(data)
                if is_final(message):
                    return read_reply(message, post.number, response.status, len(data))
                if "id" not in message:
                    await post.channel.send(as_event(message))
        raise aiohttp.ServerDisconnectedError


async def body_of(response: aiohttp.ClientResponse, most: int) -> bytes:
    """Read an answer that is no stream. Raises NotMcp when it is larger than `most` bytes."""
    length = response.content_length
    # A packed body is longer than it says.
    if length is not None and length <= most and CONTENT_ENCODING not in response.headers:
        return await response.read()
    whole = bytearray()
    async for chunk in response.content.iter_any():
        whole += chunk
        if len(whole) > most:
            raise NotMcp
    return bytes(whole)


def _check(post: HttpPost, status: int, headers: Mapping[str, str]) -> None:
    """Raise for a status that says by itself that no answer comes."""
    if post.foreign and (fault := failure(post.server, status, headers)) is not None:
        log.warning("%s answered HTTP %d", post.server, status)
        raise fault
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        log.warning("%s answered HTTP %d", post.server, status)
        raise UpstreamUnavailable(f"Server {post.server!r} failed with HTTP {status}.")
    if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        log.error("%s refused the router: do both have the same TRUNKLINE_MESH_KEY?", post.server)
        raise UpstreamUnavailable(f"Server {post.server!r} does not accept this router.")
