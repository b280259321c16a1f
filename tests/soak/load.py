"""Many clients at once, each of whose calls carries a nonce that must come back."""

import asyncio
import time
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

import orjson

from tests.interaction.wire import (
    LEGACY_HEADERS,
    META,
    Reply,
    head,
    legacy,
    modern,
    modern_headers,
    read_reply,
)

PATIENCE_S = 60.0
"""Longer than any answer may take, also where hundreds of clients share two cores."""
HEALTHY = ("calm", "busy", "bulk")


class Wrong(Exception):
    """An answer that is not the one to the request, or a failure where there may be none."""


@dataclass(slots=True, kw_only=True)
class Tally:
    """What the clients have seen; `seconds` are those of calls on healthy servers."""

    calls: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    resident: tuple[int, int] = (0, 0)


@dataclass(slots=True, kw_only=True)
class Client:
    """One client on a connection of its own, which does what its seed says until `until`."""

    name: str
    port: int
    rng: Random
    tally: Tally
    _streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
    _number: int = 0

    async def run(self, until: float) -> None:
        try:
            while time.monotonic() < until:
                await self._step()
        finally:
            self._leave()

    async def _step(self) -> None:
        operation = self.rng.choices(list(_WEIGHTS), list(_WEIGHTS.values()))[0]
        try:
            async with asyncio.timeout(PATIENCE_S):
                await getattr(self, operation)()
        except (Wrong, TimeoutError, ConnectionError, asyncio.IncompleteReadError) as error:
            self.tally.wrong.append(
                f"{self.name} {operation}: {type(error).__name__} {error}"[:600]
            )
            self._leave()
        self.tally.calls[operation] += 1

    async def call(self) -> None:
        """Call a healthy server's tool in the modern era."""
        server, nonce = self.rng.choice(HEALTHY), self._nonce()
        self._must_say(await self._modern(f"{server}_echo", nonce), nonce)

    async def legacy_call(self) -> None:
        """The same in the era before, without a session."""
        server, nonce = self.rng.choice(HEALTHY), self._nonce()
        params = {"name": f"{server}_echo", "arguments": {"nonce": nonce}}
        self._must_say(
            await self._post(legacy("tools/call", params, id=nonce), LEGACY_HEADERS), nonce
        )

    async def progress(self) -> None:
        """Take a stream: what it tells on the way is about this call as well."""
        nonce = self._nonce()
        meta = META | {"progressToken": nonce}
        message = await self._modern("busy_echo", nonce, _meta=meta)
        self._must_say(message, nonce)

    async def resource(self) -> None:
        """Read a resource by a template."""
        nonce = self._nonce()
        uri = f"soak://item/{nonce}"
        body = modern("resources/read", {"uri": uri}, id=nonce)
        message = await self._post(body, modern_headers("resources/read", uri))
        if message.get("result", {}).get("contents", [{}])[0].get("text") != nonce:
            raise Wrong(f"asked for {uri}, got {message}")

    async def prompt(self) -> None:
        """Get a prompt."""
        nonce = self._nonce()
        params = {"name": "greet", "arguments": {"nonce": nonce}}
        message = await self._post(
            modern("prompts/get", params, id=nonce), modern_headers("prompts/get", "greet")
        )
        if (
            message.get("result", {}).get("messages", [{}])[0].get("content", {}).get("text")
            != nonce
        ):
            raise Wrong(f"asked for the prompt with {nonce}, got {message}")

    async def lists(self) -> None:
        """List the tools, of which none is ever missing, however its server is."""
        nonce = self._nonce()
        message = await self._post(modern("tools/list", id=nonce), modern_headers("tools/list"))
        if "result" not in message:
            raise Wrong(f"no list: {str(message)[:400]}")
        names = {tool["name"] for tool in message["result"]["tools"]}
        if names != {f"{server}_echo" for server in (*HEALTHY, "hanging", "dying")}:
            raise Wrong(f"the tools are {sorted(names)}")

    async def session(self) -> None:
        """Open a session as the clients do that open one for each call, and close it or not."""
        nonce = self._nonce()
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "s"}}
        reply = await self._exchange(legacy("initialize", hello), LEGACY_HEADERS)
        given = reply.headers.get("mcp-session-id")
        headers = LEGACY_HEADERS | ({"Mcp-Session-Id": given} if given else {})
        params = {"name": "calm_echo", "arguments": {"nonce": nonce}}
        self._must_say(await self._post(legacy("tools/call", params, id=nonce), headers), nonce)
        if given and self.rng.random() < 0.5:
            await self._exchange(b"", headers, verb="DELETE")

    async def sick(self) -> None:
        """Call a server that hangs or dies: the answer is the right one, or a failure in form."""
        server = self.rng.choices(["hanging", "dying"], [1, 8])[0]
        nonce = self._nonce()
        message = await self._modern(f"{server}_echo", nonce)
        if message.get("result", {}).get("isError") is False:
            self._must_say(message, nonce)
            return
        if not message.get("result", {}).get("isError"):
            raise Wrong(f"no failure in form: {str(message)[:400]}")
        failure = orjson.loads(_text(message))
        self.tally.refusals[f"{server}: {failure['error_code']}"] += 1

    async def leaving(self) -> None:
        """Ask, and leave before the answer."""
        nonce = self._nonce()
        name = self.rng.choice(["calm_echo", "busy_echo", "hanging_echo"])
        body = modern("tools/call", {"name": name, "arguments": {"nonce": nonce}}, id=nonce)
        _, writer = self._streams or await self._opened()
        writer.write(head(body, modern_headers("tools/call", name), port=self.port) + body)
        await writer.drain()
        self._leave()

    async def listening(self) -> None:
        """Listen for a moment."""
        body = modern("subscriptions/listen", {"notifications": {"toolsListChanged": True}}, id=1)
        headers = modern_headers("subscriptions/listen")
        reader, writer = self._streams or await self._opened()
        writer.write(head(body, headers, port=self.port) + body)
        if b"acknowledged" not in await reader.readuntil(b"acknowledged"):
            raise Wrong("the stream was not acknowledged")
        self._leave()

    async def _modern(self, name: str, nonce: str, **params: object) -> dict[str, Any]:
        asked = {"name": name, "arguments": {"nonce": nonce}, **params}
        return await self._post(
            modern("tools/call", asked, id=nonce), modern_headers("tools/call", name)
        )

    def _must_say(self, message: dict[str, Any], nonce: str) -> None:
        if message.get("id") != nonce or not _text(message).startswith(nonce):
            raise Wrong(f"asked with {nonce}, got {str(message)[:400]}")

    def _nonce(self) -> str:
        self._number += 1
        return f"{self.name}-{self._number}-{self.rng.getrandbits(32):x}."

    async def _post(self, body: bytes, headers: dict[str, str]) -> dict[str, Any]:
        began = time.monotonic()
        reply = await self._exchange(body, headers)
        self.tally.seconds.append(time.monotonic() - began)
        if not reply.headers.get("content-type", "").startswith(("text/event", "application/json")):
            raise Wrong(f"HTTP {reply.status}: {reply.body[:400]!r}")
        if not reply.headers["content-type"].startswith("text/event-stream"):
            return dict(reply.json)
        frames = [frame.partition(b"data: ")[2] for frame in reply.body.split(b"\n\n")]
        messages = [orjson.loads(frame) for frame in frames if frame]
        for told in messages[:-1]:
            if told["params"]["progressToken"] != messages[-1]["id"]:
                raise Wrong(f"the stream of {messages[-1]['id']} told {told}")
        return dict(messages[-1])

    async def _exchange(self, body: bytes, headers: dict[str, str], verb: str = "POST") -> Reply:
        reader, writer = self._streams or await self._opened()
        writer.write(head(body, headers, port=self.port, verb=verb) + body)
        reply = await read_reply(reader)
        if reply.headers.get("connection") == "close":
            self._leave()
        return reply

    async def _opened(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        self._streams = await asyncio.open_connection("127.0.0.1", self.port)
        return self._streams

    def _leave(self) -> None:
        if self._streams is not None:
            self._streams[1].transport.abort()
            self._streams = None


_WEIGHTS = {
    "call": 40,
    "legacy_call": 15,
    "progress": 10,
    "resource": 5,
    "prompt": 3,
    "lists": 5,
    "session": 5,
    "sick": 9,
    "leaving": 4,
    "listening": 4,
}


def _text(message: dict[str, Any]) -> str:
    content = message.get("result", {}).get("content") or [{}]
    return str(content[0].get("text", ""))


async def load(port: int, *, clients: int, seconds: float, seed: int, tally: Tally) -> None:
    """Have so many clients work for so long."""
    until = time.monotonic() + seconds
    async with asyncio.TaskGroup() as tasks:
        for number in range(clients):
            rng = Random(f"{seed}:{number}")  # noqa: S311 - to be repeated, not to be secret
            client = Client(name=f"c{number}", port=port, rng=rng, tally=tally)
            tasks.create_task(client.run(until))
