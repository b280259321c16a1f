"""One HTTP request to an MCP endpoint, whoever has parsed it, and the ways to answer it."""

from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar

from aiohttp import web

from trunkline_router.model import Caller, Limits
from trunkline_router.wire.answer import Answer
from trunkline_router.wire.body import read_body
from trunkline_router.wire.channel import EventStream, json_response

Fact = TypeVar("Fact")
Reply = Answer | web.StreamResponse
"""An answer in JSON, or what HTTP says in another form; a stream that has been written is one."""


class HttpRequest(Protocol):
    """A POST. `query` is as it came; `caller` is who was let in, for as long as that is certain."""

    method: str
    headers: Mapping[str, str]
    query: str
    caller: Caller | None

    def fact(self, name: str, of: Callable[[Mapping[str, str]], Fact]) -> Fact:
        """Return what `of` says of the headers; it is asked once for all that have the same."""

    async def body(self, limits: Limits) -> bytes:
        """Return the body; raises as `read_body` does.

        While one is waited for, its caller's token may be revoked: then nobody is known any more.
        """

    def events(self, stall_s: float) -> EventStream:
        """Return the stream to answer by; it begins with what is written first."""


class ParsedRequest:
    """A request that aiohttp has parsed."""

    def __init__(self, http: web.BaseRequest) -> None:
        self._http = http
        self.method = http.method
        self.headers: Mapping[str, str] = http.headers
        self.query = http.rel_url.raw_query_string
        self.caller: Caller | None = None

    def fact(self, name: str, of: Callable[[Mapping[str, str]], Fact]) -> Fact:  # noqa: ARG002 - others remember by it
        return of(self.headers)

    async def body(self, limits: Limits) -> bytes:
        if not self._http.content.is_eof():
            self.caller = None
        return await read_body(self._http, limits)

    def events(self, stall_s: float) -> EventStream:
        return EventStream(self._http, stall_s=stall_s)


def response_of(reply: Reply) -> web.StreamResponse:
    """Return a reply in the form that aiohttp sends."""
    return reply if isinstance(reply, web.StreamResponse) else json_response(reply)
