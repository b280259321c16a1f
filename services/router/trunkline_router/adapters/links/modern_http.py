"""A server of revision 2026-07-28 over Streamable HTTP: one POST for each request, no session."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from yarl import URL

from trunkline_router.adapters.exchange import Exchange, HttpPost
from trunkline_router.adapters.outgoing import encode, outgoing_headers
from trunkline_router.link import Post, Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class ModernHttp:
    """Sends each request as it is, over the exchange's connections; `headers` open the server."""

    url: URL
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    exchange: Exchange
    foreign: bool = False

    async def perform(self, post: Post) -> Reply:
        headers = outgoing_headers(post.method, post.name, self.headers)
        headers.update(post.headers)
        return await self.exchange.perform(
            HttpPost(
                server=post.server,
                url=self.url,
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
