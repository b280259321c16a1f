"""One stdio client's JSON-RPC lines, relayed to the router's Streamable HTTP endpoint and back."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import orjson
from mcp_types.jsonrpc import INTERNAL_ERROR

from trunkline_cli.frames import EVENT_STREAM, events
from trunkline_cli.request_headers import RequestHeaders

DRAIN_S = 2.0
NOTIFICATION_TIMEOUT_S = 10.0

Message = Mapping[str, Any]
RequestId = str | int


@dataclass(frozen=True, slots=True, kw_only=True)
class StdioBridge:
    """Relays until the client's lines end; answers are written one line each, as they come."""

    http: aiohttp.ClientSession
    url: str
    write: Callable[[bytes], Awaitable[None]]
    headers: RequestHeaders = field(default_factory=RequestHeaders)
    _pending: dict[RequestId, asyncio.Task[None]] = field(default_factory=dict)

    async def run(self, lines: AsyncIterator[bytes]) -> None:
        """Relay every line; at the end of input, calls in flight have DRAIN_S to finish."""
        async with asyncio.TaskGroup() as tasks:
            async for line in lines:
                if line.strip():
                    await self._accept(line, tasks)
            await self._drain()

    async def _accept(self, line: bytes, tasks: asyncio.TaskGroup) -> None:
        message = _message(line)
        if message.get("method") == "notifications/cancelled":
            await self._cancel(line, message)
        elif _is_request(message) or not message:
            relaying = tasks.create_task(self._relay(line, message))
            request_id = message.get("id")
            if request_id is not None:
                self._pending[request_id] = relaying
                relaying.add_done_callback(lambda _: self._pending.pop(request_id, None))
        else:
            # In order: what follows `notifications/initialized` must not overtake it.
            await self._tell(line, message)

    async def _cancel(self, line: bytes, message: Message) -> None:
        """End a request by closing its answer, which is how HTTP cancels."""
        cancelled: Any = (message.get("params") or {}).get("requestId")
        relaying = self._pending.get(cancelled)
        if relaying is not None:
            if self.headers.in_session:
                await self._tell(line, message)
            relaying.cancel()

    async def _tell(self, line: bytes, message: Message) -> None:
        with suppress(aiohttp.ClientError, TimeoutError):
            async with asyncio.timeout(NOTIFICATION_TIMEOUT_S):
                headers = self.headers.of(message)
                async with self.http.post(self.url, data=line, headers=headers):
                    pass

    async def _relay(self, line: bytes, message: Message) -> None:
        try:
            async with self.http.post(
                self.url, data=line, headers=self.headers.of(message)
            ) as response:
                answered = await self._write_answer(message, response)
                reason = f"the router answered HTTP {response.status} without a message"
        except aiohttp.ClientError as error:
            answered, reason = False, f"the router did not answer: {error}"
        if not answered and message.get("id") is not None:
            failure = {"code": INTERNAL_ERROR, "message": reason}
            await self._write({"jsonrpc": "2.0", "id": message["id"], "error": failure})

    async def _write_answer(self, request: Message, response: aiohttp.ClientResponse) -> bool:
        """Write each message of an answer; returns whether the request got its response."""
        answered = False
        async for body in _bodies(response):
            try:
                message = orjson.loads(body)
            except orjson.JSONDecodeError:
                continue
            if isinstance(message, dict) and "method" not in message:
                answered = True
                if message.get("id") is None and "id" in request:
                    message["id"] = request["id"]
                self.headers.learn(request, message, response.headers)
            await self._write(message)
            answered = answered or isinstance(message, list)
        return answered

    async def _write(self, message: object) -> None:
        await self.write(orjson.dumps(message) + b"\n")

    async def _drain(self) -> None:
        if self._pending:
            await asyncio.wait(self._pending.values(), timeout=DRAIN_S)
        for relaying in self._pending.values():
            relaying.cancel()


def _message(line: bytes) -> Message:
    """Return the message of a line, or an empty one for what only the router can judge."""
    try:
        message = orjson.loads(line)
    except orjson.JSONDecodeError:
        return {}
    return message if isinstance(message, dict) else {}


def _is_request(message: Message) -> bool:
    return "method" in message and isinstance(message.get("id"), str | int)


async def _bodies(response: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
    if response.content_type != EVENT_STREAM:
        yield await response.read()
        return
    async for data in events(response.content.iter_any()):
        yield data
