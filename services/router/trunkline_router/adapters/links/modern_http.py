"""A server of revision 2026-07-28 over Streamable HTTP: one POST for each request, no session."""

from dataclasses import dataclass

from yarl import URL

from trunkline_router.adapters.exchange import Exchange, HttpPost
from trunkline_router.adapters.outgoing import encode, outgoing_headers
from trunkline_router.link import Post, Reply
from trunkline_router.model import ServerAddress


@dataclass(frozen=True, slots=True, kw_only=True)
class ModernHttp:
    """Sends each request as it is; the connections are the exchange's."""

    address: ServerAddress
    exchange: Exchange
    foreign: bool = False

    @property
    def url(self) -> URL:
        return self.address.url

    async def perform(self, post: Post) -> Reply:
        headers = outgoing_headers(post.method, post.name, self.address.headers)
        headers.update(post.headers)
        return await self.exchange.perform(
            HttpPost(
                server=post.server,
                url=self.address.url,
                number=post.number,
                body=encode(post.number, post.method, post.params),
                headers=headers,
                channel=post.channel,
                foreign=self.foreign,
            )
        )

    def abandon(self, state: str) -> None:
        """Nothing waits: a server of this revision keeps what it needs in the state."""

    async def close(self) -> None:
        """Nothing is held but pooled connections, which the pool's owner closes."""
