"""A legacy client by hand: sessions, streams of events, and what a real one would not do."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import orjson

ACCEPT = "application/json, text/event-stream"
WAIT_S = 8.0


@dataclass(frozen=True, kw_only=True)
class Event:
    """One event as it came; `data` is parsed where there is any."""

    id: str | None = None
    kind: str = "message"
    retry: str | None = None
    text: str = ""

    @property
    def data(self) -> Any:
        return orjson.loads(self.text)


@dataclass(frozen=True)
class Answered:
    """A response whose body is read as it is asked for."""

    response: aiohttp.ClientResponse

    @property
    def status(self) -> int:
        return self.response.status

    @property
    def streams(self) -> bool:
        return self.response.content_type == "text/event-stream"

    async def json(self) -> Any:
        async with asyncio.timeout(WAIT_S):
            return orjson.loads(await self.response.read())

    async def event(self) -> Event:
        """Return the next event; comments are passed over. Raises EOFError at the end."""
        async with asyncio.timeout(WAIT_S):
            while True:
                fields = await self._block()
                if fields:
                    break
        return Event(
            id=fields.get("id"),
            kind=fields.get("event", "message"),
            retry=fields.get("retry"),
            text=fields.get("data", ""),
        )

    async def message(self) -> Any:
        """Return the next event's message; one that has none is passed over."""
        while True:
            event = await self.event()
            if event.text:
                return event.data

    async def rest(self) -> list[Any]:
        """Return all messages to the stream's end."""
        messages = []
        try:
            while True:
                messages.append(await self.message())
        except EOFError:
            return messages

    async def _block(self) -> dict[str, str]:
        fields: dict[str, str] = {}
        while line := (await self.response.content.readline()).decode():
            if line == "\n":
                return fields
            key, _, value = line.rstrip("\n").partition(":")
            if key:
                fields[key] = value.removeprefix(" ")
        raise EOFError


@dataclass(kw_only=True)
class LegacyClient:
    """Speaks to one URL; `headers` are on every request."""

    http: aiohttp.ClientSession
    url: str
    session: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    number: int = 0

    async def initialize(
        self, capabilities: Mapping[str, object] | None = None, version: str = "2025-11-25"
    ) -> Any:
        """Open a session and return the result."""
        params = {
            "protocolVersion": version,
            "capabilities": dict(capabilities or {}),
            "clientInfo": {"name": "hand", "version": "1"},
        }
        async with self.asking("initialize", params) as answered:
            result = (await answered.json())["result"]
            self.session = answered.response.headers["Mcp-Session-Id"]
        await self.notify("notifications/initialized")
        return result

    def elsewhere(self, url: str) -> "LegacyClient":
        """Return the same client of another replica."""
        return LegacyClient(http=self.http, url=url, session=self.session, headers=self.headers)

    @asynccontextmanager
    async def asking(
        self, method: str, params: Mapping[str, object] | None = None, **changes: Any
    ) -> AsyncIterator[Answered]:
        """Send a request, and read its answer within the block."""
        self.number += 1
        message = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params or {}}
        async with self.posting(message | changes) as answered:
            yield answered

    async def ask(
        self, method: str, params: Mapping[str, object] | None = None, **changes: Any
    ) -> Any:
        """Return the whole answer to a request, however it comes."""
        async with self.asking(method, params, **changes) as answered:
            if not answered.streams:
                return await answered.json()
            return (await answered.rest())[-1]

    async def call(self, name: str, **arguments: object) -> Any:
        """Return the whole answer to a tool's call."""
        return await self.ask("tools/call", {"name": name, "arguments": arguments})

    async def notify(self, method: str, params: Mapping[str, object] | None = None) -> int:
        """Send a notification and return the status."""
        return await self.send({"jsonrpc": "2.0", "method": method, "params": params or {}})

    async def respond(self, question: Any, result: object) -> int:
        """Answer a request of the server and return the status."""
        return await self.send({"jsonrpc": "2.0", "id": question["id"], "result": result})

    async def send(self, message: object) -> int:
        """Send anything and return the status."""
        async with self.posting(message) as answered:
            await answered.response.read()
            return answered.status

    @asynccontextmanager
    async def posting(self, message: object) -> AsyncIterator[Answered]:
        """POST anything."""
        headers = {"Content-Type": "application/json", **self._headers()}
        body = orjson.dumps(message)
        async with self.http.post(self.url, data=body, headers=headers) as response:
            yield Answered(response)

    @asynccontextmanager
    async def getting(self, last: str | None = None) -> AsyncIterator[Answered]:
        """Open a stream, or resume one."""
        resumed = {} if last is None else {"Last-Event-ID": last}
        async with self.http.get(self.url, headers=self._headers() | resumed) as response:
            yield Answered(response)

    async def delete(self) -> int:
        """End the session and return the status."""
        async with self.http.delete(self.url, headers=self._headers()) as response:
            return response.status

    def _headers(self) -> dict[str, str]:
        named = {} if self.session is None else {"Mcp-Session-Id": self.session}
        return {"Accept": ACCEPT} | named | self.headers


@asynccontextmanager
async def legacy_client(url: str, **headers: str) -> AsyncIterator[LegacyClient]:
    """Connect a client that has no session yet."""
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    async with (
        asyncio.timeout(25),
        aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=20)) as http,
    ):
        yield LegacyClient(http=http, url=url, headers=given)
