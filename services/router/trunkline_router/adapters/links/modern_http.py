"""A server of revision 2026-07-28 over Streamable HTTP: one POST for each request, no session."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from mcp.shared.inbound import (
    MCP_METHOD_HEADER,
    MCP_NAME_HEADER,
    NAME_BEARING_METHODS,
    encode_header_value,
)
from yarl import URL

from trunkline_router.adapters.exchange import Exchange
from trunkline_router.adapters.http1.pool import Pool
from trunkline_router.adapters.http1.request import head_of, lines_of, message_of
from trunkline_router.adapters.outgoing import MODERN_HEADERS, encode
from trunkline_router.link import Post, Reply

_PER_CALL = frozenset({MCP_METHOD_HEADER.lower(), MCP_NAME_HEADER.lower(), "traceparent"})


@dataclass(slots=True, kw_only=True)
class ModernHttp:
    """Sends each request as it is, over the exchange's connections; `headers` open the server."""

    url: URL
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    exchange: Exchange
    foreign: bool = False
    _pool: Pool = field(init=False, repr=False)
    _head: str = field(default="", repr=False)
    _headers: Mapping[str, str] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        self._pool = self.exchange.client.pool(self.url)

    async def perform(self, post: Post) -> Reply:
        body = encode(post.number, post.method, post.params)
        message = message_of(f"{self._constant()}{_own_lines(post)}", body)
        return await self.exchange.perform(post, message, self._pool, foreign=self.foreign)

    def abandon(self, state: str) -> None:
        """Nothing waits: a server of this revision keeps what it needs in the state."""

    async def close(self) -> None:
        """Nothing is held but pooled connections, which the pool's owner closes."""

    def _constant(self) -> str:
        """Return what each request begins with; a secret in a header may be renewed."""
        headers = dict(self.headers)
        if headers != self._headers:
            kept = {name: headers[name] for name in headers if name.lower() not in _PER_CALL}
            self._head = head_of("POST", self.url, {**kept, **MODERN_HEADERS})
            self._headers = headers
        return self._head


def _own_lines(post: Post) -> str:
    """Return the headers of this request alone: what mirrors its body, and its span."""
    lines = _mirrored(post.method, post.name)
    if post.traceparent:
        lines = f"{lines}traceparent: {post.traceparent}\r\n"
    return lines + lines_of(post.headers) if post.headers else lines


def _mirrored(method: str, name: str | None) -> str:
    if name is None or method not in NAME_BEARING_METHODS:
        return f"{MCP_METHOD_HEADER}: {method}\r\n"
    # Tools are few and known; what else bears a name is as long and as many as its callers like.
    named = _tool_name(name) if method == "tools/call" else encode_header_value(name)
    return f"{MCP_METHOD_HEADER}: {method}\r\n{MCP_NAME_HEADER}: {named}\r\n"


_tool_name = lru_cache(maxsize=1024)(encode_header_value)
