"""A session over HTTP+SSE: one stream from the server, a POST for each message to it.

Spec 2024-11-05, "Transports".
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus

from yarl import URL

from trunkline_router.adapters.http1.answer import Answer
from trunkline_router.adapters.incoming import NotMcp, parse
from trunkline_router.adapters.links.connection import Deliver, HandshakeRefused, SessionLost
from trunkline_router.adapters.links.http_endpoint import HttpEndpoint
from trunkline_router.adapters.links.link_tasks import LinkTasks
from trunkline_router.adapters.links.peer import not_mcp
from trunkline_router.adapters.links.pending import Pending
from trunkline_router.adapters.links.server_sent import Event, events
from trunkline_router.link import NeverSent
from trunkline_router.model import Json
from trunkline_shared.errors import NetworkError, TrunklineError, UpstreamUnavailable


@dataclass(slots=True, kw_only=True, eq=False)
class SseConnection:
    """One stream, and the URL that takes what goes the other way."""

    endpoint: HttpEndpoint
    deliver: Deliver
    lost: Callable[[Exception], None]
    hears: bool = True
    reading: "asyncio.Task[None] | None" = None
    opened: "asyncio.Future[HttpEndpoint]" = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )

    async def carry(self, message: Json, pending: Pending, headers: Mapping[str, str]) -> None:
        await self._post(message, headers)
        await pending.over()

    async def send(self, message: Json) -> None:
        await self._post(message, {})

    async def ready(self, version: str) -> None:  # noqa: ARG002 - this wire sends no version
        await self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    async def close(self) -> None:
        if self.reading is not None:
            self.reading.cancel()

    async def read(self) -> None:
        """Deliver what comes, until the stream ends; then the session is lost."""
        server = self.endpoint.server
        end: Exception = NetworkError(f"The stream of server {server!r} ended.")
        try:
            await self._read()
        except NotMcp:
            end = not_mcp(server)
        except (NeverSent, HandshakeRefused, TrunklineError) as error:
            end = error
        finally:
            if not self.opened.done():
                self.opened.set_exception(end)
            self.lost(end)

    async def _read(self) -> None:
        async with self.endpoint.request("GET", {"Accept": "text/event-stream"}) as response:
            await self.endpoint.check(response)
            if not response.header("content-type").startswith("text/event-stream"):
                raise HandshakeRefused(response.status)
            await self._deliver_all(response)

    async def _deliver_all(self, response: Answer) -> None:
        async for event in events(response, self.endpoint.answer_bytes):
            if event.kind == "endpoint" and not self.opened.done():
                self.opened.set_result(self._posting(event))
            elif event.kind == "message" and event.data:
                self.deliver(parse(event.data), None)

    def _posting(self, event: Event) -> HttpEndpoint:
        """Return where to post; only at the same origin: the credential goes there too."""
        url = self.endpoint.url.join(URL(event.data.decode("utf-8", "replace"), encoded=True))
        if url.origin() != self.endpoint.url.origin():
            raise UpstreamUnavailable(
                f"Server {self.endpoint.server!r} wants its messages somewhere else; only its own "
                "origin gets them."
            )
        return replace(self.endpoint, url=url)

    async def _post(self, message: Json, headers: Mapping[str, str]) -> None:
        sent = {**headers, "Content-Type": "application/json", "Accept": "application/json"}
        async with self.opened.result().request("POST", sent, message) as response:
            if response.status == HTTPStatus.NOT_FOUND:
                raise SessionLost
            await self.opened.result().check(response)


@dataclass(frozen=True, slots=True, kw_only=True)
class SseConnector:
    """Opens streams at one URL."""

    endpoint: HttpEndpoint
    background: LinkTasks

    @property
    def url(self) -> URL:
        return self.endpoint.url

    async def connect(self, deliver: Deliver, lost: Callable[[Exception], None]) -> SseConnection:
        connection = SseConnection(endpoint=self.endpoint, deliver=deliver, lost=lost)
        connection.reading = self.background.start(connection.read())
        try:
            await asyncio.shield(connection.opened)
        except asyncio.CancelledError:
            connection.reading.cancel()
            raise
        return connection
