"""One POST to a server of revision 2026-07-28, over pooled connections."""

import logging
from dataclasses import dataclass, replace
from http import HTTPStatus

from trunkline_router.adapters.http1.answer import Answer
from trunkline_router.adapters.http1.client import Client
from trunkline_router.adapters.http1.failing import Cut, TooLarge
from trunkline_router.adapters.http1.pool import Pool
from trunkline_router.adapters.incoming import (
    EventStream,
    NotMcp,
    is_final,
    parse,
    read_reply,
)
from trunkline_router.adapters.refusing import failure
from trunkline_router.link import Post, Reply
from trunkline_router.wire.event import KEEP_ALIVE, as_event
from trunkline_shared.errors import NetworkError, UpstreamUnavailable

log = logging.getLogger(__name__)

_OK = int(HTTPStatus.OK)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """Performs posts over pooled connections; answers are bounded by `answer_bytes`."""

    client: Client
    answer_bytes: int

    def at_address(self, address: str) -> "Exchange":
        """Return an exchange with a client of its own, to which every host is at one address.

        Whoever asks closes the client.
        """
        return replace(self, client=self.client.at_address(address))

    async def perform(
        self, post: Post, message: bytes, pool: Pool, *, foreign: bool = False
    ) -> Reply:
        """Send a post, written out as `message`, and read to the end; events go to its channel.

        A `foreign` server is not of the mesh: what it refuses has nothing to do with the mesh's
        key. Raises NeverSent, NetworkError, UpstreamUnavailable; for a foreign server also
        AuthError and RateLimited.
        """
        try:
            answer = await pool.ask(message)
            try:
                if answer.status != _OK:
                    _check(post.server, answer, foreign=foreign)
                return await self._read(post, answer)
            finally:
                answer.leave()
        except ConnectionError as error:
            log.info("exchange with %s was cut: %s", post.server, error)
            raise NetworkError(f"The connection to server {post.server!r} was cut.") from error
        except NotMcp:
            log.warning("%s answered something that is not MCP", post.server)
            raise UpstreamUnavailable(
                f"Server {post.server!r} answered something that is not MCP."
            ) from None

    async def _read(self, post: Post, answer: Answer) -> Reply:
        kind = answer.header("content-type")
        if kind.startswith("application/json"):
            raw = await body_of(answer, self.answer_bytes)
            return read_reply(parse(raw), post.number, answer.status, len(raw))
        if kind.startswith("text/event-stream"):
            return await self._stream(post, answer)
        raise NotMcp

    async def _stream(self, post: Post, answer: Answer) -> Reply:
        events = EventStream(self.answer_bytes)
        async for chunk in answer.pieces():
            for data in events.feed(chunk):
                if data is None:
                    await post.channel.send(KEEP_ALIVE)
                    continue
                message = parse(data)
                if is_final(message):
                    answer.has_ended()
                    return read_reply(message, post.number, answer.status, len(data))
                if "id" not in message:
                    await post.channel.send(as_event(message))
        raise Cut("a stream ended without an answer")


async def body_of(answer: Answer, most: int) -> bytes:
    """Read an answer that is no stream. Raises NotMcp when it is larger than `most` bytes."""
    try:
        return await answer.read(most)
    except TooLarge:
        raise NotMcp from None


def _check(server: str, answer: Answer, *, foreign: bool) -> None:
    """Raise for a status that says by itself that no answer comes."""
    status = answer.status
    fault = failure(server, status, answer.header("retry-after")) if foreign else None
    if fault is not None:
        log.warning("%s answered HTTP %d", server, status)
        raise fault
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        log.warning("%s answered HTTP %d", server, status)
        raise UpstreamUnavailable(f"Server {server!r} failed with HTTP {status}.")
    if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        log.error("%s refused the router: do both have the same TRUNKLINE_MESH_KEY?", server)
        raise UpstreamUnavailable(f"Server {server!r} does not accept this router.")
