"""A server at a URL that speaks some revision: found out once, and again when it has changed.

Spec 2026-07-28, "Backward compatibility": a modern request first, `initialize` when that is not
understood, the event stream of 2024-11-05 when `initialize` is refused too.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus

from mcp_types.jsonrpc import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    MISSING_REQUIRED_CLIENT_CAPABILITY,
)
from yarl import URL

from trunkline_router.adapters.links.connection import HandshakeRefused, Misunderstood
from trunkline_router.adapters.links.discovery import speaks_modern
from trunkline_router.adapters.links.http_endpoint import HttpEndpoint
from trunkline_router.adapters.links.legacy_link import LegacyLink
from trunkline_router.adapters.links.older_leg import OlderLeg
from trunkline_router.link import Link, NeverSent, Post, Reply
from trunkline_router.model import JsonRpcError
from trunkline_shared.clock import Clock
from trunkline_shared.errors import TrunklineError, UpstreamTimeout, UpstreamUnavailable

log = logging.getLogger(__name__)

_LOOK_S = 15.0
_AGAIN_S = 1.0
_OUTCOMES = frozenset({
    HEADER_MISMATCH,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    MISSING_REQUIRED_CLIENT_CAPABILITY,
})
_STRANGE = frozenset({
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.NOT_FOUND,
    HTTPStatus.METHOD_NOT_ALLOWED,
    HTTPStatus.NOT_ACCEPTABLE,
})
"""Statuses with which a server of one era answers the requests of another."""


@dataclass(slots=True, kw_only=True)
class NegotiatedHttp:
    """Asks over the wire that the server was found to speak.

    `older` make the links of older revisions, in the order in which they are tried.
    """

    endpoint: HttpEndpoint
    modern: Link | None
    older: Sequence[Callable[[], LegacyLink]]
    clock: Clock
    _link: Link | None = None
    _looked: float = 0.0
    _looking: asyncio.Lock = field(default_factory=asyncio.Lock)
    _leg: OlderLeg = field(init=False)

    def __post_init__(self) -> None:
        self._leg = OlderLeg(make=self.older[0] if self.older else None)

    @property
    def url(self) -> URL:
        return self.endpoint.url

    async def perform(self, post: Post) -> Reply:
        link = self._link or await self._found()
        if post.answers and link is self.modern:
            link = await self._leg.link() or link
        try:
            reply = await link.perform(post)
        except HandshakeRefused:
            return await self._again(link, post, None)
        except Misunderstood as fault:
            return await self._again(link, post, fault.reply)
        if reply.error is not None and link is self.modern and _is_strange(reply.error):
            return await self._again(link, post, reply)
        return reply

    def abandon(self, state: str) -> None:
        self._leg.abandon(state)
        if self._link is not None:
            self._link.abandon(state)

    async def close(self) -> None:
        await self._leg.close()
        if self._link is not None:
            await self._link.close()

    async def _again(self, stale: Link, post: Post, reply: Reply | None) -> Reply:
        """Look again, and ask once more if the server has turned out to be another.

        It has executed nothing: it has not understood the request.
        """
        if reply is not None and not await self._has_changed(stale):
            return reply
        link = await self._found(stale)
        try:
            return await link.perform(post)
        except Misunderstood as fault:
            return fault.reply
        except HandshakeRefused as refusal:
            raise _no_server(post.server, refusal.status) from None

    async def _has_changed(self, stale: Link) -> bool:
        if self.modern is None or self.clock.monotonic() - self._looked < _AGAIN_S:
            return False
        self._looked = self.clock.monotonic()
        try:
            return await speaks_modern(self.endpoint) is not (stale is self.modern)
        except (NeverSent, TrunklineError):
            # What it has answered stands, whatever has become of it since.
            return False

    async def _found(self, stale: Link | None = None) -> Link:
        async with self._looking:
            if self._link is not None and self._link is not stale:
                return self._link
            try:
                async with asyncio.timeout(_LOOK_S):
                    link = await self._look()
            except TimeoutError:
                raise UpstreamTimeout(
                    f"Server {self.endpoint.server!r} did not say what it speaks in {_LOOK_S:g} s."
                ) from None
            if stale is not None:
                await self._leg.close()
            if stale is not None and link is not stale:
                log.warning("%s speaks another revision of MCP than before", self.endpoint.server)
                await stale.close()
            self._link, self._looked = link, self.clock.monotonic()
            return link

    async def _look(self) -> Link:
        if self.modern is not None and (not self.older or await speaks_modern(self.endpoint)):
            return self.modern
        status = 0
        for make in self.older:
            link = make()
            try:
                await link.open()
            except HandshakeRefused as refusal:
                status = status or refusal.status
                await link.close()
            except BaseException:
                await link.close()
                raise
            else:
                return link
        raise _no_server(self.endpoint.server, status)


def _is_strange(error: JsonRpcError) -> bool:
    return error.status in _STRANGE and error.code not in _OUTCOMES


def _no_server(server: str, status: int) -> UpstreamUnavailable:
    answered = f" (HTTP {status})" if status else ""
    return UpstreamUnavailable(
        f"Server {server!r} does not answer as an MCP server: it understands neither "
        f"server/discover nor initialize{answered}.",
        hint=f"Whoever runs the mesh looks whether servers.{server}.url is the whole URL of its "
        "MCP endpoint.",
    )
